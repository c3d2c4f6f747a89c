/* settings.h: the user's settings of a tournament: the command line of komadori-match.
 *
 * The settings are filled in before the first game and only read while games run. */
#ifndef KMD_MATCH_SETTINGS_H
#define KMD_MATCH_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cmdline.h"
#include "base/str.h"
#include "match/matchreport.h"
#include "match/resultlog.h"
#include "match/spsa.h"
#include "match/standings.h"
#include "play/gamerecord.h"
#include "play/player.h"

/* How openings are made; see task_make_openings. */
typedef struct OpenMakerOptions {
    const char *path; /* file to write; NULL: make no openings */
    int count;
    uint64_t seed;
    int min_plies;
    int max_plies;
    int score;   /* maximum distance from 0 of the final position's score, in centipawns */
    int window;  /* maximum loss of a step compared with the best move drawn, in centipawns */
    int samples; /* number of legal moves drawn at each step */
    int nodes;   /* nodes for each move drawn; the final check uses the engine's own limit */
} OpenMakerOptions;

/* The settings. Their texts point into the words of the command line. */
typedef struct MatchSettings {
    bool wants_version;
    ArgList engine_words, each_words; /* the words of -engine and -each */
    bool is_compliance;               /* test the engine's USI instead of playing */
    Contest contest;
    bool wants_pairs, wants_no_pairs;
    PlayerOptions player_rules;
    OpenMakerOptions maker; /* if maker.path is set, make openings instead of playing */
    SpsaOptions spsa;       /* if spsa.params_path is set, tune parameters instead of playing */
    MatchReportOptions report;
    ResultLogOptions results;
    GameRecordOptions records;
    ArgList merge;         /* files of results to merge instead of playing */
    int wait_ms;           /* wait before each game of a thread except its first */
    const char *log_path;  /* log of all communication with the engines */
    const char *html_path; /* a page of the tournament, see matchpage.h */
} MatchSettings;

typedef enum SettingsStatus {
    SETTINGS_OK,
    SETTINGS_WRONG,  /* wrong use */
    SETTINGS_NO_FILE /* an input file cannot be used */
} SettingsStatus;

/* Reads the words after the program's name, openings and parameters. If the
 * result is not SETTINGS_OK, *error contains the reason. Free the settings in any case. */
SettingsStatus settings_read(int count, char *const *words, MatchSettings *settings,
                             StrBuf *error) MUST_CHECK;

void settings_free(MatchSettings *settings);

/* The table of options with their help. */
const ArgCommand *settings_command(void);

#endif
