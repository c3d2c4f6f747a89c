#include "tools/match/settings.h"

#include <stdlib.h>

#include "base/checksum.h"
#include "base/str.h"

MatchSettings settings_default(void) {
    MatchSettings settings = {0};
    settings.schedule = (Schedule){.kind = ROUND_ROBIN, .rounds = 1, .games = 2, .repeats = true};
    settings.rules = (OutcomeRules){KMD_DECLARE_27, 320};
    settings.player_rules = (PlayerRules){
        .usi_ms = 10000, .ready_ms = 60000, .stop_ms = 3000, .quit_ms = 5000, .hang_ms = 120000};
    settings.maker = openmaker_default();
    settings.spsa = spsa_default();
    settings.sprt = (SprtTest){SPRT_NORMALISED, 0.0, 5.0, 0.05, 0.05};
    settings.record_codec = kifu_codec_by_name(SV("csa"));
    settings.concurrency = 1;
    settings.report_every = 10;
    return settings;
}

static void engine_free(EngineSpec *engine) {
    for (int i = 0; i < engine->argc; i++) {
        free(engine->argv[i]);
    }
    for (int i = 0; i < engine->option_count; i++) {
        free(engine->options[i].name);
        free(engine->options[i].value);
    }
    free(engine->argv);
    free(engine->options);
    free(engine->name);
    free(engine->dir);
    free(engine->stderr_path);
}

void settings_free(MatchSettings *settings) {
    for (int i = 0; i < settings->engine_count; i++) {
        engine_free(&settings->engines[i]);
    }
    free(settings->engines);
    free(settings->results_path);
    free(settings->games_path);
    free(settings->records_dir);
    free(settings->event);
    free(settings->site);
    free(settings->maker.path);
    spsa_free(&settings->spsa);
    openings_free(&settings->openings);
    *settings = (MatchSettings){0};
}

/* Everything about an engine in one line. */
static void describe_engine(const EngineSpec *engine, StrBuf *out) {
    strbuf_addf(out, "%s|%s|%d|", engine->name, engine->dir != NULL ? engine->dir : "",
                engine->ponders);
    for (int i = 0; i < engine->argc; i++) {
        strbuf_addf(out, "%s|", engine->argv[i]);
    }
    for (int i = 0; i < engine->option_count; i++) {
        strbuf_addf(out, "%s=%s|", engine->options[i].name, engine->options[i].value);
    }
    tc_write(&engine->tc, out);
    strbuf_addf(out, "|%lld\n", (long long)engine->tc.margin_ms);
}

uint64_t settings_hash(const MatchSettings *settings) {
    const AdjudicationRules *adjudication = &settings->adjudication;
    StrBuf text = STRBUF_INIT;
    for (int i = 0; i < settings->engine_count; i++) {
        describe_engine(&settings->engines[i], &text);
    }
    strbuf_addf(&text, "%d %d %d\n", settings->schedule.kind, settings->schedule.games,
                settings->schedule.repeats);
    strbuf_addf(&text, "%llx\n", (unsigned long long)openings_hash(&settings->openings));
    strbuf_addf(&text, "%d %d\n", settings->rules.declare, settings->rules.max_plies);
    strbuf_addf(&text, "%d %d %d %d %d %d\n", adjudication->resign_moves,
                adjudication->resign_score, adjudication->is_resign_mutual,
                adjudication->draw_moves, adjudication->draw_score, adjudication->draw_from_ply);
    uint64_t hash = checksum_fnv(CHECKSUM_FNV_START, text.ptr, text.len);
    strbuf_free(&text);
    return hash;
}
