/* gamesearch.c: runs one search after another, converts their scores from the mover's point of view
 * to black's, and keeps the journal of the results. */
#include "commands/gamesearch.h"

#include <errno.h>
#include <stdio.h>

#include "record/kifuio.h"
#include "record/record.h"
#include "rules/declare.h"
#include "rules/movegen.h"
#include "rules/usimove.h"

/* ---- the journal ----------------------------------------------------------------------------- */

/* Appends the first line, which identifies the game and the limits with which the other lines were
 * made. */
static void append_head(const GameSearch *search, const Record *record, StrBuf *out) {
    const GoLimits *limits = &search->options->limits;
    KifuForm form = kifu_form(kifu_codec_by_name(SV("usi")));
    strbuf_addf(out, "komadori-analysis 1 nodes %llu time %lld depth %d ",
                (unsigned long long)limits->nodes, (long long)limits->movetime_ms, limits->depth);
    if (search->options->multi_pv > 1) {
        strbuf_addf(out, "multipv %d ", search->options->multi_pv);
    }
    if (search->options->has_threats) {
        strbuf_add_str(out, "threats ");
    }
    if (search->options->evaluation != 0) {
        strbuf_addf(out, "evaluation %016llx ", (unsigned long long)search->options->evaluation);
    }
    if (search->options->declare_rule != KMD_DECLARE_27) {
        strbuf_addf(out, "rule %s ", declare_rule_name((int)search->options->declare_rule));
    }
    kifu_write(record, &form, out);
}

/* Reads moves up to a ".". Returns false if there is no ".". */
static bool read_journal_moves(Tokenizer *tok, Move *pv, int *count) {
    StrView word;
    while (tok_next(tok, &word) && !sv_equal(word, SV("."))) {
        Move move = usimove_read(word);
        if (!move_is_real(move)) {
            return false;
        }
        if (*count < ANALYSIS_PV) {
            pv[(*count)++] = move;
        }
    }
    return word.len > 0;
}

/* Reads "INDEX SCORE DEPTH NODES MOVES . [SCORE MOVES .]... [threat SCORE MOVES .]". Truncated or
 * damaged lines are ignored. */
static void read_journal_line(Analysis *analysis, StrView line) {
    Tokenizer tok = {line};
    StrView word;
    int index;
    Judgement found = {.line_count = 1};
    AnalysisLine *best = &found.lines[0];
    if (!tok_next(&tok, &word) || !sv_to_int(word, 0, analysis->count - 1, &index) ||
        !tok_next(&tok, &word) || !sv_to_int(word, -SCORE_MATE, SCORE_MATE, &best->score) ||
        !tok_next(&tok, &word) || !sv_to_int(word, 0, MAX_PLY, &found.depth) ||
        !tok_next(&tok, &word) || !sv_to_u64(word, 0, UINT64_MAX, &found.nodes)) {
        return;
    }
    if (!read_journal_moves(&tok, best->pv, &best->pv_len)) {
        return;
    }
    while (!found.has_threat && tok_next(&tok, &word)) {
        AnalysisLine *other = &found.threat;
        if (sv_equal(word, SV("threat"))) {
            found.has_threat = true;
            tok_next(&tok, &word);
        } else if (found.line_count < ANALYSIS_LINES) {
            other = &found.lines[found.line_count++];
        } else {
            return;
        }
        if (!sv_to_int(word, -SCORE_MATE, SCORE_MATE, &other->score) ||
            !read_journal_moves(&tok, other->pv, &other->pv_len)) {
            return;
        }
    }
    analysis->at[index] = found;
}

/* Reads all lines except an incomplete last one. */
static size_t take_lines(void *context, StrView text) {
    size_t whole = journal_whole_lines(text);
    StrView rest = sv_prefix(text, whole);
    StrView line;
    while (sv_next_line(&rest, &line)) {
        read_journal_line(context, line);
    }
    return whole;
}

static void set_option(Engine *engine, StrView name, StrView value) {
    OptionStatus status = engine_set_option(engine, name, value);
    ASSERT(status == OPTION_OK);
    (void)status;
}

int gamesearch_resume(GameSearch *search, Analysis *analysis) {
    StrBuf head = STRBUF_INIT;
    const char *rule = declare_rule_name((int)search->options->declare_rule);
    /* The analysis of a game must not depend on the games that were analysed before it. */
    engine_new_game(search->engine);
    engine_set_number(search->engine, SV("MultiPV"), search->options->multi_pv);
    set_option(search->engine, SV("EnteringKingRule"), sv_from(rule));
    set_option(search->engine, SV("ConsiderationMode"), SV("true"));
    append_head(search, analysis->record, &head);
    JournalFormat format = {.head = strbuf_view(&head), .take = take_lines, .context = analysis};
    search->fault = journal_open(&search->journal, search->path, &format);
    if (search->fault == EEXIST && remove(search->path) == 0) {
        search->fault = journal_open(&search->journal, search->path, &format);
    }
    strbuf_free(&head);
    return search->fault;
}

static void append_journal_moves(const Move *pv, int count, StrBuf *out) {
    usimove_append_line(pv, count, out);
    strbuf_add_str(out, " .");
}

static void save(Journal *journal, const Analysis *analysis, int index) {
    const Judgement *found = &analysis->at[index];
    StrBuf line = STRBUF_INIT;
    strbuf_addf(&line, "%d %d %d %llu", index, found->lines[0].score, found->depth,
                (unsigned long long)found->nodes);
    append_journal_moves(found->lines[0].pv, found->lines[0].pv_len, &line);
    for (int i = 1; i < found->line_count; i++) {
        strbuf_addf(&line, " %d", found->lines[i].score);
        append_journal_moves(found->lines[i].pv, found->lines[i].pv_len, &line);
    }
    if (found->has_threat) {
        strbuf_addf(&line, " threat %d", found->threat.score);
        append_journal_moves(found->threat.pv, found->threat.pv_len, &line);
    }
    strbuf_add_byte(&line, '\n');
    (void)journal_add(journal, strbuf_view(&line));
    strbuf_free(&line);
}

/* ---- searching ------------------------------------------------------------------------------- */

static void gather_info(void *context, const SearchInfo *info) {
    analysis_gather(context, info);
}

/* The judgement of a position, from the side to move's point of view. */
static Judgement judge(const GameSearch *search, const Position *pos) {
    if (!gen_has_move(pos)) {
        return (Judgement){.line_count = 1, .lines = {{.score = score_mated_in(0)}}};
    }
    AnalysisGather gather = {.part = {.line_count = 0}};
    SearchSink sink = {.context = &gather, .on_info = gather_info};
    SearchResult result;
    engine_set_position(search->engine, pos);
    engine_search(search->engine, &search->options->limits, &sink, search->cancel, &result);
    Judgement found = analysis_gathered(&gather);
    if (found.line_count == 0) {
        found.line_count = 1;
        found.depth = result.depth;
        found.lines[0] = (AnalysisLine){
            .score = result.score, .pv_len = move_is_real(result.best), .pv = {result.best}};
    }
    found.nodes = result.nodes;
    found.time_ms = result.time_ms;
    return found;
}

static Judgement for_black(Judgement judgement, Color side) {
    for (int i = 0; i < judgement.line_count; i++) {
        judgement.lines[i].score *= side == BLACK ? 1 : -1;
    }
    return judgement;
}

/* Adds what the other side threatens: its best line after a pass. A side in check, or without a
 * move, cannot pass. */
static void judge_threat(const GameSearch *search, Position *pos, Judgement *judgement) {
    if (pos_in_check(pos) || !gen_has_move(pos)) {
        return;
    }
    pos_do_null(pos);
    Judgement found = for_black(judge(search, pos), pos->side);
    pos_undo_null(pos);
    judgement->has_threat = true;
    judgement->threat = found.lines[0];
}

static bool is_wanted(const GameSearch *search, const Analysis *analysis, int i) {
    return i >= search->options->from && i <= search->options->to &&
           analysis->at[i].line_count == 0;
}

static bool is_search_cancelled(const GameSearch *search) {
    return atomic_load_explicit(search->cancel, memory_order_relaxed);
}

bool gamesearch_run(GameSearch *search, Analysis *analysis) {
    RecordCursor cursor;
    int left = 0;
    analysis->scale = engine_chance_scale(search->engine);
    cursor_init(&cursor, analysis->record);
    for (int i = 0; i < analysis->count; i++) {
        left += is_wanted(search, analysis, i);
    }
    bool is_good = true;
    for (int k = 0; is_good && k < analysis->count; k++) {
        int i = search->options->is_backward ? analysis->count - 1 - k : k;
        if (!is_wanted(search, analysis, i)) {
            continue;
        }
        cursor_go(&cursor, analysis->node[i]);
        Judgement found = for_black(judge(search, &cursor.pos), cursor.pos.side);
        if (search->options->has_threats && !is_search_cancelled(search)) {
            judge_threat(search, &cursor.pos, &found);
        }
        is_good = !is_search_cancelled(search);
        if (is_good) {
            analysis->at[i] = found;
            save(&search->journal, analysis, i);
            search->fault = search->journal.error;
            search->on_done(search->context, i, --left);
        }
    }
    cursor_free(&cursor);
    (void)journal_close(&search->journal);
    return is_good;
}
