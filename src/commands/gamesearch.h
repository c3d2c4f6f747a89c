/* gamesearch.h: searches the positions of a game, and keeps a journal of the results.
 *
 * An interrupted run can be continued from the journal (base/journal.h), whose first line
 * identifies the game and the limits of the searches. One thread uses it, in addition to the
 * engine's threads. */
#ifndef KMD_COMMANDS_GAMESEARCH_H
#define KMD_COMMANDS_GAMESEARCH_H

#include <stdatomic.h>

#include "base/journal.h"
#include "commands/analysis.h"
#include "engine/engine.h"

/* Called after each search, with the index of its position and the number of positions left. */
typedef void GameSearchDone(void *context, int index, int left);

/* What to search. */
typedef struct GameSearchOptions {
    GoLimits limits;             /* limits of each search: nodes, movetime_ms and depth */
    KmdDeclareRule declare_rule; /* rule for declaring a win */
    uint64_t evaluation;         /* engine_evaluation_id; 0: the built-in network */
    int multi_pv;                /* number of lines per position, at most ANALYSIS_LINES */
    bool has_threats;            /* also search each position after a pass by the side to move */
    int from, to;                /* positions to search, given by the number of moves before them */
    bool is_backward; /* search from the last position to the first, because hash table entries for
                         later positions help with earlier ones */
} GameSearchOptions;

typedef struct GameSearch {
    Engine *engine; /* gamesearch_resume sets its options MultiPV, EnteringKingRule and
                       ConsiderationMode */
    const GameSearchOptions *options;
    const char *path; /* path of the journal */
    const _Atomic bool *cancel;
    GameSearchDone *on_done;
    void *context;
    int fault;       /* the first error of the journal (journal_error_text); 0: none */
    Journal journal; /* open from gamesearch_resume to the end of gamesearch_run */
} GameSearch;

/* Copies the results in the journal into *analysis. If there is no journal, or if it belongs to
 * another game, network or limits, starts a new one. Returns search->fault. If it is 0, call
 * gamesearch_run next. */
int gamesearch_resume(GameSearch *search, Analysis *analysis) MUST_CHECK;

/* Searches each position from..to that has no judgement yet, and stores the results in *analysis,
 * with the engine's scale, and in the journal. A finished game needs no search. The searches
 * continue if the journal cannot be written (see `fault`). Returns false if cancelled. */
bool gamesearch_run(GameSearch *search, Analysis *analysis) MUST_CHECK;

#endif
