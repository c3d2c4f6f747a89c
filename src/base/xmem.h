/* xmem.h: memory allocation that succeeds or ends the program, and large aligned blocks.
 *
 * If memory runs out and no handler can free some, the process reports this on stderr and ends.
 * Only the xmem_try_* functions return NULL instead. The xmem_try_* functions are for tables whose
 * size the user chooses and for work that can be abandoned. Safe from every thread. */
#ifndef KMD_BASE_XMEM_H
#define KMD_BASE_XMEM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* Called when `bytes` bytes cannot be allocated. Returns true if it has freed some memory; the
 * allocation is then tried again. Returning false ends the process. Runs on the thread that needs
 * the memory. */
typedef bool XmemHandler(size_t bytes, void *context);

/* Sets the handler. NULL, the default, means no handler. Call it while no other thread
 * allocates. */
void xmem_on_shortage(XmemHandler *handler, void *context);

/* Reports that count * size bytes cannot be allocated and ends the process. */
NORETURN void xmem_fail(size_t count, size_t size);

/* count * size zeroed bytes; overflow counts as lack of memory. Free with free(). */
void *xmem_calloc(size_t count, size_t size);

/* Like xmem_calloc, but returns NULL on failure. */
void *xmem_try_calloc(size_t count, size_t size);

/* count * size bytes with undefined contents. Free with free(). */
void *xmem_alloc(size_t count, size_t size);

/* Like realloc, to count * size bytes. */
void *xmem_realloc(void *block, size_t count, size_t size);

/* Grows *array (elements of `size` bytes, capacity *cap) to at least `need` elements; the capacity
 * doubles. Returns the new block. */
void *xmem_grow(void *array, size_t *cap, size_t need, size_t size);

/* The kind of pages for a large block, if the system offers a choice. Huge pages are faster to
 * read, but the system clears each one when it is first touched, which takes between 0.1 and
 * several milliseconds. Use huge pages for blocks that will be used completely. */
typedef enum XmemPages { XMEM_HUGE_PAGES, XMEM_SMALL_PAGES } XmemPages;

/* Allocates zeroed memory, aligned to 64 bytes; NULL if there is not enough. Free with
 * xmem_free_large and the same size. */
void *xmem_try_large(size_t bytes, XmemPages pages);
void xmem_free_large(void *block, size_t bytes);

/* count * size zeroed bytes, aligned to `alignment` (a power of two). Free with xmem_free_aligned.
 * xmem_try_aligned returns NULL if there is not enough memory. */
void *xmem_alloc_aligned(size_t count, size_t size, size_t alignment);
void *xmem_try_aligned(size_t count, size_t size, size_t alignment);
void xmem_free_aligned(void *block);

#endif
