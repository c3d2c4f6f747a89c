/* checkgame.h: the command `check`: finds errors and unusual input in games. It runs on one thread.
 * Results go to standard output, messages to stderr. */
#ifndef KMD_COMMANDS_CHECKGAME_H
#define KMD_COMMANDS_CHECKGAME_H

#include "commands/kifutool.h"

/* Returns the exit status: 0 if there is no error, 1 for an error in a game or a file, 2 for wrong
 * arguments. */
int checkgame_run(const KifuArgs *args);

#endif
