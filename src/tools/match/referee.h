/* referee.h: plays one game between two players by the rules.
 *
 * The rules module alone decides what is legal and when the game is over; the players' word counts
 * for nothing. Uses the two players from the calling thread only. */
#ifndef KMD_MATCH_REFEREE_H
#define KMD_MATCH_REFEREE_H

#include <stdbool.h>

#include "tools/match/adjudicate.h"
#include "tools/match/gameresult.h"
#include "tools/match/player.h"
#include "tools/match/timecontrol.h"

struct Position;

typedef struct GameSetup {
    Player *player[COLOR_NB];
    const TimeControl *tc[COLOR_NB];
    bool ponders[COLOR_NB];
    const char *start; /* the opening as USI text, as it goes behind "position" */
    OutcomeRules rules;
    AdjudicationRules adjudication;
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
