/* legality.h: is any 16-bit move legal here, and if not, why not.
 *
 * Made for moves from outside (USI, records, the transposition table): any bit pattern is allowed.
 * Reads the position only. */
#ifndef KMD_RULES_LEGALITY_H
#define KMD_RULES_LEGALITY_H

#include "rules/bitboard.h"
#include "rules/types.h"

struct Position;

/* The reason why a move is not allowed; the first that applies in this order. */
typedef enum Legality {
    MOVE_LEGAL,
    ILLEGAL_NOT_A_MOVE,    /* no such squares or piece type, or a promoting drop */
    ILLEGAL_NO_PIECE,      /* the origin is empty */
    ILLEGAL_NOT_YOURS,     /* the piece there belongs to the other side */
    ILLEGAL_NOT_IN_HAND,   /* drop of a piece the hand does not hold */
    ILLEGAL_OCCUPIED,      /* target holds an own piece, or any piece for a drop */
    ILLEGAL_PIECE_MOVE,    /* not how the piece moves, or something stands between */
    ILLEGAL_PROMOTION,     /* neither square in the zone, or the piece cannot promote */
    ILLEGAL_DEAD_PIECE,    /* pawn, lance or knight that could never move again */
    ILLEGAL_NIFU,          /* second unpromoted pawn on the file */
    ILLEGAL_IGNORES_CHECK, /* the own king is in check and stays in check */
    ILLEGAL_KING_IN_CHECK, /* the king moves into check, or a pinned piece leaves its line */
    ILLEGAL_UCHIFUZUME     /* mate by dropping a pawn */
} Legality;

/* MOVE_LEGAL, or why the side to move may not play `move`. Special moves are ILLEGAL_NOT_A_MOVE. */
Legality legality_of(const struct Position *pos, Move move);

/* legality_of(...) == MOVE_LEGAL; fast enough for every transposition-table move. */
bool move_is_legal(const struct Position *pos, Move move);

/* True when dropping a pawn of the side to move on `to`, right before the enemy king, is mate.
 * The drop must be otherwise legal. The true escape test: captures of the pawn by unpinned pieces
 * and king moves, with the pawn on the board. */
bool pawn_drop_is_mate(const struct Position *pos, Square to);

/* The same for a caller that knows the blockers of the enemy king (see State) better than
 * pos->now: reads nothing of the state. `us` drops. */
bool pawn_drop_mates(const struct Position *pos, Color us, Square to, Bitboard blockers);

/* A short English phrase, such as "two pawns on the file (nifu)". Static storage. */
const char *legality_text(Legality reason);

#endif
