/* matekif.h: writes the solution of a mate or brinkmate problem as a record with variations.
 *
 * Reads solutions that have been replayed; plain functions for one thread. */
#ifndef KMD_STUDY_MATEKIF_H
#define KMD_STUDY_MATEKIF_H

#include "kifu/record.h"
#include "mate/matecheck.h"
#include "rules/types.h"

struct Position;

/* The solution to write. */
typedef struct MateSolution {
    const struct Position *pos; /* the problem */
    const MateChecker *proof;
    int level;        /* brink.h; 0 for a mate */
    const Move *line; /* the main line, len moves */
    int len;
} MateSolution;

/* Fills a record with the main line and, as variations, the other answers, each with the longest
 * defence that follows. After a quiet move, every answer of every variation is followed down to the
 * mates, and a comment shows the threat. Stops after some hundred thousand moves. */
void matekif_build(const MateSolution *solution, Record *record);

#endif
