/* mateproblem.h: solves mate problems: finds a mate, a brinkmate or all helpmates, and writes the
 * solution as a record with variations.
 *
 * A MateProblem belongs to one thread; its mate search has further threads. Nothing here prints. */
#ifndef KMD_COMMANDS_MATEPROBLEM_H
#define KMD_COMMANDS_MATEPROBLEM_H

#include <stdatomic.h>

#include "engine/matetask.h"
#include "record/record.h"

enum { MATEPROBLEM_LINES = 100 };

/* What to look for, and for how long. */
typedef struct MateProblemOptions {
    MateOptions mate;
    MateEffort effort;
    int brink_moves; /* maximum length of brinkmates; 0: look for mates */
    int help_plies;  /* maximum length of helpmates; 0: not a helpmate */
    bool wants_record;
} MateProblemOptions;

/* Callbacks that receive results before the search ends. */
typedef struct MateWatch {
    void *context;
    void (*on_info)(void *context, const MateInfo *info); /* called on a search thread, one call at
                                                             a time */
    /* Called for each helpmate of the shortest length. */
    void (*on_helpmate)(void *context, const Move *line, int len);
    const _Atomic bool *cancel; /* true ends the search early */
} MateWatch;

/* A mate found with another first move. */
typedef struct MateLine {
    int mate; /* length of the mate; 0: no mate of this rank */
    int len;
    Move moves[MATE_LINE_MAX];
} MateLine;

/* Another mating check along the line. */
typedef struct OtherMate {
    int place;
    Move check;
} OtherMate;

/* The answer to one problem, and the effort that it took. */
typedef struct MateSolved {
    const MateProblemOptions *options;
    bool is_defence;       /* the side to move defends */
    MateAnswer answer;     /* for a brinkmate only verdict and line; for helpmates without a line */
    int moves;             /* length of a brinkmate; 0: a mate */
    bool has_unique_move;  /* the brinkmate has a unique first move */
    uint64_t helpmates;    /* number of solutions */
    const MateLine *lines; /* indexed by rank - 1, as many as options->lines; NULL: only one
                              line was requested */
    const bool *lines_are_exact; /* of each line, whether its length is proved to be the shortest */
    UniqueResult unique;
    OtherMate *others; /* [other_count] */
    size_t other_count, other_cap;
    Record record; /* the solution, if has_record */
    bool has_record;
    int64_t time_ns;
    int hash_mb; /* size of the table, which may be smaller than requested */
} MateSolved;

typedef struct MateProblem MateProblem;

MateProblem *mateproblem_create(const MateProblemOptions *options, const MateWatch *watch);

/* NULL is allowed. */
void mateproblem_free(MateProblem *problem);

/* True if the side to move defends in the problem. */
bool mateproblem_is_defence(const MateProblemOptions *options, const struct Position *pos);

/* Why there is nothing to solve in a position, or NULL. */
const char *mateproblem_refusal(const MateProblemOptions *options, const struct Position *pos);

/* Solves a position that mateproblem_refusal accepts. *pos is restored. The result is
 * valid until the next call. */
const MateSolved *mateproblem_solve(MateProblem *problem, struct Position *pos);

/* Appends the answer as lines of text: first the verdict with the effort, the remark and the line,
 * then the lines with other first moves, and last the verdict on uniqueness. */
void mateproblem_describe(const MateSolved *solved, StrView remark, StrBuf *out);

#endif
