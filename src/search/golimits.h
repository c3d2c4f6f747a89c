/* golimits.h: what a search is asked to do, as plain data. Made by usi_parse or by a caller of the
 * engine, read by timeman and root. */
#ifndef KMD_SEARCH_GOLIMITS_H
#define KMD_SEARCH_GOLIMITS_H

#include "rules/types.h"

/* All times in milliseconds. Zero-initialised it asks for a search without limit that ends by
 * itself only at the greatest depth. */
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
    uint64_t soft_nodes; /* after so many no iteration is begun; 0: not given */

    bool is_infinite; /* answer only after a stop */
    bool is_ponder;   /* answer only after a stop or once the ponder move was played */

    bool is_mate;    /* a mate search */
    int64_t mate_ms; /* its time; 0: until stopped */

    int perft_depth; /* count instead of searching; 0: not given */

    int search_move_count; /* only these moves at the root, and none if none is legal; 0: all */
    Move search_moves[MAX_MOVES];
} GoLimits;

#endif
