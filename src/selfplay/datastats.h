/* datastats.h: statistics of files of training games: ends, phases, scores, kings, rooks, reversals
 * and duplicates, as text and as a picture.
 *
 * A DataStats belongs to the command's own thread. */
#ifndef KMD_SELFPLAY_DATASTATS_H
#define KMD_SELFPLAY_DATASTATS_H

#include "base/str.h"
#include "data/packed.h"

typedef struct DataStats DataStats;

DataStats *datastats_create(void);
void datastats_free(DataStats *stats);

/* Counts a game and its positions. */
void datastats_add(DataStats *stats, const PackedGame *game);

/* Append the statistics as lines of text, and as an SVG picture. */
void datastats_print(const DataStats *stats, StrBuf *out);
void datastats_draw(const DataStats *stats, StrBuf *out);

#endif
