/* page.h: fills in the templates of HTML pages.
 *
 * A template has places "@NAME@" for what differs between pages: data, and the styles and scripts
 * that pages share. Pure functions. */
#ifndef KMD_KIFU_PAGE_H
#define KMD_KIFU_PAGE_H

#include "base/str.h"

/* The text for the place "@name@". */
typedef struct PagePart {
    const char *name;
    StrView text;
} PagePart;

/* The bytes of EMBED_FILE as text. */
#define PAGE_EMBEDDED(name) ((StrView){(const char *)(name), (size_t)(name##_end - (name))})

/* Parts shared by all pages: the style of colours, buttons, tables and boards; the script of the
 * reader's choices; and the script of positions, moves and boards, which needs the one before it.
 */
StrView page_style(void);
StrView page_script(void);
StrView page_shogi(void);

/* Appends the template with its places filled. A word between two @ that is no part's name stays:
 * styles have some. */
void page_fill(StrView template, const PagePart *parts, int count, StrBuf *out);

/* Appends JSON so that it can stand in a script element: no "<" is left in it. */
void page_append_json(StrView json, StrBuf *out);

#endif
