/* dfpn_tt.c: looks up, merges and replaces entries while holding the lock of their bucket, and
 * keeps the smaller table of path-dependent failures. */
#include "mate/dfpn_tt.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/xmem.h"

/* One position. An entry can hold a proof, a refutation up to some length, and the numbers of an
 * unsolved position, all at the same time:
 *
 *   bytes 0-3 key   4-7 pn   8-11 dn   12-15 hand   16-19 work
 *   20-21 mate_len   22-23 none_len   24-25 depth   26-27 move   28 generation   29-31 unused
 *
 * In a table of at least 64 MB, `key`, the tag and the index of the bucket together determine all
 * bits of the board's key except one. Each time the size is halved, one more bit is lost. */
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
    uint8_t generation;
    uint8_t unused[3];
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

struct MateTable {
    Bucket *buckets;
    size_t bucket_count;
    LoopSlot *loops;
    size_t loop_count;  /* a multiple of LOOP_WAYS */
    uint64_t salt;      /* changed to discard all entries, because old ones are then never found */
    uint64_t loop_salt; /* changed with the generation */
    uint8_t generation;
    uint8_t kept; /* number of earlier generations that are still valid, at most 255 */
};

MateTable *dfpn_tt_new(size_t bytes) {
    size_t loop_bytes = bytes / 16 / 64 * 64;
    size_t bucket_count = (bytes - loop_bytes) / sizeof(Bucket);
    bucket_count = bucket_count > 0 ? bucket_count : 1;
    loop_bytes = loop_bytes > 0 ? loop_bytes : 64;
    MateTable *table = xmem_calloc(1, sizeof(*table));
    table->bucket_count = bucket_count;
    table->loop_count = loop_bytes / sizeof(LoopSlot);
    /* The table is not cleared in advance: a short search touches little of it, and a stop must not
     * have to wait until huge pages are cleared. */
    table->buckets = xmem_try_large(bucket_count * sizeof(Bucket), XMEM_SMALL_PAGES);
    table->loops = xmem_try_large(loop_bytes, XMEM_SMALL_PAGES);
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
        xmem_free_large(table->buckets, table->bucket_count * sizeof(Bucket));
    }
    if (table->loops != NULL) {
        xmem_free_large(table->loops, table->loop_count * sizeof(LoopSlot));
    }
    free(table);
}

void dfpn_tt_new_search(MateTable *table, bool keeps) {
    table->generation++;
    table->loop_salt = (table->loop_salt + 1) * 0x9E3779B97F4A7C15;
    if (!keeps) {
        table->kept = 0;
        table->salt = table->loop_salt;
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

/* Returns key * count / 2^64, without overflow for any count below 2^32. */
static size_t place(uint64_t key, size_t count) {
    return (size_t)((key >> 32) * count >> 32);
}

/* The data that distinguish the entries of a bucket: the bits of the mixed key that do not select
 * the bucket, and the attacker's hand. */
typedef struct Label {
    uint16_t tag;
    uint32_t key;
    Hand hand;
} Label;

static Label label_of(uint64_t hashed, Hand hand) {
    return (Label){
        .tag = (uint16_t)(hashed & 0xFFFF) | 1, .key = (uint32_t)(hashed >> 16), .hand = hand};
}

static void lock(Bucket *bucket) {
    while (atomic_exchange_explicit(&bucket->lock, 1, memory_order_acquire) != 0) {
    }
}

static void unlock(Bucket *bucket) {
    atomic_store_explicit(&bucket->lock, 0, memory_order_release);
}

void dfpn_tt_prefetch(const MateTable *table, uint64_t board) {
    PREFETCH(&table->buckets[place(mix(board ^ table->salt), table->bucket_count)]);
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

bool dfpn_tt_look(MateTable *table, MateKey key, int len, MateValue *value) {
    uint64_t hashed = mix(key.board ^ table->salt);
    Bucket *bucket = &table->buckets[place(hashed, table->bucket_count)];
    Label label = label_of(hashed, key.hand);
    MateValue found = {.depth = LEN_NEVER, .loop = MATE_NO_LOOP};
    bool is_solved = false;
    lock(bucket);
    uint32_t places = matching(bucket, label.tag);
    for (; places != 0 && !is_solved; places &= places - 1) {
        const Entry *entry = &bucket->entry[BITS_LOWEST(places)];
        if (entry->key == label.key) {
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
static Entry *claim(const MateTable *table, Bucket *bucket, Label label) {
    uint32_t places = matching(bucket, label.tag);
    for (; places != 0; places &= places - 1) {
        Entry *entry = &bucket->entry[BITS_LOWEST(places)];
        if (entry->key == label.key && entry->hand == label.hand) {
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
    bucket->tag[least] = label.tag;
    bucket->entry[least] = (Entry){.key = label.key,
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

static void store_solved(const MateTable *table, Bucket *bucket, Label label,
                         const MateValue *value) {
    uint32_t work = value->work;
    for (uint32_t places = matching(bucket, label.tag); places != 0; places &= places - 1) {
        int i = BITS_LOWEST(places);
        const Entry *entry = &bucket->entry[i];
        if (entry->key == label.key && makes_useless(entry, value)) {
            work = entry->work > work ? entry->work : work;
            bucket->tag[i] = 0;
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

void dfpn_tt_store(MateTable *table, MateKey key, const MateValue *value) {
    uint64_t hashed = mix(key.board ^ table->salt);
    Bucket *bucket = &table->buckets[place(hashed, table->bucket_count)];
    Label label = label_of(hashed, key.hand);
    lock(bucket);
    if (value->pn == 0 || value->dn == 0) {
        store_solved(table, bucket, label, value);
    } else {
        ASSERT(value->pn <= MATE_OPEN_MOST && value->dn <= MATE_OPEN_MOST);
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
}

/* ---- failures on one path -------------------------------------------------------------------- */

static LoopSlot *loop_slots(const MateTable *table, uint64_t hashed) {
    return &table->loops[place(hashed, table->loop_count / LOOP_WAYS) * LOOP_WAYS];
}

void dfpn_tt_prefetch_loop(const MateTable *table, uint64_t path) {
    PREFETCH(loop_slots(table, mix(path ^ table->loop_salt)));
}

bool dfpn_tt_look_loop(MateTable *table, uint64_t path, int len, MateValue *value) {
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
    for (int i = 0; i < LOOP_WAYS; i++) {
        uint64_t old = atomic_load_explicit(&slots[i].data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&slots[i].check, memory_order_relaxed);
        if ((check ^ old) == hashed || old == 0 || (old >> 32 & 0xFF) != table->generation) {
            victim = i;
            break;
        }
    }
    atomic_store_explicit(&slots[victim].data, data, memory_order_relaxed);
    atomic_store_explicit(&slots[victim].check, hashed ^ data, memory_order_relaxed);
}

/* ---- report ---------------------------------------------------------------------------------- */

int dfpn_tt_fill(MateTable *table) {
    enum { SAMPLE = 64 };
    int used = 0;
    size_t count = table->bucket_count < SAMPLE ? table->bucket_count : SAMPLE;
    for (size_t i = 0; i < count; i++) {
        Bucket *bucket = &table->buckets[i];
        lock(bucket);
        for (int k = 0; k < BUCKET_ENTRIES; k++) {
            used += bucket->tag[k] != 0 && !is_forgotten(table, &bucket->entry[k]);
        }
        unlock(bucket);
    }
    return (int)((size_t)used * 1000 / (count * BUCKET_ENTRIES));
}
