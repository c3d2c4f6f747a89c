/* livelines.h: lines at the bottom of a terminal that are redrawn in place, below all other output.
 *
 * Only one thread at a time may use it. */
#ifndef KMD_BASE_LIVELINES_H
#define KMD_BASE_LIVELINES_H

#include <stdbool.h>
#include <stdio.h>

#include "base/str.h"

typedef struct LiveLines {
    FILE *stream;
    bool is_live;    /* the stream is a terminal that understands escape codes */
    bool has_styles; /* bold and faint text is allowed */
    StrBuf shown;    /* the lines as the terminal shows them */
} LiveLines;

/* `term` and `no_color` are the environment variables TERM and NO_COLOR, which turns styles off.
 * Free with livelines_end. */
void livelines_begin(LiveLines *lines, FILE *stream, const char *term, const char *no_color);

/* The lines while they are composed, for a terminal of `columns`. */
typedef struct LiveScreen {
    int columns;
    int room; /* number of lines that still fit */
    bool has_styles;
    StrBuf line; /* the next line */
    StrBuf text; /* the lines so far */
} LiveScreen;

/* The smallest terminal that views fit; on a smaller one, lines are too long. */
enum { LIVE_COLUMNS_MIN = 40, LIVE_ROWS_MIN = 10 };

typedef enum LiveStyle { LIVE_PLAIN, LIVE_BOLD, LIVE_FAINT } LiveStyle;

/* Begins a screen for a terminal of this size, one line of which stays free. Free with
 * livelines_free_screen. */
LiveScreen livelines_screen(int columns, int rows, bool has_styles);
void livelines_free_screen(LiveScreen *screen);

/* Adds screen->line, cut at the edge of the terminal and without control characters, if there is
 * room for it. */
void livelines_end_line(LiveScreen *screen, LiveStyle style);

/* Replaces the lines by those of the screen. Writes nothing if they are the same. */
void livelines_draw(LiveLines *lines, const LiveScreen *screen);

/* Prints text above the lines, to `file`, which may be the same terminal. */
void livelines_print(LiveLines *lines, FILE *file, StrView text);

/* Erases the lines and frees them. From now on the stream gets no others. */
void livelines_end(LiveLines *lines);

/* Appends text, cut or padded with spaces to a width in columns. */
void livelines_append_padded(StrView text, int width, StrBuf *out);

/* Appends a time such as "1:02:03" or "2:03". */
void livelines_append_span(int64_t seconds, StrBuf *out);

#endif
