/* cmd_analyze.h: `komadori analyze`: search every position of a game and write what was found back
 * into its record, with a graph. Can be broken off and taken up again. */
#ifndef KMD_CMD_CMD_ANALYZE_H
#define KMD_CMD_CMD_ANALYZE_H

#include "usi/command.h"

/* A CommandRun. */
int cmd_analyze(const CommandContext *context, StrView args);

#endif
