/* Tests of foldover.h: the file of changes, the draws, and the error estimates. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "base/rng.h"
#include "tools/match/foldover.h"
#include "unit.h"

static Foldover read_changes(const char *text) {
    Foldover foldover = {0};
    StrBuf error = STRBUF_INIT;
    CHECK(foldover_read(sv_from(text), &foldover, &error));
    strbuf_free(&error);
    return foldover;
}

static void test_file(void) {
    Foldover foldover = read_changes("# changes\n  deep  A=1 B=x=y # both\r\n\nflat C=-0.5");
    StrBuf text = STRBUF_INIT;
    foldover_add_text(&foldover, &text);
    CHECK_STR(text.ptr, "deep A=1 B=x=y\nflat C=-0.5\n");
    strbuf_clear(&text);
    foldover_add_options(&foldover, 1, &text);
    CHECK_STR(text.ptr, "setoption name A value 1\nsetoption name B value x=y\n");
    strbuf_clear(&text);
    foldover_add_options(&foldover, ~(uint64_t)1, &text);
    CHECK_STR(text.ptr, "setoption name C value -0.5\n");
    foldover_free(&foldover);
    strbuf_free(&text);
}

static void test_faults(void) {
    static const char *const faults[][2] = {
        {"", ": no changes"},
        {"# nothing\n", ": no changes"},
        {"a", ", line 1: the change sets no option"},
        {"a # A=1", ", line 1: the change sets no option"},
        {"a A=1\nA=2", ", line 2: a change must begin with its name"},
        {"a A", ", line 1: a setting must be OPTION=VALUE"},
        {"a A=", ", line 1: a setting must be OPTION=VALUE"},
        {"a =1", ", line 1: a setting must be OPTION=VALUE"},
        {"a A=1\n\na B=1", ", line 3: the name is used twice"},
        {"a A=1 a=2", ", line 1: an option is set twice"},
        {"a A=1\nb B=1 A=2", ", line 2: an option is set twice"},
    };
    for (size_t i = 0; i < COUNTOF(faults); i++) {
        Foldover foldover = {0};
        StrBuf error = STRBUF_INIT;
        CHECK(!foldover_read(sv_from(faults[i][0]), &foldover, &error));
        CHECK_STR(error.ptr, faults[i][1]);
        strbuf_free(&error);
        foldover_free(&foldover);
    }
    StrBuf text = STRBUF_INIT, error = STRBUF_INIT;
    Foldover foldover = {0};
    for (int i = 0; i <= FOLDOVER_MOST; i++) {
        strbuf_addf(&text, "c%d O%d=1\n", i, i);
    }
    CHECK(!foldover_read(strbuf_view(&text), &foldover, &error));
    CHECK_STR(error.ptr, ", line 65: more than 64 changes");
    foldover_free(&foldover);
    strbuf_free(&text);
    strbuf_free(&error);
}

/* The first side has each change in half of the pairs, and any two changes are on the same side in
 * half of the pairs. Another seed draws other subsets. */
static void test_subsets(void) {
    enum { PAIRS = 4000, CHANGES = 8 };
    int alone[CHANGES] = {0}, together[CHANGES] = {0}, equal = 0;
    for (int pair = 0; pair < PAIRS; pair++) {
        uint64_t subset = foldover_subset(1, pair);
        for (int i = 0; i < CHANGES; i++) {
            alone[i] += subset >> i & 1;
            together[i] += (subset >> i & 1) == (subset >> (i + 1) % CHANGES & 1);
        }
        equal += (subset & 255) == (foldover_subset(2, pair) & 255);
        CHECK(subset == foldover_subset(1, pair));
    }
    for (int i = 0; i < CHANGES; i++) {
        CHECK_NEAR(alone[i], PAIRS / 2, 4 * sqrt(PAIRS) / 2); /* 4 standard errors */
        CHECK_NEAR(together[i], PAIRS / 2, 4 * sqrt(PAIRS) / 2);
    }
    CHECK_NEAR(equal, PAIRS / 256.0, 4 * sqrt(PAIRS / 256.0));
}

static Standings make_standings(int pairs, uint64_t seed) {
    Schedule schedule = {ROUND_ROBIN, 2, pairs, 2, true, .seed = seed};
    Standings standings;
    standings_init(&standings, &schedule);
    return standings;
}

/* If there is only one change, its effect is the mean score of the pairs minus 1/2, from the view
 * of the side that has the change. */
static void test_by_hand(void) {
    static const uint8_t points[][2] = {{2, 0}, {2, 2}, {1, 2}, {0, 1}};
    Foldover foldover = read_changes("one A=1");
    Standings standings = make_standings(6, 7);
    double sum = 0.0, squares = 0.0;
    int pairs;
    FoldEffect effect;
    CHECK(!foldover_estimate(&foldover, &standings, &effect, &pairs));
    CHECK_INT(pairs, 0);
    for (int i = 0; i < 4; i++) {
        double score = (points[i][0] + points[i][1]) / 4.0 - 0.5;
        memcpy(standings.half_points + 2 * i, points[i], 2);
        sum += (foldover_subset(7, i) & 1) != 0 ? score : -score;
        squares += score * score;
    }
    standings.half_points[8] = 2; /* half a pair does not count */
    CHECK(foldover_estimate(&foldover, &standings, &effect, &pairs));
    CHECK_INT(pairs, 4);
    CHECK_NEAR(effect.effect, sum / 4, 1e-12);
    CHECK_NEAR(effect.error, sqrt((squares - sum * sum / 4) / 3 / 4), 1e-12);
    CHECK_NEAR(effect.elo, -400 * log10(1 / (0.5 + sum / 4) - 1), 1e-9);
    standings_free(&standings);
    foldover_free(&foldover);
}

/* Simulates 500 matches of 200 pairs. The estimated effects must have the right mean and scatter as
 * much as the estimated errors say. */
static void test_errors(void) {
    enum { MATCHES = 500, PAIRS = 200, CHANGES = 4 };
    static const double truth[CHANGES] = {0.10, -0.05, 0.02, 0.0};
    Foldover foldover = read_changes("a A=1\nb B=1\nc C=1\nd D=1\n");
    double mean[CHANGES] = {0}, squares[CHANGES] = {0};
    for (uint64_t seed = 1; seed <= MATCHES; seed++) {
        Standings standings = make_standings(PAIRS, seed);
        Rng rng = rng_init(seed);
        FoldEffect effects[CHANGES];
        int pairs;
        for (int game = 0; game < 2 * PAIRS; game++) {
            uint64_t subset = foldover_subset(seed, game / 2);
            double chance = 0.5;
            for (int i = 0; i < CHANGES; i++) {
                chance += (subset >> i & 1) != 0 ? truth[i] : -truth[i];
            }
            standings.half_points[game] = rng_unit(&rng) < chance ? 2 : 0;
        }
        CHECK(foldover_estimate(&foldover, &standings, effects, &pairs));
        CHECK_INT(pairs, PAIRS);
        for (int i = 0; i < CHANGES; i++) {
            double off = effects[i].effect - truth[i];
            mean[i] += off / MATCHES;
            squares[i] += off * off / (effects[i].error * effects[i].error) / MATCHES;
            CHECK_NEAR(effects[i].error, 0.025, 0.006); /* 50 % / sqrt(400 games) */
        }
        standings_free(&standings);
    }
    for (int i = 0; i < CHANGES; i++) {
        CHECK_NEAR(mean[i], 0.0, 4 * 0.025 / sqrt(MATCHES));
        CHECK_NEAR(squares[i], 1.0, 4 * sqrt(2.0 / MATCHES));
    }
    foldover_free(&foldover);
}

UNIT_MAIN({"reads and writes changes", test_file}, {"names what is wrong in a file", test_faults},
          {"draws each change for itself", test_subsets}, {"one change by hand", test_by_hand},
          {"errors are honest", test_errors})
