/* trainer.c: computes the gradients of parts of a batch in parallel, adds them up in a fixed order,
 * and applies AdamW. */
#include "train/trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/xmem.h"
#include "eval/features.h"
#include "eval/net.h"
#include "eval/nnue.h"

/* The number of samples that are processed together: first all lists of black's view, then all
 * lists of white's view. */
enum { VIEWS = 2, MICRO = LISTS / VIEWS };

/* Sums of losses. */
typedef struct LossSum {
    double phase[NNUE_MAX_BUCKETS];
    uint64_t phase_count[NNUE_MAX_BUCKETS];
} LossSum;

/* The numbers of a sample on the way through the small layers (arch.h). */
typedef struct SmallSums {
    _Alignas(64) float in[2 * NNUE_MAX_HIDDEN];
    _Alignas(64) float first[NNUE_FIRST];
    _Alignas(64) float next[2 * NNUE_FIRST]; /* first, clipped; then squared and clipped */
    _Alignas(64) float second[NNUE_SECOND];
} SmallSums;

/* The working memory of a thread. */
typedef struct TrainThread {
    float *gradients; /* laid out like the model's parameters */
    float *sums;      /* [hidden / GROUP][GROUP_STRIDE]: for each group [LISTS][GROUP] */
    Lists *lists;
    RowIndex *index; /* index of the lists by row */
    const Sample *samples[MICRO];
    int count; /* number of samples */
    double loss;
    LossSum losses;
} TrainThread;

void trainer_init(Trainer *trainer, const TrainOptions *options, const FloatKernels *kernels,
                  Model model) {
    *trainer = (Trainer){.options = *options, .kernels = kernels, .model = model};
    trainer->exact = xmem_alloc_aligned(model.count, sizeof(float), 64);
    memcpy(trainer->exact, model.params, model.count * sizeof(float));
    trainer->moment1 = xmem_alloc_aligned(model.count, sizeof(float), 64);
    trainer->moment2 = xmem_alloc_aligned(model.count, sizeof(float), 64);
    trainer->average =
        options->average_part > 0 ? xmem_alloc_aligned(model.count, sizeof(float), 64) : NULL;
    trainer->threads = xmem_calloc((size_t)options->threads, sizeof(TrainThread));
    for (int i = 0; i < options->threads; i++) {
        TrainThread *thread = &trainer->threads[i];
        thread->gradients = xmem_alloc_aligned(model.count, sizeof(float), 64);
        size_t groups = (size_t)model.hidden / GROUP;
        thread->sums = xmem_alloc_aligned(groups * GROUP_STRIDE, sizeof(float), 64);
        thread->lists = xmem_alloc(1, sizeof(Lists));
        thread->index = xmem_alloc(1, sizeof(RowIndex));
    }
}

void trainer_free(Trainer *trainer) {
    for (int i = 0; i < trainer->options.threads; i++) {
        TrainThread *thread = &trainer->threads[i];
        xmem_free_aligned(thread->gradients);
        xmem_free_aligned(thread->sums);
        free(thread->lists);
        free(thread->index);
    }
    free(trainer->threads);
    xmem_free_aligned(trainer->exact);
    xmem_free_aligned(trainer->moment1);
    xmem_free_aligned(trainer->moment2);
    xmem_free_aligned(trainer->average);
    model_free(&trainer->model);
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* Adds the list of a sample in one view: the differences from the sample before it, or all rows.
 * The inputs of both samples are in ascending order. */
static void add_list(Lists *lists, const Sample *before, const Sample *sample, Color side) {
    const uint16_t *map = sample_map(sample, side);
    bool is_fresh = before == NULL || before->is_mirrored[side] != sample->is_mirrored[side];
    ListStep step = {.at = lists->count == 0 ? 0
                                             : lists->step[lists->count - 1].at +
                                                   lists->step[lists->count - 1].come +
                                                   lists->step[lists->count - 1].leave};
    uint16_t *rows = lists->row + step.at;
    uint16_t gone[NNUE_MAX_ACTIVE];
    int i = 0, k = 0;
    while (!is_fresh && (i < sample->count || k < before->count)) {
        int now = i < sample->count ? sample->input[i] : NNUE_INPUTS;
        int old = k < before->count ? before->input[k] : NNUE_INPUTS;
        if (now < old) {
            rows[step.come++] = map[now];
        } else if (now > old) {
            gone[step.leave++] = map[old];
        }
        i += now <= old;
        k += old <= now;
    }
    if (is_fresh || step.come + step.leave >= sample->count) {
        step.is_fresh = true;
        step.come = sample->count;
        step.leave = 0;
        for (int n = 0; n < sample->count; n++) {
            rows[n] = map[sample->input[n]];
        }
    }
    memcpy(rows + step.come, gone, step.leave * sizeof(uint16_t));
    lists->step[lists->count++] = step;
}

static void make_lists(TrainThread *thread) {
    thread->lists->count = 0;
    for (int side = BLACK; side <= WHITE; side++) {
        for (int i = 0; i < thread->count; i++) {
            const Sample *before = i > 0 ? thread->samples[i - 1] : NULL;
            add_list(thread->lists, before, thread->samples[i], (Color)side);
        }
    }
}

/* Indexes the lists by row with a counting sort. For each row, the lists that add it come first,
 * then the lists that remove it. */
static void index_rows(RowIndex *index, const Lists *lists) {
    uint32_t at[2][ROWS] = {{0}};
    for (int i = 0; i < lists->count; i++) {
        const ListStep *step = &lists->step[i];
        for (int k = 0; k < step->come + step->leave; k++) {
            at[k >= step->come][lists->row[step->at + (uint32_t)k]]++;
        }
    }
    uint32_t sum = 0;
    for (int row = 0; row < ROWS; row++) {
        index->begin[row] = sum;
        index->middle[row] = sum + at[0][row];
        sum = index->middle[row] + at[1][row];
        at[0][row] = index->begin[row];
        at[1][row] = index->middle[row];
    }
    index->begin[ROWS] = sum;
    for (int i = 0; i < lists->count; i++) {
        const ListStep *step = &lists->step[i];
        for (int k = 0; k < step->come + step->leave; k++) {
            uint32_t row = lists->row[step->at + (uint32_t)k];
            index->list[at[k >= step->come][row]++] = (uint16_t)i;
        }
    }
}

/* ---- forward and backward -------------------------------------------------------------------- */

static double sigmoid(double x) {
    return 1 / (1 + exp(-x));
}

static double target_of(const Trainer *trainer, const Sample *sample) {
    const TrainOptions *options = &trainer->options;
    double risen = options->result_share_end - options->result_share;
    double part = trainer->is_judging ? 1 : trainer->progress;
    double share = sample->has_result ? options->result_share + risen * part : 0;
    double expected = sigmoid(sample->score / options->scale);
    return share * (0.5 + 0.5 * sample->result) + (1 - share) * expected;
}

/* Computes the thread's sums for its samples. */
static void run_forward(const Trainer *trainer, TrainThread *thread) {
    const Model *model = &trainer->model;
    make_lists(thread);
    for (int group = 0; group < model->hidden / GROUP; group++) {
        trainer->kernels->forward(model->params + model_group_at(group),
                                  model->params + model->bias_at + group * GROUP, thread->lists,
                                  thread->sums + (size_t)group * GROUP_STRIDE);
    }
}

/* The sums of sample number i in the mover's view (0) or the other's (1). */
static float *sums_of(const TrainThread *thread, int i, int view) {
    int side = thread->samples[i]->side ^ view;
    return thread->sums + (size_t)(side * thread->count + i) * GROUP;
}

/* Adds the loss of a sample with this output; returns the gradient of the output. */
static double note_loss(const Trainer *trainer, TrainThread *thread, int i, double output) {
    const Sample *sample = thread->samples[i];
    double guess = sigmoid(output);
    double error = guess - target_of(trainer, sample);
    LossSum *losses = &thread->losses;
    thread->loss += error * error;
    losses->phase[sample->bucket] += error * error;
    losses->phase_count[sample->bucket]++;
    return 2 * error * guess * (1 - guess);
}

static float clip_unit(float value) {
    return fminf(fmaxf(value, 0), 1);
}

static bool is_within(float value, float low, float high) {
    return value > low && value < high;
}

static FloatLayer first_layer(const Model *model, const SmallSums *small) {
    return (FloatLayer){2 * model->hidden, NNUE_FIRST, small->in, model->params + model->first_at};
}

static FloatLayer second_layer(const Model *model, const SmallSums *small) {
    return (FloatLayer){2 * NNUE_FIRST, NNUE_SECOND, small->next, model->params + model->second_at};
}

/* What the small layers add to the output of a sample. */
static double train_small_layers(const Trainer *trainer, const TrainThread *thread, int i,
                                 SmallSums *small) {
    const Model *model = &trainer->model;
    const float *params = model->params;
    int hidden = model->hidden;
    for (int view = 0; view < VIEWS; view++) {
        trainer->kernels->squares(sums_of(thread, i, view), small->in + view * hidden,
                                  hidden / GROUP);
    }
    FloatLayer layer = first_layer(model, small);
    trainer->kernels->layer(&layer, params + model->first_bias_at, small->first);
    for (int k = 0; k < NNUE_FIRST; k++) {
        small->next[k] = clip_unit(small->first[k]);
        small->next[NNUE_FIRST + k] = clip_unit(small->first[k] * small->first[k]);
    }
    layer = second_layer(model, small);
    trainer->kernels->layer(&layer, params + model->second_bias_at, small->second);
    const float *weights =
        params + model->small_output_at + thread->samples[i]->bucket * NNUE_SECOND;
    double total = 0;
    for (int k = 0; k < NNUE_SECOND; k++) {
        total += clip_unit(small->second[k]) * weights[k];
    }
    return total;
}

/* Adds the gradients of the small layers' weights, for the gradient of the output, and the slopes
 * of the output by the squares in small->in. */
static void run_small_back(const Trainer *trainer, TrainThread *thread, int i,
                           const SmallSums *small, float gradient, float *in_slopes) {
    const Model *model = &trainer->model;
    const float *params = model->params;
    float *gradients = thread->gradients;
    size_t output_at = model->small_output_at + (size_t)thread->samples[i]->bucket * NNUE_SECOND;
    _Alignas(64) float second[NNUE_SECOND], next[2 * NNUE_FIRST] = {0}, first[NNUE_FIRST];
    for (size_t k = 0; k < NNUE_SECOND; k++) {
        second[k] = is_within(small->second[k], 0, 1) ? params[output_at + k] : 0;
        gradients[output_at + k] += clip_unit(small->second[k]) * gradient;
        gradients[model->second_bias_at + k] += second[k] * gradient;
    }
    FloatLayer layer = second_layer(model, small);
    trainer->kernels->layer_back(&layer, second, gradient, gradients + model->second_at, next);
    for (size_t k = 0; k < NNUE_FIRST; k++) {
        float value = small->first[k];
        first[k] = is_within(value, 0, 1) ? next[k] : 0;
        first[k] += is_within(value, -1, 1) ? 2 * value * next[NNUE_FIRST + k] : 0;
        gradients[model->first_bias_at + k] += first[k] * gradient;
    }
    layer = first_layer(model, small);
    trainer->kernels->layer_back(&layer, first, gradient, gradients + model->first_at, in_slopes);
}

/* The output of a sample. `small` receives the numbers of the small layers. */
static double output_of(const Trainer *trainer, const TrainThread *thread, int i,
                        SmallSums *small) {
    const Model *model = &trainer->model;
    int bucket = thread->samples[i]->bucket;
    double total = model->params[model->output_bias_at + (size_t)bucket];
    for (int view = 0; view < VIEWS; view++) {
        total += trainer->kernels->output(sums_of(thread, i, view),
                                          model->params + model_output_at(model, bucket, view),
                                          model->hidden / GROUP);
    }
    return total + train_small_layers(trainer, thread, i, small);
}

/* Computes losses from the sums. If `learns`, also computes the gradients of the output weights,
 * and replaces the sums by their gradients. */
static void run_outputs(const Trainer *trainer, TrainThread *thread, bool learns) {
    const Model *model = &trainer->model;
    size_t hidden = (size_t)model->hidden;
    SmallSums small;
    for (int i = 0; i < thread->count; i++) {
        int bucket = thread->samples[i]->bucket;
        double gradient = note_loss(trainer, thread, i, output_of(trainer, thread, i, &small));
        if (!learns) {
            continue;
        }
        float share = (float)(gradient / trainer->batch->count);
        thread->gradients[model->output_bias_at + (size_t)bucket] += share;
        /* The slopes of the output by the squares: linear ones, and those of the small layers. */
        _Alignas(64) float slopes[VIEWS * NNUE_MAX_HIDDEN];
        memcpy(slopes, model->params + model_output_at(model, bucket, 0),
               VIEWS * hidden * sizeof(float));
        run_small_back(trainer, thread, i, &small, share, slopes);
        for (int view = 0; view < VIEWS; view++) {
            size_t at = model_output_at(model, bucket, view);
            trainer->kernels->output_back(sums_of(thread, i, view), slopes + (size_t)view * hidden,
                                          thread->gradients + at, share, model->hidden / GROUP);
        }
    }
}

static void run_backward(const Trainer *trainer, TrainThread *thread) {
    const Model *model = &trainer->model;
    index_rows(thread->index, thread->lists);
    for (int group = 0; group < model->hidden / GROUP; group++) {
        trainer->kernels->backward(thread->gradients + model_group_at(group),
                                   thread->gradients + model->bias_at + group * GROUP,
                                   thread->index, thread->lists,
                                   thread->sums + (size_t)group * GROUP_STRIDE);
    }
}

/* Processes the thread's part of the batch, MICRO samples at a time. */
static void run_part(Trainer *trainer, int index, bool learns) {
    TrainThread *thread = &trainer->threads[index];
    const Batch *batch = trainer->batch;
    int threads = trainer->options.threads;
    int first = (int)((int64_t)batch->count * index / threads);
    int end = (int)((int64_t)batch->count * (index + 1) / threads);
    thread->loss = 0;
    for (int start = first; start < end; start += MICRO) {
        thread->count = int_min(MICRO, end - start);
        for (int i = 0; i < thread->count; i++) {
            size_t at = (size_t)start + (size_t)i;
            thread->samples[i] = &batch->samples[batch->order != NULL ? batch->order[at] : at];
            PREFETCH(thread->samples[i]);
        }
        run_forward(trainer, thread);
        run_outputs(trainer, thread, learns);
        if (learns) {
            run_backward(trainer, thread);
        }
    }
}

static void find_gradients(void *context, int index) {
    run_part(context, index, true);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static double current_rate(const Trainer *trainer) {
    const TrainOptions *options = &trainer->options;
    if (trainer->progress < WARM_UP_PART) {
        return options->rate * (trainer->progress / WARM_UP_PART + 1e-3);
    }
    double part = (trainer->progress - WARM_UP_PART) / (1 - WARM_UP_PART);
    double wave = 0.5 + 0.5 * cos(3.14159265358979323846 * part);
    double last = fmin(options->rate, RATE_END);
    return last + (options->rate - last) * wave;
}

void trainer_refresh(Trainer *trainer) {
    Model *model = &trainer->model;
    memcpy(model->params, trainer->exact, model->count * sizeof(float));
    if (trainer->progress >= 1 - ROUNDED_PART) {
        model_round(model);
    }
}

/* Gradients are means over a batch. If the mean square of a weight's gradient is below this, the
 * weight is rarely used. Such a weight moves in proportion to its gradient rather than by full
 * steps. */
#define SEEN_MIN 1e-12F

static AdamStep adam_step(const Trainer *trainer) {
    const double beta1 = 0.9, beta2 = 0.999;
    double steps = (double)trainer->step + 1;
    double rate = current_rate(trainer);
    return (AdamStep){.rate = (float)(rate * sqrt(1 - pow(beta2, steps)) / (1 - pow(beta1, steps))),
                      .decay = (float)(1 - rate * trainer->options.decay),
                      .beta1 = (float)beta1,
                      .beta2 = (float)beta2,
                      .epsilon = SEEN_MIN};
}

/* True if the weights after this step are included in the average. */
static bool is_averaging(const Trainer *trainer) {
    return trainer->average != NULL && trainer->progress >= 1 - trainer->options.average_part;
}

/* Updates the thread's share of each part of the model. The ends of each share are multiples of
 * 16. */
static void update_weights(void *context, int index) {
    enum { UNIT = 16 };
    Trainer *trainer = context;
    size_t threads = (size_t)trainer->options.threads;
    AdamStep step = adam_step(trainer);
    ModelPart part;
    for (size_t at = 0; model_part(&trainer->model, at, &part); at = part.end) {
        size_t units = (part.end - part.begin) / UNIT;
        size_t first = part.begin + units * (size_t)index / threads * UNIT;
        size_t end = part.begin + units * (size_t)(index + 1) / threads * UNIT;
        int n = (int)(end - first);
        float *gradients = trainer->threads[0].gradients + first;
        for (size_t i = 1; i < threads; i++) {
            trainer->kernels->gather(gradients, trainer->threads[i].gradients + first, n);
        }
        float *const state[4] = {trainer->exact + first, trainer->moment1 + first,
                                 trainer->moment2 + first, gradients};
        step.limit = part.limit;
        trainer->kernels->adam(state, n, &step);
        if (is_averaging(trainer)) {
            float share = 1 / (float)(trainer->averaged + 1);
            for (size_t i = first; i < end; i++) {
                trainer->average[i] += (trainer->exact[i] - trainer->average[i]) * share;
            }
        }
    }
}

static double run_batch(Trainer *trainer, const Batch *batch) {
    trainer->batch = batch;
    parallel_run(trainer->options.threads, find_gradients, trainer);
    double loss = 0;
    for (int i = 0; i < trainer->options.threads; i++) {
        loss += trainer->threads[i].loss;
    }
    return loss / batch->count;
}

double trainer_step(Trainer *trainer, const Batch *batch) {
    trainer->progress = batch->progress;
    double loss = run_batch(trainer, batch);
    parallel_run(trainer->options.threads, update_weights, trainer);
    trainer->step++;
    trainer->averaged += is_averaging(trainer);
    trainer_refresh(trainer);
    return loss;
}

void trainer_finish(Trainer *trainer) {
    if (trainer->averaged > 0) {
        memcpy(trainer->exact, trainer->average, trainer->model.count * sizeof(float));
    }
    trainer->progress = 1;
    trainer_refresh(trainer);
}

double trainer_find_gradients(Trainer *trainer, const Batch *batch) {
    double loss = run_batch(trainer, batch);
    for (int i = 1; i < trainer->options.threads; i++) {
        trainer->kernels->gather(trainer->threads[0].gradients, trainer->threads[i].gradients,
                                 (int)trainer->model.count);
    }
    return loss;
}

float *trainer_gradients(Trainer *trainer) {
    return trainer->threads[0].gradients;
}

/* ---- evaluation ------------------------------------------------------------------------------ */

static void evaluate_part(void *context, int index) {
    Trainer *trainer = context;
    trainer->threads[index].losses = (LossSum){.phase = {0}};
    run_part(trainer, index, false);
}

Losses trainer_evaluate(Trainer *trainer, const SampleSet *set) {
    Losses losses = {0};
    if (set->count == 0) {
        return losses;
    }
    Batch batch = {.samples = set->samples, .count = (int)set->count};
    trainer->batch = &batch;
    trainer->is_judging = true;
    parallel_run(trainer->options.threads, evaluate_part, trainer);
    trainer->is_judging = false;
    LossSum all = {.phase = {0}};
    for (int t = 0; t < trainer->options.threads; t++) {
        const LossSum *part = &trainer->threads[t].losses;
        losses.all += trainer->threads[t].loss / (double)set->count;
        for (int i = 0; i < NNUE_MAX_BUCKETS; i++) {
            all.phase[i] += part->phase[i];
            all.phase_count[i] += part->phase_count[i];
        }
    }
    for (int i = 0; i < NNUE_MAX_BUCKETS; i++) {
        losses.phase[i] = all.phase_count[i] > 0 ? all.phase[i] / (double)all.phase_count[i] : 0;
    }
    return losses;
}

/* If a score is beyond this, the game is decided and the exact score does not matter. */
enum { DECIDED = 1500 };

/* The output of the model for one sample. */
static double evaluate_floats(const Trainer *trainer, const Sample *sample) {
    TrainThread *thread = &trainer->threads[0];
    thread->samples[0] = sample;
    thread->count = 1;
    run_forward(trainer, thread);
    SmallSums small;
    return output_of(trainer, thread, 0, &small);
}

/* The evaluation of the network for the same sample. */
static int evaluate_integers(const NnueNet *net, const Sample *sample) {
    NnueInputs views[2];
    for (int view = 0; view < 2; view++) {
        const uint16_t *map = sample_map(sample, (Color)(sample->side ^ view));
        views[view].count = sample->count;
        for (int i = 0; i < sample->count; i++) {
            views[view].input[i] = map[sample->input[i]];
        }
    }
    return nnue_evaluate_inputs(net, views, sample->bucket);
}

NetDifference trainer_compare_net(const Trainer *trainer, const NnueNet *net, const SampleSet *set,
                                  int most) {
    NetDifference all = {.count = (int)i64_min(most, (int64_t)set->count)};
    for (int i = 0; i < all.count; i++) {
        const Sample *sample = &set->samples[i];
        double exact = evaluate_floats(trainer, sample) * net->scale;
        double difference = fabs(evaluate_integers(net, sample) - exact);
        all.mean += difference / all.count;
        if (fabs(exact) <= DECIDED) {
            all.most = fmax(all.most, difference);
            all.beyond += difference > 3;
        }
    }
    return all;
}
