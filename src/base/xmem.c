#include "base/xmem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

#define HUGE_PAGE      ((size_t)2 << 20)
#define CACHE_LINE     ((size_t)64)
#define FIRST_CAPACITY ((size_t)8)

void xmem_fail(size_t count, size_t size) {
    fprintf(stderr, "komadori: out of memory (%zu x %zu bytes)\n", count, size);
    exit(EXIT_FAILURE);
}

/* count * size, at least 1: malloc(0) may return NULL. */
static size_t checked_bytes(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        xmem_fail(count, size);
    }
    return bytes > 0 ? bytes : 1;
}

void *xmem_try_calloc(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        return NULL;
    }
    return calloc(1, bytes > 0 ? bytes : 1);
}

void *xmem_calloc(size_t count, size_t size) {
    void *block = xmem_try_calloc(count, size);
    if (block == NULL) {
        xmem_fail(count, size);
    }
    return block;
}

void *xmem_alloc(size_t count, size_t size) {
    void *block = malloc(checked_bytes(count, size));
    if (block == NULL) {
        xmem_fail(count, size);
    }
    return block;
}

void *xmem_realloc(void *block, size_t count, size_t size) {
    void *moved = realloc(block, checked_bytes(count, size));
    if (moved == NULL) {
        xmem_fail(count, size);
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

/* Aligned blocks are cut out of a longer calloc block whose address stands right before them; that
 * works on every system. NULL when there is not enough memory. */
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
    void *block = xmem_try_aligned(count, size, alignment);
    if (block == NULL) {
        xmem_fail(count, size);
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

#if defined(__linux__)

/* What is mapped for a block of `bytes`: whole huge pages, so that the last one can be huge too.
 * 0 when that overflows. */
static size_t mapped_bytes(size_t bytes) {
    size_t rounded;
    if (__builtin_add_overflow(bytes, HUGE_PAGE - 1, &rounded)) {
        return 0;
    }
    return rounded & ~(HUGE_PAGE - 1);
}

void *xmem_try_large(size_t bytes, XmemPages pages) {
    size_t len = mapped_bytes(bytes > 0 ? bytes : 1);
    size_t total;
    if (len == 0 || __builtin_add_overflow(len, HUGE_PAGE, &total)) {
        return NULL;
    }
    char *raw = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED) {
        return NULL;
    }
    /* One huge page more than needed was mapped; what lies outside the aligned part goes back. */
    size_t before = (size_t)(-(uintptr_t)raw & (HUGE_PAGE - 1));
    size_t after = HUGE_PAGE - before;
    if (before > 0) {
        munmap(raw, before);
    }
    if (after > 0) {
        munmap(raw + before + len, after);
    }
    /* Advice only: with other pages the block is as good, a little slower. */
    madvise(raw + before, len, pages == XMEM_HUGE_PAGES ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    return raw + before;
}

void xmem_free_large(void *block, size_t bytes) {
    if (block != NULL) {
        munmap(block, mapped_bytes(bytes > 0 ? bytes : 1));
    }
}

void xmem_zero_large(void *part, size_t bytes) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    char *start = part;
    size_t before = (size_t)(-(uintptr_t)start & (page - 1));
    size_t whole = bytes > before ? (bytes - before) & ~(page - 1) : 0;
    if (whole == 0 || madvise(start + before, whole, MADV_DONTNEED) != 0) {
        memset(start, 0, bytes);
        return;
    }
    memset(start, 0, before);
    memset(start + before + whole, 0, bytes - before - whole);
}

#else

void *xmem_try_large(size_t bytes, XmemPages pages) {
    (void)pages;
    return xmem_try_aligned(bytes > 0 ? bytes : 1, 1, CACHE_LINE);
}

void xmem_free_large(void *block, size_t bytes) {
    (void)bytes;
    xmem_free_aligned(block);
}

void xmem_zero_large(void *part, size_t bytes) {
    memset(part, 0, bytes);
}

#endif
