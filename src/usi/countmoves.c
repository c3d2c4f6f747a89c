/* countmoves.c: runs perft with a progress line and prints its result. */
#include "usi/countmoves.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/xmem.h"
#include "rules/position.h"
#include "rules/usimove.h"
#include "usi/output.h"

#define PROGRESS_AFTER_MS 2000
#define PROGRESS_EVERY_MS 500

static void show_progress(void *context, const PerftProgress *progress) {
    Progress *line = context;
    if (progress_is_due(line)) {
        progress_show(line, "%d of %d parts, %llu counted, %lld s ", progress->parts_done,
                      progress->parts, (unsigned long long)progress->counted,
                      (long long)(progress_elapsed_ms(line) / 1000));
    }
}

bool countmoves_total(const CommandContext *context, const Position *pos, const PerftOptions *perft,
                      PerftResult *result) {
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

int countmoves_print(const CommandContext *context, const PerftOptions *perft, bool is_divided,
                     const Position *pos) {
    PerftResult *result = xmem_calloc(1, sizeof(PerftResult));
    int64_t start = clock_ns();
    bool is_good = countmoves_total(context, pos, perft, result);
    if (is_good) {
        print_result(context->out, result, is_divided, clock_ns() - start);
    } else {
        command_fail(context, COMMAND_FAILED,
                     command_is_cancelled(context) ? "stopped" : "no memory for its table");
    }
    free(result);
    return is_good ? COMMAND_GOOD : COMMAND_FAILED;
}
