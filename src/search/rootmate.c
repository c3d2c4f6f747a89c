/* rootmate.c: runs the mate solver in slices between the iterations of a search. */
#include "search/rootmate.h"

#include "base/base.h"
#include "rules/position.h"
#include "rules/repetition.h"
#include "search/params.h"

/* The size of the table, enough for a few hundred thousand nodes. If there are more, the solver
 * discards the results of small trees first. */
#define TABLE_BYTES ((size_t)8 << 20)

void rootmate_init(RootMate *mate) {
    mate->solver = NULL;
    mate->needed = 0;
}

void rootmate_free(RootMate *mate) {
    matesolver_free(mate->solver);
    rootmate_init(mate);
}

/* True if the solver cannot be used. Under the try rule the checked king may win by reaching its
 * goal, a rule that the solver does not know. The other rules allow no declaration in check. */
static bool is_hopeless(const Position *root, KmdDeclareRule rule) {
    return P_ROOT_MATE_SHARE == 0 || root->king[color_flip(root->side)] == SQ_NONE ||
           rule == KMD_DECLARE_TRY;
}

void rootmate_begin(RootMate *mate, const Position *root, KmdDeclareRule rule) {
    mate->promised = 2 * mate->needed;
    mate->needed = 0;
    mate->spent = 0;
    mate->is_over = is_hopeless(root, rule);
}

/* The number of nodes that the mate search may use in total after `searched` nodes of the main
 * search. */
static uint64_t earned_by(uint64_t searched) {
    uint64_t share = P_ROOT_MATE_SHARE;
    uint64_t early_share = P_ROOT_MATE_EARLY_SHARE;
    uint64_t early = P_ROOT_MATE_EARLY;
    if (searched / early_share <= early) {
        return searched / early_share;
    }
    return early + (searched - early * early_share) / share;
}

/* The number of nodes of the slice that is due; 0 if none is. */
static uint64_t slice_length(const RootMate *mate, uint64_t searched) {
    uint64_t least = P_ROOT_MATE_MIN;
    uint64_t earned = earned_by(searched);
    uint64_t length = earned > mate->spent ? earned - mate->spent : 0;
    if (mate->spent == 0 && length < mate->promised) {
        length = mate->promised;
    }
    return length >= least ? length : 0;
}

/* True if the solver can be used in this game. The solver does not know the moves before the root:
 * if a position has already occurred three times, its mate might repeat that position by checks
 * alone, which loses. Called before the first slice rather than at the start of the search, because
 * many searches end earlier and checking a long game takes time. */
static bool can_begin(RootMate *mate, const Position *root) {
    if (repetition_has_any(root, 3)) {
        return false;
    }
    if (mate->solver == NULL) {
        mate->solver = matesolver_new(TABLE_BYTES, 1);
    }
    return mate->solver != NULL;
}

bool rootmate_slice(RootMate *mate, const Position *root, uint64_t searched, int longest_mate,
                    const atomic_bool *stop) {
    uint64_t length = mate->is_over ? 0 : slice_length(mate, searched);
    if (length == 0) {
        return false;
    }
    if (mate->spent == 0 && !can_begin(mate, root)) {
        mate->is_over = true;
        return false;
    }
    MateSolverOptions options = {
        .nodes = length, .stop = stop, .believes_none = true, .keeps_table = true};
    matesolver_solve(mate->solver, root, &options, &mate->answer);
    mate->spent += mate->answer.nodes;
    bool is_found = mate->answer.verdict == MATE_FOUND && mate->answer.len <= longest_mate;
    mate->needed = is_found ? mate->answer.nodes : 0;
    mate->is_over = mate->answer.verdict != MATE_UNKNOWN;
    return is_found;
}
