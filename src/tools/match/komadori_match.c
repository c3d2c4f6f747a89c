/* komadori_match.c: the match runner, komadori-match. docs/match.md is its manual.
 *
 * The exit status is 0 if everything was played, 1 if something is missing or could not be written,
 * 2 for wrong arguments, and 130 if the program was interrupted. */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buildinfo.h"
#include "base/proc.h"
#include "komadori/version.h"
#include "rules/rules.h"
#include "tools/match/compliance.h"
#include "tools/match/openmaker.h"
#include "tools/match/regret.h"
#include "tools/match/tourney.h"
#include "tools/match/tuner.h"
#include "tools/match/warnings.h"

enum { INTERRUPTED = 130 };

/* Global, because a signal handler can access only global data. */
static atomic_bool cancel;

static void handle_signal(int number) {
    atomic_store(&cancel, true);
    signal(number, SIG_DFL); /* a second signal ends the program at once */
}

static int make_openings(const MatchSettings *settings, MatchReport *report) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    Warnings warnings = {.report = report, .lock = &lock};
    const PlayerWatch watch = {warnings_tell, &warnings, NULL};
    bool is_good = openmaker_run(&settings->maker, &settings->contest.engines[0],
                                 &settings->player_rules, &watch, stdout, &cancel);
    warnings_free(&warnings);
    return is_good ? EXIT_SUCCESS : atomic_load(&cancel) ? INTERRUPTED : EXIT_FAILURE;
}

static int test_compliance(const MatchSettings *settings, MatchReport *report) {
    bool is_good =
        compliance_run(&settings->contest.engines[0], &settings->player_rules, stdout, &cancel);
    if (!is_good && atomic_load(&cancel)) {
        matchreport_line(report, "interrupted");
        return INTERRUPTED;
    }
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Returns the exit status. If output was lost, that is an error, whatever the results of the
 * games. */
static int finish(int status) {
    if (fflush(stdout) == 0 && ferror(stdout) == 0) {
        return status;
    }
    fprintf(stderr, "komadori-match: standard output could not be written\n");
    return status != EXIT_SUCCESS ? status : EXIT_FAILURE;
}

static int run(MatchSettings *settings) {
    MatchReport report;
    matchreport_init(&report, stdout, &settings->report);
    proc_catch_end(handle_signal);
    if (settings->maker.path != NULL) {
        return make_openings(settings, &report);
    }
    if (settings->is_compliance) {
        return test_compliance(settings, &report);
    }
    bool is_regret = settings->regret.csv_path != NULL;
    bool is_tuning = settings->spsa.params_path != NULL;
    switch (settings->merge.count > 0 ? tourney_merge(settings, &report)
            : is_regret               ? regret_run(settings, &report, &cancel)
            : is_tuning               ? tuner_run(settings, &report, &cancel)
                                      : tourney_run(settings, &report, &cancel)) {
    case TOURNEY_DONE:
        return EXIT_SUCCESS;
    case TOURNEY_INTERRUPTED:
        matchreport_line(&report, "interrupted");
        return INTERRUPTED;
    case TOURNEY_FAILED:
        break;
    }
    return EXIT_FAILURE;
}

int main(int argc, char **argv) {
    const ArgCommand *const commands[] = {settings_command(), NULL};
    const Args args = {argc - 1, (const char **)argv + 1};
    StrBuf error = STRBUF_INIT;
    MatchSettings settings;
    if (cmdline_answer(commands, NULL, &args, &error)) {
        fputs(error.ptr != NULL ? error.ptr : "", stdout);
        strbuf_free(&error);
        return finish(EXIT_SUCCESS);
    }
    rules_init();
    proc_init();
    SettingsStatus read = settings_read(argc - 1, argv + 1, &settings, &error);
    int status = read == SETTINGS_WRONG ? 2 : EXIT_FAILURE;
    if (read != SETTINGS_OK) {
        fprintf(stderr, "komadori-match: %s\n", error.ptr);
    } else if (settings.wants_version) {
        printf("komadori-match %s\nbuild    %s\n", KMD_VERSION, buildinfo_text());
        status = EXIT_SUCCESS;
    } else {
        status = run(&settings);
    }
    strbuf_free(&error);
    settings_free(&settings);
    return finish(status);
}
