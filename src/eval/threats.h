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

#include "eval/features.h"

/* The threats of a position in black's unmirrored view, one at most for each place. A place is a
 * square, a square near a king, a piece type to drop, or a king. A move leaves the threats of most
 * places unchanged, so comparing two arrays quickly shows what has changed. At most
 * NNUE_MOST_THREATS places have a threat; several places may have the same one. */
typedef struct Threats {
    uint16_t at[NNUE_THREAT_PLACES]; /* input - NNUE_PIECE_INPUTS + 1; 0: none */
} Threats;

void threats_find(const Position *pos, Threats *out);

/* Converts an input number from black's unmirrored view to another view. */
int threats_input(NnueView view, int input);

/* Appends the position's threats to the inputs of a view. */
void threats_add(const Position *pos, NnueView view, NnueInputs *inputs);

#endif
