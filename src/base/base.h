/* base.h: basic definitions for every file: assertions, array counts, compiler hints, small integer
 * helpers.
 *
 * Compiler extensions are used only through these macros. docs/architecture.md lists the files that
 * may test for the platform. No state. */
#ifndef KMD_BASE_BASE_H
#define KMD_BASE_BASE_H

/* Komadori does not support every machine. The Makefile compiles this header before everything
 * else, and the first error ends that: the headers of libc may be missing for such a machine. */
#if !defined(__GNUC__)
#error "Komadori needs gcc or clang"
#elif __SIZEOF_POINTER__ != 8
#error "Komadori needs a 64-bit machine: choose another CROSS or leave out -m32"
#elif __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Komadori needs a little-endian machine: this one is big-endian"
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COUNTOF(array)         (sizeof(array) / sizeof((array)[0]))

#define UNLIKELY(condition)    __builtin_expect(!!(condition), 0)
#define FORCE_INLINE           static inline __attribute__((always_inline))
#define NO_INLINE              __attribute__((noinline))
#define NORETURN               __attribute__((noreturn))
#define MUST_CHECK             __attribute__((warn_unused_result))
#define PRINTF_LIKE(text, arg) __attribute__((format(printf, text, arg)))
#define PREFETCH(address)      __builtin_prefetch(address)
#define VECTOR_OF(bytes)       __attribute__((vector_size(bytes), may_alias))

/* The number of set bits in a 64-bit word, and the index, from 0, of its lowest and highest set
 * bit. The word must not be 0 if an index is requested. */
#define BITS_COUNT(word)   __builtin_popcountll(word)
#define BITS_LOWEST(word)  __builtin_ctzll(word)
#define BITS_HIGHEST(word) (63 - __builtin_clzll(word))

/* EMBED_FILE(name, "path"); embeds the bytes of a file as the array `name`, aligned to 64 bytes.
 * The symbol `name`_end marks its end. The path is relative to the compiler's working directory. */
#if defined(_WIN32)
#define EMBED_SECTION ".section .rdata,\"dr\"\n"
#define EMBED_END     ".text\n"
#elif defined(__APPLE__)
#define EMBED_SECTION ".const_data\n"
#define EMBED_END     ".text\n"
#else
#define EMBED_SECTION ".pushsection .rodata\n"
#define EMBED_END     ".popsection\n"
#endif
#define EMBED_TEXT(token)  EMBED_TEXT2(token)
#define EMBED_TEXT2(token) #token
#define EMBED_SYMBOL(name) EMBED_TEXT(__USER_LABEL_PREFIX__) #name
#define EMBED_FILE(name, path)                                                                     \
    __asm__(EMBED_SECTION ".balign 64\n.globl " EMBED_SYMBOL(name) "\n" EMBED_SYMBOL(              \
        name) ":\n.incbin \"" path                                                                 \
              "\"\n.globl " EMBED_SYMBOL(name) "_end\n" EMBED_SYMBOL(                              \
                  name) "_end:\n.byte 0\n.balign 16\n" EMBED_END);                                 \
    extern const unsigned char name[];                                                             \
    extern const unsigned char name##_end[]

/* ASSERT(condition) states a condition that the code relies on. Debug and sanitizer builds, which
 * define KMD_DEBUG, abort with file and line if it is false; other builds do not evaluate it. A
 * failed ASSERT is a bug in Komadori, never bad input. */
#ifdef KMD_DEBUG
#define ASSERT(condition) ((condition) ? (void)0 : base_assert_fail(#condition, __FILE__, __LINE__))
#else
#define ASSERT(condition) ((void)sizeof(!!(condition)))
#endif

/* Prints the condition and its place on stderr, then aborts. Only ASSERT may call it. */
NORETURN void base_assert_fail(const char *condition, const char *file, int line);

/* The compiler and the target that this program was built with and for: one line of text such as
 * "gcc 12.2.0, Linux, x86-64-v3". It contains no date and no path, so that the same sources and
 * compiler give the same program. Static storage. */
const char *base_build_text(void);

static inline int int_min(int a, int b) {
    return a < b ? a : b;
}

static inline int int_max(int a, int b) {
    return a > b ? a : b;
}

/* Returns value limited to low..high. */
static inline int int_clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

static inline int64_t i64_min(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static inline int64_t i64_max(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* Returns value limited to low..high. */
static inline int64_t i64_clamp(int64_t value, int64_t low, int64_t high) {
    return value < low ? low : value > high ? high : value;
}

#endif
