/* annotate.c: writes and parses the comments of an analysis in the three styles. */
#include "commands/annotate.h"

#include <stdlib.h>

#include "komadori/version.h"
#include "record/csa.h"
#include "record/notation.h"
#include "record/record.h"
#include "record/words.h"
#include "rules/legality.h"

static const char *const mistake_words[2][4] = {{"", "疑問手", "悪手", "大悪手"},
                                                {"", "?!", "?", "??"}};

/* A line above the score, in styles that do not name the engine. Without it, a floodgate comment
 * might be one that the players' engines wrote. */
#define MARK        "komadori depth "
#define MARK_LINE   "komadori line " /* marks a further line, in styles that have no words for it */
#define ENGINE_LINE "#エンジン=Komadori"
#define MATE_IN_CSA 30000 /* score of every mate in CSA */
#define THREAT_JA   "狙い="
#define THREAT_MATE "詰めろ" /* the threat is a mate */
#define THREAT_CSA  "komadori threat "
#define MATE_CSA    "komadori mate " /* the length of the mate in the line above */
#define MISSED_JA   "詰み逃し "
#define MISSED_CSA  "missed mate in "

/* The words for a win without a mate. */
static const char *declared_word(const Analysis *analysis, bool is_csa) {
    bool is_try = analysis->rule == KMD_DECLARE_TRY;
    return is_csa ? (is_try ? "try" : "declaration") : is_try ? "トライ勝ち" : "入玉宣言勝ち";
}

static bool take_declared(StrView *line) {
    return word_take(line, SV("入玉宣言勝ち")) || word_take(line, SV("トライ勝ち")) ||
           word_take(line, SV("declaration")) || word_take(line, SV("try"));
}

static bool is_mark(StrView line) {
    return word_take(&line, SV(MARK)) && word_take_number(&line, MAX_PLY) >= 0 && line.len == 0;
}

static bool has_part(StrView line, StrView part) {
    return sv_find(line, part) < line.len;
}

/* True for a line about a mistake: "悪手 勝率 52%→31% 最善=" or "? 52% -> 31% best", "詰み逃し
 * 7手詰 最善=" or "missed mate in 7". */
static bool is_verdict(StrView line) {
    for (int mistake = MISTAKE_DUBIOUS; mistake <= MISTAKE_BLUNDER; mistake++) {
        StrView ja = line, csa = line;
        if ((word_take(&ja, sv_from(mistake_words[0][mistake])) &&
             sv_starts_with(ja, SV(" 勝率 ")) && has_part(ja, SV("% 最善="))) ||
            (word_take(&csa, sv_from(mistake_words[1][mistake])) && sv_starts_with(csa, SV(" ")) &&
             has_part(csa, SV("% best")))) {
            return true;
        }
    }
    return sv_starts_with(line, SV(MISSED_CSA)) ||
           (sv_starts_with(line, SV(MISSED_JA)) && has_part(line, SV("手詰 最善=")));
}

/* True for a result of an earlier analysis; `before` is the line above it. */
static bool is_own_line(StrView line, StrView before) {
    StrView declared = line;
    return is_mark(line) ||
           (is_mark(before) &&
            (sv_starts_with(line, SV("* ")) || sv_starts_with(line, SV("*解析 ")) ||
             sv_starts_with(line, SV(MARK_LINE)) || sv_starts_with(line, SV(THREAT_JA)) ||
             sv_starts_with(line, SV(THREAT_CSA)) || sv_starts_with(line, SV(MATE_CSA)) ||
             (take_declared(&declared) && declared.len == 0)));
}

static bool begins_analysis(StrView line) {
    return sv_starts_with(line, SV("#評価値=")) || sv_starts_with(line, SV("#詰み="));
}

/* Appends the lines of other authors to *kept and the results of an earlier analysis to *results;
 * its verdict on the move goes to neither. A block of lines with # was written by our analysis if
 * it ends with the name of the engine. */
static void split_comment(StrView comment, StrBuf *kept, StrBuf *results) {
    StrView line;
    StrView before = {NULL, 0};
    bool has_lines = comment.len > 0;
    bool has_block = false;
    size_t block = 0;
    while (has_lines && sv_next_field(&comment, '\n', &line)) {
        if (begins_analysis(line)) {
            has_block = true;
            block = kept->len;
        } else if (!sv_starts_with(line, SV("#"))) {
            has_block = false;
        }
        bool ends_block = has_block && sv_starts_with(line, SV(ENGINE_LINE));
        if (ends_block) {
            strbuf_add(results, sv_skip(strbuf_view(kept), block));
            kept->len = block;
            has_block = false;
        }
        bool is_old = is_verdict(line), is_own = ends_block || is_own_line(line, before);
        if (!is_old) {
            strbuf_add(is_own ? results : kept, line);
            strbuf_add_byte(is_own ? results : kept, '\n');
        }
        if (!(is_own || is_old) || !is_mark(before) || is_mark(line)) {
            before = line; /* otherwise more lines may follow the mark */
        }
    }
}

void annotate_keep(StrView comment, StrBuf *out) {
    StrBuf results = STRBUF_INIT;
    split_comment(comment, out, &results);
    strbuf_free(&results);
}

/* The first move is written with its square even if it is a recapture, because readers do not see
 * the move before it. */
void annotate_append_line(Position *pos, const Move *pv, int count, AnnotateStyle style,
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
            if (style == STYLE_SHOGIGUI && !move_is_drop(pv[done])) {
                Square from = move_from(pv[done]);
                strbuf_addf(out, "(%d%d)", sq_file(from) + 1, sq_rank(from) + 1);
            }
        }
        pos_do(pos, pv[done]);
    }
    for (; done > 0; done--) {
        pos_undo(pos);
    }
}

int annotate_plain_score(Score score) {
    return !score_is_mate(score) ? score : score > 0 ? MATE_IN_CSA : -MATE_IN_CSA;
}

/* Appends a score of a line that only our analysis writes: "98", "mate 7" or "mate -7". */
static void append_score(Score score, StrBuf *out) {
    if (score_is_mate(score)) {
        strbuf_addf(out, "mate %s%d", score < 0 ? "-" : "", abs(score_mate_plies(score)));
    } else {
        strbuf_add_i64(out, score);
    }
}

/* Appends "狙い=-350 △８八角成▲同　銀" or, if the threat is a mate, "狙い=詰めろ3手 △３二金打". */
static void append_threat(Position *pos, const AnalysisLine *threat, AnnotateStyle style,
                          StrBuf *out) {
    bool is_threatening_mate =
        score_is_mate(threat->score) && (threat->score < 0) == (pos->side == BLACK);
    if (style == STYLE_FLOODGATE) {
        strbuf_add_str(out, THREAT_CSA);
        append_score(threat->score, out);
    } else if (is_threatening_mate) {
        strbuf_addf(out, THREAT_JA THREAT_MATE "%d手", abs(score_mate_plies(threat->score)));
    } else {
        strbuf_add_str(out, THREAT_JA);
        append_score(threat->score, out);
    }
    strbuf_add_str(out, style == STYLE_SHOGIHOME ? " " : "");
    pos_do_null(pos);
    annotate_append_line(pos, threat->pv, threat->pv_len, style, out);
    pos_undo_null(pos);
    strbuf_add_byte(out, '\n');
}

/* Programs that do not know the line about a declaration draw the score. */
static void append_shogihome(const Analysis *analysis, Position *pos, const Judgement *judgement,
                             StrBuf *out) {
    const AnalysisLine *best = &judgement->lines[0];
    bool is_mate = score_is_mate(best->score);
    int plies = is_mate ? abs(score_mate_plies(best->score)) : 0;
    if (best->is_declared || !is_mate) {
        strbuf_addf(out, "#評価値=%d\n", annotate_plain_score(best->score));
    }
    if (best->is_declared || is_mate) {
        strbuf_addf(out, "#%s=%s%s", best->is_declared ? declared_word(analysis, false) : "詰み",
                    word_side(best->score > 0 ? BLACK : WHITE), best->is_declared ? "" : "勝ち");
        if (plies > best->is_declared) { /* 0: of unknown length, or a declaration now */
            strbuf_addf(out, ":%d手", plies);
        }
        strbuf_add_byte(out, '\n');
    }
    if (best->pv_len > 0) {
        strbuf_add_str(out, "#読み筋=");
        annotate_append_line(pos, best->pv, best->pv_len, STYLE_SHOGIHOME, out);
        strbuf_add_byte(out, '\n');
    }
    strbuf_addf(out, "#深さ=%d\n", judgement->depth);
    if (judgement->nodes > 0) {
        strbuf_addf(out, "#ノード数=%llu\n", (unsigned long long)judgement->nodes);
    }
    for (int i = 1; i < judgement->line_count; i++) {
        const AnalysisLine *line = &judgement->lines[i];
        strbuf_addf(out, "#候補%d=", i + 1);
        append_score(line->score, out);
        strbuf_add_str(out, "\n#読み筋=");
        annotate_append_line(pos, line->pv, line->pv_len, STYLE_SHOGIHOME, out);
        strbuf_add_byte(out, '\n');
    }
    if (judgement->has_threat) {
        strbuf_add_byte(out, '#');
        append_threat(pos, &judgement->threat, STYLE_SHOGIHOME, out);
    }
    strbuf_add_str(out, ENGINE_LINE " " KMD_VERSION "\n");
}

/* Appends "解析 0 ○ 候補1 時間 00:01.5 深さ 14 ...", that is, the engine's number, a ring if the
 * line begins with the move of the game, the rank and so on. */
static void append_shogigui(Position *pos, const Judgement *judgement, Move played, StrBuf *out) {
    long long tenths = judgement->time_ms / 100;
    for (int i = 0; i < judgement->line_count; i++) {
        const AnalysisLine *line = &judgement->lines[i];
        bool is_played = line->pv_len > 0 && line->pv[0] == played;
        strbuf_addf(out, "*解析 0 %s候補%d 時間 %02lld:%02lld.%lld 深さ %d ノード数 %llu",
                    is_played ? "○ " : "", i + 1, tenths / 600, tenths / 10 % 60, tenths % 10,
                    judgement->depth, (unsigned long long)judgement->nodes);
        strbuf_add_str(out, " 評価値 ");
        if (score_is_mate(line->score)) {
            int plies = abs(score_mate_plies(line->score));
            strbuf_addf(out, plies > 0 ? "%c詰 %d" : "%c詰", line->score > 0 ? '+' : '-', plies);
        } else {
            strbuf_add_i64(out, line->score);
        }
        strbuf_add_str(out, " 読み筋");
        annotate_append_line(pos, line->pv, line->pv_len, STYLE_SHOGIGUI, out);
        strbuf_add_byte(out, '\n');
    }
}

/* Appends a comment in floodgate's style. Programs that read such comments expect one line with a
 * score. */
static void append_floodgate(Position *pos, const Judgement *judgement, StrBuf *out) {
    for (int i = 0; i < judgement->line_count; i++) {
        const AnalysisLine *line = &judgement->lines[i];
        if (i == 0) {
            strbuf_addf(out, "* %d", annotate_plain_score(line->score));
        } else {
            strbuf_addf(out, MARK_LINE "%d ", i + 1);
            append_score(line->score, out);
        }
        annotate_append_line(pos, line->pv, line->pv_len, STYLE_FLOODGATE, out);
        strbuf_add_byte(out, '\n');
        if (i == 0 && score_is_mate(line->score) && score_mate_plies(line->score) != 0) {
            strbuf_addf(out, MATE_CSA "%d\n", score_mate_plies(line->score));
        }
    }
}

/* Appends the results of position i, which the cursor shows. */
static void append_judgement(const Analysis *analysis, int i, RecordCursor *cursor,
                             AnnotateStyle style, StrBuf *out) {
    const Judgement *judgement = &analysis->at[i];
    Position *pos = &cursor->pos;
    if (style == STYLE_SHOGIHOME) {
        append_shogihome(analysis, pos, judgement, out);
        return;
    }
    const RecordNode *nodes = analysis->record->nodes;
    int next = nodes[analysis->node[i]].child;
    Move played = next == KMD_NODE_NONE ? MOVE_NONE : nodes[next].move;
    strbuf_addf(out, MARK "%d\n", judgement->depth);
    if (judgement->lines[0].is_declared) {
        strbuf_addf(out, "%s\n", declared_word(analysis, style == STYLE_FLOODGATE));
    }
    if (style == STYLE_FLOODGATE) {
        append_floodgate(pos, judgement, out);
    } else {
        append_shogigui(pos, judgement, played, out);
    }
    if (judgement->has_threat) {
        append_threat(pos, &judgement->threat, style, out);
    }
}

/* Appends "悪手 勝率 52%→31% 最善=▲２六歩" or "詰み逃し 7手詰 最善=▲…". The position is the one
 * before the move. */
static void append_mistake(const Analysis *analysis, int i, Position *pos, AnnotateStyle style,
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
        double before = analysis_percent(analysis, best->score);
        double after = analysis_percent(analysis, analysis->at[i].lines[0].score);
        strbuf_addf(out, is_csa ? "%s %.0f%% -> %.0f%% best" : "%s 勝率 %.0f%%→%.0f%% 最善=",
                    mistake_words[is_csa][mistake], is_black ? before : 100 - before,
                    is_black ? after : 100 - after);
    }
    if (best->is_declared && best->pv_len == 0) {
        strbuf_addf(out, "%s%s", is_csa ? " " : "", declared_word(analysis, is_csa));
    }
    annotate_append_line(pos, best->pv, int_min(best->pv_len, 1), is_csa ? style : STYLE_SHOGIHOME,
                         out);
    strbuf_add_byte(out, '\n');
}

void annotate_comments(const Analysis *analysis, AnnotateStyle style, Record *record) {
    StrBuf text = STRBUF_INIT, results = STRBUF_INIT;
    RecordCursor cursor;
    Analysis all; /* with the scores that an earlier analysis left at other positions */
    analysis_init(&all, record);
    all.rule = analysis->rule;
    all.scale = analysis->scale;
    (void)annotate_read(&all);
    cursor_init(&cursor, record);
    for (int i = 0; i < analysis->count; i++) {
        int node = analysis->node[i];
        bool is_new = analysis->at[i].line_count > 0;
        /* Whether the move after the last new score is a mistake depends on that score. */
        bool is_edge = !is_new && i > 0 && analysis->at[i - 1].line_count > 0;
        bool is_wanted = analysis_comments_on(analysis, i);
        strbuf_clear(&text);
        strbuf_clear(&results);
        split_comment(record_text(record, record->nodes[node].comment), &text, &results);
        if (is_new) {
            all.at[i] = analysis->at[i];
            strbuf_clear(&results);
        } else if (results.len == 0) { /* the score is another program's */
            all.at[i].line_count = 0;
        }
        if (i > 0 && is_wanted && (is_new || is_edge)) {
            append_mistake(&all, i, &cursor.pos, style, &text);
        }
        cursor_go(&cursor, node);
        strbuf_add(&text, strbuf_view(&results));
        if (is_new && is_wanted) {
            append_judgement(analysis, i, &cursor, style, &text);
        }
        if (is_new || (is_edge && is_wanted && results.len > 0)) {
            record_set_comment(record, node,
                               sv_prefix(strbuf_view(&text), text.len - (text.len > 0)));
        }
    }
    cursor_free(&cursor);
    analysis_free(&all);
    strbuf_free(&text);
    strbuf_free(&results);
}

/* Adds moves after a node. Follows existing nodes as far as they have the same moves. */
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

void annotate_variations(const Analysis *analysis, Record *record) {
    enum { VARIATION_MOVES = 8 };
    for (int i = 1; i < analysis->count; i++) {
        const AnalysisLine *best = &analysis->at[i - 1].lines[0];
        bool is_bad =
            analysis_mistake(analysis, i) != MISTAKE_NONE || analysis_missed_mate(analysis, i) > 0;
        if (is_bad && analysis_comments_on(analysis, i)) {
            add_line(record, analysis->node[i - 1], best->pv,
                     int_min(best->pv_len, VARIATION_MOVES));
        }
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Reads the moves of a line, in Japanese with marks or in CSA notation. */
static void read_pv(Position *pos, StrView text, bool is_csa, AnalysisLine *line) {
    const char *reason;
    int len = 0;
    while (len < ANALYSIS_PV) {
        Move move;
        word_skip_blanks(&text);
        if (is_csa) {
            size_t end = sv_find_byte(text, ' ');
            move = csa_find_move(pos, sv_prefix(text, end));
            text = sv_skip(text, end);
        } else {
            word_take_mark(&text);
            move = notation_take_ja(pos, &text, &reason);
        }
        if (move == MOVE_NONE) {
            break;
        }
        line->pv[len++] = move;
        pos_do(pos, move);
    }
    for (int i = 0; i < len; i++) {
        pos_undo(pos);
    }
    line->pv_len = len;
}

/* Reads a score, or a mate as append_score ("mate -7") and ShogiGUI ("-詰 7") write it. A mate
 * without a number is one of unknown length. */
static bool take_score(StrView *text, Score *score) {
    bool is_mate = word_take(text, SV("mate "));
    word_take(text, SV("+"));
    int sign = word_take(text, SV("-")) ? -1 : 1;
    is_mate |= word_take(text, SV("詰"));
    if (is_mate) {
        word_skip_blanks(text);
        int plies = word_take_number(text, SCORE_MATE);
        *score = sign * score_mate_in(int_min(int_max(plies, 0), MAX_PLY));
        return true;
    }
    int number = word_take_number(text, SCORE_MATE);
    *score = number >= 0 ? sign * number : *score;
    return number >= 0;
}

/* Reads who mates or declares, and when: "先手勝ち:7手", "先手:3手". Without a number it is `least`
 * plies. */
static bool take_winner(StrView text, int least, Score *score) {
    bool is_black = word_take(&text, SV("先手"));
    if (!is_black && !word_take(&text, SV("後手"))) {
        return false;
    }
    word_take(&text, SV("勝ち"));
    int plies = word_take(&text, SV(":")) ? word_take_number(&text, MAX_PLY) : least;
    *score = (is_black ? 1 : -1) * score_mate_in(int_max(plies, least));
    return true;
}

/* Reads a further line, such as "2=98 ▲２六歩△８四歩", the second of several lines. */
static void read_other(Position *pos, StrView text, bool is_csa, Judgement *judgement) {
    int rank = word_take_number(&text, ANALYSIS_LINES);
    AnalysisLine *line = &judgement->lines[judgement->line_count];
    if (rank > 1 && rank == judgement->line_count + 1 &&
        word_take(&text, is_csa ? SV(" ") : SV("=")) && take_score(&text, &line->score)) {
        read_pv(pos, text, is_csa, line);
        judgement->line_count++;
    }
}

/* The number after a word in the text; 0 if there is none. */
static uint64_t number_after(StrView text, StrView word) {
    StrView rest = sv_skip(text, sv_find(text, word));
    uint64_t number;
    bool is_number =
        word_take(&rest, word) && sv_to_u64(sv_take_digits(&rest), 0, UINT64_MAX, &number);
    return is_number ? number : 0;
}

/* Reads ShogiGUI's "解析 0 ○ 候補1 ... 評価値 0 読み筋 ...", with or without a rank. A second line
 * of rank 1 replaces the earlier one. */
static bool read_shogigui(Position *pos, StrView text, Judgement *judgement) {
    StrView rank_text = sv_skip(text, sv_find(text, SV("候補")));
    int rank = word_take(&rank_text, SV("候補")) ? word_take_number(&rank_text, MAX_MOVES) : 1;
    if (rank < 1 || rank > int_min(judgement->line_count + 1, ANALYSIS_LINES)) {
        return false;
    }
    AnalysisLine *line = &judgement->lines[rank - 1];
    StrView score = sv_skip(text, sv_find(text, SV("評価値 ")));
    StrView pv = sv_skip(text, sv_find(text, SV("読み筋")));
    if (!word_take(&score, SV("評価値 ")) || !take_score(&score, &line->score)) {
        return false;
    }
    if (word_take(&pv, SV("読み筋"))) {
        read_pv(pos, pv, false, line);
    }
    uint64_t depth = number_after(text, SV("深さ "));
    judgement->depth = depth <= MAX_PLY ? (int)depth : 0;
    judgement->nodes = number_after(text, SV("ノード数 "));
    judgement->line_count = int_max(judgement->line_count, rank);
    return true;
}

/* Reads a threat after its "狙い=" or its mark. */
static void read_threat(Position *pos, StrView text, bool is_csa, Judgement *judgement) {
    AnalysisLine *threat = &judgement->threat;
    if (pos_in_check(pos)) {
        return;
    }
    if (word_take(&text, SV(THREAT_MATE))) {
        int plies = word_take_number(&text, MAX_PLY);
        threat->score = score_mate_in(int_max(plies, 1)) * (pos->side == BLACK ? -1 : 1);
        judgement->has_threat = word_take(&text, SV("手"));
    } else {
        judgement->has_threat = take_score(&text, &threat->score);
    }
    pos_do_null(pos);
    read_pv(pos, text, is_csa, threat);
    pos_undo_null(pos);
}

/* Reads one line of a comment, in any of the styles. */
static void read_comment_line(Position *pos, StrView line, Judgement *judgement) {
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
        has_score = take_winner(text, 0, &best->score);
    } else if (take_declared(&text)) {
        best->is_declared = true;
        if (word_take(&text, SV("="))) {
            (void)take_winner(text, 1, &best->score);
        }
    } else if (word_take(&text, SV("読み筋="))) {
        /* The moves of the last line if that has none yet, as after "#候補2=98", otherwise those of
         * the best line. */
        AnalysisLine *last = &judgement->lines[int_max(judgement->line_count - 1, 0)];
        read_pv(pos, text, false, last->pv_len == 0 ? last : best);
    } else if (word_take(&text, SV(THREAT_JA))) {
        read_threat(pos, text, false, judgement);
    } else if (word_take(&text, SV(THREAT_CSA))) {
        read_threat(pos, text, true, judgement);
    } else if (word_take(&text, SV("候補"))) {
        read_other(pos, text, false, judgement);
    } else if (word_take(&text, SV(MARK_LINE))) {
        read_other(pos, text, true, judgement);
    } else if (sv_starts_with(text, SV(MATE_CSA))) {
        text = sv_skip(text, SV("komadori ").len);
        take_score(&text, &best->score);
    } else if (word_take(&text, SV("深さ="))) {
        judgement->depth = int_max(word_take_number(&text, MAX_PLY), 0);
    } else if (word_take(&text, SV(MARK))) {
        judgement->depth = int_max(word_take_number(&text, MAX_PLY), 0);
    } else if (sv_starts_with(text, SV("ノード数="))) {
        judgement->nodes = number_after(text, SV("ノード数="));
    } else if (word_take(&text, SV("解析 ")) || word_take(&text, SV("対局 "))) {
        has_score = read_shogigui(pos, text, judgement);
    } else if (sv_starts_with(line, SV("* "))) {
        text = sv_skip(line, 2);
        has_score = take_score(&text, &best->score);
        if (has_score && abs(best->score) == MATE_IN_CSA) {
            best->score = best->score > 0 ? SCORE_MATE : -SCORE_MATE; /* of unknown length */
        }
        if (has_score) {
            read_pv(pos, text, true, best);
        }
    }
    judgement->line_count = int_max(judgement->line_count, has_score);
}

int annotate_read(Analysis *analysis) {
    RecordCursor cursor;
    int count = 0;
    cursor_init(&cursor, analysis->record);
    for (int i = 0; i < analysis->count; i++) {
        StrView text =
            record_text(analysis->record, analysis->record->nodes[analysis->node[i]].comment);
        StrView line;
        /* ShogiHome inserts an analysis ("#評価値=") above what the engine wrote in the game
         * ("*評価値=", "*読み筋=" ...), and prefers it. */
        bool is_analysed = false;
        for (StrView rest = text; !is_analysed && sv_next_line(&rest, &line);) {
            is_analysed = begins_analysis(line);
        }
        cursor_go(&cursor, analysis->node[i]);
        while (sv_next_line(&text, &line)) {
            bool is_of_game = is_analysed && sv_starts_with(line, SV("*")) &&
                              sv_find_byte(line, '=') < sv_find_byte(line, ' ');
            if (!is_of_game) {
                read_comment_line(&cursor.pos, line, &analysis->at[i]);
            }
        }
        count += analysis->at[i].line_count > 0;
    }
    cursor_free(&cursor);
    return count;
}

bool annotate_is_ours(const Analysis *analysis) {
    for (int i = 0; i < analysis->count; i++) {
        StrView text =
            record_text(analysis->record, analysis->record->nodes[analysis->node[i]].comment);
        StrView line;
        while (sv_next_line(&text, &line)) {
            if (is_mark(line) || sv_starts_with(line, SV(ENGINE_LINE))) {
                return true;
            }
        }
    }
    return false;
}
