/* usiline.h: parses the lines that engines send. Pure functions on text. */
#ifndef KMD_MATCH_USILINE_H
#define KMD_MATCH_USILINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* The score of a mate is at least this; nearer mates have higher scores. */
enum { USI_SCORE_MATE = 100000 };

/* The latest information about a search. */
typedef struct UsiInfo {
    bool has_score;
    bool is_bound;  /* the score is only a lower or upper bound */
    int score;      /* centipawns for the engine, limited to +-USI_SCORE_MATE; mates are beyond */
    int depth;      /* 0: not told */
    uint64_t nodes; /* 0: not reported; at most INT64_MAX */
} UsiInfo;

/* Takes what an info line reports; `text` follows the word "info". A bound does not replace an
 * exact score of the same depth, and of several lines (multipv) only the first is used. Returns
 * true if its score was taken and it has a line of moves, which is in *pv. */
bool usiline_read_info(StrView text, UsiInfo *info, StrView *pv);

typedef struct UsiBestmove {
    StrView move;   /* empty when missing */
    StrView ponder; /* likewise */
} UsiBestmove;

/* `text` follows the word "bestmove". */
UsiBestmove usiline_read_bestmove(StrView text);

/* True if the line is "info string ..." with the word error, errors or the like, in upper or lower
 * case. No standard says how engines report errors, but most do it this way. */
bool usiline_is_complaint(StrView line);

/* The name in an "option name NAME type ..." line; `text` follows the word "option". Empty if the
 * line has another form. */
StrView usiline_option_name(StrView text);

#endif
