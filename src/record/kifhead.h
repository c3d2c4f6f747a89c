/* kifhead.h: the common parts of KIF, KI2 and BOD files: the head ("key：value" lines, the
 * handicap, a diagram), comments, and the lines that start a variation.
 *
 * A KifHead or KifText belongs to the thread of the RecordReader it is used with. */
#ifndef KMD_RECORD_KIFHEAD_H
#define KMD_RECORD_KIFHEAD_H

#include "record/codec.h"
#include "record/diagram.h"
#include "record/handicap.h"

/* The state of reading a head. Initialise it with KIFHEAD_INIT. */
typedef struct KifHead {
    Diagram diagram;
    const Handicap *handicap; /* NULL if none is named */
    bool has_title;           /* the line above the moves of a KIF has been read */
    bool is_done;             /* the start position has been set */
    bool is_over; /* a handicap has been read after that: moves below it are another game's */
} KifHead;

#define KIFHEAD_INIT ((KifHead){.diagram = DIAGRAM_INIT})

/* Reads a line if it belongs to the head, and sets *taken accordingly. A header that follows the
 * head does not replace an existing one, because it may belong to another game. Returns false on an
 * error. */
bool kifhead_read_line(KifHead *head, RecordReader *reader, StrView line, bool *taken);

/* Sets the start position from what has been read. Further calls do nothing. */
bool kifhead_finish(KifHead *head, RecordReader *reader);

/* Handles lines that may occur anywhere: blank lines, # comments, * comments, & bookmarks. Returns
 * true if `line` was such a line. */
bool kifhead_read_remark(RecordReader *reader, StrView line);

/* Returns how typical a line is of KIF, KI2 or BOD, as part of a diagram or as a header. */
LineLook kifhead_look(StrView line);

/* Reads the next line of `rest` that is neither blank nor a comment, without leading spaces.
 * Returns false if there is none. */
bool kifhead_next_statement(StrView *rest, StrView *line);

/* The state of reading a KIF or KI2 text. */
typedef struct KifText {
    RecordReader *reader;
    KifHead head;
    StrView rest;       /* the text after the current line */
    int first_number;   /* number of the first move; 0 before that move is read */
    int ahead;          /* by how much the numbers of the moves are ahead of the moves read */
    int line_start;     /* depth of the node at which the current line begins */
    bool has_variation; /* a variation has started */
    bool is_skipping;   /* the lines up to the next variation cannot be kept: the start of theirs
                           does not exist, or they follow a pass */
    bool has_foul; /* the last move was illegal, and the line that states the winner has not been
                      read yet */
    StrView stray; /* the first unknown line of the head, and its line number */
    int stray_line;
} KifText;

/* Skips an unknown line with a note, because programs write many kinds of lines.
 * kifhead_read_text may still reject it. */
void kifhead_note_stray(KifText *text, StrView line);

/* Reads a move as notation_take_ja does. 同 in a first move means the square of the last move
 * before the start position, if a line below the diagram names it ("手数＝58 ▲７六歩(77) まで"). */
Move kifhead_take_move(RecordReader *reader, StrView *text, const char **reason);

/* Reads the number of a line "変化：12手"; false for other lines. */
bool kifhead_read_variation(StrView line, int *number);

/* Goes to the start of the variation with that number. If it does not exist, its lines are
 * skipped. Returns false only if the start position is wrong. */
bool kifhead_start_variation(KifText *text, int number, StrView line);

/* Reads a closing line such as "まで80手で後手の勝ち", which repeats the ending or is the only line
 * that states it. A winner other than that of the ending gives a note. After a variation, it may be
 * the closing line of the main line. */
bool kifhead_read_closing(KifText *text, StrView line);

/* Reads a line that is not a move: a line of the head, or an unknown line, which is skipped with a
 * note. */
bool kifhead_read_other(KifText *text, StrView line);

/* Reads a whole text. Passes all lines except comments to read_line, which must return false on an
 * error. At the end, sets the start position if no move has done so. A text without a move, a
 * diagram or the line above the moves must not contain unknown lines; otherwise it is in another
 * format. */
bool kifhead_read_text(RecordReader *reader, StrView text,
                       bool (*read_line)(KifText *state, StrView line));

/* Appends the remarks of the head and the headers except the handicap and the header `without`. */
void kifhead_write_headers(const Record *record, StrView without, StrBuf *out);

/* True if the game is written without a diagram: it starts from the usual position or from a
 * handicap that all programs know. */
bool kifhead_is_plain(const Record *record);

/* Appends the headers, and the handicap or the diagram. Unless the text has_numbers for its moves,
 * a header says with which number the game starts. */
void kifhead_write(const Record *record, bool has_numbers, StrBuf *out);

/* Appends the comment and the bookmark of a node as lines. */
void kifhead_write_remarks(const Record *record, int node, StrBuf *out);

extern const Codec bod_codec;

/* Reads a closing line such as "まで80手で後手の勝ち" as an ending, given the side to move;
 * KMD_END_NONE if it is not understood, or names a winner for which there is no such ending, as
 * 先手の勝ち with 先手 to move. */
KmdEnding kifhead_ending_of_closing(StrView line, Color to_move);

/* Appends the closing line for an ending, without LF. `before` is the number of moves before the
 * first one, and `words` those for KMD_END_OTHER. */
void kifhead_append_closing(const Record *record, int ending_node, int before, StrView words,
                            StrBuf *out);

#endif
