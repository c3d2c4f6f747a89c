/* cmd_bench.h: the command `bench`: searches fixed positions to a fixed depth and counts the nodes.
 * The table in commands.h lists the command. */
#ifndef KMD_COMMANDS_CMD_BENCH_H
#define KMD_COMMANDS_CMD_BENCH_H

#include "engine/command.h"

extern const Command cmd_bench;

/* The SFENs that the command searches, followed by NULL. The SFENs are the lines of
 * bench/positions.sfen, which the Makefile compiles into the program, so that it works from any
 * directory. */
extern const char *const bench_positions[];

#endif
