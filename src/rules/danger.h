/* danger.h: the squares around a king that the enemy attacks, so that the king cannot go there.
 *
 * One shift of a set makes the steps of all pieces in one direction, and pieces too far away are
 * skipped. One call covers all eight neighbours of a king. Reads only the position's bitboards and
 * kings, not its mailbox or state; safe from any thread after rules_init. */
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

/* The entry for SQ_NONE (no king) includes all sliders but no stepping pieces. */
extern KingZone danger_king_zones[SQ_NB + 1];

/* Fills the table. rules_init calls it after attacks_init. */
void danger_init(void);

/* The squares around the king of `color` that the enemy attacks. The king must exist. The set is
 * complete for the king's square and its neighbours, and attacks along lines pass through the king;
 * attacked squares further away may be missing. */
Bitboard danger_king(const struct Position *pos, Color color);

/* The same. *lines becomes the squares that its sliders attack along their lines. */
Bitboard danger_king_lines(const struct Position *pos, Color color, Bitboard *lines);

/* The squares attacked by those of `pieces` that are stepping pieces of `color`. Kings, and the
 * single steps of horses and dragons, are included. */
Bitboard danger_steps(const struct Position *pos, Color color, Bitboard pieces);

#endif
