/* materefute.h: replays a refutation against every check.
 *
 * Knows nothing of the search: it goes through every legal check, asks for one answer to each, and
 * makes sure that the answer is legal and leads to a position that is refuted in turn. A position
 * may answer for itself: checks that repeat for ever are not a mate. So a set of positions, each
 * check of which has an answer that leads into the set, is a refutation of them all, and with less
 * in the attacker's hand as well. A replay belongs to one thread. */
#ifndef KMD_MATE_MATEREFUTE_H
#define KMD_MATE_MATEREFUTE_H

#include <stdatomic.h>
#include <stddef.h>

#include "rules/types.h"

struct Position;

/* The answer to the attack in *pos after which the attacker does not mate, or has no brinkmate at
 * this level (brink.h); MOVE_NULL, when not in check, where the pass loses nothing; MOVE_NONE when
 * there is none. *pos is as before afterwards. */
typedef Move RefuteOracle(void *context, struct Position *pos, int level);

typedef struct RefuteLimits {
    const atomic_bool *stop; /* ends the replay when true; may be NULL */
    size_t room;             /* most positions to remember; 0: as many as there is room for */
    int level;               /* of the position; 0: a mate is refuted, else a brinkmate */
} RefuteLimits;

typedef enum RefuteVerdict {
    REFUTE_HOLDS,
    REFUTE_FAILS,    /* or the limits ended it */
    REFUTE_TOO_LARGE /* too many positions to store, also for lack of memory, or too deep */
} RefuteVerdict;

/* Whether the side to move, all of whose moves must be checks, is shown not to mate. *pos is as
 * before afterwards. */
RefuteVerdict materefute_run(struct Position *pos, RefuteOracle *oracle, void *context,
                             RefuteLimits limits);

#endif
