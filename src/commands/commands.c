/* commands.c: the table of commands, the help text, and functions that run a command from arguments
 * or in a session, and that prepare its engine. */
#include "commands/commands.h"

#include <unistd.h>

#include "base/base.h"
#include "base/cpu.h"
#include "engine/evalfile.h"
#include "engine/options.h"
#include "engine/output.h"
#include "eval/kernels.h"
#include "eval/net.h"
#include "komadori/version.h"
#include "rules/position.h"
#include "search/params.h"

/* Lists all kernels that can run on this processor. */
static void list_kernels(StrBuf *out) {
    uint32_t features = cpu_features();
    const NnueKernels *kernels;
    for (int i = 0; (kernels = kernels_get(i)) != NULL; i++) {
        if ((kernels->needs & ~features) == 0) {
            strbuf_addf(out, " %s", kernels->name);
        }
    }
}

static int run_version(const CommandContext *context, Args *args) {
    if (!command_read(context, args, NULL, 0, 0)) {
        return COMMAND_MISUSED;
    }
    output_line(context->out, SV("Komadori " KMD_VERSION));
    output_linef(context->out, "build    %s", base_build_text());
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
    return COMMAND_GOOD;
}

/* Prints the parameters in the format that OpenBench and other SPSA tuners read: name, type, value,
 * range, step, rate. */
static int run_params(const CommandContext *context, Args *args) {
    if (!command_read(context, args, NULL, 0, 0)) {
        return COMMAND_MISUSED;
    }
    int count;
    const Param *params = params_all(&count);
    for (int i = 0; i < count; i++) {
        const ArgOption *option = &params[i].option;
        output_linef(context->out, "%s, int, %.0f, %.0f, %.0f, %d, 0.002", option->name,
                     option->start, option->low, option->high, params[i].step);
    }
    return COMMAND_GOOD;
}

typedef struct OptionsArgs {
    bool is_markdown;
} OptionsArgs;

static const ArgOption options_options[] = {{"--markdown", NULL, ARG_FLAG,
                                             ARG_PLACE(OptionsArgs, is_markdown, bool),
                                             .help = "print the table of docs/usi.md"}};

/* Prints the options that `setoption` accepts. */
static int run_options(const CommandContext *context, Args *args) {
    OptionsArgs parsed;
    if (!command_read(context, args, &parsed, 0, 0)) {
        return COMMAND_MISUSED;
    }
    StrBuf text = STRBUF_INIT;
    const ArgOption *option;
    strbuf_add_str(&text, parsed.is_markdown ? cmdline_table_head() : "");
    for (int i = 0; (option = options_at(i)) != NULL && option->fixed == NULL; i++) {
        (parsed.is_markdown ? cmdline_add_manual_row : cmdline_add_setting)(option, &text);
    }
    output_line(context->out, sv_prefix(strbuf_view(&text), text.len - 1));
    strbuf_free(&text);
    return COMMAND_GOOD;
}

static int run_help(const CommandContext *context, Args *args);

static const Command cmd_options = {
    {"options", NULL,
     "Print the options of the engine, which you set with the USI command setoption.\n"
     "Where a description says \"see NAME\", NAME is a file in docs or a section of docs/usi.md.",
     ARG_OPTIONS(options_options)},
    run_options};
static const Command cmd_params = {
    {"params", NULL, "Print the tunable numbers of the search as input for an SPSA tuner.",
     .options = NULL},
    run_params};
static const Command cmd_version = {
    {"version", NULL, "Print the version, the compiler, the kernels and the network.",
     .options = NULL},
    run_version};
static const Command cmd_help = {
    {"help", "[COMMAND]", "Print this text, or the help of one command.", .options = NULL},
    run_help};

static const Command *const table[] = {&cmd_perft,   &cmd_bench, &cmd_mate,    &cmd_hisshi,
                                       &cmd_analyze, &cmd_eval,  &cmd_net,     &cmd_data,
                                       &cmd_gendata, &cmd_book,  &cmd_options, &cmd_params,
                                       &cmd_version, &cmd_help,  NULL};

const Command *const *commands_of_session(void) {
    static const Command *const known[] = {&cmd_bench, &cmd_eval, &cmd_mate, &cmd_perft, NULL};
    return known;
}

static const Command *command_named(const char *name) {
    StrView text = sv_from(name);
    if (sv_equal(text, SV("--help")) || sv_equal(text, SV("-h"))) {
        return &cmd_help;
    }
    if (sv_equal(text, SV("--version"))) {
        return &cmd_version;
    }
    for (const Command *const *command = table; *command != NULL; command++) {
        if (sv_equal(text, sv_from((*command)->spec.name))) {
            return *command;
        }
    }
    return NULL;
}

/* ---- Help. ---- */

static void add_overview(StrBuf *text) {
    strbuf_add_str(text, "Komadori " KMD_VERSION ", a shogi engine for the USI protocol\n\n"
                         "komadori                speak USI on standard input and output\n"
                         "komadori COMMAND ...    run one command and exit:\n\n");
    for (const Command *const *command = table; *command != NULL; command++) {
        const ArgCommand *spec = &(*command)->spec;
        StrView help = sv_from(spec->help);
        StrView first = sv_prefix(help, sv_find_byte(help, '\n'));
        strbuf_addf(text, "  %s%s%s\n      ", spec->name, spec->operands != NULL ? " " : "",
                    spec->operands != NULL ? spec->operands : "");
        strbuf_add(text, first);
        strbuf_add_byte(text, '\n');
    }
    strbuf_add_str(text,
                   "\n`komadori help COMMAND` lists the options of a command. USI commands (d, "
                   "moves, sfen,\ngo perft N, ...) also work as arguments: see docs/usi.md. As an "
                   "argument, `go` without\nlimits searches the start position for at most one "
                   "second, or answers from the book.\n");
}

static int run_help(const CommandContext *context, Args *args) {
    if (!command_read(context, args, NULL, 0, 1)) {
        return COMMAND_MISUSED;
    }
    const Command *about = args->count > 0 ? command_named(args->words[0]) : NULL;
    if (args->count > 0 && about == NULL) {
        StrBuf word = STRBUF_INIT;
        cmdline_quote(sv_from(args->words[0]), &word);
        command_fail(context, 0, "unknown command %s; `komadori help` lists all commands",
                     word.ptr);
        strbuf_free(&word);
        return COMMAND_MISUSED;
    }
    StrBuf text = STRBUF_INIT;
    if (about != NULL) {
        cmdline_help(&about->spec, "komadori", &text);
    } else {
        add_overview(&text);
    }
    output_line(context->out, sv_prefix(strbuf_view(&text), text.len - 1));
    strbuf_free(&text);
    return COMMAND_GOOD;
}

/* ---- Calling. ---- */

/* Answers requests for help on a command and for manual pages. */
static bool answers(const Args *args, Output *out) {
    const ArgCommand *specs[COUNTOF(table)] = {NULL};
    StrBuf text = STRBUF_INIT;
    for (int i = 0; table[i] != NULL; i++) {
        specs[i] = &table[i]->spec;
    }
    bool is_asked = cmdline_answer(specs, "komadori", args, &text);
    if (text.len > 0) {
        output_line(out, sv_prefix(strbuf_view(&text), text.len - 1));
    }
    strbuf_free(&text);
    return is_asked;
}

static int run_command(const Command *command, const Args *args, Output *out) {
    static const _Atomic bool never = false;
    Args rest = {args->count - 1, args->words + 1};
    Position pos;
    pos_init_tables();
    pos_init(&pos);
    Setup start = setup_start();
    pos_set(&pos, &start);
    CommandContext context = {
        .command = command, .pos = &pos, .out = out, .cancel = &never, .is_program = true};
    int status = command->run(&context, &rest);
    pos_free(&pos);
    return status;
}

int commands_run(Args args) {
    const Command *command = args.count > 0 ? command_named(args.words[0]) : NULL;
    Output out;
    output_init(&out, STDOUT_FILENO);
    bool is_answered = answers(&args, &out);
    int status = is_answered       ? COMMAND_GOOD
                 : command == NULL ? COMMANDS_UNKNOWN
                                   : run_command(command, &args, &out);
    output_free(&out);
    return status;
}

/* ---- The engine of a command. ---- */

/* Passes on which foreign network is used, or why the network cannot be used. */
static void report_network(void *context, StrView note) {
    StrView error = sv_skip(note, sizeof("error ") - 1);
    if (sv_starts_with(note, SV("network"))) {
        command_note(context, note);
    } else if (sv_starts_with(error, SV("Eval"))) {
        command_fail(context, COMMAND_FAILED, "%.*s", (int)sv_find_byte(error, ';'), error.ptr);
    }
}

static void set_engine_path(Engine *engine, StrView name, StrView path) {
    OptionStatus status = engine_set_option(engine, name, path);
    ASSERT(status == OPTION_OK); /* every path is accepted, and used later */
    (void)status;
}

void commands_set_net(const CommandContext *context, Engine *engine, const char *path) {
    EvalChoice choice = command_eval(context, path);
    engine_set_host(engine, &(EngineHost){(void *)context, .on_note = report_network});
    engine_set_number(engine, SV("FV_SCALE"), choice.fv_scale);
    set_engine_path(engine, SV("EvalFile"), choice.file);
    set_engine_path(engine, SV("EvalDir"), choice.folder);
}

bool commands_prepare(const CommandContext *context, Engine *engine, EngineResources wanted) {
    engine_set_number(engine, SV("Threads"), wanted.threads);
    engine_set_number(engine, SV("USI_Hash"), wanted.hash_mb);
    EngineResources got = engine_prepare(engine, wanted, NULL);
    if (!engine_has_wanted_net(engine)) {
        return false;
    }
    if (got.hash_mb == wanted.hash_mb && got.threads == wanted.threads) {
        return true;
    }
    command_fail(context, COMMAND_FAILED,
                 "only %d MB and %d thread%s could be allocated, not %d and %d", got.hash_mb,
                 got.threads, str_plural((uint64_t)got.threads), wanted.hash_mb, wanted.threads);
    return false;
}

void commands_report_game(const void *context, const char *message, bool is_note) {
    if (!is_note) {
        command_fail(context, COMMAND_FAILED, "%s", message);
    }
}
