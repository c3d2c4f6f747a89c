/* codec.h: what every format of records is: how a game is read and written, and what it can hold.
 *
 * A codec turns one game in UTF-8 into a Record and back. Codecs have no state; each is declared in
 * the header of its format, and codecs.h lists them all. Encodings and line ends are the business
 * of kifuio.h, files with several games that of stream.h. */
#ifndef KMD_KIFU_CODEC_H
#define KMD_KIFU_CODEC_H

#include "base/textenc.h"
#include "kifu/record.h"

struct RecordReader;

typedef struct Codec {
    KmdFormat format; /* what users are told; the separator also says how a file divides into games:
                       * NULL: one game is the whole file; "": each line is a game, but for
                       * sv_is_remark; "/\n": by such lines, or ones that begin with the version */
    TextEncoding usual_encoding;

    /* Reads one game into the reader's cleared record. False at the first fault, which is in the
     * reader's error; what came before it stays in the record. */
    bool (*read)(struct RecordReader *reader, StrView text);

    /* Appends the game, in UTF-8 with LF, but for a line that names the encoding (kifuio.c). */
    void (*write)(const Record *record, StrBuf *out);
} Codec;

enum {
    HOLDS_GAME = KMD_HOLDS_HEADERS | KMD_HOLDS_COMMENTS | KMD_HOLDS_MOVES,
    HOLDS_TREE = HOLDS_GAME | KMD_HOLDS_VARIATIONS
};

/* Appends each line of text with `prefix` before it and LF behind it. */
void codec_append_prefixed_lines(StrView text, const char *prefix, StrBuf *out);

/* Appends text with line breaks turned into blanks, for formats where a value is one line. */
void codec_append_one_line(StrView text, StrBuf *out);

/* Appends text and blanks up to `columns` half-width columns. */
void codec_append_padded(StrView text, int columns, StrBuf *out);

#endif
