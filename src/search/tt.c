/* tt.c: the transposition table: packing of entries, replacement within a bucket, and
 * multi-threaded clearing. */
#include "search/tt.h"

#include <string.h>

#include "base/meminfo.h"
#include "base/xmem.h"
#include "search/params.h"

#define AGE_SHIFT   59
#define AGE_COUNT   32
#define PV_SHIFT    58
#define BOUND_SHIFT 56
#define DEPTH_SHIFT 48
#define EVAL_SHIFT  32
#define SCORE_SHIFT 16
#define MATE_TESTED ((uint64_t)1 << 15) /* beside the 15 bits of the move */

/* Number of bytes cleared between two checks of the cancel flag. */
#define CLEAR_CHUNK    ((size_t)2 << 20)

#define SAMPLE_BUCKETS 400

static uint64_t pack(const TtEntry *entry, int ply, uint32_t age) {
    Score score = score_to_table(entry->score, ply);
    return (uint64_t)age << AGE_SHIFT | (uint64_t)entry->is_pv << PV_SHIFT |
           (uint64_t)entry->bound << BOUND_SHIFT |
           (uint64_t)int_clamp(entry->depth, 0, 255) << DEPTH_SHIFT |
           (uint64_t)(uint16_t)entry->eval << EVAL_SHIFT |
           (uint64_t)(uint16_t)score << SCORE_SHIFT | (entry->is_mate_tested ? MATE_TESTED : 0) |
           entry->move;
}

static Move data_move(uint64_t data) {
    return (Move)(data & (MATE_TESTED - 1));
}

static int data_depth(uint64_t data) {
    return (int)(data >> DEPTH_SHIFT & 255);
}

static Bound data_bound(uint64_t data) {
    return (Bound)(data >> BOUND_SHIFT & 3);
}

static uint32_t data_age(uint64_t data) {
    return (uint32_t)(data >> AGE_SHIFT);
}

static void unpack(uint64_t data, int ply, TtEntry *entry) {
    Score score = (int16_t)(data >> SCORE_SHIFT);
    *entry = (TtEntry){.move = data_move(data),
                       .score = score_from_table(score, ply),
                       .eval = (int16_t)(data >> EVAL_SHIFT),
                       .depth = data_depth(data),
                       .bound = data_bound(data),
                       .is_pv = (data >> PV_SHIFT & 1) != 0,
                       .is_mate_tested = (data & MATE_TESTED) != 0};
}

static uint32_t check_word(uint64_t key, uint64_t data) {
    return (uint32_t)(key >> 32) ^ (uint32_t)data ^ (uint32_t)(data >> 32);
}

static TtBucket *find_bucket(const TransTable *tt, uint64_t key) {
    return &tt->buckets[(uint64_t)(uint32_t)key * tt->count >> 32];
}

void tt_init(TransTable *tt) {
    *tt = (TransTable){.buckets = NULL};
}

void tt_free(TransTable *tt) {
    xmem_free_large(tt->buckets, tt->count * sizeof(TtBucket));
    tt_init(tt);
}

bool tt_resize(TransTable *tt, size_t mb) {
    ASSERT(mb >= TT_MIN_MB && mb <= TT_MAX_MB);
    size_t count = (mb << 20) / sizeof(TtBucket);
    if (tt->buckets != NULL && tt->mb == mb) {
        return true;
    }
    /* Refuse a table that takes all memory, because the program would run out of memory later. */
    if (mb << 20 > meminfo_available() + tt->count * sizeof(TtBucket)) {
        return false;
    }
    TtBucket *buckets = xmem_try_large(count * sizeof(TtBucket), XMEM_HUGE_PAGES);
    if (buckets == NULL) {
        return false;
    }
    tt_free(tt);
    *tt = (TransTable){.buckets = buckets, .count = count, .mb = mb};
    return true;
}

typedef struct ClearJob {
    char *memory;
    size_t bytes;
    int threads;
    const Watch *watch;
} ClearJob;

static void clear_part(void *context, int index) {
    const ClearJob *job = context;
    size_t chunks = (job->bytes + CLEAR_CHUNK - 1) / CLEAR_CHUNK;
    for (size_t i = (size_t)index; i < chunks; i += (size_t)job->threads) {
        if (index == 0 ? watch_tick(job->watch) : watch_is_cancelled(job->watch)) {
            return;
        }
        size_t start = i * CLEAR_CHUNK;
        size_t left = job->bytes - start;
        memset(job->memory + start, 0, left < CLEAR_CHUNK ? left : CLEAR_CHUNK);
    }
}

void tt_clear(TransTable *tt, int threads, const Watch *watch) {
    ClearJob job = {(char *)tt->buckets, tt->count * sizeof(TtBucket), threads, watch};
    parallel_run(threads, clear_part, &job);
    bool is_cut = watch_is_cancelled(watch);
    tt->is_used = tt->is_used && is_cut;
    tt->is_faulted_in = !is_cut;
    tt->age = 0;
}

void tt_new_search(TransTable *tt) {
    tt->age = (tt->age + 1) % AGE_COUNT;
    tt->is_used = true;
}

bool tt_probe(const TransTable *tt, uint64_t key, int ply, TtEntry *entry) {
    if (tt->count == 0) {
        return false;
    }
    const TtBucket *bucket = find_bucket(tt, key);
    for (int i = 0; i < TT_BUCKET_SIZE; i++) {
        uint64_t data = atomic_load_explicit(&bucket->data[i], memory_order_relaxed);
        uint32_t check = atomic_load_explicit(&bucket->check[i], memory_order_relaxed);
        if (check == check_word(key, data) && data_bound(data) != BOUND_NONE) {
            unpack(data, ply, entry);
            return true;
        }
    }
    return false;
}

static int searches_ago(const TransTable *tt, uint64_t data) {
    return (int)((tt->age + AGE_COUNT - data_age(data)) % AGE_COUNT);
}

/* The value of an entry: less valuable entries are replaced first. Mates in one are stored with the
 * greatest depth but count little, because they can be found again without a search. */
static int worth_of(const TransTable *tt, uint64_t data) {
    int depth = data_depth(data) < MAX_PLY ? data_depth(data) : 0;
    return depth - P_TT_AGE_WEIGHT * searches_ago(tt, data);
}

/* Finds the entry of this position or, if there is none, the least valuable entry. *old becomes the
 * data word of the entry, or 0 if it belongs to another position. */
static int find_tt_slot(const TransTable *tt, const TtBucket *bucket, uint64_t key, uint64_t *old) {
    int worst = 0;
    int worst_value = INT32_MAX;
    *old = 0;
    for (int i = 0; i < TT_BUCKET_SIZE; i++) {
        uint64_t data = atomic_load_explicit(&bucket->data[i], memory_order_relaxed);
        uint32_t check = atomic_load_explicit(&bucket->check[i], memory_order_relaxed);
        bool is_empty = data_bound(data) == BOUND_NONE;
        if (!is_empty && check == check_word(key, data)) {
            *old = data;
            return i;
        }
        int value = is_empty ? INT32_MIN : worth_of(tt, data);
        if (value < worst_value) {
            worst = i;
            worst_value = value;
        }
    }
    return worst;
}

static void write_slot(TtBucket *bucket, int slot, uint64_t key, uint64_t data) {
    atomic_store_explicit(&bucket->data[slot], data, memory_order_relaxed);
    atomic_store_explicit(&bucket->check[slot], check_word(key, data), memory_order_relaxed);
}

void tt_store(TransTable *tt, uint64_t key, int ply, const TtEntry *entry) {
    ASSERT(entry->bound != BOUND_NONE && entry->score != SCORE_NONE);
    if (tt->count == 0) {
        return;
    }
    TtBucket *bucket = find_bucket(tt, key);
    uint64_t old;
    int slot = find_tt_slot(tt, bucket, key, &old);
    bool is_much_deeper =
        entry->bound != BOUND_EXACT &&
        entry->depth + P_TT_DEPTH_SLACK + P_TT_DEPTH_PV * entry->is_pv < data_depth(old);
    if (old != 0 && searches_ago(tt, old) == 0 && is_much_deeper) {
        /* Keep the entry but replace its move, because the newer move is likely to be better. */
        if (entry->move != MOVE_NONE && entry->move != data_move(old)) {
            write_slot(bucket, slot, key, (old & ~(MATE_TESTED - 1)) | entry->move);
        }
        return;
    }
    TtEntry whole = *entry;
    if (whole.move == MOVE_NONE) {
        whole.move = data_move(old);
    }
    uint64_t data = pack(&whole, ply, tt->age) | (old & MATE_TESTED);
    write_slot(bucket, slot, key, data);
}

void tt_prefetch(const TransTable *tt, uint64_t key) {
    if (tt->count > 0) {
        PREFETCH(find_bucket(tt, key));
    }
}

int tt_hashfull(const TransTable *tt) {
    size_t sample = tt->count < SAMPLE_BUCKETS ? tt->count : SAMPLE_BUCKETS;
    size_t used = 0;
    for (size_t i = 0; i < sample; i++) {
        for (int j = 0; j < TT_BUCKET_SIZE; j++) {
            uint64_t data = atomic_load_explicit(&tt->buckets[i].data[j], memory_order_relaxed);
            used += data_bound(data) != BOUND_NONE && searches_ago(tt, data) == 0;
        }
    }
    return sample == 0 ? 0 : (int)(used * 1000 / (sample * TT_BUCKET_SIZE));
}
