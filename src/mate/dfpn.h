/* dfpn.h: the mate search: depth-first proof-number search over checks and evasions.
 *
 * One searcher belongs to one thread; any number of them may share a table. It reads no clock and
 * prints nothing. It checks the stop flag for every move, and its share of nodes every few hundred
 * nodes.
 *
 * Sources: df-pn (Nagai 1999, 2002) with first guesses by move; thresholds a little above the
 * second best (Pawlewicz, Lew 2007); less than the sum of the children, against counting
 * transpositions twice (Ueda and others 2008, who add to the largest the number of the others: so
 * here for checks; for evasions half of what the others have); failures by repetition
 * kept apart by path (Kishimoto, Mueller 2004) and raised thresholds at nodes met again deeper
 * (Kishimoto 2010); proof and disproof hands (Seo 1995; Nagai 2002); superior positions on the path
 * count as repetitions. Above level 0 (brink.h) it looks for brinkmates; the mate after the pass
 * is tried against the other defences first (simulation, Kawano 1996); so is the mate without a
 * drop that looks futile. */
#ifndef KMD_MATE_DFPN_H
#define KMD_MATE_DFPN_H

#include <stdatomic.h>

#include "mate/dfpn_tt.h"
#include "rules/types.h"

struct Position;

/* The state of a search. */
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

/* The state shared by all searchers of one problem. */
typedef struct DfpnShared {
    MateTable *table;
    const atomic_bool *stop; /* ends the search when true; may be NULL */
    atomic_bool is_done;     /* set by the first searcher that solves the problem */
    _Atomic uint64_t nodes;  /* moves made so far by all, a little behind */
    uint64_t node_limit;
    MateReport *report; /* called by searcher 0; may be NULL */
    void *report_context;
    bool begins_inside;   /* the problem, not at its root: reports tell no line */
    const Move *excluded; /* moves that are left out at the root */
    int excluded_count;
    int level;          /* of the root; 0: a mate */
    bool prunes_futile; /* drops that look futile wait for all other answers */
    /* A position that the side to move mates, as the table has it, by moves that are tried first;
     * NULL: none. */
    const struct Position *model;
    /* DFPN_PLACES counts of the searchers inside a position, by its key: the others rather take
     * another move that looks about as good. NULL for one searcher. */
    _Atomic uint8_t *visitors;
} DfpnShared;

enum { DFPN_PLACES = 1 << 16 };

/* Searches the position, whose side to move attacks, for a mate in at most len plies
 * (MATE_LEN_FREE: of any length) until it is solved or the search must end. The result has pn = 0
 * for a mate and dn = 0 for none. `index` tells the searchers of one problem apart, each of which
 * is a thread; searcher 0 alone is deterministic. */
MateValue dfpn_search(DfpnShared *shared, const struct Position *pos, int index, int len);

/* The table's value of a position at level 0, or unproved numbers if it has none. `attacker`
 * attacks. */
MateValue dfpn_look(MateTable *table, const struct Position *pos, Color attacker, int len);

/* The same at the level of `shared`. A mate is won at every level. */
MateValue dfpn_look_level(const DfpnShared *shared, const struct Position *pos, Color attacker,
                          int len);

/* Enters a solved value of a position at the level of `shared`. */
void dfpn_store_level(const DfpnShared *shared, const struct Position *pos, Color attacker,
                      const MateValue *value);

/* The same of the root, the excluded moves left out. */
MateValue dfpn_look_root(const DfpnShared *shared, const struct Position *pos, int len);

#endif
