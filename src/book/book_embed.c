#include "book/book_embed.h"

#include "base/base.h"

/* The Makefile makes this file again when the book changes. */
EMBED_FILE(kmd_book_embedded, "eval/komadori.book");

const unsigned char *book_embedded(size_t *len) {
    *len = (size_t)(kmd_book_embedded_end - kmd_book_embedded);
    return kmd_book_embedded;
}
