/* commands.h: the commands of the engine program that are not part of USI, what they share, and a
 * function that runs one of them. Each command has its own file, cmd_NAME.c. Call the functions
 * from the thread that runs the command. */
#ifndef KMD_COMMANDS_COMMANDS_H
#define KMD_COMMANDS_COMMANDS_H

#include "base/cmdline.h"
#include "engine/command.h"
#include "engine/engine.h"

extern const Command cmd_analyze, cmd_bench, cmd_book, cmd_data, cmd_eval, cmd_gendata, cmd_hisshi,
    cmd_mate, cmd_net, cmd_perft;

/* The SFENs that `bench` searches, followed by NULL. They are the lines of bench/positions.sfen,
 * which the Makefile compiles into the program, so that it works from any directory. */
extern const char *const bench_positions[];

/* The commands that also work in a session; ends with NULL. */
const Command *const *commands_of_session(void);

enum { COMMANDS_UNKNOWN = -1 };

/* Runs the command named by the first word, with results on standard output and errors on standard
 * error. Returns the program's exit status, or COMMANDS_UNKNOWN. */
int commands_run(Args args);

/* Names the network to a command's engine, as the options of the session do or `path` does, if it
 * is not NULL. */
void commands_set_net(const CommandContext *context, Engine *engine, const char *path);

/* Loads the network, allocates the table and creates the threads that the user requested. Both
 * numbers must be within the ranges of USI_Hash and Threads. If the network cannot be used or the
 * system cannot provide them, reports that and returns false. */
bool commands_prepare(const CommandContext *context, Engine *engine,
                      EngineResources wanted) MUST_CHECK;

/* A GamesTell (record/kifuio.h) that reports the errors of games; `context` is the command's. */
void commands_report_game(const void *context, const char *message, bool is_note);

#endif
