/* settings.h: everything the user decides about a tournament. Plain data, filled by matchargs and
 * read only while games run. */
#ifndef KMD_MATCH_SETTINGS_H
#define KMD_MATCH_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "kifu/kifuio.h"
#include "rules/outcome.h"
#include "tools/match/adjudicate.h"
#include "tools/match/openings.h"
#include "tools/match/openmaker.h"
#include "tools/match/player.h"
#include "tools/match/schedule.h"
#include "tools/match/sprt.h"
#include "tools/match/spsa.h"

typedef struct MatchSettings {
    EngineSpec *engines;
    int engine_count;
    Schedule schedule;
    Openings openings;
    OutcomeRules rules;
    AdjudicationRules adjudication;
    PlayerRules player_rules;
    OpenMakerRules maker; /* maker.path set: make openings instead of playing */
    SpsaRules spsa;       /* spsa.params_path set: tune instead */
    bool has_sprt;
    SprtTest sprt;
    int concurrency;           /* games at once */
    int report_every;          /* finished games between two lines of progress */
    char *results_path;        /* JSON lines; NULL: not written */
    bool resumes;              /* go on from results_path */
    char *games_path;          /* games as USI lines; NULL: not written */
    char *records_dir;         /* a file for each game goes there; NULL: not written */
    const Codec *record_codec; /* in this format */
    char *event;               /* told in the records; NULL: nothing, as the next */
    char *site;
} MatchSettings;

/* What stands before the user has said anything. */
MatchSettings settings_default(void);

void settings_free(MatchSettings *settings);

/* A value that changes with everything a result depends on; not with the number of rounds, the
 * concurrency, the bounds of the test and the places of the files, so that these may change when a
 * tournament is resumed. */
uint64_t settings_hash(const MatchSettings *settings);

#endif
