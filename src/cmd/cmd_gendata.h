/* cmd_gendata.h: the command gendata: self-play games as training data. */
#ifndef KMD_CMD_CMD_GENDATA_H
#define KMD_CMD_CMD_GENDATA_H

#include "usi/command.h"

/* As commands.c describes it. The same seed, shard, nodes and evaluation give the same file,
 * whatever the number of threads. Status 1 when cut short (what was played is kept) or when the
 * file cannot be written, 2 when the arguments are wrong. */
int cmd_gendata(const CommandContext *context, StrView args);

#endif
