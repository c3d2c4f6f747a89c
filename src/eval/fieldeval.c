/* fieldeval.c: keeps the sums up to date and runs the layers. */
#include "eval/fieldeval.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"

enum {
    MAX_CHANGES = 2 * (SQ_NB + FIELD_MAX_PIECES + 2) + 64,
    HOME = 44 /* stands for the square of a missing king */
};

/* The position whose sums are stored. */
typedef struct FieldCache {
    Piece board[SQ_NB];
    uint8_t classes[SQ_NB];
    Hand hand[COLOR_NB];
    int missing; /* pieces missing from the game; each adds the row of piece number 0 */
    bool is_filled;
} FieldCache;

struct FieldEval {
    const FieldNet *net;
    const NnueKernels *kernels;
    int caches; /* per view */
    FieldCache *cache;
    int16_t *sums; /* [COLOR_NB][caches][sums] */
};

/* The rows to add and to subtract. */
typedef struct Changes {
    int on_count, off_count;
    uint32_t on[MAX_CHANGES], off[MAX_CHANGES];
} Changes;

/* A view of a position: how piece numbers become inputs. */
typedef struct View {
    Color side;
    int is_mirrored;
    int base; /* the first input of the own king's square */
} View;

/* Creates an evaluator with this many caches per view. */
static FieldEval *create(const FieldNet *net, const NnueKernels *kernels, int caches) {
    FieldEval *eval = xmem_try_calloc(1, sizeof(*eval));
    if (eval == NULL) {
        return NULL;
    }
    eval->net = net;
    eval->kernels = kernels;
    eval->caches = caches;
    size_t count = (size_t)COLOR_NB * (size_t)eval->caches;
    eval->cache = xmem_try_calloc(count, sizeof(FieldCache));
    eval->sums = xmem_try_aligned(count * (size_t)net->sums, sizeof(int16_t), 64);
    if (eval->cache == NULL || eval->sums == NULL) {
        fieldeval_free(eval);
        return NULL;
    }
    return eval;
}

FieldEval *fieldeval_create(const FieldNet *net, const NnueKernels *kernels) {
    return create(net, kernels, net->set->per_king > 0 ? SQ_NB : 1);
}

void fieldeval_free(FieldEval *eval) {
    if (eval != NULL) {
        free(eval->cache);
        xmem_free_aligned(eval->sums);
        free(eval);
    }
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void change(Changes *changes, bool is_on, int input) {
    if (is_on) {
        changes->on[changes->on_count++] = (uint32_t)input;
    } else {
        changes->off[changes->off_count++] = (uint32_t)input;
    }
}

/* A piece on the board and its class. */
typedef struct Placed {
    Piece piece;
    uint8_t class_of;
} Placed;

static void change_piece(const FieldNet *net, View view, Changes *changes, bool is_on,
                         Placed placed, Square sq) {
    int number = net->number[view.side][view.is_mirrored][placed.piece][sq];
    if (number == FIELD_NONE) {
        return;
    }
    change(changes, is_on, number + view.base + placed.class_of * net->set->per_class);
    if (piece_type(placed.piece) == KING && net->set->king_planes > 0) {
        bool is_own = piece_color(placed.piece) == view.side;
        change(changes, is_on,
               net->set->king_planes + !is_own * SQ_NB + fieldset_turn(view.side, sq));
    }
}

static void change_hand(View view, Changes *changes, Color color, Hand before, Hand after) {
    for (int type = PAWN; type <= GOLD && before != after; type++) {
        int had = hand_count(before, (PieceType)type), has = hand_count(after, (PieceType)type);
        int first = fieldset_hand((PieceType)type, color == view.side) + view.base;
        for (int i = had; i < has; i++) {
            change(changes, true, first + i);
        }
        for (int i = has; i < had; i++) {
            change(changes, false, first + i);
        }
    }
}

/* Lists the squares where two boards differ, eight at a time. */
static int find_changed(const uint8_t *a, const uint8_t *b, uint8_t squares[SQ_NB]) {
    int count = 0;
    for (int from = 0; from < SQ_NB; from += 8) {
        uint64_t x = 0, y = 0;
        size_t len = from + 8 <= SQ_NB ? 8 : 1;
        memcpy(&x, a + from, len);
        memcpy(&y, b + from, len);
        for (uint64_t differs = x ^ y; differs != 0;) {
            int byte = BITS_LOWEST(differs) / 8;
            squares[count++] = (uint8_t)(from + byte);
            differs &= ~(UINT64_C(255) << byte * 8);
        }
    }
    return count;
}

static int count_missing(const Position *pos) {
    int count = bb_count(pos_occupied(pos));
    count -= (pos->king[BLACK] != SQ_NONE) + (pos->king[WHITE] != SQ_NONE);
    for (int color = BLACK; color <= WHITE; color++) {
        for (int type = PAWN; type <= GOLD; type++) {
            count += hand_count(pos->hand[color], (PieceType)type);
        }
    }
    return int_max(FIELD_MAX_PIECES - count, 0);
}

/* Brings the cache up to the position and returns its sums. */
static const int16_t *view_sums(FieldEval *eval, const Position *pos, Color side, int missing,
                                const uint8_t *black_classes) {
    const FieldNet *net = eval->net;
    const FieldSet *set = net->set;
    Square king = pos->king[side] == SQ_NONE ? (Square)HOME : fieldset_turn(side, pos->king[side]);
    View view = {side, set->is_mirrored && king >= 45, 0};
    view.base = set->per_king * (view.is_mirrored ? fieldset_mirror(king) : king);
    size_t index = (size_t)side * (size_t)eval->caches + (eval->caches > 1 ? (size_t)king : 0);
    FieldCache *cache = &eval->cache[index];
    int16_t *sums = eval->sums + index * (size_t)net->sums;
    if (!cache->is_filled) {
        memcpy(sums, net->bias, (size_t)net->sums * sizeof(*sums));
        cache->is_filled = true;
    }
    Changes changes;
    changes.on_count = changes.off_count = 0;
    uint8_t classes[SQ_NB] = {0};
    uint8_t squares[2 * SQ_NB];
    int count = find_changed(cache->board, pos->board, squares);
    if (set->classify != NULL) {
        for (Square sq = 0; sq < SQ_NB; sq++) {
            classes[sq] = side == BLACK ? black_classes[sq] : set->turn_class(black_classes[sq]);
            squares[count] = (uint8_t)sq;
            count += cache->board[sq] == pos->board[sq] && cache->classes[sq] != classes[sq];
        }
    }
    for (int i = 0; i < count; i++) {
        Square sq = squares[i];
        Placed before = {cache->board[sq], cache->classes[sq]};
        Placed now = {pos->board[sq], classes[sq]};
        change_piece(net, view, &changes, false, before, sq);
        change_piece(net, view, &changes, true, now, sq);
    }
    if (set->classify != NULL) {
        memcpy(cache->classes, classes, sizeof(classes));
    }
    memcpy(cache->board, pos->board, sizeof(cache->board));
    for (int color = BLACK; color <= WHITE; color++) {
        change_hand(view, &changes, (Color)color, cache->hand[color], pos->hand[color]);
        cache->hand[color] = pos->hand[color];
    }
    for (; cache->missing < missing; cache->missing++) {
        change(&changes, true, view.base);
    }
    for (; cache->missing > missing; cache->missing--) {
        change(&changes, false, view.base);
    }
    if (changes.on_count + changes.off_count > 0) {
        KernelRows rows = {.table = net->rows,
                           .width = net->sums,
                           .on_count = changes.on_count,
                           .off_count = changes.off_count,
                           .on = changes.on,
                           .off = changes.off};
        eval->kernels->field.add_rows(sums, &rows);
    }
    return sums;
}

/* ---- layers ---------------------------------------------------------------------------------- */

static uint8_t clip(int32_t sum) {
    return (uint8_t)int_clamp(sum >> 6, 0, 127);
}

/* A sum modulo 2^32, as in the kernels. */
static int32_t add_output(const FieldStack *stack, const uint8_t *in, int count, int32_t more) {
    uint32_t total = (uint32_t)stack->output_bias + (uint32_t)more;
    for (int i = 0; i < count; i++) {
        total += (uint32_t)(stack->output[i] * in[i]);
    }
    return (int32_t)total;
}

static int32_t run_layers(const FieldNet *net, const KernelField *kernels,
                          const int16_t *const sums[2], const FieldStack *stack) {
    _Alignas(64) uint8_t in[KERNEL_MAX_INPUTS];
    _Alignas(64) int32_t out[FIELD_MAX_LAYER];
    _Alignas(64) uint8_t next[2 * FIELD_MAX_LAYER] = {0};
    int half = net->sums / 2;
    for (int i = 0; i < 2; i++) {
        if (net->is_sfnn) {
            kernels->multiply(in + i * half, sums[i], half);
        } else {
            kernels->clip(in + i * net->sums, sums[i], net->sums);
        }
    }
    kernels->affine(out, &stack->first, in);
    int32_t skip = net->has_skip ? out[net->first] : 0;
    for (int k = 0; k < net->first; k++) {
        if (net->is_sfnn) {
            int64_t square = (int64_t)out[k] * out[k] >> 19;
            next[k] = (uint8_t)i64_clamp(square, 0, 127);
            next[net->first + k] = clip(out[k]);
        } else {
            next[k] = clip(out[k]);
        }
    }
    kernels->affine(out, &stack->second, next);
    for (int k = 0; k < net->second; k++) {
        next[k] = clip(out[k]);
    }
    return add_output(stack, next, net->second, skip);
}

int32_t fieldeval_output(FieldEval *eval, const Position *pos) {
    const FieldNet *net = eval->net;
    uint8_t classes[SQ_NB];
    if (net->set->classify != NULL) {
        net->set->classify(pos, classes);
    }
    int missing = count_missing(pos);
    Color us = pos->side;
    const int16_t *sums[2] = {view_sums(eval, pos, us, missing, classes),
                              view_sums(eval, pos, color_flip(us), missing, classes)};
    return run_layers(net, &eval->kernels->field, sums, &net->stack[fieldnet_stack(net, pos)]);
}

int32_t fieldeval_output_fresh(const FieldNet *net, const Position *pos) {
    FieldEval *eval = create(net, kernels_choose(0), 1);
    if (eval == NULL) {
        xmem_fail(1, sizeof(*eval));
    }
    int32_t output = fieldeval_output(eval, pos);
    fieldeval_free(eval);
    return output;
}
