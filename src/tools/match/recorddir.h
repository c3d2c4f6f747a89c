/* recorddir.h: the folder of -records, with a file for each game. No state. */
#ifndef KMD_MATCH_RECORDDIR_H
#define KMD_MATCH_RECORDDIR_H

#include <stdbool.h>

#include "base/str.h"
#include "tools/match/gameresult.h"
#include "tools/match/schedule.h"
#include "tools/match/settings.h"

/* Looks, before the first game, whether the files of games 1..total can be written to
 * settings->records_dir without replacing others, which only settings->resumes allows. True when
 * records_dir is NULL. False with the reason, which names the place, in *error. */
bool recorddir_check(const MatchSettings *settings, int total, StrBuf *error) MUST_CHECK;

/* Writes one finished game. False, with the reason in errno, when it cannot be written. */
bool recorddir_write(const MatchSettings *settings, const ScheduledGame *game, const Position *pos,
                     const GameResult *result) MUST_CHECK;

#endif
