/* terminal.c: recognises terminals. The functions of system.h read keys. */
#include "base/terminal.h"

#include <string.h>
#include <unistd.h>

#include "base/system.h"

bool terminal_has_codes(int descriptor, const char *term) {
    return isatty(descriptor) && (term == NULL || strcmp(term, "dumb") != 0);
}

void terminal_size(int descriptor, int *columns, int *rows) {
    if (!system_terminal_size(descriptor, columns, rows)) {
        *columns = 80;
        *rows = 24;
    }
}

bool terminal_begin_keys(void) {
    return system_begin_keys();
}

void terminal_end_keys(void) {
    system_end_keys();
}

int terminal_read_key(void) {
    return system_read_key();
}
