/* progress.h: a progress line for long-running commands.
 *
 * A Progress belongs to one thread, or must be protected by the caller's lock. */
#ifndef KMD_BASE_PROGRESS_H
#define KMD_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/base.h"

typedef struct Progress {
    FILE *file; /* NULL: nothing is shown */
    bool is_terminal;
    bool is_shown; /* a line is on the terminal */
    int64_t start_ms;
    int64_t next_ms; /* when the next line is due */
    int every_ms;
} Progress;

/* Starts a progress line. The first report is due after_ms from now, later ones every_ms apart.
 * Nothing is printed if `file` is NULL. Unless `file` is a terminal that understands escape codes,
 * each report is a new line. */
void progress_begin(Progress *progress, FILE *file, bool is_terminal, int after_ms, int every_ms);

/* True if a line should be shown now. */
bool progress_is_due(const Progress *progress);

/* Replaces the progress line. */
void progress_show(Progress *progress, const char *format, ...) PRINTF_LIKE(2, 3);

/* Remove the progress line, or keep it and start a new line. Call one of them before anything else
 * is printed. */
void progress_clear(Progress *progress);
void progress_keep(Progress *progress);

/* Whole milliseconds since progress_begin. */
int64_t progress_elapsed_ms(const Progress *progress);

#endif
