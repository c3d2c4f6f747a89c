/* countmoves.h: counts move sequences for the commands `perft` and `go perft`.
 *
 * A long count shows its progress and ends early if the command is cancelled. Call these functions
 * from the command's own thread. */
#ifndef KMD_USI_COUNTMOVES_H
#define KMD_USI_COUNTMOVES_H

#include "rules/perft.h"
#include "usi/command.h"

struct Position;

/* Counts move sequences. Returns false if the count was cancelled or its table does not fit into
 * memory. */
bool countmoves_total(const CommandContext *context, const struct Position *pos,
                      const PerftOptions *perft, PerftResult *result) MUST_CHECK;

/* Counts move sequences and prints the total and the time. With is_divided, first prints the count
 * for each first move. Returns the command's exit status. */
int countmoves_print(const CommandContext *context, const PerftOptions *perft, bool is_divided,
                     const struct Position *pos);

#endif
