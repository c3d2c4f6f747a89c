#include "eval/kernels.h"

#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"
#include "base/xmem.h"
#include "eval/rows.h"
#include "random_net.h"

/* The results of one call of each kernel for a width, from the same random numbers. */
typedef struct Trial {
    NnueNet *net;
    NnueRows *rows; /* rows of the network's inputs; no weight takes more than one row */
    int16_t *from;
    int16_t *to;
    uint32_t on[40];
    uint32_t off[40];
} Trial;

static Trial make_trial(Rng *rng, int hidden) {
    Trial trial = {.net = random_net(rng, hidden, 1, ROW_WEIGHT_MAX)};
    trial.rows = rows_create(trial.net->input_weights, NNUE_INPUTS, hidden);
    CHECK_INT(trial.rows->count, NNUE_INPUTS);
    trial.from = xmem_alloc_aligned((size_t)hidden, sizeof(int16_t), 64);
    trial.to = xmem_alloc_aligned((size_t)hidden, sizeof(int16_t), 64);
    for (int i = 0; i < hidden; i++) {
        trial.from[i] = (int16_t)random_within(rng, 600);
    }
    for (size_t i = 0; i < COUNTOF(trial.on); i++) {
        trial.on[i] = (uint32_t)rng_below(rng, NNUE_INPUTS);
        trial.off[i] = (uint32_t)rng_below(rng, NNUE_INPUTS);
    }
    return trial;
}

static void free_trial(Trial *trial) {
    net_free(trial->net);
    rows_free(trial->rows);
    xmem_free_aligned(trial->from);
    xmem_free_aligned(trial->to);
}

static void check_update_of(const NnueKernels *kernels, Trial *trial, int added_count,
                            int removed_count, bool is_packed) {
    int hidden = trial->net->hidden;
    const void *table = is_packed ? (const void *)trial->rows->words : trial->net->table;
    KernelChange change = {table, hidden, added_count, removed_count, trial->on, trial->off};
    (is_packed ? kernels->update : kernels->layers.update)(trial->to, trial->from, &change);
    int wrong = 0;
    for (int i = 0; i < hidden; i++) {
        int want = trial->from[i];
        for (int k = 0; k < added_count; k++) {
            want += trial->net->input_weights[(int)trial->on[k] * hidden + i];
        }
        for (int k = 0; k < removed_count; k++) {
            want -= trial->net->input_weights[(int)trial->off[k] * hidden + i];
        }
        wrong += trial->to[i] != (int16_t)want;
    }
    CHECK_INT(wrong, 0);
}

static void check_update(const NnueKernels *kernels, Trial *trial, int added_count,
                         int removed_count) {
    check_update_of(kernels, trial, added_count, removed_count, true);
    check_update_of(kernels, trial, added_count, removed_count, false);
}

/* The kernels for the layers of foreign networks, whose scalar versions are obvious. */
static void check_layers(const NnueKernels *kernels, Rng *rng, int inputs, int lanes) {
    enum { MAX = 2048 };
    static _Alignas(64) int8_t weights[MAX / 4 * 64 * 4];
    static _Alignas(64) int32_t bias[64];
    static _Alignas(64) uint8_t in[MAX], got[MAX], want[MAX];
    static _Alignas(64) int16_t sums[MAX];
    int32_t out[64], wanted[64];
    for (int i = 0; i < inputs; i++) {
        sums[i] = (int16_t)random_within(rng, i % 3 == 0 ? 32767 : 150);
    }
    const NnueKernels *scalar = kernels_choose(0);
    kernels->layers.clip(got, sums, inputs);
    scalar->layers.clip(want, sums, inputs);
    CHECK(memcmp(got, want, (size_t)inputs) == 0);
    kernels->layers.multiply(got, sums, inputs / 2);
    scalar->layers.multiply(want, sums, inputs / 2);
    CHECK(memcmp(got, want, (size_t)inputs / 2) == 0);
    uint64_t zeros = rng_below(rng, 6);
    memset(wanted, 0, sizeof(wanted));
    for (int i = 0; i < inputs; i++) {
        in[i] = i / 4 % 6 < (int)zeros ? 0 : (uint8_t)rng_below(rng, 128);
    }
    memset(in + inputs, 99, (size_t)(MAX - inputs)); /* not to be read */
    for (int k = 0; k < lanes; k++) {
        bias[k] = random_within(rng, 1000000);
        wanted[k] = bias[k];
        for (int i = 0; i < inputs; i++) {
            int8_t weight = (int8_t)(rng_below(rng, 20) == 0 ? -128 : random_within(rng, 127));
            weights[(i / 4 * lanes + k) * 4 + i % 4] = weight;
            wanted[k] += weight * in[i];
        }
    }
    KernelAffine layer = {.inputs = inputs, .lanes = lanes, .bias = bias, .weights = weights};
    for (int i = 0; i < (inputs % 64 == 0 ? 2 : 1); i++) {
        layer.is_sparse = i == 1;
        memset(out, 99, sizeof(out));
        kernels->layers.affine(out, &layer, in);
        CHECK(memcmp(out, wanted, (size_t)lanes * sizeof(*out)) == 0);
    }
}

static void check_squares(const NnueKernels *kernels, const Trial *trial) {
    uint8_t got[NNUE_MAX_HIDDEN];
    kernels->squares(got, trial->from, trial->net->hidden);
    int wrong = 0;
    for (int i = 0; i < trial->net->hidden; i++) {
        int value = int_clamp(trial->from[i], 0, 511);
        wrong += got[i] != (value * value / 16 + 63) / 128;
    }
    CHECK_INT(wrong, 0);
}

static void check_output(const NnueKernels *kernels, const Trial *trial) {
    int64_t want = 0;
    for (int i = 0; i < trial->net->hidden; i++) {
        int64_t value = int_clamp(trial->from[i], 0, 511);
        want += value * value / 16 * trial->net->output_weights[i];
    }
    int32_t got = kernels->output(trial->from, trial->net->output_weights, trial->net->hidden);
    CHECK_INT(got, (int32_t)(uint32_t)want);
}

static void test_all_versions(void) {
    static const int widths[] = {32, 64, 96, 128, 224, 256, 512, 544, 1024};
    uint32_t features = cpu_features();
    int tried = 0;
    for (int version = 0; kernels_get(version) != NULL; version++) {
        const NnueKernels *kernels = kernels_get(version);
        if ((kernels->needs & ~features) != 0) {
            continue;
        }
        tried++;
        Rng rng = rng_init(5);
        for (size_t w = 0; w < COUNTOF(widths); w++) {
            Trial trial = make_trial(&rng, widths[w]);
            for (int count = 0; count <= 40; count = count * 2 + 1) {
                check_update(kernels, &trial, count, count);
                check_update(kernels, &trial, count, 0);
                check_update(kernels, &trial, 0, count);
            }
            check_output(kernels, &trial);
            check_squares(kernels, &trial);
            check_layers(kernels, &rng, widths[w], 8);
            check_layers(kernels, &rng, 8 + 8 * (int)w, 8);
            check_layers(kernels, &rng, widths[w], 16);
            check_layers(kernels, &rng, widths[w], 32);
            check_layers(kernels, &rng, 8 + 4 * (int)w, 48);
            free_trial(&trial);
        }
    }
    CHECK(tried >= 1);
}

/* The largest possible sums and weights, which come closest to the limit of 16 bits. */
static void test_extremes(void) {
    uint32_t features = cpu_features();
    int16_t *sums = xmem_alloc_aligned(64, sizeof(int16_t), 64);
    int16_t *weights = xmem_alloc_aligned(64, sizeof(int16_t), 64);
    for (int i = 0; i < 64; i++) {
        sums[i] = i % 2 == 0 ? INT16_MAX : 511;
        weights[i] = i < 34 ? 32000 : -32000;
    }
    for (int version = 0; kernels_get(version) != NULL; version++) {
        const NnueKernels *kernels = kernels_get(version);
        if ((kernels->needs & ~features) == 0) {
            CHECK_INT(kernels->output(sums, weights, 64), 4 * 16320 * 32000);
        }
    }
    xmem_free_aligned(sums);
    xmem_free_aligned(weights);
}

static void test_choice(void) {
    CHECK_STR(kernels_choose(0)->name, "scalar");
    const NnueKernels *best = kernels_choose(cpu_features());
    CHECK((best->needs & ~cpu_features()) == 0);
    for (int version = 0; kernels_get(version) != NULL; version++) {
        const NnueKernels *kernels = kernels_get(version);
        CHECK(kernels_choose(kernels->needs) == kernels || kernels->needs == 0);
    }
}

UNIT_MAIN({"every version computes the sums", test_all_versions}, {"extremes", test_extremes},
          {"choice", test_choice})
