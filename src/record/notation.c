/* notation.c: calls the functions of one of the three kinds of notation, and checks that nothing
 * follows the move. */
#include "record/notation.h"

#include "record/notation_ja.h"
#include "record/notation_west.h"
#include "rules/legality.h"
#include "rules/position.h"
#include "rules/usimove.h"

const char *notation_name(int notation) {
    static const char *const names[KMD_NOTATION_COUNT] = {
        "usi", "japanese", "yorozuya", "hodges", "numeric", "hosking", "81dojo", "kitao", "iroha"};
    return notation >= 0 && notation < KMD_NOTATION_COUNT ? names[notation] : NULL;
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
        *reason = "unexpected text after the move";
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
