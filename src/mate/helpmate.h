/* helpmate.h: helpmates (協力詰): both sides cooperate to mate the defender. The attacker moves
 * first, and each of the attacker's moves must give check.
 *
 * Searches all lines of a given length and remembers only positions without a solution. A call runs
 * on one thread, reads no clock and prints nothing. */
#ifndef KMD_MATE_HELPMATE_H
#define KMD_MATE_HELPMATE_H

#include <stddef.h>

#include "rules/types.h"

struct Position;

enum { HELPMATE_MAX = 99 };

typedef struct HelpmateOptions {
    int plies;      /* maximum length, odd, at most HELPMATE_MAX */
    size_t bytes;   /* memory for remembering positions without a solution */
    uint64_t nodes; /* maximum number of moves made; 0: no limit */
    bool (*is_to_end)(
        void *context); /* called every few thousand nodes; true ends the search; may be NULL */
    /* Called for each solution of the shortest length. */
    void (*tell)(void *context, const Move *line, int len);
    void *context;
} HelpmateOptions;

typedef struct HelpmateAnswer {
    int len; /* length of the shortest helpmates, all of which were reported; 0: no helpmate */
    uint64_t solutions; /* number of solutions */
    bool is_whole;      /* false: the limits ended the search, so there may be more solutions */
    bool has_memory;    /* false: out of memory */
    uint64_t nodes;
} HelpmateAnswer;

/* Finds the shortest helpmates with the side to move as the attacker. The other side must have a
 * king. *pos is restored. */
HelpmateAnswer helpmate_solve(struct Position *pos, const HelpmateOptions *options);

#endif
