/* stream.h: reads files with one or many games, one game at a time.
 *
 * A KifuStream belongs to one thread. Memory use depends on the largest game, not on the size of
 * the file. Nothing here prints. */
#ifndef KMD_RECORD_STREAM_H
#define KMD_RECORD_STREAM_H

#include "base/fileio.h"
#include "record/kifuio.h"

typedef struct KifuStream {
    KifuForm form; /* form of the game read last; line ends are those of the first line */
    int fd;        /* closed at the end, unless it is STDIN_FILENO; -1 for bytes */
    int file_error;
    int first_line; /* line number in the file where the last game starts, from 1 */
    int lines_read;
    int dropped; /* number of comment lines that belong to no game */
    bool is_sampled, is_at_end, has_crlf;
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

/* Reads a copy of the bytes instead of a file. kifu_guess detects the format. */
void kifu_stream_open_bytes(KifuStream *stream, StrView bytes);

void kifu_stream_free(KifuStream *stream);

/* Reads the next game. The line numbers in *error are those of the file. If the result is
 * KMD_NEXT_GAME, *error holds a note about unusual input, or its reason is NULL. */
KmdNext kifu_stream_next(KifuStream *stream, Record *record, KmdFault *error);

/* Appends a fault as text, such as "game.kif:12: move 8: two pawns on the file (nifu):
 * ８三歩打". */
void kifu_append_fault(const char *path, const KmdFault *fault, StrBuf *out);

#endif
