/* positions.h: makes positions from text, and rotates positions, for tests. */
#ifndef KMD_UNIT_POSITIONS_H
#define KMD_UNIT_POSITIONS_H

#include "rules/position.h"
#include "rules/sfen.h"
#include "unit.h"

/* A new position set up from an SFEN; free it with pos_free. */
static inline Position position_at(const char *sfen) {
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, sv_from(sfen), NULL), KMD_OK);
    return pos;
}

/* The position rotated by 180 degrees with the colours exchanged, which is the same position for
 * the side to move. */
static inline Setup setup_turned(const Setup *setup) {
    Setup turned = {.side = color_flip(setup->side), .ply = setup->ply};
    for (Square sq = 0; sq < SQ_NB; sq++) {
        Piece piece = setup->board[sq];
        turned.board[sq_turn(sq)] =
            piece == NO_PIECE ? NO_PIECE
                              : piece_make(color_flip(piece_color(piece)), piece_type(piece));
    }
    turned.hand[BLACK] = setup->hand[WHITE];
    turned.hand[WHITE] = setup->hand[BLACK];
    return turned;
}

#endif
