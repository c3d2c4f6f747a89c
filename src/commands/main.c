/* main.c: the engine program: runs USI on standard input and output, or one command given by
 * arguments. */
#include <stdio.h>
#include <unistd.h>

#include "base/proc.h"
#include "commands/commands.h"
#include "engine/usi.h"

/* Executes a protocol line given as arguments. */
static int run_protocol(const UsiOptions *options, const Args *args) {
    StrBuf line = STRBUF_INIT;
    cmdline_join(args, 0, &line);
    int status = usi_run_line(options, strbuf_view(&line));
    strbuf_free(&line);
    if (status == USI_UNKNOWN) {
        fprintf(stderr, "komadori: unknown command '%s'; try 'komadori help'\n", args->words[0]);
        return COMMAND_MISUSED;
    }
    return status;
}

int main(int argc, char **argv) {
    UsiOptions options = {
        .in_fd = STDIN_FILENO, .out_fd = STDOUT_FILENO, .commands = commands_of_session()};
    Args args = {argc - 1, (const char **)argv + 1};
    /* Ignore the signal of a closed pipe: the end of the input or a failed write shows that the
     * client is gone. */
    proc_init();
    if (argc <= 1) {
        return usi_run(&options);
    }
    int status = commands_run(args);
    return status != COMMANDS_UNKNOWN ? status : run_protocol(&options, &args);
}
