/* bookread.h: opens a book of any format for playing, and chooses the book move to play.
 *
 * Read-only once open: safe from every thread. Random numbers come from the caller's Rng. Nothing
 * here prints. */
#ifndef KMD_BOOK_BOOKREAD_H
#define KMD_BOOK_BOOKREAD_H

#include <stdatomic.h>

#include "base/parallel.h"
#include "base/rng.h"
#include "book/book.h"

typedef struct BookReader BookReader;

/* Opens a file and detects its format: Komadori's own or YaneuraOu's text. On failure returns NULL
 * with the reason in *why (static storage), or with *why NULL if the watch, which may be NULL,
 * cancelled the work. */
BookReader *bookread_open(const char *path, const Watch *watch, const char **why);

/* Like bookread_open, but reads the bytes of a file. The caller keeps the bytes, which must outlive
 * the reader. */
BookReader *bookread_open_bytes(StrView bytes, const char **why);

/* Opens the built-in book, a copy of eval/komadori.book made when the program was built. Returns
 * NULL if that file was empty. */
BookReader *bookread_embedded(void);

/* NULL is allowed. */
void bookread_close(BookReader *reader);

typedef struct BookFind {
    bool ignore_book_ply; /* ignore the move numbers in the book */
    bool flipped_book;    /* also look up the position with the sides exchanged */
} BookFind;

/* Finds the legal moves of a position. Returns false if the position is missing or has no legal
 * moves. */
bool bookread_find(const BookReader *reader, const Position *pos, const BookFind *how,
                   BookEntry *entry);

/* Adds the whole book to *book. Returns the number of positions and moves left out because they are
 * illegal. If *cancel becomes true (cancel may be NULL), ends early; the result is then without
 * meaning. */
size_t bookread_load(const BookReader *reader, const _Atomic bool *cancel, Book *book);

/* ---- choosing a move ------------------------------------------------------------------------- */

/* The rules for choosing a move. The engine options with the same names set them
 * (engine/options.c). */
typedef struct BookPickOptions {
    int book_moves;       /* do not use the book after this move number */
    int book_depth_limit; /* 0: none */
    int book_eval_diff;
    int book_eval_limit[COLOR_NB]; /* BookEvalBlackLimit, BookEvalWhiteLimit; not in handicap games,
                                    * where the giver's best move may be far below them */
    bool narrow_book;
    bool consider_book_move_count;
    BookFind find;
} BookPickOptions;

/* Lists the moves that may be played, best first. Omits moves that repeat an earlier position of
 * the game: the search decides about those. Returns false if there are none. */
bool bookread_candidates(const BookReader *reader, const Position *pos,
                         const BookPickOptions *options, BookEntry *entry);

/* Chooses one of the candidates (count >= 1) at random. The weight of a move falls to about a third
 * for each step by which its score is below the best. A step is half of book_eval_diff, but at most
 * 25 centipawns. With consider_book_move_count, the weight also grows with the number of games.
 * Moves without scores are weighted by games. */
int bookread_choose(const BookEntry *entry, const BookPickOptions *options, Rng *rng);

/* Writes the line of a candidate: the move, then the best replies in the book. The line has at most
 * `most` moves, all legal. Returns the number of moves. */
int bookread_line(const BookReader *reader, const Position *pos, const BookMove *move,
                  const BookFind *how, Move *line, int most);

#endif
