/* matefutile.h: a mate as players and composers count it: without futile interpositions.
 *
 * A futile interposition is a piece dropped to block a distant check that the checking piece can
 * simply capture. The mate then continues as before, without needing the captured piece.
 *
 * The rule is this. Let Q be a position with the defender in check and to move. The length of Q is
 * that of the longest answer that counts, or 0 if no answer counts. Moves on the board always
 * count. A drop counts unless it is futile: the checking piece can capture it with check, and if
 * the captured piece is given back to the defender, the mate from there is no longer than the mate
 * of Q without the drop. Board moves are examined first, then the drops, those with the shortest
 * mates first, so that each drop is compared with the answers that count.
 *
 * The attacker mates in the fewest moves that count. This is not always the shortest mate with
 * every interposition: a check from a distance may allow many futile drops and still be the
 * composer's move.
 *
 * The main line of a problem in which the attacker has no king leaves nothing in the attacker's
 * hand. A defence after which the attacker can leave a piece there without mating later is a
 * variation. If all longest defences are variations, the longest line without leftover pieces is
 * the main line, as long as it is at most four plies shorter. A choice between checks in the last
 * three plies does not count. The attacker's checks along the main line are ones that mate soonest.
 *
 * The functions run on the thread of the checker. */
#ifndef KMD_MATE_MATEFUTILE_H
#define KMD_MATE_MATEFUTILE_H

#include "mate/matecheck.h"

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
FutileAnswer matefutile_solve(const FutileOptions *options, struct Position *pos, Move *line,
                              int room);

/* True if players call the position mate; the defender must be to move and in check. Either there
 * is no answer, or every answer is a drop that the checking piece can capture, and players also
 * call the resulting position, with the piece given back, mate. *pos is restored. */
bool matefutile_is_mate(struct Position *pos);

#endif
