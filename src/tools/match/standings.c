#include "tools/match/standings.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"

void standings_init(Standings *standings, const Schedule *schedule) {
    int encounters = schedule_encounters(schedule);
    *standings = (Standings){.schedule = *schedule, .total = schedule_total(schedule)};
    standings->encounters = xmem_calloc((size_t)encounters, sizeof(standings->encounters[0]));
    for (int i = 0; i < encounters; i++) {
        standings->encounters[i].pairs.kinds = SCORE_PAIRS;
    }
    standings->engines = xmem_calloc((size_t)schedule->engines, sizeof(standings->engines[0]));
    standings->half_points = xmem_alloc((size_t)standings->total, 1);
    memset(standings->half_points, NOT_PLAYED, (size_t)standings->total);
}

void standings_free(Standings *standings) {
    free(standings->encounters);
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

/* Counts the pair of a game once both of its games are there. */
static void add_pair(Standings *standings, const ScheduledGame *game) {
    int other = game->index ^ 1;
    if (game->pair >= 0 && standings_has(standings, other)) {
        int sum = standings->half_points[game->index] + standings->half_points[other];
        standings->encounters[game->encounter].pairs.count[sum]++;
    }
}

void standings_add(Standings *standings, const ScheduledGame *game, const GameResult *result) {
    ASSERT(!standings_has(standings, game->index));
    Color first = game->is_first_black ? BLACK : WHITE;
    bool is_draw = result->winner == KMD_WINNER_DRAW;
    int half_points = is_draw ? 1 : result->winner == winner_of(first) ? 2 : 0;
    standings->half_points[game->index] = (uint8_t)half_points;
    wdl_add(&standings->encounters[game->encounter].by_color[first], half_points);
    add_pair(standings, game);
    player_stats_add(&standings->engines[game->first].stats, &result->stats[first]);
    player_stats_add(&standings->engines[game->second].stats, &result->stats[color_flip(first)]);
    if (end_reason_is_fault(result->reason) && !is_draw) {
        int loser = half_points == 2 ? game->second : game->first;
        standings->engines[loser].faults[result->reason]++;
    }
    standings->ends[result->reason]++;
    standings->black_wins += result->winner == KMD_WINNER_BLACK;
    standings->white_wins += result->winner == KMD_WINNER_WHITE;
    standings->plies += (uint64_t)result->plies;
    standings->signature += gameresult_hash(result, game->index);
    standings->done++;
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
    return (ScoreSample){SCORE_GAMES, {score.losses, score.draws, score.wins}};
}

WinDrawLoss standings_engine(const Standings *standings, int engine) {
    WinDrawLoss sum = {0, 0, 0};
    for (int i = 0; i < schedule_encounters(&standings->schedule); i++) {
        int first;
        int second;
        schedule_opponents(&standings->schedule, i, &first, &second);
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
        int first;
        int second;
        schedule_opponents(&standings->schedule, i, &first, &second);
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
