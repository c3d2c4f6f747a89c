/* linebuf.c: keeps received bytes in one buffer and remembers how far it has been searched for a
 * line end, so that no byte is searched twice. */
#include "base/linebuf.h"

#include <string.h>

void linebuf_free(LineBuf *buf) {
    strbuf_free(&buf->bytes);
}

char *linebuf_room(LineBuf *buf, size_t len) {
    StrBuf *bytes = &buf->bytes;
    if (buf->next > 0) {
        memmove(bytes->ptr, bytes->ptr + buf->next, bytes->len - buf->next);
        bytes->len -= buf->next;
        buf->scanned -= buf->next;
        buf->next = 0;
    }
    strbuf_reserve(bytes, len);
    return bytes->ptr + bytes->len;
}

void linebuf_filled(LineBuf *buf, size_t len) {
    buf->bytes.len += len;
    buf->bytes.ptr[buf->bytes.len] = '\0';
}

static size_t find_end(const LineBuf *buf, StrView text) {
    size_t end = sv_find_byte(text, '\n');
    return buf->ends_at_cr ? sv_find_byte(sv_prefix(text, end), '\r') : end;
}

/* Sets `scanned` to the next line end, or to the end of the data, and discards the rest of a line
 * that was cut. Returns true if it found a line end. */
static bool scan(LineBuf *buf) {
    for (;;) {
        StrView unscanned = sv_skip(strbuf_view(&buf->bytes), buf->scanned);
        if (buf->is_after_cr && unscanned.len > 0) {
            buf->is_after_cr = false;
            buf->scanned += unscanned.ptr[0] == '\n';
            buf->next = buf->scanned;
            continue;
        }
        size_t end = find_end(buf, unscanned);
        bool is_whole = end < unscanned.len;
        buf->scanned += end;
        if (!buf->skips_rest) {
            return is_whole;
        }
        buf->skips_rest = !is_whole;
        buf->is_after_cr = is_whole && unscanned.ptr[end] == '\r';
        buf->scanned += is_whole;
        buf->next = buf->scanned;
        if (!is_whole) {
            return false;
        }
    }
}

static bool is_too_long(const LineBuf *buf) {
    return buf->most > 0 && buf->scanned - buf->next > buf->most;
}

bool linebuf_has_line(LineBuf *buf) {
    return scan(buf) || is_too_long(buf);
}

bool linebuf_next(LineBuf *buf, StrView *line) {
    bool is_whole = scan(buf);
    StrView unread = sv_skip(strbuf_view(&buf->bytes), buf->next);
    *line = sv_prefix(unread, buf->scanned - buf->next);
    buf->is_cut = is_too_long(buf);
    if (buf->is_cut) {
        *line = sv_prefix(unread, buf->most);
        buf->skips_rest = true;
    } else if (is_whole) {
        buf->is_after_cr = unread.ptr[line->len] == '\r';
        buf->had_crlf = line->len > 0 && line->ptr[line->len - 1] == '\r';
        line->len -= buf->had_crlf;
        buf->scanned++;
    } else {
        return false;
    }
    buf->next = buf->scanned;
    return true;
}

bool linebuf_last(LineBuf *buf, StrView *line) {
    *line = sv_skip(strbuf_view(&buf->bytes), buf->next);
    buf->scanned = buf->next = buf->bytes.len;
    return line->len > 0;
}
