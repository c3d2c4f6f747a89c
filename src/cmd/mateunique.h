/* mateunique.h: whether the attacker has other mating checks along the line of a mate.
 *
 * Knows no solver: it asks for verdicts. The last move of the line is left out, for composers allow
 * a choice there; it is the one after which the defender has no answer, or only futile drops. Plain
 * functions for one thread. */
#ifndef KMD_CMD_MATEUNIQUE_H
#define KMD_CMD_MATEUNIQUE_H

#include "mate/matesolver.h"

typedef struct UniqueAsker {
    void *context;
    /* Whether the side to move mates; MATE_UNKNOWN at once when the check is to end. A quick
     * question comes first, a thorough one only when that left it open. */
    MateVerdict (*ask)(void *context, const struct Position *pos, bool is_thorough);
    /* Called for each other mate: the place in the line, from 0, and the check. */
    void (*tell)(void *context, int place, Move check);
} UniqueAsker;

typedef struct UniqueResult {
    int others; /* checks that mate too */
    int open;   /* checks of which that stayed open */
} UniqueResult;

/* Tries the other checks at each place of the line, which starts at pos and has count moves. *pos
 * is as before afterwards. */
UniqueResult mateunique_check(const UniqueAsker *asker, struct Position *pos, const Move *line,
                              int count);

#endif
