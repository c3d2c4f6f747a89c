#include "tools/match/warnings.h"

#include <stdlib.h>

#include "base/xmem.h"
#include "tools/match/args.h"

void warnings_free(Warnings *warnings) {
    for (int i = 0; i < warnings->count; i++) {
        free(warnings->told[i]);
    }
    free(warnings->told);
    *warnings = (Warnings){0};
}

/* How many of those told begin with `start`; *is_known when one of them is all of `line`. */
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

bool warnings_add(Warnings *warnings, const char *engine, StrView text, StrBuf *out) {
    StrBuf line = STRBUF_INIT;
    bool is_known;
    strbuf_addf(&line, "%s: ", engine);
    size_t start = line.len;
    strbuf_add(&line, text);
    int count =
        count_told(warnings, sv_take(strbuf_view(&line), start), strbuf_view(&line), &is_known);
    bool is_told = !is_known && count < WARNINGS_PER_ENGINE;
    if (is_told) {
        warnings->told = xmem_grow(warnings->told, &warnings->cap, (size_t)warnings->count + 1,
                                   sizeof(warnings->told[0]));
        warnings->told[warnings->count++] = args_copy_text(strbuf_view(&line));
        strbuf_add(out, strbuf_view(&line));
        strbuf_add_str(out, count + 1 == WARNINGS_PER_ENGINE ? " (more is not told)" : "");
    }
    strbuf_free(&line);
    return is_told;
}
