/* matchjson.h: the state of a tournament as one JSON object, which fills the page of -html.
 *
 * It contains data but no words to be shown: the page has those in the reader's language. Pure
 * functions that append to a buffer. */
#ifndef KMD_MATCH_MATCHJSON_H
#define KMD_MATCH_MATCHJSON_H

#include <stdint.h>

#include "base/str.h"
#include "tools/match/contest.h"
#include "tools/match/standings.h"

typedef enum MatchState {
    MATCH_RUNS,
    MATCH_ENDED,       /* every game was played, or the test has decided */
    MATCH_INTERRUPTED, /* by the user or a fault */
    MATCH_MERGED       /* put together from files of results */
} MatchState;

/* What is known besides contest and standings. Times are seconds since 1970. */
typedef struct MatchMoment {
    MatchState state;
    int64_t start, now; /* start 0: unknown */
    int done_before;    /* games that were taken over from a file of results */
    StrView games;      /* items of a JSON array: the games that have ended, in any order */
    StrView playing;    /* and those of the games in progress */
} MatchMoment;

/* Appends the object. docs/match.md lists its members. */
void matchjson_write(const Contest *contest, const Standings *standings, const MatchMoment *moment,
                     StrBuf *out);

#endif
