#include "tools/match/args.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"

char *args_copy_text(StrView text) {
    char *copy = xmem_alloc(text.len + 1, 1);
    if (text.len > 0) {
        memcpy(copy, text.ptr, text.len);
    }
    copy[text.len] = '\0';
    return copy;
}

void args_set_text(char **place, StrView text) {
    free(*place);
    *place = args_copy_text(text);
}

StrView args_split_key(StrView word, StrView *value) {
    size_t at = sv_find_byte(word, '=');
    *value = sv_skip(word, at + 1);
    return sv_take(word, at);
}

bool args_read_switch(StrView value, bool *out) {
    bool is_on = value.len == 0 || sv_equal(value, SV("on")) || sv_equal(value, SV("true"));
    *out = is_on;
    return is_on || sv_equal(value, SV("off")) || sv_equal(value, SV("false")) ||
           sv_equal(value, SV("auto"));
}
