/* gamestats.h: komadori-kifu stats: counts over many games. */
#ifndef KMD_KIFU_GAMESTATS_H
#define KMD_KIFU_GAMESTATS_H

#include "tools/kifu/kifuargs.h"

/* Returns the exit status: 0 when every game could be read. */
int gamestats_run(const KifuArgs *args);

#endif
