/* cmd_analyze.h: the command `analyze`: searches each position of game records and writes the
 * results as comments, graphs, JSON and HTML pages. The table in commands.h lists the command. */
#ifndef KMD_PROGRAM_CMD_ANALYZE_H
#define KMD_PROGRAM_CMD_ANALYZE_H

#include "usi/command.h"

extern const Command cmd_analyze;

#endif
