/* livelines.c: erases and redraws lines with the escape codes of terminals. */
#include "base/livelines.h"

#include "base/terminal.h"
#include "base/utf8.h"

void livelines_begin(LiveLines *lines, FILE *stream, const char *term, const char *no_color) {
    *lines = (LiveLines){.stream = stream,
                         .is_live = terminal_has_codes(fileno(stream), term),
                         .has_styles = no_color == NULL || no_color[0] == '\0'};
}

/* ---- Screens. ---- */

LiveScreen livelines_screen(int columns, int rows, bool has_styles) {
    return (LiveScreen){.columns = int_max(columns, LIVE_COLUMNS_MIN),
                        .room = int_max(rows, LIVE_ROWS_MIN) - 1,
                        .has_styles = has_styles};
}

void livelines_free_screen(LiveScreen *screen) {
    strbuf_free(&screen->line);
    strbuf_free(&screen->text);
}

void livelines_end_line(LiveScreen *screen, LiveStyle style) {
    static const char *const codes[] = {
        [LIVE_PLAIN] = "", [LIVE_BOLD] = "\033[1m", [LIVE_FAINT] = "\033[2m"};
    bool has_style = screen->has_styles && style != LIVE_PLAIN;
    StrView line = strbuf_view(&screen->line);
    for (size_t i = 0; i < line.len; i++) {
        bool is_control = (unsigned char)line.ptr[i] < ' ' || line.ptr[i] == 0x7f;
        screen->line.ptr[i] = is_control ? '?' : line.ptr[i];
    }
    if (screen->room > 0) {
        strbuf_add_str(&screen->text, has_style ? codes[style] : "");
        livelines_append_padded(line, int_min(utf8_columns(line), screen->columns - 1),
                                &screen->text);
        strbuf_add_str(&screen->text, has_style ? "\033[0m" : "");
        strbuf_add_byte(&screen->text, '\n');
        screen->room--;
    }
    strbuf_clear(&screen->line);
}

/* ---- Drawing. ---- */

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

static void draw_text(LiveLines *lines, StrView text) {
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

void livelines_draw(LiveLines *lines, const LiveScreen *screen) {
    draw_text(lines, strbuf_view(&screen->text));
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
    draw_text(lines, SV(""));
    strbuf_free(&lines->shown);
    lines->is_live = false;
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
