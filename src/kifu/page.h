/* page.h: fills in the templates of HTML pages.
 *
 * A template has placeholders "@NAME@" for what differs between pages: data, and the styles and
 * scripts that pages share. Pure functions. */
#ifndef KMD_KIFU_PAGE_H
#define KMD_KIFU_PAGE_H

#include "base/str.h"

/* The text for the placeholder "@name@". */
typedef struct PagePart {
    const char *name;
    StrView text;
} PagePart;

/* The bytes of EMBED_FILE as text. */
#define PAGE_EMBEDDED(name) ((StrView){(const char *)(name), (size_t)(name##_end - (name))})

/* The parts shared by all pages: the style of colours, buttons, tables and boards; the script for
 * the reader's settings; and the script for positions, moves and boards, which needs the one before
 * it. */
StrView page_style(void);
StrView page_script(void);
StrView page_shogi(void);

/* Appends the template with its placeholders replaced. A word between two @ that names no part is
 * kept, because styles contain some. */
void page_fill(StrView template, const PagePart *parts, int count, StrBuf *out);

/* Appends JSON without any "<", so that it can be put into a script element. */
void page_append_json(StrView json, StrBuf *out);

#endif
