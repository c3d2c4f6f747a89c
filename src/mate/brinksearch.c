/* Every attack is a question of its own with a small limit of nodes, and the caller comes back with
 * larger ones. That the pass loses shows which quiet moves are threats at all; the answers to a
 * threat are first looked at one by one for a few nodes, with the mate behind the pass as a model,
 * and what is left is searched in the order in which it seems to refute. The first answer that
 * stays open ends the attack for this time. */
#include "mate/brinksearch.h"

#include "mate/brink.h"
#include "mate/dfpn_node.h"
#include "mate/mate1.h"
#include "mate/matehand.h"
#include "mate/matemoves.h"
#include "rules/movegen.h"
#include "rules/position.h"

enum {
    GLANCE_NODES = 250, /* for each answer before the answers are put in order */
    CHECKS_DEEP = 3,  /* checks of the defender's within one another that are tried move by move */
    ATTACK_SHIFT = 5, /* an attack may take 2 to this power questions, a fourth behind each check */
    KILLERS = 8,
    REPORT_NODES = 20000
};

typedef struct BrinkSearch {
    DfpnShared *shared;
    Position pos;
    Color attacker;
    uint64_t most; /* nodes in all */
    uint64_t each; /* nodes for a question */
    uint64_t reported;
    int start;            /* moves done in pos before the search */
    int counter_checks;   /* that the defender has given on the way here */
    const Move *excluded; /* at the root */
    int excluded_count;
    Move killers[KILLERS]; /* answers that have refuted attacks, the latest first */
} BrinkSearch;

/* A position in which the defender is to move. */
typedef struct Defence {
    int level;
    int first_level; /* at which the answers are looked at first */
    bool has_quiet;  /* there is more to try behind an answer than at the first level */
    int len;
    const Position *model; /* which the attacker mates after the pass; NULL: he gives check */
} Defence;

/* An answer that is not known to lose. */
typedef struct Answer {
    Move move;
    bool is_check;
    uint64_t dn;   /* the least refutes best */
    uint64_t each; /* nodes that the latest look at it might take */
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

static MateValue look(const BrinkSearch *search, int level, int len) {
    search->shared->level = level;
    return dfpn_look_level(search->shared, &search->pos, search->attacker, len);
}

/* The least level in which the defender's checks may be answered by any move. */
static int floor_level(const BrinkSearch *search) {
    return search->pos.king[search->attacker] != SQ_NONE ? BRINK_HOLD : BRINK_MATE;
}

/* ---- questions ------------------------------------------------------------------------------- */

static void report(BrinkSearch *search) {
    DfpnShared *shared = search->shared;
    uint64_t nodes = atomic_load(&shared->nodes);
    if (shared->report == NULL || nodes < search->reported + REPORT_NODES) {
        return;
    }
    search->reported = nodes;
    MateProgress progress = {
        .nodes = nodes, .pn = 1, .dn = 1, .hash_permille = dfpn_tt_fill(shared->table)};
    shared->report(shared->report_context, &progress);
}

/* Asks the mate search about the position, the attacker to move. `model`, or NULL, is a position
 * that he mates, perhaps by the same moves. */
static MateValue ask(BrinkSearch *search, int level, int len, const Position *model) {
    MateValue value = look(search, level, len);
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

/* Enters the value of the position, which is solved. */
static void remember(BrinkSearch *search, int level, uint64_t before, MateValue *value) {
    uint64_t work = atomic_load(&search->shared->nodes) - before;
    value->work = work < UINT32_MAX ? (uint32_t)work + 1 : UINT32_MAX;
    value->depth = (int16_t)(pos_moves_done(&search->pos) - search->start);
    search->shared->level = level;
    dfpn_store_level(search->shared, &search->pos, search->attacker, value);
}

/* ---- the defender's moves -------------------------------------------------------------------- */

static MateValue try_attacks(BrinkSearch *search, int level, int len, const Position *model);

/* Puts a refutation in front of the others. */
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

/* The least comes first. */
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

/* The legal answers: those that have refuted other attacks, captures, moves of the king, the rest.
 */
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

/* Adds a lost answer to the value of a position that all answers lose. */
static void add_lost(MateValue *whole, const MateValue *lost) {
    whole->hand = matehand_max(whole->hand, lost->hand);
    whole->len =
        (int16_t)int_max(whole->len, lost->len < MATE_LEN_FREE - 1 ? lost->len + 1 : lost->len);
}

/* Asks about the position behind an answer at the first level, with at most `each` nodes. */
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

/* Tries all that the attacker may do against an answer. */
static MateValue try_answer(BrinkSearch *search, const Defence *defence, Move move) {
    pos_do(&search->pos, move);
    bool is_check = pos_in_check(&search->pos);
    search->counter_checks += is_check;
    MateValue value = try_attacks(search, defence->level, defence->len - 1, defence->model);
    search->counter_checks -= is_check;
    pos_undo(&search->pos);
    return value;
}

/* Looks at each answer for a few nodes and keeps those that do not lose at once. True when one
 * refutes the attack. */
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

/* The answer that seems to refute; checks, which are dear to look into, come last. */
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

/* Looks into an answer more closely than before. */
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

/* Whether the legal answers all lose: `whole` with their hands and lengths added, a failure, or
 * open. */
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

/* The defender is to move. */
static MateValue try_defence(BrinkSearch *search, int level, int len) {
    Position *pos = &search->pos;
    MateValue value = look(search, level, len);
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

/* Limits what the next attack may take. Returns the limit so far. */
static uint64_t limit_attack(BrinkSearch *search) {
    uint64_t most = search->most;
    int shift = int_min(2 * search->counter_checks, ATTACK_SHIFT);
    uint64_t limit = atomic_load(&search->shared->nodes) + (search->each << (ATTACK_SHIFT - shift));
    search->most = limit < most ? limit : most;
    return most;
}

/* Tries the attacks one after another, with the checks or without. */
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

/* The attacker is to move. */
static MateValue try_attacks(BrinkSearch *search, int level, int len, const Position *model) {
    Position *pos = &search->pos;
    bool is_root = pos_moves_done(pos) == search->start && search->excluded_count > 0;
    if (!is_root) {
        MateValue known = look(search, level, len);
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
        /* In one move the level below has all the checks. */
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
