/* kifhead.h: what KIF, KI2 and BOD files share: the head ("key：value" lines, the handicap, a
 * diagram), remarks, and the lines that begin a variation.
 *
 * A KifHead and a KifText belong to the RecordReader they are used with. */
#ifndef KMD_KIFU_KIFHEAD_H
#define KMD_KIFU_KIFHEAD_H

#include "kifu/codec.h"
#include "kifu/diagram.h"
#include "kifu/handicap.h"
#include "kifu/reader.h"

/* A head being read. Start from KIFHEAD_INIT. */
typedef struct KifHead {
    Diagram diagram;
    const Handicap *handicap; /* NULL when none is named */
    bool has_title;           /* the line above the moves of a KIF has come */
    bool is_done;             /* the start position has been set */
} KifHead;

#define KIFHEAD_INIT ((KifHead){.diagram = DIAGRAM_INIT})

/* Reads a line if it belongs to the head; *taken says whether it did. Behind the head it changes no
 * header that is there, which would be those of another game. False on a fault. */
bool kifhead_read_line(KifHead *head, RecordReader *reader, StrView line, bool *taken);

/* Sets the start position from what has been read; further calls do nothing. */
bool kifhead_finish(KifHead *head, RecordReader *reader);

/* Lines that may stand anywhere: blank ones, # remarks, * comments, & bookmarks. True when `line`
 * is one and has been dealt with. */
bool kifhead_read_remark(RecordReader *reader, StrView line);

/* How much a line looks like one of a KIF, KI2 or BOD: a diagram or a header. */
LineLook kifhead_look(StrView line);

/* Takes the next line of `rest` that is neither blank nor a remark, from its first character on;
 * false when there is none. */
bool kifhead_next_statement(StrView *rest, StrView *line);

/* A text in KIF or KI2 that is being read. */
typedef struct KifText {
    RecordReader *reader;
    KifHead head;
    StrView rest;       /* what follows the line being read */
    int first_number;   /* what the first move is numbered; 0 before it */
    bool has_variation; /* one has begun */
    bool has_foul;      /* the latest move was a foul, and who won by it is still to come */
    StrView stray;      /* the first line of the head that is none, and its number */
    int stray_line;
} KifText;

/* Lets a stray line of the head pass, where programs write all kinds of things, but not for good:
 * see kifhead_read_text. */
void kifhead_note_stray(KifText *text, StrView line);

/* Takes the number off a line "変化：12手"; false when the line is something else. */
bool kifhead_read_variation(StrView line, int *number);

/* Goes to where the variation of that number begins. */
bool kifhead_start_variation(KifText *text, int number, StrView line);

/* Reads a line that is no move: one of the head, or a stray one, which is a fault after the head.
 */
bool kifhead_read_other(KifText *text, StrView line);

/* Reads a whole text: hands all lines but remarks to read_line, which is false on a fault, and sets
 * the start position at the end if no move has done so. A text without a move, a diagram or the
 * title of the moves may hold no stray line: it is another format. */
bool kifhead_read_text(RecordReader *reader, StrView text,
                       bool (*read_line)(KifText *state, StrView line));

/* Appends the headers and the handicap or the diagram. */
void kifhead_write(const Record *record, StrBuf *out);

/* Appends the comment and the bookmark of a node as lines. */
void kifhead_write_remarks(const Record *record, int node, StrBuf *out);

#endif
