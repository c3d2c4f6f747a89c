/* gamesearch.h: searches the positions of a game, with a journal of the results.
 *
 * The journal is a file to which each result is added at once, so that a run that is stopped can be
 * continued. Its first line identifies the game and the limits of the searches. One thread besides
 * those of the engine. */
#ifndef KMD_STUDY_GAMESEARCH_H
#define KMD_STUDY_GAMESEARCH_H

#include <stdatomic.h>

#include "engine/engine.h"
#include "study/analysis.h"

/* Called after each search, with the index of its position and the number of positions left. */
typedef void GameSearchDone(void *context, int index, int left);

typedef struct GameSearch {
    Engine *engine;
    GoLimits limits;  /* of each search: nodes, movetime_ms and depth */
    int multi_pv;     /* the engine's option */
    int from, to;     /* positions, by the number of moves before them */
    bool is_backward; /* from the last position to the first: what the hash table knows of later
                         positions helps with earlier ones */
    const char *journal;
    const _Atomic bool *cancel;
    GameSearchDone *on_done;
    void *context;
    int fault; /* the first error (errno) in writing the journal; 0 at first */
} GameSearch;

/* Copies the results in the journal into *analysis. If there is no journal, or if it belongs to
 * another game or other limits, starts a new one. Returns 0 or an errno value. */
int gamesearch_resume(const GameSearch *search, Analysis *analysis) MUST_CHECK;

/* Searches each position from..to that has no judgement yet, and enters what it finds in *analysis
 * and in the journal. A finished game needs no search. A journal that cannot be written does not
 * end it (see `fault`). False if it was cancelled. */
bool gamesearch_run(GameSearch *search, Analysis *analysis) MUST_CHECK;

#endif
