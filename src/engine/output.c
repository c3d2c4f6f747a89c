/* output.c: writes each line with a single call under a lock, and copies it to the log. */
#include "engine/output.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/fileio.h"

void output_init(Output *out, int fd) {
    *out = (Output){.fd = fd};
    pthread_mutex_init(&out->lock, NULL);
}

void output_free(Output *out) {
    if (out->log != NULL) {
        fclose(out->log);
    }
    strbuf_free(&out->line);
    pthread_mutex_destroy(&out->lock);
}

/* Writes a line to the log. The caller holds the lock. */
static void log_line(Output *out, char direction, StrView text) {
    if (out->log != NULL) {
        fprintf(out->log, "%8lld %c %.*s\n", (long long)(clock_ms() - out->log_start_ms), direction,
                (int)text.len, text.len > 0 ? text.ptr : "");
        fflush(out->log);
    }
}

/* Writes out->line. The caller holds the lock. Ends the program if nobody reads the output: if the
 * client died but our input is still open, there is no other sign of its death. The failure may
 * happen on any thread, so nothing is cleaned up. */
static void flush_line(Output *out) {
    StrView text = strbuf_view(&out->line);
    log_line(out, '<', text);
    strbuf_add_byte(&out->line, '\n');
    int error = file_write_fd(out->fd, strbuf_view(&out->line));
    if (error == EPIPE) {
        _Exit(EXIT_FAILURE);
    }
    if (error != 0) {
        fprintf(stderr, "komadori: standard output could not be written: %s\n",
                file_error_text(error));
        _Exit(EXIT_FAILURE);
    }
}

void output_line(Output *out, StrView text) {
    pthread_mutex_lock(&out->lock);
    strbuf_clear(&out->line);
    strbuf_add(&out->line, text);
    flush_line(out);
    pthread_mutex_unlock(&out->lock);
}

void output_lines(Output *out, StrView text) {
    StrView line;
    while (sv_next_line(&text, &line)) {
        output_line(out, line);
    }
}

void output_linef(Output *out, const char *format, ...) {
    va_list args;
    va_start(args, format);
    pthread_mutex_lock(&out->lock);
    strbuf_clear(&out->line);
    strbuf_vaddf(&out->line, format, args);
    flush_line(out);
    pthread_mutex_unlock(&out->lock);
    va_end(args);
}

/* Only this thread opens and closes the log, so it may test for a log without the lock. This thread
 * must not wait for the lock, because lines must be executed even if the client does not read. */
void output_note_input(Output *out, StrView line) {
    if (out->log == NULL) {
        return;
    }
    pthread_mutex_lock(&out->lock);
    log_line(out, '>', line);
    pthread_mutex_unlock(&out->lock);
}

/* Opens the new log before closing the old one, which is kept if that fails. */
int output_log_to(Output *out, StrView path) {
    FILE *log = NULL;
    if (path.len > 0) {
        StrBuf name = STRBUF_INIT;
        strbuf_add(&name, path);
        log = fopen(name.ptr, "a");
        int error = log == NULL ? errno : 0;
        strbuf_free(&name);
        if (error != 0) {
            return error;
        }
    }
    pthread_mutex_lock(&out->lock);
    if (out->log != NULL) {
        fclose(out->log);
    }
    out->log = log;
    out->log_start_ms = clock_ms();
    pthread_mutex_unlock(&out->lock);
    return 0;
}
