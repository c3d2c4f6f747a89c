/* accumulator.c: finds the most similar position with sums, lists what differs, and adds and
 * subtracts the rows of what differs. */
#include "eval/accumulator.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "eval/kernels.h"
#include "eval/net.h"
#include "eval/rows.h"

#define ROWS_MORE ((AccRows)1 << 62)
#define ROWS_MASK (~((AccRows)1 << 31 | (AccRows)1 << 63))

/* In a list of rows, marks a row whose input is split into more than two. */
#define ROW_MORE (UINT32_C(1) << 30)

/* Room for the maximum number of changes, each split into the maximum number of rows. */
enum { MAX_ROWS = CHANGES_MAX * ROW_MAX_PARTS };

/* Rows to add or to subtract. Rows are appended two at a time, so there is room for one more. */
typedef struct RowList {
    int count;
    uint32_t row[MAX_ROWS + 1];
} RowList;

static size_t padded_width(const Accumulator *acc) {
    return (size_t)acc->net->hidden;
}

static int16_t *sums_at(const Accumulator *acc, size_t slot, Color side) {
    return acc->sums + (slot * COLOR_NB + (size_t)side) * padded_width(acc);
}

static int16_t *cached_sums(const Accumulator *acc, Color side, int cache) {
    size_t index = (size_t)(side * acc->caches + cache);
    return acc->sums + (ACC_SLOTS * COLOR_NB + index) * padded_width(acc);
}

/* The index of a view's cache. */
static int cache_of(const Accumulator *acc, const Position *pos, NnueView view) {
    return acc->set->per_king > 0 ? features_king(pos, view.side) : view.is_mirrored;
}

static AccRows row_there(int row) {
    return (AccRows)1 << 31 | (AccRows)row;
}

/* Stores the rows of all entries in a view. */
static void init_rows(const Accumulator *acc, int entries, NnueView view) {
    const NnueRows *packed = acc->net->rows;
    for (int entry = 0; entry < entries; entry++) {
        int inputs[2];
        int count = features_inputs(acc->set, view, entry, inputs);
        AccRows rows = count > 0 ? row_there(inputs[0]) : 0;
        rows |= count > 1 ? row_there(inputs[1]) << 32 : 0;
        if (packed != NULL && count == 1 && packed->rest[inputs[0]] != 0) {
            int second = packed->rest[inputs[0]];
            rows |= row_there(second) << 32 | (packed->rest[second] != 0 ? ROWS_MORE : 0);
        }
        acc->rows[entry].of[view.side][view.is_mirrored] = rows;
    }
}

bool accumulator_init(Accumulator *acc, const NnueNet *net, const NnueKernels *kernels) {
    memset(acc, 0, sizeof(*acc));
    acc->net = net;
    acc->kernels = kernels;
    acc->set = net->set;
    acc->caches = acc->set->per_king > 0 ? SQ_NB : acc->set->mirror != MIRROR_NEVER ? 2 : 1;
    int entries = ENTRY_MORE + acc->set->more_entries;
    size_t caches = COLOR_NB * (size_t)acc->caches;
    acc->sums =
        xmem_try_aligned((ACC_SLOTS * COLOR_NB + caches) * padded_width(acc), sizeof(int16_t), 64);
    acc->cache = xmem_try_calloc(caches, sizeof(Snapshot));
    acc->rows = xmem_try_calloc((size_t)entries, sizeof(AccEntry));
    if (acc->sums == NULL || acc->cache == NULL || acc->rows == NULL) {
        accumulator_free(acc);
        return false;
    }
    for (int side = BLACK; side <= WHITE; side++) {
        for (int cache = 0; cache < acc->caches; cache++) {
            /* The sums of an empty board are the biases. */
            memcpy(cached_sums(acc, (Color)side, cache), net->input_bias,
                   padded_width(acc) * sizeof(int16_t));
        }
        init_rows(acc, entries, (NnueView){(Color)side, false, 0});
        init_rows(acc, entries, (NnueView){(Color)side, true, 0});
    }
    return true;
}

void accumulator_free(Accumulator *acc) {
    xmem_free_aligned(acc->sums);
    free(acc->cache);
    free(acc->rows);
    memset(acc, 0, sizeof(*acc));
}

static size_t sums_slot(const Position *pos) {
    return (size_t)(pos->now - pos->states) % ACC_SLOTS;
}

/* True if a slot has the sums of the position of a state. */
static bool is_slot_of(const AccSlot *slot, const State *state) {
    return slot->is_ready && slot->snapshot.board_key == state->board_key &&
           slot->snapshot.hand_key == state->hand_key;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Writes the rows of an entry, and returns where the next one is written. */
FORCE_INLINE uint32_t *add_rows(uint32_t *to, AccRows rows, uint32_t base) {
    AccRows numbers = (rows & ROWS_MASK) + ((AccRows)base << 32 | base);
    to[0] = (uint32_t)numbers;
    to[1] = (uint32_t)(numbers >> 32);
    return to + (rows >> 31 & 1) + (rows >> 63);
}

/* Appends the third and further rows of inputs that are split into so many, which is rare. */
static NO_INLINE void add_split_rows(const Accumulator *acc, RowList *list) {
    const uint16_t *rest = acc->net->rows->rest;
    int count = list->count;
    for (int i = 0; i < count; i++) {
        if ((list->row[i] & ROW_MORE) != 0) {
            list->row[i] ^= ROW_MORE;
            for (uint32_t row = rest[list->row[i]]; row != 0; row = rest[row]) {
                list->row[list->count++] = row;
            }
        }
    }
}

/* to = from, less the rows of the entries that are gone, plus those of the new ones. */
static void apply_changes(const Accumulator *acc, int16_t *to, const int16_t *from, NnueView view,
                          const NnueChanges *changes) {
    RowList added, removed;
    const AccEntry *rows = acc->rows;
    uint32_t *next_added = added.row, *next_removed = removed.row;
    AccRows any = 0; /* the bits that any of the entries has */
    for (int i = 0; i < changes->count; i++) {
        AccRows gone = rows[changes->gone[i]].of[view.side][view.is_mirrored];
        AccRows come = rows[changes->come[i]].of[view.side][view.is_mirrored];
        next_removed = add_rows(next_removed, gone, (uint32_t)view.base);
        next_added = add_rows(next_added, come, (uint32_t)view.base);
        any |= gone | come;
    }
    added.count = (int)(next_added - added.row);
    removed.count = (int)(next_removed - removed.row);
    if (UNLIKELY((any & ROWS_MORE) != 0)) {
        add_split_rows(acc, &added);
        add_split_rows(acc, &removed);
    }
    const NnueRows *packed = acc->net->rows;
    KernelChange change = {.table = packed != NULL ? (const void *)packed->words : acc->net->table,
                           .hidden = acc->net->hidden,
                           .added_count = added.count,
                           .removed_count = removed.count,
                           .added = added.row,
                           .removed = removed.row};
    (packed != NULL ? acc->kernels->update : acc->kernels->layers.update)(to, from, &change);
}

/* ---- sources --------------------------------------------------------------------------------- */

/* Known sums of a view. */
typedef struct Source {
    const Snapshot *snapshot;
    const int16_t *sums;
} Source;

/* The number of changes that one move makes. A position that differs by at most this much is taken
 * at once; looking for a more similar one costs more than it saves. */
static int near_enough(const FeatureSet *set) {
    return set->more_entries > 0 ? 14 : 2;
}

/* Finds the most similar position with sums for each view. */
static void find_sources(const Accumulator *acc, size_t index, const Snapshot *now,
                         const int cache_index[COLOR_NB], Source source[COLOR_NB]) {
    static const int steps[] = {-1, 0, 1, -2}; /* in plies, starting with the likely best */
    const int enough = near_enough(acc->set);
    int least[COLOR_NB] = {INT_MAX, INT_MAX};
    for (size_t i = 0; i < COUNTOF(steps) && int_max(least[BLACK], least[WHITE]) > enough; i++) {
        size_t near = (index + (size_t)steps[i]) % ACC_SLOTS;
        const AccSlot *slot = &acc->slots[near];
        if (!slot->is_ready) {
            continue;
        }
        int distance = features_distance(acc->set, &slot->snapshot, now);
        for (int side = BLACK; side <= WHITE; side++) {
            if (slot->cache_index[side] == cache_index[side] && distance < least[side]) {
                source[side] = (Source){&slot->snapshot, sums_at(acc, near, (Color)side)};
                least[side] = distance;
            }
        }
    }
    for (int side = BLACK; side <= WHITE; side++) {
        const Snapshot *cached = &acc->cache[side * acc->caches + cache_index[side]];
        if (least[side] > enough && features_distance(acc->set, cached, now) < least[side]) {
            source[side] = (Source){cached, cached_sums(acc, (Color)side, cache_index[side])};
        }
    }
}

/* Counts the missing pieces once per game, because no move changes their number. */
static void count_missing(Accumulator *acc, const Position *pos) {
    const State *start = pos->states;
    if (features_counts_missing(acc->set) &&
        (!acc->has_start || acc->start_board != start->board_key ||
         acc->start_hand != start->hand_key)) {
        acc->has_start = true; /* the keys of an empty board are 0 */
        acc->start_board = start->board_key;
        acc->start_hand = start->hand_key;
        acc->missing = features_missing(pos);
    }
}

/* Adds what the last moves changed, if the sums of one of the last positions are there for both
 * views. Returns false if not. */
static bool follow_moves(Accumulator *acc, const Position *pos, size_t index,
                         const NnueView view[COLOR_NB], const int cache_index[COLOR_NB]) {
    enum { MAX_BACK = 3 };
    NnueChanges changes; /* the lists are too long to clear */
    changes.table = (uintptr_t)acc->rows;
    changes.count = 0;
    for (int back = 1; back <= MAX_BACK && back <= pos->now - pos->states; back++) {
        size_t near = (index - (size_t)back) % ACC_SLOTS;
        const AccSlot *slot = &acc->slots[near];
        if (!is_slot_of(slot, pos->now - back) || slot->cache_index[BLACK] != cache_index[BLACK] ||
            slot->cache_index[WHITE] != cache_index[WHITE]) {
            continue;
        }
        for (int i = back - 1; i >= 0; i--) {
            features_change_move(pos->now - i, &changes);
        }
        for (int side = BLACK; side <= WHITE; side++) {
            apply_changes(acc, sums_at(acc, index, (Color)side), sums_at(acc, near, (Color)side),
                          view[side], &changes);
        }
        return true;
    }
    return false;
}

/* Adds what differs from the most similar positions. */
static void follow_similar(Accumulator *acc, const Snapshot *now, size_t index,
                           const NnueView view[COLOR_NB], const int cache_index[COLOR_NB]) {
    Source sources[COLOR_NB];
    find_sources(acc, index, now, cache_index, sources);
    NnueChanges changes;
    changes.table = (uintptr_t)acc->rows;
    uint64_t board_key = 0, hand_key = 0;
    int missing = 0; /* a cache that is still empty has the keys of an empty board */
    for (int side = BLACK; side <= WHITE; side++) {
        Source source = sources[side];
        /* Most often, both views have the same source. */
        if (side == BLACK || board_key != source.snapshot->board_key ||
            hand_key != source.snapshot->hand_key || missing != source.snapshot->missing) {
            features_change(acc->set, source.snapshot, now, &changes);
            board_key = source.snapshot->board_key;
            hand_key = source.snapshot->hand_key;
            missing = source.snapshot->missing;
        }
        int16_t *sums = sums_at(acc, index, (Color)side);
        apply_changes(acc, sums, source.sums, view[side], &changes);
        int16_t *cached = cached_sums(acc, (Color)side, cache_index[side]);
        if (source.sums == cached) {
            memcpy(cached, sums, padded_width(acc) * sizeof(*sums));
            acc->cache[side * acc->caches + cache_index[side]] = *now;
        }
    }
}

void accumulator_update(Accumulator *acc, const Position *pos) {
    size_t index = sums_slot(pos);
    AccSlot *slot = &acc->slots[index];
    if (is_slot_of(slot, pos->now)) {
        return;
    }
    count_missing(acc, pos);
    NnueView view[COLOR_NB];
    int cache_index[COLOR_NB];
    for (int side = BLACK; side <= WHITE; side++) {
        view[side] = features_view(acc->set, pos, (Color)side);
        cache_index[side] = cache_of(acc, pos, view[side]);
    }
    if (acc->set->more_entries == 0 && follow_moves(acc, pos, index, view, cache_index)) {
        features_snapshot(acc->set, pos, acc->missing, &slot->snapshot);
    } else {
        Snapshot now;
        features_snapshot(acc->set, pos, acc->missing, &now);
        follow_similar(acc, &now, index, view, cache_index);
        slot->snapshot = now;
    }
    slot->cache_index[BLACK] = (uint8_t)cache_index[BLACK];
    slot->cache_index[WHITE] = (uint8_t)cache_index[WHITE];
    slot->is_ready = true;
}

const int16_t *accumulator_sums(const Accumulator *acc, const Position *pos, Color side) {
    ASSERT(is_slot_of(&acc->slots[sums_slot(pos)], pos->now));
    return sums_at(acc, sums_slot(pos), side);
}
