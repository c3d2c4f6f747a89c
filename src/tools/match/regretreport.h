/* regretreport.h: the tables and the chart of a regret test: mean loss of winning chance by number
 * of nodes, for all positions and for some groups of them, and the worst moves.
 *
 * Plays no games. */
#ifndef KMD_MATCH_REGRETREPORT_H
#define KMD_MATCH_REGRETREPORT_H

#include "tools/match/contest.h"
#include "tools/match/regretlog.h"

/* The user's request for a regret test (regret.h). */
enum { REGRET_STEPS_MOST = 16 };

typedef struct RegretRules {
    const char *csv_path;   /* NULL: no regret test */
    const char *table_path; /* NULL: only standard output */
    const char *svg_path;   /* NULL: none */
    uint64_t nodes[REGRET_STEPS_MOST];
    int steps;
    double scale; /* scale of the reference's scores, as in regret.h */
    int worst;    /* number of worst moves to list for each engine */
} RegretRules;

/* Appends the tables in Markdown, and the chart to *svg unless it is NULL. A position counts if
 * each engine in the log has chosen a move at each of its numbers of nodes and all these moves have
 * been judged. Returns the number of positions that count; if it is 0, nothing is appended. */
int regretreport_write(const RegretRules *rules, const Contest *contest, const RegretLog *log,
                       StrBuf *table, StrBuf *svg);

#endif
