/* dfpn_tt.h: the table of the mate search.
 *
 * The table is keyed by the board and has an entry for each hand of the attacker. A mate also holds
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
#ifndef KMD_MATE_DFPN_TT_H
#define KMD_MATE_DFPN_TT_H

#include "rules/types.h"

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

#endif
