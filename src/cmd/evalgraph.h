/* evalgraph.h: the course of an analysed game as a picture (SVG). One thread. */
#ifndef KMD_CMD_EVALGRAPH_H
#define KMD_CMD_EVALGRAPH_H

#include "cmd/analysis.h"

/* Appends the picture: black's winning chances over the moves, mistakes marked. */
void evalgraph_write(const Analysis *analysis, StrBuf *out);

#endif
