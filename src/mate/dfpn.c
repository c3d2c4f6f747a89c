#include "mate/dfpn.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "mate/mate1.h"
#include "mate/matehand.h"
#include "mate/matemoves.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/zobrist.h"

enum {
    MAX_DEPTH = 4000,
    PATH_HEADS = 4096,
    POLL_NODES = 256, /* between two looks at what the searchers share */
    REPORT_NODES = 20000,
    DEPTH_LOOP = -1 /* the "repetition" of a line that became too long: true of no path */
};

/* One move of a node on the path, with what is known of the position behind it. */
typedef struct Child {
    MateMove move;
    MateKey key;
    MateValue value;
    bool is_new; /* never searched before: a leaf */
    bool is_old; /* known from a shallower place: it may lead back there */
} Child;

typedef struct PathStep {
    MateKey key;
    uint64_t path; /* key of the way from the root to here */
    int previous;  /* depth of the step before in the same list, or -1 */
} PathStep;

struct DfpnSearcher {
    DfpnShared *shared;
    Position pos;
    Color attacker;
    Child *children; /* of all nodes on the path, one after the other */
    size_t child_count;
    size_t child_cap;
    uint64_t nodes;
    uint64_t polled;   /* nodes already added to the shared count */
    uint64_t reported; /* nodes at the last report */
    int grace;         /* new leaves still to be opened beyond the thresholds */
    bool is_stopped;
    int index;
    int root_moves; /* moves done in pos before the search */
    int heads[PATH_HEADS];
    PathStep path[MAX_DEPTH + 2];
};

/* The node being searched. phi is the number its mover wants small (pn for the attacker), delta the
 * other one. */
typedef struct Node {
    size_t first;
    int count;
    int depth;
    int len;
    bool is_or; /* the attacker is to move */
    int taste;  /* 1 or -1: which of equal moves comes first; sends the threads different ways */
} Node;

/* phi and delta thresholds. */
typedef struct Bounds {
    uint64_t phi;
    uint64_t delta;
} Bounds;

/* The numbers of a node, made from its children. */
typedef struct Summary {
    uint64_t phi;
    uint64_t delta;
    uint64_t second; /* phi of the second best child */
    uint64_t others; /* what delta holds beside the largest child */
    int best;
} Summary;

static Child *child_at(const DfpnSearcher *searcher, const Node *node, int i) {
    ASSERT(i >= 0 && i < node->count);
    return &searcher->children[node->first + (size_t)i];
}

static uint64_t phi_of(const Node *node, const MateValue *value) {
    return node->is_or ? value->pn : value->dn;
}

static uint64_t delta_of(const Node *node, const MateValue *value) {
    return node->is_or ? value->dn : value->pn;
}

static bool is_solved(const MateValue *value) {
    return value->pn == 0 || value->dn == 0;
}

/* ---- path ------------------------------------------------------------------------------------ */

static uint64_t mix_path(MateKey key, int depth) {
    uint64_t mixed = (key.board ^ (uint64_t)key.hand * 0x9E3779B97F4A7C15) + (uint64_t)depth;
    mixed *= 0xBF58476D1CE4E5B9;
    return mixed ^ mixed >> 31;
}

static uint64_t path_to(const DfpnSearcher *searcher, MateKey key, int depth) {
    uint64_t before = depth > 0 ? searcher->path[depth - 1].path : 0;
    return before ^ mix_path(key, depth);
}

static void push_path(DfpnSearcher *searcher, MateKey key, int depth) {
    int *head = &searcher->heads[key.board % PATH_HEADS];
    searcher->path[depth] =
        (PathStep){.key = key, .path = path_to(searcher, key, depth), .previous = *head};
    *head = depth;
}

static void pop_path(DfpnSearcher *searcher, int depth) {
    const PathStep *step = &searcher->path[depth];
    searcher->heads[step->key.board % PATH_HEADS] = step->previous;
}

/* The depth of the latest position on the path with the same board and at least the attacker's hand
 * of now: the attacker has got nowhere since. -1 when there is none. */
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

/* ---- values ---------------------------------------------------------------------------------- */

static MateValue value_failed(Hand hand, int len, int loop) {
    return (MateValue){.pn = MATE_NUMBER_MAX,
                       .dn = 0,
                       .hand = hand,
                       .work = 1,
                       .len = (int16_t)len,
                       .loop = (int16_t)loop};
}

static MateValue value_mated(Hand hand, int len, Move move) {
    return (MateValue){.pn = 0,
                       .dn = MATE_NUMBER_MAX,
                       .hand = hand,
                       .work = 1,
                       .len = (int16_t)len,
                       .loop = MATE_NO_LOOP,
                       .move = move};
}

/* The board key and the attacker's hand after a move. */
static MateKey key_after(const Position *pos, Color attacker, Move move) {
    MateKey key = {.board = pos->now->board_key ^ zobrist_side, .hand = pos->hand[attacker]};
    Color us = pos->side;
    Square to = move_to(move);
    if (move_is_drop(move)) {
        PieceType type = move_drop_type(move);
        key.board ^= zobrist_board[piece_make(us, type)][to];
        key.hand = us == attacker ? hand_remove(key.hand, type) : key.hand;
        return key;
    }
    Square from = move_from(move);
    Piece piece = pos->board[from];
    Piece captured = pos->board[to];
    key.board ^= zobrist_board[piece][from];
    key.board ^= zobrist_board[move_is_promotion(move) ? piece | PROMOTED : piece][to];
    if (captured != NO_PIECE) {
        key.board ^= zobrist_board[captured][to];
        if (us == attacker) {
            key.hand = hand_add(key.hand, pt_raw(piece_type(captured)));
        }
    }
    return key;
}

/* The proof hand of a position, the attacker to move, that `move` mates. */
static Hand mate1_hand(Position *pos, Move move) {
    pos_do(pos, move);
    Hand after = matehand_monopoly(pos);
    pos_undo(pos);
    return matehand_undo_proof(pos, move, after);
}

/* A first look at a position behind an evasion: mate in one, or no check at all, or else so many
 * checks, each of which must be shown to fail. */
static NO_INLINE void look_ahead(DfpnSearcher *searcher, Child *child, int len) {
    Position *pos = &searcher->pos;
    pos_do(pos, child->move.move);
    Move mate = len >= 1 ? mate1_find(pos) : MOVE_NONE;
    if (mate != MOVE_NONE) {
        child->value = value_mated(mate1_hand(pos, mate), 1, mate);
    } else if (len <= 2) {
        child->value = value_failed(child->key.hand, len >= 1 ? 2 : 0, MATE_NO_LOOP);
    } else {
        Move list[MAX_MOVES];
        int count = gen_moves(pos, GEN_CHECKS, list);
        if (count == 0) {
            Hand hand = matehand_without_new_checks(pos, matehand_total(pos));
            child->value = value_failed(hand, MATE_LEN_FREE, MATE_NO_LOOP);
        } else {
            child->value.dn = 1 + (uint64_t)count * 3 / 2;
        }
    }
    pos_undo(pos);
}

/* Finds out what is known of the position behind a move. */
static void evaluate_child(DfpnSearcher *searcher, const Node *node, int i) {
    Child *child = child_at(searcher, node, i);
    int len = node->len == MATE_LEN_FREE ? MATE_LEN_FREE : node->len - 1;
    int depth = node->depth + 1;
    int repeated = find_repetition(searcher, child->key);
    if (repeated >= 0) {
        child->value = value_failed(child->key.hand, MATE_LEN_FREE, repeated);
        return;
    }
    if (matetable_look(searcher->shared->table, child->key, len, &child->value)) {
        if (!is_solved(&child->value)) {
            child->is_old = child->value.depth < depth;
            if (matetable_look_loop(searcher->shared->table, path_to(searcher, child->key, depth),
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
    if (matetable_look_loop(searcher->shared->table, path_to(searcher, child->key, depth), len,
                            &child->value)) {
        child->value.hand = child->key.hand;
        return;
    }
    child->is_new = true;
    searcher->nodes++;
    if (!node->is_or) {
        look_ahead(searcher, child, len);
    }
}

/* Shows the moves that waited for child i, which is lost for the mover, until one is not lost. */
static void reveal_next(DfpnSearcher *searcher, const Node *node, int i) {
    const Child *child = child_at(searcher, node, i);
    while (delta_of(node, &child->value) == 0 && child->move.next >= 0) {
        int next = child->move.next;
        Child *waiting = child_at(searcher, node, next);
        if (!waiting->move.is_hidden) {
            return;
        }
        waiting->move.is_hidden = false;
        evaluate_child(searcher, node, next);
        child = waiting;
    }
}

/* ---- a node ---------------------------------------------------------------------------------- */

/* Looks at the stop flag. That is done for every move, for in a fresh table each look may have to
 * wait for the system to clear a page. */
static bool sees_stop(DfpnSearcher *searcher) {
    const atomic_bool *stop = searcher->shared->stop;
    searcher->is_stopped |= stop != NULL && atomic_load_explicit(stop, memory_order_relaxed);
    return searcher->is_stopped;
}

/* Lists the moves. Ends early when one of them wins for the mover, and at the stop flag with the
 * rest of them open. */
static NO_INLINE void expand(DfpnSearcher *searcher, Node *node) {
    Position *pos = &searcher->pos;
    MateMove moves[MAX_MOVES];
    node->count = node->is_or ? matemoves_checks(pos, moves) : matemoves_evasions(pos, moves);
    node->first = searcher->child_count;
    searcher->child_count += (size_t)node->count;
    if (searcher->child_count > searcher->child_cap) {
        searcher->children = xmem_grow(searcher->children, &searcher->child_cap,
                                       searcher->child_count, sizeof(Child));
    }
    for (int i = 0; i < node->count; i++) {
        Child *child = child_at(searcher, node, i);
        *child = (Child){.move = moves[i],
                         .key = key_after(pos, searcher->attacker, moves[i].move),
                         .value = {.pn = 1, .dn = 1, .loop = MATE_NO_LOOP}};
        if (!moves[i].is_hidden) {
            matetable_prefetch(searcher->shared->table, child->key.board);
            matetable_prefetch_loop(searcher->shared->table,
                                    path_to(searcher, child->key, node->depth + 1));
        }
    }
    for (int i = 0; i < node->count && !sees_stop(searcher); i++) {
        if (!moves[i].is_hidden) {
            evaluate_child(searcher, node, i);
            reveal_next(searcher, node, i);
            if (phi_of(node, &child_at(searcher, node, i)->value) == 0) {
                return;
            }
        }
    }
}

/* True when a comes before b in the mover's eyes. */
static bool is_better(const Node *node, const Child *a, const Child *b) {
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

/* A won child: for the attacker the shortest mate, for the defender the failure that depends least
 * on the path. */
static bool is_better_win(const Node *node, const Child *a, const Child *b) {
    if (node->is_or) {
        return a->value.len < b->value.len;
    }
    return a->value.loop > b->value.loop;
}

/* Puts the numbers of a node together. */
static Summary summarize(const DfpnSearcher *searcher, const Node *node) {
    Summary sum = {.phi = MATE_NUMBER_MAX, .second = MATE_NUMBER_MAX, .best = -1};
    uint64_t largest = 0;
    int open = 0;
    int hidden = 0;
    for (int i = 0; i < node->count; i++) {
        const Child *child = child_at(searcher, node, i);
        uint64_t delta = delta_of(node, &child->value);
        if (child->move.is_hidden) {
            hidden++;
            continue;
        }
        if (delta == 0) {
            continue;
        }
        const Child *best = sum.best >= 0 ? child_at(searcher, node, sum.best) : NULL;
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
        open++;
    }
    if (sum.best < 0) {
        return sum;
    }
    if (sum.phi == 0) {
        sum.delta = MATE_NUMBER_MAX;
        return sum;
    }
    sum.others = (uint64_t)(open - 1) + (hidden > 0 ? (uint64_t)int_max(1, hidden / 8) : 0);
    sum.delta = largest + sum.others;
    return sum;
}

static int longer(int len) {
    return len >= MATE_LEN_FREE - 1 ? len : len + 1;
}

/* The value of a node that its mover has won by the best child. */
static MateValue won_value(const DfpnSearcher *searcher, const Node *node, int best) {
    const Child *child = child_at(searcher, node, best);
    const Position *pos = &searcher->pos;
    if (node->is_or) {
        Hand hand = matehand_undo_proof(pos, child->move.move, child->value.hand);
        return value_mated(hand, longer(child->value.len), child->move.move);
    }
    int loop = child->value.loop >= node->depth ? MATE_NO_LOOP : child->value.loop;
    Hand hand = hand_min(child->value.hand, matehand_total(pos));
    return value_failed(hand, longer(child->value.len), loop);
}

/* The value of a node all of whose moves are lost for the mover. */
static MateValue lost_value(const DfpnSearcher *searcher, const Node *node) {
    const Position *pos = &searcher->pos;
    if (node->is_or) {
        Hand hand = matehand_total(pos);
        int len = MATE_LEN_FREE;
        int loop = MATE_NO_LOOP;
        for (int i = 0; i < node->count; i++) {
            const Child *child = child_at(searcher, node, i);
            hand = hand_min(hand, matehand_undo_disproof(pos, child->move.move, child->value.hand));
            len = int_min(len, longer(child->value.len));
            loop = int_min(loop, child->value.loop);
        }
        hand = matehand_without_new_checks(pos, hand);
        return value_failed(hand, len, loop >= node->depth ? MATE_NO_LOOP : loop);
    }
    Hand hand = matehand_monopoly(pos);
    int len = -1;
    for (int i = 0; i < node->count; i++) {
        const Child *child = child_at(searcher, node, i);
        hand = hand_max(hand, child->value.hand);
        len = int_max(len, child->value.len);
    }
    return value_mated(hand, longer(len), MOVE_NONE);
}

static MateValue node_value(const DfpnSearcher *searcher, const Node *node, const Summary *sum) {
    MateValue value;
    if (sum->phi == 0) {
        value = won_value(searcher, node, sum->best);
    } else if (sum->delta == 0) {
        value = lost_value(searcher, node);
    } else {
        value = (MateValue){.pn = node->is_or ? sum->phi : sum->delta,
                            .dn = node->is_or ? sum->delta : sum->phi,
                            .loop = MATE_NO_LOOP,
                            .move = child_at(searcher, node, sum->best)->move.move};
    }
    if (value.loop != MATE_NO_LOOP) {
        value.hand = searcher->pos.hand[searcher->attacker];
    }
    value.depth = (int16_t)node->depth;
    return value;
}

static void remember(DfpnSearcher *searcher, const Node *node, const MateValue *value) {
    const PathStep *step = &searcher->path[node->depth];
    if (value->loop == MATE_NO_LOOP) {
        matetable_store(searcher->shared->table, step->key, value);
    } else {
        matetable_store_loop(searcher->shared->table, step->path, value);
    }
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
    int depth = pos_moves_done(&searcher->pos) - searcher->root_moves;
    for (int i = 0; i < depth; i++) {
        line[i] = searcher->pos.states[searcher->root_moves + i + 1].move;
    }
    MateProgress progress = {.nodes = total,
                             .depth = depth,
                             .hash_permille = matetable_fill(shared->table),
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

/* True when the best child may lead back to a node on the path. The others do not matter: they are
 * not searched yet. */
static bool is_best_old(const DfpnSearcher *searcher, const Node *node, const Summary *sum) {
    return sum->best >= 0 && child_at(searcher, node, sum->best)->is_old;
}

/* The thresholds for the best child, seen from its own mover. `index` is the searcher's: the others
 * stay with a child for longer than the first does. */
static Bounds child_bounds(const Summary *sum, Bounds bounds, int index) {
    uint64_t above = sum->second + 1 + sum->second * (uint64_t)(1 + index % 4) / 8;
    return (Bounds){.phi = bounds.delta - sum->others,
                    .delta = above < bounds.phi ? above : bounds.phi};
}

static MateValue search_node(DfpnSearcher *searcher, MateKey key, Bounds bounds, int len,
                             int depth);

static void search_child(DfpnSearcher *searcher, const Node *node, const Summary *sum,
                         Bounds bounds) {
    Child *child = child_at(searcher, node, sum->best);
    int len = node->len == MATE_LEN_FREE ? MATE_LEN_FREE : node->len - 1;
    if (child->is_new) {
        searcher->grace -= searcher->grace > 0;
        child->is_new = false;
    } else {
        MateValue value = child->value;
        if (matetable_look(searcher->shared->table, child->key, len, &value) && is_solved(&value)) {
            child->value = value;
            reveal_next(searcher, node, sum->best);
            return;
        }
    }
    MateKey key = child->key;
    pos_do(&searcher->pos, child->move.move);
    MateValue value = search_node(searcher, key, child_bounds(sum, bounds, searcher->index), len,
                                  node->depth + 1);
    pos_undo(&searcher->pos);
    child = child_at(searcher, node, sum->best);
    child->value = value;
    reveal_next(searcher, node, sum->best);
}

/* Searches until phi or delta reaches its threshold. The move to here has been made. */
static MateValue search_node(DfpnSearcher *searcher, MateKey key, Bounds bounds, int len,
                             int depth) {
    Node node = {.depth = depth,
                 .len = len,
                 .is_or = searcher->pos.side == searcher->attacker,
                 .taste = searcher->index % 2 == 0 ? 1 : -1};
    if (depth >= MAX_DEPTH) {
        return value_failed(key.hand, len, DEPTH_LOOP);
    }
    uint64_t nodes_before = searcher->nodes;
    int grace_before = searcher->grace;
    searcher->nodes++;
    if (searcher->nodes - searcher->polled >= POLL_NODES) {
        poll(searcher);
    }
    push_path(searcher, key, depth);
    expand(searcher, &node);
    Summary sum = summarize(searcher, &node);
    searcher->grace += is_best_old(searcher, &node, &sum);
    while (sum.phi != 0 && sum.delta != 0 && !searcher->is_stopped) {
        Bounds widened = bounds;
        if (searcher->grace > 0) {
            widened.phi = sum.phi >= bounds.phi ? sum.phi + 1 : bounds.phi;
            widened.delta = sum.delta >= bounds.delta ? sum.delta + 1 : bounds.delta;
        }
        if (sum.phi >= widened.phi || sum.delta >= widened.delta) {
            break;
        }
        search_child(searcher, &node, &sum, widened);
        sum = summarize(searcher, &node);
    }
    searcher->grace = int_min(searcher->grace, grace_before);
    MateValue value = node_value(searcher, &node, &sum);
    uint64_t work = searcher->nodes - nodes_before;
    value.work = work < UINT32_MAX ? (uint32_t)work : UINT32_MAX;
    if (!searcher->is_stopped || is_solved(&value)) {
        remember(searcher, &node, &value);
    }
    pop_path(searcher, depth);
    searcher->child_count = node.first;
    return value;
}

DfpnSearcher *dfpn_new(DfpnShared *shared, const Position *pos, int index) {
    DfpnSearcher *searcher = xmem_calloc(1, sizeof(*searcher));
    searcher->shared = shared;
    searcher->index = index;
    searcher->attacker = pos->side;
    pos_init(&searcher->pos);
    pos_copy(&searcher->pos, pos);
    searcher->root_moves = pos_moves_done(pos);
    memset(searcher->heads, -1, sizeof(searcher->heads));
    return searcher;
}

void dfpn_free(DfpnSearcher *searcher) {
    pos_free(&searcher->pos);
    free(searcher->children);
    free(searcher);
}

MateValue dfpn_search(DfpnSearcher *searcher, int len) {
    const Position *pos = &searcher->pos;
    MateKey key = {.board = pos->now->board_key, .hand = pos->hand[searcher->attacker]};
    MateValue value = {.pn = 1, .dn = 1, .loop = MATE_NO_LOOP};
    searcher->is_stopped = false;
    while (!is_solved(&value) && !searcher->is_stopped) {
        Bounds bounds = {.phi = value.pn + value.pn / 2 + 1, .delta = value.dn + value.dn / 2 + 1};
        searcher->grace = 0;
        value = search_node(searcher, key, bounds, len, 0);
    }
    uint64_t rest = searcher->nodes - searcher->polled;
    atomic_fetch_add_explicit(&searcher->shared->nodes, rest, memory_order_relaxed);
    searcher->polled = searcher->nodes;
    if (is_solved(&value) && value.loop == MATE_NO_LOOP) {
        atomic_store_explicit(&searcher->shared->is_done, true, memory_order_relaxed);
    }
    return value;
}

MateValue dfpn_look(MateTable *table, const Position *pos, Color attacker, int len) {
    MateKey key = {.board = pos->now->board_key, .hand = pos->hand[attacker]};
    MateValue value = {.pn = 1, .dn = 1, .loop = MATE_NO_LOOP};
    matetable_look(table, key, len, &value);
    return value;
}
