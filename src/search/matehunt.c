#include "search/matehunt.h"

#include "base/base.h"
#include "rules/position.h"
#include "rules/repetition.h"
#include "search/params.h"

/* Enough for a few hundred thousand nodes; with more the solver forgets small trees first. */
#define TABLE_BYTES ((size_t)8 << 20)

/* The solver looks at its limit every few hundred nodes only. */
#define LIMIT_SLACK ((uint64_t)1024)

void matehunt_init(MateHunt *hunt) {
    hunt->solver = NULL;
    hunt->needed = 0;
}

void matehunt_free(MateHunt *hunt) {
    matesolver_free(hunt->solver);
    matehunt_init(hunt);
}

/* Under the try rule the king that flees from the checks may win. No other declaration is possible
 * in check. */
static bool is_hopeless(const Position *root, KmdDeclareRule rule) {
    return P_HUNT_SHARE == 0 || root->king[color_flip(root->side)] == SQ_NONE ||
           rule == KMD_DECLARE_TRY;
}

void matehunt_begin(MateHunt *hunt, const Position *root, KmdDeclareRule rule) {
    hunt->promised = 2 * hunt->needed;
    hunt->needed = 0;
    hunt->spent = 0;
    hunt->is_over = is_hopeless(root, rule);
}

void matehunt_forget(MateHunt *hunt) {
    matehunt_free(hunt);
}

/* The nodes that the mate search may have used after `searched` nodes of the search. */
static uint64_t earned_by(uint64_t searched) {
    uint64_t share = P_HUNT_SHARE;
    uint64_t early_share = P_HUNT_EARLY_SHARE;
    uint64_t early = P_HUNT_EARLY;
    if (searched / early_share <= early) {
        return searched / early_share;
    }
    return early + (searched - early * early_share) / share;
}

/* The nodes of the slice that is due; 0 when none is. */
static uint64_t slice_length(const MateHunt *hunt, const MateHuntLimits *limits) {
    uint64_t least = P_HUNT_LEAST;
    uint64_t earned = earned_by(limits->searched);
    uint64_t length = earned > hunt->spent ? earned - hunt->spent : 0;
    if (hunt->spent == 0 && length < hunt->promised) {
        length = hunt->promised;
    }
    uint64_t left = limits->left > LIMIT_SLACK ? limits->left - LIMIT_SLACK : 0;
    length = length < left ? length : left;
    return length >= least ? length : 0;
}

/* Before the first slice, and not when the search begins: many searches never get so far, and a
 * long game takes its time to be looked through. The solver does not know the game: where a
 * position has occurred three times, a mate might lead through the fourth occurrence, with checks
 * all the way, and lose. */
static bool can_begin(MateHunt *hunt, const Position *root) {
    if (rep_has_any(root, 3)) {
        return false;
    }
    if (hunt->solver == NULL) {
        hunt->solver = matesolver_new(TABLE_BYTES, 1);
    }
    return hunt->solver != NULL;
}

bool matehunt_slice(MateHunt *hunt, const Position *root, const MateHuntLimits *limits) {
    uint64_t length = hunt->is_over ? 0 : slice_length(hunt, limits);
    if (length == 0) {
        return false;
    }
    if (hunt->spent == 0 && !can_begin(hunt, root)) {
        hunt->is_over = true;
        return false;
    }
    MateLimits solver_limits = {
        .nodes = length, .stop = limits->stop, .believes_none = true, .keeps_table = true};
    matesolver_solve(hunt->solver, root, &solver_limits, &hunt->answer);
    hunt->spent += hunt->answer.nodes;
    bool is_found = hunt->answer.verdict == MATE_FOUND && hunt->answer.len <= limits->longest_mate;
    hunt->needed = is_found ? hunt->answer.nodes : 0;
    hunt->is_over = hunt->answer.verdict != MATE_UNKNOWN;
    return is_found;
}
