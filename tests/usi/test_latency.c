/* On a short clock, the engine must answer no later than a program that only watches the clock.
 *
 * Two endless loops keep the machine busy. During each move a control process, a child of this
 * test, polls the clock and answers when the engine should. If both are late, the machine was too
 * slow.
 * Needs: komadori */
#include "../unit/unit.h"
#include "child.h"

enum { BYOYOMI_MS = 300, RESERVE_MS = 80, LOOPS = 2, MOVES = 60, ALL_MOVES = 1000 };

/* The answers of two programs through two pipes may normally differ by this much. */
enum { NEAR_MS = 5 };

typedef struct Control {
    pid_t pid;
    int to, from;
} Control;

static pid_t start_loop(void) {
    pid_t pid = fork();
    if (pid == 0) {
        for (volatile unsigned i = 0;; i++) {
        }
    }
    return pid;
}

/* For each byte received, sends one back when the engine's time is up. */
static void run_control(int from, int to) {
    char byte;
    while (read(from, &byte, 1) == 1) {
        int64_t end = clock_ms() + BYOYOMI_MS - RESERVE_MS;
        while (clock_ms() < end) {
        }
        if (write(to, &byte, 1) != 1) {
            break;
        }
    }
    _exit(0);
}

static bool start_control(Control *control) {
    int to[2], from[2];
    if (pipe(to) != 0 || pipe(from) != 0) {
        return false;
    }
    control->pid = fork();
    if (control->pid == 0) {
        close(to[1]);
        close(from[0]);
        run_control(to[0], from[1]);
    }
    close(to[0]);
    close(from[1]);
    control->to = to[1];
    control->from = from[0];
    return control->pid > 0;
}

static void end_process(pid_t pid) {
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static bool has_answered(Child *child) {
    StrView line;
    bool is_there = false;
    while (child_next_line(child, clock_ms(), &line)) {
        is_there = is_there || sv_starts_with(line, SV("bestmove "));
    }
    return is_there;
}

/* Asks for one move and measures the times of both answers, in ms since the request. */
static void ask(Child *child, const Control *control, int64_t *engine_ms, int64_t *control_ms) {
    char byte = 'x';
    int64_t start = clock_ms();
    *engine_ms = *control_ms = -1;
    child_send(child, SV("go btime 0 wtime 0 byoyomi 300\n"));
    CHECK(write(control->to, &byte, 1) == 1);
    while ((*engine_ms < 0 || *control_ms < 0) && clock_ms() < start + 60000) {
        struct pollfd wait[] = {{.fd = *engine_ms < 0 ? child->from : -1, .events = POLLIN},
                                {.fd = *control_ms < 0 ? control->from : -1, .events = POLLIN}};
        poll(wait, 2, 1000);
        int64_t now = clock_ms() - start;
        if (wait[1].revents != 0 && *control_ms < 0 && read(control->from, &byte, 1) == 1) {
            *control_ms = now;
        }
        if (wait[0].revents != 0 && *engine_ms < 0 && has_answered(child)) {
            *engine_ms = now;
        }
    }
}

static void play(int threads, int moves) {
    Child child;
    Control control = {.pid = 0};
    StrView line;
    StrBuf text = STRBUF_INIT;
    pid_t loops[LOOPS];
    if (!CHECK(start_control(&control)) || !CHECK(child_start(&child))) {
        return;
    }
    for (int i = 0; i < LOOPS; i++) {
        loops[i] = start_loop();
    }
    strbuf_addf(&text,
                "setoption name Threads value %d\nsetoption name USI_OwnBook value false\n"
                "usinewgame\nisready\n",
                threads);
    child_send(&child, strbuf_view(&text));
    CHECK(child_next_line(&child, clock_ms() + 10000 * child_slowness(), &line));
    int late = 0, both_late = 0, own = 0, answers = 0;
    for (int i = 0; i < moves; i++) {
        int64_t engine_ms, control_ms;
        ask(&child, &control, &engine_ms, &control_ms);
        answers += engine_ms >= 0;
        late += engine_ms > BYOYOMI_MS;
        both_late += engine_ms > BYOYOMI_MS && control_ms > BYOYOMI_MS;
        own += engine_ms > BYOYOMI_MS && engine_ms > control_ms + NEAR_MS;
    }
    printf("%d threads, %d moves: %d late, %d of them with the control; %d later than that\n",
           threads, moves, late, both_late, own);
    CHECK_INT(answers, moves);
    CHECK_TIMELY(own == 0);
    for (int i = 0; i < LOOPS; i++) {
        end_process(loops[i]);
    }
    end_process(control.pid);
    close(control.to);
    close(control.from);
    child_send(&child, SV("quit\n"));
    CHECK_INT(child_wait(&child, 60000), 0);
    CHECK(child_was_silent(&child));
    child_free(&child);
    strbuf_free(&text);
}

/* If times do not count, a few moves are enough to show that the test itself works. */
static void answers_are_in_time_on_a_busy_machine(void) {
    const char *full = getenv("KOMADORI_TEST_FULL");
    int moves = !unit_is_timed() ? 3 : full != NULL && full[0] == '1' ? ALL_MOVES : MOVES;
    play(1, moves);
    play(2, moves);
}

UNIT_MAIN({"answers are in time on a busy machine", answers_are_in_time_on_a_busy_machine})
