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
#include "base/proc.h"
#include "komadori/version.h"
#include "match/compliance.h"
#include "match/openmaker.h"
#include "match/tourney.h"
#include "match/traffic.h"
#include "match/tuner.h"
#include "match/warnings.h"
#include "rules/rules.h"

enum { INTERRUPTED = 130 };

/* Global, because a signal handler can access only global data. */
static atomic_bool cancel;

static void handle_signal(int number) {
    atomic_store(&cancel, true);
    signal(number, SIG_DFL); /* a second signal ends the program at once */
}

/* ---- Outputs. ---- */

/* How a file begins that may be replaced or appended to, and the name of its kind. */
typedef struct Kind {
    const char *start; /* NULL: is_start decides */
    const char *name;
    bool (*is_start)(StrView start); /* given at most FILE_START_MOST bytes */
    bool is_appended;
} Kind;

static const Kind page = {.start = "<!DOCTYPE html>\n<!-- The page of a tournament.",
                          .name = "a page of -html"};
static const Kind chart = {.start = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"",
                           .name = "a chart"};
static const Kind traffic = {
    .name = "a log of -log", .is_start = traffic_is_log, .is_appended = true};
static const Kind games = {.start = "# game ", .name = "a file of -usiout", .is_appended = true};

typedef struct Output {
    const char *path; /* NULL: not requested */
    const Kind *kind; /* NULL: the file must be new or empty, or its writer recognises it */
} Output;

/* True if several outputs may go there: a pipe or a device. */
static bool is_device(const char *path) {
    FileStart start;
    int error = file_check_regular(path);
    return error == EINVAL ||
           (error == 0 && file_read_start(path, 0, &start) == 0 && !start.is_regular);
}

static bool is_clash(const char *a, const char *b) {
    return a != NULL && b != NULL && file_is_same(a, b) && !is_device(a);
}

/* True if the file has contents that are not of this kind. */
static bool is_foreign(const char *path, const Kind *kind) {
    FileStart start;
    if (file_check_regular(path) != 0 || file_read_start(path, FILE_START_MOST, &start) != 0 ||
        !start.is_regular || start.file_len == 0) {
        return false;
    }
    StrView bytes = {start.bytes, start.len};
    return kind->start != NULL ? !sv_starts_with(bytes, sv_from(kind->start))
                               : !kind->is_start(bytes);
}

/* Engines append their stderr, so several engines may share a file. */
static bool is_stderr(const MatchSettings *settings, const char *path) {
    bool is_found = false;
    for (int i = 0; i < settings->contest.engine_count; i++) {
        is_found = is_found || is_clash(path, settings->contest.engines[i].stderr_path);
    }
    return is_found;
}

/* Rejects outputs that would destroy each other or a file of the user, before any of them is
 * opened. Most outputs must be new or empty, or are continued with -resume; their writers check
 * that. Pages, charts and tables replace the ones of an earlier run, and logs are appended to
 * earlier ones; both are recognised by their first bytes. Pages, charts and tables are written
 * late, so whether they can be written is tested here. */
static SettingsStatus check_outputs(const MatchSettings *settings, StrBuf *error) {
    const Output outputs[] = {
        {settings->results.path, NULL},
        {settings->games_path, settings->results.resumes ? &games : NULL},
        {settings->log_path, &traffic},
        {settings->maker.path, NULL},
        {settings->spsa.csv_path, NULL},
        {settings->html_path, &page},
        {settings->spsa.svg_path, &chart},
    };
    for (size_t i = 0; i < COUNTOF(outputs); i++) {
        bool is_twice = is_stderr(settings, outputs[i].path);
        for (size_t k = 0; k < i; k++) {
            is_twice = is_twice || is_clash(outputs[i].path, outputs[k].path);
        }
        if (is_twice) {
            strbuf_addf(error, "%s: two outputs have this name", outputs[i].path);
            return SETTINGS_WRONG;
        }
    }
    for (size_t i = 0; i < COUNTOF(outputs); i++) {
        const Output *output = &outputs[i];
        if (output->path == NULL || output->kind == NULL) {
            continue;
        }
        if (is_foreign(output->path, output->kind)) {
            strbuf_addf(error, "%s exists and is not %s; name another file", output->path,
                        output->kind->name);
            return SETTINGS_NO_FILE;
        }
        int failure = output->kind->is_appended ? 0 : file_check_write(output->path);
        if (failure != 0) {
            strbuf_addf(error, "%s: %s", output->path, file_error_text(failure));
            return SETTINGS_NO_FILE;
        }
    }
    return SETTINGS_OK;
}

/* ---- Tasks. ---- */

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
    if (settings->preset > 0) {
        matchreport_line(&report, "preset %s (%s): %s", settings_preset_name(settings->preset),
                         settings_preset_source(settings->preset),
                         settings_preset_words(settings->preset));
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
        return finish(EXIT_SUCCESS);
    }
    rules_init();
    proc_init();
    SettingsStatus read = settings_read(argc - 1, argv + 1, &settings, &error);
    if (read == SETTINGS_OK && !settings.wants_version) {
        read = check_outputs(&settings, &error);
    }
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
