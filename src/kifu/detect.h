/* detect.h: detects the format, the encoding and the line ends of a file from its bytes.
 *
 * Stateless: safe from every thread. */
#ifndef KMD_KIFU_DETECT_H
#define KMD_KIFU_DETECT_H

#include "base/str.h"
#include "base/textenc.h"
#include "kifu/codec.h"

/* By the looks of a text in UTF-8, which may be the beginning of a file; NULL when it looks like
 * none. */
const Codec *kifu_detect(StrView text);

/* The format of a file from its name (may be empty) and its bytes, of which the first hundred lines
 * are enough. The name counts unless no line is of its format and some are of another. NULL when
 * nothing is known. */
const Codec *kifu_guess(StrView path, StrView bytes);

/* The encoding a file seems to have, in which a statement on its first line counts as long as the
 * bytes leave it open. */
TextEncoding kifu_detect_encoding(StrView bytes);

/* Old Macintoshes ended lines in CR alone: makes them LF. A CR within other line ends stays. */
void kifu_end_lines_in_lf(StrBuf *text);

/* The bytes before the ^Z that ends the texts of old systems, or zeros that fill up a block. */
StrView kifu_without_padding(StrView bytes);

#endif
