#include "tools/train/trainargs.h"

#include "base/machine.h"

const char trainargs_usage[] =
    "usage: komadori-train --out NET [option ...] [--weight X] GAMES ...\n"
    "\n"
    "  --hidden N        hidden sums per view, a multiple of 32 (256)\n"
    "  --buckets N       outputs, 1 or 8 (8)\n"
    "  --layers          layers behind the sums; with --warm of a plain network of half as many "
    "sums "
    "they begin by saying what it says\n"
    "  --epochs N        passes over the data (10)\n"
    "  --batch N         samples per step (16384)\n"
    "  --rate X          highest learning rate (0.001)\n"
    "  --rate-end X      learning rate at the end of the cosine (0.00002)\n"
    "  --rounded X       share of the steps, at the end, with weights rounded as for integers "
    "(0.2)\n"
    "  --decay X         weight decay of AdamW (0.01)\n"
    "  --wdl X[:Y]       share of the game's result in the target, 0 to 1, or rising from X to Y "
    "(0.3)\n"
    "  --lookahead X     share of the next position's score in that of a position, 0 to 1 (0)\n"
    "  --scale N         centipawns per unit of the sigmoid; 0: that of --warm, else fit to the "
    "data (0)\n"
    "  --held-out N      hold out one game in N; 0: none (50)\n"
    "  --no-leaves       take positions as they are, not the leaf of their captures\n"
    "  --skip-captures   leave out positions with captures that win material\n"
    "  --skip-plies N    leave out so many plies of each game (0)\n"
    "  --most-score N    leave out positions beyond, mates apart (20000)\n"
    "  --skip-duplicates leave out positions that the buffer has already\n"
    "  --buffer N        samples in memory at once, in thousands (32000)\n"
    "  --weight X        before GAMES: take these so many times in each epoch (1)\n"
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

/* Reads "x" or "x:y". */
static bool read_share(TrainOptions *train, const char *word) {
    StrView text = sv_from(word);
    size_t colon = sv_find_byte(text, ':');
    if (!sv_to_double(sv_take(text, colon), 0, 1, &train->result_share)) {
        return false;
    }
    train->result_share_end = train->result_share;
    return colon == text.len ||
           sv_to_double(sv_skip(text, colon + 1), 0, 1, &train->result_share_end);
}

bool trainargs_weight(const char *word, double *weight) {
    return sv_to_double(sv_from(word), 0, 100, weight);
}

static bool read_named(TrainArgs *args, const char *name, const char *word) {
    int seed = (int)args->feed.seed;
    int scale = (int)args->train.scale;
    const ArgSpec specs[] = {
        {"--hidden", &args->hidden, NULL, NULL, NNUE_HIDDEN_STEP, NNUE_MOST_HIDDEN},
        {"--buckets", &args->buckets, NULL, NULL, 1, NNUE_MOST_BUCKETS},
        {"--epochs", &args->feed.epochs, NULL, NULL, 1, 10000},
        {"--batch", &args->feed.batch, NULL, NULL, 1, 1 << 20},
        {"--rate", NULL, &args->train.rate, NULL, 0, 1},
        {"--rate-end", NULL, &args->train.rate_end, NULL, 0, 1},
        {"--rounded", NULL, &args->train.rounded, NULL, 0, 1},
        {"--decay", NULL, &args->train.decay, NULL, 0, 10},
        {"--skip-plies", &args->feed.load.skip_plies, NULL, NULL, 0, 1000},
        {"--most-score", &args->feed.load.most_score, NULL, NULL, 0, 32767},
        {"--buffer", &args->feed.buffer, NULL, NULL, 1, 1 << 22},
        {"--lookahead", NULL, &args->feed.load.lookahead, NULL, 0, 1},
        {"--scale", &scale, NULL, NULL, 0, NNUE_MOST_SCALE},
        {"--held-out", &args->feed.load.held_out, NULL, NULL, 0, 1000000},
        {"--warm", NULL, NULL, &args->warm, 0, 0},
        {"--checkpoint", NULL, NULL, &args->checkpoint, 0, 0},
        {"--curve", NULL, NULL, &args->curve, 0, 0},
        {"--threads", &args->train.threads, NULL, NULL, 1, 512},
        {"--seed", &seed, NULL, NULL, 0, 1 << 30},
        {"--kernels", NULL, NULL, &args->kernels, 0, 0},
        {"--speed", &args->rate_check, NULL, NULL, 1, 1 << 30},
        {"--out", NULL, NULL, &args->out, 0, 0},
    };
    if (sv_equal(sv_from(name), SV("--wdl"))) {
        return word != NULL && read_share(&args->train, word);
    }
    for (size_t i = 0; i < COUNTOF(specs); i++) {
        if (sv_equal(sv_from(specs[i].name), sv_from(name))) {
            bool is_read = word != NULL && read_value(&specs[i], word);
            args->feed.seed = (uint64_t)seed;
            args->train.scale = scale;
            return is_read;
        }
    }
    return false;
}

static void set_defaults(TrainArgs *args) {
    *args = (TrainArgs){.hidden = 0};
    args->train = (TrainOptions){.threads = cpu_cores(),
                                 .rate = 0.001,
                                 .rate_end = 0.00002,
                                 .warm_up = 0.02,
                                 .rounded = 0.2,
                                 .decay = 0.01,
                                 .result_share = 0.3,
                                 .result_share_end = 0.3};
    args->feed = (FeedOptions){
        .batch = 16384,
        .epochs = 10,
        .buffer = 32000,
        .seed = 1,
        .load = {.held_out = 50, .has_leaves = true, .most_score = 20000},
    };
}

static bool has_late_option(const TrainArgs *args) {
    bool is_found = false;
    for (int i = 0; i < args->file_count; i++) {
        double weight;
        StrView word = sv_from(args->files[i]);
        bool is_weight = sv_equal(word, SV("--weight")) && i + 2 < args->file_count &&
                         trainargs_weight(args->files[i + 1], &weight);
        is_found = is_found || (!is_weight && sv_starts_with(word, SV("--")));
    }
    return is_found;
}

bool trainargs_read(TrainArgs *args, int argc, const char *const *argv, const char **wrong) {
    set_defaults(args);
    int at = 1;
    for (; at < argc && argv[at][0] == '-'; at++) {
        *wrong = argv[at];
        StrView name = sv_from(argv[at]);
        if (sv_equal(name, SV("--weight"))) {
            break;
        }
        if (sv_equal(name, SV("--resume"))) {
            args->resumes = true;
        } else if (sv_equal(name, SV("--no-leaves"))) {
            args->feed.load.has_leaves = false;
        } else if (sv_equal(name, SV("--skip-captures"))) {
            args->feed.load.skips_captures = true;
        } else if (sv_equal(name, SV("--skip-duplicates"))) {
            args->feed.drops_duplicates = true;
        } else if (sv_equal(name, SV("--layers"))) {
            args->is_layered = true;
        } else if (read_named(args, argv[at], at + 1 < argc ? argv[at + 1] : NULL)) {
            at++;
        } else {
            return false;
        }
    }
    args->feed.threads = args->train.threads;
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
