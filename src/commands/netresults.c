/* netresults.c: reads games, picks positions, lets each network score them, and prints how well the
 * scores predicted the results. Start reading at netresults_run, at the end of the file.
 *
 * Each search begins with empty tables, so the numbers depend neither on the order of the positions
 * nor on the number of threads. */
#include "commands/netresults.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/fileio.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "base/xmem.h"
#include "engine/evalfile.h"
#include "engine/output.h"
#include "eval/arch.h"
#include "eval/handwritten.h"
#include "eval/net.h"
#include "eval/nnue.h"
#include "record/games.h"
#include "rules/outcome.h"
#include "rules/sfen.h"
#include "search/pool.h"
#include "train/forecast.h"
#include "train/packed.h"

enum {
    PROGRESS_MS = 2000,
    MAX_PLAYERS = 8,      /* players with rows of their own */
    NODES_PER_MB = 10000, /* size of the hash table of a search */
    HASH_MAX_MB = 256,
    CALIBRATION_BINS = 10,
    NAME_COLUMNS = 24, /* width of the first column */
};

typedef struct Game {
    Setup start;
    Move *moves;
    int move_count;
    KmdWinner winner;
    int player[COLOR_NB]; /* index of the name in Test.players; -1: unknown */
} Game;

/* A position whose result is predicted. */
typedef struct Item {
    int game, ply;
} Item;

/* The two kinds of scores. */
typedef enum Kind { STATIC, SEARCHED, KIND_NB } Kind;

/* What one network says by scores of one kind, for each position. */
typedef struct Column {
    Score *scores;
    double *losses; /* at the best scale */
    double *biases; /* forecast minus result, at the best scale */
    int *bins;      /* tenth of the winning chance */
    double scale;
} Column;

typedef struct Test {
    const CommandContext *context;
    const NetResultsOptions *options;
    Game *games;
    int game_count;
    size_t game_cap;
    Item *items;
    int item_count;
    size_t item_cap;
    int results[4]; /* number of games by KmdWinner */
    int unknown;    /* games without a result, which are left out */
    StrBuf players[MAX_PLAYERS];
    int player_count;
    /* For each position. */
    int *game, *side, *phase, *player;
    double *result;
    ForecastSet set;
    StrView names[NETRESULTS_MAX_NETS];
    NnueNet *nets[NETRESULTS_MAX_NETS]; /* NULL: the hand-written evaluation */
    int net_count;
    Column columns[NETRESULTS_MAX_NETS][KIND_NB];
    /* The scoring in progress. */
    int net;          /* the network whose turn it is */
    _Atomic int next; /* the next position to score */
    pthread_mutex_t lock;
    int done; /* guarded by the lock, as is the progress line */
    Progress progress;
} Test;

/* ---- reading games --------------------------------------------------------------------------- */

static int find_player(Test *test, StrView name) {
    for (int i = 0; i < test->player_count; i++) {
        if (sv_equal(strbuf_view(&test->players[i]), name)) {
            return i;
        }
    }
    if (name.len == 0 || test->player_count == MAX_PLAYERS) {
        return -1;
    }
    strbuf_add(&test->players[test->player_count], name);
    return test->player_count++;
}

static int find_evaluation(Test *test, uint64_t id) {
    StrBuf name = STRBUF_INIT;
    if (id == PACK_HANDWRITTEN) {
        strbuf_add_str(&name, "<handwritten>");
    } else if (id != PACK_UNKNOWN_EVALUATION) {
        strbuf_addf(&name, "%016llx", (unsigned long long)id);
    }
    int player = find_player(test, strbuf_view(&name));
    strbuf_free(&name);
    return player;
}

static Game *add_game(Test *test, const Setup *start, KmdWinner winner) {
    test->games =
        xmem_grow(test->games, &test->game_cap, (size_t)test->game_count + 1, sizeof(Game));
    Game *game = &test->games[test->game_count++];
    *game = (Game){.start = *start, .winner = winner, .player = {-1, -1}};
    test->results[winner]++;
    return game;
}

/* Takes the position after `ply` moves if the options select it. In check, static scores mean
 * little. */
static void consider(Test *test, const Position *pos, int ply) {
    const NetResultsOptions *options = test->options;
    if (ply < options->first_ply || ply > options->last_ply ||
        (ply - options->first_ply) % options->every != 0 || pos_in_check(pos)) {
        return;
    }
    test->items =
        xmem_grow(test->items, &test->item_cap, (size_t)test->item_count + 1, sizeof(Item));
    test->items[test->item_count++] = (Item){.game = test->game_count - 1, .ply = ply};
}

/* The result of a record. A record without an ending may still end in a mate or a repetition. */
static KmdWinner result_of(const Record *record, const Position *end) {
    KmdWinner winner = record_result(record);
    OutcomeRules rules = {.declare = KMD_DECLARE_27};
    return winner != KMD_WINNER_NONE ? winner : outcome_of(end, &rules).winner;
}

static void take_record(Test *test, const Record *record) {
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
    KmdWinner winner = result_of(record, &pos);
    if (winner == KMD_WINNER_NONE) {
        test->unknown++;
        free(moves);
    } else {
        Game *game = add_game(test, &record->start, winner);
        game->moves = moves;
        game->move_count = len;
        for (int color = BLACK; color <= WHITE; color++) {
            game->player[color] = find_player(test, record_player(record, (Color)color));
        }
        pos_set(&pos, &record->start);
        for (int ply = 0; ply < len; ply++) {
            consider(test, &pos, ply);
            pos_do(&pos, moves[ply]);
        }
    }
    pos_free(&pos);
}

/* Takes a training game. Moves without a score were played at random, or by other players. */
static bool take_packed(void *context, const PackedGame *packed) {
    Test *test = context;
    if (packed_game_is_leaf(packed)) {
        return true;
    }
    if (packed->winner == KMD_WINNER_NONE || packed->is_unequal) {
        test->unknown++;
        return true;
    }
    Game *game = add_game(test, &packed->start, packed->winner);
    game->moves = xmem_alloc((size_t)packed->move_count, sizeof(Move));
    game->move_count = packed->move_count;
    for (int color = BLACK; color <= WHITE; color++) {
        game->player[color] = find_evaluation(test, packed->evaluation[color]);
    }
    Position pos;
    pos_init(&pos);
    pos_set(&pos, &packed->start);
    for (int ply = 0; ply < packed->move_count; ply++) {
        game->moves[ply] = packed->moves[ply].move;
        if (packed->moves[ply].score != PACK_NO_SCORE) {
            consider(test, &pos, ply);
        }
        pos_do(&pos, game->moves[ply]);
    }
    pos_free(&pos);
    return !command_is_cancelled(test->context);
}

static bool read_packed(Test *test, const char *path) {
    FileMap map;
    int error = file_map(path, &map);
    if (error != 0) {
        return command_refuse(test->context, path, file_error_text(error));
    }
    PackReader reader;
    PackBlock block;
    bool is_good = packed_read_begin(&reader, map.data, map.len);
    if (!is_good) {
        command_refuse(test->context, path, packed_refusal(&reader));
    }
    while (is_good && packed_read_block(&reader, &block)) {
        is_good = packed_decode_block(&block, take_packed, test);
        if (!is_good) {
            command_refuse(test->context, path, "inconsistent block");
        }
    }
    if (is_good && reader.damaged_bytes > 0) {
        is_good = command_refuse(test->context, path, "damaged");
    }
    file_unmap(&map);
    return is_good;
}

static void tell(const void *context, const char *message, bool is_note) {
    if (!is_note) {
        command_fail(context, COMMAND_FAILED, "%s", message);
    }
}

/* Reads the games of a file. A game with an error is reported and left out. */
static bool read_games(Test *test, const char *path) {
    if (file_begins_with(path, SV(PACK_MAGIC))) {
        return read_packed(test, path);
    }
    Games games;
    games_open(&games, path, NULL, tell, test->context);
    while (!command_is_cancelled(test->context) && games_next(&games)) {
        if (!games.is_broken) {
            take_record(test, &games.record);
        }
    }
    bool is_good = games.faults == 0;
    games_close(&games);
    return is_good;
}

/* ---- scoring --------------------------------------------------------------------------------- */

/* Sets up the position of an item, with the moves before it, for repetitions. */
static void place(const Test *test, int index, Position *pos) {
    const Item *item = &test->items[index];
    const Game *game = &test->games[item->game];
    pos_set(pos, &game->start);
    for (int i = 0; i < item->ply; i++) {
        pos_do(pos, game->moves[i]);
    }
}

static void take_score(void *context, const SearchResult *result) {
    *(Score *)context = result->score;
}

static Score search(const Test *test, Pool *pool, const Position *pos) {
    static const SearchOptions search_options = {
        .multi_pv = 1, .entering_king_rule = KMD_DECLARE_27, .resign_value = SCORE_INFINITE + 1};
    Score score = SCORE_DRAW;
    GoLimits limits = {.nodes = (uint64_t)test->options->nodes};
    SearchRequest request = {.pos = pos,
                             .limits = &limits,
                             .options = &search_options,
                             .sink = {.context = &score, .on_done = take_score},
                             .start_ns = clock_ns()};
    pool_new_game(pool);
    tt_clear(pool_table(pool), 1, NULL);
    pool_run(pool, &request, test->context->cancel);
    return score;
}

static void show_progress(Test *test) {
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
    Column *columns = test->columns[test->net];
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
        place(test, i, &pos);
        columns[STATIC].scores[i] =
            net != NULL ? nnue_evaluate_fresh(net, &pos) : handwritten_evaluate(&pos);
        if (pool != NULL) {
            columns[SEARCHED].scores[i] = search(test, pool, &pos);
            show_progress(test);
        }
    }
    pos_free(&pos);
    if (pool != NULL) {
        pool_free(pool);
    }
}

/* Fits the scale of a column and computes what follows from it. */
static void fit(const Test *test, Column *column) {
    column->scale = forecast_best_scale(&test->set, column->scores);
    for (int i = 0; i < test->item_count; i++) {
        double chance = forecast_chance(column->scores[i], column->scale);
        column->losses[i] = forecast_loss(chance, test->result[i]);
        column->biases[i] = chance - test->result[i];
        column->bins[i] = (int)(chance * CALIBRATION_BINS);
    }
}

/* Notes what is known of each position without a score. */
static void describe_items(Test *test) {
    size_t count = (size_t)test->item_count;
    test->game = xmem_calloc(count, sizeof(int));
    test->side = xmem_calloc(count, sizeof(int));
    test->phase = xmem_calloc(count, sizeof(int));
    test->player = xmem_calloc(count, sizeof(int));
    test->result = xmem_calloc(count, sizeof(double));
    test->set = (ForecastSet){test->item_count, test->game, test->result};
    Position pos;
    pos_init(&pos);
    for (int i = 0; i < test->item_count; i++) {
        const Game *game = &test->games[test->items[i].game];
        place(test, i, &pos);
        test->game[i] = test->items[i].game;
        test->side[i] = (int)pos.side;
        test->phase[i] = nnue_bucket(&pos, NNUE_MAX_BUCKETS);
        test->player[i] = game->player[pos.side];
        test->result[i] = (1 + outcome_sign(game->winner, pos.side)) / 2.0;
    }
    pos_free(&pos);
}

/* Lets every network score every position. Returns false if the command is cancelled. */
static bool score_all(Test *test) {
    size_t count = (size_t)test->item_count;
    pthread_mutex_init(&test->lock, NULL);
    command_begin_progress(test->context, &test->progress, PROGRESS_MS, PROGRESS_MS, false);
    for (test->net = 0; test->net < test->net_count; test->net++) {
        Column *columns = test->columns[test->net];
        for (int kind = 0; kind < KIND_NB; kind++) {
            columns[kind] = (Column){.scores = xmem_calloc(count, sizeof(Score)),
                                     .losses = xmem_calloc(count, sizeof(double)),
                                     .biases = xmem_calloc(count, sizeof(double)),
                                     .bins = xmem_calloc(count, sizeof(int))};
        }
        atomic_store(&test->next, 0);
        parallel_run(test->options->threads, score_positions, test);
        for (int kind = 0; kind < KIND_NB; kind++) {
            fit(test, &columns[kind]);
        }
    }
    progress_clear(&test->progress);
    pthread_mutex_destroy(&test->lock);
    return !command_is_cancelled(test->context);
}

/* ---- printing -------------------------------------------------------------------------------- */

static void print_head(const Test *test) {
    Output *out = test->context->out;
    output_linef(out, "%d game%s (black %d, white %d, drawn %d), %d position%s", test->game_count,
                 str_plural((uint64_t)test->game_count), test->results[KMD_WINNER_BLACK],
                 test->results[KMD_WINNER_WHITE], test->results[KMD_WINNER_DRAW], test->item_count,
                 str_plural((uint64_t)test->item_count));
    if (test->unknown > 0) {
        output_linef(out, "%d game%s left out: no result, or unequal players", test->unknown,
                     str_plural((uint64_t)test->unknown));
    }
    for (int n = 0; n < test->net_count; n++) {
        const NnueNet *net = test->nets[n];
        output_linef(out, "network %d: %.*s, %016llx", n + 1, (int)test->names[n].len,
                     test->names[n].ptr, net != NULL ? (unsigned long long)net->id : 0);
    }
}

/* The difference of the losses of two columns, position by position. */
static Estimate difference(const Test *test, const Column *column, const Column *base) {
    double *values = xmem_calloc((size_t)test->item_count, sizeof(*values));
    for (int i = 0; i < test->item_count; i++) {
        values[i] = column->losses[i] - base->losses[i];
    }
    Estimate estimate = forecast_mean(&test->set, values, NULL, 0);
    free(values);
    return estimate;
}

static void print_losses(const Test *test, Kind kind) {
    Output *out = test->context->out;
    output_linef(out, "          log loss             best scale   minus network 1");
    for (int n = 0; n < test->net_count; n++) {
        const Column *column = &test->columns[n][kind];
        Estimate loss = forecast_mean(&test->set, column->losses, NULL, 0);
        StrBuf line = STRBUF_INIT;
        strbuf_addf(&line, "network %d %.4f +- %.4f %14.0f", n + 1, loss.mean, loss.error,
                    column->scale);
        if (n > 0) {
            Estimate less = difference(test, column, &test->columns[0][kind]);
            strbuf_addf(&line, "   %+.4f +- %.4f", less.mean, less.error);
        }
        output_line(out, strbuf_view(&line));
        strbuf_free(&line);
    }
}

/* Prints a row for a group of positions: for each network the loss, and the bias: how much better
 * than the result the side to move was rated. */
static void print_row(const Test *test, Kind kind, StrView name, const int *group, int wanted) {
    Estimate estimate = forecast_mean(&test->set, test->result, group, wanted);
    if (estimate.count == 0) {
        return;
    }
    StrBuf line = STRBUF_INIT;
    strbuf_add(&line, name);
    strbuf_addf(&line, "%*s %6d", int_max(NAME_COLUMNS - utf8_columns(name), 0), "",
                estimate.count);
    for (int n = 0; n < test->net_count; n++) {
        const Column *column = &test->columns[n][kind];
        Estimate loss = forecast_mean(&test->set, column->losses, group, wanted);
        Estimate bias = forecast_mean(&test->set, column->biases, group, wanted);
        strbuf_addf(&line, "   %.4f %+.3f", loss.mean, bias.mean);
    }
    output_line(test->context->out, strbuf_view(&line));
    strbuf_free(&line);
}

static void print_groups(const Test *test, Kind kind) {
    StrBuf line = STRBUF_INIT;
    strbuf_addf(&line, "%*s positions", NAME_COLUMNS - 3, "");
    for (int n = 0; n < test->net_count; n++) {
        strbuf_addf(&line, "   %d: loss  bias", n + 1);
    }
    output_line(test->context->out, strbuf_view(&line));
    print_row(test, kind, SV("all"), NULL, 0);
    for (int phase = 0; phase < NNUE_MAX_BUCKETS; phase++) {
        strbuf_clear(&line);
        strbuf_addf(&line, "phase %d", phase);
        print_row(test, kind, strbuf_view(&line), test->phase, phase);
    }
    print_row(test, kind, SV("black to move"), test->side, BLACK);
    print_row(test, kind, SV("white to move"), test->side, WHITE);
    for (int i = 0; i < test->player_count; i++) {
        strbuf_clear(&line);
        strbuf_addf(&line, "%s to move", test->players[i].ptr);
        print_row(test, kind, strbuf_view(&line), test->player, i);
    }
    strbuf_free(&line);
}

/* Prints for each tenth of the winning chance how often the side to move won. */
static void print_calibration(const Test *test, Kind kind) {
    StrBuf line = STRBUF_INIT;
    strbuf_addf(&line, "%-16s", "winning chance");
    for (int n = 0; n < test->net_count; n++) {
        strbuf_addf(&line, "   %d: positions won", n + 1);
    }
    output_line(test->context->out, strbuf_view(&line));
    for (int bin = 0; bin < CALIBRATION_BINS; bin++) {
        strbuf_clear(&line);
        int step = 100 / CALIBRATION_BINS;
        strbuf_addf(&line, "%3d to %3d %%    ", bin * step, (bin + 1) * step);
        for (int n = 0; n < test->net_count; n++) {
            Estimate won =
                forecast_mean(&test->set, test->result, test->columns[n][kind].bins, bin);
            if (won.count > 0) {
                strbuf_addf(&line, "   %8d  %4.0f %%", won.count, 100 * won.mean);
            } else {
                strbuf_addf(&line, "   %8d  %4s  ", 0, "");
            }
        }
        output_line(test->context->out, strbuf_view(&line));
    }
    strbuf_free(&line);
}

static void print_report(const Test *test) {
    Output *out = test->context->out;
    print_head(test);
    for (int kind = STATIC; kind <= (test->options->nodes > 0 ? SEARCHED : STATIC); kind++) {
        output_line(out, SV(""));
        if (kind == STATIC) {
            output_linef(out, "static scores");
        } else {
            output_linef(out, "scores after %d nodes", test->options->nodes);
        }
        print_losses(test, (Kind)kind);
        print_groups(test, (Kind)kind);
        print_calibration(test, (Kind)kind);
    }
}

/* Writes a line for each position, with the scores of each network. */
static bool write_tsv(const Test *test) {
    StrBuf text = STRBUF_INIT;
    strbuf_add_str(&text, "game\tply\tsfen\tresult");
    for (int n = 0; n < test->net_count; n++) {
        strbuf_addf(&text, "\tstatic%d", n + 1);
        if (test->options->nodes > 0) {
            strbuf_addf(&text, "\tsearched%d", n + 1);
        }
    }
    strbuf_add_str(&text, "\n");
    Position pos;
    pos_init(&pos);
    for (int i = 0; i < test->item_count; i++) {
        place(test, i, &pos);
        strbuf_addf(&text, "%d\t%d\t", test->items[i].game + 1, test->items[i].ply);
        pos_get_sfen(&pos, &text);
        strbuf_addf(&text, "\t%.1f", test->result[i]);
        for (int n = 0; n < test->net_count; n++) {
            strbuf_addf(&text, "\t%d", test->columns[n][STATIC].scores[i]);
            if (test->options->nodes > 0) {
                strbuf_addf(&text, "\t%d", test->columns[n][SEARCHED].scores[i]);
            }
        }
        strbuf_add_str(&text, "\n");
    }
    pos_free(&pos);
    bool is_written = command_write_file(test->context, test->options->tsv, &text);
    strbuf_free(&text);
    return is_written;
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

static bool spares_inputs(const Test *test, const Args *args) {
    const char *tsv = test->options->tsv;
    bool is_good = true;
    for (int i = 0; i < args->count && is_good && tsv != NULL; i++) {
        is_good = command_spares(test->context, tsv, args->words[i]);
    }
    for (int n = 0; n < test->options->net_count && is_good && tsv != NULL; n++) {
        is_good = command_spares(test->context, tsv, test->options->nets[n]);
    }
    return is_good;
}

static void free_test(Test *test) {
    for (int i = 0; i < test->game_count; i++) {
        free(test->games[i].moves);
    }
    for (int i = 0; i < MAX_PLAYERS; i++) {
        strbuf_free(&test->players[i]);
    }
    for (int n = 0; n < test->net_count; n++) {
        net_free(test->nets[n]);
        for (int kind = 0; kind < KIND_NB; kind++) {
            Column *column = &test->columns[n][kind];
            free(column->scores);
            free(column->losses);
            free(column->biases);
            free(column->bins);
        }
    }
    free(test->games);
    free(test->items);
    free(test->game);
    free(test->side);
    free(test->phase);
    free(test->player);
    free(test->result);
    free(test);
}

int netresults_run(const CommandContext *context, const NetResultsOptions *options,
                   const Args *args) {
    Test *test = xmem_calloc(1, sizeof(*test));
    test->context = context;
    test->options = options;
    if (!spares_inputs(test, args)) {
        free_test(test);
        return COMMAND_MISUSED;
    }
    bool is_good = load_nets(test);
    bool is_complete = is_good;
    for (int i = 0; i < args->count && is_good && !command_is_cancelled(context); i++) {
        is_complete = read_games(test, args->words[i]) && is_complete;
    }
    if (is_good && test->item_count == 0) {
        is_good = false;
        command_fail(context, COMMAND_FAILED, "no position of a game with a result");
    }
    if (is_good) {
        describe_items(test);
        is_good = score_all(test);
    }
    if (is_good) {
        print_report(test);
        is_good = options->tsv == NULL || write_tsv(test);
    }
    free_test(test);
    return is_good && is_complete ? COMMAND_GOOD : COMMAND_FAILED;
}
