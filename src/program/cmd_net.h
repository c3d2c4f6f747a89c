/* cmd_net.h: the commands `eval` and `net`: `eval` evaluates positions; `net` shows, verifies,
 * tests and rescales networks. The table in commands.h lists both. */
#ifndef KMD_PROGRAM_CMD_NET_H
#define KMD_PROGRAM_CMD_NET_H

#include "usi/command.h"

extern const Command cmd_eval, cmd_net;

#endif
