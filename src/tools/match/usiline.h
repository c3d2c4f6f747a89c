/* usiline.h: what the lines say that engines send. Pure functions on text. */
#ifndef KMD_MATCH_USILINE_H
#define KMD_MATCH_USILINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Scores of mates lie this far out; farther ones are nearer mates. */
enum { USI_SCORE_MATE = 100000 };

/* The latest that an engine said about its search. */
typedef struct UsiInfo {
    bool has_score;
    bool is_bound;  /* the score is only a lower or upper bound */
    int score;      /* centipawns for the engine, cut off at +-USI_SCORE_MATE; mates beyond it */
    int depth;      /* 0: not told */
    uint64_t nodes; /* 0: not told; at most INT64_MAX */
} UsiInfo;

/* Takes over what the line says; `text` is what follows "info". A bound does not replace an exact
 * score of the same depth, and lines other than the first of several (multipv) are not used. True
 * when its score was taken and there is a line of moves, which is in *pv. */
bool usiline_read_info(StrView text, UsiInfo *info, StrView *pv);

typedef struct UsiBestmove {
    StrView move;   /* empty when missing */
    StrView ponder; /* likewise */
} UsiBestmove;

/* `text` is what follows "bestmove". */
UsiBestmove usiline_read_bestmove(StrView text);

/* True when the line is "info string ..." with the word error, errors or so in it, in whatever
 * case: no standard says how engines complain, but most do it in this way. */
bool usiline_is_complaint(StrView line);

/* The name in an "option name NAME type ..." line; `text` is what follows "option". Empty when the
 * line is not of that form. */
StrView usiline_option_name(StrView text);

#endif
