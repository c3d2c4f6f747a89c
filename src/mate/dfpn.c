/* dfpn.c: the recursive search with thresholds. Each node generates its moves, looks up the
 * positions after them in the table, searches the best child while the thresholds allow, and stores
 * the result. Start reading at search_node, near the end of the file; dfpn_search calls it for the
 * root. */
#include "mate/dfpn.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/xmem.h"
#include "mate/mate1.h"
#include "mate/matehand.h"
#include "mate/matemoves.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/position.h"

enum {
    MAX_DEPTH = 4000,
    PATH_HEADS = 4096,
    POLL_NODES = 256, /* number of nodes between two checks of the shared state */
    REPORT_NODES = 20000,
    SIMULATE_DEPTH = 20, /* maximum depth of a simulated mate, in plies */
    DEPTH_LOOP = -1      /* stands for the repetition depth of a line that became too long */
};

/* A move of a node on the path, and the known facts about the position after the move. */
typedef struct DfpnChild {
    MateMove move;
    MateKey key;
    MateValue value;
    int8_t level;     /* level of the position after the move (matemoves.h) */
    bool has_yielded; /* its numbers were raised because another searcher was in that position */
    bool is_new;      /* never searched before: a leaf */
    bool is_old;      /* was met before at a smaller depth, so it may lead back to the path */
} DfpnChild;

/* The node being searched. phi is the number that the side to move tries to make small (pn for the
 * attacker); delta is the other number. */
typedef struct DfpnNode {
    size_t first; /* index of its first child in the array of the whole path */
    int count;
    int depth;
    int len;
    int level;  /* matemoves.h */
    bool is_or; /* the attacker is to move */
    bool waits; /* after a quiet move, only the pass has been generated so far */
    int taste;  /* 1 or -1: selects among equal moves, so that threads search different ones */
} DfpnNode;

/* The numbers of a node, computed from its children. */
typedef struct DfpnSummary {
    uint64_t phi;
    uint64_t delta;
    uint64_t second; /* phi of the second best child */
    uint64_t others; /* the part of delta beyond the largest child */
    int best;        /* index of the best child; -1 if all moves lose for the mover */
} DfpnSummary;

typedef struct PathStep {
    MateKey key;
    uint64_t path; /* key of the path from the root to this node */
    int previous;  /* depth of the previous node in the same hash list, or -1 */
} PathStep;

typedef struct DfpnSearcher {
    DfpnShared *shared;
    Position pos;
    Color attacker;
    DfpnChild *children; /* children of all nodes on the path, one node after another */
    size_t child_count;
    size_t child_cap;
    uint64_t nodes;
    uint64_t polled;   /* nodes already added to the shared count */
    uint64_t reported; /* nodes at the last report */
    int grace;         /* number of new leaves that may still be expanded beyond the thresholds */
    bool is_stopped;
    int index;
    int root_moves;    /* number of moves made in pos before the search */
    MateKey root_key;  /* key of the root in the table */
    Position shadow;   /* the position with a known mate, during simulation */
    MateValue root_at; /* current numbers of the unsolved root */
    int heads[PATH_HEADS];
    PathStep path[MAX_DEPTH + 2];
} DfpnSearcher;

/* The thresholds of phi and delta. */
typedef struct Bounds {
    uint64_t phi;
    uint64_t delta;
} Bounds;

static DfpnChild *first_child(const DfpnSearcher *searcher, const DfpnNode *node) {
    return searcher->children + node->first;
}

static DfpnChild *child_at(const DfpnSearcher *searcher, const DfpnNode *node, int i) {
    ASSERT(i >= 0 && i < node->count);
    return first_child(searcher, node) + i;
}

/* ---- the numbers of a node ------------------------------------------------------------------- */

static uint64_t phi_of(const DfpnNode *node, const MateValue *value) {
    return node->is_or ? value->pn : value->dn;
}

static uint64_t delta_of(const DfpnNode *node, const MateValue *value) {
    return node->is_or ? value->dn : value->pn;
}

MateValue dfpn_failed(Hand hand, int len, int loop) {
    return (MateValue){.pn = MATE_NUMBER_MAX,
                       .dn = 0,
                       .hand = hand,
                       .work = 1,
                       .len = (int16_t)len,
                       .loop = (int16_t)loop};
}

MateValue dfpn_mated(Hand hand, int len, Move move) {
    return (MateValue){.pn = 0,
                       .dn = MATE_NUMBER_MAX,
                       .hand = hand,
                       .work = 1,
                       .len = (int16_t)len,
                       .loop = MATE_NO_LOOP,
                       .move = move};
}

/* True if the mover prefers a to b. */
static bool is_better(const DfpnNode *node, const DfpnChild *a, const DfpnChild *b) {
    uint64_t phi_a = phi_of(node, &a->value);
    uint64_t phi_b = phi_of(node, &b->value);
    if (phi_a != phi_b) {
        return phi_a < phi_b;
    }
    uint64_t delta_a = delta_of(node, &a->value);
    uint64_t delta_b = delta_of(node, &b->value);
    if (delta_a != delta_b) {
        return delta_a < delta_b;
    }
    return a->move.order * node->taste < b->move.order * node->taste;
}

/* True if the mover prefers a to b when both win: the attacker prefers the shortest mate, the
 * defender prefers the failure that depends least on the path. */
static bool is_better_win(const DfpnNode *node, const DfpnChild *a, const DfpnChild *b) {
    if (node->is_or) {
        return a->value.len < b->value.len;
    }
    return a->value.loop > b->value.loop;
}

/* Computes the numbers of the node from its children. */
static DfpnSummary summarize(const DfpnNode *node, const DfpnChild *children) {
    DfpnSummary sum = {.phi = MATE_NUMBER_MAX, .second = MATE_NUMBER_MAX, .best = -1};
    uint64_t largest = 0;
    uint64_t total = 0;
    int open = 0;
    int hidden = 0;
    for (int i = 0; i < node->count; i++) {
        const DfpnChild *child = &children[i];
        uint64_t delta = delta_of(node, &child->value);
        if (child->move.is_hidden) {
            hidden++;
            continue;
        }
        if (delta == 0) {
            continue;
        }
        const DfpnChild *best = sum.best >= 0 ? &children[sum.best] : NULL;
        bool is_win = phi_of(node, &child->value) == 0;
        if (best == NULL || (is_win && sum.phi == 0 ? is_better_win(node, child, best)
                                                    : is_better(node, child, best))) {
            sum.second = sum.phi;
            sum.phi = phi_of(node, &child->value);
            sum.best = i;
        } else if (phi_of(node, &child->value) < sum.second) {
            sum.second = phi_of(node, &child->value);
        }
        largest = delta > largest ? delta : largest;
        total += delta;
        open++;
    }
    if (sum.best < 0) {
        return sum;
    }
    if (sum.phi == 0) {
        sum.delta = MATE_NUMBER_MAX;
        return sum;
    }
    /* The part of delta beyond the largest child: one for each other move, plus a little for hidden
     * moves. For the defender it is at least half of the sum of the other children's numbers. */
    uint64_t others = (uint64_t)(open - 1 + (hidden > 0 ? int_max(1, hidden / 8) : 0));
    uint64_t half = (total - largest) / 2;
    others = !node->is_or && half > others ? half : others;
    sum.others = others < MATE_OPEN_MAX - largest ? others : MATE_OPEN_MAX - largest;
    sum.delta = largest + sum.others;
    return sum;
}

static int add_ply(int len) {
    return len >= MATE_LEN_FREE - 1 ? len : len + 1;
}

/* The value of a node that its mover wins with this child. */
static MateValue won_value(const DfpnNode *node, const DfpnChild *child, const Position *pos) {
    if (node->is_or) {
        Hand hand = matehand_undo_proof(pos, child->move.move, child->value.hand);
        return dfpn_mated(hand, add_ply(child->value.len), child->move.move);
    }
    /* A refutation that relies only on repetitions of this node or of later ones holds on every
     * path. */
    int loop = child->value.loop >= node->depth ? MATE_NO_LOOP : child->value.loop;
    Hand hand = matehand_min(child->value.hand, matehand_total(pos));
    MateValue value = dfpn_failed(hand, add_ply(child->value.len), loop);
    value.move = child->move.move;
    return value;
}

/* The value of a node in which all moves of the mover lose. */
static MateValue lost_value(const DfpnNode *node, const DfpnChild *children, const Position *pos) {
    if (node->is_or) {
        Hand hand = matehand_total(pos);
        int len = MATE_LEN_FREE;
        int loop = MATE_NO_LOOP;
        for (int i = 0; i < node->count; i++) {
            const DfpnChild *child = &children[i];
            hand = matehand_min(hand,
                                matehand_undo_disproof(pos, child->move.move, child->value.hand));
            len = int_min(len, add_ply(child->value.len));
            loop = int_min(loop, child->value.loop);
        }
        hand = brink_has_quiet(pos, node->level) ? matehand_without_new_kinds(pos, hand)
                                                 : matehand_without_new_checks(pos, hand);
        return dfpn_failed(hand, len, loop >= node->depth ? MATE_NO_LOOP : loop);
    }
    Hand hand = matehand_monopoly(pos);
    int len = -1;
    for (int i = 0; i < node->count; i++) {
        const DfpnChild *child = &children[i];
        hand = matehand_max(hand, child->value.hand);
        len = int_max(len, child->value.len);
    }
    return dfpn_mated(hand, add_ply(len), MOVE_NONE);
}

/* The value of the node, whose position is *pos. If it is solved, the value includes its hand and
 * length. */
static MateValue value_of_node(const DfpnNode *node, const DfpnChild *children,
                               const DfpnSummary *sum, const Position *pos) {
    MateValue value;
    if (sum->phi == 0) {
        value = won_value(node, &children[sum->best], pos);
    } else if (sum->delta == 0) {
        value = lost_value(node, children, pos);
    } else {
        value = (MateValue){.pn = node->is_or ? sum->phi : sum->delta,
                            .dn = node->is_or ? sum->delta : sum->phi,
                            .loop = MATE_NO_LOOP,
                            .move = children[sum->best].move.move};
    }
    if (value.loop != MATE_NO_LOOP) {
        value.hand = pos->hand[node->is_or ? pos->side : color_flip(pos->side)];
    }
    value.depth = (int16_t)node->depth;
    return value;
}

/* ---- path ------------------------------------------------------------------------------------ */

/* The key of the path that leads to a position. */
static uint64_t path_to(const DfpnSearcher *searcher, MateKey key, int depth) {
    uint64_t before = depth > 0 ? searcher->path[depth - 1].path : 0;
    uint64_t mixed = (key.board ^ (uint64_t)key.hand * 0x9E3779B97F4A7C15) + (uint64_t)depth;
    mixed *= 0xBF58476D1CE4E5B9;
    return before ^ mixed ^ mixed >> 31;
}

/* The depth of the last position on the path with the same board and at least the same hand of the
 * attacker, so that he has made no progress since then; -1 if there is none. */
static int find_repetition(const DfpnSearcher *searcher, MateKey key) {
    int depth = searcher->heads[key.board % PATH_HEADS];
    while (depth >= 0) {
        const PathStep *step = &searcher->path[depth];
        if (step->key.board == key.board && hand_covers(step->key.hand, key.hand)) {
            return depth;
        }
        depth = step->previous;
    }
    return -1;
}

/* ---- moves ----------------------------------------------------------------------------------- */

/* The table distinguishes positions by attacking side. */
static MateKey key_of(const Position *pos, Color attacker) {
    uint64_t salt = attacker == BLACK ? 0 : 0xC2B2AE3D27D4EB4F;
    return (MateKey){.board = pos->now->board_key ^ salt, .hand = pos->hand[attacker]};
}

/* The attacker, from the root. */
static Color attacker_of(const DfpnShared *shared, const Position *root) {
    return shared->is_defence ? color_flip(root->side) : root->side;
}

/* The key of the root. If moves are excluded, the key differs from that of the same position
 * elsewhere; repetition detection does not use it. */
static MateKey key_of_root(const DfpnShared *shared, const Position *pos) {
    MateKey key = key_of(pos, attacker_of(shared, pos));
    key.board ^= brink_salt(shared->level);
    for (int i = 0; i < shared->excluded_count; i++) {
        key.board ^= ((uint64_t)shared->excluded[i] + 1) * 0xD6E8FEB86659FD93;
    }
    return key;
}

/* The key of the position after a move, at level 0. */
static MateKey key_after(const Position *pos, Color attacker, Move move) {
    MateKey key = key_of(pos, attacker);
    if (move == MOVE_NULL) {
        key.board ^= setup_zobrist_side;
        return key;
    }
    key.board ^= pos->now->board_key ^ pos_board_key_after(pos, move);
    if (pos->side != attacker) {
        return key;
    }
    if (move_is_drop(move)) {
        key.hand = hand_remove(key.hand, move_drop_type(move));
    } else if (pos_is_capture(pos, move)) {
        key.hand = hand_add(key.hand, pt_raw(piece_type(pos->board[move_to(move)])));
    }
    return key;
}

static void make_move(Position *pos, Move move) {
    if (move == MOVE_NULL) {
        pos_do_null(pos);
    } else {
        pos_do(pos, move);
    }
}

static void take_back(Position *pos, Move move) {
    if (move == MOVE_NULL) {
        pos_undo_null(pos);
    } else {
        pos_undo(pos);
    }
}

/* The proof hand of a position in which the attacker is to move and `move` mates. */
static Hand mate1_hand(Position *pos, Move move) {
    pos_do(pos, move);
    Hand after = matehand_monopoly(pos);
    pos_undo(pos);
    return matehand_undo_proof(pos, move, after);
}

/* Evaluates a position for the first time after a defender's move. The result is a mate in one, a
 * failure because there is no attack, or initial numbers. The initial numbers depend on the number
 * of checks, because each check must be shown to fail, and on the number of quiet moves if these
 * are allowed. */
static NO_INLINE void look_ahead(DfpnSearcher *searcher, DfpnChild *child, int len) {
    Position *pos = &searcher->pos;
    searcher->nodes++;
    make_move(pos, child->move.move);
    Move mate = len >= 1 ? mate1_find(pos) : MOVE_NONE;
    if (mate != MOVE_NONE) {
        child->value = dfpn_mated(mate1_hand(pos, mate), 1, mate);
    } else if (len <= 2) {
        child->value = dfpn_failed(child->key.hand, len >= 1 ? 2 : 0, MATE_NO_LOOP);
    } else {
        Move list[MAX_MOVES];
        int count = gen_moves(pos, GEN_CHECKS, list);
        bool has_quiet = brink_has_quiet(pos, child->level);
        child->value.dn = 1 + (uint64_t)count * 3 / 2 + (has_quiet ? 3 : 0);
        if (count == 0 && !has_quiet) {
            Hand hand = matehand_without_new_checks(pos, matehand_total(pos));
            child->value = dfpn_failed(hand, MATE_LEN_FREE, MATE_NO_LOOP);
        }
    }
    take_back(pos, child->move.move);
}

/* ---- simulation ------------------------------------------------------------------------------ */

static bool simulate_attack(DfpnSearcher *searcher, int depth, MateValue *value);

/* Simulation, with the defender to move and in check in both positions. Each answer must either be
 * legal and lose in the shadow position too, or be known to lose in this position. */
static bool simulate_defence(DfpnSearcher *searcher, int depth, MateValue *value) {
    Position *pos = &searcher->pos;
    Position *shadow = &searcher->shadow;
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    MateValue whole = dfpn_mated(matehand_monopoly(pos), -1, MOVE_NONE);
    bool mates = true;
    for (int i = 0; i < count && mates; i++) {
        bool is_same = move_is_legal(shadow, list[i]);
        MateValue answer;
        pos_do(pos, list[i]);
        answer = dfpn_probe(searcher->shared->table, pos, searcher->attacker, MATE_LEN_FREE);
        if (answer.pn != 0) {
            if (is_same) {
                pos_do(shadow, list[i]);
            }
            mates = is_same && simulate_attack(searcher, depth + 1, &answer);
            if (is_same) {
                pos_undo(shadow);
            }
        }
        pos_undo(pos);
        whole.hand = matehand_max(whole.hand, answer.hand);
        whole.len = (int16_t)int_max(whole.len, answer.len);
    }
    whole.len = (int16_t)(whole.len + 1);
    *value = whole;
    return mates;
}

/* Simulation, with the attacker to move in both positions. He mates in the shadow position. Returns
 * true if the same moves mate in this position; the result is then in *value and in the table. */
static bool simulate_attack(DfpnSearcher *searcher, int depth, MateValue *value) {
    Position *pos = &searcher->pos;
    Position *shadow = &searcher->shadow;
    searcher->nodes++;
    Move move = mate1_find(pos);
    if (move != MOVE_NONE) {
        *value = dfpn_mated(mate1_hand(pos, move), 1, move);
        return true;
    }
    MateValue behind =
        dfpn_probe(searcher->shared->table, shadow, searcher->attacker, MATE_LEN_FREE);
    move = behind.pn == 0 ? behind.move : mate1_find(shadow);
    if (depth >= SIMULATE_DEPTH || !move_is_legal(shadow, move) || !move_is_legal(pos, move) ||
        !pos_gives_check(pos, move)) {
        return false;
    }
    MateValue after;
    pos_do(pos, move);
    pos_do(shadow, move);
    bool mates = simulate_defence(searcher, depth + 1, &after);
    pos_undo(shadow);
    pos_undo(pos);
    if (mates) {
        *value = dfpn_mated(matehand_undo_proof(pos, move, after.hand), after.len + 1, move);
        value->depth = (int16_t)(depth < MAX_DEPTH ? depth : MAX_DEPTH);
        dfpn_tt_store(searcher->shared->table, key_of(pos, searcher->attacker), value);
    }
    return mates;
}

/* ---- children -------------------------------------------------------------------------------- */

/* Looks up the position at its level. A mate wins at every level. */
static bool probe_child(DfpnSearcher *searcher, const DfpnChild *child, int len, MateValue *value) {
    MateTable *table = searcher->shared->table;
    bool is_known = dfpn_tt_probe(table, child->key, len, value);
    if (child->level > BRINK_MATE && !(is_known && dfpn_is_solved(value))) {
        MateKey key = child->key;
        key.board ^= brink_salt(child->level);
        MateValue mate;
        if (dfpn_tt_probe(table, key, len, &mate) && mate.pn == 0) {
            *value = mate;
            return true;
        }
    }
    return is_known;
}

/* Fills in the known facts about the position after a move. */
static void evaluate_child(DfpnSearcher *searcher, const DfpnNode *node, int i) {
    DfpnChild *child = child_at(searcher, node, i);
    int len = node->len == MATE_LEN_FREE ? MATE_LEN_FREE : node->len - 1;
    int depth = node->depth + 1;
    int repeated = find_repetition(searcher, child->key);
    if (repeated >= 0) {
        child->value = dfpn_failed(child->key.hand, MATE_LEN_FREE, repeated);
        return;
    }
    if (probe_child(searcher, child, len, &child->value)) {
        if (!dfpn_is_solved(&child->value)) {
            child->is_old = child->value.depth < depth;
            if (dfpn_tt_probe_loop(searcher->shared->table, path_to(searcher, child->key, depth),
                                   len, &child->value)) {
                child->value.hand = child->key.hand;
            }
        }
        return;
    }
    child->value = (MateValue){.pn = child->move.pn,
                               .dn = child->move.dn,
                               .len = 0,
                               .depth = (int16_t)depth,
                               .loop = MATE_NO_LOOP};
    if (dfpn_tt_probe_loop(searcher->shared->table, path_to(searcher, child->key, depth), len,
                           &child->value)) {
        child->value.hand = child->key.hand;
        return;
    }
    child->is_new = true;
    if (node->is_or) {
        return;
    }
    look_ahead(searcher, child, len);
    if (node->level > BRINK_MATE && child->move.move != MOVE_NULL &&
        !dfpn_is_solved(&child->value) && !pos_in_check(&searcher->pos)) {
        /* Try the mate after a pass, whose position is the shadow, against this move. */
        MateValue value;
        pos_do(&searcher->pos, child->move.move);
        bool mates = simulate_attack(searcher, 0, &value);
        pos_undo(&searcher->pos);
        if (mates && value.len <= len) {
            child->value = value;
        }
    }
}

/* Child i is lost for the mover: reveals the moves hidden until then, one after another, until one
 * of them is not lost. */
static void reveal_next(DfpnSearcher *searcher, const DfpnNode *node, int i) {
    const DfpnChild *child = child_at(searcher, node, i);
    while (delta_of(node, &child->value) == 0 && child->move.next >= 0) {
        int next = child->move.next;
        DfpnChild *waiting = child_at(searcher, node, next);
        if (!waiting->move.is_hidden) {
            return;
        }
        waiting->move.is_hidden = false;
        evaluate_child(searcher, node, next);
        child = waiting;
    }
}

/* ---- a node ---------------------------------------------------------------------------------- */

/* Removes the excluded moves at the root. Moves that were hidden until these fail are no longer
 * hidden. */
static int without_excluded(const DfpnShared *shared, MateMove *moves, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        bool is_excluded = false;
        for (int k = 0; k < shared->excluded_count; k++) {
            is_excluded |= shared->excluded[k] == moves[i].move;
        }
        if (!is_excluded) {
            moves[kept] = moves[i];
            moves[kept].next = -1;
            moves[kept++].is_hidden = false;
        }
    }
    return kept;
}

/* Appends `count` moves to the node's children. Ends early if one of them wins for the mover. If
 * the search is stopped, the remaining children stay unsolved. */
static NO_INLINE void add_children(DfpnSearcher *searcher, DfpnNode *node, const MateMove *moves,
                                   int count) {
    const Position *pos = &searcher->pos;
    int before = node->count;
    node->count += count;
    searcher->child_count += (size_t)count;
    if (searcher->child_count > searcher->child_cap) {
        searcher->children = xmem_grow(searcher->children, &searcher->child_cap,
                                       searcher->child_count, sizeof(DfpnChild));
    }
    for (int i = before; i < node->count; i++) {
        DfpnChild *child = child_at(searcher, node, i);
        const MateMove *move = &moves[i - before];
        int level = node->level == BRINK_MATE || move->move == MOVE_NULL ? BRINK_MATE
                    : node->is_or ? brink_after(pos, node->level, pos_gives_check(pos, move->move))
                                  : node->level;
        *child = (DfpnChild){.move = *move,
                             .key = key_after(pos, searcher->attacker, move->move),
                             .level = (int8_t)level,
                             .value = {.pn = 1, .dn = 1, .loop = MATE_NO_LOOP}};
        child->move.next = (int16_t)(move->next >= 0 ? move->next + before : -1);
        child->key.board ^= brink_salt(child->level);
        if (!move->is_hidden) {
            dfpn_tt_prefetch(searcher->shared->table, child->key.board);
            dfpn_tt_prefetch_loop(searcher->shared->table,
                                  path_to(searcher, child->key, node->depth + 1));
        }
    }
    /* The stop flag is read for every move, because in a fresh table each lookup may have to wait
     * until the system has cleared a page. */
    const atomic_bool *stop = searcher->shared->stop;
    for (int i = before; i < node->count; i++) {
        searcher->is_stopped |= flag_is_set(stop);
        if (searcher->is_stopped) {
            return;
        }
        if (!moves[i - before].is_hidden) {
            evaluate_child(searcher, node, i);
            reveal_next(searcher, node, i);
            if (phi_of(node, &child_at(searcher, node, i)->value) == 0) {
                return;
            }
        }
    }
}

/* Appends the other moves after a quiet move, once the pass is known to lose. Like expand, it is
 * not inlined: its list of moves would be in every frame of search_node, thousands of which are on
 * the stack at once. */
static NO_INLINE void list_replies(DfpnSearcher *searcher, DfpnNode *node) {
    if (child_at(searcher, node, 0)->value.pn != 0) {
        return;
    }
    MateMove moves[MAX_MOVES];
    int count = matemoves_replies(&searcher->pos, moves);
    node->waits = false;
    pos_copy(&searcher->shadow, &searcher->pos);
    pos_do_null(&searcher->shadow);
    add_children(searcher, node, moves, count);
}

/* Appends the moves of a node. */
static NO_INLINE void expand(DfpnSearcher *searcher, DfpnNode *node) {
    const Position *pos = &searcher->pos;
    node->first = searcher->child_count;
    if (!node->is_or && !pos_in_check(pos)) {
        static const MateMove pass = {.move = MOVE_NULL, .next = -1, .pn = 4, .dn = 1};
        node->waits = true;
        add_children(searcher, node, &pass, 1);
        list_replies(searcher, node);
        return;
    }
    MateMove moves[MAX_MOVES];
    int count = !node->is_or                        ? matemoves_evasions(pos, moves)
                : brink_has_quiet(pos, node->level) ? matemoves_attacks(pos, moves)
                                                    : matemoves_checks(pos, moves);
    if (node->is_or && node->depth == 0 && searcher->shared->excluded_count > 0) {
        count = without_excluded(searcher->shared, moves, count);
    }
    add_children(searcher, node, moves, count);
}

/* ---- search ---------------------------------------------------------------------------------- */

static void report(DfpnSearcher *searcher, uint64_t total) {
    DfpnShared *shared = searcher->shared;
    if (shared->report == NULL || searcher->index != 0 ||
        searcher->nodes < searcher->reported + REPORT_NODES) {
        return;
    }
    searcher->reported = searcher->nodes;
    Move line[MAX_DEPTH];
    int depth = shared->begins_inside ? 0 : pos_moves_done(&searcher->pos) - searcher->root_moves;
    for (int i = 0; i < depth; i++) {
        line[i] = searcher->pos.states[searcher->root_moves + i + 1].move;
    }
    MateProgress progress = {.nodes = shared->nodes_before + total,
                             .pn = shared->begins_inside ? 0 : searcher->root_at.pn,
                             .dn = shared->begins_inside ? 0 : searcher->root_at.dn,
                             .depth = depth,
                             .hash_permille = dfpn_tt_hashfull(shared->table),
                             .line = line};
    shared->report(shared->report_context, &progress);
}

static NO_INLINE void poll(DfpnSearcher *searcher) {
    DfpnShared *shared = searcher->shared;
    uint64_t fresh = searcher->nodes - searcher->polled;
    searcher->polled = searcher->nodes;
    uint64_t total = atomic_fetch_add_explicit(&shared->nodes, fresh, memory_order_relaxed) + fresh;
    searcher->is_stopped |=
        total >= shared->node_limit || atomic_load_explicit(&shared->is_done, memory_order_relaxed);
    report(searcher, total);
}

/* A position to search, after the move to it has been made. */
typedef struct Visit {
    MateKey key;
    int len;
    int depth;
    int level;
} Visit;

static MateValue search_node(DfpnSearcher *searcher, const Visit *visit, Bounds bounds);

static _Atomic uint8_t *visitors_of(const DfpnSearcher *searcher, MateKey key) {
    _Atomic uint8_t *visitors = searcher->shared->visitors;
    uint64_t mixed = (key.board ^ key.hand) * 0x9E3779B97F4A7C15;
    return visitors != NULL ? &visitors[mixed >> 48] : NULL;
}

/* If another searcher is in the position of the best child, raises the child's number, but only
 * once. Returns true if it did, because another move may now be the best. */
static bool yields(const DfpnSearcher *searcher, const DfpnNode *node, DfpnChild *child) {
    _Atomic uint8_t *visitors = visitors_of(searcher, child->key);
    if (visitors == NULL || child->has_yielded || dfpn_is_solved(&child->value) ||
        atomic_load_explicit(visitors, memory_order_relaxed) == 0) {
        return false;
    }
    uint64_t *phi = node->is_or ? &child->value.pn : &child->value.dn;
    uint64_t raised = *phi + 1 + *phi / 4;
    *phi = raised < MATE_OPEN_MAX ? raised : MATE_OPEN_MAX;
    child->has_yielded = true;
    return true;
}

static void search_child(DfpnSearcher *searcher, const DfpnNode *node, const DfpnSummary *sum,
                         Bounds bounds) {
    DfpnChild *child = child_at(searcher, node, sum->best);
    int len = node->len == MATE_LEN_FREE ? MATE_LEN_FREE : node->len - 1;
    if (child->is_new) {
        searcher->grace -= searcher->grace > 0;
        child->is_new = false;
    } else {
        MateValue value = child->value;
        if (probe_child(searcher, child, len, &value) && dfpn_is_solved(&value)) {
            child->value = value;
            reveal_next(searcher, node, sum->best);
            return;
        }
    }
    if (yields(searcher, node, child)) {
        return;
    }
    MateKey key = child->key;
    Move move = child->move.move;
    _Atomic uint8_t *visitors = visitors_of(searcher, key);
    if (visitors != NULL) {
        atomic_fetch_add_explicit(visitors, 1, memory_order_relaxed);
    }
    Visit visit = {.key = key, .len = len, .depth = node->depth + 1, .level = child->level};
    /* The thresholds of the child, from the point of view of the side to move there. */
    uint64_t above = sum->second + 1 + sum->second / 8;
    Bounds below = {.phi = bounds.delta - sum->others,
                    .delta = above < bounds.phi ? above : bounds.phi};
    make_move(&searcher->pos, move);
    MateValue value = search_node(searcher, &visit, below);
    take_back(&searcher->pos, move);
    if (visitors != NULL) {
        atomic_fetch_sub_explicit(visitors, 1, memory_order_relaxed);
    }
    child = child_at(searcher, node, sum->best);
    child->value = value;
    child->has_yielded = false;
    reveal_next(searcher, node, sum->best);
}

/* Searches a node until phi or delta reaches its threshold. */
static MateValue search_node(DfpnSearcher *searcher, const Visit *visit, Bounds bounds) {
    MateKey key = visit->key;
    int depth = visit->depth;
    DfpnNode node = {.depth = depth,
                     .len = visit->len,
                     .level = visit->level,
                     .is_or = searcher->pos.side == searcher->attacker,
                     .taste = searcher->index % 2 == 0 ? 1 : -1};
    if (depth >= MAX_DEPTH) {
        return dfpn_failed(key.hand, visit->len, DEPTH_LOOP);
    }
    uint64_t nodes_before = searcher->nodes;
    int grace_before = searcher->grace;
    searcher->nodes++;
    if (searcher->nodes - searcher->polled >= POLL_NODES) {
        poll(searcher);
    }
    PathStep *step = &searcher->path[depth];
    int *head = &searcher->heads[key.board % PATH_HEADS];
    *step = (PathStep){.key = key, .path = path_to(searcher, key, depth), .previous = *head};
    *head = depth;
    expand(searcher, &node);
    DfpnSummary sum = summarize(&node, first_child(searcher, &node));
    /* The best child may lead back to a node on the path. The other children do not matter, because
     * they are not searched now. */
    searcher->grace += sum.best >= 0 && child_at(searcher, &node, sum.best)->is_old;
    while (sum.phi != 0 && sum.delta != 0 && !searcher->is_stopped) {
        if (depth == 0) {
            searcher->root_at = (MateValue){.pn = node.is_or ? sum.phi : sum.delta,
                                            .dn = node.is_or ? sum.delta : sum.phi};
        }
        Bounds widened = bounds;
        if (searcher->grace > 0) {
            widened.phi = sum.phi >= bounds.phi ? sum.phi + 1 : bounds.phi;
            widened.delta = sum.delta >= bounds.delta ? sum.delta + 1 : bounds.delta;
        }
        if (sum.phi >= widened.phi || sum.delta >= widened.delta) {
            break;
        }
        search_child(searcher, &node, &sum, widened);
        if (node.waits) {
            list_replies(searcher, &node);
        }
        sum = summarize(&node, first_child(searcher, &node));
    }
    searcher->grace = int_min(searcher->grace, grace_before);
    MateValue value = value_of_node(&node, first_child(searcher, &node), &sum, &searcher->pos);
    uint64_t work = searcher->nodes - nodes_before;
    value.work = work < UINT32_MAX ? (uint32_t)work : UINT32_MAX;
    if ((!searcher->is_stopped || dfpn_is_solved(&value)) && value.loop == MATE_NO_LOOP) {
        dfpn_tt_store(searcher->shared->table, depth > 0 ? key : searcher->root_key, &value);
    } else if (!searcher->is_stopped || dfpn_is_solved(&value)) {
        dfpn_tt_store_loop(searcher->shared->table, step->path, &value);
    }
    *head = step->previous;
    searcher->child_count = node.first;
    return value;
}

MateValue dfpn_search(DfpnShared *shared, const Position *pos, int index, int len) {
    /* The path is long, and each step is written before it is read. */
    DfpnSearcher *searcher = xmem_alloc(1, sizeof(*searcher));
    memset(searcher, 0, offsetof(DfpnSearcher, path));
    memset(searcher->heads, -1, sizeof(searcher->heads));
    searcher->shared = shared;
    searcher->index = index;
    searcher->attacker = attacker_of(shared, pos);
    searcher->root_moves = pos_moves_done(pos);
    pos_init_copy(&searcher->pos, pos);
    bool has_shadow = shared->level > BRINK_MATE || shared->model != NULL;
    if (has_shadow) {
        pos_init(&searcher->shadow);
    }
    MateKey key = key_of(&searcher->pos, searcher->attacker);
    MateValue value = {.pn = 1, .dn = 1, .loop = MATE_NO_LOOP};
    int level = shared->level;
    key.board ^= brink_salt(level);
    Visit visit = {.key = key, .len = len, .level = level};
    searcher->root_key = key_of_root(shared, &searcher->pos);
    if (shared->model != NULL) {
        MateValue mate;
        pos_copy(&searcher->shadow, shared->model);
        value = simulate_attack(searcher, 0, &mate) && mate.len <= len ? mate : value;
    }
    while (!dfpn_is_solved(&value) && !searcher->is_stopped) {
        uint64_t phi = shared->is_defence ? value.dn : value.pn;
        uint64_t delta = shared->is_defence ? value.pn : value.dn;
        Bounds bounds = {.phi = phi + phi / 2 + 1, .delta = delta + delta / 2 + 1};
        searcher->grace = 0;
        value = search_node(searcher, &visit, bounds);
    }
    uint64_t rest = searcher->nodes - searcher->polled;
    atomic_fetch_add_explicit(&shared->nodes, rest, memory_order_relaxed);
    if (mate_value_is_final(&value)) {
        atomic_store_explicit(&shared->is_done, true, memory_order_relaxed);
    }
    pos_free(&searcher->pos);
    if (has_shadow) {
        pos_free(&searcher->shadow);
    }
    free(searcher->children);
    free(searcher);
    return value;
}

MateValue dfpn_probe(MateTable *table, const Position *pos, Color attacker, int len) {
    MateValue value = {.pn = 1, .dn = 1, .loop = MATE_NO_LOOP};
    dfpn_tt_probe(table, key_of(pos, attacker), len, &value);
    return value;
}

MateValue dfpn_probe_level(const DfpnShared *shared, const Position *pos, Color attacker, int len) {
    MateValue value = dfpn_probe(shared->table, pos, attacker, len);
    if (shared->level > BRINK_MATE && value.pn != 0) {
        MateKey key = key_of(pos, attacker);
        key.board ^= brink_salt(shared->level);
        value = (MateValue){.pn = 1, .dn = 1, .loop = MATE_NO_LOOP};
        dfpn_tt_probe(shared->table, key, len, &value);
    }
    return value;
}

void dfpn_store_level(const DfpnShared *shared, const Position *pos, Color attacker,
                      const MateValue *value) {
    MateKey key = key_of(pos, attacker);
    key.board ^= brink_salt(shared->level);
    dfpn_tt_store(shared->table, key, value);
}

MateValue dfpn_probe_root(const DfpnShared *shared, const Position *pos, int len) {
    MateValue value = {.pn = 1, .dn = 1, .loop = MATE_NO_LOOP};
    dfpn_tt_probe(shared->table, key_of_root(shared, pos), len, &value);
    return value;
}
