#include "base/xmem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

static bool is_all_zero(const void *block, size_t bytes) {
    const unsigned char *p = block;
    for (size_t i = 0; i < bytes; i++) {
        if (p[i] != 0) {
            return false;
        }
    }
    return true;
}

static void test_calloc_is_zeroed(void) {
    char *block = xmem_calloc(1000, 3);
    CHECK(is_all_zero(block, 3000));
    free(block);
    block = xmem_calloc(0, 8);
    CHECK(block != NULL);
    free(block);
}

static void test_realloc_keeps_contents(void) {
    char *block = xmem_alloc(4, 1);
    memcpy(block, "abc", 4);
    block = xmem_realloc(block, 5000, 1);
    CHECK_STR(block, "abc");
    free(block);
}

static void test_grow_doubles(void) {
    int *numbers = NULL;
    size_t cap = 0;
    int moves = 0;
    for (size_t i = 0; i < 10000; i++) {
        size_t before = cap;
        numbers = xmem_grow(numbers, &cap, i + 1, sizeof(int));
        moves += cap != before;
        numbers[i] = (int)i;
    }
    CHECK(cap >= 10000);
    CHECK(moves < 20);
    int wrong = 0;
    for (int i = 0; i < 10000; i++) {
        wrong += numbers[i] != i;
    }
    CHECK_INT(wrong, 0);
    free(numbers);
}

static void test_aligned(void) {
    for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
        char *block = xmem_alloc_aligned(33, 3, alignment);
        CHECK((uintptr_t)block % alignment == 0);
        CHECK(is_all_zero(block, 99));
        memset(block, 0xFF, 99);
        xmem_free_aligned(block);
    }
    xmem_free_aligned(NULL);
}

static void test_large(void) {
    static const size_t sizes[] = {1, 64, 4096, 2097152, 2097153, 7000000};
    for (size_t i = 0; i < 2 * COUNTOF(sizes); i++) {
        size_t size = sizes[i / 2];
        char *block = xmem_try_large(size, i % 2 == 0 ? XMEM_HUGE_PAGES : XMEM_SMALL_PAGES);
        if (!CHECK(block != NULL)) {
            continue;
        }
        CHECK((uintptr_t)block % 64 == 0);
        CHECK(is_all_zero(block, size));
        memset(block, 0xFF, size);
        xmem_free_large(block, size);
    }
    xmem_free_large(NULL, 64);
}

static void test_large_may_fail(void) {
    CHECK(xmem_try_large(SIZE_MAX, XMEM_HUGE_PAGES) == NULL);
    CHECK(xmem_try_large(SIZE_MAX - ((size_t)3 << 20), XMEM_HUGE_PAGES) == NULL);
    CHECK(xmem_try_large((size_t)1 << 55, XMEM_HUGE_PAGES) == NULL);
    CHECK(xmem_try_calloc(SIZE_MAX, 2) == NULL);
    CHECK(xmem_try_aligned(SIZE_MAX, 2, 64) == NULL);
    CHECK(xmem_try_aligned(SIZE_MAX - 8, 1, 64) == NULL);
}

UNIT_MAIN({"xmem_calloc gives zeros, also for nothing", test_calloc_is_zeroed},
          {"xmem_realloc keeps the contents", test_realloc_keeps_contents},
          {"xmem_grow moves seldom", test_grow_doubles},
          {"aligned blocks are aligned and zero", test_aligned},
          {"large blocks are aligned and zero", test_large},
          {"a large block that cannot be had is NULL", test_large_may_fail})
