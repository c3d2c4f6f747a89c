/* dfpn_tt.c: looks up, merges and replaces entries while holding the lock of their bucket, and
 * keeps the smaller table of path-dependent failures.
 *
 * A search starts with a few buckets and adds more as they fill (linear hashing, Litwin 1980), so a
 * short search stays in the processor's caches and touches few pages. */
#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "mate/dfpn.h"

/* One position. An entry can hold a proof, a refutation up to some length, and the numbers of an
 * unsolved position, all at the same time:
 *
 *   bytes 0-3 key   4-7 pn   8-11 dn   12-15 hand   16-19 work
 *   20-21 mate_len   22-23 none_len   24-25 depth   26-27 move   28-29 key_high   30 generation
 *   31 unused
 *
 * `key`, `key_high` and the tag together are all bits of the board's mixed key except one. */
typedef struct Entry {
    uint32_t key;
    uint32_t pn; /* 0: the entry has no numbers */
    uint32_t dn;
    Hand hand;
    uint32_t work;
    int16_t mate_len; /* mate within this many plies; LEN_NEVER if no mate is known */
    int16_t none_len; /* no mate within this many plies; -1 if nothing is known */
    int16_t depth;
    Move move;
    uint16_t key_high;
    uint8_t generation;
    uint8_t unused;
} Entry;

_Static_assert(sizeof(Entry) == 32, "two entries to a cache line");

enum { LEN_NEVER = 32767, DEPTH_UNKNOWN = LEN_NEVER - 1, BUCKET_ENTRIES = 30 };

/* A bucket is 16 cache lines. A tag is a part of the board's key, or 0 for an empty slot. An
 * unsuccessful lookup reads only the first line. */
typedef struct Bucket {
    atomic_uint lock;
    uint16_t tag[BUCKET_ENTRIES];
    Entry entry[BUCKET_ENTRIES];
} Bucket;

_Static_assert(sizeof(Bucket) == 1024, "buckets are whole cache lines");

/* A failure that holds on one path, in two words that another thread may write at the same time.
 * The first word is the key XORed with the second, so words from two different writes never
 * match. */
typedef struct LoopSlot {
    _Atomic uint64_t check;
    _Atomic uint64_t data; /* bits 0-15 loop, 16-31 length, 32-39 generation, 40 used */
} LoopSlot;

enum { LOOP_WAYS = 4 };

/* A growing array of buckets. It starts with `base` buckets, and each bucket is split in two until
 * there are base * 2^levels. The buckets are split one at a time: while the array grows from base *
 * 2^level buckets to twice as many, bucket number (count - base * 2^level) is the next to split. */
typedef struct Growth {
    size_t base;
    int levels;
    _Atomic uint64_t state;  /* bits 0-5 level, 6-63 count of buckets in use */
    _Atomic uint64_t filled; /* entries in use; several threads make it slightly inexact */
} Growth;

/* A bucket is added when there are more entries than this for two buckets in use. */
enum { BUCKET_TARGET = 20, LOOP_TARGET = 1, BASE_MIN = 64 };

struct MateTable {
    Bucket *buckets;
    LoopSlot *loops; /* LOOP_WAYS slots in each bucket */
    Growth growth;
    Growth loop_growth;
    atomic_uint grow_lock;
    uint64_t loop_salt; /* changed with the generation */
    uint8_t generation;
    uint8_t kept; /* number of earlier generations that are still valid, at most 255 */
};

/* ---- growth ---------------------------------------------------------------------------------- */

enum { LEVEL_BITS = 6 };

static uint64_t growth_state(size_t count, int level) {
    return (uint64_t)count << LEVEL_BITS | (uint64_t)level;
}

static size_t growth_most(const Growth *growth) {
    return growth->base << growth->levels;
}

static void growth_reset(Growth *growth) {
    atomic_store_explicit(&growth->state, growth_state(growth->base, 0), memory_order_relaxed);
    atomic_store_explicit(&growth->filled, 0, memory_order_relaxed);
}

/* Prepares an array of at most `count` buckets. */
static void growth_init(Growth *growth, size_t count) {
    growth->levels = 0;
    while (count >> growth->levels >= 2 * BASE_MIN) {
        growth->levels++;
    }
    growth->base = count >> growth->levels;
    growth_reset(growth);
}

static uint64_t growth_now(const Growth *growth) {
    return atomic_load_explicit(&growth->state, memory_order_acquire);
}

/* The bucket of a key. The upper half of the key selects one of the first buckets; the bits from 16
 * up select among those that it was split into. */
static size_t growth_place(const Growth *growth, uint64_t state, uint64_t hashed) {
    size_t first = (size_t)((hashed >> 32) * growth->base >> 32);
    uint64_t half = ((uint64_t)1 << (state & ((1 << LEVEL_BITS) - 1))) - 1;
    size_t bucket = first + growth->base * (hashed >> 16 & (2 * half + 1));
    return bucket < state >> LEVEL_BITS ? bucket : first + growth->base * (hashed >> 16 & half);
}

static void growth_count(Growth *growth, int change) {
    uint64_t filled = atomic_load_explicit(&growth->filled, memory_order_relaxed);
    atomic_store_explicit(&growth->filled, filled + (uint64_t)change, memory_order_relaxed);
}

/* True if there are more than `target` entries for two buckets and another bucket can be added. */
static bool growth_is_due(const Growth *growth, int target) {
    uint64_t count = growth_now(growth) >> LEVEL_BITS;
    uint64_t filled = atomic_load_explicit(&growth->filled, memory_order_relaxed);
    return 2 * filled > count * (uint64_t)target && count < growth_most(growth);
}

/* The bucket to split next. About half of its entries move to the first unused bucket, the one
 * whose number is the present count. */
static size_t growth_next(const Growth *growth, uint64_t state) {
    return (state >> LEVEL_BITS) - (growth->base << (state & ((1 << LEVEL_BITS) - 1)));
}

/* Makes the new bucket visible, after the entries have been moved. */
static void growth_finish(Growth *growth, uint64_t state) {
    size_t count = (size_t)(state >> LEVEL_BITS) + 1;
    int level = (int)(state & ((1 << LEVEL_BITS) - 1));
    level += count == growth->base << (level + 1);
    atomic_store_explicit(&growth->state, growth_state(count, level), memory_order_release);
}

/* ---- table ----------------------------------------------------------------------------------- */

MateTable *dfpn_tt_new(size_t bytes) {
    enum { LOOP_BYTES = LOOP_WAYS * sizeof(LoopSlot) };
    size_t loop_count = bytes / 16 / LOOP_BYTES;
    size_t bucket_count = (bytes - loop_count * LOOP_BYTES) / sizeof(Bucket);
    MateTable *table = xmem_calloc(1, sizeof(*table));
    growth_init(&table->growth, bucket_count > 0 ? bucket_count : 1);
    growth_init(&table->loop_growth, loop_count > 0 ? loop_count : 1);
    /* The table is not cleared in advance: a short search touches little of it, and a stop must not
     * have to wait until huge pages are cleared. */
    table->buckets = xmem_try_large(growth_most(&table->growth) * sizeof(Bucket), XMEM_SMALL_PAGES);
    table->loops = xmem_try_large(growth_most(&table->loop_growth) * LOOP_BYTES, XMEM_SMALL_PAGES);
    if (table->buckets == NULL || table->loops == NULL) {
        dfpn_tt_free(table);
        return NULL;
    }
    dfpn_tt_new_search(table, false);
    return table;
}

void dfpn_tt_free(MateTable *table) {
    if (table == NULL) {
        return;
    }
    if (table->buckets != NULL) {
        xmem_free_large(table->buckets, growth_most(&table->growth) * sizeof(Bucket));
    }
    if (table->loops != NULL) {
        xmem_free_large(table->loops,
                        growth_most(&table->loop_growth) * LOOP_WAYS * sizeof(LoopSlot));
    }
    free(table);
}

static void clear_bucket(Bucket *bucket) {
    memset(bucket->tag, 0, sizeof(bucket->tag));
}

void dfpn_tt_new_search(MateTable *table, bool keeps) {
    table->generation++;
    table->loop_salt = (table->loop_salt + 1) * 0x9E3779B97F4A7C15;
    growth_reset(&table->loop_growth);
    if (!keeps) {
        table->kept = 0;
        growth_reset(&table->growth);
        for (size_t i = 0; i < table->growth.base; i++) {
            clear_bucket(&table->buckets[i]);
        }
    } else if (table->kept < UINT8_MAX) {
        table->kept++;
    }
}

/* ---- positions ------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t key) {
    key ^= key >> 32;
    key *= 0xD6E8FEB86659FD93;
    return key ^ key >> 32;
}

/* The data that distinguish the entries of a bucket: the mixed key and the attacker's hand. */
typedef struct Label {
    uint16_t tag;
    uint16_t key_high;
    uint32_t key;
    Hand hand;
} Label;

static Label label_of(uint64_t hashed, Hand hand) {
    return (Label){.tag = (uint16_t)(hashed & 0xFFFF) | 1,
                   .key_high = (uint16_t)(hashed >> 48),
                   .key = (uint32_t)(hashed >> 16),
                   .hand = hand};
}

static bool is_board(const Entry *entry, Label label) {
    return entry->key == label.key && entry->key_high == label.key_high;
}

static void lock(Bucket *bucket) {
    while (atomic_exchange_explicit(&bucket->lock, 1, memory_order_acquire) != 0) {
    }
}

static void unlock(Bucket *bucket) {
    atomic_store_explicit(&bucket->lock, 0, memory_order_release);
}

/* Returns the bucket of a key, locked. If the bucket was split before it could be locked, tries
 * again. */
static Bucket *lock_bucket(MateTable *table, uint64_t hashed) {
    const Growth *growth = &table->growth;
    uint64_t state = growth_now(growth);
    for (;;) {
        Bucket *bucket = &table->buckets[growth_place(growth, state, hashed)];
        lock(bucket);
        uint64_t before = state;
        state = growth_now(growth);
        if (state == before || &table->buckets[growth_place(growth, state, hashed)] == bucket) {
            return bucket;
        }
        unlock(bucket);
    }
}

void dfpn_tt_prefetch(const MateTable *table, uint64_t board) {
    const Growth *growth = &table->growth;
    PREFETCH(&table->buckets[growth_place(growth, growth_now(growth), mix(board))]);
}

/* The slots with this tag, as a set of bits. */
static uint32_t matching(const Bucket *bucket, uint16_t tag) {
    uint32_t places = 0;
    for (int i = 0; i < BUCKET_ENTRIES; i++) {
        places |= (uint32_t)(bucket->tag[i] == tag) << i;
    }
    return places;
}

/* The depth of an entry, if it belongs to this generation. */
static int16_t depth_of(const Entry *entry, uint8_t generation) {
    return entry->generation == generation ? entry->depth : DEPTH_UNKNOWN;
}

/* Uses what an entry of the same board proves about `hand`. Returns true if that solves the
 * position. With more pieces in hand a position is no easier to refute, and with fewer it is no
 * easier to prove, so the numbers of other hands are bounds. */
static bool learn(const Entry *entry, Hand hand, int len, uint8_t generation, MateValue *value) {
    bool has_more = hand_covers(hand, entry->hand);
    bool has_less = hand_covers(entry->hand, hand);
    if (has_more && entry->mate_len <= len) {
        *value = (MateValue){.pn = 0,
                             .dn = MATE_NUMBER_MAX,
                             .hand = entry->hand,
                             .work = entry->work,
                             .len = entry->mate_len,
                             .depth = depth_of(entry, generation),
                             .loop = MATE_NO_LOOP,
                             .move = entry->move};
        return true;
    }
    if (has_less && entry->none_len >= len) {
        *value = (MateValue){.pn = MATE_NUMBER_MAX,
                             .dn = 0,
                             .hand = entry->hand,
                             .work = entry->work,
                             .len = entry->none_len,
                             .depth = depth_of(entry, generation),
                             .loop = MATE_NO_LOOP,
                             .move = entry->mate_len == LEN_NEVER ? entry->move : MOVE_NONE};
        return true;
    }
    if (entry->pn == 0) {
        return false;
    }
    if (has_more && entry->dn > value->dn) {
        value->dn = entry->dn;
    }
    if (has_less && entry->pn > value->pn) {
        value->pn = entry->pn;
    }
    if (has_more && has_less) {
        value->work = entry->work;
        value->depth = depth_of(entry, generation);
        value->move = entry->move;
    }
    return false;
}

bool dfpn_tt_probe(MateTable *table, MateKey key, int len, MateValue *value) {
    uint64_t hashed = mix(key.board);
    Label label = label_of(hashed, key.hand);
    MateValue found = {.depth = LEN_NEVER, .loop = MATE_NO_LOOP};
    bool is_solved = false;
    Bucket *bucket = lock_bucket(table, hashed);
    uint32_t places = matching(bucket, label.tag);
    for (; places != 0 && !is_solved; places &= places - 1) {
        const Entry *entry = &bucket->entry[BITS_LOWEST(places)];
        if (is_board(entry, label)) {
            is_solved = learn(entry, key.hand, len, table->generation, &found);
        }
    }
    unlock(bucket);
    if (is_solved || found.depth != LEN_NEVER) {
        *value = found;
        return true;
    }
    return false;
}

/* True if the solved value makes the entry, which belongs to the same board, redundant. */
static bool makes_useless(const Entry *entry, const MateValue *value) {
    if (value->pn == 0) {
        return hand_covers(entry->hand, value->hand) && entry->mate_len >= value->len &&
               entry->none_len < 0;
    }
    return value->len == MATE_LEN_FREE && hand_covers(value->hand, entry->hand) &&
           entry->mate_len == LEN_NEVER;
}

static bool is_forgotten(const MateTable *table, const Entry *entry) {
    return (uint8_t)(table->generation - entry->generation) > table->kept;
}

static uint64_t worth(const MateTable *table, const Bucket *bucket, int i) {
    if (bucket->tag[i] == 0) {
        return 0;
    }
    const Entry *entry = &bucket->entry[i];
    if (is_forgotten(table, entry)) {
        return 1;
    }
    bool is_solved = entry->mate_len != LEN_NEVER || entry->none_len >= 0;
    uint64_t work = (uint64_t)entry->work * (is_solved ? 4 : 1);
    return 2 + (entry->generation == table->generation ? work : work / 4);
}

static void note_depth(const MateTable *table, Entry *entry, int depth) {
    if (entry->generation != table->generation || depth < entry->depth) {
        entry->depth = (int16_t)depth;
    }
    entry->generation = table->generation;
}

/* Returns the entry for this board and hand, either the existing entry or a new one that replaces
 * the least valuable entry. */
static Entry *claim(MateTable *table, Bucket *bucket, Label label) {
    uint32_t places = matching(bucket, label.tag);
    for (; places != 0; places &= places - 1) {
        Entry *entry = &bucket->entry[BITS_LOWEST(places)];
        if (is_board(entry, label) && entry->hand == label.hand) {
            return entry;
        }
    }
    int least = 0;
    uint64_t least_worth = UINT64_MAX;
    for (int i = 0; i < BUCKET_ENTRIES && least_worth > 0; i++) {
        uint64_t here = worth(table, bucket, i);
        if (here < least_worth) {
            least = i;
            least_worth = here;
        }
    }
    if (bucket->tag[least] == 0) {
        growth_count(&table->growth, 1);
    }
    bucket->tag[least] = label.tag;
    bucket->entry[least] = (Entry){.key = label.key,
                                   .key_high = label.key_high,
                                   .hand = label.hand,
                                   .mate_len = LEN_NEVER,
                                   .none_len = -1,
                                   .depth = LEN_NEVER,
                                   .generation = table->generation};
    return &bucket->entry[least];
}

static void add_work(Entry *entry, uint32_t work) {
    entry->work = work < UINT32_MAX - entry->work ? entry->work + work : UINT32_MAX;
}

static void store_solved(MateTable *table, Bucket *bucket, Label label, const MateValue *value) {
    uint32_t work = value->work;
    for (uint32_t places = matching(bucket, label.tag); places != 0; places &= places - 1) {
        int i = BITS_LOWEST(places);
        const Entry *entry = &bucket->entry[i];
        if (is_board(entry, label) && makes_useless(entry, value)) {
            work = entry->work > work ? entry->work : work;
            bucket->tag[i] = 0;
            growth_count(&table->growth, -1);
        }
    }
    label.hand = value->hand;
    Entry *entry = claim(table, bucket, label);
    if (value->pn == 0 && value->len < entry->mate_len) {
        entry->mate_len = value->len;
        entry->move = value->move;
    }
    if (value->dn == 0 && value->len > entry->none_len) {
        entry->none_len = value->len;
        entry->move = entry->mate_len == LEN_NEVER ? value->move : entry->move;
    }
    add_work(entry, work);
    note_depth(table, entry, value->depth);
}

/* Moves the entries of the next bucket that belong to its second half to a new bucket. */
static NO_INLINE void split_bucket(MateTable *table) {
    Growth *growth = &table->growth;
    uint64_t state = growth_now(growth);
    Bucket *from = &table->buckets[growth_next(growth, state)];
    Bucket *to = &table->buckets[state >> LEVEL_BITS];
    uint32_t bit = (uint32_t)1 << (state & ((1 << LEVEL_BITS) - 1));
    clear_bucket(to);
    lock(from);
    for (int i = 0; i < BUCKET_ENTRIES; i++) {
        if (from->tag[i] != 0 && (from->entry[i].key & bit) != 0) {
            to->tag[i] = from->tag[i];
            to->entry[i] = from->entry[i];
            from->tag[i] = 0;
        }
    }
    growth_finish(growth, state);
    unlock(from);
}

/* Adds a bucket to an array if it is due and no other thread is adding one. */
static void try_grow(MateTable *table, const Growth *growth, int target,
                     void (*split)(MateTable *table)) {
    if (growth_is_due(growth, target) &&
        atomic_exchange_explicit(&table->grow_lock, 1, memory_order_acquire) == 0) {
        if (growth_is_due(growth, target)) {
            split(table);
        }
        atomic_store_explicit(&table->grow_lock, 0, memory_order_release);
    }
}

void dfpn_tt_store(MateTable *table, MateKey key, const MateValue *value) {
    uint64_t hashed = mix(key.board);
    Label label = label_of(hashed, key.hand);
    Bucket *bucket = lock_bucket(table, hashed);
    if (value->pn == 0 || value->dn == 0) {
        store_solved(table, bucket, label, value);
    } else {
        ASSERT(value->pn <= MATE_OPEN_MAX && value->dn <= MATE_OPEN_MAX);
        Entry *entry = claim(table, bucket, label);
        entry->pn = (uint32_t)value->pn;
        entry->dn = (uint32_t)value->dn;
        add_work(entry, value->work);
        note_depth(table, entry, value->depth);
        if (entry->mate_len == LEN_NEVER) {
            entry->move = value->move;
        }
    }
    unlock(bucket);
    try_grow(table, &table->growth, BUCKET_TARGET, split_bucket);
}

/* ---- failures on one path -------------------------------------------------------------------- */

static LoopSlot *loop_slots(const MateTable *table, uint64_t hashed) {
    const Growth *growth = &table->loop_growth;
    return &table->loops[growth_place(growth, growth_now(growth), hashed) * LOOP_WAYS];
}

/* Like split_bucket. Without a lock, a failure that another thread stores here may be lost. */
static NO_INLINE void split_loops(MateTable *table) {
    Growth *growth = &table->loop_growth;
    uint64_t state = growth_now(growth);
    LoopSlot *from = &table->loops[growth_next(growth, state) * LOOP_WAYS];
    LoopSlot *to = &table->loops[(size_t)(state >> LEVEL_BITS) * LOOP_WAYS];
    uint64_t bit = (uint64_t)1 << (16 + (state & ((1 << LEVEL_BITS) - 1)));
    for (int i = 0; i < LOOP_WAYS; i++) {
        uint64_t data = atomic_load_explicit(&from[i].data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&from[i].check, memory_order_relaxed);
        bool moves = ((check ^ data) & bit) != 0;
        atomic_store_explicit(&to[i].data, moves ? data : 0, memory_order_relaxed);
        atomic_store_explicit(&to[i].check, check, memory_order_relaxed);
        if (moves) {
            atomic_store_explicit(&from[i].data, 0, memory_order_relaxed);
        }
    }
    growth_finish(growth, state);
}

void dfpn_tt_prefetch_loop(const MateTable *table, uint64_t path) {
    PREFETCH(loop_slots(table, mix(path ^ table->loop_salt)));
}

bool dfpn_tt_probe_loop(MateTable *table, uint64_t path, int len, MateValue *value) {
    uint64_t hashed = mix(path ^ table->loop_salt);
    LoopSlot *slots = loop_slots(table, hashed);
    for (int i = 0; i < LOOP_WAYS; i++) {
        uint64_t data = atomic_load_explicit(&slots[i].data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&slots[i].check, memory_order_relaxed);
        if ((check ^ data) == hashed && data != 0 && (int)(data >> 16 & 0xFFFF) >= len) {
            value->pn = MATE_NUMBER_MAX;
            value->dn = 0;
            value->len = (int16_t)(data >> 16 & 0xFFFF);
            value->loop = (int16_t)(data & 0xFFFF);
            return true;
        }
    }
    return false;
}

void dfpn_tt_store_loop(MateTable *table, uint64_t path, const MateValue *value) {
    uint64_t hashed = mix(path ^ table->loop_salt);
    LoopSlot *slots = loop_slots(table, hashed);
    uint64_t data = (uint64_t)1 << 40 | (uint64_t)table->generation << 32 |
                    (uint64_t)(uint16_t)value->len << 16 | (uint16_t)value->loop;
    int victim = (int)(hashed & (LOOP_WAYS - 1));
    bool is_fresh = false;
    for (int i = 0; i < LOOP_WAYS; i++) {
        uint64_t old = atomic_load_explicit(&slots[i].data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&slots[i].check, memory_order_relaxed);
        if ((check ^ old) == hashed || old == 0 || (old >> 32 & 0xFF) != table->generation) {
            victim = i;
            is_fresh = (check ^ old) != hashed;
            break;
        }
    }
    atomic_store_explicit(&slots[victim].data, data, memory_order_relaxed);
    atomic_store_explicit(&slots[victim].check, hashed ^ data, memory_order_relaxed);
    if (is_fresh) {
        growth_count(&table->loop_growth, 1);
        try_grow(table, &table->loop_growth, LOOP_TARGET, split_loops);
    }
}

/* ---- report ---------------------------------------------------------------------------------- */

int dfpn_tt_hashfull(MateTable *table) {
    enum { SAMPLE = 64 };
    int used = 0;
    size_t in_use = (size_t)(growth_now(&table->growth) >> LEVEL_BITS);
    size_t count = in_use < SAMPLE ? in_use : SAMPLE;
    for (size_t i = 0; i < count; i++) {
        Bucket *bucket = &table->buckets[i];
        lock(bucket);
        for (int k = 0; k < BUCKET_ENTRIES; k++) {
            used += bucket->tag[k] != 0 && !is_forgotten(table, &bucket->entry[k]);
        }
        unlock(bucket);
    }
    double share = (double)in_use / (double)growth_most(&table->growth);
    return (int)(share * used * 1000 / (double)(count * BUCKET_ENTRIES));
}
