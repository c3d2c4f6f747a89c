/* trainargs.c: the table of options, and checks that involve several of them. */
#include "train/trainargs.h"

#include "base/cpu.h"
#include "train/trainer.h"

/* Reads "x" or "x:y". */
static bool read_share(const char *word, void *request) {
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

/* Rejects "--weight" as an ordinary option. trainargs_read handles the weights of game files
 * before. */
static bool refuse_weight(const char *word, void *request) {
    (void)word, (void)request;
    return false;
}

#define AT(kind, member) ARG_AT(TrainArgs, kind, member)

static const ArgOption options[] = {
    {"--out", "NET", AT(ARG_TEXT, out), .help = "network file to write"},
    {"--hidden", "N", AT(ARG_INT, hidden), NNUE_HIDDEN_STEP, NNUE_MAX_HIDDEN,
     .help = "hidden neurons per view, a multiple of 32 (default 256)"},
    {"--buckets", "N", AT(ARG_INT, buckets), 1, NNUE_MAX_BUCKETS,
     .help = "number of outputs, 1 or 8 (default 8)"},
    {"--epochs", "N", AT(ARG_INT, feed.epochs), 1, 10000, .start = 10,
     .help = "number of passes over the data"},
    {"--batch", "N", AT(ARG_INT, feed.batch), 1, 1 << 20, .start = 16384,
     .help = "samples per step"},
    {"--rate", "X", AT(ARG_FRACTION, train.rate), 0, 1, .start = 0.001,
     .help = "highest learning rate"},
    {"--rate-end", "X", AT(ARG_FRACTION, train.rate_end), 0, 1, .start = 0.00002,
     .help = "learning rate at the end of the cosine"},
    {"--rounded", "X", AT(ARG_FRACTION, train.rounded), 0, 1, .start = 0.2,
     .help = "fraction of the steps, at the end of training, that use rounded weights"},
    {"--average", "X", AT(ARG_FRACTION, train.average), 0, 1, .start = 0,
     .help =
         "fraction of the steps, at the end of training, whose mean weights become the network; "
         "0 means the weights after the last step"},
    {"--decay", "X", AT(ARG_FRACTION, train.decay), 0, 10, .start = 0.01,
     .help = "weight decay of AdamW"},
    {"--wdl", "X[:Y]", ARG_OTHER, .read = read_share,
     .help = "share of the game's result in the target, 0 to 1; with X:Y, the share rises from X "
             "to Y during training (default 0.3)"},
    {"--lookahead", "X", AT(ARG_FRACTION, feed.load.lookahead), 0, 1, .start = 0,
     .help =
         "share of the next position's score that is mixed into a position's label, recursively"},
    {"--scale", "N", AT(ARG_INT, scale), 0, NNUE_MAX_SCALE, .start = 0,
     .help = "centipawns per unit of the sigmoid; 0 means the scale of the network given by "
             "--warm, or else a scale fitted to the data"},
    {"--held-out", "N", AT(ARG_INT, feed.load.held_out), 0, 1000000, .start = 50,
     .help = "hold out one game in N for validation; 0 means none"},
    {"--no-leaves", NULL, AT(ARG_NO, feed.load.plays_captures),
     .help = "use each position itself, not the position at the end of its captures"},
    {"--most-score", "N", AT(ARG_INT, feed.load.most_score), 0, 32767, .start = 20000,
     .help = "skip positions whose score is further from 0 than this, except mates"},
    {"--buffer", "N", AT(ARG_INT, feed.buffer), 1, 1 << 22, .start = 13000,
     .help = "maximum number of samples in memory, in thousands"},
    {"--weight", "X", ARG_OTHER, .read = refuse_weight,
     .help = "use the files after this option X times per epoch, 0 to 100 (default 1)"},
    {"--warm", "NET", AT(ARG_TEXT, warm), .help = "start from this network and keep its shape"},
    {"--keep-threats", NULL, AT(ARG_FLAG, train.keeps_threats),
     .help = "do not change the weights of threat inputs; only with --warm"},
    {"--keep-inputs", NULL, AT(ARG_FLAG, train.keeps_inputs),
     .help = "change only the outputs and the small layers; only with --warm"},
    {"--small-layers", NULL, AT(ARG_FLAG, has_small),
     .help = "give the network two small layers over its hidden neurons; one that --warm names may "
             "lack or have them"},
    {"--checkpoint", "FILE", AT(ARG_TEXT, checkpoint),
     .help = "save the state of the training in this file, which must not exist yet"},
    {"--resume", NULL, AT(ARG_FLAG, resumes),
     .help = "continue from the checkpoint, if there is one; with the same number of threads and "
             "the same kernels, the weights are bit-identical to those of an uninterrupted run"},
    {"--threads", "N", AT(ARG_INT, train.threads), 1, 512, .start = 0,
     .help = "number of threads (default: all processors)"},
    {"--seed", "N", AT(ARG_U64, feed.seed), 0, 1 << 30, .start = 1,
     .help = "seed of the sample order and the initial weights"},
    {"--kernels", "plain|avx2|avx512", AT(ARG_TEXT, kernels),
     .help = "kernels to use (default: the fastest)"},
    {"--speed", "N", AT(ARG_INT, rate_check), 1, 1 << 30, .start = 0,
     .help = "train for N steps only to measure the speed"},
};

const ArgCommand trainargs_command = {"komadori-train", "GAMES ...",
                                      "Train a network from files of games.", ARG_OPTIONS(options)};

bool trainargs_weight(const char *word, double *weight) {
    return sv_to_double(sv_from(word), 0, 100, weight);
}

static bool is_weight(const char *word) {
    return sv_equal(sv_from(word), SV("--weight"));
}

/* After the first "--weight" only game files and weights may follow. */
static bool check_weights(const Args *words, StrBuf *fault) {
    double weight;
    for (int i = 0; i < words->count; i++) {
        if (is_weight(words->words[i]) && i + 2 < words->count &&
            trainargs_weight(words->words[i + 1], &weight)) {
            i++;
        } else if (sv_starts_with(sv_from(words->words[i]), SV("--"))) {
            strbuf_add_str(fault, is_weight(words->words[i])
                                      ? "--weight needs a number from 0 to 100, and games"
                                      : "options must come before --weight");
            return false;
        }
    }
    return true;
}

bool trainargs_read(TrainArgs *args, Args words, StrBuf *fault) {
    int first = 0;
    while (first < words.count && !is_weight(words.words[first])) {
        first++;
    }
    Args plain = {first, words.words};
    Args weighted = {words.count - first, words.words + first};
    *args = (TrainArgs){.train = {.warm_up = 0.02, .result_share = 0.3, .result_share_end = 0.3}};
    if (!cmdline_read(&trainargs_command, &plain, args, fault) ||
        !check_weights(&weighted, fault)) {
        return false;
    }
    for (int i = 0; i < weighted.count; i++) {
        words.words[plain.count + i] = weighted.words[i];
    }
    args->files = words.words;
    args->file_count = plain.count + weighted.count;
    args->train.threads = args->train.threads > 0 ? args->train.threads : cpu_cores();
    args->train.scale = args->scale;
    args->feed.threads = args->train.threads;
    const char *wrong = NULL;
    if (args->hidden % NNUE_HIDDEN_STEP != 0) {
        wrong = "--hidden must be a multiple of 32";
    } else if (args->buckets > 1 && args->buckets != NNUE_MAX_BUCKETS) {
        wrong = "--buckets must be 1 or 8";
    } else if (args->resumes && args->checkpoint == NULL) {
        wrong = "--resume needs --checkpoint";
    } else if (args->train.keeps_threats && args->warm == NULL) {
        wrong = "--keep-threats needs --warm";
    } else if (args->train.keeps_inputs && args->warm == NULL) {
        wrong = "--keep-inputs needs --warm";
    } else if (args->file_count == 0) {
        wrong = "GAMES is missing";
    } else if (args->out == NULL && args->rate_check == 0) {
        wrong = "--out is missing";
    }
    strbuf_add_str(fault, wrong != NULL ? wrong : "");
    return wrong == NULL;
}
