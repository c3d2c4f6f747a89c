/* diagram.h: positions drawn as text, as in KIF and BOD files: a board of kanji, the hands above
 * and below, and the side to move. */
#ifndef KMD_RECORD_DIAGRAM_H
#define KMD_RECORD_DIAGRAM_H

#include <stdbool.h>

#include "base/str.h"
#include "rules/setup.h"

/* The line that shows the side to move, the most reliable last: ShogiLib writes 下手番 even if 上手
 * is to move. */
typedef enum SideSource {
    SIDE_UNKNOWN,
    SIDE_OF_HANDICAP, /* 下手番 or 上手番 */
    SIDE_AFTER_MOVE,  /* the mark of the last move */
    SIDE_NAMED        /* 先手番 or 後手番 */
} SideSource;

/* A diagram that is being read line by line. Initialise it with DIAGRAM_INIT. */
typedef struct Diagram {
    Setup setup;
    int rank_count; /* number of ranks read; 9 when the board is complete */
    SideSource side_source;
    bool is_at_odds; /* two lines name different sides to move */
    bool has_rest;   /* a hand was given as 残り (全部): all pieces that are nowhere else */
    Color rest;      /* the side with this hand */
} Diagram;

#define DIAGRAM_INIT ((Diagram){.setup = {.side = BLACK, .ply = 1}})

typedef enum DiagramLine {
    DIAGRAM_OTHER, /* the line is not part of a diagram */
    DIAGRAM_TAKEN,
    DIAGRAM_BAD /* the line is part of a diagram but cannot be read; the reason is in *reason
                   (static storage) */
} DiagramLine;

DiagramLine diagram_read_line(Diagram *diagram, StrView line, const char **reason);

/* The position of a diagram whose lines have all been read. */
Setup diagram_setup(const Diagram *diagram);

/* Appends the diagram. White's hand comes first, the side to move last. */
void diagram_write(const Setup *setup, StrBuf *out);

#endif
