/* textenc.c: detects the encoding and converts through the table of code page 932. The table for
 * writing is made from it on first use. */
#include "base/textenc.h"

#include <pthread.h>

#include "base/utf8.h"

/* Code page 932, drawn by its first byte:
 *
 *   00-7F ASCII    81-9F, E0-EF rows of JIS X 0208    A1-DF half-width kana
 *   F0-F9 the user's own characters, by custom U+E000 upwards    FA-FC IBM's characters
 *
 * The second byte is 40-7E or 80-FC, which gives 188 places, or two rows of 94. EUC-JP has the same
 * 94 rows as two bytes A1-FE each, and half-width kana after the byte 8E. EUC-JP's third set (8F)
 * is not supported. */
enum {
    KANA_FIRST = 0xA1,
    KANA_LAST = 0xDF,
    KANA_UNICODE = 0xFF61, /* half-width ideographic full stop, byte A1 */
    USER_UNICODE = 0xE000,
    USER_LEAD_FIRST = 0xF0,
    USER_LEAD_LAST = 0xF9,
    PLACES_PER_LEAD = 188,
    EUC_KANA = 0x8E,
    GETA_CP932 = 0x81AC
};

static bool byte_in(unsigned byte, unsigned low, unsigned high) {
    return byte >= low && byte <= high;
}

static const struct {
    const char *name;
    TextEncoding encoding;
} encoding_names[] = {
    {"UTF-8", TEXT_UTF8},        {"Shift_JIS", TEXT_CP932}, {"EUC-JP", TEXT_EUC_JP},
    {"utf8", TEXT_UTF8},         {"sjis", TEXT_CP932},      {"ShiftJIS", TEXT_CP932},
    {"Shift-JIS", TEXT_CP932},   {"cp932", TEXT_CP932},     {"ms932", TEXT_CP932},
    {"windows-31j", TEXT_CP932}, {"euc", TEXT_EUC_JP},      {"eucjp", TEXT_EUC_JP},
    {"euc_jp", TEXT_EUC_JP},
};

const char *textenc_name(TextEncoding encoding) {
    ASSERT(encoding < TEXT_ENCODING_NB);
    return encoding_names[encoding].name;
}

bool textenc_read_name(StrView name, TextEncoding *encoding) {
    int index = sv_index(name, &encoding_names[0].name, COUNTOF(encoding_names),
                         sizeof(encoding_names[0]), sv_equal_nocase);
    if (index >= 0) {
        *encoding = encoding_names[index].encoding;
    }
    return index >= 0;
}

static bool is_euc_jp(StrView bytes) {
    for (size_t i = 0; i < bytes.len; i++) {
        unsigned first = (unsigned char)bytes.ptr[i];
        if (first < 0x80) {
            continue;
        }
        size_t tail = first == 0x8F ? 2 : 1;
        if ((first != EUC_KANA && first != 0x8F && !byte_in(first, 0xA1, 0xFE)) ||
            bytes.len - i <= tail) {
            return false;
        }
        for (size_t k = 1; k <= tail; k++) {
            if (!byte_in((unsigned char)bytes.ptr[i + k], 0xA1, 0xFE)) {
                return false;
            }
        }
        i += tail;
    }
    return true;
}

TextEncoding textenc_detect(StrView bytes) {
    Utf8Counts counts = utf8_count(bytes);
    if (sv_starts_with(bytes, SV(UTF8_MARK)) || counts.faults == 0) {
        return TEXT_UTF8;
    }
    if (is_euc_jp(bytes)) {
        return TEXT_EUC_JP;
    }
    return counts.sequences / 4 >= counts.faults ? TEXT_UTF8 : TEXT_CP932;
}

static uint32_t table_character(int row, int column) {
    uint32_t character = textenc_cp932[row][column];
    return character == 0 || character == ' ' ? UTF8_REPLACEMENT : character;
}

/* Takes one character from bytes in code page 932. Of an invalid pair only the first byte is taken,
 * so that a line feed or a comma after a stray byte is not lost. */
static uint32_t cp932_take(StrView *bytes) {
    unsigned lead = (unsigned char)bytes->ptr[0];
    unsigned trail = bytes->len > 1 ? (unsigned char)bytes->ptr[1] : 0;
    *bytes = sv_skip(*bytes, 1);
    if (lead < 0x80) {
        return lead;
    }
    if (byte_in(lead, KANA_FIRST, KANA_LAST)) {
        return KANA_UNICODE + lead - KANA_FIRST;
    }
    if (lead == 0x80 || lead == 0xA0 || lead > 0xFC || !byte_in(trail, 0x40, 0xFC) ||
        trail == 0x7F) {
        return UTF8_REPLACEMENT;
    }
    unsigned place = trail - 0x40 - (trail > 0x7F);
    uint32_t character;
    if (byte_in(lead, USER_LEAD_FIRST, USER_LEAD_LAST)) {
        character = USER_UNICODE + (lead - USER_LEAD_FIRST) * PLACES_PER_LEAD + place;
    } else {
        unsigned first_row = lead < 0xA0 ? (lead - 0x81) * 2
                             : lead < USER_LEAD_FIRST
                                 ? (lead - 0xC1) * 2
                                 : CP932_JIS_ROW_NB + (lead - USER_LEAD_LAST - 1) * 2;
        character = table_character((int)(first_row + place / CP932_COLUMN_NB),
                                    (int)(place % CP932_COLUMN_NB));
    }
    if (character != UTF8_REPLACEMENT) {
        *bytes = sv_skip(*bytes, 1);
    }
    return character;
}

static uint32_t euc_take(StrView *bytes) {
    unsigned first = (unsigned char)bytes->ptr[0];
    unsigned second = bytes->len > 1 ? (unsigned char)bytes->ptr[1] : 0;
    *bytes = sv_skip(*bytes, 1);
    if (first < 0x80) {
        return first;
    }
    if (first == 0x8F && bytes->len >= 2) {
        *bytes = sv_skip(*bytes, 2);
        return UTF8_REPLACEMENT;
    }
    if (!byte_in(second, 0xA1, 0xFE)) {
        return UTF8_REPLACEMENT;
    }
    if (first == EUC_KANA && second <= KANA_LAST) {
        *bytes = sv_skip(*bytes, 1);
        return KANA_UNICODE + second - KANA_FIRST;
    }
    if (!byte_in(first, 0xA1, 0xFE)) {
        return UTF8_REPLACEMENT;
    }
    *bytes = sv_skip(*bytes, 1);
    return table_character((int)first - 0xA1, (int)second - 0xA1);
}

size_t textenc_decode(TextEncoding encoding, StrView bytes, StrBuf *out) {
    bytes = utf8_without_mark(bytes);
    size_t faults = 0;
    strbuf_reserve(out, bytes.len);
    while (bytes.len > 0) {
        size_t before = bytes.len;
        uint32_t character = encoding == TEXT_UTF8    ? utf8_take(&bytes)
                             : encoding == TEXT_CP932 ? cp932_take(&bytes)
                                                      : euc_take(&bytes);
        if (character == UTF8_MARK_CODE) {
            continue;
        }
        /* A correctly encoded U+FFFD has three bytes and is no error. */
        bool is_written = encoding == TEXT_UTF8 && before - bytes.len == 3;
        faults += character == UTF8_REPLACEMENT && !is_written;
        utf8_append(out, character);
    }
    return faults;
}

/* The code of each character in code page 932; 0 if it has none. The table is filled once, on first
 * use. */
static uint16_t cp932_codes[0x10000];
static pthread_once_t cp932_codes_once = PTHREAD_ONCE_INIT;

static void fill_row(int row) {
    unsigned lead = row < 62                 ? 0x81 + (unsigned)row / 2
                    : row < CP932_JIS_ROW_NB ? 0xC1 + (unsigned)row / 2
                                             : 0xFA + (unsigned)(row - CP932_JIS_ROW_NB) / 2;
    for (int column = 0; column < CP932_COLUMN_NB; column++) {
        uint32_t character = table_character(row, column);
        unsigned trail = 0x40 + (unsigned)(row & 1) * CP932_COLUMN_NB + (unsigned)column;
        trail += trail >= 0x7F;
        if (character != UTF8_REPLACEMENT) {
            cp932_codes[character] = (uint16_t)(lead << 8 | trail);
        }
    }
}

/* Fills the table. Some characters occur at two or three places of code page 932. Microsoft's
 * converter prefers the rows of JIS X 0208, then NEC's row 13, then IBM's rows, and last NEC's copy
 * of IBM's rows (rows 89 to 92). Characters are entered in the opposite order, so that later
 * entries overwrite earlier ones. */
static void fill_codes(void) {
    for (int row = 88; row < 92; row++) {
        fill_row(row);
    }
    for (int row = CP932_JIS_ROW_NB; row < CP932_ROW_NB; row++) {
        fill_row(row);
    }
    fill_row(12);
    for (int row = 0; row < 88; row++) {
        if (row != 12) {
            fill_row(row);
        }
    }
    for (unsigned i = 0; i < KANA_LAST - KANA_FIRST + 1; i++) {
        cp932_codes[KANA_UNICODE + i] = (uint16_t)(KANA_FIRST + i);
    }
    for (unsigned i = 0; i < (USER_LEAD_LAST - USER_LEAD_FIRST + 1) * PLACES_PER_LEAD; i++) {
        unsigned trail = 0x40 + i % PLACES_PER_LEAD;
        trail += trail >= 0x7F;
        cp932_codes[USER_UNICODE + i] =
            (uint16_t)((USER_LEAD_FIRST + i / PLACES_PER_LEAD) << 8 | trail);
    }
    /* Other codes for the same signs in the JIS tables of other systems, and ☗ and ☖, for which
     * record formats also have ▲ and △. */
    static const uint16_t twins[][2] = {{0x301C, 0xFF5E}, {0x2212, 0xFF0D}, {0x2016, 0x2225},
                                        {0x00A2, 0xFFE0}, {0x00A3, 0xFFE1}, {0x00AC, 0xFFE2},
                                        {0x2014, 0x2015}, {0x2617, 0x25B2}, {0x2616, 0x25B3}};
    for (size_t i = 0; i < COUNTOF(twins); i++) {
        cp932_codes[twins[i][0]] = cp932_codes[twins[i][1]];
    }
}

static void append_euc(StrBuf *out, unsigned code) {
    if (code < 0x100) {
        strbuf_add_byte(out, (char)EUC_KANA);
        strbuf_add_byte(out, (char)code);
        return;
    }
    unsigned lead = code >> 8, trail = code & 0xFF;
    unsigned place = trail - 0x40 - (trail > 0x7F);
    unsigned row = (lead - (lead < 0xA0 ? 0x81 : 0xC1)) * 2 + place / CP932_COLUMN_NB;
    strbuf_add_byte(out, (char)(0xA1 + row));
    strbuf_add_byte(out, (char)(0xA1 + place % CP932_COLUMN_NB));
}

size_t textenc_encode(TextEncoding encoding, StrView text, StrBuf *out) {
    if (encoding == TEXT_UTF8) {
        strbuf_add(out, text);
        return 0;
    }
    pthread_once(&cp932_codes_once, fill_codes);
    size_t faults = 0;
    while (text.len > 0) {
        uint32_t character = utf8_take(&text);
        if (character < 0x80) {
            strbuf_add_byte(out, (char)character);
            continue;
        }
        unsigned code = character < COUNTOF(cp932_codes) ? cp932_codes[character] : 0;
        if (code == 0 || (encoding == TEXT_EUC_JP && code >= (unsigned)USER_LEAD_FIRST << 8)) {
            faults++;
            code = GETA_CP932;
        }
        if (encoding == TEXT_EUC_JP) {
            append_euc(out, code);
        } else {
            if (code >= 0x100) {
                strbuf_add_byte(out, (char)(code >> 8));
            }
            strbuf_add_byte(out, (char)(code & 0xFF));
        }
    }
    return faults;
}
