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

/* In count.c: how many legal moves there are, from sets of squares, without writing one.
 *
 * All steps of all pieces in one direction are a shift of one set; squares where a piece may
 * promote or not count twice. Rules as in movegen.h. */

/* The number of legal moves of the side to move. */
int count_legal(const struct Position *pos);

/* The sum of the numbers of legal answers to each of the given legal moves: what pos_do,
 * count_legal, pos_undo would add up to, at a fraction of the cost. Most moves leave nearly all of
 * the opponent's moves as they are, so those are counted once for the whole list. *pos is changed
 * and put back: it is as before on return. */
uint64_t count_answers(struct Position *pos, const Move *list, int count);

/* In see.c: static exchange: what captures and recaptures on one square come to. Reads the position
 * only. */

/* True when the exchange that `move` begins wins at least `threshold`, each side taking with its
 * least valuable piece and stopping when that is better. value[type] is what taking a piece of the
 * type wins: in shogi what it was worth on the board and what it will be worth in the hand. Pins
 * and further promotions are not looked at; a king takes last and only what is no longer guarded.
 * Source: the swap-off algorithm of chess programs, with a threshold (Romstad, 2000s). */
bool see_reaches(const struct Position *pos, Move move, int threshold, const int16_t *value);

/* In legality.c: is any 16-bit move legal here, and if not, why not.
 *
 * Made for moves from outside (USI, records, the transposition table): any bit pattern is allowed.
 * Reads the position only. */

/* KMD_LEGAL, or why the side to move may not play `move`. Special moves are KMD_ILLEGAL_NOT_A_MOVE.
 */
KmdLegality legality_of(const struct Position *pos, Move move);

/* legality_of(...) == KMD_LEGAL; fast enough for every transposition-table move. */
bool move_is_legal(const struct Position *pos, Move move);

/* True when dropping a pawn of the side to move on `to`, right before the enemy king, is mate.
 * The drop must be otherwise legal. The true escape test: captures of the pawn by unpinned pieces
 * and king moves, with the pawn on the board. */
bool pawn_drop_is_mate(const struct Position *pos, Square to);

/* The same for a caller that knows the blockers of the enemy king (see State) better than
 * pos->now: reads nothing of the state. `us` drops. */
bool pawn_drop_mates(const struct Position *pos, Color us, Square to, Bitboard blockers);

/* A short English phrase, such as "two pawns on the file (nifu)". Static storage. */
const char *legality_text(KmdLegality reason);

#endif
