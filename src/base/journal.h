/* journal.h: a file that stores each result of a long run as soon as it is known. If the run is
 * interrupted, repeating the command continues it where it stopped.
 *
 * A journal begins with a head, which states everything that the results depend on. The results
 * follow in the order in which they were added. If the run was killed while writing, the last
 * result is incomplete. A journal belongs to one thread, or must be protected by the caller's lock.
 * Nothing here prints. */
#ifndef KMD_BASE_JOURNAL_H
#define KMD_BASE_JOURNAL_H

#include <stdint.h>
#include <stdio.h>

#include "base/str.h"

typedef struct Journal {
    FILE *stream; /* NULL: not open */
    int error;    /* errno value of the first error in journal_add; 0: none */
} Journal;

/* Returned by JournalFormat.take to leave the file unchanged. */
#define JOURNAL_FOREIGN SIZE_MAX

/* How to continue a journal. */
typedef struct JournalFormat {
    StrView head; /* any bytes; empty if `take` recognises the file */
    /* Reads the results of an earlier run, that is, the bytes after the head. Returns how many
     * bytes at their beginning are complete results; the rest is cut off. A file for
     * which `take` returns JOURNAL_FOREIGN is treated as the journal of another run. */
    size_t (*take)(void *context, StrView results);
    void *context;
} JournalFormat;

/* For journals in which each result is a line: the length of the complete lines at the beginning of
 * `results`. */
size_t journal_whole_lines(StrView results);

/* Opens the journal at `path`, or creates it. Reads and keeps the results of an earlier run with
 * the same head; a pipe or a device has no earlier run. Returns 0 on success, EEXIST if the file
 * belongs to another run, EBUSY if another process is writing to it, or another errno value. EEXIST
 * and EBUSY leave the file unchanged. After an error the journal is closed. */
int journal_open(Journal *journal, const char *path, const JournalFormat *format) MUST_CHECK;

/* Adds a result and flushes it. Returns false if this or an earlier call failed. Nothing is added
 * after an error, because only the last result may be incomplete. */
bool journal_add(Journal *journal, StrView result);

/* Closes a journal that journal_open opened, if it is still open; does not delete the file. Returns
 * false with errno set on failure. */
bool journal_close(Journal *journal);

/* A description of an error returned by journal_open. Static storage. */
const char *journal_error_text(int error);

#endif
