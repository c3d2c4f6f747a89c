/* brinksearch.c: tries the attacks of a brinkmate one after another. Each attack is a subproblem
 * with a small node limit; the caller repeats the search with larger limits. A quiet move is a
 * threat only if a pass by the defender loses. The answers to a threat are first searched briefly,
 * one by one, with the mate after the pass as a model. The remaining answers are then searched, the
 * most likely refutation first. The first answer that stays unsolved ends the attack for this
 * round. */
#include "mate/brinksearch.h"

#include "mate/brink.h"
#include "mate/dfpn_node.h"
#include "mate/matehand.h"
#include "mate/matemoves.h"
#include "rules/movegen.h"
#include "rules/position.h"

enum {
    GLANCE_NODES = 250, /* nodes for each answer before the answers are ordered */
    CHECKS_DEEP = 3,    /* number of nested checks by the defender up to which attacks are searched
                           one by one */
    ATTACK_SHIFT = 5,   /* an attack gets the nodes of 2^ATTACK_SHIFT subproblems, and a quarter of
                           that after each check by the defender */
    KILLERS = 8,
    REPORT_NODES = 20000
};

typedef struct BrinkSearch {
    DfpnShared *shared;
    Position pos;
    Color attacker;
    uint64_t most; /* node limit of the search */
    uint64_t each; /* node limit of a subproblem */
    uint64_t reported;
    int start;            /* number of moves made in pos before the search */
    int counter_checks;   /* number of checks that the defender has given on this path */
    const Move *excluded; /* root moves not to search */
    int excluded_count;
    Move killers[KILLERS]; /* answers that have refuted attacks, most recent first */
} BrinkSearch;

/* A position with the defender to move. */
typedef struct Defence {
    int level;
    int first_level; /* level at which the answers are searched first */
    bool has_quiet;  /* after an answer, the attacker has more moves than at first_level */
    int len;
    const Position
        *model; /* the position after a pass, in which the attacker mates; NULL after a check */
} Defence;

/* An answer that is not yet known to lose. */
typedef struct Answer {
    Move move;
    bool is_check;
    uint64_t dn;   /* disproof number; the answer with the smallest is the likeliest refutation */
    uint64_t each; /* node limit of the last search of this answer */
} Answer;

static const MateValue OPEN = {.pn = 1, .dn = 1, .loop = MATE_NO_LOOP};

static bool is_out(const BrinkSearch *search) {
    const DfpnShared *shared = search->shared;
    return (shared->stop != NULL && atomic_load_explicit(shared->stop, memory_order_relaxed)) ||
           atomic_load(&shared->nodes) >= search->most;
}

bool brinksearch_handles(const Position *pos, int level) {
    return level == brink_level(1) || level == brink_level(3) ||
           (level == BRINK_HOLD && pos_in_check(pos));
}

static MateValue probe(const BrinkSearch *search, int level, int len) {
    search->shared->level = level;
    return dfpn_probe_level(search->shared, &search->pos, search->attacker, len);
}

/* The lowest level at which the attacker may answer the defender's checks with any move. */
static int floor_level(const BrinkSearch *search) {
    return search->pos.king[search->attacker] != SQ_NONE ? BRINK_HOLD : BRINK_MATE;
}

/* ---- subproblems ----------------------------------------------------------------------------- */

static void report(BrinkSearch *search) {
    DfpnShared *shared = search->shared;
    uint64_t nodes = atomic_load(&shared->nodes);
    if (shared->report == NULL || nodes < search->reported + REPORT_NODES) {
        return;
    }
    search->reported = nodes;
    MateProgress progress = {.nodes = nodes, .hash_permille = dfpn_tt_hashfull(shared->table)};
    shared->report(shared->report_context, &progress);
}

/* Runs the mate search on the position, in which the attacker is to move. If `model` is not NULL,
 * it is a position in which the attacker mates, and the same moves may mate here. */
static MateValue ask(BrinkSearch *search, int level, int len, const Position *model) {
    MateValue value = probe(search, level, len);
    if (dfpn_is_solved(&value) || is_out(search) || value.work >= search->each / 2) {
        return value;
    }
    DfpnShared *shared = search->shared;
    uint64_t limit = atomic_load(&shared->nodes) + search->each;
    shared->node_limit = limit < search->most ? limit : search->most;
    shared->model = model;
    atomic_store(&shared->is_done, false);
    value = dfpn_search(shared, &search->pos, 0, len);
    shared->model = NULL;
    report(search);
    return mate_value_is_final(&value) || !dfpn_is_solved(&value) ? value : OPEN;
}

/* Stores the solved value of the position. */
static void remember(BrinkSearch *search, int level, uint64_t before, MateValue *value) {
    uint64_t work = atomic_load(&search->shared->nodes) - before;
    value->work = work < UINT32_MAX ? (uint32_t)work + 1 : UINT32_MAX;
    value->depth = (int16_t)(pos_moves_done(&search->pos) - search->start);
    search->shared->level = level;
    dfpn_store_level(search->shared, &search->pos, search->attacker, value);
}

/* ---- the defender's moves -------------------------------------------------------------------- */

static MateValue try_attacks(BrinkSearch *search, int level, int len, const Position *model);

/* Moves a refutation to the front of the killers. */
static void note_killer(BrinkSearch *search, Move move) {
    int i = 0;
    while (i < KILLERS - 1 && search->killers[i] != move) {
        i++;
    }
    for (; i > 0; i--) {
        search->killers[i] = search->killers[i - 1];
    }
    search->killers[0] = move;
}

/* The sort key of an answer; the smallest key comes first. */
static int kind_of_answer(const BrinkSearch *search, Move move) {
    const Position *pos = &search->pos;
    for (int i = 0; i < KILLERS; i++) {
        if (search->killers[i] == move) {
            return 0;
        }
    }
    bool is_king = !move_is_drop(move) && move_from(move) == pos->king[pos->side];
    return pos_is_capture(pos, move) ? 1 : is_king ? 2 : 3;
}

/* Lists the legal answers: first those that have refuted other attacks, then captures, king moves
 * and all other moves. */
static int list_answers(const BrinkSearch *search, Answer *answers) {
    const Position *pos = &search->pos;
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    int listed = 0;
    for (int kind = 0; kind < 4; kind++) {
        for (int i = 0; i < count; i++) {
            if (kind_of_answer(search, list[i]) == kind) {
                answers[listed++] = (Answer){.move = list[i],
                                             .is_check = pos_gives_check(pos, list[i]),
                                             .each = GLANCE_NODES};
            }
        }
    }
    return listed;
}

/* Adds a losing answer to the value of a position in which all answers so far lose. */
static void add_lost(MateValue *whole, const MateValue *lost) {
    whole->hand = matehand_max(whole->hand, lost->hand);
    whole->len =
        (int16_t)int_max(whole->len, lost->len < MATE_LEN_FREE - 1 ? lost->len + 1 : lost->len);
}

/* Searches the position after an answer at the first level, with at most `each` nodes. */
static MateValue ask_answer(BrinkSearch *search, const Defence *defence, Answer *answer,
                            uint64_t each) {
    uint64_t before = search->each;
    search->each = each < before ? each : before;
    pos_do(&search->pos, answer->move);
    MateValue value = ask(search, defence->first_level, defence->len - 1, defence->model);
    pos_undo(&search->pos);
    search->each = before;
    answer->dn = value.dn;
    return value;
}

/* Tries all attacks against an answer. */
static MateValue try_answer(BrinkSearch *search, const Defence *defence, Move move) {
    pos_do(&search->pos, move);
    bool is_check = pos_in_check(&search->pos);
    search->counter_checks += is_check;
    MateValue value = try_attacks(search, defence->level, defence->len - 1, defence->model);
    search->counter_checks -= is_check;
    pos_undo(&search->pos);
    return value;
}

/* Searches each answer briefly and keeps the answers that do not lose at once. Returns true if an
 * answer refutes the attack. */
static bool glance(BrinkSearch *search, const Defence *defence, Answer *answers, int *count,
                   MateValue *whole) {
    int kept = 0;
    bool is_refuted = false;
    for (int i = 0; i < *count && !is_refuted && !is_out(search); i++) {
        Answer answer = answers[i];
        MateValue value = ask_answer(search, defence, &answer, GLANCE_NODES);
        if (value.pn == 0) {
            add_lost(whole, &value);
            continue;
        }
        is_refuted = value.dn == 0 && !defence->has_quiet;
        if (is_refuted) {
            note_killer(search, answer.move);
        }
        answers[kept++] = answer;
    }
    *count = kept;
    return is_refuted;
}

/* The answer that is most likely to refute the attack. Checks come last, because they are expensive
 * to search. */
static int likeliest(const Answer *answers, int count) {
    int best = 0;
    for (int i = 1; i < count; i++) {
        bool is_better = answers[i].is_check != answers[best].is_check
                             ? answers[best].is_check
                             : answers[i].dn < answers[best].dn;
        best = is_better ? i : best;
    }
    return best;
}

/* Searches an answer more deeply than before. */
static MateValue deepen(BrinkSearch *search, const Defence *defence, Answer *answer) {
    if (answer->is_check || defence->has_quiet) {
        answer->each = search->each;
        MateValue value = ask_answer(search, defence, answer, answer->each);
        if (value.pn == 0 || (value.dn == 0 && !defence->has_quiet)) {
            return value;
        }
        return try_answer(search, defence, answer->move);
    }
    answer->each = answer->each < search->each / 2 ? answer->each * 2 : search->each;
    return ask_answer(search, defence, answer, answer->each);
}

/* Tries all legal answers. The result is a failure, an unsolved value, or a win with `whole`
 * extended by the hands and lengths of the answers. */
static NO_INLINE MateValue try_answers(BrinkSearch *search, const Defence *defence,
                                       MateValue whole) {
    Answer answers[MAX_MOVES];
    int count = list_answers(search, answers);
    MateValue failed = dfpn_failed(search->pos.hand[search->attacker], defence->len, MATE_NO_LOOP);
    if (glance(search, defence, answers, &count, &whole)) {
        return failed;
    }
    while (count > 0 && !is_out(search)) {
        int i = likeliest(answers, count);
        MateValue value = deepen(search, defence, &answers[i]);
        if (value.dn == 0) {
            note_killer(search, answers[i].move);
            return failed;
        }
        if (value.pn == 0) {
            add_lost(&whole, &value);
            answers[i] = answers[--count];
        } else if (answers[i].each >= search->each) {
            return OPEN;
        }
    }
    return is_out(search) ? OPEN : whole;
}

/* Searches a position with the defender to move. */
static MateValue try_defence(BrinkSearch *search, int level, int len) {
    Position *pos = &search->pos;
    MateValue value = probe(search, level, len);
    if (dfpn_is_solved(&value) || is_out(search)) {
        return value;
    }
    uint64_t before = atomic_load(&search->shared->nodes);
    Defence defence = {.level = level,
                       .first_level = int_min(level, floor_level(search)),
                       .has_quiet = level > floor_level(search),
                       .len = len};
    MateValue whole = dfpn_mated(matehand_monopoly(pos), 0, MOVE_NONE);
    if (pos_in_check(pos)) {
        value = try_answers(search, &defence, whole);
    } else {
        pos_do_null(pos);
        value = ask(search, BRINK_MATE, len - 1, NULL);
        Position model;
        if (value.pn == 0) {
            pos_init_copy(&model, pos);
        }
        pos_undo_null(pos);
        if (value.pn == 0) {
            add_lost(&whole, &value);
            defence.model = &model;
            value = try_answers(search, &defence, whole);
            pos_free(&model);
        } else if (value.dn == 0) {
            value = dfpn_failed(pos->hand[search->attacker], len, MATE_NO_LOOP);
        }
    }
    if (!dfpn_is_solved(&value)) {
        return OPEN;
    }
    remember(search, level, before, &value);
    return value;
}

/* ---- the attacker's moves -------------------------------------------------------------------- */

static bool is_excluded(const BrinkSearch *search, Move move) {
    if (pos_moves_done(&search->pos) != search->start) {
        return false;
    }
    for (int i = 0; i < search->excluded_count; i++) {
        if (search->excluded[i] == move) {
            return true;
        }
    }
    return false;
}

/* Sets the node limit for the next attack. Returns the previous limit. */
static uint64_t limit_attack(BrinkSearch *search) {
    uint64_t most = search->most;
    int shift = int_min(2 * search->counter_checks, ATTACK_SHIFT);
    uint64_t limit = atomic_load(&search->shared->nodes) + (search->each << (ATTACK_SHIFT - shift));
    search->most = limit < most ? limit : most;
    return most;
}

/* Tries the attacks one after another, with or without checks. */
static MateValue try_each(BrinkSearch *search, int level, int len, bool has_checks) {
    Position *pos = &search->pos;
    MateMove attacks[MAX_MOVES];
    int count = matemoves_attacks(pos, attacks);
    bool is_open = false;
    for (int i = 0; i < count; i++) {
        Move move = attacks[i].move;
        bool is_check = pos_gives_check(pos, move);
        if (is_excluded(search, move) || (is_check && !has_checks)) {
            continue;
        }
        if (is_out(search)) {
            return OPEN;
        }
        int after = brink_after(pos, level, is_check);
        uint64_t most = limit_attack(search);
        pos_do(pos, move);
        MateValue value = try_defence(search, after, len - 1);
        pos_undo(pos);
        search->most = most;
        if (value.pn == 0) {
            Hand hand = matehand_undo_proof(pos, move, value.hand);
            return dfpn_mated(hand, value.len + 1, move);
        }
        is_open |= value.dn != 0;
    }
    return is_open ? OPEN : dfpn_failed(pos->hand[search->attacker], len, MATE_NO_LOOP);
}

/* Searches a position with the attacker to move. */
static MateValue try_attacks(BrinkSearch *search, int level, int len, const Position *model) {
    Position *pos = &search->pos;
    bool is_root = pos_moves_done(pos) == search->start && search->excluded_count > 0;
    if (!is_root) {
        MateValue known = probe(search, level, len);
        if (dfpn_is_solved(&known) || is_out(search)) {
            return known;
        }
    }
    if (len < 1 || !brinksearch_handles(pos, level) || search->counter_checks > CHECKS_DEEP) {
        return ask(search, level, len, model);
    }
    uint64_t before = atomic_load(&search->shared->nodes);
    int below = level == brink_level(1) ? floor_level(search) : BRINK_MATE;
    MateValue value = OPEN;
    if (!is_root) {
        value = try_attacks(search, below, len, model);
    }
    if (value.pn != 0) {
        /* For a brinkmate in one move, all checks belong to the level below. */
        bool has_checks = level != brink_level(1) || is_root;
        MateValue other = try_each(search, level, len, has_checks);
        value = other.pn == 0 || has_checks || value.dn == 0 ? other : OPEN;
    }
    if (dfpn_is_solved(&value) && !is_root) {
        remember(search, level, before, &value);
    }
    return value;
}

MateValue brinksearch_run(DfpnShared *shared, const Position *pos, int len, uint64_t each) {
    BrinkSearch search = {.shared = shared,
                          .attacker = pos->side,
                          .most = shared->node_limit,
                          .each = each > GLANCE_NODES ? each : GLANCE_NODES,
                          .reported = atomic_load(&shared->nodes),
                          .start = pos_moves_done(pos),
                          .excluded = shared->excluded,
                          .excluded_count = shared->excluded_count};
    pos_init_copy(&search.pos, pos);
    shared->excluded_count = 0;
    MateValue value = try_attacks(&search, shared->level, len, NULL);
    shared->excluded_count = search.excluded_count;
    pos_free(&search.pos);
    return value;
}
