/* hisshi.c: searches each length in turn with growing node limits, then replays the result and
 * derives the line and its uniqueness. */
#include "mate/hisshi.h"

#include <stdlib.h>

#include "base/xmem.h"
#include "mate/brink.h"
#include "mate/brinksearch.h"
#include "mate/dfpn.h"
#include "mate/mate1.h"
#include "mate/materefute.h"
#include "rules/movegen.h"

/* The number of nodes for each length in the first round, and the growth factor from round to
 * round. */
enum { ROUND_FIRST = 16000, ROUND_GROWTH = 4 };

/* The number of nodes for each answer if the table does not contain the refutation of an attack,
 * and the growth factor after each failure. */
enum { REFUTE_FIRST = 500, REFUTE_GROWTH = 8 };

#define ROUND_MAX ((uint64_t)1 << 48)

/* The nodes of an attack-by-attack search, as a multiple of the round's nodes, and of each of its
 * subproblems (brinksearch.h), as a fraction of them. */
enum { ATTACKS_TIMES = 16, QUESTION_SHARE = 32 };

enum { LENGTHS_MAX = BRINK_MOVES_MAX / 2 + 2 };

typedef struct Task {
    const Position *pos;
    const HisshiOptions *options;
    DfpnShared shared;
    uint64_t most_nodes;
} Task;

static bool is_stopped(const Task *task) {
    const atomic_bool *stop = task->options->stop;
    return (stop != NULL && atomic_load_explicit(stop, memory_order_relaxed)) ||
           atomic_load(&task->shared.nodes) >= task->most_nodes;
}

/* Ends the search after `nodes` more nodes. */
static void limit_nodes(Task *task, uint64_t nodes) {
    uint64_t spent = atomic_load(&task->shared.nodes);
    uint64_t left = task->most_nodes > spent ? task->most_nodes - spent : 0;
    task->shared.node_limit = spent + (nodes < left ? nodes : left);
}

/* Runs a proof-number search on a position. */
static MateValue search_numbers(Task *task, const Position *pos, int level, int len,
                                uint64_t nodes) {
    limit_nodes(task, nodes);
    task->shared.level = level;
    atomic_store(&task->shared.is_done, false);
    return dfpn_search(&task->shared, pos, 0, len);
}

/* Runs both kinds of search for a brinkmate. For some brinkmates, proof-number search needs only a
 * fraction of the nodes of an attack-by-attack search; for most brinkmates it is the other way
 * round. */
static MateValue search_turn(Task *task, const Position *pos, int level, int len, uint64_t nodes) {
    MateValue value = search_numbers(task, pos, level, len, nodes);
    if (!mate_value_is_final(&value) && !is_stopped(task)) {
        limit_nodes(task, nodes * ATTACKS_TIMES);
        task->shared.level = level;
        value = brinksearch_run(&task->shared, pos, len, nodes / QUESTION_SHARE);
    }
    return value;
}

/* Searches a position at a level; the side to move attacks. Uses about `nodes` nodes for a mate by
 * checks alone, and many times as many for a brinkmate. */
static MateValue search(Task *task, const Position *pos, int level, int len, uint64_t nodes) {
    if (!brinksearch_handles(pos, level)) {
        return search_numbers(task, pos, level, len, nodes);
    }
    if (nodes <= ROUND_MAX) {
        return search_turn(task, pos, level, len, nodes);
    }
    MateValue value = search_turn(task, pos, level, len, ROUND_FIRST);
    for (uint64_t turn = ROUND_FIRST; turn < ROUND_MAX && !is_stopped(task);) {
        if (mate_value_is_final(&value)) {
            break;
        }
        turn *= ROUND_GROWTH;
        value = search_turn(task, pos, level, len, turn);
    }
    return value;
}

/* ---- replays --------------------------------------------------------------------------------- */

static MateClaim claim_of(const MateValue *value) {
    return (MateClaim){.move = value->pn == 0 ? value->move : MOVE_NONE, .len = value->len};
}

/* Returns the attacker's move from the table, or searches for it again. */
static MateClaim oracle(void *context, const Position *pos, int level, int len) {
    Task *task = context;
    task->shared.level = level;
    MateValue value = dfpn_probe_level(&task->shared, pos, pos->side, len);
    if (value.pn == 0) {
        return claim_of(&value);
    }
    Move mate = mate1_find(pos);
    if (mate != MOVE_NONE) {
        return (MateClaim){.move = mate, .len = 1};
    }
    if (is_stopped(task)) {
        return (MateClaim){.move = MOVE_NONE};
    }
    value = search(task, pos, level, len, UINT64_MAX);
    return claim_of(&value);
}

/* Replays the brinkmate. Returns NULL if the replay fails. */
static MateChecker *show(Task *task, int level, int len) {
    MateCheckOptions options = {.nodes = UINT64_MAX, .stop = task->options->stop};
    MateChecker *checker = matecheck_new(oracle, task, options);
    if (checker == NULL) {
        return NULL;
    }
    Position pos;
    pos_init_copy(&pos, task->pos);
    bool holds = matecheck_run_level(checker, &pos, level, len) >= 0;
    pos_free(&pos);
    if (!holds) {
        matecheck_free(checker);
        return NULL;
    }
    return checker;
}

/* True if the attacker, who is to move, is known not to win at this level. */
static bool is_refuted(Task *task, const Position *pos, int level) {
    task->shared.level = level;
    MateValue value = dfpn_probe_level(&task->shared, pos, pos->side, MATE_LEN_FREE);
    Move list[MAX_MOVES];
    return value.dn == 0 ||
           (value.pn != 0 && !brink_has_quiet(pos, level) && gen_moves(pos, GEN_CHECKS, list) == 0);
}

/* True if the attacker fails after this answer, according to the table (if nodes is 0) or to a
 * search. */
static bool answer_refutes(Task *task, Position *pos, Move answer, int level, uint64_t nodes) {
    bool is_pass = answer == MOVE_NULL;
    level = is_pass ? BRINK_MATE : level;
    if (is_pass) {
        pos_do_null(pos);
    } else {
        pos_do(pos, answer);
    }
    bool refutes;
    if (nodes == 0) {
        refutes = is_refuted(task, pos, level);
    } else {
        MateValue value = search(task, pos, level, MATE_LEN_FREE, nodes);
        refutes = mate_value_is_final(&value) && value.dn == 0;
    }
    if (is_pass) {
        pos_undo_null(pos);
    } else {
        pos_undo(pos);
    }
    return refutes;
}

static Move refuting_answer(void *context, Position *pos, int level) {
    Task *task = context;
    Move list[MAX_MOVES + 1];
    int count = gen_moves(pos, GEN_LEGAL, list);
    if (!pos_in_check(pos)) {
        list[count++] = list[0];
        list[0] = MOVE_NULL;
    }
    uint64_t nodes = 0;
    for (; !is_stopped(task); nodes = nodes == 0 ? REFUTE_FIRST : nodes * REFUTE_GROWTH) {
        for (int i = 0; i < count && !is_stopped(task); i++) {
            if (answer_refutes(task, pos, list[i], level, nodes)) {
                return list[i];
            }
        }
    }
    return MOVE_NONE;
}

static bool show_none(Task *task, int level) {
    Position pos;
    pos_init_copy(&pos, task->pos);
    RefuteOptions options = {.stop = task->options->stop, .level = level};
    bool holds = materefute_run(&pos, refuting_answer, task, options) == REFUTE_HOLDS;
    pos_free(&pos);
    return holds;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* True if some defence forces the attacker to play a quiet move, for which enough plies must be
 * left. */
static bool needs_quiet(const MateChecker *proof, Position *pos, int level) {
    int len;
    Move move = matecheck_move(proof, pos, level, &len);
    if (level <= BRINK_HOLD || move == MOVE_NONE) {
        return false;
    }
    if (!pos_gives_check(pos, move)) {
        return !pos_in_check(pos);
    }
    level = brink_after(pos, level, true);
    Move list[MAX_MOVES];
    bool needs = false;
    pos_do(pos, move);
    int count = gen_moves(pos, GEN_LEGAL, list);
    for (int i = 0; i < count && !needs; i++) {
        pos_do(pos, list[i]);
        needs = needs_quiet(proof, pos, level);
        pos_undo(pos);
    }
    pos_undo(pos);
    return needs;
}

/* Returns the legal answer that lasts longest in the replay. Prefers answers that require a quiet
 * move to answers after which checks mate at once. Returns MOVE_NONE if there is no answer. */
static Move longest_answer(const MateChecker *proof, Position *pos, int level) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    int longest = -1;
    Move best = MOVE_NONE;
    for (int i = 0; i < count; i++) {
        int len;
        pos_do(pos, list[i]);
        (void)matecheck_move(proof, pos, level, &len);
        len += needs_quiet(proof, pos, level) ? MATECHECK_MAX : 0;
        pos_undo(pos);
        if (len > longest) {
            longest = len;
            best = list[i];
        }
    }
    return best;
}

int hisshi_line(const MateChecker *proof, Position *pos, int level, Move line[HISSHI_LINE_MAX]) {
    int made = 0;
    while (made + 2 <= HISSHI_LINE_MAX) {
        int len;
        Move move = matecheck_move(proof, pos, level, &len);
        if (move == MOVE_NONE) {
            break;
        }
        level = brink_after(pos, level, pos_gives_check(pos, move));
        line[made++] = move;
        pos_do(pos, move);
        move = longest_answer(proof, pos, level);
        if (move == MOVE_NONE) {
            break;
        }
        line[made++] = move;
        pos_do(pos, move);
    }
    for (int i = 0; i < made; i++) {
        pos_undo(pos);
    }
    return made;
}

/* True if every other first move fails. */
static bool is_unique(Task *task, int level, Move first) {
    task->shared.excluded = &first;
    task->shared.excluded_count = 1;
    MateValue value = search(task, task->pos, level, MATE_LEN_FREE, UINT64_MAX);
    task->shared.excluded_count = 0;
    return mate_value_is_final(&value) && value.dn == 0;
}

/* ---- solving --------------------------------------------------------------------------------- */

/* The state of each length. The first is the mate, followed by brinkmates in 1, 3 and so on
 * moves. */
typedef struct Length {
    int level;
    bool is_open;
} Length;

static void list_lengths(const HisshiOptions *options, Length *lengths, int *count) {
    *count = 0;
    lengths[(*count)++] = (Length){.level = BRINK_MATE, .is_open = true};
    for (int moves = 1; moves <= options->moves && *count < LENGTHS_MAX; moves += 2) {
        lengths[(*count)++] = (Length){.level = brink_level(moves), .is_open = true};
    }
}

/* Replays a win that was found at this level, and makes it the answer if the replay succeeds. */
static bool note_win(Task *task, int level, const MateValue *value, HisshiAnswer *answer) {
    MateChecker *proof = show(task, level, value->len);
    if (proof == NULL) {
        return false;
    }
    matecheck_free(answer->proof);
    answer->proof = proof;
    answer->verdict = MATE_FOUND;
    answer->moves = level == BRINK_MATE ? 0 : level - 1;
    return true;
}

/* Searches each unsolved length once, except those longer than a brinkmate already found. Returns
 * the number of lengths that are still of interest. */
static int run_round(Task *task, Length *lengths, int count, uint64_t nodes, HisshiAnswer *answer) {
    for (int i = 0; i < count && !is_stopped(task); i++) {
        if (!lengths[i].is_open) {
            continue;
        }
        MateValue value = search(task, task->pos, lengths[i].level, MATE_LEN_FREE, nodes);
        if (mate_value_is_final(&value)) {
            lengths[i].is_open = false;
            if (value.pn == 0 && note_win(task, lengths[i].level, &value, answer)) {
                return i;
            }
        }
    }
    return count;
}

static bool has_open(const Length *lengths, int count) {
    for (int i = 0; i < count; i++) {
        if (lengths[i].is_open) {
            return true;
        }
    }
    return false;
}

void hisshi_solve(MateTable *table, const Position *pos, const HisshiOptions *options,
                  HisshiAnswer *answer) {
    Task *task = xmem_calloc(1, sizeof(*task));
    task->pos = pos;
    task->options = options;
    task->most_nodes = options->nodes > 0 ? options->nodes : UINT64_MAX;
    task->shared.table = table;
    task->shared.stop = options->stop;
    task->shared.report = options->report;
    task->shared.report_context = options->report_context;
    task->shared.begins_inside = true;
    answer->verdict = MATE_UNKNOWN;
    answer->moves = 0;
    answer->is_exact = false;
    answer->is_unique = false;
    answer->line_len = 0;
    answer->proof = NULL;
    dfpn_tt_new_search(table, false);
    Length lengths[LENGTHS_MAX];
    int count;
    list_lengths(options, lengths, &count);
    uint64_t nodes = ROUND_FIRST;
    for (; has_open(lengths, count) && !is_stopped(task); nodes *= ROUND_GROWTH) {
        count = run_round(task, lengths, count, nodes, answer);
    }
    bool is_settled = !has_open(lengths, count);
    if (answer->verdict == MATE_FOUND) {
        Position copy;
        pos_init_copy(&copy, pos);
        int level = answer->moves > 0 ? brink_level(answer->moves) : BRINK_MATE;
        answer->line_len = hisshi_line(answer->proof, &copy, level, answer->line);
        pos_free(&copy);
        answer->is_exact = is_settled && (count == 0 || show_none(task, lengths[count - 1].level));
        answer->is_unique = options->checks_unique && answer->is_exact && answer->line_len > 0 &&
                            is_unique(task, level, answer->line[0]);
    } else if (is_settled && show_none(task, lengths[count - 1].level)) {
        answer->verdict = MATE_NONE;
    }
    answer->nodes = atomic_load(&task->shared.nodes);
    free(task);
}

void hisshi_clear(HisshiAnswer *answer) {
    matecheck_free(answer->proof);
    answer->proof = NULL;
}
