/* Totals, texts and statistics of training games. */
#include "train/datastats.h"

#include "positions.h"
#include "rules/usimove.h"

/* A game of three moves from the even start, which black wins by mate. Only the last position has a
 * score. */
static PackedGame short_game(void) {
    static const char *const moves[] = {"7g7f", "3c3d", "8h2b+"};
    PackedGame game = {.move_count = 0};
    Setup start = setup_start();
    packed_game_begin(&game, &start);
    game.winner = KMD_WINNER_BLACK;
    game.reason = PACK_MATE;
    for (int i = 0; i < 3; i++) {
        packed_game_add(&game, usimove_read(sv_from(moves[i])), i == 2 ? -40 : PACK_NO_SCORE);
    }
    return game;
}

static void test_tally(void) {
    PackedGame game = short_game();
    DataTally tally = {.files = 1, .bytes = 90, .blocks = 1};
    StrBuf text = STRBUF_INIT;
    datastats_count(&tally, &game);
    game.winner = KMD_WINNER_DRAW;
    datastats_count(&tally, &game);
    datastats_print_tally(&tally, 2000000000, &text);
    CHECK_STR(text.ptr, "files 1, blocks 1, games 2, positions 2\n"
                        "45.000 bytes a position\n"
                        "black won 1, white 0, drawn 1, unknown 0\n"
                        "decoded 3 positions a second\n");
    strbuf_clear(&text);
    tally = (DataTally){.files = 2, .damaged_bytes = 5};
    datastats_print_tally(&tally, 0, &text);
    CHECK_STR(text.ptr, "files 2, blocks 0, games 0, positions 0\n"
                        "damaged: skipped 5 bytes and 0 inconsistent blocks\n");
    packed_game_free(&game);
    strbuf_free(&text);
}

static void test_show(void) {
    PackedGame game = short_game();
    StrBuf text = STRBUF_INIT;
    datastats_show_game(&game, 7, &text);
    CHECK_STR(text.ptr,
              "# game 7: black won, mate, 3 moves\n"
              "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 "
              "moves 7g7f 3c3d 8h2b+\n"
              "# scores: - - -40\n");
    strbuf_clear(&text);
    packed_game_begin(&game, &(Setup){.side = BLACK, .ply = 1});
    game.is_unequal = true;
    game.evaluation[BLACK] = 0xABC;
    game.evaluation[WHITE] = PACK_HANDWRITTEN;
    datastats_show_game(&game, 8, &text);
    CHECK_STR(text.ptr,
              "# game 8: result unknown, 0 moves, different players, black 0000000000000abc, "
              "white <handwritten>\n"
              "position sfen 9/9/9/9/9/9/9/9/9 b - 1\n"
              "# scores:\n");
    packed_game_free(&game);
    strbuf_free(&text);
}

static bool has_line(const StrBuf *text, const char *line) {
    return sv_find(strbuf_view(text), sv_from(line)) < text->len;
}

static void test_statistics(void) {
    PackedGame game = short_game();
    DataStats *stats = datastats_create();
    StrBuf text = STRBUF_INIT;
    datastats_add(stats, &game);
    datastats_print(stats, &text);
    CHECK(has_line(
        &text, "games 1, 0.0% between different players, mean length 3.0 plies, 1 positions\n"));
    CHECK(has_line(&text, "ends: mate 100.0%"));
    /* A score of -40 for black to move favours white, who lost. */
    CHECK(has_line(&text, " <100 100.0% 0.000"));
    datastats_free(stats);
    packed_game_free(&game);
    strbuf_free(&text);
}

/* Only games between equal players of known evaluations count. */
static void test_pairings(void) {
    PackedGame game = short_game(); /* which black wins */
    DataStats *stats = datastats_create();
    StrBuf text = STRBUF_INIT;
    datastats_add(stats, &game);
    game.evaluation[BLACK] = game.evaluation[WHITE] = 5;
    datastats_add(stats, &game);
    game.evaluation[BLACK] = PACK_HANDWRITTEN;
    datastats_add(stats, &game);
    game.evaluation[BLACK] = 5;
    game.evaluation[WHITE] = PACK_HANDWRITTEN;
    datastats_add(stats, &game);
    datastats_add(stats, &game);
    game.winner = KMD_WINNER_DRAW;
    datastats_add(stats, &game);
    game.is_unequal = true;
    datastats_add(stats, &game);
    datastats_print(stats, &text);
    CHECK(has_line(&text, "\n0000000000000005 against itself: 1 game, 0 drawn\n"));
    CHECK(has_line(&text, "\n<handwritten> against 0000000000000005: 4 games, 1 drawn, 1 won, 2 "
                          "lost: 37.5% of the points\n"));
    datastats_free(stats);
    packed_game_free(&game);
    strbuf_free(&text);
}

UNIT_MAIN({"totals", test_tally}, {"a game as text", test_show}, {"statistics", test_statistics},
          {"pairings", test_pairings})
