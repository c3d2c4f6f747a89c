/* book_embed.h: the book that is inside the program: the file eval/komadori.book as it was when the
 * program was built; an empty file stands for none. */
#ifndef KMD_BOOK_BOOK_EMBED_H
#define KMD_BOOK_BOOK_EMBED_H

#include <stddef.h>

/* The bytes of the file. */
const unsigned char *book_embedded(size_t *len);

#endif
