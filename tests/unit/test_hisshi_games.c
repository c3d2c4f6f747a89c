/* Compares brinkmates in positions from games with the results of a checker that shares no code
 * with the solver. The checker is a plain proof-number search (Nagai 2002) with its own table. */
#include "mate/hisshi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fileio.h"
#include "base/str.h"
#include "base/xmem.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "unit.h"

/* ---- the checker ----------------------------------------------------------------------------- */

enum { INFINITE = 100000000, PLIES_MAX = 200, SLOTS = 1 << 20 };

typedef struct Slot {
    uint64_t key;
    uint32_t pn;
    uint32_t dn;
} Slot;

typedef struct Checker {
    Slot *slots;
    uint64_t nodes;
    uint64_t limit;
    Color attacker;
    uint64_t path[PLIES_MAX];
} Checker;

/* A node: the position, and whether the attacker may only give check, even after a check by the
 * defender. */
typedef struct Node {
    int ply;
    bool is_pure;
    uint64_t key;
} Node;

static Node node_at(const Position *pos, int ply, bool is_pure) {
    return (Node){
        .ply = ply, .is_pure = is_pure, .key = pos_key(pos) ^ (is_pure ? 0 : 0x9FB21C651E98DF25)};
}

static Slot *slot_of(const Checker *checker, uint64_t key) {
    return &checker->slots[(key * 0x9E3779B97F4A7C15) >> 44];
}

/* The moves of a node. If the defender may pass, MOVE_NULL is one of them. */
static int list_moves(const Checker *checker, const Position *pos, const Node *node, Move *list) {
    int count = gen_moves(pos, GEN_LEGAL, list);
    if (pos->side != checker->attacker) {
        if (!pos_in_check(pos)) {
            list[count++] = MOVE_NULL;
        }
        return count;
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (pos_gives_check(pos, list[i]) || (!node->is_pure && pos_in_check(pos))) {
            list[kept++] = list[i];
        }
    }
    return kept;
}

static Node make_move(Position *pos, const Node *node, Move move) {
    if (move == MOVE_NULL) {
        pos_do_null(pos);
        return node_at(pos, node->ply + 1, true);
    }
    pos_do(pos, move);
    return node_at(pos, node->ply + 1, node->is_pure);
}

static void take_back(Position *pos, Move move) {
    if (move == MOVE_NULL) {
        pos_undo_null(pos);
    } else {
        pos_undo(pos);
    }
}

/* The numbers of a child from the table. A repeated position is not a mate. */
static Slot look(const Checker *checker, const Node *child) {
    for (int i = 0; i < child->ply; i++) {
        if (checker->path[i] == child->key) {
            return (Slot){.key = child->key, .pn = INFINITE, .dn = 0};
        }
    }
    const Slot *slot = slot_of(checker, child->key);
    return slot->key == child->key ? *slot : (Slot){.key = child->key, .pn = 1, .dn = 1};
}

/* The numbers of a node, computed from those of its children: the least and the second least of one
 * kind, and the sum of the other kind. */
typedef struct Sums {
    Move best;
    uint32_t least, second, other_of_best, sum;
} Sums;

static Sums sum_up(const Checker *checker, Position *pos, const Node *node, const Move *list,
                   int count) {
    Sums sums = {.best = MOVE_NONE, .least = INFINITE, .second = INFINITE};
    bool is_attack = pos->side == checker->attacker;
    for (int i = 0; i < count; i++) {
        Node child = make_move(pos, node, list[i]);
        Slot slot = look(checker, &child);
        take_back(pos, list[i]);
        uint32_t mine = is_attack ? slot.pn : slot.dn;
        uint32_t other = is_attack ? slot.dn : slot.pn;
        sums.sum = sums.sum + other < INFINITE ? sums.sum + other : INFINITE;
        if (mine < sums.least || sums.best == MOVE_NONE) {
            sums.second = sums.least;
            sums.least = mine;
            sums.other_of_best = other;
            sums.best = list[i];
        } else if (mine < sums.second) {
            sums.second = mine;
        }
    }
    return sums;
}

/* Searches until a number reaches its threshold: `mine`, of the side to move, or `other`. */
static void search_node(Checker *checker, Position *pos, const Node *node, uint32_t mine,
                        uint32_t other) {
    Move *list = xmem_alloc(MAX_MOVES + 1, sizeof(Move));
    int count = list_moves(checker, pos, node, list);
    bool is_attack = pos->side == checker->attacker;
    checker->nodes++;
    checker->path[node->ply] = node->key;
    Sums sums = sum_up(checker, pos, node, list, count);
    while (sums.least < mine && sums.sum < other && checker->nodes < checker->limit &&
           node->ply + 2 < PLIES_MAX) {
        uint32_t above = sums.second < INFINITE ? sums.second + 1 : INFINITE;
        uint32_t child_other = above < mine ? above : mine;
        uint32_t child_mine = other - sums.sum + sums.other_of_best;
        Node child = make_move(pos, node, sums.best);
        search_node(checker, pos, &child, child_mine, child_other);
        take_back(pos, sums.best);
        sums = sum_up(checker, pos, node, list, count);
    }
    *slot_of(checker, node->key) = (Slot){.key = node->key,
                                          .pn = is_attack ? sums.least : sums.sum,
                                          .dn = is_attack ? sums.sum : sums.least};
    free(list);
}

typedef enum Found { FOUND_MATE, FOUND_NONE, FOUND_NOTHING } Found;

/* Whether the attacker, who is to move, mates. */
static Found mates(Checker *checker, Position *pos, bool is_pure, uint64_t nodes) {
    Node root = node_at(pos, 0, is_pure);
    checker->attacker = pos->side;
    checker->limit = checker->nodes + nodes;
    search_node(checker, pos, &root, INFINITE, INFINITE);
    Slot slot = *slot_of(checker, root.key);
    return slot.pn == 0 ? FOUND_MATE : slot.dn == 0 ? FOUND_NONE : FOUND_NOTHING;
}

/* Whether the attack that was just made is a brinkmate, that is, whether a pass and every answer
 * lose. Ends at the first answer that does not lose. */
static Found is_brinkmate(Checker *checker, Position *pos, uint64_t nodes) {
    Move list[MAX_MOVES + 1];
    int count = gen_moves(pos, GEN_LEGAL, list);
    Found whole = FOUND_MATE;
    if (!pos_in_check(pos)) {
        pos_do_null(pos);
        whole = mates(checker, pos, true, nodes);
        pos_undo_null(pos);
    }
    for (int i = 0; i < count && whole == FOUND_MATE; i++) {
        pos_do(pos, list[i]);
        whole = mates(checker, pos, false, nodes);
        pos_undo(pos);
    }
    /* Another answer may still refute the attack. */
    for (int i = 0; i < count && whole == FOUND_NOTHING; i++) {
        pos_do(pos, list[i]);
        whole = mates(checker, pos, false, nodes) == FOUND_NONE ? FOUND_NONE : whole;
        pos_undo(pos);
    }
    return whole;
}

/* The checker's judgement of an answer of the solver. */
typedef enum Judgement { CONFIRMED, UNSURE, CONTRADICTED } Judgement;

static Judgement judge_attack(Checker *checker, Position *pos, Move attack, uint64_t nodes) {
    pos_do(pos, attack);
    Found found = is_brinkmate(checker, pos, nodes);
    pos_undo(pos);
    return found == FOUND_MATE ? CONFIRMED : found == FOUND_NONE ? CONTRADICTED : UNSURE;
}

/* Judges the answer that no attack is a brinkmate. It is confirmed if each attack is refuted. */
static Judgement judge_none(Checker *checker, Position *pos, uint64_t nodes) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    Judgement whole = CONFIRMED;
    for (int i = 0; i < count; i++) {
        Judgement attack = judge_attack(checker, pos, list[i], nodes);
        if (attack == CONFIRMED) {
            return CONTRADICTED;
        }
        whole = attack == UNSURE ? UNSURE : whole;
    }
    return whole;
}

static Judgement judge(Checker *checker, Position *pos, const HisshiAnswer *answer,
                       uint64_t nodes) {
    memset(checker->slots, 0, SLOTS * sizeof(Slot));
    Found mate = mates(checker, pos, true, nodes * 20);
    if (answer->verdict == MATE_FOUND && answer->moves == 0) {
        return mate == FOUND_MATE ? CONFIRMED : mate == FOUND_NONE ? CONTRADICTED : UNSURE;
    }
    if (mate == FOUND_MATE && (answer->verdict == MATE_NONE || answer->is_exact)) {
        return CONTRADICTED;
    }
    Judgement whole = answer->verdict == MATE_FOUND
                          ? judge_attack(checker, pos, answer->line[0], nodes * 20)
                          : judge_none(checker, pos, nodes);
    return whole == CONFIRMED && mate == FOUND_NOTHING ? UNSURE : whole;
}

/* ---- positions of games ---------------------------------------------------------------------- */

enum { TABLE_BYTES = 64 << 20 };

typedef struct Bench {
    Checker checker;
    MateTable *table;
    HisshiAnswer answer;
    int rows, decided, count[CONTRADICTED + 1];
} Bench;

static Bench *bench_new(void) {
    Bench *bench = xmem_calloc(1, sizeof(*bench));
    bench->checker.slots = xmem_calloc(SLOTS, sizeof(Slot));
    bench->table = dfpn_tt_new(TABLE_BYTES);
    return bench;
}

static void bench_free(Bench *bench) {
    free(bench->checker.slots);
    dfpn_tt_free(bench->table);
    free(bench);
}

/* A brinkmate in one move with 113 answers, two of which are checks; none of them escapes. */
static void test_many_answers(void) {
    Bench *bench = bench_new();
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos,
                           SV("ln1S3nl/3+R1G1s1/k1pp1P2p/pps3r2/4P4/P1P6/1PSP1+bNG1/1KG6/LN6L b "
                              "G3Pb4p 1"),
                           NULL),
              KMD_OK);
    HisshiOptions options = {.nodes = 1000000, .moves = 1};
    hisshi_solve(bench->table, &pos, &options, &bench->answer);
    CHECK_INT(bench->answer.verdict, MATE_FOUND);
    CHECK_INT(bench->answer.moves, 1);
    if (bench->answer.line_len > 0) {
        pos_do(&pos, bench->answer.line[0]);
        CHECK_INT(is_brinkmate(&bench->checker, &pos, 100000), FOUND_MATE);
        pos_undo(&pos);
    }
    hisshi_clear(&bench->answer);
    pos_free(&pos);
    bench_free(bench);
}

/* True if the file states this answer: the number of moves, `none` or `?`. */
static bool is_known(const HisshiAnswer *answer, StrView known) {
    int moves;
    if (sv_equal(known, SV("?")) || answer->verdict == MATE_UNKNOWN) {
        return true;
    }
    if (answer->verdict == MATE_NONE) {
        return sv_equal(known, SV("none"));
    }
    return sv_to_int(known, 0, 1, &moves) &&
           (answer->moves == moves || (answer->moves > moves && !answer->is_exact));
}

/* Judges a row: the solver's answer must be that of the file, and the checker must not contradict
 * it. */
static void judge_row(Bench *bench, StrView line) {
    static const char *const words[] = {"confirmed", "unsure", "contradicted"};
    bool wants_all = unit_wants_all();
    StrView field[2] = {{NULL, 0}};
    for (int i = 0; i < 2 && sv_next_field(&line, '\t', &field[i]); i++) {
    }
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, field[0], NULL), KMD_OK);
    HisshiOptions options = {.nodes = wants_all ? 5000000 : 200000, .moves = 1};
    hisshi_solve(bench->table, &pos, &options, &bench->answer);
    bench->rows++;
    bool is_right = is_known(&bench->answer, field[1]);
    const char *word = "undecided";
    if (bench->answer.verdict != MATE_UNKNOWN) {
        bench->decided++;
        Judgement found = judge(&bench->checker, &pos, &bench->answer, wants_all ? 3000 : 100);
        bench->count[found]++;
        word = words[found];
        is_right = is_right && found != CONTRADICTED;
    }
    if (!CHECK(is_right) || wants_all) {
        printf("    %.*s\t%.*s: verdict %d in %d, %s\n", (int)field[0].len, field[0].ptr,
               (int)field[1].len, field[1].ptr, (int)bench->answer.verdict, bench->answer.moves,
               word);
    }
    hisshi_clear(&bench->answer);
    pos_free(&pos);
}

/* Positions of the winner, one to seven plies before the end of games. */
static void test_games(void) {
    StrBuf text = STRBUF_INIT;
    CHECK_INT(file_read("tests/data/hisshi-games.tsv", &text), 0);
    Bench *bench = bench_new();
    StrView rest = strbuf_view(&text);
    StrView line;
    for (int row = 0; sv_next_line(&rest, &line); row++) {
        if (row > 0 && (unit_wants_all() || row % 8 == 0)) {
            judge_row(bench, line);
        }
    }
    printf("    %d positions, %d decided, %d confirmed, %d unsure\n", bench->rows, bench->decided,
           bench->count[CONFIRMED], bench->count[UNSURE]);
    CHECK(bench->rows >= (unit_wants_all() ? 200 : 25));
    CHECK(bench->decided * 100 >= bench->rows * (unit_wants_all() ? 95 : 80));
    CHECK(bench->count[CONFIRMED] * 100 >= bench->rows * 70);
    bench_free(bench);
    strbuf_free(&text);
}

UNIT_MAIN({"113 answers to one attack", test_many_answers}, {"positions of games", test_games})
