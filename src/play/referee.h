/* referee.h: plays one game between two players according to the rules.
 *
 * Only the rules module decides what is legal and when the game is over; players' claims are
 * checked. Uses the two players on the calling thread only. */
#ifndef KMD_PLAY_REFEREE_H
#define KMD_PLAY_REFEREE_H

#include <stdbool.h>

#include "play/gameresult.h"
#include "play/player.h"
#include "play/timecontrol.h"
#include "rules/outcome.h"

/* ---- Adjudication: ends games if the scores of both players agree.
 *
 * The rules are those of cutechess-cli (Jonsson and others): resign and draw. Plain data and
 * arithmetic. ---- */

/* A rule with movecount 0 is off. */
typedef struct AdjudicationOptions {
    int resign_moves;      /* a side loses after this many moves in a row ... */
    int resign_score;      /* ... with a score of minus this or lower */
    bool is_resign_mutual; /* the opponent's scores must agree */
    int draw_moves;        /* the game is drawn after this many moves in a row by both sides ... */
    int draw_score;        /* ... with a score within this of 0 ... */
    int draw_from_ply;     /* ... once this many plies have been played */
} AdjudicationOptions;

/* The scores of a game so far; zero-initialise. */
typedef struct Adjudicator {
    int losing_run[COLOR_NB];  /* number of the side's latest moves in a row with a lost score */
    int winning_run[COLOR_NB]; /* number of the side's latest moves in a row with a won score */
    int draw_run[COLOR_NB];
} Adjudicator;

/* Records the score of `side`'s move at this ply of the game. Returns the winner, or
 * KMD_WINNER_NONE if the game continues. */
KmdWinner referee_adjudicate(Adjudicator *adjudicator, const AdjudicationOptions *options,
                             Color side, const UsiInfo *info, int ply);

/* ---- Games. ---- */

struct Position;

typedef struct GameSetup {
    Player *player[COLOR_NB];
    const TimeControl *tc[COLOR_NB];
    bool ponders[COLOR_NB];
    const char *start; /* the opening as USI text, as it goes after "position" */
    OutcomeRules rules;
    AdjudicationOptions adjudication;
    void (*begin)(void *context); /* called when the players are ready, or when a fault ends the
                                     game before that; may be NULL */
    void (*move)(void *context, struct Position *pos,
                 const GameResult *result); /* called after each move, with the position after the
                                               move, which must be left unchanged; may be NULL */
    void *context;
} GameSetup;

typedef enum RefereeStatus {
    REFEREE_DONE,
    REFEREE_CANCELLED, /* the players' cancel flag was set: there is no result */
    REFEREE_NO_EXEC    /* a program cannot be started; result->detail says why */
} RefereeStatus;

/* `pos` is the position after the opening and becomes the position after the last move. *result
 * must be zero-initialised; free it with gameresult_free. */
RefereeStatus referee_play(const GameSetup *setup, struct Position *pos, GameResult *result);

#endif
