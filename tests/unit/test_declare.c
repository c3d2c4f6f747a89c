/* Declarations of an entering king under every rule. */
#include <string.h>

#include "positions.h"
#include "rules/declare.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

/* Four big pieces and six pawns in the zone: 26 points, plus those in hand. */
#define BLACK_26 "RB+P+P+PK3/RB+P+P+P4/9/9/9/9/9/9/4k4 b "
#define WHITE_26 "4K4/9/9/9/9/9/9/4+p+p+pbr/3k+p+p+pbr w "

static KmdDeclaration declare(const char *sfen, KmdDeclareRule rule) {
    Position pos = position_at(sfen);
    KmdDeclaration result = declare_result(&pos, rule);
    pos_free(&pos);
    return result;
}

static void test_counts(void) {
    Position pos = position_at(BLACK_26 "2Pg3n 1");
    KmdDeclareCount black = declare_count(&pos, BLACK);
    CHECK(black.king_in_zone);
    CHECK(!black.in_check);
    CHECK_INT(black.pieces_in_zone, 10);
    CHECK_INT(black.points, 28);
    CHECK_INT(black.handicap_points, 0);
    KmdDeclareCount white = declare_count(&pos, WHITE);
    CHECK(white.king_in_zone); /* on its home square 5i, which is in the zone that it declares in */
    CHECK_INT(white.pieces_in_zone, 0);
    CHECK_INT(white.points, 4);
    /* Missing: 10 pawns, 4 lances, 1 knight, 4 silvers, 3 golds. */
    CHECK_INT(white.handicap_points, 22);
    pos_free(&pos);
    /* Promoted pieces count like unpromoted ones; pieces outside the zone do not count. */
    pos = position_at("4K4/+B+R+L6/9/PPP6/9/9/9/9/4k4 b - 1");
    CHECK_INT(declare_count(&pos, BLACK).points, 11);
    CHECK_INT(declare_count(&pos, BLACK).pieces_in_zone, 3);
    pos_free(&pos);
}

static void test_27_points(void) {
    CHECK_INT(declare(BLACK_26 "2P 1", KMD_DECLARE_27), KMD_DECLARATION_WIN);
    CHECK_INT(declare(BLACK_26 "P 1", KMD_DECLARE_27), KMD_DECLARATION_REFUSED);
    CHECK_INT(declare(BLACK_26 "G4p 1", KMD_DECLARE_27), KMD_DECLARATION_REFUSED);
    CHECK_INT(declare(WHITE_26 "p 1", KMD_DECLARE_27), KMD_DECLARATION_WIN);
    CHECK_INT(declare(WHITE_26 "- 1", KMD_DECLARE_27), KMD_DECLARATION_REFUSED);
    CHECK_INT(declare(WHITE_26 "4G 1", KMD_DECLARE_27), KMD_DECLARATION_REFUSED);
}

static void test_24_points(void) {
    CHECK_INT(declare(BLACK_26 "5P 1", KMD_DECLARE_24), KMD_DECLARATION_WIN);
    CHECK_INT(declare(BLACK_26 "4P 1", KMD_DECLARE_24), KMD_DECLARATION_DRAW);
    CHECK_INT(declare(BLACK_26 "- 1", KMD_DECLARE_24), KMD_DECLARATION_DRAW);
    CHECK_INT(declare(WHITE_26 "5p 1", KMD_DECLARE_24), KMD_DECLARATION_WIN);
    CHECK_INT(declare(WHITE_26 "4p 1", KMD_DECLARE_24), KMD_DECLARATION_DRAW);
    const char *black_22 = "RB+P+P+PK3/1B+P+P+P4/+P8/9/9/9/9/9/4k4 b ";
    StrBuf sfen = STRBUF_INIT;
    strbuf_addf(&sfen, "%s2P 1", black_22);
    CHECK_INT(declare(sfen.ptr, KMD_DECLARE_24), KMD_DECLARATION_DRAW);
    strbuf_clear(&sfen);
    strbuf_addf(&sfen, "%sP 1", black_22);
    CHECK_INT(declare(sfen.ptr, KMD_DECLARE_24), KMD_DECLARATION_REFUSED);
    strbuf_free(&sfen);
}

/* With enough points, each unmet condition alone makes a declaration fail. */
static void test_conditions(void) {
    /* Nine pieces. */
    CHECK_INT(declare("RB+P+P+PK3/RB+P+P5/9/9/9/9/9/9/4k4 b 9P 1", KMD_DECLARE_27),
              KMD_DECLARATION_REFUSED);
    /* The king is outside the zone, or missing. */
    CHECK_INT(declare("RB+P+P+P4/RB+P+P+P4/9/5K3/9/9/9/9/4k4 b 9P 1", KMD_DECLARE_27),
              KMD_DECLARATION_REFUSED);
    CHECK_INT(declare("RB+P+P+P4/RB+P+P+P4/9/9/9/9/9/9/4k4 b 9P 1", KMD_DECLARE_27),
              KMD_DECLARATION_REFUSED);
    /* The third rank is inside. */
    CHECK_INT(declare("RB+P+P+P4/RB+P+P+P4/5K3/9/9/9/9/9/4k4 b 9P 1", KMD_DECLARE_27),
              KMD_DECLARATION_WIN);
    /* In check from a lance. */
    CHECK_INT(declare("RB+P+P+PK3/RB+P+P+Pg3/9/9/9/9/9/9/4k4 b 9P 1", KMD_DECLARE_27),
              KMD_DECLARATION_REFUSED);
    /* The rule is turned off. */
    CHECK_INT(declare(BLACK_26 "9P 1", KMD_DECLARE_NONE), KMD_DECLARATION_REFUSED);
}

static void test_side_not_to_move(void) {
    Position pos = position_at("RB+P+P+PK3/RB+P+P+P4/9/9/9/9/9/9/4k4 w 2P 1");
    CHECK_INT(declare_result(&pos, KMD_DECLARE_27), KMD_DECLARATION_REFUSED);
    CHECK_INT(declare_result_for(&pos, KMD_DECLARE_27, BLACK), KMD_DECLARATION_WIN);
    CHECK_INT(declare_result_for(&pos, KMD_DECLARE_27, WHITE), KMD_DECLARATION_REFUSED);
    pos_free(&pos);
}

static void test_handicap_points(void) {
    static const struct {
        const char *sfen;
        int points;
    } game[] = {
        {SFEN_START, 0},
        {"lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", 1},
        {"lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", 5},
        {"lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", 10},
        {"1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", 12},
        {"2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", 14},
        {"4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1", 24},
    };
    for (size_t i = 0; i < COUNTOF(game); i++) {
        Position pos = position_at(game[i].sfen);
        CHECK_INT(declare_count(&pos, WHITE).handicap_points, game[i].points);
        CHECK_INT(declare_count(&pos, BLACK).handicap_points, 0);
        pos_free(&pos);
    }
}

/* White gave the handicap of rook and bishop: it has 18 points on the board plus 10 for the missing
 * pieces. */
static void test_handicap_rules(void) {
    const char *white = "4K4/9/9/9/9/9/9/2ggg1sss/1rgk3bs w 4N4L18P 1";
    CHECK_INT(declare(white, KMD_DECLARE_27), KMD_DECLARATION_REFUSED);
    CHECK_INT(declare(white, KMD_DECLARE_27H), KMD_DECLARATION_WIN);
    CHECK_INT(declare(white, KMD_DECLARE_24), KMD_DECLARATION_REFUSED);
    CHECK_INT(declare(white, KMD_DECLARE_24H), KMD_DECLARATION_DRAW);
    /* Three more small pieces make 31 points. Without one of the ten points for missing pieces,
     * they are not enough. */
    CHECK_INT(declare("4K4/9/9/9/9/9/9/2ggg1sss/1rgk3bs w 4N4L15P3p 1", KMD_DECLARE_24H),
              KMD_DECLARATION_WIN);
    CHECK_INT(declare("4K4/9/9/9/9/9/9/2ggg1sss/1rgk3bs w 4N4L16P2p 1", KMD_DECLARE_24H),
              KMD_DECLARATION_DRAW);
    /* Black gets nothing for missing pieces. */
    CHECK_INT(declare(BLACK_26 "P 1", KMD_DECLARE_27H), KMD_DECLARATION_REFUSED);
    CHECK_INT(declare(BLACK_26 "2P 1", KMD_DECLARE_27H), KMD_DECLARATION_WIN);
    CHECK_INT(declare(BLACK_26 "4P 1", KMD_DECLARE_24H), KMD_DECLARATION_DRAW);
}

static void test_try_rule(void) {
    char text[USI_MOVE_SIZE];
    Position pos = position_at("k8/4K4/9/9/9/9/9/9/9 b - 1");
    CHECK_INT(declare_result(&pos, KMD_DECLARE_TRY), KMD_DECLARATION_REFUSED);
    CHECK_STR(usimove_write(declare_try_move(&pos), text), "5b5a");
    pos_do(&pos, declare_try_move(&pos));
    CHECK_INT(declare_result_for(&pos, KMD_DECLARE_TRY, BLACK), KMD_DECLARATION_WIN);
    CHECK_INT(declare_result(&pos, KMD_DECLARE_TRY), KMD_DECLARATION_REFUSED);
    CHECK_INT(declare_try_move(&pos), MOVE_NONE);
    pos_free(&pos);
    /* The try fails if the square is attacked, occupied by a piece of the king's side, or out of
     * reach. */
    pos = position_at("k2g5/4K4/9/9/9/9/9/9/9 b - 1");
    CHECK_STR(usimove_write(declare_try_move(&pos), text), "none");
    pos_free(&pos);
    pos = position_at("k3+P4/4K4/9/9/9/9/9/9/9 b - 1");
    CHECK_INT(declare_try_move(&pos), MOVE_NONE);
    pos_free(&pos);
    pos = position_at("k8/9/4K4/9/9/9/9/9/9 b - 1");
    CHECK_INT(declare_try_move(&pos), MOVE_NONE);
    pos_free(&pos);
    /* White's try square is 5i. If the king is already there, the declaration is valid unless the
     * king is in check. */
    pos = position_at("K8/9/9/9/9/9/9/3k5/9 w - 1");
    CHECK_STR(usimove_write(declare_try_move(&pos), text), "6h5i");
    pos_free(&pos);
    CHECK_INT(declare("K8/9/9/9/9/9/9/9/4k4 w - 1", KMD_DECLARE_TRY), KMD_DECLARATION_WIN);
    CHECK_INT(declare("K8/9/9/9/9/9/9/4G4/4k4 w - 1", KMD_DECLARE_TRY), KMD_DECLARATION_REFUSED);
    pos = position_at("9/9/9/9/9/9/9/9/9 b - 1");
    CHECK_INT(declare_try_move(&pos), MOVE_NONE);
    pos_free(&pos);
}

static void test_names(void) {
    CHECK_STR(declare_rule_name(KMD_DECLARE_NONE), "NoEnteringKing");
    CHECK_STR(declare_rule_name(KMD_DECLARE_24), "CSARule24");
    CHECK_STR(declare_rule_name(KMD_DECLARE_24H), "CSARule24H");
    CHECK_STR(declare_rule_name(KMD_DECLARE_27), "CSARule27");
    CHECK_STR(declare_rule_name(KMD_DECLARE_27H), "CSARule27H");
    CHECK_STR(declare_rule_name(KMD_DECLARE_TRY), "TryRule");
    CHECK(declare_rule_name(KMD_DECLARE_COUNT) == NULL);
}

UNIT_MAIN({"pieces and points", test_counts}, {"27-point rule", test_27_points},
          {"24-point rule", test_24_points}, {"every condition", test_conditions},
          {"the side not to move", test_side_not_to_move},
          {"points of missing pieces", test_handicap_points},
          {"handicap rules", test_handicap_rules}, {"try rule", test_try_rule},
          {"names of the rules", test_names})
