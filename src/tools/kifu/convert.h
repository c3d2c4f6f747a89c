/* convert.h: komadori-kifu convert: from any format to any other, one file or very many. */
#ifndef KMD_KIFU_CONVERT_H
#define KMD_KIFU_CONVERT_H

#include "tools/kifu/kifuargs.h"

/* Returns the exit status: 0 when every game was converted whole. */
int convert_run(const KifuArgs *args);

#endif
