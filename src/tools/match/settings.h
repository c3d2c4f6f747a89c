/* settings.h: everything the user decides about a tournament: the command line of komadori-match.
 * Filled before the first game, read only while games run. */
#ifndef KMD_MATCH_SETTINGS_H
#define KMD_MATCH_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cmdline.h"
#include "base/str.h"
#include "kifu/codec.h"
#include "tools/match/elo.h"
#include "tools/match/foldover.h"
#include "tools/match/openings.h"
#include "tools/match/referee.h"
#include "tools/match/schedule.h"
#include "tools/match/spsa.h"

/* Words that are owned. */
typedef struct WordList {
    char **items;
    int count;
    size_t cap;
} WordList;

/* Appends the words that the text stands for. It is an object: "KEY": value is -KEY value, true is
 * -KEY alone and false nothing, members of an object are words KEY=value, a list of objects
 * repeats the option. "engines" names engines for config_engine and is no option. False with the
 * fault appended to *error. */
bool config_read(StrView text, WordList *words, StrBuf *error) MUST_CHECK;

/* Appends the words of the engine of that name: from the member "engines" of an object, or from a
 * list as cutechess has it in engines.json (name, command, workingDirectory, options). */
bool config_engine(StrView text, StrView name, WordList *words, StrBuf *error) MUST_CHECK;

/* What the user asks of a regret test (regret.h). */
enum { REGRET_STEPS_MOST = 16 };

typedef struct RegretRules {
    const char *csv_path;   /* NULL: no regret test */
    const char *table_path; /* NULL: standard output alone */
    const char *svg_path;   /* NULL: none */
    uint64_t nodes[REGRET_STEPS_MOST];
    int steps;
    double scale; /* of the reference's scores, see regret.h */
    int worst;    /* moves to list for each engine */
} RegretRules;

/* Texts point into the words of the command line or into `texts`. */
typedef struct MatchSettings {
    bool wants_version;
    ArgList engine_words, each_words; /* -engine and -each as they came */
    const char *config_path;          /* JSON */
    EngineSpec *engines;
    int engine_count;
    bool is_compliance; /* test the engine's USI instead of playing */
    int kind;           /* of -tournament, as its word is numbered there */
    Schedule schedule;
    bool has_no_end; /* its rounds are only a bound: a test of odds ends it */
    bool wants_pairs, wants_no_pairs;
    OpeningsRules openings_rules;
    Openings openings;
    int64_t seed;
    OutcomeRules rules;
    AdjudicationRules adjudication;
    int margin_ms; /* for engines without one of their own */
    PlayerRules player_rules;
    OpenMakerRules maker;     /* maker.path set: make openings instead of playing */
    SpsaRules spsa;           /* spsa.params_path set: tune instead */
    RegretRules regret;       /* regret.csv_path set: compare choices of moves instead */
    Foldover foldover;        /* of results that are merged: from their first line */
    SprtTest sprt;            /* sprt.alpha 0: none */
    int concurrency;          /* games at once */
    int wait_ms;              /* before each game but a thread's first */
    int report_every;         /* finished games between two lines of progress */
    bool is_quiet;            /* no line when a game begins or ends */
    int shard, shards;        /* play only part `shard` of `shards`, from 1; 0: everything */
    ArgList merge;            /* files of results to be put together instead of playing */
    const char *results_path; /* JSON lines; NULL: not written, as the next */
    bool resumes;             /* go on from results_path */
    const char *games_path;   /* games as USI lines */
    const char *records_dir;  /* a file for each game goes there */
    const Codec *record_codec;
    StrView record_ending; /* of the files, without the dot; static storage */
    const char *log_path;  /* all that is said to engines and by them */
    const char *html_path; /* a page of the tournament, see matchpage.h */
    const char *event;     /* told in the records */
    const char *site;
    StrBuf config;      /* the file of -config, or engines.json */
    WordList texts;     /* words made from it */
    const char **words; /* all words that were read */
    Args given;         /* those of the command line */
} MatchSettings;

typedef enum SettingsStatus {
    SETTINGS_OK,
    SETTINGS_WRONG,  /* wrong use */
    SETTINGS_NO_FILE /* a file that is read cannot be used */
} SettingsStatus;

/* Reads the words behind the program's name, configuration files, openings and parameters. But for
 * SETTINGS_OK the fault is in *error. Free in any case. */
SettingsStatus settings_read(int count, char *const *words, MatchSettings *settings,
                             StrBuf *error) MUST_CHECK;

void settings_free(MatchSettings *settings);

/* The table of options with their help. */
const ArgCommand *settings_command(void);

/* A value that changes with everything a result depends on; not with the number of rounds, the
 * concurrency, the bounds of the test and the places of the files, so that these may change when a
 * tournament is resumed. */
uint64_t settings_hash(const MatchSettings *settings);

#endif
