/* An example of each reason why a move is illegal; test_movegen_reference.c compares all reasons on
 * random positions. */
#include <stdio.h>
#include <string.h>

#include "rules/legality.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

typedef struct Case {
    const char *sfen;
    const char *move;
    KmdLegality want;
} Case;

static void check_cases(const Case *cases, size_t count) {
    Position pos;
    pos_init(&pos);
    for (size_t i = 0; i < count; i++) {
        if (!CHECK_INT(pos_set_sfen(&pos, sv_from(cases[i].sfen), NULL), KMD_OK)) {
            printf("    %s\n", cases[i].sfen);
            continue;
        }
        Move move = usimove_read(sv_from(cases[i].move));
        bool is_right = CHECK_INT(legality_of(&pos, move), cases[i].want);
        is_right &= CHECK(move_is_legal(&pos, move) == (cases[i].want == KMD_LEGAL));
        if (!is_right) {
            printf("    %s in %s\n", cases[i].move, cases[i].sfen);
        }
    }
    pos_free(&pos);
}

static void test_form(void) {
    static const Case cases[] = {
        {"startpos", "7g7f", KMD_LEGAL},
        {"startpos", "none", KMD_ILLEGAL_NOT_A_MOVE},
        {"startpos", "pass", KMD_ILLEGAL_NOT_A_MOVE},
        {"startpos", "resign", KMD_ILLEGAL_NOT_A_MOVE},
        {"startpos", "win", KMD_ILLEGAL_NOT_A_MOVE},
        {"startpos", "5e5d", KMD_ILLEGAL_NO_PIECE},
        {"startpos", "3c3d", KMD_ILLEGAL_NOT_YOURS},
        {"startpos", "P*5e", KMD_ILLEGAL_NOT_IN_HAND},
        {"startpos", "8h7g", KMD_ILLEGAL_OCCUPIED},
        {"startpos", "8h2b+", KMD_ILLEGAL_PIECE_MOVE},
        {"startpos", "7g7e", KMD_ILLEGAL_PIECE_MOVE},
        {"4k4/9/9/9/9/9/9/9/4K4 b Pp 1", "P*5a", KMD_ILLEGAL_OCCUPIED},
        {"4k4/9/9/9/9/9/9/9/4K4 b p 1", "P*5e", KMD_ILLEGAL_NOT_IN_HAND},
        {"4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*5e", KMD_LEGAL},
    };
    check_cases(cases, COUNTOF(cases));
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, SV("startpos"), NULL), KMD_OK);
    CHECK_INT(legality_of(&pos, 0xFFFF), KMD_ILLEGAL_NOT_A_MOVE);
    CHECK_INT(legality_of(&pos, (Move)(MOVE_PROMOTE | (81 + PAWN) << 7 | SQ(5, 5))),
              KMD_ILLEGAL_NOT_A_MOVE);
    CHECK_INT(legality_of(&pos, (Move)(81 << 7 | SQ(5, 5))), KMD_ILLEGAL_NOT_A_MOVE);
    CHECK_INT(legality_of(&pos, (Move)((81 + KING) << 7 | SQ(5, 5))), KMD_ILLEGAL_NOT_A_MOVE);
    CHECK_INT(legality_of(&pos, (Move)(SQ(7, 7) << 7 | 81)), KMD_ILLEGAL_NOT_A_MOVE);
    pos_free(&pos);
}

static void test_promotion(void) {
    static const Case cases[] = {
        {"k8/9/9/4P4/9/9/9/9/8K b - 1", "5d5c+", KMD_LEGAL},
        {"k8/9/9/4P4/9/9/9/9/8K b - 1", "5d5c", KMD_LEGAL},
        {"k8/9/9/9/4P4/9/9/9/8K b - 1", "5e5d+", KMD_ILLEGAL_PROMOTION},
        {"k8/9/4S4/9/9/9/9/9/8K b - 1", "5c4d+", KMD_LEGAL},
        {"k8/9/4G4/9/9/9/9/9/8K b - 1", "5c5b+", KMD_ILLEGAL_PROMOTION},
        {"k8/9/4+S4/9/9/9/9/9/8K b - 1", "5c5b+", KMD_ILLEGAL_PROMOTION},
        {"k8/9/4K4/9/9/9/9/9/9 b - 1", "5c5b+", KMD_ILLEGAL_PROMOTION},
        {"k8/4P4/9/9/9/9/9/9/8K b - 1", "5b5a", KMD_ILLEGAL_DEAD_PIECE},
        {"k8/4P4/9/9/9/9/9/9/8K b - 1", "5b5a+", KMD_LEGAL},
        {"k8/9/4L4/9/9/9/9/9/8K b - 1", "5c5a", KMD_ILLEGAL_DEAD_PIECE},
        {"k8/9/9/4N4/9/9/9/9/8K b - 1", "5d4b", KMD_ILLEGAL_DEAD_PIECE},
        {"k8/9/9/4N4/9/9/9/9/8K b - 1", "5d4b+", KMD_LEGAL},
        {"k8/9/9/9/4N4/9/9/9/8K b - 1", "5e4c", KMD_LEGAL},
        {"k8/9/9/9/9/9/4p4/9/8K w - 1", "5g5h+", KMD_LEGAL},
        {"k8/9/9/9/9/4p4/9/9/8K w - 1", "5f5g+", KMD_LEGAL},
        {"k8/9/9/9/4p4/9/9/9/8K w - 1", "5e5f+", KMD_ILLEGAL_PROMOTION},
    };
    check_cases(cases, COUNTOF(cases));
}

static void test_drops(void) {
    static const Case cases[] = {
        {"k8/9/9/9/9/9/9/9/8K b NLP 1", "P*5a", KMD_ILLEGAL_DEAD_PIECE},
        {"k8/9/9/9/9/9/9/9/8K b NLP 1", "L*5a", KMD_ILLEGAL_DEAD_PIECE},
        {"k8/9/9/9/9/9/9/9/8K b NLP 1", "N*5b", KMD_ILLEGAL_DEAD_PIECE},
        {"k8/9/9/9/9/9/9/9/8K b NLP 1", "N*5c", KMD_LEGAL},
        {"k8/9/9/9/9/9/9/9/8K w n 1", "N*5h", KMD_ILLEGAL_DEAD_PIECE},
        {"k8/9/9/9/9/9/9/9/8K w n 1", "N*5g", KMD_LEGAL},
        {"k8/9/9/9/9/9/4P4/9/8K b P 1", "P*5c", KMD_ILLEGAL_NIFU},
        {"k8/9/9/9/9/9/4P4/9/8K b L 1", "L*5c", KMD_LEGAL},
        {"k8/9/9/9/9/9/4+P4/9/8K b P 1", "P*5c", KMD_LEGAL},
        {"k8/9/9/9/9/9/4p4/9/8K b P 1", "P*5c", KMD_LEGAL},
        {"k8/9/9/9/9/9/4p4/9/8K w p 1", "P*5c", KMD_ILLEGAL_NIFU},
    };
    check_cases(cases, COUNTOF(cases));
}

static void test_king(void) {
    static const Case cases[] = {
        {"4r3k/9/9/9/9/9/9/9/4K4 b P 1", "P*5e", KMD_LEGAL},
        {"4r3k/9/9/9/9/9/9/9/4K4 b P 1", "P*6e", KMD_ILLEGAL_IGNORES_CHECK},
        {"4r3k/9/9/9/9/9/9/9/4K4 b P 1", "5i5h", KMD_ILLEGAL_KING_IN_CHECK},
        {"4r3k/9/9/9/9/9/9/9/4K4 b P 1", "5i6i", KMD_LEGAL},
        {"4r3k/9/9/9/9/9/9/G8/4K4 b - 1", "9h9g", KMD_ILLEGAL_IGNORES_CHECK},
        {"4r3k/9/9/9/9/9/9/4G4/4K4 b - 1", "5h6h", KMD_ILLEGAL_KING_IN_CHECK},
        {"4r3k/9/9/9/9/9/9/4G4/4K4 b - 1", "5h5g", KMD_LEGAL},
        {"4r3k/9/9/9/9/9/9/9/3K5 b - 1", "6i5i", KMD_ILLEGAL_KING_IN_CHECK},
        /* In double check only the king may move. */
        {"4r3k/9/9/9/8b/9/9/9/4K4 b G 1", "G*5h", KMD_ILLEGAL_IGNORES_CHECK},
        {"4r3k/9/9/9/8b/9/9/9/4K4 b G 1", "5i6i", KMD_LEGAL},
        /* The checking piece may be captured; the king may capture it only if it is not guarded. */
        {"8k/9/9/9/9/9/4s4/4g4/4K4 b - 1", "5i5h", KMD_ILLEGAL_KING_IN_CHECK},
        {"8k/9/9/9/9/9/9/4g4/4K4 b - 1", "5i5h", KMD_LEGAL},
    };
    check_cases(cases, COUNTOF(cases));
}

static void test_uchifuzume(void) {
    static const Case cases[] = {
        {"8k/6G2/8S/9/9/9/9/9/K8 b P 1", "P*1b", KMD_ILLEGAL_UCHIFUZUME},
        /* The silver does not guard the pawn. */
        {"8k/6G2/9/8S/9/9/9/9/K8 b P 1", "P*1b", KMD_LEGAL},
        /* A gold can capture the pawn, but a pinned gold cannot. */
        {"7gk/6G2/8S/9/9/9/9/9/K8 b P 1", "P*1b", KMD_LEGAL},
        {"R6gk/6G2/8S/9/9/9/9/9/K8 b P 1", "P*1b", KMD_ILLEGAL_UCHIFUZUME},
        /* A pawn may mate by a board move, and any other piece may mate by a drop. */
        {"8k/6G2/8P/8L/9/9/9/9/K8 b - 1", "1c1b", KMD_LEGAL},
        {"8k/6G2/8S/9/9/9/9/9/K8 b L 1", "L*1b", KMD_LEGAL},
        /* The same for white, with the board rotated. */
        {"8k/9/9/9/9/9/s8/2g6/K8 w p 1", "P*9h", KMD_ILLEGAL_UCHIFUZUME},
    };
    check_cases(cases, COUNTOF(cases));
}

static void test_texts(void) {
    for (int reason = KMD_LEGAL; reason <= KMD_ILLEGAL_UCHIFUZUME; reason++) {
        CHECK(strlen(legality_text((KmdLegality)reason)) > 4);
    }
}

UNIT_MAIN({"form", test_form}, {"promotion", test_promotion}, {"drops", test_drops},
          {"the own king", test_king}, {"pawn-drop mate", test_uchifuzume},
          {"every reason has a text", test_texts})
