/* movetext.c: finds the candidate pieces for a destination, tests whether a promotion is optional,
 * and writes squares as text. */
#include "record/movetext.h"

#include "rules/position.h"

Square movetext_last_to(const Position *pos) {
    Move last = pos->now->move;
    return move_is_real(last) ? move_to(last) : SQ_NONE;
}

Bitboard movetext_candidates(const Position *pos, PieceType type, Square to) {
    Bitboard attackers = pos_attackers(pos, to, pos->side, pos_occupied(pos));
    return bb_and(attackers, pos->type_bb[type]);
}

bool movetext_has_choice(const Position *pos, Move move) {
    return !move_is_drop(move) && pt_can_promote(pos_moved_type(pos, move)) &&
           (sq_in_zone(pos->side, move_from(move)) || sq_in_zone(pos->side, move_to(move)));
}

void movetext_append_square(Square sq, bool has_letter, StrBuf *out) {
    strbuf_add_byte(out, (char)('1' + sq_file(sq)));
    strbuf_add_byte(out, (char)((has_letter ? 'a' : '1') + sq_rank(sq)));
}
