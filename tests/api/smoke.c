/* smoke.c: tests the public API for rules as a user sees it. The file uses only include/, compiles
 * as C and as C++, and calls every function of komadori/shogi.h. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "komadori/shogi.h"
#include "komadori/version.h"

static int passed;
static int failed;

static void check(bool condition, const char *text, int line) {
    if (condition) {
        passed++;
    } else {
        failed++;
        printf("  tests/api/smoke.c:%d: does not hold: %s\n", line, text);
    }
}

#define CHECK(condition)     check((condition), #condition, __LINE__)
#define CHECK_STR(got, want) check(strcmp((got), (want)) == 0, #got " is " #want, __LINE__)

static KmdMove move_of(const char *text) {
    return kmd_move_read(text);
}

static void check_errors(void) {
    CHECK_STR(kmd_error_name(KMD_OK), "KMD_OK");
    CHECK_STR(kmd_error_name(KMD_ERROR_SFEN_NIFU), "KMD_ERROR_SFEN_NIFU");
    CHECK_STR(kmd_error_name((KmdError)1000), "KMD_ERROR_UNKNOWN");
    CHECK_STR(kmd_error_text((KmdError)-1), "unknown error");
    for (int error = KMD_OK; error <= KMD_ERROR_MEMORY; error++) {
        CHECK(strncmp(kmd_error_name((KmdError)error), "KMD_", 4) == 0);
        CHECK(strlen(kmd_error_text((KmdError)error)) > 5);
    }
    CHECK_STR(kmd_version(), KMD_VERSION);
    CHECK(strncmp(kmd_build(), "gcc ", 4) == 0 || strncmp(kmd_build(), "clang ", 6) == 0);
}

static void check_moves(void) {
    char text[KMD_MOVE_TEXT_SIZE];
    KmdMove drop = kmd_move_make_drop(KMD_PAWN, KMD_SQUARE(5, 5));
    KmdMove step = kmd_move_make(KMD_SQUARE(8, 8), KMD_SQUARE(2, 2), true);
    CHECK(drop == move_of("P*5e") && step == move_of("8h2b+"));
    CHECK_STR(kmd_move_write(drop, text), "P*5e");
    CHECK_STR(kmd_move_write(step, text), "8h2b+");
    CHECK_STR(kmd_move_write(kmd_move_make(KMD_SQUARE(7, 7), KMD_SQUARE(7, 6), false), text),
              "7g7f");
    CHECK_STR(kmd_move_write(KMD_MOVE_NONE, text), "none");
    CHECK_STR(kmd_move_write(KMD_MOVE_WIN, text), "win");
    CHECK_STR(kmd_move_write(0xFFFF, text), "none");
    CHECK(move_of("resign") == KMD_MOVE_RESIGN && move_of("pass") == KMD_MOVE_PASS);
    CHECK(move_of("7g7") == KMD_MOVE_NONE && move_of("") == KMD_MOVE_NONE);
    CHECK(kmd_move_from(step) == KMD_SQUARE(8, 8) && kmd_move_to(step) == KMD_SQUARE(2, 2));
    CHECK(kmd_move_promotes(step) && kmd_move_drop_type(step) == KMD_NO_PIECE_TYPE);
    CHECK(kmd_move_from(drop) == KMD_SQUARE_NONE && kmd_move_to(drop) == KMD_SQUARE(5, 5));
    CHECK(!kmd_move_promotes(drop) && kmd_move_drop_type(drop) == KMD_PAWN);
    CHECK(kmd_move_from(KMD_MOVE_RESIGN) == KMD_SQUARE_NONE);
    CHECK(kmd_move_to(KMD_MOVE_NONE) == KMD_SQUARE_NONE);
}

static void check_text(KmdPosition *pos) {
    char sfen[KMD_SFEN_SIZE];
    char small[10];
    int column = 0;
    const char *start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    CHECK(kmd_position_sfen(pos, sfen, sizeof(sfen)) == strlen(start));
    CHECK_STR(sfen, start);
    CHECK(kmd_position_sfen(pos, small, sizeof(small)) == strlen(start));
    CHECK_STR(small, "lnsgkgsnl");
    CHECK(kmd_position_sfen(pos, NULL, 0) == strlen(start));
    CHECK(kmd_position_set_sfen(pos, "4k4/9/4P4/9/9/9/4P4/9/4K4 b - 1", &column) ==
          KMD_ERROR_SFEN_NIFU);
    CHECK(column == 18);
    CHECK(kmd_position_set_sfen(pos, "", NULL) == KMD_ERROR_SFEN_EMPTY);
    kmd_position_sfen(pos, sfen, sizeof(sfen));
    CHECK_STR(sfen, start);
    CHECK(kmd_position_set_sfen(pos, "9/9/9/4+p4/9/9/9/9/4K4 w 2Pb 30", &column) == KMD_OK);
    CHECK(kmd_side_to_move(pos) == KMD_WHITE && kmd_ply(pos) == 30);
    CHECK(kmd_piece_on(pos, KMD_SQUARE(5, 4)).type == KMD_PRO_PAWN);
    CHECK(kmd_piece_on(pos, KMD_SQUARE(5, 4)).color == KMD_WHITE);
    CHECK(kmd_piece_on(pos, KMD_SQUARE(5, 9)).type == KMD_KING);
    CHECK(kmd_piece_on(pos, KMD_SQUARE(5, 9)).color == KMD_BLACK);
    CHECK(kmd_piece_on(pos, KMD_SQUARE(1, 1)).type == KMD_NO_PIECE_TYPE);
    CHECK(kmd_hand_count(pos, KMD_BLACK, KMD_PAWN) == 2);
    CHECK(kmd_hand_count(pos, KMD_WHITE, KMD_BISHOP) == 1);
}

static void check_usi_text(KmdPosition *pos) {
    int column = 0;
    CHECK(kmd_position_set_usi(pos, "startpos moves 7g7f 3c3d", NULL) == KMD_OK);
    CHECK(kmd_moves_played(pos) == 2 && kmd_ply(pos) == 3);
    CHECK(kmd_move_played(pos, 1) == move_of("3c3d"));
    CHECK(kmd_move_played(pos, 2) == KMD_MOVE_NONE && kmd_move_played(pos, -1) == KMD_MOVE_NONE);
    CHECK(kmd_position_set_usi(pos, "startpos moves 7g7f 7g7f", &column) == KMD_ERROR_ILLEGAL_MOVE);
    CHECK(column == 21);
    CHECK(kmd_position_set_usi(pos, "startpos moves x", &column) == KMD_ERROR_MOVE_TEXT);
    CHECK(column == 16);
    CHECK(kmd_position_set_usi(pos, "sfen 4k4/9 b - 1", &column) == KMD_ERROR_SFEN_RANK_COUNT);
    CHECK(column == 11);
    CHECK(kmd_position_set_usi(pos, "sfen", &column) == KMD_ERROR_SFEN_EMPTY);
    CHECK(column >= 1 && column <= 5);
    CHECK(kmd_position_set_usi(pos, "", &column) == KMD_ERROR_SFEN_EMPTY);
    CHECK(kmd_position_set_usi(pos, "moves 7g7f", &column) == KMD_ERROR_SFEN_EMPTY);
    CHECK(kmd_moves_played(pos) == 2);
    CHECK(kmd_position_set_usi(pos, "sfen 4k4/9/9/9/9/9/9/9/4K4 b P moves P*5e", NULL) == KMD_OK);
    CHECK(kmd_position_set_usi(pos, "startpos moves 7g7f 3c3d resign\n", NULL) == KMD_OK);
    CHECK(kmd_moves_played(pos) == 2);
    CHECK(kmd_position_set_usi(pos, " startpos moves 7g7f pass", &column) ==
          KMD_ERROR_ILLEGAL_MOVE);
    CHECK(column == 22);
    CHECK(kmd_position_set_usi(pos, " sfen 4k4/9 b - 1", &column) == KMD_ERROR_SFEN_RANK_COUNT);
    CHECK(column == 12);
    CHECK(kmd_position_set_usi(pos, "startpos moves", NULL) == KMD_OK);
    CHECK(kmd_moves_played(pos) == 0);
}

static void check_play(KmdPosition *pos) {
    KmdMove list[KMD_MAX_MOVES];
    CHECK(kmd_position_set_sfen(pos, "startpos", NULL) == KMD_OK);
    CHECK(kmd_legal_moves(pos, list) == 30 && kmd_legal_count(pos) == 30);
    uint64_t key = kmd_position_key(pos);
    CHECK(kmd_undo(pos) == KMD_ERROR_NO_MOVE);
    CHECK(kmd_do(pos, move_of("7g7e")) == KMD_ERROR_ILLEGAL_MOVE);
    CHECK(kmd_legality(pos, move_of("7g7e")) == KMD_ILLEGAL_PIECE_MOVE);
    CHECK(kmd_legality(pos, move_of("P*5e")) == KMD_ILLEGAL_NOT_IN_HAND);
    CHECK(kmd_legality(pos, KMD_MOVE_RESIGN) == KMD_ILLEGAL_NOT_A_MOVE);
    CHECK(kmd_legality(pos, 0xFFFF) == KMD_ILLEGAL_NOT_A_MOVE);
    CHECK(strstr(kmd_legality_text(KMD_ILLEGAL_NIFU), "nifu") != NULL);
    CHECK(kmd_do(pos, move_of("7g7f")) == KMD_OK);
    CHECK(kmd_position_key(pos) != key);
    KmdPosition *copy = kmd_position_copy(pos);
    CHECK(kmd_undo(pos) == KMD_OK && kmd_position_key(pos) == key);
    CHECK(kmd_moves_played(copy) == 1 && kmd_undo(copy) == KMD_OK);
    CHECK(kmd_position_key(copy) == key);
    kmd_position_free(copy);
    kmd_position_free(NULL);
}

static void check_game_end(KmdPosition *pos) {
    CHECK(kmd_position_set_sfen(pos, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", NULL) == KMD_OK);
    CHECK(kmd_gives_check(pos, move_of("G*5b")) && !kmd_gives_check(pos, move_of("5i5h")));
    CHECK(!kmd_gives_check(pos, move_of("5i5c")));
    CHECK(!kmd_is_check(pos) && !kmd_is_mate(pos));
    CHECK(kmd_do(pos, move_of("G*5b")) == KMD_OK);
    CHECK(kmd_is_check(pos) && kmd_is_mate(pos));
    KmdOutcome outcome = kmd_outcome(pos, KMD_DECLARE_27, 0);
    CHECK(outcome.kind == KMD_END_MATE && outcome.winner == KMD_WINNER_BLACK);
    CHECK_STR(kmd_ending_text(KMD_END_MATE), "mate");
    CHECK(kmd_position_set_usi(pos,
                               "startpos moves 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b "
                               "5h5i 5b5a",
                               NULL) == KMD_OK);
    CHECK(kmd_repetition_count(pos) == 4 && kmd_repetition(pos) == KMD_REPETITION_DRAW);
    CHECK(kmd_outcome(pos, KMD_DECLARE_NONE, 5).kind == KMD_END_SENNICHITE);
    CHECK(kmd_undo(pos) == KMD_OK && kmd_repetition(pos) == KMD_REPETITION_NONE);
    CHECK(kmd_outcome(pos, KMD_DECLARE_NONE, 5).kind == KMD_END_MAX_MOVES);
    CHECK(kmd_outcome(pos, KMD_DECLARE_NONE, 0).winner == KMD_WINNER_NONE);
    CHECK(kmd_position_set_sfen(pos, "RB+P+P+PK3/RB+P+P+P4/9/9/9/9/9/9/4k4 b 2P 1", NULL) ==
          KMD_OK);
    CHECK(kmd_declaration(pos, KMD_DECLARE_27) == KMD_DECLARATION_WIN);
    CHECK(kmd_declaration(pos, KMD_DECLARE_24) == KMD_DECLARATION_DRAW);
    CHECK(kmd_declaration(pos, KMD_DECLARE_NONE) == KMD_DECLARATION_REFUSED);
    KmdDeclareCount count = kmd_declare_count(pos, KMD_BLACK);
    CHECK(count.king_in_zone && !count.in_check && count.pieces_in_zone == 10);
    CHECK(count.points == 28 && count.handicap_points == 0);
}

static void check_perft(KmdPosition *pos) {
    static KmdPerftLine lines[KMD_MAX_MOVES];
    uint64_t total = 0;
    CHECK(kmd_position_set_sfen(pos, "startpos", NULL) == KMD_OK);
    CHECK(kmd_perft(pos, 3, 1, 0, &total, lines) == KMD_OK && total == 25470);
    uint64_t sum = 0;
    for (int i = 0; i < 30; i++) {
        sum += lines[i].count;
    }
    CHECK(sum == total);
    CHECK(kmd_perft(pos, 4, 2, 1, &total, NULL) == KMD_OK && total == 719731);
    CHECK(kmd_perft(pos, 0, 1, 0, &total, NULL) == KMD_OK && total == 1);
    CHECK(kmd_perft(pos, 3, 1, SIZE_MAX, &total, NULL) == KMD_ERROR_MEMORY);
    CHECK(kmd_perft(pos, 3, 1, SIZE_MAX >> 20, &total, NULL) == KMD_ERROR_MEMORY);
    CHECK(kmd_perft(pos, -1, 1, 0, &total, NULL) == KMD_ERROR_RANGE);
    CHECK(kmd_perft(pos, 3, 0, 0, &total, NULL) == KMD_ERROR_RANGE);
    CHECK(total == 1);
}

static void check_mate(void) {
    KmdPosition *pos = kmd_position_new();
    KmdMate verdict = KMD_MATE_UNKNOWN;
    static KmdMove line[KMD_MATE_LINE_MAX];
    int length = -1;
    CHECK(kmd_mate(pos, 100, 1, &verdict, line, &length) == KMD_OK);
    CHECK(verdict == KMD_MATE_NONE && length == 0);
    kmd_position_set_sfen(pos, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", NULL);
    CHECK(kmd_mate(pos, 0, 1, &verdict, line, &length) == KMD_OK);
    CHECK(verdict == KMD_MATE_FOUND && length == 1 && line[0] == kmd_move_read("G*5b"));
    CHECK(kmd_mate(pos, 0, 0, &verdict, line, &length) == KMD_ERROR_RANGE);
    kmd_position_set_sfen(pos, "8k/6R2/8P/9/9/9/9/9/9 w - 1", NULL);
    CHECK(kmd_mate(pos, 0, 1, &verdict, line, &length) == KMD_ERROR_NO_MOVE);
    kmd_position_set_sfen(pos, "8k/8L/6SG1/9/9/9/9/9/9 w - 1", NULL);
    CHECK(kmd_mate(pos, 0, 1, &verdict, line, &length) == KMD_OK);
    CHECK(verdict == KMD_MATE_FOUND && length == 2 && line[0] == kmd_move_read("1a2a"));
    kmd_position_set_sfen(pos, "9/9/9/9/9/9/9/9/4K4 b G 1", NULL);
    CHECK(kmd_mate(pos, 0, 1, &verdict, line, &length) == KMD_ERROR_NO_MOVE);
    kmd_position_free(pos);
}

int main(void) {
    check_mate();
    KmdPosition *pos = kmd_position_new();
    check_errors();
    check_moves();
    check_text(pos);
    check_usi_text(pos);
    check_play(pos);
    check_game_end(pos);
    check_perft(pos);
    kmd_position_free(pos);
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
