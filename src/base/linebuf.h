/* linebuf.h: splits bytes that arrive in pieces, from a file, a pipe or a child process, into
 * lines.
 *
 * A LineBuf belongs to one thread at a time. A LineBuf reads no input itself: its owner adds bytes
 * and takes lines. */
#ifndef KMD_BASE_LINEBUF_H
#define KMD_BASE_LINEBUF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

typedef struct LineBuf {
    size_t most; /* longer lines are cut to this length, so that memory is bounded; 0: no limit */
    bool ends_at_cr;  /* a CR alone also ends a line */
    bool is_cut;      /* the line returned last was longer than `most` */
    bool had_crlf;    /* the line returned last ended in CR LF */
    bool skips_rest;  /* the rest of a line that was cut is being skipped */
    bool is_after_cr; /* an LF that follows belongs to the previous line */
    StrBuf bytes;     /* received and not yet dropped */
    size_t next;      /* index in `bytes` of the start of the next line */
    size_t scanned;   /* no line ends between `next` and here */
} LineBuf;

void linebuf_free(LineBuf *buf);

/* Returns room for `len` more bytes, valid until the next call. After writing to it, pass the
 * number of bytes written to linebuf_filled. */
char *linebuf_room(LineBuf *buf, size_t len);
void linebuf_filled(LineBuf *buf, size_t len);

/* True if linebuf_next can return a line: a complete line, or one that is too long and will be
 * cut. */
bool linebuf_has_line(LineBuf *buf);

/* Returns the next line without its LF or CR LF. The line is valid until the next call of
 * linebuf_room. */
bool linebuf_next(LineBuf *buf, StrView *line);

/* Call it after the last byte has been added. Returns the last line if it lacks an LF, or false if
 * nothing is left. */
bool linebuf_last(LineBuf *buf, StrView *line);

#endif
