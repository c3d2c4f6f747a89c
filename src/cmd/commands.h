/* commands.h: the commands of the engine program besides the USI protocol, as one table. */
#ifndef KMD_CMD_COMMANDS_H
#define KMD_CMD_COMMANDS_H

#include "usi/command.h"

/* The table, for UsiConfig. */
const Command *commands_table(int *count);

#endif
