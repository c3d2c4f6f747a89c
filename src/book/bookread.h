/* bookread.h: a book of any format, open to be played from.
 *
 * Read only once open: safe from every thread. Nothing here prints. */
#ifndef KMD_BOOK_BOOKREAD_H
#define KMD_BOOK_BOOKREAD_H

#include <stdatomic.h>

#include "base/rng.h"
#include "book/book.h"

typedef enum BookFormat { BOOK_OWN, BOOK_DB, BOOK_APERY } BookFormat;

typedef struct BookReader BookReader;

/* Opens a file: Komadori's own format, YaneuraOu's text or Apery's .bin, whichever it is.
 * is_searched asks for a text to be searched where it lies, without an index in memory. NULL with
 * the reason in *why (static storage), which is NULL when *cancel (may be NULL) has cut the work
 * short. */
BookReader *bookread_open(const char *path, bool is_searched, const _Atomic bool *cancel,
                          const char **why);

/* The same for the bytes of a file, which stay the caller's and must outlive the reader. */
BookReader *bookread_open_bytes(StrView bytes, bool is_searched, const char **why);

/* The book inside the program, eval/komadori.book as it was when the program was built; NULL where
 * that is empty. */
BookReader *bookread_embedded(void);

/* NULL is allowed. */
void bookread_close(BookReader *reader);

BookFormat bookread_format(const BookReader *reader);

/* Another number for other bytes. */
uint64_t bookread_id(const BookReader *reader);

typedef struct BookFind {
    bool ignores_ply; /* of books that tell the number of the next move */
    bool has_flipped; /* also look for the position with sides exchanged */
} BookFind;

/* The moves of a position, legal ones only; where a position is not there, or no move of it legal,
 * false. */
bool bookread_find(const BookReader *reader, const Position *pos, const BookFind *how,
                   BookEntry *entry);

/* Adds all of the book to *book. What only has keys (BOOK_APERY) is walked from the start position.
 * Returns how many positions, or entries, were left out. */
size_t bookread_load(const BookReader *reader, Book *book);

/* ---- Which move to play (bookpick.c). -------------------------------------------------------- */

/* Which move of a book to play.
 *
 * No state of its own: what is left to chance comes from the caller's Rng. */

/* How to choose; the fields are the options that docs/book.md tells of. */
typedef struct BookRules {
    int last_ply;             /* BookMoves: no book from the move after this number on */
    int least_depth;          /* BookDepthLimit; 0: any */
    int eval_diff;            /* BookEvalDiff */
    int eval_limit[COLOR_NB]; /* BookEvalBlackLimit, BookEvalWhiteLimit */
    bool is_narrow;           /* NarrowBook */
    bool counts_games;        /* ConsiderBookMoveCount */
    BookFind find;            /* IgnoreBookPly, FlippedBook */
} BookRules;

/* Rules by which every move of a book is as good as its score, without limits but eval_diff. */
BookRules bookpick_free_rules(int eval_diff);

/* The moves that may be played, best first; those that would bring back a position of the game are
 * left to a search. False when there are none. */
bool bookpick_candidates(const BookReader *reader, const Position *pos, const BookRules *rules,
                         BookEntry *entry);

/* One of the candidates (count >= 1) at random: the weight of a move falls to a third for every
 * half of eval_diff, and for 25 centipawns at most, that it is worse than the best; with
 * counts_games it grows with the games played. Moves without scores weigh as many games as they
 * have. */
int bookpick_choose(const BookEntry *entry, const BookRules *rules, Rng *rng);

/* True when the score counts: what has no score at depth 0 was never searched. */
bool bookpick_has_score(const BookMove *move);

/* The line of a candidate: the move, and then the best answers that the book knows, no more than
 * `most` moves, all legal. Returns how many. */
int bookpick_line(const BookReader *reader, const Position *pos, const BookMove *move,
                  const BookFind *how, Move *line, int most);

/* Plays moves from the book, each drawn by the rules, until pos->ply is beyond last_ply or the book
 * ends. *score becomes what the book says of the position reached, side to move's view, or
 * BOOK_NO_SCORE. Returns how many moves were played. */
int bookpick_walk(const BookReader *reader, const BookRules *rules, Rng *rng, Position *pos,
                  int *score);

#endif
