/* values.c: the tables of piece values on the board and in hand. */
#include "eval/values.h"

/* The values of pieces, in hundredths of a pawn on the board. A piece in hand is worth a little
 * more, because it can still be dropped anywhere. */
const int16_t values_on_board[PIECE_TYPE_NB] = {0, 100, 350, 440, 550, 940,  1080, 600,
                                                0, 590, 590, 600, 600, 1060, 1500};
static const int16_t hand_value[HAND_TYPE_NB] = {0, 110, 385, 485, 605, 1035, 1190, 660};

int16_t values_captured[PIECE_TYPE_NB];

void values_init(void) {
    for (int type = PAWN; type < PIECE_TYPE_NB; type++) {
        if (type != KING) {
            int in_hand = hand_value[pt_raw((PieceType)type)];
            values_captured[type] = (int16_t)(values_on_board[type] + in_hand);
        }
    }
}

int values_hand_piece(PieceType type) {
    return hand_value[type];
}
