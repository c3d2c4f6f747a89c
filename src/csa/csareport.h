/* csareport.h: what the client prints: a line for each event with the time of day, a live view
 * below these lines on a terminal, and the table of the session. Only one thread may use it. */
#ifndef KMD_CSA_CSAREPORT_H
#define KMD_CSA_CSAREPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/livelines.h"
#include "base/str.h"
#include "play/gameresult.h"
#include "rules/types.h"

struct Position;

/* The results against one opponent, from this client's point of view. */
typedef struct CsaOpponent {
    char *name;
    int wins, draws, losses, interrupted;
} CsaOpponent;

typedef struct CsaReport {
    FILE *stream;
    LiveLines lines;
    int64_t start_ns; /* when the session began */
    int64_t due_ns;   /* when the live view may be drawn again */
    CsaOpponent *opponents;
    int count;
    size_t cap;
    int games; /* games with a result */
} CsaReport;

void csareport_init(CsaReport *report, FILE *stream);
void csareport_free(CsaReport *report);

/* Prints a line with the time of day. Control characters are replaced, because names and other
 * texts come from a server. */
void csareport_line(CsaReport *report, const char *format, ...) PRINTF_LIKE(2, 3);

/* What the live view shows besides the results. */
typedef struct CsaView {
    const char *name, *host;
    const char *state;          /* what the client does if it plays no game */
    const char *black, *white;  /* the players of the game in progress; NULL: none */
    const struct Position *pos; /* the position after the last move */
    const GameResult *result;   /* its moves so far */
    int64_t left_ms[COLOR_NB];  /* time left on the clocks now; -1: no clock */
} CsaView;

/* True if the live view should be drawn: on a terminal, at most four times a second, and at once
 * after csareport_hurry. */
bool csareport_is_due(const CsaReport *report);
void csareport_hurry(CsaReport *report);

/* Draws the live view: results, players with clocks, the last move with score and line, and the
 * board if there is room. */
void csareport_draw(CsaReport *report, const CsaView *view);

/* Counts a game. `winner` is KMD_WINNER_NONE if it was interrupted. csareport_resume takes an
 * interrupted game back, which goes on. */
void csareport_count(CsaReport *report, StrView opponent, Color us, KmdWinner winner);
void csareport_resume(CsaReport *report, StrView opponent);

/* Ends the live view, and prints the table of the session unless no game was played. */
void csareport_table(CsaReport *report);

#endif
