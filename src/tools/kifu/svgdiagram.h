/* svgdiagram.h: komadori-kifu diagram: a position of a game as a picture. */
#ifndef KMD_KIFU_SVGDIAGRAM_H
#define KMD_KIFU_SVGDIAGRAM_H

#include "tools/kifu/kifuargs.h"

/* Returns the exit status. */
int svgdiagram_run(const KifuArgs *args);

#endif
