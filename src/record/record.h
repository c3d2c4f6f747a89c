/* record.h: a game record: start position, headers, a tree of moves with times, comments and
 * variations, and the ending of each line.
 *
 * A Record owns its contents and belongs to one thread. Every move in it must be legal, but
 * record_add_move does not check that; readers do. Nothing here reads
 * or writes a format. */
#ifndef KMD_RECORD_RECORD_H
#define KMD_RECORD_RECORD_H

#include "base/str.h"
#include "komadori/kifu.h"
#include "record/words.h"
#include "rules/position.h"

/* A piece of the record's text: `len` bytes at offset `at`. */
typedef struct TextRef {
    uint32_t at, len;
} TextRef;

enum {
    RECORD_MAX_NODES = 4000000,
    RECORD_MAX_NOTES = 8, /* further notes are only counted as skipped lines */
    RECORD_MAX_TIME_S = WORD_MAX_TIME_S
};

/* The move of an ending by an illegal move. The ending says whose move it is: KMD_END_ILLEGAL_LOSS
 * that of the side to move, KMD_END_ILLEGAL_WIN that of the other side, which moved out of turn.
 * The move need not make sense, but its squares and its piece exist. */
typedef struct IllegalMove {
    Move move;       /* MOVE_NONE: the move is unknown */
    PieceType piece; /* the piece before the move */
} IllegalMove;

/* A move, or the ending of a line (move == MOVE_NONE, ending != KMD_END_NONE, no children). */
typedef struct RecordNode {
    int parent;  /* KMD_NODE_NONE for the root */
    int child;   /* first child, the main continuation */
    int last;    /* last child, so that adding one is fast */
    int sibling; /* the next alternative to this node */
    int depth;   /* number of moves from the start up to and including this one; for an ending, the
                    parent's depth + 1 */
    Move move;
    KmdEnding ending;
    int64_t time_ms;      /* time spent on the move; -1 if unknown */
    TextRef comment;      /* lines joined by LF */
    uint32_t blank_lines; /* number of empty lines before the first line of the comment */
    TextRef remark;       /* lines for human readers only: ' in CSA, # in KIF and KI2 */
    IllegalMove foul;     /* the illegal move with which the line ends; only in endings */
    TextRef label;        /* one line: a bookmark or, for KMD_END_OTHER, the name of the ending */
} RecordNode;

typedef struct RecordHeader {
    TextRef key, value;
} RecordHeader;

typedef struct Record {
    Setup start;
    RecordNode *nodes; /* nodes[KMD_ROOT] always exists */
    int node_count;
    size_t node_cap;
    RecordHeader *headers; /* headers in the order of the file */
    int header_count;
    size_t header_cap;
    TextRef head_remark;              /* remarks above the start position */
    KmdFault notes[RECORD_MAX_NOTES]; /* what is unusual in the text that was read */
    int note_count;
    int skipped; /* number of lines or items of the text that the record does not contain */
    StrBuf text;
} Record;

/* Initialises a record with an even game without moves. Free it with record_free. */
void record_init(Record *record);
void record_free(Record *record);

/* Resets the record to an even game without moves, but keeps its memory. */
void record_clear(Record *record);

/* Removes all moves and begins with another position; headers and notes stay. */
void record_restart(Record *record, const Setup *start);

/* Adds a node as the last child of `parent`. Returns its index, or KMD_NODE_NONE if the record is
 * full. An ending must not get children. */
int record_add_move(Record *record, int parent, Move move);
int record_add_ending(Record *record, int parent, KmdEnding ending);

/* Removes a node and everything after it from the tree. The indices of other nodes remain valid.
 * Does nothing for the root. */
void record_remove(Record *record, int node);

/* Moves a node to place `index` among its parent's children, from 0; the first is the main
 * continuation. An index that is too large means the last place. Does nothing for the root. */
void record_set_order(Record *record, int node, int index);

/* The text of a reference, valid until more text is added. */
StrView record_text(const Record *record, TextRef ref);

/* Sets the time spent on a node. A negative time or one above RECORD_MAX_TIME_S means unknown. Does
 * nothing for the root. */
void record_set_time(Record *record, int node, int64_t time_ms);

/* Set the comment of a node, or add a line to it. */
void record_set_comment(Record *record, int node, StrView text);
void record_add_comment(Record *record, int node, StrView line);

/* Adds a remark line to a node. The remarks of the root follow the start position; those with
 * KMD_NODE_NONE are above it. */
void record_add_remark(Record *record, int node, StrView line);

/* Sets a bookmark or, for KMD_END_OTHER, the name of the ending. Line breaks become spaces. */
void record_set_label(Record *record, int node, StrView text);

/* The value of a header, whose key is KIF's Japanese word; empty if there is none. Setting a key
 * replaces its value; an empty key is ignored. 下手 and 上手 are stored as 先手 and 後手. */
StrView record_header(const Record *record, StrView key);
void record_set_header(Record *record, StrView key, StrView value);

/* The name of a player, or its short form; empty if unknown. */
StrView record_player(const Record *record, Color color);

/* The number of moves in the main line, and the last node of the main line. */
int record_main_length(const Record *record);
int record_main_end(const Record *record);

/* The number of variations. */
int record_variation_count(const Record *record);

/* True if the node is not the first child of its parent, that is, if it starts a variation. */
bool record_is_variation(const Record *record, int node);

/* The node after `node` in the order of KIF: along a line to its end, then the variations of that
 * line from its end to its start, nested ones first. KMD_NODE_NONE after the last. */
int record_next(const Record *record, int node);

/* The side to move at a node, that is, after its move. */
Color record_side(const Record *record, int node);

/* The result according to the ending of the main line; KMD_WINNER_NONE if the ending does not say
 * who won. */
KmdWinner record_result(const Record *record);

/* The winner according to an ending: BLACK, WHITE, or COLOR_NB for a draw or no winner. For
 * KMD_END_OTHER, the label may name the winner: "接続切れにより先手の勝ち". The second function is
 * for an ending other than that, given the side to move. */
Color record_winner(const Record *record, int ending_node);
Color record_winner_by(KmdEnding ending, Color to_move);

/* A position that moves through a record. The position is the one after the move of `node` or, if
 * that is an ending, the position in which the line ended. */
typedef struct RecordCursor {
    const Record *record;
    Position pos;
    int node;
    int64_t spent_ms[COLOR_NB]; /* each side's time up to `node`; wrong after a time has changed */
    int *path;                  /* scratch memory for cursor_go */
    size_t path_cap;
} RecordCursor;

/* Places the cursor at the root. The record's start must be a legal set-up. The record must outlive
 * the cursor. Nodes may be added while the cursor is in use, but if the start changes, call
 * cursor_restart. */
void cursor_init(RecordCursor *cursor, const Record *record);
void cursor_restart(RecordCursor *cursor);
void cursor_free(RecordCursor *cursor);

/* Moves to any node along the shortest path. */
void cursor_go(RecordCursor *cursor, int node);

#endif
