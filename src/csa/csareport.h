/* csareport.h: what the client prints: a line for each event with the time of day, a status line on
 * a terminal, and the table of the session. Only one thread may use it. */
#ifndef KMD_CSA_CSAREPORT_H
#define KMD_CSA_CSAREPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/progress.h"
#include "base/str.h"
#include "rules/types.h"

/* The results against one opponent, from this client's point of view. */
typedef struct CsaOpponent {
    char *name;
    int wins, draws, losses, interrupted;
} CsaOpponent;

typedef struct CsaReport {
    FILE *stream;
    Progress status;
    CsaOpponent *opponents;
    int count;
    size_t cap;
    int games; /* games with a result */
} CsaReport;

void csareport_init(CsaReport *report, FILE *stream, bool is_plain);
void csareport_free(CsaReport *report);

/* Prints a line with the time of day. */
void csareport_line(CsaReport *report, const char *format, ...) PRINTF_LIKE(2, 3);

/* Replaces the status line, if the stream is a terminal. */
void csareport_status(CsaReport *report, StrView text);

/* Counts a game. `winner` is KMD_WINNER_NONE if it was interrupted. */
void csareport_count(CsaReport *report, StrView opponent, Color us, KmdWinner winner);

/* Prints the table of the session, unless no game was played. */
void csareport_table(CsaReport *report);

#endif
