/* bookgraph.c: plays every move of the book once and records which positions it connects. */
#include "book/bookgraph.h"

#include <stdlib.h>

#include "base/xmem.h"
#include "rules/legality.h"

void bookgraph_build(const Book *book, BookGraph *graph) {
    Position pos;
    pos_init(&pos);
    graph->nodes = (uint32_t)book->count;
    graph->first = xmem_calloc(book->count + 1, sizeof(uint32_t));
    graph->in_check = xmem_calloc(book->count + 1, sizeof(bool));
    for (size_t i = 0; i < book->count; i++) {
        graph->first[i + 1] = graph->first[i] + (uint32_t)book->nodes[i].count;
    }
    graph->child = xmem_calloc((size_t)graph->first[book->count] + 1, sizeof(int32_t));
    for (size_t i = 0; i < book->count; i++) {
        const BookNode *node = &book->nodes[i];
        int32_t *child = graph->child + graph->first[i];
        book_set(&pos, &node->setup);
        graph->in_check[i] = pos_in_check(&pos);
        for (int j = 0; j < node->count; j++) {
            Move move = node->moves[j].move;
            bool is_legal = move_is_legal(&pos, move);
            const BookNode *next = is_legal ? book_find(book, pos_key_after(&pos, move)) : NULL;
            child[j] = next != NULL ? (int32_t)(next - book->nodes)
                       : is_legal   ? BOOK_LEAF
                                    : BOOK_ILLEGAL;
        }
    }
    pos_free(&pos);
}

void bookgraph_free(BookGraph *graph) {
    free(graph->first);
    free(graph->child);
    free(graph->in_check);
    *graph = (BookGraph){0};
}

void bookgraph_reach(const BookGraph *graph, uint32_t from, bool *is_reached) {
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

uint32_t bookgraph_starts(const BookGraph *graph, uint32_t *list) {
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
            bookgraph_reach(graph, node, is_reached);
        }
    }
    free(has_parent);
    free(is_reached);
    return count;
}

BookCount bookgraph_count(Book *book) {
    BookGraph graph;
    BookCount count = {0};
    for (size_t i = 0; i < book->count; i++) {
        const BookNode *node = &book->nodes[i];
        count.last_ply = int_max(count.last_ply, node->setup.ply);
        count.moves += (uint64_t)node->count;
        for (int j = 0; j < node->count; j++) {
            count.scored += node->moves[j].score != BOOK_NO_SCORE;
            count.depths += node->moves[j].depth;
            count.games += book_games(&node->moves[j]);
        }
    }
    book_sort(book);
    bookgraph_build(book, &graph);
    uint32_t *starts = xmem_calloc(book->count + 1, sizeof(uint32_t));
    count.starts = bookgraph_starts(&graph, starts);
    free(starts);
    bookgraph_free(&graph);
    return count;
}

/* True if the position is in a book that contains only keys of positions. */
static bool is_listed(void *context, const BookNode *node, const BookMove *move) {
    (void)move;
    return book_find(context, node->key) != NULL;
}

void bookgraph_prune(Book *book, const Book *starts) {
    BookGraph graph;
    Book reached = {0};
    bool *is_reached = xmem_calloc(book->count + 1, sizeof(bool));
    bookgraph_build(book, &graph);
    for (size_t i = 0; i < starts->count; i++) {
        const BookNode *node = book_find(book, starts->nodes[i].key);
        if (node != NULL) {
            bookgraph_reach(&graph, (uint32_t)(node - book->nodes), is_reached);
        }
    }
    for (size_t i = 0; i < book->count; i++) {
        if (is_reached[i]) {
            (void)book_add(&reached, &book->nodes[i].setup);
        }
    }
    (void)book_filter(book, is_listed, &reached);
    bookgraph_free(&graph);
    book_free(&reached);
    free(is_reached);
}
