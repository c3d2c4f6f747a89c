/* leaves.c: draws the sample. The sample consists of the offers with the highest ranks log(u) /
 * weight, where u is uniform in (0, 1). Once the sample is full, the total weight of the offers up
 * to the next one that ranks above the lowest in the sample is exponentially distributed. That
 * weight is drawn once, instead of a rank for each offer. */
#include "train/leaves.h"

#include <math.h>
#include <string.h>

/* The weight of a position with the same evaluation as the root, relative to a position whose
 * winning chance differs by 100 %. */
#define MIN_DIFFERENCE 0.1

void leaves_begin(LeafSample *sample, const Position *root, Score root_eval,
                  const LeafOptions *options) {
    ASSERT(options->most >= 1 && options->most <= LEAVES_MAX);
    sample->most = options->most;
    sample->is_focused = options->is_focused;
    sample->scale = options->scale;
    sample->root_moves = pos_moves_done(root);
    sample->root_eval = root_eval;
    sample->root_side = root->side;
    sample->rng = rng_init(options->seed);
    sample->line_len = 0;
    sample->count = 0;
    sample->jump = 0;
}

void leaves_note_line(LeafSample *sample, const Move *pv, int len) {
    sample->line_len = int_min(len, LEAVES_MAX_LINE);
    memcpy(sample->line, pv, (size_t)sample->line_len * sizeof(Move));
}

/* The number of plies from the principal variation to a position of the tree. */
static int plies_beside(const LeafSample *sample, const Position *pos) {
    int plies = pos_moves_done(pos) - sample->root_moves;
    int common = 0;
    while (common < plies && common < sample->line_len &&
           pos->states[sample->root_moves + common + 1].move == sample->line[common]) {
        common++;
    }
    return plies - common;
}

static double chance_of(const LeafSample *sample, Score score) {
    return 1 / (1 + exp(-score / sample->scale));
}

double leaves_weight(const LeafSample *sample, const Position *pos, Score score) {
    Score root_view = pos->side == sample->root_side ? score : -score;
    double difference = fabs(chance_of(sample, root_view) - chance_of(sample, sample->root_eval));
    return ldexp(MIN_DIFFERENCE + difference, -plies_beside(sample, pos));
}

/* Uniform in (0, 1], so that it has a logarithm. */
static double draw_unit(LeafSample *sample) {
    return 1 - rng_unit(&sample->rng);
}

static bool has_leaf(const LeafSample *sample, uint64_t key) {
    for (int i = 0; i < sample->count; i++) {
        if (sample->leaf[i].key == key) {
            return true;
        }
    }
    return false;
}

/* Finds the lowest rank, and draws the weight to skip before the next leaf. */
static void draw_jump(LeafSample *sample) {
    sample->last = 0;
    for (int i = 1; i < sample->count; i++) {
        if (sample->leaf[i].rank < sample->leaf[sample->last].rank) {
            sample->last = i;
        }
    }
    sample->jump = log(draw_unit(sample)) / sample->leaf[sample->last].rank;
}

static void take(LeafSample *sample, int place, const Position *pos, double rank) {
    sample->leaf[place] = (Leaf){.key = pos_key(pos), .rank = rank, .setup = pos_get(pos)};
    sample->count = int_max(sample->count, place + 1);
    if (sample->count == sample->most) {
        draw_jump(sample);
    }
}

void leaves_offer(LeafSample *sample, const Position *pos, Score score) {
    if (pos_moves_done(pos) == sample->root_moves) {
        return;
    }
    double weight = sample->is_focused ? leaves_weight(sample, pos, score) : 1;
    sample->jump -= weight;
    bool is_full = sample->count == sample->most;
    if ((is_full && sample->jump > 0) || has_leaf(sample, pos_key(pos))) {
        return;
    }
    if (!is_full) {
        take(sample, sample->count, pos, log(draw_unit(sample)) / weight);
        return;
    }
    /* Draw its rank from the ranks above the lowest. */
    double least = exp(sample->leaf[sample->last].rank * weight);
    double unit = least + (1 - least) * draw_unit(sample);
    take(sample, sample->last, pos, log(unit) / weight);
}
