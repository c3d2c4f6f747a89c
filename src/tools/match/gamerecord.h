/* gamerecord.h: writes the record of each game to its own file. Only one thread at a time may use
 * it. */
#ifndef KMD_MATCH_GAMERECORD_H
#define KMD_MATCH_GAMERECORD_H

#include "kifu/codec.h"
#include "tools/match/contest.h"

/* Where records are written, and their format. */
typedef struct RecordPlan {
    const char *dir; /* NULL: no records */
    const Codec *codec;
    StrView extension; /* extension of the files, without the dot; static storage */
    bool may_replace;  /* existing files may be replaced */
} RecordPlan;

/* Checks before the first game that the records of games 1..total can be written to plan->dir.
 * Existing files may be replaced only if plan->may_replace is true. Returns true if plan->dir is
 * NULL. On failure *error contains the reason, which names the file. */
bool gamerecord_check(const RecordPlan *plan, int total, StrBuf *error) MUST_CHECK;

/* Writes one finished game: the names, the date, the time control, the moves with their times and
 * the players' scores and lines, and the ending, which gets a comment after a fault or an
 * adjudication. `pos` is the position at the end of the game. If the file cannot be written,
 * returns false with errno set. */
bool gamerecord_save(const RecordPlan *plan, const Contest *contest, const ScheduledGame *game,
                     const Position *pos, const GameResult *result) MUST_CHECK;

#endif
