/* cmd_perft.h: the command `perft`: counts move sequences. The table in commands.h lists the
 * command. */
#ifndef KMD_COMMANDS_CMD_PERFT_H
#define KMD_COMMANDS_CMD_PERFT_H

#include "engine/command.h"

extern const Command cmd_perft;

#endif
