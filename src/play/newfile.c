/* newfile.c: opens files that are locked and appended to, and reads them again without an
 * incomplete last line. */
#include "play/newfile.h"

#include "base/fileio.h"
#include "base/outguard.h"

bool newfile_is_empty(FILE *stream) {
    return fseek(stream, 0, SEEK_END) != 0 || ftell(stream) <= 0;
}

FILE *newfile_open(const char *path, bool may_go_on, const char *advice, StrBuf *error) {
    FILE *stream;
    int failure = file_append(path, &stream);
    if (failure != 0) {
        strbuf_addf(error, "%s: %s", path, outguard_error_text(path, failure));
        return NULL;
    }
    if (!file_lock(stream)) {
        strbuf_addf(error, "%s: another process is writing to it", path);
        fclose(stream);
        return NULL;
    }
    if (!may_go_on && !newfile_is_empty(stream)) {
        (void)outguard_keep_old(path, advice, error);
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
    while (text->len > 0 && text->ptr[text->len - 1] != '\n') {
        text->ptr[--text->len] = '\0';
    }
    if (failure != 0) {
        strbuf_addf(error, "%s: %s", path, file_error_text(failure));
    }
    return failure == 0;
}

bool newfile_cut(FILE *stream, const char *path, size_t len, StrBuf *error) {
    bool is_longer = fseek(stream, 0, SEEK_END) == 0 && ftell(stream) > (long)len;
    int failure = is_longer ? file_cut(stream, len) : 0;
    if (failure != 0) {
        strbuf_addf(error, "%s: %s", path, file_error_text(failure));
    }
    return failure == 0;
}
