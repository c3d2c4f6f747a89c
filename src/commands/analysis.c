/* analysis.c: gathers the lines of searches, and computes losses and mistakes from the scores. */
#include "commands/analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "record/record.h"
#include "rules/declare.h"
#include "rules/legality.h"

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

double analysis_loss(const Analysis *analysis, int i) {
    ASSERT(i >= 1 && i < analysis->count);
    const AnalysisLine *before = analysis_line(analysis, i - 1),
                       *after = analysis_line(analysis, i);
    Move move = analysis->record->nodes[analysis->node[i]].move;
    if (before == NULL || after == NULL || (before->pv_len > 0 && before->pv[0] == move)) {
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
    if (before == NULL || after == NULL) {
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
