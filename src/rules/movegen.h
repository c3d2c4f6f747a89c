/* movegen.h: generates legal moves.
 *
 * Every list contains only legal moves under the full rules (pins, checks, nifu, dead pieces,
 * pawn-drop mate). Each move appears once, in a fixed order. The functions only read the position:
 * safe from any thread on its own position. */
#ifndef KMD_RULES_MOVEGEN_H
#define KMD_RULES_MOVEGEN_H

#include "rules/bitboard.h"
#include "rules/types.h"

struct Position;

/* Which moves to generate. A non-promotion here is a move without promotion of a pawn, bishop or
 * rook that could promote, or of a lance that could promote on the last rank but one. A
 * non-promotion is never better than the promotion, except to avoid a pawn-drop mate. The game
 * search therefore omits non-promotions; a mate solver must not. */
typedef enum GenKind {
    GEN_LEGAL,          /* every legal move */
    GEN_CAPTURES,       /* not in check: captures and promotions, without non-promotions */
    GEN_QUIETS,         /* not in check: drops, and moves that neither capture nor promote, without
                           non-promotions */
    GEN_NON_PROMOTIONS, /* not in check: the non-promotions; GEN_CAPTURES, GEN_QUIETS and this kind
                           together are GEN_LEGAL */
    GEN_EVASIONS,       /* in check: all legal moves without non-promotions */
    GEN_CHECKS /* in check or not: all legal moves that give check, including non-promotions */
} GenKind;

/* Writes the moves of `kind` to list (room for MAX_MOVES) and returns their number. Kinds marked
 * "in check" may be used only if the side to move is in check, kinds marked "not in check" only if
 * it is not. A side without a king is never in check. */
int gen_moves(const struct Position *pos, GenKind kind, Move *list);

/* True if the side to move has a legal move. A side without a legal move loses. */
bool gen_has_move(const struct Position *pos);

/* The number of legal moves of the side to move. Counts them with bitboards, without listing
 * them. */
int gen_count(const struct Position *pos);

/* The total number of legal answers to the given legal moves, as if gen_count were called after
 * each of them, at a fraction of the cost. Most moves leave nearly all of the opponent's moves
 * unchanged, so these are counted once for the whole list. *pos is changed and restored. */
uint64_t gen_count_answers(struct Position *pos, const Move *list, int count);

#endif
