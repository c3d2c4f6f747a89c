/* notation.c: chooses the disambiguating words, which depend on the other pieces that can reach
 * the square, and finds the move that matches a text. */
#include "record/notation.h"

#include "record/words.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"

Square notation_last_to(const Position *pos) {
    Move last = pos->now->move;
    return move_is_real(last) ? move_to(last) : SQ_NONE;
}

void notation_append_square(Square sq, StrBuf *out) {
    strbuf_addf(out, "%d%d", sq_file(sq) + 1, sq_rank(sq) + 1);
}

/* The side to move's pieces of this type that attack a square, including pinned ones. All notations
 * disambiguate among these pieces. */
static Bitboard candidates_of(const Position *pos, PieceType type, Square to) {
    Bitboard attackers = pos_attackers(pos, to, pos->side, pos_occupied(pos));
    return bb_and(attackers, pos->type_bb[type]);
}

bool notation_may_promote(const Position *pos, Move move) {
    return !move_is_drop(move) && pt_can_promote(pos_moved_type(pos, move)) &&
           (sq_in_zone(pos->side, move_from(move)) || sq_in_zone(pos->side, move_to(move)));
}

/* ---- Japanese, writing ----------------------------------------------------------------------- */

/* The disambiguating words, as a set. */
enum {
    RIGHT = 1,
    LEFT = 2,
    STRAIGHT = 4,
    UP = 8,
    LEVEL = 16,
    BACK = 32,
    DROP = 64,
    SIDES = RIGHT | LEFT | STRAIGHT,
    MOTIONS = UP | LEVEL | BACK
};

/* UP, LEVEL or BACK, from the mover's point of view. */
static int motion_of(Color us, Square from, Square to) {
    int steps = sq_relative_rank(us, from) - sq_relative_rank(us, to);
    return steps > 0 ? UP : steps < 0 ? BACK : LEVEL;
}

/* The file counted from the mover's right. */
static int file_from_right(Color us, Square sq) {
    return us == BLACK ? sq_file(sq) : FILE_NB - 1 - sq_file(sq);
}

/* RIGHT or LEFT if the origin is on that side of the destination; 0 if it is on the same file. */
static int side_of(Color us, Square from, Square to) {
    int distance = file_from_right(us, from) - file_from_right(us, to);
    return distance < 0 ? RIGHT : distance > 0 ? LEFT : 0;
}

/* The words for a board move; `others` are the other candidates. */
static int words_among(Color us, PieceType type, Bitboard others, Move move) {
    Square from = move_from(move), to = move_to(move);
    int motion = motion_of(us, from, to), side = side_of(us, from, to);
    bool motion_is_shared = false, side_is_shared = false, is_rightmost = true;
    for (Bitboard rest = others; bb_any(rest);) {
        Square sq = bb_pop(&rest);
        motion_is_shared |= motion_of(us, sq, to) == motion;
        side_is_shared |= side_of(us, sq, to) == side;
        is_rightmost &= file_from_right(us, from) < file_from_right(us, sq);
    }
    if (!motion_is_shared) {
        return motion;
    }
    if (type == HORSE || type == DRAGON) {
        return is_rightmost ? RIGHT : LEFT;
    }
    bool is_short = type == SILVER || type == GOLD || (type >= PRO_PAWN && type <= PRO_SILVER);
    if (side == 0 && motion == UP && is_short) {
        return STRAIGHT;
    }
    return side_is_shared ? side | motion : side;
}

static int words_of(const Position *pos, Move move) {
    PieceType type = pos_moved_type(pos, move);
    Bitboard others = candidates_of(pos, type, move_to(move));
    if (move_is_drop(move)) {
        return bb_any(others) ? DROP : 0;
    }
    others = bb_andnot(others, bb_square(move_from(move)));
    return bb_any(others) ? words_among(pos->side, type, others, move) : 0;
}

static const struct {
    int bit;
    const char *word;
    char letter; /* JKF's letter */
} word_names[] = {{RIGHT, "右", 'R'}, {LEFT, "左", 'L'}, {STRAIGHT, "直", 'C'}, {UP, "上", 'U'},
                  {LEVEL, "寄", 'M'}, {BACK, "引", 'D'}, {DROP, "打", 'H'}};

const char *notation_relative(const Position *pos, Move move, char out[4]) {
    int words = words_of(pos, move);
    int len = 0;
    for (size_t i = 0; i < COUNTOF(word_names); i++) {
        if ((words & word_names[i].bit) != 0) {
            ASSERT(len < 3);
            out[len++] = word_names[i].letter;
        }
    }
    out[len] = 0;
    return out;
}

void notation_append_ja(const Position *pos, Move move, int style, StrBuf *out) {
    Square to = move_to(move);
    if (to == notation_last_to(pos) && (style & JA_SQUARE) == 0) {
        strbuf_add_str(out, (style & JA_WIDE_SAME) != 0 ? "同　" : "同");
    } else {
        strbuf_add_str(out, word_wide_digit(sq_file(to) + 1));
        strbuf_add_str(out, word_kanji_digit(sq_rank(to) + 1));
    }
    strbuf_add_str(out, word_piece(pos_moved_type(pos, move)));
    int words = words_of(pos, move);
    for (size_t i = 0; i < COUNTOF(word_names); i++) {
        strbuf_add_str(out, (words & word_names[i].bit) != 0 ? word_names[i].word : "");
    }
    if (move_is_promotion(move)) {
        strbuf_add_str(out, "成");
    } else if (notation_may_promote(pos, move)) {
        strbuf_add_str(out, "不成");
    }
}

/* ---- Japanese, reading ----------------------------------------------------------------------- */

typedef struct JaText {
    Square to;
    PieceType type;
    int words;
    bool is_promotion;
    Square from; /* SQ_NONE if not given */
} JaText;

static bool take_ja_square(StrView *text, Square *sq) {
    StrView rest = *text;
    int file = word_take_digit(&rest);
    int rank = file != 0 ? word_take_digit(&rest) : 0;
    if (rank == 0) {
        return false;
    }
    *sq = SQ(file, rank);
    *text = rest;
    return true;
}

static bool take_same(StrView *text) {
    return word_take(text, SV("同")) || word_take(text, SV("仝"));
}

/* Skips 同 after a square, because newspapers write ２四同歩. A piece must follow, because ５三仝
 * is a promoted lance. */
static void skip_same(StrView *text) {
    StrView rest = *text;
    if (take_same(&rest)) {
        word_skip_blanks(&rest);
        StrView piece = rest;
        *text = word_take_piece(&piece) != NO_PIECE_TYPE ? rest : *text;
    }
}

static bool take_destination(StrView *text, Square last_to, Square *to) {
    if (take_ja_square(text, to)) {
        skip_same(text);
        word_skip_blanks(text);
        return true;
    }
    if (last_to == SQ_NONE || !take_same(text)) {
        return false;
    }
    *to = last_to;
    word_skip_blanks(text);
    return true;
}

/* Reads one word after the piece. Returns false if there is none. */
static bool take_word(StrView *text, JaText *move) {
    static const struct {
        const char *word;
        int bit;
    } names[] = {{"右", RIGHT}, {"左", LEFT},  {"直", STRAIGHT}, {"上", UP},   {"行", UP},
                 {"入", UP},    {"寄", LEVEL}, {"引", BACK},     {"下", BACK}, {"打", DROP}};
    for (size_t i = 0; i < COUNTOF(names); i++) {
        if (word_take(text, sv_from(names[i].word))) {
            move->words |= names[i].bit;
            return true;
        }
    }
    if (word_take(text, SV("不成")) || word_take(text, SV("生"))) {
        return true;
    }
    if (word_take(text, SV("成"))) {
        move->is_promotion = true;
        return true;
    }
    return false;
}

/* Reads an origin in parentheses. Leaves *from unchanged if there is none, because the parentheses
 * may contain a time. */
static bool take_origin(StrView *text, Square *from) {
    StrView rest = *text;
    Square sq = SQ_NONE;
    bool is_there = (word_take(&rest, SV("(")) || word_take(&rest, SV("（"))) &&
                    take_ja_square(&rest, &sq) &&
                    (word_take(&rest, SV(")")) || word_take(&rest, SV("）")));
    if (is_there) {
        *text = rest;
        *from = sq;
    }
    return is_there;
}

static bool take_text(StrView *text, Square last_to, JaText *move) {
    *move = (JaText){.from = SQ_NONE};
    if (!take_destination(text, last_to, &move->to)) {
        return false;
    }
    move->type = word_take_piece(text);
    if (move->type == NO_PIECE_TYPE) {
        return false;
    }
    while (take_word(text, move)) {
    }
    if (take_origin(text, &move->from)) {
        /* Some programs write 成 after the origin. */
        while (take_word(text, move)) {
        }
    }
    return true;
}

/* True if the words of a text fit a move, even if this module would write other words. */
static bool words_fit(Color us, const JaText *text, Move move) {
    Square from = move_from(move), to = move_to(move);
    int motion = motion_of(us, from, to), side = side_of(us, from, to);
    bool is_big = text->type == HORSE || text->type == DRAGON;
    int wanted_motion = text->words & MOTIONS, wanted_side = text->words & SIDES;
    if (wanted_side == STRAIGHT) {
        return side == 0 && motion == UP;
    }
    return (wanted_motion == 0 || wanted_motion == motion) &&
           (wanted_side == 0 || wanted_side == side || (is_big && side == 0));
}

/* The state of finding the move of a text. */
typedef struct Search {
    Move exact, fitting; /* MOVE_NONE: none */
    int exact_count, fitting_count;
    KmdLegality fault; /* why the last illegal candidate is illegal */
} Search;

static void consider(const Position *pos, const JaText *text, Move move, Search *search) {
    KmdLegality legality = legality_of(pos, move);
    if (legality != KMD_LEGAL) {
        search->fault = legality;
        return;
    }
    if (words_of(pos, move) == text->words) {
        search->exact = move;
        search->exact_count++;
    }
    if (move_is_drop(move) || words_fit(pos->side, text, move)) {
        search->fitting = move;
        search->fitting_count++;
    }
}

static void search_board(const Position *pos, const JaText *text, Search *search) {
    for (Bitboard rest = candidates_of(pos, text->type, text->to); bb_any(rest);) {
        Square from = bb_pop(&rest);
        if (text->from == SQ_NONE || text->from == from) {
            Move move = text->is_promotion ? move_make_promotion(from, text->to)
                                           : move_make(from, text->to);
            consider(pos, text, move, search);
        }
    }
}

static Move find_ja_move(const Position *pos, const JaText *text, const char **reason) {
    Search search = {.fault = KMD_LEGAL};
    if ((text->words & DROP) == 0) {
        search_board(pos, text, &search);
    }
    bool can_drop = text->type <= GOLD && text->from == SQ_NONE && !text->is_promotion &&
                    (text->words & ~DROP) == 0;
    if (can_drop && search.fitting_count == 0) {
        KmdLegality board_fault = search.fault;
        consider(pos, text, move_make_drop(text->type, text->to), &search);
        /* Without 打, a drop was only one of the possible readings. */
        if ((text->words & DROP) == 0 && search.fault == KMD_ILLEGAL_NOT_IN_HAND) {
            search.fault = board_fault;
        }
    }
    if (search.exact_count == 1) {
        return search.exact;
    }
    if (search.fitting_count == 1) {
        return search.fitting;
    }
    *reason = search.fitting_count > 1    ? "more than one piece can go there"
              : search.fault != KMD_LEGAL ? legality_text(search.fault)
                                          : "no such piece can go there";
    return MOVE_NONE;
}

Move notation_take_ja(const Position *pos, StrView *text, const char **reason) {
    StrView rest = *text;
    JaText parsed;
    if (!take_text(&rest, notation_last_to(pos), &parsed)) {
        *reason = "not a move";
        return MOVE_NONE;
    }
    Move move = find_ja_move(pos, &parsed, reason);
    if (move != MOVE_NONE) {
        *text = rest;
    }
    return move;
}

bool notation_take_illegal_ja(const Position *pos, StrView *text, IllegalMove *illegal) {
    StrView rest = *text;
    JaText parsed;
    if (!take_text(&rest, notation_last_to(pos), &parsed)) {
        return false;
    }
    Bitboard candidates = candidates_of(pos, parsed.type, parsed.to);
    bool is_drop = (parsed.words & DROP) != 0;
    if (parsed.from == SQ_NONE && !is_drop && bb_any(candidates)) {
        parsed.from = bb_pop(&candidates);
        if (bb_any(candidates)) {
            return false;
        }
    }
    is_drop |= parsed.from == SQ_NONE;
    if (is_drop ? parsed.type > GOLD : parsed.from == parsed.to) {
        return false;
    }
    illegal->move = is_drop               ? move_make_drop(parsed.type, parsed.to)
                    : parsed.is_promotion ? move_make_promotion(parsed.from, parsed.to)
                                          : move_make(parsed.from, parsed.to);
    illegal->piece = parsed.type;
    *text = rest;
    return true;
}

void notation_append_origin_ja(IllegalMove move, Square last_to, StrBuf *out) {
    Square to = move_to(move.move);
    if (to == last_to) {
        strbuf_add_str(out, "同　");
    } else {
        strbuf_add_str(out, word_wide_digit(sq_file(to) + 1));
        strbuf_add_str(out, word_kanji_digit(sq_rank(to) + 1));
    }
    strbuf_add_str(out, word_piece(move.piece));
    if (move_is_drop(move.move)) {
        strbuf_add_str(out, "打");
        return;
    }
    strbuf_add_str(out, move_is_promotion(move.move) ? "成(" : "(");
    notation_append_square(move_from(move.move), out);
    strbuf_add_byte(out, ')');
}

/* ---- all notations --------------------------------------------------------------------------- */

void notation_append_west(const Position *pos, Move move, StrBuf *out) {
    PieceType type = pos_moved_type(pos, move);
    Square to = move_to(move), from = move_is_drop(move) ? SQ_NONE : move_from(move);
    strbuf_addf(out, "%s%c", pt_is_promoted(type) ? "+" : "", sfen_letter(type));
    if (from != SQ_NONE && bb_has_many(candidates_of(pos, type, to))) {
        strbuf_addf(out, "%d%c", sq_file(from) + 1, 'a' + sq_rank(from));
    }
    strbuf_addf(out, "%c%d%c",
                from == SQ_NONE             ? '*'
                : pos_is_capture(pos, move) ? 'x'
                                            : '-',
                sq_file(to) + 1, 'a' + sq_rank(to));
    if (notation_may_promote(pos, move)) {
        strbuf_add_byte(out, move_is_promotion(move) ? '+' : '=');
    }
}

const char *notation_name(int notation) {
    static const char *const names[KMD_NOTATION_COUNT] = {"usi", "japanese", "western"};
    return notation >= 0 && notation < KMD_NOTATION_COUNT ? names[notation] : NULL;
}

void notation_append(const Position *pos, Move move, KmdNotation notation, StrBuf *out) {
    if (notation == KMD_NOTATION_USI) {
        usimove_append(move, out);
    } else if (notation == KMD_NOTATION_JAPANESE) {
        notation_append_ja(pos, move, JA_PLAIN, out);
    } else {
        notation_append_west(pos, move, out);
    }
}

/* The legal move that is written as this text. */
static Move find_western(const Position *pos, StrView text, const char **reason) {
    Move list[MAX_MOVES], found = MOVE_NONE;
    StrBuf written = STRBUF_INIT;
    int count = gen_moves(pos, GEN_LEGAL, list);
    for (int i = 0; i < count && found == MOVE_NONE; i++) {
        strbuf_clear(&written);
        notation_append_west(pos, list[i], &written);
        found = sv_equal(text, strbuf_view(&written)) ? list[i] : MOVE_NONE;
    }
    strbuf_free(&written);
    *reason = "not a legal move";
    return found;
}

Move notation_read(const Position *pos, StrView text, KmdNotation notation, const char **reason) {
    text = sv_trim(text);
    if (notation == KMD_NOTATION_WESTERN) {
        return find_western(pos, text, reason);
    }
    if (notation == KMD_NOTATION_JAPANESE) {
        (void)word_take_mark(&text);
        Move move = notation_take_ja(pos, &text, reason);
        *reason = move != MOVE_NONE && text.len > 0 ? "unexpected text after the move" : *reason;
        return text.len == 0 ? move : MOVE_NONE;
    }
    Move move = usimove_read(text);
    KmdLegality legality = legality_of(pos, move);
    *reason = legality_text(legality);
    return legality == KMD_LEGAL ? move : MOVE_NONE;
}
