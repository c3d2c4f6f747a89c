/* detect.h: detects the format, the encoding and the line ends of a file from its bytes.
 *
 * Stateless: safe from every thread. */
#ifndef KMD_RECORD_DETECT_H
#define KMD_RECORD_DETECT_H

#include "base/str.h"
#include "base/textenc.h"
#include "record/codec.h"

/* Detects the format of a text in UTF-8, which may be the start of a file; NULL if it looks like no
 * known format. */
const Codec *kifu_detect(StrView text);

/* Detects the format of a file from its name (may be empty) and its bytes; the first hundred lines
 * suffice. The name's extension decides, unless no line fits its format and some lines fit another
 * one. NULL if unknown. */
const Codec *kifu_guess(StrView path, StrView bytes);

/* Detects the encoding of a file. If the bytes are ambiguous, the encoding stated in the first line
 * is used. */
TextEncoding kifu_detect_encoding(StrView bytes);

/* True if the first line is one of KIF or CSA that states the encoding. */
bool kifu_states_encoding(StrView bytes);

/* Converts a text whose lines end in CR alone, as on old Macintoshes, to LF. If the text has other
 * line ends, its CRs are kept. */
void kifu_end_lines_in_lf(StrBuf *text);

/* The bytes before the ^Z that ends texts on old systems, or before zeros that fill a block. */
StrView kifu_without_padding(StrView bytes);

#endif
