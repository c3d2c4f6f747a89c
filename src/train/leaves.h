/* leaves.h: takes a weighted random sample of the positions that a search evaluates, for training
 * data.
 *
 * A LeafSample belongs to one thread. leaves_offer fills it during one search and samples without
 * replacement, by weighted reservoir sampling with exponential jumps (Efraimidis and Spirakis,
 * 2006). An offer that is not taken therefore costs only a subtraction. */
#ifndef KMD_TRAIN_LEAVES_H
#define KMD_TRAIN_LEAVES_H

#include "base/rng.h"
#include "rules/position.h"
#include "search/search.h"

enum { LEAVES_MAX = 1024, LEAVES_MAX_LINE = 64 };

typedef struct Leaf {
    uint64_t key; /* pos_key */
    double rank;  /* negative; the sample holds the offered positions with the highest ranks */
    Setup setup;
} Leaf;

typedef struct LeafSample {
    /* ---- Set by leaves_begin ---- */
    int most;        /* maximum number of leaves, up to LEAVES_MAX */
    bool is_focused; /* weight positions by leaves_weight; otherwise all are equally likely */
    double scale;    /* centipawns per unit of the sigmoid */
    int root_moves;  /* number of moves of the game before the root */
    Score root_eval; /* evaluation of the root for its side to move */
    Color root_side;
    Rng rng;
    /* ---- The principal variation as far as known ---- */
    Move line[LEAVES_MAX_LINE];
    int line_len;
    /* ---- The sample ---- */
    Leaf leaf[LEAVES_MAX];
    int count;
    int last;    /* the leaf with the lowest rank, if the sample is full */
    double jump; /* weight to skip before the next leaf is taken */
} LeafSample;

/* How to sample. */
typedef struct LeafOptions {
    int most;
    bool is_focused;
    int scale;
    uint64_t seed;
} LeafOptions;

/* Starts a sample for the search of `root`. root_eval is an earlier evaluation of the root for its
 * side to move, either static or by a search. */
void leaves_begin(LeafSample *sample, const Position *root, Score root_eval,
                  const LeafOptions *options);

/* Sets a new principal variation of the search. */
void leaves_note_line(LeafSample *sample, const Move *pv, int len);

/* Offers a position that the search has evaluated; the moves of pos->states lead to it from the
 * root. The score is from the point of view of its side to move. The root is never taken, and no
 * position is taken twice. */
void leaves_offer(LeafSample *sample, const Position *pos, Score score);

/* The relative probability that a focused sample takes a position. The probability is halved for
 * each ply between the position and the principal variation. The probability grows with the
 * difference between the position's evaluation and the root's, because the search relies on the
 * evaluation most where they differ. */
double leaves_weight(const LeafSample *sample, const Position *pos, Score score);

#endif
