/* dfpn_tt.h: the table of the mate search.
 *
 * The table is keyed by the board, with one entry per hand of the attacker: a mate also holds with
 * more pieces in hand, and a failure also holds with fewer. All entries of a board are in one
 * bucket of fixed size. If the bucket is full, the entry that took the least work is replaced
 * ("small-tree garbage collection", Nagai 1999, done bucket by bucket), so no search stops for lack
 * of memory and no call takes longer than another.
 *
 * A second, smaller table stores failures that hold on one path only, because they rest on a
 * repetition (Kishimoto, Mueller 2004).
 *
 * Any number of threads may call the functions at once, except new, free and new_search: each
 * bucket has its own lock. */
#ifndef KMD_MATE_DFPN_TT_H
#define KMD_MATE_DFPN_TT_H

#include "rules/types.h"

typedef struct MateTable MateTable;

/* Lengths of mates are in plies. MATE_LEN_FREE is the length limit of unlimited searches, longer
 * than any mate. */
enum { MATE_LEN_FREE = 30000 };

/* The proof number of a solved node, and the largest of an open one. */
#define MATE_NUMBER_MAX ((uint64_t)1 << 60)
#define MATE_OPEN_MOST  ((uint64_t)UINT32_MAX)

/* The key of a position. */
typedef struct MateKey {
    uint64_t board; /* pieces on the board and the side to move */
    Hand hand;      /* the attacker's hand */
} MateKey;

/* The loop depth of failures that do not rest on a repetition. */
enum { MATE_NO_LOOP = 32767 };

/* The value of a node. pn = 0: mate, dn = 0: no mate, within the length requested. */
typedef struct MateValue {
    uint64_t pn;
    uint64_t dn;
    Hand hand;     /* of a solved node: its proof or disproof hand */
    uint32_t work; /* nodes spent on it, at most UINT32_MAX */
    int16_t len;   /* if solved: the length within which there is a mate, or is proved to be none */
    int16_t depth; /* smallest distance from the root at which it was met */
    int16_t loop;  /* depth of the shallowest ancestor that the failure rests on, or MATE_NO_LOOP */
    Move move; /* the attacker's mating move, the defender's refutation, or MOVE_NONE if unknown */
} MateValue;

/* True if solved regardless of the path. */
static inline bool mate_value_is_final(const MateValue *value) {
    return (value->pn == 0 || value->dn == 0) && value->loop == MATE_NO_LOOP;
}

/* Creates a table of at most `bytes`; NULL if out of memory. */
MateTable *dfpn_tt_new(size_t bytes);
void dfpn_tt_free(MateTable *table);

/* Starts a new search. With `keeps` the stored positions remain valid, except for their depths;
 * otherwise everything is discarded, in constant time. Failures on paths are always discarded. */
void dfpn_tt_new_search(MateTable *table, bool keeps);

/* Prefetch what dfpn_tt_look and dfpn_tt_look_loop read first. */
void dfpn_tt_prefetch(const MateTable *table, uint64_t board);
void dfpn_tt_prefetch_loop(const MateTable *table, uint64_t path);

/* Looks up the position for mates within len plies, also using entries with better or worse hands.
 * *value has pn = 0 or dn = 0 if it is solved for that length. Returns false and leaves *value
 * unchanged if nothing is known. */
bool dfpn_tt_look(MateTable *table, MateKey key, int len, MateValue *value);

/* Stores a value. A solved value is stored under its proof or disproof hand. */
void dfpn_tt_store(MateTable *table, MateKey key, const MateValue *value);

/* The same for failures on one path: `path` is the key of the path to the position, including the
 * position itself. */
bool dfpn_tt_look_loop(MateTable *table, uint64_t path, int len, MateValue *value);
void dfpn_tt_store_loop(MateTable *table, uint64_t path, const MateValue *value);

/* How full the table is, in thousandths. */
int dfpn_tt_fill(MateTable *table);

#endif
