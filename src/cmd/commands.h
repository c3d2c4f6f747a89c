/* commands.h: the commands of the engine program besides those of the protocol, in one table, and
 * what several of them share. */
#ifndef KMD_CMD_COMMANDS_H
#define KMD_CMD_COMMANDS_H

#include "engine/engine.h"
#include "usi/command.h"

extern const Command cmd_perft;
extern const Command cmd_bench;
extern const Command cmd_mate;
extern const Command cmd_hisshi;
extern const Command cmd_analyze;
extern const Command cmd_eval;
extern const Command cmd_net;
extern const Command cmd_data;
extern const Command cmd_gendata;
extern const Command cmd_book;

/* The SFENs that bench searches, the lines of bench/positions.sfen; ends with NULL. Compiled in by
 * the Makefile, so that the program works from any directory. */
extern const char *const bench_positions[];

/* All of them; ends with NULL. */
const Command *const *commands_table(void);

enum { COMMANDS_UNKNOWN = -1 };

/* Runs the command that the first word names, with results on standard output and faults on
 * stderr. Returns the program's exit status, or COMMANDS_UNKNOWN. */
int commands_run(Args args);

/* Gives the engine the table and threads that a user asks for, which are within the ranges of
 * USI_Hash and Threads. False when the system has less; it has been said. */
bool commands_prepare(const CommandContext *context, Engine *engine,
                      EngineResources wanted) MUST_CHECK;

/* In bench_positions.c: the lines of bench/positions.sfen, compiled in by the Makefile so that the
 * program works from any directory. */

/* SFENs, and NULL after the last. */
extern const char *const bench_positions[];

#endif
