/* dfpn_node.c: computes the numbers of a node from those of its children, together with its hand,
 * its length and its dependence on the path. */
#include "mate/dfpn_node.h"

#include "mate/brink.h"
#include "mate/matehand.h"
#include "rules/position.h"

MateValue dfpn_failed(Hand hand, int len, int loop) {
    return (MateValue){.pn = MATE_NUMBER_MAX,
                       .dn = 0,
                       .hand = hand,
                       .work = 1,
                       .len = (int16_t)len,
                       .loop = (int16_t)loop};
}

MateValue dfpn_mated(Hand hand, int len, Move move) {
    return (MateValue){.pn = 0,
                       .dn = MATE_NUMBER_MAX,
                       .hand = hand,
                       .work = 1,
                       .len = (int16_t)len,
                       .loop = MATE_NO_LOOP,
                       .move = move};
}

/* True if the mover prefers a to b. */
static bool is_better(const DfpnNode *node, const DfpnChild *a, const DfpnChild *b) {
    uint64_t phi_a = dfpn_phi(node, &a->value);
    uint64_t phi_b = dfpn_phi(node, &b->value);
    if (phi_a != phi_b) {
        return phi_a < phi_b;
    }
    uint64_t delta_a = dfpn_delta(node, &a->value);
    uint64_t delta_b = dfpn_delta(node, &b->value);
    if (delta_a != delta_b) {
        return delta_a < delta_b;
    }
    return a->move.order * node->taste < b->move.order * node->taste;
}

/* True if the mover prefers a to b when both win: the attacker prefers the shortest mate, the
 * defender prefers the failure that depends least on the path. */
static bool is_better_win(const DfpnNode *node, const DfpnChild *a, const DfpnChild *b) {
    if (node->is_or) {
        return a->value.len < b->value.len;
    }
    return a->value.loop > b->value.loop;
}

/* The part of delta beyond the largest child: one for each other move, plus a little for hidden
 * moves. For the defender it is at least half of `rest`, the sum of the other children's
 * numbers. */
static uint64_t weigh_others(const DfpnNode *node, int others, int hidden, uint64_t rest) {
    uint64_t count = (uint64_t)(others + (hidden > 0 ? int_max(1, hidden / 8) : 0));
    return !node->is_or && rest / 2 > count ? rest / 2 : count;
}

DfpnSummary dfpn_summarize(const DfpnNode *node, const DfpnChild *children) {
    DfpnSummary sum = {.phi = MATE_NUMBER_MAX, .second = MATE_NUMBER_MAX, .best = -1};
    uint64_t largest = 0;
    uint64_t total = 0;
    int open = 0;
    int hidden = 0;
    for (int i = 0; i < node->count; i++) {
        const DfpnChild *child = &children[i];
        uint64_t delta = dfpn_delta(node, &child->value);
        if (child->move.is_hidden) {
            hidden++;
            continue;
        }
        if (delta == 0) {
            continue;
        }
        const DfpnChild *best = sum.best >= 0 ? &children[sum.best] : NULL;
        bool is_win = dfpn_phi(node, &child->value) == 0;
        if (best == NULL || (is_win && sum.phi == 0 ? is_better_win(node, child, best)
                                                    : is_better(node, child, best))) {
            sum.second = sum.phi;
            sum.phi = dfpn_phi(node, &child->value);
            sum.best = i;
        } else if (dfpn_phi(node, &child->value) < sum.second) {
            sum.second = dfpn_phi(node, &child->value);
        }
        largest = delta > largest ? delta : largest;
        total += delta;
        open++;
    }
    if (sum.best < 0) {
        return sum;
    }
    if (sum.phi == 0) {
        sum.delta = MATE_NUMBER_MAX;
        return sum;
    }
    uint64_t others = weigh_others(node, open - 1, hidden, total - largest);
    sum.others = others < MATE_OPEN_MAX - largest ? others : MATE_OPEN_MAX - largest;
    sum.delta = largest + sum.others;
    return sum;
}

static int longer(int len) {
    return len >= MATE_LEN_FREE - 1 ? len : len + 1;
}

/* The value of a node that its mover wins with this child. */
static MateValue won_value(const DfpnNode *node, const DfpnChild *child, const Position *pos) {
    if (node->is_or) {
        Hand hand = matehand_undo_proof(pos, child->move.move, child->value.hand);
        return dfpn_mated(hand, longer(child->value.len), child->move.move);
    }
    int loop = child->value.loop >= node->depth ? MATE_NO_LOOP : child->value.loop;
    Hand hand = matehand_min(child->value.hand, matehand_total(pos));
    MateValue value = dfpn_failed(hand, longer(child->value.len), loop);
    value.move = child->move.move;
    return value;
}

/* The value of a node in which all moves of the mover lose. */
static MateValue lost_value(const DfpnNode *node, const DfpnChild *children, const Position *pos) {
    if (node->is_or) {
        Hand hand = matehand_total(pos);
        int len = MATE_LEN_FREE;
        int loop = MATE_NO_LOOP;
        for (int i = 0; i < node->count; i++) {
            const DfpnChild *child = &children[i];
            hand = matehand_min(hand,
                                matehand_undo_disproof(pos, child->move.move, child->value.hand));
            len = int_min(len, longer(child->value.len));
            loop = int_min(loop, child->value.loop);
        }
        hand = brink_has_quiet(pos, node->level) ? matehand_without_new_kinds(pos, hand)
                                                 : matehand_without_new_checks(pos, hand);
        return dfpn_failed(hand, len, loop >= node->depth ? MATE_NO_LOOP : loop);
    }
    Hand hand = matehand_monopoly(pos);
    int len = -1;
    for (int i = 0; i < node->count; i++) {
        const DfpnChild *child = &children[i];
        hand = matehand_max(hand, child->value.hand);
        len = int_max(len, child->value.len);
    }
    return dfpn_mated(hand, longer(len), MOVE_NONE);
}

MateValue dfpn_node_value(const DfpnNode *node, const DfpnChild *children, const DfpnSummary *sum,
                          const Position *pos) {
    MateValue value;
    if (sum->phi == 0) {
        value = won_value(node, &children[sum->best], pos);
    } else if (sum->delta == 0) {
        value = lost_value(node, children, pos);
    } else {
        value = (MateValue){.pn = node->is_or ? sum->phi : sum->delta,
                            .dn = node->is_or ? sum->delta : sum->phi,
                            .loop = MATE_NO_LOOP,
                            .move = children[sum->best].move.move};
    }
    if (value.loop != MATE_NO_LOOP) {
        value.hand = pos->hand[node->is_or ? pos->side : color_flip(pos->side)];
    }
    value.depth = (int16_t)node->depth;
    return value;
}
