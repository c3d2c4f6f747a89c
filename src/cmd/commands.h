/* commands.h: the table of the engine program's commands that are not part of the protocol, and a
 * function that runs one of them. */
#ifndef KMD_CMD_COMMANDS_H
#define KMD_CMD_COMMANDS_H

#include "base/cmdline.h"
#include "command/command.h"

/* All commands; ends with NULL. */
const Command *const *commands_table(void);

enum { COMMANDS_UNKNOWN = -1 };

/* Runs the command named by the first word, with results on standard output and errors on standard
 * error. Returns the program's exit status, or COMMANDS_UNKNOWN. */
int commands_run(Args args);

#endif
