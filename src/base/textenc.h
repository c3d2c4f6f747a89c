/* textenc.h: UTF-8, and to and from the encodings Japanese files come in: Shift_JIS (as code page
 * 932) and EUC-JP.
 *
 * Stateless and safe from every thread. The inside of Komadori is UTF-8 throughout; only the edges
 * that read and write files use this module. */
#ifndef KMD_BASE_TEXTENC_H
#define KMD_BASE_TEXTENC_H

#include <stdint.h>

#include "base/str.h"

typedef enum TextEncoding { TEXT_UTF8, TEXT_CP932, TEXT_EUC_JP, TEXT_ENCODING_NB } TextEncoding;

/* What stands for bytes that are no text: U+FFFD. */
enum { UTF8_REPLACEMENT = 0xFFFD };

/* The byte-order mark. It is not a part of any text: joined files have it in their middle. */
#define UTF8_MARK "\xEF\xBB\xBF"
enum { UTF8_MARK_CODE = 0xFEFF };

/* Takes one character off *text, which must not be empty. A byte that starts no valid sequence
 * (overlong and surrogate forms are invalid) is taken alone and gives UTF8_REPLACEMENT. */
uint32_t utf8_take(StrView *text);

/* Appends a character; beyond U+10FFFF or a surrogate: UTF8_REPLACEMENT. */
void utf8_append(StrBuf *out, uint32_t character);

bool utf8_is_valid(StrView text);

/* How well bytes read as UTF-8. */
typedef struct Utf8Counts {
    size_t sequences; /* valid ones of several bytes */
    size_t faults;    /* bytes that are in no valid sequence */
} Utf8Counts;

Utf8Counts utf8_count(StrView bytes);

/* How many columns of a terminal, or half-width columns of a record, the text fills: 2 for
 * East Asian wide characters, 1 for others. Box drawing and the marks of sente and gote count as
 * 2, as they do in Japanese fonts. */
int utf8_columns(StrView text);

/* The text without a byte-order mark at its front. */
StrView utf8_without_mark(StrView text);

/* As much of the front of text as fits max_bytes without cutting a character. */
StrView utf8_cut(StrView text, size_t max_bytes);

/* "UTF-8", "Shift_JIS" or "EUC-JP". */
const char *textenc_name(TextEncoding encoding);

/* Reads a name as files and users write it ("utf8", "SHIFT_JIS", "cp932", "sjis", "euc-jp"). */
bool textenc_read_name(StrView name, TextEncoding *encoding) MUST_CHECK;

/* The encoding a text seems to have. A byte-order mark or a text that is valid decides for UTF-8,
 * as does plain ASCII; otherwise EUC-JP when all of it is valid as that (Shift_JIS text hardly ever
 * is); UTF-8 with a few faults (a file that was cut) when it has four sequences for each; else
 * CP932. */
TextEncoding textenc_detect(StrView bytes);

/* Appends bytes as UTF-8, without byte-order marks. Returns how many places could
 * not be read; each became UTF8_REPLACEMENT. */
size_t textenc_decode(TextEncoding encoding, StrView bytes, StrBuf *out);

/* Appends UTF-8 text in another encoding. Returns how many characters it lacks; each became the
 * geta mark (U+3013), which is what Japanese printers set for a missing letter. */
size_t textenc_encode(TextEncoding encoding, StrView text, StrBuf *out);

#endif
