/* textenc.h: converts between UTF-8 and the encodings of Japanese files: Shift_JIS (as code page
 * 932) and EUC-JP.
 *
 * Stateless and safe from every thread. Inside Komadori all text is UTF-8; only code that reads and
 * writes files uses this module. */
#ifndef KMD_BASE_TEXTENC_H
#define KMD_BASE_TEXTENC_H

#include <stdint.h>

#include "base/str.h"

typedef enum TextEncoding { TEXT_UTF8, TEXT_CP932, TEXT_EUC_JP, TEXT_ENCODING_NB } TextEncoding;

/* "UTF-8", "Shift_JIS" or "EUC-JP". */
const char *textenc_name(TextEncoding encoding);

/* Reads the name of an encoding as used in files and options ("utf8", "SHIFT_JIS", "cp932", "sjis",
 * "euc-jp"). */
bool textenc_read_name(StrView name, TextEncoding *encoding) MUST_CHECK;

/* Guesses the encoding of a text. UTF-8 if it has a byte-order mark or is valid, as plain ASCII is;
 * otherwise EUC-JP if the whole text is valid EUC-JP, which Shift_JIS text hardly ever is; UTF-8,
 * perhaps from a truncated file, if there are at least four valid sequences for each error;
 * otherwise CP932. */
TextEncoding textenc_detect(StrView bytes);

/* Converts bytes to UTF-8 and appends them without byte-order marks. Returns the number of invalid
 * places; each was replaced by UTF8_REPLACEMENT. */
size_t textenc_decode(TextEncoding encoding, StrView bytes, StrBuf *out);

/* Appends UTF-8 text in another encoding. Returns the number of characters that the encoding lacks.
 * Each was replaced by the geta mark (U+3013), the printers' sign for a missing character. */
size_t textenc_encode(TextEncoding encoding, StrView text, StrBuf *out);

/* ---- private to the module ------------------------------------------------------------------- */

/* The characters of Microsoft's code page 932, Shift_JIS with the additions of NEC and IBM
 * (textenc_cp932.c). Rows 0 to 93 are rows 1 to 94 of JIS X 0208 (lead bytes 0x81 to 0xEF, two rows
 * each); rows 94 to 99 belong to the lead bytes 0xFA to 0xFC. */
enum { CP932_JIS_ROW_NB = 94, CP932_ROW_NB = 100, CP932_COLUMN_NB = 94 };

/* The Unicode character at each place, all below U+10000; 0 or a space if there is none. */
extern const uint16_t textenc_cp932[CP932_ROW_NB][CP932_COLUMN_NB];

#endif
