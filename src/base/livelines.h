/* livelines.h: lines at the bottom of a terminal that are redrawn in place, below all other output.
 *
 * Only one thread at a time may use it. */
#ifndef KMD_BASE_LIVELINES_H
#define KMD_BASE_LIVELINES_H

#include <stdbool.h>
#include <stdio.h>

#include "base/str.h"

/* Zero-initialise all but `stream`; livelines_end frees it. */
typedef struct LiveLines {
    FILE *stream; /* a terminal that understands escape codes, if anything is drawn */
    StrBuf shown; /* the lines as the terminal shows them */
} LiveLines;

/* Replaces the lines by `text`, whose lines all end with a line end and are narrower than the
 * terminal. Writes nothing if they are the same. */
void livelines_draw(LiveLines *lines, StrView text);

/* Prints text above the lines, to `file`, which may be the same terminal. */
void livelines_print(LiveLines *lines, FILE *file, StrView text);

/* Erases the lines and frees them. */
void livelines_end(LiveLines *lines);

/* Appends text, cut or padded with spaces to a width in columns. */
void livelines_append_padded(StrView text, int width, StrBuf *out);

/* Appends a time such as "1:02:03" or "2:03". */
void livelines_append_span(int64_t seconds, StrBuf *out);

#endif
