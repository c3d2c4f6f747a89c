/* xmem.h: memory allocation that succeeds or ends the program, and large aligned blocks.
 *
 * Lack of memory is reported on stderr and ends the process, unless a handler helps; only
 * xmem_try_* return NULL instead, for tables whose size a user chooses and for work that can be
 * given up. Safe from every thread. */
#ifndef KMD_BASE_XMEM_H
#define KMD_BASE_XMEM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* Asked for help when `bytes` bytes cannot be had: true if it has freed some, and the allocation is
 * tried again; false ends the process. Runs on the thread that needs the memory. */
typedef bool XmemHandler(size_t bytes, void *context);

/* Sets the handler; NULL: none, as at the start. Call it while no other thread allocates. */
void xmem_on_shortage(XmemHandler *handler, void *context);

/* Reports that count * size bytes cannot be had and ends the process. */
NORETURN void xmem_fail(size_t count, size_t size);

/* count * size zeroed bytes; overflow counts as lack of memory. Free with free(). */
void *xmem_calloc(size_t count, size_t size);

/* The same, or NULL. */
void *xmem_try_calloc(size_t count, size_t size);

/* count * size bytes, contents undefined. Free with free(). */
void *xmem_alloc(size_t count, size_t size);

/* As realloc to count * size bytes. */
void *xmem_realloc(void *block, size_t count, size_t size);

/* Grows *array (elements of `size` bytes, capacity *cap) so that it holds at least `need` of
 * them; the capacity doubles. Returns the new block. */
void *xmem_grow(void *array, size_t *cap, size_t need, size_t size);

/* The pages of a large block, where the system offers a choice. Huge ones are read faster, but the
 * system clears each at its first touch, which takes from a tenth of a millisecond to several: for
 * blocks that will be used whole. */
typedef enum XmemPages { XMEM_HUGE_PAGES, XMEM_SMALL_PAGES } XmemPages;

/* bytes zeroed bytes at a multiple of 64; NULL when there is not enough memory. Free with
 * xmem_free_large and the same size. */
void *xmem_try_large(size_t bytes, XmemPages pages);
void xmem_free_large(void *block, size_t bytes);

/* Zeroes a part of a large block. What is whole pages of it goes back to the system, where that can
 * be done, and comes again at the next touch: what was never touched costs nothing. */
void xmem_zero_large(void *part, size_t bytes);

/* count * size zeroed bytes at a multiple of `alignment` (a power of two). Free with
 * xmem_free_aligned. The second returns NULL where there is no memory. */
void *xmem_alloc_aligned(size_t count, size_t size, size_t alignment);
void *xmem_try_aligned(size_t count, size_t size, size_t alignment);
void xmem_free_aligned(void *block);

#endif
