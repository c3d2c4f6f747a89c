/* notation_west.c: writes and reads the Western notations, using a table of their letters and
 * separators. */
#include "record/notation_west.h"

#include "record/movetext.h"
#include "record/words.h"
#include "rules/legality.h"
#include "rules/sfen.h"

static void append_letter(PieceType type, KmdNotation style, StrBuf *out) {
    if (style == KMD_NOTATION_DOJO && (type == PRO_PAWN || type == HORSE || type == DRAGON)) {
        strbuf_add_byte(out, type == PRO_PAWN ? 'T' : type == HORSE ? 'H' : 'D');
        return;
    }
    if (pt_is_promoted(type)) {
        strbuf_add_byte(out, '+');
    }
    strbuf_add_byte(out, sfen_letter(type));
}

/* Appends a piece in kanji. と, 馬 and 龍 have their own names; the other promoted pieces are
 * written with a plus. */
static void append_kanji(PieceType type, StrBuf *out) {
    if (type >= PRO_LANCE && type <= PRO_SILVER) {
        strbuf_add_byte(out, '+');
        type = pt_raw(type);
    }
    strbuf_add_str(out, word_piece(type));
}

void notation_append_west(const Position *pos, Move move, KmdNotation style, StrBuf *out) {
    PieceType type = pos_moved_type(pos, move);
    Square to = move_to(move);
    bool has_letters = style == KMD_NOTATION_HODGES || style == KMD_NOTATION_DOJO;
    bool is_kitao = style == KMD_NOTATION_KITAO;
    bool is_drop = move_is_drop(move);
    bool has_origin = !is_drop && bb_has_many(movetext_candidates(pos, type, to));
    if (is_kitao) {
        append_kanji(type, out);
    } else {
        append_letter(type, style, out);
    }
    if (has_origin) {
        strbuf_add_str(out, is_kitao ? "(" : "");
        movetext_append_square(move_from(move), has_letters, out);
        strbuf_add_str(out, is_kitao ? ")" : "");
    }
    if (is_drop) {
        strbuf_add_byte(out, '*');
    } else if (pos_is_capture(pos, move)) {
        strbuf_add_byte(out, 'x');
    } else if (style != KMD_NOTATION_HOSKING || has_origin) {
        strbuf_add_byte(out, '-');
    }
    if (!is_kitao || to != movetext_last_to(pos)) {
        movetext_append_square(to, has_letters, out);
    }
    if (movetext_has_choice(pos, move)) {
        strbuf_add_byte(out, move_is_promotion(move) ? '+' : '=');
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct WestText {
    PieceType type;
    Square from; /* SQ_NONE if not given */
    Square to;
    char kind; /* '-', 'x', '*', or 0 if not given */
    bool is_promotion;
} WestText;

static bool take_one_of(StrView *text, const char *bytes, char *taken) {
    for (const char *byte = bytes; *byte != 0; byte++) {
        if (text->len > 0 && text->ptr[0] == *byte) {
            *taken = *byte;
            *text = sv_skip(*text, 1);
            return true;
        }
    }
    return false;
}

static PieceType take_type(StrView *text) {
    char byte;
    bool is_promoted = take_one_of(text, "+", &byte);
    PieceType type = NO_PIECE_TYPE;
    if (take_one_of(text, "THD", &byte)) {
        type = byte == 'T' ? PRO_PAWN : byte == 'H' ? HORSE : DRAGON;
    } else if (take_one_of(text, "PLNSGBRK", &byte)) {
        type = sfen_type(byte);
    } else if (text->len > 0 && text->ptr[0] >= '1' && text->ptr[0] <= '9') {
        type = PAWN; /* chess players omit the letter */
    } else {
        type = word_take_piece(text);
    }
    if (is_promoted && pt_can_promote(type)) {
        return pt_promote(type);
    }
    return is_promoted ? NO_PIECE_TYPE : type;
}

static bool take_square(StrView *text, Square *sq) {
    if (text->len < 2 || text->ptr[0] < '1' || text->ptr[0] > '9') {
        return false;
    }
    char rank = text->ptr[1];
    int number = rank >= '1' && rank <= '9'   ? rank - '0'
                 : rank >= 'a' && rank <= 'i' ? rank - 'a' + 1
                                              : 0;
    if (number == 0) {
        return false;
    }
    *sq = SQ(text->ptr[0] - '0', number);
    *text = sv_skip(*text, 2);
    return true;
}

/* Reads the squares and the sign between them. The first square is the origin if a second square
 * follows, or if the sign is followed by "the same square". */
static bool take_squares(StrView *text, Square last_to, WestText *move) {
    char byte;
    bool has_parenthesis = take_one_of(text, "(", &byte);
    Square first = SQ_NONE;
    bool has_first = take_square(text, &first);
    if (has_parenthesis && (!has_first || !take_one_of(text, ")", &byte))) {
        return false;
    }
    bool has_kind = take_one_of(text, "-x*'", &move->kind);
    move->kind = move->kind == '\'' ? '*' : move->kind;
    if (take_square(text, &move->to)) {
        move->from = first;
        return true;
    }
    if (has_kind) {
        move->from = first;
        move->to = last_to;
        return last_to != SQ_NONE;
    }
    move->to = first;
    return has_first && !has_parenthesis;
}

static bool read_text(StrView text, Square last_to, WestText *move) {
    *move = (WestText){.from = SQ_NONE, .to = SQ_NONE};
    move->type = take_type(&text);
    if (move->type == NO_PIECE_TYPE || !take_squares(&text, last_to, move)) {
        return false;
    }
    char mark = 0;
    take_one_of(&text, "+=", &mark);
    move->is_promotion = mark == '+';
    return text.len == 0;
}

static Move find_drop(const Position *pos, const WestText *text, const char **reason) {
    if (text->type > GOLD || text->from != SQ_NONE || text->is_promotion) {
        *reason = "no such drop";
        return MOVE_NONE;
    }
    Move move = move_make_drop(text->type, text->to);
    KmdLegality legality = legality_of(pos, move);
    *reason = legality == KMD_LEGAL ? *reason : legality_text(legality);
    return legality == KMD_LEGAL ? move : MOVE_NONE;
}

static Move find_move(const Position *pos, const WestText *text, const char **reason) {
    Move found = MOVE_NONE;
    *reason = "no such piece can go there";
    for (Bitboard rest = movetext_candidates(pos, text->type, text->to); bb_any(rest);) {
        Square from = bb_pop(&rest);
        if (text->from != SQ_NONE && text->from != from) {
            continue;
        }
        Move move =
            text->is_promotion ? move_make_promotion(from, text->to) : move_make(from, text->to);
        KmdLegality legality = legality_of(pos, move);
        if (legality != KMD_LEGAL) {
            *reason = found == MOVE_NONE ? legality_text(legality) : *reason;
        } else if (found != MOVE_NONE) {
            *reason = "more than one piece can go there";
            return MOVE_NONE;
        } else {
            found = move;
        }
    }
    return found;
}

Move notation_read_west(const Position *pos, StrView text, const char **reason) {
    WestText parsed;
    if (!read_text(text, movetext_last_to(pos), &parsed)) {
        *reason = "not a move";
        return MOVE_NONE;
    }
    return parsed.kind == '*' ? find_drop(pos, &parsed, reason) : find_move(pos, &parsed, reason);
}
