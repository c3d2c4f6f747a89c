/* meminfo.c: reads /proc/meminfo and the memory limit of the control group. Without these files
 * there is no limit. */
#include "base/meminfo.h"

#include <stdint.h>

#include "base/fileio.h"
#include "base/str.h"

/* The number after `label` in a file of lines such as "MemAvailable: 123 kB"; `missing` if there is
 * none. */
static size_t labelled_number(const char *path, StrView label, size_t missing) {
    StrBuf contents = STRBUF_INIT;
    uint64_t number = missing;
    StrView text = file_read(path, &contents) == 0 ? strbuf_view(&contents) : (StrView){NULL, 0};
    StrView line;
    while (sv_next_line(&text, &line)) {
        Tokenizer tok = {line};
        StrView word;
        if (tok_next(&tok, &word) && sv_equal(word, label) && tok_next(&tok, &word) &&
            sv_to_u64(word, 0, SIZE_MAX, &number)) {
            break;
        }
    }
    strbuf_free(&contents);
    return (size_t)number;
}

/* The number in a file that contains nothing else; `missing` if the file contains no number but,
 * for example, "max". */
static size_t file_number(const char *path, size_t missing) {
    StrBuf text = STRBUF_INIT;
    uint64_t number;
    bool is_number =
        file_read(path, &text) == 0 && sv_to_u64(sv_trim(strbuf_view(&text)), 0, SIZE_MAX, &number);
    strbuf_free(&text);
    return is_number ? (size_t)number : missing;
}

size_t meminfo_available(void) {
    size_t kilobytes = labelled_number("/proc/meminfo", SV("MemAvailable:"), SIZE_MAX);
    size_t system = kilobytes > SIZE_MAX >> 10 ? SIZE_MAX : kilobytes << 10;
    size_t limit = file_number("/sys/fs/cgroup/memory.max", SIZE_MAX);
    if (limit == SIZE_MAX) {
        return system;
    }
    /* Cached file data counts as used, but the system frees it when needed. */
    size_t used = file_number("/sys/fs/cgroup/memory.current", 0);
    size_t cached = labelled_number("/sys/fs/cgroup/memory.stat", SV("inactive_file"), 0);
    used = used > cached ? used - cached : 0;
    size_t group = limit > used ? limit - used : 0;
    return system < group ? system : group;
}
