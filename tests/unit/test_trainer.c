#include "train/trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"
#include "base/fileio.h"
#include "base/xmem.h"
#include "eval/nnue.h"
#include "eval/threats.h"
#include "random_net.h"
#include "train/checkpoint.h"
#include "train/samples.h"

/* Positions from random games; labels come from `net`, or are random if it is NULL. */
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
    return (TrainOptions){
        .threads = 2, .rate = 0.001, .result_share = 0.3, .result_share_end = 0.3, .scale = 400};
}

/* A trainer of a network all of whose weights are random, also those of the small layers. */
static Trainer small_trainer(const TrainOptions *options, const FloatKernels *kernels, int hidden) {
    Rng rng = rng_init(41);
    Model model;
    model_create(&model, hidden);
    model_randomize(&model, 9);
    for (size_t i = model.first_bias_at; i < model.count; i++) {
        bool is_weight = i >= model.second_at && i < model.second_bias_at;
        model.params[i] = is_weight ? model.params[i] : (float)random_within(&rng, 300) / 1000;
    }
    Trainer trainer;
    trainer_init(&trainer, options, kernels, model);
    return trainer;
}

/* Makes the batches of a set in order, from `step` on; `total` is the number of steps. */
static void run_steps(Trainer *trainer, const SampleSet *set, int size, int total) {
    while (trainer->step < (uint64_t)total) {
        size_t first = (size_t)trainer->step * (size_t)size % set->count;
        size_t left = set->count - first;
        Batch batch = {.samples = set->samples + first,
                       .count = left < (size_t)size ? (int)left : size,
                       .progress = (double)trainer->step / total};
        trainer_step(trainer, &batch);
    }
}

/* Compares two inputs, for sorting those of a sample and of its position. */
static int compare_inputs(const void *a, const void *b) {
    return (int)(*(const uint32_t *)a) - (int)(*(const uint32_t *)b);
}

static void check_view(const Position *pos, Color side, const Sample *sample) {
    NnueInputs want;
    uint32_t got[NNUE_MAX_ACTIVE];
    const FeatureSet *set = features_own(true);
    features_list(set, pos, features_view(set, pos, side), &want);
    CHECK_INT(sample->count, want.count);
    for (int i = 0; i < sample->count; i++) {
        got[i] = sample_map(sample, side)[sample->input[i]];
        CHECK(i == 0 || sample->input[i] >= sample->input[i - 1]);
    }
    qsort(want.input, (size_t)want.count, sizeof(uint32_t), compare_inputs);
    qsort(got, sample->count, sizeof(uint32_t), compare_inputs);
    for (int i = 0; i < want.count; i++) {
        CHECK_INT(got[i], want.input[i]);
    }
}

static void test_expansion(void) {
    static const char *const sfens[] = {"startpos", "7k1/9/5+R3/9/9/9/2P6/9/1K7 w B2Pg 1",
                                        "1k7/9/5+R3/9/9/9/2P6/9/7K1 b B2Pg 1"};
    samples_init();
    for (size_t i = 0; i < COUNTOF(sfens); i++) {
        Position pos = position_at(sfens[i]);
        Sample sample = sample_make(&pos, 0, 0);
        check_view(&pos, pos.side, &sample);
        check_view(&pos, color_flip(pos.side), &sample);
        pos_free(&pos);
    }
}

static double clip(double value) {
    return fmax(0, fmin(1, value));
}

static double exact_sum(const Model *model, const Sample *sample, int view, int i) {
    const uint16_t *map = sample_map(sample, (Color)(sample->side ^ view));
    double sum = model->params[model->bias_at + (size_t)i];
    for (int k = 0; k < sample->count; k++) {
        size_t at = model_group_at(i / GROUP) + (size_t)map[sample->input[k]] * GROUP;
        sum += model->params[at + (size_t)(i % GROUP)];
    }
    return sum;
}

/* What the small layers add to the output. */
static double exact_small(const Model *model, const Sample *sample, const double *squares) {
    const float *params = model->params;
    const int inputs = 2 * model->hidden;
    double values[2 * NNUE_FIRST];
    for (int k = 0; k < NNUE_FIRST; k++) {
        double sum = params[model->first_bias_at + (size_t)k];
        for (int i = 0; i < inputs; i++) {
            sum += squares[i] * params[model->first_at + (size_t)(k * inputs + i)];
        }
        values[k] = clip(sum);
        values[NNUE_FIRST + k] = clip(sum * sum);
    }
    double total = 0;
    for (int k = 0; k < NNUE_SECOND; k++) {
        double sum = params[model->second_bias_at + (size_t)k];
        for (int i = 0; i < 2 * NNUE_FIRST; i++) {
            sum += values[i] * params[model->second_at + (size_t)(k * 2 * NNUE_FIRST + i)];
        }
        size_t at = model->small_output_at + (size_t)(sample->bucket * NNUE_SECOND + k);
        total += clip(sum) * params[at];
    }
    return total;
}

static double exact_output(const Model *model, const Sample *sample) {
    double output = model->params[model->output_bias_at + sample->bucket];
    double squares[2 * NNUE_MAX_HIDDEN];
    for (int view = 0; view < 2; view++) {
        for (int i = 0; i < model->hidden; i++) {
            double sum = clip(exact_sum(model, sample, view, i));
            size_t at = model_output_at(model, sample->bucket, view) + (size_t)i;
            output += sum * sum * model->params[at];
            squares[view * model->hidden + i] = sum * sum;
        }
    }
    return output + exact_small(model, sample, squares);
}

/* The loss by definition, in double precision and without kernels. */
static double exact_loss(const Trainer *trainer, const SampleSet *set, int count) {
    double total = 0;
    for (int s = 0; s < count; s++) {
        const Sample *sample = &set->samples[s];
        double share = sample->has_result ? 0.3 : 0;
        double target =
            share * (0.5 + 0.5 * sample->result) + (1 - share) / (1 + exp(-sample->score / 400.0));
        double error = 1 / (1 + exp(-exact_output(&trainer->model, sample))) - target;
        total += error * error / count;
    }
    return total;
}

/* A trainer, its samples and the computed gradients. */
typedef struct Slopes {
    Trainer *trainer;
    const SampleSet *set;
    int count;
    const float *gradients;
} Slopes;

/* Moves a parameter in both directions and compares the slope of the exact loss with the
 * gradient. */
static void check_gradient(const Slopes *slopes, size_t at) {
    float *param = &slopes->trainer->model.params[at];
    float old = *param;
    const float step = 0.002F;
    *param = old + step;
    double above = exact_loss(slopes->trainer, slopes->set, slopes->count);
    *param = old - step;
    double below = exact_loss(slopes->trainer, slopes->set, slopes->count);
    *param = old;
    double slope = (above - below) / (2 * (double)step);
    double difference = fabs(slope - slopes->gradients[at]);
    CHECK(difference < 2e-5 + 0.02 * fabs(slope));
}

/* Tries some parameters of each kind; returns the number of input weights with a gradient. */
static int check_gradients(const Slopes *slopes, Rng *rng) {
    const Model *model = &slopes->trainer->model;
    int hidden = model->hidden;
    int tried = 0;
    for (int i = 0; i < 12; i++) {
        const Sample *sample = &slopes->set->samples[i];
        check_gradient(slopes, model->bias_at + rng_below(rng, (uint64_t)hidden));
        size_t input = sample->input[rng_below(rng, sample->count)];
        size_t weight = model_group_at(i % 2) + input * GROUP + rng_below(rng, GROUP);
        check_gradient(slopes, weight);
        tried += slopes->gradients[weight] != 0;
        size_t output = model_output_at(model, sample->bucket, i % 2);
        check_gradient(slopes, output + rng_below(rng, (uint64_t)hidden));
        size_t layers = model->count - model->first_at;
        for (int k = 0; k < 8; k++) {
            check_gradient(slopes, model->first_at + rng_below(rng, layers));
        }
    }
    return tried;
}

static void check_trainer(Trainer trainer, const SampleSet *set) {
    Batch batch = {.samples = set->samples, .count = (int)set->count};
    double loss = trainer_find_gradients(&trainer, &batch);
    CHECK(fabs(loss - exact_loss(&trainer, set, batch.count)) < 1e-5);
    Slopes slopes = {&trainer, set, batch.count, trainer_gradients(&trainer)};
    Rng rng = rng_init(4);
    CHECK(check_gradients(&slopes, &rng) > 3);
    trainer_free(&trainer);
}

/* The samples are random games in order, so that most lists are stored as differences. */
static void test_gradient(void) {
    SampleSet set = random_samples(60, NULL, 3);
    set.samples[7].has_result = 0;
    TrainOptions options = small_options();
    for (int version = 0; fkernels_get(version) != NULL; version++) {
        const FloatKernels *kernels = fkernels_get(version);
        if ((kernels->needs & ~cpu_features()) == 0) {
            check_trainer(small_trainer(&options, kernels, 64), &set);
        }
    }
    free(set.samples);
}

/* The losses by phase add up to the total. */
static void test_losses(void) {
    SampleSet set = random_samples(700, NULL, 23);
    int count[NNUE_MAX_BUCKETS] = {0};
    for (size_t i = 0; i < set.count; i++) {
        count[set.samples[i].bucket]++;
    }
    TrainOptions options = small_options();
    Trainer trainer = small_trainer(&options, fkernels_choose(cpu_features()), 32);
    Losses losses = trainer_evaluate(&trainer, &set);
    double sum = 0;
    for (int i = 0; i < NNUE_MAX_BUCKETS; i++) {
        sum += losses.phase[i] * count[i] / (double)set.count;
    }
    CHECK(fabs(losses.all - exact_loss(&trainer, &set, (int)set.count)) < 1e-5);
    CHECK(fabs(sum - losses.all) < 1e-9);
    trainer_free(&trainer);
    free(set.samples);
}

/* A network that is trained on the scores of another network reaches the same scores. Its weights
 * need not be the same: hidden sums may be permuted, a hidden sum may grow while its output weights
 * shrink, and inputs whose sum is constant can replace a bias. */
static void test_convergence(void) {
    enum { STEPS = 1800, SIZE = 500 };
    Rng rng = rng_init(6);
    NnueNet *teacher = random_old_net(&rng, 32, 1, 120);
    SampleSet set = random_samples(30000, teacher, 7);
    SampleSet fresh = random_samples(1000, teacher, 8);
    TrainOptions options = small_options();
    options.rate = 0.01;
    options.result_share = 0;
    options.result_share_end = 0;
    Trainer trainer = small_trainer(&options, fkernels_choose(cpu_features()), 32);
    double before = trainer_evaluate(&trainer, &fresh).all;
    run_steps(&trainer, &set, SIZE, STEPS);
    double after = trainer_evaluate(&trainer, &fresh).all;
    CHECK(before > 2 * after);
    CHECK(after < 0.0125);
    NnueNet *net = model_to_net(&trainer.model, 400);
    NetDifference check = trainer_compare_net(&trainer, net, &fresh, 1000);
    CHECK_INT(check.count, 1000);
    CHECK(check.mean < 3);
    net_free(net);
    trainer_free(&trainer);
    net_free(teacher);
    free(set.samples);
    free(fresh.samples);
}

/* A case with known weights: if all hidden sums are 0 they stay unchanged, and the bias of each
 * output becomes the score of its positions. */
static void test_known_weights(void) {
    SampleSet set = random_samples(640, NULL, 19);
    for (size_t i = 0; i < set.count; i++) {
        set.samples[i].bucket = (uint8_t)(i % NNUE_MAX_BUCKETS);
        set.samples[i].score = (int16_t)(100 * (set.samples[i].bucket - 3));
    }
    TrainOptions options = small_options();
    options.rate = 0.05;
    options.result_share = 0;
    options.result_share_end = 0;
    Model model;
    model_create(&model, 32);
    Trainer trainer;
    trainer_init(&trainer, &options, fkernels_choose(cpu_features()), model);
    run_steps(&trainer, &set, 64, 400);
    const float *params = trainer.model.params;
    int moved = 0;
    for (size_t i = 0; i < trainer.model.output_bias_at; i++) {
        moved += params[i] != 0;
    }
    CHECK_INT(moved, 0);
    for (int bucket = 0; bucket < NNUE_MAX_BUCKETS; bucket++) {
        double bias = params[trainer.model.output_bias_at + (size_t)bucket];
        CHECK(fabs(bias - 100 * (bucket - 3) / options.scale) < 0.02);
    }
    trainer_free(&trainer);
    free(set.samples);
}

/* Flips one bit of a file. */
static void damage_middle(const char *path) {
    StrBuf bytes = STRBUF_INIT;
    CHECK_INT(file_read(path, &bytes), 0);
    bytes.ptr[bytes.len / 2] ^= 4;
    CHECK_INT(file_write(path, bytes.ptr, bytes.len), 0);
    strbuf_free(&bytes);
}

/* A training run that is killed and resumed ends with the same weights. */
static void test_resume(void) {
    enum { TOTAL = 40, HALF = 17, SIZE = 64 };
    const char *path = unit_temp_path("test_trainer.part");
    SampleSet set = random_samples(640, NULL, 11);
    TrainOptions options = small_options();
    options.average_part = 0.7; /* begins before the checkpoint */
    const FloatKernels *kernels = fkernels_choose(cpu_features());
    Trainer whole = small_trainer(&options, kernels, 32);
    run_steps(&whole, &set, SIZE, TOTAL);
    trainer_finish(&whole);
    Trainer half = small_trainer(&options, kernels, 32);
    for (int i = 0; i < HALF; i++) {
        Batch batch = {set.samples + i * SIZE % 640, NULL, SIZE, (double)i / TOTAL};
        trainer_step(&half, &batch);
    }
    TrainState progress = {.epoch_batches = 7, .place = {1, 2, 3}};
    CheckpointKey key = checkpoint_key(&half, (CheckpointKey){5, 6});
    CHECK_INT(checkpoint_save(path, &key, &half, &progress), 0);
    trainer_free(&half);
    Trainer rest = small_trainer(&options, kernels, 32);
    TrainState loaded = {.epoch_batches = 0};
    key = checkpoint_key(&rest, (CheckpointKey){5, 6});
    CHECK(checkpoint_load(path, &key, &rest, &loaded) == NULL);
    CHECK_INT(rest.step, HALF);
    CHECK_INT(loaded.epoch_batches, 7);
    CHECK_INT(loaded.place.epoch * 100 + loaded.place.window * 10 + loaded.place.batch, 123);
    run_steps(&rest, &set, SIZE, TOTAL);
    trainer_finish(&rest);
    CHECK(memcmp(rest.model.params, whole.model.params, whole.model.count * sizeof(float)) == 0);
    trainer_free(&rest);
    damage_middle(path);
    CHECK_STR(checkpoint_load(path, &key, &whole, &loaded), "not a checkpoint, or damaged");
    CHECK_STR(checkpoint_load("tests/nowhere", &key, &whole, &loaded), "does not exist yet");
    CHECK_STR(checkpoint_load("tests", &key, &whole, &loaded), "cannot be read");
    trainer_free(&whole);
    free(set.samples);
    remove(path);
}

/* The result is the mean of the weights after the last steps. */
static void test_average(void) {
    enum { TOTAL = 10, LAST = 4, SIZE = 64 };
    SampleSet set = random_samples(640, NULL, 12);
    TrainOptions options = small_options();
    options.average_part = (double)LAST / TOTAL;
    Trainer trainer = small_trainer(&options, fkernels_choose(cpu_features()), 32);
    size_t count = trainer.model.count;
    double *mean = calloc(count, sizeof(*mean));
    for (int i = 0; i < TOTAL; i++) {
        Batch batch = {set.samples + i * SIZE, NULL, SIZE, (double)i / TOTAL};
        trainer_step(&trainer, &batch);
        for (size_t k = 0; k < count && i >= TOTAL - LAST; k++) {
            mean[k] += trainer.exact[k] / LAST;
        }
    }
    double moved = 0, wrong = 0;
    for (size_t k = 0; k < count; k++) {
        moved = fmax(moved, fabs(trainer.exact[k] - mean[k]));
    }
    trainer_finish(&trainer);
    for (size_t k = 0; k < count; k++) {
        wrong = fmax(wrong, fabs(trainer.exact[k] - mean[k]));
    }
    CHECK(moved > 1e-4);
    CHECK(wrong < 1e-6);
    free(mean);
    trainer_free(&trainer);
    free(set.samples);
}

/* The error of a training run that tries to resume from the file. */
static const char *resume(const char *path, uint64_t feed_key, const TrainOptions *options,
                          int hidden) {
    Trainer trainer = small_trainer(options, fkernels_choose(0), hidden);
    CheckpointKey key = checkpoint_key(&trainer, (CheckpointKey){feed_key, 0});
    TrainState progress;
    const char *error = checkpoint_load(path, &key, &trainer, &progress);
    trainer_free(&trainer);
    return error;
}

/* A checkpoint belongs to one training run. Everything that affects the weights must be the same;
 * the number of threads need not be. */
static void test_other_training(void) {
    const char *path = unit_temp_path("test_trainer.part");
    TrainOptions options = small_options();
    Trainer trainer = small_trainer(&options, fkernels_choose(0), 32);
    TrainState progress = {.epoch_batches = 0};
    CheckpointKey key = checkpoint_key(&trainer, (CheckpointKey){17, 0});
    CHECK_INT(checkpoint_save(path, &key, &trainer, &progress), 0);
    trainer_free(&trainer);
    options.threads = 1;
    CHECK(resume(path, 17, &options, 32) == NULL);
    CHECK_STR(resume(path, 17, &options, 64), "was made for a network of another shape");
    CHECK_STR(resume(path, 18, &options, 32), "was made from other games or other samples");
    double *fractions[] = {&options.rate,         &options.decay,
                           &options.result_share, &options.result_share_end,
                           &options.scale,        &options.average_part};
    for (size_t i = 0; i < COUNTOF(fractions); i++) {
        double old = *fractions[i];
        *fractions[i] = old + 0.25;
        CHECK_STR(resume(path, 17, &options, 32), "was made with other options");
        *fractions[i] = old;
    }
    remove(path);
}

/* Converting to integers and back changes weights by at most half a unit of their part. A network
 * without small layers gets layers that change nothing. */
static void test_rounding(void) {
    TrainOptions options = small_options();
    Trainer trainer = small_trainer(&options, fkernels_choose(0), 32);
    const Model *model = &trainer.model;
    NnueNet *net = model_to_net(model, 600);
    CHECK_INT(net->scale, 600);
    Model back;
    model_from_net(&back, net);
    CHECK(back.count == model->count);
    const struct {
        size_t begin, end;
        double unit;
    } parts[] = {{0, model->output_at, NNUE_QA},
                 {model->output_at, model->output_bias_at, NNUE_QB},
                 {model->first_at, model->first_bias_at, 512},
                 {model->first_bias_at, model->first_bias_at + NNUE_FIRST, 512 * 127.5},
                 {model->second_at, model->second_bias_at, 128},
                 {model->second_bias_at, model->small_output_at, 128 * 127},
                 {model->small_output_at, model->count, 511 * 511 * 64 / 127.0}};
    for (size_t part = 0; part < COUNTOF(parts); part++) {
        double most = 0;
        for (size_t i = parts[part].begin; i < parts[part].end; i++) {
            most = fmax(most, fabs(model->params[i] - back.params[i]));
        }
        CHECK(most > 0 && most <= 0.5 / parts[part].unit + 1e-6);
    }
    net_free(net);
    model_free(&back);
    trainer_free(&trainer);
    Rng rng = rng_init(8);
    for (int buckets = 1; buckets <= 8; buckets += 7) {
        NnueNet *plain = random_net(&rng, 32, buckets, 60);
        model_from_net(&back, plain);
        NnueNet *added = model_to_net(&back, 400);
        Position pos = position_at("startpos");
        CHECK(added->has_small && added->small.first[0] != 0 && added->buckets == 8);
        CHECK_INT(nnue_evaluate_fresh(added, &pos), nnue_evaluate_fresh(plain, &pos));
        pos_free(&pos);
        net_free(plain);
        net_free(added);
        model_free(&back);
    }
}

/* If a model is trained with rounded weights to the end, it equals its integer version. */
static void test_rounded_end(void) {
    enum { TOTAL = 10 };
    SampleSet set = random_samples(640, NULL, 15);
    TrainOptions options = small_options();
    Trainer trainer = small_trainer(&options, fkernels_choose(cpu_features()), 32);
    size_t count = trainer.model.output_bias_at;
    for (int i = 0; i < TOTAL; i++) {
        Batch batch = {set.samples + i * 64, NULL, 64, (double)i / TOTAL};
        trainer_step(&trainer, &batch);
        bool is_exact = memcmp(trainer.model.params, trainer.exact, count * sizeof(float)) == 0;
        CHECK_INT(is_exact, i < TOTAL * 4 / 5);
    }
    NnueNet *net = model_to_net(&trainer.model, 600);
    Model back;
    model_from_net(&back, net);
    double most = 0;
    for (size_t i = 0; i < trainer.model.count; i++) {
        most = fmax(most, i < count ? fabs(trainer.model.params[i] - back.params[i]) : 0);
    }
    /* Biases are not rounded, because their integers are fine enough. */
    CHECK(most == 0);
    net_free(net);
    model_free(&back);
    trainer_free(&trainer);
    free(set.samples);
}

/* The scale is recovered from results that were generated with it. */
static void test_scale(void) {
    Rng rng = rng_init(13);
    SampleSet set = random_samples(30000, NULL, 14);
    for (size_t i = 0; i < set.count; i++) {
        Sample *sample = &set.samples[i];
        double chance = 1 / (1 + exp(-sample->score / 500.0));
        sample->result = rng_unit(&rng) < chance ? 1 : -1;
    }
    double scale = samples_fit_scale(&set);
    CHECK(scale > 470 && scale < 530);
    CHECK(!samples_scale_is_at_bound(scale));
    /* If all games are drawn, the scores say nothing about the results; if the side that is ahead
     * always wins, they determine the results. */
    for (size_t i = 0; i < set.count; i++) {
        set.samples[i].result = 0;
    }
    scale = samples_fit_scale(&set);
    CHECK(scale > SAMPLES_MAX_SCALE - 1 && samples_scale_is_at_bound(scale));
    for (size_t i = 0; i < set.count; i++) {
        Sample *sample = &set.samples[i];
        sample->result = (int8_t)((sample->score > 0) - (sample->score < 0));
    }
    scale = samples_fit_scale(&set);
    CHECK(scale < SAMPLES_MIN_SCALE + 1 && samples_scale_is_at_bound(scale));
    free(set.samples);
}

UNIT_MAIN({"the mean of the last weights", test_average}, {"expansion", test_expansion},
          {"gradient", test_gradient}, {"convergence", test_convergence},
          {"losses by phase", test_losses}, {"known weights", test_known_weights},
          {"resume", test_resume}, {"another training", test_other_training},
          {"rounding", test_rounding}, {"rounded end", test_rounded_end}, {"scale", test_scale})
