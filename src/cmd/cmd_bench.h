/* cmd_bench.h: the command bench: searches a fixed set of positions to a fixed depth. With one
 * thread the number of nodes is the same on every machine: the signature of the search. */
#ifndef KMD_CMD_CMD_BENCH_H
#define KMD_CMD_CMD_BENCH_H

#include "usi/command.h"

/* bench [DEPTH] [THREADS] [HASH]. The last line is "Bench: NODES". Status 1 when cut short, 2 when
 * the arguments are wrong. */
int cmd_bench(const CommandContext *context, StrView args);

#endif
