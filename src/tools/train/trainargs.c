#include "tools/train/trainargs.h"

#include "base/cpu.h"

const char trainargs_usage[] =
    "usage: komadori-train --out NET [option ...] GAMES ...\n"
    "\n"
    "  --hidden N        hidden sums per view, a multiple of 32 (256)\n"
    "  --buckets N       outputs, 1 or 8 (8)\n"
    "  --epochs N        passes over the data (10)\n"
    "  --batch N         samples per step (16384)\n"
    "  --rate X          highest learning rate (0.001)\n"
    "  --rate-end X      learning rate at the end of the cosine (0.00002)\n"
    "  --rounded X       share of the steps, at the end, with weights rounded as for integers "
    "(0.2)\n"
    "  --decay X         weight decay of AdamW (0.01)\n"
    "  --wdl X           share of the game's result in the target, 0 to 1 (0.3)\n"
    "  --lookahead X     share of the next position's score in that of a position, 0 to 1 (0)\n"
    "  --scale N         centipawns per unit of the sigmoid; 0: that of --warm, else fit to the "
    "data (0)\n"
    "  --held-out N      hold out one game in N; 0: none (50)\n"
    "  --no-leaves       take positions as they are, not the leaf of their captures\n"
    "  --warm NET        start from a network and take its shape over\n"
    "  --checkpoint FILE keep the state here, in a file that is not there yet\n"
    "  --resume          go on from the checkpoint, if there is one\n"
    "  --curve FILE      draw the losses as an SVG picture\n"
    "  --threads N       (all processors)\n"
    "  --seed N          (1)\n"
    "  --kernels NAME    plain, avx2 or avx512 (the fastest)\n"
    "  --speed N         only measure the speed over N steps\n";

/* One option with a value. */
typedef struct ArgSpec {
    const char *name;
    int *number; /* one of these three is where it goes */
    double *fraction;
    const char **text;
    double low;
    double high;
} ArgSpec;

static bool read_value(const ArgSpec *spec, const char *word) {
    if (spec->text != NULL) {
        *spec->text = word;
        return word[0] != '\0';
    }
    if (spec->number != NULL) {
        return sv_to_int(sv_from(word), (int)spec->low, (int)spec->high, spec->number);
    }
    return sv_to_double(sv_from(word), spec->low, spec->high, spec->fraction);
}

static bool read_named(TrainArgs *args, const char *name, const char *word) {
    int seed = (int)args->train.seed;
    int scale = (int)args->train.scale;
    const ArgSpec specs[] = {
        {"--hidden", &args->hidden, NULL, NULL, NNUE_HIDDEN_STEP, NNUE_MOST_HIDDEN},
        {"--buckets", &args->buckets, NULL, NULL, 1, NNUE_MOST_BUCKETS},
        {"--epochs", &args->train.epochs, NULL, NULL, 1, 10000},
        {"--batch", &args->train.batch, NULL, NULL, 1, 1 << 20},
        {"--rate", NULL, &args->train.rate, NULL, 0, 1},
        {"--rate-end", NULL, &args->train.rate_end, NULL, 0, 1},
        {"--rounded", NULL, &args->train.rounded, NULL, 0, 1},
        {"--decay", NULL, &args->train.decay, NULL, 0, 10},
        {"--wdl", NULL, &args->train.result_share, NULL, 0, 1},
        {"--lookahead", NULL, &args->load.lookahead, NULL, 0, 1},
        {"--scale", &scale, NULL, NULL, 0, NNUE_MOST_SCALE},
        {"--held-out", &args->load.held_out, NULL, NULL, 0, 1000000},
        {"--warm", NULL, NULL, &args->warm, 0, 0},
        {"--checkpoint", NULL, NULL, &args->checkpoint, 0, 0},
        {"--curve", NULL, NULL, &args->curve, 0, 0},
        {"--threads", &args->train.threads, NULL, NULL, 1, 512},
        {"--seed", &seed, NULL, NULL, 0, 1 << 30},
        {"--kernels", NULL, NULL, &args->kernels, 0, 0},
        {"--speed", &args->rate_check, NULL, NULL, 1, 1 << 30},
        {"--out", NULL, NULL, &args->out, 0, 0},
    };
    for (size_t i = 0; i < COUNTOF(specs); i++) {
        if (sv_equal(sv_from(specs[i].name), sv_from(name))) {
            bool is_read = word != NULL && read_value(&specs[i], word);
            args->train.seed = (uint64_t)seed;
            args->train.scale = scale;
            return is_read;
        }
    }
    return false;
}

static void set_defaults(TrainArgs *args) {
    *args = (TrainArgs){.hidden = 0};
    args->train = (TrainOptions){.batch = 16384,
                                 .epochs = 10,
                                 .threads = cpu_cores(),
                                 .rate = 0.001,
                                 .rate_end = 0.00002,
                                 .warm_up = 0.02,
                                 .rounded = 0.2,
                                 .decay = 0.01,
                                 .result_share = 0.3,
                                 .seed = 1};
    args->load = (LoadOptions){.held_out = 50, .has_leaves = true};
}

static bool has_late_option(const TrainArgs *args) {
    bool is_found = false;
    for (int i = 0; i < args->file_count; i++) {
        is_found = is_found || sv_starts_with(sv_from(args->files[i]), SV("--"));
    }
    return is_found;
}

bool trainargs_read(TrainArgs *args, int argc, const char *const *argv, const char **wrong) {
    set_defaults(args);
    int at = 1;
    for (; at < argc && argv[at][0] == '-'; at++) {
        *wrong = argv[at];
        StrView name = sv_from(argv[at]);
        if (sv_equal(name, SV("--resume"))) {
            args->resumes = true;
        } else if (sv_equal(name, SV("--no-leaves"))) {
            args->load.has_leaves = false;
        } else if (read_named(args, argv[at], at + 1 < argc ? argv[at + 1] : NULL)) {
            at++;
        } else {
            return false;
        }
    }
    args->load.threads = args->train.threads;
    args->files = argv + at;
    args->file_count = argc - at;
    if (has_late_option(args)) {
        *wrong = "the order (options stand before GAMES)";
        return false;
    }
    *wrong = args->file_count == 0 ? "GAMES" : "--out";
    bool has_shape = args->hidden % NNUE_HIDDEN_STEP == 0 &&
                     (args->buckets <= 1 || args->buckets == NNUE_MOST_BUCKETS);
    *wrong = has_shape ? *wrong : "--hidden or --buckets";
    bool has_state = args->checkpoint != NULL || !args->resumes;
    *wrong = has_state ? *wrong : "--resume without --checkpoint";
    return has_shape && has_state && args->file_count > 0 &&
           (args->out != NULL || args->rate_check > 0);
}
