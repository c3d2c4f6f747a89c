/* handwritten.c: computes the evaluation from tables of material, of pieces in hand, and of the
 * value of attacked squares, which depends on their distance from both kings. */
#include "eval/handwritten.h"

#include <stdlib.h>

#include "eval/values.h"
#include "rules/attacks.h"
#include "rules/position.h"

/* The value of attacking a square at distance 0 from a king, for the side that attacks the king and
 * for the side that defends it. The value is proportional to 1 / (distance + 1), with the distance
 * in king steps. Source of the idea and of the ratio: Isozaki's series on material evaluation with
 * square effects (2020). */
#define ATTACK_WEIGHT        104
#define DEFENCE_WEIGHT       74
#define WORTH(weight, steps) ((weight) / ((steps) + 1))

/* For sliders, all distances from this one on have the same value. */
enum { FAR = 3 };

/* How much more an attack is worth at each distance than one step further away. [FAR] is the value
 * of an attack at the distance FAR. */
static const int slide_gain[2][FAR + 1] = {
    {WORTH(ATTACK_WEIGHT, 0) - WORTH(ATTACK_WEIGHT, 1),
     WORTH(ATTACK_WEIGHT, 1) - WORTH(ATTACK_WEIGHT, 2),
     WORTH(ATTACK_WEIGHT, 2) - WORTH(ATTACK_WEIGHT, 3), WORTH(ATTACK_WEIGHT, 3)},
    {WORTH(DEFENCE_WEIGHT, 0) - WORTH(DEFENCE_WEIGHT, 1),
     WORTH(DEFENCE_WEIGHT, 1) - WORTH(DEFENCE_WEIGHT, 2),
     WORTH(DEFENCE_WEIGHT, 2) - WORTH(DEFENCE_WEIGHT, 3), WORTH(DEFENCE_WEIGHT, 3)},
};

/* Row numbers of the step tables: one row for each stepping piece of either colour, and a row of
 * zeros for all other pieces. */
enum { STEP_ROW_NB = COLOR_NB * STEP_KING + 1, STEP_ROW_NONE = STEP_ROW_NB - 1 };

/* [colour of a king][its square][row of a stepping piece * SQ_NB + square of that piece]: the sum
 * of the worths of the squares that the piece attacks, negative for white pieces. The value is 0
 * for the king square SQ_NONE. The king is the first index so that an evaluation reads memory that
 * lies close together. */
static int16_t step_worth[COLOR_NB][SQ_NB + 1][STEP_ROW_NB * SQ_NB];

/* The data about a piece on the board that the evaluation needs, from black's point of view. */
typedef struct PieceWorth {
    int16_t value;
    int16_t row; /* offset of its row in the table of a king */
} PieceWorth;

static PieceWorth piece_worth[PIECE_NB];

/* [distance - 1][square]: the squares within that distance. */
static Bitboard within[FAR][SQ_NB];

/* The cost of holes in centipawns, indexed by their number. A hole is a square next to a king that
 * the enemy attacks and only the king guards. The cost grows faster than the number of holes. */
static const int16_t hole_cost[9] = {0, 24, 56, 96, 140, 186, 230, 270, 300};

/* Value of a king's square in centipawns: [relative rank][distance from the centre file]. A king on
 * its home rank and away from the centre is safe; a king that moves up the board is exposed until
 * it has entered the enemy camp. */
static const int8_t king_place[RANK_NB][5] = {
    {60, 60, 60, 62, 64},      {50, 50, 50, 52, 54},      {30, 30, 30, 32, 34},
    {-30, -30, -28, -26, -24}, {-60, -58, -55, -52, -50}, {-60, -58, -55, -52, -50},
    {-50, -46, -38, -30, -28}, {-30, -20, 4, 22, 24},     {-26, -8, 22, 48, 36},
};

/* The value of the right to move, in centipawns. */
#define TEMPO 20

static int king_distance(Square a, Square b) {
    return int_max(abs(sq_file(a) - sq_file(b)), abs(sq_rank(a) - sq_rank(b)));
}

/* Fills one row: the values, with regard to one king, of a stepping piece's attacks. */
static void init_row(Color us, int mover, Color king_color, Square king) {
    int weight = us == king_color ? DEFENCE_WEIGHT : ATTACK_WEIGHT;
    int16_t *row = &step_worth[king_color][king][((int)us * STEP_KING + mover) * SQ_NB];
    for (Square sq = 0; sq < SQ_NB; sq++) {
        int sum = 0;
        for (Bitboard rest = attack_steps[us][mover][sq]; bb_any(rest);) {
            sum += WORTH(weight, king_distance(bb_pop(&rest), king));
        }
        row[sq] = (int16_t)(us == BLACK ? sum : -sum);
    }
}

static void init_kings(void) {
    for (Square king = 0; king < SQ_NB; king++) {
        for (Square sq = 0; sq < SQ_NB; sq++) {
            for (int steps = king_distance(sq, king); steps < FAR; steps++) {
                within[steps][king] = bb_or(within[steps][king], bb_square(sq));
            }
        }
        for (int i = 0; i < STEP_ROW_NONE; i++) {
            init_row((Color)(i / STEP_KING), i % STEP_KING, BLACK, king);
            init_row((Color)(i / STEP_KING), i % STEP_KING, WHITE, king);
        }
    }
}

/* The stepping piece that a type is counted as; STEP_KING for kings and sliders, which are not
 * counted. */
static int counted_mover(PieceType type) {
    switch (type) {
    case PAWN:
        return STEP_PAWN;
    case KNIGHT:
        return STEP_KNIGHT;
    case SILVER:
        return STEP_SILVER;
    default:
        return pt_moves_as_gold(type) ? STEP_GOLD : STEP_KING;
    }
}

static void init_pieces(void) {
    for (int type = PAWN; type < PIECE_TYPE_NB; type++) {
        int mover = counted_mover((PieceType)type);
        for (int us = BLACK; us <= WHITE; us++) {
            int row = mover == STEP_KING ? STEP_ROW_NONE : us * STEP_KING + mover;
            int value = values_piece((PieceType)type) * (us == BLACK ? 1 : -1);
            piece_worth[piece_make((Color)us, (PieceType)type)] =
                (PieceWorth){.value = (int16_t)value, .row = (int16_t)(row * SQ_NB)};
        }
    }
}

void handwritten_init(void) {
    values_init();
    init_kings();
    init_pieces();
}

/* The sum of the material on the board and of the attacks of stepping pieces, from black's point of
 * view. */
static int pieces_sum(const Position *pos) {
    const int16_t *black = step_worth[BLACK][pos->king[BLACK]];
    const int16_t *white = step_worth[WHITE][pos->king[WHITE]];
    int sum = 0;
    for (Bitboard rest = pos_occupied(pos); bb_any(rest);) {
        Square sq = bb_pop(&rest);
        PieceWorth worth = piece_worth[pos_piece(pos, sq)];
        sum += worth.value + black[worth.row + sq] + white[worth.row + sq];
    }
    return sum;
}

/* The attacks of one side's sliders. */
typedef struct Slides {
    Bitboard reach; /* attacked squares */
    int sum;        /* value of the attacks for that side */
} Slides;

/* The value, with regard to one king, of a set of attacked squares. */
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

FORCE_INLINE void add_slides(Slides *slides, const Position *pos, Color us, Bitboard reach) {
    slides->reach = bb_or(slides->reach, reach);
    slides->sum += reach_worth(reach, pos->king[color_flip(us)], false) +
                   reach_worth(reach, pos->king[us], true);
}

/* The steps of a dragon or a horse besides its slides. */
FORCE_INLINE Bitboard promoted_steps(Bitboard promoted, Square sq) {
    return bb_has(promoted, sq) ? attacks_king(sq) : BB_EMPTY;
}

static Slides slides_of(const Position *pos, Color us) {
    const Bitboard *type = pos->type_bb;
    Bitboard own = pos->color_bb[us];
    Bitboard occupied = pos_occupied(pos);
    Slides slides = {.reach = BB_EMPTY};
    for (Bitboard rest = bb_and(own, type[LANCE]); bb_any(rest);) {
        add_slides(&slides, pos, us, attacks_lance(us, bb_pop(&rest), occupied));
    }
    for (Bitboard rest = bb_and(own, bb_or(type[BISHOP], type[HORSE])); bb_any(rest);) {
        Square sq = bb_pop(&rest);
        Bitboard reach = bb_or(attacks_bishop(sq, occupied), promoted_steps(type[HORSE], sq));
        add_slides(&slides, pos, us, reach);
    }
    for (Bitboard rest = bb_and(own, bb_or(type[ROOK], type[DRAGON])); bb_any(rest);) {
        Square sq = bb_pop(&rest);
        Bitboard reach = bb_or(attacks_rook(sq, occupied), promoted_steps(type[DRAGON], sq));
        add_slides(&slides, pos, us, reach);
    }
    return slides;
}

static int hand_sum(Hand hand) {
    int sum = 0;
    for (int type = PAWN; type <= GOLD && hand != 0; type++) {
        sum += hand_count(hand, (PieceType)type) * values_hand_piece((PieceType)type);
    }
    return sum;
}

static int king_worth(Color us, Square king) {
    if (king == SQ_NONE) {
        return 0;
    }
    return king_place[sq_relative_rank(us, king)][abs(sq_file(king) - 4)];
}

/* The cost of holes around a king, which grows with the value of the enemy's pieces in hand: 2,000
 * centipawns double it, and 4,000 or more triple it. */
static int safety_cost(Square king, Bitboard attacked, Bitboard guarded, int their_hand) {
    if (king == SQ_NONE) {
        return 0;
    }
    Bitboard holes = bb_andnot(bb_and(attacks_king(king), attacked), guarded);
    int supply = int_min(their_hand, 4000);
    return hole_cost[bb_count(holes)] * (1000 + supply / 2) / 1000;
}

int handwritten_evaluate(const Position *pos) {
    int sum[COLOR_NB];
    int hand[COLOR_NB];
    Bitboard reach[COLOR_NB];
    for (int c = BLACK; c <= WHITE; c++) {
        Slides slides = slides_of(pos, (Color)c);
        Bitboard guards = bb_andnot(pos->color_bb[c], pos->type_bb[KING]);
        reach[c] = bb_or(slides.reach, pos_step_attacks(pos, (Color)c, guards));
        hand[c] = hand_sum(pos->hand[c]);
        sum[c] = slides.sum + hand[c] + king_worth((Color)c, pos->king[c]);
    }
    for (int c = BLACK; c <= WHITE; c++) {
        sum[c] -= safety_cost(pos->king[c], reach[c ^ 1], reach[c], hand[c ^ 1]);
    }
    int black = pieces_sum(pos) + sum[BLACK] - sum[WHITE];
    return int_clamp((pos->side == BLACK ? black : -black) + TEMPO, -EVAL_MAX, EVAL_MAX);
}
