/* inbox.h: bytes that come in pieces, given out as lines: the receiving half of base/proc.
 *
 * An Inbox belongs to one thread. */
#ifndef KMD_BASE_INBOX_H
#define KMD_BASE_INBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "base/str.h"

/* Zero-initialise it; free it with inbox_free. */
typedef struct Inbox {
    StrBuf bytes;     /* what has come, from `next` on not given out */
    size_t next;      /* start of the next line */
    size_t scanned;   /* no LF between `next` and here */
    bool is_overlong; /* inside a line that is thrown away */
} Inbox;

void inbox_free(Inbox *inbox);

/* Room for `len` further bytes, until the next call; inbox_filled says how many were put there.
 * A line that has more than `line_max` bytes so far is thrown away. */
char *inbox_room(Inbox *inbox, size_t len, size_t line_max) MUST_CHECK;
void inbox_filled(Inbox *inbox, size_t len);

/* Is a whole line waiting? */
bool inbox_has_line(Inbox *inbox);

/* The next whole line, without its LF or CR LF, valid until the next call of inbox_room. */
bool inbox_next_line(Inbox *inbox, StrView *line);

#endif
