/* legality.h: whether a 16-bit move is legal in a position, and if not, why not.
 *
 * Made for moves from outside (USI, records, the hash table): any bit pattern is allowed. Reads the
 * position only; safe from any thread on its own position. */
#ifndef KMD_RULES_LEGALITY_H
#define KMD_RULES_LEGALITY_H

#include "rules/bitboard.h"
#include "rules/types.h"

struct Position;

/* KMD_LEGAL, or why the side to move may not play `move`. Special moves are KMD_ILLEGAL_NOT_A_MOVE.
 */
KmdLegality legality_of(const struct Position *pos, Move move);

/* legality_of(...) == KMD_LEGAL, fast enough for every hash move. */
bool move_is_legal(const struct Position *pos, Move move);

/* True if a pawn of the side to move dropped on `to`, directly in front of the enemy king, is mate.
 * The drop must be legal otherwise. This is the exact test: it considers captures of the pawn by
 * unpinned pieces and king moves with the pawn on the board. */
bool legality_is_drop_mate(const struct Position *pos, Square to);

/* The same for a drop by `us`, with the blockers of the enemy king (see State) supplied by the
 * caller. Does not read the state. */
bool legality_drop_mates(const struct Position *pos, Color us, Square to, Bitboard blockers);

/* A short English phrase, such as "two pawns on the file (nifu)". Static storage. */
const char *legality_text(KmdLegality reason);

#endif
