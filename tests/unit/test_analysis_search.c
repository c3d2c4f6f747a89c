/* Tests the searches of a game, and the results that a later run takes from the journal of an
 * earlier run. */
#include "commands/analysis.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fileio.h"
#include "record/kifuio.h"
#include "rules/usimove.h"
#include "search/search.h"
#include "unit.h"

static const char game[] = "startpos moves 7g7f 3c3d 2g2f"; /* four positions */

typedef struct Run {
    int searches, first; /* the number of searches, and the position of the first one */
    int most;            /* the run is cancelled after this many */
    AnalysisLine last;   /* the first line of the last position */
    atomic_bool cancel;
} Run;

static void on_progress(void *context, int index, int left) {
    Run *run = context;
    if (index < 0) {
        return;
    }
    run->first = run->searches == 0 ? index : run->first;
    run->searches++;
    if (run->searches == run->most && left > 0) {
        atomic_store(&run->cancel, true);
    }
}

/* Analyses a game. Returns whether it was finished. */
static bool analyze(Run *run, const char *moves, const char *journal, uint64_t nodes, int most) {
    KifuForm form = {.codec = kifu_codec_by_name(SV("usi"))};
    KmdFault error;
    Record record;
    Analysis analysis;
    *run = (Run){.most = most, .first = -1};
    record_init(&record);
    CHECK(kifu_read(sv_from(moves), &form, &record, &error));
    analysis_init(&analysis, &record);
    Engine *engine = engine_create();
    engine_prepare(engine, (EngineResources){.hash_mb = 1, .threads = 1}, NULL);
    AnalysisOptions options = {.limits = {.nodes = nodes}, .multi_pv = 1, .to = 100};
    AnalysisSearch search = {.engine = engine,
                             .options = &options,
                             .journal = journal,
                             .cancel = &run->cancel,
                             .on_progress = on_progress,
                             .context = run};
    bool is_done = analysis_search(&search, &analysis);
    CHECK_INT(search.fault, 0);
    for (int i = 0; i < analysis.count && is_done; i++) {
        CHECK_INT(analysis.at[i].line_count, 1);
        CHECK(analysis.at[i].lines[0].pv_len > 0 || i == analysis.count - 1);
    }
    run->last = analysis.at[analysis.count - 1].lines[0];
    engine_free(engine);
    analysis_free(&analysis);
    record_free(&record);
    return is_done;
}

static void make_journal(char *path) {
    int file = mkstemp(path);
    CHECK(file >= 0 && close(file) == 0);
}

static void test_continuing(void) {
    char path[] = "/tmp/komadori-journal-XXXXXX";
    Run run;
    make_journal(path);
    CHECK(!analyze(&run, game, path, 60, 2));
    CHECK_INT(run.searches, 2);
    CHECK_INT(run.first, 3);
    CHECK(analyze(&run, game, path, 60, 9));
    CHECK_INT(run.searches, 2);
    CHECK_INT(run.first, 1);
    CHECK_INT(remove(path), 0);
}

/* The fourth occurrence ends a game: with a draw, or with the loss of who gave check. */
static void test_repetitions(void) {
    static const struct {
        const char *game;
        Score score; /* from black's point of view */
    } games[] = {
        {"startpos moves 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b", SCORE_DRAW},
        {"sfen 5k3/9/9/9/4R4/9/9/9/4K4 b 4G2S 1 moves 5e4e 4a5a 4e5e 5a4a 5e4e 4a5a 4e5e 5a4a 5e4e "
         "4a5a 4e5e 5a4a",
         -SCORE_SUPERIOR},
    };
    for (size_t i = 0; i < COUNTOF(games); i++) {
        char path[] = "/tmp/komadori-journal-XXXXXX";
        Run run;
        make_journal(path);
        CHECK(analyze(&run, games[i].game, path, 60, 99));
        CHECK_INT(run.last.score, games[i].score);
        CHECK_INT(run.last.pv_len, 0);
        CHECK_INT(remove(path), 0);
    }
}

/* Results for another game, or from searches with other limits, are not used. */
static void test_refusing(void) {
    char path[] = "/tmp/komadori-journal-XXXXXX";
    Run run;
    make_journal(path);
    CHECK(analyze(&run, game, path, 60, 9));
    CHECK(analyze(&run, game, path, 61, 9));
    CHECK_INT(run.searches, 4);
    CHECK(analyze(&run, "startpos moves 7g7f 3c3d 2g2f 8c8d", path, 61, 9));
    CHECK_INT(run.searches, 5);
    CHECK_INT(remove(path), 0);
}

/* A position whose line was cut short by a killed run is searched again; the others are not. */
static void test_damage(void) {
    char path[] = "/tmp/komadori-journal-XXXXXX";
    StrBuf text = STRBUF_INIT;
    Run run;
    make_journal(path);
    CHECK(analyze(&run, game, path, 60, 9));
    CHECK_INT(file_read(path, &text), 0);
    CHECK_INT(file_write(path, text.ptr, text.len - 4), 0);
    CHECK(analyze(&run, game, path, 60, 9));
    CHECK_INT(run.searches, 1);
    CHECK_INT(run.first, 0);
    strbuf_free(&text);
    CHECK_INT(remove(path), 0);
}

/* Searches the positions of a game with their threats. */
static void search_threats(Run *run, const Record *record, const char *journal, int searches,
                           Analysis *analysis) {
    *run = (Run){.most = 9};
    analysis_init(analysis, record);
    Engine *engine = engine_create();
    engine_prepare(engine, (EngineResources){.hash_mb = 1, .threads = 1}, NULL);
    AnalysisOptions options = {
        .limits = {.nodes = 500}, .multi_pv = 1, .to = searches - 1, .has_threats = true};
    AnalysisSearch search = {.engine = engine,
                             .options = &options,
                             .journal = journal,
                             .cancel = &run->cancel,
                             .on_progress = on_progress,
                             .context = run};
    CHECK(analysis_search(&search, analysis));
    CHECK_INT(search.fault, 0);
    engine_free(engine);
}

/* The other side threatens a mate: the gold that is dropped in front of the king. A side in check
 * cannot pass, and has no threat. A later run takes threats from the journal, too. */
static void test_threats(void) {
    char path[] = "/tmp/komadori-journal-XXXXXX";
    KifuForm form = {.codec = kifu_codec_by_name(SV("usi"))};
    KmdFault error;
    Record record;
    Analysis analysis;
    Run run;
    make_journal(path);
    record_init(&record);
    CHECK(kifu_read(SV("sfen 4k4/9/4P4/9/9/9/9/9/4K4 w G2r2b3g4s4n4l17p 1 moves R*5g 5i4h 5g4g+"),
                    &form, &record, &error));
    search_threats(&run, &record, path, 2, &analysis);
    CHECK_INT(run.searches, 2);
    CHECK(analysis.at[0].has_threat && !analysis.at[1].has_threat);
    CHECK_INT(analysis.at[0].threat.score, score_mate_in(1));
    CHECK_INT(analysis.at[0].threat.pv[0], usimove_read(SV("G*5b")));
    analysis_free(&analysis);
    search_threats(&run, &record, path, 3, &analysis);
    CHECK_INT(run.searches, 1);
    CHECK(analysis.at[0].has_threat && !analysis.at[1].has_threat);
    CHECK_INT(analysis.at[0].threat.score, score_mate_in(1));
    CHECK_INT(analysis.at[0].threat.pv_len, 1);
    analysis_free(&analysis);
    record_free(&record);
    CHECK_INT(remove(path), 0);
}

UNIT_MAIN({"threats", test_threats}, {"continuing", test_continuing}, {"refusing", test_refusing},
          {"damage", test_damage}, {"repetitions", test_repetitions})
