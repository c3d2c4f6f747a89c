/* gamerun.h: plays the games of a training data file on several threads, and writes them in order.
 *
 * Any thread may play any game, but the contents of the file do not depend on the number of
 * threads. PATH.part is a journal (base/journal.h): each game is saved there when it ends, and an
 * interrupted run continues from there. It is a file of games, too, but each of its blocks states
 * the number of a game in place of the seed, and contains that game. Nothing here prints, except
 * for the progress line. */
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
    int results[4];     /* of the games of a complete file, indexed by KmdWinner */
    uint64_t nodes;     /* nodes of all searches of this run */
    SelfplayEnd end;    /* how the first game that was not completed ended */
    int error;          /* first error of a file (journal_error_text); 0: none */
    bool has_surplus;   /* the error is EEXIST because PATH.part has games beyond options->games */
    StrBuf part;        /* PATH.part, which exists if the file is incomplete and there are games */
} GameRun;

/* Plays the games that the journal of an earlier run does not contain yet. Returns true if the file
 * is complete. Otherwise run->error or run->end gives the reason; a later call with the same
 * options continues from run->part, unless that file belongs to another run. Fails with EINVAL for
 * a pipe or a device. Free run->part in any case. */
bool gamerun_play(const GameRunOptions *options, GameRun *run) MUST_CHECK;

#endif
