/* bookgrow.c: finds the cheapest paths from the start positions (Bellman 1958, Moore 1959),
 * searches the cheapest positions outside the book, and repeats this in rounds. */
#include "book/bookgrow.h"

#include "book/bookthink.h"

#include <stdlib.h>

#include "base/xmem.h"
#include "book/bookvalue.h"

/* A round searches ROUND_MIN positions, plus 1 / ROUND_SHARE of the size of the book. */
enum { ROUND_MIN = 16, ROUND_SHARE = 128 };

#define FAR INT32_MAX

/* A move that leads out of the book. */
typedef struct Leaf {
    int cost;
    uint64_t key;
    Setup setup;
} Leaf;

typedef struct Grow {
    const BookGrowOptions *options;
    const Thinker *thinker;
    Book *book;
    Book over; /* positions without a legal move */
    BookGraph graph;
    int16_t *value;  /* values of the positions, from black's point of view */
    int *cost;       /* cost of the cheapest path to each position */
    uint32_t *queue; /* a ring buffer of positions whose moves must be followed, perhaps again */
    bool *is_queued;
    uint32_t queue_first, queue_count;
    Leaf *leaves;
    size_t leaf_count, leaf_cap;
} Grow;

/* ---- paths ----------------------------------------------------------------------------------- */

/* The value of a move for its mover; BOOK_NO_SCORE if unknown. */
static int move_value(const Grow *grow, uint32_t node, int index) {
    int32_t child = grow->graph.child[grow->graph.first[node] + (uint32_t)index];
    const BookNode *place = &grow->book->nodes[node];
    if (child >= 0 && grow->value[child] != BOOK_NO_SCORE) {
        return place->setup.side == WHITE ? -grow->value[child] : grow->value[child];
    }
    return place->moves[index].score;
}

/* The cost of a move; FAR if it is not followed. */
static int move_cost(const Grow *grow, uint32_t node, int index) {
    int value = move_value(grow, node, index);
    int best = grow->value[node];
    if (value == BOOK_NO_SCORE || best == BOOK_NO_SCORE) {
        return FAR;
    }
    int loss = (grow->book->nodes[node].setup.side == WHITE ? -best : best) - value;
    return loss > grow->options->window ? FAR : int_max(loss, 0) + grow->options->step;
}

static void add_leaf(Grow *grow, Position *pos, Move move, int cost) {
    pos_do(pos, move);
    bool is_over = book_find(&grow->over, pos_key(pos)) != NULL;
    if (!is_over && pos->ply <= grow->options->most_ply) {
        grow->leaves = xmem_grow(grow->leaves, &grow->leaf_cap, grow->leaf_count + 1, sizeof(Leaf));
        grow->leaves[grow->leaf_count++] = (Leaf){cost, pos_key(pos), pos_get(pos)};
    }
    pos_undo(pos);
}

/* Records a cheaper path to the position. */
static void lower_cost(Grow *grow, uint32_t node, int cost) {
    grow->cost[node] = cost;
    if (!grow->is_queued[node]) {
        grow->is_queued[node] = true;
        grow->queue[(grow->queue_first + grow->queue_count++) % grow->graph.nodes] = node;
    }
}

/* Follows the moves of the positions until no path gets cheaper (Bellman 1958, Moore 1959). */
static void find_ways(Grow *grow) {
    while (grow->queue_count > 0) {
        uint32_t node = grow->queue[grow->queue_first];
        grow->queue_first = (grow->queue_first + 1) % grow->graph.nodes;
        grow->queue_count--;
        grow->is_queued[node] = false;
        for (int i = 0; i < grow->book->nodes[node].count; i++) {
            int32_t child = grow->graph.child[grow->graph.first[node] + (uint32_t)i];
            int cost = child >= 0 ? move_cost(grow, node, i) : FAR;
            if (cost != FAR && grow->cost[node] + cost < grow->cost[child]) {
                lower_cost(grow, (uint32_t)child, grow->cost[node] + cost);
            }
        }
    }
}

static int compare_leaves(const void *a, const void *b) {
    const Leaf *left = a, *right = b;
    return left->cost != right->cost ? (left->cost < right->cost ? -1 : 1)
                                     : (left->key > right->key) - (left->key < right->key);
}

/* Finds the leaves and the costs of the paths to them, and sorts the leaves by cost, cheapest
 * first. */
static void find_leaves(Grow *grow) {
    Position pos;
    pos_init(&pos);
    for (uint32_t i = 0; i < grow->graph.nodes; i++) {
        grow->cost[i] = FAR;
    }
    grow->queue_first = grow->queue_count = 0;
    for (size_t i = 0; i < grow->options->starts->count; i++) {
        const BookNode *node = book_find(grow->book, grow->options->starts->nodes[i].key);
        if (node != NULL) {
            lower_cost(grow, (uint32_t)(node - grow->book->nodes), 0);
        }
    }
    find_ways(grow);
    grow->leaf_count = 0;
    for (uint32_t node = 0; node < grow->graph.nodes; node++) {
        const BookNode *place = &grow->book->nodes[node];
        book_set(&pos, &place->setup);
        for (int i = 0; i < place->count && grow->cost[node] != FAR; i++) {
            bool is_leaf = grow->graph.child[grow->graph.first[node] + (uint32_t)i] == BOOK_LEAF;
            int cost = is_leaf ? move_cost(grow, node, i) : FAR;
            if (cost != FAR) {
                add_leaf(grow, &pos, place->moves[i].move, grow->cost[node] + cost);
            }
        }
    }
    pos_free(&pos);
    if (grow->leaf_count > 0) {
        qsort(grow->leaves, grow->leaf_count, sizeof(Leaf), compare_leaves);
    }
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static void solve(Grow *grow) {
    const Book *book = grow->book;
    bookgraph_build(book, &grow->graph);
    size_t nodes = book->count + 1;
    grow->value = xmem_calloc(nodes, sizeof(int16_t));
    grow->cost = xmem_calloc(nodes, sizeof(int));
    grow->queue = xmem_calloc(nodes, sizeof(uint32_t));
    grow->is_queued = xmem_calloc(nodes, sizeof(bool));
    bookvalue_of(book, &grow->graph, grow->value);
}

/* Selects the positions to search next, each once, and writes them to `setups`. */
static size_t choose(Grow *grow, Setup *setups, size_t most) {
    Book chosen = {0};
    size_t count = 0;
    for (size_t i = 0; i < grow->options->starts->count; i++) {
        const BookNode *start = &grow->options->starts->nodes[i];
        if (book_find(grow->book, start->key) == NULL && count < most &&
            book_find(&grow->over, start->key) == NULL) {
            setups[count++] = start->setup;
        }
    }
    if (count == 0 && grow->book->count > 0) {
        solve(grow);
        find_leaves(grow);
        for (size_t i = 0; i < grow->leaf_count && count < most; i++) {
            if (book_find(&chosen, grow->leaves[i].key) == NULL) {
                (void)book_add(&chosen, &grow->leaves[i].setup);
                setups[count++] = grow->leaves[i].setup;
            }
        }
        bookgraph_free(&grow->graph);
        free(grow->value);
        free(grow->cost);
        free(grow->queue);
        free(grow->is_queued);
    }
    book_free(&chosen);
    return count;
}

/* Adds the results to the book. */
static void take_results(Grow *grow, const Setup *setups, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const BookNode *result = bookthink_result(grow->thinker, book_key(&setups[i]));
        bool is_over = result != NULL && result->count == 0;
        BookNode *node =
            result != NULL ? book_add(is_over ? &grow->over : grow->book, &setups[i]) : NULL;
        for (int j = 0; node != NULL && j < result->count; j++) {
            *book_node_move(node, result->moves[j].move) = result->moves[j];
        }
    }
}

bool bookgrow_run(const BookGrowOptions *options, Thinker *thinker, Progress *progress,
                  Book *book) {
    Grow grow = {.options = options, .thinker = thinker, .book = book};
    bool is_good = true;
    bool is_over = false;
    size_t wanted = (size_t)options->positions;
    bookthink_expect(thinker, wanted);
    while (is_good && !is_over && book->count < wanted) {
        size_t left = wanted - book->count;
        size_t most = book->count / ROUND_SHARE + ROUND_MIN;
        most = most < left ? most : left;
        Setup *setups = xmem_calloc(most, sizeof(Setup));
        size_t count = choose(&grow, setups, most);
        is_good = count == 0 || bookthink_run(thinker, setups, count, progress);
        take_results(&grow, setups, count);
        is_over = count == 0;
        free(setups);
    }
    free(grow.leaves);
    book_free(&grow.over);
    return is_good;
}
