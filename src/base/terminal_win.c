/* terminal_win.c: the console of Windows. */
#include "base/terminal.h"

#include <windows.h>

#include <conio.h>
#include <io.h>
#include <string.h>

bool terminal_has_codes(int descriptor, const char *term) {
    return _isatty(descriptor) && (term == NULL || strcmp(term, "dumb") != 0);
}

void terminal_size(int descriptor, int *columns, int *rows) {
    CONSOLE_SCREEN_BUFFER_INFO info;
    bool is_known = GetConsoleScreenBufferInfo((HANDLE)_get_osfhandle(descriptor), &info);
    *columns = is_known ? info.srWindow.Right - info.srWindow.Left + 1 : 80;
    *rows = is_known ? info.srWindow.Bottom - info.srWindow.Top + 1 : 24;
}

bool terminal_begin_keys(void) {
    return _isatty(0);
}

void terminal_end_keys(void) {
}

/* Arrow keys and other special keys arrive as 0 or 224, followed by a second number. */
int terminal_read_key(void) {
    int key = _getch();
    if (key == 0 || key == 224) {
        key = _getch();
        return key == 75   ? KEY_LEFT
               : key == 77 ? KEY_RIGHT
               : key == 72 ? KEY_UP
               : key == 80 ? KEY_DOWN
               : key == 71 ? KEY_HOME
               : key == 79 ? KEY_LAST
                           : ' ';
    }
    return key == 3 ? KEY_END : key;
}
