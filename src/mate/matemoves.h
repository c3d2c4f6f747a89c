/* matemoves.h: the moves of both sides in a mate search, with initial proof numbers and delayed
 * moves.
 *
 * These functions only read the position. */
#ifndef KMD_MATE_MATEMOVES_H
#define KMD_MATE_MATEMOVES_H

#include "rules/movegen.h"

struct Position;

/* A move with the data that the search needs before trying it. */
typedef struct MateMove {
    Move move;
    int16_t next;   /* index of the move that stays hidden until this one has failed, or -1 */
    bool is_hidden; /* do not try this move before another one */
    uint8_t pn;     /* initial proof number after the move */
    uint8_t dn;     /* initial disproof number after a check; 1 after an evasion */
    int8_t order;   /* among equal moves, the smallest comes first */
} MateMove;

/* Returns the legal moves of a kind; the caller frees the list. The list is not on the stack,
 * because a mate can be thousands of plies deep. */
Move *matemoves_list(const struct Position *pos, GenKind kind, int *count);

/* Lists all legal checks. A non-promotion that can only help to avoid a pawn-drop mate stays hidden
 * until its promotion has failed; if the attacker has no king, it only gets a worse number. Returns
 * the number of moves. The list must have room for MAX_MOVES. */
int matemoves_checks(const struct Position *pos, MateMove *list);

/* Lists all legal moves, checks and others. Moves near the enemy king come first. Each other move
 * stays hidden until the one before it has failed, unless the attacker is in check. */
int matemoves_attacks(const struct Position *pos, MateMove *list);

/* Lists all legal moves of a side that is threatened with mate but not in check. Of the drops on
 * the same square, each stays hidden until the one before it has failed. */
int matemoves_replies(const struct Position *pos, MateMove *list);

/* Lists all legal moves of a side in check. Of the drops that block the check on the same square,
 * each stays hidden until the one before it has failed. The same applies to the squares on which a
 * blocking piece has no support (delayed interposition). */
int matemoves_evasions(const struct Position *pos, MateMove *list);

#endif
