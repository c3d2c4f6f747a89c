/* main.c: the engine program: USI on standard input and output, or one command given by arguments.
 */
#include <stdio.h>
#include <unistd.h>

#include "base/proc.h"
#include "base/str.h"
#include "cmd/commands.h"
#include "usi/usi.h"

static bool is_command(const UsiConfig *config, const char *name) {
    for (int i = 0; i < config->command_count; i++) {
        if (sv_equal(sv_from(name), sv_from(config->commands[i].name))) {
            return true;
        }
    }
    return false;
}

/* Adds an argument as a word of its own. */
static void add_quoted(StrView text, StrBuf *line) {
    bool has_blank = sv_has_byte(text, ' ') || sv_has_byte(text, '\t') || sv_has_byte(text, '\r');
    const char *quote = has_blank || text.len == 0 ? "\"" : "";
    strbuf_add_str(line, quote);
    strbuf_add(line, text);
    strbuf_add_str(line, quote);
}

/* A command's arguments stay apart, for file names may hold blanks; the protocol has no quotes. */
static bool join_arguments(const UsiConfig *config, int argc, char **argv, StrBuf *line) {
    bool is_quoting = is_command(config, argv[1]);
    for (int i = 1; i < argc; i++) {
        StrView text = sv_from(argv[i]);
        strbuf_add_str(line, i > 1 ? " " : "");
        if (!is_quoting) {
            strbuf_add(line, text);
        } else if (sv_has_byte(text, '"')) {
            fprintf(stderr, "komadori: arguments may not hold double quotes: %s\n", argv[i]);
            return false;
        } else {
            add_quoted(text, line);
        }
    }
    return true;
}

/* `komadori mate --help` is `komadori help mate`. */
static bool asks_for_help(const UsiConfig *config, int argc, char **argv) {
    return argc == 3 && is_command(config, argv[1]) &&
           (sv_equal(sv_from(argv[2]), SV("--help")) || sv_equal(sv_from(argv[2]), SV("-h")));
}

static int run_arguments(const UsiConfig *config, int argc, char **argv) {
    StrBuf line = STRBUF_INIT;
    if (!join_arguments(config, argc, argv, &line)) {
        strbuf_free(&line);
        return 2;
    }
    int status = usi_run_line(config, strbuf_view(&line));
    if (status == USI_UNKNOWN) {
        fprintf(stderr, "komadori: unknown command '%s'; try 'komadori help'\n", argv[1]);
        status = 2;
    }
    strbuf_free(&line);
    return status;
}

int main(int argc, char **argv) {
    UsiConfig config = {.in_fd = STDIN_FILENO, .out_fd = STDOUT_FILENO};
    config.commands = commands_table(&config.command_count);
    /* A client that is gone shows itself by the end of the input or a failed write, not by a
     * signal. */
    proc_init();
    if (asks_for_help(&config, argc, argv)) {
        static char help[] = "help";
        char *swapped[] = {argv[0], help, argv[1]};
        return run_arguments(&config, argc, swapped);
    }
    return argc > 1 ? run_arguments(&config, argc, argv) : usi_run(&config);
}
