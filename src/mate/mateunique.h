/* mateunique.h: whether the attacker has other mating checks along the line of a mate.
 *
 * mateunique_check knows no solver: it asks for verdicts. The last move of the line is left out,
 * for composers allow a choice there; it is the one after which the defender has no answer, or only
 * futile drops. Plain functions for one thread. */
#ifndef KMD_MATE_MATEUNIQUE_H
#define KMD_MATE_MATEUNIQUE_H

#include <stdatomic.h>

#include "mate/matesolver.h"

/* Called for each other mate: the place in the line, from 0, and the check. */
typedef void UniqueTell(void *context, int place, Move check);

typedef struct UniqueAsker {
    void *context;
    /* Whether the side to move mates; MATE_UNKNOWN at once when the check should end. A quick
     * search comes first, a thorough one only if that is inconclusive. */
    MateVerdict (*ask)(void *context, const struct Position *pos, bool is_thorough);
    UniqueTell *tell;
} UniqueAsker;

/* Why a line is judged or not. */
typedef enum UniqueFault {
    UNIQUE_JUDGED,
    UNIQUE_NO_MATE,
    UNIQUE_NOT_SHORTEST, /* the mate may not be the shortest */
    UNIQUE_NOT_WHOLE     /* not all moves of the line are known */
} UniqueFault;

typedef struct UniqueResult {
    int others; /* checks that mate too */
    int open;   /* checks of which that stayed open */
    UniqueFault fault;
} UniqueResult;

/* Tries the other checks at each place of the line, which starts at pos and has count moves. *pos
 * is as before afterwards. */
UniqueResult mateunique_check(const UniqueAsker *asker, struct Position *pos, const Move *line,
                              int count);

/* The same for the answer of a solver, which is asked with a few thousand nodes and then with more
 * for each position, and keeps its table. Only a whole line of a shortest mate is judged. Ends at
 * the stop flag. */
UniqueResult mateunique_judge(MateSolver *solver, const struct Position *pos,
                              const MateAnswer *answer, const atomic_bool *stop, UniqueTell *tell,
                              void *context);

#endif
