/* usiline.h: parses the lines that engines send. Pure functions on text. */
#ifndef KMD_PLAY_USILINE_H
#define KMD_PLAY_USILINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* The absolute score of a mate is at least this; nearer mates have higher scores. */
enum { USI_SCORE_MATE = 100000 };

/* The latest information about a search. */
typedef struct UsiInfo {
    bool has_score;
    bool is_bound;  /* the score is only a lower or upper bound */
    int score;      /* centipawns from the engine's point of view, within +-USI_SCORE_MATE; the
                       scores of mates are outside */
    int depth;      /* 0: not reported */
    uint64_t nodes; /* 0: not reported; at most INT64_MAX */
} UsiInfo;

/* Reads an info line; `text` follows the word "info". A bound does not replace an exact score of
 * the same depth, and of several lines (multipv) only the first is used. Returns true if the score
 * was used and the info line has a line of moves, which is then in *pv. */
bool usiline_read_info(StrView text, UsiInfo *info, StrView *pv);

/* Reads a bestmove line; `text` follows the word "bestmove". What is missing is empty. */
void usiline_read_bestmove(StrView text, StrView *move, StrView *ponder);

/* True if the line is "info string ..." with the word error, errors or the like, in upper or lower
 * case. No standard says how engines report errors, but most do it this way. */
bool usiline_is_complaint(StrView line);

/* The name in an "option name NAME type ..." line; `text` follows the word "option". Empty if the
 * line has another form. */
StrView usiline_option_name(StrView text);

#endif
