/* commands.h: the table of the engine program's commands besides those of the protocol, and calling
 * one of them. */
#ifndef KMD_CMD_COMMANDS_H
#define KMD_CMD_COMMANDS_H

#include "base/cmdline.h"
#include "command/command.h"

/* All of them; ends with NULL. */
const Command *const *commands_table(void);

enum { COMMANDS_UNKNOWN = -1 };

/* Runs the command that the first word names, with results on standard output and faults on
 * stderr. Returns the program's exit status, or COMMANDS_UNKNOWN. */
int commands_run(Args args);

#endif
