/* evalgraph.h: draws the winning chances of an analysed game over the moves. Pure
 * function. */
#ifndef KMD_STUDY_EVALGRAPH_H
#define KMD_STUDY_EVALGRAPH_H

#include "base/str.h"
#include "study/analysis.h"

/* Appends an SVG picture: black's winning chances over the moves, with the mistakes marked. */
void evalgraph_write(const Analysis *analysis, StrBuf *out);

#endif
