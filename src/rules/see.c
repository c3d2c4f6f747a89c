#include "rules/see.h"

#include "rules/attacks.h"
#include "rules/position.h"

/* From the first to be risked to the last. */
static const PieceType order[] = {PAWN,       LANCE,  KNIGHT,     PRO_PAWN, PRO_LANCE,
                                  PRO_KNIGHT, SILVER, PRO_SILVER, GOLD,     BISHOP,
                                  ROOK,       HORSE,  DRAGON,     KING};

/* The least valuable of the attackers and its type; the set is not empty. */
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

/* Sliders of both sides that bear on sq with the given squares occupied. */
static Bitboard sliders_on(const Position *pos, Square sq, Bitboard occupied) {
    const Bitboard *type = pos->type_bb;
    Bitboard rooks = bb_or(type[ROOK], type[DRAGON]);
    Bitboard bishops = bb_or(type[BISHOP], type[HORSE]);
    Bitboard up = bb_and(attack_rays[DIR_DOWN][sq], pos_pieces(pos, BLACK, LANCE));
    Bitboard down = bb_and(attack_rays[DIR_UP][sq], pos_pieces(pos, WHITE, LANCE));
    Bitboard straight = bb_or(rooks, bb_or(up, down));
    Bitboard set = BB_EMPTY;
    if (bb_meets(straight, attack_cross[1][sq])) {
        set = bb_and(attacks_rook(sq, occupied), straight);
    }
    if (bb_meets(bishops, attack_cross[0][sq])) {
        set = bb_or(set, bb_and(attacks_bishop(sq, occupied), bishops));
    }
    return bb_and(set, occupied);
}

bool see_reaches(const Position *pos, Move move, int threshold, const int16_t *value) {
    Square to = move_to(move);
    PieceType type = pos_moved_type(pos, move);
    Bitboard occupied = bb_or(pos_occupied(pos), bb_square(to));
    int balance = -threshold;
    if (!move_is_drop(move)) {
        balance += value[piece_type(pos->board[to])];
        occupied = bb_xor(occupied, bb_square(move_from(move)));
    }
    if (move_is_promotion(move)) {
        /* What the piece gains stays lost when it is taken: its capture is reckoned promoted. */
        balance += (value[pt_promote(type)] - value[type]) / 2;
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
    Bitboard attackers =
        bb_or(pos_attackers(pos, to, BLACK, occupied), pos_attackers(pos, to, WHITE, occupied));
    attackers = bb_and(attackers, occupied);
    /* From here on `side` is to take, and balance is what the other side has in hand. */
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
        attackers = bb_and(bb_or(attackers, sliders_on(pos, to, occupied)), occupied);
        side = color_flip(side);
    }
    return is_reached;
}
