#include "mate/matesolver.h"

#include <stdlib.h>

#include "base/parallel.h"
#include "base/xmem.h"
#include "mate/dfpn.h"
#include "mate/mate1.h"
#include "mate/matecheck.h"
#include "mate/matefutile.h"
#include "rules/position.h"

/* Every mate is tried to be shortened with so many nodes at least. */
enum { SHORTEN_LEAST = 20000 };

/* What is spent on telling futile interpositions from others: nodes on each question and in all,
 * and steps through what has been replayed. */
enum { COUNT_EACH = 5000, COUNT_ALL = 500000, COUNT_STEPS = 2000000 };

struct MateSolver {
    MateTable *table;
    int threads;
    MateReport *report;
    void *report_context;
};

/* One call of matesolver_solve. */
typedef struct Task {
    MateSolver *solver;
    const Position *pos;
    const MateLimits *limits;
    DfpnShared shared;
    int len; /* of the search that is running */
    MateValue value;
    MateChecker *checker; /* that replayed the latest mate; NULL before the first */
    uint64_t most_nodes;  /* that the caller allows */
    uint64_t count_limit; /* of nodes while interpositions are told apart; else 0 */
    bool is_cut;          /* a question was left open because the caller allows no more nodes */
} Task;

MateSolver *matesolver_new(size_t bytes, int threads) {
    MateTable *table = matetable_new(bytes);
    if (table == NULL) {
        return NULL;
    }
    MateSolver *solver = xmem_calloc(1, sizeof(*solver));
    solver->table = table;
    solver->threads = threads;
    return solver;
}

void matesolver_free(MateSolver *solver) {
    if (solver != NULL) {
        matetable_free(solver->table);
        free(solver);
    }
}

void matesolver_on_progress(MateSolver *solver, MateReport *report, void *context) {
    solver->report = report;
    solver->report_context = context;
}

static bool is_solved(const MateValue *value) {
    return (value->pn == 0 || value->dn == 0) && value->loop == MATE_NO_LOOP;
}

static void search_on_thread(void *context, int index) {
    Task *task = context;
    DfpnSearcher *searcher = dfpn_new(&task->shared, task->pos, index);
    MateValue value = dfpn_search(searcher, task->len);
    dfpn_free(searcher);
    if (index == 0) {
        task->value = value;
    }
}

/* Searches with all threads for a mate in at most len plies. */
static MateValue search(Task *task, int len) {
    task->len = len;
    task->shared.begins_inside = false;
    atomic_store(&task->shared.is_done, false);
    parallel_run(task->solver->threads, search_on_thread, task);
    if (!is_solved(&task->value)) {
        task->value = dfpn_look(task->solver->table, task->pos, task->pos->side, len);
    }
    return task->value;
}

/* Remembers that a question was left open if the caller's limit is the reason. */
static void note_open(Task *task) {
    task->is_cut = task->is_cut || atomic_load(&task->shared.nodes) >= task->most_nodes;
}

static MateClaim claim_of(const MateValue *value) {
    return (MateClaim){.move = value->pn == 0 ? value->move : MOVE_NONE, .len = value->len};
}

/* The attacker's move for the checker: as the table has it, or found again when that was lost. */
static MateClaim oracle(void *context, const Position *pos, int len) {
    Task *task = context;
    MateValue value = dfpn_look(task->solver->table, pos, pos->side, len);
    if (value.pn == 0) {
        return claim_of(&value);
    }
    Move mate = mate1_find(pos);
    if (mate != MOVE_NONE) {
        return (MateClaim){.move = mate, .len = 1};
    }
    atomic_store(&task->shared.is_done, false);
    uint64_t spent = atomic_load(&task->shared.nodes);
    if (task->count_limit > 0) {
        uint64_t limit = spent + COUNT_EACH;
        task->shared.node_limit = limit < task->count_limit ? limit : task->count_limit;
    }
    if (spent >= task->shared.node_limit) {
        note_open(task);
        return (MateClaim){.move = MOVE_NONE};
    }
    task->shared.begins_inside = true;
    DfpnSearcher *searcher = dfpn_new(&task->shared, pos, 0);
    value = dfpn_search(searcher, len);
    dfpn_free(searcher);
    if (!is_solved(&value)) {
        note_open(task);
    }
    return claim_of(&value);
}

/* Replays the mate that was found and writes its line. False when it cannot be shown. */
static bool show_mate(Task *task, MateAnswer *answer) {
    MateCheckLimits limits = {.nodes = UINT64_MAX, .stop = task->limits->stop};
    MateChecker *checker = matecheck_new(oracle, task, limits);
    Position pos;
    pos_init(&pos);
    pos_copy(&pos, task->pos);
    int len = matecheck_run(checker, &pos, task->value.len);
    if (len >= 0) {
        answer->len = len;
        answer->line_len = matecheck_line(checker, &pos, answer->line, MATE_LINE_MAX);
        answer->verdict = MATE_FOUND;
        MateChecker *before = task->checker;
        task->checker = checker;
        checker = before;
    } else {
        answer->is_too_large = task->checker == NULL && matecheck_is_full(checker);
    }
    pos_free(&pos);
    matecheck_free(checker);
    return len >= 0;
}

static bool is_stopped(const Task *task) {
    return task->limits->stop != NULL &&
           atomic_load_explicit(task->limits->stop, memory_order_relaxed);
}

/* Finds the length of the mate that was shown last as players count it. */
static void count_for_players(Task *task, MateAnswer *answer) {
    uint64_t spent = atomic_load(&task->shared.nodes);
    uint64_t left = task->most_nodes > spent ? task->most_nodes - spent : 0;
    task->count_limit = spent + (left < COUNT_ALL ? left : COUNT_ALL);
    task->is_cut = false;
    matecheck_limit(task->checker, COUNT_STEPS);
    Position pos;
    pos_init(&pos);
    pos_copy(&pos, task->pos);
    int len = matefutile_length(task->checker, &pos);
    pos_free(&pos);
    if (!is_stopped(task) && !task->is_cut) {
        answer->players_len = len;
    }
}

/* Looks for shorter mates until there is none. */
static void shorten(Task *task, MateAnswer *answer) {
    while (answer->len > 1) {
        MateValue value = search(task, answer->len - 2);
        if (!is_solved(&value)) {
            return;
        }
        if (value.dn == 0) {
            break;
        }
        if (!show_mate(task, answer)) {
            return;
        }
    }
    answer->is_exact = true;
}

/* Unless the shortest mate is wanted, about as much again is spent on shortening as on the mate. */
static void limit_shortening(Task *task) {
    uint64_t spent = atomic_load(&task->shared.nodes);
    uint64_t limit = 2 * spent + SHORTEN_LEAST;
    if (!task->limits->is_shortest && limit < task->shared.node_limit) {
        task->shared.node_limit = limit;
    }
}

void matesolver_solve(MateSolver *solver, const Position *pos, const MateLimits *limits,
                      MateAnswer *answer) {
    Task task = {.solver = solver, .pos = pos, .limits = limits};
    task.shared.table = solver->table;
    task.shared.stop = limits->stop;
    task.most_nodes = limits->nodes > 0 ? limits->nodes : UINT64_MAX;
    task.shared.node_limit = task.most_nodes;
    task.shared.report = solver->report;
    task.shared.report_context = solver->report_context;
    answer->verdict = MATE_UNKNOWN;
    answer->is_too_large = false;
    answer->is_exact = false;
    answer->len = 0;
    answer->line_len = 0;
    answer->players_len = 0;
    matetable_new_search(solver->table);
    MateValue value = search(&task, MATE_LEN_FREE);
    if (is_solved(&value)) {
        if (value.dn == 0) {
            answer->verdict = MATE_NONE;
        } else if (show_mate(&task, answer) && !limits->is_verdict_only) {
            limit_shortening(&task);
            shorten(&task, answer);
            if (limits->counts_futile) {
                count_for_players(&task, answer);
            }
        }
    }
    matecheck_free(task.checker);
    answer->nodes = atomic_load(&task.shared.nodes);
}
