/* komadori_match.c: the match runner, komadori-match. docs/match.md is its manual.
 *
 * The exit status is 0 if everything was played, 1 if something is missing or could not be written,
 * 2 for wrong arguments, and 130 if the program was interrupted. */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/fileio.h"
#include "base/outguard.h"
#include "base/proc.h"
#include "komadori/version.h"
#include "match/task.h"
#include "play/player.h"
#include "rules/position.h"

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
static const OutKind engine_log = {"a log of -log", NULL, player_log_is_start};

/* Rejects outputs that would destroy each other or a file of the user, before any of them is
 * opened. Most outputs must be new or empty, or are continued with -resume. Pages and charts
 * replace the ones of an earlier run, and logs are appended to earlier ones. Engines append their
 * stderr, so several engines may share a file. */
static SettingsStatus guard_outputs(const MatchSettings *settings, StrBuf *error) {
    const Args *merged = settings->merge.count > 0 ? &settings->merge.items[0] : NULL;
    const char *advice = merged != NULL              ? "name another file"
                         : settings->results.resumes ? NULL
                                                     : "continue it with -resume";
    const OutFile outputs[] = {
        {settings->results.path, NULL, advice, true},
        {settings->log_path, &engine_log, NULL, true},
        {settings->maker.path, NULL, "name another file", true},
        {settings->spsa.csv_path, NULL, advice, true},
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
    bool is_good = outguard_check(outputs, (int)COUNTOF(outputs), merged, error);
    bool is_clash = sv_ends_with(strbuf_view(error), SV(OUTGUARD_OUTPUT));
    return is_good ? SETTINGS_OK : is_clash ? SETTINGS_WRONG : SETTINGS_NO_FILE;
}

/* ---- Tasks. ---- */

static int perform_task(const MatchSettings *settings) {
    MatchReport report;
    matchreport_init(&report, stdout, &settings->report, settings->contest.concurrency);
    proc_catch_end(cancel_on_signal);
    TaskStatus (*const task)(const MatchSettings *, MatchReport *, atomic_bool *) =
        settings->maker.path != NULL         ? task_make_openings
        : settings->is_compliance            ? task_check_engine
        : settings->spsa.params_path != NULL ? task_tune
        : settings->merge.count > 0          ? task_merge
                                             : task_play;
    TaskStatus status = task(settings, &report, &cancel);
    if (status == TASK_INTERRUPTED) {
        matchreport_line(&report, "interrupted");
    }
    matchreport_free(&report);
    return status == TASK_DONE          ? EXIT_SUCCESS
           : status == TASK_INTERRUPTED ? INTERRUPTED
                                        : EXIT_FAILURE;
}

int main(int argc, char **argv) {
    const ArgCommand *const commands[] = {settings_command(), NULL};
    const Args args = {argc - 1, (const char **)argv + 1};
    StrBuf error = STRBUF_INIT;
    MatchSettings settings;
    if (cmdline_answer(commands, NULL, &args, &error)) {
        fputs(error.ptr != NULL ? error.ptr : "", stdout);
        strbuf_free(&error);
        return file_finish_stdout("komadori-match", EXIT_SUCCESS);
    }
    pos_init_tables();
    proc_init();
    SettingsStatus read = settings_read(argc - 1, argv + 1, &settings, &error);
    if (read == SETTINGS_OK && !settings.wants_version) {
        read = guard_outputs(&settings, &error);
    }
    int status = read == SETTINGS_WRONG ? 2 : EXIT_FAILURE;
    if (read != SETTINGS_OK) {
        fprintf(stderr, "komadori-match: %s\n", error.ptr);
    } else if (settings.wants_version) {
        printf("komadori-match %s\nbuild    %s\n", KMD_VERSION, base_build_text());
        status = EXIT_SUCCESS;
    } else {
        status = perform_task(&settings);
    }
    strbuf_free(&error);
    settings_free(&settings);
    return file_finish_stdout("komadori-match", status);
}
