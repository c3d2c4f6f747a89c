/* contest.h: the data shared by all parts of a match: engines, schedule, openings and rules.
 * Filled before the first game, by settings.c or from files of results; read only while games run.
 */
#ifndef KMD_MATCH_CONTEST_H
#define KMD_MATCH_CONTEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cmdline.h"
#include "rules/outcome.h"
#include "tools/match/elo.h"
#include "tools/match/foldover.h"
#include "tools/match/openings.h"
#include "tools/match/player.h"
#include "tools/match/referee.h"
#include "tools/match/schedule.h"

/* Zero-initialised it has nothing to free. Texts that are not an engine's point elsewhere. */
typedef struct Contest {
    EngineSpec *engines; /* owned, with all in them */
    int engine_count;
    Schedule schedule;
    bool has_no_end; /* the SPRT ends it; the number of rounds is only a bound */
    OpeningsRules openings_rules;
    Openings openings; /* owned */
    OutcomeRules rules;
    AdjudicationRules adjudication;
    SprtTest sprt;     /* sprt.alpha 0: none */
    Foldover foldover; /* owned; of results that are merged: from their first line */
    int concurrency;   /* games at once */
    const char *event; /* NULL: not given, as the next */
    const char *site;
    Args command; /* the words that were given on the command line */
} Contest;

void contest_free(Contest *contest);

/* A value that changes with everything a result depends on; not with the number of rounds, the
 * concurrency, the bounds of the test and what is told, so that these may change when a tournament
 * is resumed. */
uint64_t contest_hash(const Contest *contest);

#endif
