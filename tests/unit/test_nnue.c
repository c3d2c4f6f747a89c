#include "eval/nnue.h"

#include <math.h>
#include <stdlib.h>

#include "base/cpu.h"
#include "eval/features.h"
#include "eval/kernels.h"
#include "random_net.h"

static int byte_of(int64_t value) {
    return (int)(value < 0 ? 0 : value > 127 ? 127 : value);
}

/* What the small layers add to the output, according to the description of the format. `squares`
 * are those of both views. */
static double add_small(const NnueNet *net, const int *squares, int bucket) {
    int values[16];
    for (int k = 0; k < 8; k++) {
        int64_t sum = net->small.first_bias[k];
        for (int i = 0; i < 2 * net->hidden; i++) {
            sum += ((squares[i] + 63) >> 7) * net->small.first[(i / 4 * 8 + k) * 4 + i % 4];
        }
        values[k] = byte_of(sum >> 9);
        values[8 + k] = byte_of(sum * sum >> 25);
    }
    int64_t total = 0;
    for (int k = 0; k < 32; k++) {
        int64_t sum = net->small.second_bias[k];
        for (int i = 0; i < 16; i++) {
            sum += values[i] * net->small.second[(i / 4 * 32 + k) * 4 + i % 4];
        }
        total += (int64_t)byte_of(sum >> 7) * net->small.output[bucket * 32 + k];
    }
    return (double)total / (511.0 * 511.0 * 64.0);
}

/* Evaluates a network according to its definition, in floating point but for the small layers. */
static double evaluate_slowly(const NnueNet *net, const Position *pos) {
    int bucket = nnue_bucket(pos, net->buckets);
    NnueInputs views[2];
    nnue_list_inputs(net, pos, views);
    double total = net->output_bias[bucket] / (511.0 * 511.0 * 64.0);
    int squares[2 * NNUE_MAX_HIDDEN];
    for (int k = 0; k < 2; k++) {
        const int16_t *weights = net->output_weights + (bucket * 2 + k) * net->hidden;
        NnueInputs inputs = views[k];
        for (int i = 0; i < net->hidden; i++) {
            int sum = net->input_bias[i];
            for (int j = 0; j < inputs.count; j++) {
                sum += net->input_weights[inputs.input[j] * net->hidden + i];
            }
            int value = sum < 0 ? 0 : sum > 511 ? 511 : sum;
            squares[k * net->hidden + i] = value * value >> 4;
            total += value / 511.0 * (value / 511.0) * weights[i] / 1024.0;
        }
    }
    total += net->has_small ? add_small(net, squares, bucket) : 0;
    double score = total * net->scale;
    return score < -NNUE_SCORE_MAX  ? -NNUE_SCORE_MAX
           : score > NNUE_SCORE_MAX ? NNUE_SCORE_MAX
                                    : score;
}

/* Plays random games and compares all ways to evaluate with each other and with the definition. */
static void check_games(const NnueNet *net, Rng *rng, int games) {
    NnueEvaluator *evaluators[8];
    int count = 0;
    uint32_t features = cpu_features();
    for (int i = 0; kernels_get(i) != NULL; i++) {
        if ((kernels_get(i)->needs & ~features) == 0) {
            evaluators[count] = nnue_create(net, kernels_get(i)->needs);
            CHECK_STR(nnue_kernel_name(evaluators[count]), kernels_get(i)->name);
            count++;
        }
    }
    Position pos = position_at("startpos");
    Setup start = pos_get(&pos);
    for (int game = 0; game < games; game++) {
        pos_set(&pos, &start);
        for (int ply = 0; ply < 150; ply++) {
            int fresh = nnue_evaluate_fresh(net, &pos);
            double exact = evaluate_slowly(net, &pos);
            CHECK(fresh - exact < 2 && exact - fresh < 2);
            for (int i = 0; i < count; i++) {
                CHECK_INT(nnue_evaluate(evaluators[i], &pos), fresh);
            }
            Move move = random_move(rng, &pos);
            if (move == MOVE_NONE) {
                break;
            }
            pos_do(&pos, move);
        }
    }
    for (int i = 0; i < count; i++) {
        nnue_free(evaluators[i]);
    }
    pos_free(&pos);
}

static void test_games(void) {
    Rng rng = rng_init(31);
    for (int buckets = 1; buckets <= 8; buckets += 7) {
        NnueNet *net = random_net(&rng, 96, buckets, 60);
        check_games(net, &rng, 3);
        net_free(net);
        net = random_small_net(&rng, 96, buckets, 60);
        check_games(net, &rng, 3);
        net_free(net);
    }
}

/* The rotated position with exchanged colours has the same value for its side to move. */
static void test_turned(void) {
    Rng rng = rng_init(32);
    NnueNet *net = random_net(&rng, 64, 8, 60);
    Position a =
        position_at("ln1g1gsnl/1rs1k2b1/p1pppp1pp/9/1p7/2P6/PP1PPPP1P/1BG3SR1/LNS1KG1NL b Pp 1");
    Setup setup = pos_get(&a), turned = setup_turned(&setup);
    Position b = position_at("startpos");
    pos_set(&b, &turned);
    CHECK_INT(nnue_evaluate_fresh(net, &a), nnue_evaluate_fresh(net, &b));
    a.side = WHITE;
    CHECK(nnue_evaluate_fresh(net, &a) != nnue_evaluate_fresh(net, &b));
    pos_free(&a);
    pos_free(&b);
    net_free(net);
}

/* However large the output, the score stays within its range. */
static void test_range(void) {
    Rng rng = rng_init(33);
    NnueNet *net = random_net(&rng, 32, 1, 60);
    net->scale = NNUE_MAX_SCALE;
    net->output_bias[0] = NNUE_MAX_OUTPUT_BIAS;
    Position pos = position_at("startpos");
    CHECK_INT(nnue_evaluate_fresh(net, &pos), NNUE_SCORE_MAX);
    net->output_bias[0] = -NNUE_MAX_OUTPUT_BIAS;
    CHECK_INT(nnue_evaluate_fresh(net, &pos), -NNUE_SCORE_MAX);
    pos_free(&pos);
    net_free(net);
}

/* A piece adds what the score lacks without it. A network with threats would have further inputs
 * for the pawn. */
static void test_description(void) {
    Rng rng = rng_init(34);
    NnueNet *net = random_old_net(&rng, 32, 1, 60);
    Position with = position_at("8K/9/9/9/4+r4/9/9/9/4k4 b P 1");
    Position without = position_at("8K/9/9/9/4+r4/9/9/9/4k4 b - 1");
    StrBuf text = STRBUF_INIT, hand = STRBUF_INIT;
    nnue_describe(net, &with, &text);
    int worth = nnue_evaluate_fresh(net, &with) - nnue_evaluate_fresh(net, &without);
    strbuf_addf(&hand, "black's hand: P%+.2f\nwhite's hand:\n", worth / 100.0);
    StrView rest = strbuf_view(&text), line;
    CHECK(sv_find(rest, strbuf_view(&hand)) < rest.len);
    CHECK(sv_find(rest, SV(" +r")) < rest.len);
    CHECK(sv_find(rest, SV("  K        a\n")) < rest.len);
    int lines = 0;
    while (sv_next_line(&rest, &line)) {
        lines++;
    }
    CHECK_INT(lines, 1 + RANK_NB + COLOR_NB + 1);
    pos_free(&with);
    pos_free(&without);
    strbuf_free(&text);
    strbuf_free(&hand);
    net_free(net);
}

UNIT_MAIN({"all kernels, incremental and fresh, and the definition", test_games},
          {"turned board", test_turned}, {"range", test_range},
          {"piece by piece", test_description})
