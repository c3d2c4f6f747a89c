/* checkgame.h: komadori-kifu check: does a game keep the rules, and does its ending say the truth.
 */
#ifndef KMD_KIFU_CHECKGAME_H
#define KMD_KIFU_CHECKGAME_H

#include "tools/kifu/kifuargs.h"

/* Returns the exit status: 0 when nothing is wrong in any game. */
int checkgame_run(const KifuArgs *args);

#endif
