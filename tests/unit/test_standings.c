/* Tests of standings.c: counting games, pairs and faults. */
#include "base/base.h"
#include "match/standings.h"
#include "rules/outcome.h"
#include "unit.h"

static void add(Standings *standings, int index, KmdWinner winner, EndReason reason) {
    GameResult result = {.winner = winner, .reason = reason, .plies = 10};
    result.stats[BLACK] = (PlayerStats){.moves = 5, .time_ns = 50, .nodes = 500};
    ScheduledGame game = standings_game(standings, index);
    standings_add(standings, &game, &result);
}

/* Two pairs: the first engine wins both games, then one draw and one loss, reported in reverse
 * order. */
static void test_match(void) {
    Schedule schedule = {ROUND_ROBIN, 2, 2, 2, true, .seed = 0};
    Standings standings;
    standings_init(&standings, &schedule, 0.5);
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

/* With 0.4 points for black, the two games of a pair that both end by repetition add up to one
 * point for each engine; a repetition counts as a draw for the Elo. */
static void test_repetition(void) {
    Schedule schedule = {ROUND_ROBIN, 2, 2, 2, true, .seed = 0};
    Standings standings;
    double points;
    standings_init(&standings, &schedule, 0.4);
    add(&standings, 0, KMD_WINNER_DRAW, ENDED_REPETITION); /* the first engine is black */
    CHECK(standings_row(&standings, 0).points > 0.399 &&
          standings_row(&standings, 0).points < 0.401);
    CHECK(standings_row(&standings, 1).points > 0.599 &&
          standings_row(&standings, 1).points < 0.601);
    CHECK(standings_points(&standings, 1, 0, &points) && points > 0.599 && points < 0.601);
    CHECK(standings_rank(&standings, 1) > standings_rank(&standings, 0));
    CHECK_INT(standings_engine(&standings, 0).draws, 1);
    add(&standings, 1, KMD_WINNER_DRAW, ENDED_REPETITION);
    add(&standings, 2, KMD_WINNER_DRAW, ENDED_MAX_PLIES);
    CHECK(standings_row(&standings, 0).points > 1.499 &&
          standings_row(&standings, 0).points < 1.501);
    standings_free(&standings);
}

static void test_round_robin(void) {
    Schedule schedule = {ROUND_ROBIN, 3, 1, 2, true, .seed = 0};
    Standings standings;
    standings_init(&standings, &schedule, 0.5);
    for (int i = 0; i < 6; i++) { /* the first engine of each encounter wins */
        add(&standings, i, i % 2 == 0 ? KMD_WINNER_BLACK : KMD_WINNER_WHITE, ENDED_MATE);
    }
    WinDrawLoss best = standings_engine(&standings, 0);
    WinDrawLoss middle = standings_engine(&standings, 1);
    WinDrawLoss last = standings_engine(&standings, 2);
    CHECK(best.wins == 4 && best.losses == 0);
    CHECK(middle.wins == 2 && middle.losses == 2);
    CHECK(last.wins == 0 && last.losses == 4);
    ScoreSample sample = standings_engine_sample(&standings, 1);
    CHECK(sample.count[0] == 1 && sample.count[4] == 1);
    standings_free(&standings);
}

static void test_single_games(void) {
    Schedule schedule = {ROUND_ROBIN, 2, 3, 1, true, .seed = 0};
    Standings standings;
    standings_init(&standings, &schedule, 0.5);
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

/* Plays all games that are due. The engine with the lower number wins, or all games are drawn. */
static int play_due(Standings *standings, bool is_drawn) {
    int played = 0;
    for (int i = 0; i < standings->total; i++) {
        if (!standings_has(standings, i) && standings_is_due(standings, i)) {
            ScheduledGame game = standings_game(standings, i);
            CHECK(game.first >= 0 && game.second >= 0 && game.first != game.second);
            GameResult result = {.reason = ENDED_MATE, .winner = KMD_WINNER_DRAW};
            if (!is_drawn) {
                bool first_wins = game.first < game.second;
                result.winner = outcome_winner(first_wins == game.is_first_black ? BLACK : WHITE);
            }
            standings_add(standings, &game, &result);
            played++;
        }
    }
    return played;
}

/* Five engines play three rounds. In each round a different engine has a bye, no two engines meet
 * twice, and the best engine gets the most points. */
static void test_swiss(void) {
    Schedule schedule = {SWISS, 5, 3, 2, true, .seed = 0};
    Standings standings;
    standings_init(&standings, &schedule, 0.5);
    CHECK_INT(standings.total, 12);
    CHECK(!standings_is_due(&standings, 4)); /* a game of round 2 */
    CHECK_INT(play_due(&standings, false),
              12); /* a round is due as soon as the previous one has ended */
    CHECK(standings_is_complete(&standings));
    int met[5][5] = {{0}}, byes[5] = {0};
    for (int i = 0; i < 6; i++) {
        met[standings.opponents[i].first][standings.opponents[i].second]++;
    }
    for (int a = 0; a < 5; a++) {
        for (int b = 0; b < 5; b++) {
            CHECK(met[a][b] <= 1);
        }
    }
    for (int i = 0; i < 3; i++) {
        byes[standings.byes[i]]++;
    }
    CHECK(byes[0] <= 1 && byes[1] <= 1 && byes[2] <= 1 && byes[3] <= 1 && byes[4] <= 1);
    int order[5];
    standings_order(&standings, order);
    CHECK_INT(order[0], 0);
    CHECK(standings_rank(&standings, 0) == 6.0);
    /* The rank of an engine agrees with its row of the table. */
    for (int i = 0; i < 5; i++) {
        EngineRow row = standings_row(&standings, i);
        CHECK(row.points == standings_rank(&standings, i));
        CHECK_INT(row.games, 6);
        CHECK_INT(wdl_games(&row.score), 6 - 2 * byes[i]);
    }
    standings_free(&standings);
}

/* Four engines play one game per round: 1 beats 0 and 2 beats 3, then 2 beats 1 and 0 beats 3.
 * Engines 0 and 1 both have one point, but 1 has met the winner. */
static void test_ties(void) {
    static const bool first_wins[] = {false, true, false, true};
    Schedule schedule = {SWISS, 4, 2, 1, false, .seed = 0};
    Standings standings;
    int order[4];
    standings_init(&standings, &schedule, 0.5);
    for (int i = 0; i < 4; i++) {
        bool is_first_black = standings_game(&standings, i).is_first_black;
        add(&standings, i, first_wins[i] == is_first_black ? KMD_WINNER_BLACK : KMD_WINNER_WHITE,
            ENDED_MATE);
    }
    CHECK(standings.opponents[2].first == 1 && standings.opponents[2].second == 2);
    TieBreaks zero = standings_ties(&standings, 0), one = standings_ties(&standings, 1);
    CHECK_NEAR(zero.buchholz, 1.0 + 0.0, 1e-9);
    CHECK_NEAR(zero.berger, 0.0, 1e-9);
    CHECK_NEAR(one.buchholz, 1.0 + 2.0, 1e-9);
    CHECK_NEAR(one.berger, 1.0, 1e-9);
    standings_table(&standings, order);
    CHECK(order[0] == 2 && order[1] == 1 && order[2] == 0 && order[3] == 3);
    standings_order(&standings, order);
    CHECK(order[0] == 2 && order[1] == 0 && order[2] == 1 && order[3] == 3);
    standings_free(&standings);
}

/* Six engines: three encounters, then one encounter and a bye, then the final. */
static void test_knockout(void) {
    Schedule schedule = {KNOCKOUT, 6, 1, 2, true, .seed = 0};
    Standings standings;
    standings_init(&standings, &schedule, 0.5);
    CHECK_INT(schedule_rounds(&schedule), 3);
    CHECK_INT(play_due(&standings, false), 10);
    CHECK(standings_is_complete(&standings));
    CHECK(standings.opponents[0].first == 0 && standings.opponents[0].second == 5);
    CHECK_INT(standings.byes[1], 0);
    CHECK(standings.opponents[3].first == 1 && standings.opponents[3].second == 2);
    CHECK(standings.opponents[4].first == 0 && standings.opponents[4].second == 1);
    CHECK_INT(standings_winner(&standings, 4), 0);
    int order[6];
    standings_order(&standings, order);
    CHECK(order[0] == 0 && order[1] == 1);
    standings_free(&standings);
}

/* Engine 0 draws one of its two games with engine 3, and engine 2 beats engine 1 twice. Engines 0
 * and 2 have won one round, engines 1 and 3 none; the table orders equal engines by their points.
 */
static void test_knockout_table(void) {
    Schedule schedule = {KNOCKOUT, 4, 1, 2, true, .seed = 0};
    Standings standings;
    int order[4];
    standings_init(&standings, &schedule, 0.5);
    for (int i = 0; i < standings.total; i++) {
        ScheduledGame game = standings_game(&standings, i);
        if (game.encounter < 2 && standings_is_due(&standings, i)) {
            bool is_draw = game.encounter == 0 && !game.is_first_black;
            int winner = game.encounter == 0 ? 0 : 2;
            bool black_wins = schedule_black(&game) == winner;
            add(&standings, i,
                is_draw ? KMD_WINNER_DRAW : outcome_winner(black_wins ? BLACK : WHITE), ENDED_MATE);
        }
    }
    CHECK_INT(standings_winner(&standings, 0), 0);
    CHECK_INT(standings_winner(&standings, 1), 2);
    standings_order(&standings, order);
    CHECK(order[0] == 0 && order[1] == 2 && order[2] == 1 && order[3] == 3);
    standings_table(&standings, order);
    CHECK(order[0] == 2 && order[1] == 0 && order[2] == 3 && order[3] == 1);
    standings_free(&standings);
}

/* A tie is played again; if it remains, the engine that was named first advances. */
static void test_tie(void) {
    Schedule schedule = {KNOCKOUT, 2, 1, 2, true, .seed = 0};
    Standings standings;
    standings_init(&standings, &schedule, 0.5);
    CHECK(standings_is_due(&standings, 1) && !standings_is_due(&standings, 2));
    CHECK_INT(play_due(&standings, true), 2 * KNOCKOUT_TRIES);
    CHECK_INT(standings_winner(&standings, 0), 0);
    CHECK(standings_is_complete(&standings));
    standings_free(&standings);
    standings_init(&standings, &schedule, 0.5);
    add(&standings, 0, KMD_WINNER_BLACK, ENDED_MATE);
    add(&standings, 1, KMD_WINNER_BLACK, ENDED_MATE);
    CHECK_INT(standings_winner(&standings, 0), -1);
    CHECK(standings_is_due(&standings, 2));
    add(&standings, 2, KMD_WINNER_DRAW, ENDED_MATE);
    add(&standings, 3, KMD_WINNER_BLACK, ENDED_MATE);
    CHECK_INT(standings_winner(&standings, 0), 1);
    CHECK(!standings_is_due(&standings, 4) && standings_is_complete(&standings));
    standings_free(&standings);
}

UNIT_MAIN({"points of a repetition", test_repetition}, {"a match by colour and pair", test_match},
          {"a round robin", test_round_robin}, {"games that are no pairs", test_single_games},
          {"the signature", test_hash}, {"names of reasons and winners", test_names},
          {"Swiss: equals meet equals", test_swiss}, {"Swiss: equal points", test_ties},
          {"knockout: losers go out", test_knockout}, {"knockout: a tie is played again", test_tie},
          {"knockout: the table", test_knockout_table})
