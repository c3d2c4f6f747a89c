/* threats.h: network inputs that describe which pieces attack which.
 *
 * The inputs of features.h give only the squares of pieces. Facts such as an open line for a rook,
 * a hanging silver, or a king with only one square left depend on many of these inputs together; a
 * network with one wide layer learns such facts slowly. The inputs here state them directly. Each
 * exists once per owner (black or white):
 *
 *   king zone        a square within two steps of the owner's king that the opponent attacks: its
 *                    place (25), the number of attackers (1, 2, 3 or more), the number of guards
 *                    other than the king (0, 1, 2 or more), and its occupant (none, owner's piece,
 *                    opponent's piece)
 *   attacked pieces  an attacked piece of the owner other than the king: its type, the least
 *                    valuable attacker, and whether it is guarded
 *   checking drops   the number of squares (0 to 7 or more) where the owner can drop a piece of
 *                    this type with check, except squares where a piece other than the king can
 *                    capture it, or where the king can capture it because it is unguarded
 *   king mobility    the number of squares the owner's king can move to
 *
 * Sources: square effects in shogi evaluations (Isozaki's series, 2020); the threat inputs of chess
 * networks (Stockfish, 2025). The inputs were selected by the loss on held-out games. These
 * functions only read positions: safe from every thread. */
#ifndef KMD_EVAL_THREATS_H
#define KMD_EVAL_THREATS_H

#include "eval/arch.h"

/* Finds the threats of a position; found[i] - 1 + NNUE_PIECE_INPUTS is the input in black's
 * unmirrored view. A place is a square, a square near a king, a piece type to drop, or a king. At
 * most NNUE_MAX_THREATS places have a threat; several places may have the same one. */
void threats_find(const Position *pos, Places *out);

/* Converts an input number from black's unmirrored view to another view. */
int threats_input(NnueView view, int input);

#endif
