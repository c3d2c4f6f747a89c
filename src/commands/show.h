/* show.h: the commands `show`, which shows a game on the terminal, and `diagram`, which draws a
 * position as text or as a picture. They run on one thread. Results go to standard output, messages
 * to stderr. */
#ifndef KMD_COMMANDS_SHOW_H
#define KMD_COMMANDS_SHOW_H

#include "commands/kifutool.h"

/* Both return the exit status: 0 if there is no error, 1 for an error in a game or a file, 2 for
 * wrong arguments. */
int show_run(const KifuArgs *args);
int show_diagram(const KifuArgs *args);

#endif
