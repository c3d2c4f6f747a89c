/* csarecords.c: names, writes and keeps records. */
#include "csa/csarecords.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fileio.h"
#include "base/xmem.h"

static void free_unsaved(UnsavedRecord *unsaved) {
    free(unsaved->path);
    strbuf_free(&unsaved->text);
}

void csarecords_free(CsaRecords *records) {
    for (int i = 0; i < records->unsaved_count; i++) {
        free_unsaved(&records->unsaved[i]);
    }
    free(records->unsaved);
    strbuf_free(&records->path);
    *records = (CsaRecords){.options = records->options};
}

void csarecords_begin(CsaRecords *records, StrView game_id) {
    enum { NAME_MAX_BYTES = 200, NUMBER_MAX = 100000 };
    const GameRecordOptions *options = records->options;
    StrView id = sv_prefix(game_id, NAME_MAX_BYTES);
    StrBuf name = STRBUF_INIT;
    for (size_t i = 0; i < id.len; i++) {
        char c = id.ptr[i];
        bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                        (c >= 'A' && c <= 'Z') || c == '+' || c == '-' || c == '_' ||
                        (c == '.' && i > 0);
        strbuf_add_byte(&name, is_plain ? c : '_');
    }
    /* The file is created at once: the other player of the game may write to the same folder. */
    for (int number = 1; options->dir != NULL && number < NUMBER_MAX; number++) {
        strbuf_clear(&records->path);
        strbuf_addf(&records->path, "%s/%s", options->dir, name.ptr);
        if (number > 1) {
            strbuf_addf(&records->path, "-%d", number);
        }
        strbuf_addf(&records->path, ".%.*s", (int)options->extension.len, options->extension.ptr);
        int file = open(records->path.ptr, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (file >= 0) {
            close(file);
        }
        if (file >= 0 || errno != EEXIST) {
            break;
        }
    }
    strbuf_free(&name);
}

void csarecords_update(CsaRecords *records, const MatchEvent *event) {
    StrBuf text = STRBUF_INIT;
    if (records->options->dir != NULL) {
        gamerecord_append(records->options, event, &text);
        int failure = file_write(records->path.ptr, text.ptr, text.len);
        (void)failure;
    }
    strbuf_free(&text);
}

/* Forgets what is kept for a file: the record of a game that was broken and goes on. */
static void forget(CsaRecords *records, StrView path) {
    int kept = 0;
    for (int i = 0; i < records->unsaved_count; i++) {
        if (sv_equal(sv_from(records->unsaved[i].path), path)) {
            free_unsaved(&records->unsaved[i]);
        } else {
            records->unsaved[kept++] = records->unsaved[i];
        }
    }
    records->unsaved_count = kept;
}

int csarecords_finish(CsaRecords *records, const MatchEvent *event) {
    StrBuf text = STRBUF_INIT;
    int failure = 0;
    if (records->options->dir != NULL) {
        gamerecord_append(records->options, event, &text);
        forget(records, strbuf_view(&records->path));
        failure = file_write(records->path.ptr, text.ptr, text.len);
    }
    if (failure == 0) {
        strbuf_free(&text);
        return 0;
    }
    records->unsaved = xmem_grow(records->unsaved, &records->cap,
                                 (size_t)records->unsaved_count + 1, sizeof(records->unsaved[0]));
    records->unsaved[records->unsaved_count++] =
        (UnsavedRecord){sv_copy(strbuf_view(&records->path)), text};
    return failure;
}

int csarecords_retry(CsaRecords *records) {
    int kept = 0, count = records->unsaved_count;
    for (int i = 0; i < count; i++) {
        UnsavedRecord unsaved = records->unsaved[i];
        if (file_write(unsaved.path, unsaved.text.ptr, unsaved.text.len) == 0) {
            free_unsaved(&unsaved);
        } else {
            records->unsaved[kept++] = unsaved;
        }
    }
    records->unsaved_count = kept;
    return count - kept;
}

void csarecords_print_unsaved(const CsaRecords *records, FILE *stream) {
    for (int i = 0; i < records->unsaved_count; i++) {
        const UnsavedRecord *unsaved = &records->unsaved[i];
        fprintf(stream, "\n%s:\n", unsaved->path);
        fwrite(unsaved->text.ptr, 1, unsaved->text.len, stream);
    }
}
