/* Tests how a node of the mate search combines its children's numbers and values. */
#include "mate/dfpn_node.h"

#include "rules/position.h"
#include "rules/sfen.h"
#include "unit.h"

static DfpnChild child_of(uint64_t pn, uint64_t dn) {
    return (DfpnChild){.move = {.next = -1}, .value = {.pn = pn, .dn = dn, .loop = MATE_NO_LOOP}};
}

static void set_up(Position *pos, const char *sfen) {
    pos_init(pos);
    int column;
    CHECK_INT(pos_set_sfen(pos, sv_from(sfen), &column), 0);
}

static void test_open(void) {
    DfpnChild children[] = {child_of(3, 5), child_of(2, 9), child_of(2, 4), child_of(1, 0)};
    DfpnNode attacker = {.count = 4, .is_or = true, .taste = 1};
    DfpnSummary sum = dfpn_summarize(&attacker, children);
    CHECK_INT(sum.best, 2); /* refuted moves do not count; of two equal moves, the one with the
                               smaller delta is best */
    CHECK_INT(sum.phi, 2);
    CHECK_INT(sum.second, 2);
    CHECK_INT(sum.others, 2);
    CHECK_INT(sum.delta, 9 + 2);
    DfpnNode defender = {.count = 3, .is_or = false, .taste = 1};
    sum = dfpn_summarize(&defender, children);
    CHECK_INT(sum.best, 2);
    CHECK_INT(sum.phi, 4);
    CHECK_INT(sum.second, 5);
    CHECK_INT(sum.delta, 3 + 2);
    children[0].value.pn = 11;
    children[1].value.pn = 20;
    sum = dfpn_summarize(&defender, children);
    CHECK_INT(sum.delta, 20 + (11 + 2) / 2); /* half of the others, if that is larger */
    children[1].move.is_hidden = true;
    children[0].value.pn = 3;
    sum = dfpn_summarize(&defender, children);
    CHECK_INT(sum.others, 1 + 1); /* delayed moves count a little */
}

/* The numbers of unsolved nodes have a limit. Even at the limit, delta is the sum of the largest
 * child and the rest. */
static void test_bound(void) {
    uint64_t most = MATE_OPEN_MAX;
    DfpnChild children[] = {child_of(most - 1, 5), child_of(most - 2, 5), child_of(most - 3, 5)};
    DfpnNode defender = {.count = 3, .is_or = false, .taste = 1};
    DfpnSummary sum = dfpn_summarize(&defender, children);
    CHECK(sum.delta == most);
    CHECK_INT(sum.others, 1);
}

static void test_order(void) {
    DfpnChild children[] = {child_of(2, 4), child_of(2, 4)};
    children[0].move.order = 5;
    DfpnNode node = {.count = 2, .is_or = true, .taste = 1};
    CHECK_INT(dfpn_summarize(&node, children).best, 1);
    node.taste = -1;
    CHECK_INT(dfpn_summarize(&node, children).best, 0);
}

static void test_won(void) {
    DfpnChild mates[] = {child_of(0, MATE_NUMBER_MAX), child_of(0, MATE_NUMBER_MAX)};
    mates[0].value.len = 5;
    mates[1].value.len = 3;
    DfpnNode attacker = {.count = 2, .is_or = true, .taste = 1};
    DfpnSummary sum = dfpn_summarize(&attacker, mates);
    CHECK_INT(sum.best, 1);
    CHECK(sum.phi == 0 && sum.delta == MATE_NUMBER_MAX);
    DfpnChild refuted[] = {child_of(MATE_NUMBER_MAX, 0), child_of(MATE_NUMBER_MAX, 0)};
    refuted[0].value.loop = 2;
    DfpnNode defender = {.count = 2, .is_or = false, .taste = 1};
    CHECK_INT(dfpn_summarize(&defender, refuted).best, 1); /* the failure that holds on every path
                                                              is best */
}

static void test_mated(void) {
    Position pos;
    set_up(&pos, "4k4/4G4/4P4/9/9/9/9/9/9 w 2P 1");
    DfpnChild children[] = {child_of(0, MATE_NUMBER_MAX), child_of(0, MATE_NUMBER_MAX)};
    children[0].value.hand = hand_unit(PAWN);
    children[0].value.len = 3;
    children[1].value.hand = hand_unit(GOLD);
    children[1].value.len = 5;
    DfpnNode node = {.count = 2, .depth = 1, .is_or = false, .taste = 1};
    DfpnSummary sum = dfpn_summarize(&node, children);
    CHECK(sum.best == -1 && sum.delta == 0);
    MateValue value = dfpn_node_value(&node, children, &sum, &pos);
    CHECK(value.pn == 0 && value.hand == hand_unit(PAWN) + hand_unit(GOLD));
    CHECK_INT(value.len, 6);
    pos_free(&pos);
}

static void test_loops(void) {
    Position pos;
    set_up(&pos, "4k4/9/4P4/9/9/9/9/9/9 b 2P 1");
    DfpnChild children[] = {child_of(MATE_NUMBER_MAX, 0), child_of(MATE_NUMBER_MAX, 0)};
    children[0].value.loop = 6;
    DfpnNode node = {.count = 2, .depth = 4, .is_or = true, .taste = 1};
    DfpnSummary sum = dfpn_summarize(&node, children);
    CHECK_INT(dfpn_node_value(&node, children, &sum, &pos).loop, MATE_NO_LOOP);
    children[1].value.loop = 3;
    MateValue value = dfpn_node_value(&node, children, &sum, &pos);
    CHECK_INT(value.loop, 3);
    CHECK(value.hand == 2 * hand_unit(PAWN)); /* holds only for this hand */
    pos_free(&pos);
}

UNIT_MAIN({"numbers of open nodes", test_open}, {"their bound", test_bound},
          {"order among equals", test_order}, {"which win is taken", test_won},
          {"the value of a mate", test_mated}, {"failures that rest on a repetition", test_loops})
