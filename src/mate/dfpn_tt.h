/* dfpn_tt.h: the table of the mate search.
 *
 * Keyed by the board, with one entry per attacker's hand, because a mate with fewer pieces in hand
 * is one with more, and a failure with more is one with fewer. All entries of a board lie in one
 * bucket of a fixed size, and the entry that took the least work is replaced when the bucket is
 * full ("small-tree garbage collection", Nagai 1999, done a bucket at a time): so nothing ever has
 * to stop for lack of memory, and no call takes longer than any other.
 *
 * A second, small table remembers failures that hold only on one path because they rest on a
 * repetition (Kishimoto, Mueller 2004).
 *
 * Any number of threads may call everything but new, free and new_search at once: each bucket has a
 * lock of its own. */
#ifndef KMD_MATE_DFPN_TT_H
#define KMD_MATE_DFPN_TT_H

#include "rules/types.h"

typedef struct MateTable MateTable;

/* Lengths of mates in plies. A search without a limit has the limit MATE_LEN_FREE; no mate is as
 * long. */
enum { MATE_LEN_FREE = 30000 };

/* The number of a solved node, and the largest of an open one. */
#define MATE_NUMBER_MAX ((uint64_t)1 << 60)
#define MATE_OPEN_MOST  ((uint64_t)UINT32_MAX)

/* A position as the table knows it. */
typedef struct MateKey {
    uint64_t board; /* pieces on the board and the side to move */
    Hand hand;      /* the attacker's */
} MateKey;

/* The repetition that a failure rests on: none. */
enum { MATE_NO_LOOP = 32767 };

/* The value of a node. pn 0: mate, dn 0: no mate, within the length asked for. */
typedef struct MateValue {
    uint64_t pn;
    uint64_t dn;
    Hand hand;     /* of a solved node: its proof or disproof hand */
    uint32_t work; /* nodes spent on it, at most UINT32_MAX */
    int16_t len;   /* solved: mates within this many plies, or proved not to */
    int16_t depth; /* least number of plies from the root at which it was met */
    int16_t loop;  /* depth of the shallowest ancestor the failure rests on, or MATE_NO_LOOP */
    Move move;     /* the attacker's mating move, the defence that refutes, or MOVE_NONE: unknown */
} MateValue;

/* Solved, whatever the way to the position. */
static inline bool mate_value_is_final(const MateValue *value) {
    return (value->pn == 0 || value->dn == 0) && value->loop == MATE_NO_LOOP;
}

/* A table of at most `bytes`; NULL when there is no memory for it. */
MateTable *dfpn_tt_new(size_t bytes);
void dfpn_tt_free(MateTable *table);

/* A new search begins. With `keeps` the positions stay known, though the depths at which they were
 * met do not; else everything is forgotten at once. Failures on paths are forgotten always. */
void dfpn_tt_new_search(MateTable *table, bool keeps);

/* Ask the processor to fetch what dfpn_tt_look and dfpn_tt_look_loop read first. */
void dfpn_tt_prefetch(const MateTable *table, uint64_t board);
void dfpn_tt_prefetch_loop(const MateTable *table, uint64_t path);

/* Looks the position up for mates of at most len plies, dominating hands included. *value has
 * pn = 0 or dn = 0 when it is solved for that length. False when nothing is known; *value is then
 * untouched. */
bool dfpn_tt_look(MateTable *table, MateKey key, int len, MateValue *value);

/* Remembers. A solved value is entered under its proof or disproof hand. */
void dfpn_tt_store(MateTable *table, MateKey key, const MateValue *value);

/* Failures on one path: `path` is a key of the way to the position, the position included. */
bool dfpn_tt_look_loop(MateTable *table, uint64_t path, int len, MateValue *value);
void dfpn_tt_store_loop(MateTable *table, uint64_t path, const MateValue *value);

/* How full the table is, in thousandths. */
int dfpn_tt_fill(MateTable *table);

#endif
