/* matekif.c: walks through the replayed solution and adds every answer to the record, the main line
 * first. */
#include "study/matekif.h"

#include <stdlib.h>

#include "base/xmem.h"
#include "mate/brink.h"
#include "mate/hisshi.h"
#include "rules/movegen.h"
#include "rules/usimove.h"

/* A larger record would be of no use to a reader. */
enum { NODES_MOST = 300000 };

typedef struct Builder {
    const MateSolution *solution;
    Record *record;
    Position pos;
} Builder;

static int add(Builder *builder, int node, Move move) {
    return record_add_move(builder->record, node, move);
}

static bool is_full(const Builder *builder) {
    return builder->record->node_count >= NODES_MOST;
}

static void add_ending(Builder *builder, int node) {
    if (!gen_has_move(&builder->pos)) {
        record_add_ending(builder->record, node, KMD_END_MATE);
    }
}

/* Plays moves in the record and on the board, and takes them back on the board. */
static void add_line(Builder *builder, int node, const Move *line, int len) {
    int made = 0;
    for (; made < len && !is_full(builder); made++) {
        node = add(builder, node, line[made]);
        pos_do(&builder->pos, line[made]);
    }
    add_ending(builder, node);
    while (made-- > 0) {
        pos_undo(&builder->pos);
    }
}

/* Adds the longest defence from here, with the attacker to move. */
static void add_longest(Builder *builder, int node, int level) {
    Move line[HISSHI_LINE_MAX];
    int len = hisshi_line(builder->solution->proof, &builder->pos, level, line);
    add_line(builder, node, line, len);
}

/* Adds the threat of a quiet move as a comment. */
static void add_threat(Builder *builder, int node) {
    Move line[HISSHI_LINE_MAX];
    pos_do_null(&builder->pos);
    int len = hisshi_line(builder->solution->proof, &builder->pos, BRINK_MATE, line);
    pos_undo_null(&builder->pos);
    StrBuf text = STRBUF_INIT;
    strbuf_add_str(&text, "threatens");
    usimove_append_line(line, len, &text);
    record_add_comment(builder->record, node, strbuf_view(&text));
    strbuf_free(&text);
}

static void add_attack(Builder *builder, int node, int level, int place);

/* Adds the answers, the main line's or else the longest one first. `place` is the index of the
 * answer in the main line, or -1 outside it. After a quiet move, all answers are followed to the
 * end. */
static void add_answers(Builder *builder, int node, int level, int place) {
    const MateSolution *solution = builder->solution;
    Position *pos = &builder->pos;
    bool is_whole = level > BRINK_MATE || !pos_in_check(pos);
    Move *list = xmem_alloc(MAX_MOVES, sizeof(Move));
    int count = gen_moves(pos, GEN_LEGAL, list);
    for (int i = 1; i < count && place >= 0 && place < solution->len; i++) {
        if (list[i] == solution->line[place]) {
            list[i] = list[0];
            list[0] = solution->line[place];
        }
    }
    for (int i = 0; i < count && !is_full(builder); i++) {
        int next = add(builder, node, list[i]);
        pos_do(pos, list[i]);
        if ((i == 0 && place >= 0) || is_whole) {
            add_attack(builder, next, level, i == 0 && place >= 0 ? place + 1 : -1);
        } else {
            add_longest(builder, next, level);
        }
        pos_undo(pos);
    }
    if (count == 0) {
        add_ending(builder, node);
    }
    free(list);
}

static void add_attack(Builder *builder, int node, int level, int place) {
    const MateSolution *solution = builder->solution;
    Position *pos = &builder->pos;
    int len;
    Move move = matecheck_move(solution->proof, pos, level, &len);
    if (place >= 0 && place < solution->len) {
        move = solution->line[place];
    } else if (level == BRINK_MATE && place < 0) {
        add_longest(builder, node, level);
        return;
    }
    if (move == MOVE_NONE || is_full(builder)) {
        return;
    }
    level = brink_after(pos, level, pos_gives_check(pos, move));
    node = add(builder, node, move);
    pos_do(pos, move);
    if (!pos_in_check(pos)) {
        add_threat(builder, node);
    }
    add_answers(builder, node, level, place >= 0 ? place + 1 : -1);
    pos_undo(pos);
}

void matekif_build(const MateSolution *solution, Record *record) {
    Builder builder = {.solution = solution, .record = record};
    record_clear(record);
    record->start = pos_get(solution->pos);
    pos_init(&builder.pos);
    pos_set(&builder.pos, &record->start);
    add_attack(&builder, KMD_ROOT, solution->level, 0);
    pos_free(&builder.pos);
}
