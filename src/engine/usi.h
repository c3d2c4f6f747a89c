/* usi.h: a session with a client over the USI protocol.
 *
 * docs/usi.md describes every command and option. The thread that calls usi_run executes the
 * commands, another thread reads the lines, and search threads print the answers of searches. */
#ifndef KMD_ENGINE_USI_H
#define KMD_ENGINE_USI_H

#include "base/str.h"
#include "engine/command.h"

/* The settings of a session. */
typedef struct UsiOptions {
    int in_fd;
    int out_fd;
    const Command *const *commands; /* beside those of the protocol; ends with NULL */
} UsiOptions;

/* Runs the session until quit or the end of the input. Returns the program's exit status. */
int usi_run(const UsiOptions *options);

/* Returned by usi_run_line for an unknown command. */
enum { USI_UNKNOWN = -1 };

/* Executes a line as if it had been read from the client, waits until that is finished, and returns
 * the program's exit status. Reads no input. */
int usi_run_line(const UsiOptions *options, StrView line);

#endif
