/* regretlog.h: the results of a regret test: the moves that engines chose at each number of nodes,
 * and the reference engine's score of each of these moves.
 *
 * The results are kept in memory and in a growing CSV file. Only one thread at a time may use a
 * log. */
#ifndef KMD_MATCH_REGRETLOG_H
#define KMD_MATCH_REGRETLOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/journal.h"
#include "rules/types.h"

/* One row: the choice of a move by an engine or, if `engine` is -1, the reference's judgement of a
 * move. */
typedef struct RegretRow {
    int position;   /* number of the position, from 0 */
    int engine;     /* index in RegretLog.engines, or -1 */
    uint64_t nodes; /* limit of the search */
    Move move;      /* the move, which may be MOVE_RESIGN or MOVE_WIN */
    int score;      /* centipawns for the side that chooses; the absolute score of a mate is at
                       least USI_SCORE_MATE */
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
 * reference. This text is the first line of the file. A file with another first line is rejected,
 * and so is a file with a position number of `positions` or more. On failure returns false with the
 * reason in *error. Close the log in any case. */
bool regretlog_open(RegretLog *log, const char *path, StrView head, int positions,
                    StrBuf *error) MUST_CHECK;

/* The number of the engine, which is added to the list if needed. */
int regretlog_engine(RegretLog *log, StrView name);

/* Finds the row with this position, engine and number of nodes. If `engine` is -1, finds the
 * judgement of this position and move, whatever its number of nodes. NULL if there is none. Valid
 * until a row is added. */
const RegretRow *regretlog_find(const RegretLog *log, const RegretRow *wanted);

/* Adds a row to memory and file. Returns false if writing fails. */
bool regretlog_add(RegretLog *log, const RegretRow *row) MUST_CHECK;

/* Frees the rows and closes the file. Returns false if the last write failed. */
bool regretlog_close(RegretLog *log);

#endif
