/* matetypes.h: what a mate search tells while it runs. Plain data. */
#ifndef KMD_MATE_MATETYPES_H
#define KMD_MATE_MATETYPES_H

#include "rules/types.h"

/* How a search stands. */
typedef struct MateProgress {
    uint64_t nodes;
    uint64_t pn; /* proof and disproof number of the root; 0 in a replay */
    uint64_t dn;
    int depth;         /* plies from the root to the node being looked at; 0 in a replay */
    int hash_permille; /* how full the table is */
    const Move *line;  /* the moves to that node */
} MateProgress;

/* Called on a searching thread every 20,000 nodes or so. */
typedef void MateReport(void *context, const MateProgress *progress);

#endif
