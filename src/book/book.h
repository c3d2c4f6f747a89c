/* book.h: an opening book in memory, for the tools that create and change books: positions by key,
 * each with its moves. The engine reads a file instead (bookread.h).
 *
 * A Book belongs to one thread and owns its moves. Positions have no history. Nothing here prints.
 */
#ifndef KMD_BOOK_BOOK_H
#define KMD_BOOK_BOOK_H

#include "base/str.h"
#include "rules/position.h"

enum {
    BOOK_NO_SCORE = INT16_MIN, /* the move has no score */
    BOOK_MOST_SCORE = 32000,   /* scores stay within -this .. this */
    BOOK_MOST_DEPTH = 255,
    BOOK_MOST_MOVES = 255, /* of a position */
    BOOK_MOST_PLY = 255    /* a higher number of the next move is not kept */
};

/* A move of a position. */
typedef struct BookMove {
    Move move;
    Move reply;    /* the answer that is expected; MOVE_NONE: unknown */
    int16_t score; /* mover's view, centipawns; or BOOK_NO_SCORE */
    uint8_t depth; /* of the search the score is from; 0: none */
    uint32_t wins; /* games that the mover won with it */
    uint32_t draws;
    uint32_t losses;
    uint32_t others; /* games whose result is not known */
} BookMove;

/* The moves of one position, as a reader hands them out, best first as the file has it. */
typedef struct BookEntry {
    int count;
    int ply; /* number of the next move as the book has it; 0: unknown */
    BookMove moves[BOOK_MOST_MOVES];
} BookEntry;

typedef struct BookNode {
    uint64_t key;
    Setup setup; /* its ply is 0 when the book does not give it */
    BookMove *moves;
    int count;
} BookNode;

typedef struct Book {
    BookNode *nodes;
    size_t count;
    size_t cap;
    uint32_t *slots; /* open addressing: index of a node + 1, 0 where there is none */
    size_t slot_cap; /* a power of two, or 0 */
} Book;

/* An empty book is zero-initialised. Free with book_free, which empties it. */
void book_free(Book *book);

/* The key of a position from what it is set up from: pos_key without the work of pos_set. */
uint64_t book_key(const Setup *setup);

/* NULL when the position is not there. Valid until the next one is added. */
BookNode *book_find(const Book *book, uint64_t key);

/* Finds or adds a position without moves. Of two plies the lower stays. */
BookNode *book_add(Book *book, const Setup *setup);

/* Finds or adds a move without score; NULL when the position has BOOK_MOST_MOVES. */
BookMove *book_node_move(BookNode *node, Move move);

/* All games of the move. */
uint64_t book_games(const BookMove *move);

/* Adds what `from` knows of the same move: games are summed up, the score of the greater depth
 * stays (of equals, and of none, the newer one). */
void book_join_move(BookMove *to, const BookMove *from);

/* The same for all of a book. */
void book_join(Book *to, const Book *from);

/* Orders a position's moves: best score first, then by games, then as they are; those without a
 * score come last. */
void book_order_moves(BookNode *node);

/* Orders the positions by key. Makes equal books equal in memory, order of moves apart. */
void book_sort(Book *book);

/* Sets up a position of a book, whose number of the next move may be unknown. */
void book_set(Position *pos, const Setup *setup);

/* The position and the move as seen from the other side: the board turned, colours exchanged. Of
 * what is no move MOVE_NONE is left. */
Setup book_flip_setup(const Setup *setup);
Move book_flip_move(Move move);

/* Takes moves out for which `keeps` is false, then positions without moves. Returns how many moves
 * went. */
typedef bool BookKeeps(void *context, const BookNode *node, const BookMove *move);
size_t book_filter(Book *book, BookKeeps *keeps, void *context);

#endif
