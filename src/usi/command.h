/* command.h: commands that stand outside the protocol's conversation: one table serves the lines of
 * stdin and the arguments of the program. */
#ifndef KMD_USI_COMMAND_H
#define KMD_USI_COMMAND_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/str.h"

struct Output;
struct Position;

/* What a command may use. It runs in the background of a session, so it gets copies. */
typedef struct CommandContext {
    const struct Position *pos; /* the session's position when the command came */
    StrView eval_file;          /* and its option EvalFile */
    struct Output *out;
    const _Atomic bool *cancel; /* to be looked at now and then; true: end early */
    bool is_program;            /* called by arguments of the program: stderr may be used */
} CommandContext;

/* Returns the exit status of the program: 0 when all went well. */
typedef int CommandRun(const CommandContext *context, StrView args);

typedef struct Command {
    const char *name;
    const char *usage; /* arguments, two blanks, what it does; for help. NULL: not shown there */
    CommandRun *run;
} Command;

#endif
