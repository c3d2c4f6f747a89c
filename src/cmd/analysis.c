#include "cmd/analysis.h"

#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/xmem.h"
#include "kifu/notation.h"
#include "kifu/words.h"
#include "komadori/version.h"
#include "rules/movegen.h"
#include "rules/outcome.h"
#include "rules/sfen.h"

/* The curve most engines' scores fit well enough: 1 / (1 + exp(-score / 600)). */
#define LOGISTIC_SCALE 600.0

static const double mistake_percent[] = {
    [MISTAKE_DUBIOUS] = 10, [MISTAKE_BAD] = 20, [MISTAKE_BLUNDER] = 40};

void analysis_init(Analysis *analysis, const Record *record) {
    int moves = record_main_length(record);
    *analysis = (Analysis){.record = record, .count = moves + 1, .side = COLOR_NB};
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

/* The best line of position i; NULL when it is not known. */
static const AnalysisLine *line_at(const Analysis *analysis, int i) {
    const Judgement *judgement = &analysis->at[i];
    return judgement->line_count > 0 ? &judgement->lines[0] : NULL;
}

double analysis_cost(const Analysis *analysis, int i) {
    ASSERT(i >= 1 && i < analysis->count);
    const AnalysisLine *before = line_at(analysis, i - 1), *after = line_at(analysis, i);
    Move move = analysis->record->nodes[analysis->node[i]].move;
    if (before == NULL || after == NULL || (before->pv_len > 0 && before->pv[0] == move)) {
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

int analysis_missed_mate(const Analysis *analysis, int i) {
    const AnalysisLine *before = line_at(analysis, i - 1), *after = line_at(analysis, i);
    if (before == NULL || after == NULL) {
        return 0;
    }
    int sign = analysis_mover(analysis, i) == BLACK ? 1 : -1;
    bool had_mate = before->score * sign > 0 && score_is_mate(before->score);
    bool has_mate = after->score * sign > 0 && score_is_mate(after->score);
    return had_mate && !has_mate ? abs(score_mate_plies(before->score)) : 0;
}

/* ---- comments -------------------------------------------------------------------------------- */

static const char *const mistake_words[2][4] = {{"", "疑問手", "悪手", "大悪手"},
                                                {"", "?!", "?", "??"}};

/* The line above a score in a style that does not name the engine, which by itself could be the
 * players' own of floodgate. */
#define MARK        "komadori depth "
#define ENGINE_LINE "#エンジン=Komadori"
#define MATE_IN_CSA 30000 /* what stands for every mate there */
#define MISSED_JA   "詰み逃し "
#define MISSED_CSA  "missed mate in "

static bool is_mark(StrView line) {
    return word_take(&line, SV(MARK)) && word_take_number(&line, MAX_PLY) >= 0 && line.len == 0;
}

/* "評価値=123 ...深さ=14": a score and the depth, as earlier versions wrote them. */
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

static bool is_missed_line(StrView line) {
    return (word_take(&line, SV(MISSED_JA)) && word_take_number(&line, MAX_PLY) >= 0 &&
            word_take(&line, SV("手詰 最善="))) ||
           (word_take(&line, SV(MISSED_CSA)) && word_take_number(&line, MAX_PLY) >= 0);
}

/* True for a line that an earlier analysis wrote; `before` is the line above it. */
static bool is_own_line(StrView line, StrView before) {
    for (int mistake = MISTAKE_DUBIOUS; mistake <= MISTAKE_BLUNDER; mistake++) {
        if (is_mistake_line(line, (Mistake)mistake, false) ||
            is_mistake_line(line, (Mistake)mistake, true)) {
            return true;
        }
    }
    return is_score_line(line) || is_mark(line) || is_missed_line(line) ||
           (is_mark(before) &&
            (sv_starts_with(line, SV("* ")) || sv_starts_with(line, SV("*解析 "))));
}

/* A block of lines with # is ours when it ends in the name of the engine. */
static void keep_other_lines(StrView comment, StrBuf *out) {
    StrView line;
    StrView before = {NULL, 0};
    bool has_lines = comment.len > 0;
    bool has_block = false;
    size_t block = 0;
    while (has_lines && sv_next_field(&comment, '\n', &line)) {
        if (sv_starts_with(line, SV("#評価値=")) || sv_starts_with(line, SV("#詰み="))) {
            has_block = true;
            block = out->len;
        } else if (!sv_starts_with(line, SV("#"))) {
            has_block = false;
        }
        if (has_block && sv_starts_with(line, SV(ENGINE_LINE))) {
            out->len = block;
            has_block = false;
        } else if (!is_own_line(line, before)) {
            strbuf_add(out, line);
            strbuf_add_byte(out, '\n');
        }
        before = line;
    }
}

/* The moves from the position on, at most `count`; it is as it was afterwards. Readers do not know
 * the move before the first. */
static void append_line(Position *pos, const Move *pv, int count, AnalysisStyle style,
                        StrBuf *out) {
    int done = 0;
    for (; done < count && move_is_legal(pos, pv[done]); done++) {
        if (style == STYLE_FLOODGATE) {
            strbuf_add_byte(out, ' ');
            csa_append_move(pos, pv[done], out);
        } else {
            strbuf_add_str(out, style == STYLE_SHOGIGUI ? " " : "");
            strbuf_add_str(out, word_mark(pos->side));
            notation_append_ja(pos, pv[done], done == 0 ? JA_SQUARE : JA_PLAIN, out);
        }
        pos_do(pos, pv[done]);
    }
    for (; done > 0; done--) {
        pos_undo(pos);
    }
}

/* A mate as CSA has it; else the score itself. */
static int plain_score(Score score) {
    return !score_is_mate(score) ? score : score > 0 ? MATE_IN_CSA : -MATE_IN_CSA;
}

static void append_shogihome(Position *pos, const Judgement *judgement, StrBuf *out) {
    const AnalysisLine *best = &judgement->lines[0];
    if (score_is_mate(best->score)) {
        strbuf_addf(out, "#詰み=%s勝ち:%d手\n", word_side(best->score > 0 ? BLACK : WHITE),
                    abs(score_mate_plies(best->score)));
    } else {
        strbuf_addf(out, "#評価値=%d\n", best->score);
    }
    if (best->pv_len > 0) {
        strbuf_add_str(out, "#読み筋=");
        append_line(pos, best->pv, best->pv_len, STYLE_SHOGIHOME, out);
        strbuf_add_byte(out, '\n');
    }
    strbuf_addf(out, "#深さ=%d\n", judgement->depth);
    if (judgement->nodes > 0) {
        strbuf_addf(out, "#ノード数=%llu\n", (unsigned long long)judgement->nodes);
    }
    for (int i = 1; i < judgement->line_count; i++) {
        const AnalysisLine *line = &judgement->lines[i];
        strbuf_addf(out, "#候補%d=%d ", i + 1, plain_score(line->score));
        append_line(pos, line->pv, line->pv_len, STYLE_SHOGIHOME, out);
        strbuf_add_byte(out, '\n');
    }
    strbuf_add_str(out, ENGINE_LINE " " KMD_VERSION "\n");
}

static void append_judgement(Position *pos, const Judgement *judgement, AnalysisStyle style,
                             StrBuf *out) {
    const AnalysisLine *best = &judgement->lines[0];
    if (style == STYLE_SHOGIHOME) {
        append_shogihome(pos, judgement, out);
        return;
    }
    strbuf_addf(out, MARK "%d\n", judgement->depth);
    if (style == STYLE_FLOODGATE) {
        strbuf_addf(out, "* %d", plain_score(best->score));
    } else {
        strbuf_addf(out, "*解析 深さ %d ノード数 %llu 評価値 %d 読み筋", judgement->depth,
                    (unsigned long long)judgement->nodes, plain_score(best->score));
    }
    append_line(pos, best->pv, best->pv_len, style, out);
    strbuf_add_byte(out, '\n');
}

static bool is_spoken_of(const Analysis *analysis, int i) {
    return i == 0 || analysis->side == COLOR_NB || analysis->side == analysis_mover(analysis, i);
}

/* "悪手 勝率 52%→31% 最善=▲２六歩", "詰み逃し 7手詰 最善=▲…"; the position is before the move. */
static void append_mistake(const Analysis *analysis, int i, Position *pos, AnalysisStyle style,
                           StrBuf *out) {
    Mistake mistake = analysis_mistake(analysis, i);
    int mate = analysis_missed_mate(analysis, i);
    bool is_csa = style == STYLE_FLOODGATE;
    const AnalysisLine *best = &analysis->at[i - 1].lines[0];
    if (mistake == MISTAKE_NONE && mate == 0) {
        return;
    }
    if (mate > 0) {
        strbuf_addf(out, is_csa ? MISSED_CSA "%d" : MISSED_JA "%d手詰 最善=", mate);
    } else {
        bool is_black = pos->side == BLACK;
        double before = analysis_percent(best->score);
        double after = analysis_percent(analysis->at[i].lines[0].score);
        strbuf_addf(out, is_csa ? "%s %.0f%% -> %.0f%% best" : "%s 勝率 %.0f%%→%.0f%% 最善=",
                    mistake_words[is_csa][mistake], is_black ? before : 100 - before,
                    is_black ? after : 100 - after);
    }
    append_line(pos, best->pv, int_min(best->pv_len, 1), is_csa ? style : STYLE_SHOGIHOME, out);
    strbuf_add_byte(out, '\n');
}

void analysis_comment(const Analysis *analysis, AnalysisStyle style, Record *record) {
    StrBuf text = STRBUF_INIT;
    RecordCursor cursor;
    cursor_init(&cursor, record);
    for (int i = 0; i < analysis->count; i++) {
        int node = analysis->node[i];
        bool is_wanted = is_spoken_of(analysis, i);
        strbuf_clear(&text);
        keep_other_lines(record_text(record, record->nodes[node].comment), &text);
        if (i > 0 && is_wanted) {
            append_mistake(analysis, i, &cursor.pos, style, &text);
        }
        cursor_go(&cursor, node);
        if (analysis->at[i].line_count > 0 && is_wanted) {
            append_judgement(&cursor.pos, &analysis->at[i], style, &text);
        }
        record_set_comment(record, node, sv_prefix(strbuf_view(&text), text.len - (text.len > 0)));
    }
    cursor_free(&cursor);
    strbuf_free(&text);
}

/* Adds moves behind a node, along those that are there. */
static void add_line(Record *record, int node, const Move *pv, int count) {
    RecordCursor cursor;
    cursor_init(&cursor, record);
    cursor_go(&cursor, node);
    for (int i = 0; i < count && node != KMD_NODE_NONE && move_is_legal(&cursor.pos, pv[i]); i++) {
        int next = record->nodes[node].child;
        while (next != KMD_NODE_NONE && record->nodes[next].move != pv[i]) {
            next = record->nodes[next].sibling;
        }
        node = next != KMD_NODE_NONE ? next : record_add_move(record, node, pv[i]);
        if (node != KMD_NODE_NONE) {
            cursor_go(&cursor, node);
        }
    }
    cursor_free(&cursor);
}

void analysis_add_variations(const Analysis *analysis, Record *record) {
    enum { VARIATION_MOVES = 8 };
    for (int i = 1; i < analysis->count; i++) {
        const AnalysisLine *best = &analysis->at[i - 1].lines[0];
        bool is_bad =
            analysis_mistake(analysis, i) != MISTAKE_NONE || analysis_missed_mate(analysis, i) > 0;
        if (is_bad && is_spoken_of(analysis, i)) {
            add_line(record, analysis->node[i - 1], best->pv,
                     int_min(best->pv_len, VARIATION_MOVES));
        }
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The legal move whose CSA text the word is; MOVE_NONE when there is none. */
static Move read_csa(const Position *pos, StrView word) {
    Move list[MAX_MOVES], found = MOVE_NONE;
    int count = gen_moves(pos, GEN_LEGAL, list);
    StrBuf text = STRBUF_INIT;
    for (int i = 0; i < count && found == MOVE_NONE; i++) {
        strbuf_clear(&text);
        csa_append_move(pos, list[i], &text);
        found = sv_equal(word, strbuf_view(&text)) ? list[i] : MOVE_NONE;
    }
    strbuf_free(&text);
    return found;
}

/* Reads a line of moves: in Japanese with marks, or in CSA's form. Returns its length. */
static int read_moves(Position *pos, StrView text, bool is_csa, Move pv[ANALYSIS_PV]) {
    const char *reason;
    int len = 0;
    while (len < ANALYSIS_PV) {
        Move move;
        word_skip_blanks(&text);
        if (is_csa) {
            size_t end = sv_find_byte(text, ' ');
            move = read_csa(pos, sv_prefix(text, end));
            text = sv_skip(text, end);
        } else {
            word_take_mark(&text);
            move = notation_take_ja(pos, &text, &reason);
        }
        if (move == MOVE_NONE) {
            break;
        }
        pv[len++] = move;
        pos_do(pos, move);
    }
    for (int i = 0; i < len; i++) {
        pos_undo(pos);
    }
    return len;
}

static void read_pv(Position *pos, StrView text, bool is_csa, AnalysisLine *line) {
    line->pv_len = read_moves(pos, text, is_csa, line->pv);
}

static bool take_score(StrView *text, Score *score) {
    word_take(text, SV("+"));
    int sign = word_take(text, SV("-")) ? -1 : 1;
    int number = word_take_number(text, SCORE_MATE);
    *score = number >= 0 ? sign * number : *score;
    return number >= 0;
}

/* "先手勝ち:7手". */
static bool take_mate(StrView text, Score *score) {
    bool is_black = word_take(&text, SV("先手勝ち"));
    if (!is_black && !word_take(&text, SV("後手勝ち"))) {
        return false;
    }
    int plies = word_take(&text, SV(":")) ? word_take_number(&text, MAX_PLY) : 0;
    *score = (is_black ? 1 : -1) * (SCORE_MATE - int_max(plies, 0));
    return true;
}

/* "2=98 ▲２六歩△８四歩": the second line of several. */
static void read_other(Position *pos, StrView text, Judgement *judgement) {
    int rank = word_take_number(&text, ANALYSIS_LINES);
    AnalysisLine *line = &judgement->lines[judgement->line_count];
    if (rank > 1 && rank == judgement->line_count + 1 && word_take(&text, SV("=")) &&
        take_score(&text, &line->score)) {
        read_pv(pos, text, false, line);
        judgement->line_count++;
    }
}

/* One line of a comment, in any of the styles. */
static void read_line(Position *pos, StrView line, Judgement *judgement) {
    StrView text = line;
    AnalysisLine *best = &judgement->lines[0];
    bool has_score = false;
    if (!word_take(&text, SV("#"))) {
        word_take(&text, SV("*"));
    }
    if (word_take(&text, SV("評価値="))) {
        has_score = take_score(&text, &best->score);
        StrView pv = sv_skip(text, sv_find(text, SV("読み筋=")));
        if (word_take(&pv, SV("読み筋="))) {
            read_pv(pos, pv, false, best);
        }
    } else if (word_take(&text, SV("詰み="))) {
        has_score = take_mate(text, &best->score);
    } else if (word_take(&text, SV("読み筋="))) {
        read_pv(pos, text, false, best);
    } else if (word_take(&text, SV("候補"))) {
        read_other(pos, text, judgement);
    } else if (word_take(&text, SV("深さ="))) {
        judgement->depth = int_max(word_take_number(&text, MAX_PLY), 0);
    } else if (word_take(&text, SV("解析 ")) || word_take(&text, SV("対局 "))) {
        text = sv_skip(text, sv_find(text, SV("評価値 ")));
        has_score = word_take(&text, SV("評価値 ")) && take_score(&text, &best->score);
        StrView pv = sv_skip(text, sv_find(text, SV("読み筋")));
        if (word_take(&pv, SV("読み筋"))) {
            read_pv(pos, pv, false, best);
        }
    } else if (sv_starts_with(line, SV("* "))) {
        text = sv_skip(line, 2);
        has_score = take_score(&text, &best->score);
        if (has_score) {
            read_pv(pos, text, true, best);
        }
    }
    judgement->line_count = int_max(judgement->line_count, has_score);
}

int analysis_read(Analysis *analysis) {
    RecordCursor cursor;
    int count = 0;
    cursor_init(&cursor, analysis->record);
    for (int i = 0; i < analysis->count; i++) {
        StrView text =
            record_text(analysis->record, analysis->record->nodes[analysis->node[i]].comment);
        StrView line;
        cursor_go(&cursor, analysis->node[i]);
        while (sv_next_line(&text, &line)) {
            read_line(&cursor.pos, line, &analysis->at[i]);
        }
        count += analysis->at[i].line_count > 0;
    }
    cursor_free(&cursor);
    return count;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void append_west(Position *pos, const Move *pv, int count, StrBuf *out) {
    int done = 0;
    for (; done < count && move_is_legal(pos, pv[done]); done++) {
        strbuf_add_str(out, done > 0 ? " " : "");
        notation_append_west(pos, pv[done], KMD_NOTATION_HODGES, out);
        pos_do(pos, pv[done]);
    }
    for (; done > 0; done--) {
        pos_undo(pos);
    }
}

/* "score":98,"win":54.1 and, of a mate, its plies. */
static void add_score(Score score, StrBuf *out) {
    strbuf_addf(out, "\"score\":%d,\"win\":%.1f", plain_score(score), analysis_percent(score));
    if (score_is_mate(score)) {
        strbuf_addf(out, ",\"mate\":%d", score_mate_plies(score));
    }
}

static void add_pv(Position *pos, const Move *pv, int count, StrBuf *out) {
    StrBuf text = STRBUF_INIT;
    append_line(pos, pv, count, STYLE_SHOGIHOME, &text);
    json_add_text("line", strbuf_view(&text), out);
    strbuf_clear(&text);
    append_west(pos, pv, count, &text);
    json_add_text("lineWest", strbuf_view(&text), out);
    strbuf_add_str(out, ",\"pv\":[");
    for (int i = 0; i < count; i++) {
        char move[USI_MOVE_SIZE];
        strbuf_addf(out, "%s\"%s\"", i > 0 ? "," : "", usimove_write(pv[i], move));
    }
    strbuf_add_byte(out, ']');
    strbuf_free(&text);
}

static void add_others(const Judgement *judgement, Position *pos, StrBuf *out) {
    strbuf_add_str(out, ",\"others\":[");
    for (int i = 1; i < judgement->line_count; i++) {
        const AnalysisLine *line = &judgement->lines[i];
        strbuf_add_str(out, i > 1 ? ",{" : "{");
        add_score(line->score, out);
        add_pv(pos, line->pv, line->pv_len, out);
        strbuf_add_byte(out, '}');
    }
    strbuf_add_byte(out, ']');
}

/* What is known of position i, as members that follow others; the cursor stands there. */
static void add_judgement(const Analysis *analysis, int i, Position *pos, StrBuf *out) {
    const Judgement *judgement = &analysis->at[i];
    const AnalysisLine *best = line_at(analysis, i);
    if (best != NULL) {
        strbuf_add_byte(out, ',');
        add_score(best->score, out);
        strbuf_addf(out, ",\"depth\":%d,\"nodes\":%llu", judgement->depth,
                    (unsigned long long)judgement->nodes);
        add_pv(pos, best->pv, best->pv_len, out);
    }
    if (judgement->line_count > 1) {
        add_others(judgement, pos, out);
    }
    if (i > 0 && is_spoken_of(analysis, i)) {
        int mate = analysis_missed_mate(analysis, i);
        strbuf_addf(out, ",\"mistake\":%d,\"cost\":%.1f", analysis_mistake(analysis, i),
                    analysis_cost(analysis, i));
        if (mate > 0) {
            strbuf_addf(out, ",\"missed\":%d", mate);
        }
    }
}

static void add_ending(const Record *record, const RecordNode *node, StrBuf *out) {
    bool is_other = node->ending == KMD_END_OTHER;
    StrView word = record_text(record, node->label);
    json_add_text("move", is_other ? word : sv_from(ending_words(node->ending)->kif), out);
    json_add_text("west", is_other ? word : sv_from(outcome_ending_text(node->ending)), out);
}

/* A node of the record: its parent, move, words and position; of the main line the judgement too.
 */
static void add_node(const Analysis *analysis, RecordCursor *cursor, int i, StrBuf *out) {
    const Record *record = analysis->record;
    const RecordNode *node = &record->nodes[i];
    StrBuf text = STRBUF_INIT;
    strbuf_addf(out, "{\"parent\":%d,\"ply\":%d", node->parent,
                node->depth - (node->ending != KMD_END_NONE));
    if (node->ending != KMD_END_NONE) {
        add_ending(record, node, out);
    } else if (i != KMD_ROOT) {
        char move[USI_MOVE_SIZE];
        cursor_go(cursor, node->parent);
        strbuf_add_str(&text, word_mark(cursor->pos.side));
        notation_append_ja(&cursor->pos, node->move, JA_PLAIN, &text);
        json_add_text("move", strbuf_view(&text), out);
        json_add_text("usi", sv_from(usimove_write(node->move, move)), out);
        strbuf_clear(&text);
        notation_append_west(&cursor->pos, node->move, KMD_NOTATION_HODGES, &text);
        json_add_text("west", strbuf_view(&text), out);
    }
    cursor_go(cursor, i);
    strbuf_clear(&text);
    pos_get_sfen(&cursor->pos, &text);
    json_add_text("sfen", strbuf_view(&text), out);
    if (node->comment.len > 0) {
        json_add_text("comment", record_text(record, node->comment), out);
    }
    if (node->time_ms >= 0) {
        strbuf_addf(out, ",\"time\":%.3f", (double)node->time_ms / 1000);
    }
    for (int at = 0; at < analysis->count; at++) {
        if (analysis->node[at] == i) {
            add_judgement(analysis, at, &cursor->pos, out);
        }
    }
    strbuf_add_byte(out, '}');
    strbuf_free(&text);
}

void analysis_write_json(const Analysis *analysis, StrBuf *out) {
    const Record *record = analysis->record;
    RecordCursor cursor;
    cursor_init(&cursor, record);
    strbuf_add_byte(out, '{');
    json_add_text("black", record_player(record, BLACK), out);
    json_add_text("white", record_player(record, WHITE), out);
    strbuf_add_str(out, ",\"headers\":[");
    for (int i = 0; i < record->header_count; i++) {
        strbuf_add_str(out, i > 0 ? ",[" : "[");
        json_append_string(record_text(record, record->headers[i].key), out);
        strbuf_add_byte(out, ',');
        json_append_string(record_text(record, record->headers[i].value), out);
        strbuf_add_byte(out, ']');
    }
    strbuf_addf(out, "],\"handicap\":%s,\"engine\":\"Komadori " KMD_VERSION "\",\"nodes\":[\n",
                record->start.side == WHITE ? "true" : "false");
    for (int i = 0; i < record->node_count; i++) {
        strbuf_add_str(out, i > 0 ? ",\n" : "");
        add_node(analysis, &cursor, i, out);
    }
    strbuf_add_str(out, "]}\n");
    cursor_free(&cursor);
}

/* The page, with a line of its own where the data belong. */
EMBED_FILE(analysis_page, "src/cmd/report.html");

void analysis_write_html(const Analysis *analysis, StrBuf *out) {
    StrView page = {(const char *)analysis_page, (size_t)(analysis_page_end - analysis_page)};
    StrView place = SV("@DATA@");
    size_t at = sv_find(page, place);
    StrBuf data = STRBUF_INIT;
    analysis_write_json(analysis, &data);
    strbuf_add(out, sv_prefix(page, at));
    for (size_t i = 0; i < data.len; i++) {
        strbuf_add_str(out, data.ptr[i] == '<' ? "\\u003c" : (const char[]){data.ptr[i], 0});
    }
    strbuf_add(out, sv_skip(page, at + place.len));
    strbuf_free(&data);
}
