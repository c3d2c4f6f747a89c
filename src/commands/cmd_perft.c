/* cmd_perft.c: counts one position, or every row of a suite up to a depth. */
#include "commands/cmd_perft.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "base/xmem.h"
#include "engine/command.h"
#include "engine/output.h"
#include "rules/movegen.h"
#include "rules/perft.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"

#define PROGRESS_AFTER_MS 2000
#define PROGRESS_EVERY_MS 500

/* The values of the arguments. */
typedef struct PerftArgs {
    PerftOptions count; /* depth -1: not given */
    bool is_divided, has_stats;
    const char *suite; /* NULL: no suite */
} PerftArgs;

#define AT(kind, member) ARG_AT(PerftArgs, kind, member)

static const ArgOption options[] = {
    {"DEPTH", NULL, AT(ARG_INT, count.depth), 0, PERFT_MAX_DEPTH, .start = -1,
     .help = "length of the sequences in plies; with --suite, the greatest depth to compare"},
    {"--threads", "N", AT(ARG_INT, count.threads), 1, 512, .start = 1, .help = "number of threads"},
    {"--hash", "MB", AT(ARG_U64, count.hash_mb), 0, 1 << 20,
     .help = "size of the hash table; 0 means no table"},
    {"--divide", NULL, AT(ARG_FLAG, is_divided), .help = "print the count for each first move"},
    {"--no-bulk", NULL, AT(ARG_NO, count.is_bulk),
     .help = "make every move instead of counting the last ply in bulk"},
    {"--stats", NULL, AT(ARG_FLAG, has_stats),
     .help = "count captures, promotions, drops, checks and mates at each depth, on one thread and "
             "without a table"},
    {"--suite", "FILE", AT(ARG_TEXT, suite),
     .help = "compare the counts with those listed in FILE, a table with the columns sfen, depth "
             "and count, or sfen, perft1, perft2, ..."},
};

/* ---- A single position. ---- */

static void show_progress(void *context, const PerftProgress *progress) {
    Progress *line = context;
    if (progress_is_due(line)) {
        progress_show(line, "%d of %d parts, %llu counted, %lld s ", progress->parts_done,
                      progress->parts, (unsigned long long)progress->counted,
                      (long long)(progress_elapsed_ms(line) / 1000));
    }
}

/* Counts move sequences with a progress line. Returns false if the count was cancelled or its table
 * does not fit into memory. */
static bool count_moves(const CommandContext *context, const Position *pos,
                        const PerftOptions *perft, PerftResult *result) {
    Progress line;
    const PerftWatch watch = {context->cancel, show_progress, &line};
    command_begin_progress(context, &line, PROGRESS_AFTER_MS, PROGRESS_EVERY_MS, false);
    bool is_good = perft_run(pos, perft, &watch, result);
    progress_clear(&line);
    return is_good;
}

static void print_result(Output *out, const PerftResult *result, bool is_divided, int64_t ns) {
    char text[USI_MOVE_SIZE];
    for (int i = 0; is_divided && i < result->line_count; i++) {
        output_linef(out, "%s: %llu", usimove_write(result->line[i].move, text),
                     (unsigned long long)result->line[i].count);
    }
    double seconds = (double)(ns > 0 ? ns : 1) / 1e9;
    output_linef(out, "Nodes searched: %llu", (unsigned long long)result->total);
    output_linef(out, "Time: %.3f s, %.0f per second", seconds, (double)result->total / seconds);
}

/* Prints the total and the time and, if divided, first the count of each first move. */
static int print_count(const CommandContext *context, const PerftOptions *perft, bool is_divided,
                       const Position *pos) {
    PerftResult *result = xmem_calloc(1, sizeof(PerftResult));
    int64_t start = clock_ns();
    bool is_good = count_moves(context, pos, perft, result);
    if (is_good) {
        print_result(context->out, result, is_divided, clock_ns() - start);
    } else {
        command_fail(context, COMMAND_FAILED,
                     command_is_cancelled(context) ? "stopped" : "no memory for its table");
    }
    free(result);
    return is_good ? COMMAND_GOOD : COMMAND_FAILED;
}

/* The number of last moves of each kind, over all sequences of one length. */
typedef struct PerftStats {
    uint64_t nodes, captures, promotions, drops, checks, mates;
} PerftStats;

/* Adds the last moves of all sequences of `depth` moves to the counts. Returns false if
 * cancelled. */
static bool add_stats(const CommandContext *context, Position *pos, int depth, PerftStats *stats) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    for (int i = 0; i < count && depth > 1; i++) {
        pos_do(pos, list[i]);
        bool goes_on = add_stats(context, pos, depth - 1, stats);
        pos_undo(pos);
        if (!goes_on) {
            return false;
        }
    }
    for (int i = 0; i < count && depth == 1; i++) {
        bool is_check = pos_gives_check(pos, list[i]);
        stats->nodes++;
        stats->captures += pos_is_capture(pos, list[i]);
        stats->promotions += move_is_promotion(list[i]);
        stats->drops += move_is_drop(list[i]);
        stats->checks += is_check;
        if (is_check) {
            pos_do(pos, list[i]);
            stats->mates += !gen_has_move(pos);
            pos_undo(pos);
        }
    }
    return !command_is_cancelled(context);
}

/* Prints each depth as soon as it is counted. Each depth is counted from scratch, because it takes
 * far longer than all smaller depths anyway. */
static int print_stats(const CommandContext *context, int depth, Position *pos) {
    output_linef(context->out, "%5s %16s %14s %14s %14s %14s %12s", "depth", "nodes", "captures",
                 "promotions", "drops", "checks", "mates");
    for (int i = 1; i <= depth; i++) {
        PerftStats row = {.nodes = 0};
        if (!add_stats(context, pos, i, &row)) {
            return command_fail(context, COMMAND_FAILED, "stopped");
        }
        output_linef(context->out, "%5d %16llu %14llu %14llu %14llu %14llu %12llu", i,
                     (unsigned long long)row.nodes, (unsigned long long)row.captures,
                     (unsigned long long)row.promotions, (unsigned long long)row.drops,
                     (unsigned long long)row.checks, (unsigned long long)row.mates);
    }
    return COMMAND_GOOD;
}

/* ---- A suite: tab-separated; the first line that is not a comment names the columns. ---- */

typedef struct Suite {
    const CommandContext *context;
    const PerftArgs *args;
    Position *pos;
    PerftResult *result;
    int sfen_column;
    int depth_column; /* -1, or the column of the depth that count_column refers to */
    int count_column;
    int perft_column[PERFT_MAX_DEPTH + 1]; /* index of the column "perftN", or -1 */
    int line_number, passed, failed;
} Suite;

static bool read_header(Suite *suite, StrView line) {
    suite->sfen_column = sv_find_field(line, '\t', SV("sfen"));
    suite->depth_column = sv_find_field(line, '\t', SV("depth"));
    suite->count_column = sv_find_field(line, '\t', SV("count"));
    if (suite->depth_column < 0 || suite->count_column < 0) {
        suite->depth_column = suite->count_column = -1;
    }
    bool has_counts = suite->count_column >= 0;
    for (int depth = 1; depth <= PERFT_MAX_DEPTH; depth++) {
        StrBuf name = STRBUF_INIT;
        strbuf_addf(&name, "perft%d", depth);
        suite->perft_column[depth] = sv_find_field(line, '\t', strbuf_view(&name));
        has_counts |= suite->perft_column[depth] >= 0;
        strbuf_free(&name);
    }
    return suite->sfen_column >= 0 && has_counts;
}

static void judge(Suite *suite, StrView sfen, int depth, StrView want_text) {
    const PerftArgs *args = suite->args;
    uint64_t want;
    if (args->count.depth >= 0 && depth > args->count.depth) {
        return;
    }
    PerftOptions perft = args->count;
    perft.depth = depth;
    int place;
    KmdError error = pos_set_sfen(suite->pos, sfen, &place);
    bool is_readable = error == KMD_OK && sv_to_u64(sv_trim(want_text), 0, UINT64_MAX, &want);
    bool is_counted = is_readable && count_moves(suite->context, suite->pos, &perft, suite->result);
    if (is_counted && suite->result->total == want) {
        suite->passed++;
        return;
    }
    suite->failed++;
    Output *out = suite->context->out;
    if (error != KMD_OK) {
        output_linef(out, "line %d depth %d: %s, column %d", suite->line_number, depth,
                     sfen_error_text(error), place);
    } else if (is_counted) {
        output_linef(out, "line %d depth %d: %llu, not %llu", suite->line_number, depth,
                     (unsigned long long)suite->result->total, (unsigned long long)want);
    } else {
        output_linef(out, "line %d depth %d: %s", suite->line_number, depth,
                     is_readable ? "not counted" : "the count cannot be read");
    }
}

/* Checks every count of the row. A row with an invalid depth or without any count is a failure,
 * because a truncated file must not pass. */
static void judge_line(Suite *suite, StrView line) {
    StrView sfen = command_sfen(sv_field(line, '\t', suite->sfen_column));
    StrView depth_text = sv_field(line, '\t', suite->depth_column);
    StrView count_text = sv_field(line, '\t', suite->count_column);
    int depth = 0;
    bool is_pair = count_text.len > 0 && sv_to_int(depth_text, 0, PERFT_MAX_DEPTH, &depth);
    bool is_damaged = !is_pair && depth_text.len + count_text.len > 0;
    int counts = is_pair ? 1 : 0;
    if (is_pair) {
        judge(suite, sfen, depth, count_text);
    }
    for (depth = 1; depth <= PERFT_MAX_DEPTH; depth++) {
        StrView cell = sv_field(line, '\t', suite->perft_column[depth]);
        if (cell.len > 0) {
            judge(suite, sfen, depth, cell);
            counts++;
        }
    }
    if (is_damaged || counts == 0) {
        output_linef(suite->context->out, "line %d: cannot be read", suite->line_number);
        suite->failed++;
    }
}

static int run_suite(Suite *suite, StrView text) {
    StrView line;
    text = utf8_without_mark(text);
    if (!sv_next_row(&text, &line, &suite->line_number) || !read_header(suite, line)) {
        return command_fail(suite->context, COMMAND_FAILED,
                            "the first line must name the columns sfen, depth and count, or sfen, "
                            "perft1, perft2, ...");
    }
    while (sv_next_row(&text, &line, &suite->line_number) &&
           !command_is_cancelled(suite->context)) {
        judge_line(suite, line);
    }
    output_linef(suite->context->out, "%d passed, %d failed", suite->passed, suite->failed);
    return suite->failed == 0 && suite->passed > 0 ? COMMAND_GOOD : COMMAND_FAILED;
}

static int check_suite(const CommandContext *context, const PerftArgs *args, Position *pos) {
    StrBuf text = STRBUF_INIT;
    if (!command_read_file(context, args->suite, &text)) {
        strbuf_free(&text);
        return COMMAND_FAILED;
    }
    Suite suite = {.context = context,
                   .args = args,
                   .pos = pos,
                   .result = xmem_calloc(1, sizeof(PerftResult))};
    int status = run_suite(&suite, strbuf_view(&text));
    free(suite.result);
    strbuf_free(&text);
    return status;
}

static int perft(const CommandContext *context, Args *args) {
    PerftArgs parsed;
    if (!command_read(context, args, &parsed, 0, -1)) {
        return COMMAND_MISUSED;
    }
    bool is_suite = parsed.suite != NULL;
    if (is_suite + parsed.is_divided + parsed.has_stats > 1) {
        return command_fail(context, COMMAND_MISUSED,
                            "only one of --suite, --divide and --stats can be used");
    }
    if (is_suite ? args->count > 0 : parsed.count.depth < 0) {
        return command_misuse(context);
    }
    Position pos;
    pos_init(&pos);
    int status = COMMAND_MISUSED;
    if (is_suite) {
        status = check_suite(context, &parsed, &pos);
    } else if (command_position(context, args, &pos, NULL)) {
        status = parsed.has_stats ? print_stats(context, parsed.count.depth, &pos)
                                  : print_count(context, &parsed.count, parsed.is_divided, &pos);
    }
    pos_free(&pos);
    return status;
}

const Command cmd_perft = {
    {"perft", "DEPTH [SFEN [moves MOVE ...]] | --suite FILE [DEPTH]",
     "Count move sequences, or compare the counts with those listed in FILE.\nEmpty lines of FILE "
     "and lines that start with # are ignored; a row without a readable count is a failure.",
     ARG_OPTIONS(options)},
    perft};
