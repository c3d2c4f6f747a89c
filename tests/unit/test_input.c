/* Tests lines that are read ahead: none may be lost or returned too early, and the end must be
 * noticed early. */

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/input.h"
#include "unit.h"

#define LONG_MS 10000

/* Opens an Input on a pipe; *from becomes the pipe's reading end. Returns the writing end. */
static int open_input(Input *input, int *from) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    input_start(input, ends[0]);
    *from = ends[0];
    return ends[1];
}

static void put(int to, const char *text) {
    CHECK(write(to, text, strlen(text)) == (ptrdiff_t)strlen(text));
}

/* Takes a line, which must be equal to this one. */
static bool gives(Input *input, const char *text) {
    StrView line;
    return input_next(input, &line) && sv_equal(line, sv_from(text));
}

static bool is_at_end(Input *input) {
    StrView line;
    return !input_next(input, &line) && !input_next(input, &line);
}

/* Waits until the reading thread has noticed the quit. */
static bool will_quit(Input *input) {
    int64_t deadline = clock_ms() + unit_patience_ms(LONG_MS);
    while (!atomic_load(&input->is_quitting) && clock_ms() < deadline) {
        clock_sleep_ms(1);
    }
    return atomic_load(&input->is_quitting);
}

static void lines_come_in_order(void) {
    Input input;
    int from;
    int to = open_input(&input, &from);
    put(to, "usi\r\n\nposition startpos\nis");
    CHECK(gives(&input, "usi"));
    CHECK(gives(&input, ""));
    CHECK(gives(&input, "position startpos"));
    put(to, "ready\nquitting\n quit now");
    CHECK(gives(&input, "isready"));
    CHECK(gives(&input, "quitting"));
    CHECK(!atomic_load(&input.is_quitting));
    close(to);
    CHECK(gives(&input, " quit now"));
    CHECK(is_at_end(&input));
    input_free(&input);
    close(from);
}

/* A line's time is that of its arrival and not that of the request, because the executing thread
 * may be busy. */
static void a_line_has_the_time_it_came_at(void) {
    Input input;
    int from;
    int to = open_input(&input, &from);
    int64_t start = clock_ns();
    put(to, "isready\ngo\n");
    CHECK(gives(&input, "isready"));
    int64_t first = input.line_ns;
    clock_sleep_ms(200);
    CHECK(gives(&input, "go"));
    CHECK(start <= first && first <= input.line_ns);
    CHECK(input.line_ns < clock_ns() - 100000000);
    put(to, "stop\n");
    CHECK(gives(&input, "stop"));
    CHECK(input.line_ns >= start + 200000000);
    close(to);
    CHECK(is_at_end(&input));
    input_free(&input);
    close(from);
}

/* The end of a script is no quit: what it started is still to be finished. */
static void the_end_is_no_quit(void) {
    Input input;
    int from;
    int to = open_input(&input, &from);
    put(to, "isready\ngo depth 8");
    close(to);
    CHECK(gives(&input, "isready"));
    CHECK(gives(&input, "go depth 8"));
    CHECK(is_at_end(&input));
    CHECK(!atomic_load(&input.is_quitting));
    input_free(&input);
    close(from);
}

static void quit_is_the_last_line(void) {
    Input input;
    int from;
    int to = open_input(&input, &from);
    put(to, "isready\n\tquit\nusi\n");
    CHECK(will_quit(&input));
    CHECK(gives(&input, "isready"));
    CHECK(gives(&input, "\tquit"));
    CHECK(is_at_end(&input));
    input_free(&input);
    close(to);
    close(from);
}

/* Each stop that was read but not returned is noticed. */
static void a_stop_is_known_early(void) {
    Input input;
    int from;
    int to = open_input(&input, &from);
    put(to, "perft 9\nstop\nstop\nusi\n");
    close(to);
    CHECK(gives(&input, "perft 9"));
    CHECK(gives(&input, "stop"));
    int64_t deadline = clock_ms() + unit_patience_ms(LONG_MS);
    while (!atomic_load(&input.is_stopping) && clock_ms() < deadline) {
        clock_sleep_ms(1);
    }
    CHECK(atomic_load(&input.is_stopping));
    CHECK(gives(&input, "stop"));
    CHECK(!atomic_load(&input.is_stopping));
    CHECK(gives(&input, "usi"));
    CHECK(is_at_end(&input));
    input_free(&input);
    close(from);
}

/* A byte-order mark belongs to no line, so a quit after it is the last line, too. */
static void a_mark_belongs_to_no_line(void) {
    Input input;
    int from;
    int to = open_input(&input, &from);
    put(to, "\xEF\xBB\xBFisready\n\xEF\xBB\xBFquit\nusi\n");
    CHECK(will_quit(&input));
    CHECK(gives(&input, "isready"));
    CHECK(gives(&input, "quit"));
    close(to);
    CHECK(is_at_end(&input));
    input_free(&input);
    close(from);
}

typedef struct Flood {
    int to;
    int lines;
} Flood;

static void *pour(void *arg) {
    const Flood *flood = arg;
    StrBuf text = STRBUF_INIT;
    for (int i = 0; i < flood->lines; i++) {
        strbuf_clear(&text);
        strbuf_addf(&text, "%d and some words besides\n", i);
        if (write(flood->to, text.ptr, text.len) != (ptrdiff_t)text.len) {
            break;
        }
    }
    strbuf_free(&text);
    close(flood->to);
    return NULL;
}

/* When the queue is full the writer must wait, and no line is lost. */
static void a_flood_is_held_up(void) {
    Input input;
    int from;
    pthread_t thread;
    Flood flood = {.to = open_input(&input, &from), .lines = 100000};
    CHECK(pthread_create(&thread, NULL, pour, &flood) == 0);
    clock_sleep_ms(50);
    CHECK(!atomic_load(&input.is_quitting));
    int count = 0;
    StrView line;
    StrView number;
    while (input_next(&input, &line)) {
        int value = -1;
        Tokenizer tok = {line};
        count +=
            tok_next(&tok, &number) && sv_to_int(number, 0, flood.lines, &value) && value == count;
    }
    CHECK_INT(count, flood.lines);
    CHECK(is_at_end(&input));
    pthread_join(thread, NULL);
    input_free(&input);
    close(from);
}

UNIT_MAIN({"lines come in order", lines_come_in_order},
          {"a line has the time it came at", a_line_has_the_time_it_came_at},
          {"the end is no quit", the_end_is_no_quit},
          {"quit is the last line", quit_is_the_last_line},
          {"a stop is known early", a_stop_is_known_early},
          {"a mark belongs to no line", a_mark_belongs_to_no_line},
          {"a flood is held up", a_flood_is_held_up})
