/* kifuio.h: one game from and to the bytes of a file, in any format, encoding and with any line
 * ends. stream.h reads files with many.
 *
 * No state: safe from every thread. Nothing here prints. */
#ifndef KMD_KIFU_KIFUIO_H
#define KMD_KIFU_KIFUIO_H

#include "base/str.h"
#include "base/textenc.h"
#include "kifu/codec.h"

/* The longest game that is read, in bytes of its file. */
enum { KIFU_MAX_GAME = 64 << 20 };

/* How a file was written, and how to write one. */
typedef struct KifuForm {
    const Codec *codec;
    TextEncoding encoding;
    bool has_bom;
    bool has_crlf;
    size_t unreadable; /* places of what was read that are no text in the encoding */
} KifuForm;

/* The usual form of a format; and of one in a file of that name: .kifu and .ki2u are in UTF-8. */
KifuForm kifu_form(const Codec *codec);
KifuForm kifu_form_by_path(const Codec *codec, StrView path);

/* Whether the format can be written in the encoding: CSA V3 has no word for EUC-JP. */
bool kifu_has_encoding(const Codec *codec, TextEncoding encoding);

/* The ending of the format's files that is `wanted`, such as "kifu" for KIF in UTF-8; else the
 * usual one. Without the dot, static storage. */
StrView kifu_ending(const Codec *codec, StrView wanted);

/* Reads one game from the bytes of a whole file. form->codec may name the format; NULL asks for
 * detection. On return *form says what was found. False with *error filled at the first fault; what
 * came before it stays in the record, which is cleared first. True with a note in *error where
 * something is unusual, else its reason is NULL. */
bool kifu_read(StrView bytes, KifuForm *form, Record *record, KmdFault *error);

/* Appends a game as bytes of a file. Returns how many characters the encoding lacked. An encoding
 * that the format does not have (kifu_has_encoding) becomes UTF-8. */
size_t kifu_write(const Record *record, const KifuForm *form, StrBuf *out);

#endif
