/* Tests rules that end the game: a search of any depth must see them one move before the end. */
#include "search/gameend.h"

#include "base/clock.h"
#include "engine/engine.h"
#include "rules/position.h"
#include "rules/usimove.h"
#include "unit.h"

static void note_done(void *context, const SearchResult *result) {
    *(SearchResult *)context = *result;
}

static Engine *fresh_engine(void) {
    Engine *engine = engine_create();
    CHECK_INT(engine_set_option(engine, SV("USI_Hash"), SV("1")), OPTION_OK);
    CHECK_INT(engine_set_option(engine, SV("Threads"), SV("1")), OPTION_OK);
    return engine;
}

/* The result of a search in a position given as in USI. */
static SearchResult search_result(Engine *engine, const char *position, const GoLimits *limits) {
    SearchResult result = {.score = SCORE_NONE};
    SearchSink sink = {.context = &result, .on_done = note_done};
    UsiFault fault;
    Position pos;
    pos_init(&pos);
    CHECK(usimove_position(sv_from(position), &pos, &fault));
    engine_new_game(engine);
    engine_set_position(engine, &pos);
    engine_go(engine, limits, &(EngineSink){.search = sink}, clock_ns());
    if (limits->is_ponder) {
        clock_sleep_ms(50);
        engine_stop(engine);
    }
    engine_wait(engine);
    pos_free(&pos);
    return result;
}

static Score search(Engine *engine, const char *position, const GoLimits *limits) {
    return search_result(engine, position, limits).score;
}

/* The score of `move` at this depth. */
static Score score_of(Engine *engine, const char *position, const char *move, int depth) {
    GoLimits limits = {.depth = depth, .search_move_count = 1};
    limits.search_moves[0] = usimove_read(sv_from(move));
    return search(engine, position, &limits);
}

/* After the last move within the limit the game is drawn, whether the move gives check or not,
 * unless it mates. */
static void the_limit_of_moves(void) {
    Engine *engine = fresh_engine();
    const char *last = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b 2R4G 20";
    CHECK_INT(engine_set_option(engine, SV("MaxMovesToDraw"), SV("20")), OPTION_OK);
    for (int depth = 1; depth <= 4; depth++) {
        CHECK_INT(score_of(engine, last, "R*1a", depth), SCORE_DRAW);
        CHECK_INT(score_of(engine, last, "5i5h", depth), SCORE_DRAW);
        CHECK_INT(score_of(engine, last, "G*5b", depth), score_mate_in(1));
    }
    CHECK_INT(engine_set_option(engine, SV("MaxMovesToDraw"), SV("21")), OPTION_OK);
    CHECK_INT(score_of(engine, "sfen 4k4/9/9/9/9/9/9/9/4K4 b 2R4G 20", "R*1a", 3), SCORE_DRAW);
    engine_free(engine);
}

/* The value of a draw is that for the side that the engine plays: the side to move or, while the
 * engine ponders on all of the opponent's moves, the other side. */
static void the_value_of_draws(void) {
    Engine *engine = fresh_engine();
    const char *white_last = "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 19 moves 5i5h";
    GoLimits ponder = {.depth = 4, .is_ponder = true};
    CHECK_INT(engine_set_option(engine, SV("MaxMovesToDraw"), SV("20")), OPTION_OK);
    CHECK_INT(engine_set_option(engine, SV("DrawValueBlack"), SV("-50")), OPTION_OK);
    CHECK_INT(engine_set_option(engine, SV("DrawValueWhite"), SV("70")), OPTION_OK);
    CHECK_INT(score_of(engine, "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 20", "5i5h", 3), -50);
    CHECK_INT(score_of(engine, "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 19", "5i5h", 3), -50);
    CHECK_INT(score_of(engine, white_last, "5a5b", 3), 70);
    CHECK_INT(search(engine, white_last, &ponder), 70);
    CHECK_INT(engine_set_option(engine, SV("Stochastic_Ponder"), SV("true")), OPTION_OK);
    CHECK_INT(search(engine, white_last, &ponder),
              -70); /* from black's point of view; white prefers draws */
    /* Contempt lowers the value of draws, whichever side the engine plays. */
    CHECK_INT(engine_set_option(engine, SV("Contempt"), SV("30")), OPTION_OK);
    CHECK_INT(score_of(engine, white_last, "5a5b", 3), 40);
    CHECK_INT(score_of(engine, "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 20", "5i5h", 3), -80);
    CHECK_INT(search(engine, white_last, &ponder), -40);
    engine_free(engine);
}

/* Tests repetition, perpetual check and declarations one move before they happen. */
static void the_rules_in_the_tree(void) {
    Engine *engine = fresh_engine();
    GoLimits shallow = {.depth = 3};
    CHECK_INT(engine_set_option(engine, SV("DrawValueWhite"), SV("70")), OPTION_OK);
    const char *entered = "sfen 1K1+R+R4/1GGGG4/1SSSS4/9/9/9/9/9/4k4 w 2B2N18P2n4l 1";
    /* A fourth occurrence, although the third is far back. */
    const char *returns =
        "sfen 4k4/9/9/9/9/9/9/9/R3K4 b 2G2S 1 moves 5i4i 5a4a 4i5i 4a5a 5i4i 5a4a 4i5i 4a5a 5i6i "
        "5a4a 6i7i 4a5a 7i8i 5a4a 8i8h 4a5a 8h8g 5a4a 8g7g 4a5a 7g6g 5a4a 6g5g 4a5a 5g4g 5a4a 4g3g "
        "4a5a 3g2g 5a4a 2g1g 4a5a 1g1h 5a4a 1h1i 4a5a 1i2i 5a4a 2i3i 4a5a 3i4i 5a4a 4i5i";
    /* A fourth occurrence is a perpetual check only if all moves since the first were checks. */
#define CHECKS_WHITE_LAST "4e5e 5a4a 5e4e 4a5a "
#define CHECKS_BLACK_LAST "4a5a 4e5e 5a4a 5e4e "
    const char *white_quiet = "sfen 3k5/9/9/9/5R3/9/9/9/K8 w r2b2g2s2p 1 moves "
                              "6a5a " CHECKS_WHITE_LAST "4e4f 5a6a 4f4e 6a5a 4e5e 5a4a 5e4e";
    const char *white_checked = "sfen 3k5/9/9/9/5R3/9/9/9/K8 w r2b2g2s2p 1 moves "
                                "6a5a " CHECKS_WHITE_LAST CHECKS_WHITE_LAST "4e5e 5a4a 5e4e";
    const char *black_quiet = "sfen 5k3/9/9/9/R8/9/9/9/K8 b r2b2g2s2p 1 moves "
                              "9e4e " CHECKS_BLACK_LAST "4a3a 4e5e 3a4a 5e4e 4a5a 4e5e 5a4a";
    const char *black_checking = "sfen 5k3/9/9/9/R8/9/9/9/K8 b r2b2g2s2p 1 moves "
                                 "9e4e " CHECKS_BLACK_LAST CHECKS_BLACK_LAST "4a5a 4e5e 5a4a";
    for (int depth = 1; depth <= 3; depth++) {
        CHECK_INT(score_of(engine, white_quiet, "4a5a", depth), 70);
        CHECK_INT(score_of(engine, white_checked, "4a5a", depth), score_mate_in(1));
        CHECK_INT(score_of(engine, black_quiet, "5e4e", depth), 0);
        CHECK_INT(score_of(engine, black_checking, "5e4e", depth), -score_mate_in(1));
        CHECK_INT(score_of(engine, returns, "4a5a", depth), 70);
    }
    CHECK_INT(search(engine, entered, &shallow), score_mated_in(2));
    CHECK_INT(engine_set_option(engine, SV("EnteringKingRule"), SV("NoEnteringKing")), OPTION_OK);
    CHECK(search(engine, entered, &shallow) > score_mated_in(2));
    engine_free(engine);
}

/* A second and a third occurrence before the root end nothing: each move scores what it scores
 * without the game before the root, also where every move of one side gave check. */
static void earlier_occurrences(void) {
#define SHUFFLE "5i5h 5a5b 5h5i 5b5a "
    static const char *const chase =
        "sfen 4k4/9/2ppp4/9/9/9/9/9/K7+R b 2G4Srb2g3n3l10p 1 moves 1i1a 5a5b 1a1b";
    static const char *const chase_again =
        "sfen 4k4/9/2ppp4/9/9/9/9/9/K7+R b 2G4Srb2g3n3l10p 1 moves 1i1a 5a5b 1a1b "
        "5b5a 1b1a 5a5b 1a1b";
    Engine *engine = fresh_engine();
    CHECK_INT(engine_set_option(engine, SV("DrawValueWhite"), SV("70")), OPTION_OK);
    for (int depth = 1; depth <= 5; depth++) {
        Score new_game = score_of(engine, "startpos moves 5i5h 5a5b 5h5i", "5b5a", depth);
        CHECK(new_game != 70);
        CHECK_INT(score_of(engine, "startpos moves " SHUFFLE "5i5h 5a5b 5h5i", "5b5a", depth),
                  new_game);
        Score checked = score_of(engine, chase, "5b5a", depth);
        CHECK(checked < SCORE_EVAL_MAX);
        CHECK_INT(score_of(engine, chase_again, "5b5a", depth), checked);
    }
    engine_free(engine);
}

/* With searchmoves, a try is searched like other moves, but it ends the game. */
static void a_try_ends_the_game(void) {
    Engine *engine = fresh_engine();
    const char *near = "sfen 8k/4K4/9/9/9/9/9/9/9 b R 1";
    CHECK_INT(engine_set_option(engine, SV("EnteringKingRule"), SV("TryRule")), OPTION_OK);
    GoLimits limits = {
        .depth = 5, .search_moves = {usimove_read(SV("5b5a"))}, .search_move_count = 1};
    SearchResult result = search_result(engine, near, &limits);
    CHECK_INT(result.score, score_mate_in(1));
    CHECK_INT(result.ponder, MOVE_NONE);
    engine_free(engine);
}

UNIT_MAIN({"a try ends the game", a_try_ends_the_game},
          {"the rules in the tree", the_rules_in_the_tree},
          {"earlier occurrences", earlier_occurrences}, {"the limit of moves", the_limit_of_moves},
          {"the value of draws", the_value_of_draws})
