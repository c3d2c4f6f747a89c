/* helpmate.h: helpmates (協力詰): both sides play for the mate of the defender, and each move of
 * the attacker, who begins, must give check.
 *
 * Searches every line of a length, exactly; remembers only positions from which there is none. A
 * call belongs to one thread, reads no clock and prints nothing. */
#ifndef KMD_MATE_HELPMATE_H
#define KMD_MATE_HELPMATE_H

#include <stddef.h>

#include "rules/types.h"

struct Position;

enum { HELPMATE_MOST = 99 };

typedef struct HelpmateLimits {
    int plies;                        /* the longest to look for, odd, at most HELPMATE_MOST */
    size_t bytes;                     /* for the memory of what fails */
    uint64_t nodes;                   /* most moves made; 0 for no limit */
    bool (*is_to_end)(void *context); /* asked every few thousand nodes; may be NULL */
    /* Called for each solution of the shortest length. */
    void (*tell)(void *context, const Move *line, int len);
    void *context;
} HelpmateLimits;

typedef struct HelpmateAnswer {
    int len;            /* of the shortest helpmates, all of them reported; 0: there is none */
    uint64_t solutions; /* how many */
    bool is_whole;      /* false: the limits ended it; a length that is told may have more */
    bool has_memory;    /* false: there was not enough */
    uint64_t nodes;
} HelpmateAnswer;

/* Finds the shortest helpmates of the side to move; the enemy must have a king. *pos is as before
 * afterwards. */
HelpmateAnswer helpmate_solve(struct Position *pos, const HelpmateLimits *limits);

#endif
