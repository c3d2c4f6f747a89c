/* recorddiff.h: finds what a copy of a game lacks, for programs that promise to lose nothing.
 *
 * Pure: safe from every thread. */
#ifndef KMD_RECORD_RECORDDIFF_H
#define KMD_RECORD_RECORDDIFF_H

#include "record/record.h"

/* The parts of a game that a copy lacks or has changed, as KMD_HOLDS_... bits. A main line that the
 * copy has not counts as moves, any other line as variations. What the copy has in addition does
 * not count. */
int recorddiff_lost(const Record *record, const Record *copy);

#endif
