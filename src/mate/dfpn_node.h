/* dfpn_node.h: computes the proof and disproof numbers of a node from those of its children.
 *
 * Only dfpn.c and brinksearch.c use it. The functions read positions and do not search; any thread
 * may call them. */
#ifndef KMD_MATE_DFPN_NODE_H
#define KMD_MATE_DFPN_NODE_H

#include "mate/dfpn_tt.h"
#include "mate/matemoves.h"
#include "rules/types.h"

struct Position;

/* A move of a node on the path, and the known facts about the position after the move. */
typedef struct DfpnChild {
    MateMove move;
    MateKey key;
    MateValue value;
    int8_t level;     /* level of the position after the move (brink.h) */
    bool has_yielded; /* its numbers were raised because another searcher was in that position */
    bool is_new;      /* never searched before: a leaf */
    bool is_old;      /* was met before at a smaller depth, so it may lead back to the path */
} DfpnChild;

/* The node being searched. phi is the number that the side to move tries to make small (pn for the
 * attacker); delta is the other number. */
typedef struct DfpnNode {
    size_t first; /* index of its first child in the array of the whole path */
    int count;
    int depth;
    int len;
    int level;  /* brink.h */
    bool is_or; /* the attacker is to move */
    bool waits; /* after a quiet move, only the pass has been generated so far */
    int taste;  /* 1 or -1: selects among equal moves, so that threads search different ones */
} DfpnNode;

/* The numbers of a node, computed from its children. */
typedef struct DfpnSummary {
    uint64_t phi;
    uint64_t delta;
    uint64_t second; /* phi of the second best child */
    uint64_t others; /* the part of delta beyond the largest child */
    int best;        /* index of the best child; -1 if all moves lose for the mover */
} DfpnSummary;

static inline uint64_t dfpn_phi(const DfpnNode *node, const MateValue *value) {
    return node->is_or ? value->pn : value->dn;
}

static inline uint64_t dfpn_delta(const DfpnNode *node, const MateValue *value) {
    return node->is_or ? value->dn : value->pn;
}

static inline bool dfpn_is_solved(const MateValue *value) {
    return value->pn == 0 || value->dn == 0;
}

/* The values of solved positions. dfpn_failed: there is no mate within len plies; this depends on a
 * repetition at depth `loop` of the path. dfpn_mated: there is a mate within len plies that starts
 * with `move`. */
MateValue dfpn_failed(Hand hand, int len, int loop);
MateValue dfpn_mated(Hand hand, int len, Move move);

/* Computes the numbers of the node from its children. */
DfpnSummary dfpn_summarize(const DfpnNode *node, const DfpnChild *children);

/* The value of the node, whose position is *pos. If it is solved, the value includes its hand and
 * length. */
MateValue dfpn_node_value(const DfpnNode *node, const DfpnChild *children, const DfpnSummary *sum,
                          const struct Position *pos);

#endif
