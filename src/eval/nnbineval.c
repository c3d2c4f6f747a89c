/* nnbineval.c: keeps the sums of both views up to date, and runs the dense layers. */
#include "eval/nnbineval.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "eval/kernels.h"
#include "eval/nnbin.h"

enum {
    SLOTS = 256,   /* a power of two, larger than the maximum ply */
    MAX_STEPS = 3, /* the most moves an update may span; with more a refresh is cheaper */
    /* Room for the differences between any two positions. */
    MAX_ROWS = 2 * SQ_NB + 2 * 38 + FEATURE_PIECES,
    SHIFT = 6, /* of the sums of hidden layers */
    ACTIVE = 127
};

typedef struct Slot {
    uint64_t board_key;
    uint64_t hand_key;
    bool is_ready;
} Slot;

/* The position for which the sums of a view were last computed with its king on a square. */
typedef struct Cached {
    Piece board[SQ_NB];
    Hand hand[COLOR_NB];
    int missing;
} Cached;

struct NnBinEval {
    const NnBin *bin;
    const NnueKernels *kernels;
    int16_t *sums;       /* [SLOTS][COLOR_NB][width] */
    int16_t *cache_sums; /* [COLOR_NB][king places][width] */
    Cached *cache;       /* [COLOR_NB][king places] */
    Slot slots[SLOTS];
};

/* Rows to add and to subtract. */
typedef struct Change {
    const NnBin *bin;
    int on_count;
    int off_count;
    const unsigned char *on[MAX_ROWS];
    const unsigned char *off[MAX_ROWS];
} Change;

static int king_places(const NnBin *bin) {
    return bin->set->stride != 0 ? SQ_NB : 1;
}

static size_t cache_index(const NnBin *bin, const FeatureView *view) {
    int place = bin->set->stride != 0 ? view->king : 0;
    return (size_t)((int)view->side * king_places(bin) + place);
}

NnBinEval *nnbineval_create(const NnBin *bin, const NnueKernels *kernels) {
    size_t width = (size_t)bin->width;
    size_t places = COLOR_NB * (size_t)king_places(bin);
    NnBinEval *eval = xmem_try_calloc(1, sizeof(*eval));
    if (eval == NULL) {
        return NULL;
    }
    eval->bin = bin;
    eval->kernels = kernels;
    eval->sums = xmem_try_aligned(SLOTS * COLOR_NB * width, sizeof(int16_t), 64);
    eval->cache_sums = xmem_try_aligned(places * width, sizeof(int16_t), 64);
    eval->cache = xmem_try_calloc(places, sizeof(*eval->cache));
    if (eval->sums == NULL || eval->cache_sums == NULL || eval->cache == NULL) {
        nnbineval_free(eval);
        return NULL;
    }
    /* The sums of an empty board from which no piece is missing are the biases. */
    for (size_t i = 0; i < places; i++) {
        memcpy(eval->cache_sums + i * width, bin->bias, width * sizeof(int16_t));
    }
    return eval;
}

void nnbineval_free(NnBinEval *eval) {
    if (eval != NULL) {
        xmem_free_aligned(eval->sums);
        xmem_free_aligned(eval->cache_sums);
        free(eval->cache);
        free(eval);
    }
}

const NnueKernels *nnbineval_kernels(const NnBinEval *eval) {
    return eval->kernels;
}

/* ---- changes of inputs -------------------------------------------------------------------------
 */

static const unsigned char *row_of(const NnBin *bin, uint32_t input) {
    return bin->rows + (size_t)input * (size_t)bin->width * sizeof(int16_t);
}

static void switch_piece(Change *change, const FeatureView *view, Piece piece, Square sq,
                         bool is_on) {
    uint32_t inputs[2];
    int count = featureset_board(view, piece, sq, inputs);
    for (int i = 0; i < count; i++) {
        const unsigned char *row = row_of(change->bin, inputs[i]);
        if (is_on) {
            change->on[change->on_count++] = row;
        } else {
            change->off[change->off_count++] = row;
        }
    }
}

/* Switches the inputs of a hand that grows or shrinks from `before` to `now` pieces of a type. */
static void switch_hand(Change *change, const FeatureView *view, Color owner, PieceType type,
                        int before, int now) {
    for (int i = before; i < now; i++) {
        change->on[change->on_count++] = row_of(change->bin, featureset_hand(view, owner, type, i));
    }
    for (int i = now; i < before; i++) {
        change->off[change->off_count++] =
            row_of(change->bin, featureset_hand(view, owner, type, i));
    }
}

/* The inputs that the move to `after` switched. */
static void add_move(Change *change, const FeatureView *view, const State *after) {
    if (after->moved == NO_PIECE) {
        return; /* null move */
    }
    Move move = after->move;
    Color us = piece_color(after->moved);
    switch_piece(change, view, after->moved, move_to(move), true);
    if (move_is_drop(move)) {
        PieceType type = move_drop_type(move);
        int left = hand_count(after->hand[us], type);
        switch_hand(change, view, us, type, left + 1, left);
        return;
    }
    Piece before = move_is_promotion(move) ? after->moved & (Piece)~PROMOTED : after->moved;
    switch_piece(change, view, before, move_from(move), false);
    if (after->captured != NO_PIECE) {
        PieceType type = pt_raw(piece_type(after->captured));
        int count = hand_count(after->hand[us], type);
        switch_piece(change, view, after->captured, move_to(move), false);
        switch_hand(change, view, us, type, count - 1, count);
    }
}

static void apply(const NnueKernels *kernels, const Change *change, int16_t *to,
                  const int16_t *from) {
    KernelRows rows = {.width = change->bin->width,
                       .on_count = change->on_count,
                       .off_count = change->off_count,
                       .on = change->on,
                       .off = change->off};
    kernels->add_rows(to, from, &rows);
}

/* Lists what distinguishes the position from the cached one, and makes them equal. */
static void add_difference(Change *change, const FeatureView *view, Cached *cached,
                           const Position *pos) {
    for (Square sq = 0; sq < SQ_NB; sq++) {
        Piece before = cached->board[sq], now = pos->board[sq];
        if (before != now) {
            if (now != NO_PIECE) {
                switch_piece(change, view, now, sq, true);
            }
            if (before != NO_PIECE) {
                switch_piece(change, view, before, sq, false);
            }
        }
    }
    for (int side = BLACK; side <= WHITE; side++) {
        for (int t = PAWN; t <= GOLD && cached->hand[side] != pos->hand[side]; t++) {
            PieceType type = (PieceType)t;
            switch_hand(change, view, (Color)side, type,
                        int_min(hand_count(cached->hand[side], type), pt_total(type)),
                        int_min(hand_count(pos->hand[side], type), pt_total(type)));
        }
    }
    int missing = featureset_missing_count(pos);
    const unsigned char *row = row_of(change->bin, featureset_missing(view));
    for (int i = cached->missing; i < missing; i++) {
        change->on[change->on_count++] = row;
    }
    for (int i = missing; i < cached->missing; i++) {
        change->off[change->off_count++] = row;
    }
    memcpy(cached->board, pos->board, sizeof(cached->board));
    memcpy(cached->hand, pos->hand, sizeof(cached->hand));
    cached->missing = missing;
}

/* ---- the sums ----------------------------------------------------------------------------------
 */

static size_t slot_of(const Position *pos, const State *state) {
    return (size_t)(state - pos->states) % SLOTS;
}

static int16_t *sums_at(const NnBinEval *eval, size_t slot, Color side) {
    return eval->sums + (slot * COLOR_NB + (size_t)side) * (size_t)eval->bin->width;
}

static bool is_ready(const NnBinEval *eval, const Position *pos, const State *state) {
    const Slot *slot = &eval->slots[slot_of(pos, state)];
    return slot->is_ready && slot->board_key == state->board_key &&
           slot->hand_key == state->hand_key;
}

/* The nearest state with known sums, or NULL if none is within MAX_STEPS moves. */
static const State *find_ready(const NnBinEval *eval, const Position *pos) {
    const State *state = pos->now;
    for (int steps = 0; steps <= MAX_STEPS; steps++, state--) {
        if (is_ready(eval, pos, state)) {
            return state;
        }
        if (state == pos->states) {
            break;
        }
    }
    return NULL;
}

static void update_view(NnBinEval *eval, const Position *pos, const State *from, Color side) {
    const NnBin *bin = eval->bin;
    FeatureView view = featureset_view(bin->set, pos, side);
    int16_t *sums = sums_at(eval, slot_of(pos, pos->now), side);
    Change change;
    change.bin = bin;
    change.on_count = change.off_count = 0;
    bool is_near = from != NULL;
    for (const State *state = from; is_near && state++ < pos->now;) {
        is_near = bin->set->stride == 0 || state->moved != piece_make(side, KING);
        if (is_near) {
            add_move(&change, &view, state);
        }
    }
    if (is_near) {
        apply(eval->kernels, &change, sums, sums_at(eval, slot_of(pos, from), side));
        return;
    }
    size_t place = cache_index(bin, &view);
    int16_t *known = eval->cache_sums + place * (size_t)bin->width;
    change.on_count = change.off_count = 0;
    add_difference(&change, &view, &eval->cache[place], pos);
    apply(eval->kernels, &change, known, known);
    memcpy(sums, known, (size_t)bin->width * sizeof(*sums));
}

static void update(NnBinEval *eval, const Position *pos) {
    const State *from = find_ready(eval, pos);
    if (from == pos->now) {
        return;
    }
    update_view(eval, pos, from, BLACK);
    update_view(eval, pos, from, WHITE);
    eval->slots[slot_of(pos, pos->now)] = (Slot){pos->now->board_key, pos->now->hand_key, true};
}

/* ---- the dense layers --------------------------------------------------------------------------
 */

/* Runs a hidden layer: `in` has four times `groups` bytes, `out` receives one for each output. */
static void run_hidden(const NnueKernels *kernels, const NnBinLayer *layer, const uint8_t *in,
                       uint8_t *out) {
    int32_t sums[NNBIN_MAX_LAYER];
    kernels->affine(sums, in, layer->weights, layer->bias, layer->groups, layer->outputs);
    for (int i = 0; i < layer->outputs; i++) {
        out[i] = (uint8_t)int_clamp(sums[i] >> SHIFT, 0, ACTIVE);
    }
}

static int32_t run_layers(const NnBin *bin, const NnueKernels *kernels, const int16_t *mover,
                          const int16_t *other) {
    _Alignas(64) uint8_t in[2 * NNBIN_MAX_WIDTH];
    _Alignas(64) uint8_t first[NNBIN_MAX_LAYER], second[NNBIN_MAX_LAYER];
    int32_t output[NNBIN_LANES];
    kernels->clip(in, mover, bin->width);
    kernels->clip(in + bin->width, other, bin->width);
    run_hidden(kernels, &bin->layers[0], in, first);
    run_hidden(kernels, &bin->layers[1], first, second);
    const NnBinLayer *last = &bin->output;
    kernels->affine(output, second, last->weights, last->bias, last->groups, last->outputs);
    return output[0];
}

int32_t nnbineval_output(NnBinEval *eval, const Position *pos) {
    update(eval, pos);
    size_t slot = slot_of(pos, pos->now);
    return run_layers(eval->bin, eval->kernels, sums_at(eval, slot, pos->side),
                      sums_at(eval, slot, color_flip(pos->side)));
}

int32_t nnbineval_output_fresh(const NnBin *bin, const Position *pos) {
    const NnueKernels *kernels = kernels_choose(0);
    int16_t *sums = xmem_alloc_aligned(COLOR_NB * (size_t)bin->width, sizeof(*sums), 64);
    for (int i = 0; i < COLOR_NB; i++) {
        FeatureView view =
            featureset_view(bin->set, pos, i == 0 ? pos->side : color_flip(pos->side));
        Cached nothing = {.missing = 0};
        Change change = {.bin = bin};
        add_difference(&change, &view, &nothing, pos);
        apply(kernels, &change, sums + i * bin->width, bin->bias);
    }
    int32_t output = run_layers(bin, kernels, sums, sums + bin->width);
    xmem_free_aligned(sums);
    return output;
}
