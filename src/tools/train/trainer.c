#include "tools/train/trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/rng.h"
#include "base/xmem.h"

/* Samples that are worked on together. */
enum { VIEWS = 2, MICRO = LISTS / VIEWS };

/* What a thread works with. */
typedef struct TrainThread {
    float *gradients; /* as the model's parameters */
    float *sums;      /* [hidden / GROUP][GROUP_STRIDE]: each group's [MICRO][VIEWS][GROUP] */
    uint16_t *lists;  /* [MICRO][VIEWS][LIST_LEN] */
    RowIndex *index;  /* of the lists */
    double loss;
} TrainThread;

void trainer_init(Trainer *trainer, const TrainOptions *options, const FloatKernels *kernels,
                  const SampleSet *samples, Model model) {
    *trainer = (Trainer){.options = *options,
                         .kernels = kernels,
                         .samples = samples,
                         .model = model,
                         .order_epoch = UINT64_MAX};
    trainer->exact = xmem_alloc_aligned(model.count, sizeof(float), 64);
    memcpy(trainer->exact, model.params, model.count * sizeof(float));
    trainer->mean = xmem_alloc_aligned(model.count, sizeof(float), 64);
    trainer->square = xmem_alloc_aligned(model.count, sizeof(float), 64);
    trainer->order = xmem_alloc(samples->count + 1, sizeof(uint32_t));
    trainer->threads = xmem_calloc((size_t)options->threads, sizeof(TrainThread));
    for (int i = 0; i < options->threads; i++) {
        TrainThread *thread = &trainer->threads[i];
        thread->gradients = xmem_alloc_aligned(model.count, sizeof(float), 64);
        size_t groups = (size_t)model.hidden / GROUP;
        thread->sums = xmem_alloc_aligned(groups * GROUP_STRIDE, sizeof(float), 64);
        thread->lists = xmem_alloc_aligned((size_t)LISTS * LIST_LEN, sizeof(uint16_t), 64);
        thread->index = xmem_alloc(1, sizeof(RowIndex));
    }
}

void trainer_free(Trainer *trainer) {
    for (int i = 0; i < trainer->options.threads; i++) {
        xmem_free_aligned(trainer->threads[i].gradients);
        xmem_free_aligned(trainer->threads[i].sums);
        xmem_free_aligned(trainer->threads[i].lists);
        free(trainer->threads[i].index);
    }
    free(trainer->threads);
    free(trainer->order);
    xmem_free_aligned(trainer->exact);
    xmem_free_aligned(trainer->mean);
    xmem_free_aligned(trainer->square);
    model_free(&trainer->model);
}

uint64_t trainer_batches_per_epoch(const Trainer *trainer) {
    uint64_t batch = (uint64_t)trainer->options.batch;
    uint64_t batches = trainer->samples->count / batch;
    return batches > 0 ? batches : 1;
}

uint64_t trainer_total_steps(const Trainer *trainer) {
    return trainer_batches_per_epoch(trainer) * (uint64_t)trainer->options.epochs;
}

/* ---- forward and backward -------------------------------------------------------------------- */

static double sigmoid(double x) {
    return 1 / (1 + exp(-x));
}

static double target_of(const TrainOptions *options, const Sample *sample) {
    double won = 0.5 + 0.5 * sample->result;
    double expected = sigmoid(sample->score / options->scale);
    return options->result_share * won + (1 - options->result_share) * expected;
}

/* Fills the thread's sums for `count` samples. */
static void run_forward(const Trainer *trainer, TrainThread *thread, const Sample *const *samples,
                        int count) {
    const Model *model = &trainer->model;
    for (int i = 0; i < count; i++) {
        uint16_t *lists = thread->lists + (size_t)i * VIEWS * LIST_LEN;
        sample_expand(samples[i], lists, lists + LIST_LEN);
    }
    for (int group = 0; group < model->hidden / GROUP; group++) {
        trainer->kernels->forward(model->params + model_group_at(group),
                                  model->params + model->bias_at + group * GROUP, thread->lists,
                                  count * VIEWS, thread->sums + group * GROUP_STRIDE);
    }
}

static int bucket_of(const Model *model, const Sample *sample) {
    return model->buckets == 1 ? 0 : sample->bucket;
}

static double run_output(const Trainer *trainer, const float *sums, int bucket) {
    const Model *model = &trainer->model;
    double total = model->params[model->output_bias_at + (size_t)bucket];
    for (int view = 0; view < VIEWS; view++) {
        total += trainer->kernels->output(sums + view * GROUP,
                                          model->params + model_output_at(model, bucket, view),
                                          model->hidden / GROUP);
    }
    return total;
}

/* The loss of one sample; its gradient goes into the output's gradients and takes the place of the
 * sums. */
static double learn_output(const Trainer *trainer, TrainThread *thread, const Sample *sample,
                           float *sums) {
    const Model *model = &trainer->model;
    int bucket = bucket_of(model, sample);
    double guess = sigmoid(run_output(trainer, sums, bucket));
    double error = guess - target_of(&trainer->options, sample);
    float gradient = (float)(2 * error * guess * (1 - guess) / trainer->batch_count);
    thread->gradients[model->output_bias_at + (size_t)bucket] += gradient;
    for (int view = 0; view < VIEWS; view++) {
        size_t at = model_output_at(model, bucket, view);
        trainer->kernels->output_back(sums + view * GROUP, model->params + at,
                                      thread->gradients + at, gradient, model->hidden / GROUP);
    }
    return error * error;
}

/* Turns `count` lists round: a sort by counting. */
static void index_rows(RowIndex *index, const uint16_t *lists, int count) {
    uint32_t at[ROWS + 1] = {0};
    for (int i = 0; i < count * LIST_LEN; i++) {
        at[lists[i]]++;
    }
    uint32_t sum = 0;
    for (int row = 0; row < ROWS - 1; row++) {
        index->begin[row] = sum;
        sum += at[row];
        at[row] = index->begin[row];
    }
    index->begin[ROWS - 1] = sum;
    at[ROWS - 1] = sum; /* what is written for padding lies behind the rows and is not read */
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < LIST_LEN; k++) {
            index->list[at[lists[k]]++] = (uint16_t)i;
        }
        lists += LIST_LEN;
    }
}

static void run_backward(const Trainer *trainer, TrainThread *thread, int count) {
    const Model *model = &trainer->model;
    index_rows(thread->index, thread->lists, count * VIEWS);
    for (int group = 0; group < model->hidden / GROUP; group++) {
        trainer->kernels->backward(thread->gradients + model_group_at(group),
                                   thread->gradients + model->bias_at + group * GROUP,
                                   thread->index, count * VIEWS,
                                   thread->sums + group * GROUP_STRIDE);
    }
}

/* The thread's part of the batch, MICRO samples at a time. */
static void find_gradients(void *context, int index) {
    Trainer *trainer = context;
    TrainThread *thread = &trainer->threads[index];
    int threads = trainer->options.threads;
    int first = (int)((int64_t)trainer->batch_count * index / threads);
    int end = (int)((int64_t)trainer->batch_count * (index + 1) / threads);
    thread->loss = 0;
    for (int start = first; start < end; start += MICRO) {
        int count = int_min(MICRO, end - start);
        const Sample *samples[MICRO];
        for (int i = 0; i < count; i++) {
            samples[i] = &trainer->samples->samples[trainer->batch[start + i]];
            PREFETCH(samples[i]);
        }
        run_forward(trainer, thread, samples, count);
        for (int i = 0; i < count; i++) {
            float *sums = thread->sums + (size_t)i * VIEWS * GROUP;
            thread->loss += learn_output(trainer, thread, samples[i], sums);
        }
        run_backward(trainer, thread, count);
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

static double current_rate(const Trainer *trainer) {
    const TrainOptions *options = &trainer->options;
    double total = (double)trainer_total_steps(trainer);
    double warm = options->warm_up * total;
    double step = (double)trainer->step;
    if (step < warm) {
        return options->rate * (step + 1) / (warm + 1);
    }
    double part = (step - warm) / (total - warm);
    double wave = 0.5 + 0.5 * cos(3.14159265358979323846 * part);
    return options->rate_end + (options->rate - options->rate_end) * wave;
}

static bool is_rounding(const Trainer *trainer) {
    double total = (double)trainer_total_steps(trainer);
    double share = trainer->options.rounded;
    return share > 0 && (double)trainer->step >= (1 - share) * total;
}

void trainer_refresh(Trainer *trainer) {
    Model *model = &trainer->model;
    memcpy(model->params, trainer->exact, model->count * sizeof(float));
    model_clear_padding(model);
    if (is_rounding(trainer)) {
        model_round(model);
    }
}

/* The thread's part of all weights. */
static void update_weights(void *context, int index) {
    Trainer *trainer = context;
    const TrainOptions *options = &trainer->options;
    const double beta1 = 0.9;
    const double beta2 = 0.999;
    double steps = (double)trainer->step + 1;
    double rate = current_rate(trainer);
    AdamStep step = {.rate = (float)(rate * sqrt(1 - pow(beta2, steps)) / (1 - pow(beta1, steps))),
                     .decay = (float)(1 - rate * options->decay),
                     .beta1 = (float)beta1,
                     .beta2 = (float)beta2,
                     .epsilon = 1e-16F,
                     .limit = model_limit()};
    size_t groups = trainer->model.count / GROUP;
    size_t first = groups * (size_t)index / (size_t)options->threads * GROUP;
    size_t end = groups * (size_t)(index + 1) / (size_t)options->threads * GROUP;
    int n = (int)(end - first);
    float *gradients = trainer->threads[0].gradients + first;
    for (int i = 1; i < options->threads; i++) {
        trainer->kernels->gather(gradients, trainer->threads[i].gradients + first, n);
    }
    float *const state[4] = {trainer->exact + first, trainer->mean + first, trainer->square + first,
                             gradients};
    trainer->kernels->adam(state, n, &step);
}

/* A new order for each epoch, which follows from the seed. */
static void shuffle(Trainer *trainer, uint64_t epoch) {
    if (trainer->order_epoch == epoch) {
        return;
    }
    size_t count = trainer->samples->count;
    Rng rng = rng_init(trainer->options.seed * 1000003 + epoch);
    for (size_t i = 0; i < count; i++) {
        trainer->order[i] = (uint32_t)i;
    }
    for (size_t i = count; i > 1; i--) {
        size_t other = (size_t)rng_below(&rng, i);
        uint32_t swap = trainer->order[i - 1];
        trainer->order[i - 1] = trainer->order[other];
        trainer->order[other] = swap;
    }
    trainer->order_epoch = epoch;
}

static double run_batch(Trainer *trainer) {
    parallel_run(trainer->options.threads, find_gradients, trainer);
    double loss = 0;
    for (int i = 0; i < trainer->options.threads; i++) {
        loss += trainer->threads[i].loss;
    }
    return loss / trainer->batch_count;
}

double trainer_step(Trainer *trainer) {
    uint64_t batches = trainer_batches_per_epoch(trainer);
    size_t first = (size_t)(trainer->step % batches) * (size_t)trainer->options.batch;
    shuffle(trainer, trainer->step / batches);
    size_t left = trainer->samples->count - first;
    trainer->batch = trainer->order + first;
    trainer->batch_count = (int)i64_min(trainer->options.batch, (int64_t)left);
    double loss = run_batch(trainer);
    parallel_run(trainer->options.threads, update_weights, trainer);
    trainer->step++;
    trainer_refresh(trainer);
    return loss;
}

double trainer_find_gradients(Trainer *trainer, int first, int count) {
    for (int i = 0; i < count; i++) {
        trainer->order[i] = (uint32_t)(first + i);
    }
    trainer->order_epoch = UINT64_MAX;
    trainer->batch = trainer->order;
    trainer->batch_count = count;
    double loss = run_batch(trainer);
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

typedef struct Evaluation {
    Trainer *trainer;
    const SampleSet *set;
} Evaluation;

static void evaluate_part(void *context, int index) {
    const Evaluation *evaluation = context;
    const Trainer *trainer = evaluation->trainer;
    const SampleSet *set = evaluation->set;
    TrainThread *thread = &evaluation->trainer->threads[index];
    size_t threads = (size_t)trainer->options.threads;
    size_t end = set->count * (size_t)(index + 1) / threads;
    thread->loss = 0;
    for (size_t start = set->count * (size_t)index / threads; start < end; start += MICRO) {
        int count = (int)i64_min(MICRO, (int64_t)(end - start));
        const Sample *samples[MICRO];
        for (int i = 0; i < count; i++) {
            samples[i] = &set->samples[start + (size_t)i];
        }
        run_forward(trainer, thread, samples, count);
        for (int i = 0; i < count; i++) {
            const float *sums = thread->sums + (size_t)i * VIEWS * GROUP;
            int bucket = bucket_of(&trainer->model, samples[i]);
            double error = sigmoid(run_output(trainer, sums, bucket)) -
                           target_of(&trainer->options, samples[i]);
            thread->loss += error * error;
        }
    }
}

double trainer_evaluate(Trainer *trainer, const SampleSet *set) {
    if (set->count == 0) {
        return 0;
    }
    Evaluation evaluation = {trainer, set};
    parallel_run(trainer->options.threads, evaluate_part, &evaluation);
    double loss = 0;
    for (int i = 0; i < trainer->options.threads; i++) {
        loss += trainer->threads[i].loss;
    }
    return loss / (double)set->count;
}

double trainer_output(const Trainer *trainer, const Sample *sample) {
    TrainThread *thread = &trainer->threads[0];
    run_forward(trainer, thread, &sample, 1);
    return run_output(trainer, thread->sums, bucket_of(&trainer->model, sample));
}
