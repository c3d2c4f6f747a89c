/* terminal.h: whether a terminal understands escape codes, its size, and reading single keys
 * without Enter.
 *
 * terminal_posix.c and terminal_win.c implement it; the Makefile chooses. Only one thread may read
 * keys, because this changes the mode of the process's terminal. */
#ifndef KMD_BASE_TERMINAL_H
#define KMD_BASE_TERMINAL_H

#include <stdbool.h>

/* True if the descriptor is a terminal that understands escape codes; `term` is the value of TERM,
 * or NULL if it is not set. */
bool terminal_has_codes(int descriptor, const char *term);

/* The size of the terminal in characters, 80 by 24 if it is unknown. Safe from every thread. */
void terminal_size(int descriptor, int *columns, int *rows);

/* Values that terminal_read_key can return besides characters. */
enum { KEY_END = -1, KEY_LEFT = 256, KEY_RIGHT, KEY_UP, KEY_DOWN, KEY_HOME, KEY_LAST };

/* Switches standard input to reporting single keys without echo, until terminal_end_keys. Returns
 * false if it is not a terminal that can do this. Ctrl-C is reported as KEY_END. */
bool terminal_begin_keys(void);
void terminal_end_keys(void);

/* Waits for a key; KEY_END at the end of input. */
int terminal_read_key(void);

#endif
