/* movegen.h: generates legal moves.
 *
 * Every list contains only legal moves under full rules (pins, checks, nifu, dead pieces, pawn-drop
 * mate), each once, in a fixed order. Reads the position only; safe from any thread on its own
 * position. */
#ifndef KMD_RULES_MOVEGEN_H
#define KMD_RULES_MOVEGEN_H

#include "rules/bitboard.h"
#include "rules/types.h"

struct Position;

/* Which moves to generate. A non-promotion here is a move of a pawn, bishop or rook that could have
 * promoted, or of a lance that could have promoted on the last rank but one. It is never better
 * than the promotion except to avoid a pawn-drop mate, so the game search leaves it out; a mate
 * solver must not. */
typedef enum GenKind {
    GEN_LEGAL,          /* every legal move */
    GEN_CAPTURES,       /* not in check: captures and promotions, without non-promotions */
    GEN_QUIETS,         /* not in check: drops, and moves that neither capture nor promote, without
                           non-promotions */
    GEN_NON_PROMOTIONS, /* not in check: the non-promotions; these three kinds together are
                           GEN_LEGAL */
    GEN_EVASIONS,       /* in check: all legal moves without non-promotions */
    GEN_CHECKS /* in check or not: all legal moves that give check, including non-promotions */
} GenKind;

/* Writes the moves of `kind` to list (room for MAX_MOVES) and returns their number. Kinds marked
 * "in check" or "not in check" may be used only in that case. A side without a king is never in
 * check. */
int gen_moves(const struct Position *pos, GenKind kind, Move *list);

/* True if the side to move has a legal move. Having none is a loss in shogi. */
bool gen_has_move(const struct Position *pos);

#endif
