/* textenc.h: to UTF-8 and from it, for the encodings Japanese files come in: Shift_JIS (as code
 * page 932) and EUC-JP.
 *
 * Stateless and safe from every thread. The inside of Komadori is UTF-8 throughout; only the edges
 * that read and write files use this module. */
#ifndef KMD_BASE_TEXTENC_H
#define KMD_BASE_TEXTENC_H

#include <stdint.h>

#include "base/str.h"

typedef enum TextEncoding { TEXT_UTF8, TEXT_CP932, TEXT_EUC_JP, TEXT_ENCODING_NB } TextEncoding;

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
