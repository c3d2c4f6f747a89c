#include "cmd/cmd_perft.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/condvar.h"
#include "base/fileio.h"
#include "base/textenc.h"
#include "base/xmem.h"
#include "cmd/cmdargs.h"
#include "rules/perft.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "usi/output.h"

#define WATCH_NS          50000000
#define PROGRESS_AFTER_MS 2000
#define PROGRESS_EVERY_MS 500

enum { STATUS_GOOD, STATUS_FAILED, STATUS_USAGE };

/* What the arguments ask for. */
typedef struct PerftRequest {
    PerftOptions options;
    bool has_depth;
    bool is_divided;
    StrView suite; /* empty: no suite */
    StrView sfen;  /* empty: the current position */
} PerftRequest;

/* ---- Arguments. ---- */

static bool read_value(Tokenizer *tok, int low, int high, int *value) {
    StrView word;
    return tok_next(tok, &word) && sv_to_int(word, low, high, value);
}

/* From the word at hand to the next option or the end. */
static StrView take_sfen(Tokenizer *tok, StrView first) {
    StrView last = first;
    while (tok_peek(tok).len > 0 && !sv_starts_with(tok_peek(tok), SV("--"))) {
        tok_next(tok, &last);
    }
    return (StrView){first.ptr, (size_t)(last.ptr + last.len - first.ptr)};
}

static bool read_option(Tokenizer *tok, StrView word, PerftRequest *request) {
    int value;
    if (sv_equal(word, SV("--divide"))) {
        request->is_divided = true;
    } else if (sv_equal(word, SV("--no-bulk"))) {
        request->options.is_bulk = false;
    } else if (sv_equal(word, SV("--threads"))) {
        return read_value(tok, 1, 512, &request->options.threads);
    } else if (sv_equal(word, SV("--hash"))) {
        bool is_read = read_value(tok, 0, 1 << 20, &value);
        request->options.hash_mb = is_read ? (size_t)value : 0;
        return is_read;
    } else if (sv_equal(word, SV("--suite"))) {
        return cmdargs_next(tok, &request->suite) && request->suite.len > 0;
    } else {
        return false;
    }
    return true;
}

static bool read_request(StrView args, PerftRequest *request) {
    *request = (PerftRequest){.options = {.depth = 0, .threads = 1, .is_bulk = true}};
    Tokenizer tok = {args};
    StrView word;
    while (cmdargs_next(&tok, &word)) {
        if (sv_starts_with(word, SV("--"))) {
            if (!read_option(&tok, word, request)) {
                return false;
            }
        } else if (!request->has_depth &&
                   sv_to_int(word, 0, PERFT_MAX_DEPTH, &request->options.depth)) {
            request->has_depth = true;
        } else if (request->sfen.len == 0) {
            request->sfen = cmdargs_sfen(take_sfen(&tok, word));
            if (request->sfen.len == 0) {
                return false; /* no position is not the one at hand */
            }
        } else {
            return false;
        }
    }
    bool has_suite = request->suite.len > 0;
    return has_suite ? !request->is_divided && request->sfen.len == 0 : request->has_depth;
}

/* ---- One count, watched. ---- */

/* Looks at the cancel flag and shows progress while the count goes on. */
typedef struct Watch {
    const CommandContext *context;
    PerftProgress progress;
    int64_t start_ms;
    bool shows_progress;
    bool has_shown;
    pthread_t thread;
    pthread_mutex_t lock; /* guards is_over */
    pthread_cond_t over;
    bool is_over;
} Watch;

static void show_progress(Watch *watch, int64_t elapsed_ms) {
    int parts = atomic_load_explicit(&watch->progress.parts, memory_order_relaxed);
    int done = atomic_load_explicit(&watch->progress.parts_done, memory_order_relaxed);
    uint64_t counted = atomic_load_explicit(&watch->progress.counted, memory_order_relaxed);
    fprintf(stderr, "\r%d of %d parts, %llu counted, %lld s ", done, parts,
            (unsigned long long)counted, (long long)(elapsed_ms / 1000));
    watch->has_shown = true;
}

static void *watch_main(void *arg) {
    Watch *watch = arg;
    int64_t next_ms = PROGRESS_AFTER_MS;
    pthread_mutex_lock(&watch->lock);
    while (!watch->is_over) {
        condvar_wait_until(&watch->over, &watch->lock, clock_ns() + WATCH_NS);
        if (atomic_load_explicit(watch->context->cancel, memory_order_relaxed)) {
            atomic_store_explicit(&watch->progress.stop, true, memory_order_relaxed);
        }
        int64_t elapsed = clock_ms() - watch->start_ms;
        if (watch->shows_progress && elapsed >= next_ms) {
            show_progress(watch, elapsed);
            next_ms = elapsed + PROGRESS_EVERY_MS;
        }
    }
    pthread_mutex_unlock(&watch->lock);
    return NULL;
}

static bool watch_start(Watch *watch, const CommandContext *context) {
    *watch = (Watch){.context = context,
                     .start_ms = clock_ms(),
                     .shows_progress = context->is_program && isatty(STDERR_FILENO)};
    pthread_mutex_init(&watch->lock, NULL);
    condvar_init(&watch->over);
    return pthread_create(&watch->thread, NULL, watch_main, watch) == 0;
}

static void watch_end(Watch *watch, bool has_thread) {
    pthread_mutex_lock(&watch->lock);
    watch->is_over = true;
    pthread_cond_signal(&watch->over);
    pthread_mutex_unlock(&watch->lock);
    if (has_thread) {
        pthread_join(watch->thread, NULL);
    }
    pthread_cond_destroy(&watch->over);
    pthread_mutex_destroy(&watch->lock);
    if (watch->has_shown) {
        fputs("\r\033[K", stderr);
    }
}

/* False when the count was cut short or its table does not fit into memory. */
static bool count_watched(const CommandContext *context, const Position *pos,
                          const PerftOptions *options, PerftResult *result) {
    Watch watch;
    bool has_thread = watch_start(&watch, context);
    bool is_good = perft_run(pos, options, &watch.progress, result);
    watch_end(&watch, has_thread);
    return is_good;
}

/* ---- A single position. ---- */

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

static int count_position(const CommandContext *context, const PerftRequest *request,
                          Position *pos) {
    if (request->sfen.len > 0) {
        int column;
        KmdError error = pos_set_sfen(pos, request->sfen, &column);
        if (error != KMD_OK) {
            output_linef(context->out, "info string error perft: %s, column %d",
                         sfen_error_text(error), column);
            return STATUS_USAGE;
        }
    } else {
        pos_copy(pos, context->pos);
    }
    PerftResult *result = xmem_calloc(1, sizeof(PerftResult));
    int64_t start = clock_ns();
    bool is_good = count_watched(context, pos, &request->options, result);
    if (is_good) {
        print_result(context->out, result, request->is_divided, clock_ns() - start);
    } else {
        bool is_stopped = atomic_load_explicit(context->cancel, memory_order_relaxed);
        output_linef(context->out, "info string error perft: %s",
                     is_stopped ? "stopped" : "no memory for its table");
    }
    free(result);
    return is_good ? STATUS_GOOD : STATUS_FAILED;
}

/* ---- A suite: tab-separated, the first line that is no remark names the columns. ---- */

enum { COLUMN_MOST = 32 };

typedef struct Suite {
    const CommandContext *context;
    const PerftRequest *request;
    Position *pos;
    PerftResult *result;
    int sfen_column;
    int depth_column; /* -1, or the depth that count_column is for */
    int count_column;
    int perft_column[PERFT_MAX_DEPTH + 1]; /* -1, or the column "perftN" */
    int line_number;
    int passed;
    int failed;
} Suite;

/* "perft3" -> 3; 0 when it is no such name. */
static int perft_depth_of(StrView name) {
    int depth = 0;
    bool is_name = sv_starts_with(name, SV("perft")) &&
                   sv_to_int(sv_skip(name, 5), 1, PERFT_MAX_DEPTH, &depth);
    return is_name ? depth : 0;
}

static bool read_header(Suite *suite, StrView line) {
    suite->sfen_column = suite->depth_column = suite->count_column = -1;
    bool has_counts = false;
    for (int depth = 0; depth <= PERFT_MAX_DEPTH; depth++) {
        suite->perft_column[depth] = -1;
    }
    StrView field;
    for (int column = 0; sv_next_field(&line, '\t', &field); column++) {
        field = sv_trim(field);
        if (sv_equal(field, SV("sfen"))) {
            suite->sfen_column = column;
        } else if (sv_equal(field, SV("depth"))) {
            suite->depth_column = column;
        } else if (sv_equal(field, SV("count"))) {
            suite->count_column = column;
        } else if (perft_depth_of(field) > 0) {
            suite->perft_column[perft_depth_of(field)] = column;
            has_counts = true;
        }
    }
    if (suite->depth_column < 0 || suite->count_column < 0) {
        suite->depth_column = suite->count_column = -1;
    }
    has_counts |= suite->count_column >= 0;
    return suite->sfen_column >= 0 && has_counts;
}

static void judge(Suite *suite, StrView sfen, int depth, StrView want_text) {
    const PerftRequest *request = suite->request;
    uint64_t want;
    if (request->has_depth && depth > request->options.depth) {
        return;
    }
    PerftOptions options = request->options;
    options.depth = depth;
    bool is_readable = sv_to_u64(sv_trim(want_text), 0, UINT64_MAX, &want) &&
                       pos_set_sfen(suite->pos, sfen, NULL) == KMD_OK;
    bool is_counted =
        is_readable && count_watched(suite->context, suite->pos, &options, suite->result);
    if (is_counted && suite->result->total == want) {
        suite->passed++;
        return;
    }
    suite->failed++;
    if (is_counted) {
        output_linef(suite->context->out, "line %d depth %d: %llu, not %llu", suite->line_number,
                     depth, (unsigned long long)suite->result->total, (unsigned long long)want);
    } else {
        output_linef(suite->context->out, "line %d depth %d: %s", suite->line_number, depth,
                     is_readable ? "not counted" : "cannot be read");
    }
}

/* A cell without blanks at its ends; empty where the file or the row has no such column. */
static StrView cell_at(const StrView *cells, int column) {
    return column >= 0 && column < COLUMN_MOST ? sv_trim(cells[column]) : (StrView){NULL, 0};
}

/* Judges every count of the row. One with a damaged depth or without any count is a failure: a file
 * that was cut short must not pass. */
static void judge_line(Suite *suite, StrView line) {
    StrView cells[COLUMN_MOST] = {{NULL, 0}};
    for (int i = 0; i < COLUMN_MOST && sv_next_field(&line, '\t', &cells[i]); i++) {
    }
    StrView sfen = cmdargs_sfen(cell_at(cells, suite->sfen_column));
    StrView depth_text = cell_at(cells, suite->depth_column);
    StrView count_text = cell_at(cells, suite->count_column);
    int depth = 0;
    bool is_pair = count_text.len > 0 && sv_to_int(depth_text, 0, PERFT_MAX_DEPTH, &depth);
    bool is_damaged = !is_pair && depth_text.len + count_text.len > 0;
    int counts = is_pair ? 1 : 0;
    if (is_pair) {
        judge(suite, sfen, depth, count_text);
    }
    for (depth = 1; depth <= PERFT_MAX_DEPTH; depth++) {
        StrView cell = cell_at(cells, suite->perft_column[depth]);
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

/* Takes the lines up to the one that names the columns, the first that is no remark. */
static bool find_header(Suite *suite, StrView *text) {
    StrView line;
    while (sv_next_line(text, &line)) {
        suite->line_number++;
        if (!sv_is_remark(line)) {
            return read_header(suite, line);
        }
    }
    return false;
}

static int run_suite(Suite *suite, StrView text) {
    StrView line;
    text = utf8_without_mark(text);
    if (!find_header(suite, &text)) {
        output_line(suite->context->out,
                    SV("info string error perft: the first line must name the columns sfen and "
                       "depth, count or perft1, perft2, ..."));
        return STATUS_FAILED;
    }
    while (sv_next_line(&text, &line) &&
           !atomic_load_explicit(suite->context->cancel, memory_order_relaxed)) {
        suite->line_number++;
        if (!sv_is_remark(line)) {
            judge_line(suite, line);
        }
    }
    output_linef(suite->context->out, "%d passed, %d failed", suite->passed, suite->failed);
    return suite->failed == 0 && suite->passed > 0 ? STATUS_GOOD : STATUS_FAILED;
}

static int check_suite(const CommandContext *context, const PerftRequest *request, Position *pos) {
    StrBuf path = STRBUF_INIT;
    StrBuf text = STRBUF_INIT;
    strbuf_add(&path, request->suite);
    int status = STATUS_FAILED;
    int error = file_read(path.ptr, &text);
    if (error != 0) {
        output_linef(context->out, "info string error perft: %s: %s", path.ptr,
                     file_error_text(error));
    } else {
        Suite suite = {.context = context,
                       .request = request,
                       .pos = pos,
                       .result = xmem_calloc(1, sizeof(PerftResult))};
        status = run_suite(&suite, strbuf_view(&text));
        free(suite.result);
    }
    strbuf_free(&text);
    strbuf_free(&path);
    return status;
}

int cmd_perft(const CommandContext *context, StrView args) {
    PerftRequest request;
    if (!read_request(args, &request)) {
        output_line(context->out, SV("info string error perft: usage: perft DEPTH [sfen ...] "
                                     "[--suite FILE] [--threads N] [--hash MB] [--divide] "
                                     "[--no-bulk]"));
        return STATUS_USAGE;
    }
    Position pos;
    pos_init(&pos);
    int status = request.suite.len > 0 ? check_suite(context, &request, &pos)
                                       : count_position(context, &request, &pos);
    pos_free(&pos);
    return status;
}
