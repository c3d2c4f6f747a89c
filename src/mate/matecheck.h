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

#endif
