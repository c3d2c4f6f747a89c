/* gameresult.h: how a game ended, who won, and what was noted on the way. Plain data. */
#ifndef KMD_MATCH_GAMERESULT_H
#define KMD_MATCH_GAMERESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "rules/types.h"

/* Why a game ended. The faults, from ENDED_ILLEGAL on, are losses of the player who is at fault. */
typedef enum EndReason {
    ENDED_MATE,
    ENDED_NO_MOVES,
    ENDED_RESIGN,
    ENDED_DECLARATION, /* a win, or a draw under a 24-point rule */
    ENDED_TRY,
    ENDED_REPETITION,
    ENDED_PERPETUAL_CHECK,
    ENDED_MAX_PLIES,
    ENDED_ADJUDGED_WIN,  /* both agree that one side has lost */
    ENDED_ADJUDGED_DRAW, /* both agree that nothing happens any more */
    ENDED_ILLEGAL,       /* an illegal move, or no move at all */
    ENDED_FALSE_WIN,     /* "bestmove win" without the conditions */
    ENDED_TIME,
    ENDED_HANG,      /* no answer where no clock would end the wait */
    ENDED_CRASH,     /* the process ended */
    ENDED_NOT_READY, /* no usiok or readyok in time */
    ENDED_PROTOCOL,  /* an answer without a question */
    ENDED_NB
} EndReason;

/* What a player used in a game. */
typedef struct PlayerStats {
    int moves;
    int64_t time_ns;
    uint64_t nodes;        /* as the engine told; at most INT64_MAX */
    int64_t nodes_time_ns; /* time of the searches whose nodes were told */
    int64_t depth_sum;     /* of the searches with a depth */
    int depth_moves;
} PlayerStats;

/* What is known of one move. */
typedef struct MoveNote {
    int64_t time_ns;
    bool has_score; /* the player told one */
    int score;      /* centipawns for black; mates as in player.h */
    int depth;      /* 0: not told, as the next */
    uint64_t nodes;
    int64_t left_ns;   /* on its clock after the move; -1: it has none */
    size_t pv, pv_len; /* the line that it told, in GameResult.pvs */
} MoveNote;

typedef struct GameResult {
    KmdWinner winner; /* black, white or draw */
    EndReason reason;
    StrBuf detail;   /* more about a fault, may be empty */
    StrBuf start;    /* the opening as USI text */
    StrBuf moves;    /* the moves played after the opening, separated by blanks */
    int plies;       /* number of these moves */
    MoveNote *notes; /* on each of them; NULL for a result that was read from a file */
    size_t note_cap;
    StrBuf pvs;         /* of the notes */
    int64_t start_time; /* time of day, in seconds since 1970; 0: not known, as the next */
    int64_t end_time;
    PlayerStats stats[COLOR_NB];
} GameResult;

void gameresult_free(GameResult *result);

/* Words without blanks, such as "perpetual_check"; false for an unknown word. */
const char *gameresult_end_name(EndReason reason);
bool gameresult_end_read(StrView name, EndReason *reason) MUST_CHECK;

/* The reason that the rules of the game give, and the word of records for the end of a game with
 * `side` to move. */
EndReason gameresult_reason_of(KmdEnding ending);
KmdEnding gameresult_ending(const GameResult *result, Color side);

/* "black", "white" or "draw"; false for another word. */
const char *gameresult_winner_name(KmdWinner winner);
bool gameresult_winner_read(StrView name, KmdWinner *winner) MUST_CHECK;

bool gameresult_is_fault(EndReason reason);

/* A value that depends on the number of the game, its winner, reason, opening and moves only; the
 * sum over the games of a tournament is its signature. */
uint64_t gameresult_hash(const GameResult *result, int index);

/* Adds nodes, up to INT64_MAX in all, or all of another one's numbers. */
void gameresult_add_nodes(PlayerStats *stats, uint64_t nodes);
void gameresult_add_stats(PlayerStats *sum, const PlayerStats *more);

#endif
