/* position_see.c: static exchange evaluation: lets both sides capture in turn with the least
 * valuable attacker, until the side to move prefers to stop. */
#include "rules/position.h"

/* The piece types in the order in which they capture. */
static const PieceType order[] = {PAWN,       LANCE,  KNIGHT,     PRO_PAWN, PRO_LANCE,
                                  PRO_KNIGHT, SILVER, PRO_SILVER, GOLD,     BISHOP,
                                  ROOK,       HORSE,  DRAGON,     KING};

/* The least valuable of the attackers, and its type; the set must not be empty. */
static Bitboard least_valuable(const Position *pos, Bitboard attackers, PieceType *type) {
    for (size_t i = 0; i < COUNTOF(order); i++) {
        Bitboard set = bb_and(attackers, pos->type_bb[order[i]]);
        if (bb_any(set)) {
            *type = order[i];
            return bb_square(bb_first(set));
        }
    }
    ASSERT(false);
    return BB_EMPTY;
}

bool pos_see_reaches(const Position *pos, Move move, int threshold, const int16_t *value) {
    Square to = move_to(move);
    PieceType type = pos_moved_type(pos, move);
    Bitboard occupied = bb_or(pos_occupied(pos), bb_square(to));
    int balance = -threshold;
    if (!move_is_drop(move)) {
        balance += value[piece_type(pos->board[to])];
        occupied = bb_xor(occupied, bb_square(move_from(move)));
    }
    if (move_is_promotion(move)) {
        /* A piece in hand is worth the same whether it was promoted or not, so the difference is
         * the gain on the board. */
        balance += value[pt_promote(type)] - value[type];
        type = pt_promote(type);
    }
    if (balance < 0) {
        return false;
    }
    Color side = color_flip(pos->side);
    balance -= value[type];
    if (balance >= 0) {
        return true;
    }
    Bitboard attackers = bb_and(pos_attackers_of_both(pos, to, occupied), occupied);
    /* From here on, `side` is the side to capture next, and `balance` is the lead of the other
     * side. */
    bool is_reached = true;
    while (bb_any(bb_and(attackers, pos->color_bb[side]))) {
        Bitboard taker = least_valuable(pos, bb_and(attackers, pos->color_bb[side]), &type);
        if (type == KING && bb_meets(attackers, pos->color_bb[color_flip(side)])) {
            break;
        }
        is_reached = !is_reached;
        balance = -balance - value[type];
        occupied = bb_xor(occupied, taker);
        if (balance + is_reached > 0) {
            break;
        }
        attackers = bb_and(bb_or(attackers, pos_sliders_on(pos, to, occupied)), occupied);
        side = color_flip(side);
    }
    return is_reached;
}
