/* dfpn_node.h: computes the proof numbers of a node of the mate search from those of its moves.
 *
 * Used by dfpn.c and brinksearch.c alone. Reads positions and searches nothing; any thread may call
 * it. */
#ifndef KMD_MATE_DFPN_NODE_H
#define KMD_MATE_DFPN_NODE_H

#include "mate/dfpn_tt.h"
#include "mate/matemoves.h"
#include "rules/types.h"

struct Position;

/* One move of a node on the path, with what is known of the position after it. */
typedef struct DfpnChild {
    MateMove move;
    MateKey key;
    MateValue value;
    int8_t level;     /* of the position after it (brink.h) */
    bool has_yielded; /* its numbers were raised because another searcher was there */
    bool is_new;      /* never searched before: a leaf */
    bool is_old;      /* known from a shallower place: it may lead back there */
} DfpnChild;

/* The node being searched. phi is the number its mover wants small (pn for the attacker), delta the
 * other one. */
typedef struct DfpnNode {
    size_t first; /* place of its first child among those of the whole path */
    int count;
    int depth;
    int len;
    int level;  /* brink.h */
    bool is_or; /* the attacker is to move */
    bool waits; /* after a quiet move: only the pass has been listed */
    int taste;  /* 1 or -1: which of equal moves comes first; sends the threads different ways */
} DfpnNode;

/* The numbers of a node, made from its children. */
typedef struct DfpnSummary {
    uint64_t phi;
    uint64_t delta;
    uint64_t second; /* phi of the second best child */
    uint64_t others; /* what delta holds beside the largest child */
    int best;        /* -1: all moves are lost for the mover */
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

/* Values of solved positions: no mate within len plies, as far as the repetition `loop` holds, and
 * mate in len plies that begins with `move`. */
MateValue dfpn_failed(Hand hand, int len, int loop);
MateValue dfpn_mated(Hand hand, int len, Move move);

/* Puts the numbers of the node together. `children` are the node's. */
DfpnSummary dfpn_summarize(const DfpnNode *node, const DfpnChild *children);

/* The value of the node, whose position is *pos, with its hand and length where it is solved. */
MateValue dfpn_node_value(const DfpnNode *node, const DfpnChild *children, const DfpnSummary *sum,
                          const struct Position *pos);

#endif
