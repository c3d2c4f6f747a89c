/* matemoves.h: the moves of both sides in a mate search, with initial proof numbers and delayed
 * moves.
 *
 * Reads the position only. */
#ifndef KMD_MATE_MATEMOVES_H
#define KMD_MATE_MATEMOVES_H

#include "rules/movegen.h"

struct Position;

/* A move with the data that the search needs before trying it. */
typedef struct MateMove {
    Move move;
    int16_t
        next; /* index of the move that stays hidden until this one is lost for the mover, or -1 */
    bool is_hidden; /* not to be tried before another move */
    uint8_t pn;     /* initial proof number after the move */
    uint8_t dn;     /* initial disproof number after a check; 1 after an evasion */
    int8_t order;   /* among equal moves, the smallest comes first */
} MateMove;

/* Returns the legal moves of a kind; the caller frees the list. It is not on the stack, because a
 * mate can be thousands of plies deep. */
Move *matemoves_list(const struct Position *pos, GenKind kind, int *count);

/* Lists all legal checks. A non-promotion that can only help to avoid a pawn-drop mate waits for
 * the promotion; if the attacker has no king, it only gets a worse number. Returns the number of
 * moves; list has room for MAX_MOVES. */
int matemoves_checks(const struct Position *pos, MateMove *list);

/* Lists all legal moves, checks and others. Moves near the enemy king come first; the others wait
 * for one another, unless the attacker is in check. */
int matemoves_attacks(const struct Position *pos, MateMove *list);

/* Lists all legal moves of a side that is threatened with mate but not in check. Drops on the same
 * square wait for each other. */
int matemoves_replies(const struct Position *pos, MateMove *list);

/* Lists all legal moves of a side in check. Drops that block the check on the same square wait for
 * each other, and so do the squares on which a blocking piece has no support (delayed
 * interposition). */
int matemoves_evasions(const struct Position *pos, MateMove *list);

/* True for a drop by a side in check on a square where the piece has no support and makes no
 * threat. Most such drops are futile. */
bool matemoves_is_loose_drop(const struct Position *pos, Move move);

/* Hides such drops in a list of evasions. */
void matemoves_hide_loose_drops(const struct Position *pos, MateMove *list, int count);

#endif
