/* boardsvg.h: draws a position as an SVG picture: board, hands, last move, arrows. Pure functions:
 * safe from every thread. */
#ifndef KMD_WEB_BOARDSVG_H
#define KMD_WEB_BOARDSVG_H

#include "base/str.h"
#include "rules/position.h"

/* What to draw besides the position and the last move. */
typedef struct BoardLook {
    bool is_flipped;  /* draw white at the bottom */
    bool has_letters; /* write P, +R and a to i instead of kanji */
    StrView names[COLOR_NB];
    StrView note;       /* text below the board; default: the side to move */
    const Move *arrows; /* moves (also drops) to draw as arrows */
    int arrow_count;
} BoardLook;

void boardsvg_write(const Position *pos, const BoardLook *look, StrBuf *out);

#endif
