/* Results as USI lines. */

#include "base/cpu.h"
#include "engine/options.h"
#include "engine/usi_text.h"
#include "rules/position.h"
#include "unit.h"

static StrBuf text;

static const char *score_text(Score score) {
    strbuf_clear(&text);
    usi_format_score(score, &text);
    return text.ptr;
}

static void scores(void) {
    CHECK_STR(score_text(0), "cp 0");
    CHECK_STR(score_text(-123), "cp -123");
    CHECK_STR(score_text(SCORE_EVAL_MAX), "cp 27000");
    CHECK_STR(score_text(score_mate_in(1)), "mate 1");
    CHECK_STR(score_text(score_mate_in(17)), "mate 17");
    CHECK_STR(score_text(score_mated_in(4)), "mate -4");
    CHECK_STR(score_text(score_mated_in(0)), "mate -0");
}

static const char *info_text(const SearchInfo *info) {
    strbuf_clear(&text);
    usi_format_info(info, &text);
    return text.ptr;
}

static void infos(void) {
    Move pv[] = {move_make(SQ(7, 7), SQ(7, 6)), move_make_drop(PAWN, SQ(5, 5))};
    SearchInfo info = {.depth = 9,
                       .seldepth = 15,
                       .rank = 1,
                       .line_count = 1,
                       .score = 31,
                       .bound = BOUND_EXACT,
                       .nodes = 70000,
                       .time_ms = 100,
                       .hashfull = 5,
                       .pv = pv,
                       .pv_len = 2};
    CHECK_STR(info_text(&info), "info depth 9 seldepth 15 score cp 31 nodes 70000 nps 700000 "
                                "hashfull 5 time 100 pv 7g7f P*5e");
    info.line_count = 3;
    info.rank = 2;
    info.bound = BOUND_LOWER;
    info.pv_len = 1;
    CHECK_STR(info_text(&info),
              "info depth 9 seldepth 15 multipv 2 score cp 31 lowerbound nodes 70000 nps 700000 "
              "hashfull 5 time 100 pv 7g7f");
    info.bound = BOUND_UPPER;
    info.time_ms = 0;
    info.pv_len = 0;
    CHECK_STR(info_text(&info), "info depth 9 seldepth 15 multipv 2 score cp 31 upperbound nodes "
                                "70000 nps 70000000 hashfull 5 time 0");
}

static void signs_of_life(void) {
    SearchProgress progress = {.depth = 21, .nodes = 3000000, .time_ms = 2000, .hashfull = 77};
    strbuf_clear(&text);
    usi_format_progress(&progress, &text);
    CHECK_STR(text.ptr, "info depth 21 nodes 3000000 nps 1500000 hashfull 77 time 2000");
}

/* If a mate's line is incomplete, the known moves are shown. */
static void mate_infos(void) {
    Move line[] = {move_make_drop(GOLD, SQ(5, 2)), move_make(SQ(5, 1), SQ(4, 1))};
    MateInfo info = {.depth = 1525,
                     .hash_permille = 40,
                     .nodes = 70000,
                     .time_ms = 100,
                     .line = line,
                     .line_len = 2};
    strbuf_clear(&text);
    usi_format_mate_info(&info, &text);
    CHECK_STR(text.ptr, "info depth 1525 nodes 70000 nps 700000 hashfull 40 time 100 pv G*5b 5a4a");
}

static const char *best_text(Move best, Move ponder) {
    SearchResult result = {.best = best, .ponder = ponder};
    strbuf_clear(&text);
    usi_format_bestmove(&result, &text);
    return text.ptr;
}

static void bestmoves(void) {
    Move move = move_make(SQ(7, 7), SQ(7, 6));
    CHECK_STR(best_text(move, MOVE_NONE), "bestmove 7g7f");
    CHECK_STR(best_text(move, move_make_promotion(SQ(8, 8), SQ(2, 2))),
              "bestmove 7g7f ponder 8h2b+");
    CHECK_STR(best_text(MOVE_RESIGN, MOVE_NONE), "bestmove resign");
    CHECK_STR(best_text(MOVE_WIN, MOVE_NONE), "bestmove win");
    CHECK_STR(best_text(MOVE_RESIGN, move), "bestmove resign");
}

static const char *option_text(const char *name) {
    strbuf_clear(&text);
    usi_format_option(options_find(sv_from(name)), &text);
    return text.ptr;
}

static void options(void) {
    CHECK_STR(option_text("USI_Ponder"), "option name USI_Ponder type check default false");
    CHECK_STR(option_text("MultiPV"), "option name MultiPV type spin default 1 min 1 max 593");
    StrBuf threads = STRBUF_INIT;
    strbuf_addf(&threads, "option name Threads type spin default %d min 1 max 512",
                int_min(cpu_cores(), 4));
    CHECK_STR(option_text("Threads"), threads.ptr);
    strbuf_free(&threads);
    CHECK_STR(option_text("NodesLimit"),
              "option name NodesLimit type spin default 0 min 0 max 2147483647");
    CHECK_STR(option_text("BookDir"), "option name BookDir type string default <empty>");
    CHECK_STR(option_text("BookFile"), "option name BookFile type filename default <default>");
    CHECK_STR(option_text("DebugLogFile"),
              "option name DebugLogFile type filename default <empty>");
    CHECK_STR(option_text("EnteringKingRule"),
              "option name EnteringKingRule type combo default CSARule27 var NoEnteringKing var "
              "CSARule24 var CSARule24H var CSARule27 var CSARule27H var TryRule");
}

static void boards(void) {
    Position pos;
    pos_init(&pos);
    Setup start = setup_start();
    start.hand[WHITE] = hand_add(hand_add(0, PAWN), PAWN);
    start.board[SQ(7, 7)] = NO_PIECE;
    start.board[SQ(3, 3)] = NO_PIECE;
    pos_set(&pos, &start);
    strbuf_clear(&text);
    usi_format_board(&pos, &text);
    StrView view = strbuf_view(&text);
    CHECK(sv_find(view, SV("  l  n  s  g  k  g  s  n  l  a\n")) < view.len);
    CHECK(sv_find(view, SV("white in hand: P2\n")) < view.len);
    CHECK(sv_find(view, SV("\nto move: black\nsfen lnsgkgsnl/")) < view.len);
    CHECK(!sv_ends_with(view, SV("\n")));
    pos_free(&pos);
}

UNIT_MAIN({"scores", scores}, {"info lines", infos}, {"signs of life", signs_of_life},
          {"info lines of mate searches", mate_infos}, {"bestmove", bestmoves},
          {"options", options}, {"boards", boards})
