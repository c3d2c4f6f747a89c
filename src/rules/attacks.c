/* attacks.c: computes the tables of steps, rays, lines and sliders once. */
#include "rules/attacks.h"

Bitboard attack_steps[COLOR_NB][STEP_NB][SQ_NB];
Bitboard attack_empty[COLOR_NB][PIECE_TYPE_NB][SQ_NB];
Bitboard attack_checkers[COLOR_NB][STEP_KING][SQ_NB];
Bitboard attack_rays[DIR_NB][SQ_NB];
Bitboard attack_cross[CROSS_NB][SQ_NB];
LineMask attack_lines[LINE_NB][SQ_NB];
uint8_t attack_line_reach[RANK_NB][256];
uint8_t attack_direction[SQ_NB][SQ_NB];

/* A step as black sees it: the number of files to the left and of ranks towards rank 9. */
typedef struct Step {
    int8_t file, rank;
} Step;

static const Step direction_step[8] = {{0, 1}, {0, -1},  {1, 0},  {-1, 0},
                                       {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};

/* The square one step away, or SQ_NONE if it is off the board. White's steps are those of black,
 * rotated. */
static Square step_from(Square sq, Step step, Color color) {
    int sign = color == BLACK ? 1 : -1;
    int file = sq_file(sq) + sign * step.file;
    int rank = sq_rank(sq) + sign * step.rank;
    bool is_on_board = file >= 0 && file < FILE_NB && rank >= 0 && rank < RANK_NB;
    return is_on_board ? sq_make(file, rank) : SQ_NONE;
}

static void init_steps(void) {
    static const Step steps[STEP_NB][8] = {
        [STEP_PAWN] = {{0, -1}},
        [STEP_KNIGHT] = {{1, -2}, {-1, -2}},
        [STEP_SILVER] = {{0, -1}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}},
        [STEP_GOLD] = {{0, -1}, {1, -1}, {-1, -1}, {1, 0}, {-1, 0}, {0, 1}},
        [STEP_KING] = {{0, -1}, {1, -1}, {-1, -1}, {1, 0}, {-1, 0}, {0, 1}, {1, 1}, {-1, 1}},
    };
    for (int color = BLACK; color <= WHITE; color++) {
        for (int mover = 0; mover < STEP_NB; mover++) {
            for (Square sq = 0; sq < SQ_NB; sq++) {
                Bitboard set = BB_EMPTY;
                for (int i = 0; i < 8 && (steps[mover][i].file | steps[mover][i].rank) != 0; i++) {
                    Square to = step_from(sq, steps[mover][i], (Color)color);
                    set = to == SQ_NONE ? set : bb_or(set, bb_square(to));
                }
                attack_steps[color][mover][sq] = set;
            }
        }
    }
}

static void init_rays(void) {
    for (Square a = 0; a < SQ_NB; a++) {
        for (Square b = 0; b < SQ_NB; b++) {
            attack_direction[a][b] = DIR_NONE;
        }
        for (int direction = 0; direction < DIR_NONE; direction++) {
            Bitboard ray = BB_EMPTY;
            for (Square b = a; (b = step_from(b, direction_step[direction], BLACK)) != SQ_NONE;) {
                ray = bb_or(ray, bb_square(b));
                attack_direction[a][b] = (uint8_t)direction;
            }
            attack_rays[direction][a] = ray;
        }
    }
}

static void init_lines(void) {
    for (int line = 0; line < LINE_NB; line++) {
        for (Square sq = 0; sq < SQ_NB; sq++) {
            Bitboard below = attack_rays[2 * line + 1][sq];
            Bitboard squares = bb_or(below, attack_rays[2 * line][sq]);
            attack_lines[line][sq] = (LineMask){
                .squares = squares,
                .count0 = (uint8_t)BITS_COUNT(squares.word[0]),
                .position = (uint8_t)bb_count(below),
            };
        }
    }
    for (Square sq = 0; sq < SQ_NB; sq++) {
        attack_cross[CROSS_BISHOP][sq] =
            bb_or(attack_lines[LINE_FALLING][sq].squares, attack_lines[LINE_RISING][sq].squares);
        attack_cross[CROSS_ROOK][sq] =
            bb_or(attack_lines[LINE_FILE][sq].squares, attack_lines[LINE_RANK][sq].squares);
    }
    for (int position = 0; position < RANK_NB; position++) {
        for (unsigned occupied = 0; occupied < 256; occupied++) {
            unsigned reach = 0;
            for (int i = position; i < 8; i++) {
                reach |= 1u << i;
                if (occupied >> i & 1) {
                    break;
                }
            }
            for (int i = position - 1; i >= 0; i--) {
                reach |= 1u << i;
                if (occupied >> i & 1) {
                    break;
                }
            }
            attack_line_reach[position][occupied] = (uint8_t)reach;
        }
    }
}

Bitboard attacks_of(Color color, PieceType type, Square sq, Bitboard occupied) {
    return attacks_of_known(color, type, sq, occupied);
}

static void init_empty(void) {
    for (int color = BLACK; color <= WHITE; color++) {
        for (int type = PAWN; type < PIECE_TYPE_NB; type++) {
            for (Square sq = 0; sq < SQ_NB; sq++) {
                attack_empty[color][type][sq] =
                    attacks_of((Color)color, (PieceType)type, sq, BB_EMPTY);
            }
        }
    }
}

static void init_checkers(void) {
    for (int us = BLACK; us <= WHITE; us++) {
        Color them = color_flip((Color)us);
        for (int step = STEP_PAWN; step < STEP_KING; step++) {
            for (Square king = 0; king < SQ_NB; king++) {
                Bitboard checks =
                    bb_or(attack_steps[them][step][king], attack_steps[them][STEP_GOLD][king]);
                Bitboard from = BB_EMPTY;
                while (bb_any(checks)) {
                    from = bb_or(from, attack_steps[them][step][bb_pop(&checks)]);
                }
                attack_checkers[us][step][king] = from;
            }
        }
    }
}

void attacks_init(void) {
    init_steps();
    init_checkers();
    init_rays();
    init_lines();
    init_empty();
}
