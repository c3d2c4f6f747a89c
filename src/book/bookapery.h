/* bookapery.h: Apery's opening books (.bin): moves found by the key of their position. Nothing here
 * prints.
 *
 * A file has entries of 16 bytes in ascending order of keys: a 64-bit key, a move, a 16-bit count
 * and a 32-bit score, all little-endian. An Apery book contains keys rather than positions, so it
 * can be played from, but can be loaded only by following its moves from given start positions.
 *
 * The keys are XORs of the first numbers of the standard mt19937_64 generator with its default
 * seed: one number for each of 31 piece codes on each of 81 squares, one for each of 7 piece types
 * and each count from 0 to 18 in the mover's hand, and one for white to move. Sources: Takuya
 * Hiraoka (Apery, 2012); the generator: Nishimura and Matsumoto (2004).
 *
 * Read-only once open: safe from every thread. */
#ifndef KMD_BOOK_BOOKAPERY_H
#define KMD_BOOK_BOOKAPERY_H

#include <stddef.h>
#include <stdint.h>

#include "book/book.h"

enum { APERY_ENTRY_SIZE = 16 };

typedef struct AperyBook AperyBook;

/* Opens a book. Returns NULL if the size or the order of the keys shows that the bytes are not an
 * Apery book. The caller keeps the bytes, which must outlive the result. */
AperyBook *bookapery_open(const void *bytes, size_t len);
void bookapery_free(AperyBook *book);

/* Apery's key for the position. */
uint64_t bookapery_key(const AperyBook *book, const Setup *setup);

/* Finds the moves of the position, without checking their legality. */
bool bookapery_find(const AperyBook *book, const Setup *setup, BookEntry *entry);

/* Number of entries in the file. */
size_t bookapery_count(const AperyBook *book);

/* True if all keys are in order. bookapery_open compares only some of them. */
bool bookapery_is_sorted(const AperyBook *book);

#endif
