/* fieldset.c: the table of the field's feature sets, and their piece numbers. */
#include "eval/fieldset.h"

enum { MAX_COUNTED = 2, COUNT_STEPS = MAX_COUNTED + 1 };

/* A piece's class in halfkpe9: three times the number of own attackers plus that of the opponent's,
 * each at most 2. Kings count, pins do not. */
static void classify_attacks(const Position *pos, uint8_t classes[SQ_NB]) {
    Bitboard occupied = pos_occupied(pos);
    for (Square sq = 0; sq < SQ_NB; sq++) {
        classes[sq] = 0;
        Piece piece = pos->board[sq];
        if (piece != NO_PIECE && piece_type(piece) != KING) {
            int black = bb_count(pos_attackers(pos, sq, BLACK, occupied));
            int white = bb_count(pos_attackers(pos, sq, WHITE, occupied));
            classes[sq] =
                (uint8_t)(COUNT_STEPS * int_min(black, MAX_COUNTED) + int_min(white, MAX_COUNTED));
        }
    }
}

static uint8_t turn_attacks(uint8_t of_black) {
    return (uint8_t)(of_black % COUNT_STEPS * COUNT_STEPS + of_black / COUNT_STEPS);
}

static const FieldSet sets[] = {
    {.name = "kp", .title = "K+P", .inputs = 1710, .has_kings = true, .hash = 0x3F5717FF},
    {.name = "ka2",
     .title = "K+A2",
     .inputs = 1791,
     .has_kings = true,
     .merges_kings = true,
     .king_planes = 1629,
     .hash = 0x97D5765E},
    {.name = "halfkp",
     .title = "HalfKP(Friend)",
     .inputs = 125388,
     .per_king = 1548,
     .hash = 0x5D69D5B8},
    {.name = "halfkpvm",
     .title = "HalfKP_vm(Friend)",
     .inputs = 69660,
     .per_king = 1548,
     .is_mirrored = true,
     .hash = 0x0B6B1D9A},
    {.name = "halfka1",
     .title = "HalfKA1(Friend)",
     .inputs = 138510,
     .per_king = 1710,
     .has_kings = true,
     .hash = 0x5F134CB8},
    {.name = "halfkahm1",
     .title = "HalfKA_hm1(Friend)",
     .inputs = 76950,
     .per_king = 1710,
     .is_mirrored = true,
     .has_kings = true,
     .hash = 0x7F134CB8},
    {.name = "halfka2",
     .title = "HalfKA2(Friend)",
     .inputs = 131949,
     .per_king = 1629,
     .has_kings = true,
     .merges_kings = true,
     .hash = 0x5F234CB8},
    {.name = "halfkahm2",
     .title = "HalfKA_hm2(Friend)",
     .inputs = 73305,
     .per_king = 1629,
     .is_mirrored = true,
     .has_kings = true,
     .merges_kings = true,
     .hash = 0x7F234CB8},
    {.name = "halfkpe9",
     .title = "HalfKPE9(Friend)",
     .inputs = 1128492,
     .per_king = 1548,
     .per_class = 125388,
     .classify = classify_attacks,
     .turn_class = turn_attacks,
     .hash = 0x5D69D5B8},
};

const FieldSet *fieldset_at(int index) {
    return index < (int)COUNTOF(sets) ? &sets[index] : NULL;
}

int fieldset_number(const FieldSet *set, PieceType type, bool is_own, Square sq) {
    enum { FIRST_BOARD = 90 };
    if (type == KING) {
        return is_own || set->merges_kings ? FIELD_OWN_KING + sq : FIELD_OTHER_KING + sq;
    }
    static const uint8_t plane[PIECE_TYPE_NB] = {
        [PAWN] = 0,     [LANCE] = 2,     [KNIGHT] = 4,     [SILVER] = 6,     [GOLD] = 8,
        [PRO_PAWN] = 8, [PRO_LANCE] = 8, [PRO_KNIGHT] = 8, [PRO_SILVER] = 8, [BISHOP] = 10,
        [HORSE] = 12,   [ROOK] = 14,     [DRAGON] = 16};
    return FIRST_BOARD + SQ_NB * (plane[type] + !is_own) + sq;
}

int fieldset_hand(PieceType type, bool is_own) {
    static const uint8_t first[HAND_TYPE_NB][2] = {
        [PAWN] = {20, 1},  [LANCE] = {44, 39},  [KNIGHT] = {54, 49}, [SILVER] = {64, 59},
        [GOLD] = {74, 69}, [BISHOP] = {82, 79}, [ROOK] = {88, 85}};
    return first[type][is_own];
}
