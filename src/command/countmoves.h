/* countmoves.h: counts of move sequences for a command: `perft` and `go perft`.
 *
 * A long count shows its progress and ends early when the command is cancelled.
 * For the command's own thread. */
#ifndef KMD_COMMAND_COUNTMOVES_H
#define KMD_COMMAND_COUNTMOVES_H

#include "command/command.h"
#include "rules/perft.h"

struct Position;

/* Counts; false when the count was cut short or its table does not fit into memory. */
bool countmoves_total(const CommandContext *context, const struct Position *pos,
                      const PerftOptions *perft, PerftResult *result) MUST_CHECK;

/* Counts and prints the total and the time, and before them, when is_divided, the count after each
 * first move. Returns the exit status of the command. */
int countmoves_print(const CommandContext *context, const PerftOptions *perft, bool is_divided,
                     const struct Position *pos);

#endif
