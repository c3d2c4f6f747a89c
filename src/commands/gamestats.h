/* gamestats.h: the command `stats`: counts games and their lengths, results, endings, handicaps,
 * first moves and players. It runs on one thread. Results go to standard output, messages to
 * stderr. */
#ifndef KMD_COMMANDS_GAMESTATS_H
#define KMD_COMMANDS_GAMESTATS_H

#include "commands/kifutool.h"

/* Returns the exit status: 0 if there is no error, 1 for an error in a game or a file, 2 for wrong
 * arguments. */
int gamestats_run(const KifuArgs *args);

#endif
