/* layers.c: selects a stack of layers and runs it. */
#include "eval/layers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "eval/features.h"

/* Longer names come first where one is the beginning of another. */
const LayersPart layers_kings[LAYERS_KINGS] = {{"k9k9z", 9},   {"k9k9", 9},    {"k13k13z", 13},
                                               {"k21k21", 21}, {"k29k29", 29}, {"k3k3", 3},
                                               {"", 1}};
const LayersPart layers_hands[LAYERS_HANDS] = {{"hand1024", 32}, {"hand256", 16}, {"hand64z", 8},
                                               {"hand64", 8},    {"hand16", 4},   {"hand4", 2},
                                               {"", 1}};

/* Indices of the tables above. */
enum { KINGS_9Z, KINGS_9, KINGS_13Z, KINGS_21, KINGS_29, KINGS_3 };
enum { HANDS_1024, HANDS_256, HANDS_64Z, HANDS_64, HANDS_16, HANDS_4 };

Layers *layers_create(void) {
    Layers *layers = xmem_calloc(1, sizeof(*layers));
    layers->kings = &layers_kings[LAYERS_KINGS - 1];
    layers->hands = &layers_hands[LAYERS_HANDS - 1];
    layers->stacks = 1;
    return layers;
}

void layers_free(Layers *layers) {
    if (layers != NULL) {
        xmem_free_aligned(layers->memory);
        free(layers->stack);
        free(layers->progress_weights);
        free(layers);
    }
}

void layers_describe(const Layers *layers, StrBuf *out) {
    strbuf_addf(out, "%s-%d-%d", layers->is_sfnn ? "" : "x2", layers->first, layers->second);
    if (layers->shard > 0) {
        strbuf_addf(out, " c%d s%dx%d", layers->common, layers->shard, layers->shards);
    }
    const char *parts[2] = {layers->hands->name, layers->kings->name};
    for (int i = 0; i < 2; i++) {
        strbuf_addf(out, "%s%s", parts[i][0] != '\0' ? " " : "", parts[i]);
    }
    if (layers->progress > 0) {
        strbuf_addf(out, " progress%d", layers->progress);
    }
}

/* ---- the stack of a position ----------------------------------------------------------------- */

/* The value of a king in its own view. A missing king counts as one at home. */
static int king_value(const LayersPart *kings, Square king) {
    int rank = king % 9, file = king / 9;
    int far = rank < 6 ? rank / 3 : 2; /* the rule of the ranks away from home */
    switch (kings - layers_kings) {
    case KINGS_3:
        return rank / 3;
    case KINGS_9:
        return rank;
    case KINGS_9Z:
        return rank <= 6 ? far : 3 + 3 * (rank - 7) + file / 3;
    case KINGS_13Z:
        return rank < 7 ? rank : 7 + 3 * (rank - 7) + file / 3;
    case KINGS_21:
        return rank <= 6 ? far : 3 + 9 * (rank - 7) + file;
    case KINGS_29:
        return rank < 6 ? far : 2 + 9 * (rank - 6) + file;
    default:
        return 0;
    }
}

static int hand_value(const LayersPart *hands, Hand hand) {
    bool pawn = hand_has(hand, PAWN), lance = hand_has(hand, LANCE);
    bool knight = hand_has(hand, KNIGHT), silver = hand_has(hand, SILVER);
    bool gold = hand_has(hand, GOLD), bishop = hand_has(hand, BISHOP);
    bool rook = hand_has(hand, ROOK);
    switch (hands - layers_hands) {
    case HANDS_4:
        return bishop;
    case HANDS_16:
        return pawn + 2 * bishop;
    case HANDS_64:
        return (pawn || lance || knight) + 2 * (gold || silver || rook) + 4 * bishop;
    case HANDS_64Z: {
        int points = hand_count(hand, PAWN) + 2 * hand_count(hand, LANCE) +
                     2 * hand_count(hand, KNIGHT) + 3 * hand_count(hand, SILVER) +
                     3 * hand_count(hand, GOLD) + 5 * hand_count(hand, BISHOP) +
                     5 * hand_count(hand, ROOK);
        return int_min(7, (points + 3) / 4);
    }
    case HANDS_256:
        return (pawn || lance || knight) + 2 * (silver || gold) + 4 * bishop + 8 * rook;
    case HANDS_1024:
        return pawn + 2 * (lance || knight) + 4 * (silver || gold) + 8 * bishop + 16 * rook;
    default:
        return 0;
    }
}

void layers_limit_progress(Layers *layers, int values, int bits) {
    layers->progress_values = values;
    for (int i = 1; i < values; i++) {
        double share = (double)i / values;
        double limit = round(ldexp(log(share / (1 - share)), bits));
        layers->progress_limit[i] = (int64_t)ldexp(limit, LAYERS_PROGRESS_BITS - bits);
    }
}

/* The sum of the weights of a view. The inputs are those of halfkp; a missing piece is number 0. */
static int64_t progress_of_view(const Layers *layers, const Position *pos, Color side) {
    const int64_t *weights = layers->progress_weights + FOREIGN_PIECES * features_king(pos, side);
    int64_t sum = weights[0] * features_missing(pos);
    for (Bitboard rest = bb_andnot(pos_occupied(pos), pos->type_bb[KING]); bb_any(rest);) {
        Square sq = bb_pop(&rest);
        Piece piece = pos->board[sq];
        sum += weights[features_foreign_board(piece_color(piece) == side, piece_type(piece)) +
                       (side == BLACK ? sq : sq_turn(sq))];
    }
    for (int owner = BLACK; owner <= WHITE; owner++) {
        for (int type = PAWN; type <= GOLD; type++) {
            int first = features_foreign_hand(owner == (int)side, (PieceType)type);
            int count = hand_count(pos->hand[owner], (PieceType)type);
            for (int i = 0; i < count; i++) {
                sum += weights[first + i];
            }
        }
    }
    return sum;
}

static int progress_value(const Layers *layers, const Position *pos) {
    int64_t sum = layers->progress_bias + progress_of_view(layers, pos, BLACK) +
                  progress_of_view(layers, pos, WHITE);
    int value = 0;
    while (value + 1 < layers->progress_values && layers->progress_limit[value + 1] <= sum) {
        value++;
    }
    return int_min(value * layers->progress / layers->progress_values, layers->progress - 1);
}

int layers_select(const Layers *layers, const Position *pos) {
    if (layers->stacks == 1) {
        return 0;
    }
    Color us = pos->side, them = color_flip(us);
    int hands = layers->hands->values, kings = layers->kings->values;
    int index = hand_value(layers->hands, pos->hand[us]) * hands +
                hand_value(layers->hands, pos->hand[them]);
    index = index * kings * kings + king_value(layers->kings, features_king(pos, us)) * kings +
            king_value(layers->kings, features_king(pos, them));
    return layers->progress == 0 ? index : index * layers->progress + progress_value(layers, pos);
}

/* ---- the layers ------------------------------------------------------------------------------ */

static uint8_t clip(int32_t sum) {
    return (uint8_t)int_clamp(sum >> 6, 0, 127);
}

int32_t layers_output(const Layers *layers, const NnueKernels *kernels,
                      const int16_t *const sums[2], int count, const Position *pos) {
    const LayersStack *stack = &layers->stack[layers_select(layers, pos)];
    _Alignas(64) uint8_t in[KERNEL_MAX_INPUTS];
    _Alignas(64) int32_t out[LAYERS_MAX_OUTPUTS];
    _Alignas(64) uint8_t next[2 * LAYERS_MAX_OUTPUTS];
    for (int i = 0; i < 2; i++) {
        if (layers->is_sfnn) {
            kernels->layers.multiply(in + i * count / 2, sums[i], count / 2);
        } else {
            kernels->layers.clip(in + i * count, sums[i], count);
        }
    }
    kernels->layers.affine(out, &stack->first, in);
    int32_t skip = layers->has_skip ? out[layers->first] : 0;
    memset(next + stack->second.inputs - 4, 0, 4); /* the inputs are a multiple of four */
    if (layers->is_sfnn) {
        for (int k = 0; k < layers->first; k++) {
            int64_t square = (int64_t)out[k] * out[k] >> 19;
            next[k] = (uint8_t)i64_clamp(square, 0, 127);
            next[layers->first + k] = clip(out[k]);
        }
    } else {
        for (int k = 0; k < layers->first; k++) {
            next[k] = clip(out[k]);
        }
    }
    kernels->layers.affine(out, &stack->second, next);
    /* Modulo 2^32, as in the kernels. */
    uint32_t total = (uint32_t)stack->output_bias + (uint32_t)skip;
    for (int k = 0; k < layers->second; k++) {
        total += (uint32_t)(stack->output[k] * clip(out[k]));
    }
    return (int32_t)total;
}
