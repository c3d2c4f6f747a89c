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

/* Reads lines "NAME OPTION=VALUE ..." into foldover->changes. Empty lines are skipped, and what
 * follows a word that begins with #. No option belongs to two changes. False with the line and
 * fault in *error. */
bool foldover_read(StrView text, Foldover *foldover, StrBuf *error) MUST_CHECK;

/* Appends the changes as lines that foldover_read takes. */
void foldover_add_text(const Foldover *foldover, StrBuf *out);

/* The changes that the first side of the pair plays with, by bit; the second side plays with the
 * others. Each change is drawn independently: subsets of one fixed size would leave the sum of all
 * effects unknown. Follows from the seed and the pair's number alone. */
uint64_t foldover_subset(uint64_t seed, int pair);

/* Appends setoption lines for the changes in the subset. */
void foldover_add_options(const Foldover *foldover, uint64_t subset, StrBuf *out);

/* The effect of a change: the score with it against without it, all else equal. */
typedef struct FoldEffect {
    double effect, error; /* in points a game, and the standard error of it */
    double elo, elo_error;
} FoldEffect;

/* Fits pair score - 1/2 = sum of sign * effect by least squares over all complete pairs, with sign
 * 1 for a change of the first side and -1 for one of the second; docs/match.md has the formulas.
 * *pairs becomes the number of pairs. False while they are too few to tell the changes apart;
 * effects, which holds foldover->count entries, is then undefined. */
bool foldover_estimate(const Foldover *foldover, const Standings *standings, FoldEffect *effects,
                       int *pairs);

#endif
