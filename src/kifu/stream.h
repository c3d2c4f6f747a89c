/* stream.h: files with one game or very many, read one after the other.
 *
 * A KifuStream belongs to one thread. Memory stays bounded by the largest single game, whatever
 * the size of the file. Nothing here prints. */
#ifndef KMD_KIFU_STREAM_H
#define KMD_KIFU_STREAM_H

#include "base/fileio.h"
#include "kifu/kifuio.h"

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
