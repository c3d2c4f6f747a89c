/* matesolver.h: solves mate problems: searches, proves the answer, shortens it, writes the line.
 *
 * A solver belongs to one thread, which another thread may stop with a flag; it starts
 * threads of its own for a search when it has been given more than one. It reads no clock and
 * prints nothing. */
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
    MATE_FOUND = KMD_MATE_FOUND,    /* mate, and the line is replayed against every defence */
    MATE_NONE = KMD_MATE_NONE,      /* proved, and replayed against every check: there is no mate by
                                       checks alone */
    MATE_UNKNOWN = KMD_MATE_UNKNOWN /* the limits ended it */
} MateVerdict;

typedef struct MateAnswer MateAnswer;

/* Called on the thread of matesolver_solve with each mate as soon as it has been replayed: the
 * first, then shorter ones, then those that begin with other moves. */
typedef void MateTell(void *context, const MateAnswer *answer);

typedef struct MateLimits {
    uint64_t nodes;             /* most nodes, each a move made; 0 for no limit */
    const atomic_bool *stop;    /* ends the search when true; may be NULL */
    bool is_shortest;           /* until the mate is proved to be the shortest; else it is
                                   shortened for an eighth of what it took to find it */
    bool counts_futile;         /* find out players_len too */
    bool is_verdict_only;       /* neither shortens the mate nor finds out players_len */
    bool believes_none;         /* a refutation need not be replayed */
    bool prunes_futile;         /* drops that look futile wait for all other answers, and the mate
                                   without them is tried first */
    bool keeps_table;           /* begins with what earlier calls have found, whoever attacked */
    struct MateChecker **proof; /* gets what has been replayed of the first line, to be freed, or
                                   NULL; may be NULL itself */
    int lines;                  /* how many first moves that mate to look for; 0 is 1 */
    MateTell *tell;             /* may be NULL */
    void *tell_context;
} MateLimits;

struct MateAnswer {
    MateVerdict verdict;
    int rank;          /* of the line among those that begin with other moves, from 1 */
    bool is_too_large; /* MATE_UNKNOWN: the answer is known, but its replay outgrows memory */
    bool is_exact;     /* MATE_FOUND: no shorter mate exists, every interposition counted */
    int len;           /* MATE_FOUND: of the mate against the longest defence */
    int line_len;      /* moves in `line`: len of them, or fewer or more when the mate is too large
                          or the limits ended the search for the longest defence */
    int players_len;   /* that of the same mate without futile interpositions (matecheck.h), or a
                          little more; 0 when it was not asked for or the limits ended it */
    uint64_t nodes;
    Move line[MATE_LINE_MAX];
};

/* A solver whose table takes `bytes`; NULL when there is no memory for it. */
MateSolver *matesolver_new(size_t bytes, int threads);
void matesolver_free(MateSolver *solver);

/* The solver's table, for hisshi.h, while it solves nothing. */
struct MateTable *matesolver_table(MateSolver *solver);

/* Where progress is reported from now on; NULL for nowhere. */
void matesolver_on_progress(MateSolver *solver, MateReport *report, void *context);

/* Looks for a mate by the side to move, every move of which must give check; the enemy must have a
 * king. Without any time the answer is MATE_UNKNOWN. When the limits end the shortening of a
 * mate, the answer is MATE_FOUND with the shortest mate so far. With several lines the answer is
 * the shortest of them. */
void matesolver_solve(MateSolver *solver, const struct Position *pos, const MateLimits *limits,
                      MateAnswer *answer);

#endif
