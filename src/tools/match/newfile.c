#include "tools/match/newfile.h"

#include "base/fileio.h"

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
    if (!may_go_on && !newfile_is_empty(stream)) {
        strbuf_addf(error, "%s exists; %s", path, advice);
        fclose(stream);
        return NULL;
    }
    return stream;
}
