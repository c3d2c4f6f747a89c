/* boardsvg.c: draws board, pieces, hands, marks and arrows as SVG elements at fixed coordinates. */
#include "web/boardsvg.h"

#include <math.h>

#include "record/words.h"
#include "rules/sfen.h"
#include "web/chart.h"

/* The stands for pieces in hand are beside the board: white's at the top left, rotated, and black's
 * at the bottom right. Text can be centred only approximately: placing the baseline 0.36 of the
 * font size below the middle suits kanji and capitals in the usual fonts. All coordinates are whole
 * numbers, because printf writes a decimal comma where the program around the library has one. */

enum {
    CELL_W = 44,
    CELL_H = 48,
    STAND_W = 92,
    GAP = 14,
    TOP = 62,
    LEFT = STAND_W + GAP * 2,
    BOARD_W = CELL_W * 9,
    BOARD_H = CELL_H * 9,
    WIDTH = LEFT + BOARD_W + 24 + GAP + STAND_W + GAP,
    HEIGHT = TOP + BOARD_H + 44
};

#define FONT                                                                                       \
    "font-family=\"'Noto Serif CJK JP','Noto Serif JP','Yu Mincho','Hiragino Mincho ProN',"        \
    "'IPAexMincho','VL Gothic',serif\""

typedef struct Picture {
    const Position *pos;
    const BoardLook *look;
    StrBuf *out;
} Picture;

/* The centre of a square. */
static double square_x(const Picture *picture, Square sq) {
    int file = sq_file(sq);
    return LEFT + ((picture->look->is_flipped ? file : 8 - file) + 0.5) * CELL_W;
}

static double square_y(const Picture *picture, Square sq) {
    int rank = sq_rank(sq);
    return TOP + ((picture->look->is_flipped ? 8 - rank : rank) + 0.5) * CELL_H;
}

static bool is_below(const Picture *picture, Color side) {
    return (side == BLACK) != picture->look->is_flipped;
}

static void add_label(const Picture *picture, double x, double y, double size, const char *text) {
    strbuf_addf(picture->out,
                "<text x=\"%.0f\" y=\"%.0f\" font-size=\"%.0f\" text-anchor=\"middle\">%s</text>\n",
                x, y + size * 0.36, size, text);
}

/* Draws a piece centred at x, y. The outline has five sides like a wooden piece. White's pieces
 * point down, or black's on a flipped board. */
static void draw_piece(const Picture *picture, Color color, PieceType type, double x, double y) {
    bool is_letter = picture->look->has_letters;
    char letters[3] = {'+', sfen_letter(type), 0};
    const char *text = is_letter ? letters + !pt_is_promoted(type) : word_board_piece(type);
    double size = !is_letter ? 25 : pt_is_promoted(type) ? 17 : 21;
    strbuf_addf(
        picture->out,
        "<g transform=\"translate(%.0f %.0f)%s\"><path d=\"M0,-21 L12.5,-15.5 L17,20 "
        "L-17,20 L-12.5,-15.5 Z\" fill=\"url(#wood)\" stroke=\"#8a6a35\" stroke-width=\"1\" "
        "stroke-linejoin=\"round\"/><text y=\"%.0f\" font-size=\"%.0f\" "
        "text-anchor=\"middle\" fill=\"%s\">%s</text></g>\n",
        x, y, is_below(picture, color) ? "" : " rotate(180)", 3 + size * 0.36, size,
        pt_is_promoted(type) ? "#b3261e" : "#1c1710", text);
}

static void add_mark(const Picture *picture, Square sq, const char *color) {
    strbuf_addf(picture->out,
                "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n",
                square_x(picture, sq) - CELL_W / 2.0, square_y(picture, sq) - CELL_H / 2.0, CELL_W,
                CELL_H, color);
}

static void add_lines(const Picture *picture) {
    StrBuf *out = picture->out;
    strbuf_add_str(out, "<g stroke=\"#4a3a1c\" stroke-width=\"1\">\n");
    for (int i = 1; i < 9; i++) {
        strbuf_addf(out, "<path d=\"M%d,%d v%d M%d,%d h%d\"/>\n", LEFT + i * CELL_W, TOP, BOARD_H,
                    LEFT, TOP + i * CELL_H, BOARD_W);
    }
    strbuf_add_str(out, "</g>\n");
    for (int i = 0; i < 4; i++) {
        strbuf_addf(out, "<circle cx=\"%d\" cy=\"%d\" r=\"3\" fill=\"#4a3a1c\"/>\n",
                    LEFT + (i % 2 == 0 ? 3 : 6) * CELL_W, TOP + (i < 2 ? 3 : 6) * CELL_H);
    }
    strbuf_addf(out,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
                "stroke=\"#4a3a1c\" stroke-width=\"2\"/>\n<g fill=\"#444444\">\n",
                LEFT, TOP, BOARD_W, BOARD_H);
    for (int i = 1; i <= 9; i++) {
        char number[2] = {(char)('0' + i), 0}, letter[2] = {(char)('a' + i - 1), 0};
        Square sq = SQ(i, i);
        add_label(picture, square_x(picture, sq), TOP - 12, 15, number);
        add_label(picture, LEFT + BOARD_W + 13, square_y(picture, sq), 15,
                  picture->look->has_letters ? letter : word_kanji_digit(i));
    }
    strbuf_add_str(out, "</g>\n");
}

static void add_board(const Picture *picture) {
    const Position *pos = picture->pos;
    Move last = pos->now->move;
    strbuf_addf(picture->out,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#f6dfa4\"/>\n", LEFT,
                TOP, BOARD_W, BOARD_H);
    if (move_is_real(last)) {
        if (!move_is_drop(last)) {
            add_mark(picture, move_from(last), "#efcb7e");
        }
        add_mark(picture, move_to(last), "#e9a94b");
    }
    add_lines(picture);
    for (Square sq = 0; sq < SQ_NB; sq++) {
        Piece piece = pos_piece(pos, sq);
        if (piece != NO_PIECE) {
            draw_piece(picture, piece_color(piece), piece_type(piece), square_x(picture, sq),
                       square_y(picture, sq));
        }
    }
}

/* Draws a side's stand. For the side at the bottom of the board it is at the right, with the first
 * piece at the bottom; for the other side it is rotated by half a turn. */
static void add_stand(const Picture *picture, Color side) {
    const PieceType *order = word_hand_order;
    bool below = is_below(picture, side);
    int x = below ? WIDTH - GAP - STAND_W : GAP;
    int height = CELL_H * (int)COUNTOF(word_hand_order) + 12,
        y = below ? TOP + BOARD_H - height : TOP;
    double row = 0.5;
    strbuf_addf(picture->out,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"#f3e6c4\" "
                "stroke=\"#c9b27a\"/>\n",
                x, y, STAND_W, height);
    for (size_t i = 0; i < COUNTOF(word_hand_order); i++) {
        int count = hand_count(picture->pos->hand[side], order[i]);
        double row_y = below ? y + 6 + row * CELL_H : y + height - 6 - row * CELL_H;
        if (count > 0) {
            draw_piece(picture, side, order[i], below ? x + 28 : x + STAND_W - 28, row_y);
            row++;
        }
        if (count > 1) {
            char number[4] = {(char)('0' + count % 10), 0};
            if (count > 9) {
                number[0] = '1';
                number[1] = (char)('0' + count % 10);
            }
            add_label(picture, below ? x + 66 : x + STAND_W - 66, row_y, 22, number);
        }
    }
}

/* Draws a player's name with a pentagon, because few fonts have the characters ☗ and ☖. */
static void add_player(const Picture *picture, Color side) {
    bool below = is_below(picture, side);
    double x = below ? WIDTH - GAP : GAP, y = below ? TOP + BOARD_H + 26 : TOP - 34;
    strbuf_addf(picture->out,
                "<path transform=\"translate(%.0f %.0f)\" d=\"M0,-9 L6,-6 L8,8 L-8,8 L-6,-6 Z\" "
                "fill=\"%s\" stroke=\"#1c1710\" stroke-width=\"1.4\"/>\n"
                "<text x=\"%.0f\" y=\"%.0f\" font-size=\"17\" text-anchor=\"%s\">",
                below ? x - 8 : x + 8, y, side == BLACK ? "#1c1710" : "#ffffff",
                below ? x - 24 : x + 24, y + 6, below ? "end" : "start");
    chart_escape(picture->look->names[side], picture->out);
    strbuf_add_str(picture->out, "</text>\n");
}

/* Draws a drop as a ring, and any other move as an arrow that ends just before the centre of the
 * destination. */
static void add_arrow(const Picture *picture, Move move) {
    double x = square_x(picture, move_to(move)), y = square_y(picture, move_to(move));
    if (move_is_drop(move)) {
        strbuf_addf(picture->out,
                    "<circle cx=\"%.0f\" cy=\"%.0f\" r=\"20\" fill=\"none\" stroke=\"#1f6f8b\" "
                    "stroke-width=\"5\" opacity=\"0.8\"/>\n",
                    x, y);
        return;
    }
    double from_x = square_x(picture, move_from(move)), from_y = square_y(picture, move_from(move));
    double short_of = 8 / hypot(x - from_x, y - from_y);
    strbuf_addf(
        picture->out,
        "<line x1=\"%.0f\" y1=\"%.0f\" x2=\"%.0f\" y2=\"%.0f\" stroke=\"#1f6f8b\" "
        "stroke-width=\"6\" stroke-linecap=\"round\" opacity=\"0.8\" marker-end=\"url(#tip)\"/>\n",
        from_x, from_y, x - (x - from_x) * short_of, y - (y - from_y) * short_of);
}

void boardsvg_write(const Position *pos, const BoardLook *look, StrBuf *out) {
    Picture picture = {pos, look, out};
    StrView note = look->note;
    if (note.len == 0) {
        bool is_black = pos->side == BLACK;
        note = sv_from(look->has_letters ? (is_black ? "black to move" : "white to move")
                                         : (is_black ? "先手番" : "後手番"));
    }
    chart_open(WIDTH, HEIGHT, FONT, out);
    strbuf_add_str(
        out, "<defs><linearGradient id=\"wood\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">"
             "<stop offset=\"0\" stop-color=\"#fdf0cf\"/><stop offset=\"1\" "
             "stop-color=\"#f0d79d\"/></linearGradient><marker id=\"tip\" viewBox=\"0 0 10 10\" "
             "refX=\"7\" refY=\"5\" markerWidth=\"3.4\" markerHeight=\"3.4\" orient=\"auto\">"
             "<path d=\"M0,0 L10,5 L0,10 Z\" fill=\"#1f6f8b\"/></marker></defs>\n");
    add_board(&picture);
    for (Color side = BLACK; side < COLOR_NB; side++) {
        add_stand(&picture, side);
        add_player(&picture, side);
    }
    strbuf_addf(out, "<text x=\"%d\" y=\"%d\" font-size=\"17\" fill=\"#333333\">", LEFT,
                TOP + BOARD_H + 32);
    chart_escape(note, out);
    strbuf_add_str(out, "</text>\n");
    for (int i = 0; i < look->arrow_count; i++) {
        add_arrow(&picture, look->arrows[i]);
    }
    chart_end(out);
}
