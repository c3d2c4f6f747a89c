/* evalgraph.h: draws a graph of the winning chances in an analysed game, move by move. Pure
 * function. */
#ifndef KMD_COMMANDS_EVALGRAPH_H
#define KMD_COMMANDS_EVALGRAPH_H

#include "base/str.h"
#include "commands/analysis.h"

/* Appends an SVG picture: black's winning chances move by move, with the mistakes marked. */
void evalgraph_write(const Analysis *analysis, StrBuf *out);

#endif
