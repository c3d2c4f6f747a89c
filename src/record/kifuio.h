/* kifuio.h: reads and writes one game as the bytes of a file, in any format and encoding and with
 * any line ends. stream.h reads files with several games.
 *
 * Stateless: safe from every thread. Nothing here prints. */
#ifndef KMD_RECORD_KIFUIO_H
#define KMD_RECORD_KIFUIO_H

#include "base/str.h"
#include "base/textenc.h"
#include "record/codec.h"

/* The largest game that can be read, in bytes. */
enum { KIFU_MAX_GAME = 64 << 20 };

/* How a file is or should be written. */
typedef struct KifuForm {
    const Codec *codec;
    TextEncoding encoding;
    bool has_bom;
    bool has_crlf;
    bool is_of_file;      /* found in a file that is written again, so it stays as it is */
    bool states_encoding; /* the file says which encoding it has; only if is_of_file */
    size_t unreadable;    /* number of invalid byte sequences that were read */
} KifuForm;

/* kifu_form returns the usual form of a format. kifu_form_by_path returns the form for a file with
 * that name: .kifu and .ki2u use UTF-8. */
KifuForm kifu_form(const Codec *codec);
KifuForm kifu_form_by_path(const Codec *codec, StrView path);

/* True if the format can be written in the encoding. CSA V3 has no name for EUC-JP. */
bool kifu_has_encoding(const Codec *codec, TextEncoding encoding);

/* Returns `wanted` if it is an extension of the format, such as "kifu" for KIF in UTF-8; otherwise
 * the format's usual extension. Without the dot; static storage. */
StrView kifu_extension(const Codec *codec, StrView wanted);

/* Reads one game from the bytes of a whole file. If form->codec is NULL, the format is detected. On
 * return *form is the form of the file. The record is cleared first. At the first error returns
 * false with *error filled in; the record then contains what came before the error. Otherwise
 * returns true; *error then holds a note if the input is unusual, or a NULL reason if not. */
bool kifu_read(StrView bytes, KifuForm *form, Record *record, KmdFault *error);

/* Appends a game as the bytes of a file. Returns the number of characters that the encoding cannot
 * represent. If the format does not support the encoding (kifu_has_encoding), UTF-8 is used. */
size_t kifu_write(const Record *record, const KifuForm *form, StrBuf *out);

#endif
