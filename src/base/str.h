/* str.h: string views, the tokenizer, numbers with a range, and the append buffer. The only parser
 * of text in Komadori: no other file parses numbers or splits words by itself.
 *
 * A StrView never owns its bytes and need not end in a NUL. No state: safe from every thread. */
#ifndef KMD_BASE_STR_H
#define KMD_BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/* `len` bytes at `ptr`, owned by somebody else. An empty view may have a NULL ptr. */
typedef struct StrView {
    const char *ptr;
    size_t len;
} StrView;

/* A view of a string literal, also usable in constant initialisers. */
#define SV(literal) ((StrView){(literal), sizeof(literal) - 1})

/* A view of a NUL-terminated string; NULL gives the empty view. */
StrView sv_from(const char *text);

bool sv_equal(StrView a, StrView b);

/* Like sv_equal, but ignores the case of ASCII letters. */
bool sv_equal_nocase(StrView a, StrView b);

bool sv_starts_with(StrView text, StrView prefix);
bool sv_ends_with(StrView text, StrView suffix);

/* The offset of the first occurrence of `byte` in text; text.len if there is none. */
size_t sv_find_byte(StrView text, char byte);
bool sv_has_byte(StrView text, char byte);

/* The offset of the first occurrence of `needle` in text; text.len if there is none. */
size_t sv_find(StrView text, StrView needle);

/* The text without its first n bytes (empty if n > len), and the text cut to n bytes. */
StrView sv_skip(StrView text, size_t n);
StrView sv_prefix(StrView text, size_t n);

static inline bool str_is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

/* Removes the decimal digits at the start of the text and returns them. */
StrView sv_take_digits(StrView *text);

/* The text without the spaces, tabs, CR and LF at both ends. */
StrView sv_trim(StrView text);

/* True for a blank line, or a comment that begins with #. */
bool sv_is_remark(StrView line);

/* Reads the whole of text as a decimal number with an optional sign. Returns false and leaves *out
 * unchanged if it is not a number or not in low..high. */
bool sv_to_i64(StrView text, int64_t low, int64_t high, int64_t *out) MUST_CHECK;

/* The same for int. */
bool sv_to_int(StrView text, int low, int high, int *out) MUST_CHECK;

/* Like sv_to_i64, but unsigned: there is no sign, and all 64-bit values are allowed. */
bool sv_to_u64(StrView text, uint64_t low, uint64_t high, uint64_t *out) MUST_CHECK;

/* Reads the whole of text as a decimal fraction (sign, digits, point, digits, exponent), whatever
 * the locale. Returns false and leaves *out unchanged if the text is not a number, or the number is
 * not finite or not in low..high. */
bool sv_to_double(StrView text, double low, double high, double *out) MUST_CHECK;

/* Splits text into words separated by spaces, tabs and CR; `rest` has not been read yet. */
typedef struct Tokenizer {
    StrView rest;
} Tokenizer;

/* Takes the next word. At the end of the text returns false and leaves *word empty. */
bool tok_next(Tokenizer *tok, StrView *word);

/* Returns the next word without taking it; empty at the end. */
StrView tok_peek(const Tokenizer *tok);

/* The text not yet taken, without spaces at both ends. */
StrView tok_rest(const Tokenizer *tok);

/* Takes the next line of *text, without its LF or CR LF; false if *text is empty. */
bool sv_next_line(StrView *text, StrView *line);

/* The next line that is neither blank nor a comment; *number counts all lines taken, from 0. */
bool sv_next_row(StrView *text, StrView *row, int *number);

/* Takes the next field of *text, up to `separator`. Returns false after the last field, when *text
 * is {NULL, 0}. A text with n separators has n + 1 fields. */
bool sv_next_field(StrView *text, char separator, StrView *field);

/* sv_field returns the field with this index, from 0, without spaces around it; empty if there is
 * none, as for -1. sv_find_field returns the index of the field that equals `name` in a line of
 * column names; -1 if there is none. */
StrView sv_field(StrView text, char separator, int number);
int sv_find_field(StrView text, char separator, StrView name);

/* The plural ending for a count: "s", or "" if count is 1. */
static inline const char *str_plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

/* The index of the word in a table of names that are `stride` bytes apart; -1 if it is missing.
 * SV_INDEX searches a table of structs by one of their members, SV_INDEX_OF an array of names. */
int sv_index(StrView word, const void *names, size_t count, size_t stride,
             bool (*is_same)(StrView a, StrView b));
#define SV_INDEX(word, table, member)                                                              \
    sv_index(word, &(table)[0].member, COUNTOF(table), sizeof((table)[0]), sv_equal)
#define SV_INDEX_OF(word, words) sv_index(word, words, COUNTOF(words), sizeof((words)[0]), sv_equal)

/* A text that grows. Zero-initialise it, or use STRBUF_INIT; free it with strbuf_free. `ptr` is
 * NUL-terminated whenever it is not NULL. The program ends if memory runs out (xmem.h). */
typedef struct StrBuf {
    char *ptr;
    size_t len;
    size_t cap;
} StrBuf;

#define STRBUF_INIT ((StrBuf){NULL, 0, 0})

void strbuf_free(StrBuf *buf);

/* Sets the length to 0 and keeps the memory. */
void strbuf_clear(StrBuf *buf);

/* Makes room for `more` additional bytes and the NUL. */
void strbuf_reserve(StrBuf *buf, size_t more);

void strbuf_add_byte(StrBuf *buf, char byte);
void strbuf_add(StrBuf *buf, StrView text);
void strbuf_add_str(StrBuf *buf, const char *text);
void strbuf_add_bytes(StrBuf *buf, const void *bytes, size_t len);
void strbuf_add_i64(StrBuf *buf, int64_t value);
void strbuf_add_u64(StrBuf *buf, uint64_t value);

/* Appends text formatted as by printf. %f and similar conversions write the decimal point of the
 * process's locale, which is the C locale unless the program calls setlocale. */
void strbuf_addf(StrBuf *buf, const char *format, ...) PRINTF_LIKE(2, 3);
void strbuf_vaddf(StrBuf *buf, const char *format, va_list args);

/* The contents as a view, valid until the next change. */
StrView strbuf_view(const StrBuf *buf);

/* A NUL-terminated copy. The caller frees it. */
char *sv_copy(StrView text);

#endif
