/* matetask.h: a mate search in the background with a clock: solver, keeper and thread together.
 *
 * All functions are for the one thread that owns the task. The callbacks come on a thread of the
 * search, one at a time, and may not call back. Several tasks can live in one process. */
#ifndef KMD_ENGINE_MATETASK_H
#define KMD_ENGINE_MATETASK_H

#include "mate/matesolver.h"

struct Position;

typedef struct MateTask MateTask;

/* How a mate search stands. */
typedef struct MateInfo {
    int depth;         /* plies to the node being looked at, or of the mate */
    int hash_permille; /* how full the table is */
    uint64_t nodes;
    int64_t time_ms;
    const Move *line; /* line_len moves, as far as they are known */
    int line_len;
} MateInfo;

typedef struct MateSink {
    void *context;
    void (*on_info)(void *context, const MateInfo *info); /* may be NULL; twice a second or less */
    /* Once per search. */
    void (*on_done)(void *context, const MateAnswer *answer, int64_t time_ms);
} MateSink;

typedef struct MateRequest {
    const struct Position *pos; /* copied */
    int hash_mb;
    int threads;
    int64_t time_ms; /* since start_ns; 0: until stopped */
    int64_t start_ns;
    uint64_t nodes; /* 0: no limit */
    bool is_shortest;
    bool counts_futile;
    bool is_verdict_only;
    MateSink sink;
} MateRequest;

MateTask *matetask_create(void);

/* Stops, waits and frees. NULL is allowed. */
void matetask_free(MateTask *task);

/* Starts after waiting for the search before. The table is made anew when its size changes; where
 * the system cannot spare the memory it is halved until it can. Returns the table's megabytes. */
int matetask_start(MateTask *task, const MateRequest *request);

/* Asks the search to end; it answers soon. Nothing happens while idle. */
void matetask_stop(MateTask *task);

void matetask_wait(MateTask *task);

/* True while an answer is still to come. */
bool matetask_is_busy(const MateTask *task);

#endif
