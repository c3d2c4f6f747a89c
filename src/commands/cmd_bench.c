/* cmd_bench.c: runs the fixed searches and adds up nodes and time. */
#include "commands/commands.h"

#include "base/base.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "engine/command.h"
#include "engine/output.h"
#include "eval/kernels.h"
#include "rules/sfen.h"
#include "search/pool.h"

typedef struct BenchArgs {
    int depth, threads, hash_mb;
    const char *kernels; /* NULL: the fastest */
    const char *net;     /* NULL: the built-in one */
} BenchArgs;

#define AT(kind, member) ARG_AT(BenchArgs, kind, member)

static const ArgOption options[] = {
    {"DEPTH", NULL, AT(ARG_INT, depth), 1, MAX_PLY / 2, .start = 12, .help = "search depth"},
    {"THREADS", NULL, AT(ARG_INT, threads), 1, POOL_MAX_THREADS, .start = 1,
     .help = "number of threads; with one thread, the node count is the same on every machine"},
    {"HASH", NULL, AT(ARG_INT, hash_mb), 1, TT_MAX_MB, .start = 16,
     .help = "size of the hash table in MB"},
    {"--kernels", "scalar|avx2|avx512|vnni|neon", AT(ARG_TEXT, kernels),
     .help =
         "evaluation kernels to use; `komadori version` lists those that this machine supports"},
    {"--net", "FILE", AT(ARG_TEXT, net),
     .help = "network file, as in the option EvalFile; FILE@24 sets its FV_SCALE"},
};

static void search_positions(const CommandContext *context, Engine *engine, int depth) {
    int64_t start = clock_ms();
    uint64_t nodes = 0, mate_nodes = 0; /* mate_nodes: of the mate search at the root */
    Position pos;
    pos_init(&pos);
    for (int i = 0; bench_positions[i] != NULL && !command_is_cancelled(context); i++) {
        if (pos_set_sfen(&pos, sv_from(bench_positions[i]), NULL) != KMD_OK) {
            command_fail(context, COMMAND_FAILED, "position %d", i + 1);
            continue;
        }
        engine_set_position(engine, &pos);
        GoLimits limits = {.depth = depth};
        SearchResult result;
        engine_search(engine, &limits, NULL, context->cancel, &result);
        if (command_is_cancelled(context)) {
            break; /* the count is not that of a whole search */
        }
        nodes += result.nodes;
        mate_nodes += result.mate_nodes;
        output_linef(context->out, "position %2d  %10llu  %6lld ms", i + 1,
                     (unsigned long long)result.nodes, (long long)result.time_ms);
    }
    pos_free(&pos);
    int64_t ms = i64_max(clock_ms() - start, 1);
    if (!command_is_cancelled(context)) {
        output_linef(context->out, "root mate search  %6llu positions",
                     (unsigned long long)mate_nodes);
        output_linef(context->out, "%lld ms", (long long)ms);
        output_linef(context->out, "Bench: %llu", (unsigned long long)nodes);
        /* Testing frameworks look for this line. It must be the last line and occur only once. */
        output_linef(context->out, "%llu nodes %llu nps", (unsigned long long)nodes,
                     (unsigned long long)(nodes * 1000 / (uint64_t)ms));
    }
}

/* Returns false, with a message, if this processor or program has no kernels with that name. */
static bool use_kernels(const CommandContext *context, Engine *engine, const char *name) {
    uint32_t features = cpu_features();
    StrBuf known = STRBUF_INIT;
    bool is_found = name == NULL;
    const NnueKernels *kernels;
    for (int i = 0; !is_found && (kernels = kernels_get(i)) != NULL; i++) {
        if ((kernels->needs & ~features) == 0) {
            strbuf_addf(&known, " %s", kernels->name);
            is_found = sv_equal(sv_from(name), sv_from(kernels->name));
        }
        if (is_found) {
            engine_limit_features(engine, kernels->needs);
        }
    }
    if (!is_found) {
        command_fail(context, COMMAND_MISUSED, "this machine supports only%s", known.ptr);
    }
    strbuf_free(&known);
    return is_found;
}

static int bench(const CommandContext *context, Args *words) {
    BenchArgs args;
    if (!command_read(context, words, &args, 0, 0)) {
        return COMMAND_MISUSED;
    }
    Engine *engine = engine_create();
    if (args.net != NULL) {
        commands_set_net(context, engine, args.net);
    }
    if (!use_kernels(context, engine, args.kernels)) {
        engine_free(engine);
        return COMMAND_MISUSED;
    }
    /* Nodes and speed are printed only if the requested table and threads were allocated. */
    EngineResources wanted = {.hash_mb = args.hash_mb, .threads = args.threads};
    bool is_ready = commands_prepare(context, engine, wanted);
    if (is_ready) {
        search_positions(context, engine, args.depth);
    }
    engine_free(engine);
    return is_ready && !command_is_cancelled(context) ? COMMAND_GOOD : COMMAND_FAILED;
}

const Command cmd_bench = {
    {"bench", "[DEPTH] [THREADS] [HASH]",
     "Search a fixed set of positions and print the node count and the speed.\nThe command fails "
     "if it cannot allocate the hash table or start the threads.",
     ARG_OPTIONS(options)},
    bench};
