/* cmd_perft.h: the command perft: counts move sequences, or checks a table of known counts. */
#ifndef KMD_CMD_CMD_PERFT_H
#define KMD_CMD_CMD_PERFT_H

#include "usi/command.h"

/* As commands.c describes it. Status 1 when a count is wrong, was cut short or could not be made,
 * or the suite cannot be read, 2 when the arguments are wrong. */
int cmd_perft(const CommandContext *context, StrView args);

#endif
