/* Tests the last line before each answer: it must be exact, belong to the move played and be long
 * enough. The positions are those of the bench and of openings, searched by nodes and by time. With
 * MultiPV, every depth must report several lines. */
#include "search/report.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "engine/engine.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/repetition.h"

#include "rules/legality.h"
#include "rules/usimove.h"
#include "unit.h"

enum { LONG_FROM_DEPTH = 8, MIN_MOVES = 3 };

/* The last line and the answer of one search. */
typedef struct Answer {
    int infos;
    int bounds;              /* number of reported lines that are only bounds */
    uint32_t ranks[MAX_PLY]; /* for each depth, one bit per reported rank */
    Move firsts[8];          /* for each rank, the first move of its last line */
    SearchInfo last;
    Move pv[MAX_PLY];
    SearchResult result;
} Answer;

static void note_info(void *context, const SearchInfo *info) {
    Answer *answer = context;
    answer->infos++;
    answer->bounds += info->bound != BOUND_EXACT;
    answer->ranks[info->depth] |= UINT32_C(1) << info->rank;
    if (info->rank < 8 && info->pv_len > 0) {
        answer->firsts[info->rank] = info->pv[0];
    }
    answer->last = *info;
    memcpy(answer->pv, info->pv, (size_t)info->pv_len * sizeof(Move));
}

static void note_done(void *context, const SearchResult *result) {
    ((Answer *)context)->result = *result;
}

/* Plays the line. Returns false if a move is illegal; *is_over becomes true if it ends the game or
 * repeats a position. */
static bool play_line(const Position *root, const Answer *answer, bool *is_over) {
    Position pos;
    pos_init(&pos);
    pos_copy(&pos, root);
    bool is_legal = true;
    for (int i = 0; i < answer->last.pv_len && is_legal; i++) {
        is_legal = move_is_legal(&pos, answer->pv[i]);
        if (is_legal) {
            pos_do(&pos, answer->pv[i]);
        }
    }
    *is_over = !gen_has_move(&pos) || repetition_count(&pos) > 1 ||
               repetition_in_line(&pos, MAX_PLY) != REP_NONE;
    pos_free(&pos);
    return is_legal;
}

/* Describes what is wrong with the last line; "" if nothing is. */
static const char *fault_of(const Position *root, const Answer *answer) {
    const SearchInfo *last = &answer->last;
    bool is_over = false;
    if (answer->infos == 0) {
        return "no line";
    }
    if (last->bound != BOUND_EXACT) {
        return "a bound";
    }
    if (last->pv_len > 0 && answer->pv[0] != answer->result.best) {
        return "not of the move played";
    }
    if (!play_line(root, answer, &is_over)) {
        return "a move that is not legal";
    }
    if (last->pv_len > 1 && answer->result.ponder != answer->pv[1]) {
        return "another move to ponder on";
    }
    bool is_long = last->depth < LONG_FROM_DEPTH || last->pv_len >= MIN_MOVES || is_over;
    return is_long ? "" : "too short";
}

static Answer answer_of(Engine *engine, const Position *root, const GoLimits *limits) {
    Answer answer = {.infos = 0};
    SearchSink sink = {.context = &answer, .on_info = note_info, .on_done = note_done};
    engine_set_position(engine, root);
    engine_go(engine, limits, &(EngineSink){.search = sink}, clock_ns());
    engine_wait(engine);
    return answer;
}

static Engine *fresh_engine(const char *threads, const char *fails) {
    static const char *const options[][2] = {{"USI_Hash", "16"}, {"PvInterval", "300"}};
    Engine *engine = engine_create();
    for (int i = 0; i < 2; i++) {
        CHECK_INT(engine_set_option(engine, sv_from(options[i][0]), sv_from(options[i][1])),
                  OPTION_OK);
    }
    CHECK_INT(engine_set_option(engine, SV("Threads"), sv_from(threads)), OPTION_OK);
    CHECK_INT(engine_set_option(engine, SV("OutputFailLHPV"), sv_from(fails)), OPTION_OK);
    return engine;
}

/* Searches `count` positions spread over the file. Returns the number of reported bounds. */
static int ask_about(Engine *engine, const char *path, int count, const GoLimits *limits) {
    StrBuf text = STRBUF_INIT;
    Position pos;
    pos_init(&pos);
    CHECK_INT(file_read(path, &text), 0);
    StrView all = strbuf_view(&text);
    int bad = 0, asked = 0, bounds = 0;
    for (int i = 0; i < count; i++) {
        StrView rest = sv_skip(all, all.len / (size_t)count * (size_t)i);
        rest = sv_skip(rest, sv_find_byte(rest, '\n') + 1);
        StrView line = sv_prefix(rest, sv_find_byte(rest, '\n'));
        UsiFault unread;
        if (!usimove_position(line, &pos, &unread)) {
            continue; /* the line is a comment, or the file has ended */
        }
        Answer answer = answer_of(engine, &pos, limits);
        asked++;
        const char *fault = fault_of(&pos, &answer);
        if (fault[0] != '\0') {
            fprintf(stderr, "%.*s: last line at depth %d, %d moves: %s\n", (int)line.len, line.ptr,
                    answer.last.depth, answer.last.pv_len, fault);
            bad++;
        }
        bounds += answer.bounds;
    }
    CHECK(asked >= count * 3 / 4);
    CHECK_INT(bad, 0);
    pos_free(&pos);
    strbuf_free(&text);
    return bounds;
}

static void by_nodes(void) {
    GoLimits limits = {.nodes = 20000};
    Engine *engine = fresh_engine("1", "false");
    CHECK_INT(ask_about(engine, "bench/positions.sfen", 12, &limits), 0);
    CHECK_INT(ask_about(engine, "bench/openings.sfen", 12, &limits), 0);
    engine_free(engine);
}

static void by_time(void) {
    GoLimits limits = {.movetime_ms = 50};
    Engine *engine = fresh_engine("2", "false");
    CHECK_INT(ask_about(engine, "bench/positions.sfen", 8, &limits), 0);
    CHECK_INT(ask_about(engine, "bench/openings.sfen", 8, &limits), 0);
    engine_free(engine);
}

/* Bounds are reported during the search if requested, but not at the end. */
static void with_failed_windows(void) {
    GoLimits limits = {.nodes = 20000};
    Engine *engine = fresh_engine("1", "true");
    CHECK_INT(engine_set_option(engine, SV("PvInterval"), SV("0")), OPTION_OK);
    CHECK(ask_about(engine, "bench/positions.sfen", 6, &limits) > 0);
    engine_free(engine);
}

/* A weak level searches several moves, of which only the first is reported. Whether a window fails
 * in one position depends on the network, so several are asked. */
static void lines_of_a_weak_level(void) {
    static const char *const positions[] = {"startpos", "startpos moves 7g7f 8c8d",
                                            "startpos moves 2g2f 3c3d 2f2e",
                                            "startpos moves 7g7f 3c3d 6g6f 8c8d"};
    GoLimits limits = {.nodes = 30000};
    Engine *engine = fresh_engine("1", "true");
    CHECK_INT(engine_set_option(engine, SV("PvInterval"), SV("0")), OPTION_OK);
    CHECK_INT(engine_set_option(engine, SV("SkillLevel"), SV("17")), OPTION_OK);
    Position pos;
    UsiFault fault;
    int bounds = 0;
    pos_init(&pos);
    for (size_t i = 0; i < COUNTOF(positions); i++) {
        CHECK(usimove_position(sv_from(positions[i]), &pos, &fault));
        Answer answer = answer_of(engine, &pos, &limits);
        bounds += answer.bounds;
        for (int depth = 0; depth < MAX_PLY; depth++) {
            CHECK((answer.ranks[depth] & ~(UINT32_C(1) << 1)) == 0);
        }
    }
    CHECK(bounds > 0);
    pos_free(&pos);
    engine_free(engine);
}

/* The report interval is longer than the search, but no depth is left out. */
static void several_lines(void) {
    GoLimits limits = {.depth = 9};
    Engine *engine = fresh_engine("1", "false");
    CHECK_INT(engine_set_option(engine, SV("PvInterval"), SV("100000")), OPTION_OK);
    CHECK_INT(engine_set_option(engine, SV("MultiPV"), SV("3")), OPTION_OK);
    Answer answer = answer_of(engine, engine_position(engine), &limits);
    for (int depth = 1; depth <= limits.depth; depth++) {
        CHECK_INT(answer.ranks[depth], 14);
    }
    engine_free(engine);
}

static bool has_twins(const Answer *answer, int lines) {
    for (int i = 1; i <= lines; i++) {
        for (int k = 1; k < i; k++) {
            if (answer->firsts[i] == answer->firsts[k] && answer->firsts[i] != MOVE_NONE) {
                return true;
            }
        }
    }
    return false;
}

/* Even if the last iteration was stopped after a new best move, the last lines of all ranks begin
 * with different moves. */
static void several_moves(void) {
    enum { LINES = 4, LIMITS = 40 };
    int twins = 0;
    Engine *engine = fresh_engine("1", "false");
    CHECK_INT(engine_set_option(engine, SV("MultiPV"), SV("4")), OPTION_OK);
    for (int i = 1; i <= LIMITS; i++) {
        GoLimits limits = {.nodes = (uint64_t)i * 300};
        Answer answer = answer_of(engine, engine_position(engine), &limits);
        twins += has_twins(&answer, LINES);
        CHECK_STR(fault_of(engine_position(engine), &answer), "");
    }
    CHECK_INT(twins, 0);
    engine_free(engine);
}

UNIT_MAIN({"the last line by nodes", by_nodes}, {"the last line by time", by_time},
          {"the last line where failed windows are told", with_failed_windows},
          {"lines of a weak level", lines_of_a_weak_level},
          {"several lines for each depth", several_lines},
          {"several lines begin with different moves", several_moves})
