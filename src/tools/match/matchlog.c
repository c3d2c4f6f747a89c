#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "base/xmem.h"
#include "tools/match/matchreport.h"
#include "tools/match/player.h"

bool newfile_is_empty(FILE *stream) {
    return fseek(stream, 0, SEEK_END) != 0 || ftell(stream) <= 0;
}

FILE *newfile_open(const char *path, bool may_go_on, const char *advice, StrBuf *error) {
    FILE *stream;
    int failure = file_append(path, &stream);
    if (failure != 0) {
        strbuf_addf(error, "%s: %s", path, file_error_text(failure));
        return NULL;
    }
    if (!file_lock(stream)) {
        strbuf_addf(error, "%s: another process is writing to it", path);
        fclose(stream);
        return NULL;
    }
    if (!may_go_on && !newfile_is_empty(stream)) {
        strbuf_addf(error, "%s exists; %s", path, advice);
        fclose(stream);
        return NULL;
    }
    return stream;
}

bool newfile_add(FILE *stream, StrView text) {
    return fwrite(text.ptr, 1, text.len, stream) == text.len && fflush(stream) == 0;
}

bool newfile_read(const char *path, StrBuf *text, StrBuf *error) {
    int failure = file_read(path, text);
    size_t whole = text->len;
    while (failure == 0 && whole > 0 && text->ptr[whole - 1] != '\n') {
        whole--;
    }
    if (failure == 0 && whole < text->len) {
        text->ptr[whole] = '\0';
        text->len = whole;
        failure = file_write(path, text->ptr, whole);
    }
    if (failure != 0) {
        strbuf_addf(error, "%s: %s", path, file_error_text(failure));
    }
    return failure == 0;
}

struct TrafficLog {
    pthread_mutex_t mutex; /* guards the file */
    FILE *stream;
    int64_t start_ns;
    bool has_failed;
};

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
        log->has_failed |= fprintf(log->stream, "%.6f %s[%d] %c %.*s\n", seconds, name, slot,
                                   direction, (int)line.len, line.ptr) < 0;
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
