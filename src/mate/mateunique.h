/* mateunique.h: checks whether the attacker has other mating checks along the line of a mate.
 *
 * mateunique_check does not depend on the solver: it gets its verdicts from a callback. The last
 * move of the line is not judged, because composers allow a choice there. The last move is the one
 * after which the defender has no answer, or only futile drops. Call the functions from one
 * thread. */
#ifndef KMD_MATE_MATEUNIQUE_H
#define KMD_MATE_MATEUNIQUE_H

#include <stdatomic.h>

#include "mate/matesolver.h"

/* Called for each other mating check, with its index in the line, from 0. */
typedef void UniqueTell(void *context, int place, Move check);

typedef struct UniqueAsker {
    void *context;
    /* Returns whether the side to move mates, or MATE_UNKNOWN at once if the check should end.
     * is_thorough is true only in a second call, after a quick search was inconclusive. */
    MateVerdict (*ask)(void *context, const struct Position *pos, bool is_thorough);
    UniqueTell *tell;
    bool is_defence; /* the line begins with a defender's move */
} UniqueAsker;

/* Whether the line was judged, or the reason why not. */
typedef enum UniqueFault {
    UNIQUE_JUDGED,
    UNIQUE_NO_MATE,
    UNIQUE_NOT_SHORTEST, /* the mate may not be the shortest */
    UNIQUE_NOT_WHOLE     /* not all moves of the line are known */
} UniqueFault;

typedef struct UniqueResult {
    int others; /* number of other checks that mate */
    int open;   /* number of other checks without a verdict */
    UniqueFault fault;
} UniqueResult;

/* Tries the other checks at each move of the line, which starts at pos and has count moves. *pos is
 * restored. */
UniqueResult mateunique_check(const UniqueAsker *asker, struct Position *pos, const Move *line,
                              int count);

/* Like mateunique_check, for the answer of a solver. The solver searches each position with a few
 * thousand nodes, then with more, and keeps its table. Only complete lines of a shortest mate are
 * judged. Ends early when the stop flag is set. */
UniqueResult mateunique_judge(MateSolver *solver, const struct Position *pos,
                              const MateAnswer *answer, const atomic_bool *stop, UniqueTell *tell,
                              void *context);

#endif
