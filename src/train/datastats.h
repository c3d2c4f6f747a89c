/* datastats.h: the contents of training game files: totals, each game as text, and statistics of
 * endings, phases, scores, pairs of players and duplicates, as text.
 *
 * Use it from one thread. Texts are whole lines. */
#ifndef KMD_TRAIN_DATASTATS_H
#define KMD_TRAIN_DATASTATS_H

#include "base/str.h"
#include "train/packed.h"

/* Totals of one or more files. */
typedef struct DataTally {
    uint64_t files, bytes, blocks, games;
    uint64_t moves;
    uint64_t positions;  /* number of positions with a score */
    uint64_t results[4]; /* number of games, indexed by KmdWinner */
    uint64_t damaged_bytes;
    uint64_t bad_blocks; /* intact but inconsistent */
} DataTally;

/* Adds a game, its moves and its result. The code that reads the file adds the other totals. */
void datastats_count(DataTally *tally, const PackedGame *game);

/* Appends the totals, and the speed if moves were read. `read_ns` is the time spent reading. */
void datastats_print_tally(const DataTally *tally, int64_t read_ns, StrBuf *out);

/* Appends the game with this number: a comment with the ending, the game as a USI line, and a
 * comment with the scores. */
void datastats_show_game(const PackedGame *game, uint64_t number, StrBuf *out);

typedef struct DataStats DataStats;

DataStats *datastats_create(void);
void datastats_free(DataStats *stats);

/* Counts a game and its positions. */
void datastats_add(DataStats *stats, const PackedGame *game);

/* Appends the statistics as lines of text. */
void datastats_print(const DataStats *stats, StrBuf *out);

#endif
