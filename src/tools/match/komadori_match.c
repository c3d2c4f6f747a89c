/* komadori-match: the program. docs/match.md is its manual.
 *
 * Exit status: 0 played to the end, 1 something is missing or could not be written, 2 wrong use,
 * 130 interrupted. */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buildinfo.h"
#include "base/proc.h"
#include "komadori/version.h"
#include "rules/rules.h"
#include "tools/match/matchargs.h"
#include "tools/match/tuner.h"

enum { INTERRUPTED = 130 };

/* The one thing that a signal handler may touch, so it cannot hang from anything. */
static atomic_bool cancel;

static void handle_signal(int number) {
    atomic_store(&cancel, true);
    signal(number, SIG_DFL); /* a second one ends the program at once */
}

static int show_help(void) {
    StrBuf text = STRBUF_INIT;
    matchargs_write_help(&text);
    fputs(text.ptr, stdout);
    strbuf_free(&text);
    return EXIT_SUCCESS;
}

static int make_openings(const MatchSettings *settings) {
    bool is_good = openmaker_run(&settings->maker, &settings->engines[0], &settings->player_rules,
                                 stdout, &cancel);
    return is_good ? EXIT_SUCCESS : atomic_load(&cancel) ? INTERRUPTED : EXIT_FAILURE;
}

/* Lost output is a failure, whatever came of the games. */
static int finish(int status) {
    if (fflush(stdout) == 0 && ferror(stdout) == 0) {
        return status;
    }
    fprintf(stderr, "komadori-match: standard output could not be written\n");
    return status != EXIT_SUCCESS ? status : EXIT_FAILURE;
}

static int run(const MatchSettings *settings) {
    MatchReport report = {.stream = stdout, .is_terminal = isatty(STDOUT_FILENO)};
    proc_catch_end(handle_signal);
    if (settings->maker.path != NULL) {
        return make_openings(settings);
    }
    bool is_tuning = settings->spsa.params_path != NULL;
    switch ((is_tuning ? tuner_run : tourney_run)(settings, &report, &cancel)) {
    case TOURNEY_DONE:
        return EXIT_SUCCESS;
    case TOURNEY_INTERRUPTED:
        report_line(&report, "interrupted");
        return INTERRUPTED;
    case TOURNEY_FAILED:
        break;
    }
    return EXIT_FAILURE;
}

int main(int argc, char **argv) {
    StrBuf error = STRBUF_INIT;
    if (matchargs_wants_help(argc - 1, argv + 1)) {
        return finish(show_help());
    }
    if (matchargs_wants_version(argc - 1, argv + 1)) {
        printf("komadori-match %s\nbuild    %s\n", KMD_VERSION, buildinfo_text());
        return finish(EXIT_SUCCESS);
    }
    rules_init();
    proc_init();
    MatchSettings settings = settings_default();
    MatchArgsStatus args = matchargs_read(argc - 1, argv + 1, &settings, &error);
    int status = args == MATCHARGS_WRONG ? 2 : EXIT_FAILURE;
    if (args == MATCHARGS_OK) {
        status = run(&settings);
    } else {
        fprintf(stderr, "komadori-match: %s\n", error.ptr);
    }
    strbuf_free(&error);
    settings_free(&settings);
    return finish(status);
}
