/* cmd_mate.h: the commands `mate` and `hisshi`: solve mate and brinkmate problems. The table in
 * commands.h lists both. */
#ifndef KMD_COMMANDS_CMD_MATE_H
#define KMD_COMMANDS_CMD_MATE_H

#include "engine/command.h"

extern const Command cmd_mate, cmd_hisshi;

#endif
