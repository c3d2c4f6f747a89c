/* diagram.h: positions drawn as text, as KIF and BOD files have them: a board of kanji, the hands
 * above and below, the side to move. */
#ifndef KMD_KIFU_DIAGRAM_H
#define KMD_KIFU_DIAGRAM_H

#include <stdbool.h>

#include "base/str.h"
#include "rules/setup.h"

/* A diagram being read line by line. Start from DIAGRAM_INIT. */
typedef struct Diagram {
    Setup setup;
    int rank_count; /* ranks read so far; 9 when the board is there */
    bool has_side;  /* a line said whose move it is */
} Diagram;

#define DIAGRAM_INIT ((Diagram){.setup = {.side = BLACK, .ply = 1}})

typedef enum DiagramLine {
    DIAGRAM_OTHER, /* the line is no part of a diagram */
    DIAGRAM_TAKEN,
    DIAGRAM_BAD /* it is, and cannot be read; *reason says why (static storage) */
} DiagramLine;

DiagramLine diagram_read_line(Diagram *diagram, StrView line, const char **reason);

/* Appends the diagram, white's hand first and the side to move last. */
void diagram_write(const Setup *setup, StrBuf *out);

#endif
