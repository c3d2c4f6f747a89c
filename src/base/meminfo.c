/* meminfo.c: reads /proc/meminfo and the memory limit of the control group. Without these files
 * there is no limit. */
#include "base/meminfo.h"

#include <stdint.h>

#include "base/fileio.h"
#include "base/str.h"

/* The number after `label` in a file of lines such as "MemAvailable: 123 kB", or the only word of a
 * file if `label` is empty; `missing` if that is no number but, for example, "max". */
static size_t number_in_file(const char *path, StrView label, size_t missing) {
    StrBuf contents = STRBUF_INIT;
    uint64_t number = missing;
    StrView text = file_read(path, &contents) == 0 ? strbuf_view(&contents) : (StrView){NULL, 0};
    StrView line;
    while (sv_next_line(&text, &line)) {
        Tokenizer tok = {line};
        StrView word;
        bool is_it = tok_next(&tok, &word) &&
                     (label.len == 0 || (sv_equal(word, label) && tok_next(&tok, &word)));
        if (is_it && sv_to_u64(word, 0, SIZE_MAX, &number)) {
            break;
        }
    }
    strbuf_free(&contents);
    return (size_t)number;
}

size_t meminfo_available(void) {
    size_t kilobytes = number_in_file("/proc/meminfo", SV("MemAvailable:"), SIZE_MAX);
    size_t system = kilobytes > SIZE_MAX >> 10 ? SIZE_MAX : kilobytes << 10;
    size_t limit = number_in_file("/sys/fs/cgroup/memory.max", SV(""), SIZE_MAX);
    if (limit == SIZE_MAX) {
        return system;
    }
    /* Cached file data counts as used, but the system frees it when needed. */
    size_t used = number_in_file("/sys/fs/cgroup/memory.current", SV(""), 0);
    size_t cached = number_in_file("/sys/fs/cgroup/memory.stat", SV("inactive_file"), 0);
    used = used > cached ? used - cached : 0;
    size_t group = limit > used ? limit - used : 0;
    return system < group ? system : group;
}
