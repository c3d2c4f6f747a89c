/* matetask.h: a mate search in the background with a clock: solver, timer and thread together.
 *
 * All functions are for the one thread that owns the task. Callbacks run on a thread of the
 * search, one at a time, and may not call back. A process can have several tasks. */
#ifndef KMD_ENGINE_MATETASK_H
#define KMD_ENGINE_MATETASK_H

#include "mate/hisshi.h"
#include "mate/mateunique.h"

struct Position;

typedef struct MateTask MateTask;

/* The state of a mate search. */
typedef struct MateInfo {
    int depth;         /* plies to the node being looked at, or of the mate */
    int hash_permille; /* how full the table is */
    uint64_t nodes;
    uint64_t pn; /* proof and disproof number of the problem; 0: not known */
    uint64_t dn;
    int64_t time_ms;
    int mate;         /* the length of a mate that has been proved; 0: none */
    int rank;         /* of several lines; 0: only one is looked for */
    const Move *line; /* line_len moves, as far as they are known */
    int line_len;
} MateInfo;

/* How a search has ended. */
typedef struct MateDone {
    const MateAnswer *answer;   /* of a search for brinkmates: verdict and line */
    const HisshiAnswer *brink;  /* NULL unless brinkmates were looked for */
    const MateChecker *proof;   /* with wants_proof: what was replayed; NULL: no mate */
    const UniqueResult *unique; /* NULL: not asked for, or no mate */
    int64_t time_ms;
    bool lacks_memory; /* nothing was looked for */
} MateDone;

typedef struct MateSink {
    void *context;
    /* Once a second or less, and at once for each mate. May be NULL. */
    void (*on_info)(void *context, const MateInfo *info);
    UniqueTell *on_other;                                 /* another mate; may be NULL */
    void (*on_done)(void *context, const MateDone *done); /* once per search */
} MateSink;

typedef struct MateRequest {
    const struct Position *pos; /* copied */
    int hash_mb;
    int threads;
    int64_t time_ms; /* since start_ns; 0: until stopped */
    int64_t start_ns;
    int64_t cpu_ms; /* likewise in processor time of the process, since start_cpu_ns; 0: no limit */
    int64_t start_cpu_ns;
    const _Atomic bool *cancel; /* may be NULL; true ends the search early */
    uint64_t nodes;             /* 0: no limit */
    bool is_shortest;
    bool counts_futile;
    bool prunes_futile;
    bool checks_unique; /* looks for other mates along the line; implies is_shortest */
    bool keeps_table;   /* of the previous search, if it has the same size */
    int lines;          /* first moves that mate; 0 is 1 */
    bool wants_proof;
    int brink_moves; /* look for a brinkmate of at most this many moves; 0: for a mate */
    MateSink sink;
} MateRequest;

MateTask *matetask_create(void);

/* Stops, waits and frees. NULL is allowed. */
void matetask_free(MateTask *task);

/* Starts after waiting for the search before. The table is made again when its size changes; where
 * the system cannot spare the memory it is halved until it can. Returns the table's megabytes.
 * Without memory for any table the search ends at once and finds nothing. */
int matetask_start(MateTask *task, const MateRequest *request);

/* Asks the search to end; it answers soon. Nothing happens while idle. */
void matetask_stop(MateTask *task);

void matetask_wait(MateTask *task);

/* Waits for the end, on_done included, and heeds `cancel` and `cpu_ms`, which only this does. */
void matetask_await(MateTask *task);

/* True while an answer is still to come. */
bool matetask_is_busy(const MateTask *task);

#endif
