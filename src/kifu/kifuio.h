/* kifuio.h: game records in any format: the table of formats, recognising them, encodings and line
 * ends, and files with one game or very many.
 *
 * A KifuStream belongs to one thread; the rest has no state. Nothing here prints. Memory stays
 * bounded by the largest single game, whatever the size of the file. */
#ifndef KMD_KIFU_KIFUIO_H
#define KMD_KIFU_KIFUIO_H

#include "base/fileio.h"
#include "kifu/codec.h"

/* The formats, in the order they are listed to users; NULL past the last. */
const Codec *kifu_codec(int index);

/* By name or extension ("kif", "kifu"), or by the ending of a file name; NULL when unknown. */
const Codec *kifu_codec_by_name(StrView name);
const Codec *kifu_codec_by_path(StrView path);

/* "kifu" for "a/b.kifu"; empty when the name has no point. Folders end in either slash. */
StrView kifu_path_ending(StrView path);

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

/* The ending of the format's files that is `wanted`, such as "kifu" for KIF in UTF-8; else the
 * usual one. Without the dot, static storage. */
StrView kifu_ending(const Codec *codec, StrView wanted);

/* Reads one game from the bytes of a whole file. form->codec may name the format; NULL asks for
 * detection. On return *form says what was found. False with *error filled at the first fault; what
 * came before it stays in the record, which is cleared first. True with a note in *error where
 * something is unusual, else its reason is NULL. */
bool kifu_read(StrView bytes, KifuForm *form, Record *record, KmdFault *error);

/* Appends a game as bytes of a file. Returns how many characters the encoding lacked. CSA V3 states
 * its encoding and knows no EUC-JP: it is written in UTF-8 then. */
size_t kifu_write(const Record *record, const KifuForm *form, StrBuf *out);

/* ---- files with many games --------------------------------------------------------------------
 */

typedef struct KifuStream {
    KifuForm form; /* of the latest game; the line ends are those of the file's first line */
    int fd;        /* to be closed, but for STDIN_FILENO */
    int file_error;
    int first_line; /* in the file, of the latest game, from 1 */
    int lines_read;
    bool is_sampled, is_at_end, has_crlf;
    const Codec *codec; /* NULL until known */
    StrBuf path;
    LineReader lines;
    StrBuf sample; /* lines read ahead and not yet given out */
    size_t sample_next;
    StrBuf held; /* a line that was put back, while is_held */
    bool is_held;
    StrBuf game; /* bytes of the game being gathered */
} KifuStream;

/* Opens a file, "-" for standard input, to be read as the format named, or NULL: as what kifu_guess
 * finds by its name and first lines. Returns 0, or an errno value with nothing to free. */
int kifu_stream_open(KifuStream *stream, const char *path, const Codec *codec) MUST_CHECK;

void kifu_stream_free(KifuStream *stream);

/* Reads the next game. Line numbers in *error count from the start of the file; with KMD_NEXT_GAME
 * it holds a note where something is unusual and no fault, else its reason is NULL. */
KmdNext kifu_stream_next(KifuStream *stream, Record *record, KmdFault *error);

/* Appends "game.kif:12: move 8: two pawns on the file (nifu): ８三歩打". */
void kifu_append_fault(const char *path, const KmdFault *fault, StrBuf *out);

#endif
