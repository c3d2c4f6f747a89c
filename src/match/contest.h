/* contest.h: the data shared by all parts of a match: engines, schedule, openings and rules. The
 * contest is filled in before the first game, by settings.c or from result files, and only read
 * while games run. */
#ifndef KMD_MATCH_CONTEST_H
#define KMD_MATCH_CONTEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cmdline.h"
#include "match/elo.h"
#include "match/openings.h"
#include "match/schedule.h"
#include "play/player.h"
#include "play/referee.h"
#include "rules/outcome.h"

/* If zero-initialised, there is nothing to free. Texts that are not const are owned; the
 * others are owned elsewhere. */
typedef struct Contest {
    EngineSpec *engines; /* owned, including their members */
    int engine_count;
    Schedule schedule;
    bool has_no_end; /* the SPRT ends the match; the number of rounds is only an upper limit */
    OpeningsOptions openings_rules;
    Openings openings; /* owned */
    OutcomeRules rules;
    double repetition; /* see Standings */
    AdjudicationOptions adjudication;
    SprtTest sprt;     /* sprt.alpha 0: none */
    int concurrency;   /* number of games played at once */
    const char *event; /* NULL: not given; likewise `site` */
    const char *site;
    Args command; /* the words of the command line */
} Contest;

void contest_free(Contest *contest);

/* A hash of everything that the results depend on. The hash does not cover the number of rounds,
 * the concurrency, the bounds of the test and the output, so these may change when a tournament is
 * resumed. */
uint64_t contest_hash(const Contest *contest);

#endif
