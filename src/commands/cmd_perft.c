/* cmd_perft.c: counts move sequences of one position. */
#include "commands/commands.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/xmem.h"
#include "engine/command.h"
#include "engine/output.h"
#include "rules/perft.h"
#include "rules/position.h"
#include "rules/usimove.h"

/* The values of the arguments. */
typedef struct PerftArgs {
    PerftOptions count; /* depth -1: not given */
    bool is_divided;
} PerftArgs;

#define AT(kind, member) ARG_AT(PerftArgs, kind, member)

static const ArgOption options[] = {
    {"DEPTH", NULL, AT(ARG_INT, count.depth), 0, PERFT_MAX_DEPTH, .start = -1,
     .help = "length of the sequences in plies"},
    {"--threads", "N", AT(ARG_INT, count.threads), 1, 512, .start = 1, .help = "number of threads"},
    {"--hash", "MB", AT(ARG_U64, count.hash_mb), 0, 1 << 20,
     .help = "size of the hash table; 0 means no table"},
    {"--divide", NULL, AT(ARG_FLAG, is_divided), .help = "print the count for each first move"},
};

/* Prints the total and the time and, if divided, first the count of each first move. */
static int print_count(const CommandContext *context, const PerftArgs *args, const Position *pos) {
    PerftResult *result = xmem_calloc(1, sizeof(PerftResult));
    int64_t start = clock_ns();
    bool is_done = perft_run(pos, &args->count, context->cancel, result);
    int64_t ns = i64_max(clock_ns() - start, 1);
    if (!is_done) {
        command_fail(context, COMMAND_FAILED,
                     command_is_cancelled(context) ? "stopped" : "no memory for its table");
    } else {
        char text[USI_MOVE_SIZE];
        for (int i = 0; args->is_divided && i < result->line_count; i++) {
            output_linef(context->out, "%s: %llu", usimove_write(result->line[i].move, text),
                         (unsigned long long)result->line[i].count);
        }
        output_linef(context->out, "Nodes searched: %llu", (unsigned long long)result->total);
        output_linef(context->out, "Time: %.3f s, %.0f per second", (double)ns / 1e9,
                     (double)result->total * 1e9 / (double)ns);
    }
    free(result);
    return is_done ? COMMAND_GOOD : COMMAND_FAILED;
}

static int perft(const CommandContext *context, Args *args) {
    PerftArgs parsed;
    if (!command_read(context, args, &parsed, 0, -1)) {
        return COMMAND_MISUSED;
    }
    if (parsed.count.depth < 0) {
        return command_misuse(context);
    }
    Position pos;
    pos_init(&pos);
    int status = command_position(context, args, &pos, NULL) ? print_count(context, &parsed, &pos)
                                                             : COMMAND_MISUSED;
    pos_free(&pos);
    return status;
}

const Command cmd_perft = {
    {"perft", "DEPTH [SFEN [moves MOVE ...]]", "Count move sequences.", ARG_OPTIONS(options)},
    perft};
