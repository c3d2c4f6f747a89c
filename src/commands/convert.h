/* convert.h: the command `convert`: converts games to another format, encoding or notation. It runs
 * on one thread. Results go to standard output, messages to stderr. */
#ifndef KMD_COMMANDS_CONVERT_H
#define KMD_COMMANDS_CONVERT_H

#include "commands/kifutool.h"

/* Returns the exit status: 0 if there is no error, 1 for an error in a game or a file, 2 for wrong
 * arguments. */
int convert_run(const KifuArgs *args);

#endif
