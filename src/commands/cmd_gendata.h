/* cmd_gendata.h: the command `gendata`: plays games of the engine against itself and writes them as
 * training data. The table in commands.h lists the command. */
#ifndef KMD_COMMANDS_CMD_GENDATA_H
#define KMD_COMMANDS_CMD_GENDATA_H

#include "engine/command.h"

extern const Command cmd_gendata;

#endif
