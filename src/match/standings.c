/* standings.c: adds up results. */
#include "match/standings.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "rules/outcome.h"

void standings_init(Standings *standings, const Schedule *schedule, double repetition) {
    int encounters = schedule_encounters(schedule);
    *standings = (Standings){.schedule = *schedule, .total = schedule_total(schedule)};
    standings->wanted = standings->total;
    standings->repetition = repetition;
    standings->encounters = xmem_calloc((size_t)encounters, sizeof(standings->encounters[0]));
    for (int i = 0; i < encounters; i++) {
        standings->encounters[i].pairs.kinds = SCORE_PAIRS;
    }
    standings->opponents = xmem_calloc((size_t)encounters + 1, sizeof(Opponents));
    for (int i = 0; i < encounters; i++) {
        Opponents *pair = &standings->opponents[i];
        schedule_opponents(schedule, i, &pair->first, &pair->second);
    }
    standings->engines = xmem_calloc((size_t)schedule->engines, sizeof(standings->engines[0]));
    standings->stride = 1;
    standings->history =
        xmem_calloc((size_t)SCORE_SAMPLES_MAX * (size_t)schedule->engines, sizeof(ScoreSample));
    standings->half_points = xmem_alloc((size_t)standings->total, 1);
    memset(standings->half_points, NOT_PLAYED, (size_t)standings->total);
}

void standings_free(Standings *standings) {
    free(standings->encounters);
    free(standings->opponents);
    free(standings->history);
    free(standings->engines);
    free(standings->half_points);
    *standings = (Standings){0};
}

bool standings_has(const Standings *standings, int index) {
    return standings->half_points[index] != NOT_PLAYED;
}

static void wdl_add(WinDrawLoss *score, int half_points) {
    score->wins += half_points == 2;
    score->draws += half_points == 1;
    score->losses += half_points == 0;
}

/* Adds the current result of each engine to the history. When the history is full, every second
 * point is dropped. */
static void keep_history(Standings *standings) {
    size_t row = (size_t)standings->schedule.engines;
    if (standings->done % standings->stride != 0) {
        return;
    }
    for (int i = 0; i < standings->schedule.engines; i++) {
        standings->history[row * (size_t)standings->points + (size_t)i] =
            standings_engine_sample(standings, i);
    }
    standings->points++;
    if (standings->points == SCORE_SAMPLES_MAX) {
        for (int i = 0; i < SCORE_SAMPLES_MAX / 2; i++) {
            memcpy(standings->history + row * (size_t)i,
                   standings->history + row * (size_t)(2 * i + 1), row * sizeof(ScoreSample));
        }
        standings->points /= 2;
        standings->stride *= 2;
    }
}

void standings_add(Standings *standings, const ScheduledGame *game, const GameResult *result) {
    ASSERT(!standings_has(standings, game->index));
    Color first = game->is_first_black ? BLACK : WHITE;
    bool is_draw = result->winner == KMD_WINNER_DRAW;
    int half_points = is_draw ? 1 : result->winner == outcome_winner(first) ? 2 : 0;
    standings->half_points[game->index] = (uint8_t)half_points;
    EncounterScore *encounter = &standings->encounters[game->encounter];
    wdl_add(&encounter->by_color[first], half_points);
    if (is_draw && result->reason == ENDED_REPETITION) {
        encounter->extra[first] +=
            first == BLACK ? standings->repetition - 0.5 : 0.5 - standings->repetition;
    }
    int other = game->index ^ 1;
    if (game->pair >= 0 && standings_has(standings, other)) { /* the pair is complete */
        int sum = standings->half_points[game->index] + standings->half_points[other];
        encounter->pairs.count[sum]++;
    }
    gameresult_add_stats(&standings->engines[game->first].stats, &result->stats[first]);
    gameresult_add_stats(&standings->engines[game->second].stats,
                         &result->stats[color_flip(first)]);
    if (gameresult_is_fault(result->reason) && !is_draw) {
        int loser = half_points == 2 ? game->second : game->first;
        standings->engines[loser].faults[result->reason]++;
    }
    standings->ends[result->reason]++;
    standings->black_wins += result->winner == KMD_WINNER_BLACK;
    standings->white_wins += result->winner == KMD_WINNER_WHITE;
    standings->plies += result->plies;
    standings->signature += gameresult_hash(result, game->index);
    standings->done++;
    keep_history(standings);
}

WinDrawLoss standings_encounter(const Standings *standings, int encounter) {
    const WinDrawLoss *by_color = standings->encounters[encounter].by_color;
    return (WinDrawLoss){by_color[BLACK].wins + by_color[WHITE].wins,
                         by_color[BLACK].draws + by_color[WHITE].draws,
                         by_color[BLACK].losses + by_color[WHITE].losses};
}

ScoreSample standings_encounter_sample(const Standings *standings, int encounter) {
    if (schedule_is_paired(&standings->schedule)) {
        return standings->encounters[encounter].pairs;
    }
    WinDrawLoss score = standings_encounter(standings, encounter);
    return (ScoreSample){SCORE_GAMES,
                         {(uint64_t)score.losses, (uint64_t)score.draws, (uint64_t)score.wins}};
}

WinDrawLoss standings_engine(const Standings *standings, int engine) {
    WinDrawLoss sum = {0, 0, 0};
    for (int i = 0; i < schedule_encounters(&standings->schedule); i++) {
        int first = standings->opponents[i].first, second = standings->opponents[i].second;
        if (engine != first && engine != second) {
            continue;
        }
        WinDrawLoss score = standings_encounter(standings, i);
        sum.wins += engine == first ? score.wins : score.losses;
        sum.losses += engine == first ? score.losses : score.wins;
        sum.draws += score.draws;
    }
    return sum;
}

ScoreSample standings_engine_sample(const Standings *standings, int engine) {
    ScoreSample sum = {schedule_is_paired(&standings->schedule) ? SCORE_PAIRS : SCORE_GAMES, {0}};
    for (int i = 0; i < schedule_encounters(&standings->schedule); i++) {
        int first = standings->opponents[i].first, second = standings->opponents[i].second;
        if (engine != first && engine != second) {
            continue;
        }
        ScoreSample sample = standings_encounter_sample(standings, i);
        for (int k = 0; k < sample.kinds; k++) {
            sum.count[k] += sample.count[engine == first ? k : sample.kinds - 1 - k];
        }
    }
    return sum;
}

EngineRow standings_row(const Standings *standings, int engine) {
    ScoreSample sample = standings_engine_sample(standings, engine);
    EngineRow row = {.score = standings_engine(standings, engine)};
    row.games = wdl_games(&row.score);
    row.points = wdl_points(&row.score);
    for (int i = 0; i < schedule_encounters(&standings->schedule); i++) {
        Opponents pair = standings->opponents[i];
        const double *extra = standings->encounters[i].extra; /* of its repetitions */
        row.points += pair.first == engine    ? extra[BLACK] + extra[WHITE]
                      : pair.second == engine ? -extra[BLACK] - extra[WHITE]
                                              : 0.0;
    }
    row.estimate = elo_estimate(&sample);
    return row;
}

static double share_of(const Standings *standings, int engine) {
    EngineRow row = standings_row(standings, engine);
    return row.points / int_max(row.games, 1);
}

void standings_table(const Standings *standings, int *list) {
    for (int i = 0; i < standings->schedule.engines; i++) {
        double share = share_of(standings, i);
        int k = i;
        for (; k > 0 && share_of(standings, list[k - 1]) < share; k--) {
            list[k] = list[k - 1];
        }
        list[k] = i;
    }
}

bool standings_points(const Standings *standings, int row, int column, double *points) {
    bool has_met = false;
    *points = 0.0;
    for (int i = 0; i < schedule_encounters(&standings->schedule); i++) {
        Opponents pair = standings->opponents[i];
        if ((pair.first == row && pair.second == column) ||
            (pair.first == column && pair.second == row)) {
            WinDrawLoss score = standings_encounter(standings, i);
            const double *extra = standings->encounters[i].extra;
            double own = wdl_points(&score) + extra[BLACK] + extra[WHITE];
            *points += pair.first == row ? own : wdl_games(&score) - own;
            has_met = true;
        }
    }
    return has_met;
}
