/* utf8.h: characters of UTF-8, the encoding of all text inside Komadori.
 *
 * Stateless and safe from every thread. */
#ifndef KMD_BASE_UTF8_H
#define KMD_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* The character that replaces invalid bytes, U+FFFD. */
enum { UTF8_REPLACEMENT = 0xFFFD };

/* The byte-order mark. The mark does not belong to the text, and may occur in the middle of files
 * that were joined. */
#define UTF8_MARK "\xEF\xBB\xBF"
enum { UTF8_MARK_CODE = 0xFEFF };

/* Takes one character from *text, which must not be empty. A byte that starts no valid sequence is
 * taken alone and gives UTF8_REPLACEMENT. Overlong and surrogate forms are invalid. */
uint32_t utf8_take(StrView *text);

/* Appends a character, or UTF8_REPLACEMENT if it is a surrogate or beyond U+10FFFF. */
void utf8_append(StrBuf *out, uint32_t character);

/* The number of valid sequences and of errors in a text that is read as UTF-8. */
typedef struct Utf8Counts {
    size_t sequences; /* valid sequences of several bytes */
    size_t faults;    /* bytes that belong to no valid sequence */
} Utf8Counts;

Utf8Counts utf8_count(StrView bytes);

/* The width of the text in terminal columns or, in a game record, half-width columns: 2 for East
 * Asian wide characters, 1 for others. Box drawing characters and the marks of sente and gote count
 * as 2, as in Japanese fonts. */
int utf8_columns(StrView text);

/* The text without a byte-order mark at its start. */
StrView utf8_without_mark(StrView text);

/* Appends text that a message quotes: control characters and bytes that are not UTF-8 become '?'.
 */
void utf8_append_printable(StrBuf *out, StrView text);

/* The longest beginning of text that fits into max_bytes without cutting a character. */
StrView utf8_cut(StrView text, size_t max_bytes);

#endif
