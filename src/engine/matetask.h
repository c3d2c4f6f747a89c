/* matetask.h: a timed mate search in the background, with its own solver, timer and thread.
 *
 * Only the thread that owns the task may call these functions. Callbacks run on a search thread,
 * one at a time, and must not call these functions. A process may have several tasks. */
#ifndef KMD_ENGINE_MATETASK_H
#define KMD_ENGINE_MATETASK_H

#include "mate/hisshi.h"
#include "mate/matesolver.h"

struct Position;

typedef struct MateTask MateTask;

/* Progress of a mate search. */
typedef struct MateInfo {
    int depth;         /* distance to the current node, or length of the mate */
    int hash_permille; /* how full the table is, in thousandths */
    uint64_t nodes;
    uint64_t pn; /* proof number and disproof number of the problem; 0: not known */
    uint64_t dn;
    int64_t time_ms;
    int mate;         /* length of a proved mate, negative if the side to move is mated; 0: none */
    int rank;         /* rank of the line; 0: only one line was requested */
    const Move *line; /* the first line_len moves; may be incomplete */
    int line_len;
} MateInfo;

/* The result of a mate search. */
typedef struct MateDone {
    const MateAnswer *answer;   /* in a brinkmate search, only its verdict and line are set */
    const HisshiAnswer *brink;  /* NULL unless brinkmates were searched for */
    bool is_defence;            /* the side to move defends */
    const MateChecker *proof;   /* the replayed positions of the proof, if wants_proof is set; NULL:
                                   no mate */
    const UniqueResult *unique; /* NULL: not requested, or no mate */
    int64_t time_ms;
    bool lacks_memory; /* out of memory; nothing was searched */
} MateDone;

typedef struct MateSink {
    void *context;
    /* Called at most once a second for progress, and immediately for each mate. May be NULL. */
    void (*on_info)(void *context, const MateInfo *info);
    UniqueTell *on_other; /* called for each other mate; may be NULL */
    void (*on_done)(void *context, const MateDone *done); /* called once per search */
} MateSink;

/* What a mate search may use. */
typedef struct MateEffort {
    int hash_mb;
    int threads;
    int64_t time_ms; /* time limit; 0: none, as for the next two */
    int64_t cpu_ms;  /* limit of the process's CPU time */
    uint64_t nodes;
} MateEffort;

typedef struct MateRequest {
    const struct Position *pos; /* copied */
    MateOptions options;
    MateEffort effort;
    int64_t start_ns;           /* from which effort.time_ms is measured, */
    int64_t start_cpu_ns;       /* and effort.cpu_ms */
    const _Atomic bool *cancel; /* true ends the search early; may be NULL */
    bool keeps_table;           /* keep the table of the previous search if it has the same size */
    bool *lines_are_exact;      /* as in MateSolverOptions; may be NULL */
    bool wants_proof;
    int brink_moves; /* look for a brinkmate in at most this many moves; 0: look for a mate */
    MateSink sink;
} MateRequest;

MateTask *matetask_create(void);

/* Stops the search, waits for it and frees the task. NULL is allowed. */
void matetask_free(MateTask *task);

/* True if the side to move defends: it is in check, and it is asked for its defence or the other
 * side has no king. */
bool matetask_is_defence(const struct Position *pos, const MateOptions *options);

/* Why there is no mate to search for in a position, or NULL. may_defend is false for brinkmates and
 * helpmates, of which the defender's side is not solved. */
const char *matetask_refusal(const struct Position *pos, bool may_defend);

/* Waits for the previous search, then starts a new one. Creates a new table if the size has
 * changed, halving the size until enough memory is available. Returns the size of the table in
 * megabytes. If not even the smallest table fits, the search ends at once without a result. */
int matetask_start(MateTask *task, const MateRequest *request);

/* Asks the search to end; the answer follows soon. Does nothing while idle. */
void matetask_stop(MateTask *task);

/* Waits until the search has ended and on_done has returned. Only this function checks `cancel` and
 * `cpu_ms`. */
void matetask_wait(MateTask *task);

/* True until the search has answered. */
bool matetask_is_busy(const MateTask *task);

#endif
