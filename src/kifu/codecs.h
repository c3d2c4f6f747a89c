/* codecs.h: the table of formats, and finding one by its name or by the name of a file.
 *
 * A constant table: safe from every thread. */
#ifndef KMD_KIFU_CODECS_H
#define KMD_KIFU_CODECS_H

#include "base/str.h"
#include "kifu/codec.h"

/* There are never more formats than this. */
enum { KIFU_MOST_CODECS = 32 };

/* The formats, in the order they are listed to users; NULL for other numbers. */
const Codec *kifu_codec(int index);

/* The name of such a format, for the words of an option (ArgOption.word). */
const char *kifu_codec_name(int index);

/* By name or extension ("kif", "kifu"), or by the ending of a file name; NULL when unknown. */
const Codec *kifu_codec_by_name(StrView name);
const Codec *kifu_codec_by_path(StrView path);

/* "kifu" for "a/b.kifu"; empty when the name has no point. Folders end in either slash. */
StrView kifu_path_ending(StrView path);

#endif
