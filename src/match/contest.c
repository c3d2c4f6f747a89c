/* contest.c: hashes everything that results depend on, and frees the memory of a contest. */
#include "match/contest.h"

#include <stdlib.h>

#include "base/checksum.h"

void contest_free(Contest *contest) {
    for (int i = 0; i < contest->engine_count; i++) {
        enginespec_free(&contest->engines[i]);
    }
    free(contest->engines);
    openings_free(&contest->openings);
    *contest = (Contest){0};
}

/* Appends everything about an engine as one line. */
static void describe_engine(const EngineSpec *engine, StrBuf *out) {
    strbuf_addf(out, "%s|%s|%d|", engine->name, engine->dir != NULL ? engine->dir : "",
                engine->ponders);
    for (int i = 0; i < engine->argc; i++) {
        strbuf_addf(out, "%s|", engine->argv[i]);
    }
    for (int i = 0; i < engine->option_count; i++) {
        strbuf_addf(out, "%s=%s|", engine->options[i].name, engine->options[i].value);
    }
    timecontrol_write(&engine->tc, out);
    strbuf_addf(out, "|%lld\n", (long long)engine->tc.margin_ms);
}

uint64_t contest_hash(const Contest *contest) {
    const AdjudicationOptions *adjudication = &contest->adjudication;
    const Schedule *schedule = &contest->schedule;
    StrBuf text = STRBUF_INIT;
    for (int i = 0; i < contest->engine_count; i++) {
        describe_engine(&contest->engines[i], &text);
    }
    strbuf_addf(&text, "%d %d %d\n", schedule->kind, schedule->games, schedule->repeats);
    strbuf_addf(&text, "%llx\n", (unsigned long long)openings_hash(&contest->openings));
    strbuf_addf(&text, "%d %d\n", contest->rules.declare, contest->rules.max_plies);
    strbuf_addf(&text, "%d %d %d %d %d %d\n", adjudication->resign_moves,
                adjudication->resign_score, adjudication->is_resign_mutual,
                adjudication->draw_moves, adjudication->draw_score, adjudication->draw_from_ply);
    if (schedule->keeps_colors || schedule->has_furigoma) {
        strbuf_addf(&text, "%d %d %llu\n", schedule->keeps_colors, schedule->has_furigoma,
                    (unsigned long long)schedule->seed);
    }
    if (schedule->is_reversed || schedule->seeds > 1) {
        strbuf_addf(&text, "%d seeds, %d\n", schedule->seeds, schedule->is_reversed);
    }
    if (contest->repetition != 0.5) {
        strbuf_addf(&text, "repetition %.6f\n", contest->repetition);
    }
    uint64_t hash = checksum_fnv(CHECKSUM_FNV_START, text.ptr, text.len);
    strbuf_free(&text);
    return hash;
}
