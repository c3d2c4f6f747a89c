/* cmd_net.h: the commands net and eval: what a network is, and what it says about a position. */
#ifndef KMD_CMD_CMD_NET_H
#define KMD_CMD_CMD_NET_H

#include "usi/command.h"

/* net info [FILE] | net verify FILE. Status 1 when the file cannot be used, 2 when the arguments
 * are wrong. */
int cmd_net(const CommandContext *context, StrView args);

/* eval [--net FILE] [sfen ...]: score, every output, and what each piece adds, by the session's
 * EvalFile where no network is named. */
int cmd_eval(const CommandContext *context, StrView args);

#endif
