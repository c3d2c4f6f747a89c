/* materefute.h: verifies a refutation by replaying it against every check.
 *
 * The replay does not rely on the search: it goes through every legal check, asks for one answer to
 * each, and verifies that the answer is legal and leads to a position that is refuted in turn. A
 * refutation may lead back to its own position, because checks that repeat forever are no mate. If
 * every check in a set of positions has an answer that leads back into the set, then all positions
 * of the set are refuted, also with fewer pieces in the attacker's hand. A replay belongs to one
 * thread. */
#ifndef KMD_MATE_MATEREFUTE_H
#define KMD_MATE_MATEREFUTE_H

#include <stdatomic.h>
#include <stddef.h>

#include "rules/types.h"

struct Position;

/* Returns an answer to the attack in *pos that leaves the attacker no mate, or no brinkmate at this
 * level (brink.h). MOVE_NULL if the defender is not in check and a pass suffices; MOVE_NONE if
 * there is no answer. *pos must be restored. */
typedef Move RefuteOracle(void *context, struct Position *pos, int level);

typedef struct RefuteOptions {
    const atomic_bool *stop; /* ends the replay when true; may be NULL */
    size_t room;             /* maximum number of positions to remember; 0: the built-in limit */
    int level;               /* level of the position; 0: refute a mate, otherwise a brinkmate */
} RefuteOptions;

typedef enum RefuteVerdict {
    REFUTE_HOLDS,
    REFUTE_FAILS,    /* a check has no valid answer, or the limits ended the replay */
    REFUTE_TOO_LARGE /* too many positions to store, out of memory, or too deep */
} RefuteVerdict;

/* Verifies that the side to move has no mate if all its moves must be checks. *pos is restored. */
RefuteVerdict materefute_run(struct Position *pos, RefuteOracle *oracle, void *context,
                             RefuteOptions options);

#endif
