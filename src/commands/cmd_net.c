/* cmd_net.c: the commands `net` and `eval`: describe, verify and test networks, and evaluate
 * positions. */
#include "commands/commands.h"

#include <math.h>
#include <stdlib.h>

#include "base/cpu.h"
#include "base/xmem.h"
#include "commands/netresults.h"
#include "engine/command.h"
#include "engine/output.h"
#include "eval/arch.h"
#include "eval/handwritten.h"
#include "eval/layers.h"
#include "eval/net.h"
#include "eval/nnue.h"
#include "rules/sfen.h"

/* ---- net ------------------------------------------------------------------------------------- */

typedef struct NetArgs {
    int verb; /* NET_INFO ... NET_EVAL; -1: not given */
    bool has_results;
    NetResultsOptions results; /* its list of networks also serves `eval` */
} NetArgs;

enum { NET_INFO, NET_VERIFY, NET_TEST, NET_EVAL };

static const char *net_verb_name(int verb) {
    static const char *const names[] = {
        [NET_INFO] = "info", [NET_VERIFY] = "verify", [NET_TEST] = "test", [NET_EVAL] = "eval"};
    return verb < (int)COUNTOF(names) ? names[verb] : NULL;
}

static bool read_net(const char *word, void *args) {
    NetResultsOptions *results = &((NetArgs *)args)->results;
    if (word[0] == '\0' || results->net_count == NETRESULTS_MAX_NETS) {
        return false;
    }
    results->nets[results->net_count++] = word;
    return true;
}

#define AT(kind, member) ARG_AT(NetArgs, kind, member)

static const ArgOption net_options[] = {
    {"VERB", NULL, AT(ARG_CHOICE, verb), .word = net_verb_name, .start = -1,
     .help = "info: describe the network. verify: check whether the file is damaged. test: print "
             "how well the scores of positions predict the results of games. eval: print the "
             "output before any scale, the value and the score in centipawns of "
             "each position, separated by tabs"},
    {"--net", "FILE", ARG_OTHER, .read = read_net,
     .help =
         "network to use for test and eval, or <handwritten> for test, for which several may be "
         "given, which are compared with the first; FILE@24 sets its FV_SCALE"},
    {"--results", NULL, AT(ARG_FLAG, has_results),
     .help = "test: the files contain game records in any format"},
    {"--nodes", "N", AT(ARG_INT, results.nodes), 1, NETRESULTS_MAX_NODES,
     .help = "with --results: search each position with this many nodes"},
    {"--threads", "N", AT(ARG_INT, results.threads), 1, NETRESULTS_MAX_THREADS, .start = 1,
     .help = "with --results: number of searches at once"},
    {"--every", "N", AT(ARG_INT, results.every), 1, 1000, .start = 7,
     .help = "with --results: take one position in N; odd numbers take both sides equally"},
};

/* Like command_load_net, but refuses the hand-written evaluation, which has no file. */
static bool load_file(const CommandContext *context, const char *path, NnueNet **net) {
    return command_load_net(context, path, net) &&
           (*net != NULL || command_refuse(context, "<handwritten>", net_error_text(NET_NO_NET)));
}

static void print_net(Output *out, const NnueNet *net) {
    if (net->layers != NULL) {
        StrBuf name = STRBUF_INIT;
        net_describe(net, &name);
        output_linef(out, "network     %016llx", (unsigned long long)net->id);
        output_linef(out, "kind        %s", name.ptr);
        output_linef(out, "inputs      %d per view", net->set->inputs);
        output_linef(out, "layers      %d", net->layers->stacks);
        output_linef(out, "FV_SCALE    %d (%s)", net->fv.scale, net->fv.source);
        output_linef(out, "chances     1 / (1 + exp(-score / %d))", net_chance_scale(net));
        strbuf_free(&name);
        return;
    }
    output_linef(out, "network     %016llx", (unsigned long long)net->id);
    output_linef(out, "inputs      %d per view%s", net->set->inputs,
                 net->set->inputs > NNUE_PIECE_INPUTS ? ", attacks among them" : "");
    output_linef(out, "hidden      %d per view, squared clipped ReLU", net->hidden);
    output_linef(out, "outputs     %d", net->buckets);
    if (net->has_small) {
        output_linef(out, "layers      %d and %d, added to the outputs", NNUE_FIRST, NNUE_SECOND);
    }
    output_linef(out, "scale       %d centipawns", net->scale);
    output_linef(out, "chances     1 / (1 + exp(-score / %d))", net_chance_scale(net));
}

/* ---- net eval -------------------------------------------------------------------------------- */

/* Other programs print a value of 90, a pawn, as 100 centipawns. */
enum { FOREIGN_PAWN = 90 };

static void print_outputs(const CommandContext *context, const NnueNet *net,
                          NnueEvaluator *evaluator, const Position *pos) {
    int64_t output = nnue_output(evaluator, pos);
    int value = nnue_evaluate(evaluator, pos);
    int centipawns = net->layers != NULL ? value * 100 / FOREIGN_PAWN : value;
    output_linef(context->out, "%lld\t%d\t%d", (long long)output, value, centipawns);
}

/* Prints a line for each SFEN of a file; "-" is standard input. */
static int eval_lines(const CommandContext *context, const char *net_path, const char *path) {
    NnueNet *loaded = NULL;
    if (!load_file(context, net_path, &loaded)) {
        return COMMAND_FAILED;
    }
    StrBuf text = STRBUF_INIT;
    int status = command_read_file(context, path, &text) ? COMMAND_GOOD : COMMAND_FAILED;
    NnueEvaluator *evaluator = nnue_create(loaded, cpu_features());
    Position pos;
    pos_init(&pos);
    StrView rest = strbuf_view(&text);
    StrView line;
    for (int number = 1; evaluator != NULL && status == COMMAND_GOOD && sv_next_line(&rest, &line);
         number++) {
        if (sv_is_remark(line)) {
            continue;
        }
        if (pos_set_sfen(&pos, command_sfen(sv_trim(line)), NULL) == KMD_OK) {
            print_outputs(context, loaded, evaluator, &pos);
        } else {
            command_fail(context, COMMAND_FAILED, "%s: line %d is not a position", path, number);
            status = COMMAND_FAILED;
        }
    }
    pos_free(&pos);
    nnue_free(evaluator);
    strbuf_free(&text);
    net_free(loaded);
    return status;
}

static int net(const CommandContext *context, Args *args) {
    NetArgs parsed = {.verb = -1}; /* the list of networks is empty */
    if (!command_read(context, args, &parsed, 0, -1)) {
        return COMMAND_MISUSED;
    }
    const NetResultsOptions *results = &parsed.results;
    const char *path = args->count > 0 ? args->words[0] : NULL;
    bool is_verify = parsed.verb == NET_VERIFY;
    bool is_test = parsed.verb == NET_TEST;
    bool is_eval = parsed.verb == NET_EVAL;
    if (parsed.verb < 0 || (!is_test && args->count > 1) || (is_verify && path == NULL) ||
        parsed.has_results != is_test || (results->net_count > 0 && !is_test && !is_eval) ||
        (!is_test && (results->net_count > 1 || results->nodes > 0))) {
        return command_misuse(context);
    }
    if (is_test) {
        return netresults_run(context, results, args);
    }
    if (is_eval) {
        return eval_lines(context, results->nets[0], path != NULL ? path : "-");
    }
    NnueNet *loaded = NULL;
    if (!load_file(context, path, &loaded)) {
        return COMMAND_FAILED;
    }
    if (is_verify) {
        output_linef(context->out, "whole: %016llx", (unsigned long long)loaded->id);
    } else {
        print_net(context->out, loaded);
    }
    net_free(loaded);
    return COMMAND_GOOD;
}

const Command cmd_net = {{"net",
                          "info [FILE] | verify FILE | "
                          "test --results [--net FILE ...] [--nodes N] GAMES ... | "
                          "eval [--net FILE] [POSITIONS]",
                          "Show, verify, test or evaluate with networks.",
                          ARG_OPTIONS(net_options)},
                         net};

/* ---- eval ------------------------------------------------------------------------------------ */

/* The evaluation by a network or, if net is NULL, by the hand-written evaluation. */
static int evaluate(const NnueNet *net, const Position *pos) {
    return net != NULL ? nnue_evaluate_fresh(net, pos) : handwritten_evaluate(pos);
}

typedef struct EvalArgs {
    const char *net;
} EvalArgs;

static const ArgOption eval_options[] = {
    {"--net", "FILE", ARG_AT(EvalArgs, ARG_TEXT, net),
     .help = "network file, or <handwritten> (default: the built-in one or, in a session, the one "
             "that the options name); FILE@24 sets its FV_SCALE"},
};

static int eval(const CommandContext *context, Args *args) {
    EvalArgs parsed;
    if (!command_read(context, args, &parsed, 0, -1)) {
        return COMMAND_MISUSED;
    }
    NnueNet *loaded = NULL;
    if (!command_load_net(context, parsed.net, &loaded)) {
        return COMMAND_FAILED;
    }
    StrBuf text = STRBUF_INIT;
    Position pos;
    pos_init(&pos);
    bool has_position = command_position(context, args, &pos, NULL);
    if (has_position) {
        if (loaded != NULL) {
            nnue_describe(loaded, &pos, &text);
            output_lines(context->out, strbuf_view(&text));
        }
        output_linef(context->out, "evaluation %d for %s, to move", evaluate(loaded, &pos),
                     pos.side == BLACK ? "black" : "white");
    }
    strbuf_free(&text);
    pos_free(&pos);
    net_free(loaded);
    return has_position ? COMMAND_GOOD : COMMAND_MISUSED;
}

const Command cmd_eval = {{"eval", "[SFEN]",
                           "Print the static evaluation of a position, the network's outputs, and "
                           "the value of each piece.",
                           ARG_OPTIONS(eval_options)},
                          eval};
