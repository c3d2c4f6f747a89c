/* standings.c: pairs the rounds of knockout and Swiss tournaments, and adds up results. */
#include "match/standings.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "rules/outcome.h"

/* ---- Pairings that depend on results. ---- */

/* Half points of the first engine in games from..to-1. *is_played becomes true if all of them have
 * been played. */
static int sum_games(const Standings *standings, int from, int to, bool *is_played) {
    int sum = 0;
    *is_played = true;
    for (int i = from; i < to; i++) {
        *is_played = *is_played && standings_has(standings, i);
        sum += standings_has(standings, i) ? standings->half_points[i] : 0;
    }
    return sum;
}

int standings_winner(const Standings *standings, int encounter) {
    int games = standings->schedule.games;
    int first_game = encounter * games * KNOCKOUT_TRIES;
    Opponents pair = standings->opponents[encounter];
    for (int i = 0; i < KNOCKOUT_TRIES; i++) {
        bool is_played;
        int sum =
            sum_games(standings, first_game + i * games, first_game + (i + 1) * games, &is_played);
        if (!is_played) {
            return -1;
        }
        if (sum != games) {
            return sum > games ? pair.first : pair.second;
        }
    }
    return int_min(pair.first, pair.second);
}

bool standings_is_due(const Standings *standings, int index) {
    const Schedule *schedule = &standings->schedule;
    int block = schedule->games * (schedule->kind == KNOCKOUT ? KNOCKOUT_TRIES : 1);
    int encounter = index / block % schedule_encounters(schedule);
    if (standings->opponents[encounter].first < 0) {
        return false;
    }
    if (schedule->kind != KNOCKOUT) {
        return true;
    }
    int start = encounter * block;
    for (int from = start; from + schedule->games <= index; from += schedule->games) {
        bool is_played;
        int sum = sum_games(standings, from, from + schedule->games, &is_played);
        if (!is_played || sum != schedule->games) {
            return false;
        }
    }
    return true;
}

bool standings_is_complete(const Standings *standings) {
    if (standings->schedule.kind == KNOCKOUT) {
        int last = standings->schedule.engines - 2;
        return standings->opponents[last].first >= 0 && standings_winner(standings, last) >= 0;
    }
    return standings->done == standings->total;
}

ScheduledGame standings_game(const Standings *standings, int index) {
    ScheduledGame game = schedule_game(&standings->schedule, index);
    game.first = standings->opponents[game.encounter].first;
    game.second = standings->opponents[game.encounter].second;
    return game;
}

/* True if every game of a round has been played. */
static bool is_round_over(const Standings *standings, int round) {
    const Schedule *schedule = &standings->schedule;
    int from = schedule_first_encounter(schedule, round);
    int to = schedule_first_encounter(schedule, round + 1);
    bool is_over = true;
    for (int i = from; i < to && is_over; i++) {
        if (standings->opponents[i].first < 0) {
            is_over = false;
        } else if (schedule->kind == KNOCKOUT) {
            is_over = standings_winner(standings, i) >= 0;
        } else {
            (void)sum_games(standings, i * schedule->games, (i + 1) * schedule->games, &is_over);
        }
    }
    return is_over;
}

/* The engines that have lost no encounter before the round. */
static int list_survivors(const Standings *standings, int round, int *list) {
    int end = schedule_first_encounter(&standings->schedule, round);
    int count = 0;
    for (int engine = 0; engine < standings->schedule.engines; engine++) {
        bool is_in = true;
        for (int i = 0; i < end; i++) {
            Opponents pair = standings->opponents[i];
            bool is_of_it = pair.first == engine || pair.second == engine;
            is_in = is_in && (!is_of_it || standings_winner(standings, i) == engine);
        }
        if (is_in) {
            list[count++] = engine;
        }
    }
    return count;
}

static bool has_met(const Standings *standings, int a, int b) {
    for (int i = 0; i < schedule_encounters(&standings->schedule); i++) {
        Opponents pair = standings->opponents[i];
        if ((pair.first == a && pair.second == b) || (pair.first == b && pair.second == a)) {
            return true;
        }
    }
    return false;
}

/* Pairs list[0..count-1], best first: the best with the next one it has not met, provided that the
 * rest can be paired too. *steps limits the search. */
static bool pair_list(const Standings *standings, const int *list, int count, Opponents *out,
                      int *steps) {
    int rest[OPEN_ENGINES_MAX];
    if (count < 2) {
        return true;
    }
    for (int i = 1; i < count && --*steps > 0; i++) {
        if (has_met(standings, list[0], list[i])) {
            continue;
        }
        int left = 0;
        for (int k = 1; k < count; k++) {
            if (k != i) {
                rest[left++] = list[k];
            }
        }
        if (pair_list(standings, rest, left, out + 1, steps)) {
            *out = (Opponents){int_min(list[0], list[i]), int_max(list[0], list[i])};
            return true;
        }
    }
    return false;
}

void standings_order(const Standings *standings, int *list) {
    for (int i = 0; i < standings->schedule.engines; i++) {
        double rank = standings_rank(standings, i);
        int k = i;
        for (; k > 0 && standings_rank(standings, list[k - 1]) < rank; k--) {
            list[k] = list[k - 1];
        }
        list[k] = i;
    }
}

/* Removes the last engine that has had no bye from the list. */
static int take_bye(const Standings *standings, int round, int *list, int count) {
    int chosen = count - 1;
    for (int k = count - 1; k >= 0; k--) {
        bool has_had = false;
        for (int i = 0; i < round; i++) {
            has_had = has_had || standings->byes[i] == list[k];
        }
        if (!has_had) {
            chosen = k;
            break;
        }
    }
    int engine = list[chosen];
    memmove(list + chosen, list + chosen + 1, (size_t)(count - 1 - chosen) * sizeof(int));
    return engine;
}

static void pair_swiss(Standings *standings, int round) {
    int list[OPEN_ENGINES_MAX], count = standings->schedule.engines;
    int steps = 100000;
    Opponents *out = standings->opponents + schedule_first_encounter(&standings->schedule, round);
    standings_order(standings, list);
    if (count % 2 != 0) {
        standings->byes[round] = take_bye(standings, round, list, count);
        count--;
    }
    if (!pair_list(standings, list, count, out, &steps)) {
        for (int i = 0; i < count; i += 2) { /* every engine has played every other */
            out[i / 2] = (Opponents){int_min(list[i], list[i + 1]), int_max(list[i], list[i + 1])};
        }
    }
}

/* Pairs a round of a knockout. Of the remaining engines, the first plays the last, and so on. If
 * their number is odd, the first engine has a bye. */
static void pair_knockout(Standings *standings, int round) {
    int list[OPEN_ENGINES_MAX], count = list_survivors(standings, round, list);
    int skipped = count % 2;
    Opponents *out = standings->opponents + schedule_first_encounter(&standings->schedule, round);
    standings->byes[round] = skipped > 0 ? list[0] : -1;
    for (int i = 0; i < count / 2; i++) {
        out[i] = (Opponents){list[skipped + i], list[count - 1 - i]};
    }
}

/* Pairs the next round once the previous one is over. */
static void pair_up(Standings *standings) {
    const Schedule *schedule = &standings->schedule;
    for (int round = 0; round < schedule_rounds(schedule); round++) {
        bool is_known = standings->opponents[schedule_first_encounter(schedule, round)].first >= 0;
        if (!is_known) {
            if (round == 0 || is_round_over(standings, round - 1)) {
                (schedule->kind == SWISS ? pair_swiss : pair_knockout)(standings, round);
            }
            return;
        }
    }
}

/* The number of games in the rounds of a Swiss tournament in which the engine had a bye. */
static int count_bye_games(const Standings *standings, int engine) {
    int count = 0;
    for (int i = 0; standings->schedule.kind == SWISS && i < standings->schedule.rounds; i++) {
        count += standings->byes[i] == engine ? standings->schedule.games : 0;
    }
    return count;
}

/* The points of an engine in its repetitions, beyond half a point for each. */
static double extra_points(const Standings *standings, int engine) {
    double sum = 0.0;
    for (int i = 0; i < schedule_encounters(&standings->schedule); i++) {
        Opponents pair = standings->opponents[i];
        const double *extra = standings->encounters[i].extra;
        sum += pair.first == engine    ? extra[BLACK] + extra[WHITE]
               : pair.second == engine ? -extra[BLACK] - extra[WHITE]
                                       : 0.0;
    }
    return sum;
}

double standings_rank(const Standings *standings, int engine) {
    WinDrawLoss score = standings_engine(standings, engine);
    double points = wdl_points(&score) + extra_points(standings, engine);
    double rank = 0.0;
    switch (standings->schedule.kind) {
    case SWISS:
        return points + count_bye_games(standings, engine);
    case KNOCKOUT:
        for (int i = 0; i < standings->schedule.engines - 1; i++) {
            bool is_known = standings->opponents[i].first >= 0;
            rank += is_known && standings_winner(standings, i) == engine;
        }
        for (int i = 0; i < schedule_rounds(&standings->schedule); i++) {
            rank += standings->byes[i] == engine;
        }
        return rank;
    default:
        return points / int_max(wdl_games(&score), 1);
    }
}

TieBreaks standings_ties(const Standings *standings, int engine) {
    TieBreaks ties = {0.0, 0.0};
    for (int i = 0; i < schedule_encounters(&standings->schedule); i++) {
        Opponents pair = standings->opponents[i];
        WinDrawLoss score = standings_encounter(standings, i);
        int games = wdl_games(&score);
        if ((pair.first == engine || pair.second == engine) && games > 0) {
            bool is_first = pair.first == engine;
            double share = wdl_points(&score) / games;
            double points = standings_row(standings, is_first ? pair.second : pair.first).points;
            ties.buchholz += points;
            ties.berger += points * (is_first ? share : 1.0 - share);
        }
    }
    return ties;
}

/* The values by which engines are sorted, most important first. */
typedef struct Merit {
    double parts[3];
} Merit;

static bool is_better(const Merit *a, const Merit *b) {
    int i = 0;
    while (i < 2 && a->parts[i] == b->parts[i]) {
        i++;
    }
    return a->parts[i] > b->parts[i];
}

void standings_table(const Standings *standings, int *list) {
    int engines = standings->schedule.engines;
    Merit *merits = xmem_calloc((size_t)engines, sizeof(*merits));
    for (int i = 0; i < engines; i++) {
        merits[i].parts[0] = standings_rank(standings, i);
        if (standings->schedule.kind == SWISS) {
            TieBreaks ties = standings_ties(standings, i);
            merits[i].parts[1] = ties.buchholz;
            merits[i].parts[2] = ties.berger;
        } else if (standings->schedule.kind == KNOCKOUT) {
            WinDrawLoss score = standings_engine(standings, i);
            merits[i].parts[1] = wdl_points(&score) / int_max(wdl_games(&score), 1);
        }
        int k = i;
        for (; k > 0 && is_better(&merits[i], &merits[list[k - 1]]); k--) {
            list[k] = list[k - 1];
        }
        list[k] = i;
    }
    free(merits);
}

/* ---- Counting. ---- */

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
    if (schedule_is_open(schedule)) {
        int rounds = schedule_rounds(schedule);
        standings->byes = xmem_alloc((size_t)rounds + 1, sizeof(int));
        for (int i = 0; i < rounds; i++) {
            standings->byes[i] = -1;
        }
        pair_up(standings);
    }
}

void standings_free(Standings *standings) {
    free(standings->encounters);
    free(standings->opponents);
    free(standings->byes);
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

/* Counts the pair of a game once both of its games have been played. */
static void add_pair(Standings *standings, const ScheduledGame *game) {
    int other = game->index ^ 1;
    if (game->pair >= 0 && standings_has(standings, other)) {
        int sum = standings->half_points[game->index] + standings->half_points[other];
        standings->encounters[game->encounter].pairs.count[sum]++;
    }
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
    add_pair(standings, game);
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
    if (schedule_is_open(&standings->schedule)) {
        pair_up(standings);
    }
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
    row.games = wdl_games(&row.score) + count_bye_games(standings, engine);
    row.points = wdl_points(&row.score) + extra_points(standings, engine) +
                 count_bye_games(standings, engine);
    row.estimate = elo_estimate(&sample);
    return row;
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
