/* usi.h: a session with a client in the USI protocol.
 *
 * docs/usi.md describes every command and option. The thread that calls usi_run executes commands,
 * another one reads lines; the answers of a search come from its threads. */
#ifndef KMD_USI_USI_H
#define KMD_USI_USI_H

#include "base/str.h"
#include "command/command.h"

/* The settings of a session. */
typedef struct UsiConfig {
    int in_fd;
    int out_fd;
    const Command *const *commands; /* besides the protocol's own; ends with NULL */
} UsiConfig;

/* Talks until quit or the end of the input. Returns the exit status of the program. */
int usi_run(const UsiConfig *config);

/* The result of usi_run_line for an unknown command. */
enum { USI_UNKNOWN = -1 };

/* Does one command line as if it had been read, waits for its end, and returns the exit status of
 * the program. Reads no input. */
int usi_run_line(const UsiConfig *config, StrView line);

#endif
