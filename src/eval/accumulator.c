/* accumulator.c: updates the sums from the nearest state with computed sums, or from the cached
 * sums of the same king half. */
#include "eval/accumulator.h"

#include <string.h>

#include "base/xmem.h"
#include "eval/features.h"
#include "eval/kernels.h"
#include "eval/net.h"
#include "eval/rows.h"

/* The most moves an update may span. With more moves a refresh is cheaper: the cached position
 * rarely differs much more, and no moves have to be replayed. Limits of 6 and 9 are measurably
 * slower. */
enum { MOST_STEPS = 3 };

/* Sizes of lists with room for the maximum number of inputs, each split into the maximum number of
 * rows. */
enum {
    MOST_PARTS = (NNUE_MOST_INPUT_WEIGHT + ROW_WEIGHT_MOST - 1) / ROW_WEIGHT_MOST,
    MOST_ROWS = (SQ_NB + 2 * NNUE_HAND_SIDE + NNUE_MOST_THREATS) * MOST_PARTS
};

_Static_assert(NNUE_INPUTS *MOST_PARTS <= ACC_SPLIT, "row numbers leave ACC_SPLIT free");

typedef struct RowList {
    const uint16_t *rest; /* as in NnueRows */
    int count;
    uint16_t row[MOST_ROWS];
} RowList;

/* Rows to add and to subtract. */
typedef struct Exchange {
    RowList on;
    RowList off;
} Exchange;

static int16_t *sums_at(const Accumulator *acc, size_t slot, Color side) {
    return acc->sums + (slot * COLOR_NB + (size_t)side) * (size_t)acc->net->hidden;
}

/* Stores the rows of all threat inputs in a view. */
static void init_threat_rows(Accumulator *acc, NnueView view) {
    uint16_t *row_of = acc->threat_rows[view.side][view.is_mirrored];
    for (int i = 0; acc->has_threats && i < 2 * NNUE_THREAT_SIDE; i++) {
        int row = threats_input(view, NNUE_PIECE_INPUTS + i);
        bool is_split = acc->net->rows->rest[row] != 0;
        row_of[i + 1] = (uint16_t)(row + is_split * ACC_SPLIT);
    }
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
            init_threat_rows(acc, view);
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

/* Finds the nearest state with computed sums. Returns NULL if no such state is within MOST_STEPS
 * moves. */
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

/* Adds the row of an input and, if it is split, its further rows. */
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

/* Appends the further rows of inputs that are split. */
static void add_split_rows(RowList *list) {
    int count = list->count;
    for (int i = 0; i < count; i++) {
        if ((list->row[i] & ACC_SPLIT) != 0) {
            list->row[i] ^= ACC_SPLIT;
            add_input(list, list->rest[list->row[i]]);
        }
    }
}

/* Adds the new threats and removes the old ones at all places that have changed. Few inputs are
 * split, so the further rows of these are appended at the end. */
static void add_threats(const Accumulator *acc, NnueView view, const Threats *before,
                        const Threats *now, Exchange *exchange) {
    uint64_t changed[KERNEL_CHANGED];
    acc->kernels->compare(before->at, now->at, changed);
    const uint16_t *row_of = acc->threat_rows[view.side][view.is_mirrored];
    uint16_t *on = exchange->on.row + exchange->on.count;
    uint16_t *off = exchange->off.row + exchange->off.count;
    unsigned all = 0;
    for (int word = 0; word < KERNEL_CHANGED; word++) {
        for (uint64_t bits = changed[word]; bits != 0; bits &= bits - 1) {
            int place = word * 64 + BITS_LOWEST(bits);
            int gone = before->at[place], come = now->at[place];
            *off = row_of[gone];
            *on = row_of[come];
            off += gone != 0;
            on += come != 0;
            all |= row_of[gone] | row_of[come];
        }
    }
    exchange->on.count = (int)(on - exchange->on.row);
    exchange->off.count = (int)(off - exchange->off.row);
    if (UNLIKELY((all & ACC_SPLIT) != 0)) {
        add_split_rows(&exchange->on);
        add_split_rows(&exchange->off);
    }
}

/* ---- update from an earlier state ------------------------------------------------------------ */

/* Adds the changes made by all moves after `from`. Returns false if one of these moves changed the
 * view's mirroring. */
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

/* Computes the sums of a view from those of an earlier state. Returns false if the view's mirroring
 * has changed since then. */
static bool update_from(Accumulator *acc, const Position *pos, const State *from, NnueView view) {
    Exchange exchange;
    begin_exchange(acc, &exchange);
    if (!add_moves(pos, from, view, &exchange)) {
        return false;
    }
    size_t before = slot_of(pos, from), now = slot_of(pos, pos->now);
    if (acc->has_threats) {
        add_threats(acc, view, &acc->slots[before].threats, &acc->slots[now].threats, &exchange);
    }
    apply(acc, sums_at(acc, now, view.side), sums_at(acc, before, view.side), &exchange);
    return true;
}

/* ---- refresh from the cache ------------------------------------------------------------------ */

static void diff_square(const AccCache *cache, const Position *pos, NnueView view, Square sq,
                        Exchange *exchange) {
    Piece before = cache->board[sq];
    Piece now = pos->board[sq];
    if (now != NO_PIECE) {
        add_input(&exchange->on, features_board_input(view, now, sq));
    }
    if (before != NO_PIECE) {
        add_input(&exchange->off, features_board_input(view, before, sq));
    }
}

/* Lists the differences between the board and the cached one. Compares eight squares at a time,
 * because most squares are equal. */
static void diff_board(const AccCache *cache, const Position *pos, NnueView view,
                       Exchange *exchange) {
    enum { WORD = 8 };
    for (Square start = 0; start + WORD <= SQ_NB; start += WORD) {
        if (memcmp(cache->board + start, pos->board + start, WORD) == 0) {
            continue;
        }
        for (Square sq = start; sq < start + WORD; sq++) {
            if (cache->board[sq] != pos->board[sq]) {
                diff_square(cache, pos, view, sq, exchange);
            }
        }
    }
    for (Square sq = SQ_NB / WORD * WORD; sq < SQ_NB; sq++) {
        if (cache->board[sq] != pos->board[sq]) {
            diff_square(cache, pos, view, sq, exchange);
        }
    }
}

static void diff_hand(const AccCache *cache, const Position *pos, NnueView view, Color color,
                      Exchange *exchange) {
    for (int t = PAWN; t <= GOLD; t++) {
        PieceType type = (PieceType)t;
        int before = int_min(hand_count(cache->hand[color], type), pt_total(type));
        int now = int_min(hand_count(pos->hand[color], type), pt_total(type));
        for (int i = before; i < now; i++) {
            add_input(&exchange->on, features_hand_input(view, color, type, i));
        }
        for (int i = now; i < before; i++) {
            add_input(&exchange->off, features_hand_input(view, color, type, i));
        }
    }
}

static void refresh(Accumulator *acc, const Position *pos, NnueView view) {
    AccCache *cache = &acc->cache[view.side][view.is_mirrored];
    size_t now = slot_of(pos, pos->now);
    int16_t *sums = sums_at(acc, now, view.side);
    Exchange exchange;
    begin_exchange(acc, &exchange);
    diff_board(cache, pos, view, &exchange);
    for (int color = BLACK; color <= WHITE; color++) {
        if (cache->hand[color] != pos->hand[color]) {
            diff_hand(cache, pos, view, (Color)color, &exchange);
        }
    }
    if (acc->has_threats) {
        add_threats(acc, view, &cache->threats, &acc->slots[now].threats, &exchange);
        cache->threats = acc->slots[now].threats;
    }
    apply(acc, sums, cache->sums, &exchange);
    memcpy(cache->sums, sums, (size_t)acc->net->hidden * sizeof(*sums));
    memcpy(cache->board, pos->board, sizeof(cache->board));
    memcpy(cache->hand, pos->hand, sizeof(cache->hand));
}

/* ---- the two together ------------------------------------------------------------------------ */

void accumulator_update(Accumulator *acc, const Position *pos) {
    const State *from = find_ready(acc, pos);
    if (from == pos->now) {
        return;
    }
    AccSlot *slot = &acc->slots[slot_of(pos, pos->now)];
    if (acc->has_threats) {
        threats_find(pos, &slot->threats);
    }
    for (int side = BLACK; side <= WHITE; side++) {
        NnueView view = features_view(pos, (Color)side);
        if (from == NULL || !update_from(acc, pos, from, view)) {
            refresh(acc, pos, view);
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
