/* referee.h: plays one game between two players by the rules.
 *
 * Only the rules module decides what is legal and when the game is over; players' claims are
 * checked. Uses the two players on the calling thread only. */
#ifndef KMD_MATCH_REFEREE_H
#define KMD_MATCH_REFEREE_H

#include <stdbool.h>

#include "rules/outcome.h"
#include "tools/match/gameresult.h"
#include "tools/match/player.h"
#include "tools/match/timecontrol.h"

/* ---- Adjudication: ends games if the scores of both players agree.
 *
 * The rules are those of cutechess-cli (I. Jonsson et al.): resign and draw. Plain data and
 * arithmetic. ---- */

/* A rule with movecount 0 is off. */
typedef struct AdjudicationRules {
    int resign_moves;      /* this many moves of a side in a row ... */
    int resign_score;      /* ... at or below minus this lose */
    bool is_resign_mutual; /* the opponent's scores must agree */
    int draw_moves;        /* this many moves in a row of both sides ... */
    int draw_score;        /* ... within this of 0 are a draw ... */
    int draw_from_ply;     /* ... once this many plies have been played */
} AdjudicationRules;

/* The scores of a game so far; zero-initialise. */
typedef struct Adjudicator {
    int losing_run[COLOR_NB];  /* number of the side's latest moves in a row with a lost score */
    int winning_run[COLOR_NB]; /* the same with a won score */
    int draw_run[COLOR_NB];
} Adjudicator;

/* Notes the score of `side`'s move, the ply-th of the game, and returns the winner, or
 * KMD_WINNER_NONE while the game continues. */
KmdWinner referee_adjudicate(Adjudicator *adjudicator, const AdjudicationRules *rules, Color side,
                             const UsiInfo *info, int ply);

/* ---- Games. ---- */

struct Position;

typedef struct GameSetup {
    Player *player[COLOR_NB];
    const TimeControl *tc[COLOR_NB];
    bool ponders[COLOR_NB];
    const char *start; /* the opening as USI text, as it goes after "position" */
    OutcomeRules rules;
    AdjudicationRules adjudication;
    void (*begin)(void *context); /* called when the players are ready, or if a fault has ended the
                                     game before; may be NULL */
    void (*move)(void *context, struct Position *pos,
                 const GameResult *result); /* called after each move, with `pos` after it, which
                                               must be left unchanged; may be NULL */
    void *context;
} GameSetup;

typedef enum RefereeStatus {
    REFEREE_DONE,
    REFEREE_CANCELLED, /* the players' cancel flag was set: there is no result */
    REFEREE_NO_EXEC    /* a program cannot be started; result->detail says why */
} RefereeStatus;

/* `pos` is the position after the opening, and at the end that after the last move. *result must be
 * zero-initialised; free it with gameresult_free. */
RefereeStatus referee_play(const GameSetup *setup, struct Position *pos, GameResult *result);

#endif
