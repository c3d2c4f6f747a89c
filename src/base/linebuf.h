/* linebuf.h: splits bytes that arrive in pieces, from a file, a pipe or a child process, into
 * lines.
 *
 * A LineBuf belongs to one thread at a time and reads nothing itself: its owner puts bytes in and
 * takes lines out. */
#ifndef KMD_BASE_LINEBUF_H
#define KMD_BASE_LINEBUF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

typedef struct LineBuf {
    size_t most;      /* a longer line is cut there, so that memory is bounded; 0: no limit */
    bool ends_at_cr;  /* a CR alone ends a line, too */
    bool is_cut;      /* the line given out last was longer than `most` */
    bool had_crlf;    /* and ended in CR LF */
    bool skips_rest;  /* of a line that was cut */
    bool is_after_cr; /* a LF that comes now belongs to the line before */
    StrBuf bytes;     /* received and not yet dropped */
    size_t next;      /* index in `bytes` of the start of the next line */
    size_t scanned;   /* no line ends between `next` and here */
} LineBuf;

void linebuf_free(LineBuf *buf);

/* Room for `len` further bytes, until the next call; linebuf_filled says how many were put there.
 */
char *linebuf_room(LineBuf *buf, size_t len);
void linebuf_filled(LineBuf *buf, size_t len);

/* True if a complete line is waiting, or one that must be cut. */
bool linebuf_has_line(LineBuf *buf);

/* The next such line, without its LF or CR LF, valid until the next call of linebuf_room. */
bool linebuf_next(LineBuf *buf, StrView *line);

/* After the last byte: the rest, a last line without LF; false if there is none. */
bool linebuf_last(LineBuf *buf, StrView *line);

#endif
