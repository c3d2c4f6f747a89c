/* gamerecord.h: the folder of -records: a file for each finished game, in any format of src/kifu,
 * for people and other programs. No state. */
#ifndef KMD_MATCH_GAMERECORD_H
#define KMD_MATCH_GAMERECORD_H

#include "tools/match/settings.h"

/* Looks, before the first game, whether the files of games 1..total can be written to
 * settings->records_dir without replacing others, which only settings->resumes allows. True when
 * records_dir is NULL. False with the reason, which names the place, in *error. */
bool gamerecord_check(const MatchSettings *settings, int total, StrBuf *error) MUST_CHECK;

/* Writes one finished game: names, date, time control, moves with times and what the players told
 * of them, the ending and, for faults and adjudications, a comment. pos stands at its end. False,
 * with the reason in errno, when it cannot be written. One thread at a time. */
bool gamerecord_save(const MatchSettings *settings, const ScheduledGame *game, const Position *pos,
                     const GameResult *result) MUST_CHECK;

#endif
