/* matecheck.h: verifies a mate by replaying it against every defence, and the absence of one by
 * replaying its refutation against every check.
 *
 * The checker does not rely on the search: it asks for one attacking move at a time, verifies that
 * the move is legal and gives check, and tries every legal answer. Verified positions are kept in a
 * set. A claim of mate within n plies is accepted only if the attacker's next positions claim n - 2
 * plies or less, so claims cannot be circular. A checker belongs to one thread. */
#ifndef KMD_MATE_MATECHECK_H
#define KMD_MATE_MATECHECK_H

#include <stdatomic.h>
#include <stddef.h>

#include "rules/types.h"

struct Position;

/* A claim that a position is mate within len plies, starting with `move`. `move` is MOVE_NONE if
 * there is no claim. */
typedef struct MateClaim {
    Move move;
    int len;
} MateClaim;

/* Returns the claim for a position that should be mate within len plies: by checks alone at level
 * 0, otherwise with the quiet moves that the level allows (matemoves.h). */
typedef MateClaim MateOracle(void *context, const struct Position *pos, int level, int len);

typedef struct MateChecker MateChecker;

/* The longest mate that can be replayed, in plies. */
enum { MATECHECK_MAX = 4000 };

/* Creates a checker; NULL if out of memory. It ends its work when *stop is true; `stop` may be
 * NULL. */
MateChecker *matecheck_new(MateOracle *oracle, void *context, const atomic_bool *stop);
void matecheck_free(MateChecker *checker);

/* Counts one step of further work on the replayed positions. Returns false if the limits end the
 * work. */
bool matecheck_step(MateChecker *checker);

/* Allows at most `steps` more replayed positions and steps (matecheck_step) from now on. */
void matecheck_limit(MateChecker *checker, uint64_t steps);

/* Replays the side to move's mate within len plies, but at most MATECHECK_MAX. Returns its length
 * against the longest defence. The length is at most len; it is only an upper bound if the limits
 * end the search for that defence. Returns -1 if the replay fails, the limits end it, or the mate
 * is too large to remember. *pos is restored. */
int matecheck_run(MateChecker *checker, struct Position *pos, int len);

/* Like matecheck_run, with the defender in check and to move. *answer is the longest defence, or
 * MOVE_NONE if he is mated already, with length 0. */
int matecheck_run_defence(MateChecker *checker, struct Position *pos, int len, Move *answer);

/* Replays a brinkmate at this level as matecheck_run replays a mate. Each quiet move is replayed
 * against a pass, after which only checks may follow, and against every other answer. Returns an
 * upper bound of the length up to the mate, from the longest defence seen, or -1. */
int matecheck_run_level(MateChecker *checker, struct Position *pos, int level, int len);

/* The first move of the brinkmate at this level, or of the shortest mate, that has been replayed
 * from this position, with its length in *len. MOVE_NONE, with length 0, if there is none. */
Move matecheck_move(const MateChecker *checker, const struct Position *pos, int level, int *len);

/* True if a mate was too large to remember. */
bool matecheck_is_full(const MateChecker *checker);

/* After a successful run: writes the mate against the longest defence, at most `room` moves, and
 * returns the number of moves. If the limits or a full set ended the search for that defence, the
 * line may be incomplete or show another defence. */
int matecheck_line(MateChecker *checker, struct Position *pos, Move *line, int room);

/* ---- without futile interpositions ----------------------------------------------------------- */

/* matecheck_futile.c explains how players and composers count the length of a mate. */
typedef struct FutileOptions {
    MateChecker *checker; /* has replayed the mate */
    bool is_shortest;     /* try every check that mates, not only those of the replay, and find the
                             main line */
    bool is_defence;      /* the defender is to move, and matecheck_run_defence has replayed */
} FutileOptions;

typedef struct FutileAnswer {
    int len;      /* the length without futile drops; at most the length with them */
    int main_len; /* the length of the main line; len if there is none, or if it was not searched */
    int line_len; /* number of moves written to the line */
} FutileAnswer;

/* Finds the players' mate from a position whose mate matecheck_run has replayed successfully, and
 * writes its line, at most `room` moves: the main line, or the attacker's moves and the longest
 * defence that counts.
 * If the checker's limits are reached, the length may be too high, and the line is
 * shorter or empty.
 * *pos is restored. */
FutileAnswer matecheck_solve_futile(const FutileOptions *options, struct Position *pos, Move *line,
                                    int room);

/* True if players call the position mate; the defender must be to move and in check. Either there
 * is no answer, or every answer is a drop that the checking piece can capture, and players also
 * call the resulting position, with the piece given back, mate. *pos is restored. */
bool matecheck_is_players_mate(struct Position *pos);

/* ---- refutations ----------------------------------------------------------------------------- */

/* Returns an answer to the attack in *pos that leaves the attacker no mate, or no brinkmate at this
 * level (matemoves.h). MOVE_NULL if the defender is not in check and a pass suffices; MOVE_NONE if
 * there is no answer. *pos must be restored. */
typedef Move RefuteOracle(void *context, struct Position *pos, int level);

typedef enum RefuteVerdict {
    REFUTE_HOLDS,
    REFUTE_FAILS,    /* a check has no valid answer, or the limits ended the replay */
    REFUTE_TOO_LARGE /* too many positions to store, out of memory, or too deep */
} RefuteVerdict;

/* Verifies that the side to move has no mate if all its moves must be checks: goes through every
 * legal check, asks for one answer to each, and verifies that the answer is legal and leads to a
 * position that is refuted in turn. A refutation may lead back to its own position, because checks
 * that repeat forever are no mate. If every check in a set of positions has an answer that leads
 * back into the set, then all positions of the set are refuted, also with fewer pieces in the
 * attacker's hand. Above level 0, does the same for a brinkmate. Ends when *stop is true; `stop`
 * may be NULL. *pos is restored. */
RefuteVerdict matecheck_refute(struct Position *pos, int level, RefuteOracle *oracle, void *context,
                               const atomic_bool *stop);

#endif
