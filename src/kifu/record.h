/* record.h: a game record: start position, headers, a tree of moves with times, comments and
 * variations, and the ending of each line.
 *
 * A Record owns everything in it and belongs to one thread. Every move in it is legal where it
 * stands: record_add_move asserts nothing, so readers play through a RecordCursor, which checks.
 * Nothing here reads or writes any format. */
#ifndef KMD_KIFU_RECORD_H
#define KMD_KIFU_RECORD_H

#include "base/str.h"
#include "komadori/kifu.h"
#include "rules/position.h"

/* len bytes from `at` of the record's text. */
typedef struct TextRef {
    uint32_t at, len;
} TextRef;

enum {
    RECORD_MAX_NODES = 4000000,
    RECORD_MAX_TIME_S = 100000 * 60 - 1 /* of one move: 99999:59, which every format can hold */
};

/* A move, or the ending of a line (move == MOVE_NONE, ending != KMD_END_NONE, no children). */
typedef struct RecordNode {
    int parent;  /* KMD_NODE_NONE for the root */
    int child;   /* the main continuation */
    int last;    /* the last of the children, so that adding one is quick */
    int sibling; /* the next alternative to this node */
    int depth;   /* moves from the start up to and with this one; an ending has its parent's + 1 */
    Move move;
    KmdEnding ending;
    int64_t time_ms;       /* spent on it; -1 when not known */
    TextRef comment;       /* lines joined by LF */
    uint32_t comment_room; /* bytes after it that are kept for further lines */
    TextRef label;         /* one line: bookmark; the word of KMD_END_OTHER */
} RecordNode;

typedef struct RecordHeader {
    TextRef key, value;
} RecordHeader;

typedef struct Record {
    Setup start;
    RecordNode *nodes; /* nodes[KMD_ROOT] always exists */
    int node_count;
    size_t node_cap;
    RecordHeader *headers; /* in the order of the file */
    int header_count;
    size_t header_cap;
    StrBuf text;
} Record;

/* An even game without moves. Free with record_free. */
void record_init(Record *record);
void record_free(Record *record);

/* Back to what record_init made, keeping the memory. */
void record_clear(Record *record);

/* Adds a node after `parent`, after the alternatives that are there. Returns its index, or
 * KMD_NODE_NONE when the record is full. An ending gets no children. */
int record_add_move(Record *record, int parent, Move move);
int record_add_ending(Record *record, int parent, KmdEnding ending);

/* Takes a node and all after it out of the tree. The numbers of the others stay; those taken out
 * mean nothing any more. Nothing happens to the root. */
void record_remove(Record *record, int node);

/* Makes a node the index-th of its parent's continuations, counted from 0: the first is the main
 * one. Too large an index is the last place. Nothing happens to the root. */
void record_set_order(Record *record, int node, int index);

/* The contents of a reference, valid until the next text is added. */
StrView record_text(const Record *record, TextRef ref);

/* Sets the time spent on a node; one that is negative or above RECORD_MAX_TIME_S is not known. None
 * is spent on the root. */
void record_set_time(Record *record, int node, int64_t time_ms);

/* Sets a comment, or adds a line to it. */
void record_set_comment(Record *record, int node, StrView text);
void record_add_comment(Record *record, int node, StrView line);

/* Sets a bookmark, or the word of KMD_END_OTHER; line breaks become blanks. */
void record_set_label(Record *record, int node, StrView text);

/* A header by its key (the Japanese words of KIF are the keys); the empty view when missing.
 * Setting replaces the value of a key that is there; an empty key sets nothing. 下手 and 上手 are
 * kept as 先手 and 後手. */
StrView record_header(const Record *record, StrView key);
void record_set_header(Record *record, StrView key, StrView value);

/* The name of a player, or else its short form; empty when unknown. */
StrView record_player(const Record *record, Color color);

/* Moves of the main line, and its last node. */
int record_main_length(const Record *record);
int record_main_end(const Record *record);

/* The number of lines beside the main line. */
int record_variation_count(const Record *record);

/* True for a node that replaces another one: not the first child of its parent. */
bool record_is_variation(const Record *record, int node);

/* The node after `node` in the order of KIF: along a line to its end, then the lines beside it
 * from its end to its beginning, nested ones first. KMD_NODE_NONE after the last. */
int record_next(const Record *record, int node);

/* The side to move at a node, that is, after its move. */
Color record_side(const Record *record, int node);

/* The result by the ending of the main line; KMD_WINNER_NONE when it does not say. */
KmdWinner record_result(const Record *record);

/* Who won according to the ending node: BLACK, WHITE, or COLOR_NB for a draw or no winner. */
Color record_winner(const Record *record, int ending_node);

#endif
