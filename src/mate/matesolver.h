/* matesolver.h: solves mate problems: searches for a mate, proves the answer, shortens the mate,
 * and writes its line.
 *
 * A solver belongs to one thread; another thread may stop it with a flag. A solver created with
 * more than one thread starts its own threads. A solver reads no clock and prints nothing. */
#ifndef KMD_MATE_MATESOLVER_H
#define KMD_MATE_MATESOLVER_H

#include <stdatomic.h>
#include <stddef.h>

#include "mate/dfpn.h"

struct Position;

typedef struct MateSolver MateSolver;

/* The maximum length of a line, in moves. */
enum { MATE_LINE_MAX = KMD_MATE_LINE_MAX };

typedef enum MateVerdict {
    MATE_FOUND = KMD_MATE_FOUND, /* there is a mate, verified by a replay against every defence */
    MATE_NONE = KMD_MATE_NONE,   /* there is no mate by checks alone, verified by a replay against
                                    every check; a defender escapes */
    MATE_UNKNOWN = KMD_MATE_UNKNOWN /* the limits ended the search */
} MateVerdict;

typedef struct MateAnswer MateAnswer;

/* Called for each mate as soon as it has been replayed, on the thread of matesolver_solve. The
 * first mate found comes first, then shorter ones, then mates that start with other moves. */
typedef void MateTell(void *context, const MateAnswer *answer);

/* What to look for. These are options of the engine and of the command `mate`. */
typedef struct MateOptions {
    int lines;          /* number of mates to find, each with a different first move; 0 means 1 */
    bool defends;       /* if the side to move is in check, it defends. It always does if the other
                           side has no king */
    bool is_shortest;   /* search until the mate is proved to be the shortest; otherwise spend an
                           eighth of the nodes that finding it took on shortening it */
    bool counts_futile; /* also determine players_len */
    bool checks_unique; /* also look for other mating checks along the line, and
                           determine players_len with every check that mates, not only with those
                           of the solution, which takes much longer; implies the two above */
} MateOptions;

typedef struct MateSolverOptions {
    MateOptions options;     /* except `defends`, for which see is_defence */
    bool is_defence;         /* the side to move defends: it is in check, and the question is
                                whether the other side mates by checks. Only one line is found */
    uint64_t nodes;          /* maximum number of nodes, that is, moves made; 0: no limit */
    const atomic_bool *stop; /* ends the search when true; may be NULL */
    bool is_verdict_only;    /* do not shorten the mate, and do not determine players_len */
    bool believes_none;      /* do not verify refutations by a replay */
    bool keeps_table;        /* keep the table of earlier calls, even if the other side attacked */
    bool is_inside;          /* the position is inside a larger problem: reports contain no line and
                                no numbers, because these would not be those of the problem */
    uint64_t nodes_before;   /* nodes spent on the problem before, which reports include */
    struct MateChecker **proof; /* receives the replayed positions of the first line, which the
                                   caller frees, or NULL if there are none; the pointer itself may
                                   be NULL */
    bool *lines_are_exact;      /* [lines] receives for each line that was found whether there is no
                                   shorter mate with other first moves than those of the earlier lines;
                                   may be NULL */
    MateTell *tell;             /* may be NULL */
    void *tell_context;
} MateSolverOptions;

struct MateAnswer {
    MateVerdict verdict;
    int rank;          /* rank of the line among those with different first moves, from 1 */
    bool is_too_large; /* MATE_UNKNOWN: a known answer needs too much memory to replay */
    bool is_exact;     /* MATE_FOUND: there is no shorter mate if every interposition counts */
    int len;           /* MATE_FOUND: length of the mate against the longest defence, odd if the
                          attacker is to move, otherwise even; 0 if the defender is mated already */
    int line_len; /* number of moves in `line`; usually len, but different if the mate is too large
                     or the limits ended the search for the longest defence. MATE_NONE for a
                     defender: 1, and the line is the move with which he escapes */
    /* The mate without futile interpositions (matecheck.h), as players and composers count it.
     * players_len is possibly a little too high. players_line is the main line; it is complete
     * unless the limits were reached. */
    bool has_players_len; /* requested and determined */
    int players_len;
    int main_len; /* at most players_len; smaller if only a shorter line leaves nothing in the
                     attacker's hand */
    int players_line_len;
    uint64_t nodes;
    Move line[MATE_LINE_MAX];
    Move players_line[MATE_LINE_MAX];
};

/* The main line of a mate, as composers write it: without futile interpositions and leftover pieces
 * if that line is known, otherwise the longest defence. Returns its number of moves. */
int matesolver_main_line(const MateAnswer *answer, const Move **line);

/* Creates a solver with a table of `bytes`; NULL if out of memory. */
MateSolver *matesolver_new(size_t bytes, int threads);
void matesolver_free(MateSolver *solver);

/* The solver's table, for hisshi.h. Use it only while the solver is idle. */
struct MateTable *matesolver_table(MateSolver *solver);

/* Sets the function that receives progress reports; NULL for none. */
void matesolver_on_progress(MateSolver *solver, MateReport *report, void *context);

/* True if the side to move can only defend: it is in check, and the other side has no king. */
bool matesolver_can_only_defend(const struct Position *pos);

/* Looks for a mate in which every move of the attacker gives check. The attacker is the side to
 * move, unless is_defence is set. The defender must have a king. If the limits end the shortening
 * of a mate, the answer is MATE_FOUND with the shortest mate so far. With several lines, the answer
 * is the shortest mate. If the limits allow no search at all, the answer is MATE_UNKNOWN. */
void matesolver_solve(MateSolver *solver, const struct Position *pos,
                      const MateSolverOptions *options, MateAnswer *answer);

/* Called for each other mating check, with its index in the line, from 0. */
typedef void UniqueTell(void *context, int place, Move check);

typedef struct UniqueOptions {
    const atomic_bool *stop; /* ends the judgement when true; may be NULL */
    bool is_patient;         /* go on until `stop` is true or every check has a verdict; otherwise
                                each answer to a check gets at most 200,000 nodes */
    UniqueTell *tell;
    void *tell_context;
} UniqueOptions;

/* Whether the line was judged, or the reason why not. */
typedef enum UniqueFault {
    UNIQUE_JUDGED,
    UNIQUE_NO_MATE,
    UNIQUE_NOT_SHORTEST, /* the mate may not be the shortest */
    UNIQUE_NOT_WHOLE     /* not all moves of the line are known */
} UniqueFault;

typedef struct UniqueResult {
    int others; /* number of other checks that mate */
    int open;   /* number of other checks without a verdict */
    UniqueFault fault;
} UniqueResult;

/* Judges whether the attacker has other mating checks along the main line of the answer, which
 * matesolver_solve has just given for the position. Composers allow a choice in the last move, so
 * it is not judged; that is the move after which the defender has no answer, or only futile drops.
 * Neither is a check that differs from the move of the line only in the promotion. */
UniqueResult matesolver_judge_unique(MateSolver *solver, const struct Position *pos,
                                     const MateAnswer *answer, const UniqueOptions *options);

#endif
