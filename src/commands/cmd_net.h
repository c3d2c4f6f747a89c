/* cmd_net.h: the commands `eval` and `net`: `eval` evaluates positions; `net` shows, verifies
 * and tests networks. The table in commands.h lists both. */
#ifndef KMD_COMMANDS_CMD_NET_H
#define KMD_COMMANDS_CMD_NET_H

#include "engine/command.h"

extern const Command cmd_eval, cmd_net;

#endif
