/* legality.h: whether any 16-bit move is legal in a position, and if not, why not.
 *
 * Made for moves from outside (USI, records, the transposition table): any bit pattern is allowed.
 * Reads the position only; safe from any thread on its own position. */
#ifndef KMD_RULES_LEGALITY_H
#define KMD_RULES_LEGALITY_H

#include "rules/bitboard.h"
#include "rules/types.h"

struct Position;

/* KMD_LEGAL, or why the side to move may not play `move`. Special moves are KMD_ILLEGAL_NOT_A_MOVE.
 */
KmdLegality legality_of(const struct Position *pos, Move move);

/* legality_of(...) == KMD_LEGAL; fast enough for every transposition-table move. */
bool move_is_legal(const struct Position *pos, Move move);

/* True when dropping a pawn of the side to move on `to`, right before the enemy king, is mate.
 * The drop must be otherwise legal. The true escape test: captures of the pawn by unpinned pieces
 * and king moves, with the pawn on the board. */
bool pawn_drop_is_mate(const struct Position *pos, Square to);

/* The same with the blockers of the enemy king (see State) given by the caller: does not read the
 * state. `us` drops. */
bool pawn_drop_mates(const struct Position *pos, Color us, Square to, Bitboard blockers);

/* A short English phrase, such as "two pawns on the file (nifu)". Static storage. */
const char *legality_text(KmdLegality reason);

#endif
