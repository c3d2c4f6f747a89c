/* reader.h: the state shared by the readers of all formats: the record being read, the current
 * position, and the errors found.
 *
 * Every move is checked before it enters the record. The first fault stays in *error. A
 * RecordReader belongs to one thread. */
#ifndef KMD_KIFU_READER_H
#define KMD_KIFU_READER_H

#include "base/str.h"
#include "kifu/cursor.h"
#include "kifu/record.h"

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

/* Sets the start position, before any move; from SFEN in the second form. False when it cannot be
 * played from; that it breaks a rule anyway is a note. */
bool reader_start(RecordReader *reader, const Setup *setup);
bool reader_start_sfen(RecordReader *reader, StrView text);

/* Adds a move after the cursor's node and goes there; `near` is its text. */
bool reader_play(RecordReader *reader, Move move, StrView near);

/* Adds an ending after the cursor's node and goes there; the same one again is a note. `label` is
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

/* True when the cursor is on an ending. */
bool reader_at_ending(const RecordReader *reader);

/* Takes the first line that is not a comment off *text; empty when there is none. */
StrView reader_take_line(RecordReader *reader, StrView *text);

/* Fails unless nothing but remarks is left behind that line. */
bool reader_take_end(RecordReader *reader, StrView text);

#endif
