/* legality.h: whether a 16-bit move is legal in a position, and if not, why not.
 *
 * Meant for moves from outside (USI, records, the hash table): any bit pattern may be passed. The
 * functions only read the position: safe from any thread on its own position. */
#ifndef KMD_RULES_LEGALITY_H
#define KMD_RULES_LEGALITY_H

#include "rules/bitboard.h"
#include "rules/types.h"

struct Position;

/* Returns KMD_LEGAL, or why the side to move may not play `move`. For special moves the result is
 * KMD_ILLEGAL_NOT_A_MOVE. */
KmdLegality legality_of(const struct Position *pos, Move move);

/* Returns whether legality_of is KMD_LEGAL, but fast enough to test every hash move. */
bool move_is_legal(const struct Position *pos, Move move);

/* True if a pawn of the side to move dropped on `to`, directly in front of the enemy king, is mate.
 * Apart from that, the drop must be legal. The test is exact: it considers captures of the pawn by
 * unpinned pieces, and king moves with the pawn on the board. */
bool legality_is_drop_mate(const struct Position *pos, Square to);

/* Like legality_is_drop_mate, for a drop by `us`. The caller supplies the blockers of the enemy
 * king (see State), so the state is not read. */
bool legality_drop_mates(const struct Position *pos, Color us, Square to, Bitboard blockers);

/* A short English phrase, such as "two pawns on the file (nifu)". Static storage. */
const char *legality_text(KmdLegality reason);

#endif
