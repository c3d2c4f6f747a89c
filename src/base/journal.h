/* journal.h: a file that receives each result of a long run at once, so that the same command
 * continues an interrupted run where it stopped.
 *
 * A journal begins with a head, which states everything that the results depend on. The results
 * follow in the order in which they were added; the last one is incomplete if the run was killed
 * while it was written. A journal belongs to one thread, or is used under the caller's lock.
 * Nothing here prints. */
#ifndef KMD_BASE_JOURNAL_H
#define KMD_BASE_JOURNAL_H

#include <stdio.h>

#include "base/str.h"

typedef struct Journal {
    FILE *stream; /* NULL: not open */
    int error;    /* the first error (an errno value) of journal_add; 0: none */
} Journal;

/* How to continue a journal. */
typedef struct JournalPlan {
    StrView head; /* any bytes, but not empty */
    /* Reads the results of an earlier run, the bytes after the head, and returns the length of the
     * complete ones at their beginning. The rest is cut off. NULL: a file that is not empty is
     * treated as that of another run. */
    size_t (*take)(void *context, StrView results);
    void *context;
} JournalPlan;

/* The length of the lines at the beginning of `results` that have an end, for such journals. */
size_t journal_whole_lines(StrView results);

/* Opens the journal at `path`, or creates it. Reads and keeps the results of an earlier run with
 * the same head. Returns 0; EEXIST if the file has another head, and EBUSY if another process
 * writes to it, both of which leave it as it is; or another errno value. After an error the journal
 * is closed. */
int journal_open(Journal *journal, const char *path, const JournalPlan *plan) MUST_CHECK;

/* The same for a file that the caller has opened for appending, and closes after any outcome. If
 * `path` is NULL, as for a pipe or a device, there is no earlier run. */
int journal_begin(Journal *journal, FILE *stream, const char *path,
                  const JournalPlan *plan) MUST_CHECK;

/* Adds a result and flushes it. Returns false if that fails, now or earlier: after an error nothing
 * is added, because an incomplete result must be the last. */
bool journal_add(Journal *journal, StrView result);

/* Closes a journal opened by journal_open, if it is open; the file stays. Returns false, with
 * errno, if that fails. */
bool journal_close(Journal *journal);

/* What an error of journal_open or journal_begin means; static storage. */
const char *journal_error_text(int error);

#endif
