#include "cmd/cmd_mate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "base/textenc.h"
#include "base/xmem.h"
#include "cmd/cmdargs.h"
#include "engine/matetask.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "usi/output.h"

#define LOOK_EVERY_MS     5
#define PROGRESS_AFTER_MS 2000
#define PROGRESS_EVERY_MS 500

enum { STATUS_GOOD, STATUS_FAILED, STATUS_USAGE };
enum { CATEGORY_MOST = 64, LINES_MOST = 100 };

/* A mate is told before the search ends when that takes longer. */
#define TELL_AFTER_MS 500

typedef struct MateOptions {
    bool is_shortest;
    bool checks_unique;
    int lines; /* first moves that mate, at most LINES_MOST */
    int hash_mb;
    int threads;
    int64_t time_ms; /* of each problem; 0: none */
    int64_t cpu_ms;  /* likewise, in processor time of the whole process */
    uint64_t nodes;
    StrView only;     /* problems of this category; empty: all */
    int every;        /* every so many problems only */
    StrView input;    /* a file, an SFEN, or empty */
    bool is_position; /* the input is one, not a file */
} MateOptions;

/* Another mate along the line. */
typedef struct OtherMate {
    int place;
    Move check;
} OtherMate;

/* A mate that was found on the way. */
typedef struct FoundLine {
    int mate; /* its length; 0: none of this rank */
    int len;
    Move moves[MATE_LINE_MAX];
} FoundLine;

/* One answer, and what it took. */
typedef struct Solved {
    const CommandContext *tells; /* NULL: nothing is told before the end */
    FoundLine *lines;            /* by rank - 1, as many as are looked for; NULL: only one is */
    MateAnswer answer;
    UniqueResult unique;
    OtherMate *others; /* other_count of them */
    size_t other_count;
    size_t other_cap;
    int64_t cpu_ns;
    _Atomic uint64_t nodes; /* while it is being looked for, now and then */
} Solved;

/* The line on a terminal that says how far a command is that takes long. */
typedef struct Progress {
    bool is_wanted;
    bool is_shown;
    int64_t start_ms;
    int64_t next_ms; /* when it is written again, since the start */
    int row;         /* of the file, from 1 */
    int row_count;   /* 0: no file */
    uint64_t nodes;  /* of the searches that have ended */
} Progress;

/* Counts for a category of a file. */
typedef struct Tally {
    StrView name;
    int total;
    int decided;
    int wrong;
    int shorter;       /* mates that are shorter than the file says */
    int known_lengths; /* mates with a known length, every interposition counted */
    int right_lengths;
    int known_players; /* the same without futile interpositions */
    int right_players;
    uint64_t nodes;
    int64_t cpu_ns;
    int64_t slowest_ns;
} Tally;

typedef struct Run {
    const CommandContext *context;
    MateOptions options;
    MateTask *task;
    Position pos;
    Solved solved;
    int64_t start_ns; /* see start_clock */
    int64_t start_cpu_ns;
    Progress progress;
    int seen;        /* problems of the file so far */
    int line_number; /* in the file, from 1 */
    Tally tally[CATEGORY_MOST];
    int tally_count;
    bool has_told_table; /* that it is smaller than was asked for */
    int sfen_column;
    int length_column; /* -1: the file does not tell, as the next two */
    int exact_column;
    int category_column;
} Run;

/* ---- Arguments. ---- */

static bool read_number(Tokenizer *tok, int low, int high, int *value) {
    StrView word;
    return tok_next(tok, &word) && sv_to_int(word, low, high, value);
}

static bool read_seconds(Tokenizer *tok, int64_t *ms) {
    StrView word;
    double seconds;
    if (!tok_next(tok, &word) || !sv_to_double(word, 0.001, 1e6, &seconds)) {
        return false;
    }
    *ms = (int64_t)(seconds * 1000);
    return true;
}

static bool read_option(Tokenizer *tok, StrView word, MateOptions *options) {
    StrView value;
    if (sv_equal(word, SV("--shortest"))) {
        options->is_shortest = true;
    } else if (sv_equal(word, SV("--check-unique"))) {
        options->checks_unique = options->is_shortest = true;
    } else if (sv_equal(word, SV("--hash"))) {
        return read_number(tok, 1, 1 << 20, &options->hash_mb);
    } else if (sv_equal(word, SV("--lines"))) {
        return read_number(tok, 1, LINES_MOST, &options->lines);
    } else if (sv_equal(word, SV("--threads"))) {
        return read_number(tok, 1, 512, &options->threads);
    } else if (sv_equal(word, SV("--every"))) {
        return read_number(tok, 1, 1 << 20, &options->every);
    } else if (sv_equal(word, SV("--time"))) {
        return read_seconds(tok, &options->time_ms);
    } else if (sv_equal(word, SV("--cpu"))) {
        return read_seconds(tok, &options->cpu_ms);
    } else if (sv_equal(word, SV("--only"))) {
        return cmdargs_next(tok, &options->only) && options->only.len > 0;
    } else if (sv_equal(word, SV("--nodes"))) {
        return tok_next(tok, &value) && sv_to_u64(value, 1, UINT64_MAX, &options->nodes);
    } else {
        return false;
    }
    return true;
}

static bool read_option_words(Tokenizer *tok, MateOptions *options) {
    while (sv_starts_with(tok_peek(tok), SV("--"))) {
        StrView word;
        if (!tok_next(tok, &word) || !read_option(tok, word, options)) {
            return false;
        }
    }
    return true;
}

/* The words up to the next option; what stands in quotes is one word. */
static StrView take_input(Tokenizer *tok) {
    StrView text = tok_rest(tok);
    StrView word;
    while (tok_peek(tok).len > 0 && !sv_starts_with(tok_peek(tok), SV("--"))) {
        (void)cmdargs_next(tok, &word);
    }
    return sv_take(text, text.len - tok_rest(tok).len);
}

/* True for a board with its eight slashes and what stands between them. A path may have as many. */
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

/* Tells a position from the name of a file, which may hold blanks too: it says so itself, or has a
 * side to move as its second word, or at least a board as the first of several. */
static bool is_position(StrView input) {
    Tokenizer tok = {input};
    StrView first;
    StrView second;
    tok.rest = cmdargs_rest(&tok);
    (void)tok_next(&tok, &first);
    bool has_more = tok_next(&tok, &second);
    bool has_name = sv_equal(first, SV("startpos")) || sv_equal(first, SV("sfen"));
    bool has_side = sv_equal(second, SV("b")) || sv_equal(second, SV("w"));
    return has_name || has_side || (has_more && is_board(first));
}

/* A word or what stands in quotes, or nothing. */
static bool is_one_word(StrView input) {
    Tokenizer tok = {input};
    StrView word;
    (void)cmdargs_next(&tok, &word);
    return tok_peek(&tok).len == 0;
}

/* Options stand before the input or behind it. Typed without an input the command is about the
 * position at hand; a program has none. */
static bool read_options(const CommandContext *context, StrView args, MateOptions *options) {
    *options = (MateOptions){.hash_mb = 256, .threads = 1, .every = 1, .lines = 1};
    Tokenizer tok = {args};
    if (!read_option_words(&tok, options)) {
        return false;
    }
    StrView input = take_input(&tok);
    options->input = cmdargs_sfen(input);
    options->is_position = is_position(input);
    bool is_good = read_option_words(&tok, options) && tok_peek(&tok).len == 0 &&
                   (options->is_position || is_one_word(input));
    bool is_missing = input.len == 0 && !context->is_program;
    return is_good && (options->input.len > 0 || is_missing);
}

/* ---- Progress. ---- */

static void progress_start(Run *run) {
    run->progress.is_wanted = run->context->is_program && isatty(STDERR_FILENO);
    run->progress.start_ms = clock_ms();
    run->progress.next_ms = PROGRESS_AFTER_MS;
}

static void progress_show(Run *run) {
    Progress *progress = &run->progress;
    int64_t elapsed = clock_ms() - progress->start_ms;
    if (!progress->is_wanted || elapsed < progress->next_ms) {
        return;
    }
    uint64_t nodes =
        progress->nodes + atomic_load_explicit(&run->solved.nodes, memory_order_relaxed);
    fputc('\r', stderr);
    if (progress->row_count > 0) {
        fprintf(stderr, "problem %d of %d, ", progress->row, progress->row_count);
    }
    fprintf(stderr, "%llu nodes, %lld s ", (unsigned long long)nodes, (long long)(elapsed / 1000));
    progress->next_ms = elapsed + PROGRESS_EVERY_MS;
    progress->is_shown = true;
}

/* Before anything else is printed. */
static void progress_clear(Run *run) {
    if (run->progress.is_shown) {
        fputs("\r\033[K", stderr);
        run->progress.is_shown = false;
    }
}

/* ---- One problem. ---- */

static void append_line(const Move *line, int len, StrBuf *out) {
    for (int i = 0; i < len; i++) {
        strbuf_add_str(out, i == 0 ? ": " : " ");
        usimove_append(line[i], out);
    }
}

static void tell_mate(const CommandContext *context, const MateInfo *info) {
    StrBuf line = STRBUF_INIT;
    strbuf_addf(&line, "  found: mate in %d or less, %llu nodes, %.1f s", info->mate,
                (unsigned long long)info->nodes, (double)info->time_ms / 1e3);
    append_line(info->line, info->line_len, &line);
    output_line(context->out, strbuf_view(&line));
    strbuf_free(&line);
}

static void on_info(void *context, const MateInfo *info) {
    Solved *solved = context;
    atomic_store_explicit(&solved->nodes, info->nodes, memory_order_relaxed);
    if (info->mate > 0 && info->rank > 0 && solved->lines != NULL) {
        FoundLine *line = &solved->lines[info->rank - 1];
        line->mate = info->mate;
        line->len = info->line_len;
        memcpy(line->moves, info->line, (size_t)info->line_len * sizeof(Move));
    }
    if (info->mate > 0 && solved->tells != NULL && info->time_ms >= TELL_AFTER_MS) {
        tell_mate(solved->tells, info);
    }
}

static void on_other(void *context, int place, Move check) {
    Solved *solved = context;
    if (solved->other_count == solved->other_cap) {
        solved->others = xmem_grow(solved->others, &solved->other_cap, solved->other_count + 1,
                                   sizeof(OtherMate));
    }
    solved->others[solved->other_count++] = (OtherMate){.place = place, .check = check};
}

static void on_done(void *context, const MateDone *done) {
    Solved *solved = context;
    solved->answer = *done->answer;
    solved->unique = done->unique != NULL ? *done->unique : (UniqueResult){.fault = UNIQUE_NO_MATE};
}

static bool is_cancelled(const Run *run) {
    return atomic_load_explicit(run->context->cancel, memory_order_relaxed);
}

/* True when the limits of time have passed since the problem was begun. */
static bool is_late(const Run *run) {
    const MateOptions *options = &run->options;
    int64_t spent_ns = clock_ns() - run->start_ns;
    int64_t spent_cpu_ns = clock_cpu_ns() - run->start_cpu_ns;
    return (options->time_ms > 0 && spent_ns >= options->time_ms * 1000000) ||
           (options->cpu_ms > 0 && spent_cpu_ns >= options->cpu_ms * 1000000);
}

/* Says once when the table is not as large as was asked for. */
static void tell_table(Run *run, int mb) {
    if (mb != run->options.hash_mb && !run->has_told_table) {
        output_linef(run->context->out,
                     "info string error mate: %d MB do not fit into memory, the table has %d",
                     run->options.hash_mb, mb);
        run->has_told_table = true;
    }
}

/* Solves the problem on the board into run->solved, under the limits of the options. */
static void solve_problem(Run *run) {
    const MateOptions *options = &run->options;
    run->start_ns = clock_ns();
    run->start_cpu_ns = clock_cpu_ns();
    MateRequest request = {.pos = &run->pos,
                           .hash_mb = options->hash_mb,
                           .threads = options->threads,
                           .time_ms = options->time_ms,
                           .start_ns = run->start_ns,
                           .nodes = options->nodes,
                           .is_shortest = options->is_shortest,
                           .counts_futile = true,
                           .checks_unique = options->checks_unique,
                           .lines = options->lines,
                           .sink = {&run->solved, on_info, on_other, on_done}};
    run->solved.other_count = 0;
    for (int i = 0; run->solved.lines != NULL && i < options->lines; i++) {
        run->solved.lines[i].mate = 0;
    }
    atomic_store(&run->solved.nodes, 0);
    tell_table(run, matetask_start(run->task, &request));
    while (!matetask_wait_for(run->task, LOOK_EVERY_MS)) {
        if (is_late(run) || is_cancelled(run)) {
            matetask_stop(run->task);
        }
        progress_show(run);
    }
    matetask_wait(run->task);
    progress_clear(run);
    run->progress.nodes += run->solved.answer.nodes;
    run->solved.cpu_ns = clock_cpu_ns() - run->start_cpu_ns;
}

static void print_answer(Run *run, const char *remark) {
    const MateAnswer *answer = &run->solved.answer;
    StrBuf line = STRBUF_INIT;
    if (answer->verdict == MATE_FOUND) {
        strbuf_addf(&line, "mate in %d%s", answer->len, answer->is_exact ? "" : " or less");
        if (answer->players_len > 0 && answer->players_len < answer->len) {
            strbuf_addf(&line, " (%d without futile drops)", answer->players_len);
        }
    } else {
        strbuf_add_str(&line, answer->verdict == MATE_NONE ? "no mate"
                              : answer->is_too_large ? "undecided (a mate too large to be replayed)"
                                                     : "undecided");
    }
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

/* The verdict on the line's uniqueness, behind the other mates that were found. */
static void print_unique(const Run *run) {
    const Solved *solved = &run->solved;
    const UniqueResult *unique = &solved->unique;
    const CommandContext *context = run->context;
    char text[USI_MOVE_SIZE];
    for (size_t i = 0; i < solved->other_count; i++) {
        output_linef(context->out, "  move %d: %s mates too", solved->others[i].place + 1,
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

#define NO_KING "the side that does not move has no king"

static bool has_enemy_king(const Run *run) {
    return run->pos.king[color_flip(run->pos.side)] != SQ_NONE;
}

static int solve_one(Run *run, StrView sfen) {
    int column;
    KmdError error = sfen.len > 0 ? pos_set_sfen(&run->pos, sfen, &column) : KMD_OK;
    if (error != KMD_OK) {
        output_linef(run->context->out, "info string error mate: %s, column %d",
                     sfen_error_text(error), column);
        return STATUS_USAGE;
    }
    if (sfen.len == 0) {
        pos_copy(&run->pos, run->context->pos);
    }
    if (!has_enemy_king(run)) {
        output_linef(run->context->out, "info string error mate: %s", NO_KING);
        return STATUS_USAGE;
    }
    run->solved.tells = run->context;
    solve_problem(run);
    print_answer(run, "");
    MateVerdict verdict = run->solved.answer.verdict;
    print_unique(run);
    return verdict == MATE_UNKNOWN ? STATUS_FAILED : STATUS_GOOD;
}

/* ---- A file. ---- */

/* Columns by name, when the line names them; else the SFEN is the first. */
static bool read_header(Run *run, StrView line) {
    run->sfen_column = 0;
    run->length_column = run->exact_column = run->category_column = -1;
    bool is_header = false;
    StrView field;
    for (int column = 0; sv_next_field(&line, '\t', &field); column++) {
        field = sv_trim(field);
        if (sv_equal(field, SV("sfen"))) {
            run->sfen_column = column;
            is_header = true;
        } else if (sv_equal(field, SV("known_length"))) {
            run->length_column = column;
        } else if (sv_equal(field, SV("length_all_drops"))) {
            run->exact_column = column;
        } else if (sv_equal(field, SV("category"))) {
            run->category_column = column;
        }
    }
    return is_header;
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

/* Adds the answer to the counts. Returns a remark for its line. */
static const char *judge(Run *run, Tally *tally, StrView known, StrView exact) {
    const MateAnswer *answer = &run->solved.answer;
    bool is_mate = answer->verdict == MATE_FOUND;
    int length = 0;
    int players = 0;
    bool says_none = sv_equal(known, SV("nomate"));
    bool has_length = sv_to_int(exact, 1, MATE_LINE_MAX, &length);
    bool has_players = sv_to_int(known, 1, MATE_LINE_MAX, &players);
    bool is_wrong = (says_none && is_mate) ||
                    ((has_length || has_players) && answer->verdict == MATE_NONE) ||
                    (has_length && is_mate && answer->is_exact && answer->len > length);
    bool is_shorter = has_length && is_mate && answer->len < length;
    bool is_right_length = has_length && is_mate && answer->len == length;
    bool is_right_players = has_players && is_mate && answer->players_len == players;
    tally->total++;
    tally->decided += answer->verdict != MATE_UNKNOWN;
    tally->wrong += is_wrong;
    tally->shorter += is_shorter;
    tally->known_lengths += has_length;
    tally->right_lengths += is_right_length;
    tally->known_players += has_players;
    tally->right_players += is_right_players;
    tally->nodes += answer->nodes;
    tally->cpu_ns += run->solved.cpu_ns;
    tally->slowest_ns = i64_max(tally->slowest_ns, run->solved.cpu_ns);
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

/* A field of the line; empty where it has no such column, as for column -1. */
static StrView field_at(StrView line, int column) {
    StrView field;
    for (int i = 0; sv_next_field(&line, '\t', &field); i++) {
        if (i == column) {
            return sv_trim(field);
        }
    }
    return (StrView){NULL, 0};
}

static void solve_line(Run *run, StrView line) {
    StrView sfen = cmdargs_sfen(field_at(line, run->sfen_column));
    StrView known = field_at(line, run->length_column);
    StrView exact = field_at(line, run->exact_column);
    StrView category = field_at(line, run->category_column);
    if (run->options.only.len > 0 && !sv_equal(category, run->options.only)) {
        return;
    }
    Tally *tally = tally_for(run, category);
    if (run->seen++ % run->options.every != 0) {
        return;
    }
    int place;
    KmdError error = pos_set_sfen(&run->pos, sfen, &place);
    if (error != KMD_OK) {
        /* The row itself is not repeated: in a file of another kind it may be any bytes. */
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
    solve_problem(run);
    const char *remark = judge(run, tally, known, exact);
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

/* Lines that are no remarks. */
static int count_rows(StrView text) {
    StrView line;
    int count = 0;
    while (sv_next_line(&text, &line)) {
        count += !sv_is_remark(line);
    }
    return count;
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
        output_line(run->context->out, SV("info string error mate: no problem to solve"));
        return STATUS_FAILED;
    }
    return is_good ? STATUS_GOOD : STATUS_FAILED;
}

/* The first line that is neither empty nor a comment may name the columns. */
static int solve_file(Run *run, StrView text) {
    StrView line;
    text = utf8_without_mark(text);
    run->progress.row_count = count_rows(text);
    bool is_first = true;
    while (sv_next_line(&text, &line) && !is_cancelled(run)) {
        run->line_number++;
        if (sv_is_remark(line)) {
            continue;
        }
        if (is_first && read_header(run, line)) {
            run->progress.row_count--;
        } else {
            run->progress.row++;
            solve_line(run, line);
        }
        is_first = false;
    }
    return print_tallies(run);
}

/* No input at all is the position at hand. */
static int solve_input(Run *run) {
    StrView input = run->options.input;
    if (run->options.is_position || input.len == 0) {
        return solve_one(run, input);
    }
    StrBuf path = STRBUF_INIT;
    StrBuf text = STRBUF_INIT;
    strbuf_add(&path, input);
    int status = STATUS_FAILED;
    int error = file_read(path.ptr, &text);
    if (error != 0) {
        output_linef(run->context->out, "info string error mate: %s: %s", path.ptr,
                     file_error_text(error));
    } else {
        status = solve_file(run, strbuf_view(&text));
    }
    strbuf_free(&text);
    strbuf_free(&path);
    return status;
}

int cmd_mate(const CommandContext *context, StrView args) {
    MateOptions options;
    if (!read_options(context, args, &options)) {
        output_line(context->out,
                    SV("info string error mate: usage: mate [--shortest] [--check-unique] "
                       "[--lines N] [--hash MB] [--threads N] [--time S] [--cpu S] [--nodes N] "
                       "[--only CATEGORY] [--every N] FILE | SFEN"));
        return STATUS_USAGE;
    }
    Run *run = xmem_calloc(1, sizeof(*run));
    run->context = context;
    run->options = options;
    progress_start(run);
    run->task = matetask_create();
    if (options.lines > 1) {
        run->solved.lines = xmem_calloc((size_t)options.lines, sizeof(FoundLine));
    }
    pos_init(&run->pos);
    int status = solve_input(run);
    pos_free(&run->pos);
    matetask_free(run->task);
    free(run->solved.others);
    free(run->solved.lines);
    free(run);
    return status;
}
