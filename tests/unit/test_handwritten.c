/* The hand-written evaluation must be symmetric and sensible. */
#include "eval/handwritten.h"

#include "base/rng.h"
#include "eval/values.h"
#include "positions.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "unit.h"

/* The position with left and right exchanged. It has the same value, because no piece distinguishes
 * left and right. */
static Setup mirrored(const Setup *setup) {
    Setup other = *setup;
    for (Square sq = 0; sq < SQ_NB; sq++) {
        other.board[sq_make(FILE_NB - 1 - sq_file(sq), sq_rank(sq))] = setup->board[sq];
    }
    return other;
}

static void test_symmetry(void) {
    handwritten_init();
    Rng rng = rng_init(8);
    Position pos;
    Position other;
    pos_init(&pos);
    pos_init(&other);
    for (int game = 0; game < 30; game++) {
        Setup start = setup_start();
        pos_set(&pos, &start);
        for (int ply = 0; ply < 120; ply++) {
            Move list[MAX_MOVES];
            int count = gen_moves(&pos, GEN_LEGAL, list);
            if (count == 0) {
                break;
            }
            pos_do(&pos, list[rng_below(&rng, (uint64_t)count)]);
            Setup setup = pos_get(&pos);
            Setup turn = setup_turned(&setup);
            pos_set(&other, &turn);
            CHECK_INT(handwritten_evaluate(&other), handwritten_evaluate(&pos));
            Setup mirror = mirrored(&setup);
            pos_set(&other, &mirror);
            CHECK_INT(handwritten_evaluate(&other), handwritten_evaluate(&pos));
        }
    }
    pos_free(&other);
    pos_free(&pos);
}

static int score_of(const char *sfen) {
    handwritten_init();
    Position pos;
    pos_init(&pos);
    CHECK(pos_set_sfen(&pos, sv_from(sfen), NULL) == KMD_OK);
    int score = handwritten_evaluate(&pos);
    pos_free(&pos);
    return score;
}

static void test_sense(void) {
    int level = score_of(SFEN_START);
    CHECK(level > -100 && level < 100);
    int rook_up = score_of("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    CHECK(rook_up > 700);
    int rook_in_hand = score_of("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b R 1");
    CHECK(rook_in_hand > rook_up + 700);
    /* Without kings, or with the largest hands, there must be no crash and no overflow. */
    int most = score_of("9/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1");
    CHECK(most > 5000 && most <= EVAL_MAX);
}

static void test_capture_values(void) {
    handwritten_init();
    for (int type = PAWN; type < PIECE_TYPE_NB; type++) {
        if (type != KING) {
            CHECK(values_for_see()[type] > values_piece((PieceType)type));
        }
    }
}

UNIT_MAIN({"turned and mirrored boards are worth the same", test_symmetry},
          {"material tells", test_sense}, {"captures count twice", test_capture_values})
