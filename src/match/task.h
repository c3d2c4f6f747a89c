/* task.h: the tasks of komadori-match. Each plays until it is done, reports what it does and why it
 * fails, and is called once, by the program's main thread.
 *
 * Setting *cancel from another thread or a signal handler ends a task within moments: what is in
 * progress does not count, and engines are told to quit. A task also sets *cancel itself when it
 * ends early. */
#ifndef KMD_MATCH_TASK_H
#define KMD_MATCH_TASK_H

#include <stdatomic.h>

#include "match/matchreport.h"
#include "match/settings.h"

typedef enum TaskStatus {
    TASK_DONE,
    TASK_INTERRUPTED, /* *cancel was set by the caller */
    TASK_FAILED       /* the report says why */
} TaskStatus;

/* Plays a tournament: continues from the results in settings->results.path, plays all remaining
 * games on several threads and prints the final report. It is done when every game was played or
 * the SPRT has decided. */
TaskStatus task_play(const MatchSettings *settings, MatchReport *report, atomic_bool *cancel);

/* Reports on the files of results in settings->merge, the parts of one tournament. Their games are
 * written to settings->results.path as one file. Fails if a file is not part of the tournament. */
TaskStatus task_merge(const MatchSettings *settings, MatchReport *report, atomic_bool *cancel);

/* Tunes options of one engine (spsa.h): continues from the file settings->spsa.csv_path, plays all
 * remaining pairs and prints the values, even if it ends early. Each pair adds a line to that
 * file. */
TaskStatus task_tune(const MatchSettings *settings, MatchReport *report, atomic_bool *cancel);

/* Makes the file settings->maker.path of openings with one engine: random but sensible first moves
 * that lead to positions that the engine evaluates as balanced. Fails if too few walks end in such
 * a position. The file then contains the openings made so far. The same seed and engine give the
 * same openings. */
TaskStatus task_make_openings(const MatchSettings *settings, MatchReport *report,
                              atomic_bool *cancel);

/* Tests whether one engine speaks USI as GUIs need it: the requirements of Isozaki's definition
 * (Shogidokoro) and of common clients (ShogiHome, cshogi, lishogi) one by one. Starts the engine
 * several times. Prints a line for each requirement, "pass WHAT" or "FAIL WHAT: why", and then the
 * counts. Fails if the engine does not meet all requirements. */
TaskStatus task_check_engine(const MatchSettings *settings, MatchReport *report,
                             atomic_bool *cancel);

#endif
