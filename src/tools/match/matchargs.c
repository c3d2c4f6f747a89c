/* An option is a word that begins with - or --; the words up to the next such word are its values.
 * One table holds all options with their help, one the keys of -engine and -each. */
#include "tools/match/matchargs.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"

/* The values of one option. */
typedef struct Values {
    const char *option; /* for messages */
    char *const *words;
    int count;
} Values;

/* An option that may come several times. */
typedef struct ValuesList {
    Values *items;
    int count;
    size_t cap;
} ValuesList;

/* What is being read. */
typedef struct Reader {
    MatchSettings *settings;
    ValuesList engines; /* -engine as often as it comes; read after -each */
    ValuesList each;
    const char *openings_path;
    bool is_shuffled;
    bool has_rounds;
    int64_t seed;
    int64_t margin_ms; /* for engines without one of their own */
    StrBuf *error;
} Reader;

static char *copy_text(StrView text) {
    char *copy = xmem_alloc(text.len + 1, 1);
    if (text.len > 0) {
        memcpy(copy, text.ptr, text.len);
    }
    copy[text.len] = '\0';
    return copy;
}

static void set_text(char **place, StrView text) {
    free(*place);
    *place = copy_text(text);
}

/* Notes the fault and returns false, for `return refuse(...)`. */
static bool refuse(Reader *reader, const char *option, StrView word) {
    strbuf_addf(reader->error, "%s: cannot use \"%.*s\"", option, (int)word.len,
                word.ptr != NULL ? word.ptr : "");
    return false;
}

/* Splits "key=value"; a word without = has an empty value. */
static StrView split_key(StrView word, StrView *value) {
    size_t at = sv_find_byte(word, '=');
    *value = sv_skip(word, at + 1);
    return sv_take(word, at);
}

/* Exactly one value. */
static bool single(const Values *values, Reader *reader, StrView *word) {
    *word = values->count > 0 ? sv_from(values->words[0]) : SV("");
    if (values->count != 1) {
        strbuf_addf(reader->error, "%s: wants one value", values->option);
        return false;
    }
    return true;
}

static bool single_int(const Values *values, Reader *reader, int low, int *out) {
    StrView word;
    if (!single(values, reader, &word)) {
        return false;
    }
    return sv_to_int(word, low, 100000000, out) || refuse(reader, values->option, word);
}

/* ---- -engine and -each ----------------------------------------------------------------------- */

static void add_argument(EngineSpec *engine, StrView text) {
    engine->argv = xmem_realloc(engine->argv, (size_t)engine->argc + 2, sizeof(char *));
    engine->argv[engine->argc++] = copy_text(text);
    engine->argv[engine->argc] = NULL;
}

static bool key_cmd(EngineSpec *engine, StrView value) {
    if (engine->argc == 0) {
        add_argument(engine, value);
    } else {
        set_text(&engine->argv[0], value);
    }
    return value.len > 0;
}

static bool key_arg(EngineSpec *engine, StrView value) {
    if (engine->argc == 0) {
        add_argument(engine, SV(""));
    }
    add_argument(engine, value);
    return true;
}

static bool key_args(EngineSpec *engine, StrView value) {
    Tokenizer tok = {value};
    StrView word;
    while (tok_next(&tok, &word)) {
        (void)key_arg(engine, word);
    }
    return true;
}

static bool key_name(EngineSpec *engine, StrView value) {
    set_text(&engine->name, value);
    return value.len > 0;
}

static bool key_dir(EngineSpec *engine, StrView value) {
    set_text(&engine->dir, value);
    return value.len > 0;
}

static bool key_stderr(EngineSpec *engine, StrView value) {
    set_text(&engine->stderr_path, value);
    return value.len > 0;
}

static bool key_tc(EngineSpec *engine, StrView value) {
    return tc_read_clock(value, &engine->tc);
}

static bool key_byoyomi(EngineSpec *engine, StrView value) {
    engine->tc.has_clock = true;
    return tc_read_seconds(value, &engine->tc.byoyomi_ms);
}

static bool key_st(EngineSpec *engine, StrView value) {
    return tc_read_seconds(value, &engine->tc.movetime_ms);
}

static bool key_nodes(EngineSpec *engine, StrView value) {
    return sv_to_u64(value, 1, INT64_MAX, &engine->tc.nodes);
}

static bool key_depth(EngineSpec *engine, StrView value) {
    return sv_to_int(value, 1, 1000, &engine->tc.depth);
}

static bool key_margin(EngineSpec *engine, StrView value) {
    return sv_to_i64(value, 0, 1000000, &engine->tc.margin_ms);
}

static bool key_proto(EngineSpec *engine, StrView value) {
    (void)engine;
    return sv_equal(value, SV("usi"));
}

/* A key that stands alone, or with on/off, true/false. */
static bool read_switch(StrView value, bool *out) {
    bool is_on = value.len == 0 || sv_equal(value, SV("on")) || sv_equal(value, SV("true"));
    *out = is_on;
    return is_on || sv_equal(value, SV("off")) || sv_equal(value, SV("false")) ||
           sv_equal(value, SV("auto"));
}

static bool key_ponder(EngineSpec *engine, StrView value) {
    return read_switch(value, &engine->ponders);
}

static bool key_restart(EngineSpec *engine, StrView value) {
    return read_switch(value, &engine->restarts);
}

typedef struct EngineKey {
    const char *name;
    bool (*read)(EngineSpec *engine, StrView value);
    const char *help;
} EngineKey;

static const EngineKey engine_keys[] = {
    {"cmd", key_cmd, "program to run; with a slash relative to the current directory"},
    {"name", key_name, "name in tables (default: the program's)"},
    {"arg", key_arg, "one argument for the program; may be given several times"},
    {"args", key_args, "arguments separated by blanks"},
    {"dir", key_dir, "working directory of the program"},
    {"stderr", key_stderr, "file that the program's stderr is appended to (default: none)"},
    {"tc", key_tc, "clock as [MIN:]SEC[+INC], Fischer increments; or inf"},
    {"byoyomi", key_byoyomi, "seconds for every move once the main time is used"},
    {"st", key_st, "fixed seconds for every move (go movetime)"},
    {"nodes", key_nodes, "fixed nodes for every move"},
    {"depth", key_depth, "fixed depth for every move"},
    {"margin", key_margin, "milliseconds that an answer may come late (default 0)"},
    {"timemargin", key_margin, "the same"},
    {"ponder", key_ponder, "think on the opponent's time"},
    {"restart", key_restart, "a new process for each game"},
    {"proto", key_proto, "only usi"},
};

static void add_option(EngineSpec *engine, StrView name, StrView value) {
    for (int i = 0; i < engine->option_count; i++) {
        if (sv_equal_nocase(sv_from(engine->options[i].name), name)) {
            set_text(&engine->options[i].value, value);
            return;
        }
    }
    engine->options =
        xmem_realloc(engine->options, (size_t)engine->option_count + 1, sizeof(engine->options[0]));
    engine->options[engine->option_count++] = (EngineOption){copy_text(name), copy_text(value)};
}

static bool read_engine_word(Reader *reader, EngineSpec *engine, const Values *values,
                             StrView word) {
    StrView value;
    StrView key = split_key(word, &value);
    if (sv_starts_with(key, SV("option.")) && key.len > 7) {
        add_option(engine, sv_skip(key, 7), value);
        return true;
    }
    for (size_t i = 0; i < COUNTOF(engine_keys); i++) {
        if (sv_equal(key, sv_from(engine_keys[i].name))) {
            return engine_keys[i].read(engine, value) || refuse(reader, values->option, word);
        }
    }
    return refuse(reader, values->option, word);
}

static bool read_engine_words(Reader *reader, EngineSpec *engine, const Values *values) {
    for (int i = 0; i < values->count; i++) {
        if (!read_engine_word(reader, engine, values, sv_from(values->words[i]))) {
            return false;
        }
    }
    return true;
}

/* The file name without directories. */
static StrView base_name(StrView path) {
    for (size_t i = path.len; i > 0; i--) {
        if (path.ptr[i - 1] == '/') {
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
    set_text(&engine->name, strbuf_view(&name));
    strbuf_free(&name);
}

static bool read_engine(Reader *reader, int index) {
    MatchSettings *settings = reader->settings;
    EngineSpec *engine = &settings->engines[index];
    engine->tc.margin_ms = reader->margin_ms;
    for (int i = 0; i < reader->each.count; i++) {
        if (!read_engine_words(reader, engine, &reader->each.items[i])) {
            return false;
        }
    }
    if (!read_engine_words(reader, engine, &reader->engines.items[index])) {
        return false;
    }
    if (engine->argc == 0 || engine->argv[0][0] == '\0') {
        strbuf_addf(reader->error, "-engine: number %d has no cmd", index + 1);
        return false;
    }
    settle_name(settings, index);
    if (!tc_is_limited(&engine->tc)) {
        strbuf_addf(reader->error, "-engine: %s has no limit: give tc, byoyomi, st, nodes or depth",
                    engine->name);
        return false;
    }
    if (engine->tc.inc_ms > 0 && engine->tc.byoyomi_ms > 0) {
        strbuf_addf(reader->error, "-engine: %s has both an increment and byoyomi", engine->name);
        return false;
    }
    return true;
}

/* ---- the other options ----------------------------------------------------------------------- */

static void list_add(ValuesList *list, const Values *values) {
    list->items =
        xmem_grow(list->items, &list->cap, (size_t)list->count + 1, sizeof(list->items[0]));
    list->items[list->count++] = *values;
}

static bool opt_engine(Reader *reader, const Values *values) {
    list_add(&reader->engines, values);
    return true;
}

static bool opt_each(Reader *reader, const Values *values) {
    list_add(&reader->each, values);
    return true;
}

static bool opt_tournament(Reader *reader, const Values *values) {
    StrView word;
    if (!single(values, reader, &word)) {
        return false;
    }
    bool is_gauntlet = sv_equal(word, SV("gauntlet"));
    reader->settings->schedule.kind = is_gauntlet ? GAUNTLET : ROUND_ROBIN;
    return is_gauntlet || sv_equal(word, SV("round-robin")) || sv_equal(word, SV("roundrobin")) ||
           sv_equal(word, SV("match")) || refuse(reader, values->option, word);
}

static bool opt_rounds(Reader *reader, const Values *values) {
    reader->has_rounds = true;
    return single_int(values, reader, 1, &reader->settings->schedule.rounds);
}

static bool opt_games(Reader *reader, const Values *values) {
    return single_int(values, reader, 1, &reader->settings->schedule.games);
}

static bool opt_repeat(Reader *reader, const Values *values) {
    reader->settings->schedule.repeats = true;
    int times;
    return values->count == 0 || single_int(values, reader, 2, &times);
}

static bool opt_norepeat(Reader *reader, const Values *values) {
    (void)values;
    reader->settings->schedule.repeats = false;
    return true;
}

static bool opt_concurrency(Reader *reader, const Values *values) {
    return single_int(values, reader, 1, &reader->settings->concurrency);
}

static bool opt_openings(Reader *reader, const Values *values) {
    for (int i = 0; i < values->count; i++) {
        StrView word = sv_from(values->words[i]);
        StrView value;
        StrView key = split_key(word, &value);
        if (sv_equal(key, SV("file"))) {
            reader->openings_path = value.ptr; /* the word ends in a NUL, so its tail does */
        } else if (sv_equal(key, SV("order")) &&
                   (sv_equal(value, SV("random")) || sv_equal(value, SV("sequential")))) {
            reader->is_shuffled = sv_equal(value, SV("random"));
        } else {
            return refuse(reader, values->option, word);
        }
    }
    return true;
}

static bool opt_seed(Reader *reader, const Values *values) {
    StrView word;
    return single(values, reader, &word) &&
           (sv_to_i64(word, 0, INT64_MAX, &reader->seed) || refuse(reader, values->option, word));
}

static bool opt_maxmoves(Reader *reader, const Values *values) {
    return single_int(values, reader, 0, &reader->settings->rules.max_plies);
}

static bool opt_rule(Reader *reader, const Values *values) {
    StrView word;
    return single(values, reader, &word) &&
           (declare_rule_read(word, &reader->settings->rules.declare) ||
            refuse(reader, values->option, word));
}

static bool opt_margin(Reader *reader, const Values *values) {
    int margin_ms = 0;
    bool is_good = single_int(values, reader, 0, &margin_ms);
    reader->margin_ms = margin_ms;
    return is_good;
}

/* A place for the whole number of a key. */
typedef struct IntKey {
    const char *name;
    int low;
    int *place;
} IntKey;

/* Reads key=number words; a key that is not in the list is given to `other`, if there is one. */
static bool read_int_keys(Reader *reader, const Values *values, const IntKey *keys, int count,
                          bool (*other)(Reader *reader, StrView key, StrView value)) {
    for (int i = 0; i < values->count; i++) {
        StrView word = sv_from(values->words[i]);
        StrView value;
        StrView key = split_key(word, &value);
        bool is_good = other != NULL && other(reader, key, value);
        for (int k = 0; k < count && !is_good; k++) {
            is_good = sv_equal(key, sv_from(keys[k].name)) &&
                      sv_to_int(value, keys[k].low, 100000000, keys[k].place);
        }
        if (!is_good) {
            return refuse(reader, values->option, word);
        }
    }
    return true;
}

static bool read_two_sided(Reader *reader, StrView key, StrView value) {
    return sv_equal(key, SV("twosided")) &&
           read_switch(value, &reader->settings->adjudication.is_resign_mutual);
}

static bool opt_resign(Reader *reader, const Values *values) {
    AdjudicationRules *rules = &reader->settings->adjudication;
    rules->resign_moves = 3;
    rules->resign_score = 2000;
    const IntKey keys[] = {{"movecount", 1, &rules->resign_moves},
                           {"score", 1, &rules->resign_score}};
    return read_int_keys(reader, values, keys, COUNTOF(keys), read_two_sided);
}

static bool opt_draw(Reader *reader, const Values *values) {
    AdjudicationRules *rules = &reader->settings->adjudication;
    rules->draw_moves = 8;
    rules->draw_score = 20;
    rules->draw_from_ply = 160;
    const IntKey keys[] = {{"movecount", 1, &rules->draw_moves},
                           {"score", 0, &rules->draw_score},
                           {"movenumber", 0, &rules->draw_from_ply}};
    return read_int_keys(reader, values, keys, COUNTOF(keys), NULL);
}

static bool read_sprt_word(SprtTest *test, StrView key, StrView value) {
    if (sv_equal(key, SV("elo0"))) {
        return sv_to_double(value, -1000.0, 1000.0, &test->elo0);
    }
    if (sv_equal(key, SV("elo1"))) {
        return sv_to_double(value, -1000.0, 1000.0, &test->elo1);
    }
    if (sv_equal(key, SV("alpha"))) {
        return sv_to_double(value, 1e-6, 0.5, &test->alpha);
    }
    if (sv_equal(key, SV("beta"))) {
        return sv_to_double(value, 1e-6, 0.5, &test->beta);
    }
    bool is_logistic = sv_equal(value, SV("logistic"));
    test->model = is_logistic ? SPRT_LOGISTIC : SPRT_NORMALISED;
    return sv_equal(key, SV("model")) &&
           (is_logistic || sv_equal(value, SV("normalized")) || sv_equal(value, SV("normalised")));
}

static bool opt_sprt(Reader *reader, const Values *values) {
    SprtTest *test = &reader->settings->sprt;
    reader->settings->has_sprt = true;
    for (int i = 0; i < values->count; i++) {
        StrView word = sv_from(values->words[i]);
        StrView value;
        StrView key = split_key(word, &value);
        if (!read_sprt_word(test, key, value)) {
            return refuse(reader, values->option, word);
        }
    }
    if (test->elo0 >= test->elo1) {
        strbuf_addf(reader->error, "%s: elo0 must be less than elo1", values->option);
        return false;
    }
    return true;
}

static bool opt_timeouts(Reader *reader, const Values *values) {
    PlayerRules *rules = &reader->settings->player_rules;
    const struct {
        const char *name;
        int64_t *place;
    } keys[] = {{"usi", &rules->usi_ms},
                {"ready", &rules->ready_ms},
                {"stop", &rules->stop_ms},
                {"quit", &rules->quit_ms},
                {"hang", &rules->hang_ms}};
    for (int i = 0; i < values->count; i++) {
        StrView word = sv_from(values->words[i]);
        StrView value;
        StrView key = split_key(word, &value);
        bool is_good = false;
        for (size_t k = 0; k < COUNTOF(keys) && !is_good; k++) {
            is_good = sv_equal(key, sv_from(keys[k].name)) && tc_read_seconds(value, keys[k].place);
        }
        if (!is_good) {
            return refuse(reader, values->option, word);
        }
    }
    return true;
}

static bool read_path(Reader *reader, const Values *values, char **place) {
    StrView word;
    if (!single(values, reader, &word)) {
        return false;
    }
    set_text(place, sv_starts_with(word, SV("file=")) ? sv_skip(word, 5) : word);
    return true;
}

static bool opt_results(Reader *reader, const Values *values) {
    return read_path(reader, values, &reader->settings->results_path);
}

static bool opt_resume(Reader *reader, const Values *values) {
    (void)values;
    reader->settings->resumes = true;
    return true;
}

static bool opt_usiout(Reader *reader, const Values *values) {
    return read_path(reader, values, &reader->settings->games_path);
}

static bool opt_records(Reader *reader, const Values *values) {
    for (int i = 0; i < values->count; i++) {
        StrView word = sv_from(values->words[i]);
        StrView value;
        StrView key = split_key(word, &value);
        if (sv_equal(key, SV("dir")) && value.len > 0) {
            set_text(&reader->settings->records_dir, value);
        } else {
            const Codec *codec = sv_equal(key, SV("format")) ? kifu_codec_by_name(value) : NULL;
            if (codec == NULL) {
                return refuse(reader, values->option, word);
            }
            reader->settings->record_codec = codec;
        }
    }
    return true;
}

static bool opt_interval(Reader *reader, const Values *values) {
    return single_int(values, reader, 1, &reader->settings->report_every);
}

static bool read_maker_path(Reader *reader, StrView key, StrView value) {
    OpenMakerRules *rules = &reader->settings->maker;
    if (sv_equal(key, SV("file")) && value.len > 0) {
        set_text(&rules->path, value);
        return true;
    }
    return sv_equal(key, SV("seed")) && sv_to_u64(value, 0, UINT64_MAX, &rules->seed);
}

static bool opt_makeopenings(Reader *reader, const Values *values) {
    OpenMakerRules *rules = &reader->settings->maker;
    const IntKey keys[] = {
        {"count", 1, &rules->count},        {"minplies", 1, &rules->min_plies},
        {"maxplies", 1, &rules->max_plies}, {"score", 0, &rules->score},
        {"window", 0, &rules->window},      {"samples", 1, &rules->samples},
        {"nodes", 1, &rules->nodes},
    };
    if (!read_int_keys(reader, values, keys, COUNTOF(keys), read_maker_path)) {
        return false;
    }
    if (rules->path == NULL || rules->min_plies > rules->max_plies || rules->count > 1000000) {
        strbuf_addf(reader->error, "%s: wants file=, minplies up to maxplies, count to a million",
                    values->option);
        return false;
    }
    return true;
}

/* What holds anyway. */
static bool opt_nothing(Reader *reader, const Values *values) {
    (void)reader;
    (void)values;
    return true;
}

typedef struct MatchOption {
    const char *name;
    bool (*read)(Reader *reader, const Values *values);
    const char *values;
    const char *help;
} MatchOption;

static const MatchOption options[] = {
    {"engine", opt_engine, "KEY=VALUE...", "a player; see below. Give two or more"},
    {"each", opt_each, "KEY=VALUE...", "the same for all players; their own values win"},
    {"tournament", opt_tournament, "round-robin|gauntlet",
     "everybody against everybody (default), or the first against the others"},
    {"rounds", opt_rounds, "N", "rounds (default 1; with -sprt as many as it takes)"},
    {"games", opt_games, "N", "games of each encounter in a round (default 2)"},
    {"repeat", opt_repeat, "", "pairs of games from one opening with colours swapped (default)"},
    {"norepeat", opt_norepeat, "", "a new opening for each game"},
    {"openings", opt_openings, "file=F order=O",
     "SFEN or USI lines; order sequential (default) or random"},
    {"seed", opt_seed, "N", "seed of the random order (default 0)"},
    {"srand", opt_seed, "N", "the same"},
    {"concurrency", opt_concurrency, "N", "games at once (default 1)"},
    {"maxmoves", opt_maxmoves, "N", "draw after so many plies (default 320; 0: no limit)"},
    {"rule", opt_rule, "NAME",
     "impasse: NoEnteringKing, CSARule24, CSARule24H, CSARule27 (default), CSARule27H, TryRule"},
    {"margin", opt_margin, "MS", "milliseconds that answers may come late (default 0)"},
    {"resign", opt_resign, "movecount=N score=S twosided=on",
     "adjudge a loss after N moves in a row at -S or less (3, 2000, off)"},
    {"draw", opt_draw, "movenumber=P movecount=N score=S",
     "adjudge a draw from ply P after N moves in a row of both within S (160, 8, 20)"},
    {"sprt", opt_sprt, "elo0=A elo1=B alpha=P beta=Q model=M",
     "stop when decided (0, 5, 0.05, 0.05, normalized; or logistic); two engines only"},
    {"timeouts", opt_timeouts, "usi= ready= stop= quit= hang=",
     "seconds to usiok, readyok, bestmove after stop, end after quit, and any answer without a "
     "clock (10, 60, 3, 5, 120)"},
    {"results", opt_results, "FILE", "write the results as JSON lines"},
    {"resume", opt_resume, "", "go on from the results file"},
    {"usiout", opt_usiout, "FILE", "write the games as USI lines"},
    {"records", opt_records, "dir=D format=F",
     "write each game to a file in D: csa (default), kif, ki2, jkf, psn ..."},
    {"ratinginterval", opt_interval, "N", "games between two lines of progress (default 10)"},
    {"makeopenings", opt_makeopenings, "file=F count=N seed=N minplies=N maxplies=N score=S ...",
     "make a file of balanced openings with one engine instead; docs/match.md says how"},
    {"recover", opt_nothing, "", "accepted; crashed engines are always started again"},
};

/* The name behind - or --; empty when the word is no option. */
static StrView option_name(const char *word) {
    StrView text = sv_from(word);
    if (!sv_starts_with(text, SV("-")) || text.len < 2) {
        return (StrView){NULL, 0};
    }
    return sv_skip(text, text.ptr[1] == '-' ? 2 : 1);
}

static bool read_option(Reader *reader, const Values *values) {
    StrView name = option_name(values->option);
    for (size_t i = 0; i < COUNTOF(options); i++) {
        if (name.len > 0 && sv_equal(name, sv_from(options[i].name))) {
            return options[i].read(reader, values);
        }
    }
    strbuf_addf(reader->error, "%s: unknown; --help lists the options", values->option);
    return false;
}

static bool read_options(Reader *reader, int count, char *const *words) {
    for (int i = 0; i < count;) {
        Values values = {words[i], words + i + 1, 0};
        i++;
        while (i < count && option_name(words[i]).len == 0) {
            i++;
            values.count++;
        }
        if (!read_option(reader, &values)) {
            return false;
        }
    }
    return true;
}

static bool load_openings(Reader *reader) {
    Openings *openings = &reader->settings->openings;
    OpeningsError fault;
    if (reader->openings_path == NULL) {
        openings_start(openings);
    } else if (!openings_load(reader->openings_path, openings, &fault)) {
        strbuf_addf(reader->error, "%s", reader->openings_path);
        if (fault.line > 0) {
            strbuf_addf(reader->error, ", line %d", fault.line);
        }
        strbuf_addf(reader->error, ": %s", fault.text);
        return false;
    }
    if (reader->is_shuffled) {
        openings_shuffle(openings, (uint64_t)reader->seed);
    }
    return true;
}

/* What can be said only when all words have been read. */
static bool settle(Reader *reader) {
    enum { GAMES_MAX = 20000000, SPRT_GAMES = 2000000 };
    MatchSettings *settings = reader->settings;
    Schedule *schedule = &settings->schedule;
    bool is_maker = settings->maker.path != NULL;
    if (reader->engines.count < (is_maker ? 1 : 2)) {
        strbuf_add_str(reader->error, is_maker
                                          ? "-makeopenings: wants an -engine"
                                          : "give two or more -engine; --help lists the options");
        return false;
    }
    settings->engine_count = reader->engines.count;
    settings->engines = xmem_calloc((size_t)settings->engine_count, sizeof(settings->engines[0]));
    for (int i = 0; i < settings->engine_count; i++) {
        if (!read_engine(reader, i)) {
            return false;
        }
    }
    settings->player_rules.declare_rule = declare_rule_name(settings->rules.declare);
    settings->player_rules.max_plies = settings->rules.max_plies;
    if (is_maker) {
        return true;
    }
    if (settings->has_sprt && settings->engine_count != 2) {
        strbuf_add_str(reader->error, "-sprt: only between two engines");
        return false;
    }
    schedule->engines = settings->engine_count;
    if (settings->has_sprt && !reader->has_rounds) {
        schedule->rounds = int_max(SPRT_GAMES / schedule->games, 1);
    }
    if ((int64_t)schedule->rounds * schedule_encounters(schedule) * schedule->games > GAMES_MAX) {
        strbuf_add_str(reader->error, "-rounds: more than 20 million games");
        return false;
    }
    return load_openings(reader);
}

bool matchargs_read(int count, char *const *words, MatchSettings *settings, StrBuf *error) {
    Reader reader = {.settings = settings, .error = error};
    bool is_good = read_options(&reader, count, words) && settle(&reader);
    free(reader.engines.items);
    free(reader.each.items);
    return is_good;
}

static bool has_word(int count, char *const *words, StrView wanted) {
    for (int i = 0; i < count; i++) {
        if (sv_equal(option_name(words[i]), wanted)) {
            return true;
        }
    }
    return false;
}

bool matchargs_wants_help(int count, char *const *words) {
    return count == 0 || has_word(count, words, SV("help")) || has_word(count, words, SV("h"));
}

bool matchargs_wants_version(int count, char *const *words) {
    return has_word(count, words, SV("version"));
}

void matchargs_write_help(StrBuf *out) {
    strbuf_add_str(out, "komadori-match: plays matches and tournaments between USI engines\n"
                        "usage: komadori-match -engine cmd=A -engine cmd=B -each tc=10+0.1 "
                        "[-OPTION VALUES]...\n\n"
                        "Options (with - or --):\n");
    for (size_t i = 0; i < COUNTOF(options); i++) {
        strbuf_addf(out, "  -%s %s\n        %s\n", options[i].name, options[i].values,
                    options[i].help);
    }
    strbuf_add_str(out, "\nKeys of -engine and -each:\n");
    for (size_t i = 0; i < COUNTOF(engine_keys); i++) {
        strbuf_addf(out, "  %-11s %s\n", engine_keys[i].name, engine_keys[i].help);
    }
    strbuf_addf(out, "  %-11s %s\n", "option.NAME", "a USI option of the engine");
}
