/* Tests the hands for which proofs and refutations are valid. */
#include "mate/matehand.h"

#include "base/rng.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

static Hand random_hand(Rng *rng) {
    Hand hand = 0;
    for (int t = PAWN; t <= GOLD; t++) {
        uint64_t count = rng_below(rng, (uint64_t)pt_total((PieceType)t) + 1);
        hand += hand_unit((PieceType)t) * (Hand)count;
    }
    return hand;
}

static void test_min_max(void) {
    Rng rng = rng_init(5);
    int faults = 0;
    for (int i = 0; i < 20000; i++) {
        Hand a = random_hand(&rng);
        Hand b = random_hand(&rng);
        for (int t = PAWN; t <= GOLD; t++) {
            PieceType type = (PieceType)t;
            int low = int_min(hand_count(a, type), hand_count(b, type));
            int high = int_max(hand_count(a, type), hand_count(b, type));
            faults += hand_count(matehand_min(a, b), type) != low;
            faults += hand_count(matehand_max(a, b), type) != high;
        }
        faults += ((matehand_min(a, b) | matehand_max(a, b)) & HAND_GUARDS) != 0;
    }
    CHECK_INT(faults, 0);
}

static void set(Position *pos, const char *sfen) {
    CHECK_INT(pos_set_sfen(pos, sv_from(sfen), NULL), KMD_OK);
}

static void test_monopoly(void) {
    Position pos;
    pos_init(&pos);
    /* White, in check from a distance, has golds to block with: black must keep everything except
     * golds. */
    set(&pos, "k8/9/9/9/R8/9/9/9/9 w 2B3SR3g 1");
    Hand all_but_golds = pos.hand[BLACK];
    CHECK_INT(matehand_monopoly(&pos), all_but_golds);
    set(&pos, "k8/9/9/9/R8/9/9/9/9 w 2BG3S2g 1");
    CHECK_INT(matehand_monopoly(&pos), 2 * hand_unit(BISHOP) + 3 * hand_unit(SILVER));
    /* A check from an adjacent square cannot be blocked. */
    set(&pos, "k8/G8/9/9/9/9/9/9/9 w 2B3S 1");
    CHECK_INT(matehand_monopoly(&pos), 0);
    pos_free(&pos);
}

static void test_undo(void) {
    Position pos;
    pos_init(&pos);
    set(&pos, "k8/9/1p7/1P7/9/9/9/9/9 b G2Ps 1");
    Move drop = usimove_read(SV("G*8b"));
    Move capture = usimove_read(SV("8d8c+"));
    CHECK_INT(matehand_undo_proof(&pos, drop, hand_unit(PAWN)), hand_unit(PAWN) + hand_unit(GOLD));
    CHECK_INT(matehand_undo_proof(&pos, capture, hand_unit(PAWN)), 0);
    CHECK_INT(matehand_undo_proof(&pos, capture, hand_unit(GOLD)), hand_unit(GOLD));
    /* A refutation never assumes more pieces than both hands contain: 1 gold, 1 silver and 2
     * pawns. */
    Hand total = matehand_total(&pos);
    CHECK_INT(total, hand_unit(GOLD) + hand_unit(SILVER) + 2 * hand_unit(PAWN));
    CHECK_INT(matehand_undo_disproof(&pos, drop, total), total);
    pos_free(&pos);
}

static void test_new_checks(void) {
    Position pos;
    pos_init(&pos);
    /* A drop of any piece could check the king, except that of a pawn, because the file already has
     * one. */
    set(&pos, "k8/9/P8/9/9/9/9/9/9 b gsnlp 1");
    CHECK_INT(matehand_without_new_checks(&pos, matehand_total(&pos)), hand_unit(PAWN));
    set(&pos, "k8/9/9/9/9/9/9/9/9 b Pgs 1");
    CHECK_INT(matehand_without_new_checks(&pos, matehand_total(&pos)), hand_unit(PAWN));
    pos_free(&pos);
}

UNIT_MAIN({"matehand_min and matehand_max go kind by kind", test_min_max},
          {"matehand_monopoly keeps what the defender lacks", test_monopoly},
          {"hands before a move", test_undo},
          {"what would be a new check is taken out", test_new_checks})
