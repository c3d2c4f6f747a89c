/* movegen.h: lists of legal moves.
 *
 * Every list holds exactly legal moves under full rules (pins, checks, nifu, dead pieces, pawn-drop
 * mate), each once, in a fixed order. Reads the position only; safe from any thread on its own
 * position. */
#ifndef KMD_RULES_MOVEGEN_H
#define KMD_RULES_MOVEGEN_H

#include "rules/bitboard.h"
#include "rules/types.h"

struct Position;

/* Which moves to list.
 * Non-promotions here are those of a pawn, bishop or rook that could have promoted, and of a
 * lance that could have promoted by a move to the last rank but one: they are never better than the
 * promotion except where they avoid a pawn-drop mate, so a playing search leaves them out and a
 * mate solver must not. */
typedef enum GenKind {
    GEN_LEGAL,    /* every legal move */
    GEN_CAPTURES, /* not in check: captures and promotions, without non-promotions */
    GEN_QUIETS, /* not in check: drops and moves that take nothing, without promotions and those */
    GEN_NON_PROMOTIONS, /* not in check: the non-promotions; the three together are GEN_LEGAL */
    GEN_EVASIONS,       /* in check: every legal move, without non-promotions */
    GEN_CHECKS /* every legal move that gives check, non-promotions included; in check or not */
} GenKind;

/* Writes the moves of `kind` to list (room for MAX_MOVES) and returns their number. The kinds
 * marked "in check" or "not in check" require that state. A side without a king is never in check.
 */
int gen_moves(const struct Position *pos, GenKind kind, Move *list);

/* True unless the side to move has no legal move (which is a loss in shogi). */
bool gen_has_move(const struct Position *pos);

#endif
