/* cmd_mate.c: solves a single problem or the rows of a file, and prints verdicts and counts: mates,
 * brinkmates and helpmates, with the solutions as records with variations. docs/mate.md describes
 * the files. */
#include "commands/commands.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "base/outguard.h"
#include "base/utf8.h"
#include "base/xmem.h"
#include "engine/command.h"
#include "engine/matetask.h"
#include "engine/output.h"
#include "mate/helpmate.h"
#include "mate/matemoves.h"
#include "record/kifuio.h"
#include "record/record.h"
#include "record/usirec.h"
#include "rules/movegen.h"
#include "rules/sfen.h"
#include "rules/usimove.h"

#define PROGRESS_AFTER_MS 2000
#define PROGRESS_EVERY_MS 500

/* If the search takes longer than this, mates are reported before it ends. */
#define REPORT_AFTER_MS 500

enum {
    LINES_MAX = 100,
    NODES_MAX = 300000 /* of a record; a larger one would be of no use to a reader */
};

typedef struct MateArgs {
    MateOptions mate;
    MateEffort effort;
    int brink_moves;   /* maximum length of brinkmates; 0: look for mates */
    int help_plies;    /* maximum length of helpmates; 0: not a helpmate */
    const char *kif;   /* file for the solutions; NULL: none */
    bool adds_missing; /* give missing pieces to the defender */
} MateArgs;

/* The commands of this file, as bits. */
enum { IS_MATE = 1, IS_HISSHI = 2 };

#define AT(kind, member) ARG_AT(MateArgs, kind, member)

static const ArgOption mate_options[] = {
    {"--shortest", NULL, AT(ARG_FLAG, mate.is_shortest), .help = "search for the shortest mate",
     .commands = IS_MATE},
    {"--check-unique", NULL, AT(ARG_FLAG, mate.checks_unique),
     .help = "for a mate, report other mating checks along the shortest line; for a brinkmate, "
             "report whether only one first move works"},
    {"--defence", NULL, AT(ARG_FLAG, mate.defends),
     .help = "if the side to move is in check, search for its longest defence or an escape; always "
             "so if the other side has no king",
     .commands = IS_MATE},
    {"--lines", "N", AT(ARG_INT, mate.lines), 1, LINES_MAX, .start = 1,
     .help = "number of different first moves to find", .commands = IS_MATE},
    {"--help-mate", "N", AT(ARG_INT, help_plies), 1, HELPMATE_MAX,
     .help = "solve a helpmate of at most N plies: print all its shortest solutions",
     .commands = IS_MATE},
    {"--moves", "N", AT(ARG_INT, brink_moves), 1, BRINK_MOVES_MAX, .start = 5,
     .help = "longest brinkmate to search for", .commands = IS_HISSHI},
    {"--add-missing", NULL, AT(ARG_FLAG, adds_missing),
     .help = "give the pieces that are neither on the board nor in a hand to the defender, as "
             "composers' diagrams mean it"},
    {"--kif", "FILE", AT(ARG_TEXT, kif), .help = "write the solutions as records with variations"},
    {"--hash", "MB", AT(ARG_INT, effort.hash_mb), 1, 1 << 20, .start = 256,
     .help = "size of the hash table"},
    {"--threads", "N", AT(ARG_INT, effort.threads), 1, 512, .start = 1, .help = "number of threads",
     .commands = IS_MATE},
    {"--time", "S", AT(ARG_SECONDS, effort.time_ms), 0.001, 1e6, .help = "seconds per problem"},
    {"--cpu", "S", AT(ARG_SECONDS, effort.cpu_ms), 0.001, 1e6,
     .help = "seconds of processor time per problem"},
    {"--nodes", "N", AT(ARG_U64, effort.nodes), 1,
     .help = "approximate number of nodes per problem"},
};

/* A mate found with another first move. */
typedef struct MateLine {
    int mate; /* length of the mate; 0: no mate of this rank */
    int len;
    Move moves[MATE_LINE_MAX];
} MateLine;

/* Another mating check along the line. */
typedef struct OtherMate {
    int place;
    Move check;
} OtherMate;

/* The answer to one problem, and the effort that it took. */
typedef struct Solved {
    bool is_defence;       /* the side to move defends */
    MateAnswer answer;     /* for a brinkmate only verdict and line; for helpmates without a line */
    int moves;             /* length of a brinkmate; 0: a mate */
    bool has_unique_move;  /* the brinkmate has a unique first move */
    uint64_t helpmates;    /* number of solutions */
    MateLine *lines;       /* indexed by rank - 1, as many as the option says; NULL: only one line
                              was requested */
    bool *lines_are_exact; /* of each line, whether its length is proved to be the shortest */
    UniqueResult unique;
    OtherMate *others; /* [other_count] */
    size_t other_count, other_cap;
    Record record; /* the solution, if has_record */
    bool has_record;
    int64_t time_ns;
} Solved;

/* A row of the text; columns that the text does not have are empty. */
typedef struct Row {
    StrView sfen, known_length, length_all_drops;
} Row;

/* The columns, in the order of Row. */
enum { SFEN, KNOWN_LENGTH, LENGTH_ALL_DROPS, COLUMNS };
static const char *const columns[COLUMNS] = {
    [SFEN] = "sfen", [KNOWN_LENGTH] = "known_length", [LENGTH_ALL_DROPS] = "length_all_drops"};

/* The problems of a file, and the counts of the answers. */
typedef struct ProblemSet {
    StrView rest;
    int column[COLUMNS]; /* -1 if the text has no such column */
    int row;             /* number of the last row, from 1 */
    int row_count;
    int line_number; /* line number of the last row, from 1 */
    int total, decided, wrong;
    int shorter;       /* mates that are shorter than the known length */
    int known_lengths; /* mates whose known length counts every interposition */
    int right_lengths;
    int known_players; /* mates whose known length does not count futile interpositions */
    int right_players;
    int64_t time_ns, slowest_ns;
} ProblemSet;

typedef struct MateRun {
    const CommandContext *context;
    MateArgs options;
    MateTask *task;
    Position pos; /* the problem */
    Solved solved;
    int64_t end_ns, end_cpu_ns; /* time limits of a helpmate search; 0: no limit */
    StrBuf records;             /* solutions that have not been saved yet, as bytes of a file */
    bool has_lost;              /* a file of solutions could not be written */
    KifuForm form;
    Progress progress;
    ProblemSet *set;         /* NULL if there is a single problem */
    const char *unit;        /* what the set is a list of, for messages */
    uint64_t nodes;          /* of finished searches */
    bool has_reported_table; /* a table smaller than requested has been reported */
} MateRun;

/* ---- the solution as a record ---------------------------------------------------------------- */

/* In the record of a solution, the main line comes first. The other answers are its variations,
 * each continued with the longest defence. After a quiet move, every answer in every variation is
 * continued up to the mate, and a comment shows the threat. */

typedef struct Builder {
    const Position *problem;
    const MateChecker *proof; /* the replayed positions */
    int level;                /* matemoves.h; 0 for a mate */
    bool is_defence;          /* the defender is to move */
    const Move *line;         /* the main line, len moves */
    int len;
    const MateLine *lines; /* [line_count], with other first moves */
    int line_count;
    bool is_players; /* lines end where players call the position mate */
    Record *record;
    Position pos; /* of the node to which moves are added */
} Builder;

static bool is_full(const Builder *builder) {
    return builder->record->node_count >= NODES_MAX;
}

/* True if the defender, who is to move, is mated. */
static bool is_mated(Builder *builder) {
    Position *pos = &builder->pos;
    return !gen_has_move(pos) ||
           (builder->is_players && pos_in_check(pos) && matecheck_is_players_mate(pos));
}

/* Adds a line that begins with a move of the attacker. Plays the moves on the board meanwhile and
 * takes them back at the end. */
static void add_variation(Builder *builder, int node, const Move *line, int len) {
    int made = 0;
    bool is_over = false;
    for (; made < len && !is_over && !is_full(builder); made++) {
        node = record_add_move(builder->record, node, line[made]);
        pos_do(&builder->pos, line[made]);
        is_over = made % 2 == 0 && is_mated(builder);
    }
    if (is_over) {
        record_add_ending(builder->record, node, KMD_END_MATE);
    }
    while (made-- > 0) {
        pos_undo(&builder->pos);
    }
}

/* Adds the longest defence from this position, in which the attacker is to move. */
static void add_longest(Builder *builder, int node, int level) {
    Move line[HISSHI_LINE_MAX];
    int len = hisshi_line(builder->proof, &builder->pos, level, line);
    add_variation(builder, node, line, len);
}

/* Adds the threat of a quiet move as a comment. */
static void add_threat(Builder *builder, int node) {
    Move line[HISSHI_LINE_MAX];
    pos_do_null(&builder->pos);
    int len = hisshi_line(builder->proof, &builder->pos, BRINK_MATE, line);
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
    Position *pos = &builder->pos;
    if (builder->is_players && place == builder->len) {
        record_add_ending(builder->record, node, KMD_END_MATE);
        return;
    }
    bool is_whole = level > BRINK_MATE || !pos_in_check(pos);
    Move *list = xmem_alloc(MAX_MOVES, sizeof(Move));
    int count = gen_moves(pos, GEN_LEGAL, list);
    for (int i = 1; i < count && place >= 0 && place < builder->len; i++) {
        if (list[i] == builder->line[place]) {
            list[i] = list[0];
            list[0] = builder->line[place];
        }
    }
    for (int i = 0; i < count && !is_full(builder); i++) {
        int next = record_add_move(builder->record, node, list[i]);
        pos_do(pos, list[i]);
        if ((i == 0 && place >= 0) || is_whole) {
            add_attack(builder, next, level, i == 0 && place >= 0 ? place + 1 : -1);
        } else {
            add_longest(builder, next, level);
        }
        pos_undo(pos);
    }
    if (count == 0) {
        record_add_ending(builder->record, node, KMD_END_MATE);
    }
    free(list);
}

static void add_attack(Builder *builder, int node, int level, int place) {
    Position *pos = &builder->pos;
    int len;
    Move move = matecheck_move(builder->proof, pos, level, &len);
    if (place >= 0 && place < builder->len) {
        move = builder->line[place];
    } else if (level == BRINK_MATE && place < 0) {
        add_longest(builder, node, level);
        return;
    }
    if (move == MOVE_NONE || is_full(builder)) {
        return;
    }
    level = brink_after(pos, level, pos_gives_check(pos, move));
    node = record_add_move(builder->record, node, move);
    pos_do(pos, move);
    if (!pos_in_check(pos)) {
        add_threat(builder, node);
    }
    add_answers(builder, node, level, place >= 0 ? place + 1 : -1);
    pos_undo(pos);
}

static void build_record(Builder *builder) {
    record_clear(builder->record);
    builder->record->start = pos_get(builder->problem);
    pos_init(&builder->pos);
    pos_set(&builder->pos, &builder->record->start);
    (builder->is_defence ? add_answers : add_attack)(builder, KMD_ROOT, builder->level, 0);
    for (int i = 0; i < builder->line_count; i++) {
        const MateLine *found = &builder->lines[i];
        if (found->mate > 0 && found->len > 0 && found->moves[0] != builder->line[0]) {
            add_variation(builder, KMD_ROOT, found->moves, found->len);
        }
    }
    pos_free(&builder->pos);
}

/* ---- the search ------------------------------------------------------------------------------ */

static void report_mate(MateRun *run, const MateInfo *info) {
    StrBuf line = STRBUF_INIT;
    strbuf_addf(&line, "  found: mate%s in %d or less, %llu node%s, %.1f s",
                info->mate < 0 ? "d" : "", abs(info->mate), (unsigned long long)info->nodes,
                str_plural(info->nodes), (double)info->time_ms / 1e3);
    strbuf_add_str(&line, info->line_len > 0 ? ":" : "");
    usimove_append_line(info->line, info->line_len, &line);
    progress_clear(&run->progress);
    output_line(run->context->out, strbuf_view(&line));
    strbuf_free(&line);
}

static void on_mate_info(void *context, const MateInfo *info) {
    MateRun *run = context;
    if (info->mate > 0 && info->rank > 0 && run->solved.lines != NULL) {
        MateLine *line = &run->solved.lines[info->rank - 1];
        line->mate = info->mate;
        line->len = info->line_len;
        memcpy(line->moves, info->line, (size_t)info->line_len * sizeof(Move));
    }
    if (info->mate != 0 && run->set == NULL && info->time_ms >= REPORT_AFTER_MS) {
        report_mate(run, info);
    }
    if (!progress_is_due(&run->progress)) {
        return;
    }
    unsigned long long nodes = run->nodes + info->nodes;
    long long seconds = progress_elapsed_ms(&run->progress) / 1000;
    if (run->set != NULL) {
        progress_show(&run->progress, "problem %d of %d, %llu nodes, %lld s ", run->set->row,
                      run->set->row_count, nodes, seconds);
    } else {
        progress_show(&run->progress, "%llu nodes, %lld s ", nodes, seconds);
    }
}

static void on_other(void *context, int place, Move check) {
    Solved *solved = &((MateRun *)context)->solved;
    solved->others =
        xmem_grow(solved->others, &solved->other_cap, solved->other_count + 1, sizeof(OtherMate));
    solved->others[solved->other_count++] = (OtherMate){.place = place, .check = check};
}

static void on_mate_done(void *context, const MateDone *done) {
    MateRun *run = context;
    Solved *solved = &run->solved;
    solved->answer = *done->answer;
    solved->is_defence = done->is_defence;
    solved->moves = done->brink != NULL ? done->brink->moves : 0;
    solved->has_unique_move = done->brink != NULL && done->brink->is_unique;
    solved->unique = done->unique != NULL ? *done->unique : (UniqueResult){.fault = UNIQUE_NO_MATE};
    solved->has_record = run->options.kif != NULL && done->proof != NULL;
    if (solved->has_record) {
        Builder builder = {.problem = &run->pos,
                           .proof = done->proof,
                           .level = solved->moves > 0 ? brink_level(solved->moves) : BRINK_MATE,
                           .is_defence = done->is_defence,
                           .is_players = done->answer->has_players_len,
                           .lines = solved->lines,
                           .line_count = solved->lines != NULL ? run->options.mate.lines : 0,
                           .record = &solved->record};
        builder.len = matesolver_main_line(done->answer, &builder.line);
        build_record(&builder);
    }
}

/* Reports once if the table is smaller than requested. */
static void report_table(MateRun *run, int mb) {
    int wanted = run->options.effort.hash_mb;
    if (mb != wanted && !run->has_reported_table) {
        command_fail(run->context, 0, "cannot allocate %d MB; the hash table has %d MB", wanted,
                     mb);
        run->has_reported_table = true;
    }
}

static void solve_mate(MateRun *run) {
    const MateArgs *options = &run->options;
    MateRequest request = {.pos = &run->pos,
                           .options = options->mate,
                           .effort = options->effort,
                           .start_ns = clock_ns(),
                           .start_cpu_ns = clock_cpu_ns(),
                           .cancel = run->context->cancel,
                           .lines_are_exact = run->solved.lines_are_exact,
                           .wants_proof = options->kif != NULL,
                           .brink_moves = options->brink_moves,
                           .sink = {run, on_mate_info, on_other, on_mate_done}};
    request.options.counts_futile = true;
    for (int i = 0; run->solved.lines != NULL && i < options->mate.lines; i++) {
        run->solved.lines[i].mate = 0;
    }
    run->solved.other_count = 0;
    int mb = matetask_start(run->task, &request);
    matetask_wait(run->task);
    progress_clear(&run->progress);
    report_table(run, mb);
}

static bool is_to_end(void *context) {
    const MateRun *run = context;
    return command_is_cancelled(run->context) || (run->end_ns > 0 && clock_ns() >= run->end_ns) ||
           (run->end_cpu_ns > 0 && clock_cpu_ns() >= run->end_cpu_ns);
}

/* Prints a helpmate, and adds it to the record. Solutions arrive in the order of a depth-first
 * search, so the moves that one shares with earlier solutions are the last children on its path. */
static void on_helpmate(void *context, const Move *line, int len) {
    MateRun *run = context;
    Record *record = &run->solved.record;
    if (run->options.kif != NULL && record->node_count + len < NODES_MAX) {
        int node = KMD_ROOT;
        for (int i = 0; i < len; i++) {
            int last = record->nodes[node].last;
            bool is_there = last != KMD_NODE_NONE && record->nodes[last].move == line[i];
            node = is_there ? last : record_add_move(record, node, line[i]);
        }
        record_add_ending(record, node, KMD_END_MATE);
    }
    StrBuf text = STRBUF_INIT;
    strbuf_add_str(&text, len > 0 ? " :" : " ");
    usimove_append_line(line, len, &text);
    output_line(run->context->out, strbuf_view(&text));
    strbuf_free(&text);
}

static void solve_helpmate(MateRun *run) {
    const MateArgs *options = &run->options;
    Solved *solved = &run->solved;
    record_clear(&solved->record);
    solved->record.start = pos_get(&run->pos);
    run->end_ns = options->effort.time_ms > 0 ? clock_ns() + options->effort.time_ms * 1000000 : 0;
    run->end_cpu_ns =
        options->effort.cpu_ms > 0 ? clock_cpu_ns() + options->effort.cpu_ms * 1000000 : 0;
    HelpmateOptions limits = {.plies = options->help_plies,
                              .nodes = options->effort.nodes,
                              .is_to_end = is_to_end,
                              .tell = on_helpmate,
                              .context = run};
    HelpmateAnswer answer = {.has_memory = false};
    int mb = options->effort.hash_mb;
    for (; mb > 0 && !answer.has_memory; mb /= 2) {
        limits.bytes = (size_t)mb << 20;
        answer = helpmate_solve(&run->pos, &limits);
        report_table(run, mb);
    }
    solved->answer = (MateAnswer){.nodes = answer.nodes, .len = answer.len};
    solved->answer.verdict = answer.len > 0    ? MATE_FOUND
                             : answer.is_whole ? MATE_NONE
                                               : MATE_UNKNOWN;
    solved->answer.is_exact = answer.is_whole && answer.len > 0;
    solved->helpmates = answer.solutions;
    solved->has_record = options->kif != NULL && answer.solutions > 0;
    solved->is_defence = false;
    solved->unique = (UniqueResult){.fault = UNIQUE_NO_MATE};
}

/* ---- the answer in words --------------------------------------------------------------------- */

static void append_solution(const Move *line, int len, StrBuf *out) {
    strbuf_add_str(out, len > 0 ? ":" : "");
    usimove_append_line(line, len, out);
}

static void append_verdict(const MateRun *run, StrBuf *out) {
    const Solved *solved = &run->solved;
    const MateAnswer *answer = &solved->answer;
    int brink_moves = run->options.brink_moves;
    const char *or_less = answer->is_exact ? "" : " or less";
    if (run->options.help_plies > 0 && answer->verdict == MATE_FOUND) {
        strbuf_addf(out, "helpmate in %d, %llu solution%s%s", answer->len,
                    (unsigned long long)solved->helpmates, str_plural(solved->helpmates),
                    answer->is_exact ? "" : " or more");
    } else if (run->options.help_plies > 0 && answer->verdict == MATE_NONE) {
        strbuf_addf(out, "no helpmate in %d", run->options.help_plies);
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
static void append_unique(const Solved *solved, StrBuf *out) {
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

/* ---- rows and counts ------------------------------------------------------------------------- */

/* True for a known length: a number, the word for "no mate", or nothing. */
static bool is_length(StrView text, int low, int high, StrView none) {
    int length;
    return text.len == 0 || sv_equal(text, SV("?")) || sv_equal(text, none) ||
           sv_to_int(text, low, high, &length);
}

/* Returns NULL, or why the known lengths of a row cannot be read. */
static const char *fault_of_row(const Row *row, const MateArgs *options) {
    if (options->brink_moves > 0) {
        return is_length(row->known_length, 0, BRINK_MOVES_MAX, SV("none"))
                   ? NULL
                   : "known_length is not a number of moves, none or ?";
    }
    if (!is_length(row->known_length, 1, MATE_LINE_MAX, SV("nomate"))) {
        return "known_length is not a number of plies, nomate or ?";
    }
    return is_length(row->length_all_drops, 1, MATE_LINE_MAX, SV("nomate"))
               ? NULL
               : "length_all_drops is not a number of plies, nomate or ?";
}

/* Compares the answer with the row, adds it to the counts, and appends a remark such as
 * ", WRONG (known_length 5)" if they differ. For mates, length_all_drops counts every move, and
 * known_length is what players count; for helpmates, in which nobody defends, either column counts
 * every move; for brinkmates, known_length counts moves. */
static void compare_with_row(MateRun *run, const Row *row, StrBuf *remark) {
    ProblemSet *set = run->set;
    const MateArgs *options = &run->options;
    const MateAnswer *answer = &run->solved.answer;
    bool is_brink = options->brink_moves > 0, is_help = options->help_plies > 0;
    bool is_mate = !is_brink && !is_help;
    bool is_found = answer->verdict == MATE_FOUND, is_none = answer->verdict == MATE_NONE;
    int length = is_brink ? run->solved.moves : answer->len;
    int limit = is_brink ? options->brink_moves : is_help ? options->help_plies : MATE_LINE_MAX;
    StrView none = is_brink ? SV("none") : SV("nomate");
    int known = 0, all = 0;
    bool has_known = sv_to_int(row->known_length, 0, MATE_LINE_MAX, &known);
    bool has_all = !is_brink && sv_to_int(row->length_all_drops, 1, MATE_LINE_MAX, &all);
    bool known_is_none = sv_equal(row->known_length, none);
    bool all_is_none = !is_brink && sv_equal(row->length_all_drops, none);
    /* The length that counts every move. */
    bool is_known = !is_mate && has_known;
    bool has_length = is_known || has_all;
    int wanted = is_known ? known : all;
    bool is_right = has_length && is_found && length == wanted;
    bool is_longer = has_length && is_found && length > wanted;
    bool is_shorter = has_length && is_found && length < wanted;
    bool is_wrong = ((known_is_none || all_is_none) && is_found) ||
                    (((has_length && wanted <= limit) || (is_mate && has_known)) && is_none) ||
                    (is_longer && (answer->is_exact || is_help)) || (is_shorter && is_brink);
    bool is_right_players = is_mate && has_known && is_found &&
                            (answer->players_len == known || answer->main_len == known);
    set->wrong += is_wrong;
    set->shorter += is_shorter && !is_brink;
    set->known_lengths += has_length;
    set->right_lengths += is_right;
    set->known_players += is_mate && has_known;
    set->right_players += is_right_players;
    bool is_other = is_wrong || is_longer || is_shorter;
    bool players_differ = is_mate && is_found && has_known && answer->has_players_len &&
                          !is_other && !is_right_players;
    bool is_of_all =
        !players_differ && !known_is_none && !is_known && (has_all || (all_is_none && is_found));
    if (is_other || players_differ) {
        StrView value = is_of_all ? row->length_all_drops : row->known_length;
        strbuf_addf(remark, ", %s (%s %.*s)",
                    is_wrong                  ? "WRONG"
                    : is_shorter && !is_brink ? "shorter"
                                              : "other length",
                    columns[is_of_all ? LENGTH_ALL_DROPS : KNOWN_LENGTH], (int)value.len,
                    value.ptr);
    }
}

/* ---- solutions as records -------------------------------------------------------------------- */

/* Appends the path of the file for solutions, or "FILE-7.kif" for a number above 1. */
static void append_path(const MateRun *run, int number, StrBuf *out) {
    StrView name = sv_from(run->options.kif), extension = kifu_path_extension(name);
    if (number > 1) {
        strbuf_add(out, sv_prefix(name, name.len - extension.len - 1));
        strbuf_addf(out, "-%d.", number);
        strbuf_add(out, extension);
    } else {
        strbuf_add(out, name);
    }
}

/* Writes run->records to the file for solutions with this number. */
static void save_records(MateRun *run, int number) {
    StrBuf path = STRBUF_INIT;
    append_path(run, number, &path);
    run->has_lost = !command_write_file(run->context, path.ptr, &run->records) || run->has_lost;
    strbuf_clear(&run->records);
    strbuf_free(&path);
}

/* ---- answers --------------------------------------------------------------------------------- */

/* Solves the position, which comes from `row` unless that is NULL, and prints the answer: first the
 * verdict with the effort, a remark if a known answer differs, and the line, then the lines with
 * other first moves, and last the verdict on uniqueness. */
static MateVerdict solve(MateRun *run, const Row *row) {
    Solved *solved = &run->solved;
    const MateAnswer *answer = &solved->answer;
    StrBuf text = STRBUF_INIT;
    int64_t start_ns = clock_ns();
    (run->options.help_plies > 0 ? solve_helpmate : solve_mate)(run);
    if (solved->has_record && run->options.brink_moves == 0) {
        append_verdict(run, &text);
        strbuf_add_byte(&text, '\n');
        append_unique(solved, &text);
        record_add_comment(&solved->record, KMD_ROOT, sv_trim(strbuf_view(&text)));
        strbuf_clear(&text);
    }
    solved->time_ns = clock_ns() - start_ns;
    progress_clear(&run->progress);
    run->nodes += answer->nodes;
    /* If the format allows several games in a file, all solutions go to one file at the end;
     * otherwise the solution of each problem of a set gets its own file, named by the number of the
     * problem. */
    if (solved->has_record) {
        const char *separator = run->form.codec->format.separator;
        strbuf_add_str(&run->records, run->records.len > 0 && separator != NULL ? separator : "");
        (void)kifu_write(&solved->record, &run->form, &run->records);
    }
    if (solved->has_record && run->form.codec->divide == NULL) {
        save_records(run, run->set != NULL ? run->set->row : 1);
    }
    append_verdict(run, &text);
    strbuf_addf(&text, ", %llu node%s, %.3f s", (unsigned long long)answer->nodes,
                str_plural(answer->nodes), (double)solved->time_ns / 1e9);
    if (row != NULL) {
        ProblemSet *set = run->set;
        set->total++;
        set->decided += answer->verdict != MATE_UNKNOWN;
        set->time_ns += solved->time_ns;
        set->slowest_ns = i64_max(set->slowest_ns, solved->time_ns);
        compare_with_row(run, row, &text);
    }
    const Move *line;
    int len = matesolver_main_line(answer, &line);
    append_solution(line, len, &text);
    strbuf_add_byte(&text, '\n');
    for (int i = 0; solved->lines != NULL && i < run->options.mate.lines; i++) {
        const MateLine *found = &solved->lines[i];
        if (found->mate > 0) {
            strbuf_addf(&text, "  line %d: mate in %d%s", i + 1, found->mate,
                        solved->lines_are_exact[i] ? "" : " or less");
            append_solution(found->moves, found->len, &text);
            strbuf_add_byte(&text, '\n');
        }
    }
    append_unique(solved, &text);
    output_lines(run->context->out, strbuf_view(&text));
    strbuf_free(&text);
    return answer->verdict;
}

/* Completes the position as the options say. `note` says which rule the start position breaks; its
 * text may be NULL. */
static void complete_position(MateRun *run, const UsiFault *note) {
    if (run->options.adds_missing) {
        const MateArgs *options = &run->options;
        bool defends = options->brink_moves == 0 && options->help_plies == 0 &&
                       matetask_is_defence(&run->pos, &options->mate);
        Setup setup = pos_get(&run->pos);
        setup_add_missing(&setup, defends ? setup.side : color_flip(setup.side));
        pos_set(&run->pos, &setup);
    }
    if (note->text != NULL) {
        output_linef(run->context->out, "  note: %s, column %d", note->text, note->place);
    }
}

/* Why the position cannot be solved, or NULL. */
static const char *refusal(const MateRun *run) {
    const MateArgs *options = &run->options;
    return matetask_refusal(&run->pos, options->brink_moves == 0 && options->help_plies == 0);
}

/* ---- a file ---------------------------------------------------------------------------------- */

static void solve_row(MateRun *run, const Row *row) {
    Output *out = run->context->out;
    /* Moves after the position are left out: as with other records, a line such as "position
     * startpos moves 7g7f" stands for its start position. */
    StrView start = sv_prefix(row->sfen, sv_find(row->sfen, SV(" moves")));
    UsiFault note, wrong;
    bool is_good = usimove_position_playable(start, &run->pos, &note, &wrong);
    const char *fault = fault_of_row(row, &run->options);
    const char *reason = is_good ? refusal(run) : NULL;
    if (is_good && reason == NULL && fault == NULL) {
        StrBuf sfen = STRBUF_INIT;
        pos_get_sfen(&run->pos, &sfen);
        output_line(out, strbuf_view(&sfen));
        strbuf_free(&sfen);
        complete_position(run, &note);
        (void)solve(run, row);
        return;
    }
    run->set->total++;
    /* Do not print the row: if the file is of another kind, it may contain any bytes. */
    if (!is_good) {
        output_linef(out, "%s %d cannot be read: %s, column %d", run->unit, run->set->line_number,
                     wrong.text, wrong.place);
    } else if (fault != NULL) {
        output_linef(out, "%s %d cannot be read: %s", run->unit, run->set->line_number, fault);
    } else {
        output_linef(out, "%s %d cannot be solved: %s", run->unit, run->set->line_number, reason);
    }
}

static int solve_file(MateRun *run, const char *path, StrView text) {
    /* The columns, if the first row names them, and the number of the other rows. */
    ProblemSet set = {.rest = utf8_without_mark(text), .column = {0, -1, -1}};
    StrView rest = set.rest, line;
    int line_number = 0;
    if (sv_next_row(&rest, &line, &line_number) &&
        sv_find_field(line, '\t', sv_from(columns[SFEN])) >= 0) {
        for (int i = 0; i < COLUMNS; i++) {
            set.column[i] = sv_find_field(line, '\t', sv_from(columns[i]));
        }
        set.rest = rest;
        set.line_number = line_number;
    }
    rest = set.rest;
    while (sv_next_row(&rest, &line, &line_number)) {
        set.row_count++;
    }
    /* No file of solutions may replace the file of problems. */
    bool has_many = run->options.kif != NULL && run->form.codec->divide == NULL;
    const char *kif = run->options.kif;
    bool is_good = kif == NULL || command_spares(run->context, kif, path);
    if (is_good && kif != NULL && kifu_is_sibling(kif, path)) {
        is_good =
            command_refuse(run->context, kif, "not overwritten: it exists; name another file");
    }
    for (int i = 1; is_good && has_many && i <= set.row_count; i++) {
        StrBuf solution = STRBUF_INIT;
        append_path(run, i, &solution);
        is_good = command_spares(run->context, solution.ptr, path);
        strbuf_free(&solution);
    }
    if (!is_good) {
        return COMMAND_FAILED;
    }
    run->set = &set;
    while (!command_is_cancelled(run->context) && sv_next_row(&set.rest, &line, &set.line_number)) {
        set.row++;
        Row row = {.sfen = sv_field(line, '\t', set.column[SFEN]),
                   .known_length = sv_field(line, '\t', set.column[KNOWN_LENGTH]),
                   .length_all_drops = sv_field(line, '\t', set.column[LENGTH_ALL_DROPS])};
        solve_row(run, &row);
    }
    if (set.total > 0) {
        output_linef(run->context->out,
                     "all              %4d of %4d decided, %d wrong, %d shorter, %4d of %4d "
                     "lengths, %4d of %4d as players count, %8.2f s, slowest %.2f s, %.1f million "
                     "nodes",
                     set.decided, set.total, set.wrong, set.shorter, set.right_lengths,
                     set.known_lengths, set.right_players, set.known_players,
                     (double)set.time_ns / 1e9, (double)set.slowest_ns / 1e9,
                     (double)run->nodes / 1e6);
    }
    if (command_is_cancelled(run->context)) {
        return COMMAND_FAILED;
    }
    if (set.total == 0) {
        return command_fail(run->context, COMMAND_FAILED, "no problem to solve");
    }
    return set.wrong == 0 && set.decided == set.total ? COMMAND_GOOD : COMMAND_FAILED;
}

/* Appends the start position of each game as a line of text, and closes the games. That of a game
 * with an error in its moves is solved, too, but not the even position, from which a game starts
 * that says nothing else. Returns false, with a message, if there is none. */
static bool read_starts(MateRun *run, Games *games, StrBuf *text) {
    StrBuf start = STRBUF_INIT;
    while (games_next(games)) {
        strbuf_clear(&start);
        pos_set(&run->pos, &games->record.start);
        pos_get_sfen(&run->pos, &start);
        if (!games->is_broken || !sv_equal(strbuf_view(&start), SV(SFEN_START))) {
            strbuf_addf(text, "%s\n", start.ptr);
        }
    }
    strbuf_free(&start);
    games_close(games);
    run->has_lost = games->faults > 0;
    return text->len > 0;
}

/* Appends the problems of a file as lines of text: a list of positions or a table as it is, and of
 * records the start positions. Standard input has no name. Returns false, with a message, on
 * failure. */
static bool read_problems(MateRun *run, const char *path, StrBuf *text) {
    run->unit = "line";
    if (!command_read_file(run->context, path, text)) {
        return false;
    }
    StrView rest = utf8_without_mark(strbuf_view(text)), line;
    int number = 0;
    bool is_table = sv_next_row(&rest, &line, &number) &&
                    sv_find_field(line, '\t', sv_from(columns[SFEN])) >= 0;
    const Codec *codec =
        kifu_guess(strcmp(path, "-") == 0 ? SV("") : sv_from(path), strbuf_view(text));
    if (is_table || codec == NULL || codec == &usirec_usi_codec || codec == &usirec_sfen_codec) {
        return true;
    }
    Games games;
    run->unit = "game";
    games_open_bytes(&games, path, strbuf_view(text), commands_report_game, run->context);
    strbuf_clear(text);
    return read_starts(run, &games, text);
}

/* ---- the commands ---------------------------------------------------------------------------- */

/* The words are either a position or a file name. Without words, the current position is solved. */
static int solve_input(MateRun *run, const Args *args) {
    StrBuf text = STRBUF_INIT;
    cmdline_join(args, 0, &text);
    bool is_file = args->count > 0 && !usimove_is_position(strbuf_view(&text));
    strbuf_free(&text);
    if (!is_file) {
        UsiFault note = {.text = NULL};
        if (!command_position(run->context, args, &run->pos, &note)) {
            return COMMAND_MISUSED;
        }
        complete_position(run, &note);
        const char *reason = refusal(run);
        if (reason != NULL) {
            return command_fail(run->context, COMMAND_MISUSED, "%s", reason);
        }
        return solve(run, NULL) == MATE_UNKNOWN ? COMMAND_FAILED : COMMAND_GOOD;
    }
    if (args->count > 1 || args->words[0][0] == '\0') {
        return command_misuse(run->context);
    }
    const char *path = args->words[0];
    int status = read_problems(run, path, &text) ? solve_file(run, path, strbuf_view(&text))
                                                 : COMMAND_FAILED;
    strbuf_free(&text);
    return status;
}

static int run_mate(const CommandContext *context, Args *args) {
    /* The defaults of the options that only `mate` or only `hisshi` has. */
    MateRun run = {.context = context, .options = {.mate.lines = 1, .effort.threads = 1}};
    CommandContext caught = *context;
    if (!command_read(context, args, &run.options, context->is_program ? 1 : 0, -1)) {
        return COMMAND_MISUSED;
    }
    /* The file for solutions: its name says the format, and it must be writable. */
    const char *kif = run.options.kif;
    if (kif != NULL) {
        const Codec *codec = kifu_codec_by_path(sv_from(kif));
        if (codec == NULL) {
            return command_fail(context, COMMAND_MISUSED, "%s: unknown file name extension", kif);
        }
        run.form = kifu_form_by_path(codec, sv_from(kif));
        int error = file_check_write(kif);
        if (error != 0) {
            return command_fail(context, COMMAND_FAILED, "%s: %s", kif,
                                outguard_error_text(kif, error));
        }
    }
    /* Ctrl-C ends the run with what has been solved. */
    caught.cancel = command_catch_end(context);
    run.context = &caught;
    Solved *solved = &run.solved;
    if (run.options.mate.lines > 1) {
        solved->lines = xmem_calloc((size_t)run.options.mate.lines, sizeof(MateLine));
        solved->lines_are_exact = xmem_calloc((size_t)run.options.mate.lines, sizeof(bool));
    }
    record_init(&solved->record);
    run.task = matetask_create();
    pos_init(&run.pos);
    command_begin_progress(context, &run.progress, PROGRESS_AFTER_MS, PROGRESS_EVERY_MS, false);
    int status = solve_input(&run, args);
    if (run.records.len > 0) {
        save_records(&run, 1);
    }
    status = run.has_lost ? COMMAND_FAILED : status;
    matetask_free(run.task);
    pos_free(&run.pos);
    record_free(&solved->record);
    free(solved->lines);
    free(solved->lines_are_exact);
    free(solved->others);
    strbuf_free(&run.records);
    return status;
}

/* `names` are the columns that the command reads besides the position. */
#define FILE_HELP(names)                                                                           \
    "Each line of the file is a position, or a row of a table whose first line names the "         \
    "columns: sfen, " names                                                                        \
    ". Of a game record (*.kif, *.csa, *.usi, ...), the start position is solved. "                \
    "FILE \"-\" is standard input."

const Command cmd_mate = {{"mate", "FILE | SFEN",
                           "Solve a mate problem, or all problems in a file.\n" FILE_HELP(
                               "known_length, length_all_drops"),
                           ARG_OPTIONS(mate_options), .bit = IS_MATE},
                          run_mate};

const Command cmd_hisshi = {{"hisshi", "FILE | SFEN",
                             "Solve a brinkmate problem, or all problems in a file.\n" FILE_HELP(
                                 "known_length (number of moves, 0 for a mate, or none)"),
                             ARG_OPTIONS(mate_options), .bit = IS_HISSHI},
                            run_mate};
