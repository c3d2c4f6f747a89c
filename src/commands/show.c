/* show.c: shows the screen with board and moves, handles the keys, and draws pictures according to
 * the options. */
#include "commands/kifutool.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fileio.h"
#include "base/outguard.h"
#include "base/terminal.h"
#include "record/codec.h"
#include "record/handicap.h"
#include "record/kifuio.h"
#include "record/notation.h"
#include "record/record.h"
#include "record/words.h"
#include "rules/legality.h"
#include "rules/outcome.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "web/boardsvg.h"

/* A game and the node shown. */
typedef struct Screen {
    const KifuArgs *args;
    const Record *record;
    RecordCursor cursor; /* position at the shown node */
    bool has_colors;
    char message[80]; /* about the last key, printed below the next screen, as is the help */
    bool wants_help;
} Screen;

#define COLOR_LAST "\033[7m"  /* the square moved to */
#define COLOR_PRO  "\033[31m" /* promoted pieces */
#define COLOR_HEAD "\033[1m"
#define COLOR_NONE "\033[0m"

#define PROMPT     "[n p NUMBER f l v q ?] "
enum { PROMPT_WIDTH = 32 }; /* columns of the prompt, including a number before it */

static const RecordNode *shown_node(const Screen *screen) {
    return &screen->record->nodes[screen->cursor.node];
}

static const char *color(const Screen *screen, const char *code) {
    return screen->has_colors ? code : "";
}

/* Prints one cell, three columns wide: a mark if the piece points down, then the piece. In a board
 * with letters and without colours, an asterisk follows the piece that moved last. */
static void print_cell(const Screen *screen, Square sq) {
    const Position *pos = &screen->cursor.pos;
    Piece piece = pos_piece(pos, sq);
    PieceType type = piece_type(piece);
    bool is_last = notation_last_to(pos) == sq;
    bool is_pro = pt_is_promoted(type);
    bool is_white = piece != NO_PIECE && piece_color(piece) == WHITE;
    printf("%s%s", is_last ? color(screen, COLOR_LAST) : "",
           is_pro ? color(screen, COLOR_PRO) : "");
    if (screen->args->letters) {
        char letter = piece == NO_PIECE ? '.' : sfen_letter(type);
        printf("%c%c%c", is_pro ? '+' : ' ', is_white ? letter + 'a' - 'A' : letter,
               is_last && !screen->has_colors ? '*' : ' ');
    } else {
        printf("%s%s", piece != NO_PIECE && is_white != screen->args->flip ? "v" : " ",
               piece == NO_PIECE ? "・" : word_board_piece(type));
    }
    printf("%s", is_last || is_pro ? color(screen, COLOR_NONE) : "");
}

static void print_board(const Screen *screen) {
    bool has_letters = screen->args->letters;
    bool is_flipped = screen->args->flip;
    printf(" ");
    for (int i = 0; i < 9; i++) {
        int file = is_flipped ? i + 1 : 9 - i;
        if (has_letters) {
            printf(" %d ", file);
        } else {
            printf(" %s", word_wide_digit(file));
        }
    }
    printf("\n+---------------------------+\n");
    for (int i = 0; i < 9; i++) {
        int rank = is_flipped ? 9 - i : i + 1;
        printf("|");
        for (int k = 0; k < 9; k++) {
            print_cell(screen, SQ(is_flipped ? k + 1 : 9 - k, rank));
        }
        printf("|%s\n",
               has_letters ? (const char[]){(char)('a' + rank - 1), 0} : word_kanji_digit(rank));
    }
    printf("+---------------------------+\n");
}

static void print_player(const Screen *screen, Color side) {
    const PieceType *order = word_hand_order;
    bool has_letters = screen->args->letters;
    StrView name = record_player(screen->record, side);
    name =
        name.len == 0 && !has_letters ? sv_from(handicap_side(&screen->record->start, side)) : name;
    printf("%s%s%s %.*s  ", color(screen, COLOR_HEAD),
           !has_letters    ? word_mark(side)
           : side == BLACK ? "black"
                           : "white",
           color(screen, COLOR_NONE), (int)name.len, name.len > 0 ? name.ptr : "");
    for (size_t i = 0; i < COUNTOF(word_hand_order); i++) {
        int count = hand_count(screen->cursor.pos.hand[side], order[i]);
        if (count > 0) {
            printf(" %s", has_letters ? (const char[]){sfen_letter(order[i]), 0}
                                      : word_board_piece(order[i]));
        }
        if (count > 1) {
            printf("%d", count);
        }
    }
    bool is_empty = screen->cursor.pos.hand[side] == 0;
    printf("%s\n", !is_empty ? "" : has_letters ? " nothing in hand" : " なし");
}

static void append_shown_move(const Screen *screen, const Position *pos, Move move, StrBuf *out) {
    bool has_letters = screen->args->letters;
    strbuf_add_str(out, has_letters ? "" : word_mark(pos->side));
    notation_append(pos, move, has_letters ? KMD_NOTATION_WESTERN : KMD_NOTATION_JAPANESE, out);
}

/* Appends what an ending or a move of a node is called. The cursor is at the node before it. */
static void append_shown_node(const Screen *screen, const RecordNode *node, StrBuf *out) {
    if (node->ending == KMD_END_OTHER && node->label.len > 0) {
        strbuf_add(out, record_text(screen->record, node->label));
    } else if (node->ending != KMD_END_NONE) {
        strbuf_add_str(out, screen->args->letters ? outcome_ending_text(node->ending)
                                                  : ending_name(node->ending));
    } else {
        append_shown_move(screen, &screen->cursor.pos, node->move, out);
    }
}

/* Appends " variation 2 of 3: ▲２六歩 [▲７六歩] ▲５六歩" if there are several continuations. */
static void append_choices(Screen *screen, StrBuf *out) {
    const RecordNode *nodes = screen->record->nodes;
    int here = screen->cursor.node;
    int parent = nodes[here].parent;
    int number = 0;
    int count = 0;
    if (parent == KMD_NODE_NONE || nodes[nodes[parent].child].sibling == KMD_NODE_NONE) {
        return;
    }
    for (int node = nodes[parent].child; node != KMD_NODE_NONE; node = nodes[node].sibling) {
        count++;
        number = node == here ? count : number;
    }
    strbuf_addf(out, "\n%s %d of %d:", number == 1 ? "main line," : "variation", number, count);
    cursor_go(&screen->cursor, parent);
    for (int node = nodes[parent].child; node != KMD_NODE_NONE; node = nodes[node].sibling) {
        strbuf_add_str(out, node == here ? " [" : " ");
        append_shown_node(screen, &nodes[node], out);
        strbuf_add_str(out, node == here ? "]" : "");
    }
    cursor_go(&screen->cursor, here);
}

/* The node `depth` moves from the start, on the line that leads to the current node and continues
 * with the main continuations. */
static int node_at_depth(const Screen *screen, int depth) {
    const RecordNode *nodes = screen->record->nodes;
    int node = screen->cursor.node;
    while (node != KMD_ROOT && nodes[node].depth > depth) {
        node = nodes[node].parent;
    }
    while (nodes[node].depth < depth && nodes[node].child != KMD_NODE_NONE) {
        node = nodes[node].child;
    }
    return node;
}

/* Prints the move that led here, its time, its comment, and its variations. */
static void print_move(Screen *screen) {
    const Record *record = screen->record;
    const RecordNode *node = shown_node(screen);
    StrBuf out = STRBUF_INIT;
    int here = screen->cursor.node;
    const RecordNode *last = &record->nodes[node_at_depth(screen, INT_MAX)];
    strbuf_addf(&out, "%d/%d  ", node->depth - (node->ending != KMD_END_NONE),
                last->depth - (last->ending != KMD_END_NONE));
    if (here != KMD_ROOT) {
        cursor_go(&screen->cursor, node->parent);
        append_shown_node(screen, node, &out);
        cursor_go(&screen->cursor, here);
    }
    if (node->time_ms >= 0) {
        strbuf_addf(&out, "  %d:%02d", (int)(node->time_ms / 60000),
                    (int)(node->time_ms / 1000 % 60));
    }
    if (node->ending == KMD_END_NONE && node->child == KMD_NODE_NONE) {
        strbuf_add_str(&out, screen->args->letters ? "  end" : "  (終わり)");
    }
    append_choices(screen, &out);
    StrView label = record_text(record, node->label), comment = record_text(record, node->comment);
    printf("%s\n", out.ptr);
    if (label.len > 0 && node->ending != KMD_END_OTHER) {
        printf("& %.*s\n", (int)label.len, label.ptr);
    }
    if (comment.len > 0) {
        printf("%.*s\n", (int)comment.len, comment.ptr);
    }
    strbuf_free(&out);
}

static void print_screen(Screen *screen) {
    Color top = screen->args->flip ? BLACK : WHITE;
    print_player(screen, top);
    print_board(screen);
    print_player(screen, color_flip(top));
    print_move(screen);
    if (screen->wants_help) {
        printf("n, Space or right: next move   p or left: back   f, l: first, last\n"
               "v: next variation   NUMBER Enter: go to that move   q: quit   ?: help\n");
    }
    printf("%s", screen->message);
    screen->wants_help = false;
    screen->message[0] = '\0';
}

static void go(Screen *screen, int node) {
    if (node != KMD_NODE_NONE) {
        cursor_go(&screen->cursor, node);
    }
}

static void go_to_move(Screen *screen, int number) {
    int last = screen->record->nodes[node_at_depth(screen, INT_MAX)].depth;
    go(screen, node_at_depth(screen, number));
    last -= shown_node(screen)->ending != KMD_END_NONE;
    if (number > last) {
        snprintf(screen->message, sizeof(screen->message), "no move %d: the line has %d move%s\n",
                 number, last, str_plural((uint64_t)last));
    }
}

/* Executes a key. Returns false for the key that quits. */
static bool run_key(Screen *screen, int key) {
    const RecordNode *node = shown_node(screen);
    switch (key) {
    case 'q':
    case KEY_END:
        return false;
    case 'n':
    case ' ':
    case '\n':
    case '\r':
    case KEY_RIGHT:
        go(screen, node->child);
        break;
    case 'p':
    case 127:
    case '\b':
    case KEY_LEFT:
        go(screen, node->parent);
        break;
    case 'v':
    case KEY_DOWN:
    case KEY_UP:
        /* After the last variation, the first again. */
        go(screen, node->sibling != KMD_NODE_NONE || node->parent == KMD_NODE_NONE
                       ? node->sibling
                       : screen->record->nodes[node->parent].child);
        break;
    case 'f':
    case KEY_HOME:
        go(screen, KMD_ROOT);
        break;
    case 'l':
    case KEY_LAST:
        go(screen, node_at_depth(screen, INT_MAX));
        break;
    default: /* also for '?' */
        screen->wants_help = true;
    }
    return true;
}

/* Updates the number being typed (-1 for none) with a key: a digit or Backspace. Returns false for
 * any other key. */
static bool type_number(int key, int *number) {
    bool is_digit = key >= '0' && key <= '9';
    if (is_digit) {
        *number = (*number < 0 ? 0 : *number % 100000) * 10 + key - '0';
    } else if (*number >= 0 && (key == 127 || key == '\b')) {
        *number = *number >= 10 ? *number / 10 : -1;
    } else {
        return false;
    }
    printf("\r%*s\r", PROMPT_WIDTH, "");
    if (*number >= 0) {
        printf("%d  ", *number);
    }
    return true;
}

/* Steps through the game. The user presses keys. */
static void step_through(Screen *screen) {
    if (!terminal_begin_keys()) {
        return;
    }
    bool goes_on = true;
    for (int number = -1; goes_on;) {
        printf(PROMPT);
        fflush(stdout);
        int key = terminal_read_key();
        if (type_number(key, &number)) {
            continue;
        }
        if (number >= 0 && (key == '\n' || key == '\r')) {
            go_to_move(screen, number);
        } else {
            goes_on = run_key(screen, key);
        }
        number = -1;
        printf("%s", !goes_on || !screen->has_colors ? "\n" : "\033[H\033[2J");
        if (goes_on) {
            print_screen(screen);
        }
    }
    terminal_end_keys();
}

/* Reads game number args->game of the only input. Returns false, with a message, if it cannot be
 * shown. */
static bool load_game(const KifuArgs *args, Games *games) {
    if (args->input_count != 1) {
        fprintf(stderr, "komadori-kifu: give one file (- is standard input)\n");
        return false;
    }
    const char *input = args->inputs[0];
    if (usimove_is_position(sv_from(input)) && !file_begins_with(input, SV(""))) {
        kifutool_open_position(args, input, games);
    } else {
        kifutool_open(args, input, games);
    }
    while (games->count < args->game && games_next(games)) {
    }
    if (games->count > 0 && games->count < args->game) {
        fprintf(stderr, "%s: no game %d\n", games->path, args->game);
    }
    bool is_there = games->count == args->game && games->form.codec != NULL &&
                    (!games->is_broken || games->record.node_count > 1);
    if (is_there && args->at > record_main_length(&games->record)) {
        int count = record_main_length(&games->record);
        fprintf(stderr, "%s: no move %d: the game has %d move%s\n", games->path, args->at, count,
                str_plural((uint64_t)count));
        is_there = false;
    }
    if (!is_there) {
        games_close(games);
    }
    return is_there;
}

static void screen_init(Screen *screen, const KifuArgs *args, const Record *record) {
    *screen = (Screen){.args = args, .record = record};
    cursor_init(&screen->cursor, record);
    go(screen, node_at_depth(screen, args->at == AT_END ? record_main_length(record) : args->at));
}

int kifutool_show(const KifuArgs *args) {
    Games games;
    Screen screen;
    if (!load_game(args, &games)) {
        return args->input_count == 1 ? 1 : 2;
    }
    bool is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    bool steps = is_terminal && args->at == AT_END && games.stream.fd != STDIN_FILENO;
    screen_init(&screen, args, &games.record);
    const char *no_color = getenv("NO_COLOR");
    screen.has_colors = !args->plain && (no_color == NULL || no_color[0] == '\0') &&
                        terminal_has_codes(STDOUT_FILENO, getenv("TERM"));
    if (steps) {
        go(&screen, KMD_ROOT);
    }
    print_screen(&screen);
    if (steps) {
        step_through(&screen);
    }
    cursor_free(&screen.cursor);
    games_close(&games);
    return games.faults > 0;
}

/* ---- pictures -------------------------------------------------------------------------------- */

/* Appends "12手目 △３四歩まで・先手番", the text below the board. */
static void append_note(Screen *screen, StrBuf *out) {
    bool has_letters = screen->args->letters;
    bool is_black = screen->cursor.pos.side == BLACK;
    const RecordNode *node = shown_node(screen);
    if (node->parent != KMD_NODE_NONE) {
        int here = screen->cursor.node;
        int number = screen->record->start.ply - 1 + node->depth;
        strbuf_addf(out, has_letters ? "after move %d: " : "%d手目 ", number);
        cursor_go(&screen->cursor, node->parent);
        append_shown_move(screen, &screen->cursor.pos, node->move, out);
        cursor_go(&screen->cursor, here);
        strbuf_add_str(out, has_letters ? ", " : "まで・");
    }
    strbuf_addf(out, has_letters ? "%s to move" : "%s番",
                !has_letters ? handicap_side(&screen->record->start, screen->cursor.pos.side)
                : is_black   ? "black"
                             : "white");
}

/* Checks that each arrow is a legal move of either side. Returns false, with a message, if not. */
static bool check_arrows(const Screen *screen) {
    const KifuArgs *args = screen->args;
    for (int i = 0; i < args->arrow_count; i++) {
        KmdLegality legality = legality_of(&screen->cursor.pos, args->arrows[i]);
        char text[USI_MOVE_SIZE];
        if (legality != KMD_LEGAL) {
            fprintf(stderr, "komadori-kifu: no arrow for %s: %s\n",
                    usimove_write(args->arrows[i], text), legality_text(legality));
            return false;
        }
    }
    return true;
}

int kifutool_diagram(const KifuArgs *args) {
    static const OutKind kind = {"a picture", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"",
                                 NULL};
    Games games;
    Screen screen;
    StrBuf why = STRBUF_INIT;
    OutFile out = {.path = args->out, .kind = &kind};
    Args inputs = {args->input_count, (const char **)args->inputs};
    if (!outguard_check(&out, 1, &inputs, &why)) {
        fprintf(stderr, "%s\n", why.ptr);
        strbuf_free(&why);
        return 1;
    }
    if (!load_game(args, &games)) {
        return args->input_count == 1 ? 1 : 2;
    }
    StrBuf note = STRBUF_INIT, picture = STRBUF_INIT;
    screen_init(&screen, args, &games.record);
    append_note(&screen, &note);
    BoardLook look = {
        .is_flipped = args->flip,
        .has_letters = args->letters,
        .names = {record_player(&games.record, BLACK), record_player(&games.record, WHITE)},
        .note = strbuf_view(&note),
        .arrows = args->arrows,
        .arrow_count = args->arrow_count};
    bool is_good = games.faults == 0 && check_arrows(&screen);
    if (is_good) {
        boardsvg_write(&screen.cursor.pos, &look, &picture);
        int error = args->out != NULL ? file_write(args->out, picture.ptr, picture.len) : 0;
        is_good = args->out != NULL ? error == 0 || kifutool_complain(args->out, error)
                                    : fwrite(picture.ptr, 1, picture.len, stdout) == picture.len;
    }
    strbuf_free(&note);
    strbuf_free(&picture);
    cursor_free(&screen.cursor);
    games_close(&games);
    return !is_good;
}
