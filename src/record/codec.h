/* codec.h: the interface of a record format, and what all formats share: the state of reading a
 * game, words for endings, and helper functions for writing.
 *
 * A codec converts one game between UTF-8 text and a Record. Codecs are stateless; each is declared
 * in the header of its format, and kifuio.c lists them all. Where formats differ, the others call a
 * member of the codec instead of testing which format they handle. kifuio.h handles encodings, line
 * ends and files with several games. */
#ifndef KMD_RECORD_CODEC_H
#define KMD_RECORD_CODEC_H

#include "base/str.h"
#include "base/textenc.h"
#include "record/record.h"

/* A format's word for an ending. A list ends with a row without a word. If several rows have the
 * same ending, the word of the first is written. If several rows have the same word, the first
 * gives its meaning. */
typedef struct EndingWord {
    const char *word;
    KmdEnding ending;
} EndingWord;

/* ending_word returns the word for an ending, or "" if the list has none. ending_read returns
 * the ending for a word, or KMD_END_NONE if it is unknown. */
const char *ending_word(const EndingWord *words, KmdEnding ending);
KmdEnding ending_read(const EndingWord *words, StrView word);

/* KIF's words with their alternatives, and a function that returns the word to show to users; that
 * word is empty for KMD_END_NONE and KMD_END_OTHER. */
extern const EndingWord ending_japanese[];
const char *ending_name(KmdEnding ending);

/* The state of reading a record: the record, and the current position in it. Every move is checked
 * before it is added to the record. Only the first error is kept. Belongs to one thread. */
typedef struct RecordReader {
    Record *record;
    RecordCursor cursor;
    KmdFault *error;
    int line; /* line number in the text; the codec updates it */
} RecordReader;

void reader_init(RecordReader *reader, Record *record, KmdFault *error);
void reader_free(RecordReader *reader);

/* Records the error unless there is one already. Returns false. */
bool reader_fail(RecordReader *reader, const char *reason, StrView near);

/* Adds a note about unusual input that is not an error to the record. If there is no error, the
 * first note becomes *error at the end. */
void reader_note(RecordReader *reader, const char *what, StrView near);

/* Like reader_note, for a line or an item that the record cannot contain. */
void reader_skip(RecordReader *reader, const char *what, StrView near);

/* Sets the number of the first move, unless the start position has another one than 1. Call it
 * above the moves. */
void reader_first_number(RecordReader *reader, int number);

/* Takes the number of the first move from a header that holds it, unless the start position has
 * another one. Returns true if the start position now says all that the header does. */
bool reader_start_number(RecordReader *reader, StrView key, StrView value);

/* Sets a header, unless it is such a number. If the key has another value already, that is kept and
 * the new one is skipped. */
void reader_header(RecordReader *reader, StrView key, StrView value);

/* Sets the start position, before any move; the second function reads it from an SFEN. Returns
 * false if it is not playable. If the position is playable but breaks a rule, adds a note. */
bool reader_start(RecordReader *reader, const Setup *setup);
bool reader_start_sfen(RecordReader *reader, StrView text);

/* Adds a move after the cursor's node and goes there; `near` is its text. */
bool reader_play(RecordReader *reader, Move move, StrView near);

/* Passes at the cursor. Records hold no passes, so the record begins anew at the position after it,
 * and a note says so. False, with an error, if the side to move is in check. */
bool reader_pass(RecordReader *reader, StrView near);

/* Adds an ending after the cursor's node and goes there. If the line already has the same ending,
 * adds a note instead; a second, different ending is skipped. `label` is stored only for
 * KMD_END_OTHER. */
bool reader_end(RecordReader *reader, KmdEnding ending, StrView label);

/* Ends the line with an illegal move by the side to move or, if is_early, by the other side. If the
 * move is unknown, its text becomes a comment. */
bool reader_foul(RecordReader *reader, bool is_early, IllegalMove foul, StrView text);

/* Goes back to the node of the current line that has this depth or, if the line is shorter, to the
 * node of that depth added last. Returns false if there is none. */
bool reader_go_back(RecordReader *reader, int depth);

/* Add a comment line, a remark, a bookmark or a time to the cursor's node. Only the first bookmark
 * is kept. */
void reader_comment(RecordReader *reader, StrView line);
void reader_remark(RecordReader *reader, StrView line);
void reader_label(RecordReader *reader, StrView label);
void reader_time(RecordReader *reader, int64_t time_ms);

/* True if the cursor is on an ending. */
bool reader_at_ending(const RecordReader *reader);

/* Reads the first line that is not a comment from *text; empty if there is none. */
StrView reader_take_line(RecordReader *reader, StrView *text);

/* Fails if `text` contains anything except comments. */
bool reader_take_end(RecordReader *reader, StrView text);

/* How typical a line is for a format (kifuio.c, detection). */
typedef enum LineLook {
    LOOKS_FOREIGN,
    LOOKS_POSSIBLE, /* occurs in the format and in many other texts, such as "key：value" */
    LOOKS_SHARED,   /* occurs in this and a few other formats, such as a diagram in KIF */
    LOOKS_TYPICAL,  /* occurs in hardly any other format */
    LOOKS_CERTAIN   /* decides the format if it is the first line of a text */
} LineLook;

/* The role of a line in a file that may hold several games (kifuio.c, files). */
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

    /* True if the format can hold a header; NULL if it can hold all, or none. */
    bool (*holds_header)(StrView key, StrView value);

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
