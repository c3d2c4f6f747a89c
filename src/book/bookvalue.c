/* bookvalue.c: decides for one threshold which positions are worth at least that much, as a fixed
 * point over the graph, and bisects the range of scores until all values are known. */
#include "book/bookvalue.h"

#include <stdlib.h>

#include "base/xmem.h"

/* The state of a position for the current threshold. */
enum { OPEN, TAKEN, HELD };

typedef struct Solver {
    const ValueGraph *graph;
    bool *is_alive;     /* a score can be reached from the position */
    uint32_t *up_first; /* [nodes + 1]: offsets in `up` of the positions that lead to a node, one
                           per move */
    uint32_t *up;
    uint32_t *order;     /* the positions; those in the same range of values are adjacent */
    int16_t *low, *high; /* [nodes]: bounds of the value */
    uint8_t *mark;
    uint32_t *pending; /* number of moves that do not yet fail the mover's goal */
    uint32_t *queue;

    /* The range of positions that is being split. */
    uint32_t begin, end;
    int from, to, middle;
    bool attacker_is_white; /* the side that gains nothing from playing on forever */
} Solver;

/* ---- the graph ------------------------------------------------------------------------------- */

static void make_parents(Solver *solver) {
    const ValueGraph *graph = solver->graph;
    uint32_t moves = graph->first[graph->nodes];
    solver->up_first = xmem_calloc((size_t)graph->nodes + 2, sizeof(uint32_t));
    solver->up = xmem_calloc((size_t)moves + 1, sizeof(uint32_t));
    for (uint32_t i = 0; i < moves; i++) {
        if (graph->child[i] >= 0) {
            solver->up_first[graph->child[i] + 2]++;
        }
    }
    for (uint32_t i = 2; i <= graph->nodes; i++) {
        solver->up_first[i] += solver->up_first[i - 1];
    }
    for (uint32_t node = 0; node < graph->nodes; node++) {
        for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
            if (graph->child[i] >= 0) {
                solver->up[solver->up_first[graph->child[i] + 1]++] = node;
            }
        }
    }
}

static void find_alive(Solver *solver) {
    const ValueGraph *graph = solver->graph;
    uint32_t count = 0;
    for (uint32_t node = 0; node < graph->nodes; node++) {
        for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
            if (graph->score[i] != BOOK_NO_SCORE && !solver->is_alive[node]) {
                solver->is_alive[node] = true;
                solver->queue[count++] = node;
            }
        }
    }
    while (count > 0) {
        uint32_t node = solver->queue[--count];
        for (uint32_t i = solver->up_first[node]; i < solver->up_first[node + 1]; i++) {
            uint32_t up = solver->up[i];
            if (!solver->is_alive[up]) {
                solver->is_alive[up] = true;
                solver->queue[count++] = up;
            }
        }
    }
}

/* ---- one threshold --------------------------------------------------------------------------- */

typedef enum EdgeKind { EDGE_NONE, EDGE_INSIDE, EDGE_ATTACKER, EDGE_HOLDER } EdgeKind;

static bool is_inside(const Solver *solver, uint32_t node) {
    return solver->is_alive[node] && solver->low[node] == solver->from &&
           solver->high[node] == solver->to;
}

/* The kind of a move of `node`: the move stays in the range, reaches one side's goal, or does
 * neither. */
static EdgeKind edge_kind(const Solver *solver, uint32_t node, uint32_t edge) {
    int32_t child = solver->graph->child[edge];
    int value;
    if (child >= 0 && solver->is_alive[child]) {
        if (is_inside(solver, (uint32_t)child)) {
            return EDGE_INSIDE;
        }
        value = solver->low[child]; /* outside: its whole range of values is on one side */
    } else if (solver->graph->score[edge] == BOOK_NO_SCORE) {
        return EDGE_NONE;
    } else {
        int score = int_clamp(solver->graph->score[edge], -BOOK_MAX_SCORE, BOOK_MAX_SCORE);
        value = solver->graph->is_white[node] ? -score : score;
    }
    bool is_black = value >= solver->middle;
    return is_black != solver->attacker_is_white ? EDGE_ATTACKER : EDGE_HOLDER;
}

static bool is_attacker(const Solver *solver, uint32_t node) {
    return solver->graph->is_white[node] == solver->attacker_is_white;
}

/* Marks all positions from which one side can force a position that is already marked: as TAKEN for
 * the attacker, as HELD for the holder. queue[0 .. count) contains the positions that were marked
 * last. `left` counts, for each position of the other side, the moves that do not lead to marked
 * positions yet. */
static void spread(Solver *solver, uint32_t count, uint8_t mark, uint32_t *left) {
    while (count > 0) {
        uint32_t node = solver->queue[--count];
        for (uint32_t i = solver->up_first[node]; i < solver->up_first[node + 1]; i++) {
            uint32_t up = solver->up[i];
            if (!is_inside(solver, up) || solver->mark[up] == TAKEN || solver->mark[up] == mark) {
                continue;
            }
            if (is_attacker(solver, up) == (mark == TAKEN) || --left[up] == 0) {
                solver->mark[up] = mark;
                solver->queue[count++] = up;
            }
        }
    }
}

/* Marks the positions that the attacker can force, directly or through other positions. */
static void take_forced(Solver *solver) {
    uint32_t count = 0;
    for (uint32_t i = solver->begin; i < solver->end; i++) {
        uint32_t node = solver->order[i];
        bool attacks = is_attacker(solver, node);
        bool is_taken = false;
        uint32_t pending = 0;
        for (uint32_t e = solver->graph->first[node]; e < solver->graph->first[node + 1]; e++) {
            EdgeKind kind = edge_kind(solver, node, e);
            is_taken = is_taken || (attacks && kind == EDGE_ATTACKER);
            pending += kind == EDGE_INSIDE || kind == EDGE_HOLDER;
        }
        solver->pending[node] = pending;
        is_taken = is_taken || (!attacks && pending == 0);
        solver->mark[node] = is_taken ? TAKEN : OPEN;
        if (is_taken) {
            solver->queue[count++] = node;
        }
    }
    spread(solver, count, TAKEN, solver->pending);
}

/* Marks as HELD all positions, except those taken, from which the holder can reach an exit or can
 * play on without losing by repetition, that is, reaches a position by a move that gives no check.
 * `wanted` counts, for each position of the attacker, the moves that do not lead to held positions
 * yet. Returns false if nothing changed. */
static void hold(Solver *solver, uint32_t *wanted) {
    uint32_t count = 0;
    for (uint32_t i = solver->begin; i < solver->end; i++) {
        uint32_t node = solver->order[i];
        if (solver->mark[node] == TAKEN) {
            continue;
        }
        bool attacks = is_attacker(solver, node);
        bool is_held = attacks && !solver->graph->in_check[node];
        wanted[node] = 0;
        for (uint32_t e = solver->graph->first[node]; e < solver->graph->first[node + 1]; e++) {
            EdgeKind kind = edge_kind(solver, node, e);
            is_held = is_held || (!attacks && kind == EDGE_HOLDER);
            wanted[node] += kind == EDGE_INSIDE;
        }
        is_held = is_held || (attacks && wanted[node] == 0);
        solver->mark[node] = is_held ? HELD : OPEN;
        if (is_held) {
            solver->queue[count++] = node;
        }
    }
    spread(solver, count, HELD, wanted);
}

/* Marks as TAKEN the positions in which the holder can only give check forever, because the
 * attacker wins these too. */
static void take_perpetual(Solver *solver, uint32_t *wanted) {
    bool has_check = false;
    for (uint32_t i = solver->begin; i < solver->end && !has_check; i++) {
        uint32_t node = solver->order[i];
        has_check = solver->mark[node] == OPEN && is_attacker(solver, node) &&
                    solver->graph->in_check[node];
    }
    uint32_t count = has_check ? 1 : 0;
    while (count > 0) {
        hold(solver, wanted);
        count = 0;
        for (uint32_t i = solver->begin; i < solver->end; i++) {
            uint32_t node = solver->order[i];
            if (solver->mark[node] == OPEN) {
                solver->mark[node] = TAKEN;
                solver->queue[count++] = node;
            }
        }
        spread(solver, count, TAKEN, solver->pending);
    }
}

/* ---- all thresholds -------------------------------------------------------------------------- */

/* Moves the positions that are worth less than the threshold to the front and returns their
 * number. */
static uint32_t part(Solver *solver) {
    uint32_t low_end = solver->begin;
    for (uint32_t i = solver->begin; i < solver->end; i++) {
        uint32_t node = solver->order[i];
        bool is_taken = solver->mark[node] == TAKEN;
        bool is_high = is_taken != solver->attacker_is_white;
        if (!is_high) {
            solver->order[i] = solver->order[low_end];
            solver->order[low_end++] = node;
        }
    }
    for (uint32_t i = solver->begin; i < solver->end; i++) {
        uint32_t node = solver->order[i];
        if (i < low_end) {
            solver->high[node] = (int16_t)(solver->middle - 1);
        } else {
            solver->low[node] = (int16_t)solver->middle;
        }
    }
    return low_end - solver->begin;
}

/* Splits order[begin .. end), whose values are in one range, until every value is known. */
static void split(Solver *solver, uint32_t begin, uint32_t end, uint32_t *wanted) {
    while (begin < end) {
        uint32_t node = solver->order[begin];
        solver->begin = begin;
        solver->end = end;
        solver->from = solver->low[node];
        solver->to = solver->high[node];
        if (solver->from == solver->to) {
            return;
        }
        solver->middle = solver->from + (solver->to - solver->from + 1) / 2;
        solver->attacker_is_white = solver->middle <= 0;
        take_forced(solver);
        take_perpetual(solver, wanted);
        uint32_t low_count = part(solver);
        split(solver, begin, begin + low_count, wanted);
        begin += low_count;
    }
}

void bookvalue_solve(const ValueGraph *graph, int16_t *value) {
    size_t nodes = (size_t)graph->nodes + 1;
    Solver solver = {.graph = graph};
    solver.is_alive = xmem_calloc(nodes, sizeof(bool));
    solver.order = xmem_calloc(nodes, sizeof(uint32_t));
    solver.pending = xmem_calloc(nodes, sizeof(uint32_t));
    solver.queue = xmem_calloc(nodes, sizeof(uint32_t));
    solver.mark = xmem_calloc(nodes, sizeof(uint8_t));
    solver.high = xmem_calloc(nodes, sizeof(int16_t));
    solver.low = value;
    uint32_t *wanted = xmem_calloc(nodes, sizeof(uint32_t));
    make_parents(&solver);
    find_alive(&solver);
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->nodes; i++) {
        value[i] = solver.is_alive[i] ? -BOOK_MAX_SCORE : BOOK_NO_SCORE;
        solver.high[i] = BOOK_MAX_SCORE;
        solver.order[count] = i;
        count += solver.is_alive[i];
    }
    split(&solver, 0, count, wanted);
    free(wanted);
    free(solver.is_alive);
    free(solver.up_first);
    free(solver.up);
    free(solver.order);
    free(solver.pending);
    free(solver.queue);
    free(solver.mark);
    free(solver.high);
}

/* ---- a book ---------------------------------------------------------------------------------- */

/* Sets the scores of moves into the book to the values of the positions after them. */
static void set_scores(Book *book, const BookGraph *graph, const int16_t *value) {
    for (uint32_t i = 0; i < graph->nodes; i++) {
        BookNode *node = &book->nodes[i];
        const int32_t *child = graph->child + graph->first[i];
        for (int j = 0; j < node->count; j++) {
            if (child[j] >= 0 && value[child[j]] != BOOK_NO_SCORE) {
                int score = value[child[j]];
                node->moves[j].score = (int16_t)(node->setup.side == WHITE ? -score : score);
            }
        }
    }
}

void bookvalue_of(const Book *book, const BookGraph *graph, int16_t *value) {
    int16_t *score = xmem_calloc((size_t)graph->first[graph->nodes] + 1, sizeof(int16_t));
    bool *is_white = xmem_calloc((size_t)graph->nodes + 1, sizeof(bool));
    for (uint32_t i = 0; i < graph->nodes; i++) {
        const BookNode *node = &book->nodes[i];
        is_white[i] = node->setup.side == WHITE;
        for (int j = 0; j < node->count; j++) {
            uint32_t edge = graph->first[i] + (uint32_t)j;
            score[edge] = graph->child[edge] == BOOK_ILLEGAL ? BOOK_NO_SCORE : node->moves[j].score;
        }
    }
    ValueGraph values = {graph->nodes, graph->first, graph->child,
                         score,        is_white,     graph->in_check};
    bookvalue_solve(&values, value);
    free(is_white);
    free(score);
}

/* The first of the best moves; MOVE_NONE if there are none. */
static Move best_move(const BookNode *node) {
    const BookMove *best = node->moves;
    for (int i = 1; i < node->count; i++) {
        best = node->moves[i].score > best->score ? &node->moves[i] : best;
    }
    return node->count > 0 ? best->move : MOVE_NONE;
}

void bookvalue_apply(Book *book) {
    BookGraph graph;
    book_sort(book);
    bookgraph_build(book, &graph);
    int16_t *value = xmem_calloc((size_t)graph.nodes + 1, sizeof(int16_t));
    bookvalue_of(book, &graph, value);
    set_scores(book, &graph, value);
    for (uint32_t i = 0; i < graph.nodes; i++) {
        BookNode *node = &book->nodes[i];
        const int32_t *child = graph.child + graph.first[i];
        for (int j = 0; j < node->count; j++) {
            if (child[j] >= 0) {
                node->moves[j].reply = best_move(&book->nodes[child[j]]);
            }
        }
    }
    for (uint32_t i = 0; i < graph.nodes; i++) {
        book_order_moves(&book->nodes[i]);
    }
    bookgraph_free(&graph);
    free(value);
}
