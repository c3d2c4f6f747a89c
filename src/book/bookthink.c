/* bookthink.c: distributes positions to search threads and appends each result to the journal on
 * disk. */
#include "book/bookthink.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/journal.h"
#include "base/parallel.h"
#include "base/xmem.h"
#include "book/bookdb.h"
#include "eval/net.h"
#include "rules/legality.h"
#include "search/pool.h"

struct Thinker {
    BookThinkOptions options;
    Book known;
    Journal journal;
    const Setup *setups; /* positions of this run */
    size_t count;
    Progress *progress;
    size_t expected; /* number of positions in all runs together */
    size_t searched;

    pthread_mutex_t
        lock; /* guards the members below and, during a run, known, searched and the journal */
    size_t next;
};

/* ---- the journal ----------------------------------------------------------------------------- */

static void add_title(const BookThinkOptions *options, StrBuf *out) {
    unsigned long long net = options->net != NULL ? options->net->id : 0;
    strbuf_addf(out, "# komadori book: %lld nodes, %lld ms, %d lines, %d MB, network %016llx\n",
                (long long)options->nodes, (long long)options->time_ms, options->lines,
                options->hash_mb, net);
}

static size_t take_records(void *context, StrView text) {
    StrView rest = text;
    while (bookdb_load_record(&rest, context)) {
    }
    return text.len - rest.len;
}

int bookthink_open(const BookThinkOptions *options, const char *path, Thinker **thinker) {
    Thinker *opened = xmem_calloc(1, sizeof(Thinker));
    StrBuf title = STRBUF_INIT;
    opened->options = *options;
    pthread_mutex_init(&opened->lock, NULL);
    add_title(options, &title);
    JournalFormat format = {strbuf_view(&title), take_records, &opened->known};
    int error = journal_open(&opened->journal, path, &format);
    strbuf_free(&title);
    if (error != 0) {
        bookthink_close(opened);
    }
    *thinker = error == 0 ? opened : NULL;
    return error;
}

void bookthink_close(Thinker *thinker) {
    if (thinker != NULL) {
        (void)journal_close(&thinker->journal);
        book_free(&thinker->known);
        pthread_mutex_destroy(&thinker->lock);
        free(thinker);
    }
}

const BookNode *bookthink_result(const Thinker *thinker, uint64_t key) {
    return book_find(&thinker->known, key);
}

void bookthink_expect(Thinker *thinker, size_t positions) {
    thinker->expected = positions;
}

int bookthink_error(const Thinker *thinker) {
    return thinker->journal.error;
}

/* ---- searching ------------------------------------------------------------------------------- */

/* The lines of a search as last reported, indexed by rank. */
typedef struct Lines {
    int count;
    BookMove moves[BOOK_MAX_MOVES];
} Lines;

static void take_line(void *context, const SearchInfo *info) {
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
static void note(Thinker *thinker, const Setup *setup, const Lines *lines) {
    StrBuf record = STRBUF_INIT;
    pthread_mutex_lock(&thinker->lock);
    BookNode *node = book_add(&thinker->known, setup);
    for (int i = 0; i < lines->count; i++) {
        BookMove *move = book_node_move(node, lines->moves[i].move);
        *move = lines->moves[i];
    }
    bookdb_write_node(node, &record);
    strbuf_add_byte(&record, '\n');
    (void)journal_add(&thinker->journal, strbuf_view(&record));
    thinker->searched++;
    if (progress_is_due(thinker->progress)) {
        double seconds = (double)progress_elapsed_ms(thinker->progress) / 1000;
        size_t known = thinker->known.count;
        size_t left = thinker->expected > known ? thinker->expected - known : 0;
        progress_show(thinker->progress, "%llu of %llu positions, %.1f a minute, %.0f s left",
                      (unsigned long long)known, (unsigned long long)thinker->expected,
                      60 * (double)thinker->searched / seconds,
                      seconds * (double)left / (double)thinker->searched);
    }
    pthread_mutex_unlock(&thinker->lock);
    strbuf_free(&record);
}

/* The next position without a result; NULL if there is none or the run must end. */
static const Setup *take_position(Thinker *thinker) {
    const Setup *setup = NULL;
    pthread_mutex_lock(&thinker->lock);
    bool is_over = thinker->journal.error != 0 || atomic_load(thinker->options.cancel);
    while (setup == NULL && thinker->next < thinker->count && !is_over) {
        setup = &thinker->setups[thinker->next++];
        setup = book_find(&thinker->known, book_key(setup)) == NULL ? setup : NULL;
    }
    pthread_mutex_unlock(&thinker->lock);
    return setup;
}

static void think(void *context, int index) {
    (void)index;
    Thinker *thinker = context;
    const BookThinkOptions *rules = &thinker->options;
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
    while ((setup = take_position(thinker)) != NULL) {
        Lines lines = {0};
        SearchRequest request = {.pos = &pos,
                                 .limits = &limits,
                                 .options = &options,
                                 .sink = {.context = &lines, .on_info = take_line},
                                 .start_ns = clock_ns()};
        book_set(&pos, setup);
        pool_new_game(pool);
        tt_clear(pool_table(pool), 1, NULL);
        pool_start(pool, &request);
        pool_wait(pool, rules->cancel);
        if (!atomic_load(rules->cancel)) {
            note(thinker, setup, &lines);
        }
    }
    pos_free(&pos);
    pool_free(pool);
}

/* True if all positions have results. After a cancelled run this stays false. */
static bool knows_all(const Thinker *thinker, const Setup *setups, size_t count) {
    size_t known = 0;
    while (known < count && book_find(&thinker->known, book_key(&setups[known])) != NULL) {
        known++;
    }
    return known == count;
}

bool bookthink_run(Thinker *thinker, const Setup *setups, size_t count, Progress *progress) {
    if (knows_all(thinker, setups, count)) {
        return true;
    }
    thinker->setups = setups;
    thinker->count = count;
    thinker->next = 0;
    thinker->progress = progress;
    parallel_run(thinker->options.threads, think, thinker);
    return knows_all(thinker, setups, count);
}

/* Finds the positions to search: those of the book, or those that its moves lead to outside the
 * book. */
static void find_targets(const Book *book, bool has_leaves, Book *targets) {
    Position pos;
    pos_init(&pos);
    for (size_t i = 0; i < book->count; i++) {
        const BookNode *node = &book->nodes[i];
        if (!has_leaves) {
            (void)book_add(targets, &node->setup);
            continue;
        }
        book_set(&pos, &node->setup);
        for (int j = 0; j < node->count; j++) {
            if (move_is_legal(&pos, node->moves[j].move)) {
                pos_do(&pos, node->moves[j].move);
                Setup setup = pos_get(&pos);
                setup.ply = node->setup.ply > 0 ? node->setup.ply + 1 : 0;
                if (book_find(book, book_key(&setup)) == NULL) {
                    (void)book_add(targets, &setup);
                }
                pos_undo(&pos);
            }
        }
    }
    pos_free(&pos);
    book_sort(targets);
}

bool bookthink_book(Thinker *thinker, const ThinkPart *part, Progress *progress, Book *book) {
    Book targets = {0}, found = {0};
    find_targets(book, part->has_leaves, &targets);
    Setup *setups = xmem_calloc(targets.count + 1, sizeof(Setup));
    size_t count = 0;
    for (size_t i = 0; i < targets.count; i++) {
        if (i % (size_t)part->shard.count == (size_t)part->shard.number - 1) {
            setups[count++] = targets.nodes[i].setup;
        }
    }
    thinker->expected = count;
    bool is_good = bookthink_run(thinker, setups, count, progress);
    for (size_t i = 0; i < count; i++) {
        const BookNode *result = bookthink_result(thinker, book_key(&setups[i]));
        for (int j = 0; result != NULL && j < result->count; j++) {
            *book_node_move(book_add(&found, &setups[i]), result->moves[j].move) = result->moves[j];
        }
    }
    if (part->shard.count > 1) {
        book_free(book);
    }
    book_join(book, &found);
    for (size_t i = 0; i < book->count; i++) {
        book_order_moves(&book->nodes[i]);
    }
    book_free(&found);
    book_free(&targets);
    free(setups);
    return is_good;
}
