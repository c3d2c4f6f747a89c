#include "cmd/analysis.h"

#include <math.h>
#include <stdlib.h>

#include "base/xmem.h"
#include "kifu/notation.h"
#include "kifu/words.h"

/* The curve most engines' scores fit well enough: 1 / (1 + exp(-score / 600)). */
#define LOGISTIC_SCALE 600.0

static const double mistake_percent[] = {
    [MISTAKE_DUBIOUS] = 10, [MISTAKE_BAD] = 20, [MISTAKE_BLUNDER] = 40};

void analysis_init(Analysis *analysis, const Record *record) {
    int moves = record_main_length(record);
    *analysis = (Analysis){.record = record, .count = moves + 1};
    analysis->at = xmem_calloc((size_t)moves + 1, sizeof(Judgement));
    analysis->node = xmem_calloc((size_t)moves + 1, sizeof(int));
    int node = KMD_ROOT;
    for (int i = 0; i <= moves; i++) {
        analysis->node[i] = node;
        node = record->nodes[node].child;
    }
}

void analysis_free(Analysis *analysis) {
    free(analysis->at);
    free(analysis->node);
    *analysis = (Analysis){.record = NULL};
}

double analysis_percent(Score black_score) {
    return 100.0 / (1.0 + exp(-black_score / LOGISTIC_SCALE));
}

Color analysis_mover(const Analysis *analysis, int i) {
    return color_flip(record_side(analysis->record, analysis->node[i]));
}

double analysis_cost(const Analysis *analysis, int i) {
    ASSERT(i >= 1 && i < analysis->count);
    const Judgement *before = &analysis->at[i - 1], *after = &analysis->at[i];
    Move move = analysis->record->nodes[analysis->node[i]].move;
    if (!before->is_known || !after->is_known || (before->pv_len > 0 && before->pv[0] == move)) {
        return 0;
    }
    double change = analysis_percent(after->score) - analysis_percent(before->score);
    double cost = analysis_mover(analysis, i) == BLACK ? -change : change;
    return cost > 0 ? cost : 0;
}

Mistake analysis_mistake(const Analysis *analysis, int i) {
    double cost = analysis_cost(analysis, i);
    for (int mistake = MISTAKE_BLUNDER; mistake > MISTAKE_NONE; mistake--) {
        if (cost >= mistake_percent[mistake]) {
            return (Mistake)mistake;
        }
    }
    return MISTAKE_NONE;
}

/* ---- comments -------------------------------------------------------------------------------- */

static const char *const mistake_words[2][4] = {{"", "疑問手", "悪手", "大悪手"},
                                                {"", "?!", "?", "??"}};

/* The line above a score in CSA's form, which by itself could be the players' own of floodgate. */
#define CSA_MARK "komadori depth "

static bool is_csa_mark(StrView line) {
    return word_take(&line, SV(CSA_MARK)) && word_take_number(&line, MAX_PLY) >= 0 && line.len == 0;
}

/* "評価値=-123 深さ=14", and what stands behind a score of mate and behind the depth. */
static bool is_score_line(StrView line) {
    if (!word_take(&line, SV("評価値="))) {
        return false;
    }
    word_take(&line, SV("-"));
    StrView depth = sv_skip(line, sv_find(line, SV(" 深さ=")));
    return word_take_number(&line, SCORE_MATE) >= 0 && word_take(&depth, SV(" 深さ=")) &&
           word_take_number(&depth, MAX_PLY) >= 0;
}

/* "悪手 勝率 52%→31% 最善=" or "? 52% -> 31% best". */
static bool is_mistake_line(StrView line, Mistake mistake, bool is_csa) {
    return word_take(&line, sv_from(mistake_words[is_csa][mistake])) &&
           word_take(&line, is_csa ? SV(" ") : SV(" 勝率 ")) && word_take_number(&line, 100) >= 0 &&
           word_take(&line, is_csa ? SV("% -> ") : SV("%→")) && word_take_number(&line, 100) >= 0 &&
           word_take(&line, is_csa ? SV("% best") : SV("% 最善="));
}

/* True for a line that an earlier analysis wrote; `before` is the line above it. */
static bool is_own_line(StrView line, StrView before) {
    for (int mistake = MISTAKE_DUBIOUS; mistake <= MISTAKE_BLUNDER; mistake++) {
        if (is_mistake_line(line, (Mistake)mistake, false) ||
            is_mistake_line(line, (Mistake)mistake, true)) {
            return true;
        }
    }
    return is_score_line(line) || is_csa_mark(line) ||
           (is_csa_mark(before) && sv_starts_with(line, SV("* ")));
}

static void keep_other_lines(StrView comment, StrBuf *out) {
    StrView line, before = {NULL, 0};
    bool has_lines = comment.len > 0;
    while (has_lines && sv_next_field(&comment, '\n', &line)) {
        if (!is_own_line(line, before)) {
            strbuf_add(out, line);
            strbuf_add_byte(out, '\n');
        }
        before = line;
    }
}

/* The moves from the cursor's position on, at most `count`; the position is as it was afterwards.
 */
static void append_line(RecordCursor *cursor, const Judgement *judgement, int count, bool is_csa,
                        StrBuf *out) {
    Position *pos = &cursor->pos;
    int done = 0;
    for (; done < judgement->pv_len && done < count; done++) {
        Move move = judgement->pv[done];
        if (!move_is_legal(pos, move)) {
            break;
        }
        if (is_csa) {
            strbuf_add_byte(out, ' ');
            csa_append_move(pos, move, out);
        } else {
            strbuf_add_str(out, word_mark(pos->side));
            notation_append_ja(pos, move, JA_PLAIN, out);
        }
        pos_do(pos, move);
    }
    for (; done > 0; done--) {
        pos_undo(pos);
    }
}

/* "123", or "先手の5手詰" behind the score of a mate. */
static void append_score(const Judgement *judgement, bool is_csa, StrBuf *out) {
    strbuf_add_i64(out, judgement->score);
    if (!is_csa && score_is_mate(judgement->score)) {
        int plies = abs(score_mate_plies(judgement->score));
        strbuf_addf(out, " (%sの%d手詰)", word_side(judgement->score > 0 ? BLACK : WHITE), plies);
    }
}

static void append_judgement(RecordCursor *cursor, const Judgement *judgement, bool is_csa,
                             StrBuf *out) {
    if (is_csa) {
        strbuf_addf(out, CSA_MARK "%d\n", judgement->depth);
    }
    strbuf_add_str(out, is_csa ? "* " : "評価値=");
    append_score(judgement, is_csa, out);
    if (!is_csa) {
        strbuf_addf(out, " 深さ=%d", judgement->depth);
        strbuf_add_str(out, judgement->pv_len > 0 ? " 読み筋=" : "");
    }
    append_line(cursor, judgement, ANALYSIS_PV, is_csa, out);
    strbuf_add_byte(out, '\n');
}

/* "悪手 勝率 52%→31% 最善=▲２六歩"; the cursor stands before the move. */
static void append_mistake(const Analysis *analysis, int i, RecordCursor *cursor, bool is_csa,
                           StrBuf *out) {
    Mistake mistake = analysis_mistake(analysis, i);
    if (mistake == MISTAKE_NONE) {
        return;
    }
    bool is_black = analysis_mover(analysis, i) == BLACK;
    double before = analysis_percent(analysis->at[i - 1].score);
    double after = analysis_percent(analysis->at[i].score);
    strbuf_addf(out, is_csa ? "%s %.0f%% -> %.0f%% best" : "%s 勝率 %.0f%%→%.0f%% 最善=",
                mistake_words[is_csa][mistake], is_black ? before : 100 - before,
                is_black ? after : 100 - after);
    append_line(cursor, &analysis->at[i - 1], 1, is_csa, out);
    strbuf_add_byte(out, '\n');
}

void analysis_comment(const Analysis *analysis, bool is_csa, Record *record) {
    StrBuf text = STRBUF_INIT;
    RecordCursor cursor;
    cursor_init(&cursor, record);
    for (int i = 0; i < analysis->count; i++) {
        int node = analysis->node[i];
        strbuf_clear(&text);
        keep_other_lines(record_text(record, record->nodes[node].comment), &text);
        if (i > 0) {
            append_mistake(analysis, i, &cursor, is_csa, &text);
        }
        cursor_go(&cursor, node);
        if (analysis->at[i].is_known) {
            append_judgement(&cursor, &analysis->at[i], is_csa, &text);
        }
        if (text.len > 0) {
            record_set_comment(record, node, sv_take(strbuf_view(&text), text.len - 1));
        }
    }
    cursor_free(&cursor);
    strbuf_free(&text);
}
