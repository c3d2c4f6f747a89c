/* reader.h: the state shared by the readers of all formats: the record being read, the current
 * position, and the errors found.
 *
 * Every move is checked before it is added to the record. Only the first error is kept. A
 * RecordReader belongs to one thread. */
#ifndef KMD_RECORD_READER_H
#define KMD_RECORD_READER_H

#include "base/str.h"
#include "record/cursor.h"
#include "record/record.h"

/* The state of reading a record: the record, and the current position in it. */
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

#endif
