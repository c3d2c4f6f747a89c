/* show.h: komadori-kifu show: the board of a game in the terminal, move by move. */
#ifndef KMD_KIFU_SHOW_H
#define KMD_KIFU_SHOW_H

#include "tools/kifu/kifuargs.h"

/* Returns the exit status. */
int show_run(const KifuArgs *args);

#endif
