/* Tests of schedule.h: the counts and balance of whole tournaments. */
#include "base/base.h"
#include "match/schedule.h"
#include "unit.h"

static void test_match(void) {
    Schedule schedule = {ROUND_ROBIN, 2, 3, 2, true, .seeds = 1};
    CHECK_INT(schedule_encounters(&schedule), 1);
    CHECK_INT(schedule_total(&schedule), 6);
    for (int i = 0; i < 6; i++) {
        ScheduledGame game = schedule_game(&schedule, i);
        CHECK_INT(game.round, i / 2);
        CHECK_INT(game.pair, i / 2);
        CHECK_INT(game.opening, i / 2);
        CHECK(game.first == 0 && game.second == 1);
        CHECK(game.is_first_black == (i % 2 == 0));
    }
}

/* In every kind of tournament, each encounter has all of its games, each pair has one opening and
 * both colours, and pairs of different encounters or rounds have different openings. */
static void check_pairs(const Schedule *schedule) {
    int total = schedule_total(schedule);
    CHECK(schedule_is_paired(schedule));
    CHECK_INT(total % 2, 0);
    for (int i = 0; i < total; i += 2) {
        ScheduledGame a = schedule_game(schedule, i);
        ScheduledGame b = schedule_game(schedule, i + 1);
        CHECK(a.pair == b.pair && a.opening == b.opening && a.pair == i / 2);
        CHECK(a.first == b.first && a.second == b.second && a.round == b.round);
        CHECK(a.is_first_black != b.is_first_black);
        CHECK(a.first < a.second && a.second < schedule->engines);
    }
}

static void test_round_robin(void) {
    Schedule schedule = {ROUND_ROBIN, 5, 3, 4, true, .seeds = 1};
    CHECK_INT(schedule_encounters(&schedule), 10);
    CHECK_INT(schedule_total(&schedule), 120);
    check_pairs(&schedule);
    int met[5][5] = {{0}};
    for (int i = 0; i < 120; i++) {
        ScheduledGame game = schedule_game(&schedule, i);
        met[game.first][game.second]++;
    }
    for (int a = 0; a < 5; a++) {
        for (int b = a + 1; b < 5; b++) {
            CHECK_INT(met[a][b], 12);
        }
    }
}

static void test_gauntlet(void) {
    Schedule schedule = {GAUNTLET, 4, 2, 2, true, .seeds = 1};
    CHECK_INT(schedule_encounters(&schedule), 3);
    CHECK_INT(schedule_total(&schedule), 12);
    check_pairs(&schedule);
    for (int i = 0; i < 12; i++) {
        ScheduledGame game = schedule_game(&schedule, i);
        CHECK_INT(game.first, 0);
        CHECK_INT(game.second, i / 2 % 3 + 1);
    }
}

/* The first two of five do not play each other; each plays the three others. */
static void test_seeds(void) {
    Schedule schedule = {GAUNTLET, 5, 2, 2, true, .seeds = 2};
    CHECK_INT(schedule_encounters(&schedule), 6);
    CHECK_INT(schedule_total(&schedule), 24);
    check_pairs(&schedule);
    int met[5][5] = {{0}};
    for (int i = 0; i < 24; i++) {
        ScheduledGame game = schedule_game(&schedule, i);
        met[game.first][game.second]++;
    }
    for (int a = 0; a < 5; a++) {
        for (int b = a + 1; b < 5; b++) {
            CHECK_INT(met[a][b], a < 2 && b >= 2 ? 4 : 0);
        }
    }
}

static void test_without_pairs(void) {
    Schedule odd = {ROUND_ROBIN, 2, 4, 1, true, .seeds = 1};
    CHECK(!schedule_is_paired(&odd));
    for (int i = 0; i < 4; i++) {
        ScheduledGame game = schedule_game(&odd, i);
        CHECK(game.is_first_black == (i % 2 == 0));
        CHECK_INT(game.pair, -1);
        CHECK_INT(game.opening, i);
    }
    Schedule fresh = {ROUND_ROBIN, 2, 2, 2, false, .seeds = 1};
    CHECK(!schedule_is_paired(&fresh));
    CHECK_INT(schedule_game(&fresh, 3).opening, 3);
    CHECK(!schedule_game(&fresh, 3).is_first_black);
}

/* Each game is in one part, and the two games of a pair are in the same one. */
static void test_shards(void) {
    for (int games = 1; games <= 2; games++) {
        Schedule schedule = {ROUND_ROBIN, 3, 5, games, true, .seeds = 1};
        for (int i = 0; i < schedule_total(&schedule); i++) {
            int parts = 0;
            schedule.shard = (ArgPart){0, 0};
            CHECK(schedule_is_in_shard(&schedule, i));
            for (int part = 1; part <= 4; part++) {
                schedule.shard = (ArgPart){part, 4};
                parts += schedule_is_in_shard(&schedule, i);
                CHECK(games == 1 ||
                      schedule_is_in_shard(&schedule, i) == schedule_is_in_shard(&schedule, i ^ 1));
            }
            CHECK_INT(parts, 1);
        }
    }
    Schedule second = {ROUND_ROBIN, 2, 4, 2, true, .seeds = 1, .shard = {2, 3}};
    CHECK(!schedule_is_in_shard(&second, 1) && schedule_is_in_shard(&second, 2));
    CHECK(schedule_is_in_shard(&second, 3) && !schedule_is_in_shard(&second, 4));
}

/* Colours that are never swapped, and swapped ones. */
static void test_colors(void) {
    Schedule fixed = {ROUND_ROBIN, 2, 3, 2, true, .keeps_colors = true};
    for (int i = 0; i < 6; i++) {
        CHECK(schedule_game(&fixed, i).is_first_black);
    }
    fixed.is_reversed = true;
    Schedule pairs = {ROUND_ROBIN, 2, 3, 2, true, .is_reversed = true};
    for (int i = 0; i < 6; i++) {
        CHECK(!schedule_game(&fixed, i).is_first_black);
        CHECK(schedule_game(&pairs, i).is_first_black == (i % 2 == 1));
    }
}

static void test_limit(void) {
    static const struct {
        Schedule schedule;
        bool fits;
    } cases[] = {
        {{ROUND_ROBIN, 2, TOTAL_MAX / 2, 2, true, .seeds = 1}, true},
        {{ROUND_ROBIN, 2, TOTAL_MAX / 2 + 1, 2, true, .seeds = 1}, false},
        {{ROUND_ROBIN, 1000, 100000000, 100000000, true, .seeds = 1}, false},
        {{GAUNTLET, 5, TOTAL_MAX / 4, 1, true, .seeds = 1}, true},
        {{GAUNTLET, 5, TOTAL_MAX / 4, 2, true, .seeds = 1}, false},
    };
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        CHECK(schedule_fits(&cases[i].schedule) == cases[i].fits);
        CHECK(!cases[i].fits || schedule_total(&cases[i].schedule) <= TOTAL_MAX);
    }
}

UNIT_MAIN({"a match of pairs", test_match}, {"a round robin", test_round_robin},
          {"a gauntlet", test_gauntlet}, {"a gauntlet of two", test_seeds},
          {"games that are no pairs", test_without_pairs}, {"the limit of games", test_limit},
          {"colours kept or reversed", test_colors}, {"parts", test_shards})
