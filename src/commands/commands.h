/* commands.h: the commands of the engine program that are not part of USI, and a function that runs
 * one of them. */
#ifndef KMD_COMMANDS_COMMANDS_H
#define KMD_COMMANDS_COMMANDS_H

#include "base/cmdline.h"
#include "engine/command.h"

/* The commands that also work in a session; ends with NULL. */
const Command *const *commands_of_session(void);

enum { COMMANDS_UNKNOWN = -1 };

/* Runs the command named by the first word, with results on standard output and errors on standard
 * error. Returns the program's exit status, or COMMANDS_UNKNOWN. */
int commands_run(Args args);

#endif
