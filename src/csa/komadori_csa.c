/* komadori_csa.c: the client for CSA servers, komadori-csa. docs/csa.md is its manual.
 *
 * The exit status is 0 if all games were played, 1 if something is missing or the login fails, 2
 * for wrong arguments, and 130 if the program was interrupted. */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/fileio.h"
#include "base/proc.h"
#include "base/terminal.h"
#include "csa/csaclient.h"
#include "komadori/version.h"
#include "rules/declare.h"
#include "rules/position.h"

enum { INTERRUPTED = 130 };

#define PORT     "4081"
#define VARIABLE "KOMADORI_CSA_PASSWORD"

/* Global, because a signal handler can access only global data. */
static atomic_int stops;
static atomic_bool cancel;

/* The first signal ends the session after the game in progress, the second one at once. */
static void count_signal(int number) {
    if (atomic_fetch_add(&stops, 1) > 0) {
        atomic_store(&cancel, true);
        signal(number, SIG_DFL);
    } else {
        signal(number, count_signal); /* some systems reset the handler */
    }
}

/* ---- Options. ---- */

/* The command line. */
typedef struct CsaArguments {
    CsaOptions options;
    const char *server; /* HOST[:PORT] */
    const char *password_path;
    ArgList engine_words;
    bool wants_version;
} CsaArguments;

#define IN(kind, member) ARG_AT(CsaArguments, kind, member)
static const ArgOption timeout_keys[] = {
    {"usi", "SEC", IN(ARG_SECONDS, options.options.usi_ms), 0.001, 1e6, .start = 10,
     .help = "time until usiok"},
    {"ready", "SEC", IN(ARG_SECONDS, options.options.ready_ms), 0.001, 1e6, .start = 60,
     .help = "time until readyok"},
    {"stop", "SEC", IN(ARG_SECONDS, options.options.stop_ms), 0.001, 1e6, .start = 1,
     .help = "time from stop to bestmove; an engine that needs more is started again"},
    {"quit", "SEC", IN(ARG_SECONDS, options.options.quit_ms), 0.001, 1e6, .start = 5,
     .help = "time from quit to the end of the process"},
    {.name = NULL},
};

static const ArgOption options[] = {
    {"HOST[:PORT]", NULL, IN(ARG_TEXT, server), .help = "the server; the port is 4081 by default"},
    {"NAME", NULL, IN(ARG_TEXT, options.name), .help = "the name to log in with"},
    {"-engine", "KEY=VALUE ...", IN(ARG_LIST, engine_words), .keys = enginespec_keys,
     .commands = ENGINE_OF_CSA, .help = "the engine"},
    {"-game", "NAME", IN(ARG_TEXT, options.game),
     .help = "the kind of game to wait for, such as floodgate-300-10F"},
    {"-games", "N", IN(ARG_INT, options.games), 0, 1000000,
     .help = "end after N games; 0 means never"},
    {"-rule", NULL, ARG_CHOICE, ARG_PLACE(CsaArguments, options.declare, KmdDeclareRule),
     .start = KMD_DECLARE_27, .word = declare_rule_name,
     .help = "impasse rule of the server (default CSARule27)"},
    {"-password-file", "FILE", IN(ARG_TEXT, password_path),
     .help = "read the password from the first line of this file; without it, it is taken from the "
             "environment variable " VARIABLE " or asked for"},
    {"-records", "KEY=VALUE ...", ARG_KEYS,
     ARG_PLACE(CsaArguments, options.records, GameRecordOptions), .keys = gamerecord_keys,
     .help = "write the record of each game to a file"},
    {"-log", "FILE", IN(ARG_TEXT, options.log_path),
     .help = "append all communication with the server and the engine to this file"},
    {"-margin", "MS", IN(ARG_INT, options.margin_ms), 0, 60000, .start = 300,
     .help = "part of the time for each move that the engine must not use, besides the measured "
             "delay of the connection"},
    {"-comments", "auto|on|off", IN(ARG_CHOICE, options.comments),
     .help = "send score and line with each move; auto: only in games on floodgate"},
    {"-retry", "SEC", IN(ARG_SECONDS, options.retry_ms), 0.001, 3600, .start = 2,
     .help = "first pause before a lost connection is opened again; later pauses are longer"},
    {"-event", "TEXT", IN(ARG_TEXT, options.event), .help = "name of the event for the records"},
    {"-timeouts", "KEY=SEC ...", ARG_KEYS, .keys = timeout_keys,
     .help = "time limits for the engine"},
    {"-version", NULL, IN(ARG_FLAG, wants_version), .help = "print version and build"},
};

static const ArgCommand command = {
    "komadori-csa",
    "HOST[:PORT] NAME -engine cmd=./komadori -game floodgate-300-10F",
    "Play on a CSA server with a USI engine.",
    ARG_OPTIONS(options),
    0,
    true};

/* ---- The password. ---- */

/* Asks for the password on the terminal, without echo. */
static bool ask_password(StrBuf *password) {
    if (!terminal_begin_keys()) {
        return false;
    }
    fputs("password: ", stderr);
    int key;
    while ((key = terminal_read_key()) != '\n' && key != '\r' && key != KEY_END) {
        if ((key == '\b' || key == 0x7f) && password->len > 0) {
            password->ptr[--password->len] = '\0';
        } else if (key > ' ' && key < 0x7f) {
            strbuf_add_byte(password, (char)key);
        }
    }
    terminal_end_keys();
    fputc('\n', stderr);
    return key != KEY_END;
}

/* Reads the password and removes it from the environment, which the engine inherits. On failure
 * *error says why. */
static bool read_password(const char *path, StrBuf *password, StrBuf *error) {
    static char no_variable[] = VARIABLE "=";
    char *value = getenv(VARIABLE);
    if (path != NULL) {
        StrBuf text = STRBUF_INIT;
        int failure = file_read(path, &text);
        StrView rest = strbuf_view(&text), line = {NULL, 0};
        (void)sv_next_line(&rest, &line);
        strbuf_add(password, sv_trim(line));
        strbuf_free(&text);
        if (failure != 0) {
            strbuf_addf(error, "%s: %s", path, file_error_text(failure));
            return false;
        }
    } else if (value != NULL && value[0] != '\0') {
        strbuf_add_str(password, value);
    } else if (!ask_password(password)) {
        strbuf_add_str(error, "no password: use -password-file or the variable " VARIABLE);
        return false;
    }
    if (value != NULL) {
        memset(value, 0, strlen(value)); /* some systems show it in their list of processes */
    }
    putenv(no_variable);
    bool is_good = password->len > 0 && !sv_has_byte(strbuf_view(password), ' ') &&
                   !enginespec_has_control(strbuf_view(password));
    if (!is_good) {
        strbuf_add_str(error, "the password must not be empty or contain spaces");
    }
    return is_good;
}

/* ---- Putting it together. ---- */

/* Checks the words and fills in what follows from them. `host` is memory for the host's name. */
static bool complete_arguments(CsaArguments *arguments, StrBuf *host, StrBuf *error) {
    CsaOptions *settled = &arguments->options;
    EngineSpec *engine = &settled->engine;
    if (arguments->server == NULL || settled->name == NULL) {
        strbuf_add_str(error,
                       "give the server and the name to log in with; -help lists the options");
        return false;
    }
    StrView server = sv_from(arguments->server);
    size_t colon = sv_find_byte(server, ':');
    int port = 0;
    strbuf_add(host, sv_prefix(server, colon));
    settled->host = host->ptr;
    settled->port = colon < server.len ? arguments->server + colon + 1 : PORT;
    if (colon == 0 || !sv_to_int(sv_from(settled->port), 1, 65535, &port)) {
        strbuf_addf(error, "%s is not HOST or HOST:PORT", arguments->server);
        return false;
    }
    const char *texts[] = {settled->name, settled->game};
    for (size_t i = 0; i < COUNTOF(texts); i++) {
        StrView text = sv_from(texts[i]);
        if (sv_has_byte(text, ' ') || sv_has_byte(text, ',') || enginespec_has_control(text)) {
            strbuf_addf(error, "%s must not contain spaces or commas", texts[i]);
            return false;
        }
    }
    if (arguments->engine_words.count != 1) {
        strbuf_add_str(error, "give one -engine");
        return false;
    }
    if (!enginespec_read(engine, ENGINE_OF_CSA, &arguments->engine_words.items[0], error)) {
        return false;
    }
    if (engine->argc == 0 || sv_trim(sv_from(engine->argv[0])).len == 0) {
        strbuf_add_str(error, "-engine: has no cmd");
        return false;
    }
    engine->name = sv_copy(engine->given_name != NULL ? sv_from(engine->given_name)
                                                      : file_name(sv_from(engine->argv[0])));
    engine->ponders |= engine->ponders_early;
    if (!gamerecord_complete(&settled->records, error)) {
        return false;
    }
    settled->options.hang_ms = 600000; /* a move in a game without clocks */
    settled->options.declare_rule = declare_rule_name(settled->declare);
    settled->options.keeps_threads = true;
    settled->options.stops_late = true;
    return true;
}

int main(int argc, char **argv) {
    const ArgCommand *const commands[] = {&command, NULL};
    Args args = {argc - 1, (const char **)argv + 1};
    CsaArguments arguments = {
        .options.options = {.usi_ms = 10000, .ready_ms = 60000, .stop_ms = 1000, .quit_ms = 5000}};
    StrBuf error = STRBUF_INIT, host = STRBUF_INIT, password = STRBUF_INIT;
    int status = 2;
    if (cmdline_answer(commands, NULL, &args, &error)) {
        fputs(error.ptr != NULL ? error.ptr : "", stdout);
        strbuf_free(&error);
        return file_finish_stdout("komadori-csa", EXIT_SUCCESS);
    }
    pos_init_tables();
    proc_init();
    if (!cmdline_read(&command, &args, &arguments, &error)) {
    } else if (arguments.wants_version) {
        printf("komadori-csa %s\nbuild    %s\n", KMD_VERSION, base_build_text());
        status = EXIT_SUCCESS;
    } else if (args.count > 0) {
        strbuf_add_str(&error, "cannot use ");
        cmdline_quote(sv_from(args.words[0]), &error);
    } else if (complete_arguments(&arguments, &host, &error)) {
        status = EXIT_FAILURE;
        if (read_password(arguments.password_path, &password, &error)) {
            arguments.options.password = password.ptr;
            proc_catch_end(count_signal);
            CsaStatus ended = csaclient_run(&arguments.options, &stops, &cancel);
            status = ended == CSA_DONE          ? EXIT_SUCCESS
                     : ended == CSA_INTERRUPTED ? INTERRUPTED
                                                : EXIT_FAILURE;
            memset(password.ptr, 0, password.len);
        }
    }
    if (error.len > 0) {
        fprintf(stderr, "komadori-csa: %s\n", error.ptr);
    }
    enginespec_free(&arguments.options.engine);
    free(arguments.engine_words.items);
    strbuf_free(&error);
    strbuf_free(&host);
    strbuf_free(&password);
    return file_finish_stdout("komadori-csa", status);
}
