/* checkgame.h: the command `check`: finds errors and unusual input in games. One thread; results go
 * to standard output, messages to stderr. */
#ifndef KMD_KIFU_CHECKGAME_H
#define KMD_KIFU_CHECKGAME_H

#include "tools/kifu/kifutool.h"

/* Returns the exit status: 0 when all is well, 1 when something is wrong with a game or a file, 2
 * when the words of the command cannot be used. */
int kifu_check(const KifuArgs *args);

#endif
