/* nnue.c: converts the hidden sums to a score in centipawns,
 * and describes the contribution of each piece. */
#include "eval/nnue.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "eval/accumulator.h"
#include "eval/features.h"
#include "eval/fieldeval.h"
#include "eval/kernels.h"
#include "eval/net.h"
#include "eval/threats.h"
#include "rules/sfen.h"

struct NnueEvaluator {
    const NnueNet *net;
    FieldEval *field; /* for a network of the field; NULL: `acc` is used */
    Accumulator acc;
};

NnueEvaluator *nnue_create(const NnueNet *net, uint32_t features) {
    const NnueKernels *kernels = kernels_choose(features);
    NnueEvaluator *evaluator = xmem_try_calloc(1, sizeof(*evaluator));
    if (evaluator == NULL) {
        return NULL;
    }
    evaluator->net = net;
    if (net->field != NULL) {
        evaluator->field = fieldeval_create(net->field, kernels);
        evaluator->acc.kernels = kernels;
    }
    if (net->field != NULL ? evaluator->field == NULL
                           : !accumulator_init(&evaluator->acc, net, kernels)) {
        free(evaluator);
        return NULL;
    }
    return evaluator;
}

void nnue_free(NnueEvaluator *evaluator) {
    if (evaluator != NULL) {
        fieldeval_free(evaluator->field);
        accumulator_free(&evaluator->acc);
        free(evaluator);
    }
}

/* The output of one bucket before any scale, for the sums of the mover's view and of the other
 * view. */
static int64_t run_output(const NnueNet *net, const NnueKernels *kernels,
                          const int16_t *const sums[2], int bucket) {
    size_t hidden = (size_t)net->hidden;
    const int16_t *weights = net->output_weights + (size_t)bucket * 2 * hidden;
    uint32_t total = (uint32_t)net->output_bias[bucket];
    total += (uint32_t)kernels->output(sums[0], weights, net->hidden);
    total += (uint32_t)kernels->output(sums[1], weights + hidden, net->hidden);
    return (int32_t)total;
}

static int clamp_score(int64_t score) {
    return (int)i64_clamp(score, -NNUE_SCORE_MAX, NNUE_SCORE_MAX);
}

/* The score for an output. The unit of the field's networks, with a pawn of 90, is the one that the
 * margins of the search work best with. */
static int score_of(const NnueNet *net, int64_t output) {
    if (net->field != NULL) {
        return clamp_score(output / net->fv_scale);
    }
    return clamp_score(output * net->scale / NNUE_OUTPUT_UNIT);
}

int64_t nnue_output(NnueEvaluator *evaluator, const Position *pos) {
    if (evaluator->field != NULL) {
        return fieldeval_output(evaluator->field, pos);
    }
    Accumulator *acc = &evaluator->acc;
    accumulator_update(acc, pos);
    const int16_t *sums[2] = {accumulator_sums(acc, pos, pos->side),
                              accumulator_sums(acc, pos, color_flip(pos->side))};
    return run_output(acc->net, acc->kernels, sums, nnue_bucket(pos, acc->net->buckets));
}

int nnue_evaluate(NnueEvaluator *evaluator, const Position *pos) {
    int score = score_of(evaluator->net, nnue_output(evaluator, pos));
    ASSERT(score == nnue_evaluate_fresh(evaluator->net, pos));
    return score;
}

void nnue_list_inputs(const NnueNet *net, const Position *pos, NnueInputs *views) {
    for (int i = 0; i < 2; i++) {
        NnueView view = features_view(pos, i == 0 ? pos->side : color_flip(pos->side));
        features_list(pos, view, &views[i]);
        if (net->inputs > NNUE_PIECE_INPUTS) {
            threats_add(pos, view, &views[i]);
        }
    }
}

/* Computes the hidden sums of a view from the weights of the file, as a reference for the packed
 * rows. */
static void sum_rows(const NnueNet *net, const NnueInputs *view, int16_t *sums) {
    size_t hidden = (size_t)net->hidden;
    memcpy(sums, net->input_bias, hidden * sizeof(*sums));
    for (int k = 0; k < view->count; k++) {
        const int16_t *row = net->input_weights + view->input[k] * hidden;
        for (size_t i = 0; i < hidden; i++) {
            sums[i] = (int16_t)(sums[i] + row[i]);
        }
    }
}

int nnue_evaluate_inputs(const NnueNet *net, const NnueInputs *views, int bucket) {
    const NnueKernels *kernels = kernels_choose(0);
    _Alignas(64) int16_t sums[2][NNUE_MOST_HIDDEN];
    for (int i = 0; i < 2; i++) {
        sum_rows(net, &views[i], sums[i]);
    }
    const int16_t *both[2] = {sums[0], sums[1]};
    return score_of(net, run_output(net, kernels, both, bucket));
}

int nnue_evaluate_fresh(const NnueNet *net, const Position *pos) {
    if (net->field != NULL) {
        return score_of(net, fieldeval_output_fresh(net->field, pos));
    }
    NnueInputs views[2];
    nnue_list_inputs(net, pos, views);
    return nnue_evaluate_inputs(net, views, nnue_bucket(pos, net->buckets));
}

const char *nnue_kernel_name(const NnueEvaluator *evaluator) {
    return evaluator->acc.kernels->name;
}

/* ---- piece by piece -------------------------------------------------------------------------- */

/* A position; for Komadori's own networks also as inputs, in the order of nnue_list_inputs. */
typedef struct Look {
    const NnueNet *net;
    const Position *pos;
    NnueInputs views[2];
    int bucket;
} Look;

/* The evaluation by a network of the field without one piece: the piece on `sq` or, if sq is
 * SQ_NONE, a piece in a hand. */
static int evaluate_without(const Look *look, Square sq, Color color, PieceType type) {
    Position pos = *look->pos; /* shares the state stack, which is not touched */
    if (sq != SQ_NONE) {
        Piece piece = pos.board[sq];
        Bitboard square = bb_square(sq);
        pos.board[sq] = NO_PIECE;
        for (int set = 0; set < SET_NB; set++) {
            pos.type_bb[set] = bb_andnot(pos.type_bb[set], square);
        }
        pos.color_bb[piece_color(piece)] = bb_andnot(pos.color_bb[piece_color(piece)], square);
    } else {
        pos.hand[color] = hand_remove(pos.hand[color], type);
    }
    return nnue_evaluate_fresh(look->net, &pos);
}

/* A score in pawns from black's point of view. */
static double for_black(const Look *look, int score) {
    return (look->pos->side == BLACK ? score : -score) / 100.0;
}

/* The contribution of input number `index` to the score. */
static double worth_of(const Look *look, int index) {
    NnueInputs views[2] = {look->views[0], look->views[1]};
    for (int view = 0; view < 2; view++) {
        views[view].input[index] = views[view].input[--views[view].count];
    }
    int with = nnue_evaluate_inputs(look->net, look->views, look->bucket);
    return for_black(look, with - nnue_evaluate_inputs(look->net, views, look->bucket));
}

/* The index of the input for the piece on sq. */
static int input_of(const Position *pos, Square sq) {
    int index = 0;
    for (Square before = 0; before < sq; before++) {
        index += pos->board[before] != NO_PIECE;
    }
    return index;
}

/* The contribution of the piece on sq. */
static double worth_on(const Look *look, Square sq) {
    if (look->net->field == NULL) {
        return worth_of(look, input_of(look->pos, sq));
    }
    int with = nnue_evaluate_fresh(look->net, look->pos);
    return for_black(look, with - evaluate_without(look, sq, BLACK, NO_PIECE_TYPE));
}

/* The contribution of a piece in hand, which has this index among the inputs. */
static double worth_in_hand(const Look *look, int index, Color color, PieceType type) {
    if (look->net->field == NULL) {
        return worth_of(look, index);
    }
    int with = nnue_evaluate_fresh(look->net, look->pos);
    return for_black(look, with - evaluate_without(look, SQ_NONE, color, type));
}

static void add_square(const Look *look, Square sq, StrBuf *out) {
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
        strbuf_addf(out, "%+6.2f", worth_on(look, sq));
    }
}

static void add_board(const Look *look, StrBuf *out) {
    for (int rank = 0; rank < RANK_NB; rank++) {
        for (int file = FILE_NB - 1; file >= 0; file--) {
            add_square(look, sq_make(file, rank), out);
        }
        strbuf_addf(out, "  %c\n", 'a' + rank);
    }
}

static void add_hands(const Look *look, StrBuf *out) {
    int index = bb_count(pos_occupied(look->pos));
    for (int color = BLACK; color <= WHITE; color++) {
        strbuf_add_str(out, color == BLACK ? "black's hand:" : "white's hand:");
        for (int type = PAWN; type <= GOLD; type++) {
            for (int i = hand_count(look->pos->hand[color], (PieceType)type); i > 0; i--) {
                strbuf_addf(out, " %c%+.2f", sfen_letter((PieceType)type),
                            worth_in_hand(look, index++, (Color)color, (PieceType)type));
            }
        }
        strbuf_add_byte(out, '\n');
    }
}

void nnue_describe(const NnueNet *net, const Position *pos, StrBuf *out) {
    Look look = {.net = net, .pos = pos};
    if (net->field != NULL) {
        look.bucket = fieldnet_stack(net->field, pos);
    } else {
        look.bucket = nnue_bucket(pos, net->buckets);
        nnue_list_inputs(net, pos, look.views);
    }
    strbuf_add_str(out,
                   "in pawns for black; the number after a piece is what it adds to the score\n");
    add_board(&look, out);
    add_hands(&look, out);
    if (net->field != NULL) {
        strbuf_addf(out, "layers %d of %d, output %d, value %d\n", look.bucket, net->field->stacks,
                    fieldeval_output_fresh(net->field, pos), nnue_evaluate_fresh(net, pos));
    }
    for (int bucket = 0; bucket < net->buckets; bucket++) {
        int score = nnue_evaluate_inputs(net, look.views, bucket);
        strbuf_addf(out, "output %d  %+7.2f%s\n", bucket, for_black(&look, score),
                    bucket == look.bucket ? "  <- this position's" : "");
    }
}
