/* Tests of standings.c: counting games, pairs and faults. */
#include "base/base.h"
#include "match/standings.h"
#include "rules/outcome.h"
#include "unit.h"

static void add(Standings *standings, int index, KmdWinner winner, EndReason reason) {
    GameResult result = {.winner = winner, .reason = reason, .plies = 10};
    result.stats[BLACK] = (PlayerStats){.moves = 5, .time_ns = 50, .nodes = 500};
    ScheduledGame game = schedule_game(&standings->contest->schedule, index);
    standings_add(standings, &game, &result);
}

/* Two pairs: the first engine wins both games, then one draw and one loss, reported in reverse
 * order. */
static void test_match(void) {
    Contest contest = {.schedule = {ROUND_ROBIN, 2, 2, 2, true, .seeds = 1}};
    Standings standings;
    standings_init(&standings, &contest);
    CHECK(!standings_has(&standings, 0));
    add(&standings, 0, KMD_WINNER_BLACK, ENDED_MATE); /* first engine is black */
    CHECK(standings_has(&standings, 0));
    CHECK_INT((int64_t)standings.encounters[0].pairs.count[4], 0);
    add(&standings, 1, KMD_WINNER_WHITE, ENDED_ILLEGAL);
    CHECK_INT((int64_t)standings.encounters[0].pairs.count[4], 1);
    add(&standings, 3, KMD_WINNER_BLACK, ENDED_RESIGN);
    add(&standings, 2, KMD_WINNER_DRAW, ENDED_REPETITION);
    CHECK_INT((int64_t)standings.encounters[0].pairs.count[1], 1);
    WinDrawLoss score = standings_encounter(&standings, 0);
    CHECK(score.wins == 2 && score.draws == 1 && score.losses == 1);
    const WinDrawLoss *black = &standings.encounters[0].by_color[BLACK];
    CHECK(black->wins == 1 && black->draws == 1 && black->losses == 0);
    const WinDrawLoss *white = &standings.encounters[0].by_color[WHITE];
    CHECK(white->wins == 1 && white->draws == 0 && white->losses == 1);
    CHECK_INT((int64_t)standings.engines[1].faults[ENDED_ILLEGAL], 1);
    CHECK_INT((int64_t)standings.engines[0].faults[ENDED_ILLEGAL], 0);
    CHECK_INT(standings.engines[0].stats.moves, 10); /* black in two of its games */
    CHECK_INT((int64_t)standings.plies, 40);
    CHECK_INT((int64_t)standings.black_wins, 2);
    ScoreSample other = standings_engine_sample(&standings, 1);
    CHECK_INT((int64_t)other.count[0], 1);
    CHECK_INT((int64_t)other.count[3], 1);
    standings_free(&standings);
}

static void test_round_robin(void) {
    Contest contest = {.schedule = {ROUND_ROBIN, 3, 1, 2, true, .seeds = 1}};
    Standings standings;
    standings_init(&standings, &contest);
    for (int i = 0; i < 6; i++) { /* the first engine of each encounter wins */
        add(&standings, i, i % 2 == 0 ? KMD_WINNER_BLACK : KMD_WINNER_WHITE, ENDED_MATE);
    }
    WinDrawLoss best = standings_engine(&standings, 0, -1);
    WinDrawLoss middle = standings_engine(&standings, 1, -1);
    WinDrawLoss last = standings_engine(&standings, 2, -1);
    WinDrawLoss two = standings_engine(&standings, 2, 1);
    int order[3];
    standings_table(&standings, order);
    CHECK(order[0] == 0 && order[1] == 1 && order[2] == 2);
    CHECK(two.wins == 0 && two.losses == 2);
    CHECK(best.wins == 4 && best.losses == 0);
    CHECK(middle.wins == 2 && middle.losses == 2);
    CHECK(last.wins == 0 && last.losses == 4);
    ScoreSample sample = standings_engine_sample(&standings, 1);
    CHECK(sample.count[0] == 1 && sample.count[4] == 1);
    standings_free(&standings);
}

static void test_single_games(void) {
    Contest contest = {.schedule = {ROUND_ROBIN, 2, 3, 1, true, .seeds = 1}};
    Standings standings;
    standings_init(&standings, &contest);
    add(&standings, 0, KMD_WINNER_WHITE, ENDED_MATE);
    add(&standings, 1, KMD_WINNER_WHITE, ENDED_MATE);
    add(&standings, 2, KMD_WINNER_DRAW, ENDED_MAX_PLIES);
    ScoreSample sample = standings_encounter_sample(&standings, 0);
    CHECK_INT(sample.kinds, SCORE_GAMES);
    CHECK(sample.count[0] == 1 && sample.count[1] == 1 && sample.count[2] == 1);
    standings_free(&standings);
}

static GameResult result_of(KmdWinner winner, EndReason reason, const char *start,
                            const char *moves) {
    GameResult result = {.winner = winner, .reason = reason};
    strbuf_add_str(&result.start, start);
    strbuf_add_str(&result.moves, moves);
    return result;
}

/* The signature does not depend on the order of games, but on every part of them. */
static void test_hash(void) {
    GameResult base = result_of(KMD_WINNER_BLACK, ENDED_MATE, "startpos", "7g7f 3c3d");
    GameResult others[] = {
        result_of(KMD_WINNER_WHITE, ENDED_MATE, "startpos", "7g7f 3c3d"),
        result_of(KMD_WINNER_BLACK, ENDED_RESIGN, "startpos", "7g7f 3c3d"),
        result_of(KMD_WINNER_BLACK, ENDED_MATE, "startpos7g7f", " 3c3d"),
        result_of(KMD_WINNER_BLACK, ENDED_MATE, "startpos", "7g7f 3c3e"),
    };
    uint64_t hash = gameresult_hash(&base, 0);
    CHECK(hash == gameresult_hash(&base, 0));
    CHECK(hash != gameresult_hash(&base, 1));
    for (size_t i = 0; i < COUNTOF(others); i++) {
        CHECK(hash != gameresult_hash(&others[i], 0));
        gameresult_free(&others[i]);
    }
    gameresult_free(&base);
}

static void test_names(void) {
    for (int i = 0; i < ENDED_NB; i++) {
        EndReason reason = ENDED_NB;
        CHECK(gameresult_end_read(sv_from(gameresult_end_name((EndReason)i)), &reason));
        CHECK_INT(reason, i);
    }
    EndReason reason = ENDED_MATE;
    KmdWinner winner = KMD_WINNER_DRAW;
    CHECK(!gameresult_end_read(SV("boredom"), &reason));
    CHECK(!gameresult_winner_read(SV("none"), &winner) &&
          gameresult_winner_read(SV("white"), &winner));
    CHECK_INT(winner, KMD_WINNER_WHITE);
}

UNIT_MAIN({"a match by colour and pair", test_match}, {"a round robin", test_round_robin},
          {"games that are no pairs", test_single_games}, {"the signature", test_hash},
          {"names of reasons and winners", test_names})
