/* accumulator.c: updates the sums from the nearest state with computed sums, or from the last sums
 * with the same own king. */
#include "eval/accumulator.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "eval/kernels.h"
#include "eval/net.h"
#include "eval/rows.h"

/* The most moves an update may span. With more moves a refresh is cheaper: the cached position
 * rarely differs much more, and no moves have to be replayed. Limits of 6 and 9 are measurably
 * slower. */
enum { MAX_STEPS = 3 };

/* Marks the row of an input that is split into several rows. No row has this bit in its number. */
#define ACC_SPLIT (UINT32_C(1) << 31)

/* Sizes of lists with room for the maximum number of inputs, each split into the maximum number of
 * rows. */
enum {
    MAX_PARTS = (NNUE_MAX_INPUT_WEIGHT + ROW_WEIGHT_MAX - 1) / ROW_WEIGHT_MAX,
    MAX_ROWS = (int)COUNTOF(((NnueInputs *)0)->input) * MAX_PARTS
};

typedef struct RowList {
    const uint16_t *rest; /* as in NnueRows; NULL: no input is split */
    int count;
    uint32_t row[MAX_ROWS];
} RowList;

/* Rows to add and to subtract in a view. */
typedef struct Exchange {
    NnueView view;
    RowList on;
    RowList off;
} Exchange;

static size_t width_of(const Accumulator *acc) {
    return (size_t)acc->net->hidden;
}

static int16_t *sums_at(const Accumulator *acc, size_t slot, Color side) {
    return acc->sums + (slot * COLOR_NB + (size_t)side) * width_of(acc);
}

static int16_t *cached_sums(const Accumulator *acc, Color side, int cache) {
    size_t index = (size_t)(side * acc->caches + cache);
    return acc->sums + (ACC_SLOTS * COLOR_NB + index) * width_of(acc);
}

/* The rows of a view for what can be found at places. */
static uint32_t *place_rows(const Accumulator *acc, NnueView view) {
    size_t index = (size_t)(view.side * 2 + view.is_mirrored);
    return acc->place_rows + index * ((size_t)acc->set->place_inputs + 1);
}

/* The index of a view's cache. */
static int cache_of(const Accumulator *acc, const Position *pos, NnueView view) {
    return acc->set->per_king > 0 ? features_king(pos, view.side) : view.is_mirrored;
}

/* Stores the rows of all inputs of places in a view. */
static void init_place_rows(const Accumulator *acc, NnueView view) {
    uint32_t *row_of = place_rows(acc, view);
    const NnueRows *rows = acc->net->rows;
    row_of[0] = 0;
    for (int found = 1; found <= acc->set->place_inputs; found++) {
        uint32_t row = (uint32_t)acc->set->place_input(view, found);
        row_of[found] = row | (rows != NULL && rows->rest[row] != 0 ? ACC_SPLIT : 0);
    }
}

bool accumulator_init(Accumulator *acc, const NnueNet *net, const NnueKernels *kernels) {
    memset(acc, 0, sizeof(*acc));
    acc->net = net;
    acc->kernels = kernels;
    acc->set = net->set;
    features_map(acc->set, &acc->map);
    acc->caches = acc->set->per_king > 0 ? SQ_NB : acc->set->mirror != MIRROR_NEVER ? 2 : 1;
    size_t caches = COLOR_NB * (size_t)acc->caches;
    acc->sums =
        xmem_try_aligned((ACC_SLOTS * COLOR_NB + caches) * width_of(acc), sizeof(int16_t), 64);
    acc->cache = xmem_try_calloc(caches, sizeof(AccCache));
    acc->place_rows = xmem_try_calloc(4 * ((size_t)acc->set->place_inputs + 1), sizeof(uint32_t));
    if (acc->sums == NULL || acc->cache == NULL || acc->place_rows == NULL) {
        accumulator_free(acc);
        return false;
    }
    for (int side = BLACK; side <= WHITE; side++) {
        for (int cache = 0; cache < acc->caches; cache++) {
            /* The sums of an empty board are the biases. */
            memcpy(cached_sums(acc, (Color)side, cache), net->input_bias,
                   width_of(acc) * sizeof(int16_t));
        }
        init_place_rows(acc, (NnueView){(Color)side, false, 0});
        init_place_rows(acc, (NnueView){(Color)side, true, 0});
    }
    return true;
}

void accumulator_free(Accumulator *acc) {
    xmem_free_aligned(acc->sums);
    free(acc->cache);
    free(acc->place_rows);
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

/* Finds the nearest state with computed sums. Returns NULL if no such state is within MAX_STEPS
 * moves. */
static const State *find_ready(const Accumulator *acc, const Position *pos) {
    const State *state = pos->now;
    for (int steps = 0; steps <= MAX_STEPS; steps++, state--) {
        if (is_ready(acc, pos, state)) {
            return state;
        }
        if (state == pos->states) {
            return NULL;
        }
    }
    return NULL;
}

static void begin_exchange(const Accumulator *acc, NnueView view, Exchange *exchange) {
    exchange->view = view;
    exchange->on.rest = exchange->off.rest = acc->net->rows != NULL ? acc->net->rows->rest : NULL;
    exchange->on.count = exchange->off.count = 0;
}

/* Adds a row and, if it belongs to a split input, the further rows of the input. */
FORCE_INLINE void add_row(RowList *list, uint32_t row) {
    list->row[list->count++] = row;
    if (list->rest != NULL) {
        while (UNLIKELY((row = list->rest[row]) != 0)) {
            list->row[list->count++] = row;
        }
    }
}

/* Adds the rows for a piece on the board. */
FORCE_INLINE void add_piece(const Accumulator *acc, NnueView view, RowList *list, Piece piece,
                            Square sq) {
    uint32_t plane = acc->map.plane[view.side][piece];
    uint32_t seen = acc->map.square[view.side][view.is_mirrored][sq];
    if (plane != FEATURE_NONE) {
        add_row(list, (uint32_t)view.base + plane + seen);
    }
    if (acc->set->king_planes > 0 && piece_type(piece) == KING) {
        bool is_own = piece_color(piece) == view.side;
        add_row(list, (uint32_t)acc->set->king_planes + !is_own * SQ_NB + seen);
    }
}

/* Adds the rows for piece number `index` (from 0) of a type in a hand. */
FORCE_INLINE void add_hand(const Accumulator *acc, NnueView view, RowList *list, Color owner,
                           PieceType type, int index) {
    ASSERT(index >= 0 && index < pt_total(type));
    add_row(list, (uint32_t)(view.base + acc->map.hand[view.side][owner][type] + index));
}

static void apply(const Accumulator *acc, int16_t *to, const int16_t *from,
                  const Exchange *exchange) {
    const NnueRows *packed = acc->net->rows;
    KernelChange change = {.table = packed != NULL ? (const void *)packed->words : acc->net->table,
                           .hidden = acc->net->hidden,
                           .on_count = exchange->on.count,
                           .off_count = exchange->off.count,
                           .on = exchange->on.row,
                           .off = exchange->off.row};
    (packed != NULL ? acc->kernels->update : acc->kernels->field.update)(to, from, &change);
}

/* Appends the further rows of inputs that are split. */
static void add_split_rows(RowList *list) {
    int count = list->count;
    for (int i = 0; i < count; i++) {
        if ((list->row[i] & ACC_SPLIT) != 0) {
            list->row[i] ^= ACC_SPLIT;
            add_row(list, list->rest[list->row[i]]);
        }
    }
}

/* Adds the inputs now found at places and removes the earlier ones, where they differ. Few inputs
 * are split, so the further rows of these are appended at the end. */
static void add_places(const Accumulator *acc, const Places *before, const Places *now,
                       Exchange *exchange) {
    uint64_t changed[KERNEL_CHANGED];
    acc->kernels->compare(before->at, now->at, changed);
    const uint32_t *row_of = place_rows(acc, exchange->view);
    const uint32_t base = (uint32_t)exchange->view.base;
    uint32_t *on = exchange->on.row + exchange->on.count;
    uint32_t *off = exchange->off.row + exchange->off.count;
    uint32_t all = 0;
    for (int word = 0; word < KERNEL_CHANGED; word++) {
        for (uint64_t bits = changed[word]; bits != 0; bits &= bits - 1) {
            int place = word * 64 + BITS_LOWEST(bits);
            int gone = before->at[place], come = now->at[place];
            *off = row_of[gone] + base;
            *on = row_of[come] + base;
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

/* Adds the changes made by the move that led to `after`. */
FORCE_INLINE void add_move(const Accumulator *acc, const State *after, Exchange *exchange) {
    NnueView view = exchange->view;
    if (after->moved == NO_PIECE) {
        return; /* null move */
    }
    Move move = after->move;
    Square to = move_to(move);
    Color us = piece_color(after->moved);
    add_piece(acc, view, &exchange->on, after->moved, to);
    if (move_is_drop(move)) {
        PieceType type = move_drop_type(move);
        add_hand(acc, view, &exchange->off, us, type, hand_count(after->hand[us], type));
        return;
    }
    Piece before = move_is_promotion(move) ? after->moved & (Piece)~PROMOTED : after->moved;
    add_piece(acc, view, &exchange->off, before, move_from(move));
    if (after->captured != NO_PIECE) {
        PieceType type = pt_raw(piece_type(after->captured));
        add_piece(acc, view, &exchange->off, after->captured, to);
        add_hand(acc, view, &exchange->on, us, type, hand_count(after->hand[us], type) - 1);
    }
}

/* Computes the sums of a view from those of an earlier state. */
static void update_from(Accumulator *acc, const Position *pos, const State *from, NnueView view) {
    Exchange exchange;
    begin_exchange(acc, view, &exchange);
    for (const State *state = from + 1; state <= pos->now; state++) {
        add_move(acc, state, &exchange);
    }
    size_t before = slot_of(pos, from), now = slot_of(pos, pos->now);
    if (acc->set->find_places != NULL) {
        add_places(acc, &acc->slots[before].places, &acc->slots[now].places, &exchange);
    }
    apply(acc, sums_at(acc, now, view.side), sums_at(acc, before, view.side), &exchange);
}

/* ---- refresh from the cache ------------------------------------------------------------------ */

/* Lists the differences between the board and the cached one. Compares eight squares at a time,
 * because most squares are equal. */
static void diff_board(const Accumulator *acc, const AccCache *cache, const Position *pos,
                       Exchange *exchange) {
    for (Square start = 0; start < SQ_NB; start += 8) {
        uint64_t before = 0, now = 0;
        size_t len = start + 8 <= SQ_NB ? 8 : SQ_NB % 8;
        memcpy(&before, cache->board + start, len);
        memcpy(&now, pos->board + start, len);
        for (uint64_t differs = before ^ now; differs != 0;) {
            int byte = BITS_LOWEST(differs) / 8;
            differs &= ~(UINT64_C(255) << byte * 8);
            Square sq = start + byte;
            if (pos->board[sq] != NO_PIECE) {
                add_piece(acc, exchange->view, &exchange->on, pos->board[sq], sq);
            }
            if (cache->board[sq] != NO_PIECE) {
                add_piece(acc, exchange->view, &exchange->off, cache->board[sq], sq);
            }
        }
    }
}

static void diff_hand(const Accumulator *acc, const AccCache *cache, const Position *pos,
                      Color color, Exchange *exchange) {
    for (int t = PAWN; t <= GOLD; t++) {
        PieceType type = (PieceType)t;
        int before = int_min(hand_count(cache->hand[color], type), pt_total(type));
        int now = int_min(hand_count(pos->hand[color], type), pt_total(type));
        for (int i = before; i < now; i++) {
            add_hand(acc, exchange->view, &exchange->on, color, type, i);
        }
        for (int i = now; i < before; i++) {
            add_hand(acc, exchange->view, &exchange->off, color, type, i);
        }
    }
}

static void refresh(Accumulator *acc, const Position *pos, NnueView view, int index) {
    AccCache *cache = &acc->cache[view.side * acc->caches + index];
    size_t now = slot_of(pos, pos->now);
    int16_t *sums = sums_at(acc, now, view.side), *cached = cached_sums(acc, view.side, index);
    Exchange exchange;
    begin_exchange(acc, view, &exchange);
    diff_board(acc, cache, pos, &exchange);
    for (int color = BLACK; color <= WHITE; color++) {
        if (cache->hand[color] != pos->hand[color]) {
            diff_hand(acc, cache, pos, (Color)color, &exchange);
        }
    }
    for (; cache->missing < acc->missing; cache->missing++) {
        add_row(&exchange.on, (uint32_t)view.base);
    }
    for (; cache->missing > acc->missing; cache->missing--) {
        add_row(&exchange.off, (uint32_t)view.base);
    }
    if (acc->set->find_places != NULL) {
        add_places(acc, &cache->places, &acc->slots[now].places, &exchange);
        cache->places = acc->slots[now].places;
    }
    apply(acc, sums, cached, &exchange);
    memcpy(cached, sums, width_of(acc) * sizeof(*sums));
    memcpy(cache->board, pos->board, sizeof(cache->board));
    memcpy(cache->hand, pos->hand, sizeof(cache->hand));
}

/* ---- the two together ------------------------------------------------------------------------ */

/* Counts the missing pieces once per game, because no move changes their number. */
static void count_missing(Accumulator *acc, const Position *pos) {
    const State *start = pos->states;
    if (features_count_missing(acc->set) &&
        (acc->start_board != start->board_key || acc->start_hand != start->hand_key)) {
        acc->start_board = start->board_key;
        acc->start_hand = start->hand_key;
        acc->missing = features_missing(pos);
    }
}

void accumulator_update(Accumulator *acc, const Position *pos) {
    const State *from = find_ready(acc, pos);
    if (from == pos->now) {
        return;
    }
    count_missing(acc, pos);
    AccSlot *slot = &acc->slots[slot_of(pos, pos->now)];
    if (acc->set->find_places != NULL) {
        acc->set->find_places(pos, &slot->places);
    }
    for (int side = BLACK; side <= WHITE; side++) {
        NnueView view = features_view(acc->set, pos, (Color)side);
        int cache = cache_of(acc, pos, view);
        if (from != NULL && acc->slots[slot_of(pos, from)].cache[side] == cache) {
            update_from(acc, pos, from, view);
        } else {
            refresh(acc, pos, view, cache);
        }
        slot->cache[side] = (uint8_t)cache;
    }
    slot->board_key = pos->now->board_key;
    slot->hand_key = pos->now->hand_key;
    slot->is_ready = true;
}

const int16_t *accumulator_sums(const Accumulator *acc, const Position *pos, Color side) {
    ASSERT(is_ready(acc, pos, pos->now));
    return sums_at(acc, slot_of(pos, pos->now), side);
}
