/* mateproblem.c: runs the mate search or the helpmate search, collects their results,
 * walks through the replayed solution to write it as a record, and puts the answer into words. */
#include "commands/mateproblem.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xmem.h"
#include "mate/matemoves.h"
#include "mate/helpmate.h"
#include "rules/movegen.h"
#include "rules/usimove.h"

/* The maximum number of nodes in a record. A larger record would be of no use to a reader. */
enum { NODES_MAX = 300000 };

struct MateProblem {
    MateProblemOptions options;
    MateWatch watch;
    MateTask *task;
    MateSolved solved;
    MateLine *lines;       /* the lines of `solved` */
    bool *lines_are_exact; /* likewise */
    const Position *pos;
    int64_t end_ns, end_cpu_ns; /* time limits of a helpmate search; 0: no limit */
};

MateProblem *mateproblem_create(const MateProblemOptions *options, const MateWatch *watch) {
    MateProblem *problem = xmem_calloc(1, sizeof(*problem));
    problem->options = *options;
    problem->watch = *watch;
    problem->task = matetask_create();
    if (options->mate.lines > 1) {
        problem->lines = xmem_calloc((size_t)options->mate.lines, sizeof(MateLine));
        problem->lines_are_exact = xmem_calloc((size_t)options->mate.lines, sizeof(bool));
    }
    problem->solved.lines = problem->lines;
    problem->solved.lines_are_exact = problem->lines_are_exact;
    problem->solved.options = &problem->options;
    record_init(&problem->solved.record);
    return problem;
}

void mateproblem_free(MateProblem *problem) {
    if (problem != NULL) {
        matetask_free(problem->task);
        record_free(&problem->solved.record);
        free(problem->solved.others);
        free(problem->lines);
        free(problem->lines_are_exact);
        free(problem);
    }
}

/* ---- the record ------------------------------------------------------------------------------ */

/* In the record of a solution, the main line comes first. The other answers are its variations,
 * each continued with the longest defence. After a quiet move, every answer in every variation is
 * continued up to the mate, and a comment shows the threat. */

/* The solution to write. */
typedef struct MateSolution {
    const Position *pos;      /* the problem */
    const MateChecker *proof; /* the replayed positions */
    int level;                /* matemoves.h; 0 for a mate */
    bool is_defence;          /* the defender is to move */
    const Move *line;         /* the main line, len moves */
    int len;
    bool is_players; /* the line ends where players call the position mate */
} MateSolution;

typedef struct Builder {
    const MateSolution *solution;
    Record *record;
    Position pos;
} Builder;

static int add(Builder *builder, int node, Move move) {
    return record_add_move(builder->record, node, move);
}

static bool is_full(const Builder *builder) {
    return builder->record->node_count >= NODES_MAX;
}

static void add_ending(Builder *builder, int node) {
    if (!gen_has_move(&builder->pos)) {
        record_add_ending(builder->record, node, KMD_END_MATE);
    }
}

/* Adds moves to the record. Plays them on the board meanwhile and takes them back at the end. */
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

/* Adds the longest defence from this position, in which the attacker is to move. */
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

/* Adds the answers. The answer of the main line comes first or, outside the main line, the longest
 * answer. `place` is the index of the answer in the main line, or -1 outside it. After a quiet
 * move, all answers are followed to the end. */
static void add_answers(Builder *builder, int node, int level, int place) {
    const MateSolution *solution = builder->solution;
    Position *pos = &builder->pos;
    if (solution->is_players && place == solution->len) {
        add_ending(builder, node);
        return;
    }
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

static void build_record(const MateSolution *solution, Record *record) {
    Builder builder = {.solution = solution, .record = record};
    record_clear(record);
    record->start = pos_get(solution->pos);
    pos_init(&builder.pos);
    pos_set(&builder.pos, &record->start);
    if (solution->is_defence) {
        add_answers(&builder, KMD_ROOT, solution->level, 0);
    } else {
        add_attack(&builder, KMD_ROOT, solution->level, 0);
    }
    pos_free(&builder.pos);
}

/* ---- mates and brinkmates -------------------------------------------------------------------- */

static void on_info(void *context, const MateInfo *info) {
    MateProblem *problem = context;
    if (info->mate > 0 && info->rank > 0 && problem->lines != NULL) {
        MateLine *line = &problem->lines[info->rank - 1];
        line->mate = info->mate;
        line->len = info->line_len;
        memcpy(line->moves, info->line, (size_t)info->line_len * sizeof(Move));
    }
    problem->watch.on_info(problem->watch.context, info);
}

static void on_other(void *context, int place, Move check) {
    MateSolved *solved = &((MateProblem *)context)->solved;
    solved->others =
        xmem_grow(solved->others, &solved->other_cap, solved->other_count + 1, sizeof(OtherMate));
    solved->others[solved->other_count++] = (OtherMate){.place = place, .check = check};
}

static void on_done(void *context, const MateDone *done) {
    MateProblem *problem = context;
    MateSolved *solved = &problem->solved;
    solved->answer = *done->answer;
    solved->is_defence = done->is_defence;
    solved->moves = done->brink != NULL ? done->brink->moves : 0;
    solved->has_unique_move = done->brink != NULL && done->brink->is_unique;
    solved->unique = done->unique != NULL ? *done->unique : (UniqueResult){.fault = UNIQUE_NO_MATE};
    solved->has_record = problem->options.wants_record && done->proof != NULL;
    if (solved->has_record) {
        MateSolution solution = {.pos = problem->pos,
                                 .proof = done->proof,
                                 .level =
                                     solved->moves > 0 ? brink_level(solved->moves) : BRINK_MATE,
                                 .is_defence = done->is_defence,
                                 .is_players = done->answer->has_players_len};
        solution.len = matesolver_main_line(done->answer, &solution.line);
        build_record(&solution, &solved->record);
    }
}

bool mateproblem_is_defence(const MateProblemOptions *options, const Position *pos) {
    return options->brink_moves == 0 && options->help_plies == 0 &&
           matetask_is_defence(pos, &options->mate);
}

const char *mateproblem_refusal(const MateProblemOptions *options, const Position *pos) {
    return matetask_refusal(pos, options->brink_moves == 0 && options->help_plies == 0);
}

static void solve_mate(MateProblem *problem) {
    const MateProblemOptions *options = &problem->options;
    MateRequest request = {.pos = problem->pos,
                           .options = options->mate,
                           .effort = options->effort,
                           .start_ns = clock_ns(),
                           .start_cpu_ns = clock_cpu_ns(),
                           .cancel = problem->watch.cancel,
                           .lines_are_exact = problem->lines_are_exact,
                           .wants_proof = options->wants_record,
                           .brink_moves = options->brink_moves,
                           .sink = {problem, on_info, on_other, on_done}};
    request.options.counts_futile = true;
    for (int i = 0; problem->lines != NULL && i < options->mate.lines; i++) {
        problem->lines[i].mate = 0;
    }
    problem->solved.other_count = 0;
    problem->solved.hash_mb = matetask_start(problem->task, &request);
    matetask_wait(problem->task);
}

/* ---- helpmates ------------------------------------------------------------------------------- */

static bool is_to_end(void *context) {
    const MateProblem *problem = context;
    return atomic_load_explicit(problem->watch.cancel, memory_order_relaxed) ||
           (problem->end_ns > 0 && clock_ns() >= problem->end_ns) ||
           (problem->end_cpu_ns > 0 && clock_cpu_ns() >= problem->end_cpu_ns);
}

/* Adds a solution to the record. Solutions arrive in the order of a depth-first search, so the
 * moves that one shares with earlier solutions are the last children on its path. */
static void add_helpmate(Record *record, const Move *line, int len) {
    if (record->node_count + len >= NODES_MAX) {
        return;
    }
    int node = KMD_ROOT;
    for (int i = 0; i < len; i++) {
        int last = record->nodes[node].last;
        bool is_there = last != KMD_NODE_NONE && record->nodes[last].move == line[i];
        node = is_there ? last : record_add_move(record, node, line[i]);
    }
    record_add_ending(record, node, KMD_END_MATE);
}

static void tell(void *context, const Move *line, int len) {
    MateProblem *problem = context;
    if (problem->options.wants_record) {
        add_helpmate(&problem->solved.record, line, len);
    }
    problem->watch.on_helpmate(problem->watch.context, line, len);
}

static void solve_helpmate(MateProblem *problem, Position *pos) {
    const MateProblemOptions *options = &problem->options;
    MateSolved *solved = &problem->solved;
    record_clear(&solved->record);
    solved->record.start = pos_get(pos);
    problem->end_ns =
        options->effort.time_ms > 0 ? clock_ns() + options->effort.time_ms * 1000000 : 0;
    problem->end_cpu_ns =
        options->effort.cpu_ms > 0 ? clock_cpu_ns() + options->effort.cpu_ms * 1000000 : 0;
    HelpmateOptions limits = {.plies = options->help_plies,
                              .bytes = (size_t)options->effort.hash_mb << 20,
                              .nodes = options->effort.nodes,
                              .is_to_end = is_to_end,
                              .tell = tell,
                              .context = problem};
    HelpmateAnswer answer = helpmate_solve(pos, &limits);
    for (solved->hash_mb = options->effort.hash_mb; !answer.has_memory && solved->hash_mb > 1;) {
        solved->hash_mb /= 2;
        limits.bytes = (size_t)solved->hash_mb << 20;
        answer = helpmate_solve(pos, &limits);
    }
    solved->answer = (MateAnswer){.nodes = answer.nodes, .len = answer.len};
    solved->answer.verdict = answer.len > 0    ? MATE_FOUND
                             : answer.is_whole ? MATE_NONE
                                               : MATE_UNKNOWN;
    solved->answer.is_exact = answer.is_whole && answer.len > 0;
    solved->helpmates = answer.solutions;
    solved->has_record = options->wants_record && answer.solutions > 0;
    solved->is_defence = false;
    solved->unique = (UniqueResult){.fault = UNIQUE_NO_MATE};
}

/* ---- the answer in words --------------------------------------------------------------------- */

static void append_moves(const Move *line, int len, StrBuf *out) {
    strbuf_add_str(out, len > 0 ? ":" : "");
    usimove_append_line(line, len, out);
}

static void append_helpmates(const MateSolved *solved, StrBuf *out) {
    const MateAnswer *answer = &solved->answer;
    if (answer->verdict == MATE_FOUND) {
        strbuf_addf(out, "helpmate in %d, %llu solution%s%s", answer->len,
                    (unsigned long long)solved->helpmates, str_plural(solved->helpmates),
                    answer->is_exact ? "" : " or more");
    } else if (answer->verdict == MATE_NONE) {
        strbuf_addf(out, "no helpmate in %d", solved->options->help_plies);
    } else {
        strbuf_add_str(out, "undecided");
    }
}

static void append_verdict(const MateSolved *solved, StrBuf *out) {
    const MateAnswer *answer = &solved->answer;
    int brink_moves = solved->options->brink_moves;
    const char *or_less = answer->is_exact ? "" : " or less";
    if (solved->options->help_plies > 0) {
        append_helpmates(solved, out);
    } else if (answer->verdict == MATE_FOUND && brink_moves > 0) {
        if (solved->moves > 0) {
            strbuf_addf(out, "brinkmate in %d%s%s", solved->moves, or_less,
                        solved->has_unique_move ? ", unique" : "");
        } else {
            strbuf_add_str(out, "mate by checks alone");
        }
    } else if (answer->verdict == MATE_NONE && solved->is_defence) {
        strbuf_add_str(out, "escapes");
    } else if (answer->verdict == MATE_FOUND && answer->len == 0) {
        strbuf_add_str(out, "mated already");
    } else if (answer->verdict == MATE_FOUND) {
        strbuf_addf(out, "mate%s in %d%s", solved->is_defence ? "d" : "", answer->len, or_less);
        if (answer->has_players_len && answer->players_len < answer->len) {
            strbuf_addf(out, " (%d without futile drops)", answer->players_len);
        }
        if (answer->has_players_len && answer->main_len < answer->players_len) {
            strbuf_addf(out, ", main line %d", answer->main_len);
        }
    } else if (answer->verdict == MATE_NONE && brink_moves > 0) {
        strbuf_addf(out, "no brinkmate in %d", brink_moves);
    } else {
        strbuf_add_str(out, answer->verdict == MATE_NONE ? "no mate"
                            : answer->is_too_large       ? "undecided (too large to be replayed)"
                                                         : "undecided");
    }
}

/* Appends the verdict on the line's uniqueness, after the other mates found. */
static void append_unique(const MateSolved *solved, StrBuf *out) {
    const UniqueResult *unique = &solved->unique;
    char text[USI_MOVE_SIZE];
    for (size_t i = 0; i < solved->other_count; i++) {
        strbuf_addf(out, "  move %d: %s also mates\n", solved->others[i].place + 1,
                    usimove_write(solved->others[i].check, text));
    }
    if (unique->fault == UNIQUE_NOT_SHORTEST) {
        strbuf_add_str(out, "  undecided: the mate may not be the shortest\n");
    } else if (unique->fault == UNIQUE_NOT_WHOLE) {
        strbuf_addf(out, "  undecided: %d of %d moves of the line are known\n",
                    solved->answer.line_len, solved->answer.len);
    } else if (unique->fault == UNIQUE_JUDGED) {
        const char *verdict = unique->others > 0 ? "not unique"
                              : unique->open > 0 ? "undecided"
                                                 : "unique";
        strbuf_addf(out, "  %s: %d other mate%s, %d check%s undecided\n", verdict, unique->others,
                    str_plural((uint64_t)unique->others), unique->open,
                    str_plural((uint64_t)unique->open));
    }
}

void mateproblem_describe(const MateSolved *solved, StrView remark, StrBuf *out) {
    const MateAnswer *answer = &solved->answer;
    append_verdict(solved, out);
    strbuf_addf(out, ", %llu node%s, %.3f s", (unsigned long long)answer->nodes,
                str_plural(answer->nodes), (double)solved->time_ns / 1e9);
    strbuf_add(out, remark);
    const Move *line;
    int len = matesolver_main_line(answer, &line);
    append_moves(line, len, out);
    strbuf_add_byte(out, '\n');
    for (int i = 0; solved->lines != NULL && i < solved->options->mate.lines; i++) {
        const MateLine *found = &solved->lines[i];
        if (found->mate > 0) {
            strbuf_addf(out, "  line %d: mate in %d%s", i + 1, found->mate,
                        solved->lines_are_exact[i] ? "" : " or less");
            append_moves(found->moves, found->len, out);
            strbuf_add_byte(out, '\n');
        }
    }
    append_unique(solved, out);
}

/* Adds the length and the verdict on uniqueness to the record as a comment. */
static void add_verdict(MateSolved *solved) {
    StrBuf text = STRBUF_INIT;
    append_verdict(solved, &text);
    strbuf_add_byte(&text, '\n');
    append_unique(solved, &text);
    record_add_comment(&solved->record, KMD_ROOT, sv_trim(strbuf_view(&text)));
    strbuf_free(&text);
}

const MateSolved *mateproblem_solve(MateProblem *problem, Position *pos) {
    int64_t start_ns = clock_ns();
    problem->pos = pos;
    if (problem->options.help_plies > 0) {
        solve_helpmate(problem, pos);
    } else {
        solve_mate(problem);
    }
    if (problem->solved.has_record && problem->options.brink_moves == 0) {
        add_verdict(&problem->solved);
    }
    problem->solved.time_ns = clock_ns() - start_ns;
    return &problem->solved;
}
