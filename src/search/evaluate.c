#include "search/evaluate.h"

#include <stdlib.h>

#include "rules/position.h"

/* All by piece type. */
static const int16_t board_value[PIECE_TYPE_NB] = {0, 100, 290, 310, 470, 780,  900, 530,
                                                   0, 480, 490, 500, 530, 1050, 1250};
static const int16_t hand_value[HAND_TYPE_NB] = {0, 105, 310, 330, 500, 850, 980, 570};

/* Per mille of the distance terms below that a piece counts for. Long movers work from afar. */
static const int16_t near_weight[PIECE_TYPE_NB] = {0, 25,  30,  50,  100, 45,  60, 110,
                                                   0, 100, 100, 100, 105, 110, 120};

/* What a piece gains by its distance from the enemy king and from its own, in hundredths of
 * near_weight. */
static const int8_t attack_by_distance[RANK_NB] = {0, 48, 38, 24, 12, 4, 0, -4, -8};
static const int8_t defence_by_distance[RANK_NB] = {0, 30, 22, 10, 2, 0, 0, 0, 0};

/* The king is safest at home; each rank it goes forward costs, by the enemy's pieces in hand. */
static const int8_t king_rank_cost[RANK_NB] = {0, 4, 8, 12, 12, 10, 7, 1, 0};

#define TEMPO 15

Score piece_value(PieceType type) {
    return board_value[type];
}

Score capture_value(PieceType type) {
    return type == KING || type == NO_PIECE_TYPE ? 0 : board_value[type] + hand_value[pt_raw(type)];
}

static int distance(Square a, Square b) {
    return int_max(abs(sq_file(a) - sq_file(b)), abs(sq_rank(a) - sq_rank(b)));
}

static int near_kings(const Position *pos, Color us, PieceType type, Square sq) {
    Square own = pos->king[us];
    Square enemy = pos->king[color_flip(us)];
    int attack = enemy == SQ_NONE ? 0 : attack_by_distance[distance(sq, enemy)];
    int defence = own == SQ_NONE ? 0 : defence_by_distance[distance(sq, own)];
    return (attack + defence) * near_weight[type] / 100;
}

static int hand_total(Hand hand) {
    int sum = 0;
    for (PieceType type = PAWN; type <= GOLD; type++) {
        sum += hand_count(hand, type) * hand_value[type];
    }
    return sum;
}

static int king_cost(const Position *pos, Color us) {
    Square king = pos->king[us];
    if (king == SQ_NONE) {
        return 0;
    }
    int enemy_hand = hand_total(pos->hand[color_flip(us)]);
    return king_rank_cost[sq_relative_rank(us, king)] * (4 + enemy_hand / 250);
}

static int side_total(const Position *pos, Color us) {
    int sum = hand_total(pos->hand[us]) - king_cost(pos, us);
    for (Bitboard rest = pos->color_bb[us]; bb_any(rest);) {
        Square sq = bb_pop(&rest);
        PieceType type = piece_type(pos_piece(pos, sq));
        sum += board_value[type] + near_kings(pos, us, type, sq);
    }
    return sum;
}

Score evaluate(const Position *pos) {
    Color us = pos->side;
    int score = side_total(pos, us) - side_total(pos, color_flip(us)) + TEMPO;
    return int_clamp(score, -SCORE_EVAL_MAX, SCORE_EVAL_MAX);
}
