/* cmd_data.h: the command `data`: shows, converts, merges and checks files of training games. The
 * table in commands.h lists the command. */
#ifndef KMD_PROGRAM_CMD_DATA_H
#define KMD_PROGRAM_CMD_DATA_H

#include "usi/command.h"

extern const Command cmd_data;

#endif
