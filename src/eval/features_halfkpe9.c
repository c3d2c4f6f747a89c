/* features_halfkpe9.c: halfkp whose pieces on the board are told apart by the numbers of their
 * attackers: those of the view's own side, then those of the other, each at most 2. Kings count,
 * pins do not. */
#include "eval/features.h"

enum { MAX_COUNTED = 2, COUNT_STEPS = MAX_COUNTED + 1, CLASS_INPUTS = SQ_NB * FOREIGN_PIECES };

/* An entry is a class, black's attackers first, and a piece number in black's view. */
static void find_places(const Position *pos, Places *out) {
    Bitboard occupied = pos_occupied(pos);
    for (Bitboard rest = bb_andnot(occupied, pos->type_bb[KING]); bb_any(rest);) {
        Square sq = bb_pop(&rest);
        Piece piece = pos->board[sq];
        int black = int_min(bb_count(pos_attackers(pos, sq, BLACK, occupied)), MAX_COUNTED);
        int white = int_min(bb_count(pos_attackers(pos, sq, WHITE, occupied)), MAX_COUNTED);
        int number = features_foreign_board(piece_color(piece) == BLACK, piece_type(piece)) + sq;
        out->at[sq] =
            (uint16_t)(ENTRY_MORE + FOREIGN_PIECES * (COUNT_STEPS * black + white) + number);
    }
}

static int input_of(NnueView view, int entry) {
    enum { FIRST_BOARD = 90 };
    int number = entry % FOREIGN_PIECES, class_of = entry / FOREIGN_PIECES;
    if (view.side == WHITE && number >= FIRST_BOARD) {
        int plane = (number - FIRST_BOARD) / SQ_NB, sq = (number - FIRST_BOARD) % SQ_NB;
        number = FIRST_BOARD + (plane ^ 1) * SQ_NB + sq_turn(sq);
        class_of = class_of % COUNT_STEPS * COUNT_STEPS + class_of / COUNT_STEPS;
    }
    return number + class_of * CLASS_INPUTS;
}

const FeatureSet features_halfkpe9 = {
    .name = "halfkpe9",
    .title = "HalfKPE9(Friend)",
    .inputs = COUNT_STEPS * COUNT_STEPS * CLASS_INPUTS,
    .per_king = 1548,
    .more_entries = COUNT_STEPS * COUNT_STEPS * FOREIGN_PIECES,
    .input = input_of,
    .find_places = find_places,
    .has_places_only = true,
};
