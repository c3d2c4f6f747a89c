/* gameview.c: fills the page template with a game and the shared styles and scripts. */
#include "web/gameview.h"

#include "base/base.h"
#include "web/page.h"

EMBED_FILE(gameview_html, "src/web/gameview.html");
EMBED_FILE(gameview_css, "src/web/gameview.css");
EMBED_FILE(gameview_js, "src/web/gameview.js");

void gameview_append_template(StrBuf *out) {
    const PagePart parts[] = {
        {"COLORS", page_style()}, {"STYLE", PAGE_EMBEDDED(gameview_css)}, {"PAGE", page_script()},
        {"SHOGI", page_shogi()},  {"SCRIPT", PAGE_EMBEDDED(gameview_js)},
    };
    page_fill(PAGE_EMBEDDED(gameview_html), parts, COUNTOF(parts), out);
}

void gameview_write(StrView json, StrView record, StrView pictures, StrBuf *out) {
    StrBuf template = STRBUF_INIT, data = STRBUF_INIT;
    gameview_append_template(&template);
    page_append_json(json, &data);
    const PagePart parts[] = {
        {"PICTURES", pictures}, {"RECORD", record}, {"DATA", strbuf_view(&data)}};
    page_fill(strbuf_view(&template), parts, COUNTOF(parts), out);
    strbuf_free(&template);
    strbuf_free(&data);
}
