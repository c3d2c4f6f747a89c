/* cmd_mate.h: the command `mate`: solves mate problems of a file, or one position. */
#ifndef KMD_CMD_CMD_MATE_H
#define KMD_CMD_CMD_MATE_H

#include "usi/command.h"

/* usage: [options] FILE | SFEN; see commands.c and docs/mate.md. With neither, the position of the
 * session. Returns 0 when no answer contradicts the file and no problem stayed undecided. */
int cmd_mate(const CommandContext *context, StrView args);

#endif
