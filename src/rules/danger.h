/* danger.h: the squares around a king that the enemy attacks, where the king cannot go.
 *
 * The steps of all pieces in one direction are one shift of a set, and pieces too far away are
 * skipped, so one call covers all eight neighbours of a king. Reads only the position's bitboards
 * and kings, not its mailbox or state; safe from any thread after rules_init. */
#ifndef KMD_RULES_DANGER_H
#define KMD_RULES_DANGER_H

#include "rules/bitboard.h"
#include "rules/types.h"

struct Position;

/* For each square of a king of `color`: the squares from which an enemy piece may attack it or a
 * neighbouring square. Pieces outside these sets do not affect the king's moves. */
typedef struct KingZone {
    Bitboard steps[COLOR_NB];
    Bitboard lances[COLOR_NB];
    Bitboard bishops;
    Bitboard rooks;
} KingZone;

/* The entry for SQ_NONE, no king, includes all sliders and no stepping pieces. */
extern KingZone danger_king_zones[SQ_NB + 1];

/* Fills the table. rules_init calls it after attacks_init. */
void danger_init(void);

/* The squares around the king of `color`, which must exist, that the enemy attacks. Complete for
 * the king's square and its neighbours, with lines passing through the king; squares further away
 * may be missing. */
Bitboard danger_king(const struct Position *pos, Color color);

/* The squares that the stepping pieces of `color` among `pieces` attack, including the single steps
 * of kings, horses and dragons. */
Bitboard danger_steps(const struct Position *pos, Color color, Bitboard pieces);

#endif
