/* random_net.h: a network of random weights and games of random moves, for the tests of eval/. */
#ifndef KMD_UNIT_RANDOM_NET_H
#define KMD_UNIT_RANDOM_NET_H

#include "base/rng.h"
#include "eval/arch.h"
#include "eval/net.h"
#include "positions.h"
#include "rules/movegen.h"

static inline int random_within(Rng *rng, int limit) {
    return (int)rng_below(rng, (uint64_t)limit * 2 + 1) - limit;
}

/* Fills in random input weights. Those of threats are limited, as in a network that can be
 * loaded. */
static inline void random_inputs(Rng *rng, NnueNet *net, int limit) {
    for (int i = 0; i < net->set->inputs * net->hidden; i++) {
        bool is_threat = i >= NNUE_PIECE_INPUTS * net->hidden;
        int most = is_threat ? int_min(limit, NNUE_MAX_THREAT_WEIGHT) : limit;
        net->input_weights[i] = (int16_t)random_within(rng, most);
    }
}

/* Fills in random small layers. Most of their sums are neither 0 nor clipped. */
static inline void random_small(Rng *rng, NnueNet *net) {
    const SmallLayers *small = &net->small;
    for (int i = 0; i < NNUE_FIRST * 2 * net->hidden; i++) {
        small->first[i] = (int8_t)random_within(rng, 127);
    }
    for (int i = 0; i < NNUE_SECOND * 2 * NNUE_FIRST; i++) {
        small->second[i] = (int8_t)random_within(rng, 127);
    }
    for (int i = 0; i < NNUE_SECOND; i++) {
        small->first_bias[i % NNUE_FIRST] = random_within(rng, 60000);
        small->second_bias[i] = random_within(rng, 20000);
    }
    for (int i = 0; i < net->buckets * NNUE_SECOND; i++) {
        small->output[i] = random_within(rng, 20000);
    }
}

static inline NnueNet *random_plain_net(Rng *rng, const NetShape *shape, int limit) {
    NnueNet *net = net_create_shape(shape);
    for (int i = 0; i < net->hidden; i++) {
        net->input_bias[i] = (int16_t)random_within(rng, limit);
    }
    random_inputs(rng, net, limit);
    for (int i = 0; i < net->buckets * 2 * net->hidden; i++) {
        net->output_weights[i] = (int16_t)random_within(rng, limit * 4);
    }
    for (int i = 0; i < net->buckets; i++) {
        net->output_bias[i] = random_within(rng, 1000000);
    }
    if (net->has_small) {
        random_small(rng, net);
    }
    net_finish(net);
    return net;
}

/* A network with random weights up to `limit`. If the limit is small, most hidden sums are neither
 * 0 nor clipped. */
static inline NnueNet *random_net(Rng *rng, int hidden, int buckets, int limit) {
    return random_plain_net(rng, &(NetShape){hidden, buckets, 400, .has_threats = true}, limit);
}

/* A network with threat inputs and small layers. */
static inline NnueNet *random_small_net(Rng *rng, int hidden, int buckets, int limit) {
    NetShape shape = {hidden, buckets, 400, .has_threats = true, .has_small = true};
    return random_plain_net(rng, &shape, limit);
}

/* A network without threat inputs. */
static inline NnueNet *random_old_net(Rng *rng, int hidden, int buckets, int limit) {
    return random_plain_net(rng, &(NetShape){hidden, buckets, 400, .has_threats = false}, limit);
}

/* A random legal move; MOVE_NONE if there is none. Captures and king moves are more likely than
 * others, so that hands fill and views are mirrored. */
static inline Move random_move(Rng *rng, const Position *pos) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    if (count == 0) {
        return MOVE_NONE;
    }
    Move move = list[rng_below(rng, (uint64_t)count)];
    for (int tries = 0; tries < 3; tries++) {
        bool is_king = pos_moved_type(pos, move) == KING;
        if (is_king || pos_is_capture(pos, move)) {
            break;
        }
        move = list[rng_below(rng, (uint64_t)count)];
    }
    return move;
}

#endif
