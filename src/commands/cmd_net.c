/* cmd_net.c: the commands `net` and `eval`: describe and test networks, and evaluate positions.
 *
 * `net test` predicts the results of games. A score says who is better; divided by a scale and put
 * through the sigmoid it forecasts the result. Its log loss is -log of the probability that it gave
 * to what happened: 0.693 for a score that knows nothing. Positions of one game share its result,
 * so standard errors treat each game as one observation ("clustered"). Each search begins with
 * empty tables, so the numbers depend neither on the order of the positions nor on the number of
 * threads. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "base/xmem.h"
#include "commands/commands.h"
#include "engine/evalfile.h"
#include "engine/output.h"
#include "eval/arch.h"
#include "eval/handwritten.h"
#include "eval/layers.h"
#include "eval/net.h"
#include "eval/nnue.h"
#include "record/kifuio.h"
#include "rules/outcome.h"
#include "rules/usimove.h"
#include "search/pool.h"

enum { MAX_NETS = 8, MAX_NODES = 100000000, MAX_THREADS = 512 };

/* ---- net ------------------------------------------------------------------------------------- */

enum { NET_INFO, NET_TEST, NET_EVAL };

typedef struct NetArgs {
    int verb;                   /* NET_INFO ... NET_EVAL; -1: not given */
    const char *nets[MAX_NETS]; /* as in the option EvalFile; none: the session's */
    int net_count;
    int nodes; /* nodes of the search of each position; 0: no searches */
    int threads;
    int every; /* take one position in this many */
} NetArgs;

static bool read_net(const char *word, void *args) {
    NetArgs *net = args;
    if (word[0] == '\0' || net->net_count == MAX_NETS) {
        return false;
    }
    net->nets[net->net_count++] = word;
    return true;
}

#define AT(kind, member) ARG_AT(NetArgs, kind, member)

static const ArgOption net_options[] = {
    {"VERB", "info|test|eval", AT(ARG_CHOICE, verb), .start = -1,
     .help = "info: describe the network. test: print how well the scores of positions predict the "
             "results of games. eval: print the output before any scale, the value and the score "
             "in centipawns of each position, separated by tabs"},
    {"--net", "FILE", ARG_OTHER, .read = read_net,
     .help =
         "network to use for test and eval, or <handwritten> for test, for which several may be "
         "given, which are compared with the first; FILE@24 sets its FV_SCALE"},
    {"--nodes", "N", AT(ARG_INT, nodes), 1, MAX_NODES,
     .help = "test: search each position with this many nodes"},
    {"--threads", "N", AT(ARG_INT, threads), 1, MAX_THREADS, .start = 1,
     .help = "test: number of searches at once"},
    {"--every", "N", AT(ARG_INT, every), 1, 1000, .start = 7,
     .help = "test: take one position in N; odd numbers take both sides equally"},
};

/* Like command_load_net, but refuses the hand-written evaluation, which has no file. */
static bool load_file(const CommandContext *context, const char *path, NnueNet **net) {
    return command_load_net(context, path, net) &&
           (*net != NULL || command_refuse(context, "<handwritten>", net_error_text(NET_NO_NET)));
}

static void print_net(Output *out, const NnueNet *net) {
    if (net->layers != NULL) {
        StrBuf name = STRBUF_INIT;
        net_describe(net, &name);
        output_linef(out, "network     %016llx", (unsigned long long)net->id);
        output_linef(out, "kind        %s", name.ptr);
        output_linef(out, "inputs      %d per view", net->set->inputs);
        output_linef(out, "layers      %d", net->layers->stacks);
        output_linef(out, "FV_SCALE    %d (%s)", net->fv.scale, net->fv.source);
        output_linef(out, "chances     1 / (1 + exp(-score / %d))", net_chance_scale(net));
        strbuf_free(&name);
        return;
    }
    output_linef(out, "network     %016llx", (unsigned long long)net->id);
    output_linef(out, "inputs      %d per view%s", net->set->inputs,
                 net->set->inputs > NNUE_PIECE_INPUTS ? ", attacks among them" : "");
    output_linef(out, "hidden      %d per view, squared clipped ReLU", net->hidden);
    output_linef(out, "outputs     %d", net->buckets);
    if (net->has_small) {
        output_linef(out, "layers      %d and %d, added to the outputs", NNUE_FIRST, NNUE_SECOND);
    }
    output_linef(out, "scale       %d centipawns", net->scale);
    output_linef(out, "chances     1 / (1 + exp(-score / %d))", net_chance_scale(net));
}

/* ---- net eval -------------------------------------------------------------------------------- */

/* Other programs print a value of 90, a pawn, as 100 centipawns. */
enum { FOREIGN_PAWN = 90 };

/* Prints a line for each SFEN of a file; "-" is standard input. */
static int eval_lines(const CommandContext *context, const char *net_path, const char *path) {
    NnueNet *loaded = NULL;
    if (!load_file(context, net_path, &loaded)) {
        return COMMAND_FAILED;
    }
    StrBuf text = STRBUF_INIT;
    int status = command_read_file(context, path, &text) ? COMMAND_GOOD : COMMAND_FAILED;
    NnueEvaluator *evaluator = nnue_create(loaded, cpu_features());
    Position pos;
    pos_init(&pos);
    StrView rest = utf8_without_mark(strbuf_view(&text));
    StrView line;
    for (int number = 1; evaluator != NULL && status == COMMAND_GOOD && sv_next_line(&rest, &line);
         number++) {
        if (sv_is_remark(line)) {
            continue;
        }
        UsiFault fault;
        if (usimove_position(line, &pos, &fault)) {
            int64_t output = nnue_output(evaluator, &pos);
            int value = nnue_evaluate(evaluator, &pos);
            output_linef(context->out, "%lld\t%d\t%d", (long long)output, value,
                         loaded->layers != NULL ? value * 100 / FOREIGN_PAWN : value);
        } else {
            command_fail(context, COMMAND_FAILED, "%s: line %d is not a position", path, number);
            status = COMMAND_FAILED;
        }
    }
    pos_free(&pos);
    nnue_free(evaluator);
    strbuf_free(&text);
    net_free(loaded);
    return status;
}

enum {
    PROGRESS_MS = 2000,
    FIRST_PLY = 16,       /* positions after fewer moves say little about the result, */
    LAST_PLY = 400,       /* as do those of endless games */
    NODES_PER_MB = 10000, /* size of the hash table of a search */
    HASH_MAX_MB = 256,
};

typedef struct TestGame {
    Setup start;
    Move *moves;
} TestGame;

/* A position whose result is predicted. */
typedef struct TestItem {
    int game, ply;
    double result; /* for the side to move: 1 won, 0.5 drawn, 0 lost */
} TestItem;

/* A network, and what it says of each position. */
typedef struct TestedNet {
    StrView name;
    NnueNet *net; /* NULL: the hand-written evaluation */
    Score *scores;
    double *losses; /* at the best scale */
    double scale;
} TestedNet;

typedef struct Test {
    const CommandContext *context;
    const NetArgs *args;
    TestGame *games;
    int game_count;
    size_t game_cap;
    TestItem *items; /* those of the same game follow one another */
    int item_count;
    size_t item_cap;
    int results[4]; /* number of games by KmdWinner */
    int unknown;    /* games without a result, which are left out */
    TestedNet nets[MAX_NETS];
    int net_count;
    /* The scoring in progress. */
    int net;          /* the network whose turn it is */
    _Atomic int next; /* the next position to score */
    pthread_mutex_t lock;
    int done; /* guarded by the lock, as is the progress line */
    Progress progress;
} Test;

/* ---- net test: reading games ----------------------------------------------------------------- */

/* Adds a game and its positions. In check, static scores mean little. */
static void add_test_game(Test *test, const Record *record) {
    Position pos;
    pos_init(&pos);
    pos_set(&pos, &record->start);
    int len = record_main_length(record);
    Move *moves = xmem_alloc((size_t)len, sizeof(*moves));
    int node = KMD_ROOT;
    for (int i = 0; i < len; i++) {
        node = record->nodes[node].child;
        moves[i] = record->nodes[node].move;
        pos_do(&pos, moves[i]);
    }
    KmdWinner winner = record_result(record);
    if (winner == KMD_WINNER_NONE) {
        /* A record without an ending may still end in a mate or a repetition. */
        OutcomeRules rules = {.declare = KMD_DECLARE_27};
        winner = outcome_of(&pos, &rules).winner;
    }
    if (winner == KMD_WINNER_NONE) {
        test->unknown++;
        free(moves);
        pos_free(&pos);
        return;
    }
    int game = test->game_count++;
    test->results[winner]++;
    test->games = xmem_grow(test->games, &test->game_cap, (size_t)game + 1, sizeof(TestGame));
    test->games[game] = (TestGame){.start = record->start, .moves = moves};
    pos_set(&pos, &record->start);
    for (int ply = 0; ply < int_min(len, LAST_PLY + 1); ply++) {
        if (ply >= FIRST_PLY && (ply - FIRST_PLY) % test->args->every == 0 && !pos_in_check(&pos)) {
            test->items = xmem_grow(test->items, &test->item_cap, (size_t)test->item_count + 1,
                                    sizeof(TestItem));
            test->items[test->item_count++] =
                (TestItem){game, ply, (1 + outcome_sign(winner, pos.side)) / 2.0};
        }
        pos_do(&pos, moves[ply]);
    }
    pos_free(&pos);
}

/* ---- net test: scoring ----------------------------------------------------------------------- */

static void store_score(void *context, const SearchResult *result) {
    *(Score *)context = result->score;
}

static Score search_item(const Test *test, Pool *pool, const Position *pos) {
    static const SearchOptions search_options = {
        .multi_pv = 1, .entering_king_rule = KMD_DECLARE_27, .resign_value = SCORE_INFINITE + 1};
    Score score = SCORE_DRAW;
    GoLimits limits = {.nodes = (uint64_t)test->args->nodes};
    SearchRequest request = {.pos = pos,
                             .limits = &limits,
                             .options = &search_options,
                             .sink = {.context = &score, .on_done = store_score},
                             .start_ns = clock_ns()};
    pool_new_game(pool);
    tt_clear(pool_table(pool), 1, NULL);
    pool_run(pool, &request, test->context->cancel);
    return score;
}

static void count_search(Test *test) {
    pthread_mutex_lock(&test->lock);
    test->done++;
    if (progress_is_due(&test->progress)) {
        int total = test->item_count * test->net_count;
        double left =
            (double)progress_elapsed_ms(&test->progress) / 1000 * (total - test->done) / test->done;
        progress_show(&test->progress, "%d of %d searches, %.0f s left", test->done, total, left);
    }
    pthread_mutex_unlock(&test->lock);
}

/* Scores positions with the current network until none is left. */
static void score_positions(void *context, int index) {
    (void)index;
    Test *test = context;
    const NnueNet *net = test->nets[test->net].net;
    Score *scores = test->nets[test->net].scores;
    Pool *pool = NULL;
    if (test->args->nodes > 0) {
        pool = pool_create();
        pool_set_threads(pool, 1);
        pool_set_net(pool, net, cpu_features());
        size_t mb = (size_t)int_clamp(test->args->nodes / NODES_PER_MB, TT_MIN_MB, HASH_MAX_MB);
        if (!tt_resize(pool_table(pool), mb)) {
            tt_init(pool_table(pool)); /* the search works without a table, but less well */
        }
    }
    Position pos;
    pos_init(&pos);
    int i;
    while (!command_is_cancelled(test->context) &&
           (i = atomic_fetch_add(&test->next, 1)) < test->item_count) {
        /* The moves before the position are played, too, for repetitions. */
        const TestItem *item = &test->items[i];
        const TestGame *game = &test->games[item->game];
        pos_set(&pos, &game->start);
        for (int ply = 0; ply < item->ply; ply++) {
            pos_do(&pos, game->moves[ply]);
        }
        if (pool != NULL) {
            scores[i] = search_item(test, pool, &pos);
            count_search(test);
        } else {
            scores[i] = net != NULL ? nnue_evaluate_fresh(net, &pos) : handwritten_evaluate(&pos);
        }
    }
    pos_free(&pos);
    if (pool != NULL) {
        pool_free(pool);
    }
}

/* ---- net test: forecasts --------------------------------------------------------------------- */

/* The range of scales, in centipawns per unit of the sigmoid. The search for the best one ends when
 * the range is narrower than SCALE_RATIO. */
#define SCALE_MIN   20.0
#define SCALE_MAX   5000.0
#define SCALE_RATIO 1.0005

/* No score is certain, and a single surprise must not decide a comparison. */
#define CHANCE_MIN 0.002

/* The log loss of a score. A draw counts as half a win and half a loss. */
static double log_loss(Score score, double scale, double result) {
    double chance = fmin(fmax(1 / (1 + exp(-score / scale)), CHANCE_MIN), 1 - CHANCE_MIN);
    return -result * log(chance) - (1 - result) * log(1 - chance);
}

static double loss_at(const Test *test, const Score *scores, double scale) {
    double sum = 0;
    for (int i = 0; i < test->item_count; i++) {
        sum += log_loss(scores[i], scale, test->items[i].result);
    }
    return sum;
}

/* Finds the scale with the lowest loss, and the losses there. Golden-section search: without the
 * limit on the chance, the loss is convex in 1 / scale; with it, it still falls up to its minimum
 * and rises after it, except for tiny ripples. */
static void fit_scale(const Test *test, TestedNet *net) {
    const double golden = (sqrt(5) - 1) / 2;
    double low = log(SCALE_MIN), high = log(SCALE_MAX);
    while (high - low > log(SCALE_RATIO)) {
        double a = high - golden * (high - low), b = low + golden * (high - low);
        if (loss_at(test, net->scores, exp(a)) < loss_at(test, net->scores, exp(b))) {
            high = b;
        } else {
            low = a;
        }
    }
    net->scale = exp((low + high) / 2);
    for (int i = 0; i < test->item_count; i++) {
        net->losses[i] = log_loss(net->scores[i], net->scale, test->items[i].result);
    }
}

/* A mean and its standard error, which is 0 if there are fewer than two games. */
typedef struct Estimate {
    double mean, error;
} Estimate;

/* The mean of the losses or, if `base` is not NULL, of their differences from those of `base`. */
static Estimate mean_loss(const Test *test, const double *losses, const double *base) {
    Estimate estimate = {0, 0};
    for (int i = 0; i < test->item_count; i++) {
        estimate.mean += (losses[i] - (base != NULL ? base[i] : 0)) / test->item_count;
    }
    int games = 0;
    double squares = 0, of_game = 0;
    for (int i = 0; i < test->item_count; i++) {
        of_game += losses[i] - (base != NULL ? base[i] : 0) - estimate.mean;
        if (i + 1 == test->item_count || test->items[i + 1].game != test->items[i].game) {
            games++;
            squares += of_game * of_game;
            of_game = 0;
        }
    }
    if (games > 1) {
        estimate.error = sqrt(squares * games / (games - 1)) / test->item_count;
    }
    return estimate;
}

/* Lets every network score every position. Returns false if the command is cancelled. */
static bool score_all(Test *test) {
    size_t count = (size_t)test->item_count;
    pthread_mutex_init(&test->lock, NULL);
    command_begin_progress(test->context, &test->progress, PROGRESS_MS, PROGRESS_MS, false);
    for (test->net = 0; test->net < test->net_count; test->net++) {
        TestedNet *net = &test->nets[test->net];
        net->scores = xmem_calloc(count, sizeof(Score));
        net->losses = xmem_calloc(count, sizeof(double));
        atomic_store(&test->next, 0);
        parallel_run(test->args->threads, score_positions, test);
        fit_scale(test, net);
    }
    progress_clear(&test->progress);
    pthread_mutex_destroy(&test->lock);
    return !command_is_cancelled(test->context);
}

/* ---- net test: printing ---------------------------------------------------------------------- */

static void print_test(const Test *test) {
    Output *out = test->context->out;
    output_linef(out, "%d game%s (black %d, white %d, drawn %d), %d position%s", test->game_count,
                 str_plural((uint64_t)test->game_count), test->results[KMD_WINNER_BLACK],
                 test->results[KMD_WINNER_WHITE], test->results[KMD_WINNER_DRAW], test->item_count,
                 str_plural((uint64_t)test->item_count));
    if (test->unknown > 0) {
        output_linef(out, "%d game%s left out: no result", test->unknown,
                     str_plural((uint64_t)test->unknown));
    }
    for (int n = 0; n < test->net_count; n++) {
        const TestedNet *net = &test->nets[n];
        output_linef(out, "network %d: %.*s, %016llx", n + 1, (int)net->name.len, net->name.ptr,
                     net->net != NULL ? (unsigned long long)net->net->id : 0);
    }
    output_line(out, SV(""));
    if (test->args->nodes > 0) {
        output_linef(out, "scores after %d nodes", test->args->nodes);
    } else {
        output_line(out, SV("static scores"));
    }
    output_linef(out, "          log loss             best scale   minus network 1");
    for (int n = 0; n < test->net_count; n++) {
        const TestedNet *net = &test->nets[n];
        Estimate loss = mean_loss(test, net->losses, NULL);
        StrBuf line = STRBUF_INIT;
        strbuf_addf(&line, "network %d %.4f +- %.4f %14.0f", n + 1, loss.mean, loss.error,
                    net->scale);
        if (n > 0) {
            Estimate more = mean_loss(test, net->losses, test->nets[0].losses);
            strbuf_addf(&line, "   %+.4f +- %.4f", more.mean, more.error);
        }
        output_line(out, strbuf_view(&line));
        strbuf_free(&line);
    }
}

/* Compares how well networks predict the results of the games of files. */
static int test_nets(const CommandContext *context, const NetArgs *args, const Args *files) {
    Test *test = xmem_calloc(1, sizeof(*test));
    test->context = context;
    test->args = args;
    test->net_count = int_max(args->net_count, 1);
    bool is_good = true;
    for (int n = 0; n < test->net_count && is_good; n++) {
        const char *path = args->net_count > 0 ? args->nets[n] : NULL;
        test->nets[n].name = path != NULL ? sv_from(path) : evalfile_name(&context->eval);
        is_good = command_load_net(context, path, &test->nets[n].net);
    }
    bool is_complete = is_good;
    for (int i = 0; i < files->count && is_good && !command_is_cancelled(context); i++) {
        /* A game with an error is reported and left out. */
        Games games;
        games_open(&games, files->words[i], NULL, commands_report_game, context);
        while (!command_is_cancelled(context) && games_next(&games)) {
            if (!games.is_broken) {
                add_test_game(test, &games.record);
            }
        }
        is_complete = is_complete && games.faults == 0;
        games_close(&games);
    }
    if (is_good && test->item_count == 0) {
        is_good = false;
        command_fail(context, COMMAND_FAILED, "no position of a game with a result");
    }
    is_good = is_good && score_all(test);
    if (is_good) {
        print_test(test);
    }
    for (int i = 0; i < test->game_count; i++) {
        free(test->games[i].moves);
    }
    for (int n = 0; n < test->net_count; n++) {
        net_free(test->nets[n].net);
        free(test->nets[n].scores);
        free(test->nets[n].losses);
    }
    free(test->games);
    free(test->items);
    free(test);
    return is_good && is_complete ? COMMAND_GOOD : COMMAND_FAILED;
}

/* ---- net: the command ------------------------------------------------------------------------ */

static int net(const CommandContext *context, Args *args) {
    NetArgs parsed = {.verb = -1}; /* the list of networks is empty */
    if (!command_read(context, args, &parsed, 0, -1)) {
        return COMMAND_MISUSED;
    }
    const char *path = args->count > 0 ? args->words[0] : NULL;
    bool is_test = parsed.verb == NET_TEST, is_eval = parsed.verb == NET_EVAL;
    if (parsed.verb < 0 || (is_test ? path == NULL : args->count > 1) ||
        (parsed.net_count > 0 && !is_test && !is_eval) ||
        (!is_test && (parsed.net_count > 1 || parsed.nodes > 0))) {
        return command_misuse(context);
    }
    if (is_test) {
        return test_nets(context, &parsed, args);
    }
    if (is_eval) {
        return eval_lines(context, parsed.nets[0], path != NULL ? path : "-");
    }
    NnueNet *loaded = NULL;
    if (!load_file(context, path, &loaded)) {
        return COMMAND_FAILED;
    }
    print_net(context->out, loaded);
    net_free(loaded);
    return COMMAND_GOOD;
}

const Command cmd_net = {
    {"net",
     "info [FILE] | test [--net FILE ...] [--nodes N] GAMES ... | eval [--net FILE] [POSITIONS]",
     "Describe networks, test them on games, or evaluate positions with them.",
     ARG_OPTIONS(net_options)},
    net};

/* ---- eval ------------------------------------------------------------------------------------ */

typedef struct EvalArgs {
    const char *net;
} EvalArgs;

static const ArgOption eval_options[] = {
    {"--net", "FILE", ARG_AT(EvalArgs, ARG_TEXT, net),
     .help = "network file, or <handwritten> (default: the built-in one or, in a session, the one "
             "that the options name); FILE@24 sets its FV_SCALE"},
};

static int eval(const CommandContext *context, Args *args) {
    EvalArgs parsed;
    if (!command_read(context, args, &parsed, 0, -1)) {
        return COMMAND_MISUSED;
    }
    NnueNet *loaded = NULL;
    if (!command_load_net(context, parsed.net, &loaded)) {
        return COMMAND_FAILED;
    }
    StrBuf text = STRBUF_INIT;
    Position pos;
    pos_init(&pos);
    bool has_position = command_position(context, args, &pos, NULL);
    if (has_position) {
        if (loaded != NULL) {
            nnue_describe(loaded, &pos, &text);
            output_lines(context->out, strbuf_view(&text));
        }
        int value = loaded != NULL ? nnue_evaluate_fresh(loaded, &pos) : handwritten_evaluate(&pos);
        output_linef(context->out, "evaluation %d for %s, to move", value,
                     pos.side == BLACK ? "black" : "white");
    }
    strbuf_free(&text);
    pos_free(&pos);
    net_free(loaded);
    return has_position ? COMMAND_GOOD : COMMAND_MISUSED;
}

const Command cmd_eval = {{"eval", "[SFEN]",
                           "Print the static evaluation of a position, the network's outputs, and "
                           "the value of each piece.",
                           ARG_OPTIONS(eval_options)},
                          eval};
