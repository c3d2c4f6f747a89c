/* page.c: puts style, script, data and text into the template. */
#include "web/page.h"

#include "base/base.h"
#include "web/chart.h"

EMBED_FILE(page_html, "src/web/page.html");
EMBED_FILE(style_css, "src/web/style.css");
EMBED_FILE(words_js, "src/web/words.js");
EMBED_FILE(kit_js, "src/web/kit.js");
EMBED_FILE(board_js, "src/web/board.js");
EMBED_FILE(game_js, "src/web/game.js");
EMBED_FILE(match_js, "src/web/match.js");

#define EMBEDDED(name) ((StrView){(const char *)(name), (size_t)(name##_end - (name))})

/* Appends JSON without any "<". It occurs only in strings, in which it can be written as an escape.
 */
static void append_json(StrView json, StrBuf *out) {
    while (json.len > 0) {
        size_t at = sv_find_byte(json, '<');
        strbuf_add(out, sv_prefix(json, at));
        strbuf_add_str(out, at < json.len ? "\\u003c" : "");
        json = sv_skip(json, at + (at < json.len));
    }
}

static void append_plain(StrView text, StrBuf *out) {
    StrView line;
    while (sv_next_line(&text, &line)) {
        chart_escape(line, out);
        strbuf_add_byte(out, '\n');
    }
}

void page_write(PageKind kind, StrView json, StrView plain, StrBuf *out) {
    static const struct {
        const char *name, *start;
    } kinds[] = {[PAGE_GAME] = {"The page of a game", "startGamePage"},
                 [PAGE_MATCH] = {"The page of a tournament", "startMatchPage"}};
    const StrView scripts[] = {EMBEDDED(words_js), EMBEDDED(kit_js), EMBEDDED(board_js),
                               EMBEDDED(game_js), EMBEDDED(match_js)};
    StrBuf script = STRBUF_INIT, data = STRBUF_INIT, text = STRBUF_INIT;
    for (size_t i = 0; i < COUNTOF(scripts); i++) {
        strbuf_add(&script, scripts[i]);
    }
    strbuf_addf(&script, "%s();\n", kinds[kind].start);
    append_json(json, &data);
    append_plain(plain, &text);
    const struct {
        StrView place, text;
    } parts[] = {{SV("@NAME@"), sv_from(kinds[kind].name)},
                 {SV("@STYLE@"), EMBEDDED(style_css)},
                 {SV("@PLAIN@"), strbuf_view(&text)},
                 {SV("@DATA@"), strbuf_view(&data)},
                 {SV("@SCRIPT@"), strbuf_view(&script)}};
    StrView rest = EMBEDDED(page_html);
    for (size_t i = 0; i < COUNTOF(parts); i++) { /* in the order of the template */
        size_t at = sv_find(rest, parts[i].place);
        ASSERT(at < rest.len);
        strbuf_add(out, sv_prefix(rest, at));
        strbuf_add(out, parts[i].text);
        rest = sv_skip(rest, at + parts[i].place.len);
    }
    strbuf_add(out, rest);
    strbuf_free(&script);
    strbuf_free(&data);
    strbuf_free(&text);
}
