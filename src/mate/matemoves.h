/* matemoves.h: the moves of both sides in a mate search, with initial proof numbers and delayed
 * moves, and the levels of a search for a brinkmate, which say which moves the attacker has.
 *
 * These functions only read the position. */
#ifndef KMD_MATE_MATEMOVES_H
#define KMD_MATE_MATEMOVES_H

#include "rules/movegen.h"
#include "rules/position.h"

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
Move *matemoves_list(const Position *pos, GenKind kind, int *count);

/* Lists all legal checks. A non-promotion that can only help to avoid a pawn-drop mate stays hidden
 * until its promotion has failed; if the attacker has no king, it only gets a worse number. Returns
 * the number of moves. The list must have room for MAX_MOVES. */
int matemoves_checks(const Position *pos, MateMove *list);

/* Lists all legal moves, checks and others. Moves near the enemy king come first. Each other move
 * stays hidden until the one before it has failed, unless the attacker is in check. */
int matemoves_attacks(const Position *pos, MateMove *list);

/* Lists all legal moves of a side that is threatened with mate but not in check. Of the drops on
 * the same square, each stays hidden until the one before it has failed. */
int matemoves_replies(const Position *pos, MateMove *list);

/* Lists all legal moves of a side in check. Of the drops that block the check on the same square,
 * each stays hidden until the one before it has failed. The same applies to the squares on which a
 * blocking piece has no support (delayed interposition). */
int matemoves_evasions(const Position *pos, MateMove *list);

/* ---- levels ---------------------------------------------------------------------------------- */

/* The search for a brinkmate (hisshi). A brinkmate is a position with the defender to move in which
 * every defence loses to a mate by checks. Each position of the search has a level, which says
 * which moves the attacker may still play:
 *
 *   0        only checks: an ordinary mate
 *   1        only checks, but a check by the defender may be answered with any move; the same as
 *            level 0 if the attacker has no king
 *   n + 1    the last quiet move comes after at most n plies (n = 1, 3, 5, ...). A check or a quiet
 *            move uses up two plies; a move that answers a check without giving check uses up none
 *
 * After a quiet move the defender may also pass, and the attacker must then mate by checks alone.
 * Every quiet move must therefore threaten mate (Nagai 2011). A mate wins at every level. */

enum { BRINK_MATE = 0, BRINK_HOLD = 1, BRINK_MOVES_MAX = 9, BRINK_FORBIDDEN = -1 };

/* The level at which to look for a brinkmate in `moves` moves. */
static inline int brink_level(int moves) {
    return moves + 1;
}

/* True if the attacker, who is to move in *pos, may make a move that gives no check. */
static inline bool brink_has_quiet(const Position *pos, int level) {
    return level > BRINK_HOLD || (level == BRINK_HOLD && pos_in_check(pos));
}

/* The level after a legal move of the attacker, who is to move in *pos. BRINK_FORBIDDEN if the
 * level does not allow the move. */
static inline int brink_after(const Position *pos, int level, bool gives_check) {
    if (level == BRINK_MATE) {
        return gives_check ? BRINK_MATE : BRINK_FORBIDDEN;
    }
    if (!gives_check && pos_in_check(pos)) {
        return level;
    }
    if (!gives_check && level == BRINK_HOLD) {
        return BRINK_FORBIDDEN;
    }
    int after = level > 2 ? level - 2 : BRINK_HOLD;
    return after == BRINK_HOLD && pos->king[pos->side] == SQ_NONE ? BRINK_MATE : after;
}

/* A number to add to the key of a board, so that a board has a different key at each level. It is 0
 * at level 0. */
static inline uint64_t brink_salt(int level) {
    return (uint64_t)level * 0xA0761D6478BD642F;
}

#endif
