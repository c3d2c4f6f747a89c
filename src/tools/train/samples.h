/* samples.h: training positions, made from blocks of games, one small record each. */
#ifndef KMD_TRAIN_SAMPLES_H
#define KMD_TRAIN_SAMPLES_H

#include <stdbool.h>

#include "data/packed.h"
#include "eval/arch.h"
#include "rules/types.h"

struct Position;

/* A position and its labels. Inputs are those of black's unmirrored view, in rising order; the
 * views are made from them when the sample is used. */
typedef struct Sample {
    uint16_t input[NNUE_MOST_ACTIVE];
    int16_t score;      /* mover's view, centipawns */
    int8_t result;      /* mover's view: 1 won, 0 drawn, -1 lost */
    uint8_t has_result; /* it says something about the position: the players were alike */
    uint8_t count;      /* of inputs */
    uint8_t bucket;
    uint8_t side; /* who moves */
    uint8_t is_mirrored[COLOR_NB];
    uint8_t plies_left; /* to the end of the game, at most 255 */
} Sample;

_Static_assert(sizeof(Sample) == 218, "there are many of them");

typedef struct SampleSet {
    Sample *samples;
    size_t count;
    size_t cap;
} SampleSet;

/* Increased whenever the same games and options give other samples. */
enum { SAMPLES_VERSION = 2 };

/* Which positions of a game become samples, and how. */
typedef struct LoadOptions {
    int held_out;        /* one game in this many, over all files, is held out; 0: none */
    bool has_leaves;     /* replace positions by the leaf of their captures where the labelled move
                            begins that line; elsewhere leave positions of games out, and take
                            those of search trees as they are */
    bool skips_captures; /* instead leave out positions with captures that win material */
    int skip_plies;      /* how many at the start of a game are left out */
    int most_score;      /* as are positions with a score beyond this that is no mate's */
    double lookahead;    /* these two as for samples_find_labels */
    double scale;
} LoadOptions;

/* The counts of what was read. */
typedef struct LoadCount {
    uint64_t games;
    uint64_t positions;  /* with a score, before the choice */
    uint64_t bad_blocks; /* that contradict themselves */
} LoadCount;

/* Fills labels[0 .. move_count - 1] with the mover's score in centipawns, or PACK_NO_SCORE where
 * there is none. The label of a mate is almost certain. `scale` is in centipawns per unit of
 * the sigmoid that makes chances of scores; 0: not known yet.
 *
 * The later scores of a game come from searches that looked further ahead from here. So a label is,
 * as a chance to win, the score itself and with the share `lookahead` the label of the next
 * position (TD(lambda), Sutton 1988), a mate's apart. After the last score comes the result,
 * unless mere scores decided the game. Not in a game of unlike players: the other may have let the
 * chance go. */
void samples_find_labels(const PackedGame *game, double scale, double lookahead, int16_t *labels);

/* Appends the samples of a block's games, those held out or the others. `first_game` is the number
 * of its first game over all files. */
void samples_add_block(const PackBlock *block, uint64_t first_game, const LoadOptions *options,
                       bool held_out, SampleSet *set, LoadCount *count);

/* Appends all of `from`, and frees that. */
void samples_append(SampleSet *to, SampleSet *from);

/* Leaves of positions that are there twice only the first, whatever their labels are. */
void samples_drop_duplicates(SampleSet *set);

void samples_free(SampleSet *set);

enum { SAMPLES_LEAST_SCALE = 50, SAMPLES_MOST_SCALE = 3000 };

/* The centipawns per unit of the sigmoid under which the games' results are the likeliest: the
 * maximum of the sum of result * log(s) + (1 - result) * log(1 - s), s = 1 / (1 + exp(-score /
 * scale)). Within SAMPLES_LEAST_SCALE .. SAMPLES_MOST_SCALE; 400 without samples. */
double samples_fit_scale(const SampleSet *set);

/* True when a fit ended at one of its bounds: then the results do not determine the scale. */
bool samples_scale_is_at_bound(double scale);

/* Makes a sample of a position; score and result are the mover's. */
Sample sample_make(const Position *pos, int score, int result);

/* [input of black's unmirrored view]: that of the view of `side` in the sample. */
const uint16_t *sample_map(const Sample *sample, Color side);

/* Fills the tables after sample_map. Call once, before threads start. */
void samples_init(void);

#endif
