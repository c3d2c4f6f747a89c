/* perft.c: divides the first plies among the threads, counts the last plies in bulk, and caches
 * counts in a table. */
#include "rules/perft.h"

#include <stdlib.h>

#include "base/meminfo.h"
#include "base/parallel.h"
#include "base/xmem.h"
#include "rules/movegen.h"
#include "rules/position.h"

/* A table entry. The key is stored XORed with the count, so that two words written by different
 * threads do not match (Hyatt and Mann 2002). Both words are relaxed atomics. */
typedef struct HashEntry {
    _Atomic uint64_t check;
    _Atomic uint64_t count;
} HashEntry;

/* The state shared by all threads of a count. */
typedef struct Counter {
    const Position *root;
    const PerftOptions *options;
    const _Atomic bool *cancel; /* NULL: none */
    HashEntry *table;           /* NULL: none */
    uint64_t table_mask;
    PerftLine *parts; /* the units of work: first moves, or pairs of the first two moves */
    Move *second;     /* the second move of each part; MOVE_NONE if parts are single moves */
    int part_count;
    _Atomic int next_part;
} Counter;

enum { HASH_MIN_DEPTH = 2, SPLIT_MIN_DEPTH = 4 };

/* Looks up a count. Sets *count only if the key is found. */
static bool hash_get(const Counter *counter, uint64_t key, uint64_t *count) {
    HashEntry *entry = &counter->table[key & counter->table_mask];
    uint64_t check = atomic_load_explicit(&entry->check, memory_order_relaxed);
    uint64_t stored = atomic_load_explicit(&entry->count, memory_order_relaxed);
    if ((check ^ stored) != key || stored == 0) {
        return false;
    }
    *count = stored;
    return true;
}

static void hash_put(const Counter *counter, uint64_t key, uint64_t count) {
    HashEntry *entry = &counter->table[key & counter->table_mask];
    atomic_store_explicit(&entry->check, key ^ count, memory_order_relaxed);
    atomic_store_explicit(&entry->count, count, memory_order_relaxed);
}

static uint64_t count_from(const Counter *counter, Position *pos, int depth) {
    if (depth == 0) {
        return 1;
    }
    if (depth == 1) {
        return (uint64_t)gen_count(pos);
    }
    uint64_t total = 0;
    bool is_hashed = counter->table != NULL && depth >= HASH_MIN_DEPTH;
    uint64_t key = (pos_key(pos) + (uint64_t)depth) * 0x9E3779B97F4A7C15;
    if (is_hashed && hash_get(counter, key, &total)) {
        return total;
    }
    Move list[MAX_MOVES];
    int moves = gen_moves(pos, GEN_LEGAL, list);
    if (depth == 2) { /* count the moves of the last ply with bitboards instead of making them */
        total = gen_count_answers(pos, list, moves);
    } else {
        for (int i = 0; i < moves && !(depth > 3 && flag_is_set(counter->cancel)); i++) {
            pos_do(pos, list[i]);
            total += count_from(counter, pos, depth - 1);
            pos_undo(pos);
        }
    }
    if (is_hashed && !flag_is_set(counter->cancel)) {
        hash_put(counter, key, total);
    }
    return total;
}

/* Runs on each thread: takes parts until none is left. */
static void count_parts(void *context, int index) {
    (void)index;
    Counter *counter = context;
    Position pos;
    pos_init(&pos);
    pos_copy(&pos, counter->root);
    for (;;) {
        int i = atomic_fetch_add_explicit(&counter->next_part, 1, memory_order_relaxed);
        if (i >= counter->part_count || flag_is_set(counter->cancel)) {
            break;
        }
        int depth = counter->options->depth - 1;
        PerftLine *part = &counter->parts[i];
        pos_do(&pos, part->move);
        if (counter->second[i] != MOVE_NONE) {
            pos_do(&pos, counter->second[i]);
            part->count = count_from(counter, &pos, depth - 1);
            pos_undo(&pos);
        } else {
            part->count = count_from(counter, &pos, depth);
        }
        pos_undo(&pos);
    }
    pos_free(&pos);
}

/* Divides the work into one part per move, or per pair of moves if the depth is large enough. */
static void cut_parts(Counter *counter, const PerftResult *result) {
    bool is_paired = counter->options->depth >= SPLIT_MIN_DEPTH;
    size_t room = (size_t)result->line_count * (is_paired ? MAX_MOVES : 1);
    counter->parts = xmem_calloc(room + 1, sizeof(PerftLine));
    counter->second = xmem_calloc(room + 1, sizeof(Move));
    Position pos;
    pos_init(&pos);
    pos_copy(&pos, counter->root);
    for (int i = 0; i < result->line_count; i++) {
        Move list[MAX_MOVES] = {MOVE_NONE};
        int count = 1;
        if (is_paired) {
            pos_do(&pos, result->line[i].move);
            count = gen_moves(&pos, GEN_LEGAL, list);
            pos_undo(&pos);
        }
        for (int j = 0; j < count; j++) {
            counter->parts[counter->part_count].move = result->line[i].move;
            counter->second[counter->part_count++] = list[j];
        }
    }
    pos_free(&pos);
}

/* Creates the largest table within the limit whose number of entries is a power of two. Checks the
 * available memory, because the system may promise more than it has, and a long count fills its
 * table. */
static bool make_table(Counter *counter, uint64_t hash_mb, size_t *bytes) {
    *bytes = 0;
    if (hash_mb == 0) {
        return true;
    }
    if (hash_mb > SIZE_MAX >> 20) {
        return false;
    }
    size_t entries = (size_t)1 << 16;
    while (entries <= (hash_mb << 20) / (2 * sizeof(HashEntry))) {
        entries *= 2;
    }
    *bytes = entries * sizeof(HashEntry);
    if (*bytes > meminfo_available()) {
        return false;
    }
    counter->table = xmem_try_large(*bytes, XMEM_HUGE_PAGES);
    counter->table_mask = entries - 1;
    return counter->table != NULL;
}

bool perft_run(const Position *pos, const PerftOptions *options, const _Atomic bool *cancel,
               PerftResult *result) {
    ASSERT(options->depth >= 0 && options->depth <= PERFT_MAX_DEPTH && options->threads >= 1);
    *result = (PerftResult){.total = options->depth == 0};
    if (options->depth == 0) {
        return true;
    }
    Counter counter = {.root = pos, .options = options, .cancel = cancel};
    size_t table_bytes;
    if (!make_table(&counter, options->hash_mb, &table_bytes)) {
        return false;
    }
    Move list[MAX_MOVES];
    result->line_count = gen_moves(pos, GEN_LEGAL, list);
    for (int i = 0; i < result->line_count; i++) {
        result->line[i].move = list[i];
    }
    cut_parts(&counter, result);
    parallel_run(options->threads, count_parts, &counter);
    /* Add up the parts for each root move. Parts and lines are in the same order. */
    PerftLine *line = result->line;
    for (int i = 0; i < counter.part_count; i++) {
        while (line->move != counter.parts[i].move) {
            line++;
        }
        line->count += counter.parts[i].count;
        result->total += counter.parts[i].count;
    }
    free(counter.parts);
    free(counter.second);
    if (counter.table != NULL) {
        xmem_free_large(counter.table, table_bytes);
    }
    return !flag_is_set(counter.cancel);
}
