/* hisshi.c: searches each length in turn with growing node limits, by proof numbers and one attack
 * after another, then replays the result and derives the line and its uniqueness. */
#include "mate/hisshi.h"

#include <stdlib.h>

#include "base/parallel.h"
#include "base/xmem.h"
#include "mate/dfpn.h"
#include "mate/mate1.h"
#include "mate/matehand.h"
#include "mate/matemoves.h"
#include "rules/movegen.h"
#include "rules/position.h"

/* The number of nodes for each length in the first round, and the growth factor from round to
 * round. */
enum { ROUND_FIRST = 16000, ROUND_GROWTH = 4 };

/* The number of nodes for each answer if the table does not contain the refutation of an attack,
 * and the growth factor after each failure. */
enum { REFUTE_FIRST = 500, REFUTE_GROWTH = 8 };

#define ROUND_MAX ((uint64_t)1 << 48)

/* The nodes of an attack-by-attack search, as a multiple of the round's nodes, and of each of its
 * subproblems, as a fraction of them. */
enum { ATTACKS_TIMES = 16, QUESTION_SHARE = 32 };

enum { LENGTHS_MAX = BRINK_MOVES_MAX / 2 + 2 };

/* ---- one attack after another ---------------------------------------------------------------- */

/* Game positions have 100 or more quiet moves and as many answers to each of them. Proof numbers do
 * not find the good attack among that many, so this search tries the attacks one after another.
 * Each attack is a subproblem with a small node limit; the caller repeats the search with larger
 * limits. A quiet move is a threat only if a pass by the defender loses. The answers to a threat
 * are first searched briefly, one by one, with the mate after the pass as a model. The remaining
 * answers are then searched, the most likely refutation first. The first answer that stays unsolved
 * ends the attack for this round. */

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
typedef struct OpenAnswer {
    Move move;
    bool is_check;
    uint64_t dn;   /* disproof number; the answer with the smallest is the likeliest refutation */
    uint64_t each; /* node limit of the last search of this answer */
} OpenAnswer;

static const MateValue OPEN = {.pn = 1, .dn = 1, .loop = MATE_NO_LOOP};

static bool is_used_up(const BrinkSearch *search) {
    const DfpnShared *shared = search->shared;
    return flag_is_set(shared->stop) || atomic_load(&shared->nodes) >= search->most;
}

/* True if search_attacks solves the position, in which the attacker is to move, faster than
 * proof-number search: at the levels of one and three moves, and for positions in check at
 * BRINK_HOLD. */
static bool is_one_by_one(const Position *pos, int level) {
    return level == brink_level(1) || level == brink_level(3) ||
           (level == BRINK_HOLD && pos_in_check(pos));
}

static MateValue probe_position(const BrinkSearch *search, int level, int len) {
    search->shared->level = level;
    return dfpn_probe_level(search->shared, &search->pos, search->attacker, len);
}

/* The lowest level at which the attacker may answer the defender's checks with any move. */
static int floor_level(const BrinkSearch *search) {
    return search->pos.king[search->attacker] != SQ_NONE ? BRINK_HOLD : BRINK_MATE;
}

/* ---- subproblems ----------------------------------------------------------------------------- */

/* Runs the mate search on the position, in which the attacker is to move. If `model` is not NULL,
 * it is a position in which the attacker mates, and the same moves may mate here. */
static MateValue search_subproblem(BrinkSearch *search, int level, int len, const Position *model) {
    MateValue value = probe_position(search, level, len);
    if (dfpn_is_solved(&value) || is_used_up(search) || value.work >= search->each / 2) {
        return value;
    }
    DfpnShared *shared = search->shared;
    uint64_t limit = atomic_load(&shared->nodes) + search->each;
    shared->node_limit = limit < search->most ? limit : search->most;
    shared->model = model;
    atomic_store(&shared->is_done, false);
    value = dfpn_search(shared, &search->pos, 0, len);
    shared->model = NULL;
    uint64_t nodes = atomic_load(&shared->nodes);
    if (shared->report != NULL && nodes >= search->reported + REPORT_NODES) {
        search->reported = nodes;
        MateProgress progress = {.nodes = nodes, .hash_permille = dfpn_tt_hashfull(shared->table)};
        shared->report(shared->report_context, &progress);
    }
    return mate_value_is_final(&value) || !dfpn_is_solved(&value) ? value : OPEN;
}

/* Stores the solved value of the position. */
static void remember_solved(BrinkSearch *search, int level, uint64_t before, MateValue *value) {
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

/* Lists the legal answers: first those that have refuted other attacks, then captures, king moves
 * and all other moves. */
static int list_ordered_answers(const BrinkSearch *search, OpenAnswer *answers) {
    const Position *pos = &search->pos;
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    int listed = 0;
    for (int kind = 0; kind < 4; kind++) {
        for (int i = 0; i < count; i++) {
            Move move = list[i];
            bool is_killer = false;
            for (int k = 0; k < KILLERS; k++) {
                is_killer |= search->killers[k] == move;
            }
            bool is_king = !move_is_drop(move) && move_from(move) == pos->king[pos->side];
            if (kind == (is_killer ? 0 : pos_is_capture(pos, move) ? 1 : is_king ? 2 : 3)) {
                answers[listed++] = (OpenAnswer){
                    .move = move, .is_check = pos_gives_check(pos, move), .each = GLANCE_NODES};
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
static MateValue search_answer(BrinkSearch *search, const Defence *defence, OpenAnswer *answer,
                               uint64_t each) {
    uint64_t before = search->each;
    search->each = each < before ? each : before;
    pos_do(&search->pos, answer->move);
    MateValue value =
        search_subproblem(search, defence->first_level, defence->len - 1, defence->model);
    pos_undo(&search->pos);
    search->each = before;
    answer->dn = value.dn;
    return value;
}

/* Searches each answer briefly and keeps the answers that do not lose at once. Returns true if an
 * answer refutes the attack. */
static bool search_briefly(BrinkSearch *search, const Defence *defence, OpenAnswer *answers,
                           int *count, MateValue *whole) {
    int kept = 0;
    bool is_refuted = false;
    for (int i = 0; i < *count && !is_refuted && !is_used_up(search); i++) {
        OpenAnswer answer = answers[i];
        MateValue value = search_answer(search, defence, &answer, GLANCE_NODES);
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

/* Tries all legal answers. The result is a failure, an unsolved value, or a win with `whole`
 * extended by the hands and lengths of the answers. */
static NO_INLINE MateValue try_answers(BrinkSearch *search, const Defence *defence,
                                       MateValue whole) {
    OpenAnswer answers[MAX_MOVES];
    int count = list_ordered_answers(search, answers);
    MateValue failed = dfpn_failed(search->pos.hand[search->attacker], defence->len, MATE_NO_LOOP);
    if (search_briefly(search, defence, answers, &count, &whole)) {
        return failed;
    }
    while (count > 0 && !is_used_up(search)) {
        /* Choose the answer that is most likely to refute the attack. Checks come last, because
         * they are expensive to search. */
        OpenAnswer *answer = &answers[0];
        for (int i = 1; i < count; i++) {
            bool is_likelier = answers[i].is_check != answer->is_check ? answer->is_check
                                                                       : answers[i].dn < answer->dn;
            answer = is_likelier ? &answers[i] : answer;
        }
        /* Search it more deeply than before, and then try all attacks if there are more of them
         * than at the first level, or the answer is a check. */
        bool has_more = answer->is_check || defence->has_quiet;
        answer->each =
            has_more || answer->each >= search->each / 2 ? search->each : answer->each * 2;
        MateValue value = search_answer(search, defence, answer, answer->each);
        if (has_more && value.pn != 0 && (value.dn != 0 || defence->has_quiet)) {
            pos_do(&search->pos, answer->move);
            search->counter_checks += answer->is_check;
            value = try_attacks(search, defence->level, defence->len - 1, defence->model);
            search->counter_checks -= answer->is_check;
            pos_undo(&search->pos);
        }
        if (value.dn == 0) {
            note_killer(search, answer->move);
            return failed;
        }
        if (value.pn == 0) {
            add_lost(&whole, &value);
            *answer = answers[--count];
        } else if (answer->each >= search->each) {
            return OPEN;
        }
    }
    return is_used_up(search) ? OPEN : whole;
}

/* Searches a position with the defender to move. */
static MateValue try_defence(BrinkSearch *search, int level, int len) {
    Position *pos = &search->pos;
    MateValue value = probe_position(search, level, len);
    if (dfpn_is_solved(&value) || is_used_up(search)) {
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
        value = search_subproblem(search, BRINK_MATE, len - 1, NULL);
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
    remember_solved(search, level, before, &value);
    return value;
}

/* ---- the attacker's moves -------------------------------------------------------------------- */

/* Tries the attacks one after another, with or without checks. */
static MateValue try_each(BrinkSearch *search, int level, int len, bool has_checks) {
    Position *pos = &search->pos;
    MateMove attacks[MAX_MOVES];
    int count = matemoves_attacks(pos, attacks);
    bool is_open = false;
    for (int i = 0; i < count; i++) {
        Move move = attacks[i].move;
        bool is_check = pos_gives_check(pos, move);
        bool is_left_out = is_check && !has_checks;
        for (int k = 0; k < search->excluded_count && pos_moves_done(pos) == search->start; k++) {
            is_left_out |= search->excluded[k] == move;
        }
        if (is_left_out) {
            continue;
        }
        if (is_used_up(search)) {
            return OPEN;
        }
        int after = brink_after(pos, level, is_check);
        uint64_t most = search->most;
        int shift = ATTACK_SHIFT - int_min(2 * search->counter_checks, ATTACK_SHIFT);
        uint64_t limit = atomic_load(&search->shared->nodes) + (search->each << shift);
        search->most = limit < most ? limit : most;
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

/* Searches a position with the attacker to move for a win at this level: first at the easier level,
 * then attack by attack. `model` is the position after a pass in which the attacker mates, whose
 * mate guides the search; NULL after a check. */
static MateValue try_attacks(BrinkSearch *search, int level, int len, const Position *model) {
    Position *pos = &search->pos;
    bool is_root = pos_moves_done(pos) == search->start && search->excluded_count > 0;
    if (!is_root) {
        MateValue known = probe_position(search, level, len);
        if (dfpn_is_solved(&known) || is_used_up(search)) {
            return known;
        }
    }
    if (len < 1 || !is_one_by_one(pos, level) || search->counter_checks > CHECKS_DEEP) {
        return search_subproblem(search, level, len, model);
    }
    uint64_t before = atomic_load(&search->shared->nodes);
    int easier_level = level == brink_level(1) ? floor_level(search) : BRINK_MATE;
    MateValue value = OPEN;
    if (!is_root) {
        value = try_attacks(search, easier_level, len, model);
    }
    if (value.pn != 0) {
        /* For a brinkmate in one move, the easier level has already tried all checks, except at the
         * root, where it was not searched. */
        bool has_checks = level != brink_level(1) || is_root;
        /* Without checks, a failure is final only if the easier level has failed too. */
        MateValue other = try_each(search, level, len, has_checks);
        value = other.pn == 0 || has_checks || value.dn == 0 ? other : OPEN;
    }
    if (dfpn_is_solved(&value) && !is_root) {
        remember_solved(search, level, before, &value);
    }
    return value;
}

/* Searches for a brinkmate and a mate within len plies by the side to move, at shared->level. Each
 * subproblem may use at most `each` nodes; the limits of `shared` apply to the whole search. The
 * result has pn = 0 if there is a win and dn = 0 if there is none; otherwise it is open. Solved
 * positions are stored in the table. Overwrites level, node_limit and is_done of `shared`. */
static MateValue search_attacks(DfpnShared *shared, const Position *pos, int len, uint64_t each) {
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

/* ---- rounds ---------------------------------------------------------------------------------- */

typedef struct HisshiCall {
    const Position *pos;
    const HisshiOptions *options;
    DfpnShared shared;
    uint64_t most_nodes;
} HisshiCall;

static bool must_end(const HisshiCall *call) {
    return flag_is_set(call->options->stop) || atomic_load(&call->shared.nodes) >= call->most_nodes;
}

/* Ends the search after `nodes` more nodes. */
static void limit_nodes(HisshiCall *call, uint64_t nodes) {
    uint64_t spent = atomic_load(&call->shared.nodes);
    uint64_t left = call->most_nodes > spent ? call->most_nodes - spent : 0;
    call->shared.node_limit = spent + (nodes < left ? nodes : left);
}

/* Runs a proof-number search on a position. */
static MateValue search_numbers(HisshiCall *call, const Position *pos, int level, int len,
                                uint64_t nodes) {
    limit_nodes(call, nodes);
    call->shared.level = level;
    atomic_store(&call->shared.is_done, false);
    return dfpn_search(&call->shared, pos, 0, len);
}

/* Runs both kinds of search for a brinkmate. For some brinkmates, proof-number search needs only a
 * fraction of the nodes of an attack-by-attack search; for most brinkmates it is the other way
 * round. */
static MateValue search_turn(HisshiCall *call, const Position *pos, int level, int len,
                             uint64_t nodes) {
    MateValue value = search_numbers(call, pos, level, len, nodes);
    if (!mate_value_is_final(&value) && !must_end(call)) {
        limit_nodes(call, nodes * ATTACKS_TIMES);
        call->shared.level = level;
        value = search_attacks(&call->shared, pos, len, nodes / QUESTION_SHARE);
    }
    return value;
}

/* Searches a position at a level; the side to move attacks. Uses about `nodes` nodes for a mate by
 * checks alone, and many times as many for a brinkmate. */
static MateValue search_level(HisshiCall *call, const Position *pos, int level, int len,
                              uint64_t nodes) {
    if (!is_one_by_one(pos, level)) {
        return search_numbers(call, pos, level, len, nodes);
    }
    if (nodes <= ROUND_MAX) {
        return search_turn(call, pos, level, len, nodes);
    }
    MateValue value = search_turn(call, pos, level, len, ROUND_FIRST);
    for (uint64_t turn = ROUND_FIRST; turn < ROUND_MAX && !must_end(call);) {
        if (mate_value_is_final(&value)) {
            break;
        }
        turn *= ROUND_GROWTH;
        value = search_turn(call, pos, level, len, turn);
    }
    return value;
}

/* ---- replays --------------------------------------------------------------------------------- */

static MateClaim claim_from(const MateValue *value) {
    return (MateClaim){.move = value->pn == 0 ? value->move : MOVE_NONE, .len = value->len};
}

/* Returns the attacker's move from the table, or searches for it again. */
static MateClaim find_attack(void *context, const Position *pos, int level, int len) {
    HisshiCall *call = context;
    call->shared.level = level;
    MateValue value = dfpn_probe_level(&call->shared, pos, pos->side, len);
    if (value.pn == 0) {
        return claim_from(&value);
    }
    Move mate = mate1_find(pos);
    if (mate != MOVE_NONE) {
        return (MateClaim){.move = mate, .len = 1};
    }
    if (must_end(call)) {
        return (MateClaim){.move = MOVE_NONE};
    }
    value = search_level(call, pos, level, len, UINT64_MAX);
    return claim_from(&value);
}

/* Replays the brinkmate. Returns NULL if the replay fails. */
static MateChecker *replay_win(HisshiCall *call, int level, int len) {
    MateChecker *checker = matecheck_new(find_attack, call, call->options->stop);
    if (checker == NULL) {
        return NULL;
    }
    Position pos;
    pos_init_copy(&pos, call->pos);
    bool holds = matecheck_run_level(checker, &pos, level, len) >= 0;
    pos_free(&pos);
    if (!holds) {
        matecheck_free(checker);
        return NULL;
    }
    return checker;
}

/* True if the attacker fails after this answer, according to the table (if nodes is 0) or to a
 * search. */
static bool answer_refutes(HisshiCall *call, Position *pos, Move answer, int level,
                           uint64_t nodes) {
    bool is_pass = answer == MOVE_NULL;
    level = is_pass ? BRINK_MATE : level;
    if (is_pass) {
        pos_do_null(pos);
    } else {
        pos_do(pos, answer);
    }
    bool refutes;
    if (nodes == 0) {
        call->shared.level = level;
        MateValue value = dfpn_probe_level(&call->shared, pos, pos->side, MATE_LEN_FREE);
        Move list[MAX_MOVES];
        refutes = value.dn == 0 || (value.pn != 0 && !brink_has_quiet(pos, level) &&
                                    gen_moves(pos, GEN_CHECKS, list) == 0);
    } else {
        MateValue value = search_level(call, pos, level, MATE_LEN_FREE, nodes);
        refutes = mate_value_is_final(&value) && value.dn == 0;
    }
    if (is_pass) {
        pos_undo_null(pos);
    } else {
        pos_undo(pos);
    }
    return refutes;
}

static Move answer_to_attack(void *context, Position *pos, int level) {
    HisshiCall *call = context;
    Move list[MAX_MOVES + 1];
    int count = gen_moves(pos, GEN_LEGAL, list);
    if (!pos_in_check(pos)) {
        list[count++] = list[0];
        list[0] = MOVE_NULL;
    }
    uint64_t nodes = 0;
    for (; !must_end(call); nodes = nodes == 0 ? REFUTE_FIRST : nodes * REFUTE_GROWTH) {
        for (int i = 0; i < count && !must_end(call); i++) {
            if (answer_refutes(call, pos, list[i], level, nodes)) {
                return list[i];
            }
        }
    }
    return MOVE_NONE;
}

static bool replay_none(HisshiCall *call, int level) {
    Position pos;
    pos_init_copy(&pos, call->pos);
    const atomic_bool *stop = call->options->stop;
    bool holds = matecheck_refute(&pos, level, answer_to_attack, call, stop) == REFUTE_HOLDS;
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
static Move longest_brink_answer(const MateChecker *proof, Position *pos, int level) {
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
        move = longest_brink_answer(proof, pos, level);
        if (move == MOVE_NONE) {
            break;
        }
        line[made++] = move;
        pos_do(pos, move);
    }
    pos_undo_moves(pos, made);
    return made;
}

/* True if every other first move fails. */
static bool is_unique(HisshiCall *call, int level, Move first) {
    call->shared.excluded = &first;
    call->shared.excluded_count = 1;
    MateValue value = search_level(call, call->pos, level, MATE_LEN_FREE, UINT64_MAX);
    call->shared.excluded_count = 0;
    return mate_value_is_final(&value) && value.dn == 0;
}

/* ---- solving --------------------------------------------------------------------------------- */

/* The state of each length. The first is the mate, followed by brinkmates in 1, 3 and so on
 * moves. */
typedef struct Length {
    int level;
    bool is_open;
} Length;

/* Searches each unsolved length once, except those longer than a brinkmate already found. Replays a
 * win, and makes it the answer if the replay succeeds. Returns the number of lengths that are still
 * of interest. */
static int run_round(HisshiCall *call, Length *lengths, int count, uint64_t nodes,
                     HisshiAnswer *answer) {
    for (int i = 0; i < count && !must_end(call); i++) {
        if (!lengths[i].is_open) {
            continue;
        }
        MateValue value = search_level(call, call->pos, lengths[i].level, MATE_LEN_FREE, nodes);
        if (mate_value_is_final(&value)) {
            lengths[i].is_open = false;
            MateChecker *proof =
                value.pn == 0 ? replay_win(call, lengths[i].level, value.len) : NULL;
            if (proof != NULL) {
                matecheck_free(answer->proof);
                answer->proof = proof;
                answer->verdict = MATE_FOUND;
                answer->moves = lengths[i].level == BRINK_MATE ? 0 : lengths[i].level - 1;
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
    HisshiCall *call = xmem_calloc(1, sizeof(*call));
    call->pos = pos;
    call->options = options;
    call->most_nodes = options->nodes > 0 ? options->nodes : UINT64_MAX;
    call->shared.table = table;
    call->shared.stop = options->stop;
    call->shared.report = options->report;
    call->shared.report_context = options->report_context;
    call->shared.begins_inside = true;
    answer->verdict = MATE_UNKNOWN;
    answer->moves = 0;
    answer->is_exact = false;
    answer->is_unique = false;
    answer->line_len = 0;
    answer->proof = NULL;
    dfpn_tt_new_search(table, false);
    Length lengths[LENGTHS_MAX];
    int count = 0;
    lengths[count++] = (Length){.level = BRINK_MATE, .is_open = true};
    for (int moves = 1; moves <= options->moves && count < LENGTHS_MAX; moves += 2) {
        lengths[count++] = (Length){.level = brink_level(moves), .is_open = true};
    }
    uint64_t nodes = ROUND_FIRST;
    for (; has_open(lengths, count) && !must_end(call); nodes *= ROUND_GROWTH) {
        count = run_round(call, lengths, count, nodes, answer);
    }
    bool is_settled = !has_open(lengths, count);
    if (answer->verdict == MATE_FOUND) {
        Position copy;
        pos_init_copy(&copy, pos);
        int level = answer->moves > 0 ? brink_level(answer->moves) : BRINK_MATE;
        answer->line_len = hisshi_line(answer->proof, &copy, level, answer->line);
        pos_free(&copy);
        answer->is_exact =
            is_settled && (count == 0 || replay_none(call, lengths[count - 1].level));
        answer->is_unique = options->checks_unique && answer->is_exact && answer->line_len > 0 &&
                            is_unique(call, level, answer->line[0]);
    } else if (is_settled && replay_none(call, lengths[count - 1].level)) {
        answer->verdict = MATE_NONE;
    }
    answer->nodes = atomic_load(&call->shared.nodes);
    free(call);
}

void hisshi_clear(HisshiAnswer *answer) {
    matecheck_free(answer->proof);
    answer->proof = NULL;
}
