/* dfpn.h: the mate search: depth-first proof-number search over checks and evasions.
 *
 * A searcher belongs to one thread; any number of them may share a table. It reads no clock and
 * prints nothing. It checks the stop flag before every move, and the node limit every few hundred
 * nodes.
 *
 * Sources:
 *
 *   - df-pn (Nagai 1999, 2002), with initial proof numbers that depend on the move
 *   - thresholds slightly above the second best child (Pawlewicz, Lew 2007)
 *   - to avoid counting transpositions twice, less than the sum of the children: the largest child
 *     plus the number of the others (Ueda and others 2008) for checks, plus at least half of
 *     the others' numbers for evasions
 *   - failures that rest on a repetition are stored per path (Kishimoto, Mueller 2004)
 *   - thresholds are raised at nodes met again at greater depth (Kishimoto 2010)
 *   - proof and disproof hands (Seo 1995; Nagai 2002); superior positions on the path count as
 *     repetitions
 *   - simulation (Kawano 1996): above level 0 (brink.h), where the search looks for brinkmates, the
 *     mate after a pass is tried against the other defences first; likewise the mate without a drop
 *     that looks futile */
#ifndef KMD_MATE_DFPN_H
#define KMD_MATE_DFPN_H

#include <stdatomic.h>

#include "mate/dfpn_tt.h"
#include "rules/types.h"

struct Position;

/* The state of a search. */
typedef struct MateProgress {
    uint64_t nodes;
    uint64_t pn; /* proof number and disproof number of the root; 0 in a replay */
    uint64_t dn;
    int depth;         /* distance from the root to the current node; 0 in a replay */
    int hash_permille; /* how full the table is, in thousandths */
    const Move *line;  /* the moves to that node */
} MateProgress;

/* Called on a search thread about every 20,000 nodes. */
typedef void MateReport(void *context, const MateProgress *progress);

/* The state shared by all searchers of a problem. */
typedef struct DfpnShared {
    MateTable *table;
    const atomic_bool *stop; /* ends the search when true; may be NULL */
    atomic_bool is_done;     /* set by the first searcher that solves the problem */
    _Atomic uint64_t nodes;  /* moves made so far by all searchers, slightly out of date */
    uint64_t node_limit;
    MateReport *report; /* called by searcher 0; may be NULL */
    void *report_context;
    bool begins_inside; /* the search starts inside the problem, not at its root, so reports contain
                           no line */
    const Move *excluded; /* root moves to leave out */
    int excluded_count;
    int level;          /* of the root (brink.h); 0 for a mate */
    bool prunes_futile; /* try drops that look futile after all other answers */
    /* A position whose mate is in the table; its moves are tried first. NULL: none. */
    const struct Position *model;
    /* The number of searchers inside each position, indexed by its key modulo DFPN_PLACES. A
     * searcher prefers a move that looks about as good and leads to a position without another
     * searcher. NULL for a single searcher. */
    _Atomic uint8_t *visitors;
} DfpnShared;

enum { DFPN_PLACES = 1 << 16 };

/* Searches the position, whose side to move attacks, for a mate within len plies (MATE_LEN_FREE: of
 * any length), until it is solved or the search must end. The result has pn = 0 for a mate and dn =
 * 0 for none. `index` distinguishes the searchers of a problem, each on its own thread. Only a
 * single searcher is deterministic. */
MateValue dfpn_search(DfpnShared *shared, const struct Position *pos, int index, int len);

/* The value in the table of a position at level 0, or unproved numbers if it is not there.
 * `attacker` is the attacking side. */
MateValue dfpn_look(MateTable *table, const struct Position *pos, Color attacker, int len);

/* The same at the level of `shared`. A mate wins at every level. */
MateValue dfpn_look_level(const DfpnShared *shared, const struct Position *pos, Color attacker,
                          int len);

/* Stores a solved value of a position at the level of `shared`. */
void dfpn_store_level(const DfpnShared *shared, const struct Position *pos, Color attacker,
                      const MateValue *value);

/* The value in the table of the root at the level of `shared`, without the excluded moves. */
MateValue dfpn_look_root(const DfpnShared *shared, const struct Position *pos, int len);

#endif
