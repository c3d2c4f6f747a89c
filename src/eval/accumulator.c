#include "eval/accumulator.h"

#include <string.h>

#include "base/xmem.h"
#include "eval/features.h"
#include "eval/kernels.h"
#include "eval/netfile.h"

/* Carrying sums forward costs two to four rows a move and a refresh some twenty: beyond this many
 * moves the refresh is cheaper. */
enum { MOST_STEPS = 6 };

static int16_t *sums_at(const Accumulator *acc, size_t slot, Color side) {
    return acc->sums + (slot * COLOR_NB + (size_t)side) * (size_t)acc->net->hidden;
}

void accumulator_init(Accumulator *acc, const NnueNet *net, const NnueKernels *kernels) {
    memset(acc, 0, sizeof(*acc));
    acc->net = net;
    acc->kernels = kernels;
    size_t hidden = (size_t)net->hidden;
    acc->sums = xmem_alloc_aligned((ACC_SLOTS + 2) * COLOR_NB * hidden, sizeof(int16_t), 64);
    for (int side = BLACK; side <= WHITE; side++) {
        for (int is_mirrored = 0; is_mirrored < 2; is_mirrored++) {
            /* The sums of an empty board are the biases. */
            AccCache *cache = &acc->cache[side][is_mirrored];
            cache->sums = sums_at(acc, (size_t)(ACC_SLOTS + is_mirrored), (Color)side);
            memcpy(cache->sums, net->input_bias, hidden * sizeof(int16_t));
        }
    }
}

void accumulator_free(Accumulator *acc) {
    xmem_free_aligned(acc->sums);
    memset(acc, 0, sizeof(*acc));
}

static size_t slot_of(const Position *pos, const State *state) {
    return (size_t)(state - pos->states) % ACC_SLOTS;
}

/* The state's slot, emptied if it held the sums of another position. */
static AccSlot *claim_slot(Accumulator *acc, const Position *pos, const State *state) {
    AccSlot *slot = &acc->slots[slot_of(pos, state)];
    if (slot->board_key != state->board_key || slot->hand_key != state->hand_key) {
        *slot = (AccSlot){.board_key = state->board_key, .hand_key = state->hand_key};
    }
    return slot;
}

static bool is_ready(const Accumulator *acc, const Position *pos, const State *state, Color side) {
    const AccSlot *slot = &acc->slots[slot_of(pos, state)];
    return slot->is_ready[side] && slot->board_key == state->board_key &&
           slot->hand_key == state->hand_key;
}

/* How many moves ago the sums of the view stood ready; -1 when not within reach. */
static int find_ready(const Accumulator *acc, const Position *pos, Color side) {
    const State *state = pos->now;
    for (int steps = 0; steps <= MOST_STEPS; steps++, state--) {
        if (is_ready(acc, pos, state, side)) {
            return steps;
        }
        if (state == pos->states || features_move_flips(state, side)) {
            return -1;
        }
    }
    return -1;
}

static KernelChange make_change(const Accumulator *acc) {
    return (KernelChange){.table = acc->net->input_weights, .hidden = acc->net->hidden};
}

/* Makes the sums of `state` from those of the state before it. */
static void step_forward(Accumulator *acc, const Position *pos, const State *state, NnueView view) {
    NnueDelta delta;
    features_move_delta(state, view, &delta);
    KernelChange change = make_change(acc);
    change.on_count = delta.count;
    change.off_count = delta.count;
    change.on = delta.on;
    change.off = delta.off;
    acc->kernels->update(sums_at(acc, slot_of(pos, state), view.side),
                         sums_at(acc, slot_of(pos, state - 1), view.side), &change);
    claim_slot(acc, pos, state)->is_ready[view.side] = true;
}

/* Lists what stands on the board now and not in the cache, and the other way round; file by file,
 * for most are the same. */
static void diff_board(const AccCache *cache, const Position *pos, NnueView view, NnueInputs *on,
                       NnueInputs *off) {
    for (Square sq = 0; sq < SQ_NB; sq++) {
        if (sq % RANK_NB == 0 && memcmp(cache->board + sq, pos->board + sq, RANK_NB) == 0) {
            sq += RANK_NB - 1;
            continue;
        }
        Piece before = cache->board[sq];
        Piece now = pos->board[sq];
        if (before == now) {
            continue;
        }
        if (now != NO_PIECE) {
            on->input[on->count++] = (uint16_t)nnue_board_input(view, now, sq);
        }
        if (before != NO_PIECE) {
            off->input[off->count++] = (uint16_t)nnue_board_input(view, before, sq);
        }
    }
}

static void diff_hand(const AccCache *cache, const Position *pos, NnueView view, NnueInputs *on,
                      NnueInputs *off) {
    for (int color = BLACK; color <= WHITE; color++) {
        for (int t = PAWN; t <= GOLD; t++) {
            PieceType type = (PieceType)t;
            int before = int_min(hand_count(cache->hand[color], type), pt_total(type));
            int now = int_min(hand_count(pos->hand[color], type), pt_total(type));
            for (int i = before; i < now; i++) {
                on->input[on->count++] = (uint16_t)nnue_hand_input(view, (Color)color, type, i);
            }
            for (int i = now; i < before; i++) {
                off->input[off->count++] = (uint16_t)nnue_hand_input(view, (Color)color, type, i);
            }
        }
    }
}

static void refresh(Accumulator *acc, const Position *pos, NnueView view) {
    AccCache *cache = &acc->cache[view.side][view.is_mirrored];
    NnueInputs on = {.count = 0};
    NnueInputs off = {.count = 0};
    diff_board(cache, pos, view, &on, &off);
    diff_hand(cache, pos, view, &on, &off);
    KernelChange change = make_change(acc);
    change.on_count = on.count;
    change.off_count = off.count;
    change.on = on.input;
    change.off = off.input;
    acc->kernels->update(cache->sums, cache->sums, &change);
    memcpy(cache->board, pos->board, sizeof(cache->board));
    memcpy(cache->hand, pos->hand, sizeof(cache->hand));
    memcpy(sums_at(acc, slot_of(pos, pos->now), view.side), cache->sums,
           (size_t)acc->net->hidden * sizeof(int16_t));
    claim_slot(acc, pos, pos->now)->is_ready[view.side] = true;
}

void accumulator_update(Accumulator *acc, const Position *pos) {
    for (int side = BLACK; side <= WHITE; side++) {
        int steps = find_ready(acc, pos, (Color)side);
        NnueView view = nnue_view(pos, (Color)side);
        if (steps < 0) {
            refresh(acc, pos, view);
        }
        for (int i = steps - 1; i >= 0; i--) {
            step_forward(acc, pos, pos->now - i, view);
        }
    }
}

const int16_t *accumulator_sums(const Accumulator *acc, const Position *pos, Color side) {
    ASSERT(is_ready(acc, pos, pos->now, side));
    return sums_at(acc, slot_of(pos, pos->now), side);
}
