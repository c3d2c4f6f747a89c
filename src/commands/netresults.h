/* netresults.h: `komadori net test --results`: compares how well networks predict the results of
 * games, by their static scores and by searches. */
#ifndef KMD_COMMANDS_NETRESULTS_H
#define KMD_COMMANDS_NETRESULTS_H

#include "engine/command.h"

enum { NETRESULTS_MAX_NETS = 8, NETRESULTS_MAX_NODES = 100000000, NETRESULTS_MAX_THREADS = 512 };

typedef struct NetResultsOptions {
    const char *nets[NETRESULTS_MAX_NETS]; /* as in the option EvalFile; none: the session's */
    int net_count;
    int nodes; /* nodes of the search of each position; 0: no searches */
    int threads;
    int every; /* take one position in this many */
} NetResultsOptions;

/* Runs the command on the files of games in *args. Returns the exit status. */
int netresults_run(const CommandContext *context, const NetResultsOptions *options,
                   const Args *args);

#endif
