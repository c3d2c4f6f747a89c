/* trainmain.c: komadori-train, which trains a network on game files: its options, the checks before
 * and the reports during the training. See docs/training.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"
#include "base/checksum.h"
#include "base/clock.h"
#include "base/cmdline.h"
#include "base/cpu.h"
#include "base/fileio.h"
#include "base/outguard.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "base/xmem.h"
#include "eval/net.h"
#include "komadori/version.h"
#include "rules/position.h"
#include "train/checkpoint.h"
#include "train/feed.h"
#include "train/samples.h"
#include "train/trainer.h"

enum { SAVE_MS = 60000, SHOW_MS = 1000, CHECK_POSITIONS = 10000, USUAL_HIDDEN = 256 };

/* One game in this many is held out: the loss on these games is printed. */
enum { HELD_OUT = 50 };

typedef struct TrainArgs {
    TrainOptions train; /* scale 0: fit it */
    FeedOptions feed;
    int hidden;             /* hidden sums; 0: not given */
    int scale;              /* value for train.scale; 0: not given */
    const char *out;        /* file for the network */
    const char *warm;       /* network to start from; NULL: none */
    const char *checkpoint; /* NULL: none */
    bool resumes;           /* continue from the checkpoint if it exists */
    Args games;             /* game files */
} TrainArgs;

/* A training run and its reports. */
typedef struct Run {
    TrainArgs args;
    Feed feed;
    Trainer trainer;
    TrainState state;
    CheckpointKey key; /* set if there is a checkpoint */
    int64_t start_ms;
    uint64_t seen;     /* number of samples since start_ms */
    double start_done; /* part of the run that was done at start_ms, 0 to 1 */
    int64_t saved_ms;
    Progress line; /* progress line on a terminal */
} Run;

static int train_fail(const char *what, const char *why) {
    fprintf(stderr, "komadori-train: %s: %s\n", what, why);
    return 1;
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* Reads "x" or "x:y". */
static bool read_result_share(const char *word, void *request) {
    TrainOptions *train = &((TrainArgs *)request)->train;
    StrView text = sv_from(word);
    size_t colon = sv_find_byte(text, ':');
    if (!sv_to_double(sv_prefix(text, colon), 0, 1, &train->result_share)) {
        return false;
    }
    train->result_share_end = train->result_share;
    return colon == text.len ||
           sv_to_double(sv_skip(text, colon + 1), 0, 1, &train->result_share_end);
}

#define AT(kind, member) ARG_AT(TrainArgs, kind, member)

static const ArgOption options[] = {
    {"--out", "NET", AT(ARG_TEXT, out), .help = "network file to write"},
    {"--hidden", "N", AT(ARG_INT, hidden), NNUE_HIDDEN_STEP, NNUE_MAX_HIDDEN,
     .help = "hidden neurons per view, a multiple of 32 (default 256)"},
    {"--warm", "NET", AT(ARG_TEXT, warm), .help = "start from this network and keep its width"},
    {"--epochs", "N", AT(ARG_INT, feed.epochs), 1, 10000, .start = 10,
     .help = "number of passes over the data"},
    {"--batch", "N", AT(ARG_INT, feed.batch), 1, 1 << 20, .start = 16384,
     .help = "samples per step"},
    {"--rate", "X", AT(ARG_FRACTION, train.rate), 0, 1, .start = 0.001,
     .help = "highest learning rate"},
    {"--decay", "X", AT(ARG_FRACTION, train.decay), 0, 10, .start = 0.01,
     .help = "weight decay of AdamW"},
    {"--wdl", "X[:Y]", ARG_OTHER, .read = read_result_share,
     .help = "share of the game's result in the target, 0 to 1; with X:Y, the share rises from X "
             "to Y during training (default 0.3)"},
    {"--lookahead", "X", AT(ARG_FRACTION, feed.load.lookahead), 0, 1, .start = 0,
     .help =
         "share of the next position's score that is mixed into a position's label, recursively"},
    {"--scale", "N", AT(ARG_INT, scale), 0, NNUE_MAX_SCALE, .start = 0,
     .help = "centipawns per unit of the sigmoid; 0 means the scale of the network given by "
             "--warm, or else a scale fitted to the data"},
    {"--average", "X", AT(ARG_FRACTION, train.average_part), 0, 1, .start = 0,
     .help =
         "fraction of the steps, at the end of training, whose mean weights become the network; "
         "0 means the weights after the last step"},
    {"--buffer", "N", AT(ARG_INT, feed.buffer), 1, 1 << 22, .start = 13000,
     .help = "maximum number of samples in memory, in thousands, of 218 bytes each"},
    {"--checkpoint", "FILE", AT(ARG_TEXT, checkpoint),
     .help = "save the state of the training in this file, which must not exist yet"},
    {"--resume", NULL, AT(ARG_FLAG, resumes),
     .help = "continue from the checkpoint, if there is one; with the same number of threads and "
             "on the same kind of processor, the weights are bit-identical to those of an "
             "uninterrupted run"},
    {"--threads", "N", AT(ARG_INT, train.threads), 1, 512, .start = 0,
     .help = "number of threads (default: all processors)"},
    {"--seed", "N", AT(ARG_U64, feed.seed), 0, 1 << 30, .start = 1,
     .help = "seed of the sample order and the initial weights"},
};

static const ArgCommand train_command = {"komadori-train", "GAMES ...",
                                         "Train a network from files of games. A file that is "
                                         "named twice counts twice.",
                                         ARG_OPTIONS(options)};

/* Parses the command line and reorders its words. If it is wrong, returns false with a sentence in
 * *fault. */
static bool read_train_args(TrainArgs *args, Args words, StrBuf *fault) {
    *args = (TrainArgs){.train = {.result_share = 0.3, .result_share_end = 0.3}};
    if (!cmdline_read(&train_command, &words, args, fault)) {
        return false;
    }
    args->games = words;
    args->train.threads = args->train.threads > 0 ? args->train.threads : cpu_cores();
    args->train.scale = args->scale;
    args->feed.threads = args->train.threads;
    args->feed.load.held_out = HELD_OUT;
    const char *wrong = args->hidden % NNUE_HIDDEN_STEP != 0 ? "--hidden must be a multiple of 32"
                        : args->resumes && args->checkpoint == NULL ? "--resume needs --checkpoint"
                        : words.count == 0                          ? "GAMES is missing"
                        : args->out == NULL                         ? "--out is missing"
                                                                    : NULL;
    strbuf_add_str(fault, wrong != NULL ? wrong : "");
    return wrong == NULL;
}

/* ---- before training ------------------------------------------------------------------------- */

/* Files that the user may want are never overwritten, and the outputs are tested before training
 * starts. If `--out` comes before a file pattern, the first file it matches is taken for the
 * output. */
static bool check_train_outputs(const TrainArgs *args) {
    OutFile outputs[] = {{.path = args->out}, {.path = args->checkpoint}};
    for (size_t i = 0; i < COUNTOF(outputs); i++) {
        bool is_games =
            outputs[i].path != NULL && file_begins_with(outputs[i].path, SV(PACK_MAGIC));
        outputs[i].advice = is_games ? "name another file" : NULL;
    }
    if (!args->resumes && outputs[1].advice == NULL) {
        outputs[1].advice = "continue from it with --resume, or remove it";
    }
    StrBuf why = STRBUF_INIT;
    Args inputs = {0, xmem_calloc((size_t)args->games.count + 1, sizeof(*inputs.words))};
    for (int i = 0; i < args->games.count; i++) {
        inputs.words[inputs.count++] = args->games.words[i];
    }
    if (args->warm != NULL) {
        inputs.words[inputs.count++] = args->warm;
    }
    bool is_good = outguard_check(outputs, (int)COUNTOF(outputs), &inputs, &why);
    free(inputs.words);
    if (!is_good) {
        fprintf(stderr, "komadori-train: %s\n", why.ptr);
    }
    strbuf_free(&why);
    return is_good;
}

static bool load_games(Run *run) {
    int64_t start = clock_ms();
    run->args.feed.load.scale = run->args.train.scale;
    feed_init(&run->feed, &run->args.feed);
    for (int i = 0; i < run->args.games.count; i++) {
        const char *path = run->args.games.words[i];
        uint64_t damaged = run->feed.damaged_bytes;
        const char *why;
        if (!feed_add(&run->feed, path, &why)) {
            train_fail(path, why);
            return false;
        }
        damaged = run->feed.damaged_bytes - damaged;
        if (damaged > 0) {
            printf("%s: skipped: %llu damaged bytes\n", path, (unsigned long long)damaged);
        }
    }
    const Feed *feed = &run->feed;
    feed_begin(&run->feed);
    printf("%llu game%s, %llu position%s; %zu samples and %zu held out, in %.1f s\n",
           (unsigned long long)feed->count.games, str_plural(feed->count.games),
           (unsigned long long)feed->count.positions, str_plural(feed->count.positions),
           feed->window.count, feed->held_out.count, (double)(clock_ms() - start) / 1000);
    if (feed->window_end < feed->block_count) {
        printf("loaded %zu of %zu blocks of games; the rest is loaded as the buffer empties\n",
               feed->window_end, feed->block_count);
    }
    if (feed->count.bad_blocks > 0) {
        printf("skipped: %llu invalid blocks\n", (unsigned long long)feed->count.bad_blocks);
    }
    if (feed->window.count == 0) {
        train_fail("data", "contains no samples");
    }
    return feed->window.count > 0;
}

/* Makes the model. If it starts from a network, that network supplies the scale; if another scale
 * was given, the network is converted so that its evaluation in centipawns stays the same. */
static bool make_model(TrainArgs *args, Model *model) {
    if (args->warm == NULL) {
        model_create(model, args->hidden > 0 ? args->hidden : USUAL_HIDDEN);
        model_randomize(model, args->feed.seed);
        return true;
    }
    NnueNet *net = NULL;
    int system_error;
    NetError error = net_load(args->warm, &net, &system_error);
    const char *why = error != NET_OK       ? net_load_error_text(error, system_error)
                      : net->layers != NULL ? "not a network of Komadori's own"
                      : args->hidden != 0 && args->hidden != net->hidden
                          ? "does not have the width given by --hidden"
                          : NULL;
    if (why != NULL) {
        train_fail(args->warm, why);
        net_free(net);
        return false;
    }
    model_from_net(model, net);
    if (args->train.scale > 0) {
        model_rescale(model, (float)(net->scale / args->train.scale));
    } else {
        args->train.scale = net->scale;
    }
    net_free(net);
    return true;
}

/* Prepares the run. Quick checks come first, because reading games may take minutes. */
static bool prepare_training(Run *run) {
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
        args->train.scale = round(samples_fit_scale(&run->feed.window));
        printf("scale fitted to the results: %.0f centipawns\n", args->train.scale);
        if (samples_scale_is_at_bound(args->train.scale)) {
            printf("this is the end of the range: the results do not determine the scale, so give "
                   "--scale\n");
        }
        feed_rescale(&run->feed, args->train.scale);
    }
    const FloatKernels *kernels = fkernels_choose(cpu_features());
    trainer_init(&run->trainer, &args->train, kernels, model);
    printf("%d hidden sums, %zu parameters; %s kernels, %d thread%s; %d epoch%s "
           "in steps of %d\n",
           model.hidden, model.count, kernels->name, args->train.threads,
           str_plural((uint64_t)args->train.threads), args->feed.epochs,
           str_plural((uint64_t)args->feed.epochs), args->feed.batch);
    return true;
}

/* Resumes from the checkpoint. Returns false if the file exists but cannot be used, because the
 * next checkpoint would overwrite a file that may be valuable. */
static bool resume(Run *run) {
    const char *path = run->args.checkpoint;
    if (path != NULL) {
        const Trainer *trainer = &run->trainer; /* with the weights that the training starts from */
        uint64_t start = checksum_fnv(run->feed.plan_key, trainer->exact,
                                      trainer->model.count * sizeof(*trainer->exact));
        run->key = checkpoint_key(trainer, (CheckpointKey){run->feed.key, start});
    }
    if (!run->args.resumes) {
        return true;
    }
    const char *error = checkpoint_load(path, &run->key, &run->trainer, &run->state);
    if (error != NULL && error != checkpoint_absent) {
        train_fail(path, error);
        return false;
    }
    if (error == NULL) {
        feed_seek(&run->feed, &run->state.place);
    }
    printf("checkpoint %s: %s\n", path, error == NULL ? "resumed" : error);
    return true;
}

/* ---- during training ------------------------------------------------------------------------- */

static double samples_per_second(const Run *run) {
    double seconds = (double)(clock_ms() - run->start_ms + 1) / 1000;
    return (double)run->seen / seconds;
}

/* `done` is the part of the run that is over, 0 to 1. */
static double seconds_left(const Run *run, double done) {
    double seconds = (double)(clock_ms() - run->start_ms) / 1000;
    return seconds * (1 - done) / fmax(done - run->start_done, 1e-6);
}

/* Shows the progress line of the current epoch. */
static void show_train_progress(Run *run) {
    if (progress_is_due(&run->line)) {
        progress_show(&run->line, "%7llu steps  %.6f  %9.0f samples/s  %6.0f s left ",
                      (unsigned long long)run->trainer.step,
                      run->state.epoch_loss / (double)int_max(1, (int)run->state.epoch_batches),
                      samples_per_second(run), seconds_left(run, run->trainer.progress));
    }
}

static void save_state(Run *run) {
    run->saved_ms = clock_ms();
    run->state.place = run->feed.place;
    if (run->args.checkpoint == NULL) {
        return;
    }
    int error = checkpoint_save(run->args.checkpoint, &run->key, &run->trainer, &run->state);
    if (error != 0) {
        train_fail(run->args.checkpoint, file_error_text(error));
    }
}

static void end_window(Run *run) {
    TrainState *state = &run->state;
    double epochs = run->args.feed.epochs;
    const Feed *feed = &run->feed;
    bool is_last = feed->window_end == feed->block_count;
    double epoch = is_last ? (double)feed->place.epoch + 1 : run->trainer.progress * epochs;
    double loss = state->epoch_loss / (double)state->epoch_batches;
    Losses losses = trainer_evaluate(&run->trainer, &feed->held_out);
    state->epoch_loss = 0;
    state->epoch_batches = 0;
    progress_clear(&run->line);
    printf("%5.4g  %.6f  %.6f  %9.0f  %6.0f ", epoch, loss, losses.all, samples_per_second(run),
           seconds_left(run, epoch / epochs));
    for (int i = 0; i < NNUE_MAX_BUCKETS; i++) {
        printf(" %.4f", losses.phase[i]);
    }
    printf("\n");
    fflush(stdout);
    save_state(run);
}

static void train(Run *run) {
    run->start_ms = clock_ms();
    run->saved_ms = run->start_ms;
    run->start_done = run->trainer.progress;
    bool is_terminal = terminal_has_codes(STDOUT_FILENO, getenv("TERM"));
    progress_begin(&run->line, is_terminal ? stdout : NULL, is_terminal, 0, SHOW_MS);
    printf("epoch  training  held out  samples/s  s left  held out by phase\n");
    Batch batch;
    while (feed_next(&run->feed, &batch)) {
        run->state.epoch_loss += trainer_step(&run->trainer, &batch);
        run->state.epoch_batches++;
        run->seen += (uint64_t)batch.count;
        if (feed_is_window_over(&run->feed)) {
            end_window(run);
        } else if (clock_ms() > run->saved_ms + SAVE_MS) {
            save_state(run);
        }
        show_train_progress(run);
    }
    trainer_finish(&run->trainer);
}

/* ---- after training -------------------------------------------------------------------------- */

static int write_net(Run *run) {
    NnueNet *net = model_to_net(&run->trainer.model, (int)run->args.train.scale);
    const SampleSet *held_out = &run->feed.held_out;
    NetDifference check = trainer_compare_net(
        &run->trainer, net, held_out->count > 0 ? held_out : &run->feed.window, CHECK_POSITIONS);
    printf("integer and floating-point scores of %d positions differ by %.2f centipawns on "
           "average, %.2f at most, by more than 3 in %d\n",
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
    return error == 0 ? 0 : train_fail(run->args.out, file_error_text(error));
}

/* Handles version, help and manual. */
static bool answer_request(const Args *words) {
    const ArgCommand *list[] = {&train_command, NULL};
    StrBuf text = STRBUF_INIT;
    bool is_alone = words->count == 1;
    StrView word = is_alone ? sv_from(words->words[0]) : SV("");
    if (sv_equal(word, SV("--version"))) {
        strbuf_addf(&text, "komadori-train %s\nbuild    %s\nkernels  %s\n", KMD_VERSION,
                    base_build_text(), fkernels_choose(cpu_features())->name);
    }
    bool is_asked = text.len > 0 || cmdline_answer(list, NULL, words, &text);
    fputs(text.ptr != NULL ? text.ptr : "", stdout);
    strbuf_free(&text);
    return is_asked;
}

int main(int argc, char **argv) {
    static Run run;
    Args words = {argc - 1, (const char **)argv + 1};
    if (answer_request(&words)) {
        /* Failing to print is an error if nothing else was requested. */
        return file_finish_stdout("komadori-train", 0);
    }
    StrBuf fault = STRBUF_INIT;
    if (!read_train_args(&run.args, words, &fault)) {
        fprintf(stderr, "komadori-train: %s; --help lists the options\n", fault.ptr);
        strbuf_free(&fault);
        return 2;
    }
    strbuf_free(&fault);
    if (!check_train_outputs(&run.args)) {
        return 1;
    }
    pos_init_tables();
    samples_init();
    int status = 1;
    if (prepare_training(&run)) {
        if (resume(&run)) {
            train(&run);
            status = write_net(&run);
        }
        trainer_free(&run.trainer);
    }
    feed_free(&run.feed);
    return status;
}
