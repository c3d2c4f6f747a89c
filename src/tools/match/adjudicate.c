#include "tools/match/adjudicate.h"

#include "tools/match/gameresult.h"

static void count_run(int *run, bool goes_on) {
    *run = goes_on ? *run + 1 : 0;
}

static bool is_lost(const Adjudicator *adjudicator, const AdjudicationRules *rules, Color side) {
    int needed = rules->resign_moves;
    return needed > 0 && adjudicator->losing_run[side] >= needed &&
           (!rules->is_resign_mutual || adjudicator->winning_run[color_flip(side)] >= needed);
}

static bool is_drawn(const Adjudicator *adjudicator, const AdjudicationRules *rules, int ply) {
    int needed = rules->draw_moves;
    return needed > 0 && ply >= rules->draw_from_ply && adjudicator->draw_run[BLACK] >= needed &&
           adjudicator->draw_run[WHITE] >= needed;
}

KmdWinner adjudicate_move(Adjudicator *adjudicator, const AdjudicationRules *rules, Color side,
                          const UsiInfo *info, int ply) {
    bool has = info->has_score;
    int score = info->score;
    count_run(&adjudicator->losing_run[side], has && score <= -rules->resign_score);
    count_run(&adjudicator->winning_run[side], has && score >= rules->resign_score);
    count_run(&adjudicator->draw_run[side],
              has && score <= rules->draw_score && score >= -rules->draw_score);
    if (is_lost(adjudicator, rules, side)) {
        return winner_of(color_flip(side));
    }
    if (is_lost(adjudicator, rules, color_flip(side))) {
        return winner_of(side);
    }
    return is_drawn(adjudicator, rules, ply) ? KMD_WINNER_DRAW : KMD_WINNER_NONE;
}
