/* `quit` must end the engine at once while isready is running, even after commands that wait for
 * isready, and the end of the input must end a search that waits for a stop. Every command before
 * them must still be answered.
 * Needs: komadori */
#include "../unit/unit.h"
#include "child.h"

#define QUIT_MS   100
#define ANSWER_MS 10000

/* Clearing a table of this size takes far longer than a quit may. If it does not fit into memory,
 * the table is smaller and this test proves little. */
#define LARGE_TABLE "setoption name USI_Hash value 4096\nisready\n"

/* The lines between isready and the end, and the numbers of answers expected. */
typedef struct Script {
    const char *name;
    const char *behind;
    const char *answer;
    int count;
    bool is_endless; /* the last search ends only by a stop */
} Script;

static const Script scripts[] = {
    {"isready", "", "readyok", 1, false},
    {"more of isready", "isready\nisready\n", "readyok", 3, false},
    {"a new game", "usinewgame\nisready\n", "readyok", 2, false},
    {"a search", "position startpos\ngo infinite\n", "bestmove ", 1, true},
    {"two searches", "go btime 0 wtime 0 byoyomi 1000\ngo ponder\n", "bestmove ", 2, true},
    {"a mate search", "go mate infinite\n", "checkmate ", 1, true},
    {"counting", "perft 9\nside\n", "black", 1, false},
    {"a benchmark", "bench 30\nusinewgame\nside\n", "black", 1, false},
    {"many threads", "setoption name Threads value 512\ngo infinite\n", "bestmove ", 1, true},
    {"a stop", "stop\ngameover win\nside\n", "black", 1, false},
};

static bool await(Child *child, StrView wanted) {
    StrView line = {NULL, 0};
    int64_t deadline = clock_ms() + ANSWER_MS * child_slowness();
    while (child_next_line(child, deadline, &line) && !sv_equal(line, wanted)) {
    }
    return sv_equal(line, wanted);
}

static int count_answers(Child *child, StrView answer) {
    StrView line;
    int count = 0;
    while (child_next_line(child, clock_ms(), &line)) {
        count += sv_starts_with(line, answer);
    }
    return count;
}

static void end_behind(const Script *script, const char *quit) {
    Child child;
    if (!CHECK(child_start(&child))) {
        return;
    }
    child_send(&child, SV("usi\n"));
    CHECK(await(&child, SV("usiok")));
    StrBuf text = STRBUF_INIT;
    strbuf_addf(&text, "%s%s%s", quit[0] != '\0' ? LARGE_TABLE : "", script->behind, quit);
    int64_t start = clock_ms();
    child_send(&child, strbuf_view(&text));
    if (quit[0] == '\0') {
        child_close_input(&child);
    }
    bool is_in_time = child_wait(&child, (int64_t)QUIT_MS * child_slowness()) == 0;
    printf("%d ms behind %s\n", (int)(clock_ms() - start), script->name);
    CHECK(is_in_time);
    CHECK_TIMELY(is_in_time); /* if times do not count, the test shows only that the program ends */
    if (is_in_time) {
        CHECK_INT(count_answers(&child, sv_from(script->answer)), script->count);
    }
    CHECK(child_was_silent(&child));
    strbuf_free(&text);
    child_free(&child);
}

static void quit_is_obeyed_at_once(void) {
    for (size_t i = 0; i < COUNTOF(scripts); i++) {
        end_behind(&scripts[i], "quit\n");
    }
}

/* The end of the input stops what only a stop can end. */
static void the_end_of_the_input_is_a_stop(void) {
    for (size_t i = 0; i < COUNTOF(scripts); i++) {
        if (scripts[i].is_endless) {
            end_behind(&scripts[i], "");
        }
    }
}

/* Only quit takes effect early: the lines after isready are executed in order. */
static void other_commands_wait_for_isready(void) {
    Child child;
    StrView line = {NULL, 0};
    if (!CHECK(child_start(&child))) {
        return;
    }
    child_send(&child, SV("setoption name USI_Hash value 64\nisready\n"
                          "go infinite\nstop\nusinewgame\nside\n"));
    int64_t deadline = clock_ms() + ANSWER_MS * child_slowness();
    CHECK(child_next_line(&child, deadline, &line) && sv_equal(line, SV("readyok")));
    while (child_next_line(&child, deadline, &line) && sv_starts_with(line, SV("info "))) {
    }
    CHECK(sv_starts_with(line, SV("bestmove ")));
    CHECK(child_next_line(&child, deadline, &line) && sv_equal(line, SV("black")));
    child_free(&child);
}

UNIT_MAIN({"quit is obeyed at once", quit_is_obeyed_at_once},
          {"the end of the input is a stop", the_end_of_the_input_is_a_stop},
          {"other commands wait for isready", other_commands_wait_for_isready})
