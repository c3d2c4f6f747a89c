/* livelines.c: erases and redraws lines with the escape codes of terminals. */
#include "base/livelines.h"

#include "base/utf8.h"

/* Erases the lines and leaves the cursor where they began. */
static void append_erase(const StrBuf *shown, StrBuf *out) {
    int lines = 0;
    for (size_t i = 0; i < shown->len; i++) {
        lines += shown->ptr[i] == '\n';
    }
    if (lines > 0) {
        strbuf_addf(out, "\033[%dA\033[J", lines);
    }
}

static void write_text(FILE *file, StrView text) {
    fwrite(text.len > 0 ? text.ptr : "", 1, text.len, file);
    fflush(file);
}

void livelines_draw(LiveLines *lines, StrView text) {
    StrBuf out = STRBUF_INIT;
    if (!sv_equal(text, strbuf_view(&lines->shown))) {
        append_erase(&lines->shown, &out);
        strbuf_add(&out, text);
        write_text(lines->stream, strbuf_view(&out));
        strbuf_clear(&lines->shown);
        strbuf_add(&lines->shown, text);
    }
    strbuf_free(&out);
}

void livelines_print(LiveLines *lines, FILE *file, StrView text) {
    StrBuf out = STRBUF_INIT;
    append_erase(&lines->shown, &out);
    write_text(lines->stream, strbuf_view(&out));
    write_text(file, text);
    write_text(lines->stream, strbuf_view(&lines->shown));
    strbuf_free(&out);
}

void livelines_end(LiveLines *lines) {
    livelines_draw(lines, SV(""));
    strbuf_free(&lines->shown);
}

void livelines_append_padded(StrView text, int width, StrBuf *out) {
    int columns = 0;
    while (text.len > 0) {
        StrView rest = text;
        uint32_t character = utf8_take(&rest);
        int more = utf8_columns(sv_prefix(text, text.len - rest.len));
        if (columns + more > width) {
            break;
        }
        utf8_append(out, character);
        columns += more;
        text = rest;
    }
    for (; columns < width; columns++) {
        strbuf_add_byte(out, ' ');
    }
}

void livelines_append_span(int64_t seconds, StrBuf *out) {
    if (seconds >= 3600) {
        strbuf_addf(out, "%lld:%02d", (long long)(seconds / 3600), (int)(seconds / 60 % 60));
    } else {
        strbuf_addf(out, "%d", (int)(seconds / 60));
    }
    strbuf_addf(out, ":%02d", (int)(seconds % 60));
}
