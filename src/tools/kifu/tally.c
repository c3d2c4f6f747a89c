#include "tools/kifu/tally.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *memory) {
    if (memory == NULL) {
        fprintf(stderr, "komadori-kifu: out of memory\n");
        exit(2);
    }
    return memory;
}

/* FNV-1a. */
static size_t hash_of(const char *name, size_t len) {
    uint64_t hash = 0xCBF29CE484222325;
    for (size_t i = 0; i < len; i++) {
        hash = (hash ^ (unsigned char)name[i]) * 0x100000001B3;
    }
    return (size_t)hash;
}

static Tally *find_slot(const TallyTable *table, const char *name, size_t len) {
    size_t at = hash_of(name, len) & (table->size - 1);
    while (table->slots[at].name != NULL &&
           (strncmp(table->slots[at].name, name, len) != 0 || table->slots[at].name[len] != '\0')) {
        at = (at + 1) & (table->size - 1);
    }
    return &table->slots[at];
}

/* Open addressing; grows at three quarters. */
static void grow(TallyTable *table) {
    TallyTable larger = {.size = table->size == 0 ? 256 : table->size * 2, .used = table->used};
    larger.slots = checked(calloc(larger.size, sizeof(Tally)));
    for (size_t i = 0; i < table->size; i++) {
        const Tally *old = &table->slots[i];
        if (old->name != NULL) {
            *find_slot(&larger, old->name, strlen(old->name)) = *old;
        }
    }
    free(table->slots);
    *table = larger;
}

Tally *tally_count(TallyTable *table, const char *name, size_t len) {
    if (table->used * 4 >= table->size * 3) {
        grow(table);
    }
    Tally *slot = find_slot(table, name, len);
    if (slot->name == NULL) {
        slot->name = checked(malloc(len + 1));
        memcpy(slot->name, name, len);
        slot->name[len] = '\0';
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
