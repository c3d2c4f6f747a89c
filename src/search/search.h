/* search.h: what the modules of the search pass on: scores, limits, options, reports, results and
 * root moves. Plain data.
 *
 * Nothing in search/ prints. Worker 0 calls the sink's callbacks, one at a time. Callbacks and
 * hooks must not call the pool or the engine that runs the search. */
#ifndef KMD_SEARCH_SEARCH_H
#define KMD_SEARCH_SEARCH_H

#include "base/base.h"
#include "eval/values.h"
#include "rules/types.h"

/* ---- Scores. ---- */

/* Centipawns (a pawn on the board is 100) from the side to move's point of view. */
typedef int Score;

enum {
    MAX_PLY = 240, /* maximum distance from the root */

    SCORE_DRAW = 0,
    SCORE_EVAL_MAX = EVAL_MAX,               /* the highest static evaluation */
    SCORE_SUPERIOR = 28000,                  /* won, but not by a mate: see gameend_score */
    SCORE_MATE = 32000,                      /* a mate in n plies scores SCORE_MATE - n */
    SCORE_MATE_BOUND = SCORE_MATE - MAX_PLY, /* scores of at least this are mate scores */
    SCORE_INFINITE = 32001,
    SCORE_NONE = 32002 /* no score */
};

/* How a score relates to the true value: upper bound, lower bound or exact. */
typedef enum Bound { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT } Bound;

/* The score of a mate `ply` plies below the root that the side to move gives, or that it
 * suffers. */
static inline Score score_mate_in(int ply) {
    return SCORE_MATE - ply;
}

static inline Score score_mated_in(int ply) {
    return -SCORE_MATE + ply;
}

static inline bool score_is_mate(Score score) {
    return score >= SCORE_MATE_BOUND || score <= -SCORE_MATE_BOUND;
}

/* True for mates and for SCORE_SUPERIOR and its negative: such scores lie beyond every static
 * evaluation and are results, not estimates. */
static inline bool score_is_decided(Score score) {
    return score > SCORE_EVAL_MAX || score < -SCORE_EVAL_MAX;
}

/* The number of plies to the mate of a mate score, negative if the side to move is mated. */
static inline int score_mate_plies(Score score) {
    ASSERT(score_is_mate(score));
    return score > 0 ? SCORE_MATE - score : -SCORE_MATE - score;
}

/* Convert mate scores, which count plies from the root in the tree but from the position itself in
 * the hash table. */
static inline Score score_to_table(Score score, int ply) {
    return score >= SCORE_MATE_BOUND    ? score + ply
           : score <= -SCORE_MATE_BOUND ? score - ply
                                        : score;
}

static inline Score score_from_table(Score score, int ply) {
    return score >= SCORE_MATE_BOUND    ? score - ply
           : score <= -SCORE_MATE_BOUND ? score + ply
                                        : score;
}

/* ---- The limits and options of a search. ---- */

/* The limits of a search, filled in by usi_parse_go or by a caller of the engine and read by
 * engine, pool, stoptimer and root. All times are in milliseconds. If zero-initialised, the search
 * is unlimited and ends by itself only at the maximum depth. */
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

/* The user's time options (engine/options.c), in milliseconds. */
typedef struct TimeOptions {
    int network_delay;            /* usual transmission delay of a move */
    int network_delay2;           /* safety reserve against losing on time */
    int64_t overrun_ms;           /* how late answers of this game were; see stoptimer_overrun */
    int minimum_thinking_time;    /* minimum thinking time, if the clock allows it */
    int slow_mover;               /* percentage of the usual time per move */
    bool round_up_to_full_second; /* the server drops fractions of a second: use whole seconds */
    bool usi_ponder;              /* the engine may ponder */
} TimeOptions;

/* Limited strength: a shallower search, and a random choice among the best moves. */
typedef struct Skill {
    bool is_limited; /* false: full strength; all other members are 0 */
    int depth;       /* maximum depth; 0: no limit */
    uint64_t nodes;  /* 0: no limit */
    int lines;       /* number of best moves to choose from */
    int noise; /* amplitude in centipawns of the random error added to each candidate's score */
} Skill;

/* The options of one search, most of them from the table in engine/options.c. They are copied when
 * the search starts, so the originals may change while it runs. */
typedef struct SearchOptions {
    int multi_pv; /* >= 1 */
    KmdDeclareRule entering_king_rule;
    int max_moves_to_draw;         /* a game with this many moves is drawn; 0: no limit */
    int draw_value[COLOR_NB];      /* value of a draw when the engine plays that colour */
    bool is_analysis;              /* search on even if a declaration wins */
    int resign_value;              /* resign at a score of -resign_value or worse */
    int pv_interval;               /* minimum time between reports in milliseconds */
    bool output_fail_lhpv;         /* also report fail highs and fail lows at the root */
    bool generate_all_legal_moves; /* also search non-promotions of pawn, lance, bishop and rook */
    int depth_limit;               /* 0: none */
    uint64_t nodes_limit;          /* 0: none */
    Skill skill;
    TimeOptions time;
} SearchOptions;

/* ---- Reports and results. ---- */

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

/* A function with which self-play ends a search. It may be NULL. */
typedef struct SearchHooks {
    void *context;
    /* Called by worker 0 after each iteration with the number of nodes that it has searched;
     * returns true to end the search. */
    bool (*ends_after_iteration)(void *context, uint64_t nodes);
} SearchHooks;

/* ---- Root moves. ---- */

/* A sequence of moves. */
typedef struct PvLine {
    int len;
    Move moves[MAX_PLY];
} PvLine;

/* A root move and its results. Each worker has its own list (worker.h). */
typedef struct RootMove {
    Move move;
    Score score;          /* score in this iteration; -SCORE_INFINITE if not searched yet */
    Score previous_score; /* score in the last iteration with one; -SCORE_INFINITE: none */
    Bound bound;          /* bound of `score` */
    Score exact_score;    /* last exact score, of iteration exact_depth; `pv` belongs to it */
    int exact_depth;      /* iteration of exact_score; 0: none, or a later bound has replaced it */
    int seldepth;
    uint64_t nodes; /* nodes searched below this move in this search */
    PvLine pv;      /* begins with the move */
} RootMove;

/* True if the move has a score in this iteration. */
static inline bool rootmove_is_current(const RootMove *root) {
    return root->score != -SCORE_INFINITE;
}

/* The latest score; -SCORE_INFINITE if there is none. */
static inline Score rootmove_score(const RootMove *root) {
    return rootmove_is_current(root) ? root->score : root->previous_score;
}

/* The bound of rootmove_score. */
static inline Bound rootmove_bound(const RootMove *root) {
    return rootmove_is_current(root) ? root->bound : BOUND_EXACT;
}

#endif
