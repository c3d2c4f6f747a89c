/* brink.h: the levels of a search for a brinkmate (hisshi).
 *
 * A brinkmate is a position in which the defender is to move and, whatever he does, is mated by
 * checks. Each position of the search has a level, which says what the attacker may still do:
 *
 *   0        only check: a mate
 *   1        only check, but answer a check of the defender's by any move; where the attacker has
 *            no king this is level 0
 *   n + 1    make the last quiet move after at most n plies (n = 1, 3, 5, ...): a check or a quiet
 *            move costs two of them, an answer to a check that gives none itself costs nothing
 *
 * After a quiet move the defender may pass as well, and then the attacker must mate by checks
 * alone: so each quiet move is a threat of mate (Nagai 2011). A mate is a win at every level. */
#ifndef KMD_MATE_BRINK_H
#define KMD_MATE_BRINK_H

#include "rules/position.h"

enum { BRINK_MATE = 0, BRINK_HOLD = 1, BRINK_MOVES_MOST = 9, BRINK_FORBIDDEN = -1 };

/* The level of a brinkmate in `moves` moves. */
static inline int brink_level(int moves) {
    return moves + 1;
}

/* May the attacker, to move in *pos, make a move that gives no check? */
static inline bool brink_has_quiet(const Position *pos, int level) {
    return level > BRINK_HOLD || (level == BRINK_HOLD && pos_in_check(pos));
}

/* The level after a legal move of the attacker, to move in *pos; BRINK_FORBIDDEN: not allowed. */
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

/* Distinguishes the same board at different levels; 0 at level 0. */
static inline uint64_t brink_salt(int level) {
    return (uint64_t)level * 0xA0761D6478BD642F;
}

#endif
