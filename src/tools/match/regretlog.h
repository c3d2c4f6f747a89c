/* regretlog.h: the results of a regret test: the moves that engines chose at each number of nodes,
 * and the reference engine's score of each of these moves.
 *
 * Kept in memory and in a growing CSV file. Reads and writes the file; starts no engine. One thread
 * at a time. */
#ifndef KMD_MATCH_REGRETLOG_H
#define KMD_MATCH_REGRETLOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/journal.h"
#include "rules/types.h"

/* One row: an engine has chosen a move or, if `engine` is -1, the reference has judged one. */
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

/* Reads the rows of the file and opens it for appending. `head` describes the positions and the
 * reference. It is the first line; a file with another first line is refused, and so is one with a
 * position number of `positions` or more. Returns false with the reason in *error. Close the log in
 * any case. */
bool regretlog_open(RegretLog *log, const char *path, StrView head, int positions,
                    StrBuf *error) MUST_CHECK;

/* The number of the engine, which is added to the list if needed. */
int regretlog_engine(RegretLog *log, StrView name);

/* The row of that position, engine (-1: a judgment) and number of nodes; for a judgment, of `move`,
 * whatever the nodes. NULL if there is none. Valid until a row is added. */
const RegretRow *regretlog_find(const RegretLog *log, const RegretRow *wanted);

/* Adds a row to memory and file. Returns false if writing fails. */
bool regretlog_add(RegretLog *log, const RegretRow *row) MUST_CHECK;

/* Frees the rows and closes the file. Returns false if the last write failed. */
bool regretlog_close(RegretLog *log);

#endif
