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
    size_t most; /* longer lines are cut to this length, so that memory is bounded; 0: no limit */
    bool ends_at_cr;  /* a CR alone also ends a line */
    bool is_cut;      /* the line returned last was longer than `most` */
    bool had_crlf;    /* it ended in CR LF */
    bool skips_rest;  /* of a line that was cut */
    bool is_after_cr; /* an LF that comes now belongs to the previous line */
    StrBuf bytes;     /* received and not yet dropped */
    size_t next;      /* index in `bytes` of the start of the next line */
    size_t scanned;   /* no line ends between `next` and here */
} LineBuf;

void linebuf_free(LineBuf *buf);

/* Room for `len` further bytes, until the next call; linebuf_filled then reports how many were
 * added. */
char *linebuf_room(LineBuf *buf, size_t len);
void linebuf_filled(LineBuf *buf, size_t len);

/* True if a complete line is waiting, or one that must be cut. */
bool linebuf_has_line(LineBuf *buf);

/* The next such line, without its LF or CR LF; valid until the next call of linebuf_room. */
bool linebuf_next(LineBuf *buf, StrView *line);

/* After the last byte: the rest, if the last line has no LF; false if nothing is left. */
bool linebuf_last(LineBuf *buf, StrView *line);

#endif
