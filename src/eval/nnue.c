/* nnue.c: runs the head of a network, converts its output to a score in centipawns, and describes
 * the contribution of each piece. */
#include "eval/nnue.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "eval/accumulator.h"
#include "eval/features.h"
#include "eval/kernels.h"
#include "eval/layers.h"
#include "eval/net.h"
#include "rules/sfen.h"

struct NnueEvaluator {
    const NnueNet *net;
    Accumulator acc;
};

NnueEvaluator *nnue_create(const NnueNet *net, uint32_t features) {
    NnueEvaluator *evaluator = xmem_try_calloc(1, sizeof(*evaluator));
    if (evaluator == NULL || !accumulator_init(&evaluator->acc, net, kernels_choose(features))) {
        free(evaluator);
        return NULL;
    }
    evaluator->net = net;
    return evaluator;
}

void nnue_free(NnueEvaluator *evaluator) {
    if (evaluator != NULL) {
        accumulator_free(&evaluator->acc);
        free(evaluator);
    }
}

/* What the small layers add to the output, modulo 2^32. */
static uint32_t run_small_layers(const NnueNet *net, const NnueKernels *kernels,
                                 const int16_t *const sums[2], int bucket) {
    enum { most = (1 << (NNUE_FIRST_SHIFT + NNUE_BYTE_SHIFT)) - 1 };
    const SmallLayers *small = &net->small;
    const KernelAffine layers[2] = {{.inputs = 2 * net->hidden,
                                     .lanes = NNUE_FIRST,
                                     .bias = small->first_bias,
                                     .weights = small->first},
                                    {.inputs = 2 * NNUE_FIRST,
                                     .lanes = NNUE_SECOND,
                                     .bias = small->second_bias,
                                     .weights = small->second}};
    _Alignas(64) uint8_t in[2 * NNUE_MAX_HIDDEN], next[2 * NNUE_FIRST];
    _Alignas(64) int32_t first[NNUE_FIRST], second[NNUE_SECOND];
    kernels->squares(in, sums[0], net->hidden);
    kernels->squares(in + net->hidden, sums[1], net->hidden);
    kernels->layers.affine(first, &layers[0], in);
    for (int i = 0; i < NNUE_FIRST; i++) {
        uint32_t size = (uint32_t)int_clamp(first[i], -most, most); /* its square fits */
        next[i] = (uint8_t)int_clamp(first[i] >> NNUE_FIRST_SHIFT, 0, NNUE_BYTE);
        next[NNUE_FIRST + i] = (uint8_t)(size * size >> (2 * NNUE_FIRST_SHIFT + NNUE_BYTE_SHIFT));
    }
    kernels->layers.affine(second, &layers[1], next);
    uint32_t total = 0;
    for (int i = 0; i < NNUE_SECOND; i++) {
        int value = int_clamp(second[i] >> NNUE_SECOND_SHIFT, 0, NNUE_BYTE);
        total += (uint32_t)value * (uint32_t)small->output[bucket * NNUE_SECOND + i];
    }
    return total;
}

/* The output of the head before any scale, for the sums of the mover's view and of the other view.
 * The bucket is only for Komadori's own head. */
static int64_t run_head(const NnueNet *net, const NnueKernels *kernels,
                        const int16_t *const sums[2], const Position *pos, int bucket) {
    if (net->layers != NULL) {
        return layers_output(net->layers, kernels, sums, net->hidden, pos);
    }
    size_t hidden = (size_t)net->hidden;
    const int16_t *weights = net->output_weights + (size_t)bucket * 2 * hidden;
    uint32_t total = (uint32_t)net->output_bias[bucket];
    total += (uint32_t)kernels->output(sums[0], weights, net->hidden);
    total += (uint32_t)kernels->output(sums[1], weights + hidden, net->hidden);
    total += net->has_small ? run_small_layers(net, kernels, sums, bucket) : 0;
    return (int32_t)total;
}

/* The bucket of a position; 0 if the head has none. */
static int head_bucket(const NnueNet *net, const Position *pos) {
    return net->layers != NULL ? 0 : nnue_bucket(pos, net->buckets);
}

static int clamp_score(int64_t score) {
    return (int)i64_clamp(score, -NNUE_SCORE_MAX, NNUE_SCORE_MAX);
}

/* The score for an output. Foreign networks (layers != NULL) give scores in a unit of a pawn of 90,
 * with which the margins of the search work best. */
static int output_score(const NnueNet *net, int64_t output) {
    if (net->layers != NULL) {
        return clamp_score((int32_t)output / net->fv.scale); /* quicker than with 64 bits */
    }
    return clamp_score(output * net->scale / NNUE_OUTPUT_UNIT);
}

int64_t nnue_output(NnueEvaluator *evaluator, const Position *pos) {
    Accumulator *acc = &evaluator->acc;
    accumulator_update(acc, pos);
    const int16_t *sums[2] = {accumulator_sums(acc, pos, pos->side),
                              accumulator_sums(acc, pos, color_flip(pos->side))};
    return run_head(acc->net, acc->kernels, sums, pos, head_bucket(acc->net, pos));
}

int nnue_evaluate(NnueEvaluator *evaluator, const Position *pos) {
    int score = output_score(evaluator->net, nnue_output(evaluator, pos));
    ASSERT(score == nnue_evaluate_fresh(evaluator->net, pos));
    return score;
}

void nnue_list_inputs(const NnueNet *net, const Position *pos, NnueInputs *views) {
    for (int i = 0; i < 2; i++) {
        Color side = i == 0 ? pos->side : color_flip(pos->side);
        features_list(net->set, pos, features_view(net->set, pos, side), &views[i]);
    }
}

/* The output for active inputs, computed with the scalar kernels from the weights of the file, as a
 * reference for the packed rows. */
static int64_t output_of_inputs(const NnueNet *net, const NnueInputs *views, const Position *pos,
                                int bucket) {
    const NnueKernels *kernels = kernels_choose(0);
    _Alignas(64) int16_t sums[2][NNUE_MAX_SUMS];
    for (int i = 0; i < 2; i++) {
        KernelChange change = {.table = net->table,
                               .hidden = net->hidden,
                               .added_count = views[i].count,
                               .added = views[i].input};
        kernels->layers.update(sums[i], net->input_bias, &change);
    }
    const int16_t *both[2] = {sums[0], sums[1]};
    return run_head(net, kernels, both, pos, bucket);
}

int nnue_evaluate_inputs(const NnueNet *net, const NnueInputs *views, int bucket) {
    return output_score(net, output_of_inputs(net, views, NULL, bucket));
}

int64_t nnue_output_fresh(const NnueNet *net, const Position *pos) {
    NnueInputs views[2];
    nnue_list_inputs(net, pos, views);
    return output_of_inputs(net, views, pos, head_bucket(net, pos));
}

int nnue_evaluate_fresh(const NnueNet *net, const Position *pos) {
    return output_score(net, nnue_output_fresh(net, pos));
}

const char *nnue_kernel_name(const NnueEvaluator *evaluator) {
    return evaluator->acc.kernels->name;
}

/* ---- piece by piece -------------------------------------------------------------------------- */

/* A position, also as inputs in both views, the mover's first. */
typedef struct Look {
    const NnueNet *net;
    const Position *pos;
    NnueInputs views[2];
    int bucket;
} Look;

static int evaluate_views(const Look *look, const NnueInputs *views, int bucket) {
    return output_score(look->net, output_of_inputs(look->net, views, look->pos, bucket));
}

/* A score in pawns from black's point of view. */
static double black_pawns(const Look *look, int score) {
    return (look->pos->side == BLACK ? score : -score) / 100.0;
}

static void remove_input(NnueInputs *list, uint32_t input) {
    for (int i = 0; i < list->count; i++) {
        if (list->input[i] == input) {
            list->input[i] = list->input[--list->count];
            return;
        }
    }
}

/* The contribution of a piece to the score, found by removing its inputs; `sq` and `index` are
 * those of features_entry. */
static double piece_contribution(const Look *look, Piece piece, Square sq, int index) {
    const FeatureSet *set = look->net->set;
    NnueInputs views[2] = {look->views[0], look->views[1]};
    int entry = features_entry(set, look->pos, piece, sq, index);
    for (int i = 0; i < 2; i++) {
        Color side = i == 0 ? look->pos->side : color_flip(look->pos->side);
        NnueView view = features_view(set, look->pos, side);
        int inputs[2], count = features_inputs(set, view, entry, inputs);
        for (int k = 0; k < count; k++) {
            remove_input(&views[i], (uint32_t)(view.base + inputs[k]));
        }
    }
    int with = evaluate_views(look, look->views, look->bucket);
    return black_pawns(look, with - evaluate_views(look, views, look->bucket));
}

static void append_square_worth(const Look *look, Square sq, StrBuf *out) {
    Piece piece = look->pos->board[sq];
    if (piece == NO_PIECE) {
        strbuf_add_str(out, "     .   ");
        return;
    }
    char letter = sfen_letter(piece_type(piece));
    letter = piece_color(piece) == BLACK ? letter : (char)(letter - 'A' + 'a');
    strbuf_addf(out, " %c%c", pt_is_promoted(piece_type(piece)) ? '+' : ' ', letter);
    if (piece_type(piece) == KING) {
        strbuf_add_str(out, "      ");
    } else {
        strbuf_addf(out, "%+6.2f", piece_contribution(look, piece, sq, 0));
    }
}

static void append_board_worth(const Look *look, StrBuf *out) {
    for (int rank = 0; rank < RANK_NB; rank++) {
        for (int file = FILE_NB - 1; file >= 0; file--) {
            append_square_worth(look, sq_make(file, rank), out);
        }
        strbuf_addf(out, "  %c\n", 'a' + rank);
    }
}

static void add_hands(const Look *look, StrBuf *out) {
    for (int color = BLACK; color <= WHITE; color++) {
        strbuf_add_str(out, color == BLACK ? "black's hand:" : "white's hand:");
        for (int type = PAWN; type <= GOLD; type++) {
            Piece piece = piece_make((Color)color, (PieceType)type);
            int count = hand_count(look->pos->hand[color], (PieceType)type);
            for (int i = 0; i < count; i++) {
                strbuf_addf(out, " %c%+.2f", sfen_letter((PieceType)type),
                            piece_contribution(look, piece, SQ_NONE, i));
            }
        }
        strbuf_add_byte(out, '\n');
    }
}

void nnue_describe(const NnueNet *net, const Position *pos, StrBuf *out) {
    Look look = {.net = net, .pos = pos, .bucket = head_bucket(net, pos)};
    nnue_list_inputs(net, pos, look.views);
    strbuf_add_str(out,
                   "in pawns for black; the number after a piece is what it adds to the score\n");
    append_board_worth(&look, out);
    add_hands(&look, out);
    if (net->layers != NULL) {
        int64_t output = nnue_output_fresh(net, pos);
        strbuf_addf(out, "layers %d of %d, output %lld, value %d\n",
                    layers_select(net->layers, pos), net->layers->stacks, (long long)output,
                    output_score(net, output));
    }
    for (int bucket = 0; bucket < net->buckets; bucket++) {
        int score = evaluate_views(&look, look.views, bucket);
        strbuf_addf(out, "output %d  %+7.2f%s\n", bucket, black_pawns(&look, score),
                    bucket == look.bucket ? "  <- this position's" : "");
    }
}
