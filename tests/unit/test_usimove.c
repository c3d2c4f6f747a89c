/* Tests reading and writing moves as USI text. */
#include <stdio.h>

#include "rules/usimove.h"
#include "unit.h"

static Move read_text(const char *text) {
    return usimove_read(sv_from(text));
}

static void test_known_moves(void) {
    CHECK_INT(read_text("7g7f"), move_make(SQ(7, 7), SQ(7, 6)));
    CHECK_INT(read_text("8h2b+"), move_make_promotion(SQ(8, 8), SQ(2, 2)));
    CHECK_INT(read_text("P*5e"), move_make_drop(PAWN, SQ(5, 5)));
    CHECK_INT(read_text("R*9i"), move_make_drop(ROOK, SQ(9, 9)));
    CHECK_INT(read_text("1a9i"), move_make(SQ(1, 1), SQ(9, 9)));
    CHECK_INT(read_text("resign"), MOVE_RESIGN);
    CHECK_INT(read_text("win"), MOVE_WIN);
    CHECK_INT(read_text("pass"), MOVE_NULL);
    CHECK_INT(read_text("0000"), MOVE_NULL);
    CHECK_INT(read_text("null"), MOVE_NULL);
}

static void test_not_moves(void) {
    static const char *const text[] = {
        "",      "7",       "7g",     "7g7",    "7g7f7",   "7g7f++", "7g7f=", "7g7f ",
        " 7g7f", "0g7f",    "7g0f",   "7j7f",   "7g7j",    "7G7F",   "g7f7",  "aaaa",
        "2i2j",  "7g7g",    "7g7g+",  "1a1a",   "1b1b",    "1c1c",   "1d1d",  "p*5e",
        "P*5e+", "K*5e",    "k*5e",   "X*5e",   "**5e",    "P*0e",   "P*5j",  "P*5",
        "P5e",   "+P*5e",   "Resign", "WIN",    "none",    "Null",   "00000", "000",
        "resig", "resignx", "7g7f\n", "７六歩", "-7776FU", "7776",   "a*5e",  "1*5e",
    };
    for (size_t i = 0; i < COUNTOF(text); i++) {
        if (!CHECK_INT(read_text(text[i]), MOVE_NONE)) {
            printf("    for \"%s\"\n", text[i]);
        }
    }
    CHECK_INT(usimove_read((StrView){NULL, 0}), MOVE_NONE);
    CHECK_INT(usimove_read((StrView){"7g\0f", 4}), MOVE_NONE);
}

/* Every pattern with the form of a move is the same after being written and read. */
static void test_every_move(void) {
    int moves = 0;
    for (int origin = 0; origin <= SQ_NB + GOLD; origin++) {
        bool is_drop = origin > SQ_NB;
        for (int to = 0; to < SQ_NB; to++) {
            if (origin == SQ_NB || origin == to) {
                continue;
            }
            for (int promote = 0; promote <= !is_drop; promote++) {
                Move move = (Move)(origin << 7 | to | (promote ? MOVE_PROMOTE : 0));
                char text[USI_MOVE_SIZE];
                CHECK_INT(read_text(usimove_write(move, text)), move);
                moves++;
            }
        }
    }
    CHECK_INT(moves, 81 * 80 * 2 + 7 * 81);
}

static void test_written(void) {
    char text[USI_MOVE_SIZE];
    CHECK_STR(usimove_write(move_make(SQ(7, 7), SQ(7, 6)), text), "7g7f");
    CHECK_STR(usimove_write(move_make_promotion(SQ(9, 1), SQ(1, 9)), text), "9a1i+");
    CHECK_STR(usimove_write(move_make_drop(KNIGHT, SQ(5, 3)), text), "N*5c");
    CHECK_STR(usimove_write(MOVE_NONE, text), "none");
    CHECK_STR(usimove_write(MOVE_NULL, text), "pass");
    CHECK_STR(usimove_write(MOVE_RESIGN, text), "resign");
    CHECK_STR(usimove_write(MOVE_WIN, text), "win");
    StrBuf out = STRBUF_INIT;
    usimove_append(move_make_drop(GOLD, SQ(5, 2)), &out);
    usimove_append(move_make(SQ(2, 8), SQ(2, 4)), &out);
    CHECK_STR(out.ptr, "G*5b2h2d");
    strbuf_free(&out);
}

UNIT_MAIN({"moves and special words are read", test_known_moves},
          {"everything else is refused", test_not_moves},
          {"every move is read back", test_every_move}, {"moves are written", test_written})
