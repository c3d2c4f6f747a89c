/* materefute.c: replays a refutation against every check, and stores the set of refuted
 * positions. */
#include "mate/materefute.h"

#include <stdlib.h>

#include "base/xmem.h"
#include "mate/brink.h"
#include "mate/matemoves.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/position.h"

/* The set takes at most 32 MB, as in matecheck.c; unused memory is never touched. */
enum { SLOTS = 1 << 21, ROOM = SLOTS / 4 * 3, DEEPEST = 6000 };

/* A position with the attacker to move that is refuted with this hand. If `board` is 0, the slot is
 * empty. */
typedef struct Member {
    uint64_t board;
    Hand hand;
    uint32_t unused;
} Member;

typedef struct Replay {
    RefuteOracle *oracle;
    void *context;
    RefuteOptions options;
    Member *slots;
    size_t used;
    int depth;
    bool is_full;
} Replay;

static size_t slot_of(uint64_t board) {
    return (size_t)(board * 0x9E3779B97F4A7C15 >> 20) & (SLOTS - 1);
}

static bool is_member(const Replay *replay, uint64_t board, Hand hand) {
    size_t i = slot_of(board);
    for (; replay->slots[i].board != 0; i = (i + 1) & (SLOTS - 1)) {
        if (replay->slots[i].board == board && hand_covers(replay->slots[i].hand, hand)) {
            return true;
        }
    }
    return false;
}

static uint64_t board_at(const Position *pos, int level) {
    return pos->now->board_key ^ brink_salt(level);
}

static void insert(Replay *replay, uint64_t board, Hand hand) {
    size_t i = slot_of(board);
    while (replay->slots[i].board != 0) {
        i = (i + 1) & (SLOTS - 1);
    }
    replay->slots[i] = (Member){.board = board, .hand = hand};
    replay->used++;
}

static bool may_go_on(Replay *replay) {
    replay->is_full =
        replay->is_full || replay->used >= replay->options.room || replay->depth >= DEEPEST;
    const atomic_bool *stop = replay->options.stop;
    return !replay->is_full && (stop == NULL || !atomic_load_explicit(stop, memory_order_relaxed));
}

/* True if one of the answers of the defender, who is to move, leads into the set. */
static bool has_known_answer(const Replay *replay, Position *pos, int level) {
    int count;
    Move *moves = matemoves_list(pos, GEN_LEGAL, &count);
    bool found = false;
    for (int i = 0; i < count && !found; i++) {
        pos_do(pos, moves[i]);
        found = is_member(replay, board_at(pos, level), pos->hand[pos->side]);
        pos_undo(pos);
    }
    free(moves);
    return found;
}

static bool replay_attack(Replay *replay, Position *pos, int level);

static bool replay_pass(Replay *replay, Position *pos) {
    Color attacker = color_flip(pos->side);
    pos_do_null(pos);
    bool holds = is_member(replay, board_at(pos, BRINK_MATE), pos->hand[attacker]) ||
                 replay_attack(replay, pos, BRINK_MATE);
    pos_undo_null(pos);
    return holds;
}

/* Replays a position in which the defender is to move. One of his answers must refute the
 * attack. */
static bool replay_defence(Replay *replay, Position *pos, int level) {
    if (pos_in_check(pos) && !gen_has_move(pos)) {
        return false;
    }
    if (has_known_answer(replay, pos, level)) {
        return true;
    }
    Move answer = replay->oracle(replay->context, pos, level);
    if (answer == MOVE_NULL && !pos_in_check(pos)) {
        return replay_pass(replay, pos);
    }
    if (!move_is_legal(pos, answer)) {
        return false;
    }
    pos_do(pos, answer);
    bool holds = replay_attack(replay, pos, level);
    pos_undo(pos);
    return holds;
}

static bool replay_attack(Replay *replay, Position *pos, int level) {
    if (!may_go_on(replay)) {
        return false;
    }
    insert(replay, board_at(pos, level), pos->hand[pos->side]);
    replay->depth++;
    int count;
    GenKind kind = brink_has_quiet(pos, level) ? GEN_LEGAL : GEN_CHECKS;
    Move *moves = matemoves_list(pos, kind, &count);
    bool holds = true;
    for (int i = 0; i < count && holds; i++) {
        int after = brink_after(pos, level, pos_gives_check(pos, moves[i]));
        pos_do(pos, moves[i]);
        holds = replay_defence(replay, pos, after);
        pos_undo(pos);
    }
    free(moves);
    replay->depth--;
    return holds;
}

RefuteVerdict materefute_run(Position *pos, RefuteOracle *oracle, void *context,
                             RefuteOptions options) {
    Replay replay = {.oracle = oracle, .context = context, .options = options};
    if (options.room == 0 || options.room > ROOM) {
        replay.options.room = ROOM;
    }
    replay.slots = xmem_try_calloc(SLOTS, sizeof(Member));
    if (replay.slots == NULL) {
        return REFUTE_TOO_LARGE;
    }
    bool holds = replay_attack(&replay, pos, options.level);
    free(replay.slots);
    return holds ? REFUTE_HOLDS : replay.is_full ? REFUTE_TOO_LARGE : REFUTE_FAILS;
}
