/* gamepage.c: writes the record with its scores and lines as JSON, and puts it into a page. */
#include "commands/gamepage.h"

#include "base/json.h"
#include "commands/annotate.h"
#include "komadori/version.h"
#include "record/codec.h"
#include "record/handicap.h"
#include "record/kif.h"
#include "record/kifuio.h"
#include "record/notation.h"
#include "record/record.h"
#include "record/words.h"
#include "rules/outcome.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "web/chart.h"
#include "web/page.h"

/* ---- text ------------------------------------------------------------------------------------ */

void gamepage_write_text(const Analysis *analysis, StrBuf *out) {
    for (int side = BLACK; side <= WHITE; side++) {
        AnalysisSummary sum = analysis_summary(analysis, (Color)side);
        const int *mistakes = sum.mistakes;
        if (analysis->side == color_flip((Color)side)) {
            continue;
        }
        strbuf_add_str(out, side == BLACK ? "black: " : "white: ");
        if (sum.moves == 0) {
            strbuf_add_str(out, "no move has a score both before and after it\n");
            continue;
        }
        strbuf_addf(out,
                    "%d dubious move%s, %d mistake%s, %d blunder%s, %d missed mate%s; %.1f %% of "
                    "winning chances lost per move, accuracy %.1f %%\n",
                    mistakes[MISTAKE_DUBIOUS], str_plural((uint64_t)mistakes[MISTAKE_DUBIOUS]),
                    mistakes[MISTAKE_BAD], str_plural((uint64_t)mistakes[MISTAKE_BAD]),
                    mistakes[MISTAKE_BLUNDER], str_plural((uint64_t)mistakes[MISTAKE_BLUNDER]),
                    sum.missed_mates, str_plural((uint64_t)sum.missed_mates), sum.loss,
                    sum.accuracy);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Appends "score":98,"win":54.1 and, for a mate, its number of plies, or that the line wins by a
 * declaration or try. */
static void add_score(const Analysis *analysis, const AnalysisLine *line, StrBuf *out) {
    Score score = line->score;
    strbuf_addf(out, "\"score\":%d,\"win\":%.1f", annotate_plain_score(score),
                analysis_percent(analysis, score));
    if (line->is_declared) {
        strbuf_addf(out, ",\"declared\":\"%s\"",
                    analysis->rule == KMD_DECLARE_TRY ? "try" : "declaration");
    } else if (score_is_mate(score)) {
        int plies = score_mate_plies(score);
        strbuf_add_str(out, ",\"mate\":");
        if (plies == 0 && line->pv_len > 0) {
            strbuf_add_str(out, "null"); /* in a comment of another program: of unknown length */
        } else {
            strbuf_add_i64(out, plies);
        }
    }
}

/* Appends a line of moves in Japanese and in USI notation. */
static void add_pv(Position *pos, const Move *pv, int count, StrBuf *out) {
    StrBuf text = STRBUF_INIT;
    annotate_append_line(pos, pv, count, STYLE_SHOGIHOME, &text);
    json_add_text("line", strbuf_view(&text), out);
    strbuf_add_str(out, ",\"pv\":[");
    for (int i = 0; i < count; i++) {
        char move[USI_MOVE_SIZE];
        strbuf_addf(out, "%s\"%s\"", i > 0 ? "," : "", usimove_write(pv[i], move));
    }
    strbuf_add_byte(out, ']');
    strbuf_free(&text);
}

/* Appends the results of position i as further members; the cursor is at that position. */
static void add_judgement(const Analysis *analysis, int i, Position *pos, StrBuf *out) {
    const Judgement *judgement = &analysis->at[i];
    const AnalysisLine *best = analysis_line(analysis, i);
    if (best != NULL) {
        strbuf_add_byte(out, ',');
        add_score(analysis, best, out);
        strbuf_addf(out, ",\"depth\":%d,\"nodes\":%llu", judgement->depth,
                    (unsigned long long)judgement->nodes);
        add_pv(pos, best->pv, best->pv_len, out);
    }
    for (int rank = 1; rank < judgement->line_count; rank++) {
        const AnalysisLine *line = &judgement->lines[rank];
        strbuf_add_str(out, rank > 1 ? ",{" : ",\"others\":[{");
        add_score(analysis, line, out);
        add_pv(pos, line->pv, line->pv_len, out);
        strbuf_add_str(out, rank + 1 < judgement->line_count ? "}" : "}]");
    }
    if (judgement->has_threat) {
        strbuf_add_str(out, ",\"threat\":{");
        add_score(analysis, &judgement->threat, out);
        pos_do_null(pos);
        add_pv(pos, judgement->threat.pv, judgement->threat.pv_len, out);
        pos_undo_null(pos);
        strbuf_add_byte(out, '}');
    }
    if (i > 0 && analysis_comments_on(analysis, i)) {
        int mate = analysis_missed_mate(analysis, i);
        strbuf_addf(out, ",\"mistake\":%d,\"cost\":%.1f", analysis_mistake(analysis, i),
                    analysis_loss(analysis, i));
        if (mate > 0) {
            strbuf_addf(out, ",\"missed\":%d", mate);
        }
    }
}

/* Appends a node of the record: its parent, move, comment and position, and on the main line also
 * the results of the analysis. */
static void add_node(const Analysis *analysis, RecordCursor *cursor, int i, StrBuf *out) {
    const Record *record = analysis->record;
    const RecordNode *node = &record->nodes[i];
    StrBuf text = STRBUF_INIT;
    strbuf_addf(out, "{\"parent\":%d,\"ply\":%d", node->parent,
                node->depth - (node->ending != KMD_END_NONE));
    if (node->ending != KMD_END_NONE) {
        bool is_other = node->ending == KMD_END_OTHER;
        StrView word = record_text(record, node->label);
        json_add_text("move", is_other ? word : sv_from(ending_name(node->ending)), out);
        json_add_text("english", is_other ? word : sv_from(outcome_ending_text(node->ending)), out);
    } else if (i != KMD_ROOT) {
        char move[USI_MOVE_SIZE];
        json_add_text("usi", sv_from(usimove_write(node->move, move)), out);
        cursor_go(cursor, node->parent);
        strbuf_add_str(&text, word_mark(cursor->pos.side));
        notation_append_ja(&cursor->pos, node->move, JA_PLAIN, &text);
        json_add_text("move", strbuf_view(&text), out);
        strbuf_clear(&text);
    }
    cursor_go(cursor, i);
    pos_get_sfen(&cursor->pos, &text);
    json_add_text("sfen", strbuf_view(&text), out);
    strbuf_clear(&text);
    annotate_keep(record_text(record, node->comment), &text);
    if (text.len > 0) {
        json_add_text("comment", sv_prefix(strbuf_view(&text), text.len - 1), out);
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

void gamepage_write_json(const Analysis *analysis, StrBuf *out) {
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
    bool is_handicap = handicap_is_given(&record->start);
    strbuf_addf(out, "],\"handicap\":%s", is_handicap ? "true" : "false");
    if (is_handicap) {
        json_add_text("handicapName", sv_from(handicap_by_setup(&record->start)->name), out);
    }
    strbuf_add_str(out, ",\"engine\":\"Komadori " KMD_VERSION "\"");
    json_add_i64("scale", analysis->scale, out);
    strbuf_add_str(out, ",\"players\":[");
    for (int side = BLACK; side <= WHITE; side++) {
        AnalysisSummary sum = analysis_summary(analysis, (Color)side);
        strbuf_addf(out,
                    "%s{\"moves\":%d,\"accuracy\":%.1f,\"dubious\":%d,\"mistakes\":%d,"
                    "\"blunders\":%d,\"missed\":%d,\"loss\":%.2f}",
                    side == BLACK ? "" : ",", sum.moves, sum.accuracy,
                    sum.mistakes[MISTAKE_DUBIOUS], sum.mistakes[MISTAKE_BAD],
                    sum.mistakes[MISTAKE_BLUNDER], sum.missed_mates, sum.loss);
    }
    strbuf_add_str(out, "],\"nodes\":[\n");
    for (int i = 0; i < record->node_count; i++) {
        strbuf_add_str(out, i > 0 ? ",\n" : "");
        add_node(analysis, &cursor, i, out);
    }
    strbuf_add_str(out, "]}\n");
    cursor_free(&cursor);
}

/* ---- HTML ------------------------------------------------------------------------------------ */

void gamepage_write_html(const Analysis *analysis, StrBuf *out) {
    StrBuf json = STRBUF_INIT, record = STRBUF_INIT;
    KifuForm form = kifu_form_by_path(&kif_codec, SV("game.kifu"));
    gamepage_write_json(analysis, &json);
    (void)kifu_write(analysis->record, &form, &record);
    page_write(PAGE_GAME, strbuf_view(&json), strbuf_view(&record), out);
    strbuf_free(&json);
    strbuf_free(&record);
}

/* ---- the index of a folder ------------------------------------------------------------------- */

#define INDEX_MARK "<meta name=\"generator\" content=\"Komadori, index\">"

static void add_cell(StrView text, StrBuf *rows) {
    strbuf_add_str(rows, "<td>");
    chart_escape(text, rows);
}

void gamepage_add_row(const Analysis *analysis, StrView page, StrBuf *rows) {
    static const char *const results[] = {[KMD_WINNER_NONE] = "",
                                          [KMD_WINNER_BLACK] = "▲",
                                          [KMD_WINNER_WHITE] = "△",
                                          [KMD_WINNER_DRAW] = "="};
    const Record *record = analysis->record;
    StrBuf address = STRBUF_INIT;
    for (size_t i = 0; i < page.len; i++) {
        bool is_special = sv_has_byte(SV("%#?"), page.ptr[i]);
        strbuf_addf(&address, is_special ? "%%%02X" : "%c", (unsigned char)page.ptr[i]);
    }
    strbuf_add_str(rows, "<tr><td><a href=\"./"); /* a name may contain a colon */
    chart_escape(strbuf_view(&address), rows);
    strbuf_add_str(rows, "\">");
    strbuf_free(&address);
    chart_escape(page, rows);
    strbuf_add_str(rows, "</a>");
    add_cell(record_header(record, SV("開始日時")), rows);
    add_cell(record_player(record, BLACK), rows);
    add_cell(record_player(record, WHITE), rows);
    strbuf_addf(rows, "<td>%s<td>%d", results[record_result(record)], analysis->count - 1);
    for (int side = BLACK; side <= WHITE; side++) {
        AnalysisSummary sum = analysis_summary(analysis, (Color)side);
        if (sum.moves > 0) {
            strbuf_addf(rows, "<td>%.1f<td>%d<td>%d", sum.accuracy, sum.mistakes[MISTAKE_BAD],
                        sum.mistakes[MISTAKE_BLUNDER]);
        } else {
            strbuf_add_str(rows, "<td>–<td>–<td>–");
        }
    }
    strbuf_add_byte(rows, '\n');
}

void gamepage_write_index(const StrBuf *rows, StrBuf *out) {
    strbuf_add_str(out, "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n" INDEX_MARK
                        "\n<title>Komadori</title>\n<style>:root { color-scheme: light dark }\n"
                        "body { font-family: sans-serif } td, th { padding: .2em .6em; "
                        "text-align: left }</style>\n<table>\n"
                        "<tr><th>棋譜 game<th>日時 date<th>▲<th>△<th>勝 won<th>手数 moves"
                        "<th>▲ 精度 accuracy<th>悪手 mistakes<th>大悪手 blunders"
                        "<th>△ 精度 accuracy<th>悪手 mistakes<th>大悪手 blunders\n");
    strbuf_add(out, strbuf_view(rows));
    strbuf_add_str(out, "</table>\n");
}

bool gamepage_is_index(StrView text) {
    return sv_find(text, SV(INDEX_MARK)) < text.len;
}
