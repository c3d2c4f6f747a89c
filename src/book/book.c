/* book.c: an open-addressing hash table from keys to nodes, each with an array of moves. */
#include "book/book.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "rules/legality.h"
#include "rules/position.h"

/* The most slots that may be in use, in per cent. */
enum { FILL_LIMIT = 60 };

void book_free(Book *book) {
    for (size_t i = 0; i < book->count; i++) {
        free(book->nodes[i].moves);
    }
    free(book->nodes);
    free(book->slots);
    *book = (Book){0};
}

uint64_t book_key(const Setup *setup) {
    uint64_t board_key, hand_key;
    setup_keys(setup, &board_key, &hand_key);
    return board_key ^ hand_key;
}

/* ---- positions by key ------------------------------------------------------------------------ */

/* The slot of the key, or the empty slot where it belongs. */
static size_t find_book_slot(const Book *book, uint64_t key) {
    size_t mask = book->slot_cap - 1;
    size_t slot = (size_t)(key ^ key >> 32) & mask;
    while (book->slots[slot] != 0 && book->nodes[book->slots[slot] - 1].key != key) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

static void fill_slots(Book *book) {
    memset(book->slots, 0, book->slot_cap * sizeof(book->slots[0]));
    for (size_t i = 0; i < book->count; i++) {
        book->slots[find_book_slot(book, book->nodes[i].key)] = (uint32_t)i + 1;
    }
}

BookNode *book_find(const Book *book, uint64_t key) {
    if (book->slot_cap == 0) {
        return NULL;
    }
    uint32_t index = book->slots[find_book_slot(book, key)];
    return index != 0 ? &book->nodes[index - 1] : NULL;
}

BookNode *book_add(Book *book, const Setup *setup) {
    uint64_t key = book_key(setup);
    BookNode *node = book_find(book, key);
    if (node == NULL) {
        if ((book->count + 1) * 100 >= book->slot_cap * FILL_LIMIT) {
            free(book->slots);
            book->slot_cap = book->slot_cap == 0 ? 64 : 2 * book->slot_cap;
            book->slots = xmem_calloc(book->slot_cap, sizeof(book->slots[0]));
            fill_slots(book);
        }
        book->nodes = xmem_grow(book->nodes, &book->cap, book->count + 1, sizeof(book->nodes[0]));
        node = &book->nodes[book->count++];
        *node = (BookNode){.key = key, .setup = *setup};
        book->slots[find_book_slot(book, key)] = (uint32_t)book->count;
    } else if (setup->ply > 0 && (node->setup.ply == 0 || setup->ply < node->setup.ply)) {
        node->setup.ply = setup->ply;
    }
    if (node->setup.ply > BOOK_MAX_PLY) {
        node->setup.ply = 0;
    }
    return node;
}

/* ---- moves ----------------------------------------------------------------------------------- */

BookMove *book_node_move(BookNode *node, Move move) {
    for (int i = 0; i < node->count; i++) {
        if (node->moves[i].move == move) {
            return &node->moves[i];
        }
    }
    if (node->count == BOOK_MAX_MOVES) {
        return NULL;
    }
    node->moves = xmem_realloc(node->moves, (size_t)node->count + 1, sizeof(BookMove));
    node->moves[node->count] = (BookMove){.move = move, .score = BOOK_NO_SCORE};
    return &node->moves[node->count++];
}

uint64_t book_games(const BookMove *move) {
    return (uint64_t)move->wins + move->draws + move->losses + move->others;
}

static uint32_t add_limited(uint32_t a, uint32_t b) {
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

void book_join_move(BookMove *to, const BookMove *from) {
    to->wins = add_limited(to->wins, from->wins);
    to->draws = add_limited(to->draws, from->draws);
    to->losses = add_limited(to->losses, from->losses);
    to->others = add_limited(to->others, from->others);
    bool is_better =
        from->score != BOOK_NO_SCORE && (to->score == BOOK_NO_SCORE || from->depth >= to->depth);
    if (is_better) {
        to->score = from->score;
        to->depth = from->depth;
    }
    if (from->reply != MOVE_NONE && (is_better || to->reply == MOVE_NONE)) {
        to->reply = from->reply;
    }
}

void book_join(Book *to, const Book *from) {
    for (size_t i = 0; i < from->count; i++) {
        const BookNode *node = &from->nodes[i];
        BookNode *place = book_add(to, &node->setup);
        for (int j = 0; j < node->count; j++) {
            BookMove *move = book_node_move(place, node->moves[j].move);
            if (move != NULL) {
                book_join_move(move, &node->moves[j]);
            }
        }
    }
}

static bool is_before(const BookMove *a, const BookMove *b) {
    return a->score != b->score ? a->score > b->score : book_games(a) > book_games(b);
}

void book_order_moves(BookNode *node) {
    for (int i = 1; i < node->count; i++) {
        BookMove move = node->moves[i];
        int place = i;
        while (place > 0 && is_before(&move, &node->moves[place - 1])) {
            node->moves[place] = node->moves[place - 1];
            place--;
        }
        node->moves[place] = move;
    }
}

static int compare_nodes(const void *a, const void *b) {
    uint64_t left = ((const BookNode *)a)->key;
    uint64_t right = ((const BookNode *)b)->key;
    return left < right ? -1 : left > right;
}

void book_sort(Book *book) {
    if (book->count > 0) {
        qsort(book->nodes, book->count, sizeof(book->nodes[0]), compare_nodes);
        fill_slots(book);
    }
}

void book_set(Position *pos, const Setup *setup) {
    Setup numbered = *setup;
    numbered.ply = int_max(numbered.ply, 1);
    pos_set(pos, &numbered);
}

Setup book_flip_setup(const Setup *setup) {
    Setup flipped = {.side = color_flip(setup->side), .ply = setup->ply};
    for (Square sq = 0; sq < SQ_NB; sq++) {
        Piece piece = setup->board[sq];
        if (piece != NO_PIECE) {
            flipped.board[sq_turn(sq)] =
                piece_make(color_flip(piece_color(piece)), piece_type(piece));
        }
    }
    flipped.hand[BLACK] = setup->hand[WHITE];
    flipped.hand[WHITE] = setup->hand[BLACK];
    return flipped;
}

Move book_flip_move(Move move) {
    bool is_sound = move_is_real(move) && move_to(move) < SQ_NB &&
                    move_origin(move) <= SQ_NB + GOLD && move_origin(move) != SQ_NB;
    if (!is_sound) {
        return MOVE_NONE;
    }
    Square to = sq_turn(move_to(move));
    if (move_is_drop(move)) {
        return move_make_drop(move_drop_type(move), to);
    }
    Square from = sq_turn(move_from(move));
    return move_is_promotion(move) ? move_make_promotion(from, to) : move_make(from, to);
}

void book_drop_rare(Book *book, uint64_t least_games) {
    size_t kept_nodes = 0;
    for (size_t i = 0; i < book->count; i++) {
        BookNode *node = &book->nodes[i];
        int kept = 0;
        for (int j = 0; j < node->count; j++) {
            if (book_games(&node->moves[j]) >= least_games) {
                node->moves[kept++] = node->moves[j];
            }
        }
        node->count = kept;
        if (kept > 0) {
            book->nodes[kept_nodes++] = *node;
        } else {
            free(node->moves);
        }
    }
    book->count = kept_nodes;
    if (book->slot_cap > 0) {
        fill_slots(book);
    }
}

/* ---- the graph of the positions -------------------------------------------------------------- */

void book_graph_build(const Book *book, BookGraph *graph) {
    Position pos;
    pos_init(&pos);
    graph->nodes = (uint32_t)book->count;
    graph->first = xmem_calloc(book->count + 1, sizeof(uint32_t));
    for (size_t i = 0; i < book->count; i++) {
        graph->first[i + 1] = graph->first[i] + (uint32_t)book->nodes[i].count;
    }
    graph->child = xmem_calloc((size_t)graph->first[book->count] + 1, sizeof(int32_t));
    for (size_t i = 0; i < book->count; i++) {
        const BookNode *node = &book->nodes[i];
        int32_t *child = graph->child + graph->first[i];
        book_set(&pos, &node->setup);
        for (int j = 0; j < node->count; j++) {
            Move move = node->moves[j].move;
            ASSERT(move_is_legal(&pos, move)); /* whatever adds moves to a book checks that */
            const BookNode *next = book_find(book, pos_key_after(&pos, move));
            child[j] = next != NULL ? (int32_t)(next - book->nodes) : BOOK_LEAF;
        }
    }
    pos_free(&pos);
}

void book_graph_free(BookGraph *graph) {
    free(graph->first);
    free(graph->child);
    *graph = (BookGraph){0};
}

/* Marks the positions that can be reached from `from`. */
static void mark_reached(const BookGraph *graph, uint32_t from, bool *is_reached) {
    if (is_reached[from]) {
        return;
    }
    size_t cap = 0, count = 1;
    uint32_t *stack = xmem_grow(NULL, &cap, 64, sizeof(uint32_t));
    stack[0] = from;
    is_reached[from] = true;
    while (count > 0) {
        uint32_t node = stack[--count];
        for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
            int32_t child = graph->child[i];
            if (child >= 0 && !is_reached[child]) {
                is_reached[child] = true;
                stack = xmem_grow(stack, &cap, count + 1, sizeof(uint32_t));
                stack[count++] = (uint32_t)child;
            }
        }
    }
    free(stack);
}

uint32_t book_graph_starts(const BookGraph *graph, uint32_t *list) {
    bool *has_parent = xmem_calloc(graph->nodes + 1, sizeof(bool));
    bool *is_reached = xmem_calloc(graph->nodes + 1, sizeof(bool));
    for (uint32_t i = 0; i < graph->first[graph->nodes]; i++) {
        if (graph->child[i] >= 0) {
            has_parent[graph->child[i]] = true;
        }
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < 2 * graph->nodes; i++) {
        uint32_t node = i % graph->nodes;
        /* The first pass takes the positions that no move leads to, the second pass one of each
         * remaining cycle. */
        if (!is_reached[node] && (i >= graph->nodes || !has_parent[node])) {
            list[count++] = node;
            mark_reached(graph, node, is_reached);
        }
    }
    free(has_parent);
    free(is_reached);
    return count;
}
