/* tally.c: an open-addressing hash table that owns the names. */
#include "base/tally.h"

#include <stdlib.h>

#include "base/checksum.h"
#include "base/xmem.h"

static Tally *name_slot(const TallyTable *table, StrView name) {
    size_t at = (size_t)checksum_fnv(CHECKSUM_FNV_START, name.ptr, name.len) & (table->size - 1);
    while (table->slots[at].name != NULL && !sv_equal(sv_from(table->slots[at].name), name)) {
        at = (at + 1) & (table->size - 1);
    }
    return &table->slots[at];
}

/* Grows the table when it is three quarters full. */
static void grow_table(TallyTable *table) {
    TallyTable larger = {.size = table->size == 0 ? 256 : table->size * 2, .used = table->used};
    larger.slots = xmem_calloc(larger.size, sizeof(Tally));
    for (size_t i = 0; i < table->size; i++) {
        const Tally *old = &table->slots[i];
        if (old->name != NULL) {
            *name_slot(&larger, sv_from(old->name)) = *old;
        }
    }
    free(table->slots);
    *table = larger;
}

Tally *tally_count(TallyTable *table, StrView name) {
    if (table->used * 4 >= table->size * 3) {
        grow_table(table);
    }
    Tally *slot = name_slot(table, name);
    if (slot->name == NULL) {
        slot->name = sv_copy(name);
        table->used++;
    }
    slot->count++;
    return slot;
}

void tally_free(TallyTable *table) {
    for (size_t i = 0; i < table->size; i++) {
        free(table->slots[i].name);
    }
    free(table->slots);
}
