/* attacks.h: the squares that pieces attack, and the lines between squares.
 *
 * attacks_init, which pos_init_tables calls, fills the tables once; afterwards any thread may read
 * them.
 *
 * A slider's attacks along one line depend on at most 8 other squares. PEXT turns the occupancy of
 * these squares into an index of a table of 8-bit results, and PDEP puts the result back on the
 * board. Without PEXT, arithmetic cuts each half of a line at the nearest piece. Sources: "PEXT
 * bitboards" (Muller, 2013), applied here to one line at a time so that all tables fit the
 * first-level cache; o^(o-1) and counting leading zeros are common knowledge in bitboard
 * programs. */
#ifndef KMD_RULES_ATTACKS_H
#define KMD_RULES_ATTACKS_H

#include "rules/bitboard.h"

/* Directions in pairs of opposites: d ^ 1 is the opposite of d, and d / 2 is the number of its
 * line. Even directions lead to higher squares. DIR_NONE has empty rays. */
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

/* The squares of a line except the slider's own, with the numbers needed to index the results. */
typedef struct LineMask {
    Bitboard squares;
    uint8_t count0;   /* number of squares in word 0 */
    uint8_t position; /* number of squares of the line below the slider's own */
} LineMask;

/* The lines of a bishop and of a rook. */
enum { CROSS_BISHOP, CROSS_ROOK, CROSS_NB };

/* The pieces with step tables. All pieces that move like a gold share one table. */
enum { STEP_PAWN, STEP_KNIGHT, STEP_SILVER, STEP_GOLD, STEP_KING, STEP_NB };

extern Bitboard attack_steps[COLOR_NB][STEP_NB][SQ_NB];
extern Bitboard attack_empty[COLOR_NB][PIECE_TYPE_NB]
                            [SQ_NB]; /* attacks of any type on an empty board */
/* The squares from which a stepping piece of this colour and type may be able, with its next move,
 * to check a king on the square, whether it promotes or not. */
extern Bitboard attack_checkers[COLOR_NB][STEP_KING][SQ_NB];
extern Bitboard attack_rays[DIR_NB][SQ_NB];
extern Bitboard attack_cross[CROSS_NB][SQ_NB]; /* see bb_diagonals, bb_straights */
extern LineMask attack_lines[LINE_NB][SQ_NB];
extern uint8_t attack_line_reach[RANK_NB][256]; /* [position][occupancy] */
extern uint8_t attack_direction[SQ_NB][SQ_NB];

/* Fills the tables; pos_init_tables calls it. */
void attacks_init(void);

/* The squares that a bishop or a rook attacks on an empty board. */
FORCE_INLINE Bitboard bb_diagonals(Square sq) {
    return attack_cross[CROSS_BISHOP][sq];
}

FORCE_INLINE Bitboard bb_straights(Square sq) {
    return attack_cross[CROSS_ROOK][sq];
}

/* The squares a slider on sq attacks along one line, up to and including the nearest piece in each
 * direction. */
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
    Bitboard down = attack_rays[2 * line + 1][sq];
    /* Without branches, because it is hard to predict in which word the nearest piece is. */
    uint64_t up0 = up.word[0] & occupied.word[0], up1 = up.word[1] & occupied.word[1];
    up.word[0] &= up0 ^ (up0 - 1);
    up.word[1] &= (up1 ^ (up1 - 1)) & -(uint64_t)(up0 == 0);
    uint64_t down0 = down.word[0] & occupied.word[0], down1 = down.word[1] & occupied.word[1];
    down.word[1] &= ~(uint64_t)0 << BITS_HIGHEST(down1 | 1);
    down.word[0] &= ~(uint64_t)0 << BITS_HIGHEST(down0 | 1) & -(uint64_t)(down1 == 0);
    return bb_or(up, down);
}
#endif

/* The squares a piece attacks, given the occupied squares. Each line ends with the first occupied
 * square, which is included. */
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

/* The attacks of any type, for callers that pass a constant type: the compiler then keeps only one
 * case. */
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

/* The attacks of any type. */
Bitboard attacks_of(Color color, PieceType type, Square sq, Bitboard occupied);

/* The squares strictly between two squares on a common rank, file or diagonal; otherwise empty. */
FORCE_INLINE Bitboard bb_between(Square a, Square b) {
    int direction = attack_direction[a][b];
    return bb_and(attack_rays[direction][a], attack_rays[direction ^ 1][b]);
}

/* True if a piece of `color` on `from` attacks `to`. Same as attacks_of, but without a switch. */
FORCE_INLINE bool attacks_square(Color color, PieceType type, Square from, Square to,
                                 Bitboard occupied) {
    return bb_has(attack_empty[color][type][from], to) && !bb_meets(bb_between(from, to), occupied);
}

/* The whole line through two different squares, except square a itself; empty if they are not on a
 * common line. */
FORCE_INLINE Bitboard bb_line(Square a, Square b) {
    int direction = attack_direction[a][b];
    return bb_or(attack_rays[direction][a], attack_rays[direction ^ 1][a]);
}

/* True if b and c are on one line through a. The three squares must be different. */
FORCE_INLINE bool sq_aligned(Square a, Square b, Square c) {
    return bb_has(bb_line(a, b), c);
}

/* The squares from which an enemy lance of `color` attacks sq on an empty board: the file in front
 * of sq, as `color` sees it. */
FORCE_INLINE Bitboard bb_before(Color color, Square sq) {
    return attack_rays[color == BLACK ? DIR_UP : DIR_DOWN][sq];
}

/* The sliders among `pieces` that would attack the king of `color` if the board were empty
 * otherwise. `type` is the position's array of sets by type. */
FORCE_INLINE Bitboard attacks_snipers(const Bitboard *type, Bitboard pieces, Color color,
                                      Square king) {
    Bitboard snipers = bb_and(bb_or(type[ROOK], type[DRAGON]), bb_straights(king));
    snipers = bb_or(snipers, bb_and(bb_or(type[BISHOP], type[HORSE]), bb_diagonals(king)));
    snipers = bb_or(snipers, bb_and(type[LANCE], bb_before(color, king)));
    return bb_and(snipers, pieces);
}

/* The squares of `occupied` that are the only occupied square between sq and one of these
 * snipers. */
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
