/* sinfo.h: the request and the reports of a search: plain data.
 *
 * Nothing in search/ prints. The callbacks of a sink are called on a thread of the search, one at a
 * time; they may not call back into the pool or engine that runs the search. */
#ifndef KMD_SEARCH_SINFO_H
#define KMD_SEARCH_SINFO_H

#include "rules/types.h"
#include "search/score.h"

/* The request of a search: made by usi_parse or by a caller of the engine, read by timeman
 * and root. All times in milliseconds. Zero-initialised it asks for a search without limit that
 * ends by itself only at the greatest depth. */
typedef struct GoLimits {
    bool has_clock;            /* any of the five times below was given */
    int64_t time_ms[COLOR_NB]; /* main time left */
    int64_t inc_ms[COLOR_NB];  /* added for this move already: usable now is time + inc */
    int64_t byoyomi_ms;        /* usable besides, lost when not used */
    int64_t movetime_ms;       /* answer after so long; 0: not given; comes before the clocks */
    int64_t rtime_ms;          /* think a random time of one to three times this; 0: not given */
    int moves_to_go;           /* moves until the next time control; 0: not given */

    int depth;           /* 0: not given */
    uint64_t nodes;      /* 0: not given */
    uint64_t soft_nodes; /* when they are used up no iteration is begun; 0: not given */

    bool is_infinite; /* answer only after a stop */
    bool is_ponder;   /* answer only after a stop or once the ponder move was played */

    bool is_mate;    /* a mate search */
    int64_t mate_ms; /* its time; 0: until stopped */

    int perft_depth; /* count instead of searching; 0: not given */

    int search_move_count; /* only these moves at the root, and none if none is legal; 0: all */
    Move search_moves[MAX_MOVES];
} GoLimits;

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
    int depth;           /* of the last finished iteration */
    uint64_t nodes;      /* moves made by the search */
    uint64_t mate_nodes; /* of the mate search at the root, not among `nodes` */
    int64_t time_ms;
} SearchResult;

typedef struct SearchSink {
    void *context;
    void (*on_info)(void *context, const SearchInfo *info);             /* may be NULL */
    void (*on_progress)(void *context, const SearchProgress *progress); /* may be NULL */
    void (*on_done)(void *context, const SearchResult *result); /* once per search; may be NULL */
    /* After each static evaluation, on the thread that makes it, with its score for the side to
     * move. The moves of pos->states lead from the root to the position. May be NULL. */
    void (*on_evaluate)(void *context, const struct Position *pos, Score score);
} SearchSink;

#endif
