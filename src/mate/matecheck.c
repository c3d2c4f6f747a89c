/* matecheck.c: depth-first replays: of a mate, with a set of verified positions and a ply limit for
 * each, and of a refutation, with a set of refuted positions. */
#include "mate/matecheck.h"

#include <stdlib.h>

#include "base/parallel.h"
#include "base/xmem.h"
#include "mate/matehand.h"
#include "mate/matemoves.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/position.h"

/* The set takes at most 32 MB; unused memory is never touched. If the set grew, it would have to be
 * copied, which would take too long after a stop. */
enum { SLOTS = 1 << 21, ROOM = SLOTS / 4 * 3, DEEPEST_REFUTATION = 6000 };

/* The maximum number of steps towards exact lengths for each replayed position. 149 replays of
 * problems from collections needed at most 0.714. Without this limit, the work would never end if a
 * full set cannot store the results. */
enum { TIGHTEN_TIMES = 4 };

/* A replayed position with the attacker to move: with this hand or a larger one, `move` mates
 * within len plies. A slot with MOVE_NONE is empty. */
typedef struct Replayed {
    uint64_t board;
    Hand hand;
    uint16_t len : 15;
    uint16_t is_tight : 1; /* with exactly this hand, some defence lasts len plies */
    Move move;
} Replayed;

_Static_assert(sizeof(Replayed) == 16, "the size of the set is reckoned with this");

struct MateChecker {
    MateOracle *oracle;
    void *context;
    const atomic_bool *stop;
    uint64_t nodes;              /* steps so far */
    uint64_t most;               /* maximum number of steps */
    uint64_t tighten_steps_left; /* number of steps towards exact lengths that remain */
    Replayed *slots; /* SLOTS entries; open addressing: all entries of a board are in one run of
                        used slots */
    size_t used;
    bool is_full; /* the set is full, and an entry was left out */
};

/* A mate and the hand that it needs; len is -1 if there is no mate. */
typedef struct Proof {
    int len;
    Hand hand;
} Proof;

static const Proof NO_PROOF = {.len = -1};

/* ---- the set of replayed positions ----------------------------------------------------------- */

static size_t slot_of_board(uint64_t board) {
    return (size_t)(board * 0x9E3779B97F4A7C15 >> 20) & (SLOTS - 1);
}

/* The shortest known mate of the position, or NULL. */
static const Replayed *find_replayed(const MateChecker *checker, uint64_t board, Hand hand) {
    const Replayed *best = NULL;
    size_t i = slot_of_board(board);
    for (; checker->slots[i].move != MOVE_NONE; i = (i + 1) & (SLOTS - 1)) {
        const Replayed *slot = &checker->slots[i];
        if (slot->board == board && hand_covers(hand, slot->hand) &&
            (best == NULL || slot->len < best->len)) {
            best = slot;
        }
    }
    return best;
}

/* The mate whose exact length with this hand is known, or NULL. */
static const Replayed *find_tight(const MateChecker *checker, uint64_t board, Hand hand) {
    size_t i = slot_of_board(board);
    for (; checker->slots[i].move != MOVE_NONE; i = (i + 1) & (SLOTS - 1)) {
        const Replayed *slot = &checker->slots[i];
        if (slot->board == board && slot->hand == hand && slot->is_tight) {
            return slot;
        }
    }
    return NULL;
}

/* Adds an entry. Returns false if the set is full. */
static bool add_replayed(MateChecker *checker, Replayed fresh) {
    if (checker->used >= ROOM) {
        checker->is_full = true;
        return false;
    }
    size_t i = slot_of_board(fresh.board);
    while (checker->slots[i].move != MOVE_NONE) {
        i = (i + 1) & (SLOTS - 1);
    }
    checker->slots[i] = fresh;
    checker->used++;
    return true;
}

/* ---- replay ---------------------------------------------------------------------------------- */

bool matecheck_step(MateChecker *checker) {
    checker->nodes++;
    return checker->nodes < checker->most && !flag_is_set(checker->stop);
}

void matecheck_limit(MateChecker *checker, uint64_t steps) {
    checker->most = checker->nodes + steps + 1;
}

/* The shortest known mate of the position, or its brinkmate at this level, or NULL. */
static const Replayed *find_at(const MateChecker *checker, const Position *pos, int level) {
    uint64_t board = pos->now->board_key;
    const Replayed *mate = find_replayed(checker, board, pos->hand[pos->side]);
    if (mate != NULL || level == BRINK_MATE) {
        return mate;
    }
    return find_replayed(checker, board ^ brink_salt(level), pos->hand[pos->side]);
}

static Proof replay_attack(MateChecker *checker, Position *pos, int level, int len);

/* Replays a position in which the defender is to move. Every move must lead to a mate, and so must
 * a pass if he is not in check. */
static Proof replay_defence(MateChecker *checker, Position *pos, int level, int len) {
    int count;
    Move *moves = matemoves_list(pos, GEN_LEGAL, &count);
    Proof proof = {.len = 0, .hand = matehand_monopoly(pos)};
    if (!pos_in_check(pos)) {
        pos_do_null(pos);
        proof = replay_attack(checker, pos, BRINK_MATE, len - 1);
        pos_undo_null(pos);
        if (proof.len >= 0) {
            proof.len++;
            proof.hand = matehand_max(proof.hand, matehand_monopoly(pos));
        }
    }
    for (int i = 0; i < count && proof.len >= 0; i++) {
        pos_do(pos, moves[i]);
        Proof answer = replay_attack(checker, pos, level, len - 1);
        pos_undo(pos);
        if (answer.len < 0) {
            proof = NO_PROOF;
        } else {
            proof.len = int_max(proof.len, answer.len + 1);
            proof.hand = matehand_max(proof.hand, answer.hand);
        }
    }
    free(moves);
    return proof;
}

static Proof replay_attack(MateChecker *checker, Position *pos, int level, int len) {
    uint64_t board = pos->now->board_key ^ brink_salt(level);
    const Replayed *known = find_at(checker, pos, level);
    if (known != NULL && (int)known->len <= len) {
        return (Proof){.len = (int)known->len, .hand = known->hand};
    }
    if (len < 1 || checker->is_full || !matecheck_step(checker)) {
        return NO_PROOF;
    }
    checker->tighten_steps_left += TIGHTEN_TIMES;
    MateClaim claim = checker->oracle(checker->context, pos, level, len);
    if (!move_is_legal(pos, claim.move)) {
        return NO_PROOF;
    }
    int level_after = brink_after(pos, level, pos_gives_check(pos, claim.move));
    int rest = int_min(len, claim.len) - 1;
    pos_do(pos, claim.move);
    bool is_allowed = level_after != BRINK_FORBIDDEN && (level > BRINK_MATE || pos_in_check(pos));
    Proof after = is_allowed ? replay_defence(checker, pos, level_after, rest) : NO_PROOF;
    pos_undo(pos);
    if (after.len < 0) {
        return NO_PROOF;
    }
    Proof proof = {.len = after.len + 1, .hand = matehand_undo_proof(pos, claim.move, after.hand)};
    Replayed fresh = {
        .board = board, .hand = proof.hand, .len = (unsigned)proof.len, .move = claim.move};
    /* If the result cannot be remembered, give up: the replay would visit the same positions again
     * and again. */
    return add_replayed(checker, fresh) ? proof : NO_PROOF;
}

MateChecker *matecheck_new(MateOracle *oracle, void *context, const atomic_bool *stop) {
    MateChecker *checker = xmem_try_calloc(1, sizeof(*checker));
    Replayed *slots = checker != NULL ? xmem_try_calloc(SLOTS, sizeof(Replayed)) : NULL;
    if (slots == NULL) {
        free(checker);
        return NULL;
    }
    checker->slots = slots;
    checker->oracle = oracle;
    checker->context = context;
    checker->stop = stop;
    checker->most = UINT64_MAX;
    return checker;
}

void matecheck_free(MateChecker *checker) {
    if (checker != NULL) {
        free(checker->slots);
        free(checker);
    }
}

/* An answer to a check, with the length of the shortest replayed mate after it; 0 if there is
 * none. */
typedef struct ReplayedAnswer {
    Move move;
    int len;
    bool is_tight; /* len is exact, not just an upper bound */
} ReplayedAnswer;

/* Lists the answers to the check, the longest-lasting first; the caller frees the list. */
static ReplayedAnswer *list_answers(const MateChecker *checker, Position *pos, int *count) {
    Move *moves = matemoves_list(pos, GEN_LEGAL, count);
    ReplayedAnswer *answers = xmem_alloc((size_t)*count, sizeof(ReplayedAnswer));
    for (int i = 0; i < *count; i++) {
        pos_do(pos, moves[i]);
        const Replayed *known = find_replayed(checker, pos->now->board_key, pos->hand[pos->side]);
        pos_undo(pos);
        ReplayedAnswer answer = {.move = moves[i], .len = known != NULL ? (int)known->len : 0};
        int k = i;
        for (; k > 0 && answers[k - 1].len < answer.len; k--) {
            answers[k] = answers[k - 1];
        }
        answers[k] = answer;
    }
    free(moves);
    return answers;
}

static Replayed tighten(MateChecker *checker, Position *pos);

/* The answer to the check that lasts longest. MOVE_NONE with len 0 means mate; len -1 means that an
 * answer has not been replayed. */
static ReplayedAnswer longest_replayed(MateChecker *checker, Position *pos) {
    int count;
    ReplayedAnswer *answers = list_answers(checker, pos, &count);
    ReplayedAnswer longest = {.move = MOVE_NONE, .len = 0, .is_tight = true};
    bool is_whole = count == 0 || answers[count - 1].len > 0;
    bool is_tight = true;
    for (int i = 0; i < count && is_whole && answers[i].len > longest.len; i++) {
        pos_do(pos, answers[i].move);
        Replayed behind = tighten(checker, pos);
        pos_undo(pos);
        is_tight = is_tight && behind.is_tight;
        if ((int)behind.len > longest.len) {
            longest = (ReplayedAnswer){.move = answers[i].move, .len = (int)behind.len};
        }
    }
    free(answers);
    longest.is_tight = is_tight;
    return is_whole ? longest : (ReplayedAnswer){.move = MOVE_NONE, .len = -1};
}

/* Returns the replayed mate of this position. Its length is exact against the longest defence
 * (is_tight), or only an upper bound if the limits are reached; the move is MOVE_NONE if no mate
 * was replayed. Remembered lengths may be too long, because a position is often replayed before a
 * shorter mate is found with another hand. The result is remembered for exactly this hand. */
static Replayed tighten(MateChecker *checker, Position *pos) {
    uint64_t board = pos->now->board_key;
    Hand hand = pos->hand[pos->side];
    const Replayed *known = find_tight(checker, board, hand);
    if (known != NULL) {
        return *known;
    }
    known = find_replayed(checker, board, hand);
    if (known == NULL) {
        return (Replayed){.move = MOVE_NONE};
    }
    Replayed best = *known;
    best.is_tight = best.len == 1;
    if (best.is_tight || checker->tighten_steps_left == 0) {
        return best;
    }
    checker->tighten_steps_left--;
    if (!matecheck_step(checker)) {
        return best;
    }
    pos_do(pos, best.move);
    ReplayedAnswer longest = longest_replayed(checker, pos);
    pos_undo(pos);
    if (longest.len >= 0) {
        best = (Replayed){.board = board,
                          .hand = hand,
                          .len = longest.move == MOVE_NONE ? 1 : (unsigned)longest.len + 2,
                          .is_tight = longest.is_tight,
                          .move = best.move};
    }
    if (best.is_tight) {
        (void)add_replayed(checker, best);
    }
    return best;
}

int matecheck_run(MateChecker *checker, Position *pos, int len) {
    Proof proof = replay_attack(checker, pos, BRINK_MATE, int_min(len, MATECHECK_MAX));
    if (proof.len < 0) {
        return -1;
    }
    Replayed mate = tighten(checker, pos);
    return mate.move == MOVE_NONE ? -1 : (int)mate.len;
}

int matecheck_run_defence(MateChecker *checker, Position *pos, int len, Move *answer) {
    Proof proof = replay_defence(checker, pos, BRINK_MATE, int_min(len, MATECHECK_MAX));
    if (proof.len < 0) {
        return -1;
    }
    ReplayedAnswer longest = longest_replayed(checker, pos);
    *answer = longest.move;
    return longest.move == MOVE_NONE ? longest.len : longest.len + 1;
}

int matecheck_run_level(MateChecker *checker, Position *pos, int level, int len) {
    return replay_attack(checker, pos, level, int_min(len, MATECHECK_MAX)).len;
}

Move matecheck_move(const MateChecker *checker, const Position *pos, int level, int *len) {
    const Replayed *known = find_at(checker, pos, level);
    *len = known != NULL ? (int)known->len : 0;
    return known != NULL ? known->move : MOVE_NONE;
}

bool matecheck_is_full(const MateChecker *checker) {
    return checker->is_full;
}

int matecheck_line(MateChecker *checker, Position *pos, Move *line, int room) {
    int count = 0;
    for (Move answer = MOVE_NULL; count < room && answer != MOVE_NONE;) {
        Replayed mate = tighten(checker, pos);
        if (mate.move == MOVE_NONE) {
            break;
        }
        line[count++] = mate.move;
        pos_do(pos, mate.move);
        answer = longest_replayed(checker, pos).move;
        if (answer != MOVE_NONE && count < room) {
            line[count++] = answer;
            pos_do(pos, answer);
        }
    }
    pos_undo_moves(pos, count);
    return count;
}

/* ---- refutations ----------------------------------------------------------------------------- */

/* A position with the attacker to move that is refuted with this hand. If `board` is 0, the slot is
 * empty. */
typedef struct Refuted {
    uint64_t board;
    Hand hand;
    uint32_t unused;
} Refuted;

typedef struct Refutation {
    RefuteOracle *oracle;
    void *context;
    const atomic_bool *stop;
    Refuted *slots;
    size_t used;
    int depth;
    bool is_full;
} Refutation;

static bool is_known_refuted(const Refutation *refutation, uint64_t board, Hand hand) {
    size_t i = slot_of_board(board);
    for (; refutation->slots[i].board != 0; i = (i + 1) & (SLOTS - 1)) {
        if (refutation->slots[i].board == board && hand_covers(refutation->slots[i].hand, hand)) {
            return true;
        }
    }
    return false;
}

static uint64_t board_of_level(const Position *pos, int level) {
    return pos->now->board_key ^ brink_salt(level);
}

/* True if one of the answers of the defender, who is to move, leads into the set. */
static bool has_known_answer(const Refutation *refutation, Position *pos, int level) {
    int count;
    Move *moves = matemoves_list(pos, GEN_LEGAL, &count);
    bool found = false;
    for (int i = 0; i < count && !found; i++) {
        pos_do(pos, moves[i]);
        found = is_known_refuted(refutation, board_of_level(pos, level), pos->hand[pos->side]);
        pos_undo(pos);
    }
    free(moves);
    return found;
}

static bool refute_attack(Refutation *refutation, Position *pos, int level);

/* Replays a position in which the defender is to move. One of his answers must refute the
 * attack. */
static bool refute_defence(Refutation *refutation, Position *pos, int level) {
    if (pos_in_check(pos) && !gen_has_move(pos)) {
        return false;
    }
    if (has_known_answer(refutation, pos, level)) {
        return true;
    }
    Move answer = refutation->oracle(refutation->context, pos, level);
    if (answer == MOVE_NULL && !pos_in_check(pos)) {
        pos_do_null(pos);
        uint64_t board = board_of_level(pos, BRINK_MATE);
        bool is_refuted = is_known_refuted(refutation, board, pos->hand[pos->side]) ||
                          refute_attack(refutation, pos, BRINK_MATE);
        pos_undo_null(pos);
        return is_refuted;
    }
    if (!move_is_legal(pos, answer)) {
        return false;
    }
    pos_do(pos, answer);
    bool holds = refute_attack(refutation, pos, level);
    pos_undo(pos);
    return holds;
}

static bool refute_attack(Refutation *refutation, Position *pos, int level) {
    refutation->is_full =
        refutation->is_full || refutation->used >= ROOM || refutation->depth >= DEEPEST_REFUTATION;
    if (refutation->is_full || flag_is_set(refutation->stop)) {
        return false;
    }
    uint64_t board = board_of_level(pos, level);
    size_t slot = slot_of_board(board);
    while (refutation->slots[slot].board != 0) {
        slot = (slot + 1) & (SLOTS - 1);
    }
    refutation->slots[slot] = (Refuted){.board = board, .hand = pos->hand[pos->side]};
    refutation->used++;
    refutation->depth++;
    int count;
    GenKind kind = brink_has_quiet(pos, level) ? GEN_LEGAL : GEN_CHECKS;
    Move *moves = matemoves_list(pos, kind, &count);
    bool holds = true;
    for (int i = 0; i < count && holds; i++) {
        int after = brink_after(pos, level, pos_gives_check(pos, moves[i]));
        pos_do(pos, moves[i]);
        holds = refute_defence(refutation, pos, after);
        pos_undo(pos);
    }
    free(moves);
    refutation->depth--;
    return holds;
}

RefuteVerdict matecheck_refute(Position *pos, int level, RefuteOracle *oracle, void *context,
                               const atomic_bool *stop) {
    Refutation refutation = {.oracle = oracle, .context = context, .stop = stop};
    refutation.slots = xmem_try_calloc(SLOTS, sizeof(Refuted));
    if (refutation.slots == NULL) {
        return REFUTE_TOO_LARGE;
    }
    bool holds = refute_attack(&refutation, pos, level);
    free(refutation.slots);
    return holds ? REFUTE_HOLDS : refutation.is_full ? REFUTE_TOO_LARGE : REFUTE_FAILS;
}
