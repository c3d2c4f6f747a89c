/* page.c: replaces the placeholders of a template, and embeds the shared styles and scripts. */
#include "web/page.h"

EMBED_FILE(page_css, "src/web/page.css");
EMBED_FILE(page_js, "src/web/page.js");
EMBED_FILE(page_shogi_js, "src/web/shogi.js");

StrView page_style(void) {
    return PAGE_EMBEDDED(page_css);
}

StrView page_script(void) {
    return PAGE_EMBEDDED(page_js);
}

StrView page_shogi(void) {
    return PAGE_EMBEDDED(page_shogi_js);
}

/* The part whose placeholder is at the start of the text; NULL if the text does not start with
 * one. */
static const PagePart *part_at(StrView text, const PagePart *parts, int count) {
    for (int i = 0; i < count; i++) {
        StrView name = sv_from(parts[i].name);
        StrView behind = sv_skip(text, 1);
        if (sv_starts_with(behind, name) && sv_starts_with(sv_skip(behind, name.len), SV("@"))) {
            return &parts[i];
        }
    }
    return NULL;
}

void page_fill(StrView template, const PagePart *parts, int count, StrBuf *out) {
    while (template.len > 0) {
        size_t at = sv_find_byte(template, '@');
        strbuf_add(out, sv_prefix(template, at));
        template = sv_skip(template, at);
        if (template.len == 0) {
            break;
        }
        const PagePart *part = part_at(template, parts, count);
        if (part != NULL) {
            strbuf_add(out, part->text);
            template = sv_skip(template, sv_from(part->name).len + 2);
        } else {
            strbuf_add_byte(out, '@');
            template = sv_skip(template, 1);
        }
    }
}

/* In JSON, "<" occurs only in strings, in which it can be written as an escape. */
void page_append_json(StrView json, StrBuf *out) {
    while (json.len > 0) {
        size_t at = sv_find_byte(json, '<');
        strbuf_add(out, sv_prefix(json, at));
        strbuf_add_str(out, at < json.len ? "\\u003c" : "");
        json = sv_skip(json, at + (at < json.len));
    }
}
