/* usi.h: the conversation with a client in the USI protocol.
 *
 * docs/usi.md tells what each command and option does. The thread that calls usi_run
 * obeys, another one reads; answers of a search come from the search's threads. */
#ifndef KMD_USI_USI_H
#define KMD_USI_USI_H

#include "base/str.h"
#include "command/command.h"

/* What a session is made of. */
typedef struct UsiConfig {
    int in_fd;
    int out_fd;
    const Command *const *commands; /* besides the protocol's own; ends with NULL */
} UsiConfig;

/* Talks until quit or the end of the input. Returns the exit status of the program. */
int usi_run(const UsiConfig *config);

/* What usi_run_line returns for a command that does not exist. */
enum { USI_UNKNOWN = -1 };

/* Does one command line as if it had been read, waits for its end, and returns the exit status of
 * the program. Reads no input. */
int usi_run_line(const UsiConfig *config, StrView line);

#endif
