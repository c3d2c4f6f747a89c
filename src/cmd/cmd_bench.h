/* cmd_bench.h: the command `bench`: searches fixed positions to a fixed depth and counts the
 * nodes. A row of the table in commands.h. */
#ifndef KMD_CMD_CMD_BENCH_H
#define KMD_CMD_CMD_BENCH_H

#include "command/command.h"

extern const Command cmd_bench;

/* The SFENs that bench searches: the lines of bench/positions.sfen, followed by NULL. The Makefile
 * compiles them in, so that the program works from any directory. */
extern const char *const bench_positions[];

#endif
