/* bookgrow.c: finds the cheapest paths from the start positions (Bellman 1958, Moore 1959),
 * searches the cheapest positions outside the book, and repeats this in rounds. */
#include "book/bookgrow.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/journal.h"
#include "base/parallel.h"
#include "base/xmem.h"
#include "book/bookdb.h"
#include "eval/net.h"
#include "search/pool.h"

/* A round searches ROUND_MIN positions, plus 1 / ROUND_SHARE of the size of the book. */
enum { ROUND_MIN = 16, ROUND_SHARE = 128 };

#define FAR INT32_MAX

/* A move that leads out of the book. */
typedef struct Leaf {
    int cost;
    uint64_t key;
    Setup setup;
} Leaf;

typedef struct Grow {
    const BookGrowOptions *options;
    Book *book;
    Book over; /* positions without a legal move */
    Progress *progress;

    /* The searches of a round. */
    Book known; /* all results so far */
    Journal journal;
    const Setup *setups;
    size_t count;
    size_t searched;      /* number of searches of this run */
    pthread_mutex_t lock; /* guards `next` and, during a round, known, searched and the journal */
    size_t next;

    /* The choice of the next round. */
    BookGraph graph;
    int16_t *value;  /* values of the positions for the side to move */
    int *cost;       /* cost of the cheapest path to each position */
    uint32_t *queue; /* a ring buffer of positions whose moves must be followed, perhaps again */
    bool *is_queued;
    uint32_t queue_first, queue_count;
    Leaf *leaves;
    size_t leaf_count, leaf_cap;
} Grow;

/* ---- the searches ---------------------------------------------------------------------------- */

/* The lines of a search as last reported, indexed by rank. */
typedef struct Lines {
    int count;
    BookMove moves[BOOK_MAX_MOVES];
} Lines;

static void take_book_line(void *context, const SearchInfo *info) {
    Lines *lines = context;
    if (info->pv_len > 0 && info->rank <= BOOK_MAX_MOVES) {
        lines->count = int_max(lines->count, info->rank);
        lines->moves[info->rank - 1] =
            (BookMove){.move = info->pv[0],
                       .reply = info->pv_len > 1 ? info->pv[1] : MOVE_NONE,
                       .score = (int16_t)int_clamp(info->score, -BOOK_MAX_SCORE, BOOK_MAX_SCORE),
                       .depth = (uint8_t)int_clamp(info->depth, 0, BOOK_MAX_DEPTH)};
    }
}

/* Stores a result and writes it to the journal. */
static void save_result(Grow *grow, const Setup *setup, const Lines *lines) {
    StrBuf record = STRBUF_INIT;
    pthread_mutex_lock(&grow->lock);
    BookNode *node = book_add(&grow->known, setup);
    for (int i = 0; i < lines->count && lines->moves[i].move != MOVE_NONE; i++) {
        BookMove *move = book_node_move(node, lines->moves[i].move);
        *move = lines->moves[i];
    }
    bookdb_write_node(node, &record);
    strbuf_add_byte(&record, '\n');
    (void)journal_add(&grow->journal, strbuf_view(&record));
    grow->searched++;
    if (progress_is_due(grow->progress)) {
        double seconds = (double)progress_elapsed_ms(grow->progress) / 1000;
        size_t known = grow->known.count, expected = (size_t)grow->options->positions;
        size_t left = expected > known ? expected - known : 0;
        progress_show(grow->progress, "%llu of %llu positions, %.1f a minute, %.0f s left",
                      (unsigned long long)known, (unsigned long long)expected,
                      60 * (double)grow->searched / seconds,
                      seconds * (double)left / (double)grow->searched);
    }
    pthread_mutex_unlock(&grow->lock);
    strbuf_free(&record);
}

/* The next position without a result; NULL if there is none or the run must end. */
static const Setup *next_setup(Grow *grow) {
    const Setup *setup = NULL;
    pthread_mutex_lock(&grow->lock);
    bool is_over = grow->journal.error != 0 || atomic_load(grow->options->cancel);
    while (setup == NULL && grow->next < grow->count && !is_over) {
        setup = &grow->setups[grow->next++];
        setup = book_find(&grow->known, book_key(setup)) == NULL ? setup : NULL;
    }
    pthread_mutex_unlock(&grow->lock);
    return setup;
}

static void search_setups(void *context, int index) {
    (void)index;
    Grow *grow = context;
    const BookGrowOptions *rules = grow->options;
    Pool *pool = pool_create();
    pool_set_threads(pool, 1);
    pool_set_net(pool, rules->net, cpu_features());
    if (!tt_resize(pool_table(pool), (size_t)rules->hash_mb)) {
        tt_init(pool_table(pool)); /* the search works without a table, but less well */
    }
    GoLimits limits = {.nodes = (uint64_t)rules->nodes,
                       .movetime_ms = rules->nodes > 0 ? 0 : rules->time_ms};
    SearchOptions options = {
        .multi_pv = rules->lines, .resign_value = SCORE_INFINITE + 1, .pv_interval = INT32_MAX};
    Position pos;
    pos_init(&pos);
    const Setup *setup;
    while ((setup = next_setup(grow)) != NULL) {
        Lines lines = {0};
        SearchRequest request = {.pos = &pos,
                                 .limits = &limits,
                                 .options = &options,
                                 .sink = {.context = &lines, .on_info = take_book_line},
                                 .start_ns = clock_ns()};
        book_set(&pos, setup);
        pool_new_game(pool);
        tt_clear(pool_table(pool), 1, NULL);
        pool_start(pool, &request);
        pool_wait(pool, rules->cancel);
        if (!atomic_load(rules->cancel)) {
            save_result(grow, setup, &lines);
        }
    }
    pos_free(&pos);
    pool_free(pool);
}

/* Searches those positions that have no result yet. Returns false if some still have none, because
 * the run is cancelled or the journal cannot be written. */
static bool search_round(Grow *grow, const Setup *setups, size_t count) {
    bool is_complete = false;
    for (int i = 0; i < 2 && !is_complete; i++) {
        size_t known = 0;
        while (known < count && book_find(&grow->known, book_key(&setups[known])) != NULL) {
            known++;
        }
        is_complete = known == count;
        if (i == 0 && !is_complete) {
            grow->setups = setups;
            grow->count = count;
            grow->next = 0;
            parallel_run(grow->options->threads, search_setups, grow);
        }
    }
    return is_complete;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* The score of a move: that of its search, or of the position after it, if that is in the book. */
static int move_value(const Grow *grow, const int16_t *value, uint32_t node, int index) {
    int32_t child = grow->graph.child[grow->graph.first[node] + (uint32_t)index];
    return child >= 0 ? -value[child] : grow->book->nodes[node].moves[index].score;
}

/* Finds the value of each position for its side to move if both sides play the book's best moves.
 * Each pass looks one move further, and what it does not see counts as a draw. So play that never
 * leaves the book is a draw, and after at most as many passes as there are positions nothing
 * changes any more (Washburn 1966). */
static void find_values(Grow *grow) {
    uint32_t nodes = grow->graph.nodes;
    int16_t *before = xmem_calloc((size_t)nodes + 1, sizeof(int16_t));
    bool is_changed = true;
    for (uint32_t pass = 0; pass <= nodes && is_changed; pass++) {
        is_changed = false;
        memcpy(before, grow->value, nodes * sizeof(int16_t));
        for (uint32_t node = 0; node < nodes; node++) {
            int best = -BOOK_MAX_SCORE;
            for (int i = 0; i < grow->book->nodes[node].count; i++) {
                best = int_max(best, move_value(grow, before, node, i));
            }
            is_changed = is_changed || best != before[node];
            grow->value[node] = (int16_t)best;
        }
    }
    free(before);
}

static void begin_values(Grow *grow) {
    size_t nodes = grow->book->count + 1;
    book_graph_build(grow->book, &grow->graph);
    grow->value = xmem_calloc(nodes, sizeof(int16_t));
    find_values(grow);
}

static void end_values(Grow *grow) {
    book_graph_free(&grow->graph);
    free(grow->value);
}

/* Gives the moves into the book the values of the positions after them, and the best moves there as
 * replies. Sorts the positions and their moves. */
static void apply_values(Grow *grow) {
    Book *book = grow->book;
    book_sort(book);
    begin_values(grow);
    for (uint32_t node = 0; node < grow->graph.nodes; node++) {
        for (int i = 0; i < book->nodes[node].count; i++) {
            int value = move_value(grow, grow->value, node, i);
            book->nodes[node].moves[i].score = (int16_t)value;
        }
        book_order_moves(&book->nodes[node]);
    }
    end_values(grow);
    book_graph_build(book, &grow->graph);
    for (uint32_t node = 0; node < grow->graph.nodes; node++) {
        for (int i = 0; i < book->nodes[node].count; i++) {
            int32_t child = grow->graph.child[grow->graph.first[node] + (uint32_t)i];
            if (child >= 0) {
                book->nodes[node].moves[i].reply = book->nodes[child].moves[0].move;
            }
        }
    }
    book_graph_free(&grow->graph);
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* The cost of a move; FAR if it is not followed. */
static int move_cost(const Grow *grow, uint32_t node, int index) {
    int loss = grow->value[node] - move_value(grow, grow->value, node, index);
    return loss > grow->options->window ? FAR : loss + grow->options->step;
}

/* Records a cheaper path to the position. */
static void lower_cost(Grow *grow, uint32_t node, int cost) {
    grow->cost[node] = cost;
    if (!grow->is_queued[node]) {
        grow->is_queued[node] = true;
        grow->queue[(grow->queue_first + grow->queue_count++) % grow->graph.nodes] = node;
    }
}

static int compare_leaves(const void *a, const void *b) {
    const Leaf *left = a, *right = b;
    return left->cost != right->cost ? (left->cost < right->cost ? -1 : 1)
                                     : (left->key > right->key) - (left->key < right->key);
}

/* Finds the leaves and the costs of the paths to them, and sorts the leaves by cost, cheapest
 * first. */
static void find_leaves(Grow *grow) {
    Position pos;
    pos_init(&pos);
    for (uint32_t i = 0; i < grow->graph.nodes; i++) {
        grow->cost[i] = FAR;
    }
    grow->queue_first = grow->queue_count = 0;
    for (size_t i = 0; i < grow->options->starts->count; i++) {
        const BookNode *node = book_find(grow->book, grow->options->starts->nodes[i].key);
        if (node != NULL) {
            lower_cost(grow, (uint32_t)(node - grow->book->nodes), 0);
        }
    }
    /* Follow the moves of the positions until no path gets cheaper (Bellman 1958, Moore 1959). */
    while (grow->queue_count > 0) {
        uint32_t node = grow->queue[grow->queue_first];
        grow->queue_first = (grow->queue_first + 1) % grow->graph.nodes;
        grow->queue_count--;
        grow->is_queued[node] = false;
        for (int i = 0; i < grow->book->nodes[node].count; i++) {
            int32_t child = grow->graph.child[grow->graph.first[node] + (uint32_t)i];
            int cost = child >= 0 ? move_cost(grow, node, i) : FAR;
            if (cost != FAR && grow->cost[node] + cost < grow->cost[child]) {
                lower_cost(grow, (uint32_t)child, grow->cost[node] + cost);
            }
        }
    }
    grow->leaf_count = 0;
    for (uint32_t node = 0; node < grow->graph.nodes; node++) {
        const BookNode *place = &grow->book->nodes[node];
        book_set(&pos, &place->setup);
        for (int i = 0; i < place->count && grow->cost[node] != FAR; i++) {
            bool is_leaf = grow->graph.child[grow->graph.first[node] + (uint32_t)i] == BOOK_LEAF;
            int cost = is_leaf ? move_cost(grow, node, i) : FAR;
            if (cost == FAR) {
                continue;
            }
            pos_do(&pos, place->moves[i].move);
            bool is_over = book_find(&grow->over, pos_key(&pos)) != NULL;
            if (!is_over && pos.ply <= grow->options->most_ply) {
                grow->leaves =
                    xmem_grow(grow->leaves, &grow->leaf_cap, grow->leaf_count + 1, sizeof(Leaf));
                grow->leaves[grow->leaf_count++] =
                    (Leaf){grow->cost[node] + cost, pos_key(&pos), pos_get(&pos)};
            }
            pos_undo(&pos);
        }
    }
    pos_free(&pos);
    if (grow->leaf_count > 0) {
        qsort(grow->leaves, grow->leaf_count, sizeof(Leaf), compare_leaves);
    }
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* Selects the positions to search next, each once, and writes them to `setups`. */
static size_t choose_setups(Grow *grow, Setup *setups, size_t most) {
    Book chosen = {0};
    size_t count = 0;
    for (size_t i = 0; i < grow->options->starts->count; i++) {
        const BookNode *start = &grow->options->starts->nodes[i];
        if (book_find(grow->book, start->key) == NULL && count < most &&
            book_find(&grow->over, start->key) == NULL) {
            setups[count++] = start->setup;
        }
    }
    if (count == 0 && grow->book->count > 0) {
        size_t nodes = grow->book->count + 1;
        begin_values(grow);
        grow->cost = xmem_calloc(nodes, sizeof(int));
        grow->queue = xmem_calloc(nodes, sizeof(uint32_t));
        grow->is_queued = xmem_calloc(nodes, sizeof(bool));
        find_leaves(grow);
        for (size_t i = 0; i < grow->leaf_count && count < most; i++) {
            if (book_find(&chosen, grow->leaves[i].key) == NULL) {
                (void)book_add(&chosen, &grow->leaves[i].setup);
                setups[count++] = grow->leaves[i].setup;
            }
        }
        end_values(grow);
        free(grow->cost);
        free(grow->queue);
        free(grow->is_queued);
    }
    book_free(&chosen);
    return count;
}

static size_t take_journal(void *context, StrView text) {
    StrView rest = text;
    while (bookdb_load_record(&rest, context)) {
    }
    return text.len - rest.len;
}

/* Searches round after round. Returns false if the run ended early. */
static bool grow_rounds(Grow *grow) {
    size_t wanted = (size_t)grow->options->positions;
    bool is_good = true, is_over = false;
    while (is_good && !is_over && grow->book->count < wanted) {
        size_t left = wanted - grow->book->count;
        size_t most = grow->book->count / ROUND_SHARE + ROUND_MIN;
        most = most < left ? most : left;
        Setup *setups = xmem_calloc(most, sizeof(Setup));
        size_t count = choose_setups(grow, setups, most);
        is_good = search_round(grow, setups, count);
        for (size_t i = 0; i < count; i++) {
            const BookNode *result = book_find(&grow->known, book_key(&setups[i]));
            if (result == NULL) {
                continue;
            }
            BookNode *node = book_add(result->count == 0 ? &grow->over : grow->book, &setups[i]);
            for (int j = 0; j < result->count; j++) {
                *book_node_move(node, result->moves[j].move) = result->moves[j];
            }
        }
        is_over = count == 0;
        free(setups);
    }
    return is_good;
}

BookGrowEnd bookgrow_run(const BookGrowOptions *options, const char *journal, Progress *progress,
                         Book *book, int *error) {
    Grow grow = {.options = options, .book = book, .progress = progress};
    StrBuf title = STRBUF_INIT;
    unsigned long long net = options->net != NULL ? options->net->id : 0;
    net += options->net != NULL && options->net->layers != NULL
               ? (unsigned long long)options->net->fv.scale
               : 0;
    strbuf_addf(&title, "# komadori book: %lld nodes, %lld ms, %d lines, %d MB, network %016llx\n",
                (long long)options->nodes, (long long)options->time_ms, options->lines,
                options->hash_mb, net);
    JournalFormat format = {strbuf_view(&title), take_journal, &grow.known};
    *error = journal_open(&grow.journal, journal, &format);
    strbuf_free(&title);
    bool is_done = false;
    if (*error == 0) {
        pthread_mutex_init(&grow.lock, NULL);
        is_done = grow_rounds(&grow);
        apply_values(&grow);
        pthread_mutex_destroy(&grow.lock);
        *error = grow.journal.error;
        (void)journal_close(&grow.journal);
    }
    free(grow.leaves);
    book_free(&grow.over);
    book_free(&grow.known);
    return is_done ? BOOKGROW_DONE : *error != 0 ? BOOKGROW_FAILED : BOOKGROW_STOPPED;
}
