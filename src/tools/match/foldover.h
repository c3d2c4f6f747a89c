/* foldover.h: measures several changes of an engine's options in one match. Each pair of games
 * draws a random subset of the changes; one side plays with the subset, the other with all the
 * others, and a regression finds what each change is worth.
 *
 * Plain arithmetic and text; plays nothing. Every pair informs about every change, so that each is
 * measured as exactly as if the whole match were about it alone. Source: the two-level fractional
 * factorial designs and their foldover of G. Box, W. Hunter and J. Hunter, Statistics for
 * Experimenters (1978). */
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
    EngineOption *options; /* set together */
    int option_count;
} FoldChange;

typedef struct Foldover {
    const char *path;    /* the file of changes; NULL: no foldover test */
    FoldChange *changes; /* owned, as all in them */
    int count;
} Foldover;

void foldover_free(Foldover *foldover);

/* Reads lines "NAME OPTION=VALUE ..." into foldover->changes. Empty lines are skipped, and so is
 * the rest of a line from a word that begins with #. No option may belong to two changes. Returns
 * false with line and reason in *error. */
bool foldover_read(StrView text, Foldover *foldover, StrBuf *error) MUST_CHECK;

/* Appends the changes as lines that foldover_read takes. */
void foldover_add_text(const Foldover *foldover, StrBuf *out);

/* The changes that the first side of the pair plays with, as bits; the second side plays with the
 * others. Each change is drawn independently, because with subsets of one fixed size the sum of all
 * effects could not be determined. Depends only on the seed and the number of the pair. */
uint64_t foldover_subset(uint64_t seed, int pair);

/* Appends setoption lines for the changes in the subset. */
void foldover_add_options(const Foldover *foldover, uint64_t subset, StrBuf *out);

/* The effect of a change: the score with it minus the score without it, all else equal. */
typedef struct FoldEffect {
    double effect, error; /* in points per game, and its standard error */
    double elo, elo_error;
} FoldEffect;

/* Fits pair score - 1/2 = sum of sign * effect by least squares over all complete pairs, with sign
 * 1 for a change of the first side and -1 for one of the second; docs/match.md has the formulas.
 * *pairs becomes the number of pairs. False while they are too few to tell the changes apart;
 * effects, which holds foldover->count entries, is then undefined. */
bool foldover_estimate(const Foldover *foldover, const Standings *standings, FoldEffect *effects,
                       int *pairs);

#endif
