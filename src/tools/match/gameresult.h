/* gameresult.h: how a game ended, who won, and what was noted on the way. Plain data. */
#ifndef KMD_MATCH_GAMERESULT_H
#define KMD_MATCH_GAMERESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "rules/outcome.h"
#include "rules/types.h"

/* Why a game ended. The faults, from END_ILLEGAL on, are losses of the player who is at fault. */
typedef enum EndReason {
    END_MATE,
    END_NO_MOVES,
    END_RESIGN,
    END_DECLARATION, /* a win, or a draw under a 24-point rule */
    END_TRY,
    END_REPETITION,
    END_PERPETUAL_CHECK,
    END_MAX_PLIES,
    END_ADJUDGED_WIN,  /* both agree that one side has lost */
    END_ADJUDGED_DRAW, /* both agree that nothing happens any more */
    END_ILLEGAL,       /* an illegal move, or no move at all */
    END_FALSE_WIN,     /* "bestmove win" without the conditions */
    END_TIME,
    END_HANG,      /* no answer where no clock would end the wait */
    END_CRASH,     /* the process ended */
    END_NOT_READY, /* no usiok or readyok in time */
    END_PROTOCOL,  /* an answer without a question */
    END_REASON_NB
} EndReason;

/* What a player used in a game. */
typedef struct PlayerStats {
    int moves;
    int64_t time_ns;
    uint64_t nodes;        /* as the engine told */
    int64_t nodes_time_ns; /* time of the searches whose nodes were told */
    int64_t depth_sum;     /* of the searches with a depth */
    int depth_moves;
} PlayerStats;

typedef struct GameResult {
    Winner winner; /* black, white or draw */
    EndReason reason;
    StrBuf detail; /* more about a fault, may be empty */
    StrBuf start;  /* the opening as USI text */
    StrBuf moves;  /* the moves played after the opening, separated by blanks */
    int plies;     /* number of these moves */
    PlayerStats stats[COLOR_NB];
} GameResult;

void gameresult_free(GameResult *result);

/* Words without blanks, such as "perpetual_check"; false for an unknown word. */
const char *end_reason_name(EndReason reason);
bool end_reason_read(StrView name, EndReason *reason) MUST_CHECK;

/* "black", "white" or "draw"; false for another word. */
const char *winner_name(Winner winner);
bool winner_read(StrView name, Winner *winner) MUST_CHECK;

bool end_reason_is_fault(EndReason reason);

static inline Winner winner_of(Color color) {
    return color == BLACK ? WINNER_BLACK : WINNER_WHITE;
}

/* A value that depends on the number of the game, its winner, reason, opening and moves only; the
 * sum over the games of a tournament is its signature. */
uint64_t gameresult_hash(const GameResult *result, int index);

void player_stats_add(PlayerStats *sum, const PlayerStats *more);

#endif
