#include "tools/train/trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpu.h"
#include "base/fileio.h"
#include "base/xmem.h"
#include "eval/features.h"
#include "eval/nnue.h"
#include "random_net.h"
#include "tools/train/checkpoint.h"
#include "tools/train/netcheck.h"
#include "tools/train/scalefit.h"

/* Positions of random games; labels come from `net`, or by chance where it is NULL. */
static SampleSet random_samples(size_t count, const NnueNet *net, uint64_t seed) {
    Rng rng = rng_init(seed);
    SampleSet set = {.samples = xmem_calloc(count, sizeof(Sample)), .cap = count};
    Position pos = position_at("startpos");
    Setup start = pos_get(&pos);
    samples_init();
    while (set.count < count) {
        Move move = random_move(&rng, &pos);
        if (move == MOVE_NONE || pos_moves_done(&pos) > 120) {
            pos_set(&pos, &start);
            continue;
        }
        pos_do(&pos, move);
        int score = net != NULL ? nnue_evaluate_fresh(net, &pos) : random_within(&rng, 2000);
        set.samples[set.count++] = sample_make(&pos, score, random_within(&rng, 1));
    }
    pos_free(&pos);
    return set;
}

static TrainOptions small_options(void) {
    return (TrainOptions){.batch = 64,
                          .epochs = 1,
                          .threads = 2,
                          .rate = 0.001,
                          .rate_end = 0.001,
                          .result_share = 0.3,
                          .scale = 400,
                          .seed = 5};
}

static Trainer small_trainer(const SampleSet *set, const TrainOptions *options,
                             const FloatKernels *kernels, int hidden) {
    Model model;
    model_create(&model, hidden, NNUE_MOST_BUCKETS);
    model_randomize(&model, 9);
    Trainer trainer;
    trainer_init(&trainer, options, kernels, set, model);
    return trainer;
}

/* The views that a sample expands to are those of the position it was made of. */
static int compare_inputs(const void *a, const void *b) {
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

static void check_view(const Position *pos, Color side, uint16_t *got) {
    NnueInputs want;
    nnue_list_inputs(pos, nnue_view(pos, side), &want);
    qsort(want.input, (size_t)want.count, sizeof(uint16_t), compare_inputs);
    qsort(got, NNUE_MOST_ACTIVE, sizeof(uint16_t), compare_inputs);
    for (int i = 0; i < NNUE_MOST_ACTIVE; i++) {
        CHECK_INT(got[i], i < want.count ? want.input[i] : SAMPLE_PADDING);
    }
}

static void test_expansion(void) {
    static const char *const sfens[] = {"startpos", "7k1/9/5+R3/9/9/9/2P6/9/1K7 w B2Pg 1",
                                        "1k7/9/5+R3/9/9/9/2P6/9/7K1 b B2Pg 1"};
    samples_init();
    for (size_t i = 0; i < COUNTOF(sfens); i++) {
        Position pos = position_at(sfens[i]);
        Sample sample = sample_make(&pos, 0, 0);
        uint16_t mover[NNUE_MOST_ACTIVE];
        uint16_t other[NNUE_MOST_ACTIVE];
        sample_expand(&sample, mover, other);
        check_view(&pos, pos.side, mover);
        check_view(&pos, color_flip(pos.side), other);
        pos_free(&pos);
    }
}

/* The loss by its definition, in double precision and without kernels. */
static double exact_loss(const Trainer *trainer, int count) {
    const Model *model = &trainer->model;
    double total = 0;
    for (int s = 0; s < count; s++) {
        const Sample *sample = &trainer->samples->samples[s];
        uint16_t lists[2][NNUE_MOST_ACTIVE];
        sample_expand(sample, lists[0], lists[1]);
        double output = model->params[model->output_bias_at + sample->bucket];
        for (int view = 0; view < 2; view++) {
            for (int i = 0; i < model->hidden; i++) {
                double sum = model->params[model->bias_at + (size_t)i];
                for (int k = 0; k < NNUE_MOST_ACTIVE; k++) {
                    size_t at = model_group_at(i / GROUP) + (size_t)lists[view][k] * GROUP;
                    sum += model->params[at + (size_t)(i % GROUP)];
                }
                sum = fmax(0, fmin(1, sum));
                size_t at = model_output_at(model, sample->bucket, view) + (size_t)i;
                output += sum * sum * model->params[at];
            }
        }
        double target =
            0.3 * (0.5 + 0.5 * sample->result) + 0.7 / (1 + exp(-sample->score / 400.0));
        double error = 1 / (1 + exp(-output)) - target;
        total += error * error / count;
    }
    return total;
}

/* Moves a parameter to both sides and compares the slope of the exact loss with the gradient. */
static void check_gradient(Trainer *trainer, const float *gradients, size_t at, int count) {
    float old = trainer->model.params[at];
    const float step = 0.002F;
    trainer->model.params[at] = old + step;
    double above = exact_loss(trainer, count);
    trainer->model.params[at] = old - step;
    double below = exact_loss(trainer, count);
    trainer->model.params[at] = old;
    double slope = (above - below) / (2 * (double)step);
    double difference = fabs(slope - gradients[at]);
    CHECK(difference < 2e-5 + 0.02 * fabs(slope));
}

static void test_gradient(void) {
    enum { COUNT = 40 };
    SampleSet set = random_samples(COUNT, NULL, 3);
    TrainOptions options = small_options();
    for (int version = 0; fkernels_get(version) != NULL; version++) {
        const FloatKernels *kernels = fkernels_get(version);
        if ((kernels->needs & ~cpu_features()) != 0) {
            continue;
        }
        Trainer trainer = small_trainer(&set, &options, kernels, 64);
        double loss = trainer_find_gradients(&trainer, 0, COUNT);
        CHECK(fabs(loss - exact_loss(&trainer, COUNT)) < 1e-5);
        const float *gradients = trainer_gradients(&trainer);
        const Model *model = &trainer.model;
        Rng rng = rng_init(4);
        int tried = 0;
        for (int i = 0; i < 12; i++) {
            size_t bias = model->bias_at + rng_below(&rng, 64);
            check_gradient(&trainer, gradients, bias, COUNT);
            size_t input = set.samples[i].input[rng_below(&rng, 40)];
            size_t weight = model_group_at(i % 2) + input * GROUP + rng_below(&rng, GROUP);
            check_gradient(&trainer, gradients, weight, COUNT);
            size_t output = model_output_at(model, set.samples[i].bucket, i % 2);
            check_gradient(&trainer, gradients, output + rng_below(&rng, 64), COUNT);
            tried += gradients[weight] != 0;
        }
        check_gradient(&trainer, gradients, model->output_bias_at + set.samples[0].bucket, COUNT);
        CHECK(tried > 3);
        trainer_free(&trainer);
    }
    free(set.samples);
}

/* A network taught by another one comes to say the same. Its weights need not be the same: hidden
 * sums may change places, one may grow as its output weights shrink, and inputs that always add
 * up to the same number can stand in for a bias. */
static void test_convergence(void) {
    Rng rng = rng_init(6);
    NnueNet *teacher = random_net(&rng, 32, 1, 120);
    SampleSet set = random_samples(30000, teacher, 7);
    SampleSet fresh = random_samples(1000, teacher, 8);
    TrainOptions options = small_options();
    options.batch = 500;
    options.epochs = 30;
    options.rate = 0.01;
    options.rate_end = 0.0001;
    options.result_share = 0;
    Trainer trainer = small_trainer(&set, &options, fkernels_choose(cpu_features()), 32);
    double before = trainer_evaluate(&trainer, &fresh);
    while (trainer.step < trainer_total_steps(&trainer)) {
        trainer_step(&trainer);
    }
    double after = trainer_evaluate(&trainer, &fresh);
    CHECK(before > 0.01);
    CHECK(after < before / 4);
    NnueNet *net = model_to_net(&trainer.model, 400);
    NetCheck check = netcheck_run(&trainer, net, &fresh, 1000);
    CHECK_INT(check.count, 1000);
    CHECK(check.mean < 3);
    net_free(net);
    trainer_free(&trainer);
    net_free(teacher);
    free(set.samples);
    free(fresh.samples);
}

/* What can be known of the weights: where all hidden sums are 0 nothing moves them, and the bias of
 * each output comes to be the score of its positions. */
static void test_known_weights(void) {
    SampleSet set = random_samples(640, NULL, 19);
    for (size_t i = 0; i < set.count; i++) {
        set.samples[i].bucket = (uint8_t)(i % NNUE_MOST_BUCKETS);
        set.samples[i].score = (int16_t)(100 * (set.samples[i].bucket - 3));
    }
    TrainOptions options = small_options();
    options.epochs = 40;
    options.rate = 0.05;
    options.rate_end = 0.0001;
    options.result_share = 0;
    Model model;
    model_create(&model, 32, NNUE_MOST_BUCKETS);
    Trainer trainer;
    trainer_init(&trainer, &options, fkernels_choose(cpu_features()), &set, model);
    while (trainer.step < trainer_total_steps(&trainer)) {
        trainer_step(&trainer);
    }
    const float *params = trainer.model.params;
    int moved = 0;
    for (size_t i = 0; i < trainer.model.output_bias_at; i++) {
        moved += params[i] != 0;
    }
    CHECK_INT(moved, 0);
    for (int bucket = 0; bucket < NNUE_MOST_BUCKETS; bucket++) {
        double bias = params[trainer.model.output_bias_at + (size_t)bucket];
        CHECK(fabs(bias - 100 * (bucket - 3) / options.scale) < 0.02);
    }
    trainer_free(&trainer);
    free(set.samples);
}

/* Turns one bit of a file over. */
static void damage_middle(const char *path) {
    StrBuf bytes = STRBUF_INIT;
    CHECK_INT(file_read(path, &bytes), 0);
    bytes.ptr[bytes.len / 2] ^= 4;
    CHECK_INT(file_write(path, bytes.ptr, bytes.len), 0);
    strbuf_free(&bytes);
}

/* Killed and taken up again, a training ends in the same weights. */
static void test_resume(void) {
    char path[] = "build/test_trainer.XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
    SampleSet set = random_samples(640, NULL, 11);
    TrainOptions options = small_options();
    options.epochs = 4;
    const FloatKernels *kernels = fkernels_choose(cpu_features());
    Trainer whole = small_trainer(&set, &options, kernels, 32);
    for (int i = 0; i < 40; i++) {
        trainer_step(&whole);
    }
    Trainer half = small_trainer(&set, &options, kernels, 32);
    for (int i = 0; i < 17; i++) {
        trainer_step(&half);
    }
    Progress progress = {.epoch_batches = 7};
    CheckpointKey key = checkpoint_key(&half);
    CHECK_INT(checkpoint_save(path, &key, &half, &progress), 0);
    trainer_free(&half);
    Trainer rest = small_trainer(&set, &options, kernels, 32);
    Progress loaded = {.epoch_batches = 0};
    key = checkpoint_key(&rest);
    CHECK_INT(checkpoint_load(path, &key, &rest, &loaded), CHECKPOINT_OK);
    CHECK_INT(rest.step, 17);
    CHECK_INT(loaded.epoch_batches, 7);
    while (rest.step < 40) {
        trainer_step(&rest);
    }
    CHECK(memcmp(rest.model.params, whole.model.params, whole.model.count * sizeof(float)) == 0);
    trainer_free(&rest);
    damage_middle(path);
    CHECK_INT(checkpoint_load(path, &key, &whole, &loaded), CHECKPOINT_DAMAGED);
    CHECK_INT(checkpoint_load("build/nowhere", &key, &whole, &loaded), CHECKPOINT_ABSENT);
    CHECK_INT(checkpoint_load("build", &key, &whole, &loaded), CHECKPOINT_UNREADABLE);
    trainer_free(&whole);
    free(set.samples);
    remove(path);
}

/* What a training that wants to go on from the file is told. */
static CheckpointError take_up(const char *path, const SampleSet *set, const TrainOptions *options,
                               int hidden) {
    Trainer trainer = small_trainer(set, options, fkernels_choose(0), hidden);
    CheckpointKey key = checkpoint_key(&trainer);
    Progress progress;
    CheckpointError error = checkpoint_load(path, &key, &trainer, &progress);
    trainer_free(&trainer);
    return error;
}

/* A checkpoint is of one training: what decides the weights must be the same, threads apart. */
static void test_other_training(void) {
    char path[] = "build/test_trainer.XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
    SampleSet set = random_samples(64, NULL, 17);
    TrainOptions options = small_options();
    Trainer trainer = small_trainer(&set, &options, fkernels_choose(0), 32);
    Progress progress = {.epoch_batches = 0};
    CheckpointKey key = checkpoint_key(&trainer);
    CHECK_INT(checkpoint_save(path, &key, &trainer, &progress), 0);
    trainer_free(&trainer);
    options.threads = 1;
    CHECK_INT(take_up(path, &set, &options, 32), CHECKPOINT_OK);
    CHECK_INT(take_up(path, &set, &options, 64), CHECKPOINT_OTHER_SHAPE);
    set.samples[63].score++;
    CHECK_INT(take_up(path, &set, &options, 32), CHECKPOINT_OTHER_DATA);
    set.samples[63].score--;
    double *fractions[] = {&options.rate, &options.decay, &options.result_share, &options.scale};
    for (size_t i = 0; i < COUNTOF(fractions); i++) {
        double old = *fractions[i];
        *fractions[i] = old + 0.25;
        CHECK_INT(take_up(path, &set, &options, 32), CHECKPOINT_OTHER_OPTIONS);
        *fractions[i] = old;
    }
    options.epochs++;
    CHECK_INT(take_up(path, &set, &options, 32), CHECKPOINT_OTHER_OPTIONS);
    options.epochs--;
    options.seed++;
    CHECK_INT(take_up(path, &set, &options, 32), CHECKPOINT_OTHER_OPTIONS);
    options.seed--;
    CHECK_INT(take_up(path, &set, &options, 32), CHECKPOINT_OK);
    free(set.samples);
    remove(path);
}

/* Into integers and back loses no more than half a unit. */
static void test_rounding(void) {
    Model model;
    model_create(&model, 32, 8);
    model_randomize(&model, 2);
    NnueNet *net = model_to_net(&model, 600);
    CHECK_INT(net->scale, 600);
    Model back;
    model_from_net(&back, net);
    double most = 0;
    for (size_t i = 0; i < model.count; i++) {
        most = fmax(most, fabs(model.params[i] - back.params[i]));
    }
    CHECK(most > 0 && most <= 0.5 / NNUE_QA + 1e-6);
    net_free(net);
    model_free(&model);
    model_free(&back);
}

/* Trained with rounded weights to the end, a model is its integers. */
static void test_rounded_end(void) {
    SampleSet set = random_samples(640, NULL, 15);
    TrainOptions options = small_options();
    options.rounded = 0.5;
    Trainer trainer = small_trainer(&set, &options, fkernels_choose(cpu_features()), 32);
    uint64_t total = trainer_total_steps(&trainer);
    size_t count = trainer.model.output_bias_at;
    while (trainer.step < total) {
        trainer_step(&trainer);
        bool is_exact = memcmp(trainer.model.params, trainer.exact, count * sizeof(float)) == 0;
        CHECK_INT(is_exact, trainer.step * 2 < total);
    }
    NnueNet *net = model_to_net(&trainer.model, 600);
    Model back;
    model_from_net(&back, net);
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(trainer.model.params[i] - back.params[i]));
    }
    CHECK(most == 0);
    net_free(net);
    model_free(&back);
    trainer_free(&trainer);
    free(set.samples);
}

/* Results drawn by a known scale give that scale back. */
static void test_scale(void) {
    Rng rng = rng_init(13);
    SampleSet set = random_samples(30000, NULL, 14);
    for (size_t i = 0; i < set.count; i++) {
        Sample *sample = &set.samples[i];
        double chance = 1 / (1 + exp(-sample->score / 500.0));
        sample->result = rng_unit(&rng) < chance ? 1 : -1;
    }
    double scale = scalefit(&set);
    CHECK(scale > 470 && scale < 530);
    CHECK(!scalefit_is_at_bound(scale));
    /* Draws say that scores mean nothing, and a side ahead that always wins, that they mean all. */
    for (size_t i = 0; i < set.count; i++) {
        set.samples[i].result = 0;
    }
    scale = scalefit(&set);
    CHECK(scale > SCALEFIT_MOST - 1 && scalefit_is_at_bound(scale));
    for (size_t i = 0; i < set.count; i++) {
        Sample *sample = &set.samples[i];
        sample->result = (int8_t)((sample->score > 0) - (sample->score < 0));
    }
    scale = scalefit(&set);
    CHECK(scale < SCALEFIT_LEAST + 1 && scalefit_is_at_bound(scale));
    free(set.samples);
}

UNIT_MAIN({"expansion", test_expansion}, {"gradient", test_gradient},
          {"convergence", test_convergence}, {"known weights", test_known_weights},
          {"resume", test_resume}, {"another training", test_other_training},
          {"rounding", test_rounding}, {"rounded end", test_rounded_end}, {"scale", test_scale})
