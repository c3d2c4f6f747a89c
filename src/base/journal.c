/* journal.c: compares the head, passes on the earlier results, cuts off incomplete data, and
 * appends new results. */
#include "base/journal.h"

#include <errno.h>

#include "base/fileio.h"

size_t journal_whole_lines(StrView results) {
    size_t whole = results.len;
    while (whole > 0 && results.ptr[whole - 1] != '\n') {
        whole--;
    }
    return whole;
}

/* Passes on the results of an earlier run. *keep becomes the length of the complete data. */
static int take_earlier(const char *path, const JournalFormat *format, size_t *keep) {
    FileMap map;
    int error = file_map(path, &map);
    if (error != 0) {
        return error;
    }
    StrView text = {(const char *)map.data, map.len}, head = format->head;
    /* A run that was killed may not have completed its head. */
    bool is_ours = sv_starts_with(text, head) || sv_starts_with(head, text);
    *keep = 0;
    if (!is_ours) {
        error = EEXIST;
    } else if (text.len >= format->head.len) {
        size_t taken = format->take(format->context, sv_skip(text, format->head.len));
        error = taken == JOURNAL_FOREIGN ? EEXIST : 0;
        *keep = error == 0 ? format->head.len + taken : 0;
    }
    file_unmap(&map);
    return error;
}

int journal_open(Journal *journal, const char *path, const JournalFormat *format) {
    FILE *stream;
    *journal = (Journal){.stream = NULL};
    int error = file_append(path, &stream);
    if (error != 0) {
        return error;
    }
    FileStart start;
    bool is_file = file_read_start(path, 0, &start) == 0 && start.is_regular;
    size_t keep = 0;
    journal->stream = stream;
    if (is_file) {
        error = !file_lock(stream) ? EBUSY : take_earlier(path, format, &keep);
        error = error == 0 ? file_cut(stream, keep) : error;
    }
    if (error == 0 && keep == 0 && !journal_add(journal, format->head)) {
        error = journal->error;
    }
    if (error != 0) {
        (void)journal_close(journal);
    }
    return error;
}

bool journal_add(Journal *journal, StrView result) {
    if (journal->error == 0) {
        errno = 0;
        bool is_written = fwrite(result.ptr, 1, result.len, journal->stream) == result.len &&
                          fflush(journal->stream) == 0;
        journal->error = is_written ? 0 : errno != 0 ? errno : EIO;
    }
    return journal->error == 0;
}

bool journal_close(Journal *journal) {
    bool is_good = journal->stream == NULL || fclose(journal->stream) == 0;
    *journal = (Journal){.stream = NULL};
    return is_good;
}

const char *journal_error_text(int error) {
    switch (error) {
    case EEXIST:
        return "belongs to another run; move it away to start again";
    case EBUSY:
        return "another process is writing to it";
    default:
        return file_error_text(error);
    }
}
