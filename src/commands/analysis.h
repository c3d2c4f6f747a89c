/* analysis.h: searches each position of a game's main line, and computes the losses of its moves
 * from the scores.
 *
 * A journal keeps the results (base/journal.h), so that an interrupted run can be continued. Its
 * first line identifies the game and the limits of the searches. One thread uses an analysis, in
 * addition to the engine's threads. */
#ifndef KMD_COMMANDS_ANALYSIS_H
#define KMD_COMMANDS_ANALYSIS_H

#include <stdatomic.h>

#include "engine/engine.h"
#include "record/record.h"
#include "search/search.h"

enum { ANALYSIS_PV = 16, ANALYSIS_LINES = 5 };

/* A line of moves and its score from black's point of view. */
typedef struct AnalysisLine {
    Score score;
    bool is_declared; /* wins by a declaration or a try instead of a mate; see
                         analysis_note_declarations */
    int pv_len;
    Move pv[ANALYSIS_PV];
} AnalysisLine;

/* One position with its lines, best first. */
typedef struct Judgement {
    int depth;
    uint64_t nodes;
    int64_t time_ms; /* time of the search; 0: unknown */
    int line_count;  /* 0: not analysed */
    AnalysisLine lines[ANALYSIS_LINES];
    bool has_threat;
    AnalysisLine threat; /* what the other side would play if the side to move passed */
} Judgement;

/* Collects the lines that a search reports, until all lines of an iteration are known.
 * Zero-initialise it before each search. */
typedef struct AnalysisGather {
    Judgement whole; /* all lines of the last known iteration; line_count 0: none yet */
    Judgement part;  /* the lines since the last line of rank 1 */
    bool whole_is_mixed, part_is_mixed; /* the lines come from several iterations */
} AnalysisGather;

/* Adds a line reported by the search. After an interruption, a search reports its move from the new
 * iteration together with other lines of the previous one. Scores of different depths cannot be
 * compared, so such lines are used only until those of one iteration are known. */
void analysis_gather(AnalysisGather *gather, const SearchInfo *info);

/* The final result: the lines of one iteration, best first. */
Judgement analysis_gathered(const AnalysisGather *gather);

/* The default scale. The scores of most engines fit the curve 1 / (1 + exp(-score / 600)) well
 * enough. */
#define ANALYSIS_USUAL_SCALE 600

/* The analysis of a game. at[i] is the position after i moves, and node[i] is its node in the
 * record. */
typedef struct Analysis {
    const Record *record;
    int count; /* number of moves + 1 */
    int scale; /* score in centipawns that means a winning chance of 73 %; ANALYSIS_USUAL_SCALE
                * unless the engine provides another */
    KmdDeclareRule rule; /* rule for declaring a win; KMD_DECLARE_27 unless changed */
    Color side;          /* the side whose moves get comments; COLOR_NB: both */
    Judgement *at;
    int *node;
} Analysis;

/* How bad a move is, judged by the winning chances that it loses. */
typedef enum Mistake { MISTAKE_NONE, MISTAKE_DUBIOUS, MISTAKE_BAD, MISTAKE_BLUNDER } Mistake;

/* Prepares the analysis of a record's main line; no position is analysed yet. The record must
 * outlive the analysis. */
void analysis_init(Analysis *analysis, const Record *record);
void analysis_free(Analysis *analysis);

/* Which positions to search, and how. */
typedef struct AnalysisOptions {
    GoLimits limits;             /* limits of each search: nodes, movetime_ms and depth */
    KmdDeclareRule declare_rule; /* rule for declaring a win */
    uint64_t evaluation;         /* engine_evaluation_id; 0: the built-in network */
    int multi_pv;                /* number of lines per position, at most ANALYSIS_LINES */
    bool has_threats;            /* also search each position after a pass by the side to move */
    int from, to;                /* positions to search, given by the number of moves before them */
} AnalysisOptions;

typedef struct AnalysisSearch {
    Engine *engine; /* its options MultiPV, EnteringKingRule and ConsiderationMode are set */
    const AnalysisOptions *options;
    const char *journal; /* its path */
    const _Atomic bool *cancel;
    /* Called before the first search, with index -1, and after each search, with the index of its
     * position. `left` is the number of positions left. */
    void (*on_progress)(void *context, int index, int left);
    void *context;
    int fault; /* the first error of the journal (journal_error_text); 0: none */
} AnalysisSearch;

/* Takes the results in the journal and searches the positions from..to that are not in it, from the
 * last to the first, because hash table entries for later positions help with earlier ones. If
 * there is no journal, or if it belongs to another game, network or limits, starts a new one.
 * Stores the results and the engine's scale in *analysis. The searches continue if the journal can
 * no longer be written. Returns false if cancelled, or if the journal cannot be opened: then
 * nothing was searched. */
bool analysis_search(AnalysisSearch *search, Analysis *analysis) MUST_CHECK;

/* Finds the positions whose side to move can declare a win, or can win by a try, under
 * analysis->rule. There the declaration becomes the best line; it has no moves. Lines whose mate
 * score means a later declaration or try are marked. Call it when all results are known. */
void analysis_note_declarations(Analysis *analysis);

/* The best line of position i; NULL if it is not analysed. */
const AnalysisLine *analysis_line(const Analysis *analysis, int i);

/* True if moves get comments for the side whose move led to position i. Also true for the start
 * position. */
bool analysis_comments_on(const Analysis *analysis, int i);

/* Black's winning chance in per cent: 100 / (1 + exp(-score / analysis->scale)). */
double analysis_percent(const Analysis *analysis, Score black_score);

/* The side whose move led to position i (at least 1). */
Color analysis_mover(const Analysis *analysis, int i);

/* The loss caused by the move that led to position i, in per cent of winning chances, at least 0.
 * The loss is 0 if the move is the engine's choice, or if either position is not analysed. */
double analysis_loss(const Analysis *analysis, int i);
Mistake analysis_mistake(const Analysis *analysis, int i);

/* If the move that led to position i missed a mate, the number of moves of that mate; otherwise 0.
 * A declaration is no mate. */
int analysis_missed_mate(const Analysis *analysis, int i);

/* Statistics over those moves of a side that get comments and for which both the position before
 * and the one after have a score. */
typedef struct AnalysisSummary {
    int moves;
    int mistakes[MISTAKE_BLUNDER + 1]; /* indexed by Mistake */
    int missed_mates;
    double loss;     /* mean loss of a move, in per cent of winning chances */
    double accuracy; /* mean of 100 * exp(-loss / 25), in per cent; 0 without moves */
} AnalysisSummary;

AnalysisSummary analysis_summary(const Analysis *analysis, Color side);

#endif
