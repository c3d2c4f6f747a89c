#include "tools/kifu/show.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/kifu/pieces.h"

typedef struct Screen {
    const KifuArgs *args;
    const KmdRecord *record;
    KmdPosition *pos; /* at node */
    int node;
    bool has_colors;
} Screen;

#define COLOR_LAST "\033[7m"  /* the square moved to */
#define COLOR_PRO  "\033[31m" /* promoted pieces */
#define COLOR_HEAD "\033[1m"
#define COLOR_NONE "\033[0m"

static const char *color(const Screen *screen, const char *code) {
    return screen->has_colors ? code : "";
}

static KmdMove last_move(const Screen *screen) {
    int node = screen->node;
    if (kmd_node_ending(screen->record, node) != KMD_END_NONE) {
        node = kmd_node_parent(screen->record, node);
    }
    return kmd_node_move(screen->record, node);
}

/* One cell, three columns wide: a mark for pieces that point down, and the piece. */
static void print_cell(const Screen *screen, KmdSquare square) {
    KmdPiece piece = kmd_piece_on(screen->pos, square);
    KmdMove last = last_move(screen);
    bool is_last = last != KMD_MOVE_NONE && kmd_move_to(last) == square;
    bool is_down =
        piece.type != KMD_NO_PIECE_TYPE && (piece.color == KMD_WHITE) != screen->args->flip;
    const char *text =
        screen->args->letters ? pieces_letters(piece.type, piece.color) : pieces_kanji(piece.type);
    /* Letters have one column before them and one behind; without colours a star marks the move. */
    const char *before = !screen->args->letters ? (is_down ? "v" : " ")
                         : strlen(text) == 1    ? " "
                                                : "";
    const char *behind = !screen->args->letters ? "" : is_last && !screen->has_colors ? "*" : " ";
    printf("%s%s%s%s%s", is_last ? color(screen, COLOR_LAST) : "",
           piece.type > KMD_KING ? color(screen, COLOR_PRO) : "", before, text, behind);
    printf("%s", is_last || piece.type > KMD_KING ? color(screen, COLOR_NONE) : "");
}

static void print_board(const Screen *screen) {
    bool has_letters = screen->args->letters;
    static const char *const files[] = {"１", "２", "３", "４", "５", "６", "７", "８", "９"};
    printf(" ");
    for (int i = 0; i < 9; i++) {
        int file = screen->args->flip ? i + 1 : 9 - i;
        printf(has_letters ? " %s " : " %s",
               has_letters ? (const char[]){(char)('0' + file), 0} : files[file - 1]);
    }
    printf("\n+---------------------------+\n");
    for (int i = 0; i < 9; i++) {
        int rank = screen->args->flip ? 9 - i : i + 1;
        printf("|");
        for (int k = 0; k < 9; k++) {
            print_cell(screen, KMD_SQUARE(screen->args->flip ? k + 1 : 9 - k, rank));
        }
        printf("|%s\n",
               has_letters ? (const char[]){(char)('a' + rank - 1), 0} : pieces_kanji_digit(rank));
    }
    printf("+---------------------------+\n");
}

static void print_player(const Screen *screen, KmdColor side) {
    static const char *const marks[2][2] = {{"▲", "△"}, {"black", "white"}};
    static const KmdText unknown[2] = {{"先手", sizeof("先手") - 1}, {"後手", sizeof("後手") - 1}};
    KmdText name = kmd_player(screen->record, side);
    bool has_letters = screen->args->letters, is_empty = true;
    name = name.len == 0 && !has_letters ? unknown[side] : name;
    printf("%s%s%s %.*s  ", color(screen, COLOR_HEAD), marks[has_letters][side],
           color(screen, COLOR_NONE), (int)name.len, name.ptr);
    for (int i = 0; i < PIECES_HAND_TYPES; i++) {
        KmdPieceType type = pieces_hand_order[i];
        int count = kmd_hand_count(screen->pos, side, type);
        if (count > 0) {
            printf(" %s", has_letters ? pieces_letters(type, KMD_BLACK) : pieces_kanji(type));
            is_empty = false;
        }
        if (count > 1) {
            printf("%d", count);
        }
    }
    printf("%s\n", !is_empty ? "" : has_letters ? " nothing in hand" : " なし");
}

static void print_time(int64_t time_ms) {
    if (time_ms >= 0) {
        printf("  %d:%02d", (int)(time_ms / 60000), (int)(time_ms / 1000 % 60));
    }
}

/* The move that led here, its time, the words on it, and the variations beside it. */
static void print_move(const Screen *screen) {
    const KmdRecord *record = screen->record;
    int node = screen->node, depth = kmd_node_depth(record, node);
    KmdEnding ending = kmd_node_ending(record, node);
    printf("%d/%d  ", depth, kmd_main_length(record));
    if (ending != KMD_END_NONE) {
        printf("%s", screen->args->letters ? kmd_ending_text(ending) : kmd_ending_word(ending));
    } else if (node != KMD_ROOT) {
        char text[KMD_NOTATION_SIZE];
        KmdMove move = kmd_node_move(record, node);
        kmd_undo(screen->pos);
        bool is_black = kmd_side_to_move(screen->pos) == KMD_BLACK;
        KmdNotation notation =
            screen->args->letters && screen->args->notation == KMD_NOTATION_JAPANESE
                ? KMD_NOTATION_HODGES
                : screen->args->notation;
        kmd_notation_write(screen->pos, move, notation, text);
        kmd_do(screen->pos, move);
        printf("%s%s", screen->args->letters ? "" : is_black ? "▲" : "△", text);
    }
    print_time(kmd_node_time(record, node));
    int variations = 0;
    for (int next = kmd_node_sibling(record, node); next != KMD_NODE_NONE;
         next = kmd_node_sibling(record, next)) {
        variations++;
    }
    if (variations > 0) {
        printf("  (%d more: v)", variations);
    }
    KmdText comment = kmd_node_comment(record, node), label = kmd_node_label(record, node);
    printf("\n");
    if (label.len > 0) {
        printf("& %.*s\n", (int)label.len, label.ptr);
    }
    if (comment.len > 0) {
        printf("%.*s\n", (int)comment.len, comment.ptr);
    }
}

static void print_screen(const Screen *screen) {
    KmdColor top = screen->args->flip ? KMD_BLACK : KMD_WHITE;
    print_player(screen, top);
    print_board(screen);
    print_player(screen, top == KMD_WHITE ? KMD_BLACK : KMD_WHITE);
    print_move(screen);
}

static void go(Screen *screen, int node) {
    if (node != KMD_NODE_NONE) {
        screen->node = node;
        kmd_record_position(screen->record, node, screen->pos);
    }
}

/* The node `depth` moves from the start on the line that leads to the current one and goes on by
 * the main continuations. */
static int node_at_depth(const Screen *screen, int depth) {
    int node = screen->node;
    while (node != KMD_ROOT && kmd_node_depth(screen->record, node) > depth) {
        node = kmd_node_parent(screen->record, node);
    }
    while (kmd_node_depth(screen->record, node) < depth &&
           kmd_node_child(screen->record, node) != KMD_NODE_NONE) {
        node = kmd_node_child(screen->record, node);
    }
    return node;
}

/* The next variation beside the current move; after the last one the first again. */
static int next_variation(const Screen *screen) {
    int node = kmd_node_sibling(screen->record, screen->node);
    int parent = kmd_node_parent(screen->record, screen->node);
    return node != KMD_NODE_NONE || parent == KMD_NODE_NONE
               ? node
               : kmd_node_child(screen->record, parent);
}

/* Carries out a line of the user; false when it says to leave. */
static bool obey(Screen *screen, const char *line) {
    int depth;
    switch (line[0]) {
    case 'q':
        return false;
    case '\0':
    case 'n':
        go(screen, kmd_node_child(screen->record, screen->node));
        return true;
    case 'p':
        go(screen, kmd_node_parent(screen->record, screen->node));
        return true;
    case 'v':
        go(screen, next_variation(screen));
        return true;
    case 'f':
        go(screen, KMD_ROOT);
        return true;
    case 'l':
        go(screen, kmd_main_end(screen->record));
        return true;
    default:
        break;
    }
    if (kifuargs_number(line, 1000000, &depth)) {
        go(screen, node_at_depth(screen, depth));
    } else {
        printf("n or Enter: next move   p: back   NUMBER: after that move   f l: first, last\n"
               "v: next variation   q: leave\n");
    }
    return true;
}

static void step_through(Screen *screen) {
    char line[64];
    for (;;) {
        printf("[n p NUMBER f l v q] ");
        fflush(stdout);
        if (fgets(line, sizeof(line), stdin) == NULL) {
            printf("\n");
            return;
        }
        line[strcspn(line, "\r\n")] = '\0';
        if (!obey(screen, line)) {
            return;
        }
        printf("%s", screen->has_colors ? "\033[H\033[2J" : "\n");
        print_screen(screen);
    }
}

int show_run(const KifuArgs *args) {
    if (!kifuargs_has_one(args)) {
        return 2;
    }
    KmdRecord *record = kmd_record_new();
    bool is_good = kifuargs_load(args, record);
    if (is_good) {
        bool is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
        Screen screen = {.args = args, .record = record, .pos = kmd_position_new()};
        screen.has_colors = !args->plain && isatty(STDOUT_FILENO);
        bool steps = (is_terminal || args->step) && strcmp(args->inputs[0], "-") != 0;
        go(&screen, steps && args->at == AT_END ? KMD_ROOT : kifuargs_node(args, record));
        print_screen(&screen);
        if (steps) {
            step_through(&screen);
        }
        kmd_position_free(screen.pos);
    }
    kmd_record_free(record);
    return !is_good;
}
