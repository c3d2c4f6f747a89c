/* bookpick.h: which move of a book to play.
 *
 * Stateless: random numbers come from the caller's Rng. Safe from every thread. */
#ifndef KMD_BOOK_BOOKPICK_H
#define KMD_BOOK_BOOKPICK_H

#include "base/rng.h"
#include "book/book.h"
#include "book/bookread.h"

/* How to choose: the options of the same names in engine/options.c. */
typedef struct BookRules {
    int book_moves;       /* do not use the book after this move number */
    int book_depth_limit; /* 0: none */
    int book_eval_diff;
    int book_eval_limit[COLOR_NB]; /* BookEvalBlackLimit, BookEvalWhiteLimit */
    bool narrow_book;
    bool consider_book_move_count;
    BookFind find;
} BookRules;

/* Rules without limits except book_eval_diff; the weight of a move depends only on its score. */
BookRules bookpick_free_rules(int eval_diff);

/* The moves that may be played, best first. Moves that lead back to an earlier position of the game
 * are left to the search. Returns false if there are none. */
bool bookpick_candidates(const BookReader *reader, const Position *pos, const BookRules *rules,
                         BookEntry *entry);

/* Chooses one of the candidates (count >= 1) at random. The weight of a move falls to about a third
 * for each half of book_eval_diff (at most 25 centipawns) that it is worse than the best. With
 * consider_book_move_count, it also grows with the number of games. Moves without scores are
 * weighted by games. */
int bookpick_choose(const BookEntry *entry, const BookRules *rules, Rng *rng);

/* True if the score is valid: a score of 0 at depth 0 means that the move was never searched. */
bool bookpick_has_score(const BookMove *move);

/* The line of a candidate: the move, then the best replies known to the book; at most `most` moves,
 * all legal. Returns the number of moves. */
int bookpick_line(const BookReader *reader, const Position *pos, const BookMove *move,
                  const BookFind *how, Move *line, int most);

/* Plays moves from the book, each chosen by the rules, until pos->ply is beyond book_moves or the
 * book ends. *score becomes the book's score of the position reached, from the side to move's point
 * of view, or BOOK_NO_SCORE. Returns the number of moves played. */
int bookpick_walk(const BookReader *reader, const BookRules *rules, Rng *rng, Position *pos,
                  int *score);

#endif
