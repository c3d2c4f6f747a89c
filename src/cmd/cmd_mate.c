/* cmd_mate.c: solves a single problem or the rows of a file, compares the answers with the known
 * ones, and prints verdicts and counts. */
#include "cmd/cmd_mate.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "base/xmem.h"
#include "command/command.h"
#include "command/output.h"
#include "engine/engine.h"
#include "kifu/codecs.h"
#include "kifu/kifuio.h"
#include "mate/brink.h"
#include "mate/helpmate.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "study/matekif.h"

#define PROGRESS_AFTER_MS 2000
#define PROGRESS_EVERY_MS 500

enum { CATEGORY_MOST = 64, LINES_MOST = 100 };

/* Mates are reported before the end of the search if it takes longer than this. */
#define TELL_AFTER_MS 500

typedef struct MateArgs {
    bool is_shortest, checks_unique, prunes_futile;
    int lines; /* number of different first moves to find mates for, at most LINES_MOST */
    int hash_mb, threads;
    int64_t time_ms; /* per problem; 0: no limit */
    int64_t cpu_ms;  /* the same in CPU time of the whole process */
    uint64_t nodes;
    const char *only; /* solve only problems of this category; NULL: all */
    int every;        /* solve one problem in this many */
    int help_plies;   /* maximum length of helpmates; 0: not a helpmate */
    const char *kif;  /* file for the solutions; NULL: none */
    int brink_moves;  /* maximum length of brinkmates; 0: look for mates */
} MateArgs;

/* The commands of this file, as bits. */
enum { IS_MATE = 1, IS_HISSHI = 2 };

#define AT(member) offsetof(MateArgs, member)

static const ArgOption options[] = {
    {"--shortest", NULL, ARG_FLAG, AT(is_shortest), .help = "search for the shortest mate",
     .commands = IS_MATE},
    {"--check-unique", NULL, ARG_FLAG, AT(checks_unique),
     .help = "report other checks that mate along the shortest mate; of a brinkmate, whether its "
             "first move is the only one"},
    {"--prune-futile", NULL, ARG_FLAG, AT(prunes_futile),
     .help = "try interpositions that look futile last", .commands = IS_MATE},
    {"--lines", "N", ARG_INT, AT(lines), 1, LINES_MOST, .start = 1,
     .help = "number of first moves to find", .commands = IS_MATE},
    {"--help-mate", "N", ARG_INT, AT(help_plies), 1, HELPMATE_MOST,
     .help = "print all helpmates of the shortest length, at most N plies", .commands = IS_MATE},
    {"--moves", "N", ARG_INT, AT(brink_moves), 1, BRINK_MOVES_MOST, .start = 5,
     .help = "longest brinkmate to search for", .commands = IS_HISSHI},
    {"--kif", "FILE", ARG_TEXT, AT(kif), .help = "write the solutions as records with variations"},
    {"--hash", "MB", ARG_INT, AT(hash_mb), 1, 1 << 20, .start = 256,
     .help = "size of the hash table"},
    {"--threads", "N", ARG_INT, AT(threads), 1, 512, .start = 1, .help = "number of threads",
     .commands = IS_MATE},
    {"--time", "S", ARG_SECONDS, AT(time_ms), 0.001, 1e6, .help = "seconds per problem"},
    {"--cpu", "S", ARG_SECONDS, AT(cpu_ms), 0.001, 1e6,
     .help = "seconds of processor time per problem"},
    {"--nodes", "N", ARG_U64, AT(nodes), 1, .help = "approximate number of nodes per problem"},
    {"--only", "CATEGORY", ARG_TEXT, AT(only), .help = "solve only problems of this category"},
    {"--every", "N", ARG_INT, AT(every), 1, 1 << 20, .start = 1,
     .help = "solve only every Nth problem"},
};

/* Another mating check along the line. */
typedef struct OtherMate {
    int place;
    Move check;
} OtherMate;

/* A mate found before the end of the search. */
typedef struct FoundLine {
    int mate; /* its length; 0: none of this rank */
    int len;
    Move moves[MATE_LINE_MAX];
} FoundLine;

/* The answer to one problem, and the effort. */
typedef struct Solved {
    bool tells;       /* also report mates before the end */
    FoundLine *lines; /* by rank - 1, one for each line wanted; NULL: only one line */
    MateAnswer answer;
    int moves;            /* length of a brinkmate; 0: a mate */
    bool has_unique_move; /* the brinkmate has a unique first move */
    UniqueResult unique;
    OtherMate *others; /* array of other_count entries */
    size_t other_count, other_cap;
    int64_t cpu_ns;
} Solved;

/* The counts for a category of a file. */
typedef struct Tally {
    StrView name;
    int total, decided, wrong;
    int shorter;       /* mates that are shorter than the file says */
    int known_lengths; /* mates with a known length that counts every interposition */
    int right_lengths;
    int known_players; /* the same without futile interpositions */
    int right_players;
    uint64_t nodes;
    int64_t cpu_ns, slowest_ns;
} Tally;

typedef struct Run {
    const CommandContext *context;
    MateArgs options;
    Engine *engine;
    Position pos;
    Solved solved;
    StrBuf records; /* the solutions, as bytes of a file */
    KifuForm form;
    Progress progress;
    int row;         /* row of the file, from 1 */
    int row_count;   /* 0: not a file */
    uint64_t nodes;  /* nodes of finished searches */
    int seen;        /* number of problems of the file so far */
    int line_number; /* in the file, from 1 */
    Tally tally[CATEGORY_MOST];
    int tally_count;
    bool has_told_table; /* a table smaller than requested has been reported */
    int sfen_column;
    int length_column; /* -1 if the file has no such column, like the next two */
    int exact_column, category_column;
} Run;

/* True for a board: eight slashes, and pieces between them. A path may have as many slashes. */
static bool is_board(StrView word) {
    int slashes = 0;
    for (size_t i = 0; i < word.len; i++) {
        if (!sv_has_byte(SV("123456789+/plnsgbrkPLNSGBRK"), word.ptr[i])) {
            return false;
        }
        slashes += word.ptr[i] == '/';
    }
    return slashes == 8 && word.ptr[0] != '/';
}

/* Distinguishes a position from a file name, which may contain spaces too. A position starts with
 * `sfen` or `startpos`, or its second word is a side to move, or its first word of several is a
 * board. */
static bool is_position(StrView input) {
    Tokenizer tok = {input};
    StrView first, second;
    (void)tok_next(&tok, &first);
    bool has_more = tok_next(&tok, &second);
    bool has_name = sv_equal(first, SV("startpos")) || sv_equal(first, SV("sfen"));
    bool has_side = sv_equal(second, SV("b")) || sv_equal(second, SV("w"));
    return has_name || has_side || (has_more && is_board(first));
}

/* ---- One problem. ---- */

static void show_progress(Run *run, const MateInfo *info) {
    if (!progress_is_due(&run->progress)) {
        return;
    }
    unsigned long long nodes = run->nodes + info->nodes;
    long long seconds = progress_elapsed_ms(&run->progress) / 1000;
    if (run->row_count > 0) {
        progress_show(&run->progress, "problem %d of %d, %llu nodes, %lld s ", run->row,
                      run->row_count, nodes, seconds);
    } else {
        progress_show(&run->progress, "%llu nodes, %lld s ", nodes, seconds);
    }
}

static void append_line(const Move *line, int len, StrBuf *out) {
    strbuf_add_str(out, len > 0 ? ":" : "");
    usimove_append_line(line, len, out);
}

static void tell_mate(Run *run, const MateInfo *info) {
    StrBuf line = STRBUF_INIT;
    strbuf_addf(&line, "  found: mate in %d or less, %llu nodes, %.1f s", info->mate,
                (unsigned long long)info->nodes, (double)info->time_ms / 1e3);
    append_line(info->line, info->line_len, &line);
    progress_clear(&run->progress);
    output_line(run->context->out, strbuf_view(&line));
    strbuf_free(&line);
}

static void on_info(void *context, const MateInfo *info) {
    Run *run = context;
    const Solved *solved = &run->solved;
    if (info->mate > 0 && info->rank > 0 && solved->lines != NULL) {
        FoundLine *line = &solved->lines[info->rank - 1];
        line->mate = info->mate;
        line->len = info->line_len;
        memcpy(line->moves, info->line, (size_t)info->line_len * sizeof(Move));
    }
    if (info->mate > 0 && solved->tells && info->time_ms >= TELL_AFTER_MS) {
        tell_mate(run, info);
    }
    show_progress(run, info);
}

static void on_other(void *context, int place, Move check) {
    Solved *solved = &((Run *)context)->solved;
    solved->others =
        xmem_grow(solved->others, &solved->other_cap, solved->other_count + 1, sizeof(OtherMate));
    solved->others[solved->other_count++] = (OtherMate){.place = place, .check = check};
}

static void write_solution(Run *run, const MateDone *done) {
    Record record;
    record_init(&record);
    int moves = done->brink != NULL ? done->brink->moves : 0;
    MateSolution solution = {.pos = &run->pos,
                             .proof = done->proof,
                             .level = moves > 0 ? brink_level(moves) : BRINK_MATE,
                             .line = done->answer->line,
                             .len = done->answer->line_len};
    matekif_build(&solution, &record);
    (void)kifu_write(&record, &run->form, &run->records);
    record_free(&record);
}

static void on_done(void *context, const MateDone *done) {
    Solved *solved = &((Run *)context)->solved;
    if (done->proof != NULL && ((Run *)context)->form.codec != NULL) {
        write_solution(context, done);
    }
    solved->answer = *done->answer;
    solved->moves = done->brink != NULL ? done->brink->moves : 0;
    solved->has_unique_move = done->brink != NULL && done->brink->is_unique;
    solved->unique = done->unique != NULL ? *done->unique : (UniqueResult){.fault = UNIQUE_NO_MATE};
}

/* Reports once if the table is smaller than requested. */
static void tell_table(Run *run, int mb) {
    if (mb != run->options.hash_mb && !run->has_told_table) {
        command_fail(run->context, 0, "cannot allocate %d MB; the hash table has %d MB",
                     run->options.hash_mb, mb);
        run->has_told_table = true;
    }
}

/* Solves the problem in run->pos into run->solved, within the limits of the options. */
static void solve_problem(Run *run) {
    const MateArgs *wanted = &run->options;
    Solved *solved = &run->solved;
    MateRequest request = {.pos = &run->pos,
                           .hash_mb = wanted->hash_mb,
                           .threads = wanted->threads,
                           .time_ms = wanted->time_ms,
                           .start_ns = clock_ns(),
                           .cpu_ms = wanted->cpu_ms,
                           .start_cpu_ns = clock_cpu_ns(),
                           .cancel = run->context->cancel,
                           .nodes = wanted->nodes,
                           .options = {.mate_shortest = wanted->is_shortest,
                                       .mate_unique = wanted->checks_unique,
                                       .mate_futile = true,
                                       .mate_prune_futile = wanted->prunes_futile},
                           .lines = wanted->lines,
                           .wants_proof = wanted->kif != NULL,
                           .brink_moves = wanted->brink_moves,
                           .sink = {run, on_info, on_other, on_done}};
    solved->other_count = 0;
    for (int i = 0; solved->lines != NULL && i < wanted->lines; i++) {
        solved->lines[i].mate = 0;
    }
    int table_mb = engine_mate(run->engine, &request);
    progress_clear(&run->progress);
    tell_table(run, table_mb);
    run->nodes += solved->answer.nodes;
    solved->cpu_ns = clock_cpu_ns() - request.start_cpu_ns;
}

static void append_verdict(const Run *run, StrBuf *line) {
    const MateAnswer *answer = &run->solved.answer;
    const char *or_less = answer->is_exact ? "" : " or less";
    if (answer->verdict == MATE_FOUND && run->options.brink_moves > 0) {
        if (run->solved.moves > 0) {
            strbuf_addf(line, "brinkmate in %d%s%s", run->solved.moves, or_less,
                        run->solved.has_unique_move ? ", unique" : "");
        } else {
            strbuf_add_str(line, "mate by checks alone");
        }
    } else if (answer->verdict == MATE_FOUND) {
        strbuf_addf(line, "mate in %d%s", answer->len, or_less);
        if (answer->players_len > 0 && answer->players_len < answer->len) {
            strbuf_addf(line, " (%d without futile drops)", answer->players_len);
        }
    } else if (answer->verdict == MATE_NONE && run->options.brink_moves > 0) {
        strbuf_addf(line, "no brinkmate in %d", run->options.brink_moves);
    } else {
        strbuf_add_str(line, answer->verdict == MATE_NONE ? "no mate"
                             : answer->is_too_large       ? "undecided (too large to be replayed)"
                                                          : "undecided");
    }
}

static void print_answer(Run *run, const char *remark) {
    const MateAnswer *answer = &run->solved.answer;
    StrBuf line = STRBUF_INIT;
    append_verdict(run, &line);
    strbuf_addf(&line, ", %llu nodes, %.3f s%s", (unsigned long long)answer->nodes,
                (double)run->solved.cpu_ns / 1e9, remark);
    append_line(answer->line, answer->verdict == MATE_FOUND ? answer->line_len : 0, &line);
    output_line(run->context->out, strbuf_view(&line));
    for (int i = 0; run->solved.lines != NULL && i < run->options.lines; i++) {
        const FoundLine *found = &run->solved.lines[i];
        if (found->mate > 0) {
            strbuf_clear(&line);
            strbuf_addf(&line, "  line %d: mate in %d", i + 1, found->mate);
            append_line(found->moves, found->len, &line);
            output_line(run->context->out, strbuf_view(&line));
        }
    }
    strbuf_free(&line);
}

/* ---- Uniqueness. ---- */

/* Prints the verdict on the line's uniqueness, after the other mates found. */
static void print_unique(const Run *run) {
    const Solved *solved = &run->solved;
    const UniqueResult *unique = &solved->unique;
    const CommandContext *context = run->context;
    char text[USI_MOVE_SIZE];
    for (size_t i = 0; i < solved->other_count; i++) {
        output_linef(context->out, "  move %d: %s also mates", solved->others[i].place + 1,
                     usimove_write(solved->others[i].check, text));
    }
    if (unique->fault == UNIQUE_NOT_SHORTEST) {
        output_line(context->out, SV("  undecided: the mate may not be the shortest"));
    } else if (unique->fault == UNIQUE_NOT_WHOLE) {
        output_linef(context->out, "  undecided: %d of %d moves of the line are known",
                     solved->answer.line_len, solved->answer.len);
    } else if (unique->fault == UNIQUE_JUDGED) {
        const char *verdict = unique->others > 0 ? "not unique"
                              : unique->open > 0 ? "undecided"
                                                 : "unique";
        output_linef(context->out, "  %s: %d other mates, %d checks undecided", verdict,
                     unique->others, unique->open);
    }
}

/* ---- Helpmates. ---- */

/* A helpmate search, which runs on the command's own thread. */
typedef struct Helping {
    Run *run;
    int64_t end_ns; /* 0: no limit */
    int64_t end_cpu_ns;
    StrBuf text;
} Helping;

static bool is_to_end(void *context) {
    const Helping *helping = context;
    return command_is_cancelled(helping->run->context) ||
           (helping->end_ns > 0 && clock_ns() >= helping->end_ns) ||
           (helping->end_cpu_ns > 0 && clock_cpu_ns() >= helping->end_cpu_ns);
}

static void tell_helpmate(void *context, const Move *line, int len) {
    Helping *helping = context;
    strbuf_clear(&helping->text);
    strbuf_add_str(&helping->text, " ");
    append_line(line, len, &helping->text);
    output_line(helping->run->context->out, strbuf_view(&helping->text));
}

static void solve_helpmate(Run *run) {
    const MateArgs *wanted = &run->options;
    int64_t start_cpu_ns = clock_cpu_ns();
    Helping helping = {.run = run, .text = STRBUF_INIT};
    helping.end_ns = wanted->time_ms > 0 ? clock_ns() + wanted->time_ms * 1000000 : 0;
    helping.end_cpu_ns = wanted->cpu_ms > 0 ? start_cpu_ns + wanted->cpu_ms * 1000000 : 0;
    HelpmateLimits limits = {.plies = wanted->help_plies,
                             .bytes = (size_t)wanted->hash_mb << 20,
                             .nodes = wanted->nodes,
                             .is_to_end = is_to_end,
                             .tell = tell_helpmate,
                             .context = &helping};
    HelpmateAnswer answer = helpmate_solve(&run->pos, &limits);
    MateAnswer *shown = &run->solved.answer;
    *shown = (MateAnswer){.nodes = answer.nodes, .len = answer.len};
    shown->verdict = answer.len > 0 ? MATE_FOUND : answer.is_whole ? MATE_NONE : MATE_UNKNOWN;
    shown->is_exact = answer.is_whole && answer.len > 0;
    run->solved.cpu_ns = clock_cpu_ns() - start_cpu_ns;
    strbuf_clear(&helping.text);
    if (answer.len > 0) {
        strbuf_addf(&helping.text, "helpmate in %d, %llu solutions%s", answer.len,
                    (unsigned long long)answer.solutions, answer.is_whole ? "" : " or more");
    } else {
        strbuf_addf(&helping.text, answer.is_whole ? "no helpmate in %d" : "undecided",
                    wanted->help_plies);
    }
    output_linef(run->context->out, "%s, %llu nodes, %.3f s", helping.text.ptr,
                 (unsigned long long)answer.nodes, (double)run->solved.cpu_ns / 1e9);
    strbuf_free(&helping.text);
}

#define NO_KING "the side not to move has no king"

static bool has_enemy_king(const Run *run) {
    return run->pos.king[color_flip(run->pos.side)] != SQ_NONE;
}

static int solve_one(Run *run) {
    if (!has_enemy_king(run)) {
        return command_fail(run->context, COMMAND_MISUSED, "%s", NO_KING);
    }
    run->solved.tells = true;
    if (run->options.help_plies > 0) {
        solve_helpmate(run);
    } else {
        solve_problem(run);
        print_answer(run, "");
        print_unique(run);
    }
    return run->solved.answer.verdict == MATE_UNKNOWN ? COMMAND_FAILED : COMMAND_GOOD;
}

/* ---- A file. ---- */

/* Reads the columns if the line names them; otherwise the SFEN is the first column. */
static bool read_header(Run *run, StrView line) {
    int sfen = sv_find_field(line, '\t', SV("sfen"));
    run->sfen_column = int_max(sfen, 0);
    run->length_column = sv_find_field(line, '\t', SV("known_length"));
    run->exact_column = sv_find_field(line, '\t', SV("length_all_drops"));
    run->category_column = sv_find_field(line, '\t', SV("category"));
    return sfen >= 0;
}

static Tally *tally_for(Run *run, StrView name) {
    for (int i = 0; i < run->tally_count; i++) {
        if (sv_equal(run->tally[i].name, name)) {
            return &run->tally[i];
        }
    }
    if (run->tally_count == CATEGORY_MOST) {
        return &run->tally[CATEGORY_MOST - 1];
    }
    run->tally[run->tally_count].name = name;
    return &run->tally[run->tally_count++];
}

static void count_effort(const Run *run, Tally *tally) {
    tally->total++;
    tally->decided += run->solved.answer.verdict != MATE_UNKNOWN;
    tally->nodes += run->solved.answer.nodes;
    tally->cpu_ns += run->solved.cpu_ns;
    tally->slowest_ns = i64_max(tally->slowest_ns, run->solved.cpu_ns);
}

/* Adds the answer of a brinkmate search to the counts. The file gives the number of moves, 0 for a
 * mate, or `none`. */
static const char *judge_brink(const Run *run, Tally *tally, StrView known) {
    const MateAnswer *answer = &run->solved.answer;
    int moves = 0;
    bool has_moves = sv_to_int(known, 0, BRINK_MOVES_MOST, &moves);
    bool is_found = answer->verdict == MATE_FOUND;
    bool is_right = has_moves && is_found && run->solved.moves == moves;
    bool is_wrong =
        (sv_equal(known, SV("none")) && is_found) ||
        (has_moves && moves <= run->options.brink_moves && answer->verdict == MATE_NONE) ||
        (has_moves && is_found && run->solved.moves < moves) ||
        (has_moves && is_found && answer->is_exact && !is_right);
    tally->wrong += is_wrong;
    tally->known_lengths += has_moves;
    tally->right_lengths += is_right;
    return is_wrong ? ", WRONG" : has_moves && is_found && !is_right ? ", other length" : "";
}

/* Adds the answer to the counts. Returns a remark for its line. */
static const char *judge(Run *run, Tally *tally, StrView known, StrView exact) {
    const MateAnswer *answer = &run->solved.answer;
    bool is_mate = answer->verdict == MATE_FOUND;
    int length = 0, players = 0;
    bool says_none = sv_equal(known, SV("nomate"));
    bool has_length = sv_to_int(exact, 1, MATE_LINE_MAX, &length);
    bool has_players = sv_to_int(known, 1, MATE_LINE_MAX, &players);
    bool is_wrong = (says_none && is_mate) ||
                    ((has_length || has_players) && answer->verdict == MATE_NONE) ||
                    (has_length && is_mate && answer->is_exact && answer->len > length);
    bool is_shorter = has_length && is_mate && answer->len < length;
    bool is_right_length = has_length && is_mate && answer->len == length;
    bool is_right_players = has_players && is_mate && answer->players_len == players;
    tally->wrong += is_wrong;
    tally->shorter += is_shorter;
    tally->known_lengths += has_length;
    tally->right_lengths += is_right_length;
    tally->known_players += has_players;
    tally->right_players += is_right_players;
    if (is_wrong) {
        return ", WRONG";
    }
    if (!is_mate) {
        return "";
    }
    if (is_shorter) {
        return ", shorter";
    }
    if (has_length && !is_right_length) {
        return ", other length";
    }
    bool counts_otherwise = has_players && answer->players_len > 0 && !is_right_players;
    return counts_otherwise ? ", players count otherwise" : "";
}

static void solve_line(Run *run, StrView line) {
    StrView sfen = command_sfen(sv_field(line, '\t', run->sfen_column));
    StrView known = sv_field(line, '\t', run->length_column);
    StrView exact = sv_field(line, '\t', run->exact_column);
    StrView category = sv_field(line, '\t', run->category_column);
    if (run->options.only != NULL && !sv_equal(category, sv_from(run->options.only))) {
        return;
    }
    Tally *tally = tally_for(run, category);
    if (run->seen++ % run->options.every != 0) {
        return;
    }
    int place;
    KmdError error = pos_set_sfen(&run->pos, sfen, &place);
    if (error != KMD_OK) {
        /* Do not repeat the row: in a file of another kind it may contain any bytes. */
        output_linef(run->context->out, "line %d cannot be read: %s, column %d", run->line_number,
                     sfen_error_text(error), place);
        tally->total++;
        return;
    }
    if (!has_enemy_king(run)) {
        output_linef(run->context->out, "line %d cannot be solved: %s", run->line_number, NO_KING);
        tally->total++;
        return;
    }
    if (run->options.help_plies > 0) {
        output_linef(run->context->out, "%.*s", (int)sfen.len, sfen.ptr);
        solve_helpmate(run);
        judge(run, tally, known, exact);
        count_effort(run, tally);
        return;
    }
    solve_problem(run);
    const char *remark = run->options.brink_moves > 0 ? judge_brink(run, tally, known)
                                                      : judge(run, tally, known, exact);
    count_effort(run, tally);
    output_linef(run->context->out, "%.*s", (int)sfen.len, sfen.ptr);
    print_answer(run, remark);
    print_unique(run);
}

static void print_tally(const Run *run, const Tally *tally) {
    StrView name = tally->name.len > 0 ? tally->name : SV("all");
    output_linef(run->context->out,
                 "%-16.*s %4d of %4d decided, %d wrong, %d shorter, %4d of %4d lengths, %4d of "
                 "%4d as players count, %8.2f s, slowest %.2f s, %.1f million nodes",
                 (int)name.len, name.ptr, tally->decided, tally->total, tally->wrong,
                 tally->shorter, tally->right_lengths, tally->known_lengths, tally->right_players,
                 tally->known_players, (double)tally->cpu_ns / 1e9, (double)tally->slowest_ns / 1e9,
                 (double)tally->nodes / 1e6);
}

static int print_tallies(const Run *run) {
    bool is_good = true;
    int total = 0;
    for (int i = 0; i < run->tally_count; i++) {
        const Tally *tally = &run->tally[i];
        if (tally->total > 0) {
            print_tally(run, tally);
        }
        total += tally->total;
        is_good = is_good && tally->wrong == 0 && tally->decided == tally->total;
    }
    if (total == 0) {
        return command_fail(run->context, COMMAND_FAILED, "no problem to solve");
    }
    return is_good ? COMMAND_GOOD : COMMAND_FAILED;
}

/* The first line that is neither empty nor a comment may name the columns. */
static int solve_file(Run *run, StrView text) {
    StrView line;
    StrView all = text = utf8_without_mark(text);
    bool is_first = true;
    while (sv_next_row(&all, &line, &run->line_number)) {
        run->row_count++;
    }
    run->line_number = 0;
    while (sv_next_row(&text, &line, &run->line_number) && !command_is_cancelled(run->context)) {
        if (is_first && read_header(run, line)) {
            run->row_count--;
        } else {
            run->row++;
            solve_line(run, line);
        }
        is_first = false;
    }
    return print_tallies(run);
}

/* The words are either a position or a file name. Without words, the current position is solved. */
static int solve_input(Run *run, const Args *args) {
    StrBuf text = STRBUF_INIT;
    cmdline_join(args, 0, &text);
    bool is_file = args->count > 0 && !is_position(strbuf_view(&text));
    strbuf_free(&text);
    if (!is_file) {
        return command_position(run->context, args, &run->pos) ? solve_one(run) : COMMAND_MISUSED;
    }
    if (args->count > 1 || args->words[0][0] == '\0') {
        return command_misuse(run->context);
    }
    bool is_read = command_read_file(run->context, args->words[0], &text);
    int status = is_read ? solve_file(run, strbuf_view(&text)) : COMMAND_FAILED;
    strbuf_free(&text);
    return status;
}

/* Selects the format of the file for solutions. Returns false if its extension is unknown. */
static bool choose_form(Run *run) {
    const char *path = run->options.kif;
    if (path != NULL) {
        const Codec *codec = kifu_codec_by_path(sv_from(path));
        if (codec == NULL) {
            command_fail(run->context, 0, "%s: unknown file name extension", path);
            return false;
        }
        run->form = kifu_form_by_path(codec, sv_from(path));
    }
    return true;
}

static int save_records(const Run *run, int status) {
    bool is_good = run->options.kif == NULL || run->records.len == 0 ||
                   command_write_file(run->context, run->options.kif, &run->records);
    return is_good ? status : COMMAND_FAILED;
}

static int mate(const CommandContext *context, Args *args) {
    MateArgs wanted = {.lines = 1,
                       .threads = 1}; /* defaults of options that the command does not have */
    if (!command_read(context, args, &wanted, context->is_program ? 1 : 0, -1)) {
        return COMMAND_MISUSED;
    }
    wanted.is_shortest = wanted.is_shortest || wanted.checks_unique;
    Run *run = xmem_calloc(1, sizeof(*run));
    run->context = context;
    run->options = wanted;
    if (wanted.lines > 1) {
        run->solved.lines = xmem_calloc((size_t)wanted.lines, sizeof(FoundLine));
    }
    command_begin_progress(context, &run->progress, PROGRESS_AFTER_MS, PROGRESS_EVERY_MS, false);
    run->engine = engine_create();
    pos_init(&run->pos);
    int status = choose_form(run) ? save_records(run, solve_input(run, args)) : COMMAND_MISUSED;
    pos_free(&run->pos);
    engine_free(run->engine);
    strbuf_free(&run->records);
    free(run->solved.others);
    free(run->solved.lines);
    free(run);
    return status;
}

const Command cmd_mate = {{"mate", "FILE | SFEN",
                           "Solve a mate problem, or all problems of a file.\n"
                           "Each line of the file is a position, or the first line names columns: "
                           "sfen, known_length, length_all_drops, category.",
                           ARG_OPTIONS(options), .bit = IS_MATE},
                          mate};

const Command cmd_hisshi = {
    {"hisshi", "FILE | SFEN",
     "Solve a brinkmate problem, or all problems of a file.\n"
     "Each line of the file is a position, or the first line names columns: sfen, known_length "
     "(moves, 0 for a mate, or none), category.",
     ARG_OPTIONS(options), .bit = IS_HISSHI},
    mate};
