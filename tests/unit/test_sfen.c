/* Tests positions as text: which texts are read, which are rejected and at which column, and that
 * writing restores the text. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "unit.h"

#define KINGS "4k4/9/9/9/9/9/9/9/4K4"

static KmdError read_text(const char *text, Setup *setup, int *column) {
    return sfen_read(sv_from(text), setup, column);
}

/* Reads `text` and checks that it is written as `want`. */
static void check_written(const char *text, const char *want) {
    Setup setup;
    StrBuf out = STRBUF_INIT;
    if (!CHECK_INT(read_text(text, &setup, NULL), KMD_OK)) {
        printf("    for \"%s\"\n", text);
        return;
    }
    sfen_write(&setup, &out);
    CHECK_STR(out.ptr, want);
    strbuf_free(&out);
}

/* Checks the error and the column of a text that must be rejected. */
static void check_refused(const char *text, KmdError want, int want_column) {
    Setup setup = {.ply = 77};
    int column = -1;
    bool is_right = CHECK_INT(read_text(text, &setup, &column), want);
    is_right &= CHECK_INT(column, want_column);
    is_right &= CHECK_INT(setup.ply, 77);
    if (!is_right) {
        printf("    for \"%s\"\n", text);
    }
}

static void test_round_trip(void) {
    static const char *const text[] = {
        SFEN_START,
        KINGS " w - 1000000",
        "9/9/9/9/9/9/9/9/9 b - 1",
        "8k/9/9/9/9/9/9/9/9 w R3G2b2s18p 12",
        "+L+N+S1K1+S+N+L/1+R5+B1/+P+P+P+P+P+P+P+P+P/9/9/9/+p+p+p+p+p+p+p+p+p/1+b5+r1/"
        "+l+n+s1k1+s+n+l w 4G 200",
        KINGS " b RB2G2S2N2L9Prb2g2s2n2l9p 3",
        "k8/9/9/9/9/9/9/9/8K b 2R2B4G4S4N4L18P 1",
        "k8/9/9/9/9/9/9/9/8K w 2r2b4g4s4n4l18p 1",
    };
    for (size_t i = 0; i < COUNTOF(text); i++) {
        check_written(text[i], text[i]);
    }
}

static void test_written_in_full(void) {
    check_written("startpos", SFEN_START);
    check_written("  startpos \r", SFEN_START);
    check_written(KINGS " b -", KINGS " b - 1");
    check_written(KINGS " w 0 1", KINGS " w - 1");
    check_written(KINGS " b 0", KINGS " b - 1");
    check_written(KINGS " b 0 57", KINGS " b - 57");
    check_written(KINGS " b - 0", KINGS " b - 1");
    check_written(KINGS " b - 007", KINGS " b - 7");
    check_written(KINGS "_w_P_9", KINGS " w P 9");
    check_written("\t" KINGS "   w \t P   9 \r", KINGS " w P 9");
    check_written(KINGS " b pPlLbr10p", KINGS " b LPrbl11p 1");
    check_written(KINGS " b 1G2P1P", KINGS " b G3P 1");
}

static void test_squares(void) {
    Setup setup;
    CHECK_INT(read_text(SFEN_START, &setup, NULL), KMD_OK);
    CHECK_INT(setup.board[SQ(8, 8)], piece_make(BLACK, BISHOP));
    CHECK_INT(setup.board[SQ(2, 8)], piece_make(BLACK, ROOK));
    CHECK_INT(setup.board[SQ(5, 1)], piece_make(WHITE, KING));
    CHECK_INT(setup.board[SQ(7, 7)], piece_make(BLACK, PAWN));
    CHECK_INT(setup.board[SQ(5, 5)], NO_PIECE);
    CHECK_INT(setup.side, BLACK);
    CHECK_INT(setup.ply, 1);
    CHECK_INT(read_text("8+p/9/9/9/9/9/9/9/4K4 w 3Gs 8", &setup, NULL), KMD_OK);
    CHECK_INT(setup.board[SQ(1, 1)], piece_make(WHITE, PRO_PAWN));
    CHECK_INT(setup.side, WHITE);
    CHECK_INT(hand_count(setup.hand[BLACK], GOLD), 3);
    CHECK_INT(hand_count(setup.hand[WHITE], SILVER), 1);
    CHECK_INT(hand_count(setup.hand[WHITE], GOLD), 0);
}

/* Handicaps are positions with white to move and pieces missing. */
static void test_handicaps(void) {
    static const char *const text[] = {
        "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1",
    };
    for (size_t i = 0; i < COUNTOF(text); i++) {
        check_written(text[i], text[i]);
    }
}

static void test_bad_form(void) {
    check_refused("", KMD_ERROR_SFEN_EMPTY, 1);
    check_refused("   ", KMD_ERROR_SFEN_EMPTY, 1);
    check_refused("startposition", KMD_ERROR_SFEN_PIECE, 2);
    check_refused("startpos moves", KMD_ERROR_SFEN_TRAILING, 10);
    check_refused("4k4/9/9/9/4x4/9/9/9/4K4 b - 1", KMD_ERROR_SFEN_PIECE, 12);
    check_refused("4k4/9/9/9/0p8/9/9/9/4K4 b - 1", KMD_ERROR_SFEN_PIECE, 11);
    check_refused("4k4/9/9/9/4+4/9/9/9/4K4 b - 1", KMD_ERROR_SFEN_PIECE, 12);
    check_refused("4k4/9/9/9/4+G4/9/9/9/4K4 b - 1", KMD_ERROR_SFEN_PIECE, 12);
    check_refused("4+k4/9/9/9/9/9/9/9/4K4 b - 1", KMD_ERROR_SFEN_PIECE, 2);
    check_refused("4k4/9/9/9/4++P4/9/9/9/4K4 b - 1", KMD_ERROR_SFEN_PIECE, 12);
    check_refused("4k4/9/9/9/8+/9/9/9/4K4 b - 1", KMD_ERROR_SFEN_PIECE, 12);
    check_refused("4k4/9/9/9/8/9/9/9/4K4 b - 1", KMD_ERROR_SFEN_RANK, 12);
    check_refused("4k4/9/9/9/4p5/9/9/9/4K4 b - 1", KMD_ERROR_SFEN_RANK, 13);
    check_refused("4k4/9/9/9/9p/9/9/9/4K4 b - 1", KMD_ERROR_SFEN_RANK, 12);
    check_refused("4k4/9/9/9/45/9/9/9/4K4 b - 1", KMD_ERROR_SFEN_RANK, 12);
    check_refused("4k4/9/9/9//9/9/9/4K4 b - 1", KMD_ERROR_SFEN_RANK, 11);
    check_refused("/4k4/9/9/9/9/9/9/9 b - 1", KMD_ERROR_SFEN_RANK, 1);
    check_refused("4k4/9/9/9/9/9/9/4K4 b - 1", KMD_ERROR_SFEN_RANK_COUNT, 20);
    check_refused(KINGS "/9 b - 1", KMD_ERROR_SFEN_RANK_COUNT, 22);
    check_refused(KINGS "/ b - 1", KMD_ERROR_SFEN_RANK_COUNT, 22);
    check_refused(KINGS, KMD_ERROR_SFEN_SIDE, 22);
    check_refused(KINGS " B - 1", KMD_ERROR_SFEN_SIDE, 23);
    check_refused(KINGS " bw - 1", KMD_ERROR_SFEN_SIDE, 23);
    check_refused(KINGS " - 1", KMD_ERROR_SFEN_SIDE, 23);
    check_refused(KINGS " b - 1 x", KMD_ERROR_SFEN_TRAILING, 29);
    check_refused(KINGS " b - 1 moves 7g7f", KMD_ERROR_SFEN_TRAILING, 29);
}

static void test_bad_hands_and_plies(void) {
    check_refused(KINGS " b", KMD_ERROR_SFEN_HAND, 24);
    check_refused(KINGS " b 1", KMD_ERROR_SFEN_HAND, 25);
    check_refused(KINGS " b P2 1", KMD_ERROR_SFEN_HAND, 26);
    check_refused(KINGS " b 0P 1", KMD_ERROR_SFEN_HAND, 25);
    check_refused(KINGS " b 02P 1", KMD_ERROR_SFEN_HAND, 25);
    check_refused(KINGS " b PK 1", KMD_ERROR_SFEN_HAND, 26);
    check_refused(KINGS " b +P 1", KMD_ERROR_SFEN_HAND, 25);
    check_refused(KINGS " b -P 1", KMD_ERROR_SFEN_HAND, 25);
    check_refused(KINGS " b P- 1", KMD_ERROR_SFEN_HAND, 26);
    check_refused(KINGS " b - x", KMD_ERROR_SFEN_PLY, 27);
    check_refused(KINGS " b - -1", KMD_ERROR_SFEN_PLY, 27);
    check_refused(KINGS " b - +1", KMD_ERROR_SFEN_PLY, 27);
    check_refused(KINGS " b - 1.5", KMD_ERROR_SFEN_PLY, 27);
    check_refused(KINGS " b - 1000001", KMD_ERROR_SFEN_PLY, 27);
    check_refused(KINGS " b - 99999999999999999999999", KMD_ERROR_SFEN_PLY, 27);
}

static void test_too_many(void) {
    check_refused("4k4/9/9/9/rr+R6/9/9/9/4K4 b - 1", KMD_ERROR_SFEN_TOO_MANY, 13);
    check_refused("4k4/9/9/9/GGGGG4/9/9/9/4K4 b - 1", KMD_ERROR_SFEN_TOO_MANY, 15);
    check_refused("4k4/9/9/9/bB7/9/9/9/4K4 b Pb 1", KMD_ERROR_SFEN_TOO_MANY, 28);
    check_refused(KINGS " b 3RP 1", KMD_ERROR_SFEN_TOO_MANY, 25);
    check_refused(KINGS " b 2L2N3l 1", KMD_ERROR_SFEN_TOO_MANY, 29);
    check_refused(KINGS " b 19p 1", KMD_ERROR_SFEN_TOO_MANY, 25);
    check_refused(KINGS " b 10P9p 1", KMD_ERROR_SFEN_TOO_MANY, 28);
    check_refused(KINGS " b 4294967297P 1", KMD_ERROR_SFEN_TOO_MANY, 25);
    check_refused("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b P 1",
                  KMD_ERROR_SFEN_TOO_MANY, 61);
}

static void test_impossible_positions(void) {
    check_refused("4k3k/9/9/9/9/9/9/9/4K4 b - 1", KMD_ERROR_SFEN_TWO_KINGS, 4);
    check_refused("4k4/9/9/9/9/9/9/9/K7K b - 1", KMD_ERROR_SFEN_TWO_KINGS, 21);
    check_refused("4k4/9/4P4/9/9/9/4P4/9/4K4 b - 1", KMD_ERROR_SFEN_NIFU, 18);
    check_refused("4k4/8p/9/9/9/9/9/8p/4K4 b - 1", KMD_ERROR_SFEN_NIFU, 19);
    check_refused("P3k4/9/9/9/9/9/9/9/4K4 b - 1", KMD_ERROR_SFEN_DEAD_PIECE, 1);
    check_refused("4k3L/9/9/9/9/9/9/9/4K4 b - 1", KMD_ERROR_SFEN_DEAD_PIECE, 4);
    check_refused("4k4/N8/9/9/9/9/9/9/4K4 b - 1", KMD_ERROR_SFEN_DEAD_PIECE, 5);
    check_refused("4k4/9/9/9/9/9/9/n8/4K4 b - 1", KMD_ERROR_SFEN_DEAD_PIECE, 17);
    check_refused("4k4/9/9/9/9/9/9/9/l3K4 b - 1", KMD_ERROR_SFEN_DEAD_PIECE, 19);
    check_refused("4k4/9/9/9/4R4/9/9/9/4K4 b - 1", KMD_ERROR_SFEN_OPPONENT_IN_CHECK, 2);
    check_refused("4k4/9/9/9/9/9/9/3s5/4K4 w - 1", KMD_ERROR_SFEN_OPPONENT_IN_CHECK, 22);
    check_refused("4k4/9/9/k8/9/9/9/9/K7K b - 1", KMD_ERROR_SFEN_TWO_KINGS, 9);
    check_refused("9/9/9/9/3kK4/9/9/9/9 b - 1", KMD_ERROR_SFEN_OPPONENT_IN_CHECK, 10);
}

/* Unusual but valid positions. */
static void test_odd_positions(void) {
    static const char *const text[] = {
        "4k4/9/4P4/9/9/9/4+P4/9/4K4 b - 1", /* a promoted pawn does not make nifu */
        "4k4/4p4/9/9/4P4/9/9/9/4K4 b - 1",  /* a pawn of the other side does not make nifu */
        "+P3k4/9/9/9/9/9/9/9/4K3+n b - 1",  /* promoted pieces can always move */
    };
    for (size_t i = 0; i < COUNTOF(text); i++) {
        check_written(text[i], text[i]);
    }
}

static void test_position_kept_on_failure(void) {
    Position pos;
    pos_init(&pos);
    int column = 0;
    CHECK_INT(pos_set_sfen(&pos, SV("8k/9/9/9/9/9/9/9/K8 w P 5"), &column), KMD_OK);
    CHECK_INT(pos_set_sfen(&pos, SV("8k/9/9/9/9/9/9/9/K8 w Q 5"), &column), KMD_ERROR_SFEN_HAND);
    CHECK_INT(column, 23);
    StrBuf out = STRBUF_INIT;
    pos_get_sfen(&pos, &out);
    CHECK_STR(out.ptr, "8k/9/9/9/9/9/9/9/K8 w P 5");
    strbuf_free(&out);
    pos_free(&pos);
}

static void test_letters(void) {
    CHECK_INT(sfen_letter(PAWN), 'P');
    CHECK_INT(sfen_letter(DRAGON), 'R');
    CHECK_INT(sfen_letter(PRO_KNIGHT), 'N');
    CHECK_INT(sfen_letter(KING), 'K');
    CHECK_INT(sfen_type('g'), GOLD);
    CHECK_INT(sfen_type('B'), BISHOP);
    CHECK_INT(sfen_type('x'), NO_PIECE_TYPE);
    CHECK_INT(sfen_type('\0'), NO_PIECE_TYPE);
    CHECK_INT(sfen_type(' '), NO_PIECE_TYPE);
    CHECK_INT(sfen_type('\xFF'), NO_PIECE_TYPE);
}

static void test_error_texts(void) {
    for (int error = KMD_OK; error <= KMD_ERROR_SFEN_OPPONENT_IN_CHECK; error++) {
        CHECK(strlen(sfen_error_text((KmdError)error)) > 5);
    }
}

UNIT_MAIN({"what is written is read back", test_round_trip},
          {"short and untidy forms are written in full", test_written_in_full},
          {"pieces stand where the text says", test_squares},
          {"handicaps are read", test_handicaps},
          {"faults of form have a name and a column", test_bad_form},
          {"faults of hands and move numbers", test_bad_hands_and_plies},
          {"more pieces than a set has", test_too_many},
          {"positions that cannot be", test_impossible_positions},
          {"odd positions that can be", test_odd_positions},
          {"a refused text leaves the position alone", test_position_kept_on_failure},
          {"letters of the pieces", test_letters}, {"every error has a text", test_error_texts})
