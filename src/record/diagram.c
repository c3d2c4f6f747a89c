/* diagram.c: parses the ranks and hands of a diagram, and writes diagrams. */
#include "record/diagram.h"

#include "record/words.h"

/* The cells of the board and of the hands are wide characters, so they line up in a font whose
 * kanji are two letters wide. */

static bool take_empty(StrView *text) {
    static const char *const marks[] = {"・", "．", "･", "　", "*", "-", "＿"};
    for (size_t i = 0; i < COUNTOF(marks); i++) {
        if (word_take(text, sv_from(marks[i]))) {
            return true;
        }
    }
    return false;
}

/* Reads one cell: a mark for the side (space or ^ for black, v for white) and a piece. */
static bool take_cell(StrView *text, Piece *piece) {
    Color color = BLACK;
    if (word_take(text, SV("v")) || word_take(text, SV("V"))) {
        color = WHITE;
    } else if (!word_take(text, SV(" ")) && !word_take(text, SV("^"))) {
        word_take(text, SV("+"));
    }
    *piece = NO_PIECE;
    if (take_empty(text)) {
        return true;
    }
    PieceType type = word_take_piece(text);
    if (type == NO_PIECE_TYPE) {
        return false;
    }
    *piece = piece_make(color, type);
    return true;
}

static DiagramLine read_diagram_rank(Diagram *diagram, StrView line, const char **reason) {
    if (diagram->rank_count == RANK_NB) {
        *reason = "the diagram has more than nine ranks";
        return DIAGRAM_BAD;
    }
    for (int file = FILE_NB - 1; file >= 0; file--) {
        Piece piece;
        if (!take_cell(&line, &piece)) {
            *reason = "the diagram has a cell that is not a piece";
            return DIAGRAM_BAD;
        }
        diagram->setup.board[sq_make(file, diagram->rank_count)] = piece;
    }
    if (!word_take(&line, SV("|")) && !word_take(&line, SV("｜"))) {
        *reason = "a rank of the diagram does not end after nine cells";
        return DIAGRAM_BAD;
    }
    diagram->rank_count++;
    return DIAGRAM_TAKEN;
}

static DiagramLine read_hand(Diagram *diagram, Color color, StrView text, const char **reason) {
    Hand hand = 0;
    word_skip_blanks(&text);
    if (word_take(&text, SV("残り"))) {
        diagram->has_rest = true;
        diagram->rest = color;
        return DIAGRAM_TAKEN;
    }
    while (text.len > 0 && !sv_starts_with(text, SV("なし"))) {
        PieceType type = word_take_piece(&text);
        if (type == NO_PIECE_TYPE || type > GOLD) {
            *reason = "a hand holds something that is not a piece";
            return DIAGRAM_BAD;
        }
        int count = word_take_count(&text);
        count = count == 0 ? 1 : count;
        if (hand_count(hand, type) + count > pt_total(type)) {
            *reason = "a hand holds more pieces of a kind than a set has";
            return DIAGRAM_BAD;
        }
        hand += (Hand)count * hand_unit(type);
        word_skip_blanks(&text);
    }
    diagram->setup.hand[color] = hand;
    return DIAGRAM_TAKEN;
}

/* Reads "先手の持駒：" or one of its variants. */
static bool take_owner_of_hand(StrView *text, Color *color) {
    static const struct {
        const char *word;
        Color color;
    } sides[] = {{"先手", BLACK}, {"下手", BLACK}, {"後手", WHITE}, {"上手", WHITE}};
    StrView rest = *text;
    for (size_t i = 0; i < COUNTOF(sides); i++) {
        if (word_take(&rest, sv_from(sides[i].word))) {
            *color = sides[i].color;
            word_take(&rest, SV("の"));
            if ((!word_take(&rest, SV("持駒")) && !word_take(&rest, SV("持ち駒"))) ||
                (!word_take(&rest, SV("：")) && !word_take(&rest, SV(":")))) {
                return false;
            }
            *text = rest;
            return true;
        }
    }
    return false;
}

static void set_side(Diagram *diagram, Color side, SideSource source) {
    diagram->is_at_odds |= diagram->side_source != SIDE_UNKNOWN && diagram->setup.side != side;
    if (source >= diagram->side_source) {
        diagram->setup.side = side;
        diagram->side_source = source;
    }
}

/* Reads "58  ▲７六歩(77)  まで". */
static void read_last_move(Diagram *diagram, StrView text) {
    int number = word_take_any_number(&text, 999999);
    diagram->setup.ply = number >= 0 ? number + 1 : diagram->setup.ply;
    word_skip_blanks(&text);
    Color mover = word_take_mark(&text);
    if (mover != COLOR_NB) {
        set_side(diagram, color_flip(mover), SIDE_AFTER_MOVE);
    }
}

DiagramLine diagram_read_line(Diagram *diagram, StrView line, const char **reason) {
    Color color;
    if (word_take(&line, SV("|")) || word_take(&line, SV("｜"))) {
        return read_diagram_rank(diagram, line, reason);
    }
    if (take_owner_of_hand(&line, &color)) {
        return read_hand(diagram, color, line, reason);
    }
    if (word_take(&line, SV("手数＝"))) {
        read_last_move(diagram, line);
        return DIAGRAM_TAKEN;
    }
    StrView word = word_trim(line);
    bool is_named = sv_equal(word, SV("先手番")) || sv_equal(word, SV("後手番"));
    if (is_named || sv_equal(word, SV("下手番")) || sv_equal(word, SV("上手番"))) {
        bool is_white = sv_equal(word, SV("後手番")) || sv_equal(word, SV("上手番"));
        set_side(diagram, is_white ? WHITE : BLACK, is_named ? SIDE_NAMED : SIDE_OF_HANDICAP);
        return DIAGRAM_TAKEN;
    }
    bool is_frame = sv_starts_with(word, SV("+--")) || sv_starts_with(word, SV("９ ８")) ||
                    sv_starts_with(word, SV("９　８")) || sv_starts_with(word, SV("９８"));
    return is_frame ? DIAGRAM_TAKEN : DIAGRAM_OTHER;
}

Setup diagram_setup(const Diagram *diagram) {
    Setup setup = diagram->setup;
    if (diagram->has_rest) {
        setup_add_missing(&setup, diagram->rest);
    }
    return setup;
}

static void write_diagram_hand(const char *side, Hand hand, StrBuf *out) {
    const PieceType *order = word_hand_order;
    strbuf_addf(out, "%sの持駒：", side);
    if (hand == 0) {
        strbuf_add_str(out, "なし");
    }
    for (size_t i = 0; i < COUNTOF(word_hand_order); i++) {
        int count = hand_count(hand, order[i]);
        if (count > 0) {
            strbuf_add_str(out, word_piece(order[i]));
        }
        if (count > 1) {
            word_append_count(count, out);
        }
        if (count > 0) {
            strbuf_add_str(out, "　");
        }
    }
    strbuf_add_byte(out, '\n');
}

void diagram_write(const Setup *setup, StrBuf *out) {
    write_diagram_hand("後手", setup->hand[WHITE], out);
    strbuf_add_str(out, "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for (int rank = 0; rank < RANK_NB; rank++) {
        strbuf_add_byte(out, '|');
        for (int file = FILE_NB - 1; file >= 0; file--) {
            Piece piece = setup->board[sq_make(file, rank)];
            bool is_white = piece != NO_PIECE && piece_color(piece) == WHITE;
            strbuf_add_byte(out, is_white ? 'v' : ' ');
            strbuf_add_str(out, piece == NO_PIECE ? "・" : word_board_piece(piece_type(piece)));
        }
        strbuf_addf(out, "|%s\n", word_kanji_digit(rank + 1));
    }
    strbuf_add_str(out, "+---------------------------+\n");
    write_diagram_hand("先手", setup->hand[BLACK], out);
    strbuf_add_str(out, setup->side == WHITE ? "後手番\n" : "先手番\n");
}
