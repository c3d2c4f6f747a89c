/* dfpn.h: the mate search: depth-first proof-number search over checks and evasions.
 *
 * A searcher belongs to one thread; any number of searchers may share a table. A searcher reads no
 * clock and prints nothing. A searcher checks the stop flag before every move, and the node limit
 * every few hundred nodes.
 *
 * Sources:
 *
 *   - df-pn (Nagai 1999, 2002), with initial proof numbers that depend on the move
 *   - thresholds slightly above the second best child (Pawlewicz, Lew 2007)
 *   - weaker sums, to avoid counting transpositions twice: for checks, the largest child plus the
 *     number of other children (Ueda and others 2008); for evasions, the largest child plus at
 *     least half of the others' numbers
 *   - failures that depend on a repetition, stored per path (Kishimoto, Mueller 2004)
 *   - higher thresholds at nodes that are met again at greater depth (Kishimoto 2010)
 *   - proof and disproof hands (Seo 1995; Nagai 2002), by which superior positions on the path also
 *     count as repetitions
 *   - simulation (Kawano 1996): in the search for brinkmates (above level 0, see matemoves.h), the
 * mate after a pass is first tried against each other defence */
#ifndef KMD_MATE_DFPN_H
#define KMD_MATE_DFPN_H

#include <stdatomic.h>

#include "rules/types.h"

struct Position;

/* ---- the table ------------------------------------------------------------------------------- */

/* The table is keyed by the board and has an entry for each hand of the attacker. A mate also holds
 * with more pieces in hand, and a failure also holds with fewer. All entries of a board are in one
 * bucket of fixed size. If the bucket is full, the entry that took the least work is replaced. This
 * is "small-tree garbage collection" (Nagai 1999), done in one bucket at a time, so a search never
 * runs out of memory and no call takes much longer than another. A new search uses a small part of
 * the memory; the part grows with the number of entries.
 *
 * A second, smaller table stores failures that hold only on one path, because they depend on a
 * repetition (Kishimoto, Mueller 2004).
 *
 * Each bucket has its own lock, so any number of threads may call the functions at once, except
 * dfpn_tt_new, dfpn_tt_free and dfpn_tt_new_search. */
typedef struct MateTable MateTable;

/* Lengths of mates are in plies. MATE_LEN_FREE, which is longer than any mate, is the length limit
 * of unlimited searches. */
enum { MATE_LEN_FREE = 30000 };

/* Stands for infinity: the larger number of a solved node, and an upper limit for the numbers of
 * open nodes. */
#define MATE_NUMBER_MAX ((uint64_t)1 << 60)
#define MATE_OPEN_MAX   ((uint64_t)UINT32_MAX)

/* The key of a position. */
typedef struct MateKey {
    uint64_t board; /* pieces on the board and the side to move */
    Hand hand;      /* the attacker's hand */
} MateKey;

/* The loop depth of failures that do not depend on a repetition. */
enum { MATE_NO_LOOP = 32767 };

/* The value of a node. pn = 0 means a mate within the requested length, dn = 0 means that there is
 * none. */
typedef struct MateValue {
    uint64_t pn;
    uint64_t dn;
    Hand hand;     /* proof or disproof hand of a solved node */
    uint32_t work; /* nodes searched to find the value, at most UINT32_MAX */
    int16_t len;   /* if solved: the length within which there is a mate or, if dn is 0, no mate */
    int16_t depth; /* smallest distance from the root at which the position was met */
    int16_t loop;  /* depth of the first ancestor that the failure depends on, or MATE_NO_LOOP */
    Move move; /* the attacker's mating move, the defender's refutation, or MOVE_NONE if unknown */
} MateValue;

/* True if the node is solved, and the value holds on every path to it. */
static inline bool mate_value_is_final(const MateValue *value) {
    return (value->pn == 0 || value->dn == 0) && value->loop == MATE_NO_LOOP;
}

/* Creates a table of at most `bytes`; NULL if out of memory. */
MateTable *dfpn_tt_new(size_t bytes);
void dfpn_tt_free(MateTable *table);

/* Starts a new search. With `keeps` the stored positions remain valid, except for their depths;
 * otherwise all of them are discarded, in constant time. Failures that hold on one path are always
 * discarded. */
void dfpn_tt_new_search(MateTable *table, bool keeps);

/* Prefetch the memory that dfpn_tt_probe and dfpn_tt_probe_loop read first. */
void dfpn_tt_prefetch(const MateTable *table, uint64_t board);
void dfpn_tt_prefetch_loop(const MateTable *table, uint64_t path);

/* Looks up whether the position is a mate within len plies. Also uses entries with better or worse
 * hands. *value has pn = 0 or dn = 0 if the position is solved for that length. Returns false and
 * leaves *value unchanged if nothing is known. */
bool dfpn_tt_probe(MateTable *table, MateKey key, int len, MateValue *value);

/* Stores a value. A solved value is stored under its proof or disproof hand. */
void dfpn_tt_store(MateTable *table, MateKey key, const MateValue *value);

/* Look up or store a failure that holds on one path. `path` is the key of that path, including the
 * position itself. */
bool dfpn_tt_probe_loop(MateTable *table, uint64_t path, int len, MateValue *value);
void dfpn_tt_store_loop(MateTable *table, uint64_t path, const MateValue *value);

/* How full the table is, in thousandths. */
int dfpn_tt_hashfull(MateTable *table);

/* ---- the search ------------------------------------------------------------------------------ */

/* The progress of a search. */
typedef struct MateProgress {
    uint64_t nodes;
    uint64_t pn; /* proof number and disproof number of the root; 0 if begins_inside is set */
    uint64_t dn;
    int depth;         /* distance from the root to the current node; 0 if begins_inside is set */
    int hash_permille; /* how full the table is, in thousandths */
    const Move *line;  /* the moves to the current node */
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
    uint64_t nodes_before; /* nodes of earlier searches for the problem, for reports */
    MateReport *report;    /* called by searcher 0; may be NULL */
    void *report_context;
    bool begins_inside;   /* the search starts below the root of the problem, or is one of many for
                             the problem: reports contain no line and no numbers */
    const Move *excluded; /* root moves not to search */
    int excluded_count;
    int level;       /* level of the root (matemoves.h); 0 for a mate */
    bool is_defence; /* the side to move at the root is in check and defends */
    /* A position whose mate is in the table. The moves of that mate are tried first. NULL: none. */
    const struct Position *model;
    /* The number of searchers inside each position, indexed by a hash of its key. Among
     * moves that look about equally good, a searcher prefers one that leads to a position without
     * another searcher. NULL for a single searcher. */
    _Atomic uint8_t *visitors;
} DfpnShared;

/* The number of elements of `visitors`. */
enum { DFPN_PLACES = 1 << 16 };

static inline bool dfpn_is_solved(const MateValue *value) {
    return value->pn == 0 || value->dn == 0;
}

/* The values of solved positions. dfpn_failed: there is no mate within len plies; this depends on a
 * repetition at depth `loop` of the path. dfpn_mated: there is a mate within len plies that starts
 * with `move`. */
MateValue dfpn_failed(Hand hand, int len, int loop);
MateValue dfpn_mated(Hand hand, int len, Move move);

/* Searches for a mate by the attacker within len plies (MATE_LEN_FREE: of any length), until
 * the problem is solved or the search must end. The result has pn = 0 if there is a mate and dn = 0
 * if there is none. `index` distinguishes the searchers of a problem, each on its own thread. Only
 * a single searcher is deterministic. */
MateValue dfpn_search(DfpnShared *shared, const struct Position *pos, int index, int len);

/* The table's value of a position at level 0, or unproved numbers if the position is not there.
 * `attacker` is the attacking side. */
MateValue dfpn_probe(MateTable *table, const struct Position *pos, Color attacker, int len);

/* Like dfpn_probe, but at the level of `shared`. A mate wins at every level. */
MateValue dfpn_probe_level(const DfpnShared *shared, const struct Position *pos, Color attacker,
                           int len);

/* Stores the value of a solved position at the level of `shared`. */
void dfpn_store_level(const DfpnShared *shared, const struct Position *pos, Color attacker,
                      const MateValue *value);

/* The table's value of the root at the level of `shared`, not counting the excluded moves. */
MateValue dfpn_probe_root(const DfpnShared *shared, const struct Position *pos, int len);

#endif
