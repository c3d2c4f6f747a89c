/* standings.c: adds up results. */
#include "match/standings.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "rules/outcome.h"

void standings_init(Standings *standings, const Contest *contest) {
    const Schedule *schedule = &contest->schedule;
    int encounters = schedule_encounters(schedule);
    *standings = (Standings){.contest = contest, .total = schedule_total(schedule), .stride = 1};
    standings->encounters = xmem_calloc((size_t)encounters + 1, sizeof(standings->encounters[0]));
    for (int i = 0; i < encounters; i++) {
        EncounterScore *encounter = &standings->encounters[i];
        encounter->pairs.kinds = SCORE_PAIRS;
        schedule_opponents(schedule, i, &encounter->first, &encounter->second);
    }
    standings->engines = xmem_calloc((size_t)schedule->engines, sizeof(standings->engines[0]));
    standings->history =
        xmem_calloc((size_t)SCORE_SAMPLES_MAX * (size_t)schedule->engines, sizeof(ScoreSample));
    standings->half_points = xmem_alloc((size_t)standings->total, 1);
    memset(standings->half_points, NOT_PLAYED, (size_t)standings->total);
    for (int i = 0; i < standings->total; i++) {
        standings->wanted += schedule_is_in_shard(schedule, i);
    }
}

void standings_free(Standings *standings) {
    free(standings->encounters);
    free(standings->history);
    free(standings->engines);
    free(standings->half_points);
    *standings = (Standings){0};
}

bool standings_has(const Standings *standings, int index) {
    return standings->half_points[index] != NOT_PLAYED;
}

void standings_add(Standings *standings, const ScheduledGame *game, const GameResult *result) {
    ASSERT(!standings_has(standings, game->index));
    Color first = game->is_first_black ? BLACK : WHITE;
    bool is_draw = result->winner == KMD_WINNER_DRAW;
    int half_points = is_draw ? 1 : result->winner == outcome_winner(first) ? 2 : 0;
    standings->half_points[game->index] = (uint8_t)half_points;
    EncounterScore *encounter = &standings->encounters[game->encounter];
    WinDrawLoss *score = &encounter->by_color[first];
    score->wins += half_points == 2;
    score->draws += half_points == 1;
    score->losses += half_points == 0;
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

    /* Add the current result of each engine to the history. When the history is full, every second
     * point is dropped. */
    if (standings->done % standings->stride != 0) {
        return;
    }
    size_t row = (size_t)standings->contest->schedule.engines;
    for (size_t i = 0; i < row; i++) {
        standings->history[row * (size_t)standings->points + i] =
            standings_engine_sample(standings, (int)i);
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

WinDrawLoss standings_encounter(const Standings *standings, int encounter) {
    const WinDrawLoss *by_color = standings->encounters[encounter].by_color;
    return (WinDrawLoss){by_color[BLACK].wins + by_color[WHITE].wins,
                         by_color[BLACK].draws + by_color[WHITE].draws,
                         by_color[BLACK].losses + by_color[WHITE].losses};
}

ScoreSample standings_encounter_sample(const Standings *standings, int encounter) {
    if (schedule_is_paired(&standings->contest->schedule)) {
        return standings->encounters[encounter].pairs;
    }
    WinDrawLoss score = standings_encounter(standings, encounter);
    return (ScoreSample){SCORE_GAMES,
                         {(uint64_t)score.losses, (uint64_t)score.draws, (uint64_t)score.wins}};
}

WinDrawLoss standings_engine(const Standings *standings, int engine, int opponent) {
    WinDrawLoss sum = {0, 0, 0};
    for (int i = 0; i < schedule_encounters(&standings->contest->schedule); i++) {
        int first = standings->encounters[i].first, second = standings->encounters[i].second;
        int other = engine == first ? second : first;
        if ((engine != first && engine != second) || (opponent >= 0 && opponent != other)) {
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
    const Schedule *schedule = &standings->contest->schedule;
    ScoreSample sum = {schedule_is_paired(schedule) ? SCORE_PAIRS : SCORE_GAMES, {0}};
    for (int i = 0; i < schedule_encounters(schedule); i++) {
        int first = standings->encounters[i].first, second = standings->encounters[i].second;
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

EloEstimate standings_engine_elo(const Standings *standings, int engine) {
    ScoreSample sample = standings_engine_sample(standings, engine);
    return elo_estimate(&sample);
}

static double points_share(const Standings *standings, int engine) {
    WinDrawLoss score = standings_engine(standings, engine, -1);
    return wdl_points(&score) / int_max(wdl_games(&score), 1);
}

void standings_table(const Standings *standings, int *list) {
    for (int i = 0; i < standings->contest->schedule.engines; i++) {
        double share = points_share(standings, i);
        int k = i;
        for (; k > 0 && points_share(standings, list[k - 1]) < share; k--) {
            list[k] = list[k - 1];
        }
        list[k] = i;
    }
}
