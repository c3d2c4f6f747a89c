/* str.c: text functions that check every length; numbers are parsed digit by digit with a range. */
#include "base/str.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"

/* Exponents beyond this certainly overflow or underflow a double, whatever the digits are. Larger
 * ones are reduced to this limit so that the exponent itself cannot overflow. */
#define MAX_EXPONENT ((int64_t)1 << 40)

static bool is_blank(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static char to_lower(char byte) {
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

StrView sv_from(const char *text) {
    return text == NULL ? (StrView){NULL, 0} : (StrView){text, strlen(text)};
}

bool sv_equal(StrView a, StrView b) {
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

bool sv_equal_nocase(StrView a, StrView b) {
    if (a.len != b.len) {
        return false;
    }
    for (size_t i = 0; i < a.len; i++) {
        if (to_lower(a.ptr[i]) != to_lower(b.ptr[i])) {
            return false;
        }
    }
    return true;
}

bool sv_starts_with(StrView text, StrView prefix) {
    return sv_equal(sv_prefix(text, prefix.len), prefix);
}

bool sv_ends_with(StrView text, StrView suffix) {
    return text.len >= suffix.len && sv_equal(sv_skip(text, text.len - suffix.len), suffix);
}

size_t sv_find_byte(StrView text, char byte) {
    const char *found = text.len > 0 ? memchr(text.ptr, byte, text.len) : NULL;
    return found != NULL ? (size_t)(found - text.ptr) : text.len;
}

bool sv_has_byte(StrView text, char byte) {
    return sv_find_byte(text, byte) < text.len;
}

size_t sv_find(StrView text, StrView needle) {
    for (size_t at = 0; at + needle.len <= text.len; at++) {
        if (sv_starts_with(sv_skip(text, at), needle)) {
            return at;
        }
    }
    return text.len;
}

StrView sv_skip(StrView text, size_t n) {
    if (n > text.len) {
        n = text.len;
    }
    return n == 0 ? text : (StrView){text.ptr + n, text.len - n};
}

StrView sv_prefix(StrView text, size_t n) {
    return (StrView){text.ptr, n < text.len ? n : text.len};
}

static bool is_space(char byte) {
    return is_blank(byte) || byte == '\n';
}

StrView sv_trim(StrView text) {
    while (text.len > 0 && is_space(text.ptr[0])) {
        text = sv_skip(text, 1);
    }
    while (text.len > 0 && is_space(text.ptr[text.len - 1])) {
        text.len--;
    }
    return text;
}

bool sv_is_remark(StrView line) {
    line = sv_trim(line);
    return line.len == 0 || line.ptr[0] == '#';
}

/* Removes a sign from the front of text; true if it was a minus. */
static bool take_sign(StrView *text) {
    bool is_negative = text->len > 0 && text->ptr[0] == '-';
    if (is_negative || (text->len > 0 && text->ptr[0] == '+')) {
        *text = sv_skip(*text, 1);
    }
    return is_negative;
}

/* Reads a text that must consist of one or more digits. Returns false if it does not, or if the
 * number exceeds 64 bits. */
static bool read_digits(StrView text, uint64_t *out) {
    uint64_t value = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (!str_is_digit(text.ptr[i]) || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(text.ptr[i] - '0'), &value)) {
            return false;
        }
    }
    *out = value;
    return text.len > 0;
}

bool sv_to_i64(StrView text, int64_t low, int64_t high, int64_t *out) {
    bool is_negative = take_sign(&text);
    uint64_t magnitude;
    if (!read_digits(text, &magnitude) || magnitude > (uint64_t)INT64_MAX + is_negative) {
        return false;
    }
    /* Negate as unsigned, because -INT64_MIN does not exist. */
    int64_t value = (int64_t)(is_negative ? 0 - magnitude : magnitude);
    if (value < low || value > high) {
        return false;
    }
    *out = value;
    return true;
}

bool sv_to_int(StrView text, int low, int high, int *out) {
    int64_t value;
    if (!sv_to_i64(text, low, high, &value)) {
        return false;
    }
    *out = (int)value;
    return true;
}

bool sv_to_u64(StrView text, uint64_t low, uint64_t high, uint64_t *out) {
    uint64_t value;
    if (!read_digits(text, &value) || value < low || value > high) {
        return false;
    }
    *out = value;
    return true;
}

StrView sv_take_digits(StrView *text) {
    size_t n = 0;
    while (n < text->len && str_is_digit(text->ptr[n])) {
        n++;
    }
    StrView digits = sv_prefix(*text, n);
    *text = sv_skip(*text, n);
    return digits;
}

/* Reads "e" and a number if text starts with one. Returns false if no number follows the "e", or if
 * anything follows the number. */
static bool read_exponent(StrView text, int64_t *exponent) {
    *exponent = 0;
    if (text.len == 0) {
        return true;
    }
    if (to_lower(text.ptr[0]) != 'e') {
        return false;
    }
    text = sv_skip(text, 1);
    bool is_negative = take_sign(&text);
    StrView digits = sv_take_digits(&text);
    if (digits.len == 0 || text.len > 0) {
        return false;
    }
    uint64_t magnitude;
    if (!read_digits(digits, &magnitude) || magnitude > (uint64_t)MAX_EXPONENT) {
        magnitude = (uint64_t)MAX_EXPONENT;
    }
    *exponent = is_negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

bool sv_to_double(StrView text, double low, double high, double *out) {
    bool is_negative = take_sign(&text);
    StrView whole = sv_take_digits(&text);
    StrView fraction = {NULL, 0};
    if (text.len > 0 && text.ptr[0] == '.') {
        text = sv_skip(text, 1);
        fraction = sv_take_digits(&text);
    }
    int64_t exponent;
    if (whole.len + fraction.len == 0 || !read_exponent(text, &exponent)) {
        return false;
    }
    /* strtod rounds correctly but expects the locale's decimal point, so pass it digits without a
     * point. */
    StrBuf digits = STRBUF_INIT;
    strbuf_add(&digits, whole);
    strbuf_add(&digits, fraction);
    strbuf_add_byte(&digits, 'e');
    strbuf_add_i64(&digits, exponent - (int64_t)fraction.len);
    double value = strtod(digits.ptr, NULL);
    strbuf_free(&digits);
    value = is_negative ? -value : value;
    if (!isfinite(value) || value < low || value > high) {
        return false;
    }
    *out = value;
    return true;
}

/* The first word of text. *end becomes the offset after the word. */
static StrView first_word(StrView text, size_t *end) {
    size_t start = 0;
    while (start < text.len && is_blank(text.ptr[start])) {
        start++;
    }
    size_t at = start;
    while (at < text.len && !is_blank(text.ptr[at])) {
        at++;
    }
    *end = at;
    return sv_skip(sv_prefix(text, at), start);
}

bool tok_next(Tokenizer *tok, StrView *word) {
    size_t end;
    *word = first_word(tok->rest, &end);
    tok->rest = sv_skip(tok->rest, end);
    return word->len > 0;
}

StrView tok_peek(const Tokenizer *tok) {
    size_t end;
    return first_word(tok->rest, &end);
}

StrView tok_rest(const Tokenizer *tok) {
    return sv_trim(tok->rest);
}

bool sv_next_line(StrView *text, StrView *line) {
    if (text->len == 0) {
        *line = (StrView){NULL, 0};
        return false;
    }
    size_t end = sv_find_byte(*text, '\n');
    *line = sv_prefix(*text, end);
    *text = sv_skip(*text, end + 1);
    if (end > 0 && line->ptr[end - 1] == '\r') {
        line->len--;
    }
    return true;
}

int sv_index(StrView word, const void *names, size_t count, size_t stride,
             bool (*is_same)(StrView a, StrView b)) {
    for (size_t i = 0; i < count; i++) {
        const void *name = (const char *)names + i * stride;
        if (is_same(word, sv_from(*(const char *const *)name))) {
            return (int)i;
        }
    }
    return -1;
}

bool sv_next_row(StrView *text, StrView *row, int *number) {
    while (sv_next_line(text, row)) {
        ++*number;
        if (!sv_is_remark(*row)) {
            return true;
        }
    }
    return false;
}

bool sv_next_field(StrView *text, char separator, StrView *field) {
    if (text->ptr == NULL) {
        *field = (StrView){NULL, 0};
        return false;
    }
    size_t end = sv_find_byte(*text, separator);
    *field = sv_prefix(*text, end);
    *text = end < text->len ? sv_skip(*text, end + 1) : (StrView){NULL, 0};
    return true;
}

StrView sv_field(StrView text, char separator, int number) {
    StrView field;
    for (int i = 0; sv_next_field(&text, separator, &field); i++) {
        if (i == number) {
            return sv_trim(field);
        }
    }
    return (StrView){NULL, 0};
}

int sv_find_field(StrView text, char separator, StrView name) {
    StrView field;
    for (int i = 0; sv_next_field(&text, separator, &field); i++) {
        if (sv_equal(sv_trim(field), name)) {
            return i;
        }
    }
    return -1;
}

void strbuf_free(StrBuf *buf) {
    free(buf->ptr);
    *buf = STRBUF_INIT;
}

void strbuf_clear(StrBuf *buf) {
    buf->len = 0;
    if (buf->ptr != NULL) {
        buf->ptr[0] = '\0';
    }
}

void strbuf_reserve(StrBuf *buf, size_t more) {
    size_t need;
    if (__builtin_add_overflow(buf->len, more, &need) || __builtin_add_overflow(need, 1, &need)) {
        need = SIZE_MAX;
    }
    bool is_new = buf->ptr == NULL;
    buf->ptr = xmem_grow(buf->ptr, &buf->cap, need, 1);
    if (is_new) {
        buf->ptr[0] = '\0';
    }
}

void strbuf_add_byte(StrBuf *buf, char byte) {
    strbuf_reserve(buf, 1);
    buf->ptr[buf->len++] = byte;
    buf->ptr[buf->len] = '\0';
}

void strbuf_add(StrBuf *buf, StrView text) {
    strbuf_add_bytes(buf, text.ptr, text.len);
}

void strbuf_add_str(StrBuf *buf, const char *text) {
    strbuf_add(buf, sv_from(text));
}

void strbuf_add_bytes(StrBuf *buf, const void *bytes, size_t len) {
    strbuf_reserve(buf, len);
    if (len > 0) {
        memcpy(buf->ptr + buf->len, bytes, len);
    }
    buf->len += len;
    buf->ptr[buf->len] = '\0';
}

void strbuf_add_i64(StrBuf *buf, int64_t value) {
    if (value < 0) {
        strbuf_add_byte(buf, '-');
    }
    strbuf_add_u64(buf, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void strbuf_add_u64(StrBuf *buf, uint64_t value) {
    char digits[20];
    size_t first = sizeof(digits);
    do {
        digits[--first] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    strbuf_add_bytes(buf, digits + first, sizeof(digits) - first);
}

void strbuf_addf(StrBuf *buf, const char *format, ...) {
    va_list args;
    va_start(args, format);
    strbuf_vaddf(buf, format, args);
    va_end(args);
}

void strbuf_vaddf(StrBuf *buf, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    strbuf_reserve(buf, 0);
    int len = vsnprintf(buf->ptr + buf->len, buf->cap - buf->len, format, args);
    ASSERT(len >= 0);
    if (len > 0 && (size_t)len >= buf->cap - buf->len) {
        strbuf_reserve(buf, (size_t)len);
        vsnprintf(buf->ptr + buf->len, buf->cap - buf->len, format, again);
    }
    buf->len += len > 0 ? (size_t)len : 0;
    va_end(again);
}

StrView strbuf_view(const StrBuf *buf) {
    return (StrView){buf->ptr, buf->len};
}

char *sv_copy(StrView text) {
    char *copy = xmem_alloc(text.len + 1, 1);
    if (text.len > 0) {
        memcpy(copy, text.ptr, text.len);
    }
    copy[text.len] = '\0';
    return copy;
}
