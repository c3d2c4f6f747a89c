/* traffic.c: the log of all communication with the engines. */
#include "play/traffic.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/xmem.h"
#include "play/newfile.h"

enum { SECONDS_DIGITS = 6 }; /* digits after the point */

struct TrafficLog {
    pthread_mutex_t mutex; /* guards the file */
    FILE *stream;
    int64_t start_ns;
    bool has_failed;
};

bool traffic_is_log(StrView start) {
    size_t point = sv_find_byte(start, '.');
    StrView fraction = sv_skip(start, point + 1);
    uint64_t number;
    return sv_to_u64(sv_prefix(start, point), 0, UINT64_MAX, &number) &&
           sv_find_byte(fraction, ' ') == SECONDS_DIGITS && fraction.len > SECONDS_DIGITS &&
           sv_to_u64(sv_prefix(fraction, SECONDS_DIGITS), 0, UINT64_MAX, &number);
}

TrafficLog *traffic_open(const char *path, StrBuf *error) {
    FILE *stream = newfile_open(path, true, "", error);
    if (stream == NULL) {
        return NULL;
    }
    TrafficLog *log = xmem_calloc(1, sizeof(*log));
    log->stream = stream;
    log->start_ns = clock_ns();
    pthread_mutex_init(&log->mutex, NULL);
    return log;
}

void traffic_add(TrafficLog *log, const char *name, int slot, char direction, StrView text) {
    if (log == NULL) {
        return;
    }
    StrView line;
    double seconds = (double)(clock_ns() - log->start_ns) / 1e9;
    pthread_mutex_lock(&log->mutex);
    while (sv_next_line(&text, &line)) {
        log->has_failed |= fprintf(log->stream, "%.*f %s[%d] %c %.*s\n", SECONDS_DIGITS, seconds,
                                   name, slot, direction, (int)line.len, line.ptr) < 0;
    }
    log->has_failed |= fflush(log->stream) != 0;
    pthread_mutex_unlock(&log->mutex);
}

bool traffic_close(TrafficLog *log) {
    bool is_good = log == NULL || (fclose(log->stream) == 0 && !log->has_failed);
    if (log != NULL) {
        pthread_mutex_destroy(&log->mutex);
        free(log);
    }
    return is_good;
}
