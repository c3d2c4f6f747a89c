/* Compares elo.h with published tables and matches. */
#include <math.h>

#include "match/elo.h"
#include "unit.h"

/* FIDE Rating Regulations, table 8.1.2, gives expected scores to two digits. The table comes from
 * the normal distribution, so the logistic curve is compared with one digit less. */
static void test_expected_scores(void) {
    static const struct {
        double elo;
        double score;
    } rows[] = {{0, .50}, {36, .55}, {72, .60}, {110, .65}, {149, .70}, {240, .80}, {366, .90}};
    for (int i = 0; i < 7; i++) {
        CHECK_NEAR(elo_to_score(rows[i].elo), rows[i].score, 0.012);
        CHECK_NEAR(elo_of_score(elo_to_score(rows[i].elo)), rows[i].elo, 1e-9);
    }
    CHECK_NEAR(elo_to_score(400.0), 10.0 / 11.0, 1e-12);
    CHECK(isinf(elo_of_score(1.0)) && elo_of_score(1.0) > 0.0);
    CHECK(isinf(elo_of_score(0.0)) && elo_of_score(0.0) < 0.0);
}

/* The two matches in the commit message with which Stockfish merged its first network (August
 * 2020), counted and evaluated by fishtest:
 *   60000 games, W 24193 L 8543 D 27264, Ptnml 609 3850 9708 10948 4885: ELO 92.77 +-2.1
 *   40000 games, W 12756 L 2677 D 24567, Ptnml 74 1583 8550 7776 2017:   ELO 89.47 +-2.0 */
static void test_published_matches(void) {
    ScoreSample stc = {SCORE_PAIRS, {609, 3850, 9708, 10948, 4885}};
    EloEstimate estimate = elo_estimate(&stc);
    CHECK_NEAR(estimate.elo, 92.77, 0.005);
    CHECK_NEAR(estimate.elo_error, 2.1, 0.05);
    CHECK(estimate.superiority > 0.9999);
    ScoreSample ltc = {SCORE_PAIRS, {74, 1583, 8550, 7776, 2017}};
    estimate = elo_estimate(&ltc);
    CHECK_NEAR(estimate.elo, 89.47, 0.005);
    CHECK_NEAR(estimate.elo_error, 2.0, 0.05);
}

/* Worked out by hand: 10 games with 5 wins, 2 draws and 3 losses have mean 0.6 and variance 0.19,
 * so the error of the mean is sqrt(0.019) = 0.13784. The lead of 0.1 is 0.72548 times that error,
 * below which any table of the normal distribution gives 0.7659. */
static void test_small_match(void) {
    ScoreSample games = {SCORE_GAMES, {3, 2, 5}};
    ScoreMoments moments = elo_score_moments(&games);
    CHECK_NEAR(moments.mean, 0.6, 1e-12);
    CHECK_NEAR(moments.variance, 0.19, 1e-12);
    EloEstimate estimate = elo_estimate(&games);
    CHECK_NEAR(estimate.superiority, 0.7659, 5e-5);
    CHECK_NEAR(estimate.elo, 70.44, 0.005); /* 400 log10(0.6 / 0.4) */
    CHECK_NEAR(estimate.nelo, 347.4356 * 0.1 / 0.4358899, 0.01);
    CHECK_NEAR(estimate.nelo_error, 347.4356 * 1.959964 / 3.1622777, 0.01);
}

/* If the two games of a pair are independent, pairs and games must give the same result. */
static void test_pairs_of_independent_games(void) {
    /* Win 1/2, draw 1/4, loss 1/4, 1600 pairs: LL 1/16, LD 2/16, DD+WL 5/16, WD 4/16, WW 4/16. */
    ScoreSample pairs = {SCORE_PAIRS, {100, 200, 500, 400, 400}};
    ScoreSample games = {SCORE_GAMES, {800, 800, 1600}};
    EloEstimate a = elo_estimate(&pairs);
    EloEstimate b = elo_estimate(&games);
    CHECK_NEAR(a.elo, b.elo, 1e-9);
    CHECK_NEAR(a.elo_error, b.elo_error, 1e-9);
    CHECK_NEAR(a.nelo, b.nelo, 1e-9);
    CHECK_NEAR(a.nelo_error, b.nelo_error, 1e-9);
    CHECK_NEAR(a.superiority, b.superiority, 1e-12);
}

static void test_extremes(void) {
    ScoreSample none = {SCORE_PAIRS, {0}};
    EloEstimate estimate = elo_estimate(&none);
    CHECK(estimate.score == 0.5 && estimate.elo == 0.0 && estimate.superiority == 0.5);
    CHECK(isinf(estimate.elo_low) && isinf(estimate.elo_high) && isinf(estimate.elo_error));
    /* Seven pairs won: with a mean score of q, that has a chance of at most q^7. */
    ScoreSample all_won = {SCORE_PAIRS, {0, 0, 0, 0, 7}};
    estimate = elo_estimate(&all_won);
    CHECK(isinf(estimate.elo) && estimate.superiority == 1.0);
    CHECK_NEAR(pow(elo_to_score(estimate.elo_low), 7.0), 0.025, 1e-9);
    CHECK(isinf(estimate.elo_high) && isinf(estimate.elo_error) && isinf(estimate.nelo_error));
    ScoreSample all_lost = {SCORE_GAMES, {7, 0, 0}};
    estimate = elo_estimate(&all_lost);
    CHECK(isinf(estimate.elo_low) && estimate.elo_low < 0.0);
    CHECK_NEAR(pow(1.0 - elo_to_score(estimate.elo_high), 7.0), 0.025, 1e-9);
    /* With a mean of m below 1/2, nine draws have a chance of at most (2 m)^9. */
    ScoreSample all_drawn = {SCORE_GAMES, {0, 9, 0}};
    estimate = elo_estimate(&all_drawn);
    CHECK(estimate.elo == 0.0 && estimate.superiority == 0.5 && estimate.nelo == 0.0);
    CHECK_NEAR(pow(2.0 * elo_to_score(estimate.elo_low), 9.0), 0.025, 1e-9);
    CHECK_NEAR(estimate.elo_error, estimate.elo_high, 1e-9);
    CHECK(isinf(estimate.nelo_error));
}

/* The text shows the interval where only one end of it is known. 19 wins of 20 games have a mean of
 * 0.95 with a 95 % error of 0.0955, so the upper end would be above 1. */
static void test_text(void) {
    static const struct {
        ScoreSample sample;
        const char *text;
    } cases[] = {{{SCORE_GAMES, {3, 2, 5}}, "+70.4 +/- 226.8"},
                 {{SCORE_GAMES, {1, 0, 19}}, "+511.5 (+307.5 to +inf)"},
                 {{SCORE_GAMES, {19, 0, 1}}, "-511.5 (-inf to -307.5)"},
                 {{SCORE_GAMES, {0, 0, 9}}, "+inf (+118.1 to +inf)"},
                 {{SCORE_GAMES, {1, 0, 1}}, "+0.0 +/- inf"}};
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        EloEstimate estimate = elo_estimate(&cases[i].sample);
        StrBuf text = STRBUF_INIT;
        elo_append(&estimate, 1, &text);
        CHECK_STR(text.ptr, cases[i].text);
        strbuf_free(&text);
    }
}

UNIT_MAIN({"expected scores follow the rating table", test_expected_scores},
          {"published matches give the published figures", test_published_matches},
          {"a small match worked by hand", test_small_match},
          {"independent pairs agree with games", test_pairs_of_independent_games},
          {"no games, all won, all drawn", test_extremes}, {"the interval as text", test_text})
