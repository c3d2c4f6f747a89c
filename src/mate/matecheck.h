/* matecheck.h: replays a mate against every defence.
 *
 * Knows nothing of the search: it asks for the attacker's move at a time, makes sure that the move
 * is legal and gives check, and goes through every legal answer. What it has seen it remembers in a
 * set of its own. A claim of mate in n is believed only when the claims behind it say n - 2 or
 * less: so no chain of claims can go round in a circle. A checker belongs to one thread. */
#ifndef KMD_MATE_MATECHECK_H
#define KMD_MATE_MATECHECK_H

#include <stdatomic.h>
#include <stddef.h>

#include "rules/types.h"

struct Position;

/* What is said of a position: mate in at most len plies, beginning with this move. MOVE_NONE when
 * there is nothing to be had. */
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

MateChecker *matecheck_new(MateOracle *oracle, void *context, MateCheckLimits limits);
void matecheck_free(MateChecker *checker);

/* Counts a step of what is made of the replay. False when the limits end it. */
bool matecheck_step(MateChecker *checker);

/* From now on at most so many positions and steps more. */
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
 * behind it in *len; MOVE_NONE when nothing has been. */
Move matecheck_move(const MateChecker *checker, const struct Position *pos, int level, int *len);

/* True when a mate was too large to be remembered. */
bool matecheck_is_full(const MateChecker *checker);

/* The length of the shortest mate of the side to move that has been replayed, with the move that
 * begins it; -1 when there is none. */
int matecheck_known(const MateChecker *checker, const struct Position *pos, Move *move);

/* After a successful run: writes the mate with the longest defence, at most `room` moves, and
 * returns how many: fewer than the length, and perhaps not the longest defence, when the limits or
 * a full set ended the search for that length. */
int matecheck_line(MateChecker *checker, struct Position *pos, Move *line, int room);

#endif
