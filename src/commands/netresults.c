/* netresults.c: reads games, picks positions, lets each network score them, and prints how well the
 * scores predicted the results. Start reading at netresults_run, at the end of the file.
 *
 * A score says who is better; divided by a scale and put through the sigmoid it forecasts the
 * result. Its log loss is -log of the probability that it gave to what happened: 0.693 for a score
 * that knows nothing. Positions of one game share its result, so standard errors treat each game as
 * one observation ("clustered"). Each search begins with empty tables, so the numbers depend
 * neither on the order of the positions nor on the number of threads. */
#include "commands/netresults.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/parallel.h"
#include "base/xmem.h"
#include "commands/commands.h"
#include "engine/evalfile.h"
#include "engine/output.h"
#include "eval/handwritten.h"
#include "eval/net.h"
#include "eval/nnue.h"
#include "record/kifuio.h"
#include "rules/outcome.h"
#include "search/pool.h"

enum {
    PROGRESS_MS = 2000,
    FIRST_PLY = 16,       /* positions after fewer moves say little about the result, */
    LAST_PLY = 400,       /* as do those of endless games */
    NODES_PER_MB = 10000, /* size of the hash table of a search */
    HASH_MAX_MB = 256,
};

typedef struct Game {
    Setup start;
    Move *moves;
} Game;

/* A position whose result is predicted. */
typedef struct Item {
    int game, ply;
    double result; /* for the side to move: 1 won, 0.5 drawn, 0 lost */
} Item;

/* What one network says, for each position. */
typedef struct Column {
    Score *scores;
    double *losses; /* at the best scale */
    double scale;
} Column;

typedef struct Test {
    const CommandContext *context;
    const NetResultsOptions *options;
    Game *games;
    int game_count;
    size_t game_cap;
    Item *items; /* those of the same game follow one another */
    int item_count;
    size_t item_cap;
    int results[4]; /* number of games by KmdWinner */
    int unknown;    /* games without a result, which are left out */
    StrView names[NETRESULTS_MAX_NETS];
    NnueNet *nets[NETRESULTS_MAX_NETS]; /* NULL: the hand-written evaluation */
    int net_count;
    Column columns[NETRESULTS_MAX_NETS];
    /* The scoring in progress. */
    int net;          /* the network whose turn it is */
    _Atomic int next; /* the next position to score */
    pthread_mutex_t lock;
    int done; /* guarded by the lock, as is the progress line */
    Progress progress;
} Test;

/* ---- reading games --------------------------------------------------------------------------- */

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
    test->games = xmem_grow(test->games, &test->game_cap, (size_t)game + 1, sizeof(Game));
    test->games[game] = (Game){.start = record->start, .moves = moves};
    pos_set(&pos, &record->start);
    for (int ply = 0; ply < int_min(len, LAST_PLY + 1); ply++) {
        if (ply >= FIRST_PLY && (ply - FIRST_PLY) % test->options->every == 0 &&
            !pos_in_check(&pos)) {
            test->items =
                xmem_grow(test->items, &test->item_cap, (size_t)test->item_count + 1, sizeof(Item));
            test->items[test->item_count++] =
                (Item){game, ply, (1 + outcome_sign(winner, pos.side)) / 2.0};
        }
        pos_do(&pos, moves[ply]);
    }
    pos_free(&pos);
}

/* ---- scoring --------------------------------------------------------------------------------- */

static void store_score(void *context, const SearchResult *result) {
    *(Score *)context = result->score;
}

static Score search_item(const Test *test, Pool *pool, const Position *pos) {
    static const SearchOptions search_options = {
        .multi_pv = 1, .entering_king_rule = KMD_DECLARE_27, .resign_value = SCORE_INFINITE + 1};
    Score score = SCORE_DRAW;
    GoLimits limits = {.nodes = (uint64_t)test->options->nodes};
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
    const NnueNet *net = test->nets[test->net];
    Score *scores = test->columns[test->net].scores;
    Pool *pool = NULL;
    if (test->options->nodes > 0) {
        pool = pool_create();
        pool_set_threads(pool, 1);
        pool_set_net(pool, net, cpu_features());
        size_t mb = (size_t)int_clamp(test->options->nodes / NODES_PER_MB, TT_MIN_MB, HASH_MAX_MB);
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
        const Item *item = &test->items[i];
        const Game *game = &test->games[item->game];
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

/* ---- forecasts ------------------------------------------------------------------------------- */

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
static void fit_scale(const Test *test, Column *column) {
    const double golden = (sqrt(5) - 1) / 2;
    double low = log(SCALE_MIN), high = log(SCALE_MAX);
    while (high - low > log(SCALE_RATIO)) {
        double a = high - golden * (high - low), b = low + golden * (high - low);
        if (loss_at(test, column->scores, exp(a)) < loss_at(test, column->scores, exp(b))) {
            high = b;
        } else {
            low = a;
        }
    }
    column->scale = exp((low + high) / 2);
    for (int i = 0; i < test->item_count; i++) {
        column->losses[i] = log_loss(column->scores[i], column->scale, test->items[i].result);
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
        Column *column = &test->columns[test->net];
        *column = (Column){.scores = xmem_calloc(count, sizeof(Score)),
                           .losses = xmem_calloc(count, sizeof(double))};
        atomic_store(&test->next, 0);
        parallel_run(test->options->threads, score_positions, test);
        fit_scale(test, column);
    }
    progress_clear(&test->progress);
    pthread_mutex_destroy(&test->lock);
    return !command_is_cancelled(test->context);
}

/* ---- printing -------------------------------------------------------------------------------- */

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
        const NnueNet *net = test->nets[n];
        output_linef(out, "network %d: %.*s, %016llx", n + 1, (int)test->names[n].len,
                     test->names[n].ptr, net != NULL ? (unsigned long long)net->id : 0);
    }
    output_line(out, SV(""));
    if (test->options->nodes > 0) {
        output_linef(out, "scores after %d nodes", test->options->nodes);
    } else {
        output_line(out, SV("static scores"));
    }
    output_linef(out, "          log loss             best scale   minus network 1");
    for (int n = 0; n < test->net_count; n++) {
        const Column *column = &test->columns[n];
        Estimate loss = mean_loss(test, column->losses, NULL);
        StrBuf line = STRBUF_INIT;
        strbuf_addf(&line, "network %d %.4f +- %.4f %14.0f", n + 1, loss.mean, loss.error,
                    column->scale);
        if (n > 0) {
            Estimate more = mean_loss(test, column->losses, test->columns[0].losses);
            strbuf_addf(&line, "   %+.4f +- %.4f", more.mean, more.error);
        }
        output_line(out, strbuf_view(&line));
        strbuf_free(&line);
    }
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool load_nets(Test *test) {
    const NetResultsOptions *options = test->options;
    test->net_count = int_max(options->net_count, 1);
    for (int n = 0; n < test->net_count; n++) {
        const char *path = options->net_count > 0 ? options->nets[n] : NULL;
        test->names[n] = path != NULL ? sv_from(path) : evalfile_name(&test->context->eval);
        if (!command_load_net(test->context, path, &test->nets[n])) {
            return false;
        }
    }
    return true;
}

static void free_test(Test *test) {
    for (int i = 0; i < test->game_count; i++) {
        free(test->games[i].moves);
    }
    for (int n = 0; n < test->net_count; n++) {
        net_free(test->nets[n]);
        free(test->columns[n].scores);
        free(test->columns[n].losses);
    }
    free(test->games);
    free(test->items);
    free(test);
}

int netresults_run(const CommandContext *context, const NetResultsOptions *options,
                   const Args *args) {
    Test *test = xmem_calloc(1, sizeof(*test));
    test->context = context;
    test->options = options;
    bool is_good = load_nets(test);
    bool is_complete = is_good;
    for (int i = 0; i < args->count && is_good && !command_is_cancelled(context); i++) {
        /* A game with an error is reported and left out. */
        Games games;
        games_open(&games, args->words[i], NULL, commands_report_game, context);
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
    if (is_good && score_all(test)) {
        print_test(test);
    } else {
        is_good = false;
    }
    free_test(test);
    return is_good && is_complete ? COMMAND_GOOD : COMMAND_FAILED;
}
