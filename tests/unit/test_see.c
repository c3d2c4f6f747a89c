#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

/* Piece values in round numbers, so that the sums are easy to follow: capturing a pawn wins 2, a
 * rook 20, and so on. */
static const int16_t value[PIECE_TYPE_NB] = {0, 20, 70, 80, 100, 180, 200, 110,
                                             0, 60, 80, 90, 110, 240, 280};

/* Checks that the exchange wins exactly `gain`. */
static void check_gain(const char *sfen, const char *move_text, int gain) {
    Position pos;
    pos_init(&pos);
    if (CHECK(pos_set_sfen(&pos, sv_from(sfen), NULL) == KMD_OK)) {
        Move move = usimove_read(sv_from(move_text));
        bool is_exact = pos_see_reaches(&pos, move, gain, value) &&
                        !pos_see_reaches(&pos, move, gain + 1, value);
        if (!CHECK(is_exact)) {
            for (int i = -400; i <= 400; i++) {
                if (pos_see_reaches(&pos, move, i, value) &&
                    !pos_see_reaches(&pos, move, i + 1, value)) {
                    CHECK_INT(i, gain);
                }
            }
        }
    }
    pos_free(&pos);
}

static void test_free_piece(void) {
    check_gain("4k4/9/9/4p4/9/9/4R4/9/4K4 b - 1", "5g5d", 20);
    check_gain("4k4/9/9/4p4/9/9/4R4/9/4K4 b - 1", "5g5f", 0);
    check_gain("4k4/9/9/4p4/9/9/4R4/9/4K4 b - 1", "5g5e", -200);
}

static void test_guarded_piece(void) {
    /* Rook takes pawn, silver takes rook. */
    check_gain("4k4/9/4s4/4p4/9/9/4R4/9/4K4 b - 1", "5g5d", 20 - 200);
    /* Pawn takes pawn, silver takes pawn, rook takes silver: the silver should not recapture. */
    check_gain("4k4/9/4s4/4p4/4P4/9/4R4/9/4K4 b - 1", "5e5d", 20);
    /* With a second guard, the captures are pawn, pawn, silver, rook. */
    check_gain("4k4/4l4/4s4/4p4/4P4/9/4R4/9/4K4 b - 1", "5e5d", 0);
}

static void test_x_rays(void) {
    /* Two lances on a file: the rear one attacks through the other. */
    check_gain("4k4/9/4g4/4p4/9/9/4L4/4L4/4K4 b - 1", "5g5d", 20);
    check_gain("4k4/9/4g4/4p4/9/9/4L4/9/4K4 b - 1", "5g5d", 20 - 70);
    /* A bishop behind a silver on the diagonal. */
    check_gain("4k4/9/4g4/4p4/3S5/2B6/9/9/4K4 b - 1", "6e5d", 20);
}

static void test_drop(void) {
    check_gain("4k4/9/4g4/9/9/9/9/9/4K4 b P 1", "P*5d", -20);
    check_gain("4k4/9/4g4/9/9/9/4L4/9/4K4 b P 1", "P*5d", 0);
    check_gain("4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*5d", 0);
}

static void test_promotion(void) {
    check_gain("4k4/9/8p/9/9/9/8R/9/4K4 b - 1", "1g1c+", 20 + 80);
    /* A captured dragon costs the value of the rook plus the gain of its promotion. */
    check_gain("4k4/8l/8r/9/9/9/8R/9/4K4 b - 1", "1g1c+", 0);
}

static void test_king_takes_last(void) {
    check_gain("9/4k4/4p4/9/9/9/4L4/9/4K4 b - 1", "5g5c", 20 - 70);
    /* Because of a second attacker the king may not capture. */
    check_gain("9/4k4/4p4/9/9/9/4L4/4L4/4K4 b - 1", "5g5c", 20);
}

UNIT_MAIN({"a free piece is won", test_free_piece},
          {"guards are counted in turn", test_guarded_piece},
          {"pieces behind come through", test_x_rays}, {"drops can be lost", test_drop},
          {"promotion is a gain", test_promotion}, {"a king takes last", test_king_takes_last})
