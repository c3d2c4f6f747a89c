/* outguard.c: compares the outputs of a program with its inputs, with each other, and with the
 * files that are there. */
#include "base/outguard.h"

#include <errno.h>

#include "base/fileio.h"

bool outguard_is_clash(const char *a, const char *b) {
    if (a == NULL || b == NULL || !file_is_same(a, b)) {
        return false;
    }
    FileStart start;
    int error = file_check_regular(a);
    bool is_device =
        error == EINVAL || (error == 0 && file_read_start(a, 0, &start) == 0 && !start.is_regular);
    return !is_device;
}

bool outguard_keep(const char *path, const char *reason, StrBuf *why) {
    strbuf_addf(why, "%s: not overwritten: %s", path, reason);
    return false;
}

bool outguard_keep_old(const char *path, const char *advice, StrBuf *why) {
    strbuf_addf(why, "%s: not overwritten: it exists; %s", path, advice);
    return false;
}

const char *outguard_error_text(const char *path, int error) {
    StrBuf folder = STRBUF_INIT;
    strbuf_add(&folder, file_folder(sv_from(path)));
    bool is_missing = error == ENOENT && folder.len > 0 && !file_is_folder(folder.ptr);
    strbuf_free(&folder);
    return is_missing ? "its folder does not exist" : file_error_text(error);
}

/* Looks at what is at the place of an output. */
static bool check_place(const OutFile *output, StrBuf *why) {
    FileStart start;
    bool is_there = file_check_regular(output->path) == 0 &&
                    file_read_start(output->path, FILE_START_MAX, &start) == 0 &&
                    start.is_regular && start.file_len > 0;
    const OutKind *kind = output->kind;
    StrView bytes = {start.bytes, is_there ? start.len : 0};
    if (is_there && kind != NULL &&
        !(kind->start != NULL ? sv_starts_with(bytes, sv_from(kind->start))
                              : kind->is_start(bytes))) {
        strbuf_addf(why, "%s: not overwritten: it exists and is not %s; name another file",
                    output->path, kind->name);
        return false;
    }
    if (is_there && output->advice != NULL) {
        return outguard_keep_old(output->path, output->advice, why);
    }
    int error = output->is_opened_soon ? 0 : file_check_write(output->path);
    if (error != 0) {
        strbuf_addf(why, "%s: %s", output->path, outguard_error_text(output->path, error));
    }
    return error == 0;
}

bool outguard_check(const OutFile *outputs, int count, const Args *inputs, StrBuf *why) {
    for (int i = 0; i < count; i++) {
        for (int k = 0; inputs != NULL && outputs[i].path != NULL && k < inputs->count; k++) {
            if (outguard_is_clash(outputs[i].path, inputs->words[k])) {
                return outguard_keep(outputs[i].path, OUTGUARD_INPUT, why);
            }
        }
        for (int k = 0; k < i; k++) {
            if (outguard_is_clash(outputs[i].path, outputs[k].path)) {
                return outguard_keep(outputs[i].path, OUTGUARD_OUTPUT, why);
            }
        }
    }
    for (int i = 0; i < count; i++) {
        if (outputs[i].path != NULL && !check_place(&outputs[i], why)) {
            return false;
        }
    }
    return true;
}
