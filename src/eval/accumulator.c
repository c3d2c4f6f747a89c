#include "eval/accumulator.h"

#include <string.h>

#include "base/xmem.h"
#include "eval/features.h"
#include "eval/kernels.h"
#include "eval/netfile.h"
#include "eval/rows.h"

/* Carrying sums forward costs two to four rows a move and a refresh some twenty: beyond this many
 * moves the refresh is cheaper. */
enum { MOST_STEPS = 6 };

/* Room for as many inputs as there can be, each spread over as many rows as there can be. */
enum {
    MOST_PARTS = (NNUE_MOST_INPUT_WEIGHT + ROW_WEIGHT_MOST - 1) / ROW_WEIGHT_MOST,
    MOST_ROWS = (SQ_NB + 2 * NNUE_HAND_SIDE + NNUE_MOST_THREATS) * MOST_PARTS
};

typedef struct RowList {
    const uint16_t *rest; /* as NnueRows has it */
    int count;
    uint16_t row[MOST_ROWS];
} RowList;

/* Rows that come and go. */
typedef struct Exchange {
    RowList on;
    RowList off;
} Exchange;

/* The same of threats, as black's unmirrored view numbers them. */
typedef struct ThreatExchange {
    Threats on;
    Threats off;
} ThreatExchange;

static int16_t *sums_at(const Accumulator *acc, size_t slot, Color side) {
    return acc->sums + (slot * COLOR_NB + (size_t)side) * (size_t)acc->net->hidden;
}

bool accumulator_init(Accumulator *acc, const NnueNet *net, const NnueKernels *kernels) {
    memset(acc, 0, sizeof(*acc));
    acc->net = net;
    acc->kernels = kernels;
    acc->has_threats = net->inputs > NNUE_PIECE_INPUTS;
    size_t hidden = (size_t)net->hidden;
    acc->sums = xmem_try_aligned((ACC_SLOTS + 2) * COLOR_NB * hidden, sizeof(int16_t), 64);
    if (acc->sums == NULL) {
        return false;
    }
    for (int side = BLACK; side <= WHITE; side++) {
        for (int is_mirrored = 0; is_mirrored < 2; is_mirrored++) {
            /* The sums of an empty board are the biases. */
            AccCache *cache = &acc->cache[side][is_mirrored];
            cache->sums = sums_at(acc, (size_t)(ACC_SLOTS + is_mirrored), (Color)side);
            memcpy(cache->sums, net->input_bias, hidden * sizeof(int16_t));
            NnueView view = {(Color)side, is_mirrored != 0};
            for (int i = 0; i < 2 * NNUE_THREAT_SIDE; i++) {
                acc->seen[side][is_mirrored][i] =
                    (uint16_t)threats_input(view, NNUE_PIECE_INPUTS + i);
            }
        }
    }
    return true;
}

void accumulator_free(Accumulator *acc) {
    xmem_free_aligned(acc->sums);
    memset(acc, 0, sizeof(*acc));
}

static size_t slot_of(const Position *pos, const State *state) {
    return (size_t)(state - pos->states) % ACC_SLOTS;
}

static bool is_ready(const Accumulator *acc, const Position *pos, const State *state) {
    const AccSlot *slot = &acc->slots[slot_of(pos, state)];
    return slot->is_ready && slot->board_key == state->board_key &&
           slot->hand_key == state->hand_key;
}

/* The nearest state whose sums stand ready; NULL when none is within reach. */
static const State *find_ready(const Accumulator *acc, const Position *pos) {
    const State *state = pos->now;
    for (int steps = 0; steps <= MOST_STEPS; steps++, state--) {
        if (is_ready(acc, pos, state)) {
            return state;
        }
        if (state == pos->states) {
            return NULL;
        }
    }
    return NULL;
}

static void begin_exchange(const Accumulator *acc, Exchange *exchange) {
    exchange->on.rest = exchange->off.rest = acc->net->rows->rest;
    exchange->on.count = exchange->off.count = 0;
}

/* Adds the row of an input and those that it is spread over besides. */
FORCE_INLINE void add_input(RowList *list, int input) {
    unsigned row = (unsigned)input;
    do {
        list->row[list->count++] = (uint16_t)row;
        row = list->rest[row];
    } while (UNLIKELY(row != 0));
}

static void apply(const Accumulator *acc, int16_t *to, const int16_t *from,
                  const Exchange *exchange) {
    KernelChange change = {.table = acc->net->rows->words,
                           .hidden = acc->net->hidden,
                           .on_count = exchange->on.count,
                           .off_count = exchange->off.count,
                           .on = exchange->on.row,
                           .off = exchange->off.row};
    acc->kernels->update(to, from, &change);
}

/* ---- from an earlier state ------------------------------------------------------------------- */

/* Most threats outlive a move: those that both have are tallied away. */
static void diff_threats(Accumulator *acc, const Threats *before, const Threats *now,
                         ThreatExchange *exchange) {
    int8_t *tally = acc->tally;
    for (int i = 0; i < now->count; i++) {
        tally[now->input[i] - NNUE_PIECE_INPUTS]++;
    }
    for (int i = 0; i < before->count; i++) {
        int8_t *left = &tally[before->input[i] - NNUE_PIECE_INPUTS];
        exchange->off.input[exchange->off.count] = before->input[i];
        exchange->off.count += *left == 0;
        *left = (int8_t)(*left - (*left != 0));
    }
    for (int i = 0; i < now->count; i++) {
        int8_t *left = &tally[now->input[i] - NNUE_PIECE_INPUTS];
        exchange->on.input[exchange->on.count] = now->input[i];
        exchange->on.count += *left != 0;
        *left = (int8_t)(*left - (*left != 0));
    }
}

static void add_threats(const Accumulator *acc, const Threats *threats, NnueView view,
                        RowList *list) {
    const uint16_t *seen = acc->seen[view.side][view.is_mirrored];
    for (int i = 0; i < threats->count; i++) {
        add_input(list, seen[threats->input[i] - NNUE_PIECE_INPUTS]);
    }
}

/* Adds what the moves behind `from` have changed. False when the view flipped meanwhile. */
static bool add_moves(const Position *pos, const State *from, NnueView view, Exchange *exchange) {
    for (const State *state = from + 1; state <= pos->now; state++) {
        if (features_move_flips(state, view.side)) {
            return false;
        }
        NnueDelta delta;
        features_move_delta(state, view, &delta);
        for (int i = 0; i < delta.count; i++) {
            add_input(&exchange->on, delta.on[i]);
            add_input(&exchange->off, delta.off[i]);
        }
    }
    return true;
}

/* Makes the sums of a view from those of an earlier state. False when it flipped meanwhile. */
static bool carry(Accumulator *acc, const Position *pos, const State *from, NnueView view,
                  const ThreatExchange *threats) {
    Exchange exchange;
    begin_exchange(acc, &exchange);
    if (!add_moves(pos, from, view, &exchange)) {
        return false;
    }
    add_threats(acc, &threats->on, view, &exchange.on);
    add_threats(acc, &threats->off, view, &exchange.off);
    apply(acc, sums_at(acc, slot_of(pos, pos->now), view.side),
          sums_at(acc, slot_of(pos, from), view.side), &exchange);
    return true;
}

/* ---- from the last sums made from scratch ---------------------------------------------------- */

/* Lists what stands on the board now and not in the cache, and the other way round; file by file,
 * for most are the same. */
static void diff_board(const AccCache *cache, const Position *pos, NnueView view,
                       Exchange *exchange) {
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
            add_input(&exchange->on, nnue_board_input(view, now, sq));
        }
        if (before != NO_PIECE) {
            add_input(&exchange->off, nnue_board_input(view, before, sq));
        }
    }
}

static void diff_hand(const AccCache *cache, const Position *pos, NnueView view,
                      Exchange *exchange) {
    for (int color = BLACK; color <= WHITE; color++) {
        for (int t = PAWN; t <= GOLD; t++) {
            PieceType type = (PieceType)t;
            int before = int_min(hand_count(cache->hand[color], type), pt_total(type));
            int now = int_min(hand_count(pos->hand[color], type), pt_total(type));
            for (int i = before; i < now; i++) {
                add_input(&exchange->on, nnue_hand_input(view, (Color)color, type, i));
            }
            for (int i = now; i < before; i++) {
                add_input(&exchange->off, nnue_hand_input(view, (Color)color, type, i));
            }
        }
    }
}

static void refresh(Accumulator *acc, const Position *pos, NnueView view, const Threats *threats) {
    AccCache *cache = &acc->cache[view.side][view.is_mirrored];
    Exchange exchange;
    begin_exchange(acc, &exchange);
    diff_board(cache, pos, view, &exchange);
    diff_hand(cache, pos, view, &exchange);
    apply(acc, cache->sums, cache->sums, &exchange);
    memcpy(cache->board, pos->board, sizeof(cache->board));
    memcpy(cache->hand, pos->hand, sizeof(cache->hand));
    begin_exchange(acc, &exchange);
    add_threats(acc, threats, view, &exchange.on);
    apply(acc, sums_at(acc, slot_of(pos, pos->now), view.side), cache->sums, &exchange);
}

/* ---- both ------------------------------------------------------------------------------------ */

void accumulator_update(Accumulator *acc, const Position *pos) {
    const State *from = find_ready(acc, pos);
    if (from == pos->now) {
        return;
    }
    AccSlot *slot = &acc->slots[slot_of(pos, pos->now)];
    slot->threats.count = 0;
    if (acc->has_threats) {
        threats_list(pos, &slot->threats);
    }
    ThreatExchange threats;
    threats.on.count = 0;
    threats.off.count = 0;
    if (from != NULL) {
        diff_threats(acc, &acc->slots[slot_of(pos, from)].threats, &slot->threats, &threats);
    }
    for (int side = BLACK; side <= WHITE; side++) {
        NnueView view = nnue_view(pos, (Color)side);
        if (from == NULL || !carry(acc, pos, from, view, &threats)) {
            refresh(acc, pos, view, &slot->threats);
        }
    }
    slot->board_key = pos->now->board_key;
    slot->hand_key = pos->now->hand_key;
    slot->is_ready = true;
}

const int16_t *accumulator_sums(const Accumulator *acc, const Position *pos, Color side) {
    ASSERT(is_ready(acc, pos, pos->now));
    return sums_at(acc, slot_of(pos, pos->now), side);
}
