/* terminal_posix.c: the terminals of POSIX. */
#include "base/terminal.h"

#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

bool terminal_has_codes(int descriptor, const char *term) {
    return isatty(descriptor) && (term == NULL || strcmp(term, "dumb") != 0);
}

void terminal_size(int descriptor, int *columns, int *rows) {
    struct winsize size;
    bool is_known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0;
    *columns = is_known ? size.ws_col : 80;
    *rows = is_known ? size.ws_row : 24;
}

enum { LINE_FLAGS = ICANON | ECHO | ISIG };

static bool set_lines(bool has_lines) {
    struct termios state;
    if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &state) != 0) {
        return false;
    }
    state.c_lflag &= ~(tcflag_t)LINE_FLAGS;
    state.c_lflag |= has_lines ? LINE_FLAGS : 0;
    if (!has_lines) {
        state.c_cc[VMIN] = 1;
        state.c_cc[VTIME] = 0;
    }
    return tcsetattr(STDIN_FILENO, TCSAFLUSH, &state) == 0;
}

bool terminal_begin_keys(void) {
    return set_lines(false);
}

void terminal_end_keys(void) {
    (void)set_lines(true);
}

static int read_byte(void) {
    unsigned char byte;
    return read(STDIN_FILENO, &byte, 1) == 1 ? byte : KEY_END;
}

/* Arrow keys and other special keys arrive as ESC [ or ESC O, followed by a letter, or by a number
 * and '~'. */
int terminal_read_key(void) {
    int key = read_byte();
    if (key == 3 || key == 4) {
        return KEY_END;
    }
    if (key != 27) {
        return key;
    }
    key = read_byte();
    key = key == '[' || key == 'O' ? read_byte() : key;
    int final = key;
    while (final >= '0' && final <= '9') {
        final = read_byte();
    }
    return key == 'D'                 ? KEY_LEFT
           : key == 'C'               ? KEY_RIGHT
           : key == 'A'               ? KEY_UP
           : key == 'B'               ? KEY_DOWN
           : key == 'H' || key == '1' ? KEY_HOME
           : key == 'F' || key == '4' ? KEY_LAST
           : key == KEY_END           ? KEY_END
                                      : ' ';
}
