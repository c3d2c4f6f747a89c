/* cmd_net.h: the commands `eval` and `net`: evaluate positions; show, verify, test and rescale
 * networks. A row of the table in commands.h. */
#ifndef KMD_CMD_CMD_NET_H
#define KMD_CMD_CMD_NET_H

#include "command/command.h"

extern const Command cmd_eval, cmd_net;

#endif
