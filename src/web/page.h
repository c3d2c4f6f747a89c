/* page.h: fills in the templates of HTML pages.
 *
 * A template has placeholders of the form "@NAME@" for data that differs between pages, and for the
 * styles and scripts that pages share. The functions have no state. */
#ifndef KMD_WEB_PAGE_H
#define KMD_WEB_PAGE_H

#include "base/str.h"

/* The text for the placeholder "@name@". */
typedef struct PagePart {
    const char *name;
    StrView text;
} PagePart;

/* The bytes embedded by EMBED_FILE as a StrView. */
#define PAGE_EMBEDDED(name) ((StrView){(const char *)(name), (size_t)(name##_end - (name))})

/* The parts that all pages share: the style of colours, buttons, tables and boards; the script for
 * the reader's settings; and the script for positions, moves and boards, which needs the settings
 * script. */
StrView page_style(void);
StrView page_script(void);
StrView page_shogi(void);

/* Appends the template with its placeholders replaced. A word between two @ that names no part is
 * kept, because styles contain such words. */
void page_fill(StrView template, const PagePart *parts, int count, StrBuf *out);

/* Appends JSON without any "<", so that it can be put into a script element. */
void page_append_json(StrView json, StrBuf *out);

#endif
