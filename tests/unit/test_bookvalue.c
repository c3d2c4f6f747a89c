/* Compares bookvalue.h with all pairs of strategies on random graphs. */
#include "book/bookvalue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "base/xmem.h"
#include "unit.h"

enum { MAX_NODES = 8, MAX_EDGES = 3, WORST = -BOOK_MAX_SCORE };

typedef struct Small {
    uint32_t nodes;
    uint32_t first[MAX_NODES + 1];
    int32_t child[MAX_NODES * MAX_EDGES];
    int16_t score[MAX_NODES * MAX_EDGES];
    bool is_white[MAX_NODES];
    bool in_check[MAX_NODES];
} Small;

/* Makes a random graph. Black's positions come first; moves lead to positions of the other side or
 * out of the graph. Only one side gives check, so that no cycle contains checks by both sides. */
static void make_graph(Small *graph, Rng *rng) {
    static const int16_t scores[] = {-300, -50, -1, 0, 0, 1, 40, 300};
    graph->nodes = 2 + (uint32_t)rng_below(rng, MAX_NODES - 1);
    uint32_t blacks = 1 + (uint32_t)rng_below(rng, graph->nodes - 1);
    uint64_t leaf_share = rng_below(rng, 60), check_share = rng_below(rng, 100);
    bool white_checks = rng_below(rng, 2) == 0;
    uint32_t edges = 0;
    for (uint32_t i = 0; i < graph->nodes; i++) {
        graph->is_white[i] = i >= blacks;
        graph->in_check[i] =
            graph->is_white[i] != white_checks && rng_below(rng, 100) < check_share;
        graph->first[i] = edges;
        uint32_t count = 1 + (uint32_t)rng_below(rng, MAX_EDGES);
        for (uint32_t j = 0; j < count; j++, edges++) {
            bool leads_out = rng_below(rng, 100) < leaf_share || (i == 0 && j == 0);
            uint32_t others = graph->is_white[i] ? blacks : graph->nodes - blacks;
            uint32_t base = graph->is_white[i] ? 0 : blacks;
            graph->child[edges] = leads_out ? -1 : (int32_t)(base + rng_below(rng, others));
            graph->score[edges] =
                leads_out ? scores[rng_below(rng, COUNTOF(scores))] : BOOK_NO_SCORE;
        }
    }
    graph->first[graph->nodes] = edges;
}

/* The outcome for black if the same move is always played in each position. */
static int play(const Small *graph, const uint32_t *choice, uint32_t node) {
    int seen[MAX_NODES], path[MAX_NODES + 1], count = 0;
    memset(seen, -1, sizeof(seen));
    for (;;) {
        if (seen[node] >= 0) {
            break;
        }
        seen[node] = count;
        path[count++] = (int)node;
        uint32_t edge = graph->first[node] + choice[node];
        if (graph->child[edge] < 0) {
            return graph->is_white[node] ? -graph->score[edge] : graph->score[edge];
        }
        node = (uint32_t)graph->child[edge];
    }
    /* A side gives perpetual check if the other side is in check at each of its positions in the
     * cycle. */
    bool in_check[2] = {true, true};
    for (int i = seen[node]; i < count; i++) {
        in_check[graph->is_white[path[i]]] &= graph->in_check[path[i]];
    }
    return in_check[BLACK] ? -WORST : in_check[WHITE] ? WORST : 0;
}

/* Advances to the next strategy of one side. Returns false after the last. */
static bool next_choice(const Small *graph, bool is_white, uint32_t *choice) {
    for (uint32_t i = 0; i < graph->nodes; i++) {
        if (graph->is_white[i] == is_white) {
            if (++choice[i] < graph->first[i + 1] - graph->first[i]) {
                return true;
            }
            choice[i] = 0;
        }
    }
    return false;
}

static void solve_slowly(const Small *graph, int *value) {
    uint32_t choice[MAX_NODES] = {0};
    int best[MAX_NODES];
    for (uint32_t i = 0; i < graph->nodes; i++) {
        best[i] = 2 * WORST;
    }
    do {
        int worst[MAX_NODES];
        for (uint32_t i = 0; i < graph->nodes; i++) {
            worst[i] = -2 * WORST;
        }
        do {
            for (uint32_t i = 0; i < graph->nodes; i++) {
                worst[i] = int_min(worst[i], play(graph, choice, i));
            }
        } while (next_choice(graph, true, choice));
        for (uint32_t i = 0; i < graph->nodes; i++) {
            best[i] = int_max(best[i], worst[i]);
        }
    } while (next_choice(graph, false, choice));
    memcpy(value, best, sizeof(best));
}

/* True if all positions have a value. Positions without a score on any path have none; the
 * reference does not handle such positions. */
static bool has_scores(const Small *graph, const int16_t *value) {
    for (uint32_t i = 0; i < graph->nodes; i++) {
        if (value[i] == BOOK_NO_SCORE) {
            return false;
        }
    }
    return true;
}

static void test_random_graphs(void) {
    Rng rng = rng_init(27);
    int graphs = 0, wrong = 0, perpetual = 0, drawn = 0;
    while (graphs < (unit_wants_all() ? 100000 : 5000)) {
        Small small;
        int16_t value[MAX_NODES];
        int slow[MAX_NODES];
        make_graph(&small, &rng);
        ValueGraph graph = {small.nodes, small.first,    small.child,
                            small.score, small.is_white, small.in_check};
        bookvalue_solve(&graph, value);
        if (!has_scores(&small, value)) {
            continue;
        }
        graphs++;
        solve_slowly(&small, slow);
        for (uint32_t i = 0; i < small.nodes; i++) {
            wrong += value[i] != slow[i];
            perpetual += abs(value[i]) == BOOK_MAX_SCORE;
            drawn += value[i] == 0;
        }
    }
    CHECK_INT(wrong, 0);
    CHECK(perpetual > 100 && drawn > 1000); /* both kinds of repetition occurred */
}

/* Without scores there is no value; a move to such a position counts with its own score. */
static void test_unknown(void) {
    uint32_t first[] = {0, 2, 3, 4};
    int32_t child[] = {1, 2, -1, 1};
    int16_t score[] = {70, BOOK_NO_SCORE, BOOK_NO_SCORE, BOOK_NO_SCORE};
    bool is_white[] = {false, true, true}, in_check[3] = {false};
    int16_t value[3];
    ValueGraph graph = {3, first, child, score, is_white, in_check};
    bookvalue_solve(&graph, value);
    CHECK(value[0] == 70 && value[1] == BOOK_NO_SCORE && value[2] == BOOK_NO_SCORE);
}

/* Solves a million positions with cycles; docs/book.md states the time that this takes. */
static void test_large(void) {
    uint32_t nodes = unit_wants_all() ? 1000000 : 100000;
    Rng rng = rng_init(5);
    uint32_t *first = xmem_calloc((size_t)nodes + 1, sizeof(uint32_t));
    int32_t *child = xmem_calloc((size_t)nodes * 3, sizeof(int32_t));
    int16_t *score = xmem_calloc((size_t)nodes * 3, sizeof(int16_t));
    int16_t *value = xmem_calloc(nodes, sizeof(int16_t));
    bool *is_white = xmem_calloc(nodes, sizeof(bool)), *in_check = xmem_calloc(nodes, sizeof(bool));
    for (uint32_t i = 0; i < nodes; i++) {
        first[i + 1] = 3 * (i + 1);
        is_white[i] = i % 2 != 0;
        in_check[i] = rng_below(&rng, 10) == 0;
        for (uint32_t j = 0; j < 3; j++) {
            bool leads_out = rng_below(&rng, 2) == 0;
            score[3 * i + j] = (int16_t)((int)rng_below(&rng, 1000) - 500);
            child[3 * i + j] =
                leads_out ? -1 : (int32_t)((rng_below(&rng, nodes / 2) * 2 + !is_white[i]) % nodes);
        }
    }
    ValueGraph graph = {nodes, first, child, score, is_white, in_check};
    int64_t start_ms = clock_ms();
    bookvalue_solve(&graph, value);
    printf("  %u positions in %lld ms\n", nodes, (long long)(clock_ms() - start_ms));
    /* Each position has the value of its best move, unless it can only repeat positions. */
    int wrong = 0;
    for (uint32_t i = 0; i < nodes; i++) {
        int best = 2 * WORST;
        for (uint32_t e = first[i]; e < first[i + 1]; e++) {
            int sign = is_white[i] ? -1 : 1;
            best = int_max(best, child[e] < 0 ? score[e] : sign * value[child[e]]);
        }
        wrong += (is_white[i] ? -best : best) != value[i];
    }
    CHECK_INT(wrong, 0);
    free(first);
    free(child);
    free(score);
    free(value);
    free(is_white);
    free(in_check);
}

UNIT_MAIN({"random graphs against all strategies", test_random_graphs},
          {"positions without scores", test_unknown}, {"a large graph", test_large})
