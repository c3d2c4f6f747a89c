/* regretlog.h: what a regret test knows: the moves that engines chose at numbers of nodes, and what
 * a reference engine thinks of each of these moves. Kept in memory and in a CSV file that grows.
 *
 * Reads and writes the file; asks no engine. One thread at a time. */
#ifndef KMD_MATCH_REGRETLOG_H
#define KMD_MATCH_REGRETLOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/journal.h"
#include "rules/types.h"

/* One row: an engine has chosen a move, or where `engine` is -1 the reference has judged it. */
typedef struct RegretRow {
    int position;   /* from 0 */
    int engine;     /* in RegretLog.engines, or -1 */
    uint64_t nodes; /* limit of the search */
    Move move;      /* also MOVE_RESIGN and MOVE_WIN */
    int score;      /* centipawns for the side that chooses; a mate is USI_SCORE_MATE or beyond */
} RegretRow;

typedef struct RegretLog {
    char **engines; /* names in the order of their first rows */
    int engine_count;
    RegretRow *rows;
    int count;
    size_t cap;
    Journal file;
} RegretLog;

/* Opens the file to append to it, after reading the rows in it. `head` describes the positions and
 * the reference: it is the first line, and a file with another one is refused. No position in it
 * may be `positions` or above. False with the reason in *error. Close in any case. */
bool regretlog_open(RegretLog *log, const char *path, StrView head, int positions,
                    StrBuf *error) MUST_CHECK;

/* The number of the engine, which is added to the list if needed. */
int regretlog_engine(RegretLog *log, StrView name);

/* The row of that position, engine (-1: a judgment) and number of nodes; for a judgment of `move`,
 * whatever the nodes. NULL: there is none. Valid until a row is added. */
const RegretRow *regretlog_find(const RegretLog *log, const RegretRow *wanted);

/* Adds a row to memory and file. False when it cannot be written. */
bool regretlog_add(RegretLog *log, const RegretRow *row) MUST_CHECK;

/* Frees the rows and closes the file; false when the last of it could not be written. */
bool regretlog_close(RegretLog *log);

#endif
