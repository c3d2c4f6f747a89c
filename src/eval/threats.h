/* threats.h: the network's inputs that say who attacks what, of a position as it stands.
 *
 * The inputs of features.h say where pieces stand; that a rook's line is open, a silver hangs or
 * the king has one square left follows from many of them together, which a network of one wide
 * layer learns slowly. So these are listed for it, each for one of two owners:
 *
 *   ring     a square within two steps of the owner's king that the other side attacks: where it is
 *            (25 places), by how many pieces (1, 2, 3 or more), how many of the owner's pieces but
 *            the king guard it (0, 1, 2 or more), and what stands there (nothing, the owner's, the
 *            other's)
 *   prey     a piece of the owner that is attacked: its type, the least kind of attacker, whether
 *            anything guards it
 *   checks   on how many squares (0 to 7 or more) the owner may drop a piece of this type with
 *            check and without its being taken by another piece than the king, nor by the king
 *            where nothing guards it
 *   escapes  how many squares the owner's king may go to
 *
 * Sources: square effects in shogi evaluations (M. Isozaki's series, 2020), the threat inputs of
 * chess networks (Stockfish, 2025); which ones help was found by the loss on games held out.
 * Reads positions only; safe from every thread. */
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
