/* foldover.h: measures several changes of an engine's options in one match. A random subset of the
 * changes is drawn for each pair of games. One side plays with the changes in the subset, the other
 * side with all other changes, and a regression estimates the effect of each change.
 *
 * Plain arithmetic and text; plays no games. Every pair of games gives information about every
 * change, so that each change is measured as exactly as if the whole match were about it alone.
 * Source: the two-level fractional factorial designs and their foldover in Box, Hunter and Hunter,
 * Statistics for Experimenters (1978). */
#ifndef KMD_MATCH_FOLDOVER_H
#define KMD_MATCH_FOLDOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "tools/match/player.h"
#include "tools/match/standings.h"

/* A subset is a word of 64 bits. */
enum { FOLDOVER_MOST = 64 };

typedef struct FoldChange {
    char *name;
    EngineOption *options; /* options that are set together */
    int option_count;
} FoldChange;

typedef struct Foldover {
    const char *path;    /* the file of changes; NULL: no foldover test */
    FoldChange *changes; /* owned, with everything in them */
    int count;
} Foldover;

void foldover_free(Foldover *foldover);

/* Reads lines "NAME OPTION=VALUE ..." into foldover->changes. Empty lines are skipped, and so is
 * the rest of a line from a word that begins with #. No option may belong to two changes. Returns
 * false with the line number and the reason in *error. */
bool foldover_read(StrView text, Foldover *foldover, StrBuf *error) MUST_CHECK;

/* Appends the changes as lines that foldover_read can read. */
void foldover_add_text(const Foldover *foldover, StrBuf *out);

/* Returns the changes that the first side of the pair plays with, as bits; the second side plays
 * with the other changes. Each change is drawn independently, because if all subsets had the same
 * size, the sum of all effects could not be determined. The result depends only on the seed and the
 * number of the pair. */
uint64_t foldover_subset(uint64_t seed, int pair);

/* Appends setoption lines for the changes in the subset. */
void foldover_add_options(const Foldover *foldover, uint64_t subset, StrBuf *out);

/* The effect of a change: the score with the change minus the score without it, all else equal. */
typedef struct FoldEffect {
    double effect, error; /* the effect in points per game, and its standard error */
    double elo, elo_error;
} FoldEffect;

/* Fits the equations "pair score - 1/2 = sum of sign * effect" to all complete pairs by least
 * squares. The sign of a change is 1 if the first side played with it and -1 if the second side
 * did; docs/match.md has the formulas. *pairs becomes the number of pairs. Returns false while
 * there are too few pairs to tell the changes apart; effects[], which has foldover->count entries,
 * is then undefined. */
bool foldover_estimate(const Foldover *foldover, const Standings *standings, FoldEffect *effects,
                       int *pairs);

#endif
