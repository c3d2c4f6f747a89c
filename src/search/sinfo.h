/* sinfo.h: what a search tells: plain data, handed to callbacks.
 *
 * Nothing in search/ prints. The callbacks of a sink are called on a thread of the search, one at a
 * time; they may not call back into the pool or engine that runs the search. */
#ifndef KMD_SEARCH_SINFO_H
#define KMD_SEARCH_SINFO_H

#include "rules/types.h"
#include "search/score.h"

/* One line of a search's results. */
typedef struct SearchInfo {
    int depth;
    int seldepth;
    int rank;       /* of this line, from 1 */
    int line_count; /* how many lines there are */
    Score score;    /* side to move's view; SCORE_NONE: not known (books only) */
    Bound bound;    /* what the score says of the true value */
    uint64_t nodes;
    int64_t time_ms; /* since the search started */
    int hashfull;    /* per mille of the table used by this search */
    const Move *pv;  /* legal moves from the root on; valid during the call */
    int pv_len;
    const char *remark; /* one word about where the line is from; NULL: the search */
} SearchInfo;

/* A sign of life while there is no news of a line. */
typedef struct SearchProgress {
    int depth; /* of the iteration that runs */
    uint64_t nodes;
    int64_t time_ms; /* since the search started */
    int hashfull;    /* as in SearchInfo */
} SearchProgress;

/* The answer to a search. */
typedef struct SearchResult {
    Move best;   /* legal, or MOVE_RESIGN, or MOVE_WIN */
    Move ponder; /* legal after best; MOVE_NONE when unknown, or when best ends the game */
    Score score;
    int depth; /* of the last finished iteration */
    uint64_t nodes;
    int64_t time_ms;
} SearchResult;

typedef struct SearchSink {
    void *context;
    void (*on_info)(void *context, const SearchInfo *info);             /* may be NULL */
    void (*on_progress)(void *context, const SearchProgress *progress); /* may be NULL */
    void (*on_done)(void *context, const SearchResult *result); /* once per search; may be NULL */
} SearchSink;

#endif
