/* verify.h: sampled verification: measures how often pruning decisions are wrong.
 *
 * In a tuning build (make MODE=tune) one in N pruning decisions is checked: the node or move is
 * searched to full depth anyway, which shows whether the decision was right. The result is then
 * discarded, so the tree hardly changes; only the hash table and the histories keep a trace.
 * `komadori bench --verify N` prints the results. The results show within seconds which technique
 * prunes too much or too little; games would need nights to show it.
 *
 * A Verify belongs to one worker. In other builds no decision is ever checked, and the compiler
 * removes the code. */
#ifndef KMD_SEARCH_VERIFY_H
#define KMD_SEARCH_VERIFY_H

#include "base/str.h"

typedef enum Pruning {
#define PRUNING(name, words) PRUNING_##name,
#include "search/verify.def"
#undef PRUNING
    PRUNING_NB
} Pruning;

/* What a decision concerns: a node, or a move of one of four kinds. */
typedef enum VerifyKind {
    VERIFY_NODE,
    VERIFY_QUIET, /* a quiet move of a piece on the board */
    VERIFY_DROP,
    VERIFY_CAPTURE, /* a capture or promotion */
    VERIFY_CHECK,   /* a move of any kind that gives check; it belongs to no other kind */
    VERIFY_KIND_NB
} VerifyKind;

/* One decision. */
typedef struct VerifyCase {
    Pruning decision;
    VerifyKind kind;
    int depth;  /* search depth of the node */
    int margin; /* centipawns by which the condition for pruning was met; negative: no margin */
} VerifyCase;

enum { VERIFY_DEPTHS = 6, VERIFY_MARGINS = 6 };

#ifdef KMD_TUNE
typedef struct VerifyCell {
    uint64_t samples;
    uint64_t wrong;
} VerifyCell;

typedef struct Verify {
    unsigned period; /* check one in N decisions of each kind; 0: none */
    bool is_running; /* a check is running; decisions inside it are not checked */
    unsigned seen[PRUNING_NB][VERIFY_KIND_NB];
    VerifyCell by_depth[PRUNING_NB][VERIFY_KIND_NB][VERIFY_DEPTHS];
    VerifyCell by_margin[PRUNING_NB][VERIFY_KIND_NB][VERIFY_MARGINS];
} Verify;

/* Counts the decision. Returns true if it must be checked. */
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

/* From now on checks one in `period` decisions, or none if `period` is 0. Does nothing in builds
 * other than tuning builds. */
void verify_set_period(Verify *verify, unsigned period);

/* Starts or ends a check. No other decision is checked while a check is running. */
void verify_set_running(Verify *verify, bool is_running);

/* Adds the result of a check, which showed whether the decision was wrong. */
void verify_add(Verify *verify, const VerifyCase *checked, bool is_wrong);

/* Appends the results as text tables: for each decision and kind of move, the percentage of wrong
 * decisions, its standard error and the number of samples, by depth and by margin. Returns false in
 * builds other than tuning builds, which have no results. */
bool verify_print(const Verify *verify, StrBuf *text);

#endif
