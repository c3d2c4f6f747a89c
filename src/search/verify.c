/* verify.c: counts the checked pruning decisions and prints the tables of `bench --verify`. */
#include "search/verify.h"

#ifdef KMD_TUNE

#include <math.h>

static const char *const decision_words[PRUNING_NB] = {
#define PRUNING(name, words) [PRUNING_##name] = words,
#include "search/verify.def"
#undef PRUNING
};

static const char *const kind_words[VERIFY_KIND_NB] = {"", "quiet", "drop", "capture", "check"};

/* Each group contains the depths or margins up to its edge, inclusive; the last group contains all
 * larger ones. */
static const int depth_edges[VERIFY_DEPTHS - 1] = {1, 2, 4, 6, 8};
static const int margin_edges[VERIFY_MARGINS - 1] = {25, 50, 100, 200, 400};

static const char *const depth_heads[VERIFY_DEPTHS] = {"depth 1", "2",   "3-4",
                                                       "5-6",     "7-8", "9 and more"};
static const char *const margin_heads[VERIFY_MARGINS] = {"margin to 25", "50",  "100",
                                                         "200",          "400", "more"};

static int group_of(int value, const int *edges, int count) {
    int group = 0;
    while (group < count && value > edges[group]) {
        group++;
    }
    return group;
}

void verify_set_period(Verify *verify, unsigned period) {
    *verify = (Verify){.period = period};
}

void verify_set_running(Verify *verify, bool is_running) {
    verify->is_running = is_running;
}

static void cell_add(VerifyCell *cell, bool is_wrong) {
    cell->samples++;
    cell->wrong += is_wrong;
}

void verify_add(Verify *verify, const VerifyCase *checked, bool is_wrong) {
    Pruning decision = checked->decision;
    VerifyKind kind = checked->kind;
    int depth = group_of(checked->depth, depth_edges, VERIFY_DEPTHS - 1);
    cell_add(&verify->by_depth[decision][kind][depth], is_wrong);
    if (checked->margin >= 0) {
        int margin = group_of(checked->margin, margin_edges, VERIFY_MARGINS - 1);
        cell_add(&verify->by_margin[decision][kind][margin], is_wrong);
    }
}

/* Prints the percentage, its binomial standard error and the number of samples. */
static void print_cell(const VerifyCell *cell, StrBuf *text) {
    if (cell->samples == 0) {
        strbuf_addf(text, " %20s", "-");
        return;
    }
    double samples = (double)cell->samples;
    double share = (double)cell->wrong / samples;
    strbuf_addf(text, " %5.1f +-%4.1f %7llu", 100 * share,
                100 * sqrt(share * (1 - share) / samples), (unsigned long long)cell->samples);
}

static void print_row(Pruning decision, VerifyKind kind, const VerifyCell *cells, int count,
                      StrBuf *text) {
    VerifyCell all = {0};
    for (int i = 0; i < count; i++) {
        all.samples += cells[i].samples;
        all.wrong += cells[i].wrong;
    }
    if (all.samples == 0) {
        return;
    }
    strbuf_addf(text, "%-30s %-7s", decision_words[decision], kind_words[kind]);
    print_cell(&all, text);
    for (int i = 0; i < count; i++) {
        print_cell(&cells[i], text);
    }
    strbuf_addf(text, "\n");
}

static void print_heads(const char *const *heads, int count, StrBuf *text) {
    strbuf_addf(text, "%-38s %20s", "wrong in per cent, error, samples", "all");
    for (int i = 0; i < count; i++) {
        strbuf_addf(text, " %20s", heads[i]);
    }
    strbuf_addf(text, "\n");
}

bool verify_print(const Verify *verify, StrBuf *text) {
    print_heads(depth_heads, VERIFY_DEPTHS, text);
    for (int decision = 0; decision < PRUNING_NB; decision++) {
        for (int kind = 0; kind < VERIFY_KIND_NB; kind++) {
            print_row(decision, kind, verify->by_depth[decision][kind], VERIFY_DEPTHS, text);
        }
    }
    strbuf_addf(text, "\n");
    print_heads(margin_heads, VERIFY_MARGINS, text);
    for (int decision = 0; decision < PRUNING_NB; decision++) {
        for (int kind = 0; kind < VERIFY_KIND_NB; kind++) {
            print_row(decision, kind, verify->by_margin[decision][kind], VERIFY_MARGINS, text);
        }
    }
    return true;
}

#else

void verify_set_period(Verify *verify, unsigned period) {
    (void)verify;
    (void)period;
}

void verify_set_running(Verify *verify, bool is_running) {
    (void)verify;
    (void)is_running;
}

void verify_add(Verify *verify, const VerifyCase *checked, bool is_wrong) {
    (void)verify;
    (void)checked;
    (void)is_wrong;
}

bool verify_print(const Verify *verify, StrBuf *text) {
    (void)verify;
    (void)text;
    return false;
}

#endif
