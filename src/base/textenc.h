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

/* Reads a name as it occurs in files and options ("utf8", "SHIFT_JIS", "cp932", "sjis", "euc-jp").
 * */
bool textenc_read_name(StrView name, TextEncoding *encoding) MUST_CHECK;

/* Guesses the encoding of a text. UTF-8 if it has a byte-order mark or is valid, as plain ASCII is;
 * otherwise EUC-JP if all of it is valid in that encoding (Shift_JIS text hardly ever is); UTF-8
 * with a few errors (a truncated file) if it has four sequences for each; otherwise CP932. */
TextEncoding textenc_detect(StrView bytes);

/* Appends bytes as UTF-8, without byte-order marks. Returns the number of places that could not be
 * read; each became UTF8_REPLACEMENT. */
size_t textenc_decode(TextEncoding encoding, StrView bytes, StrBuf *out);

/* Appends UTF-8 text in another encoding. Returns the number of characters missing there; each
 * became the geta mark (U+3013), the printers' sign for a missing letter. */
size_t textenc_encode(TextEncoding encoding, StrView text, StrBuf *out);

#endif
