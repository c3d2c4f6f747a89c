/* Runs many searches and interrupts them in every way, at random but reproducibly. Each search must
 * be answered exactly once, and a stop must be answered at once. KOMADORI_TEST_FULL=1 runs 1,000
 * rounds of each.
 * Needs: komadori */
#include "../unit/unit.h"
#include "base/rng.h"
#include "child.h"

#define ANSWER_MS    20000
#define STOP_MS      10  /* a stop must take effect within this time */
#define QUIT_MS      100 /* a quit must take effect within this time */
#define QUICK_ROUNDS 100
#define FULL_ROUNDS  1000
#define KINDS        9

static const char *const openings[] = {"startpos",
                                       "startpos moves 7g7f",
                                       "startpos moves 7g7f 3c3d 2g2f",
                                       "sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
                                       "sfen 4k4/9/9/9/9/9/9/8P/r7K b - 1",
                                       "sfen 8k/9/9/9/9/9/8g/8g/8K b - 1"};

typedef struct Stress {
    Child child;
    Rng rng;
    double stop_ms[FULL_ROUNDS];
    int stops;
} Stress;

static void send_text(Stress *stress, const char *text) {
    child_send(&stress->child, sv_from(text));
}

/* Reads up to an answer. Returns false if another answer comes, or none. */
static bool await(Stress *stress, StrView wanted) {
    StrView line;
    while (child_next_line(&stress->child, clock_ms() + ANSWER_MS * child_slowness(), &line)) {
        if (sv_starts_with(line, wanted)) {
            return true;
        }
        if (!sv_starts_with(line, SV("info "))) {
            printf("  not asked for: %.*s\n", (int)line.len, line.ptr);
            return false;
        }
    }
    printf("  did not come: %.*s\n", (int)wanted.len, wanted.ptr);
    return false;
}

static void pause_a_little(Stress *stress) {
    clock_sleep_ms((int64_t)rng_below(&stress->rng, 4) * (int64_t)rng_below(&stress->rng, 8));
}

/* Sends a stop, which must be answered, and adds the time of the answer to the statistics. */
static bool stop_search(Stress *stress) {
    int64_t start = clock_ns();
    send_text(stress, "stop\n");
    bool is_answered = await(stress, SV("bestmove "));
    if (stress->stops < FULL_ROUNDS) {
        stress->stop_ms[stress->stops++] = (double)(clock_ns() - start) / 1e6;
    }
    return is_answered;
}

static bool play_round(Stress *stress) {
    StrBuf line = STRBUF_INIT;
    strbuf_addf(&line, "position %s\n", openings[rng_below(&stress->rng, COUNTOF(openings))]);
    child_send(&stress->child, strbuf_view(&line));
    strbuf_free(&line);
    switch (rng_below(&stress->rng, KINDS)) {
    case 0:
        send_text(stress, "go infinite\n");
        pause_a_little(stress);
        return stop_search(stress);
    case 1:
        send_text(stress, "go ponder btime 0 wtime 0 byoyomi 60000\n");
        pause_a_little(stress);
        return stop_search(stress);
    case 2:
        send_text(stress, "go ponder btime 0 wtime 0 byoyomi 20\n");
        pause_a_little(stress);
        send_text(stress, "ponderhit\n");
        return await(stress, SV("bestmove "));
    case 3:
        send_text(stress, "go ponder\n");
        pause_a_little(stress);
        send_text(stress, "ponderhit btime 100 wtime 100 binc 10 winc 10\n");
        return await(stress, SV("bestmove "));
    case 4:
        send_text(stress, "go movetime 10\n");
        return await(stress, SV("bestmove "));
    case 5: /* the first go is answered before the second */
        send_text(stress, "go infinite\n");
        pause_a_little(stress);
        send_text(stress, "go depth 2\n");
        return await(stress, SV("bestmove ")) && await(stress, SV("bestmove "));
    case 6:
        send_text(stress, "go infinite\n");
        pause_a_little(stress);
        send_text(stress, "isready\nstop\ngameover win\nstop\n");
        return await(stress, SV("readyok")) && await(stress, SV("bestmove "));
    case 7: /* isready frees the mate search's table while input is still being read */
        send_text(stress, "go mate 5\n");
        if (!await(stress, SV("checkmate "))) {
            return false;
        }
        send_text(stress, "isready\nstop\nisready\ngameover win\ngo nodes 300\n");
        return await(stress, SV("readyok")) && await(stress, SV("readyok")) &&
               await(stress, SV("bestmove "));
    default:
        send_text(stress, rng_below(&stress->rng, 2) == 0 ? "setoption name Threads value 2\n"
                                                          : "setoption name Threads value 1\n");
        send_text(stress, rng_below(&stress->rng, 2) == 0
                              ? "setoption name Stochastic_Ponder value true\nusinewgame\n"
                              : "setoption name Stochastic_Ponder value false\n");
        send_text(stress, "isready\ngo nodes 300\n");
        return await(stress, SV("readyok")) && await(stress, SV("bestmove "));
    }
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double percentile(double *values, int count, int percent) {
    qsort(values, (size_t)count, sizeof(double), compare_doubles);
    return values[(count - 1) * percent / 100];
}

static void every_search_is_answered_once(void) {
    static Stress stress;
    int rounds = unit_wants_all() ? FULL_ROUNDS : QUICK_ROUNDS;
    stress.rng = rng_init(20261121);
    if (!CHECK(child_start(&stress.child))) {
        return;
    }
    send_text(&stress, "setoption name USI_Hash value 4\nisready\n");
    CHECK(await(&stress, SV("readyok")));
    bool is_good = true;
    for (int i = 0; is_good && i < rounds; i++) {
        is_good = CHECK(play_round(&stress));
    }
    send_text(&stress, "quit\n");
    CHECK_INT(child_wait(&stress.child, QUIT_MS * child_slowness()), 0);
    CHECK(child_was_silent(&stress.child));
    if (CHECK(stress.stops > 0)) {
        double most = percentile(stress.stop_ms, stress.stops, 90);
        printf("stop: %d times, median %.2f ms, 90 of 100 within %.2f ms, slowest %.2f ms\n",
               stress.stops, percentile(stress.stop_ms, stress.stops, 50), most,
               percentile(stress.stop_ms, stress.stops, 100));
        /* The time that the machine needs to wake a reader is unknown here, so allow twice the
         * time. */
        CHECK_TIMELY(most < 2 * STOP_MS * child_slowness());
    }
    child_free(&stress.child);
}

/* Milliseconds from a request to its answer; -1 if none comes. */
static double time_answer(Stress *stress, const char *question, StrView answer) {
    int64_t start = clock_ns();
    send_text(stress, question);
    return await(stress, answer) ? (double)(clock_ns() - start) / 1e6 : -1;
}

/* Tests stops while the search itself keeps every processor busy. isready, which is answered
 * without the search, shows how long the machine takes to wake a reader and a writer; a stop must
 * wake twice as many threads. Delays, above all rare ones, can be judged only if few other programs
 * compete for the processors. */
static void stop_is_obeyed_at_once(void) {
    static Stress stress;
    static double stop_ms[FULL_ROUNDS];
    static double ready_ms[FULL_ROUNDS];
    bool is_full = unit_wants_all();
    int rounds = is_full ? FULL_ROUNDS : QUICK_ROUNDS;
    int percent = is_full ? 99 : 90;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    double load;
    if (!unit_is_timed()) {
        unit_skip("times count in make test TIMING=1 only");
        return;
    }
    if (getloadavg(&load, 1) == 1 && load > (is_full ? 2.0 : 4.0) * (double)processors) {
        unit_skip("the machine is busy with other things");
        return;
    }
    StrBuf line = STRBUF_INIT;
    stress.rng = rng_init(20261122);
    if (!CHECK(child_start(&stress.child))) {
        return;
    }
    strbuf_addf(&line, "setoption name Threads value %d\n", (int)processors);
    child_send(&stress.child, strbuf_view(&line));
    strbuf_free(&line);
    CHECK(time_answer(&stress, "setoption name USI_Hash value 64\nisready\n", SV("readyok")) >= 0);
    bool is_good = true;
    for (int i = 0; is_good && i < rounds; i++) {
        send_text(&stress, i % 2 == 0 ? "usinewgame\ngo infinite\n" : "go infinite\n");
        clock_sleep_ms(1 + (int64_t)rng_below(&stress.rng, 15));
        ready_ms[i] = time_answer(&stress, "isready\n", SV("readyok"));
        stop_ms[i] = time_answer(&stress, "stop\n", SV("bestmove "));
        is_good = CHECK(ready_ms[i] >= 0 && stop_ms[i] >= 0);
    }
    send_text(&stress, "quit\n");
    CHECK_INT(child_wait(&stress.child, QUIT_MS * child_slowness()), 0);
    double ready = percentile(ready_ms, rounds, percent);
    double stop = percentile(stop_ms, rounds, percent);
    printf("of %d, %d of 100 within: readyok %.2f ms, bestmove after stop %.2f ms\n", rounds,
           percent, ready, stop);
    CHECK(stop < 2 * ready + STOP_MS * child_slowness());
    child_free(&stress.child);
}

UNIT_MAIN({"stop is obeyed at once", stop_is_obeyed_at_once},
          {"every search is answered once", every_search_is_answered_once})
