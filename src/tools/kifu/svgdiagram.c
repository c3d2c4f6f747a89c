#include "tools/kifu/svgdiagram.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/kifu/outfile.h"
#include "tools/kifu/pieces.h"

/* The board stands between two stands for the pieces in hand: white's at the top left, turned
 * round, black's at the bottom right. Text is centred by its own metrics only roughly; 0.36 of the
 * size below the middle fits kanji and capitals in the usual fonts. */

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
    FILE *out;
    const KifuArgs *args;
    const KmdRecord *record;
    KmdPosition *pos; /* at node */
    int node;
} Picture;

/* The corner of a square nearest to the top left. */
static int square_x(const Picture *picture, KmdSquare square) {
    int file = square / 9;
    return LEFT + (picture->args->flip ? file : 8 - file) * CELL_W;
}

static int square_y(const Picture *picture, KmdSquare square) {
    int rank = square % 9;
    return TOP + (picture->args->flip ? 8 - rank : rank) * CELL_H;
}

/* Text with what XML must not hold replaced; control characters are left out. */
static void put_text(FILE *out, const char *text, size_t len) {
    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        if (c == '<' || c == '>' || c == '&') {
            fputs(c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&amp;", out);
        } else if ((unsigned char)c >= 0x20) {
            fputc(c, out);
        }
    }
}

static void put_label(const Picture *picture, double x, double y, double size, const char *text) {
    fprintf(picture->out,
            "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.0f\" text-anchor=\"middle\">%s</text>\n", x,
            y + size * 0.36, size, text);
}

/* A piece with its middle at x, y. Its outline is the five-sided one of wooden pieces; the enemy's
 * point down. */
static void put_piece(const Picture *picture, KmdPiece piece, double x, double y) {
    bool is_up = (piece.color == KMD_BLACK) != picture->args->flip;
    bool has_letters = picture->args->letters;
    const char *text =
        has_letters ? pieces_letters(piece.type, KMD_BLACK) : pieces_kanji(piece.type);
    double size = has_letters ? (strlen(text) > 1 ? 17 : 21) : 25;
    fprintf(picture->out, "<g transform=\"translate(%.1f %.1f)%s\">", x, y,
            is_up ? "" : " rotate(180)");
    fputs("<path d=\"M0,-21 L12.5,-15.5 L17,20 L-17,20 L-12.5,-15.5 Z\" fill=\"url(#wood)\" "
          "stroke=\"#8a6a35\" stroke-width=\"1\" stroke-linejoin=\"round\"/>",
          picture->out);
    fprintf(
        picture->out,
        "<text y=\"%.1f\" font-size=\"%.0f\" text-anchor=\"middle\" fill=\"%s\">%s</text></g>\n",
        3 + size * 0.36, size, piece.type > KMD_KING ? "#b3261e" : "#1c1710", text);
}

static void put_head(const Picture *picture) {
    fprintf(picture->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" " FONT ">\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    fputs("<defs><linearGradient id=\"wood\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">"
          "<stop offset=\"0\" stop-color=\"#fdf0cf\"/><stop offset=\"1\" stop-color=\"#f0d79d\"/>"
          "</linearGradient><marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"7\" refY=\"5\" "
          "markerWidth=\"3.4\" markerHeight=\"3.4\" orient=\"auto\">"
          "<path d=\"M0,0 L10,5 L0,10 Z\" fill=\"#1f6f8b\"/></marker></defs>\n",
          picture->out);
    fprintf(picture->out, "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", WIDTH, HEIGHT);
}

/* The squares the last move came from and went to. */
static void put_last_move(const Picture *picture) {
    KmdMove move = kmd_node_move(picture->record, picture->node);
    KmdSquare squares[2] = {kmd_move_from(move), kmd_move_to(move)};
    for (int i = 0; i < 2; i++) {
        if (squares[i] != KMD_SQUARE_NONE) {
            fprintf(picture->out,
                    "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n",
                    square_x(picture, squares[i]), square_y(picture, squares[i]), CELL_W, CELL_H,
                    i == 0 ? "#efcb7e" : "#e9a94b");
        }
    }
}

static void put_lines(const Picture *picture) {
    fputs("<g stroke=\"#4a3a1c\" stroke-width=\"1\">\n", picture->out);
    for (int i = 1; i < 9; i++) {
        fprintf(picture->out, "<path d=\"M%d,%d v%d M%d,%d h%d\"/>\n", LEFT + i * CELL_W, TOP,
                BOARD_H, LEFT, TOP + i * CELL_H, BOARD_W);
    }
    fputs("</g>\n", picture->out);
    for (int i = 0; i < 4; i++) {
        fprintf(picture->out, "<circle cx=\"%d\" cy=\"%d\" r=\"3\" fill=\"#4a3a1c\"/>\n",
                LEFT + (i % 2 == 0 ? 3 : 6) * CELL_W, TOP + (i < 2 ? 3 : 6) * CELL_H);
    }
    fprintf(picture->out,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#4a3a1c\" "
            "stroke-width=\"2\"/>\n",
            LEFT, TOP, BOARD_W, BOARD_H);
}

static void put_coordinates(const Picture *picture) {
    fputs("<g fill=\"#444444\">\n", picture->out);
    for (int i = 1; i <= 9; i++) {
        char number[2] = {(char)('0' + i), 0}, letter[2] = {(char)('a' + i - 1), 0};
        KmdSquare square = KMD_SQUARE(i, i);
        put_label(picture, square_x(picture, square) + CELL_W / 2.0, TOP - 12, 15, number);
        put_label(picture, LEFT + BOARD_W + 13, square_y(picture, square) + CELL_H / 2.0, 15,
                  picture->args->letters ? letter : pieces_kanji_digit(i));
    }
    fputs("</g>\n", picture->out);
}

static void put_board(const Picture *picture) {
    fprintf(picture->out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#f6dfa4\"/>\n",
            LEFT, TOP, BOARD_W, BOARD_H);
    put_last_move(picture);
    put_lines(picture);
    put_coordinates(picture);
    for (KmdSquare square = 0; square < KMD_SQUARE_COUNT; square++) {
        KmdPiece piece = kmd_piece_on(picture->pos, square);
        if (piece.type != KMD_NO_PIECE_TYPE) {
            put_piece(picture, piece, square_x(picture, square) + CELL_W / 2.0,
                      square_y(picture, square) + CELL_H / 2.0);
        }
    }
}

/* The stand of a side: at the right with its first piece at the bottom for the side that sits
 * below, the same turned round for the other. */
static void put_stand(const Picture *picture, KmdColor side) {
    bool is_below = (side == KMD_BLACK) != picture->args->flip;
    int x = is_below ? WIDTH - GAP - STAND_W : GAP;
    int height = CELL_H * PIECES_HAND_TYPES + 12, row = 0;
    int y = is_below ? TOP + BOARD_H - height : TOP;
    fprintf(picture->out,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"#f3e6c4\" "
            "stroke=\"#c9b27a\"/>\n",
            x, y, STAND_W, height);
    for (int i = 0; i < PIECES_HAND_TYPES; i++) {
        KmdPiece piece = {pieces_hand_order[i], side};
        int count = kmd_hand_count(picture->pos, side, piece.type);
        if (count == 0) {
            continue;
        }
        double row_y =
            is_below ? y + 6 + (row + 0.5) * CELL_H : y + height - 6 - (row + 0.5) * CELL_H;
        put_piece(picture, piece, is_below ? x + 28 : x + STAND_W - 28, row_y);
        if (count > 1) {
            char number[16];
            snprintf(number, sizeof(number), "%d", count);
            put_label(picture, is_below ? x + 66 : x + STAND_W - 66, row_y, 22, number);
        }
        row++;
    }
}

static void put_player(const Picture *picture, KmdColor side) {
    bool is_below = (side == KMD_BLACK) != picture->args->flip;
    KmdText name = kmd_player(picture->record, side);
    double x = is_below ? WIDTH - GAP : GAP;
    double y = is_below ? TOP + BOARD_H + 26 : TOP - 34;
    /* The pentagon of ☗ ☖ is drawn, since few fonts have it. */
    double mark_x = is_below ? x - 8 : x + 8;
    fprintf(picture->out,
            "<path transform=\"translate(%.1f %.1f)%s\" d=\"M0,-9 L6,-6 L8,8 L-8,8 L-6,-6 Z\" "
            "fill=\"%s\" stroke=\"#1c1710\" stroke-width=\"1.4\"/>\n",
            mark_x, y, "", side == KMD_BLACK ? "#1c1710" : "#ffffff");
    fprintf(picture->out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"17\" text-anchor=\"%s\">",
            is_below ? x - 24 : x + 24, y + 6, is_below ? "end" : "start");
    put_text(picture->out, name.ptr, name.len);
    fputs("</text>\n", picture->out);
}

/* "12手目 △３四歩まで" below the board. */
static void put_caption(const Picture *picture) {
    KmdMove move = kmd_node_move(picture->record, picture->node);
    if (move == KMD_MOVE_NONE) {
        return;
    }
    char text[KMD_NOTATION_SIZE], caption[KMD_NOTATION_SIZE + 64];
    int depth = kmd_node_depth(picture->record, picture->node);
    KmdPosition *before = kmd_position_copy(picture->pos);
    kmd_undo(before);
    bool is_black = kmd_side_to_move(before) == KMD_BLACK;
    if (picture->args->letters) {
        kmd_notation_write(before, move, KMD_NOTATION_HODGES, text);
        snprintf(caption, sizeof(caption), "after move %d: %s", depth, text);
    } else {
        kmd_notation_write(before, move, KMD_NOTATION_JAPANESE, text);
        snprintf(caption, sizeof(caption), "%d手目 %s%sまで", depth, is_black ? "▲" : "△", text);
    }
    kmd_position_free(before);
    fprintf(picture->out, "<text x=\"%d\" y=\"%d\" font-size=\"17\" fill=\"#333333\">%s</text>\n",
            LEFT, TOP + BOARD_H + 32, caption);
}

/* An arrow of a move ends before the middle of its square; a drop is a ring on it. */
static void put_arrow(const Picture *picture, KmdMove move) {
    KmdSquare from = kmd_move_from(move), to = kmd_move_to(move);
    double x = square_x(picture, to) + CELL_W / 2.0, y = square_y(picture, to) + CELL_H / 2.0;
    if (from == KMD_SQUARE_NONE) {
        fprintf(picture->out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"20\" fill=\"none\" stroke=\"#1f6f8b\" "
                "stroke-width=\"5\" opacity=\"0.8\"/>\n",
                x, y);
        return;
    }
    double from_x = square_x(picture, from) + CELL_W / 2.0;
    double from_y = square_y(picture, from) + CELL_H / 2.0;
    double length = hypot(x - from_x, y - from_y), short_of = length > 0 ? 8 / length : 0;
    fprintf(
        picture->out,
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#1f6f8b\" "
        "stroke-width=\"6\" stroke-linecap=\"round\" opacity=\"0.8\" marker-end=\"url(#tip)\"/>\n",
        from_x, from_y, x - (x - from_x) * short_of, y - (y - from_y) * short_of);
}

static void put_picture(const Picture *picture) {
    put_head(picture);
    put_board(picture);
    for (KmdColor side = KMD_BLACK; side <= KMD_WHITE; side = (KmdColor)(side + 1)) {
        put_stand(picture, side);
        put_player(picture, side);
    }
    put_caption(picture);
    for (int i = 0; i < picture->args->arrow_count; i++) {
        KmdMove move = kmd_move_read(picture->args->arrows[i]);
        if (kmd_move_to(move) < KMD_SQUARE_COUNT) {
            put_arrow(picture, move);
        }
    }
    fputs("</svg>\n", picture->out);
}

int svgdiagram_run(const KifuArgs *args) {
    if (!kifuargs_has_one(args)) {
        return 2;
    }
    if (args->out != NULL && outfile_is_same(args->out, args->inputs[0])) {
        fprintf(stderr, "%s: not replaced by its picture\n", args->out);
        return 1;
    }
    KmdRecord *record = kmd_record_new();
    OutFile out;
    bool is_good = kifuargs_load(args, record) && outfile_open(&out, args->out);
    if (is_good) {
        Picture picture = {.out = out.stream, .args = args, .record = record};
        picture.node = kifuargs_node(args, record);
        picture.pos = kmd_position_new();
        kmd_record_position(record, picture.node, picture.pos);
        put_picture(&picture);
        is_good = outfile_close(&out, true);
        kmd_position_free(picture.pos);
    }
    kmd_record_free(record);
    return !is_good;
}
