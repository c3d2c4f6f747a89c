#include "tools/match/matchoptions.h"

#include "base/xmem.h"

bool matchoptions_refuse(MatchArgs *args, const char *option, StrView word) {
    strbuf_addf(args->error, "%s: cannot use \"%.*s\"", option, (int)word.len,
                word.ptr != NULL ? word.ptr : "");
    return false;
}

/* Exactly one value. */
static bool single(const ArgValues *values, MatchArgs *args, StrView *word) {
    *word = values->count > 0 ? sv_from(values->words[0]) : SV("");
    if (values->count != 1) {
        strbuf_addf(args->error, "%s: wants one value", values->option);
        return false;
    }
    return true;
}

static bool single_int(const ArgValues *values, MatchArgs *args, int low, int *out) {
    StrView word;
    if (!single(values, args, &word)) {
        return false;
    }
    return sv_to_int(word, low, 100000000, out) || matchoptions_refuse(args, values->option, word);
}

static void list_add(ArgList *list, const ArgValues *values) {
    list->items =
        xmem_grow(list->items, &list->cap, (size_t)list->count + 1, sizeof(list->items[0]));
    list->items[list->count++] = *values;
}

static bool opt_engine(MatchArgs *args, const ArgValues *values) {
    list_add(&args->engines, values);
    return true;
}

static bool opt_each(MatchArgs *args, const ArgValues *values) {
    list_add(&args->each, values);
    return true;
}

static bool opt_tournament(MatchArgs *args, const ArgValues *values) {
    StrView word;
    if (!single(values, args, &word)) {
        return false;
    }
    bool is_gauntlet = sv_equal(word, SV("gauntlet"));
    args->settings->schedule.kind = is_gauntlet ? GAUNTLET : ROUND_ROBIN;
    return is_gauntlet || sv_equal(word, SV("round-robin")) || sv_equal(word, SV("roundrobin")) ||
           sv_equal(word, SV("match")) || matchoptions_refuse(args, values->option, word);
}

static bool opt_rounds(MatchArgs *args, const ArgValues *values) {
    args->has_rounds = true;
    return single_int(values, args, 1, &args->settings->schedule.rounds);
}

static bool opt_games(MatchArgs *args, const ArgValues *values) {
    return single_int(values, args, 1, &args->settings->schedule.games);
}

/* No value. */
static bool none(const ArgValues *values, MatchArgs *args) {
    return values->count == 0 ||
           matchoptions_refuse(args, values->option, sv_from(values->words[0]));
}

/* An opening is repeated once, with colours swapped: "2" says so and changes nothing. */
static bool opt_repeat(MatchArgs *args, const ArgValues *values) {
    args->settings->schedule.repeats = true;
    args->wants_pairs = true;
    bool is_two = values->count == 1 && sv_equal(sv_from(values->words[0]), SV("2"));
    return is_two || none(values, args);
}

static bool opt_norepeat(MatchArgs *args, const ArgValues *values) {
    args->settings->schedule.repeats = false;
    args->wants_pairs = false;
    return none(values, args);
}

static bool opt_concurrency(MatchArgs *args, const ArgValues *values) {
    return single_int(values, args, 1, &args->settings->concurrency);
}

/* All that a file of openings may hold is told apart line by line, so naming it changes nothing. */
static bool is_opening_format(StrView name) {
    return sv_equal(name, SV("sfen")) || sv_equal(name, SV("usi")) || sv_equal(name, SV("epd"));
}

static bool opt_openings(MatchArgs *args, const ArgValues *values) {
    for (int i = 0; i < values->count; i++) {
        StrView word = sv_from(values->words[i]);
        StrView value;
        StrView key = args_split_key(word, &value);
        if (sv_equal(key, SV("file"))) {
            args->openings_path = value.ptr; /* the word ends in a NUL, so its tail does */
        } else if (sv_equal(key, SV("order")) &&
                   (sv_equal(value, SV("random")) || sv_equal(value, SV("sequential")))) {
            args->is_shuffled = sv_equal(value, SV("random"));
        } else if (sv_equal(key, SV("start"))) {
            if (!sv_to_int(value, 1, INT32_MAX, &args->first_opening)) {
                return matchoptions_refuse(args, values->option, word);
            }
        } else if (!sv_equal(key, SV("format")) || !is_opening_format(value)) {
            return matchoptions_refuse(args, values->option, word);
        }
    }
    return true;
}

static bool opt_seed(MatchArgs *args, const ArgValues *values) {
    StrView word;
    return single(values, args, &word) && (sv_to_i64(word, 0, INT64_MAX, &args->seed) ||
                                           matchoptions_refuse(args, values->option, word));
}

static bool opt_maxmoves(MatchArgs *args, const ArgValues *values) {
    return single_int(values, args, 0, &args->settings->rules.max_plies);
}

static bool opt_rule(MatchArgs *args, const ArgValues *values) {
    StrView word;
    return single(values, args, &word) &&
           (declare_rule_read(word, &args->settings->rules.declare) ||
            matchoptions_refuse(args, values->option, word));
}

static bool opt_margin(MatchArgs *args, const ArgValues *values) {
    int margin_ms = 0;
    bool is_good = single_int(values, args, 0, &margin_ms);
    args->margin_ms = margin_ms;
    return is_good;
}

/* A place for the whole number of a key. */
typedef struct IntKey {
    const char *name;
    int low;
    int *place;
} IntKey;

/* Reads key=number words; a key that is not in the list is given to `other`, if there is one. */
static bool read_int_keys(MatchArgs *args, const ArgValues *values, const IntKey *keys, int count,
                          bool (*other)(MatchArgs *args, StrView key, StrView value)) {
    for (int i = 0; i < values->count; i++) {
        StrView word = sv_from(values->words[i]);
        StrView value;
        StrView key = args_split_key(word, &value);
        bool is_good = other != NULL && other(args, key, value);
        for (int k = 0; k < count && !is_good; k++) {
            is_good = sv_equal(key, sv_from(keys[k].name)) &&
                      sv_to_int(value, keys[k].low, 100000000, keys[k].place);
        }
        if (!is_good) {
            return matchoptions_refuse(args, values->option, word);
        }
    }
    return true;
}

static bool read_two_sided(MatchArgs *args, StrView key, StrView value) {
    return sv_equal(key, SV("twosided")) &&
           args_read_switch(value, &args->settings->adjudication.is_resign_mutual);
}

static bool opt_resign(MatchArgs *args, const ArgValues *values) {
    AdjudicationRules *rules = &args->settings->adjudication;
    rules->resign_moves = 3;
    rules->resign_score = 2000;
    const IntKey keys[] = {{"movecount", 1, &rules->resign_moves},
                           {"score", 1, &rules->resign_score}};
    return read_int_keys(args, values, keys, COUNTOF(keys), read_two_sided);
}

static bool opt_draw(MatchArgs *args, const ArgValues *values) {
    AdjudicationRules *rules = &args->settings->adjudication;
    rules->draw_moves = 8;
    rules->draw_score = 20;
    rules->draw_from_ply = 160;
    const IntKey keys[] = {{"movecount", 1, &rules->draw_moves},
                           {"score", 0, &rules->draw_score},
                           {"movenumber", 0, &rules->draw_from_ply}};
    return read_int_keys(args, values, keys, COUNTOF(keys), NULL);
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

static bool opt_sprt(MatchArgs *args, const ArgValues *values) {
    SprtTest *test = &args->settings->sprt;
    args->settings->has_sprt = true;
    for (int i = 0; i < values->count; i++) {
        StrView word = sv_from(values->words[i]);
        StrView value;
        StrView key = args_split_key(word, &value);
        if (!read_sprt_word(test, key, value)) {
            return matchoptions_refuse(args, values->option, word);
        }
    }
    if (test->elo0 >= test->elo1) {
        strbuf_addf(args->error, "%s: elo0 must be less than elo1", values->option);
        return false;
    }
    if (test->alpha + test->beta >= 1.0) {
        strbuf_addf(args->error, "%s: alpha and beta together must be less than 1", values->option);
        return false;
    }
    return true;
}

static bool opt_timeouts(MatchArgs *args, const ArgValues *values) {
    PlayerRules *rules = &args->settings->player_rules;
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
        StrView key = args_split_key(word, &value);
        bool is_good = false;
        for (size_t k = 0; k < COUNTOF(keys) && !is_good; k++) {
            is_good = sv_equal(key, sv_from(keys[k].name)) &&
                      tc_read_seconds(value, keys[k].place) && *keys[k].place > 0;
        }
        if (!is_good) {
            return matchoptions_refuse(args, values->option, word);
        }
    }
    return true;
}

static bool read_text(MatchArgs *args, const ArgValues *values, char **place) {
    StrView word;
    if (!single(values, args, &word)) {
        return false;
    }
    args_set_text(place, word);
    return true;
}

static bool read_path(MatchArgs *args, const ArgValues *values, char **place) {
    StrView word;
    if (!single(values, args, &word)) {
        return false;
    }
    args_set_text(place, sv_starts_with(word, SV("file=")) ? sv_skip(word, 5) : word);
    return true;
}

static bool opt_results(MatchArgs *args, const ArgValues *values) {
    return read_path(args, values, &args->settings->results_path);
}

static bool opt_resume(MatchArgs *args, const ArgValues *values) {
    args->settings->resumes = true;
    return none(values, args);
}

static bool opt_usiout(MatchArgs *args, const ArgValues *values) {
    return read_path(args, values, &args->settings->games_path);
}

static bool opt_event(MatchArgs *args, const ArgValues *values) {
    return read_text(args, values, &args->settings->event);
}

static bool opt_site(MatchArgs *args, const ArgValues *values) {
    return read_text(args, values, &args->settings->site);
}

static bool opt_records(MatchArgs *args, const ArgValues *values) {
    for (int i = 0; i < values->count; i++) {
        StrView word = sv_from(values->words[i]);
        StrView value;
        StrView key = args_split_key(word, &value);
        if (sv_equal(key, SV("dir")) && value.len > 0) {
            args_set_text(&args->settings->records_dir, value);
        } else {
            const Codec *codec = sv_equal(key, SV("format")) ? kifu_codec_by_name(value) : NULL;
            if (codec == NULL || (codec->format.holds & KMD_HOLDS_MOVES) == 0) {
                return matchoptions_refuse(args, values->option, word);
            }
            args->settings->record_codec = codec;
        }
    }
    if (args->settings->records_dir == NULL) {
        strbuf_addf(args->error, "%s: wants dir=, the folder to write to", values->option);
        return false;
    }
    return true;
}

static bool opt_interval(MatchArgs *args, const ArgValues *values) {
    return single_int(values, args, 1, &args->settings->report_every);
}

static bool read_maker_path(MatchArgs *args, StrView key, StrView value) {
    OpenMakerRules *rules = &args->settings->maker;
    if (sv_equal(key, SV("file")) && value.len > 0) {
        args_set_text(&rules->path, value);
        return true;
    }
    return sv_equal(key, SV("seed")) && sv_to_u64(value, 0, UINT64_MAX, &rules->seed);
}

static bool opt_makeopenings(MatchArgs *args, const ArgValues *values) {
    OpenMakerRules *rules = &args->settings->maker;
    const IntKey keys[] = {
        {"count", 1, &rules->count},        {"minplies", 1, &rules->min_plies},
        {"maxplies", 1, &rules->max_plies}, {"score", 0, &rules->score},
        {"window", 0, &rules->window},      {"samples", 1, &rules->samples},
        {"nodes", 1, &rules->nodes},
    };
    if (!read_int_keys(args, values, keys, COUNTOF(keys), read_maker_path)) {
        return false;
    }
    if (rules->path == NULL || rules->min_plies > rules->max_plies || rules->count > 1000000) {
        strbuf_addf(args->error, "%s: wants file=, minplies up to maxplies, count to a million",
                    values->option);
        return false;
    }
    return true;
}

static bool read_spsa_word(SpsaRules *rules, StrView key, StrView value) {
    const struct {
        const char *name;
        char **place;
    } paths[] = {
        {"params", &rules->params_path}, {"csv", &rules->csv_path}, {"svg", &rules->svg_path}};
    for (size_t i = 0; i < COUNTOF(paths); i++) {
        if (sv_equal(key, sv_from(paths[i].name)) && value.len > 0) {
            args_set_text(paths[i].place, value);
            return true;
        }
    }
    return sv_equal(key, SV("pairs")) ? sv_to_int(value, 1, 10000000, &rules->pairs)
           : sv_equal(key, SV("A"))   ? sv_to_double(value, 0.0, 10.0, &rules->share)
           : sv_equal(key, SV("alpha"))
               ? sv_to_double(value, 0.0, 2.0, &rules->alpha)
               : sv_equal(key, SV("gamma")) && sv_to_double(value, 0.0, 2.0, &rules->gamma);
}

static bool opt_spsa(MatchArgs *args, const ArgValues *values) {
    SpsaRules *rules = &args->settings->spsa;
    for (int i = 0; i < values->count; i++) {
        StrView word = sv_from(values->words[i]);
        StrView value;
        StrView key = args_split_key(word, &value);
        if (!read_spsa_word(rules, key, value)) {
            return matchoptions_refuse(args, values->option, word);
        }
    }
    if (rules->params_path == NULL || rules->csv_path == NULL) {
        strbuf_addf(args->error,
                    "%s: wants params=, the parameters, and csv=, a file for their way",
                    values->option);
        return false;
    }
    return true;
}

/* What holds anyway. */
static bool opt_nothing(MatchArgs *args, const ArgValues *values) {
    (void)args;
    (void)values;
    return true;
}

typedef struct MatchOption {
    const char *name;
    bool (*read)(MatchArgs *args, const ArgValues *values);
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
    {"repeat", opt_repeat, "",
     "pairs of games from one opening with colours swapped (default; wants an even -games)"},
    {"norepeat", opt_norepeat, "", "a new opening for each game"},
    {"openings", opt_openings, "file=F order=O start=N",
     "SFEN or USI lines; order sequential (default) or random; the N-th first (default 1)"},
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
    {"event", opt_event, "TEXT", "of the tournament, for the records"},
    {"site", opt_site, "TEXT", "where it is played, likewise"},
    {"ratinginterval", opt_interval, "N", "games between two lines of progress (default 10)"},
    {"makeopenings", opt_makeopenings, "file=F count=N seed=N minplies=N maxplies=N score=S ...",
     "make a file of balanced openings with one engine instead; docs/match.md says how"},
    {"spsa", opt_spsa, "params=F csv=F svg=F pairs=N A=X alpha=X gamma=X",
     "tune the options in F of one engine instead (10000, 0.1, 0.602, 0.101)"},
    {"recover", opt_nothing, "", "accepted; crashed engines are always started again"},
};

StrView matchoptions_name(const char *word) {
    StrView text = sv_from(word);
    if (!sv_starts_with(text, SV("-")) || text.len < 2) {
        return (StrView){NULL, 0};
    }
    return sv_skip(text, text.ptr[1] == '-' ? 2 : 1);
}

bool matchoptions_read(MatchArgs *args, const ArgValues *values) {
    StrView name = matchoptions_name(values->option);
    for (size_t i = 0; i < COUNTOF(options); i++) {
        if (name.len > 0 && sv_equal(name, sv_from(options[i].name))) {
            return options[i].read(args, values);
        }
    }
    strbuf_addf(args->error, "%s: unknown; --help lists the options", values->option);
    return false;
}

void matchoptions_write_help(StrBuf *out) {
    for (size_t i = 0; i < COUNTOF(options); i++) {
        strbuf_addf(out, "  -%s %s\n        %s\n", options[i].name, options[i].values,
                    options[i].help);
    }
}
