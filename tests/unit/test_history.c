/* Histories: limits, signs, and separate entries. */
#include "search/history.h"

#include <stdlib.h>

#include "positions.h"
#include "search/params.h"
#include "unit.h"

static void entries_have_gravity(void) {
    History *history = calloc(1, sizeof(*history));
    int16_t *entry = &history->quiet[WHITE][SQ_NB][3];
    history_add(history, entry, 1000, HISTORY_MAX);
    CHECK_INT(*entry, 1000);
    history_add(history, entry, 1000, HISTORY_MAX);
    CHECK_INT(*entry, 2000 - 1000 * 1000 / HISTORY_MAX);
    for (int i = 0; i < 1000; i++) {
        history_add(history, entry, HISTORY_MAX, HISTORY_MAX);
        CHECK(*entry <= HISTORY_MAX);
    }
    CHECK(*entry > HISTORY_MAX * 9 / 10);
    for (int i = 0; i < 1000; i++) {
        history_add(history, entry, -10 * HISTORY_MAX, HISTORY_MAX);
        CHECK(*entry >= -HISTORY_MAX);
    }
    CHECK(*entry < -HISTORY_MAX * 9 / 10);
    free(history);
}

/* Clearing reaches every entry that was written: the first and the last of each table, and some in
 * between. */
static void clearing_reaches_every_entry(void) {
    History *history = calloc(1, sizeof(*history));
    int16_t *tables[] = {&history->quiet[0][0][0],
                         &history->low_ply[0][0][0],
                         &history->capture[0][0][0][0],
                         &history->pawn[0][0][0],
                         &history->correction[0][0][0],
                         &history->continuation[0][0][0][0][0][0],
                         &history->continuation_correction[0][0][0][0]};
    size_t counts[] = {sizeof(history->quiet),
                       sizeof(history->low_ply),
                       sizeof(history->capture),
                       sizeof(history->pawn),
                       sizeof(history->correction),
                       sizeof(history->continuation),
                       sizeof(history->continuation_correction)};
    for (size_t i = 0; i < COUNTOF(tables); i++) {
        size_t last = counts[i] / sizeof(int16_t) - 1;
        for (size_t k = 0; k <= 10; k++) {
            history_add(history, tables[i] + last * k / 10, 77, HISTORY_MAX);
        }
    }
    history_set_counter(history, (Piece)0, (Square)0, 123);
    history_set_counter(history, (Piece)(PIECE_NB - 1), (Square)(SQ_NB - 1), 123);
    history_clear(history);
    const char *bytes = (const char *)history;
    size_t at = 0;
    while (at < sizeof(*history) && bytes[at] == 0) {
        at++;
    }
    CHECK(at == sizeof(*history));
    free(history);
}

static Score correction(History *history, const Position *pos) {
    HistoryPlace place = history_locate(history, pos);
    return history_correction(&place);
}

/* If searches repeatedly score such positions above or below their evaluation, the correction
 * follows. */
static void corrections_follow_the_search(void) {
    History *history = calloc(1, sizeof(*history));
    Position pos = position_at("startpos");
    CHECK_INT(correction(history, &pos), 0);
    HistoryPlace place = history_locate(history, &pos);
    history_learn_error(history, &place, 8, 50);
    Score once = correction(history, &pos);
    CHECK(once > 0);
    for (int i = 0; i < 100; i++) {
        history_learn_error(history, &place, 8, 50);
    }
    Score often = correction(history, &pos);
    CHECK(often > once);
    for (int i = 0; i < 1000; i++) {
        history_learn_error(history, &place, 20, 3000);
    }
    CHECK(correction(history, &pos) >= often);
    CHECK(correction(history, &pos) < 2 * P_CORRECTION_WEIGHT); /* the limit of one entry is 128
                                                                   centipawns at a weight of 100 */
    for (int i = 0; i < 1000; i++) {
        history_learn_error(history, &place, 20, -3000);
    }
    CHECK(correction(history, &pos) < -often / 2);
    pos_free(&pos);
    free(history);
}

/* Corrections indexed by earlier moves are added to those indexed by pieces. */
static void continuations_correct_too(void) {
    History *history = calloc(1, sizeof(*history));
    Position pos = position_at("startpos");
    HistoryPlace place = history_locate(history, &pos);
    CHECK(place.continuations[0] == NULL && place.continuations[1] == NULL);
    HistoryPlace with_moves = place;
    with_moves.continuations[0] = &history->continuation_correction[1][2][3][4];
    with_moves.continuations[1] = &history->continuation_correction[5][6][3][4];
    history_learn_error(history, &with_moves, 8, 100);
    CHECK(history_correction(&with_moves) > history_correction(&place));
    CHECK(*with_moves.continuations[0] > *with_moves.continuations[1]);
    CHECK(*with_moves.continuations[1] > 0);
    pos_free(&pos);
    free(history);
}

/* The entries for one side to move do not affect the other side. Positions that share a property
 * share the entry for it. */
static void corrections_have_their_places(void) {
    History *history = calloc(1, sizeof(*history));
    Position black = position_at("4k4/9/4p4/9/9/9/4P4/9/4K4 b G 1");
    Position white = position_at("4k4/9/4p4/9/9/9/4P4/9/4K4 w G 1");
    Position other_hand = position_at("4k4/9/4p4/9/9/9/4P4/9/4K4 b S 1");
    Position other = position_at("3k5/8p/9/9/9/R8/8P/9/5K3 b S 1");
    HistoryPlace place = history_locate(history, &black);
    history_learn_error(history, &place, 10, 300);
    CHECK(correction(history, &black) > 0);
    CHECK_INT(correction(history, &white), 0);
    CHECK(correction(history, &other_hand) > 0);
    CHECK(correction(history, &other_hand) < correction(history, &black));
    CHECK_INT(correction(history, &other), 0);
    pos_free(&black);
    pos_free(&white);
    pos_free(&other_hand);
    pos_free(&other);
    free(history);
}

UNIT_MAIN({"entries have gravity", entries_have_gravity},
          {"clearing reaches every entry", clearing_reaches_every_entry},
          {"corrections follow the search", corrections_follow_the_search},
          {"continuations correct too", continuations_correct_too},
          {"corrections have their places", corrections_have_their_places})
