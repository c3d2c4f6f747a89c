/* tally.h: a table that counts names. */
#ifndef KMD_KIFU_TALLY_H
#define KMD_KIFU_TALLY_H

#include <stddef.h>

/* How often a name occurs, and a sum that is the caller's to keep. */
typedef struct Tally {
    char *name; /* NULL for a slot that is free */
    long count, points;
} Tally;

/* All zero is an empty table. Owns its names; slots[0] to slots[size - 1] in no order. */
typedef struct TallyTable {
    Tally *slots;
    size_t size, used;
} TallyTable;

/* Counts a name once more and returns its slot, valid until the next call. Lack of memory ends the
 * program. */
Tally *tally_count(TallyTable *table, const char *name, size_t len);

void tally_free(TallyTable *table);

#endif
