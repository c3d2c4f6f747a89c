/* mateunique.c: gets verdicts on the other checks along the line of a mate. */
#include "mate/mateunique.h"

#include <stdlib.h>

#include "base/xmem.h"
#include "mate/matefutile.h"
#include "rules/movegen.h"
#include "rules/position.h"

/* The nodes for each answer to another check: for the first try, and for the second after an
 * inconclusive one. */
enum { QUICK_NODES = 2000, THOROUGH_NODES = 200000 };

/* Gets a verdict on each answer to the check that was just made in *pos. The answers without a
 * verdict are kept in `list`, their number in *count. */
static MateVerdict ask_answers(const UniqueAsker *asker, Position *pos, bool is_thorough,
                               Move *list, int *count) {
    int open = 0;
    for (int i = 0; i < *count; i++) {
        pos_do(pos, list[i]);
        MateVerdict verdict = asker->ask(asker->context, pos, is_thorough);
        pos_undo(pos);
        if (verdict == MATE_NONE) {
            return MATE_NONE;
        }
        if (verdict == MATE_UNKNOWN) {
            list[open++] = list[i];
        }
    }
    *count = open;
    return open > 0 ? MATE_UNKNOWN : MATE_FOUND;
}

/* Returns whether every answer to the check leads to mate. An answer that does not lead to mate is
 * often found quickly, while another may take a long time, so all answers get a quick search
 * first. */
static MateVerdict verdict_of_check(const UniqueAsker *asker, Position *pos) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    MateVerdict verdict = ask_answers(asker, pos, false, list, &count);
    return verdict == MATE_UNKNOWN ? ask_answers(asker, pos, true, list, &count) : verdict;
}

/* Tries the checks in *pos other than the move of the line. */
static void try_others(const UniqueAsker *asker, Position *pos, const Move *line, int place,
                       UniqueResult *result) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_CHECKS, list);
    for (int i = 0; i < count; i++) {
        if (list[i] == line[place]) {
            continue;
        }
        pos_do(pos, list[i]);
        MateVerdict verdict = verdict_of_check(asker, pos);
        pos_undo(pos);
        result->open += verdict == MATE_UNKNOWN;
        if (verdict == MATE_FOUND) {
            asker->tell(asker->context, place, list[i]);
            result->others++;
        }
    }
}

UniqueResult mateunique_check(const UniqueAsker *asker, Position *pos, const Move *line,
                              int count) {
    UniqueResult result = {.fault = UNIQUE_JUDGED};
    int made = 0;
    for (; made < count; made++) {
        bool is_attack = (made % 2 == 0) != asker->is_defence;
        pos_do(pos, line[made]);
        bool is_last = is_attack && matefutile_is_mate(pos);
        pos_undo(pos);
        if (is_last) {
            break;
        }
        if (is_attack) {
            try_others(asker, pos, line, made, &result);
        }
        pos_do(pos, line[made]);
    }
    while (made-- > 0) {
        pos_undo(pos);
    }
    return result;
}

/* The solver that gives the verdicts, and the function to report to. */
typedef struct Inquiry {
    MateSolver *solver;
    const atomic_bool *stop;
    UniqueTell *tell;
    void *context;
    uint64_t nodes; /* spent on the problem so far */
    MateAnswer answer;
} Inquiry;

static MateVerdict ask_solver(void *context, const Position *pos, bool is_thorough) {
    Inquiry *inquiry = context;
    if (inquiry->stop != NULL && atomic_load_explicit(inquiry->stop, memory_order_relaxed)) {
        return MATE_UNKNOWN;
    }
    MateSolverOptions options = {.nodes = is_thorough ? THOROUGH_NODES : QUICK_NODES,
                                 .stop = inquiry->stop,
                                 .is_verdict_only = true,
                                 .keeps_table = true,
                                 .is_inside = true,
                                 .nodes_before = inquiry->nodes};
    matesolver_solve(inquiry->solver, pos, &options, &inquiry->answer);
    inquiry->nodes += inquiry->answer.nodes;
    return inquiry->answer.verdict;
}

static void tell_other(void *context, int place, Move check) {
    const Inquiry *inquiry = context;
    inquiry->tell(inquiry->context, place, check);
}

UniqueResult mateunique_judge(MateSolver *solver, const Position *pos, const MateAnswer *answer,
                              const atomic_bool *stop, UniqueTell *tell, void *context) {
    UniqueResult result = {.fault = answer->verdict != MATE_FOUND    ? UNIQUE_NO_MATE
                                    : !answer->is_exact              ? UNIQUE_NOT_SHORTEST
                                    : answer->line_len < answer->len ? UNIQUE_NOT_WHOLE
                                                                     : UNIQUE_JUDGED};
    if (result.fault != UNIQUE_JUDGED) {
        return result;
    }
    Inquiry *inquiry = xmem_alloc(1, sizeof(*inquiry));
    inquiry->solver = solver;
    inquiry->stop = stop;
    inquiry->tell = tell;
    inquiry->context = context;
    inquiry->nodes = answer->nodes;
    Position copy;
    pos_init_copy(&copy, pos);
    UniqueAsker asker = {.context = inquiry,
                         .ask = ask_solver,
                         .tell = tell_other,
                         .is_defence = answer->len % 2 == 0};
    const Move *line;
    int count = matesolver_main_line(answer, &line);
    result = mateunique_check(&asker, &copy, line, count);
    pos_free(&copy);
    free(inquiry);
    return result;
}
