/* threats.h: inputs of the network that describe which pieces attack which.
 *
 * The inputs of features.h give only the squares of pieces. That a rook's line is open, a silver
 * hangs or the king has one square left depends on many of them together, which a network with one
 * wide layer learns slowly. These inputs tell it directly, each for one of two owners:
 *
 *   king zone        a square within two steps of the owner's king that the other side attacks: its
 *                    place (25), the number of attackers (1, 2, 3 or more), the number of guards
 *                    other than the king (0, 1, 2 or more), and its occupant (none, the owner's
 *                    piece, the other side's)
 *   attacked pieces  an attacked piece of the owner other than the king: its type, the least
 *                    valuable attacker, whether it is guarded
 *   checking drops   the number of squares (0 to 7 or more) where the owner can drop a piece of
 *                    this type with check, unless a piece other than the king can take it, or the
 *                    king can take it unguarded
 *   king mobility    the number of squares the owner's king can go to
 *
 * Sources: square effects in shogi evaluations (M. Isozaki's series, 2020), the threat inputs of
 * chess networks (Stockfish, 2025). The inputs were chosen by the loss on held-out games. Reads
 * positions only; safe from every thread. */
#ifndef KMD_EVAL_THREATS_H
#define KMD_EVAL_THREATS_H

#include "eval/features.h"

/* The threats of a position in black's unmirrored view, by place: a square, a place around a king,
 * a type to drop, a king. After a move most places have the same threat as before, so that a
 * comparison finds what has changed. At most NNUE_MOST_THREATS places have one; the same may be at
 * several. */
typedef struct Threats {
    uint16_t at[NNUE_THREAT_PLACES]; /* input - NNUE_PIECE_INPUTS + 1; 0: none */
} Threats;

void threats_find(const Position *pos, Threats *out);

/* The number of the input as another view sees it. */
int threats_input(NnueView view, int input);

/* Appends the position's threats to the inputs of a view. */
void threats_add(const Position *pos, NnueView view, NnueInputs *inputs);

#endif
