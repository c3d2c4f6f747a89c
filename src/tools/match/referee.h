/* referee.h: plays one game between two players by the rules.
 *
 * The rules module alone decides what is legal and when the game is over; the players' word counts
 * for nothing. Uses the two players from the calling thread only. */
#ifndef KMD_MATCH_REFEREE_H
#define KMD_MATCH_REFEREE_H

#include <stdbool.h>

#include "rules/outcome.h"
#include "tools/match/gameresult.h"
#include "tools/match/player.h"
#include "tools/match/timecontrol.h"

/* ---- Adjudication: games that end because the scores of the players agree. The rules are those of
 * cutechess-cli (I. Jonsson et al.): resign and draw. Plain data and arithmetic. ---- */

/* A rule with movecount 0 is off. */
typedef struct AdjudicationRules {
    int resign_moves;      /* this many moves of a side in a row ... */
    int resign_score;      /* ... at or below minus this lose */
    bool is_resign_mutual; /* the other side must see it as well */
    int draw_moves;        /* this many moves in a row of both sides ... */
    int draw_score;        /* ... within this of 0 are a draw ... */
    int draw_from_ply;     /* ... once this many plies have been played */
} AdjudicationRules;

/* What has been seen in a game; zero-initialise. */
typedef struct Adjudicator {
    int losing_run[COLOR_NB];  /* latest moves of the side in a row with a lost score */
    int winning_run[COLOR_NB]; /* likewise with a won score */
    int draw_run[COLOR_NB];
} Adjudicator;

/* Notes the score that came with `side`'s move, the ply-th of the game, and returns who has won by
 * now: KMD_WINNER_NONE while the game continues. */
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
    void (*begin)(void *context); /* called when the players are ready, or a fault of one has ended
                                   * the game before; NULL: nobody wants to know */
    void (*move)(
        void *context, struct Position *pos,
        const GameResult *result); /* after each move,
                                    * with pos after it, which must be left as it is; or NULL */
    void *context;
} GameSetup;

typedef enum RefereeStatus {
    REFEREE_DONE,
    REFEREE_CANCELLED, /* the players' cancel flag was raised: there is no result */
    REFEREE_NO_EXEC    /* a program cannot be started; result->detail says why */
} RefereeStatus;

/* pos holds the opening with its moves played, and has the moves of the game at the end. *result
 * must be zero-initialised and is to be freed with gameresult_free. */
RefereeStatus referee_play(const GameSetup *setup, struct Position *pos, GameResult *result);

#endif
