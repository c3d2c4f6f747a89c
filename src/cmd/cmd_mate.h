/* cmd_mate.h: the command `mate`: solves mate problems of a file, or one position. */
#ifndef KMD_CMD_CMD_MATE_H
#define KMD_CMD_CMD_MATE_H

#include "usi/command.h"

/* usage: [options] FILE | SFEN; see commands.c and docs/mate.md. With neither, the position of the
 * session. Returns 0 when there was a problem, no answer contradicts the file and none stayed
 * undecided; 2 when the arguments are wrong, else 1. */
int cmd_mate(const CommandContext *context, StrView args);

#endif
