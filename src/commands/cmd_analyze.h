/* cmd_analyze.h: the command `analyze`: searches each position of game records and writes the
 * results as comments, graphs, JSON and HTML pages. The table in commands.h lists the command. */
#ifndef KMD_COMMANDS_CMD_ANALYZE_H
#define KMD_COMMANDS_CMD_ANALYZE_H

#include "engine/command.h"

extern const Command cmd_analyze;

#endif
