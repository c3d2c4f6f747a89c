#include "base/proc.h"

#include <string.h>

void inbox_free(Inbox *inbox) {
    strbuf_free(&inbox->bytes);
}

/* Drops what has been given out, so that no more than one unfinished line is held. */
static void compact(Inbox *inbox, size_t line_max) {
    size_t rest = inbox->bytes.len - inbox->next;
    if (inbox->next > 0 && rest > 0) {
        memmove(inbox->bytes.ptr, inbox->bytes.ptr + inbox->next, rest);
    }
    inbox->bytes.len = rest;
    inbox->scanned -= inbox->next;
    inbox->next = 0;
    if (rest > line_max) {
        inbox->is_overlong = true;
        inbox->bytes.len = 0;
        inbox->scanned = 0;
    }
}

char *inbox_room(Inbox *inbox, size_t len, size_t line_max) {
    compact(inbox, line_max);
    strbuf_reserve(&inbox->bytes, len);
    return inbox->bytes.ptr + inbox->bytes.len;
}

void inbox_filled(Inbox *inbox, size_t len) {
    inbox->bytes.len += len;
    inbox->bytes.ptr[inbox->bytes.len] = '\0';
}

/* Sets `scanned` to the next LF, if there is one. */
bool inbox_has_line(Inbox *inbox) {
    size_t len = inbox->bytes.len;
    if (inbox->scanned < len) {
        const char *lf = memchr(inbox->bytes.ptr + inbox->scanned, '\n', len - inbox->scanned);
        inbox->scanned = lf != NULL ? (size_t)(lf - inbox->bytes.ptr) : len;
    }
    return inbox->scanned < len;
}

bool inbox_next_line(Inbox *inbox, StrView *line) {
    while (inbox_has_line(inbox)) {
        *line = (StrView){inbox->bytes.ptr + inbox->next, inbox->scanned - inbox->next};
        if (line->len > 0 && line->ptr[line->len - 1] == '\r') {
            line->len--;
        }
        inbox->scanned++;
        inbox->next = inbox->scanned;
        if (!inbox->is_overlong) {
            return true;
        }
        inbox->is_overlong = false;
    }
    return false;
}
