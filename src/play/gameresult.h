/* gameresult.h: how a game ended, who won, and what was recorded during the game. Plain data. */
#ifndef KMD_PLAY_GAMERESULT_H
#define KMD_PLAY_GAMERESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "rules/types.h"

struct Position;

/* Why a game ended. From ENDED_ILLEGAL on, the reasons are faults, for which the player at fault
 * loses. */
typedef enum EndReason {
    ENDED_MATE,
    ENDED_NO_MOVES,
    ENDED_RESIGN,
    ENDED_DECLARATION, /* a win, or a draw under a 24-point rule */
    ENDED_TRY,
    ENDED_REPETITION,
    ENDED_PERPETUAL_CHECK,
    ENDED_MAX_PLIES,
    ENDED_ADJUDGED_WIN,  /* both players agree that one side has lost */
    ENDED_ADJUDGED_DRAW, /* both players agree that the game is drawn */
    ENDED_INTERRUPTED,   /* there is no result; only in komadori-csa */
    ENDED_ILLEGAL,       /* an illegal move, or no move at all */
    ENDED_FALSE_WIN,     /* "bestmove win" although the conditions are not met */
    ENDED_TIME,
    ENDED_HANG,      /* no answer to a search without a clock */
    ENDED_CRASH,     /* the process ended */
    ENDED_NOT_READY, /* no usiok or readyok in time */
    ENDED_PROTOCOL,  /* an unexpected answer */
    ENDED_NB
} EndReason;

/* The time and nodes that a player used in a game. A new number needs a line here, a line in the
 * table of gameresult.c, the place in referee.c where it is measured, and a place in a report. */
typedef struct PlayerStats {
    int64_t moves;
    int64_t time_ns;
    int64_t nodes;         /* as reported by the engine */
    int64_t nodes_time_ns; /* time of the searches that reported nodes */
    int64_t depth_sum;     /* sum over the searches that reported a depth */
    int64_t depth_moves;
} PlayerStats;

/* The data recorded for one move. */
typedef struct MoveNote {
    int64_t time_ns;
    bool has_score; /* the player reported a score */
    int score;      /* centipawns from black's point of view; mates as in UsiInfo */
    int depth;      /* 0: not reported; likewise `nodes` */
    uint64_t nodes;
    int64_t left_ns;   /* time left on the player's clock after the move; -1: no clock */
    size_t pv, pv_len; /* offset and length of the reported line in GameResult.pvs */
} MoveNote;

typedef struct GameResult {
    KmdWinner winner; /* black, white or draw */
    EndReason reason;
    StrBuf detail;   /* details of a fault; may be empty */
    StrBuf start;    /* the opening as USI text */
    StrBuf moves;    /* the moves after the opening, separated by spaces */
    int plies;       /* number of the moves after the opening */
    MoveNote *notes; /* one per move; NULL if the result was read from a file */
    size_t note_cap;
    StrBuf pvs;         /* the lines that `notes` refers to */
    int64_t start_time; /* seconds since 1970; 0: unknown; likewise `end_time` */
    int64_t end_time;
    PlayerStats stats[COLOR_NB];
} GameResult;

void gameresult_free(GameResult *result);

/* Adds a move with its note and the reported line; the note's place of the line is set here. */
void gameresult_add_move(GameResult *result, Move move, MoveNote note, StrView pv);

/* Reads the moves that a player expects after the last move of the position: those that follow this
 * move in its reported line, as far as they are legal, and at most `max`. Returns their number, 0
 * if the line begins with another move. The position is left unchanged. */
int gameresult_read_pv(StrView line, struct Position *pos, Move *moves, int max);

/* Write and read a reason as a word without spaces, such as "perpetual_check". Reading returns
 * false for an unknown word. */
const char *gameresult_end_name(EndReason reason);
bool gameresult_end_read(StrView name, EndReason *reason) MUST_CHECK;

/* gameresult_reason_of returns the reason for an ending by the rules. gameresult_ending returns the
 * ending to write in the record of a game with `side` to move. */
EndReason gameresult_reason_of(KmdEnding ending);
KmdEnding gameresult_ending(const GameResult *result, Color side);

/* Write and read a winner as "black", "white" or "draw". Reading returns false for any other
 * word. */
const char *gameresult_winner_name(KmdWinner winner);
bool gameresult_winner_read(StrView name, KmdWinner *winner) MUST_CHECK;

bool gameresult_is_fault(EndReason reason);

/* A hash of the number of the game, its winner, reason, opening and moves. The sum over the games
 * of a tournament is its signature. */
uint64_t gameresult_hash(const GameResult *result, int index);

/* Adds all numbers of another player, up to a total of INT64_MAX each. */
void gameresult_add_stats(PlayerStats *sum, const PlayerStats *more);

/* Append the numbers of both players as members of a JSON object, and read them from a line with
 * such an object. A number that is missing, because an older version did not have it, is 0. */
void gameresult_write_stats(const PlayerStats stats[COLOR_NB], StrBuf *out);
void gameresult_read_stats(StrView line, PlayerStats stats[COLOR_NB]);

#endif
