/* tally.h: counts how often names occur, in a hash table. Belongs to one thread. */
#ifndef KMD_BASE_TALLY_H
#define KMD_BASE_TALLY_H

#include <stddef.h>

#include "base/str.h"

/* How often a name occurs, and two sums for the caller's use. */
typedef struct Tally {
    char *name; /* NULL for a free slot */
    long count, points, possible_points;
} Tally;

/* A hash table, which owns its names. A zero-initialised table is empty. slots[0] to slots[size -
 * 1] are in no particular order. */
typedef struct TallyTable {
    Tally *slots;
    size_t size, used;
} TallyTable;

/* Counts one more occurrence of a name. Returns its slot, which is valid until the next call. */
Tally *tally_count(TallyTable *table, StrView name);
void tally_free(TallyTable *table);

#endif
