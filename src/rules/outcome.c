#include "rules/outcome.h"

#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/repetition.h"

static Outcome won_by(OutcomeKind kind, Color winner) {
    return (Outcome){kind, winner == BLACK ? WINNER_BLACK : WINNER_WHITE};
}

static Outcome drawn(OutcomeKind kind) {
    return (Outcome){kind, WINNER_DRAW};
}

/* The side that has just moved comes first: a king that stood on its try square before would
 * have ended the game then. */
static bool find_try_winner(const Position *pos, Color *winner) {
    Color them = color_flip(pos->side);
    if (declare_result_for(pos, DECLARE_TRY, them) == DECLARE_WIN) {
        *winner = them;
        return true;
    }
    *winner = pos->side;
    return declare_result_for(pos, DECLARE_TRY, pos->side) == DECLARE_WIN;
}

Outcome outcome_of(const Position *pos, const OutcomeRules *rules) {
    Color them = color_flip(pos->side);
    if (!has_legal_move(pos)) {
        return won_by(pos_in_check(pos) ? OUTCOME_MATE : OUTCOME_NO_MOVES, them);
    }
    Repetition repetition = rep_game(pos);
    if (repetition == REP_DRAW) {
        return drawn(OUTCOME_SENNICHITE);
    }
    if (repetition == REP_WIN || repetition == REP_LOSS) {
        return won_by(OUTCOME_PERPETUAL_CHECK, repetition == REP_WIN ? pos->side : them);
    }
    Color winner;
    if (rules->declare == DECLARE_TRY && find_try_winner(pos, &winner)) {
        return won_by(OUTCOME_TRY, winner);
    }
    if (rules->max_plies > 0 && pos->ply > rules->max_plies) {
        return drawn(OUTCOME_MAX_PLIES);
    }
    return (Outcome){OUTCOME_ONGOING, WINNER_NONE};
}

const char *outcome_text(OutcomeKind kind) {
    static const char *const text[] = {
        [OUTCOME_ONGOING] = "the game goes on",
        [OUTCOME_MATE] = "checkmate",
        [OUTCOME_NO_MOVES] = "no legal move",
        [OUTCOME_SENNICHITE] = "fourth repetition (sennichite)",
        [OUTCOME_PERPETUAL_CHECK] = "perpetual check",
        [OUTCOME_TRY] = "king on the try square",
        [OUTCOME_MAX_PLIES] = "maximum number of moves",
    };
    ASSERT((size_t)kind < COUNTOF(text));
    return text[kind];
}
