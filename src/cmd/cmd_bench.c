#include "cmd/cmd_bench.h"

#include "base/base.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "cmd/bench_positions.h"
#include "cmd/cmdengine.h"
#include "cmd/searchwait.h"
#include "eval/kernels.h"
#include "rules/sfen.h"
#include "search/pool.h"
#include "usi/output.h"

#define DEFAULT_DEPTH   11
#define DEFAULT_THREADS 1
#define DEFAULT_HASH_MB 16

typedef struct Bench {
    const CommandContext *context;
    Engine *engine;
    int depth;
    uint64_t nodes;
    SearchWait wait;
} Bench;

static bool is_cancelled(const Bench *bench) {
    return atomic_load_explicit(bench->context->cancel, memory_order_relaxed);
}

static void search_one(Bench *bench, Position *pos, int number) {
    StrView sfen = sv_from(bench_positions[number]);
    if (pos_set_sfen(pos, sfen, NULL) != KMD_OK) {
        output_linef(bench->context->out, "info string error bench: position %d", number + 1);
        return;
    }
    engine_set_position(bench->engine, pos);
    GoLimits limits = {.depth = bench->depth};
    SearchSink sink = {.context = &bench->wait, .on_done = searchwait_note};
    searchwait_begin(&bench->wait);
    engine_go(bench->engine, &limits, &sink, clock_ns());
    while (!searchwait_look(&bench->wait)) {
        if (is_cancelled(bench)) {
            engine_stop(bench->engine);
        }
    }
    const SearchResult *result = &bench->wait.result;
    bench->nodes += result->nodes;
    output_linef(bench->context->out, "position %2d  %10llu nodes  %6lld ms", number + 1,
                 (unsigned long long)result->nodes, (long long)result->time_ms);
}

static void run_all(Bench *bench) {
    int64_t start = clock_ms();
    Position pos;
    pos_init(&pos);
    for (int i = 0; bench_positions[i] != NULL && !is_cancelled(bench); i++) {
        search_one(bench, &pos, i);
    }
    pos_free(&pos);
    int64_t ms = i64_max(clock_ms() - start, 1);
    if (!is_cancelled(bench)) {
        output_linef(bench->context->out, "%lld ms, %llu nodes per second", (long long)ms,
                     (unsigned long long)(bench->nodes * 1000 / (uint64_t)ms));
        output_linef(bench->context->out, "Bench: %llu", (unsigned long long)bench->nodes);
    }
}

typedef struct BenchArgs {
    int depth;
    int threads;
    int hash_mb;
    StrView kernels; /* empty: the fastest */
} BenchArgs;

static bool read_args(StrView text, BenchArgs *args) {
    int *places[] = {&args->depth, &args->threads, &args->hash_mb};
    int highest[] = {MAX_PLY / 2, POOL_MOST_THREADS, TT_MOST_MB};
    size_t numbers = 0;
    Tokenizer tok = {text};
    StrView word;
    while (tok_next(&tok, &word)) {
        if (sv_equal(word, SV("--kernels"))) {
            if (!tok_next(&tok, &args->kernels)) {
                return false;
            }
        } else if (numbers >= COUNTOF(places) ||
                   !sv_to_int(word, 1, highest[numbers], places[numbers])) {
            return false;
        } else {
            numbers++;
        }
    }
    return true;
}

/* False, with a message, when this processor or program has no kernels of that name. */
static bool limit_kernels(const Bench *bench, StrView name) {
    uint32_t features = cpu_features();
    StrBuf known = STRBUF_INIT;
    bool is_found = name.len == 0;
    const NnueKernels *kernels;
    for (int i = 0; !is_found && (kernels = kernels_get(i)) != NULL; i++) {
        if ((kernels->needs & ~features) == 0) {
            strbuf_addf(&known, " %s", kernels->name);
            is_found = sv_equal(name, sv_from(kernels->name));
        }
        if (is_found) {
            engine_limit_features(bench->engine, kernels->needs);
        }
    }
    if (!is_found) {
        output_linef(bench->context->out, "info string error bench: the kernels here are%s",
                     known.ptr);
    }
    strbuf_free(&known);
    return is_found;
}

int cmd_bench(const CommandContext *context, StrView text) {
    BenchArgs args = {
        .depth = DEFAULT_DEPTH, .threads = DEFAULT_THREADS, .hash_mb = DEFAULT_HASH_MB};
    if (!read_args(text, &args)) {
        output_line(context->out, SV("info string error bench: usage: bench [DEPTH] [THREADS] "
                                     "[HASH] [--kernels NAME]"));
        return 2;
    }
    Bench bench = {.context = context, .engine = engine_create(), .depth = args.depth};
    if (!limit_kernels(&bench, args.kernels)) {
        engine_free(bench.engine);
        return 2;
    }
    searchwait_init(&bench.wait);
    /* Nodes and speed are those of the table and threads asked for, or none are told. */
    EngineResources wanted = {.hash_mb = args.hash_mb, .threads = args.threads};
    bool is_ready = cmdengine_prepare(context, "bench", bench.engine, wanted);
    if (is_ready) {
        run_all(&bench);
    }
    engine_free(bench.engine);
    searchwait_free(&bench.wait);
    return is_ready && !is_cancelled(&bench) ? 0 : 1;
}
