/* Tests setting up positions, making and taking back moves, keys, copies, null moves and attackers.
 * test_movegen_reference.c tests the moves themselves. */
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "positions.h"
#include "rules/attacks.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

static void play(Position *pos, const char *moves) {
    Tokenizer tok = {sv_from(moves)};
    StrView word;
    while (tok_next(&tok, &word)) {
        Move move = usimove_read(word);
        if (CHECK_INT(legality_of(pos, move), KMD_LEGAL)) {
            pos_do(pos, move);
        }
    }
}

static void check_sfen(const Position *pos, const char *want) {
    StrBuf out = STRBUF_INIT;
    pos_get_sfen(pos, &out);
    CHECK_STR(out.ptr, want);
    strbuf_free(&out);
}

static void check_fault(Setup setup, KmdError want, Square want_where) {
    Square where = 0;
    CHECK_INT(setup_check(&setup, &where), want);
    CHECK_INT(setup_check(&setup, NULL), want);
    if (want != KMD_OK) {
        CHECK_INT(where, want_where);
    }
}

static void test_setup_faults(void) {
    Setup start = setup_start();
    check_fault(start, KMD_OK, SQ_NONE);
    Setup setup = start;
    setup.hand[WHITE] = hand_add(setup.hand[WHITE], GOLD);
    check_fault(setup, KMD_ERROR_SFEN_TOO_MANY, SQ_NONE);
    setup = start;
    setup.board[SQ(5, 5)] = piece_make(BLACK, KING);
    CHECK_INT(setup_check(&setup, NULL), KMD_ERROR_SFEN_TWO_KINGS);
    setup = start;
    setup.board[SQ(5, 7)] = NO_PIECE;
    setup.board[SQ(4, 5)] = piece_make(BLACK, PAWN);
    check_fault(setup, KMD_ERROR_SFEN_NIFU, SQ(4, 7));
    setup = start;
    setup.board[SQ(9, 9)] = NO_PIECE;
    setup.board[SQ(1, 1)] = piece_make(BLACK, LANCE);
    check_fault(setup, KMD_ERROR_SFEN_DEAD_PIECE, SQ(1, 1));
    setup = start;
    setup.board[SQ(5, 3)] = NO_PIECE;
    setup.board[SQ(2, 8)] = NO_PIECE;
    setup.board[SQ(5, 2)] = piece_make(BLACK, ROOK);
    check_fault(setup, KMD_ERROR_SFEN_OPPONENT_IN_CHECK, SQ(5, 1));
    setup.side = WHITE;
    check_fault(setup, KMD_OK, SQ_NONE);
    CHECK_INT(setup_check(&(Setup){.ply = 1}, NULL), KMD_OK);
}

static void test_moves_on_the_board(void) {
    Position pos = position_at("startpos");
    play(&pos, "7g7f 3c3d 8h2b+ 3a2b B*4e");
    check_sfen(&pos, "lnsgkg1nl/1r5s1/pppppp1pp/6p2/5B3/2P6/PP1PPPPPP/7R1/LNSGKGSNL w b 6");
    CHECK_INT(pos_moves_done(&pos), 5);
    CHECK_INT(pos.now->captured, NO_PIECE);
    CHECK_INT((pos.now - 1)->captured, piece_make(BLACK, HORSE));
    CHECK_INT(hand_count(pos.hand[WHITE], BISHOP), 1);
    while (pos_moves_done(&pos) > 0) {
        pos_undo(&pos);
        CHECK(pos_ok(&pos));
    }
    check_sfen(&pos, SFEN_START);
    pos_free(&pos);
}

/* A position reached in two ways has the same keys; another hand, side or square changes them. */
static void test_keys(void) {
    Position a = position_at("startpos");
    Position b = position_at("startpos");
    play(&a, "7g7f 3c3d 2g2f 8c8d");
    play(&b, "2g2f 8c8d 7g7f 3c3d");
    CHECK(a.now->board_key == b.now->board_key && a.now->hand_key == b.now->hand_key);
    CHECK(pos_key(&a) == pos_key(&b));
    pos_free(&b);
    b = position_at("startpos");
    play(&b, "2g2f 8c8d 7g7f");
    CHECK(pos_key(&a) != pos_key(&b));
    pos_free(&a);
    pos_free(&b);
    a = position_at("4k4/9/9/9/9/9/9/9/4K4 b P 1");
    b = position_at("4k4/9/9/9/9/9/9/9/4K4 b p 1");
    CHECK(a.now->board_key == b.now->board_key && a.now->hand_key != b.now->hand_key);
    pos_free(&b);
    b = position_at("4k4/9/9/9/9/9/9/9/4K4 w P 1");
    CHECK(a.now->board_key != b.now->board_key && a.now->hand_key == b.now->hand_key);
    pos_free(&b);
    b = position_at("4k4/9/9/9/9/9/9/9/4K4 b P 77");
    CHECK(pos_key(&a) == pos_key(&b)); /* the move number does not affect the key */
    pos_free(&a);
    pos_free(&b);
}

static void test_copy(void) {
    Position pos = position_at("startpos");
    Position copy;
    pos_init(&copy);
    play(&pos, "7g7f 3c3d 8h2b+");
    pos_copy(&copy, &pos);
    play(&copy, "3a2b");
    CHECK_INT(pos_moves_done(&pos), 3);
    CHECK_INT(pos_moves_done(&copy), 4);
    CHECK(pos_ok(&pos) && pos_ok(&copy));
    for (int i = 0; i < 4; i++) {
        pos_undo(&copy);
    }
    check_sfen(&copy, SFEN_START);
    CHECK_INT(pos_moves_done(&pos), 3);
    /* Copies a short history over a longer one. */
    pos_copy(&pos, &copy);
    CHECK_INT(pos_moves_done(&pos), 0);
    check_sfen(&pos, SFEN_START);
    pos_free(&pos);
    pos_free(&copy);
}

static void test_null_move(void) {
    Position pos = position_at("startpos");
    uint64_t key = pos_key(&pos);
    pos_do_null(&pos);
    CHECK_INT(pos.side, WHITE);
    CHECK(pos_key(&pos) != key);
    CHECK_INT(pos.now->plies_since_null, 0);
    CHECK_INT(pos.now->move, MOVE_NULL);
    CHECK(pos_ok(&pos));
    play(&pos, "3c3d");
    CHECK_INT(pos.now->plies_since_null, 1);
    pos_undo(&pos);
    pos_undo_null(&pos);
    CHECK(pos_key(&pos) == key && pos_ok(&pos));
    check_sfen(&pos, SFEN_START);
    pos_free(&pos);
}

/* The number of consecutive checks, for the rule of perpetual check. */
static void test_check_runs(void) {
    Position pos = position_at("1k7/9/9/9/9/9/9/9/R7K b - 1");
    CHECK_INT(pos.now->check_run[BLACK], 0);
    play(&pos, "9i8i 8a9a 8i9i");
    CHECK(pos_in_check(&pos));
    CHECK_INT(pos.now->check_run[BLACK], 2);
    CHECK_INT(pos.now->check_run[WHITE], 0);
    play(&pos, "9a8a 9i7i");
    CHECK_INT(pos.now->check_run[BLACK], 0);
    pos_undo(&pos);
    CHECK_INT(pos.now->check_run[BLACK], 2);
    pos_free(&pos);
}

/* Compares the attackers of every square with the attacks of every piece. */
static void check_attackers(const Position *pos) {
    Bitboard occupied = pos_occupied(pos);
    for (Square sq = 0; sq < SQ_NB; sq++) {
        for (int color = BLACK; color <= WHITE; color++) {
            Bitboard want = BB_EMPTY;
            for (Square from = 0; from < SQ_NB; from++) {
                Piece piece = pos_piece(pos, from);
                if (piece != NO_PIECE && piece_color(piece) == (Color)color &&
                    bb_has(attacks_of((Color)color, piece_type(piece), from, occupied), sq)) {
                    want = bb_or(want, bb_square(from));
                }
            }
            CHECK(bb_equal(pos_attackers(pos, sq, (Color)color, occupied), want));
            CHECK(pos_is_attacked(pos, sq, (Color)color, occupied) == bb_any(want));
        }
    }
}

/* Checks that a move gives check if and only if it goes to one of the check squares of its piece
 * type, apart from discovered checks. */
static void check_check_squares(const Position *pos) {
    Square king = pos->king[color_flip(pos->side)];
    for (int type = PAWN; type < PIECE_TYPE_NB; type++) {
        Bitboard squares = pos_check_squares(pos, (PieceType)type);
        for (Square sq = 0; sq < SQ_NB && king != SQ_NONE; sq++) {
            Bitboard reach = attacks_of(pos->side, (PieceType)type, sq, pos_occupied(pos));
            CHECK(bb_has(squares, sq) == (sq != king && bb_has(reach, king)));
        }
    }
}

/* Long games: the stack of states grows, and every move is taken back at the end. */
static void test_long_games(void) {
    Rng rng = rng_init(31);
    Position pos = position_at("startpos");
    int plies = 0;
    for (; plies < 3000; plies++) {
        Move list[MAX_MOVES];
        int count = gen_moves(&pos, GEN_LEGAL, list);
        if (count == 0) {
            break;
        }
        Move move = list[rng_below(&rng, (uint64_t)count)];
        uint64_t key_after = pos_key_after(&pos, move);
        CHECK(pos_is_capture(&pos, move) ==
              (!move_is_drop(move) && pos.board[move_to(move)] != NO_PIECE));
        pos_do(&pos, move);
        CHECK(key_after == pos_key(&pos));
        CHECK(pos_ok(&pos));
        if (plies % 50 == 0) {
            check_attackers(&pos);
            check_check_squares(&pos);
        }
    }
    CHECK_INT(pos_moves_done(&pos), plies);
    while (pos_moves_done(&pos) > 0) {
        pos_undo(&pos);
    }
    CHECK(pos_ok(&pos));
    check_sfen(&pos, SFEN_START);
    pos_free(&pos);
}

static void test_hands(void) {
    Hand hand = 0;
    for (int type = PAWN; type <= GOLD; type++) {
        for (int i = 0; i < pt_total((PieceType)type); i++) {
            CHECK_INT(hand_count(hand, (PieceType)type), i);
            hand = hand_add(hand, (PieceType)type);
            CHECK(hand_has(hand, (PieceType)type));
        }
    }
    CHECK((hand & HAND_GUARDS) == 0);
    CHECK(hand_covers(hand, 0) && hand_covers(hand, hand) && !hand_covers(0, hand));
    Hand fewer = hand_remove(hand, ROOK);
    CHECK(hand_covers(hand, fewer) && !hand_covers(fewer, hand));
    CHECK_INT(hand_count(fewer, ROOK), 1);
    CHECK_INT(hand_count(fewer, PAWN), 18);
    CHECK(!hand_covers(hand_unit(GOLD), hand_unit(PAWN)));
    CHECK(!hand_covers(hand_unit(PAWN), hand_unit(GOLD)));
}

UNIT_MAIN({"hands", test_hands}, {"faults of a set-up", test_setup_faults},
          {"moves and undo", test_moves_on_the_board}, {"keys", test_keys}, {"copies", test_copy},
          {"null moves", test_null_move}, {"runs of checks", test_check_runs},
          {"long games", test_long_games})
