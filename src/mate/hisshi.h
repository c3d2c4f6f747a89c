/* hisshi.h: solves brinkmate problems (hisshi): can the attacker reach a position in which the
 * defender is mated by continuous checks whatever he plays?
 *
 * A brinkmate in n moves (1, 3, 5, ...) is reached by the attacker's last quiet move after at most
 * n plies, checks and their answers included. Both answers are proved and replayed by code that
 * knows only the rules: a brinkmate against every defence, passes included, and that there is none
 * against every attack. brink.h describes the search. A solver belongs to one thread; it
 * reads no clock and prints nothing. */
#ifndef KMD_MATE_HISSHI_H
#define KMD_MATE_HISSHI_H

#include <stdatomic.h>

#include "mate/dfpn_tt.h"
#include "mate/matecheck.h"
#include "mate/matesolver.h"

/* The defender's longest line, as far as it is known. */
enum { HISSHI_LINE_MAX = 512 };

typedef struct HisshiLimits {
    uint64_t nodes;          /* most nodes; 0 for no limit */
    const atomic_bool *stop; /* ends the search when true; may be NULL */
    bool checks_unique;      /* find out is_unique, too */
    int moves;               /* the longest brinkmate to look for, odd, at most BRINK_MOVES_MOST */
    MateReport *report;      /* may be NULL */
    void *report_context;
} HisshiLimits;

typedef struct HisshiAnswer {
    MateVerdict verdict; /* MATE_FOUND: a brinkmate, or a mate; MATE_NONE: none in limits.moves */
    int moves;      /* MATE_FOUND: of the brinkmate; 0: the side to move mates by checks alone */
    bool is_exact;  /* MATE_FOUND: no shorter one exists, and no mate */
    bool is_unique; /* is_exact, and only the first move of the line brings it about */
    int line_len;   /* the longest defence, to the mate */
    Move line[HISSHI_LINE_MAX];
    MateChecker *proof; /* MATE_FOUND: what has been replayed, for hisshi_line; see hisshi_clear */
    uint64_t nodes;
} HisshiAnswer;

/* Looks for the shortest brinkmate by the side to move; the enemy must have a king. `table` is
 * cleared first. The answer must be cleared in the end. */
void hisshi_solve(MateTable *table, const struct Position *pos, const HisshiLimits *limits,
                  HisshiAnswer *answer);

/* From a position of the proof, the attacker to move at this level: the moves of the longest
 * defence as far as was replayed. *pos is as before afterwards. */
int hisshi_line(const MateChecker *proof, struct Position *pos, int level,
                Move line[HISSHI_LINE_MAX]);

/* Frees what the answer holds. */
void hisshi_clear(HisshiAnswer *answer);

#endif
