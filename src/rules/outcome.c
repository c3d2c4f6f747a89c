/* outcome.c: tests for mate, repetition, the try rule and the move limit, in this order of
 * precedence. */
#include "rules/outcome.h"

#include "rules/declare.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/repetition.h"

static KmdOutcome won_by(KmdEnding kind, Color winner) {
    return (KmdOutcome){kind, outcome_winner(winner)};
}

static KmdOutcome drawn(KmdEnding kind) {
    return (KmdOutcome){kind, KMD_WINNER_DRAW};
}

KmdOutcome outcome_of(const Position *pos, const OutcomeRules *rules) {
    Color them = color_flip(pos->side);
    if (!gen_has_move(pos)) {
        return won_by(pos_in_check(pos) ? KMD_END_MATE : KMD_END_NO_MOVES, them);
    }
    Repetition repetition = repetition_in_game(pos);
    if (repetition == REP_DRAW) {
        return drawn(KMD_END_SENNICHITE);
    }
    if (repetition == REP_WIN || repetition == REP_LOSS) {
        return repetition == REP_WIN ? won_by(KMD_END_PERPETUAL_WIN, pos->side)
                                     : won_by(KMD_END_PERPETUAL_LOSS, them);
    }
    /* The side that has just moved is tested first: if the other king had already been on its try
     * square, the game would have ended earlier. */
    const Color order[] = {them, pos->side};
    for (int i = 0; i < 2 && rules->declare == KMD_DECLARE_TRY; i++) {
        if (declare_result_for(pos, KMD_DECLARE_TRY, order[i]) == KMD_DECLARATION_WIN) {
            return won_by(KMD_END_TRY, order[i]);
        }
    }
    if (rules->max_plies > 0 && pos->ply > rules->max_plies) {
        return drawn(KMD_END_MAX_MOVES);
    }
    return (KmdOutcome){KMD_END_NONE, KMD_WINNER_NONE};
}

const char *outcome_ending_text(KmdEnding ending) {
    static const char *const texts[KMD_ENDING_COUNT] = {
        [KMD_END_NONE] = "no ending",
        [KMD_END_RESIGN] = "resignation",
        [KMD_END_INTERRUPT] = "interrupted",
        [KMD_END_SENNICHITE] = "repetition (sennichite)",
        [KMD_END_IMPASSE] = "impasse",
        [KMD_END_DRAW] = "draw",
        [KMD_END_MAX_MOVES] = "limit of moves",
        [KMD_END_MATE] = "mate",
        [KMD_END_NO_MATE] = "no mate",
        [KMD_END_TIMEOUT] = "time",
        [KMD_END_ILLEGAL_LOSS] = "illegal move by the side to move",
        [KMD_END_ILLEGAL_WIN] = "illegal move by the side that moved last",
        [KMD_END_DECLARATION] = "declaration win",
        [KMD_END_FORFEIT_WIN] = "won by forfeit",
        [KMD_END_FORFEIT_LOSS] = "lost by forfeit",
        [KMD_END_TRY] = "try",
        [KMD_END_TAKE_BACK] = "taken back",
        [KMD_END_ERROR] = "error",
        [KMD_END_OTHER] = "other",
        [KMD_END_NO_MOVES] = "no legal move",
        [KMD_END_PERPETUAL_WIN] = "perpetual check by the side that moved last",
        [KMD_END_PERPETUAL_LOSS] = "perpetual check by the side to move",
    };
    ASSERT((int)ending < KMD_ENDING_COUNT);
    return texts[ending];
}
