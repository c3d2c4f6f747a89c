/* leaves.h: a weighted random sample of the positions that a search evaluates, for training data.
 *
 * A LeafSample belongs to one thread. It is filled during one search by leaves_offer, which draws
 * without replacement: weighted reservoir sampling with exponential jumps (Efraimidis and
 * Spirakis, 2006), so that an offer that is not taken costs a subtraction. */
#ifndef KMD_SELFPLAY_LEAVES_H
#define KMD_SELFPLAY_LEAVES_H

#include "base/rng.h"
#include "rules/position.h"
#include "search/score.h"

enum { LEAVES_MOST = 1024, LEAVES_MOST_LINE = 64 };

typedef struct Leaf {
    uint64_t key; /* pos_key */
    double rank;  /* the sample has the highest ranks of all positions offered; below 0 */
    Setup setup;
} Leaf;

typedef struct LeafSample {
    /* ---- Set by leaves_begin ---- */
    int most;        /* leaves at most, up to LEAVES_MOST */
    bool is_focused; /* by leaves_weight; otherwise each position is equally likely */
    double scale;    /* centipawns per unit of the sigmoid */
    int root_moves;  /* moves of the game before the root */
    Score root_eval; /* for the root's side to move */
    Color root_side;
    Rng rng;
    /* ---- The principal variation as far as it is known ---- */
    Move line[LEAVES_MOST_LINE];
    int line_len;
    /* ---- The sample ---- */
    Leaf leaf[LEAVES_MOST];
    int count;
    int last;    /* the leaf with the lowest rank, once the sample is full */
    double jump; /* the sum of weights to pass over before the next leaf is taken */
} LeafSample;

/* The sample to draw. */
typedef struct LeafRules {
    int most;
    bool is_focused;
    int scale;
    uint64_t seed;
} LeafRules;

/* Begins a sample of the search of `root`. root_eval is what the root was evaluated at before, by a
 * search or not, for its side to move. */
void leaves_begin(LeafSample *sample, const Position *root, Score root_eval,
                  const LeafRules *rules);

/* The search has a new principal variation. */
void leaves_note_line(LeafSample *sample, const Move *pv, int len);

/* The search has evaluated a position that the moves of pos->states lead to from the root; score is
 * for its side to move. The root itself is never taken, nor is a position twice. */
void leaves_offer(LeafSample *sample, const Position *pos, Score score);

/* How likely a focused sample takes a position, compared with others: half as likely for each ply
 * between it and the principal variation, and the likelier the more its evaluation differs from
 * the root's. There the search relies on the evaluation most. */
double leaves_weight(const LeafSample *sample, const Position *pos, Score score);

#endif
