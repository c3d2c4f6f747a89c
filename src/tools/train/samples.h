/* samples.h: training positions in memory: read from files of games, one small record each. */
#ifndef KMD_TRAIN_SAMPLES_H
#define KMD_TRAIN_SAMPLES_H

#include "base/str.h"
#include "data/packed.h"
#include "eval/arch.h"

/* A position and its labels. Inputs are those of black's unmirrored view; the views are made from
 * them when the sample is used. Missing pieces are filled up with SAMPLE_PADDING. */
typedef struct Sample {
    uint16_t input[NNUE_MOST_ACTIVE];
    int16_t score; /* mover's view, centipawns */
    int8_t result; /* mover's view: 1 won, 0 drawn, -1 lost */
    uint8_t bucket;
    uint8_t side; /* who moves */
    uint8_t is_mirrored[COLOR_NB];
    uint8_t unused;
} Sample;

_Static_assert(sizeof(Sample) == 88, "there are many of them");

enum { SAMPLE_PADDING = NNUE_INPUTS };

typedef struct SampleSet {
    Sample *samples;
    size_t count;
    size_t cap;
} SampleSet;

typedef struct LoadOptions {
    int threads;
    int held_out;     /* one game in this many, over all files, is held out; 0: none */
    bool has_leaves;  /* replace positions by the leaf of their captures, or leave them out where
                         the game did not go there */
    double lookahead; /* see labels_find */
} LoadOptions;

/* What was read. */
typedef struct SampleData {
    SampleSet train;
    SampleSet held_out; /* whole games that are not in train */
    uint64_t games;
    uint64_t positions; /* with a score, before the choice */
    uint64_t damaged_bytes;
    uint64_t bad_blocks; /* that contradict themselves */
} SampleData;

/* Adds the games of a file. False when it cannot be read or holds no games; *why says so then. */
bool samples_load(SampleData *data, const char *path, const LoadOptions *options,
                  const char **why) MUST_CHECK;
void samples_free(SampleData *data);

/* Makes a sample of a position; score and result are the mover's. */
Sample sample_make(const Position *pos, int score, int result);

/* Writes the active inputs of the mover's and of the other side's view. */
void sample_expand(const Sample *sample, uint16_t mover[NNUE_MOST_ACTIVE],
                   uint16_t other[NNUE_MOST_ACTIVE]);

/* Fills the tables behind sample_expand. Call once, before threads start. */
void samples_init(void);

#endif
