/* matemoves.h: the moves of both sides in a mate search, with first guesses and delays.
 *
 * Reads the position only. */
#ifndef KMD_MATE_MATEMOVES_H
#define KMD_MATE_MATEMOVES_H

#include "rules/movegen.h"

struct Position;

/* A move with the data that the search needs before it tries the move. */
typedef struct MateMove {
    Move move;
    int16_t next;   /* the move that waits for this one to fail its side, or -1 */
    bool is_hidden; /* waits for another */
    uint8_t pn;     /* first guess of the proof number after the move */
    uint8_t dn;     /* after a check: of the disproof number; 1 after an evasion */
    int8_t order;   /* among equals the least comes first */
} MateMove;

/* The legal moves of a kind, to be freed: a mate goes thousands of plies deep, and the stack has no
 * room for a list at each. */
Move *matemoves_list(const struct Position *pos, GenKind kind, int *count);

/* All legal checks. A refusal to promote that can only serve to avoid a pawn-drop mate waits for
 * the promotion; where the attacker has no king it just looks worse. Returns the number of moves;
 * list has room for MAX_MOVES. */
int matemoves_checks(const struct Position *pos, MateMove *list);

/* All legal moves, checks and others. Those that come near the enemy king come first; the rest wait
 * for one another, except where they answer a check. */
int matemoves_attacks(const struct Position *pos, MateMove *list);

/* All legal moves of a side that is not in check but threatened with mate. Drops on one square wait
 * for each other. */
int matemoves_replies(const struct Position *pos, MateMove *list);

/* All legal moves of a side in check. Drops that block the check on one square wait for each other,
 * and so do the squares where a blocking piece has no support (delayed interposition). */
int matemoves_evasions(const struct Position *pos, MateMove *list);

/* True for a drop of a side in check on a square where the piece would stand without support and
 * threaten nothing. Most of them are futile. */
bool matemoves_is_loose_drop(const struct Position *pos, Move move);

/* Hides these in a list of evasions. */
void matemoves_hide_loose_drops(const struct Position *pos, MateMove *list, int count);

#endif
