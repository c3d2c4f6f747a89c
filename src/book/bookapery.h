/* bookapery.h: Apery's books (.bin): moves by the key of their position. Nothing here prints.
 *
 * Entries of 16 bytes in rising order of their keys: key of 64 bits, move, count of 16 bits, score
 * of 32 bits, little-endian. A book tells keys only: it is played from, and loaded by walking from
 * starts.
 *
 * The keys are exclusive ors of the first numbers that the standard's mt19937_64 gives by default:
 * one for each of 31 piece codes and 81 squares, for 7 kinds of piece in the mover's hand and
 * counts 0 to 18, and one for white to move. Source: H. Takuya (Apery, 2012); the generator: T.
 * Nishimura and M. Matsumoto (2004).
 *
 * Read only once open: safe from every thread. */
#ifndef KMD_BOOK_BOOKAPERY_H
#define KMD_BOOK_BOOKAPERY_H

#include <stddef.h>
#include <stdint.h>

#include "book/book.h"

enum { APERY_ENTRY_SIZE = 16 };

typedef struct AperyBook AperyBook;

/* NULL when the size or the order shows that it is not such a book. The bytes still belong to the
 * caller and must outlive the result. */
AperyBook *bookapery_open(const void *bytes, size_t len);
void bookapery_free(AperyBook *book);

/* Apery's key of the position. */
uint64_t bookapery_key(const AperyBook *book, const Setup *setup);

/* The moves of the position, whatever they say. */
bool bookapery_find(const AperyBook *book, const Setup *setup, BookEntry *entry);

/* Entries of the file. */
size_t bookapery_count(const AperyBook *book);

#endif
