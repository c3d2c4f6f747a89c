/* cmd_analyze.h: the command `analyze`: searches each position of games and writes what it finds
 * as comments, graphs, JSON and pages. A row of the table in commands.h. */
#ifndef KMD_CMD_CMD_ANALYZE_H
#define KMD_CMD_CMD_ANALYZE_H

#include "command/command.h"

extern const Command cmd_analyze;

#endif
