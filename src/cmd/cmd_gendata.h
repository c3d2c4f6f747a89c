/* cmd_gendata.h: the command `gendata`: plays games against itself and writes them as training
 * data. A row of the table in commands.h. */
#ifndef KMD_CMD_CMD_GENDATA_H
#define KMD_CMD_CMD_GENDATA_H

#include "command/command.h"

extern const Command cmd_gendata;

#endif
