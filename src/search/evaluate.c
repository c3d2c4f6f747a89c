#include "search/evaluate.h"

#include <stdlib.h>

#include "rules/attacks.h"
#include "rules/danger.h"
#include "rules/position.h"

/* Material, hundredths of a pawn on the board. In hand a piece is worth a little more: it can go
 * anywhere, and it is still to be seen where it helps most. */
static const int16_t board_value[PIECE_TYPE_NB] = {0, 100, 350, 440, 550, 940,  1080, 600,
                                                   0, 590, 590, 600, 600, 1060, 1500};
static const int16_t hand_value[HAND_TYPE_NB] = {0, 110, 385, 485, 605, 1035, 1190, 660};

/* What an attack on a square is worth by the square's distance (in king's steps) from a king: for
 * the attacker of that king, and for its defender. Falls off with distance + 1. Source of the idea
 * and of the ratio: M. Isozaki's series on material evaluation with square effects (2020). */
#define ATTACK_WEIGHT        104
#define DEFENCE_WEIGHT       74
#define WORTH(weight, steps) ((weight) / ((steps) + 1))

/* For sliders all distances from here on count the same. */
enum { FAR = 3 };

/* How much more an attack is worth at a distance than one step farther off; [FAR]: at all. */
static const int slide_gain[2][FAR + 1] = {
    {WORTH(ATTACK_WEIGHT, 0) - WORTH(ATTACK_WEIGHT, 1),
     WORTH(ATTACK_WEIGHT, 1) - WORTH(ATTACK_WEIGHT, 2),
     WORTH(ATTACK_WEIGHT, 2) - WORTH(ATTACK_WEIGHT, 3), WORTH(ATTACK_WEIGHT, 3)},
    {WORTH(DEFENCE_WEIGHT, 0) - WORTH(DEFENCE_WEIGHT, 1),
     WORTH(DEFENCE_WEIGHT, 1) - WORTH(DEFENCE_WEIGHT, 2),
     WORTH(DEFENCE_WEIGHT, 2) - WORTH(DEFENCE_WEIGHT, 3), WORTH(DEFENCE_WEIGHT, 3)},
};

/* [is defence][mover][square][king]: the sum of those worths over the squares a black stepping
 * piece attacks. King SQ_NONE: a row of zeros. */
static int16_t step_worth[2][STEP_NB][SQ_NB][SQ_NB + 1];

/* [type]: board_value and hand_value of what is taken together. */
static int16_t captured[PIECE_TYPE_NB];

/* Squares within `distance` of a square. */
static Bitboard within[FAR][SQ_NB];

/* The king's neighbour squares that the enemy attacks and none of its own pieces but the king
 * guards; the price grows faster than their number. */
static const int16_t hole_cost[9] = {0, 24, 56, 96, 140, 186, 230, 270, 300};

/* A king on its home rank and off the centre files is worth something by itself; on its way up it
 * is in the open until it has entered. [relative rank][distance from the centre file]. */
static const int8_t king_place[RANK_NB][5] = {
    {60, 60, 60, 62, 64},      {50, 50, 50, 52, 54},      {30, 30, 30, 32, 34},
    {-30, -30, -28, -26, -24}, {-60, -58, -55, -52, -50}, {-60, -58, -55, -52, -50},
    {-50, -46, -38, -30, -28}, {-30, -20, 4, 22, 24},     {-26, -8, 22, 48, 36},
};

#define TEMPO 20

static int distance(Square a, Square b) {
    return int_max(abs(sq_file(a) - sq_file(b)), abs(sq_rank(a) - sq_rank(b)));
}

void evaluate_init(void) {
    for (int type = PAWN; type < PIECE_TYPE_NB; type++) {
        bool is_king = type == KING;
        captured[type] =
            is_king ? 0 : (int16_t)(board_value[type] + hand_value[pt_raw((PieceType)type)]);
    }
    for (Square king = 0; king < SQ_NB; king++) {
        for (Square sq = 0; sq < SQ_NB; sq++) {
            for (int steps = distance(sq, king); steps < FAR; steps++) {
                within[steps][king] = bb_or(within[steps][king], bb_square(sq));
            }
            for (int mover = 0; mover < STEP_NB; mover++) {
                int sum[2] = {0, 0};
                for (Bitboard rest = attack_steps[BLACK][mover][sq]; bb_any(rest);) {
                    int steps = distance(bb_pop(&rest), king);
                    sum[0] += WORTH(ATTACK_WEIGHT, steps);
                    sum[1] += WORTH(DEFENCE_WEIGHT, steps);
                }
                step_worth[0][mover][sq][king] = (int16_t)sum[0];
                step_worth[1][mover][sq][king] = (int16_t)sum[1];
            }
        }
    }
}

Score piece_value(PieceType type) {
    return board_value[type];
}

Score move_gain(const Position *pos, Move move) {
    Score gain = captured[piece_type(pos_piece(pos, move_to(move)))];
    if (move_is_promotion(move)) {
        PieceType type = pos_moved_type(pos, move);
        gain += board_value[pt_promote(type)] - board_value[type];
    }
    return gain;
}

const int16_t *capture_values(void) {
    return captured;
}

/* What the evaluation of one side works with. Squares in `own_king` and `enemy_king` are seen from
 * the side; SQ_NONE without a king. */
typedef struct Side {
    const Position *pos;
    Color us;
    Square own_king;
    Square enemy_king;
    Bitboard slides; /* squares our sliders attack, filled on the way */
    int sum;
} Side;

static Square seen_from(Color us, Square sq) {
    return us == BLACK || sq == SQ_NONE ? sq : sq_turn(sq);
}

FORCE_INLINE void add_steps(Side *side, int mover, Bitboard pieces) {
    while (bb_any(pieces)) {
        Square sq = seen_from(side->us, bb_pop(&pieces));
        side->sum +=
            step_worth[0][mover][sq][side->enemy_king] + step_worth[1][mover][sq][side->own_king];
    }
}

/* The worth of a set of attacked squares towards one king. */
FORCE_INLINE int reach_worth(Bitboard reach, Square king, bool is_defence) {
    if (king == SQ_NONE) {
        return 0;
    }
    int sum = slide_gain[is_defence][FAR] * bb_count(reach);
    for (int steps = 0; steps < FAR; steps++) {
        sum += slide_gain[is_defence][steps] * bb_count(bb_and(reach, within[steps][king]));
    }
    return sum;
}

FORCE_INLINE void add_slides(Side *side, Bitboard reach) {
    const Position *pos = side->pos;
    side->slides = bb_or(side->slides, reach);
    side->sum += reach_worth(reach, pos->king[color_flip(side->us)], false) +
                 reach_worth(reach, pos->king[side->us], true);
}

static void add_sliders(Side *side) {
    const Position *pos = side->pos;
    Bitboard occupied = pos_occupied(pos);
    for (Bitboard rest = pos_pieces(pos, side->us, LANCE); bb_any(rest);) {
        add_slides(side, attacks_lance(side->us, bb_pop(&rest), occupied));
    }
    for (Bitboard rest = pos_pieces(pos, side->us, BISHOP); bb_any(rest);) {
        add_slides(side, attacks_bishop(bb_pop(&rest), occupied));
    }
    for (Bitboard rest = pos_pieces(pos, side->us, ROOK); bb_any(rest);) {
        add_slides(side, attacks_rook(bb_pop(&rest), occupied));
    }
    for (Bitboard rest = pos_pieces(pos, side->us, HORSE); bb_any(rest);) {
        add_slides(side, attacks_horse(bb_pop(&rest), occupied));
    }
    for (Bitboard rest = pos_pieces(pos, side->us, DRAGON); bb_any(rest);) {
        add_slides(side, attacks_dragon(bb_pop(&rest), occupied));
    }
}

static int hand_sum(Hand hand) {
    int sum = 0;
    for (int type = PAWN; type <= GOLD && hand != 0; type++) {
        sum += hand_count(hand, (PieceType)type) * hand_value[type];
    }
    return sum;
}

static int material(const Position *pos, Color us) {
    int sum = hand_sum(pos->hand[us]);
    for (int type = PAWN; type < PIECE_TYPE_NB; type++) {
        sum += bb_count(pos_pieces(pos, us, (PieceType)type)) * board_value[type];
    }
    return sum;
}

static int king_worth(Color us, Square king) {
    if (king == SQ_NONE) {
        return 0;
    }
    return king_place[sq_relative_rank(us, king)][abs(sq_file(king) - 4)];
}

/* Material and attacks of one side; side->slides is left for the kings' safety. */
static void add_side(Side *side) {
    const Position *pos = side->pos;
    Color us = side->us;
    side->sum = material(pos, us) + king_worth(us, pos->king[us]);
    add_steps(side, STEP_PAWN, pos_pieces(pos, us, PAWN));
    add_steps(side, STEP_KNIGHT, pos_pieces(pos, us, KNIGHT));
    add_steps(side, STEP_SILVER, pos_pieces(pos, us, SILVER));
    add_steps(side, STEP_GOLD, bb_and(pos->color_bb[us], pos->type_bb[SET_GOLDS]));
    add_sliders(side);
}

/* What the holes around a king cost, more when the enemy has pieces to drop into them. */
static int safety_cost(const Position *pos, Color us, Bitboard attacked, Bitboard guarded) {
    Square king = pos->king[us];
    if (king == SQ_NONE) {
        return 0;
    }
    Bitboard holes = bb_andnot(bb_and(attacks_king(king), attacked), guarded);
    int supply = int_min(hand_sum(pos->hand[color_flip(us)]), 4000);
    return hole_cost[bb_count(holes)] * (1000 + supply / 2) / 1000;
}

Score evaluate(const Position *pos) {
    Color us = pos->side;
    Side sides[COLOR_NB];
    Bitboard reach[COLOR_NB];
    for (int c = BLACK; c <= WHITE; c++) {
        Color color = (Color)c;
        sides[c] = (Side){.pos = pos,
                          .us = color,
                          .own_king = seen_from(color, pos->king[color]),
                          .enemy_king = seen_from(color, pos->king[color_flip(color)])};
        add_side(&sides[c]);
        Bitboard guards = bb_andnot(pos->color_bb[c], pos->type_bb[KING]);
        reach[c] = bb_or(sides[c].slides, step_danger(pos, color, guards));
    }
    for (int c = BLACK; c <= WHITE; c++) {
        sides[c].sum -= safety_cost(pos, (Color)c, reach[c ^ 1], reach[c]);
    }
    int score = sides[us].sum - sides[color_flip(us)].sum + TEMPO;
    return int_clamp(score, -SCORE_EVAL_MAX, SCORE_EVAL_MAX);
}
