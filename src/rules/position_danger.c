/* position_danger.c: the squares around a king that the enemy attacks. One shift of a set makes the
 * steps of all pieces in one direction, pieces too far away are skipped, and the attacks of sliders
 * are added. One call covers all eight neighbours of a king. */
#include "rules/attacks.h"
#include "rules/position.h"

KingZone pos_king_zones[SQ_NB + 1];

void pos_init_king_zones(void) {
    for (Square king = 0; king < SQ_NB; king++) {
        KingZone zone = {.bishops = BB_EMPTY, .rooks = BB_EMPTY};
        for (Bitboard near = bb_or(attacks_king(king), bb_square(king)); bb_any(near);) {
            Square sq = bb_pop(&near);
            Bitboard self = bb_square(sq);
            zone.bishops = bb_or(zone.bishops, bb_or(bb_diagonals(sq), self));
            zone.rooks = bb_or(zone.rooks, bb_or(bb_straights(sq), self));
            for (int color = BLACK; color <= WHITE; color++) {
                Bitboard steps = bb_or(attacks_king(sq), attacks_knight((Color)color, sq));
                zone.steps[color] = bb_or(zone.steps[color], steps);
                zone.lances[color] = bb_or(zone.lances[color], bb_before((Color)color, sq));
            }
        }
        pos_king_zones[king] = zone;
    }
    pos_king_zones[SQ_NONE] =
        (KingZone){.lances = {BB_ALL, BB_ALL}, .bishops = BB_ALL, .rooks = BB_ALL};
}

/* The functions below get the colour as a constant, so the compiler makes two versions of each and
 * "forward" costs nothing. */

FORCE_INLINE Bitboard steps_of(const Position *pos, Color them, Bitboard near) {
    const Bitboard *type = pos->type_bb;
    Bitboard kings = type[KING];
    Bitboard straight = bb_or(bb_or(type[SET_GOLDS], type[HORSE]), kings);
    Bitboard askew = bb_or(bb_or(type[SILVER], type[DRAGON]), kings);
    Bitboard up = bb_or(bb_or(straight, type[PAWN]), type[SILVER]);
    Bitboard side = bb_and(straight, near);
    Bitboard ahead_askew = bb_forward(them, bb_and(bb_or(askew, type[SET_GOLDS]), near));
    Bitboard behind_askew = bb_backward(them, bb_and(askew, near));
    Bitboard jump = bb_forward(them, bb_forward(them, bb_and(type[KNIGHT], near)));
    Bitboard beside = bb_or(bb_or(side, ahead_askew), bb_or(behind_askew, jump));
    return bb_or(bb_or(bb_forward(them, bb_and(up, near)), bb_backward(them, side)),
                 bb_or(bb_left(beside), bb_right(beside)));
}

FORCE_INLINE Bitboard danger_to(const Position *pos, Color us, Bitboard *lines) {
    Square king = pos->king[us];
    const KingZone *zone = &pos_king_zones[king];
    const Bitboard *type = pos->type_bb;
    Bitboard theirs = pos->color_bb[color_flip(us)];
    Bitboard see_through = bb_andnot(pos_occupied(pos), bb_square(king));
    Bitboard danger = BB_EMPTY;
    Bitboard rooks = bb_and(bb_and(bb_or(type[ROOK], type[DRAGON]), theirs), zone->rooks);
    while (bb_any(rooks)) {
        danger = bb_or(danger, attacks_rook(bb_pop(&rooks), see_through));
    }
    Bitboard bishops = bb_and(bb_and(bb_or(type[BISHOP], type[HORSE]), theirs), zone->bishops);
    while (bb_any(bishops)) {
        danger = bb_or(danger, attacks_bishop(bb_pop(&bishops), see_through));
    }
    Bitboard lances = bb_and(bb_and(type[LANCE], theirs), zone->lances[us]);
    while (bb_any(lances)) {
        danger = bb_or(danger, attacks_lance(color_flip(us), bb_pop(&lances), see_through));
    }
    *lines = danger;
    Bitboard near = bb_and(theirs, zone->steps[us]);
    return bb_any(near) ? bb_or(danger, steps_of(pos, color_flip(us), near)) : danger;
}

Bitboard pos_king_danger_lines(const Position *pos, Color color, Bitboard *lines) {
    ASSERT(pos->king[color] != SQ_NONE);
    return color == BLACK ? danger_to(pos, BLACK, lines) : danger_to(pos, WHITE, lines);
}

Bitboard pos_king_danger(const Position *pos, Color color) {
    Bitboard lines;
    return pos_king_danger_lines(pos, color, &lines);
}

Bitboard pos_step_attacks(const Position *pos, Color color, Bitboard pieces) {
    return color == BLACK ? steps_of(pos, BLACK, bb_and(pieces, pos->color_bb[BLACK]))
                          : steps_of(pos, WHITE, bb_and(pieces, pos->color_bb[WHITE]));
}
