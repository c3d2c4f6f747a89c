/* kifuio.h: reads and writes one game as the bytes of a file, in any format and encoding and with
 * any line ends. stream.h reads files with several games.
 *
 * Stateless: safe from every thread. Nothing here prints. */
#ifndef KMD_KIFU_KIFUIO_H
#define KMD_KIFU_KIFUIO_H

#include "base/str.h"
#include "base/textenc.h"
#include "kifu/codec.h"

/* The largest game that can be read, in bytes. */
enum { KIFU_MAX_GAME = 64 << 20 };

/* How a file is or should be written. */
typedef struct KifuForm {
    const Codec *codec;
    TextEncoding encoding;
    bool has_bom;
    bool has_crlf;
    size_t unreadable; /* number of invalid byte sequences in what was read */
} KifuForm;

/* The usual form of a format, and the form for a file with that name: .kifu and .ki2u use UTF-8. */
KifuForm kifu_form(const Codec *codec);
KifuForm kifu_form_by_path(const Codec *codec, StrView path);

/* True if the format can be written in the encoding. CSA V3 has no name for EUC-JP. */
bool kifu_has_encoding(const Codec *codec, TextEncoding encoding);

/* The format's file extension that equals `wanted`, such as "kifu" for KIF in UTF-8; otherwise the
 * usual one. Without the dot; static storage. */
StrView kifu_ending(const Codec *codec, StrView wanted);

/* Reads one game from the bytes of a whole file. form->codec may be the format; NULL means detect
 * it. On return *form is the form found. At the first error returns false with *error filled in;
 * the record, which is cleared first, then contains what came before it. Otherwise returns true,
 * with a note in *error if something is unusual and a NULL reason if not. */
bool kifu_read(StrView bytes, KifuForm *form, Record *record, KmdFault *error);

/* Appends a game as the bytes of a file. Returns the number of characters that the encoding cannot
 * represent. An encoding that the format does not support (kifu_has_encoding) becomes UTF-8. */
size_t kifu_write(const Record *record, const KifuForm *form, StrBuf *out);

#endif
