/* featureset.c: the table of sets, and the numbers of pieces. */
#include "eval/featureset.h"

/* Numbers of the first piece in hand and of the plane on the board, for the view's own pieces and
 * for the other side's. */
typedef struct PieceNumbers {
    uint8_t hand[COLOR_NB];
    uint8_t plane; /* own; the other side's plane follows */
} PieceNumbers;

static const PieceNumbers numbers[PIECE_TYPE_NB] = {
    [PAWN] = {{1, 20}, 0},      [LANCE] = {{39, 44}, 2},   [KNIGHT] = {{49, 54}, 4},
    [SILVER] = {{59, 64}, 6},   [GOLD] = {{69, 74}, 8},    [BISHOP] = {{79, 82}, 10},
    [HORSE] = {{0, 0}, 12},     [ROOK] = {{85, 88}, 14},   [DRAGON] = {{0, 0}, 16},
    [PRO_PAWN] = {{0, 0}, 8},   [PRO_LANCE] = {{0, 0}, 8}, [PRO_KNIGHT] = {{0, 0}, 8},
    [PRO_SILVER] = {{0, 0}, 8},
};

enum {
    BOARD_AT = 90,
    KING_SQUARES = SQ_NB,
    MIRRORED_SQUARES = 45, /* files 1 to 5 */
    NO_KINGS = FEATURE_KING_AT,
    SHARED_KINGS = FEATURE_KING_AT + SQ_NB,
    KINGS_OF_BOTH = FEATURE_KING_AT + 2 * SQ_NB
};

static const FeatureSet sets[] = {
    {"kp", KINGS_OF_BOTH, 0, KINGS_APART, false},
    {"ka2", SHARED_KINGS + 2 * SQ_NB, 0, KINGS_DOUBLED, false},
    {"halfkp", NO_KINGS *KING_SQUARES, NO_KINGS, KINGS_ABSENT, false},
    {"halfkpvm", NO_KINGS *MIRRORED_SQUARES, NO_KINGS, KINGS_ABSENT, true},
    {"halfka1", KINGS_OF_BOTH *KING_SQUARES, KINGS_OF_BOTH, KINGS_APART, false},
    {"halfkahm1", KINGS_OF_BOTH *MIRRORED_SQUARES, KINGS_OF_BOTH, KINGS_APART, true},
    {"halfka2", SHARED_KINGS *KING_SQUARES, SHARED_KINGS, KINGS_SHARED, false},
    {"halfkahm2", SHARED_KINGS *MIRRORED_SQUARES, SHARED_KINGS, KINGS_SHARED, true},
};

const FeatureSet *featureset_at(int index) {
    return index < (int)COUNTOF(sets) ? &sets[index] : NULL;
}

const FeatureSet *featureset_find(int64_t inputs) {
    for (size_t i = 0; i < COUNTOF(sets); i++) {
        if (sets[i].inputs == inputs) {
            return &sets[i];
        }
    }
    return NULL;
}

static Square square_in(const FeatureView *view, Square sq) {
    Square turned = view->side == BLACK ? sq : sq_turn(sq);
    return view->is_flipped ? sq_make(FILE_NB - 1 - sq_file(turned), sq_rank(turned)) : turned;
}

FeatureView featureset_view(const FeatureSet *set, const Position *pos, Color side) {
    Square king = pos->king[side];
    king = king == SQ_NONE ? SQ(5, 9) : side == BLACK ? king : sq_turn(king);
    bool is_flipped = set->is_mirrored && sq_file(king) > 4;
    Square product = is_flipped ? sq_make(FILE_NB - 1 - sq_file(king), sq_rank(king)) : king;
    return (FeatureView){set, side, king, product, is_flipped};
}

static uint32_t input_of(const FeatureView *view, int number) {
    return (uint32_t)(view->product * view->set->stride + number);
}

int featureset_board(const FeatureView *view, Piece piece, Square sq, uint32_t out[2]) {
    bool is_other = piece_color(piece) != view->side;
    Square at = square_in(view, sq);
    if (piece_type(piece) != KING) {
        int plane = numbers[piece_type(piece)].plane + is_other;
        out[0] = input_of(view, BOARD_AT + SQ_NB * plane + at);
        return 1;
    }
    KingPlanes kings = view->set->kings;
    out[0] = input_of(view, FEATURE_KING_AT + at + (kings == KINGS_APART && is_other ? SQ_NB : 0));
    out[1] = input_of(view, FEATURE_OTHER_AT + at + (is_other ? SQ_NB : 0));
    return kings == KINGS_ABSENT ? 0 : kings == KINGS_DOUBLED ? 2 : 1;
}

uint32_t featureset_hand(const FeatureView *view, Color owner, PieceType type, int index) {
    ASSERT(index >= 0 && index < pt_total(type));
    return input_of(view, numbers[type].hand[owner != view->side] + index);
}

uint32_t featureset_missing(const FeatureView *view) {
    return input_of(view, 0);
}

int featureset_missing_count(const Position *pos) {
    int pieces = bb_count(pos_occupied(pos)) - bb_count(pos->type_bb[KING]);
    for (int side = BLACK; side <= WHITE; side++) {
        for (int type = PAWN; type <= GOLD; type++) {
            pieces +=
                int_min(hand_count(pos->hand[side], (PieceType)type), pt_total((PieceType)type));
        }
    }
    return int_max(FEATURE_PIECES - pieces, 0);
}
