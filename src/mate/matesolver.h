/* matesolver.h: solves mate problems: searches, proves the answer, shortens the mate, and writes
 * its line.
 *
 * A solver belongs to one thread; another thread may stop it with a flag. It starts threads of its
 * own if created with more than one. It reads no clock and prints nothing. */
#ifndef KMD_MATE_MATESOLVER_H
#define KMD_MATE_MATESOLVER_H

#include <stdatomic.h>
#include <stddef.h>

#include "mate/dfpn.h"

struct Position;

typedef struct MateSolver MateSolver;

/* Longest line, in moves. */
enum { MATE_LINE_MAX = KMD_MATE_LINE_MAX };

typedef enum MateVerdict {
    MATE_FOUND = KMD_MATE_FOUND, /* mate, verified by replaying it against every defence */
    MATE_NONE = KMD_MATE_NONE,   /* no mate by checks alone, proved and verified by a replay against
                                    every check */
    MATE_UNKNOWN = KMD_MATE_UNKNOWN /* the limits ended the search */
} MateVerdict;

typedef struct MateAnswer MateAnswer;

/* Called on the thread of matesolver_solve for each mate as soon as it has been replayed: the first
 * mate, then shorter ones, then those that start with other moves. */
typedef void MateTell(void *context, const MateAnswer *answer);

typedef struct MateLimits {
    uint64_t nodes;          /* maximum number of nodes, that is, moves made; 0: no limit */
    const atomic_bool *stop; /* ends the search when true; may be NULL */
    bool is_shortest;     /* search until the mate is proved to be the shortest; otherwise spend an
                             eighth of the nodes it took on shortening it */
    bool counts_futile;   /* also find out players_len */
    bool is_verdict_only; /* do not shorten the mate or find out players_len */
    bool believes_none;   /* do not replay refutations */
    bool prunes_futile;   /* try drops that look futile after all other answers, and try the mate
                             without them first */
    bool keeps_table;     /* keep the table of earlier calls, whichever side attacked */
    struct MateChecker **proof; /* receives the replayed positions of the first line, or NULL; the
                                   caller frees them. May be NULL itself */
    int lines;                  /* number of different first moves to find mates for; 0 means 1 */
    MateTell *tell;             /* may be NULL */
    void *tell_context;
} MateLimits;

struct MateAnswer {
    MateVerdict verdict;
    int rank;          /* rank of the line among those with different first moves, from 1 */
    bool is_too_large; /* MATE_UNKNOWN: the answer is known, but its replay needs too much memory */
    bool is_exact;     /* MATE_FOUND: there is no shorter mate, counting every interposition */
    int len;           /* MATE_FOUND: length of the mate against the longest defence */
    int line_len; /* moves in `line`; usually len, but it can differ if the mate is too large or the
                     limits ended the search for the longest defence */
    int players_len; /* length of the same mate without futile interpositions (matefutile.h),
                        possibly a little too high; 0 if not requested or if the limits ended it */
    uint64_t nodes;
    Move line[MATE_LINE_MAX];
};

/* Creates a solver with a table of `bytes`; NULL if out of memory. */
MateSolver *matesolver_new(size_t bytes, int threads);
void matesolver_free(MateSolver *solver);

/* The solver's table, for hisshi.h. Use it only while the solver is idle. */
struct MateTable *matesolver_table(MateSolver *solver);

/* Sets the function that receives progress reports; NULL for none. */
void matesolver_on_progress(MateSolver *solver, MateReport *report, void *context);

/* Looks for a mate by the side to move, whose moves must all give check. The enemy must have a
 * king. If the limits end the shortening of a mate, the answer is MATE_FOUND with the shortest mate
 * so far. With several lines, the answer is the shortest of them. If the limits allow no search at
 * all, it is MATE_UNKNOWN. */
void matesolver_solve(MateSolver *solver, const struct Position *pos, const MateLimits *limits,
                      MateAnswer *answer);

#endif
