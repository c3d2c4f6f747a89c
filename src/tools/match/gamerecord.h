/* gamerecord.h: writes the record of each game to a file of its own. One thread at a time. */
#ifndef KMD_MATCH_GAMERECORD_H
#define KMD_MATCH_GAMERECORD_H

#include "kifu/codec.h"
#include "tools/match/contest.h"

/* Where records are written, and their format. */
typedef struct RecordPlan {
    const char *dir; /* NULL: no records */
    const Codec *codec;
    StrView ending;   /* of the files, without the dot; static storage */
    bool may_replace; /* existing files */
} RecordPlan;

/* Checks before the first game that the records of games 1..total can be written to plan->dir.
 * Existing files may be replaced only if plan->may_replace. Returns true if plan->dir is NULL. On
 * failure the reason, which names the file, is in *error. */
bool gamerecord_check(const RecordPlan *plan, int total, StrBuf *error) MUST_CHECK;

/* Writes one finished game: names, date, time control, moves with times and the players' scores and
 * lines, the ending and, for faults and adjudications, a comment. `pos` is the position at the end
 * of the game. Returns false with the reason in errno if the file cannot be written. */
bool gamerecord_save(const RecordPlan *plan, const Contest *contest, const ScheduledGame *game,
                     const Position *pos, const GameResult *result) MUST_CHECK;

#endif
