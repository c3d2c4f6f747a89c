/* values.h: piece values. The functions only read tables and the position: safe from every thread
 * after values_init. */
#ifndef KMD_EVAL_VALUES_H
#define KMD_EVAL_VALUES_H

#include "rules/position.h"

/* Evaluations lie within -EVAL_MAX .. EVAL_MAX centipawns. */
enum { EVAL_MAX = 27000 };

/* Fills the tables. Call it before any other function here. */
void values_init(void);

/* The values of pieces on the board, and the gain of capturing them. Read these tables only through
 * the functions below. */
extern const int16_t values_on_board[PIECE_TYPE_NB];
extern int16_t values_captured[PIECE_TYPE_NB];

/* The value of a piece on the board in centipawns; 0 for KING. */
static inline int values_piece(PieceType type) {
    return values_on_board[type];
}

/* The value of a piece in hand, in centipawns. */
int values_hand_piece(PieceType type);

/* The immediate material gain of a move from capturing and promoting. */
static inline int values_move_gain(const Position *pos, Move move) {
    int gain = values_captured[piece_type(pos_piece(pos, move_to(move)))];
    if (move_is_promotion(move)) {
        PieceType type = pos_moved_type(pos, move);
        gain += values_piece(pt_promote(type)) - values_piece(type);
    }
    return gain;
}

/* An array indexed by piece type: the material gained by capturing such a piece, which leaves the
 * board and enters the hand. Static exchange evaluation (pos_see_reaches) uses it. */
static inline const int16_t *values_for_see(void) {
    return values_captured;
}

#endif
