/* gamerecord.h: writes the record of each game to a file of its own. One thread at a time. */
#ifndef KMD_MATCH_GAMERECORD_H
#define KMD_MATCH_GAMERECORD_H

#include "kifu/codec.h"
#include "tools/match/contest.h"

/* Where the records go and what they are. */
typedef struct RecordPlan {
    const char *dir; /* NULL: none are written */
    const Codec *codec;
    StrView ending;   /* of the files, without the dot; static storage */
    bool may_replace; /* existing files */
} RecordPlan;

/* Checks before the first game that the records of games 1..total can be written to plan->dir. They
 * may replace existing files only if plan->may_replace. True if plan->dir is NULL. False with the
 * reason, which names the file, in *error. */
bool gamerecord_check(const RecordPlan *plan, int total, StrBuf *error) MUST_CHECK;

/* Writes one finished game: names, date, time control, moves with times and what the players told
 * of them, the ending and, for faults and adjudications, a comment. pos stands at its end. False,
 * with the reason in errno, when it cannot be written. */
bool gamerecord_save(const RecordPlan *plan, const Contest *contest, const ScheduledGame *game,
                     const Position *pos, const GameResult *result) MUST_CHECK;

#endif
