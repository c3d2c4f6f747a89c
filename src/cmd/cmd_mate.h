/* cmd_mate.h: the commands `mate` and `hisshi`: solve mate and brinkmate problems. A row of the
 * table in commands.h. */
#ifndef KMD_CMD_CMD_MATE_H
#define KMD_CMD_CMD_MATE_H

#include "command/command.h"

extern const Command cmd_mate, cmd_hisshi;

#endif
