/* book.h: an opening book in memory, for the tools that create and change books: positions, found
 * by their keys, and their moves. The engine does not use it but reads books in place (bookread.h).
 *
 * A Book belongs to one thread and owns its moves. Its positions have no game history. Nothing here
 * prints. */
#ifndef KMD_BOOK_BOOK_H
#define KMD_BOOK_BOOK_H

#include <stdatomic.h>

#include "base/str.h"
#include "rules/position.h"

enum {
    BOOK_NO_SCORE = INT16_MIN, /* the move has no score */
    BOOK_MAX_SCORE = 32000,    /* scores are kept within -BOOK_MAX_SCORE .. BOOK_MAX_SCORE */
    BOOK_MAX_DEPTH = 255,
    BOOK_MAX_MOVES = 255, /* maximum number of moves per position */
    BOOK_MAX_PLY = 255    /* higher move numbers are not stored */
};

/* A move of a position. */
typedef struct BookMove {
    Move move;
    Move reply;    /* expected reply; MOVE_NONE: unknown */
    int16_t score; /* score for the mover, in centipawns; or BOOK_NO_SCORE */
    uint8_t depth; /* depth of the search that gave the score; 0: none */
    uint32_t wins; /* games that the mover won after this move */
    uint32_t draws;
    uint32_t losses;
    uint32_t others; /* games with an unknown result */
} BookMove;

/* The moves of one position as read from a file, in the file's order: best first. */
typedef struct BookEntry {
    int count;
    int ply; /* number of the next move according to the book; 0: unknown */
    BookMove moves[BOOK_MAX_MOVES];
} BookEntry;

typedef struct BookNode {
    uint64_t key;
    Setup setup; /* its ply is 0 if the book does not state it */
    BookMove *moves;
    int count;
} BookNode;

typedef struct Book {
    BookNode *nodes;
    size_t count;
    size_t cap;
    uint32_t *slots; /* open addressing: index of a node + 1; 0: empty */
    size_t slot_cap; /* a power of two, or 0 */
} Book;

/* Empties a book and frees its memory. An empty book is one that is zero-initialised. */
void book_free(Book *book);

/* True if work on a book shall stop: the flag, which may be NULL, is set. */
static inline bool book_is_cancelled(const _Atomic bool *cancel) {
    return cancel != NULL && atomic_load(cancel);
}

/* The key of a position computed from its set-up: pos_key without pos_set. */
uint64_t book_key(const Setup *setup);

/* Finds a position; NULL if it is not in the book. The result is valid until a position is
 * added. */
BookNode *book_find(const Book *book, uint64_t key);

/* Finds a position, or adds it without moves. If the plies differ, the lower one is kept. */
BookNode *book_add(Book *book, const Setup *setup);

/* Finds a move, or adds it without a score. Returns NULL if the position already has
 * BOOK_MAX_MOVES moves. */
BookMove *book_node_move(BookNode *node, Move move);

/* The number of games with the move. */
uint64_t book_games(const BookMove *move);

/* Merges `from`, the same move in another book, into `to`. Adds up the games and keeps the score of
 * the deeper search or, if the depths are equal, the score in `from`. */
void book_join_move(BookMove *to, const BookMove *from);

/* Merges a whole book, each move as by book_join_move. */
void book_join(Book *to, const Book *from);

/* Sorts a position's moves: best score first, then by games, then in their old order. Moves without
 * a score come last. */
void book_order_moves(BookNode *node);

/* Sorts the positions by key. Equal books then have equal arrays, apart from the order of moves. */
void book_sort(Book *book);

/* Sets up a position of a book. Its set-up may lack the number of the next move. */
void book_set(Position *pos, const Setup *setup);

/* Return the position or the move as the other side sees it, with the board rotated and the colours
 * swapped. MOVE_NONE stays MOVE_NONE. */
Setup book_flip_setup(const Setup *setup);
Move book_flip_move(Move move);

/* Removes the moves that fewer games played, then the positions left without moves. */
void book_drop_rare(Book *book, uint64_t least_games);

/* ---- the graph of the positions -------------------------------------------------------------- */

enum { BOOK_LEAF = -1 }; /* the move leads out of the book */

/* Which move leads to which position, as arrays that are indexed by the positions of the book.
 * Valid until the book changes. */
typedef struct BookGraph {
    uint32_t nodes;
    uint32_t *first; /* [nodes + 1]: index in child of a position's first move */
    int32_t *child;  /* the position after each move, or BOOK_LEAF */
} BookGraph;

void book_graph_build(const Book *book, BookGraph *graph);
void book_graph_free(BookGraph *graph);

/* Finds a small set of positions from which the moves of the book lead to all others: the positions
 * that no move leads to, and the first position (in the book's order) of each remaining cycle.
 * Writes indices to list (room for graph->nodes) and returns their number. */
uint32_t book_graph_starts(const BookGraph *graph, uint32_t *list);

#endif
