/* An option is a word that begins with - or --; the words up to the next such word are its values.
 */
#include "tools/match/matchargs.h"

#include <stdlib.h>
#include <string.h>

#include "base/fileio.h"
#include "base/xmem.h"
#include "tools/match/engineargs.h"
#include "tools/match/matchoptions.h"

static bool read_engine_words(MatchArgs *args, EngineSpec *engine, const ArgValues *values) {
    for (int i = 0; i < values->count; i++) {
        StrView word = sv_from(values->words[i]);
        if (!engineargs_read(engine, word)) {
            return matchoptions_refuse(args, values->option, word);
        }
    }
    return true;
}

/* The file name without directories, of Windows too. */
static StrView base_name(StrView path) {
    for (size_t i = path.len; i > 0; i--) {
        if (path.ptr[i - 1] == '/' || path.ptr[i - 1] == '\\') {
            return sv_skip(path, i);
        }
    }
    return path;
}

static bool has_name(const MatchSettings *settings, int before, const char *name) {
    for (int i = 0; i < before; i++) {
        if (strcmp(settings->engines[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Every engine needs a name of its own. */
static void settle_name(MatchSettings *settings, int index) {
    EngineSpec *engine = &settings->engines[index];
    StrBuf name = STRBUF_INIT;
    strbuf_add(&name,
               engine->name != NULL ? sv_from(engine->name) : base_name(sv_from(engine->argv[0])));
    size_t len = name.len;
    for (int number = 2; has_name(settings, index, name.ptr); number++) {
        name.len = len;
        strbuf_addf(&name, "-%d", number);
    }
    args_set_text(&engine->name, strbuf_view(&name));
    strbuf_free(&name);
}

static bool read_engine(MatchArgs *args, int index) {
    MatchSettings *settings = args->settings;
    EngineSpec *engine = &settings->engines[index];
    engine->tc.margin_ms = args->margin_ms;
    for (int i = 0; i < args->each.count; i++) {
        if (!read_engine_words(args, engine, &args->each.items[i])) {
            return false;
        }
    }
    if (!read_engine_words(args, engine, &args->engines.items[index])) {
        return false;
    }
    if (engine->argc == 0 || engine->argv[0][0] == '\0') {
        strbuf_addf(args->error, "-engine: number %d has no cmd", index + 1);
        return false;
    }
    settle_name(settings, index);
    if (!tc_is_limited(&engine->tc)) {
        strbuf_addf(args->error, "-engine: %s has no limit: give tc, byoyomi, st, nodes or depth",
                    engine->name);
        return false;
    }
    if (engine->tc.has_clock &&
        engine->tc.main_ms + engine->tc.inc_ms + engine->tc.byoyomi_ms == 0) {
        strbuf_addf(args->error, "-engine: %s has a clock without time", engine->name);
        return false;
    }
    if (engine->tc.inc_ms > 0 && engine->tc.byoyomi_ms > 0) {
        strbuf_addf(args->error, "-engine: %s has both an increment and byoyomi", engine->name);
        return false;
    }
    return true;
}

static bool read_options(MatchArgs *args, int count, char *const *words) {
    for (int i = 0; i < count;) {
        ArgValues values = {words[i], words + i + 1, 0};
        i++;
        while (i < count && matchoptions_name(words[i]).len == 0) {
            i++;
            values.count++;
        }
        if (!matchoptions_read(args, &values)) {
            return false;
        }
    }
    return true;
}

static bool load_openings(MatchArgs *args) {
    Openings *openings = &args->settings->openings;
    OpeningsError fault;
    if (args->openings_path == NULL) {
        openings_start(openings);
    } else if (!openings_load(args->openings_path, &args->settings->rules, openings, &fault)) {
        strbuf_addf(args->error, "%s", args->openings_path);
        if (fault.line > 0) {
            strbuf_addf(args->error, ", line %d", fault.line);
        }
        strbuf_addf(args->error, ": %s", fault.text);
        return false;
    }
    if (args->is_shuffled) {
        openings_shuffle(openings, (uint64_t)args->seed);
    }
    if (args->first_opening > openings->count) {
        strbuf_addf(args->error, "-openings: start=%d is behind the last opening, %d",
                    args->first_opening, openings->count);
        return false;
    }
    openings_begin_at(openings, args->first_opening - 1);
    return true;
}

/* True, with the fault noted, where something is asked for that only a tournament has. */
static bool plays_tournament(MatchArgs *args, const char *mode) {
    const MatchSettings *settings = args->settings;
    const char *option = settings->has_sprt               ? "-sprt"
                         : settings->results_path != NULL ? "-results"
                         : settings->games_path != NULL   ? "-usiout"
                         : settings->records_dir != NULL  ? "-records"
                                                          : NULL;
    if (option != NULL) {
        strbuf_addf(args->error, "%s: not together with %s", option, mode);
    }
    return option != NULL;
}

/* Reads the file of -spsa. The engine is told of each parameter as of an option of the user's, so
 * that one that it does not announce is warned of. */
static bool load_params(MatchArgs *args) {
    SpsaRules *rules = &args->settings->spsa;
    StrBuf text = STRBUF_INIT;
    int failure = file_read(rules->params_path, &text);
    strbuf_add_str(args->error, rules->params_path);
    if (failure != 0) {
        strbuf_addf(args->error, ": %s", file_error_text(failure));
    }
    bool is_good = failure == 0 && spsa_read_params(strbuf_view(&text), rules, args->error);
    for (int i = 0; is_good && i < rules->count; i++) {
        strbuf_clear(&text);
        spsa_add_value(&rules->params[i], rules->params[i].start, &text);
        engineargs_set_option(&args->settings->engines[0], sv_from(rules->params[i].name),
                              strbuf_view(&text));
    }
    strbuf_free(&text);
    return is_good;
}

/* What can be said only when all words have been read. */
static bool settle(MatchArgs *args) {
    enum { GAMES_MAX = 20000000, SPRT_GAMES = 2000000 };
    MatchSettings *settings = args->settings;
    Schedule *schedule = &settings->schedule;
    const char *mode = settings->maker.path != NULL         ? "-makeopenings"
                       : settings->spsa.params_path != NULL ? "-spsa"
                                                            : NULL;
    if (mode != NULL && args->engines.count != 1) {
        strbuf_addf(args->error, "%s: wants one -engine", mode);
        return false;
    }
    if (mode == NULL && args->engines.count < 2) {
        strbuf_add_str(args->error, "give two or more -engine; --help lists the options");
        return false;
    }
    settings->engine_count = args->engines.count;
    settings->engines = xmem_calloc((size_t)settings->engine_count, sizeof(settings->engines[0]));
    for (int i = 0; i < settings->engine_count; i++) {
        if (!read_engine(args, i)) {
            return false;
        }
    }
    settings->player_rules.declare_rule = declare_rule_name(settings->rules.declare);
    settings->player_rules.max_plies = settings->rules.max_plies;
    settings->spsa.seed = (uint64_t)args->seed;
    if (mode != NULL) {
        return !plays_tournament(args, mode);
    }
    if (settings->resumes && settings->results_path == NULL) {
        strbuf_add_str(args->error, "-resume: wants -results, the file to go on from");
        return false;
    }
    if (settings->has_sprt && settings->engine_count != 2) {
        strbuf_add_str(args->error, "-sprt: only between two engines");
        return false;
    }
    schedule->engines = settings->engine_count;
    if (args->wants_pairs && schedule->games % 2 != 0) {
        strbuf_addf(args->error, "-repeat: wants an even number of -games, such as 2, not %d",
                    schedule->games);
        return false;
    }
    if (settings->has_sprt && !args->has_rounds) {
        schedule->rounds = int_max(SPRT_GAMES / schedule->games, 1);
    }
    if ((int64_t)schedule->rounds * schedule_encounters(schedule) * schedule->games > GAMES_MAX) {
        strbuf_add_str(args->error, "-rounds: more than 20 million games");
        return false;
    }
    return true;
}

MatchArgsStatus matchargs_read(int count, char *const *words, MatchSettings *settings,
                               StrBuf *error) {
    MatchArgs args = {.settings = settings, .first_opening = 1, .error = error};
    MatchArgsStatus status = MATCHARGS_OK;
    if (!read_options(&args, count, words) || !settle(&args)) {
        status = MATCHARGS_WRONG;
    } else if ((settings->maker.path == NULL && !load_openings(&args)) ||
               (settings->spsa.params_path != NULL && !load_params(&args))) {
        status = MATCHARGS_NO_FILE;
    }
    free(args.engines.items);
    free(args.each.items);
    return status;
}

static bool has_word(int count, char *const *words, StrView wanted) {
    for (int i = 0; i < count; i++) {
        if (sv_equal(matchoptions_name(words[i]), wanted)) {
            return true;
        }
    }
    return false;
}

bool matchargs_wants_help(int count, char *const *words) {
    return has_word(count, words, SV("help")) || has_word(count, words, SV("h"));
}

bool matchargs_wants_version(int count, char *const *words) {
    return has_word(count, words, SV("version"));
}

void matchargs_write_help(StrBuf *out) {
    strbuf_add_str(out, "komadori-match: plays matches and tournaments between USI engines\n"
                        "usage: komadori-match -engine cmd=A -engine cmd=B -each tc=10+0.1 "
                        "[-OPTION VALUES]...\n\n"
                        "Options (with - or --):\n");
    matchoptions_write_help(out);
    strbuf_add_str(out, "\nKeys of -engine and -each:\n");
    engineargs_write_help(out);
}
