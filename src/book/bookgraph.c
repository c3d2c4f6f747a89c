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
        /* The second pass finds the cycles. */
        if (!is_reached[node] && (i >= graph->nodes || !has_parent[node])) {
            list[count++] = node;
            bookgraph_reach(graph, node, is_reached);
        }
    }
    free(has_parent);
    free(is_reached);
    return count;
}
