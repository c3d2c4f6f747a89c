/* xmem.h: memory allocation that succeeds or ends the program, and large aligned blocks.
 *
 * Lack of memory is reported on stderr and ends the process, unless a handler helps. Only
 * xmem_try_* return NULL instead, for tables whose size a user chooses and for work that can be
 * given up. Safe from every thread. */
#ifndef KMD_BASE_XMEM_H
#define KMD_BASE_XMEM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* Called when `bytes` bytes cannot be allocated. Returns true if it has freed some memory, and the
 * allocation is tried again; false ends the process. Runs on the thread that needs the memory. */
typedef bool XmemHandler(size_t bytes, void *context);

/* Sets the handler; NULL, the default: none. Call it while no other thread allocates. */
void xmem_on_shortage(XmemHandler *handler, void *context);

/* Reports that count * size bytes cannot be allocated and ends the process. */
NORETURN void xmem_fail(size_t count, size_t size);

/* count * size zeroed bytes; overflow counts as lack of memory. Free with free(). */
void *xmem_calloc(size_t count, size_t size);

/* The same, or NULL. */
void *xmem_try_calloc(size_t count, size_t size);

/* count * size bytes with undefined contents. Free with free(). */
void *xmem_alloc(size_t count, size_t size);

/* Like realloc, to count * size bytes. */
void *xmem_realloc(void *block, size_t count, size_t size);

/* Grows *array (elements of `size` bytes, capacity *cap) to at least `need` elements; the capacity
 * doubles. Returns the new block. */
void *xmem_grow(void *array, size_t *cap, size_t need, size_t size);

/* The pages of a large block, if the system offers a choice. Huge pages are faster to read, but the
 * system clears each one when it is first touched, which takes from a tenth of a millisecond to
 * several. Use them for blocks that will be used completely. */
typedef enum XmemPages { XMEM_HUGE_PAGES, XMEM_SMALL_PAGES } XmemPages;

/* Zeroed bytes, aligned to 64; NULL if there is not enough memory. Free with xmem_free_large and
 * the same size. */
void *xmem_try_large(size_t bytes, XmemPages pages);
void xmem_free_large(void *block, size_t bytes);

/* Zeroes a part of a large block. Whole pages of it are returned to the system if possible, and
 * allocated again when they are next touched, so untouched memory costs nothing. */
void xmem_zero_large(void *part, size_t bytes);

/* count * size zeroed bytes, aligned to `alignment` (a power of two). Free with xmem_free_aligned.
 * The second returns NULL if there is not enough memory. */
void *xmem_alloc_aligned(size_t count, size_t size, size_t alignment);
void *xmem_try_aligned(size_t count, size_t size, size_t alignment);
void xmem_free_aligned(void *block);

#endif
