/* matchjson.h: the state of a tournament as one JSON object, which is inserted into the page of the
 * option -html.
 *
 * The object contains data but no words to show; the page has those in the reader's language. The
 * functions have no state and only append to a buffer. */
#ifndef KMD_MATCH_MATCHJSON_H
#define KMD_MATCH_MATCHJSON_H

#include <stdint.h>

#include "base/str.h"
#include "match/contest.h"
#include "match/standings.h"

typedef enum MatchState {
    MATCH_RUNS,
    MATCH_ENDED,       /* every game was played, or the test has decided */
    MATCH_INTERRUPTED, /* interrupted by the user or a fault */
    MATCH_MERGED       /* merged from files of results */
} MatchState;

/* Data that the contest and the standings do not contain. Times are in seconds since 1970. */
typedef struct MatchMoment {
    MatchState state;
    int64_t start, now; /* start 0: unknown */
    int done_before;    /* number of games read from a file of results */
    StrView games;      /* items of a JSON array: the games that have ended, in any order */
    StrView playing;    /* items of a JSON array: the games in progress */
} MatchMoment;

/* Appends the object. docs/match.md lists its members. */
void matchjson_write(const Contest *contest, const Standings *standings, const MatchMoment *moment,
                     StrBuf *out);

#endif
