/* attacks.h: where pieces can go on the board, and the lines between squares.
 *
 * The tables are filled once by attacks_init (rules_init calls it); afterwards they
 * are only read, from any thread.
 *
 * A slider's reach along one line depends on at most 8 other squares. With PEXT they become an
 * index into a table of 8-bit answers, and PDEP puts the answer back on the board; without it the
 * two halves of a line are cut at the nearest piece by arithmetic. Source of the first: "PEXT
 * bitboards" (Muller, 2013), here a line at a time so that all tables together stay in the first
 * cache; of the second: o^(o-1) and leading zeros, folklore of bitboard programs. */
#ifndef KMD_RULES_ATTACKS_H
#define KMD_RULES_ATTACKS_H

#include "rules/bitboard.h"

/* Directions in pairs of opposites, so d ^ 1 turns around and d / 2 names the line. Even ones lead
 * to higher squares. DIR_NONE has empty rays. */
typedef enum Direction {
    DIR_DOWN,       /* +1, rank a towards rank i */
    DIR_UP,         /* -1 */
    DIR_LEFT,       /* +9, file 1 towards file 9 */
    DIR_RIGHT,      /* -9 */
    DIR_LEFT_DOWN,  /* +10 */
    DIR_RIGHT_UP,   /* -10 */
    DIR_LEFT_UP,    /* +8 */
    DIR_RIGHT_DOWN, /* -8 */
    DIR_NONE,
    DIR_NONE_REVERSED,
    DIR_NB
} Direction;

enum { LINE_FILE, LINE_RANK, LINE_FALLING, LINE_RISING, LINE_NB };

/* The squares of a line but the slider's own, and what turns occupancy into an index. */
typedef struct LineMask {
    Bitboard squares;
    uint8_t count0;   /* squares in word 0 */
    uint8_t position; /* squares of the line below the slider's own */
} LineMask;

/* The two crosses of lines, a bishop's and a rook's. */
enum { CROSS_BISHOP, CROSS_ROOK, CROSS_NB };

/* Step tables exist for these movers; all that moves like a gold shares one. */
enum { STEP_PAWN, STEP_KNIGHT, STEP_SILVER, STEP_GOLD, STEP_KING, STEP_NB };

extern Bitboard attack_steps[COLOR_NB][STEP_NB][SQ_NB];
extern Bitboard attack_empty[COLOR_NB][PIECE_TYPE_NB][SQ_NB]; /* any type on an empty board */
/* Where a stepping piece of the colour may stand that some move, to promote or not, lets check a
 * king on the square. */
extern Bitboard attack_checkers[COLOR_NB][STEP_KING][SQ_NB];
extern Bitboard attack_rays[DIR_NB][SQ_NB];
extern Bitboard attack_cross[CROSS_NB][SQ_NB]; /* see bb_diagonals, bb_straights */
extern LineMask attack_lines[LINE_NB][SQ_NB];
extern uint8_t attack_line_reach[RANK_NB][256]; /* [position][occupancy] */
extern uint8_t attack_direction[SQ_NB][SQ_NB];

/* Fills the tables; rules_init calls it. */
void attacks_init(void);

/* The squares that a bishop, and a rook, attacks on an empty board. */
FORCE_INLINE Bitboard bb_diagonals(Square sq) {
    return attack_cross[CROSS_BISHOP][sq];
}

FORCE_INLINE Bitboard bb_straights(Square sq) {
    return attack_cross[CROSS_ROOK][sq];
}

/* The squares that a slider on sq reaches along one line: up to and including the nearest piece
 * each way. */
#if KMD_HAS_PEXT
FORCE_INLINE Bitboard attacks_line(Square sq, int line, Bitboard occupied) {
    ASSERT(sq >= 0 && sq < SQ_NB);
    const LineMask *mask = &attack_lines[line][sq];
    uint64_t index = _pext_u64(occupied.word[0], mask->squares.word[0]) |
                     _pext_u64(occupied.word[1], mask->squares.word[1]) << mask->count0;
    uint64_t reach = attack_line_reach[mask->position][index];
    return (Bitboard){{_pdep_u64(reach, mask->squares.word[0]),
                       _pdep_u64(reach >> mask->count0, mask->squares.word[1])}};
}
#else
FORCE_INLINE Bitboard attacks_line(Square sq, int line, Bitboard occupied) {
    ASSERT(sq >= 0 && sq < SQ_NB);
    Bitboard up = attack_rays[2 * line][sq];
    Bitboard up_pieces = bb_and(up, occupied);
    if (up_pieces.word[0] != 0) {
        up = (Bitboard){{up.word[0] & (up_pieces.word[0] ^ (up_pieces.word[0] - 1)), 0}};
    } else {
        up.word[1] &= up_pieces.word[1] ^ (up_pieces.word[1] - 1);
    }
    Bitboard down = attack_rays[2 * line + 1][sq];
    Bitboard down_pieces = bb_and(down, occupied);
    if (down_pieces.word[1] != 0) {
        int nearest = BITS_HIGHEST(down_pieces.word[1]);
        down = (Bitboard){{0, down.word[1] & ~(uint64_t)0 << nearest}};
    } else if (down_pieces.word[0] != 0) {
        int nearest = BITS_HIGHEST(down_pieces.word[0]);
        down.word[0] &= ~(uint64_t)0 << nearest;
    }
    return bb_or(up, down);
}
#endif

/* Squares a piece attacks with the given squares occupied. An occupied square ends a line and
 * belongs to it. */
FORCE_INLINE Bitboard attacks_lance(Color color, Square sq, Bitboard occupied) {
    Direction forward = color == BLACK ? DIR_UP : DIR_DOWN;
    return bb_and(attacks_line(sq, LINE_FILE, occupied), attack_rays[forward][sq]);
}

FORCE_INLINE Bitboard attacks_bishop(Square sq, Bitboard occupied) {
    return bb_or(attacks_line(sq, LINE_FALLING, occupied), attacks_line(sq, LINE_RISING, occupied));
}

FORCE_INLINE Bitboard attacks_rook(Square sq, Bitboard occupied) {
    return bb_or(attacks_line(sq, LINE_FILE, occupied), attacks_line(sq, LINE_RANK, occupied));
}

FORCE_INLINE Bitboard attacks_pawn(Color color, Square sq) {
    return attack_steps[color][STEP_PAWN][sq];
}

FORCE_INLINE Bitboard attacks_knight(Color color, Square sq) {
    return attack_steps[color][STEP_KNIGHT][sq];
}

FORCE_INLINE Bitboard attacks_silver(Color color, Square sq) {
    return attack_steps[color][STEP_SILVER][sq];
}

FORCE_INLINE Bitboard attacks_gold(Color color, Square sq) {
    return attack_steps[color][STEP_GOLD][sq];
}

FORCE_INLINE Bitboard attacks_king(Square sq) {
    return attack_steps[BLACK][STEP_KING][sq];
}

FORCE_INLINE Bitboard attacks_horse(Square sq, Bitboard occupied) {
    return bb_or(attacks_bishop(sq, occupied), attacks_king(sq));
}

FORCE_INLINE Bitboard attacks_dragon(Square sq, Bitboard occupied) {
    return bb_or(attacks_rook(sq, occupied), attacks_king(sq));
}

/* Any type; for callers with a constant type, of which but one case is left. */
FORCE_INLINE Bitboard attacks_of_known(Color color, PieceType type, Square sq, Bitboard occupied) {
    switch (type) {
    case PAWN:
        return attacks_pawn(color, sq);
    case LANCE:
        return attacks_lance(color, sq, occupied);
    case KNIGHT:
        return attacks_knight(color, sq);
    case SILVER:
        return attacks_silver(color, sq);
    case BISHOP:
        return attacks_bishop(sq, occupied);
    case ROOK:
        return attacks_rook(sq, occupied);
    case GOLD:
    case PRO_PAWN:
    case PRO_LANCE:
    case PRO_KNIGHT:
    case PRO_SILVER:
        return attacks_gold(color, sq);
    case KING:
        return attacks_king(sq);
    case HORSE:
        return attacks_horse(sq, occupied);
    case DRAGON:
        return attacks_dragon(sq, occupied);
    case NO_PIECE_TYPE:
    case PIECE_TYPE_NB:
        break;
    }
    return BB_EMPTY;
}

/* Any type. */
Bitboard attacks_of(Color color, PieceType type, Square sq, Bitboard occupied);

/* Squares strictly between two squares on a common rank, file or diagonal; empty otherwise. */
FORCE_INLINE Bitboard bb_between(Square a, Square b) {
    int direction = attack_direction[a][b];
    return bb_and(attack_rays[direction][a], attack_rays[direction ^ 1][b]);
}

/* True when a piece of [color] on `from` attacks `to`; as attacks_of, without a switch. */
FORCE_INLINE bool attacks_square(Color color, PieceType type, Square from, Square to,
                                 Bitboard occupied) {
    return bb_has(attack_empty[color][type][from], to) && !bb_meets(bb_between(from, to), occupied);
}

/* The whole line through two different squares, a not included; empty when they share none. */
FORCE_INLINE Bitboard bb_line(Square a, Square b) {
    int direction = attack_direction[a][b];
    return bb_or(attack_rays[direction][a], attack_rays[direction ^ 1][a]);
}

/* True when b and c lie on one line through a; the three squares are different. */
FORCE_INLINE bool sq_aligned(Square a, Square b, Square c) {
    return bb_has(bb_line(a, b), c);
}

/* The squares from which a lance of the other side than `color` bears on sq on an empty board:
 * the file before sq as `color` sees it. */
FORCE_INLINE Bitboard bb_before(Color color, Square sq) {
    return attack_rays[color == BLACK ? DIR_UP : DIR_DOWN][sq];
}

/* The sliders among `pieces` that would attack the king of `color` on an empty board; `type` holds
 * sets by type. */
FORCE_INLINE Bitboard attacks_snipers(const Bitboard *type, Bitboard pieces, Color color,
                                      Square king) {
    Bitboard snipers = bb_and(bb_or(type[ROOK], type[DRAGON]), bb_straights(king));
    snipers = bb_or(snipers, bb_and(bb_or(type[BISHOP], type[HORSE]), bb_diagonals(king)));
    snipers = bb_or(snipers, bb_and(type[LANCE], bb_before(color, king)));
    return bb_and(snipers, pieces);
}

/* The squares of `occupied` that alone stand between sq and one of these snipers. */
FORCE_INLINE Bitboard attacks_blockers(Square sq, Bitboard snipers, Bitboard occupied) {
    Bitboard blockers = BB_EMPTY;
    while (bb_any(snipers)) {
        Bitboard between = bb_and(bb_between(sq, bb_pop(&snipers)), occupied);
        if (!bb_has_many(between)) {
            blockers = bb_or(blockers, between);
        }
    }
    return blockers;
}

#endif
