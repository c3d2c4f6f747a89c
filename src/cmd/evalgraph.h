/* evalgraph.h: draws the winning chances of an analysed game over the moves. Pure
 * function. */
#ifndef KMD_CMD_EVALGRAPH_H
#define KMD_CMD_EVALGRAPH_H

#include "base/str.h"
#include "cmd/analysis.h"

/* Appends the course as SVG: black's winning chances over the moves, mistakes marked. */
void evalgraph_write(const Analysis *analysis, StrBuf *out);

#endif
