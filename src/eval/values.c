/* values.c: the tables of piece values on the board and in hand, and the material a move gains. */
#include "eval/values.h"

#include "rules/position.h"

/* The values of pieces, in hundredths of a pawn on the board. A piece in hand is worth a little
 * more, because it can still be dropped anywhere. */
static const int16_t board_value[PIECE_TYPE_NB] = {0, 100, 350, 440, 550, 940,  1080, 600,
                                                   0, 590, 590, 600, 600, 1060, 1500};
static const int16_t hand_value[HAND_TYPE_NB] = {0, 110, 385, 485, 605, 1035, 1190, 660};

/* [type]: board_value of a piece plus hand_value of the piece gained by capturing it. */
static int16_t captured[PIECE_TYPE_NB];

void values_init(void) {
    for (int type = PAWN; type < PIECE_TYPE_NB; type++) {
        bool is_king = type == KING;
        captured[type] =
            is_king ? 0 : (int16_t)(board_value[type] + hand_value[pt_raw((PieceType)type)]);
    }
}

int values_piece(PieceType type) {
    return board_value[type];
}

int values_hand_piece(PieceType type) {
    return hand_value[type];
}

int values_move_gain(const Position *pos, Move move) {
    int gain = captured[piece_type(pos_piece(pos, move_to(move)))];
    if (move_is_promotion(move)) {
        PieceType type = pos_moved_type(pos, move);
        gain += board_value[pt_promote(type)] - board_value[type];
    }
    return gain;
}

const int16_t *values_for_see(void) {
    return captured;
}
