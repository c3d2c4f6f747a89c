/* boardsvg.h: a position as a picture (SVG): board, hands, last move, arrows. Pure functions: safe
 * from every thread. */
#ifndef KMD_KIFU_BOARDSVG_H
#define KMD_KIFU_BOARDSVG_H

#include "base/str.h"
#include "rules/position.h"

/* Further things to draw besides the position and the last move. */
typedef struct BoardLook {
    bool is_flipped;  /* white sits below */
    bool has_letters; /* P, +R, a to i; else kanji */
    StrView names[COLOR_NB];
    StrView note;       /* below the board; the default says who is to move */
    const Move *arrows; /* of the board or drops */
    int arrow_count;
} BoardLook;

void boardsvg_write(const Position *pos, const BoardLook *look, StrBuf *out);

#endif
