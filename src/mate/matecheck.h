/* matecheck.h: verifies a mate by replaying it against every defence.
 *
 * It does not rely on the search: it asks for one attacking move at a time, verifies that the move
 * is legal and gives check, and tries every legal answer. Verified positions are kept in a set. A
 * claim of mate within n plies is accepted only if the positions after it claim n - 2 or less, so
 * claims cannot be circular. A checker belongs to one thread. */
#ifndef KMD_MATE_MATECHECK_H
#define KMD_MATE_MATECHECK_H

#include <stdatomic.h>
#include <stddef.h>

#include "rules/types.h"

struct Position;

/* A claim about a position: mate within len plies, starting with `move`. MOVE_NONE if there is no
 * claim. */
typedef struct MateClaim {
    Move move;
    int len;
} MateClaim;

/* Returns the claim for a position that should be mate within len plies: by checks alone at level
 * 0, otherwise with the quiet moves that the level allows (brink.h). */
typedef MateClaim MateOracle(void *context, const struct Position *pos, int level, int len);

typedef struct MateCheckLimits {
    uint64_t nodes;          /* maximum number of positions to replay */
    const atomic_bool *stop; /* ends the check when true; may be NULL */
    size_t room; /* maximum number of positions to remember; 0 or too large a number means 1.5
                    million */
} MateCheckLimits;

typedef struct MateChecker MateChecker;

/* The longest mate that can be replayed, in plies. */
enum { MATECHECK_MOST = 4000 };

/* NULL if out of memory. */
MateChecker *matecheck_new(MateOracle *oracle, void *context, MateCheckLimits limits);
void matecheck_free(MateChecker *checker);

/* Counts a step of work on the replayed positions. Returns false if the limits end it. */
bool matecheck_step(MateChecker *checker);

/* Allows at most `steps` more positions and steps from now on. */
void matecheck_limit(MateChecker *checker, uint64_t steps);

/* Replays the mate of the side to move within len plies (and MATECHECK_MOST). Returns the length
 * against the longest defence: at most len, and only an upper bound if the limits end the search
 * for that defence. Returns -1 if the replay fails, the limits end it, or the mate is too large to
 * remember. *pos is restored. */
int matecheck_run(MateChecker *checker, struct Position *pos, int len);

/* The same for a brinkmate at this level: replays each quiet move against the pass, where only
 * checks may follow, and against every other answer. Returns an upper bound of the length to the
 * mate, from the longest defence seen, or -1. */
int matecheck_run_level(MateChecker *checker, struct Position *pos, int level, int len);

/* The first move of what has been replayed from this position at this level (or of a mate), with
 * its length in *len; MOVE_NONE if nothing has been replayed. */
Move matecheck_move(const MateChecker *checker, const struct Position *pos, int level, int *len);

/* True if a mate was too large to remember. */
bool matecheck_is_full(const MateChecker *checker);

/* The length of the shortest replayed mate of the side to move, with its first move in *move; -1 if
 * there is none. */
int matecheck_known(const MateChecker *checker, const struct Position *pos, Move *move);

/* After a successful run: writes the mate against the longest defence, at most `room` moves, and
 * returns the number of moves. The line may be shorter than the mate, or not the longest defence,
 * if the limits or a full set ended the search for that defence. */
int matecheck_line(MateChecker *checker, struct Position *pos, Move *line, int room);

#endif
