/* bookpick.h: chooses the book move to play.
 *
 * Stateless: random numbers come from the caller's Rng. Safe from every thread. */
#ifndef KMD_BOOK_BOOKPICK_H
#define KMD_BOOK_BOOKPICK_H

#include "base/rng.h"
#include "book/book.h"
#include "book/bookread.h"

/* The rules for choosing a move. The engine options with the same names set them
 * (engine/options.c). */
typedef struct BookPickOptions {
    int book_moves;       /* do not use the book after this move number */
    int book_depth_limit; /* 0: none */
    int book_eval_diff;
    int book_eval_limit[COLOR_NB]; /* BookEvalBlackLimit, BookEvalWhiteLimit */
    bool narrow_book;
    bool consider_book_move_count;
    BookFind find;
} BookPickOptions;

/* Rules without limits except book_eval_diff; a move's weight depends only on its score. */
BookPickOptions bookpick_free_rules(int eval_diff);

/* Lists the moves that may be played, best first. Omits moves that repeat an earlier position of
 * the game: the search decides about those. Returns false if there are none. */
bool bookpick_candidates(const BookReader *reader, const Position *pos,
                         const BookPickOptions *options, BookEntry *entry);

/* Chooses one of the candidates (count >= 1) at random. The weight of a move falls to about a third
 * for each step by which its score is below the best. A step is half of book_eval_diff, but at most
 * 25 centipawns. With consider_book_move_count, the weight also grows with the number of games.
 * Moves without scores are weighted by games. */
int bookpick_choose(const BookEntry *entry, const BookPickOptions *options, Rng *rng);

/* True if the move has a score, possibly one that was computed from later positions, at depth 0. */
bool bookpick_has_score(const BookMove *move);

/* Writes the line of a candidate: the move, then the best replies in the book. The line has at most
 * `most` moves, all legal. Returns the number of moves. */
int bookpick_line(const BookReader *reader, const Position *pos, const BookMove *move,
                  const BookFind *how, Move *line, int most);

/* Plays moves from the book, each chosen by the rules, until pos->ply exceeds book_moves or the
 * book has no move. *score becomes the book's score of the final position from the side to move's
 * point of view, or BOOK_NO_SCORE. Returns the number of moves played. */
int bookpick_walk(const BookReader *reader, const BookPickOptions *options, Rng *rng, Position *pos,
                  int *score);

#endif
