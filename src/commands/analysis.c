/* analysis.c: runs one search after another, converts their scores from the mover's point of view
 * to black's, keeps the journal of the results, and computes losses and mistakes from the scores.
 */
#include "commands/analysis.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/journal.h"
#include "base/xmem.h"
#include "record/kifuio.h"
#include "record/record.h"
#include "rules/declare.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/repetition.h"
#include "rules/usimove.h"

/* A move that loses this percentage of the winning chances has 1/e of the accuracy of a perfect
 * move. */
#define ACCURACY_SCALE 25.0

static const double mistake_percent[] = {
    [MISTAKE_DUBIOUS] = 10, [MISTAKE_BAD] = 20, [MISTAKE_BLUNDER] = 40};

void analysis_init(Analysis *analysis, const Record *record) {
    int moves = record_main_length(record);
    *analysis = (Analysis){.record = record,
                           .count = moves + 1,
                           .rule = KMD_DECLARE_27,
                           .side = COLOR_NB,
                           .scale = ANALYSIS_USUAL_SCALE};
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

void analysis_gather(AnalysisGather *gather, const SearchInfo *info) {
    Judgement *part = &gather->part;
    if (info->bound != BOUND_EXACT || info->rank > ANALYSIS_LINES) {
        return;
    }
    if (info->rank == 1) {
        *part = (Judgement){.depth = info->depth};
        gather->part_is_mixed = false;
    }
    gather->part_is_mixed |= info->depth != part->depth;
    AnalysisLine *line = &part->lines[info->rank - 1];
    line->score = info->score;
    line->pv_len = int_min(info->pv_len, ANALYSIS_PV);
    memcpy(line->pv, info->pv, (size_t)line->pv_len * sizeof(Move));
    part->line_count = int_max(part->line_count, info->rank);
    bool is_whole = info->rank == int_min(info->line_count, ANALYSIS_LINES);
    bool is_better = gather->whole.line_count == 0 || gather->whole_is_mixed;
    if (is_whole && (is_better || !gather->part_is_mixed)) {
        gather->whole = *part;
        gather->whole_is_mixed = gather->part_is_mixed;
    }
}

Judgement analysis_gathered(const AnalysisGather *gather) {
    Judgement found = gather->whole.line_count > 0 ? gather->whole : gather->part;
    for (int i = 1; i < found.line_count; i++) {
        AnalysisLine line = found.lines[i];
        int at = i;
        for (; at > 0 && found.lines[at - 1].score < line.score; at--) {
            found.lines[at] = found.lines[at - 1];
        }
        found.lines[at] = line;
    }
    return found;
}

/* ---- the journal ----------------------------------------------------------------------------- */

/* Appends the first line, which identifies the game and the limits with which the other lines were
 * made. */
static void append_head(const AnalysisOptions *options, const Record *record, StrBuf *out) {
    const GoLimits *limits = &options->limits;
    KifuForm form = kifu_form(kifu_codec_by_name(SV("usi")));
    strbuf_addf(out, "komadori-analysis 1 nodes %llu time %lld depth %d ",
                (unsigned long long)limits->nodes, (long long)limits->movetime_ms, limits->depth);
    if (options->multi_pv > 1) {
        strbuf_addf(out, "multipv %d ", options->multi_pv);
    }
    if (options->has_threats) {
        strbuf_add_str(out, "threats ");
    }
    if (options->evaluation != 0) {
        strbuf_addf(out, "evaluation %016llx ", (unsigned long long)options->evaluation);
    }
    if (options->declare_rule != KMD_DECLARE_27) {
        strbuf_addf(out, "rule %s ", declare_rule_name((int)options->declare_rule));
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

static void append_journal_moves(const Move *pv, int count, StrBuf *out) {
    usimove_append_line(pv, count, out);
    strbuf_add_str(out, " .");
}

static void add_to_journal(Journal *journal, const Judgement *found, int index) {
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
static Judgement search_for_lines(const AnalysisSearch *search, const Position *pos) {
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

/* True if the game has ended in its last position, so that there is nothing to search: without a
 * legal move, or by the fourth occurrence, after which perpetual check is won or lost, but not by a
 * mate. */
static bool is_ended(const Position *pos, Score *score) {
    Repetition repetition = repetition_in_game(pos);
    *score = !gen_has_move(pos)       ? score_mated_in(0)
             : repetition == REP_WIN  ? SCORE_SUPERIOR
             : repetition == REP_LOSS ? -SCORE_SUPERIOR
                                      : SCORE_DRAW;
    return !gen_has_move(pos) || repetition != REP_NONE;
}

static Judgement for_black(Judgement judgement, Color side) {
    for (int i = 0; i < judgement.line_count; i++) {
        judgement.lines[i].score *= side == BLACK ? 1 : -1;
    }
    return judgement;
}

static bool is_search_cancelled(const AnalysisSearch *search) {
    return atomic_load_explicit(search->cancel, memory_order_relaxed);
}

bool analysis_search(AnalysisSearch *search, Analysis *analysis) {
    const AnalysisOptions *options = search->options;
    StrBuf head = STRBUF_INIT;
    /* The analysis of a game must not depend on the games that were analysed before it. */
    engine_new_game(search->engine);
    engine_set_number(search->engine, SV("MultiPV"), options->multi_pv);
    set_option(search->engine, SV("EnteringKingRule"),
               sv_from(declare_rule_name((int)options->declare_rule)));
    set_option(search->engine, SV("ConsiderationMode"), SV("true"));
    append_head(options, analysis->record, &head);
    Journal journal;
    JournalFormat format = {.head = strbuf_view(&head), .take = take_lines, .context = analysis};
    search->fault = journal_open(&journal, search->journal, &format);
    if (search->fault == EEXIST && remove(search->journal) == 0) {
        search->fault = journal_open(&journal, search->journal, &format);
    }
    strbuf_free(&head);
    if (search->fault != 0) {
        return false;
    }
    int last = int_min(options->to, analysis->count - 1), left = 0;
    for (int i = options->from; i <= last; i++) {
        left += analysis->at[i].line_count == 0;
    }
    RecordCursor cursor;
    cursor_init(&cursor, analysis->record);
    analysis->scale = engine_chance_scale(search->engine);
    search->on_progress(search->context, -1, left);
    bool is_good = true;
    for (int i = last; is_good && i >= options->from; i--) {
        if (analysis->at[i].line_count > 0) {
            continue;
        }
        cursor_go(&cursor, analysis->node[i]);
        Score score;
        bool is_over = i == analysis->count - 1 && is_ended(&cursor.pos, &score);
        Judgement found = is_over ? (Judgement){.line_count = 1, .lines = {{.score = score}}}
                                  : search_for_lines(search, &cursor.pos);
        found = for_black(found, cursor.pos.side);
        /* What the other side threatens is its best line after a pass. A side in check cannot pass.
         */
        if (options->has_threats && !is_over && !is_search_cancelled(search) &&
            !pos_in_check(&cursor.pos)) {
            pos_do_null(&cursor.pos);
            found.threat =
                for_black(search_for_lines(search, &cursor.pos), cursor.pos.side).lines[0];
            found.has_threat = true;
            pos_undo_null(&cursor.pos);
        }
        is_good = !is_search_cancelled(search);
        if (is_good) {
            analysis->at[i] = found;
            add_to_journal(&journal, &found, i);
            search->fault = journal.error;
            search->on_progress(search->context, i, --left);
        }
    }
    cursor_free(&cursor);
    (void)journal_close(&journal);
    return is_good;
}

/* ---- scores and losses ----------------------------------------------------------------------- */

/* True if the side to move can win without a mate: by a declaration, or by a try now or with its
 * last move. */
static bool wins_by_rule(const Position *pos, KmdDeclareRule rule) {
    return declare_result(pos, rule) == KMD_DECLARATION_WIN ||
           (rule == KMD_DECLARE_TRY && declare_try_move(pos) != MOVE_NONE);
}

/* True if the winner of a line with a mate score declares or tries after its moves, or has tried
 * with the last of them. */
static bool ends_by_rule(Position *pos, const AnalysisLine *line, KmdDeclareRule rule) {
    Color winner = line->score > 0 ? BLACK : WHITE;
    int done = 0;
    while (done < line->pv_len && move_is_legal(pos, line->pv[done])) {
        pos_do(pos, line->pv[done++]);
    }
    bool is_by_rule = pos->side == winner
                          ? wins_by_rule(pos, rule)
                          : rule == KMD_DECLARE_TRY &&
                                declare_result_for(pos, rule, winner) == KMD_DECLARATION_WIN;
    while (done-- > 0) {
        pos_undo(pos);
    }
    return is_by_rule;
}

/* Makes the win by rule the best line, before those that show how the game would go on. */
static void add_declaration(Judgement *judgement, const Position *pos) {
    AnalysisLine *best = &judgement->lines[0];
    if (!best->is_declared && best->pv_len > 0) {
        judgement->line_count = int_min(judgement->line_count + 1, ANALYSIS_LINES);
        memmove(best + 1, best, (size_t)(judgement->line_count - 1) * sizeof(*best));
    }
    *best = (AnalysisLine){.score = pos->side == BLACK ? score_mate_in(1) : -score_mate_in(1),
                           .is_declared = true};
}

void analysis_note_declarations(Analysis *analysis) {
    RecordCursor cursor;
    cursor_init(&cursor, analysis->record);
    for (int i = 0; i < analysis->count; i++) {
        Judgement *judgement = &analysis->at[i];
        if (judgement->line_count == 0) {
            continue;
        }
        cursor_go(&cursor, analysis->node[i]);
        for (int rank = 0; rank < judgement->line_count; rank++) {
            AnalysisLine *line = &judgement->lines[rank];
            line->is_declared |=
                score_is_mate(line->score) && ends_by_rule(&cursor.pos, line, analysis->rule);
        }
        if (declare_result(&cursor.pos, analysis->rule) == KMD_DECLARATION_WIN) {
            add_declaration(judgement, &cursor.pos);
        }
    }
    cursor_free(&cursor);
}

double analysis_percent(const Analysis *analysis, Score black_score) {
    return 100.0 / (1.0 + exp(-(double)black_score / analysis->scale));
}

Color analysis_mover(const Analysis *analysis, int i) {
    return color_flip(record_side(analysis->record, analysis->node[i]));
}

const AnalysisLine *analysis_line(const Analysis *analysis, int i) {
    const Judgement *judgement = &analysis->at[i];
    return judgement->line_count > 0 ? &judgement->lines[0] : NULL;
}

/* True if the move that led to position i can be judged: both positions are analysed, and it is not
 * the best move itself, about which the later search may say something else. */
static bool can_judge(const Analysis *analysis, int i) {
    ASSERT(i >= 1 && i < analysis->count);
    const AnalysisLine *before = analysis_line(analysis, i - 1);
    Move move = analysis->record->nodes[analysis->node[i]].move;
    return before != NULL && analysis_line(analysis, i) != NULL &&
           !(before->pv_len > 0 && before->pv[0] == move);
}

double analysis_loss(const Analysis *analysis, int i) {
    const AnalysisLine *before = analysis_line(analysis, i - 1),
                       *after = analysis_line(analysis, i);
    if (!can_judge(analysis, i)) {
        return 0;
    }
    double change =
        analysis_percent(analysis, after->score) - analysis_percent(analysis, before->score);
    double loss = analysis_mover(analysis, i) == BLACK ? -change : change;
    return loss > 0 ? loss : 0;
}

Mistake analysis_mistake(const Analysis *analysis, int i) {
    double loss = analysis_loss(analysis, i);
    for (int mistake = MISTAKE_BLUNDER; mistake > MISTAKE_NONE; mistake--) {
        if (loss >= mistake_percent[mistake]) {
            return (Mistake)mistake;
        }
    }
    return MISTAKE_NONE;
}

int analysis_missed_mate(const Analysis *analysis, int i) {
    const AnalysisLine *before = analysis_line(analysis, i - 1),
                       *after = analysis_line(analysis, i);
    if (!can_judge(analysis, i)) {
        return 0;
    }
    int sign = analysis_mover(analysis, i) == BLACK ? 1 : -1;
    bool had_mate =
        before->score * sign > 0 && score_is_mate(before->score) && !before->is_declared;
    bool has_mate = after->score * sign > 0 && score_is_mate(after->score);
    return had_mate && !has_mate ? abs(score_mate_plies(before->score)) : 0;
}

bool analysis_comments_on(const Analysis *analysis, int i) {
    return i == 0 || analysis->side == COLOR_NB || analysis->side == analysis_mover(analysis, i);
}

AnalysisSummary analysis_summary(const Analysis *analysis, Color side) {
    AnalysisSummary sum = {.moves = 0};
    for (int i = 1; i < analysis->count; i++) {
        bool is_judged =
            analysis_line(analysis, i - 1) != NULL && analysis_line(analysis, i) != NULL;
        if (!is_judged || analysis_mover(analysis, i) != side ||
            !analysis_comments_on(analysis, i)) {
            continue;
        }
        double loss = analysis_loss(analysis, i);
        sum.moves++;
        sum.mistakes[analysis_mistake(analysis, i)]++;
        sum.missed_mates += analysis_missed_mate(analysis, i) > 0;
        sum.loss += loss;
        sum.accuracy += 100 * exp(-loss / ACCURACY_SCALE);
    }
    if (sum.moves > 0) {
        sum.loss /= sum.moves;
        sum.accuracy /= sum.moves;
    }
    return sum;
}
