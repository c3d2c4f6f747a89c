/* verify.h: sampled verification: measures how often pruning decisions are wrong.
 *
 * In a tuning build (make MODE=tune) one in N pruning decisions is checked: the node or move is
 * searched anyway, at full depth, to count how often that contradicts the decision. The result is
 * discarded, so the tree stays nearly the same; only the hash table and the histories keep a trace.
 * `komadori bench --verify N` prints the table. It shows in seconds which technique prunes too much
 * and which too little, where games take nights.
 *
 * A Verify belongs to one worker. In other builds nothing is ever due, and the compiler drops all
 * of it. */
#ifndef KMD_SEARCH_VERIFY_H
#define KMD_SEARCH_VERIFY_H

#include "base/str.h"

typedef enum Pruning {
#define PRUNING(name, words) PRUNING_##name,
#include "search/verify.def"
#undef PRUNING
    PRUNING_NB
} Pruning;

/* The subject of a decision: a node, or a move of one of four kinds. */
typedef enum VerifyKind {
    VERIFY_NODE,
    VERIFY_QUIET, /* moves of pieces on the board */
    VERIFY_DROP,
    VERIFY_CAPTURE, /* and promotions */
    VERIFY_CHECK,   /* of any kind */
    VERIFY_KIND_NB
} VerifyKind;

/* One decision. */
typedef struct VerifyCase {
    Pruning decision;
    VerifyKind kind;
    int depth;  /* of the node */
    int margin; /* centipawns by which the decision's condition held; negative: it has none */
} VerifyCase;

enum { VERIFY_DEPTHS = 6, VERIFY_MARGINS = 6 };

#ifdef KMD_TUNE
typedef struct VerifyCell {
    uint64_t samples;
    uint64_t wrong;
} VerifyCell;

typedef struct Verify {
    unsigned period; /* check one in N decisions of each kind; 0: none */
    bool is_running; /* a check runs: what it prunes itself is not checked */
    unsigned seen[PRUNING_NB][VERIFY_KIND_NB];
    VerifyCell by_depth[PRUNING_NB][VERIFY_KIND_NB][VERIFY_DEPTHS];
    VerifyCell by_margin[PRUNING_NB][VERIFY_KIND_NB][VERIFY_MARGINS];
} Verify;

/* Counts the decision. True when it is one of those to be checked. */
static inline bool verify_is_due(Verify *verify, Pruning decision, VerifyKind kind) {
    return verify->period > 0 && !verify->is_running &&
           verify->seen[decision][kind]++ % verify->period == 0;
}
#else
typedef struct Verify {
    char nothing;
} Verify;

static inline bool verify_is_due(Verify *verify, Pruning decision, VerifyKind kind) {
    (void)verify;
    (void)decision;
    (void)kind;
    return false;
}
#endif

/* Checks one in `period` decisions from now on; 0: none. Does nothing in other builds. */
void verify_set_period(Verify *verify, unsigned period);

/* A check begins or ends: between the two nothing is due. */
void verify_set_running(Verify *verify, bool is_running);

/* Adds the result of a check: was the decision wrong? */
void verify_add(Verify *verify, const VerifyCase *checked, bool is_wrong);

/* Adds the results as tables of text: for each decision and kind of move the share of wrong ones in
 * per cent, its standard error and the number of samples, by depth and by margin. False in other
 * builds, which have none. */
bool verify_print(const Verify *verify, StrBuf *text);

#endif
