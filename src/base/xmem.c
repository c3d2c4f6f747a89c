/* xmem.c: allocation with overflow checks. Aligned blocks are parts of longer blocks; the functions
 * of system.h map large blocks. */
#include "base/xmem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/system.h"

#define FIRST_CAPACITY ((size_t)8)

/* Set before threads start. */
static XmemHandler *shortage_handler;
static void *shortage_context;

void xmem_on_shortage(XmemHandler *handler, void *context) {
    shortage_handler = handler;
    shortage_context = context;
}

void xmem_fail(size_t count, size_t size) {
    fprintf(stderr, "komadori: out of memory (%zu x %zu bytes)\n", count, size);
    exit(EXIT_FAILURE);
}

/* count * size, at least 1, because malloc(0) may return NULL. */
static size_t checked_bytes(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        xmem_fail(count, size);
    }
    return bytes > 0 ? bytes : 1;
}

/* Asks the handler to free memory. Returns only if the allocation should be tried again. */
static void ask_for_help(size_t count, size_t size) {
    if (shortage_handler == NULL || !shortage_handler(count * size, shortage_context)) {
        xmem_fail(count, size);
    }
}

void *xmem_try_calloc(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        return NULL;
    }
    return calloc(1, bytes > 0 ? bytes : 1);
}

void *xmem_calloc(size_t count, size_t size) {
    size_t bytes = checked_bytes(count, size);
    void *block;
    while ((block = calloc(1, bytes)) == NULL) {
        ask_for_help(count, size);
    }
    return block;
}

void *xmem_alloc(size_t count, size_t size) {
    size_t bytes = checked_bytes(count, size);
    void *block;
    while ((block = malloc(bytes)) == NULL) {
        ask_for_help(count, size);
    }
    return block;
}

void *xmem_realloc(void *block, size_t count, size_t size) {
    size_t bytes = checked_bytes(count, size);
    void *moved;
    while ((moved = realloc(block, bytes)) == NULL) {
        ask_for_help(count, size);
    }
    return moved;
}

void *xmem_grow(void *array, size_t *cap, size_t need, size_t size) {
    if (need <= *cap && array != NULL) {
        return array;
    }
    size_t wanted = *cap > FIRST_CAPACITY ? *cap : FIRST_CAPACITY;
    while (wanted < need) {
        wanted = wanted > SIZE_MAX / 2 ? need : wanted * 2;
    }
    array = xmem_realloc(array, wanted, size);
    *cap = wanted;
    return array;
}

/* An aligned block is a part of a longer calloc block, whose address is stored right before the
 * aligned block. This works on every system. Returns NULL if there is not enough memory. */
void *xmem_try_aligned(size_t count, size_t size, size_t alignment) {
    ASSERT(alignment > 0 && (alignment & (alignment - 1)) == 0);
    size_t bytes;
    size_t total;
    if (__builtin_mul_overflow(count, size, &bytes) ||
        __builtin_add_overflow(bytes, alignment + sizeof(void *), &total)) {
        return NULL;
    }
    char *raw = calloc(1, total);
    if (raw == NULL) {
        return NULL;
    }
    uintptr_t first = (uintptr_t)raw + sizeof(void *);
    size_t padding = (size_t)(-first & (alignment - 1));
    char *block = raw + sizeof(void *) + padding;
    memcpy(block - sizeof(void *), &raw, sizeof(void *));
    return block;
}

void *xmem_alloc_aligned(size_t count, size_t size, size_t alignment) {
    checked_bytes(count, size);
    void *block;
    while ((block = xmem_try_aligned(count, size, alignment)) == NULL) {
        ask_for_help(count, size);
    }
    return block;
}

void xmem_free_aligned(void *block) {
    if (block == NULL) {
        return;
    }
    void *raw;
    memcpy(&raw, (char *)block - sizeof(void *), sizeof(void *));
    free(raw);
}

void *xmem_try_large(size_t bytes, XmemPages pages) {
    return system_try_pages(bytes > 0 ? bytes : 1, pages == XMEM_HUGE_PAGES);
}

void xmem_free_large(void *block, size_t bytes) {
    if (block != NULL) {
        system_free_pages(block, bytes > 0 ? bytes : 1);
    }
}
