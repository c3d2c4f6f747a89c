/* codec.h: what every format of records is made of, and the hands of its reader.
 *
 * A codec turns one game in UTF-8 into a Record and back. Codecs have no state; encodings, line
 * ends and files with several games are the business of kifuio.h. */
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

/* Each stands in the file of its name: KIF of Kakinoki's and most other programs, with numbered
 * moves, origins and times; KI2, for people; the Computer Shogi Association's, versions 2.2 (2008)
 * and 3.0 (2024); USI lines, SFEN and EPD (usirec.c); PSN, made from chess's PGN, in the dialects
 * there are; JKF, the JSON of web programs; USEN, for addresses in the web; BOD, one diagram. */
extern const Codec kif_codec, ki2_codec, csa_codec, csa3_codec, usi_codec, sfen_codec, epd_codec,
    psn_codec, jkf_codec, usen_codec, bod_codec;

/* Appends a legal move as CSA writes it: +7776FU. */
void csa_append_move(const Position *pos, Move move, StrBuf *out);

/* ---- for readers ------------------------------------------------------------------------------
 */

/* A record being read and the position its text has come to. */
typedef struct RecordReader {
    Record *record;
    RecordCursor cursor;
    KmdFault *error;
    KmdFault note; /* what is unusual and no fault; becomes *error in the end if there is none */
    int line;      /* of the text, kept up by the codec */
} RecordReader;

void reader_init(RecordReader *reader, Record *record, KmdFault *error);
void reader_free(RecordReader *reader);

/* Notes the fault unless there is one already, and returns false. */
bool reader_fail(RecordReader *reader, const char *reason, StrView near);

/* Notes something unusual that is no fault, unless there is a note already. */
void reader_note(RecordReader *reader, const char *what, StrView near);

/* Sets the start position, before any move; from SFEN in the second form. False when it cannot be
 * played from; that it breaks a rule all the same is a note. */
bool reader_start(RecordReader *reader, const Setup *setup);
bool reader_start_sfen(RecordReader *reader, StrView text);

/* Adds a move behind the cursor's node and goes there; `near` is its text. */
bool reader_play(RecordReader *reader, Move move, StrView near);

/* Adds an ending behind the cursor's node and goes there; the same one again is a note. `label` is
 * kept for KMD_END_OTHER. */
bool reader_end(RecordReader *reader, KmdEnding ending, StrView label);

/* Ends the line by a move against the rules, of the side to move or, `is_early`, of the other. A
 * record holds legal moves only, so that its text becomes a comment. */
bool reader_foul(RecordReader *reader, bool is_early, StrView text);

/* Goes back to the node of the current line with `depth` moves before the next one; when the line
 * is shorter, to the latest node of that depth. False when there is none. */
bool reader_go_back(RecordReader *reader, int depth);

/* Adds a line of comment, a bookmark or a time to the cursor's node. Of two bookmarks the first
 * stays. */
void reader_comment(RecordReader *reader, StrView line);
void reader_label(RecordReader *reader, StrView label);
void reader_time(RecordReader *reader, int64_t time_ms);

/* True when the cursor stands on an ending. */
bool reader_at_ending(const RecordReader *reader);

/* Takes the first line that is no remark off *text; empty when there is none. */
StrView reader_take_line(RecordReader *reader, StrView *text);

/* Fails unless nothing but remarks is left behind that line. */
bool reader_take_end(RecordReader *reader, StrView text);

/* ---- for writers ------------------------------------------------------------------------------
 */

/* Appends each line of text with `prefix` before it and LF behind it. */
void codec_append_prefixed_lines(StrView text, const char *prefix, StrBuf *out);

/* Appends text with line breaks turned into blanks, for formats where a value is one line. */
void codec_append_one_line(StrView text, StrBuf *out);

/* Appends text and blanks up to `columns` half-width columns. */
void codec_append_padded(StrView text, int columns, StrBuf *out);

#endif
