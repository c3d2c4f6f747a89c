/* danger.h: the squares around a king that the enemy attacks, where the king cannot go.
 *
 * All steps of all pieces in one direction are a shift of one set, and pieces too far off are
 * skipped, so one call answers for all eight neighbours of a king. Reads the position's sets and
 * kings only, not its mailbox or state; safe from any thread once rules_init has run. */
#ifndef KMD_RULES_DANGER_H
#define KMD_RULES_DANGER_H

#include "rules/bitboard.h"
#include "rules/types.h"

struct Position;

/* By square of a king: from where an enemy piece may bear on it or on a square beside it. [color]
 * is the king's. Anything outside these sets is of no concern to the king's moves. */
typedef struct KingZone {
    Bitboard steps[COLOR_NB];
    Bitboard lances[COLOR_NB];
    Bitboard bishops;
    Bitboard rooks;
} KingZone;

/* [SQ_NONE] stands for no king: sliders count wherever they are, steps do not. */
extern KingZone danger_king_zones[SQ_NB + 1];

/* Fills the table; rules_init calls it, after attacks_init. */
void danger_init(void);

/* The squares that the enemies of `color` attack around its king, which must exist: all of the
 * king's square and its neighbours, seen through the king itself; of squares farther off some may
 * be missing. */
Bitboard danger_king(const struct Position *pos, Color color);

/* The squares that the stepping pieces of `color` among `pieces` attack; kings, horses and dragons
 * by their single steps. */
Bitboard danger_steps(const struct Position *pos, Color color, Bitboard pieces);

#endif
