/* regretreport.h: the tables and the chart of a regret test: mean loss of winning chance by number
 * of nodes, for all positions and for those of some kinds, and the worst moves. Plays nothing. */
#ifndef KMD_MATCH_REGRETREPORT_H
#define KMD_MATCH_REGRETREPORT_H

#include "tools/match/regretlog.h"
#include "tools/match/settings.h"

/* Appends the tables in Markdown, and to *svg, unless it is NULL, the chart. Positions count in
 * which each engine in the log has chosen at each of its numbers of nodes and all choices are
 * judged. Returns their number; without any nothing is appended. */
int regretreport_write(const MatchSettings *settings, const RegretLog *log, StrBuf *table,
                       StrBuf *svg);

#endif
