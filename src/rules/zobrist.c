/* zobrist.c: fills the tables with random numbers from a fixed seed. */
#include "rules/zobrist.h"

#include "base/rng.h"

uint64_t zobrist_board[PIECE_NB][SQ_NB];
uint64_t zobrist_hand[COLOR_NB][HAND_TYPE_NB];
uint64_t zobrist_side;

void zobrist_init(void) {
    Rng rng = rng_init(0x6b6f6d61646f7269);
    for (int color = BLACK; color <= WHITE; color++) {
        for (int type = PAWN; type < PIECE_TYPE_NB; type++) {
            for (Square sq = 0; sq < SQ_NB; sq++) {
                zobrist_board[piece_make((Color)color, (PieceType)type)][sq] = rng_next(&rng);
            }
        }
        for (int type = PAWN; type <= GOLD; type++) {
            zobrist_hand[color][type] = rng_next(&rng);
        }
    }
    zobrist_side = rng_next(&rng);
}
