/* cmd_data.h: the command `data`: shows, converts, merges and checks files of training games. The
 * table in commands.h lists the command. */
#ifndef KMD_COMMANDS_CMD_DATA_H
#define KMD_COMMANDS_CMD_DATA_H

#include "engine/command.h"

extern const Command cmd_data;

#endif
