/* codec.h: the interface of a record format: how a game is read and written, what it can hold, what
 * its lines look like, how a file divides into games, and how a file states its encoding.
 *
 * A codec turns one game in UTF-8 into a Record and back. Codecs have no state; each is declared in
 * the header of its format, and codecs.c lists them all. No other file asks which format it has: it
 * calls a member. Encodings and line ends are the business of kifuio.h, files with several games
 * that of stream.h. */
#ifndef KMD_KIFU_CODEC_H
#define KMD_KIFU_CODEC_H

#include "base/textenc.h"
#include "kifu/ending.h"
#include "kifu/record.h"

struct RecordReader;

/* How typical a line is of a format (detect.c). */
typedef enum LineLook {
    LOOKS_FOREIGN,
    LOOKS_POSSIBLE, /* occurs in the format and in much else: "key：value" */
    LOOKS_SHARED,   /* occurs in the format and in a few others: a diagram in KIF */
    LOOKS_TYPICAL,  /* occurs in hardly any other */
    LOOKS_CERTAIN   /* as the first line of a text it decides */
} LineLook;

/* What a line is in a file that may hold several games (stream.c). */
typedef enum GameLine {
    GAME_TEXT,   /* a part of a game */
    GAME_REMARK, /* a part of a game too, but no game consists of remarks alone */
    GAME_MOVE,   /* a part of a game that has begun */
    GAME_START,  /* begins a game, after moves the next one; alone it is none */
    GAME_BREAK,  /* separates games */
    GAME_WHOLE   /* a game by itself */
} GameLine;

typedef struct Codec {
    KmdFormat format; /* what users see */
    TextEncoding usual_encoding;

    /* Reads one game into the reader's cleared record. False at the first fault, which is in the
     * reader's error; what came before it stays in the record. */
    bool (*read)(struct RecordReader *reader, StrView text);

    /* Appends the game, in UTF-8 with LF, without the line that states the encoding. */
    void (*write)(const Record *record, StrBuf *out);

    /* How much a line that is not blank and does not begin with blanks looks like the format. */
    LineLook (*look)(StrView line);

    /* What a line without blanks at its ends is; NULL: the whole file is one game. */
    GameLine (*divide)(StrView line);

    const EndingWord *endings; /* its words for how a game ends; NULL: none */

    /* The first line of a file in each encoding, where the format states it; NULL: none. */
    const char *encoding_lines[TEXT_ENCODING_NB];
    bool must_state_encoding;    /* an encoding without such a line cannot be written */
    bool has_floodgate_comments; /* programs look for scores in comments as Floodgate has them */
    const char *utf8_extension;  /* the file name extension for files in UTF-8; NULL: none */
} Codec;

enum {
    HOLDS_GAME = KMD_HOLDS_HEADERS | KMD_HOLDS_COMMENTS | KMD_HOLDS_MOVES,
    HOLDS_TREE = HOLDS_GAME | KMD_HOLDS_VARIATIONS
};

/* Codec.divide for formats with one game per line: blank lines and `#` comments separate games. */
GameLine codec_divide_by_line(StrView line);

/* Appends each line of text with `prefix` before it and LF after it. */
void codec_append_prefixed_lines(StrView text, const char *prefix, StrBuf *out);

/* Appends text with line breaks turned into blanks, for formats where a value is one line. */
void codec_append_one_line(StrView text, StrBuf *out);

/* Appends text and blanks up to `columns` half-width columns. */
void codec_append_padded(StrView text, int columns, StrBuf *out);

#endif
