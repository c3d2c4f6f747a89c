/* utf8.c: decodes, validates and measures UTF-8; malformed sequences are never read past their
 * end. */
#include "base/utf8.h"

/* The length of a UTF-8 sequence with this first byte, according to the table of RFC 3629; 0 if no
 * sequence starts with this byte. *low and *high are the limits of the second byte. */
static int lead_shape(unsigned first, unsigned *low, unsigned *high) {
    *low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    *high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (first < 0x80) {
        return 1;
    }
    if (first < 0xC2 || first > 0xF4) {
        return 0;
    }
    return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

uint32_t utf8_take(StrView *text) {
    ASSERT(text->len > 0);
    unsigned first = (unsigned char)text->ptr[0];
    unsigned low, high;
    int length = lead_shape(first, &low, &high);
    if (length == 1) {
        *text = sv_skip(*text, 1);
        return first;
    }
    uint32_t character = first & (0x3Fu >> (length > 1 ? length - 1 : 0));
    bool is_valid = length > 1 && (size_t)length <= text->len;
    for (int i = 1; is_valid && i < length; i++) {
        unsigned byte = (unsigned char)text->ptr[i];
        is_valid = byte >= (i == 1 ? low : 0x80) && byte <= (i == 1 ? high : 0xBF);
        character = character << 6 | (byte & 0x3F);
    }
    *text = sv_skip(*text, is_valid ? (size_t)length : 1);
    return is_valid ? character : UTF8_REPLACEMENT;
}

void utf8_append(StrBuf *out, uint32_t character) {
    if (character > 0x10FFFF || (character >= 0xD800 && character <= 0xDFFF)) {
        character = UTF8_REPLACEMENT;
    }
    if (character < 0x80) {
        strbuf_add_byte(out, (char)character);
        return;
    }
    int tail = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    static const unsigned marks[4] = {0, 0xC0, 0xE0, 0xF0};
    char bytes[4];
    bytes[0] = (char)(marks[tail] | character >> 6 * tail);
    for (int i = 1; i <= tail; i++) {
        bytes[i] = (char)(0x80 | (character >> 6 * (tail - i) & 0x3F));
    }
    strbuf_add_bytes(out, bytes, (size_t)tail + 1);
}

void utf8_append_printable(StrBuf *out, StrView text) {
    while (text.len > 0) {
        StrView rest = text;
        uint32_t character = utf8_take(&rest);
        size_t len = text.len - rest.len;
        bool is_control = character < ' ' || (character >= 0x7F && character < 0xA0);
        bool is_invalid = character == UTF8_REPLACEMENT && len == 1;
        strbuf_add(out, is_control || is_invalid ? SV("?") : sv_prefix(text, len));
        text = rest;
    }
}

Utf8Counts utf8_count(StrView bytes) {
    Utf8Counts counts = {0, 0};
    while (bytes.len > 0) {
        size_t before = bytes.len;
        uint32_t character = utf8_take(&bytes);
        /* A correctly encoded U+FFFD has three bytes and is valid too. */
        bool is_valid = character != UTF8_REPLACEMENT || before - bytes.len == 3;
        counts.faults += !is_valid;
        counts.sequences += is_valid && before - bytes.len > 1;
    }
    return counts;
}

/* True for the characters whose East Asian Width in Unicode is "W" or "F", and for symbols that are
 * wide in Japanese fonts. */
static bool is_wide(uint32_t c) {
    static const uint32_t ranges[][2] = {
        {0x1100, 0x115F}, {0x2190, 0x2199}, {0x2500, 0x257F},   {0x25A0, 0x25FF},
        {0x2605, 0x2617}, {0x2E80, 0x303E}, {0x3041, 0xA4CF},   {0xAC00, 0xD7A3},
        {0xF900, 0xFAFF}, {0xFE30, 0xFE6F}, {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
        {0xE000, 0xE757}, {0x203B, 0x203B}, {0x1F000, 0x1FAFF}, {0x20000, 0x3FFFD},
    };
    for (size_t i = 0; i < COUNTOF(ranges); i++) {
        if (c >= ranges[i][0] && c <= ranges[i][1]) {
            return true;
        }
    }
    return false;
}

int utf8_columns(StrView text) {
    int columns = 0;
    while (text.len > 0) {
        columns += is_wide(utf8_take(&text)) ? 2 : 1;
    }
    return columns;
}

StrView utf8_without_mark(StrView text) {
    return sv_starts_with(text, SV(UTF8_MARK)) ? sv_skip(text, SV(UTF8_MARK).len) : text;
}

StrView utf8_cut(StrView text, size_t max_bytes) {
    StrView rest = text;
    size_t fits = 0;
    while (rest.len > 0) {
        utf8_take(&rest);
        if (text.len - rest.len > max_bytes) {
            break;
        }
        fits = text.len - rest.len;
    }
    return sv_prefix(text, fits);
}
