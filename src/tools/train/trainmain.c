/* trainmain.c: komadori-train: makes a network from files of games. See docs/training.md. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buildinfo.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/fileio.h"
#include "eval/netfile.h"
#include "komadori/version.h"
#include "rules/rules.h"
#include "tools/train/checkpoint.h"
#include "tools/train/netcheck.h"
#include "tools/train/scalefit.h"
#include "tools/train/trainargs.h"

enum { SAVE_MS = 60000, SHOW_MS = 1000, CHECK_POSITIONS = 10000 };
enum { USUAL_HIDDEN = 256, USUAL_BUCKETS = NNUE_MOST_BUCKETS };

/* One training and what it has to tell. */
typedef struct Run {
    TrainArgs args;
    const FloatKernels *kernels;
    SampleData data;
    Trainer trainer;
    Progress progress;
    CheckpointKey key; /* where there is a checkpoint */
    int64_t start_ms;
    uint64_t start_step;
    int64_t saved_ms;
    int64_t shown_ms;
} Run;

static int fail(const char *what, const char *why) {
    fprintf(stderr, "komadori-train: %s: %s\n", what, why);
    return 1;
}

/* ---- before ---------------------------------------------------------------------------------- */

static bool is_input(const TrainArgs *args, const char *path) {
    bool is_one = args->warm != NULL && file_is_same(path, args->warm);
    for (int i = 0; i < args->file_count; i++) {
        is_one = is_one || file_is_same(path, args->files[i]);
    }
    return is_one;
}

/* Why `path` is not to be written; NULL when it may be. What is written must not cost a file that
 * somebody wants to keep, and what cannot be written must not cost a training. Where `--out` stands
 * before a pattern of names, the first of them is the output. */
static const char *output_fault(const TrainArgs *args, const char *path) {
    if (is_input(args, path)) {
        return "is an input, and would be overwritten";
    }
    if (file_begins_with(path, SV(PACK_MAGIC))) {
        return "holds games, and would be overwritten";
    }
    int error = file_check_write(path);
    return error != 0 ? file_error_text(error) : NULL;
}

static bool check_outputs(const TrainArgs *args) {
    const char *outputs[] = {args->out, args->checkpoint, args->curve};
    for (size_t i = 0; i < COUNTOF(outputs); i++) {
        const char *fault = outputs[i] != NULL ? output_fault(args, outputs[i]) : NULL;
        if (fault != NULL) {
            fail(outputs[i], fault);
            return false;
        }
    }
    if (args->checkpoint != NULL && !args->resumes && access(args->checkpoint, F_OK) == 0) {
        fail(args->checkpoint, "is there already; go on from it with --resume, or remove it");
        return false;
    }
    return true;
}

/* Adds the games of a file, and tells what of it is damaged. */
static bool load_file(Run *run, const char *path) {
    SampleData *data = &run->data;
    uint64_t bytes = data->damaged_bytes;
    uint64_t blocks = data->bad_blocks;
    const char *why;
    if (!samples_load(data, path, &run->args.load, &why)) {
        fail(path, why);
        return false;
    }
    bytes = data->damaged_bytes - bytes;
    blocks = data->bad_blocks - blocks;
    if (bytes > 0 || blocks > 0) {
        printf("%s: skipped: %llu damaged bytes, %llu blocks that make no sense\n", path,
               (unsigned long long)bytes, (unsigned long long)blocks);
    }
    return true;
}

static bool load_games(Run *run) {
    int64_t start = clock_ms();
    for (int i = 0; i < run->args.file_count; i++) {
        if (!load_file(run, run->args.files[i])) {
            return false;
        }
    }
    const SampleData *data = &run->data;
    printf("%llu games, %llu positions; %zu samples and %zu held out, in %.1f s\n",
           (unsigned long long)data->games, (unsigned long long)data->positions, data->train.count,
           data->held_out.count, (double)(clock_ms() - start) / 1000);
    if (data->train.count == 0) {
        fail("data", "no samples in it");
    }
    return data->train.count > 0;
}

static const FloatKernels *choose_kernels(const char *name) {
    uint32_t features = cpu_features();
    if (name == NULL) {
        return fkernels_choose(features);
    }
    for (int i = 0; fkernels_get(i) != NULL; i++) {
        const FloatKernels *kernels = fkernels_get(i);
        if (strcmp(kernels->name, name) == 0 && (kernels->needs & ~features) == 0) {
            return kernels;
        }
    }
    return NULL;
}

/* A network to start from brings its scale along. */
static bool make_model(TrainArgs *args, Model *model) {
    if (args->warm == NULL) {
        model_create(model, args->hidden > 0 ? args->hidden : USUAL_HIDDEN,
                     args->buckets > 0 ? args->buckets : USUAL_BUCKETS);
        model_randomize(model, args->train.seed);
        return true;
    }
    NnueNet *net = NULL;
    int system_error;
    NetError error = net_load(args->warm, &net, &system_error);
    if (error != NET_OK) {
        fail(args->warm, net_load_error_text(error, system_error));
        return false;
    }
    bool is_fitting = (args->hidden == 0 || args->hidden == net->hidden) &&
                      (args->buckets == 0 || args->buckets == net->buckets);
    if (is_fitting) {
        model_from_net(model, net);
        args->train.scale = args->train.scale > 0 ? args->train.scale : net->scale;
    } else {
        fail(args->warm, "not of the shape that --hidden and --buckets ask for");
    }
    net_free(net);
    return is_fitting;
}

/* What costs little is tried first: games may take minutes to read. */
static bool prepare(Run *run) {
    TrainArgs *args = &run->args;
    Model model;
    if (!make_model(args, &model)) {
        return false;
    }
    if (!load_games(run)) {
        model_free(&model);
        return false;
    }
    if (args->train.scale == 0) {
        args->train.scale = round(scalefit(&run->data.train));
        printf("scale fitted to the results: %.0f centipawns\n", args->train.scale);
        if (scalefit_is_at_bound(args->train.scale)) {
            printf("which is as far as it was looked for: the results do not tell the scale; "
                   "give --scale\n");
        }
    }
    trainer_init(&run->trainer, &args->train, run->kernels, &run->data.train, model);
    printf("%d hidden sums, %d outputs, %zu parameters; %s kernels, %d threads; %llu steps of %d\n",
           model.hidden, model.buckets, model.count, run->kernels->name, args->train.threads,
           (unsigned long long)trainer_total_steps(&run->trainer), args->train.batch);
    return true;
}

/* False where the checkpoint is there and cannot be gone on from: the next one would take the place
 * of a file that may be worth more. */
static bool take_up(Run *run) {
    const char *path = run->args.checkpoint;
    if (path != NULL) {
        run->key = checkpoint_key(&run->trainer);
    }
    if (!run->args.resumes) {
        return true;
    }
    CheckpointError error = checkpoint_load(path, &run->key, &run->trainer, &run->progress);
    if (error != CHECKPOINT_OK && error != CHECKPOINT_ABSENT) {
        fail(path, checkpoint_error_text(error));
        return false;
    }
    printf("checkpoint %s: %s\n", path,
           error == CHECKPOINT_OK ? "taken up" : checkpoint_error_text(error));
    return true;
}

/* ---- while ----------------------------------------------------------------------------------- */

/* There may be fewer samples than a batch asks for. */
static double samples_per_step(const Run *run) {
    return (double)i64_min(run->args.train.batch, (int64_t)run->data.train.count);
}

static double samples_per_second(const Run *run) {
    double seconds = (double)(clock_ms() - run->start_ms + 1) / 1000;
    double steps = (double)(run->trainer.step - run->start_step);
    return steps * samples_per_step(run) / seconds;
}

static double seconds_left(const Run *run) {
    double steps = (double)(trainer_total_steps(&run->trainer) - run->trainer.step);
    return steps * samples_per_step(run) / fmax(samples_per_second(run), 1);
}

/* The line of the epoch that runs, where there is a terminal. */
static void show_progress(Run *run) {
    int64_t now = clock_ms();
    if (!isatty(STDOUT_FILENO) || now < run->shown_ms + SHOW_MS) {
        return;
    }
    run->shown_ms = now;
    printf("\r%7llu steps  %.6f  %9.0f samples/s  %6.0f s left ",
           (unsigned long long)run->trainer.step,
           run->progress.epoch_loss / (double)int_max(1, (int)run->progress.epoch_batches),
           samples_per_second(run), seconds_left(run));
    fflush(stdout);
}

static void draw_curve(const Run *run) {
    if (run->args.curve == NULL) {
        return;
    }
    StrBuf picture = STRBUF_INIT;
    curve_draw(&run->progress.curve, &picture);
    int error = file_write(run->args.curve, picture.ptr, picture.len);
    if (error != 0) {
        fail(run->args.curve, file_error_text(error));
    }
    strbuf_free(&picture);
}

static void save_state(Run *run) {
    run->saved_ms = clock_ms();
    if (run->args.checkpoint == NULL) {
        return;
    }
    int error = checkpoint_save(run->args.checkpoint, &run->key, &run->trainer, &run->progress);
    if (error != 0) {
        fail(run->args.checkpoint, file_error_text(error));
    }
}

static void end_epoch(Run *run) {
    Progress *progress = &run->progress;
    CurvePoint point = {.train = progress->epoch_loss / (double)progress->epoch_batches,
                        .held_out = trainer_evaluate(&run->trainer, &run->data.held_out)};
    curve_add(&progress->curve, point);
    progress->epoch_loss = 0;
    progress->epoch_batches = 0;
    uint64_t epoch = run->trainer.step / trainer_batches_per_epoch(&run->trainer);
    printf("%s%5llu  %.6f  %.6f  %9.0f  %6.0f\n", isatty(STDOUT_FILENO) ? "\r\033[K" : "",
           (unsigned long long)epoch, point.train, point.held_out, samples_per_second(run),
           seconds_left(run));
    fflush(stdout);
    draw_curve(run);
    save_state(run);
}

static void train(Run *run) {
    uint64_t batches = trainer_batches_per_epoch(&run->trainer);
    uint64_t total = trainer_total_steps(&run->trainer);
    run->start_ms = clock_ms();
    run->saved_ms = run->start_ms;
    run->start_step = run->trainer.step;
    printf("epoch  training  held out  samples/s  s left\n");
    while (run->trainer.step < total) {
        run->progress.epoch_loss += trainer_step(&run->trainer);
        run->progress.epoch_batches++;
        if (run->trainer.step % batches == 0) {
            end_epoch(run);
        } else if (clock_ms() > run->saved_ms + SAVE_MS) {
            save_state(run);
        }
        show_progress(run);
    }
}

static int measure_speed(Run *run) {
    run->start_ms = clock_ms();
    int64_t cpu = clock_cpu_ns();
    for (int i = 0; i < run->args.rate_check; i++) {
        trainer_step(&run->trainer);
    }
    double cpu_seconds = (double)(clock_cpu_ns() - cpu) / 1e9;
    printf("%.0f samples/s, %.0f per second of processor time\n", samples_per_second(run),
           run->args.rate_check * samples_per_step(run) / cpu_seconds);
    return 0;
}

/* ---- after ----------------------------------------------------------------------------------- */

static int write_net(Run *run) {
    NnueNet *net = model_to_net(&run->trainer.model, (int)run->args.train.scale);
    const SampleSet *held_out = &run->data.held_out;
    NetCheck check = netcheck_run(
        &run->trainer, net, held_out->count > 0 ? held_out : &run->data.train, CHECK_POSITIONS);
    printf("integers against floating point, %d positions: mean %.2f, most %.2f centipawns, "
           "%d differ by more than 3\n",
           check.count, check.mean, check.most, check.beyond);
    StrBuf bytes = STRBUF_INIT;
    net_write(net, &bytes);
    int error = file_write(run->args.out, bytes.ptr, bytes.len);
    if (error == 0) {
        printf("network %016llx written to %s, %zu bytes\n", (unsigned long long)net->id,
               run->args.out, bytes.len);
    }
    strbuf_free(&bytes);
    net_free(net);
    return error == 0 ? 0 : fail(run->args.out, file_error_text(error));
}

static int train_and_write(Run *run) {
    if (!take_up(run)) {
        return 1;
    }
    train(run);
    return write_net(run);
}

int main(int argc, char **argv) {
    static Run run;
    const char *wrong = NULL;
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("komadori-train %s\nbuild    %s\nkernels  %s\n", KMD_VERSION, buildinfo_text(),
               fkernels_choose(cpu_features())->name);
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(trainargs_usage, stdout);
        return 0;
    }
    if (!trainargs_read(&run.args, argc, (const char *const *)argv, &wrong)) {
        fprintf(stderr, "komadori-train: missing or wrong: %s\n%s", wrong, trainargs_usage);
        return 2;
    }
    run.kernels = choose_kernels(run.args.kernels);
    if (run.kernels == NULL) {
        fail(run.args.kernels, "no such kernels on this processor");
        return 2;
    }
    bool only_measures = run.args.rate_check > 0;
    if (!only_measures && !check_outputs(&run.args)) {
        return 1;
    }
    rules_init();
    samples_init();
    int status = 1;
    if (prepare(&run)) {
        status = only_measures ? measure_speed(&run) : train_and_write(&run);
        trainer_free(&run.trainer);
    }
    samples_free(&run.data);
    return status;
}
