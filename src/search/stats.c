/* stats.c: prints the search counters of a tuning build as a table. */
#include "search/stats.h"

#ifdef KMD_TUNE

static const char *const words[STAT_NB] = {
#define STAT(name, text) [STAT_##name] = text,
#include "search/stats.def"
#undef STAT
};

/* Each column of the table covers the depths from the previous edge up to, but not including, its
 * own edge. */
static const int edges[] = {3, 6, 9, 12, STATS_DEPTHS};

static uint64_t total(const SearchStats *stats, Stat stat, int first, int end) {
    uint64_t sum = 0;
    for (int depth = first; depth < end; depth++) {
        sum += stats->count[stat][depth];
    }
    return sum;
}

static void print_counts(const SearchStats *stats, StrBuf *text) {
    strbuf_addf(text, "%-44s %11s", "", "all");
    for (size_t i = 0; i + 1 < COUNTOF(edges); i++) {
        strbuf_addf(text, "   depth <%2d", edges[i]);
    }
    strbuf_addf(text, "      deeper\n");
    for (int stat = 0; stat < STAT_NB; stat++) {
        strbuf_addf(text, "%-44s %11llu", words[stat],
                    (unsigned long long)total(stats, (Stat)stat, 0, STATS_DEPTHS));
        int first = 0;
        for (size_t i = 0; i < COUNTOF(edges); i++) {
            strbuf_addf(text, " %11llu",
                        (unsigned long long)total(stats, (Stat)stat, first, edges[i]));
            first = edges[i];
        }
        strbuf_addf(text, "\n");
    }
}

typedef struct Ratio {
    const char *words;
    Stat part;
    Stat whole;
} Ratio;

static void print_ratios(const SearchStats *stats, StrBuf *text) {
    static const Ratio ratios[] = {
        {"table hits of the nodes", STAT_TABLE_HIT, STAT_NODE},
        {"table moves of the nodes", STAT_TABLE_MOVE, STAT_NODE},
        {"table cuts of the nodes", STAT_TABLE_CUT, STAT_NODE},
        {"reverse futility of the nodes", STAT_RFP_CUT, STAT_NODE},
        {"null moves of the nodes", STAT_NULL, STAT_NODE},
        {"null moves successful", STAT_NULL_CUT, STAT_NULL},
        {"ProbCut successful", STAT_PROBCUT_CUT, STAT_PROBCUT},
        {"razoring successful", STAT_RAZOR_CUT, STAT_RAZOR},
        {"first-move cuts", STAT_FIRST_CUT, STAT_CUT},
        {"moves searched of those picked", STAT_SEARCHED, STAT_MOVE},
        {"searched again of those reduced", STAT_AGAIN, STAT_REDUCED},
        {"plies of a reduction", STAT_REDUCED_PLIES, STAT_REDUCED},
        {"singular extensions of the tests", STAT_SINGULAR_ONE, STAT_SINGULAR},
        {"double extensions of the tests", STAT_SINGULAR_TWO, STAT_SINGULAR},
        {"multicuts of the tests", STAT_MULTICUT, STAT_SINGULAR},
        {"quiescence nodes to main nodes", STAT_QNODE, STAT_NODE},
        {"evaluations to main nodes", STAT_EVALUATION, STAT_NODE},
    };
    for (size_t i = 0; i < COUNTOF(ratios); i++) {
        uint64_t whole = total(stats, ratios[i].whole, 0, STATS_DEPTHS);
        uint64_t part = total(stats, ratios[i].part, 0, STATS_DEPTHS);
        strbuf_addf(text, "%-44s %9.3f\n", ratios[i].words,
                    whole == 0 ? 0.0 : (double)part / (double)whole);
    }
}

static void print_branching(const SearchStats *stats, StrBuf *text) {
    for (int depth = 2; depth < STATS_ITERATIONS; depth++) {
        if (stats->iteration_before[depth] > 0) {
            strbuf_addf(text, "branching factor of iteration %2d %21.2f\n", depth,
                        (double)stats->iteration_nodes[depth] /
                            (double)stats->iteration_before[depth]);
        }
    }
}

bool stats_print(const SearchStats *stats, StrBuf *text) {
    print_counts(stats, text);
    print_ratios(stats, text);
    print_branching(stats, text);
    return true;
}

#else

bool stats_print(const SearchStats *stats, StrBuf *text) {
    (void)stats;
    (void)text;
    return false;
}

#endif
