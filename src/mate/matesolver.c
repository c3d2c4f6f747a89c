/* matesolver.c: runs the searchers on one or more threads, verifies the answer by a replay,
 * shortens the mate, and looks for further lines. Start reading at solve_line; the search of a
 * position is in dfpn.c. */
#include "mate/matesolver.h"

#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/xmem.h"
#include "mate/mate1.h"
#include "mate/matecheck.h"
#include "mate/matemoves.h"
#include "rules/movegen.h"
#include "rules/position.h"

/* The search for a shorter mate gets SHORTEN_MIN nodes plus 1 / SHORTEN_SHARE of the nodes that
 * finding the mate took. */
enum { SHORTEN_MIN = 500, SHORTEN_SHARE = 8 };

/* If the table does not contain the refutation of a check, each answer is searched with
 * REFUTE_FIRST nodes, then with REFUTE_GROWTH times as many, and so on. */
enum { REFUTE_FIRST = 1000, REFUTE_GROWTH = 8 };

/* Limits of the search for futile interpositions: nodes for each subproblem, nodes for all of them,
 * and steps through the replayed positions. */
enum { COUNT_EACH = 5000, COUNT_ALL = 500000, COUNT_STEPS = 2000000 };

/* Whether another check mates: each answer to it is searched with QUICK_NODES and, if that is
 * inconclusive, with THOROUGH_NODES. A patient judgement then goes on with THOROUGH_GROWTH times as
 * many, and so on. */
enum { QUICK_NODES = 2000, THOROUGH_NODES = 200000, THOROUGH_GROWTH = 4 };

struct MateSolver {
    MateTable *table;
    _Atomic uint8_t *visitors; /* used by several threads; otherwise NULL */
    int threads;
    MateReport *report;
    void *report_context;
};

/* One call of matesolver_solve. */
typedef struct SolveCall {
    MateSolver *solver;
    const Position *pos;
    const MateSolverOptions *given;
    MateOptions options; /* the options, with what they imply */
    DfpnShared shared;
    int len; /* length limit of the current search */
    MateValue value;
    MateChecker *checker;  /* the checker that replayed the last mate; NULL before the first mate */
    uint64_t most_nodes;   /* node limit set by the caller */
    uint64_t count_limit;  /* node limit while looking for futile interpositions; otherwise 0 */
    bool is_cut;           /* a subproblem was left open because of the caller's node limit */
    Move tried[MAX_MOVES]; /* first moves of the lines found so far */
} SolveCall;

MateSolver *matesolver_new(size_t bytes, int threads) {
    MateTable *table = dfpn_tt_new(bytes);
    if (table == NULL) {
        return NULL;
    }
    MateSolver *solver = xmem_try_calloc(1, sizeof(*solver));
    _Atomic uint8_t *visitors =
        threads > 1 ? xmem_try_calloc(DFPN_PLACES, sizeof(*visitors)) : NULL;
    if (solver == NULL || (threads > 1 && visitors == NULL)) {
        dfpn_tt_free(table);
        free(visitors);
        free(solver);
        return NULL;
    }
    solver->table = table;
    solver->threads = threads;
    solver->visitors = visitors;
    return solver;
}

void matesolver_free(MateSolver *solver) {
    if (solver != NULL) {
        dfpn_tt_free(solver->table);
        free(solver->visitors);
        free(solver);
    }
}

MateTable *matesolver_table(MateSolver *solver) {
    return solver->table;
}

bool matesolver_can_only_defend(const Position *pos) {
    return pos->king[color_flip(pos->side)] == SQ_NONE && pos_in_check(pos);
}

int matesolver_main_line(const MateAnswer *answer, const Move **line) {
    bool has_players = answer->has_players_len && answer->players_line_len == answer->main_len;
    *line = has_players ? answer->players_line : answer->line;
    return has_players ? answer->players_line_len : answer->line_len;
}

void matesolver_on_progress(MateSolver *solver, MateReport *report, void *context) {
    solver->report = report;
    solver->report_context = context;
}

static void search_on_thread(void *context, int index) {
    SolveCall *call = context;
    MateValue value = dfpn_search(&call->shared, call->pos, index, call->len);
    if (index == 0) {
        call->value = value;
    }
}

/* Searches for a mate within len plies, with all threads. */
static MateValue search(SolveCall *call, int len) {
    call->len = len;
    call->shared.is_defence = call->given->is_defence;
    call->shared.begins_inside = call->given->is_inside;
    call->shared.nodes_before = call->given->nodes_before;
    atomic_store(&call->shared.is_done, false);
    parallel_run(call->solver->threads, search_on_thread, call);
    if (!mate_value_is_final(&call->value)) {
        call->value = dfpn_probe_root(&call->shared, call->pos, len);
    }
    return call->value;
}

/* Sets is_cut if a subproblem was left open because of the caller's node limit. */
static void note_open(SolveCall *call) {
    call->is_cut = call->is_cut || atomic_load(&call->shared.nodes) >= call->most_nodes;
}

static MateClaim claim_of(const MateValue *value) {
    return (MateClaim){.move = value->pn == 0 ? value->move : MOVE_NONE, .len = value->len};
}

/* Searches a position of the problem below the root, within the node limit. */
static MateValue search_inside(SolveCall *call, const Position *pos, int len) {
    atomic_store(&call->shared.is_done, false);
    call->shared.begins_inside = true;
    call->shared.is_defence = false;
    call->shared.excluded_count = 0;
    return dfpn_search(&call->shared, pos, 0, len);
}

/* Returns the attacker's move to the checker. At the root it comes from the last search; elsewhere
 * from the table, or from a new search if the table has lost it. */
static MateClaim oracle(void *context, const Position *pos, int level, int len) {
    SolveCall *call = context;
    ASSERT(level == 0);
    (void)level;
    if (pos_key(pos) == pos_key(call->pos)) {
        return claim_of(&call->value);
    }
    MateValue value = dfpn_probe(call->solver->table, pos, pos->side, len);
    if (value.pn == 0) {
        return claim_of(&value);
    }
    Move mate = mate1_find(pos);
    if (mate != MOVE_NONE) {
        return (MateClaim){.move = mate, .len = 1};
    }
    uint64_t spent = atomic_load(&call->shared.nodes);
    if (call->count_limit > 0) {
        uint64_t limit = spent + COUNT_EACH;
        call->shared.node_limit = limit < call->count_limit ? limit : call->count_limit;
    }
    if (spent >= call->shared.node_limit) {
        note_open(call);
        return (MateClaim){.move = MOVE_NONE};
    }
    value = search_inside(call, pos, len);
    if (!mate_value_is_final(&value)) {
        note_open(call);
    }
    return claim_of(&value);
}

/* Replays the mate that was found and writes its line. Returns false if the replay fails. */
static bool show_mate(SolveCall *call, MateAnswer *answer) {
    MateChecker *checker = matecheck_new(oracle, call, call->given->stop);
    if (checker == NULL) {
        answer->is_too_large = call->checker == NULL;
        return false;
    }
    Position pos;
    pos_init_copy(&pos, call->pos);
    Move defence = MOVE_NONE;
    int len = call->given->is_defence
                  ? matecheck_run_defence(checker, &pos, call->value.len, &defence)
                  : matecheck_run(checker, &pos, call->value.len);
    if (len >= 0) {
        answer->len = len;
        answer->line_len = 0;
        if (call->given->is_defence && defence != MOVE_NONE) {
            answer->line[answer->line_len++] = defence;
            pos_do(&pos, defence);
        }
        if (len > 0) {
            answer->line_len += matecheck_line(checker, &pos, answer->line + answer->line_len,
                                               MATE_LINE_MAX - answer->line_len);
        }
        answer->verdict = MATE_FOUND;
        answer->nodes = atomic_load(&call->shared.nodes);
        MateChecker *before = call->checker;
        call->checker = checker;
        checker = before;
        if (call->given->tell != NULL) {
            call->given->tell(call->given->tell_context, answer);
        }
    } else {
        answer->is_too_large = call->checker == NULL && matecheck_is_full(checker);
    }
    pos_free(&pos);
    matecheck_free(checker);
    return len >= 0;
}

/* ---- refutations ----------------------------------------------------------------------------- */

/* Searches the position after each answer with at most `each` nodes. */
static Move search_answers(SolveCall *call, Position *pos, const Move *list, int count,
                           uint64_t each) {
    uint64_t most = call->shared.node_limit;
    Move found = MOVE_NONE;
    for (int i = 0; i < count && found == MOVE_NONE; i++) {
        uint64_t limit = atomic_load(&call->shared.nodes) + each;
        call->shared.node_limit = limit < most ? limit : most;
        pos_do(pos, list[i]);
        MateValue value = search_inside(call, pos, MATE_LEN_FREE);
        pos_undo(pos);
        found = mate_value_is_final(&value) && value.dn == 0 ? list[i] : MOVE_NONE;
    }
    call->shared.node_limit = most;
    return found;
}

/* The refutation of the check in *pos: it comes from the table, or from a new search if the table
 * has lost it or it depends on a repetition. The answer in the table is tried first. */
static Move refuting_answer(void *context, Position *pos, int level) {
    SolveCall *call = context;
    ASSERT(level == 0);
    (void)level;
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    Color attacker = color_flip(pos->side);
    MateValue here = dfpn_probe(call->solver->table, pos, attacker, MATE_LEN_FREE);
    for (int i = 1; i < count; i++) {
        if (list[i] == here.move) {
            list[i] = list[0];
            list[0] = here.move;
        }
    }
    for (int i = 0; i < count; i++) {
        Move checks[MAX_MOVES];
        pos_do(pos, list[i]);
        MateValue value = dfpn_probe(call->solver->table, pos, attacker, MATE_LEN_FREE);
        bool is_refuted =
            value.dn == 0 || (value.pn != 0 && gen_moves(pos, GEN_CHECKS, checks) == 0);
        pos_undo(pos);
        if (is_refuted) {
            return list[i];
        }
    }
    Move found = MOVE_NONE;
    uint64_t each = REFUTE_FIRST;
    for (; found == MOVE_NONE && !flag_is_set(call->given->stop); each *= REFUTE_GROWTH) {
        if (atomic_load(&call->shared.nodes) >= call->shared.node_limit || each > MATE_OPEN_MAX) {
            break;
        }
        found = search_answers(call, pos, list, count, each);
    }
    return found;
}

/* Replays the refutation that was found. If the defender is to move, it begins with the escape. */
static void show_refutation(SolveCall *call, MateAnswer *answer) {
    RefuteVerdict verdict = REFUTE_HOLDS;
    Position pos;
    pos_init_copy(&pos, call->pos);
    if (call->given->is_defence) {
        Move escape = refuting_answer(call, &pos, 0);
        verdict = escape != MOVE_NONE ? REFUTE_HOLDS : REFUTE_FAILS;
        if (escape != MOVE_NONE) {
            answer->line[answer->line_len++] = escape;
            pos_do(&pos, escape);
        }
    }
    if (verdict == REFUTE_HOLDS && !call->given->believes_none) {
        verdict = matecheck_refute(&pos, BRINK_MATE, refuting_answer, call, call->given->stop);
    }
    pos_free(&pos);
    answer->verdict = verdict == REFUTE_HOLDS ? MATE_NONE : MATE_UNKNOWN;
    answer->is_too_large = verdict == REFUTE_TOO_LARGE;
}

/* ---- lengths --------------------------------------------------------------------------------- */

/* Finds the last replayed mate as players count it. If the checks are compared, this may take as
 * many nodes as the search took; if they are not enough, and otherwise, the attacker plays as in
 * the replay. */
static void count_for_players(SolveCall *call, MateAnswer *answer) {
    Position pos;
    pos_init_copy(&pos, call->pos);
    FutileOptions options = {.checker = call->checker,
                             .is_shortest = call->options.checks_unique && answer->is_exact,
                             .is_defence = call->given->is_defence};
    FutileAnswer players;
    bool is_whole;
    do {
        uint64_t spent = atomic_load(&call->shared.nodes);
        uint64_t left = call->most_nodes > spent ? call->most_nodes - spent : 0;
        uint64_t wanted = COUNT_ALL + (options.is_shortest ? spent : 0);
        call->count_limit = spent + (left < wanted ? left : wanted);
        call->is_cut = false;
        matecheck_limit(call->checker, COUNT_STEPS);
        players = matecheck_solve_futile(&options, &pos, answer->players_line, MATE_LINE_MAX);
        is_whole = players.line_len == players.main_len || !options.is_shortest;
        options.is_shortest = false;
    } while (!is_whole && !flag_is_set(call->given->stop) && !call->is_cut);
    pos_free(&pos);
    if (!flag_is_set(call->given->stop) && !call->is_cut) {
        answer->has_players_len = true;
        answer->players_len = int_min(players.len, answer->len);
        answer->main_len = int_min(players.main_len, answer->len);
        answer->players_line_len = players.line_len;
    }
}

/* Searches for shorter mates until there is none. */
static void shorten(SolveCall *call, MateAnswer *answer, int rank) {
    while (answer->len > (call->given->is_defence ? 2 : 1)) {
        call->shared.excluded_count = rank - 1;
        MateValue value = search(call, answer->len - 2);
        if (!mate_value_is_final(&value)) {
            return;
        }
        if (value.dn == 0) {
            break;
        }
        if (!show_mate(call, answer)) {
            return;
        }
    }
    answer->is_exact = true;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Searches for a mate whose first move differs from those of the earlier lines. */
static void solve_line(SolveCall *call, MateAnswer *answer, int rank) {
    uint64_t before = atomic_load(&call->shared.nodes);
    memset(answer, 0, offsetof(MateAnswer, line));
    answer->verdict = MATE_UNKNOWN;
    answer->rank = rank;
    call->shared.node_limit = call->most_nodes;
    call->shared.excluded = call->tried;
    call->shared.excluded_count = rank - 1;
    MateValue value = search(call, MATE_LEN_FREE);
    if (mate_value_is_final(&value) && value.dn == 0) {
        if (rank == 1) {
            show_refutation(call, answer);
        }
    } else if (mate_value_is_final(&value) && show_mate(call, answer) &&
               !call->given->is_verdict_only) {
        /* Shortening gets few nodes, unless the shortest mate was requested. */
        uint64_t spent = atomic_load(&call->shared.nodes);
        uint64_t limit = spent + (spent - before) / SHORTEN_SHARE + SHORTEN_MIN;
        bool is_limited = !call->options.is_shortest && limit < call->most_nodes;
        call->shared.node_limit = is_limited ? limit : call->most_nodes;
        shorten(call, answer, rank);
        if (call->options.counts_futile) {
            count_for_players(call, answer);
        }
    }
    if (call->given->lines_are_exact != NULL) {
        call->given->lines_are_exact[rank - 1] = answer->is_exact;
    }
    if (call->given->proof != NULL && rank == 1) {
        *call->given->proof = call->checker;
    } else {
        matecheck_free(call->checker);
    }
    call->checker = NULL;
}

/* Searches for mates with other first moves than the answer's. The shortest mate becomes the
 * answer. */
static void solve_others(SolveCall *call, MateAnswer *answer) {
    MateAnswer *other = xmem_alloc(1, sizeof(*other));
    int lines = call->given->is_defence ? 1 : int_min(call->options.lines, MAX_MOVES);
    for (int rank = 2; rank <= lines; rank++) {
        call->tried[rank - 2] = rank == 2 ? answer->line[0] : other->line[0];
        solve_line(call, other, rank);
        if (other->verdict != MATE_FOUND) {
            break;
        }
        if (other->len < answer->len) {
            bool is_exact = answer->is_exact;
            *answer = *other;
            answer->is_exact = is_exact;
        }
    }
    free(other);
}

void matesolver_solve(MateSolver *solver, const Position *pos, const MateSolverOptions *options,
                      MateAnswer *answer) {
    SolveCall *call = xmem_calloc(1, sizeof(*call));
    call->solver = solver;
    call->pos = pos;
    call->given = options;
    call->options = options->options;
    call->options.is_shortest |= call->options.checks_unique;
    call->options.counts_futile |= call->options.checks_unique;
    call->shared.table = solver->table;
    call->shared.visitors = solver->visitors;
    call->shared.stop = options->stop;
    call->most_nodes = options->nodes > 0 ? options->nodes : UINT64_MAX;
    call->shared.report = solver->report;
    call->shared.report_context = solver->report_context;
    dfpn_tt_new_search(solver->table, options->keeps_table);
    solve_line(call, answer, 1);
    if (answer->verdict == MATE_FOUND) {
        solve_others(call, answer);
    }
    answer->nodes = atomic_load(&call->shared.nodes);
    free(call);
}

/* ---- uniqueness ------------------------------------------------------------------------------ */

/* A check that is not in the line, and has no verdict yet. */
typedef struct OtherCheck {
    int place;
    Move check;
} OtherCheck;

typedef struct Inquiry {
    MateSolver *solver;
    const UniqueOptions *options;
    uint64_t nodes; /* spent on the problem so far */
    MateAnswer answer;
    OtherCheck *open;
    size_t open_count, open_cap;
} Inquiry;

/* Collects the checks to judge: those beside the moves of the line, up to its last move. *pos is
 * restored. */
static void collect_checks(Inquiry *inquiry, Position *pos, const Move *line, int count,
                           bool is_defence) {
    Move list[MAX_MOVES];
    int made = 0;
    for (; made < count; made++) {
        bool is_attack = (made % 2 == 0) != is_defence;
        int checks = is_attack ? gen_moves(pos, GEN_CHECKS, list) : 0;
        pos_do(pos, line[made]);
        if (is_attack && matecheck_is_players_mate(pos)) {
            pos_undo(pos);
            break;
        }
        inquiry->open = xmem_grow(inquiry->open, &inquiry->open_cap,
                                  inquiry->open_count + (size_t)checks, sizeof(OtherCheck));
        for (int i = 0; i < checks; i++) {
            if ((list[i] | MOVE_PROMOTE) != (line[made] | MOVE_PROMOTE)) {
                inquiry->open[inquiry->open_count++] = (OtherCheck){made, list[i]};
            }
        }
    }
    pos_undo_moves(pos, made);
}

/* Returns whether each answer to the check that was just made leads to mate. The answers without a
 * verdict are kept in `list`, their number in *count. */
static MateVerdict search_each_answer(Inquiry *inquiry, Position *pos, uint64_t nodes, Move *list,
                                      int *count) {
    const atomic_bool *stop = inquiry->options->stop;
    int open = 0;
    for (int i = 0; i < *count; i++) {
        if (flag_is_set(stop)) {
            return MATE_UNKNOWN;
        }
        MateSolverOptions options = {.nodes = nodes,
                                     .stop = stop,
                                     .is_verdict_only = true,
                                     .keeps_table = true,
                                     .is_inside = true,
                                     .nodes_before = inquiry->nodes};
        pos_do(pos, list[i]);
        matesolver_solve(inquiry->solver, pos, &options, &inquiry->answer);
        pos_undo(pos);
        inquiry->nodes += inquiry->answer.nodes;
        if (inquiry->answer.verdict == MATE_NONE) {
            return MATE_NONE;
        }
        if (inquiry->answer.verdict == MATE_UNKNOWN) {
            list[open++] = list[i];
        }
    }
    *count = open;
    return open > 0 ? MATE_UNKNOWN : MATE_FOUND;
}

/* Searches the checks without a verdict, and keeps those that still have none. Returns the number
 * of mates. An answer that does not lead to mate is often found quickly, while another may take a
 * long time, so all answers get a quick search first. */
static int judge_checks(Inquiry *inquiry, Position *pos, const Move *line, uint64_t nodes) {
    Move list[MAX_MOVES];
    size_t open = 0;
    int made = 0, others = 0;
    for (size_t i = 0; i < inquiry->open_count; i++) {
        OtherCheck other = inquiry->open[i];
        for (; made < other.place; made++) {
            pos_do(pos, line[made]);
        }
        pos_do(pos, other.check);
        int count = gen_moves(pos, GEN_LEGAL, list);
        MateVerdict verdict = search_each_answer(inquiry, pos, QUICK_NODES, list, &count);
        if (verdict == MATE_UNKNOWN) {
            verdict = search_each_answer(inquiry, pos, nodes, list, &count);
        }
        pos_undo(pos);
        if (verdict == MATE_UNKNOWN) {
            inquiry->open[open++] = other;
        } else if (verdict == MATE_FOUND) {
            inquiry->options->tell(inquiry->options->tell_context, other.place, other.check);
            others++;
        }
    }
    inquiry->open_count = open;
    pos_undo_moves(pos, made);
    return others;
}

UniqueResult matesolver_judge_unique(MateSolver *solver, const Position *pos,
                                     const MateAnswer *answer, const UniqueOptions *options) {
    UniqueResult result = {.fault = answer->verdict != MATE_FOUND    ? UNIQUE_NO_MATE
                                    : !answer->is_exact              ? UNIQUE_NOT_SHORTEST
                                    : answer->line_len < answer->len ? UNIQUE_NOT_WHOLE
                                                                     : UNIQUE_JUDGED};
    if (result.fault != UNIQUE_JUDGED) {
        return result;
    }
    Inquiry *inquiry = xmem_calloc(1, sizeof(*inquiry));
    inquiry->solver = solver;
    inquiry->options = options;
    inquiry->nodes = answer->nodes;
    Position copy;
    pos_init_copy(&copy, pos);
    const Move *line;
    int count = matesolver_main_line(answer, &line);
    collect_checks(inquiry, &copy, line, count, answer->len % 2 == 0);
    uint64_t nodes = THOROUGH_NODES, before;
    do {
        before = inquiry->nodes;
        result.others += judge_checks(inquiry, &copy, line, nodes);
        nodes *= THOROUGH_GROWTH;
    } while (options->is_patient && inquiry->open_count > 0 && inquiry->nodes > before &&
             !flag_is_set(options->stop));
    result.open = (int)inquiry->open_count;
    pos_free(&copy);
    free(inquiry->open);
    free(inquiry);
    return result;
}
