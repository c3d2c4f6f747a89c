/* The engine as its users see it: one answer per search, legal moves only, limits kept, and no
 * state shared between engines. */
#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

enum { MAX_LINES = 600 };

/* One reported line. */
typedef struct Told {
    int depth;
    Score score;
    Bound bound;
    Move first;
} Told;

/* Everything that the sink received during one search. */
typedef struct Record {
    Position pos; /* the root, for checking the lines */
    _Atomic int infos;
    _Atomic int mates; /* number of reports with a mate */
    _Atomic int signs; /* number of progress reports */
    int illegal;
    int answers;
    bool is_after_answer; /* a report came after the answer */
    Engine *engine;       /* if not NULL, asked at the answer whether it is still searching */
    bool is_searching;    /* the engine's reply to that */
    SearchInfo last;
    Move last_pv[MAX_PLY];
    Move first_move[MAX_LINES]; /* first move of the latest line of each rank */
    Score score[MAX_LINES];
    Told told[MAX_LINES]; /* the first lines, in order */
    SearchResult result;
} Record;

static bool is_playable(Position *pos, const Move *line, int len) {
    int played = 0;
    bool is_legal = true;
    while (is_legal && played < len) {
        is_legal = move_is_legal(pos, line[played]);
        if (is_legal) {
            pos_do(pos, line[played++]);
        }
    }
    while (played-- > 0) {
        pos_undo(pos);
    }
    return is_legal;
}

static void note_info(void *context, const SearchInfo *info) {
    Record *record = context;
    if (record->infos < MAX_LINES) {
        record->told[record->infos] =
            (Told){info->depth, info->score, info->bound, info->pv_len > 0 ? info->pv[0] : 0};
    }
    record->infos++;
    atomic_fetch_add(&record->mates, score_is_mate(info->score));
    record->is_after_answer |= record->answers > 0;
    record->illegal += !is_playable(&record->pos, info->pv, info->pv_len);
    record->last = *info;
    memcpy(record->last_pv, info->pv, (size_t)info->pv_len * sizeof(Move));
    if (info->rank <= MAX_LINES && info->pv_len > 0) {
        record->first_move[info->rank - 1] = info->pv[0];
        record->score[info->rank - 1] = info->score;
    }
}

static void note_sign(void *context, const SearchProgress *progress) {
    Record *record = context;
    record->is_after_answer |= record->answers > 0;
    record->illegal += progress->depth < 1 || progress->nodes == 0 || progress->time_ms < 1000;
    atomic_fetch_add(&record->signs, 1);
}

static void note_done(void *context, const SearchResult *result) {
    Record *record = context;
    record->answers++;
    record->is_searching = record->engine != NULL && engine_is_searching(record->engine);
    record->result = *result;
    Move line[2] = {result->best, result->ponder};
    if (move_is_real(result->best)) {
        record->illegal += !is_playable(&record->pos, line, result->ponder == MOVE_NONE ? 1 : 2);
    }
}

static bool set(Engine *engine, const char *name, const char *value) {
    return CHECK_INT(engine_set_option(engine, sv_from(name), sv_from(value)), OPTION_OK);
}

static Engine *fresh_engine(void) {
    Engine *engine = engine_create();
    set(engine, "USI_Hash", "4");
    set(engine, "Threads", "1");
    set(engine, "PvInterval", "0");
    return engine;
}

/* Searches record->pos. */
static void begin_here(Engine *engine, const GoLimits *limits, Record *record) {
    engine_set_position(engine, &record->pos);
    SearchSink sink = {
        .context = record, .on_info = note_info, .on_progress = note_sign, .on_done = note_done};
    engine_go(engine, limits, &(EngineSink){.search = sink}, clock_ns());
}

static void begin(Engine *engine, const char *sfen, const GoLimits *limits, Record *record) {
    *record = (Record){.infos = 0};
    pos_init(&record->pos);
    CHECK_INT(pos_set_sfen(&record->pos, sv_from(sfen), NULL), KMD_OK);
    begin_here(engine, limits, record);
}

static void end(Record *record) {
    CHECK_INT(record->answers, 1);
    CHECK_INT(record->illegal, 0);
    CHECK(!record->is_after_answer);
    pos_free(&record->pos);
}

static void search(Engine *engine, const char *sfen, const GoLimits *limits, Record *record) {
    begin(engine, sfen, limits, record);
    engine_wait(engine);
    end(record);
}

static void the_same_search_twice(void) {
    GoLimits limits = {.depth = 9};
    Record a;
    Record b;
    Engine *engine = fresh_engine();
    search(engine, SFEN_START, &limits, &a);
    engine_free(engine);
    engine = fresh_engine();
    search(engine, SFEN_START, &limits, &b);
    CHECK_INT((int64_t)a.result.nodes, (int64_t)b.result.nodes);
    CHECK_INT(a.result.best, b.result.best);
    CHECK_INT(a.result.depth, 9);
    /* The search is repeated in a new game after another search. */
    search(engine, SFEN_START, &limits, &b);
    engine_new_game(engine);
    search(engine, SFEN_START, &limits, &b);
    CHECK_INT((int64_t)a.result.nodes, (int64_t)b.result.nodes);
    /* The same must hold after clearing was interrupted. */
    _Atomic bool cancel = true;
    engine_prepare(engine, engine_wanted(engine), &(Watch){.cancel = &cancel});
    CHECK(!engine_is_prepared(engine));
    search(engine, SFEN_START, &limits, &b);
    CHECK_INT((int64_t)a.result.nodes, (int64_t)b.result.nodes);
    engine_free(engine);
}

/* A new game is cleared only once: its second search uses the results of the first one. */
static void a_new_game_forgets_once(void) {
    Record first;
    Record second;
    GoLimits limits = {.depth = 12};
    Engine *engine = fresh_engine();
    engine_prepare(engine, engine_wanted(engine), NULL);
    engine_new_game(engine);
    search(engine, SFEN_START, &limits, &first);
    CHECK(engine_is_prepared(engine));
    search(engine, SFEN_START, &limits, &second);
    /* If it had been cleared, the numbers would be equal. */
    CHECK(second.result.nodes < first.result.nodes);
    engine_free(engine);
}

/* The table is not cleared either if another number of threads or another table size was requested
 * during the game: the searches equal those of an undisturbed engine. */
static void other_resources_forget_little(void) {
    int64_t nodes[3];
    Record record;
    GoLimits limits = {.depth = 12};
    Engine *engine = fresh_engine();
    for (int i = 0; i < 3; i++) {
        search(engine, SFEN_START, &limits, &record);
        nodes[i] = (int64_t)record.result.nodes;
    }
    CHECK(nodes[1] < nodes[0] && nodes[2] < nodes[0]);
    engine_free(engine);
    engine = fresh_engine();
    search(engine, SFEN_START, &limits, &record);
    CHECK_INT((int64_t)record.result.nodes, nodes[0]);
    set(engine, "Threads", "2");
    CHECK(!engine_is_prepared(engine));
    CHECK_INT(engine_prepare(engine, engine_wanted(engine), NULL).threads, 2);
    CHECK(engine_is_prepared(engine));
    set(engine, "Threads", "1");
    search(engine, SFEN_START, &limits, &record);
    CHECK_INT((int64_t)record.result.nodes, nodes[1]);
    /* If a new table does not fit, the old one is kept. */
    set(engine, "USI_Hash", "262144");
    search(engine, SFEN_START, &limits, &record);
    CHECK_INT((int64_t)record.result.nodes, nodes[2]);
    engine_new_game(engine);
    search(engine, SFEN_START, &limits, &record);
    CHECK_INT((int64_t)record.result.nodes, nodes[0]);
    engine_free(engine);
}

/* Threads that stay keep their histories. */
static void fewer_threads_forget_nothing(void) {
    const char *next = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    GoLimits limits = {.depth = 9};
    Record record[2];
    for (int i = 0; i < 2; i++) {
        Engine *engine = fresh_engine();
        search(engine, SFEN_START, &limits, &record[i]);
        if (i == 1) {
            set(engine, "Threads", "3");
            CHECK_INT(engine_prepare(engine, engine_wanted(engine), NULL).threads, 3);
            set(engine, "Threads", "1");
        }
        search(engine, next, &limits, &record[i]);
        engine_free(engine);
    }
    CHECK_INT((int64_t)record[1].result.nodes, (int64_t)record[0].result.nodes);
}

/* Clients send their options again during a game. */
static void the_same_network_changes_nothing(void) {
    Engine *engine = fresh_engine();
    set(engine, "EvalFile", "<internal>");
    engine_prepare(engine, engine_wanted(engine), NULL);
    CHECK(engine_is_prepared(engine));
    set(engine, "EvalFile", "<internal>");
    CHECK(engine_is_prepared(engine));
    set(engine, "EvalFile", "<handwritten>");
    CHECK(!engine_is_prepared(engine));
    engine_prepare(engine, engine_wanted(engine), NULL);
    CHECK(engine_is_prepared(engine));
    set(engine, "EvalFile", "<handwritten>");
    CHECK(engine_is_prepared(engine));
    set(engine, "EvalFile", "");
    CHECK(!engine_is_prepared(engine));
    engine_free(engine);
}

static void no_tick(void *context) {
    (void)context;
}

/* The end of a mate search, for checks on the main thread. */
typedef struct MateEnd {
    MateAnswer answer;
    int64_t time_ms;
} MateEnd;

static void note_mate(void *context, const MateDone *done) {
    MateEnd *end = context;
    end->answer = *done->answer;
    end->time_ms = done->time_ms;
}

/* Searches for a mate and returns the answer, which is valid until the next call. */
static const MateAnswer *search_mate(Engine *engine, const char *sfen, const GoLimits *limits) {
    static MateEnd end;
    MateSink sink = {.context = &end, .on_done = note_mate};
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, sv_from(sfen), NULL), KMD_OK);
    engine_set_position(engine, &pos);
    engine_go(engine, limits, &(EngineSink){.mate = sink}, clock_ns());
    engine_wait(engine);
    CHECK(end.time_ms >= 0);
    pos_free(&pos);
    return &end.answer;
}

/* A mate search takes the table's memory. After it, the engine must still clear the histories for a
 * new game. */
static void nothing_is_left_behind_a_mate_search(void) {
    Record first;
    Record second;
    GoLimits limits = {.depth = 9};
    GoLimits mate = {.is_mate = true, .mate_ms = 10000};
    _Atomic bool cancel = false;
    Watch watch = {.cancel = &cancel, .tick = no_tick};
    Engine *engine = fresh_engine();
    engine_prepare(engine, engine_wanted(engine), &watch);
    search(engine, SFEN_START, &limits, &first);
    CHECK_INT(search_mate(engine, SFEN_START, &mate)->verdict, MATE_NONE);
    engine_prepare(engine, engine_wanted(engine), &watch);
    search(engine, SFEN_START, &limits, &second);
    CHECK_INT((int64_t)second.result.nodes, (int64_t)first.result.nodes);
    engine_free(engine);
}

/* The next mate search of a game uses the results of the previous one; a new game clears them. */
static void a_mate_search_keeps_what_it_knows(void) {
    static const char sfen[] = "8k/9/7G1/5R3/9/9/9/9/9 b 2s2g4n 1";
    GoLimits mate = {.is_mate = true, .mate_ms = 10000};
    Engine *engine = fresh_engine();
    uint64_t first = search_mate(engine, sfen, &mate)->nodes;
    CHECK(search_mate(engine, sfen, &mate)->nodes < first);
    engine_new_game(engine);
    CHECK_INT((int64_t)search_mate(engine, sfen, &mate)->nodes, (int64_t)first);
    CHECK(search_mate(engine, sfen, &mate)->nodes < first);
    engine_free(engine);
}

/* When the answer has arrived, the client may continue at once and need not wait for the search. */
static void an_answer_ends_the_search(void) {
    Record record = {.infos = 0};
    GoLimits limits = {.nodes = 100};
    Engine *engine = fresh_engine();
    record.engine = engine;
    record.is_searching = true;
    pos_init(&record.pos);
    CHECK_INT(pos_set_sfen(&record.pos, sv_from(SFEN_START), NULL), KMD_OK);
    begin_here(engine, &limits, &record);
    engine_wait(engine);
    CHECK(!record.is_searching);
    end(&record);
    engine_free(engine);
}

static void two_engines(void) {
    Record a;
    Record b;
    GoLimits limits = {.is_infinite = true};
    Engine *first = fresh_engine();
    Engine *second = fresh_engine();
    begin(first, SFEN_START, &limits, &a);
    begin(second, SFEN_START, &limits, &b);
    CHECK(engine_is_searching(first) && engine_is_searching(second));
    engine_stop(first);
    engine_wait(first);
    CHECK(!engine_is_searching(first) && engine_is_searching(second));
    CHECK_INT(b.answers, 0);
    engine_stop(second);
    engine_wait(second);
    end(&a);
    end(&b);
    engine_free(first);
    engine_free(second);
}

static void lines_are_sorted(void) {
    Record record;
    GoLimits limits = {.depth = 6};
    Engine *engine = fresh_engine();
    engine_set_number(engine, SV("MultiPV"), 5);
    search(engine, SFEN_START, &limits, &record);
    CHECK_INT(record.last.line_count, 5);
    /* The last line is for the move played. */
    CHECK_INT(record.last.rank, 1);
    CHECK_INT(record.last_pv[0], record.result.best);
    for (int i = 1; i < 5; i++) {
        CHECK(record.score[i - 1] >= record.score[i]);
        for (int j = 0; j < i; j++) {
            CHECK(record.first_move[i] != record.first_move[j]);
        }
    }
    set(engine, "MultiPV", "593");
    limits.depth = 2;
    search(engine, SFEN_START, &limits, &record);
    CHECK_INT(record.last.line_count, 30);
    engine_free(engine);
}

/* The lines before the last one are from a complete iteration, because a search that was stopped
 * has ranked only some of the moves of its last iteration. The line of the played move comes first
 * and is replaced by the last line; the others follow, best first. */
static void last_lines_are_whole(void) {
    /* With these node counts, the move played does not change in the last, unfinished iteration. */
    static const uint64_t counts[] = {6000, 10000, 12000, 20000, 30000, 45000};
    enum { LINES = 4 };
    Record record;
    Engine *engine = fresh_engine();
    set(engine, "MultiPV", "4");
    for (size_t i = 0; i < COUNTOF(counts); i++) {
        GoLimits limits = {.nodes = counts[i]};
        engine_new_game(engine);
        search(engine, SFEN_START, &limits, &record);
        if (!CHECK(record.infos > LINES && record.infos < MAX_LINES)) {
            continue;
        }
        const Told *last = &record.told[record.infos - 1 - LINES];
        for (int a = 0; a < LINES; a++) {
            CHECK_INT(last[a].depth, last[0].depth);
            CHECK_INT(last[a].bound, BOUND_EXACT);
            CHECK(a < 2 || last[a - 1].score >= last[a].score);
            for (int b = 0; b < a; b++) {
                CHECK(last[a].first != last[b].first);
            }
        }
        CHECK_INT(last[0].first, record.result.best);
        CHECK_INT(last[LINES].first, record.result.best);
    }
    engine_free(engine);
}

/* Stopped at any node, the search neither plays nor resigns for a move that it has just found to be
 * mated while the others are unresolved. The best move of this position loses only a silver. */
static void a_lost_move_is_left(void) {
    static const char sfen[] =
        "3g1g1n1/ls2l3l/n2pppSs1/p7p/1p2P1pP1/+b4P1K1/6P1P/G1S3G1L/1k3RBN1 w RPn5p 1";
    Record record;
    Engine *engine = fresh_engine();
    set(engine, "ResignValue", "3000");
    for (uint64_t nodes = 1; nodes < 1500; nodes += 7) {
        GoLimits limits = {.nodes = nodes};
        engine_new_game(engine);
        search(engine, sfen, &limits, &record);
        CHECK(move_is_real(record.result.best));
        CHECK(record.result.score > -3000);
    }
    engine_free(engine);
}

/* A weak level may play the move of any line, but the order of the lines stays the same. */
static void weak_levels_keep_the_order(void) {
    Record record;
    GoLimits limits = {.depth = 1};
    Engine *engine = fresh_engine();
    set(engine, "MultiPV", "4");
    set(engine, "SkillLevel", "0");
    for (int i = 0; i < 20; i++) {
        search(engine, SFEN_START, &limits, &record);
        CHECK_INT(record.last_pv[0], record.result.best);
        CHECK_INT(record.last.score, record.result.score);
        for (int j = 1; j < 4; j++) {
            CHECK(record.score[j - 1] >= record.score[j]);
        }
    }
    engine_free(engine);
}

/* Whether the engine resigns depends on the best move, even if a weak level does not play it. */
static void weak_levels_resign_no_sooner(void) {
    /* For half of the positions, the best move is more than half a pawn better. */
    const char *sfen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL w - 4";
    Record record;
    GoLimits limits = {.depth = 1};
    int others = 0;
    Engine *engine = fresh_engine();
    set(engine, "MultiPV", "16");
    set(engine, "SkillLevel", "0");
    set(engine, "ResignValue", "60");
    for (int i = 0; i < 100; i++) {
        search(engine, sfen, &limits, &record);
        CHECK(record.result.best != MOVE_RESIGN);
        others += record.result.score <= -60;
    }
    CHECK(others > 0);
    engine_free(engine);
}

static bool was_told(const Record *record, Told line) {
    for (int i = 0; i < int_min(record->infos, MAX_LINES); i++) {
        Told told = record->told[i];
        if (told.depth == line.depth && told.score == line.score && told.first == line.first &&
            told.bound == BOUND_EXACT) {
            return true;
        }
    }
    return false;
}

/* Delayed reports belong to the iteration that they name: a search that reports everything at once
 * reports the same lines. */
static void late_reports_are_whole(void) {
    static const char *const intervals[] = {"1", "2", "4", "7", "12", "20", "33", "50"};
    Record all;
    Record some;
    GoLimits limits = {.depth = 12};
    Engine *engine = fresh_engine();
    search(engine, SFEN_START, &limits, &all);
    CHECK(all.infos >= 12 && all.infos < MAX_LINES);
    for (size_t i = 0; i < COUNTOF(intervals); i++) {
        engine_new_game(engine);
        set(engine, "PvInterval", intervals[i]);
        search(engine, SFEN_START, &limits, &some);
        CHECK(some.infos > 0 && some.infos <= all.infos);
        for (int line = 0; line < some.infos; line++) {
            CHECK(was_told(&all, some.told[line]));
        }
    }
    engine_free(engine);
}

/* The number of reported lines that are bounds, not counting the last line. */
static int bounds_told(const Record *record) {
    int bounds = 0;
    CHECK(record->infos < MAX_LINES);
    for (int i = 0; i < int_min(record->infos, MAX_LINES) - 1; i++) {
        bounds += record->told[i].bound != BOUND_EXACT;
    }
    return bounds;
}

static void bounds_are_told_on_demand(void) {
    Record record;
    /* In this position, capturing and recapturing changes the score by more than a window. */
    const char *sfen =
        "lnsg1g2l/1r3k1s1/pp1Bp2pp/2pp1pp2/3b1n3/2P1PP3/PP1P2PP1/2G2G2R/LNS1K1SNL b - 21";
    GoLimits limits = {.depth = 14};
    Engine *engine = fresh_engine();
    search(engine, sfen, &limits, &record);
    CHECK_INT(bounds_told(&record), 0);
    set(engine, "OutputFailLHPV", "true");
    engine_new_game(engine);
    search(engine, sfen, &limits, &record);
    CHECK(bounds_told(&record) > 0);
    engine_free(engine);
}

/* A search that has finished but must not answer yet has reported all its lines. */
static void held_searches_tell_all(void) {
    const char *mate_in_one = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
    const char *mated = "8k/9/9/9/9/9/8g/8g/8K b - 1";
    static const GoLimits limits[] = {{.is_infinite = true}, {.is_ponder = true, .depth = 2}};
    Record record;
    Engine *engine = fresh_engine();
    set(engine, "PvInterval", "100000");
    for (int i = 0; i < 4; i++) {
        begin(engine, i < 2 ? mate_in_one : mated, &limits[i % 2], &record);
        int64_t deadline = clock_ms() + unit_patience_ms(20000);
        while (atomic_load(&record.infos) == 0 && clock_ms() < deadline) {
            clock_sleep_ms(1);
        }
        CHECK(atomic_load(&record.infos) > 0);
        engine_stop(engine);
        engine_wait(engine);
        CHECK(score_is_mate(record.last.score));
        end(&record);
    }
    engine_free(engine);
}

/* The first line comes at once. Without new lines for a while, progress is reported. */
static void signs_of_life(void) {
    Record record;
    GoLimits limits = {.nodes = INT64_MAX};
    Engine *engine = fresh_engine();
    set(engine, "PvInterval", "100000");
    begin(engine, SFEN_START, &limits, &record);
    int64_t deadline = clock_ms() + unit_patience_ms(60000);
    while (atomic_load(&record.signs) < 2 && clock_ms() < deadline) {
        clock_sleep_ms(10);
    }
    CHECK_INT(record.infos, 1);
    CHECK_INT(record.last.depth, 1);
    CHECK(atomic_load(&record.signs) >= 2);
    engine_stop(engine);
    engine_wait(engine);
    end(&record);
    engine_free(engine);
}

/* After the ponder move was played, nothing is reported about the position before it. */
static void guesses_end_silently(void) {
    Record record = {.infos = 0};
    GoLimits limits = {.is_ponder = true, .depth = 20};
    GoLimits clocks = {.has_clock = true, .byoyomi_ms = 200};
    Engine *engine = fresh_engine();
    set(engine, "Stochastic_Ponder", "true");
    set(engine, "PvInterval", "100000");
    pos_init(&record.pos);
    CHECK_INT(pos_set_sfen(&record.pos, sv_from(SFEN_START), NULL), KMD_OK);
    pos_do(&record.pos, move_make(SQ(7, 7), SQ(7, 6)));
    begin_here(engine, &limits, &record);
    int64_t deadline = clock_ms() + unit_patience_ms(20000);
    while (atomic_load(&record.infos) == 0 && clock_ms() < deadline) {
        clock_sleep_ms(1);
    }
    engine_ponderhit(engine, &clocks, clock_ns());
    engine_wait(engine);
    CHECK(record.infos > 1);
    CHECK_INT(record.illegal, 1); /* the first line, from before the move */
    record.illegal = 0;
    end(&record);
    engine_free(engine);
}

/* Node counts are exact from the first node on, and equal in each run. */
static void nodes_are_counted_closely(void) {
    static const uint64_t counts[] = {1, 2, 7, 40, 100, 300, 500, 1000, 3000};
    Record record;
    Record again;
    Engine *engine = fresh_engine();
    for (size_t i = 0; i < COUNTOF(counts); i++) {
        GoLimits limits = {.nodes = counts[i]};
        engine_new_game(engine);
        search(engine, SFEN_START, &limits, &record);
        CHECK_INT((int64_t)record.result.nodes, (int64_t)counts[i]);
        CHECK(record.infos > 0 && record.last_pv[0] == record.result.best);
        engine_new_game(engine);
        search(engine, SFEN_START, &limits, &again);
        CHECK_INT(again.result.best, record.result.best);
        CHECK_INT(again.result.score, record.result.score);
    }
    engine_free(engine);
}

static void limits_are_kept(void) {
    Record record;
    Engine *engine = fresh_engine();
    GoLimits nodes = {.nodes = 1000};
    search(engine, SFEN_START, &nodes, &record);
    CHECK(record.result.nodes >= 900 && record.result.nodes <= 1000);
    GoLimits single = {.nodes = 1};
    search(engine, SFEN_START, &single, &record);
    CHECK(record.infos > 0 && record.last_pv[0] == record.result.best);
    GoLimits depth = {.depth = 3};
    search(engine, SFEN_START, &depth, &record);
    CHECK_INT(record.result.depth, 3);
    set(engine, "DepthLimit", "2");
    search(engine, SFEN_START, &depth, &record);
    CHECK_INT(record.result.depth, 2);
    set(engine, "DepthLimit", "0");
    set(engine, "NodesLimit", "500");
    GoLimits time = {.movetime_ms = 60000};
    search(engine, SFEN_START, &time, &record);
    CHECK(record.result.nodes <= 500);
    set(engine, "NodesLimit", "0");
    GoLimits moves = {
        .depth = 4, .search_move_count = 1, .search_moves = {move_make(SQ(1, 7), SQ(1, 6))}};
    search(engine, SFEN_START, &moves, &record);
    CHECK_INT(record.result.best, move_make(SQ(1, 7), SQ(1, 6)));
    engine_free(engine);
}

/* The mate is too deep to be found, so the node limit ends the search. Neither the time limit nor a
 * stop does. */
static void mate_searches_keep_their_nodes(void) {
    const char *hard = "4k4/9/9/9/9/9/9/9/9 b B4G2S9P2rb2s4n4l9p 1";
    GoLimits limits = {.is_mate = true, .mate_ms = 20000};
    Engine *engine = fresh_engine();
    set(engine, "NodesLimit", "20000");
    const MateAnswer *answer = search_mate(engine, hard, &limits);
    CHECK_INT(answer->verdict, MATE_UNKNOWN);
    CHECK(answer->nodes < 30000);
    limits.nodes = 5000;
    CHECK(search_mate(engine, hard, &limits)->nodes < 10000);
    limits.nodes = 1000000;
    CHECK(search_mate(engine, hard, &limits)->nodes < 30000);
    set(engine, "NodesLimit", "0");
    limits.nodes = 5000;
    CHECK(search_mate(engine, hard, &limits)->nodes < 10000);
    engine_free(engine);
}

/* From tests/data/mate-play.tsv. The mate found first is longer than the shortest one. */
static void shortest_mates_on_demand(void) {
    const char *sfen =
        "ln1+R5/1r2L1+B2/2s1p3n/pkp6/1g2+B1KpG/1LP1P1P1P/PP1+p2S2/1S5P1/L2G4+s b G2N6P 1";
    GoLimits limits = {.is_mate = true, .mate_ms = 200000};
    Engine *engine = fresh_engine();
    const MateAnswer *answer = search_mate(engine, sfen, &limits);
    CHECK_INT(answer->verdict, MATE_FOUND);
    CHECK(answer->len > 19 && !answer->is_exact);
    set(engine, "MateShortest", "true");
    answer = search_mate(engine, sfen, &limits);
    CHECK_INT(answer->verdict, MATE_FOUND);
    CHECK_INT(answer->len, 19);
    CHECK(answer->is_exact);
    engine_free(engine);
}

/* True if the build is fast enough for the engine to keep its time limits. */
static bool is_quick_build(void) {
    const char *mode = getenv("KOMADORI_MODE");
    return mode == NULL || strcmp(mode, "release") == 0;
}

static void times_are_kept(void) {
    Record record;
    Engine *engine = fresh_engine();
    GoLimits warm = {.depth = 1};
    search(engine, SFEN_START, &warm, &record);
    GoLimits byoyomi = {.has_clock = true, .byoyomi_ms = 300};
    int64_t start = clock_ms();
    search(engine, SFEN_START, &byoyomi, &record);
    int64_t took = clock_ms() - start;
    CHECK(took >= 210); /* all but the reserve of 80 ms */
    CHECK_TIMELY(took < 1300);
    /* By its own clock the engine is in time, unless other programs always take the processor from
     * it. */
    int64_t best = record.result.time_ms;
    for (int i = 0; i < 9 && best > 300; i++) {
        search(engine, SFEN_START, &byoyomi, &record);
        best = i64_min(best, record.result.time_ms);
    }
    CHECK_TIMELY(best <= 300 || !is_quick_build());
    /* One legal reply. */
    byoyomi.byoyomi_ms = 10000;
    start = clock_ms();
    search(engine, "4k4/9/9/9/9/9/9/8P/r7K b - 1", &byoyomi, &record);
    CHECK(clock_ms() - start < unit_patience_ms(5000));
    engine_free(engine);
}

static void answers_without_search(void) {
    Record record;
    Engine *engine = fresh_engine();
    GoLimits limits = {.depth = 5};
    search(engine, "8k/9/9/9/9/9/8g/8g/8K b - 1", &limits, &record);
    CHECK_INT(record.result.best, MOVE_RESIGN);
    const char *declared = "1K1+R+R4/1GGGG4/1SSSS4/9/9/9/9/9/4k4 b 2B2N18P2n4l 1";
    search(engine, declared, &limits, &record);
    CHECK_INT(record.result.best, MOVE_WIN);
    set(engine, "EnteringKingRule", "NoEnteringKing");
    search(engine, declared, &limits, &record);
    CHECK(move_is_real(record.result.best));
    set(engine, "EnteringKingRule", "TryRule");
    search(engine, "9/4K4/9/9/9/9/9/9/1k7 b - 1", &limits, &record);
    CHECK_INT(record.result.best, move_make(SQ(5, 2), SQ(5, 1)));
    engine_free(engine);
}

/* White's piece returns to its start square, and the table contains the position after that. */
static void no_reply_to_the_last_move(void) {
    static const char *const cycle[] = {"5i5h", "5a5b", "5h5i", "5b5a"};
    const char *before = "lnsg1gsnl/1r2k2b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 4";
    Move back = usimove_read(SV("5b5a"));
    GoLimits limits = {.depth = 5, .search_move_count = 1, .search_moves = {back}};
    Record record;
    Engine *engine = fresh_engine();
    search(engine, before, &limits, &record);
    CHECK_INT(record.result.best, back);
    CHECK(record.result.ponder != MOVE_NONE);
    set(engine, "MaxMovesToDraw", "4");
    search(engine, before, &limits, &record);
    CHECK_INT(record.result.best, back);
    CHECK_INT(record.result.ponder, MOVE_NONE);
    set(engine, "MaxMovesToDraw", "0");
    record = (Record){.infos = 0};
    pos_init(&record.pos);
    CHECK_INT(pos_set_sfen(&record.pos, sv_from(SFEN_START), NULL), KMD_OK);
    for (int i = 0; i < 11; i++) {
        pos_do(&record.pos, usimove_read(sv_from(cycle[i % 4])));
    }
    begin_here(engine, &limits, &record);
    engine_wait(engine);
    CHECK_INT(record.result.best, back);
    CHECK_INT(record.result.ponder, MOVE_NONE);
    end(&record);
    engine_free(engine);
}

/* From a game between programs; proved by a mate solver. */
static const char *const mate_in_three =
    "lnk6/8+P/pppp+R4/5p2p/4p4/2b4nP/PP1PGPP2/1S2G1g1L/LN2K2Nb b RG2SL2Ps2p 1";

/* A mate in three: the line must be as long as the mate and end in it. */
static void mates_are_whole(void) {
    Record record;
    Engine *engine = fresh_engine();
    GoLimits limits = {.depth = 10};
    search(engine, mate_in_three, &limits, &record);
    CHECK(score_is_mate(record.last.score) && record.last.score > 0);
    CHECK_INT(record.last.pv_len, score_mate_plies(record.last.score));
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, sv_from(mate_in_three), NULL), KMD_OK);
    for (int i = 0; i < record.last.pv_len; i++) {
        pos_do(&pos, record.last_pv[i]);
    }
    CHECK(pos_in_check(&pos) && !gen_has_move(&pos));
    pos_free(&pos);
    engine_free(engine);
}

/* From a game between programs: a mate in 13 plies that the search alone does not find with so few
 * nodes. */
static const char *const mate_in_thirteen =
    "7g1/1+Ps6/+N1N1rpsN1/1pP2k1p1/2bP2s1l/5rp2/3S1B2P/5P1LK/2L2+n2L w P3g8p 1";

/* The solver finds it, and the mate is played to its end against an engine that defends. */
static void long_mates_are_played_out(void) {
    Engine *attacker = fresh_engine();
    Engine *defender = fresh_engine();
    GoLimits attack = {.nodes = 100000};
    GoLimits defend = {.nodes = 2000};
    Record record;
    StrBuf text = STRBUF_INIT;
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, sv_from(mate_in_thirteen), NULL), KMD_OK);
    for (int ply = 0; ply < 40 && gen_has_move(&pos); ply++) {
        bool attacks = ply % 2 == 0;
        strbuf_clear(&text);
        pos_get_sfen(&pos, &text);
        search(attacks ? attacker : defender, text.ptr, attacks ? &attack : &defend, &record);
        CHECK(!attacks || record.result.score >= SCORE_MATE_BOUND);
        CHECK(record.result.nodes <= (attacks ? attack.nodes : defend.nodes));
        pos_do(&pos, record.result.best);
    }
    CHECK(pos_in_check(&pos) && !gen_has_move(&pos));
    pos_free(&pos);
    strbuf_free(&text);
    engine_free(attacker);
    engine_free(defender);
}

/* From tests/data/mate-play.tsv: only the solver finds such a long mate. */
static const char *const mate_in_twenty_three =
    "lns4nl/1rk3g2/pPp2sp2/1p1bp4/2g4pP/S4BP2/P1n1PP1P1/4KGS1L/g8 w Prnl4p 1";

/* True if the program becomes idle within this many seconds. The result says little on a busy
 * machine, because a program that gets no processor time looks idle. */
static bool comes_to_rest(int seconds) {
    for (int64_t deadline = clock_ms() + seconds * 1000; clock_ms() < deadline;) {
        int64_t before = clock_cpu_ns();
        clock_sleep_ms(100);
        if (clock_cpu_ns() - before < 20000000) {
            return true;
        }
    }
    return false;
}

/* True if the search finds a mate within a reasonable time. */
static bool sees_mate(Record *record) {
    int64_t deadline = clock_ms() + unit_patience_ms(10000);
    while (atomic_load(&record->mates) == 0 && clock_ms() < deadline) {
        clock_sleep_ms(1);
    }
    return atomic_load(&record->mates) > 0;
}

/* The solver's mate ends the search of all threads, although the answer waits for the stop. With
 * two threads, every run is different: sometimes the search finds a mate first and continues. The
 * test therefore makes several attempts. The test runs only if times count, because on a busy
 * machine an idle program cannot be distinguished from a waiting one. */
static void no_thread_searches_on_behind_a_mate(void) {
    int attempts = unit_is_timed() ? 6 : 1;
    GoLimits limits = {.is_infinite = true};
    bool has_rested = false;
    for (int i = 1; i <= attempts && !has_rested; i++) {
        Record record;
        Engine *engine = fresh_engine();
        set(engine, "Threads", "2");
        begin(engine, mate_in_twenty_three, &limits, &record);
        CHECK(sees_mate(&record));
        has_rested = unit_is_timed() && comes_to_rest(3 * i);
        CHECK_INT(record.answers, 0);
        engine_stop(engine);
        engine_wait(engine);
        end(&record);
        engine_free(engine);
    }
    CHECK_TIMELY(has_rested);
}

/* Generated positions with a mate in which the king passes its try square, so that there is no mate
 * under the try rule. */
static void tries_are_no_mates(void) {
    static const char *const sfens[] = {"K8/9/9/1+R2G2+P1/6l2/4S1L2/9/4k4/1N7 b GSN 1",
                                        "K8/9/9/4G4/9/5R3/B1L5+R/3k5/9 b 2Ssp 1",
                                        "K8/9/9/3+PP4/5+R2p/4B2s1/9/4k3G/G8 b G2Pgp 1"};
    GoLimits limits = {.nodes = 100000};
    Record record;
    Engine *engine = fresh_engine();
    for (size_t i = 0; i < COUNTOF(sfens); i++) {
        set(engine, "EnteringKingRule", "CSARule27");
        engine_new_game(engine);
        search(engine, sfens[i], &limits, &record);
        Score mate = record.result.score;
        CHECK(mate >= SCORE_MATE_BOUND);
        set(engine, "EnteringKingRule", "TryRule");
        engine_new_game(engine);
        search(engine, sfens[i], &limits, &record);
        CHECK(record.result.score < mate); /* there may be a longer mate */
    }
    engine_free(engine);
}

static void several_threads(void) {
    Record record;
    Engine *engine = fresh_engine();
    set(engine, "Threads", "4");
    GoLimits limits = {.depth = 8};
    for (int i = 0; i < 5; i++) {
        search(engine, SFEN_START, &limits, &record);
        CHECK_INT(record.result.depth, 8);
        CHECK_INT(record.last.depth, 8);
    }
    /* All nodes are used, whether or not they divide evenly among the workers, and also with fewer
     * nodes than workers. */
    static const uint64_t counts[] = {20000, 4001, 4003, 5, 3, 1};
    for (size_t i = 0; i < COUNTOF(counts); i++) {
        GoLimits nodes = {.nodes = counts[i]};
        search(engine, SFEN_START, &nodes, &record);
        CHECK_INT((int64_t)record.result.nodes, (int64_t)counts[i]);
    }
    GoLimits held = {.nodes = 1000, .is_infinite = true};
    begin(engine, SFEN_START, &held, &record);
    clock_sleep_ms(50);
    CHECK_INT(record.answers, 0);
    engine_stop(engine);
    engine_wait(engine);
    end(&record);
    set(engine, "Threads", "1");
    search(engine, SFEN_START, &limits, &record);
    engine_free(engine);
}

static void resources(void) {
    Engine *engine = fresh_engine();
    CHECK(!engine_is_prepared(engine));
    EngineResources got = engine_prepare(engine, engine_wanted(engine), NULL);
    CHECK_INT(got.hash_mb, 4);
    CHECK_INT(got.threads, 1);
    CHECK(engine_is_prepared(engine));
    set(engine, "USI_Hash", "262144");
    CHECK(!engine_is_prepared(engine));
    got = engine_prepare(engine, engine_wanted(engine), NULL);
    CHECK_INT(got.hash_mb, 4);
    /* The allocation is not tried again in each search. */
    CHECK(engine_is_prepared(engine));
    set(engine, "USI_Hash", "2");
    CHECK_INT(engine_prepare(engine, engine_wanted(engine), NULL).hash_mb, 2);
    engine_free(engine);
}

/* The options name a network, which is used from the next preparation on. */
static void networks(void) {
    Engine *engine = fresh_engine();
    engine_prepare(engine, engine_wanted(engine), NULL);
    uint64_t own = engine_evaluation_id(engine);
    set(engine, "EvalFile", "<handwritten>");
    CHECK(engine_evaluation_id(engine) == own);
    engine_prepare(engine, engine_wanted(engine), NULL);
    CHECK(engine_has_wanted_net(engine) && engine_evaluation_id(engine) != own);
    set(engine, "EvalFile", "README.md");
    engine_prepare(engine, engine_wanted(engine), NULL);
    CHECK(!engine_has_wanted_net(engine) && engine_evaluation_id(engine) == own);
    set(engine, "EvalFile", "eval/komadori.nnue");
    engine_prepare(engine, engine_wanted(engine), NULL);
    CHECK(engine_has_wanted_net(engine) && engine_evaluation_id(engine) == own);
    engine_free(engine);
}

/* Megabytes of memory in use; -1 if unknown. */
static int64_t memory_in_use(void) {
    StrBuf text = STRBUF_INIT;
    int64_t kilobytes = -1;
    if (file_read("/proc/self/status", &text) == 0) {
        StrView label = SV("VmRSS:");
        StrView all = strbuf_view(&text);
        Tokenizer tok = {sv_skip(all, sv_find(all, label) + label.len)};
        StrView word;
        if (!tok_next(&tok, &word) || !sv_to_i64(word, 0, INT64_MAX, &kilobytes)) {
            kilobytes = -1;
        }
    }
    strbuf_free(&text);
    return kilobytes < 0 ? -1 : kilobytes >> 10;
}

/* A search that was not prepared must not wait for a large table. */
static void an_urgent_search_touches_little(void) {
    Record record;
    GoLimits limits = {.nodes = 100};
    int64_t before = memory_in_use();
    if (before < 0) {
        unit_skip("the system does not tell how much memory is in use");
        return;
    }
    Engine *engine = fresh_engine();
    set(engine, "USI_Hash", "512");
    for (int i = 0; i < 3; i++) {
        search(engine, SFEN_START, &limits, &record);
        CHECK(memory_in_use() - before < 400);
        engine_new_game(engine);
    }
    engine_free(engine);
}

UNIT_MAIN({"networks", networks}, {"the same search twice is the same", the_same_search_twice},
          {"a new game forgets once", a_new_game_forgets_once},
          {"other threads or tables forget little", other_resources_forget_little},
          {"fewer threads forget nothing", fewer_threads_forget_nothing},
          {"the same network changes nothing", the_same_network_changes_nothing},
          {"nothing is left behind a mate search", nothing_is_left_behind_a_mate_search},
          {"a mate search keeps what it knows", a_mate_search_keeps_what_it_knows},
          {"an answer ends the search", an_answer_ends_the_search},
          {"two engines in one process", two_engines},
          {"several lines are sorted", lines_are_sorted},
          {"the last lines are whole", last_lines_are_whole},
          {"a lost move is left", a_lost_move_is_left},
          {"weak levels keep the order", weak_levels_keep_the_order},
          {"weak levels resign no sooner", weak_levels_resign_no_sooner},
          {"late reports are whole", late_reports_are_whole},
          {"bounds are told on demand", bounds_are_told_on_demand},
          {"held searches tell all", held_searches_tell_all}, {"signs of life", signs_of_life},
          {"guesses end silently", guesses_end_silently},
          {"nodes are counted closely", nodes_are_counted_closely},
          {"limits are kept", limits_are_kept},
          {"mate searches keep their nodes", mate_searches_keep_their_nodes},
          {"shortest mates on demand", shortest_mates_on_demand},
          {"times are kept", times_are_kept}, {"answers without search", answers_without_search},
          {"mates are whole", mates_are_whole},
          {"no reply to the last move", no_reply_to_the_last_move},
          {"long mates are played out", long_mates_are_played_out},
          {"no thread searches on behind a mate", no_thread_searches_on_behind_a_mate},
          {"tries are no mates", tries_are_no_mates}, {"several threads", several_threads},
          {"memory and threads", resources},
          {"an urgent search touches little", an_urgent_search_touches_little})
