/* codec.h: the interface of a record format: its functions for reading and writing a game, the
 * features it supports, the look of its lines, the division of a file into games, and the line that
 * states a file's encoding.
 *
 * A codec converts one game between UTF-8 text and a Record. Codecs are stateless; each is declared
 * in the header of its format, and codecs.c lists them all. Other files never test which format
 * they handle but call a member of its codec. kifuio.h handles encodings and line ends; stream.h
 * handles files with several games. */
#ifndef KMD_RECORD_CODEC_H
#define KMD_RECORD_CODEC_H

#include "base/textenc.h"
#include "record/ending.h"
#include "record/record.h"

struct RecordReader;

/* How typical a line is for a format (detect.c). */
typedef enum LineLook {
    LOOKS_FOREIGN,
    LOOKS_POSSIBLE, /* occurs in the format and in many other texts, such as "key：value" */
    LOOKS_SHARED,   /* occurs in this and a few other formats, such as a diagram in KIF */
    LOOKS_TYPICAL,  /* occurs in hardly any other format */
    LOOKS_CERTAIN   /* decides the format if it is the first line of a text */
} LineLook;

/* The role of a line in a file that may hold several games (stream.c). */
typedef enum GameLine {
    GAME_TEXT,   /* part of a game */
    GAME_REMARK, /* part of a game, but comments alone are not a game */
    GAME_MOVE,   /* part of a game that has started */
    GAME_START,  /* starts a game, or the next one after moves; not a game by itself */
    GAME_BREAK,  /* separates games */
    GAME_WHOLE   /* a complete game */
} GameLine;

typedef struct Codec {
    KmdFormat format; /* the public description */
    TextEncoding usual_encoding;

    /* Reads one game into the reader's cleared record. Returns false at the first error, which is
     * stored in the reader; the record then contains what came before the error. */
    bool (*read)(struct RecordReader *reader, StrView text);

    /* Appends the game in UTF-8 with LF line ends, without the line that states the encoding. */
    void (*write)(const Record *record, StrBuf *out);

    /* Returns how typical a line is of the format. The line is not blank and does not start with a
     * space. */
    LineLook (*look)(StrView line);

    /* Returns the role of a line, given without leading and trailing spaces. NULL if a file always
     * holds one game. */
    GameLine (*divide)(StrView line);

    /* Returns the codec for the version of the format that a text states; NULL if it states none.
     * The member is NULL if the format has only one version. */
    const struct Codec *(*version)(StrView text);

    const EndingWord *endings; /* the format's words for endings; NULL: none */

    /* For each encoding, the first line with which a file states it, if it does; NULL if the format
     * has none. */
    const char *encoding_lines[TEXT_ENCODING_NB];
    bool states_encoding[TEXT_ENCODING_NB]; /* new files in this encoding have that line */
    bool must_state_encoding;               /* encodings without such a line cannot be written */
    bool has_floodgate_comments;            /* programs expect scores in floodgate's style */
    const char *utf8_extension;             /* file name extension for files in UTF-8; NULL: none */
} Codec;

enum {
    HOLDS_GAME = KMD_HOLDS_HEADERS | KMD_HOLDS_COMMENTS | KMD_HOLDS_MOVES | KMD_HOLDS_NUMBER,
    HOLDS_TREE = HOLDS_GAME | KMD_HOLDS_VARIATIONS
};

/* Codec.divide for formats with one game per line: blank lines and `#` comments separate games. */
GameLine codec_divide_by_line(StrView line);

/* Appends each line of text with `prefix` before it and LF after it. */
void codec_append_prefixed_lines(StrView text, const char *prefix, StrBuf *out);

/* Appends remark lines, each of which ends with LF, with `prefix` before each of them. */
void codec_append_remarks(StrView remarks, const char *prefix, StrBuf *out);

/* Appends text with line breaks replaced by spaces, for formats in which a value is one line. */
void codec_append_one_line(StrView text, StrBuf *out);

/* Most formats have no place for the number of the first move of a game that starts in the middle,
 * so their headers hold it: 手数：58  まで, with the number of moves before the start position. If
 * the record needs such a header and has none that says so, appends its value. It belongs above the
 * other headers, one of which may have that key for the length of the game. */
#define START_NUMBER SV("手数")
void codec_append_start_number(const Record *record, StrBuf *out);

/* Returns the number of moves in such a value, and whether it also names the last of them (58
 * ▲７六歩(77)  まで). Returns -1 for other values, such as the length of the game. */
int codec_start_number(StrView value, bool *names_move);

/* Appends text padded with spaces to `columns` half-width columns. */
void codec_append_padded(StrView text, int columns, StrBuf *out);

#endif
