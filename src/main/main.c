/* main.c: the engine program: USI on standard input and output, or one command given by arguments.
 */
#include <stdio.h>
#include <unistd.h>

#include "base/proc.h"
#include "base/str.h"
#include "cmd/commands.h"
#include "usi/usi.h"

static int run_arguments(const UsiConfig *config, int argc, char **argv) {
    StrBuf line = STRBUF_INIT;
    for (int i = 1; i < argc; i++) {
        strbuf_add_str(&line, i > 1 ? " " : "");
        strbuf_add_str(&line, argv[i]);
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
    return argc > 1 ? run_arguments(&config, argc, argv) : usi_run(&config);
}
