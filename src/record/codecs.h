/* codecs.h: the table of formats, with look-up by name or by file name.
 *
 * The table is constant: safe from every thread. */
#ifndef KMD_RECORD_CODECS_H
#define KMD_RECORD_CODECS_H

#include "base/str.h"
#include "record/codec.h"

/* An upper limit for the number of formats. */
enum { KIFU_MAX_CODECS = 32 };

/* The format with this index, in the order for lists; NULL for any other number. */
const Codec *kifu_codec(int index);

/* The name of the format with this index. For ArgOption.word. */
const char *kifu_codec_name(int index);

/* Look up a format by its name or extension ("kif", "kifu"), or by the extension of a file name.
 * NULL if unknown. */
const Codec *kifu_codec_by_name(StrView name);
const Codec *kifu_codec_by_path(StrView path);

/* The format for a copy of a record at `path`: that of the record if it uses this extension, so
 * that a record in CSA V3.0 stays one in a .csa file; otherwise like kifu_codec_by_path. */
const Codec *kifu_codec_for_path(StrView path, const Codec *source);

/* The extension of a path: "kifu" for "a/b.kifu"; empty if the name has no dot. Slashes and
 * backslashes separate folders. */
StrView kifu_path_extension(StrView path);

#endif
