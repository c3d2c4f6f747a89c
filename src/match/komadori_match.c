/* komadori_match.c: the match runner, komadori-match. docs/match.md is its manual.
 *
 * The exit status is 0 if everything was played, 1 if something is missing or could not be written,
 * 2 for wrong arguments, and 130 if the program was interrupted. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buildinfo.h"
#include "base/fileio.h"
#include "base/outguard.h"
#include "base/proc.h"
#include "komadori/version.h"
#include "match/compliance.h"
#include "match/openmaker.h"
#include "match/tourney.h"
#include "match/tuner.h"
#include "play/traffic.h"
#include "rules/rules.h"

enum { INTERRUPTED = 130 };

/* Global, because a signal handler can access only global data. */
static atomic_bool cancel;

static void cancel_on_signal(int number) {
    atomic_store(&cancel, true);
    signal(number, SIG_DFL); /* a second signal ends the program at once */
}

/* ---- Outputs. ---- */

static const OutKind page = {"a page of -html", "<!DOCTYPE html>\n<!-- The page of a tournament.",
                             NULL};
static const OutKind chart = {"a chart", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"",
                              NULL};
static const OutKind traffic = {"a log of -log", NULL, traffic_is_log};
static const OutKind games = {"a file of -usiout", "# game ", NULL};

/* Rejects outputs that would destroy each other or a file of the user, before any of them is
 * opened. Most outputs must be new or empty, or are continued with -resume; their writers check
 * that. Pages and charts replace the ones of an earlier run, and logs are appended to earlier ones.
 * Engines append their stderr, so several engines may share a file. */
static SettingsStatus guard_outputs(const MatchSettings *settings, StrBuf *error) {
    const OutFile outputs[] = {
        {settings->results.path, NULL, NULL, true},
        {settings->games_path, settings->results.resumes ? &games : NULL, NULL, true},
        {settings->log_path, &traffic, NULL, true},
        {settings->maker.path, NULL, NULL, true},
        {settings->spsa.csv_path, NULL, NULL, true},
        {settings->html_path, &page, NULL, false},
        {settings->spsa.svg_path, &chart, NULL, false},
    };
    for (int i = 0; i < settings->contest.engine_count; i++) {
        for (size_t k = 0; k < COUNTOF(outputs); k++) {
            if (outguard_is_clash(outputs[k].path, settings->contest.engines[i].stderr_path)) {
                outguard_keep(outputs[k].path, OUTGUARD_OUTPUT, error);
                return SETTINGS_WRONG;
            }
        }
    }
    bool is_good = outguard_check(outputs, (int)COUNTOF(outputs), NULL, error);
    bool is_clash = sv_ends_with(strbuf_view(error), SV(OUTGUARD_OUTPUT));
    return is_good ? SETTINGS_OK : is_clash ? SETTINGS_WRONG : SETTINGS_NO_FILE;
}

/* ---- Tasks. ---- */

/* Returns the exit status. If output was lost, that is an error, whatever the results of the
 * games. */
static int flush_output(int status) {
    if (fflush(stdout) == 0 && ferror(stdout) == 0) {
        return status;
    }
    fprintf(stderr, "komadori-match: standard output could not be written\n");
    return status != EXIT_SUCCESS ? status : EXIT_FAILURE;
}

static int perform_task(MatchSettings *settings) {
    MatchReport report;
    matchreport_init(&report, stdout, &settings->report);
    proc_catch_end(cancel_on_signal);
    const EngineSpec *engine = &settings->contest.engines[0];
    if (settings->maker.path != NULL) {
        pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        EngineWarnings warnings = {.report = &report, .lock = &lock};
        const PlayerSink sink = {matchreport_warn_of_engine, &warnings, NULL};
        bool is_good = openmaker_run(&settings->maker, engine, &settings->player_rules, &sink,
                                     stdout, &cancel);
        matchreport_free_warnings(&warnings);
        return is_good ? EXIT_SUCCESS : atomic_load(&cancel) ? INTERRUPTED : EXIT_FAILURE;
    }
    if (settings->is_compliance) {
        bool is_good = compliance_run(engine, &settings->player_rules, stdout, &cancel);
        if (!is_good && atomic_load(&cancel)) {
            matchreport_line(&report, "interrupted");
            return INTERRUPTED;
        }
        return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    bool is_tuning = settings->spsa.params_path != NULL;
    switch (settings->merge.count > 0 ? tourney_merge(settings, &report)
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
        return flush_output(EXIT_SUCCESS);
    }
    rules_init();
    proc_init();
    SettingsStatus read = settings_read(argc - 1, argv + 1, &settings, &error);
    if (read == SETTINGS_OK && !settings.wants_version) {
        read = guard_outputs(&settings, &error);
    }
    int status = read == SETTINGS_WRONG ? 2 : EXIT_FAILURE;
    if (read != SETTINGS_OK) {
        fprintf(stderr, "komadori-match: %s\n", error.ptr);
    } else if (settings.wants_version) {
        printf("komadori-match %s\nbuild    %s\n", KMD_VERSION, buildinfo_text());
        status = EXIT_SUCCESS;
    } else {
        status = perform_task(&settings);
    }
    strbuf_free(&error);
    settings_free(&settings);
    return flush_output(status);
}
