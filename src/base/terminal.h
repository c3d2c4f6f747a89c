/* terminal.h: what a terminal can do: escape codes, and single keys without Enter.
 *
 * Keys are for one thread, because the mode of the process's terminal changes. */
#ifndef KMD_BASE_TERMINAL_H
#define KMD_BASE_TERMINAL_H

#include <stdbool.h>

/* True if the descriptor is a terminal that understands escape codes; `term` is the value of TERM,
 * or NULL if it is not set. */
bool terminal_has_codes(int descriptor, const char *term);

/* The size of the terminal in characters, 80 by 24 if it is unknown. Safe from every thread. */
void terminal_size(int descriptor, int *columns, int *rows);

/* The results of terminal_read_key besides characters. */
enum { KEY_END = -1, KEY_LEFT = 256, KEY_RIGHT, KEY_UP, KEY_DOWN, KEY_HOME, KEY_LAST };

/* True if standard input is a terminal that can report single keys; it does so, without echo, until
 * terminal_end_keys. Ctrl-C is a key too, KEY_END. */
bool terminal_begin_keys(void);
void terminal_end_keys(void);

/* Waits for a key; KEY_END at the end of input. */
int terminal_read_key(void);

#endif
