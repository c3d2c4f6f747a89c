/* progress.c: overwrites one line of a terminal. In any other output each report is a separate
 * line. */
#include "base/progress.h"

#include <stdarg.h>

#include "base/clock.h"

#define CLEAR_LINE "\r\033[K"

void progress_begin(Progress *progress, FILE *file, bool is_terminal, int after_ms, int every_ms) {
    int64_t now = clock_ms();
    *progress = (Progress){.file = file,
                           .is_terminal = is_terminal,
                           .start_ms = now,
                           .next_ms = now + after_ms,
                           .every_ms = every_ms};
}

bool progress_is_due(const Progress *progress) {
    return progress->file != NULL && clock_ms() >= progress->next_ms;
}

void progress_show(Progress *progress, const char *format, ...) {
    if (progress->file == NULL) {
        return;
    }
    va_list args;
    va_start(args, format);
    fputs(progress->is_terminal ? CLEAR_LINE : "", progress->file);
    vfprintf(progress->file, format, args);
    fputs(progress->is_terminal ? "" : "\n", progress->file);
    fflush(progress->file);
    va_end(args);
    progress->is_shown = progress->is_terminal;
    progress->next_ms = clock_ms() + progress->every_ms;
}

void progress_clear(Progress *progress) {
    if (progress->is_shown) {
        fputs(CLEAR_LINE, progress->file);
        progress->is_shown = false;
    }
}

void progress_keep(Progress *progress) {
    if (progress->is_shown) {
        fputc('\n', progress->file);
        progress->is_shown = false;
    }
}

int64_t progress_elapsed_ms(const Progress *progress) {
    return clock_ms() - progress->start_ms;
}
