/* base.c: prints a failed assertion and ends the program, and composes the description of the build
 * from the compiler's predefined macros. */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

void base_assert_fail(const char *condition, const char *file, int line) {
    fprintf(stderr, "komadori: %s:%d: assertion failed: %s\n", file, line, condition);
    abort();
}

#if defined(__clang__)
#define COMPILER                                                                                   \
    "clang " EMBED_TEXT(__clang_major__) "." EMBED_TEXT(__clang_minor__) "." EMBED_TEXT(           \
        __clang_patchlevel__)
#else
#define COMPILER                                                                                   \
    "gcc " EMBED_TEXT(__GNUC__) "." EMBED_TEXT(__GNUC_MINOR__) "." EMBED_TEXT(__GNUC_PATCHLEVEL__)
#endif

#if defined(_WIN32)
#define SYSTEM "Windows"
#elif defined(__linux__)
#define SYSTEM "Linux"
#elif defined(__APPLE__)
#define SYSTEM "macOS"
#else
#define SYSTEM "Unix"
#endif

/* The levels of x86-64 that its psABI defines, recognised by the instructions that distinguish
 * them. */
#if defined(__AVX512BW__) && defined(__AVX512VL__)
#define PROCESSOR "x86-64-v4"
#elif defined(__AVX2__) && defined(__BMI2__)
#define PROCESSOR "x86-64-v3"
#elif defined(__SSE4_2__) && defined(__POPCNT__)
#define PROCESSOR "x86-64-v2"
#elif defined(__x86_64__)
#define PROCESSOR "x86-64"
#elif defined(__aarch64__)
#define PROCESSOR "aarch64"
#else
#define PROCESSOR "an unknown processor"
#endif

#if defined(KMD_DEBUG)
#define CHECKS ", with assertions"
#else
#define CHECKS ""
#endif

const char *base_build_text(void) {
    return COMPILER ", " SYSTEM ", " PROCESSOR CHECKS;
}
