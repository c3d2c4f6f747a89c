/* lineends.c: reads a block, searches its games on all threads, and writes what they found. Start
 * reading at lineends_add_block, at the end of the file. */
#include "train/lineends.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/parallel.h"
#include "base/xmem.h"
#include "eval/handwritten.h"
#include "eval/net.h"
#include "eval/nnue.h"
#include "rules/movegen.h"
#include "search/pool.h"
#include "train/samples.h"

enum {
    HASH_MB = 16,
    HARD_FACTOR = 4,     /* a search is interrupted after this many times its nodes */
    DECIDED_SCORE = 2500 /* positions with higher scores teach nothing */
};

/* A line whose end is evaluated this differently from the score was cut short, in most cases by an
 * entry of the hash table. */
enum { SCORE_GAP = 120 };

/* One thread's search. */
typedef struct Searcher {
    LineEnds *owner;
    Pool *pool;
    Position pos;
    Move line[MAX_PLY]; /* the last principal variation with an exact score */
    int line_len;
    Score line_score;
    Score score; /* of the whole search */
    uint64_t searches;
} Searcher;

struct LineEnds {
    LineEndOptions options;
    Searcher *searchers; /* one for each thread */
    LineEndCount count;
    PackedGames games; /* of the block */
    PackedGames *ends; /* of each game */
    _Atomic int next;  /* the next game to search */
    const _Atomic bool *cancel;
};

LineEnds *lineends_create(const LineEndOptions *options) {
    LineEnds *ends = xmem_calloc(1, sizeof(*ends));
    ends->options = *options;
    ends->searchers = xmem_calloc((size_t)options->threads, sizeof(Searcher));
    for (int i = 0; i < options->threads; i++) {
        Searcher *searcher = &ends->searchers[i];
        searcher->owner = ends;
        searcher->pool = pool_create();
        pool_set_threads(searcher->pool, 1);
        pool_set_net(searcher->pool, options->net, cpu_features());
        if (!tt_resize(pool_table(searcher->pool), HASH_MB)) {
            tt_init(pool_table(searcher->pool)); /* the search works without a table */
        }
        pos_init(&searcher->pos);
    }
    return ends;
}

void lineends_free(LineEnds *ends) {
    for (int i = 0; i < ends->options.threads; i++) {
        pool_free(ends->searchers[i].pool);
        pos_free(&ends->searchers[i].pos);
    }
    free(ends->searchers);
    packed_games_free(&ends->games);
    free(ends);
}

LineEndCount lineends_count(const LineEnds *ends) {
    LineEndCount count = ends->count;
    for (int i = 0; i < ends->options.threads; i++) {
        count.searches += ends->searchers[i].searches;
    }
    return count;
}

/* ---- one position ---------------------------------------------------------------------------- */

static void take_line(void *context, const SearchInfo *info) {
    Searcher *searcher = context;
    if (info->rank == 1 && info->bound == BOUND_EXACT) {
        searcher->line_len = int_min(info->pv_len, MAX_PLY);
        searcher->line_score = info->score;
        memcpy(searcher->line, info->pv, (size_t)searcher->line_len * sizeof(Move));
    }
}

static void take_score(void *context, const SearchResult *result) {
    ((Searcher *)context)->score = result->score;
}

static bool has_used_nodes(void *context, uint64_t nodes) {
    return nodes >= ((const Searcher *)context)->owner->options.nodes;
}

/* Searches the position. Returns true if its line leads to its score. */
static bool search_line(Searcher *searcher) {
    static const SearchOptions options = {
        .multi_pv = 1, .entering_king_rule = KMD_DECLARE_27, .resign_value = SCORE_INFINITE + 1};
    const LineEnds *owner = searcher->owner;
    GoLimits limits = {.nodes = owner->options.nodes * HARD_FACTOR};
    SearchRequest request = {
        .pos = &searcher->pos,
        .limits = &limits,
        .options = &options,
        .sink = {.context = searcher, .on_info = take_line, .on_done = take_score},
        .hooks = {.context = searcher, .ends_after_iteration = has_used_nodes},
        .start_ns = clock_ns()};
    searcher->line_len = 0;
    searcher->searches++;
    pool_run(searcher->pool, &request, owner->cancel);
    return searcher->line_len > 0 && searcher->line_score == searcher->score &&
           abs(searcher->score) < DECIDED_SCORE;
}

/* Plays the line, and adds the position at its end if it is quiet and its evaluation is the score
 * of the search. `label` is for the side to move before the line. Takes the line back. */
static void add_end(Searcher *searcher, const PackedGame *game, int label, PackedGames *ends) {
    Position *pos = &searcher->pos;
    const NnueNet *net = searcher->owner->options.net;
    Color side = pos->side;
    Move list[MAX_MOVES];
    for (int i = 0; i < searcher->line_len; i++) {
        pos_do(pos, searcher->line[i]);
    }
    if (!pos_in_check(pos) && gen_moves(pos, GEN_LEGAL, list) > 0) {
        int value = net != NULL ? nnue_evaluate_fresh(net, pos) : handwritten_evaluate(pos);
        int sign = pos->side == side ? 1 : -1;
        if (abs(sign * value - searcher->score) <= SCORE_GAP) {
            Setup setup = pos_get(pos);
            PackedGame *end = packed_games_add(ends, &setup);
            packed_game_add(end, list[0], sign * label);
            end->winner = game->winner;
            memcpy(end->evaluation, game->evaluation, sizeof(end->evaluation));
        }
    }
    for (int i = 0; i < searcher->line_len; i++) {
        pos_undo(pos);
    }
}

/* ---- games ----------------------------------------------------------------------------------- */

/* Each game begins with an empty table, so that it does not depend on the games before it. */
static void search_game(Searcher *searcher, const PackedGame *game, PackedGames *ends) {
    const LineEnds *owner = searcher->owner;
    int16_t *labels = xmem_alloc((size_t)game->move_count, sizeof(*labels));
    samples_find_labels(game, owner->options.scale, owner->options.lookahead, labels);
    pos_set(&searcher->pos, &game->start);
    pool_new_game(searcher->pool);
    tt_clear(pool_table(searcher->pool), 1, NULL);
    for (int i = 0; i < game->move_count && !atomic_load(owner->cancel); i++) {
        if (labels[i] != PACK_NO_SCORE && abs(game->moves[i].score) < DECIDED_SCORE &&
            search_line(searcher)) {
            add_end(searcher, game, labels[i], ends);
        }
        pos_do(&searcher->pos, game->moves[i].move);
    }
    free(labels);
}

/* Searches games until none is left. */
static void search_games(void *context, int index) {
    LineEnds *ends = context;
    for (;;) {
        int game = atomic_fetch_add(&ends->next, 1);
        if (game >= ends->games.count) {
            return;
        }
        search_game(&ends->searchers[index], &ends->games.games[game], &ends->ends[game]);
    }
}

static bool keep_game(void *context, const PackedGame *game) {
    if (game->winner != KMD_WINNER_NONE && !game->is_unequal && game->move_count >= LINE_GAME_MIN) {
        PackedGame *copy = packed_games_add(context, &game->start);
        copy->winner = game->winner;
        copy->reason = game->reason;
        memcpy(copy->evaluation, game->evaluation, sizeof(copy->evaluation));
        for (int i = 0; i < game->move_count; i++) {
            packed_game_add(copy, game->moves[i].move, game->moves[i].score);
        }
    }
    return true;
}

/* Appends the line ends of all games as one block. */
static void write_block(LineEnds *ends, const PackOrigin *origin, StrBuf *out) {
    PackedGame *all = NULL; /* the lists still own their moves */
    size_t count = 0, cap = 0;
    for (int i = 0; i < ends->games.count; i++) {
        const PackedGames *list = &ends->ends[i];
        all = xmem_grow(all, &cap, count + (size_t)list->count, sizeof(PackedGame));
        for (int k = 0; k < list->count; k++) {
            all[count++] = list->games[k];
        }
    }
    packed_write_block(all, (int)count, origin, out);
    ends->count.kept += count;
    free(all);
}

bool lineends_add_block(LineEnds *ends, const PackBlock *block, const _Atomic bool *cancel,
                        StrBuf *out) {
    ends->cancel = cancel;
    ends->games.count = 0;
    bool is_good = packed_decode_block(block, keep_game, &ends->games);
    ends->ends = xmem_calloc((size_t)ends->games.count, sizeof(PackedGames));
    atomic_store(&ends->next, 0);
    parallel_run(ends->options.threads, search_games, ends);
    write_block(ends, &block->origin, out);
    for (int i = 0; i < ends->games.count; i++) {
        packed_games_free(&ends->ends[i]);
    }
    free(ends->ends);
    return is_good;
}
