#include "kifu/notation.h"

#include "rules/legality.h"
#include "rules/usimove.h"

const char *notation_name(int notation) {
    static const char *const names[KMD_NOTATION_COUNT] = {
        "usi", "japanese", "yorozuya", "hodges", "numeric", "hosking", "81dojo", "kitao", "iroha"};
    return notation >= 0 && notation < KMD_NOTATION_COUNT ? names[notation] : NULL;
}

Square notation_last_to(const Position *pos) {
    Move last = pos->now->move;
    return move_is_real(last) ? move_to(last) : SQ_NONE;
}

static bool is_japanese(KmdNotation notation) {
    return notation == KMD_NOTATION_JAPANESE || notation == KMD_NOTATION_YOROZUYA ||
           notation == KMD_NOTATION_IROHA;
}

void notation_append(const Position *pos, Move move, KmdNotation notation, StrBuf *out) {
    if (notation == KMD_NOTATION_USI) {
        usimove_append(move, out);
    } else if (is_japanese(notation)) {
        int style = notation == KMD_NOTATION_YOROZUYA ? JA_ZODIAC
                    : notation == KMD_NOTATION_IROHA  ? JA_IROHA
                                                      : JA_PLAIN;
        notation_append_ja(pos, move, style, out);
    } else {
        notation_append_west(pos, move, notation, out);
    }
}

static Move read_ja(const Position *pos, StrView text, const char **reason) {
    Move move = notation_take_ja(pos, &text, reason);
    if (move != MOVE_NONE && text.len > 0) {
        *reason = "something stands behind the move";
        return MOVE_NONE;
    }
    return move;
}

Move notation_read(const Position *pos, StrView text, KmdNotation notation, const char **reason) {
    if (notation != KMD_NOTATION_USI) {
        return is_japanese(notation) ? read_ja(pos, text, reason)
                                     : notation_read_west(pos, text, reason);
    }
    Move move = usimove_read(text);
    KmdLegality legality = legality_of(pos, move);
    *reason = legality_text(legality);
    return legality == KMD_LEGAL ? move : MOVE_NONE;
}

Bitboard notation_candidates(const Position *pos, PieceType type, Square to) {
    Bitboard attackers = pos_attackers(pos, to, pos->side, pos_occupied(pos));
    return bb_and(attackers, pos->type_bb[type]);
}

bool notation_has_choice(const Position *pos, Move move) {
    return !move_is_drop(move) && pt_can_promote(pos_moved_type(pos, move)) &&
           (sq_in_zone(pos->side, move_from(move)) || sq_in_zone(pos->side, move_to(move)));
}

void notation_append_square(Square sq, bool has_letter, StrBuf *out) {
    strbuf_add_byte(out, (char)('1' + sq_file(sq)));
    strbuf_add_byte(out, (char)((has_letter ? 'a' : '1') + sq_rank(sq)));
}
