/* sinfo.h: search limits, reports, results and hooks. Plain data.
 *
 * Nothing in search/ prints. Worker 0 calls the sink's callbacks, one at a time. Callbacks and
 * hooks must not call the pool or the engine that runs the search. */
#ifndef KMD_SEARCH_SINFO_H
#define KMD_SEARCH_SINFO_H

#include "rules/types.h"
#include "search/score.h"

/* The limits of a search, filled in by usi_parse_go or by a caller of the engine and read by
 * engine, pool, timeman and root. All times are in milliseconds. If zero-initialised, the search is
 * unlimited and ends by itself only at the maximum depth. */
typedef struct GoLimits {
    bool has_clock;            /* at least one of the time fields up to byoyomi_ms was given */
    int64_t time_ms[COLOR_NB]; /* remaining main time */
    int64_t inc_ms[COLOR_NB];  /* increment, already granted: time + inc is available now */
    int64_t byoyomi_ms;        /* available in addition for each move; not carried over if unused */
    int64_t movetime_ms;       /* answer after this time; 0: not given; overrides the clocks */
    int64_t rtime_ms; /* think for a random time between this and three times this; 0: not given */
    int moves_to_go;  /* moves until the next time control; 0: not given */

    int depth;      /* 0: not given */
    uint64_t nodes; /* 0: not given */

    bool is_infinite; /* answer only after a stop */
    bool is_ponder;   /* answer only after a stop or a ponderhit; a mate search ignores it */

    bool is_mate;    /* a mate search */
    int64_t mate_ms; /* time for the mate search; 0: until stopped */

    int perft_depth; /* run perft instead of a search; 0: not given */

    int search_move_count; /* number of search_moves; 0: search all moves. If none of them is legal,
                              nothing is searched */
    Move search_moves[MAX_MOVES];
} GoLimits;

/* One line of a search's results. */
typedef struct SearchInfo {
    int depth;
    int seldepth;
    int rank;       /* rank of this line, from 1 */
    int line_count; /* number of lines */
    Score score;    /* score for the side to move; SCORE_NONE: unknown (from books) */
    Bound bound;    /* whether the score is exact or a bound */
    uint64_t nodes;
    int64_t time_ms; /* time since the search started */
    int hashfull;    /* how much of the hash table this search has filled, in per mille */
    const Move *pv;  /* legal moves from the root; valid during the call */
    int pv_len;
    const char *remark; /* says something about all lines, such as that they come from a book; NULL:
                           nothing */
} SearchInfo;

/* A progress report, sent when there is no new line. */
typedef struct SearchProgress {
    int depth; /* depth of the current iteration */
    uint64_t nodes;
    int64_t time_ms; /* time since the search started */
    int hashfull;    /* as in SearchInfo */
} SearchProgress;

/* The answer to a search. */
typedef struct SearchResult {
    Move best;   /* legal move, MOVE_RESIGN or MOVE_WIN */
    Move ponder; /* legal after best; MOVE_NONE when unknown, or when best ends the game */
    Score score;
    int depth;           /* depth of the last finished iteration */
    uint64_t nodes;      /* moves made in the search */
    uint64_t mate_nodes; /* nodes of the root mate search, not included in `nodes` */
    int64_t time_ms;
} SearchResult;

typedef struct SearchSink {
    void *context;
    void (*on_info)(void *context, const SearchInfo *info);             /* may be NULL */
    void (*on_progress)(void *context, const SearchProgress *progress); /* may be NULL */
    void (*on_done)(void *context,
                    const SearchResult *result); /* called once per search; may be NULL */
} SearchSink;

/* Functions with which self-play changes a search. Each may be NULL. */
typedef struct SearchHooks {
    void *context;
    /* Called for each static evaluation, on the thread that made it, with the score for the side to
     * move; returns the score to use. The moves in pos->states lead from the root to the
     * position. */
    Score (*evaluate)(void *context, const struct Position *pos, Score score);
    /* Called by worker 0 after each iteration with the number of nodes that it has searched;
     * returns true to end the search. */
    bool (*ends_after_iteration)(void *context, uint64_t nodes);
} SearchHooks;

#endif
