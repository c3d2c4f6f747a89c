/* gamerecord.h: the folder of records: a file for each game. One thread at a time. */
#ifndef KMD_MATCH_GAMERECORD_H
#define KMD_MATCH_GAMERECORD_H

#include "kifu/codec.h"
#include "tools/match/contest.h"

/* Where the records go and what they are. */
typedef struct RecordPlan {
    const char *dir; /* NULL: none are written */
    const Codec *codec;
    StrView ending;   /* of the files, without the dot; static storage */
    bool may_replace; /* files that are there already */
} RecordPlan;

/* Looks, before the first game, whether the files of games 1..total can be written to plan->dir
 * without replacing others, which only plan->may_replace allows. True when plan->dir is NULL. False
 * with the reason, which names the place, in *error. */
bool gamerecord_check(const RecordPlan *plan, int total, StrBuf *error) MUST_CHECK;

/* Writes one finished game: names, date, time control, moves with times and what the players told
 * of them, the ending and, for faults and adjudications, a comment. pos stands at its end. False,
 * with the reason in errno, when it cannot be written. */
bool gamerecord_save(const RecordPlan *plan, const Contest *contest, const ScheduledGame *game,
                     const Position *pos, const GameResult *result) MUST_CHECK;

#endif
