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

#include "eval/snapshot.h"

/* Fills in the threats of the snapshot of a position. At most NNUE_MAX_THREATS are counted;
 * several may be the same. */
void threats_find(const Position *pos, Snapshot *snapshot);

/* Adds the threats that differ between two positions. Entry ENTRY_MORE is the first threat input in
 * black's unmirrored view. `moved` are the squares whose pieces differ. */
void threats_change(const Snapshot *before, const Snapshot *now, Bitboard moved,
                    NnueChanges *changes);

/* The number of threats that differ, nearly. */
int threats_distance(const Snapshot *before, const Snapshot *now);

/* Converts an input number from black's unmirrored view to another view. */
int threats_input(NnueView view, int input);

#endif
