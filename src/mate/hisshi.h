/* hisshi.h: solves brinkmate problems (hisshi): can the attacker reach a position in which
 * continuous checks mate the defender, whatever he plays?
 *
 * In a brinkmate in n moves (1, 3, 5, ...) the attacker's last quiet move comes after at most n
 * plies, counting checks and their answers. Both verdicts are proved, then verified by code that
 * knows only the rules: this code replays a brinkmate against every defence, including passes, and
 * the absence of one against every attack. matemoves.h describes the levels. A solver belongs to
 * one thread, reads no clock and prints nothing. */
#ifndef KMD_MATE_HISSHI_H
#define KMD_MATE_HISSHI_H

#include <stdatomic.h>

#include "mate/matecheck.h"
#include "mate/matesolver.h"

/* Maximum length of the defender's longest line. */
enum { HISSHI_LINE_MAX = 512 };

typedef struct HisshiOptions {
    uint64_t nodes;          /* maximum number of nodes; 0: no limit */
    const atomic_bool *stop; /* ends the search when true; may be NULL */
    bool checks_unique;      /* also determine is_unique */
    int moves;               /* maximum length of the brinkmate, odd, at most BRINK_MOVES_MAX */
    MateReport *report;      /* may be NULL */
    void *report_context;
} HisshiOptions;

typedef struct HisshiAnswer {
    MateVerdict
        verdict;    /* MATE_FOUND: a brinkmate or a mate; MATE_NONE: neither within limits.moves */
    int moves;      /* MATE_FOUND: length of the brinkmate; 0: a mate by checks alone */
    bool is_exact;  /* MATE_FOUND: there is no shorter brinkmate and no mate */
    bool is_unique; /* is_exact, and no other first move leads to a brinkmate of this length */
    int line_len;   /* length of the longest defence, up to the mate */
    Move line[HISSHI_LINE_MAX];
    MateChecker
        *proof; /* MATE_FOUND: the replayed positions, for hisshi_line; freed by hisshi_clear */
    uint64_t nodes;
} HisshiAnswer;

/* Looks for the shortest brinkmate by the side to move. The other side must have a king. `table` is
 * cleared first. Call hisshi_clear on the answer afterwards. */
void hisshi_solve(MateTable *table, const struct Position *pos, const HisshiOptions *options,
                  HisshiAnswer *answer);

/* Writes the moves of the longest defence, as far as it was replayed. *pos is a position of the
 * proof in which the attacker is to move at this level. Returns the number of moves. *pos is
 * restored. */
int hisshi_line(const MateChecker *proof, struct Position *pos, int level,
                Move line[HISSHI_LINE_MAX]);

/* Frees the memory of the answer. */
void hisshi_clear(HisshiAnswer *answer);

#endif
