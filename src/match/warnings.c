/* warnings.c: remembers the warnings, so that none is repeated. */
#include "match/warnings.h"

#include <stdlib.h>

#include "base/xmem.h"

void warnings_free(Warnings *warnings) {
    for (int i = 0; i < warnings->count; i++) {
        free(warnings->told[i]);
    }
    free(warnings->told);
    *warnings = (Warnings){0};
}

/* The number of reported warnings that begin with `start`. *is_known becomes true if one of them
 * equals `line`. */
static int count_told(const Warnings *warnings, StrView start, StrView line, bool *is_known) {
    int count = 0;
    *is_known = false;
    for (int i = 0; i < warnings->count; i++) {
        StrView told = sv_from(warnings->told[i]);
        count += sv_starts_with(told, start);
        *is_known |= sv_equal(told, line);
    }
    return count;
}

/* Appends "ENGINE: TEXT" to *line. Returns false if this warning should not be reported. */
static bool add_warning(Warnings *warnings, const char *engine, StrView text, StrBuf *line) {
    bool is_known;
    strbuf_addf(line, "%s: ", engine);
    size_t start = line->len;
    strbuf_add(line, text);
    StrView all = strbuf_view(line);
    int count = count_told(warnings, sv_prefix(all, start), all, &is_known);
    if (is_known || count >= WARNINGS_PER_ENGINE) {
        return false;
    }
    warnings->told = xmem_grow(warnings->told, &warnings->cap, (size_t)warnings->count + 1,
                               sizeof(warnings->told[0]));
    warnings->told[warnings->count++] = sv_copy(all);
    strbuf_add_str(line,
                   count + 1 == WARNINGS_PER_ENGINE ? " (further warnings are not printed)" : "");
    return true;
}

void warnings_tell(void *context, const char *engine, StrView text) {
    Warnings *warnings = context;
    StrBuf line = STRBUF_INIT;
    pthread_mutex_lock(warnings->lock);
    if (add_warning(warnings, engine, text, &line)) {
        matchreport_warning(warnings->report, strbuf_view(&line));
        if (warnings->log != NULL) {
            resultlog_warn(warnings->log, strbuf_view(&line));
        }
    }
    pthread_mutex_unlock(warnings->lock);
    strbuf_free(&line);
}
