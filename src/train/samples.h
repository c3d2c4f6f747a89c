/* samples.h: training positions made from blocks of games, each stored as a small record. Their
 * labels mix the scores of a game; the trainer adds the share of the result. */
#ifndef KMD_TRAIN_SAMPLES_H
#define KMD_TRAIN_SAMPLES_H

#include <stdbool.h>

#include "eval/arch.h"
#include "rules/types.h"
#include "train/packed.h"

struct Position;

/* A position and its labels. The inputs are those of black's unmirrored view, in ascending order;
 * the views are derived from them when the sample is used. */
typedef struct Sample {
    uint16_t input[NNUE_MAX_ACTIVE];
    int16_t score;      /* score for the mover, in centipawns */
    int8_t result;      /* result for the mover: 1 won, 0 drawn, -1 lost */
    uint8_t has_result; /* the result is meaningful, because the players were equal */
    uint8_t count;      /* number of inputs */
    uint8_t bucket;
    uint8_t side; /* side to move */
    uint8_t is_mirrored[COLOR_NB];
} Sample;

_Static_assert(sizeof(Sample) == 218, "there are many of them");

typedef struct SampleSet {
    Sample *samples;
    size_t count;
    size_t cap;
} SampleSet;

/* Increase this number whenever a change of the code makes different samples from the same games
 * and options. */
enum { SAMPLES_VERSION = 4 };

/* Which games become samples, and how they are labelled. A position of a game is replaced by the
 * one after its line of captures if the labelled move starts that line, and otherwise skipped. */
typedef struct LoadOptions {
    int held_out;     /* one game in this many of each file is held out; 0: none */
    double lookahead; /* passed to samples_find_labels, like `scale` */
    double scale;
} LoadOptions;

/* Counts of the data that was read. */
typedef struct LoadCount {
    uint64_t games;
    uint64_t positions;  /* positions with a score, before selection */
    uint64_t bad_blocks; /* blocks with inconsistent contents */
} LoadCount;

/* Fills labels[0 .. move_count - 1] with the mover's score in centipawns, or PACK_NO_SCORE if there
 * is none. The label of a mate is a nearly certain win. `scale` is in centipawns per unit of the
 * sigmoid that converts scores to winning chances; 0: not known yet.
 *
 * The later scores of a game come from searches that saw further ahead. The label, as a winning
 * chance, is therefore a mix of the score and, with the share `lookahead`, the label of the next
 * position (TD(lambda), Sutton 1988). The labels of mates are not mixed. After the last score, the
 * result of the game takes the place of the next label, unless the game was not played to its end.
 * In games of unequal players later scores are not used, because the other player may have missed a
 * chance. */
void samples_find_labels(const PackedGame *game, double scale, double lookahead, int16_t *labels);

/* Appends the samples of a block's games, either of the held-out games or of the other games.
 * `first_game` is the number of the block's first game in its file. */
void samples_add_block(const PackBlock *block, uint64_t first_game, const LoadOptions *options,
                       bool held_out, SampleSet *set, LoadCount *count);

/* Appends all samples of `from`, and frees `from`. */
void samples_append(SampleSet *to, SampleSet *from);

void samples_free(SampleSet *set);

enum { SAMPLES_MIN_SCALE = 50, SAMPLES_MAX_SCALE = 3000 };

/* Returns the scale, in centipawns per unit of the sigmoid, that maximises the log-likelihood of
 * the games' results: the sum of result * log(s) + (1 - result) * log(1 - s), where s = 1 / (1 +
 * exp(-score / scale)). The result lies within SAMPLES_MIN_SCALE .. SAMPLES_MAX_SCALE; without
 * samples it is 400. */
double samples_fit_scale(const SampleSet *set);

/* True if a fit ended at a bound, which means that the results do not determine the scale. */
bool samples_scale_is_at_bound(double scale);

/* Makes a sample of a position. Score and result are from the mover's point of view. */
Sample sample_make(const Position *pos, int score, int result);

/* Returns a table that maps each input of black's unmirrored view to the input of `side`'s view in
 * the sample. */
const uint16_t *sample_map(const Sample *sample, Color side);

/* Fills the tables for sample_map. Call it once, before threads start. */
void samples_init(void);

#endif
