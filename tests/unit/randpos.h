/* randpos.h: random positions with few pieces, for tests that compare with brute force. */
#ifndef KMD_UNIT_RANDPOS_H
#define KMD_UNIT_RANDPOS_H

#include "base/rng.h"
#include "positions.h"

/* A random square, either near the king or anywhere. */
static inline Square randpos_square(Rng *rng, Square king) {
    if (rng_below(rng, 4) == 0) {
        return (Square)rng_below(rng, SQ_NB);
    }
    int file = sq_file(king) + (int)rng_below(rng, 7) - 3;
    int rank = sq_rank(king) + (int)rng_below(rng, 7) - 3;
    return sq_make(int_clamp(file, 0, 8), int_clamp(rank, 0, 8));
}

static inline void randpos_add_pieces(Rng *rng, Setup *setup, Square king, int count) {
    for (int i = 0; i < count; i++) {
        Square sq = randpos_square(rng, king);
        PieceType type = (PieceType)(PAWN + rng_below(rng, GOLD));
        if (pt_can_promote(type) && rng_below(rng, 3) == 0) {
            type = pt_promote(type);
        }
        if (setup->board[sq] == NO_PIECE) {
            setup->board[sq] = piece_make(rng_below(rng, 5) < 3 ? BLACK : WHITE, type);
        }
    }
}

/* Sets up a legal position: a white king with up to `pieces` pieces near it. Usually black is to
 * move. Half of the positions have a black king, which is sometimes nearby, so that black is
 * occasionally in check. */
static inline void randpos_set(Rng *rng, Position *pos, int pieces) {
    for (;;) {
        Setup setup = {.side = BLACK, .ply = 1};
        Square king = (Square)rng_below(rng, SQ_NB);
        setup.board[king] = piece_make(WHITE, KING);
        if (rng_below(rng, 2) == 0) {
            Square other =
                rng_below(rng, 2) == 0 ? (Square)rng_below(rng, SQ_NB) : randpos_square(rng, king);
            if (other != king) {
                setup.board[other] = piece_make(BLACK, KING);
            }
        }
        randpos_add_pieces(rng, &setup, king, 2 + (int)rng_below(rng, (uint64_t)pieces - 1));
        for (int i = (int)rng_below(rng, 5); i > 0; i--) {
            Color color = rng_below(rng, 2) == 0 ? BLACK : WHITE;
            PieceType type = (PieceType)(PAWN + rng_below(rng, GOLD));
            if (hand_count(setup.hand[color], type) < pt_total(type)) {
                setup.hand[color] = hand_add(setup.hand[color], type);
            }
        }
        if (rng_below(rng, 2) == 0) {
            setup = setup_turned(&setup);
        }
        if (setup_check(&setup, NULL) == KMD_OK) {
            pos_set(pos, &setup);
            return;
        }
    }
}

#endif
