/* cmd_data.h: the command data: looks at files of training games, joins and converts them. */
#ifndef KMD_CMD_CMD_DATA_H
#define KMD_CMD_CMD_DATA_H

#include "usi/command.h"

/* As commands.c describes it. Status 1 when a file cannot be used or is damaged, 2 when the
 * arguments are wrong. */
int cmd_data(const CommandContext *context, StrView args);

#endif
