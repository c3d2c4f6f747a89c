/* show.h: the commands `show`, a game on the terminal, and `diagram`, a position as text or
 * picture. One thread; results go to standard output, messages to stderr. */
#ifndef KMD_KIFU_SHOW_H
#define KMD_KIFU_SHOW_H

#include "tools/kifu/kifutool.h"

/* Both return the exit status: 0 when all is well, 1 when something is wrong with a game or a file,
 * 2 when the arguments are wrong. */
int kifu_show(const KifuArgs *args);
int kifu_diagram(const KifuArgs *args);

#endif
