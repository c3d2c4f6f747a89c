/* gamerun.h: plays the games of a training data file on several threads, and writes them in order.
 *
 * Any thread may play any game, but the contents of the file do not depend on the number of
 * threads. The file grows block by block under the name PATH.part, from which an interrupted run
 * continues (base/journal.h). Nothing here prints, except for the progress line. */
#ifndef KMD_TRAIN_GAMERUN_H
#define KMD_TRAIN_GAMERUN_H

#include <stdatomic.h>

#include "base/progress.h"
#include "train/selfplay.h"

/* Which games to play. */
typedef struct GameRunOptions {
    const char *path; /* path of the file */
    const SelfplayOptions *play;
    PackOrigin origin; /* identifies the run and therefore its games */
    int games;         /* >= 1 */
    int threads;
    const _Atomic bool *cancel; /* true ends the run early */
    Progress *progress;
} GameRunOptions;

typedef struct GameRun {
    int games;          /* completed games, including those of an earlier run */
    uint64_t positions; /* positions with a score in these games */
    /* The members below are about this run only. */
    uint64_t nodes;    /* nodes of all searches */
    uint64_t leaves;   /* positions from the trees of deep searches */
    uint64_t branches; /* games started by deep searches */
    int results[4];    /* indexed by KmdWinner */
    SelfplayEnd end;   /* how the first game that was not completed ended */
    int error;         /* first error of the file (journal_error_text); 0: none */
    bool has_surplus;  /* the error is EEXIST because run->part has too many games */
    StrBuf part;       /* the file with the games so far, if it is not complete; may be empty */
} GameRun;

/* Plays the games that the file of an earlier run does not contain yet. Returns true if the file is
 * complete. Otherwise run->error or run->end gives the reason; a later call with the same options
 * continues from run->part, unless that file belongs to another run. Free run->part in any case. */
bool gamerun_play(const GameRunOptions *options, GameRun *run) MUST_CHECK;

#endif
