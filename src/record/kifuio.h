/* kifuio.h: the entry point for game records: the formats; detection; reading and writing one game
 * as the bytes of a file, in any format and encoding and with any line ends; and reading files with
 * one or many games, one game at a time.
 *
 * A KifuStream or a Games belongs to one thread; the rest is stateless and safe from every thread.
 * Memory use depends on the largest game, not on the size of the file. Nothing here prints. */
#ifndef KMD_RECORD_KIFUIO_H
#define KMD_RECORD_KIFUIO_H

#include "base/fileio.h"
#include "record/codec.h"

/* ---- formats --------------------------------------------------------------------------------- */

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

/* True if `out` is an existing file, not the input, in its folder and with its extension: what a
 * file pattern gives if the name of the output before it was forgotten. */
bool kifu_is_sibling(const char *out, const char *input);

/* ---- detection ------------------------------------------------------------------------------- */

/* Detects the format of a text in UTF-8, which may be the start of a file; NULL if it looks like no
 * known format. */
const Codec *kifu_detect(StrView text);

/* Detects the format of a file from its name (may be empty) and its bytes; the first hundred lines
 * suffice. The name's extension decides, unless no line fits its format and some lines fit another
 * one. NULL if unknown. */
const Codec *kifu_guess(StrView path, StrView bytes);

/* ---- one game -------------------------------------------------------------------------------- */

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

/* ---- files ----------------------------------------------------------------------------------- */

typedef struct KifuStream {
    KifuForm form; /* form of the game read last; line ends are those of the first line */
    int fd;        /* closed at the end, unless it is STDIN_FILENO; -1 for bytes */
    int file_error;
    int first_line; /* line number in the file where the last game starts, from 1 */
    int lines_read;
    int dropped; /* number of comment lines that belong to no game */
    bool is_sampled, is_at_end, has_crlf;
    bool is_gathered;   /* `game` is the next game, which has not been returned yet */
    const Codec *codec; /* NULL until the format is known */
    StrBuf path;
    LineReader lines;
    StrBuf sample; /* lines read ahead and not yet returned */
    size_t sample_next;
    StrBuf held; /* the line that was put back, if is_held */
    bool is_held;
    StrBuf game; /* bytes of the game being collected */
} KifuStream;

/* Opens a file; "-" is standard input. If codec is NULL, kifu_guess detects the format from the
 * name and the first lines. Returns 0, or an errno value; nothing must be freed after a failure. */
int kifu_stream_open(KifuStream *stream, const char *path, const Codec *codec) MUST_CHECK;

void kifu_stream_free(KifuStream *stream);

/* Reads the next game. The line numbers in *error are those of the file. If the result is
 * KMD_NEXT_GAME, *error holds a note about unusual input, or its reason is NULL. */
KmdNext kifu_stream_next(KifuStream *stream, Record *record, KmdFault *error);

/* ---- files, with messages -------------------------------------------------------------------- */

/* Receives a message: "PATH:12: move 8: two pawns ...", "PATH: contains no game", or the reason why
 * the file cannot be read. A note is about unusual input, which is not an error. */
typedef void GamesTell(const void *context, const char *message, bool is_note);

typedef struct Games {
    const char *path;
    GamesTell *tell;
    const void *context;
    KifuStream stream; /* closed at its end */
    bool is_open;
    Record record;  /* the last game; after an error it contains the moves before it */
    KifuForm form;  /* form of the last game */
    bool is_broken; /* the last game has an error, which has been reported */
    int count;      /* number of games so far */
    long faults;    /* number of games with an error, plus 1 if the file contains no game or cannot
                       be read */
} Games;

/* Opens a file ("-" is standard input) in the given format, or NULL to detect it. A file that
 * cannot be opened has no games. The caller keeps the path. */
void games_open(Games *games, const char *path, const Codec *codec, GamesTell *tell,
                const void *context);

/* Like games_open, but reads bytes, which are copied. The path is for messages only. */
void games_open_bytes(Games *games, const char *path, StrView bytes, GamesTell *tell,
                      const void *context);

void games_close(Games *games);

/* Reads the next game; false at the end. */
bool games_next(Games *games);

/* True if another game follows. Reads the text of that game to find out, so it waits until standard
 * input has provided it. */
bool games_has_more(Games *games);

#endif
