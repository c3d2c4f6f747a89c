#include "cmd/commands.h"

#include "base/base.h"
#include "base/buildinfo.h"
#include "base/cpu.h"
#include "cmd/cmd_analyze.h"
#include "cmd/cmd_bench.h"
#include "cmd/cmd_data.h"
#include "cmd/cmd_gendata.h"
#include "cmd/cmd_mate.h"
#include "cmd/cmd_net.h"
#include "cmd/cmd_perft.h"
#include "engine/evalfile.h"
#include "eval/kernels.h"
#include "eval/netfile.h"
#include "komadori/version.h"
#include "search/params.h"
#include "usi/output.h"

/* The kernels that run here, all of them. */
static void list_kernels(StrBuf *out) {
    uint32_t features = cpu_features();
    const NnueKernels *kernels;
    for (int i = 0; (kernels = kernels_get(i)) != NULL; i++) {
        if ((kernels->needs & ~features) == 0) {
            strbuf_addf(out, " %s", kernels->name);
        }
    }
}

/* Returns the status of wrong arguments. */
static int say_error(const CommandContext *context, const char *text) {
    output_linef(context->out, "info string error %s", text);
    return 2;
}

static int run_version(const CommandContext *context, StrView args) {
    if (sv_trim(args).len > 0) {
        return say_error(context, "usage: version");
    }
    output_line(context->out, SV("Komadori " KMD_VERSION));
    output_linef(context->out, "build    %s", buildinfo_text());
    StrBuf names = STRBUF_INIT;
    list_kernels(&names);
    output_linef(context->out, "kernels  %s, the fastest of:%s",
                 kernels_choose(cpu_features())->name, names.ptr);
    strbuf_free(&names);
    NnueNet *net = evalfile_embedded();
    if (net != NULL) {
        output_linef(context->out, "net      %016llx, %d hidden sums per view, %d outputs",
                     (unsigned long long)net->id, net->hidden, net->buckets);
    } else {
        output_line(context->out, SV("net      none: the evaluation is the hand-written one"));
    }
    net_free(net);
    return 0;
}

/* The form that OpenBench and other SPSA tuners read: name, kind, value, range, step, rate. */
static int run_params(const CommandContext *context, StrView args) {
    if (sv_trim(args).len > 0) {
        return say_error(context, "usage: params");
    }
    int count;
    const Param *params = params_all(&count);
    for (int i = 0; i < count; i++) {
        output_linef(context->out, "%s, int, %d, %d, %d, %d, 0.002", params[i].name,
                     params[i].standard, params[i].min, params[i].max, params[i].step);
    }
    return 0;
}

static int run_help(const CommandContext *context, StrView args);

static const Command table[] = {
    {"perft",
     "DEPTH [sfen ...] [--threads N] [--hash MB] [--divide] [--no-bulk]  count move sequences\n"
     "      perft --suite FILE [DEPTH] [--threads N] ...  check a table of known counts\n"
     "      (1 thread, 0 MB: without a table)",
     cmd_perft},
    {"bench",
     "[DEPTH] [THREADS] [HASH] [--kernels NAME]\n"
     "      search a fixed set of positions, print nodes and speed (depth 11, 1 thread, 16 MB)",
     cmd_bench},
    {"mate",
     "[--shortest] [--check-unique] [--hash MB] [--threads N] [--time S] [--cpu S] [--nodes N]\n"
     "      [--only CATEGORY] [--every N] FILE | SFEN  solve mate problems\n"
     "      (1 thread, 256 MB, no limits)",
     cmd_mate},
    {"analyze",
     "[--time S] [--nodes N] [--depth N] [--threads N] [--hash MB] [-o OUT] [--graph SVG] GAME\n"
     "      search each position of a game; comments go into the record, the course into a graph\n"
     "      (1 s, 1 thread, 64 MB)",
     cmd_analyze},
    {"eval", "[--net FILE] [sfen ...]  what the network says: score, outputs, what each piece adds",
     cmd_eval},
    {"net", "info [FILE] | verify FILE  what a network is, and whether it is whole", cmd_net},
    {"data",
     "info|verify FILE... | stats [--svg FILE] FILE... | merge|export|import --out FILE FILE...\n"
     "      look at, count, join and convert files of training games",
     cmd_data},
    {"gendata",
     "--out FILE [--games N] [--nodes N] [--threads N] [--seed S] [--shard I/N] [--net FILE]\n"
     "      [--rival FILE]... [--unlike PERCENT] [--decided PERCENT] [--scale N] [--deep N]\n"
     "      play games against itself and others and write them down as training data\n"
     "      (1000 games of 1000 nodes, 1 thread, seed 1; with shards, so many games in each)",
     cmd_gendata},
    {"params", "  the tunable numbers of the search, as input for an SPSA tuner", run_params},
    {"version", "  version, compiler, kernels and net", run_version},
    {"help", "[COMMAND]  this text, or what it says of one command", run_help},
    {"--version", NULL, run_version},
    {"--help", NULL, run_help},
    {"-h", NULL, run_help},
};

const Command *commands_table(int *count) {
    *count = (int)COUNTOF(table);
    return table;
}

static int help_on(const CommandContext *context, StrView name) {
    for (size_t i = 0; i < COUNTOF(table); i++) {
        if (table[i].usage != NULL && sv_equal(name, sv_from(table[i].name))) {
            output_linef(context->out, "  %s %s", table[i].name, table[i].usage);
            return 0;
        }
    }
    return say_error(context, "help: no such command; help lists those there are");
}

static int run_help(const CommandContext *context, StrView args) {
    if (sv_trim(args).len > 0) {
        return help_on(context, sv_trim(args));
    }
    StrBuf text = STRBUF_INIT;
    strbuf_add_str(&text, "Komadori " KMD_VERSION ", a shogi engine for the USI protocol\n\n"
                          "komadori           talk USI on standard input and output\n"
                          "komadori COMMAND   run one command and end:\n\n");
    for (size_t i = 0; i < COUNTOF(table); i++) {
        if (table[i].usage != NULL) {
            strbuf_addf(&text, "  %s %s\n", table[i].name, table[i].usage);
        }
    }
    strbuf_add_str(&text,
                   "\nThe commands of the protocol (d, moves, sfen, go perft N, ...) work as "
                   "well: see docs/usi.md.");
    output_line(context->out, strbuf_view(&text));
    strbuf_free(&text);
    return 0;
}
