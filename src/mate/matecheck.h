/* matecheck.h: replays a mate against every defence.
 *
 * Independent of the search: it asks for one attacker's move at a time, verifies that the move is
 * legal and gives check, and tries every legal answer. Verified positions are kept in a set. A
 * claim of mate in n is accepted only if the claims after it say n - 2 or less, so no chain of
 * claims can be circular. A checker belongs to one thread. */
#ifndef KMD_MATE_MATECHECK_H
#define KMD_MATE_MATECHECK_H

#include <stdatomic.h>
#include <stddef.h>

#include "rules/types.h"

struct Position;

/* A claim about a position: mate in at most len plies, beginning with this move. MOVE_NONE when
 * there is none. */
typedef struct MateClaim {
    Move move;
    int len;
} MateClaim;

/* The claim for a position that is said to be mate in at most len plies: by checks alone at level
 * 0, else with the quiet moves that its level allows (brink.h). */
typedef MateClaim MateOracle(void *context, const struct Position *pos, int level, int len);

typedef struct MateCheckLimits {
    uint64_t nodes;          /* most positions to replay */
    const atomic_bool *stop; /* ends the check when true; may be NULL */
    size_t room;             /* most positions to remember; 0, or more than there is room for: as
                                many as there is room for, 1.5 million */
} MateCheckLimits;

typedef struct MateChecker MateChecker;

/* The longest mate that is replayed. */
enum { MATECHECK_MOST = 4000 };

/* NULL when memory is short. */
MateChecker *matecheck_new(MateOracle *oracle, void *context, MateCheckLimits limits);
void matecheck_free(MateChecker *checker);

/* Counts a step of an evaluation of the replay. False when the limits end it. */
bool matecheck_step(MateChecker *checker);

/* From now on at most `steps` more positions and steps. */
void matecheck_limit(MateChecker *checker, uint64_t steps);

/* Replays the mate in at most len plies (and MATECHECK_MOST) of the side to move. Returns the
 * length of the mate against the longest defence (no more than len; an upper bound when the limits
 * end its search), or -1 when the replay fails or the limits end it, or when the mate is too large
 * to be remembered. *pos is as before afterwards. */
int matecheck_run(MateChecker *checker, struct Position *pos, int len);

/* The same for a brinkmate at this level: each quiet move is replayed against the pass, by checks
 * alone, and against every other answer. Returns the length to the mate in the longest defence that
 * was seen, an upper bound, or -1. */
int matecheck_run_level(MateChecker *checker, struct Position *pos, int level, int len);

/* The move that begins what has been replayed at this level, or a mate, with the longest length
 * after it in *len; MOVE_NONE when nothing has been. */
Move matecheck_move(const MateChecker *checker, const struct Position *pos, int level, int *len);

/* True when a mate was too large to be remembered. */
bool matecheck_is_full(const MateChecker *checker);

/* The length of the shortest mate of the side to move that has been replayed, with the move that
 * begins it; -1 when there is none. */
int matecheck_known(const MateChecker *checker, const struct Position *pos, Move *move);

/* After a successful run: writes the mate with the longest defence, at most `room` moves, and
 * returns how many: fewer than the length, and perhaps not the longest defence, if the limits or a
 * full set ended the search for that length. */
int matecheck_line(MateChecker *checker, struct Position *pos, Move *line, int room);

/* ---- The length as players count it (matefutile.c). ------------------------------------------ */

/* Players leave a futile interposition out of the length: a piece dropped to block a check from
 * afar that the checking piece just takes, where the mate then continues as if nothing had happened
 * and the taken piece is not needed for it.
 *
 * What "as if nothing had happened" means is decided so. Let Q be a position in which the defender
 * is in check and has to move. Its length is the most that an answer lasts which counts; 0 when
 * there is none. Moves on the board count. A drop counts unless the checking piece can take the
 * dropped piece with check and the mate of the position after it, the taken piece given back to
 * the defender, is no longer than that of Q without the drop. Moves of the board come first, then
 * the drops from the shortest on, so that each drop is measured against answers that count.
 *
 * Reads positions only and belongs to the thread of its checker. */

/* The length, futile interpositions left out, of the mate that a successful matecheck_run has
 * replayed; at most its length with all of them. The attacker plays as in the replay. A drop that
 * cannot be shown to be futile before the checker's limits end it counts. *pos is as before
 * afterwards. */
int matefutile_length(MateChecker *checker, struct Position *pos);

/* The defender is to move and in check. True when that is mate to players: he has no answer, or
 * only drops that the checking piece can take so that, the piece given back, it is mate to players
 * again. *pos is as before afterwards. */
bool matefutile_is_mate(struct Position *pos);

/* ---- Refutations (materefute.c). ------------------------------------------------------------- */

/* Replays a refutation against every check.
 *
 * Knows nothing of the search: it goes through every legal check, asks for one answer to each, and
 * makes sure that the answer is legal and leads to a position that is refuted in turn. A position
 * may answer for itself: checks that repeat for ever are not a mate. So a set of positions, each
 * check of which has an answer that leads into the set, is a refutation of them all, and with less
 * in the attacker's hand as well. A replay belongs to one thread. */

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
