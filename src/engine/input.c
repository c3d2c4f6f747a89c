/* input.c: a thread reads lines into a queue and records when each line arrived and whether it has
 * read `quit` or `stop`. */
#include "engine/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"

/* Maximum size of the queue. When the queue is full, the reader waits, and so does the client, so a
 * flood of lines cannot fill the memory. If that many lines precede a `quit`, it is noticed
 * late. */
#define WAITING_MAX ((size_t)1 << 20)

/* The data stored for a line besides its text. */
typedef struct InputMark {
    int64_t ns;
    bool is_cut;
} InputMark;

static bool is_command(StrView line, StrView name) {
    Tokenizer tok = {line};
    return sv_equal(tok_peek(&tok), name);
}

/* Counts a `stop` that was read (1) or returned (-1). The caller holds the lock. */
static void count_stop(Input *input, int change) {
    input->stops += change;
    bool is_quitting = atomic_load_explicit(&input->is_quitting, memory_order_relaxed);
    atomic_store_explicit(&input->is_stopping, is_quitting || input->stops > 0,
                          memory_order_relaxed);
}

static void *read_client(void *arg) {
    Input *input = arg;
    StrView line;
    bool is_last = false;
    while (!is_last) {
        bool is_there = file_lines_next(&input->lines, &line);
        line = is_there ? utf8_without_mark(line) : (StrView){NULL, 0};
        bool is_quit = is_command(line, SV("quit"));
        is_last = !is_there || is_quit;
        if (is_quit) {
            atomic_store_explicit(&input->is_quitting, true, memory_order_relaxed);
        }
        InputMark mark;
        memset(&mark, 0, sizeof(mark));
        mark.ns = clock_ns();
        mark.is_cut = input->lines.buf.is_cut;
        pthread_mutex_lock(&input->lock);
        count_stop(input, is_command(line, SV("stop")));
        while (input->waiting.len > WAITING_MAX) {
            pthread_cond_wait(&input->changed, &input->lock);
        }
        if (is_there) {
            strbuf_add_bytes(&input->waiting, &mark, sizeof(mark));
            strbuf_add(&input->waiting, line);
            strbuf_add_byte(&input->waiting, '\n');
        }
        input->has_ended = is_last;
        pthread_cond_signal(&input->changed);
        pthread_mutex_unlock(&input->lock);
    }
    return NULL;
}

void input_start(Input *input, int fd) {
    *input = (Input){.next = 0};
    file_lines_init(&input->lines, fd);
    input->lines.buf.most = INPUT_LINE_MAX;
    input->lines.buf.ends_at_cr = true;
    pthread_mutex_init(&input->lock, NULL);
    pthread_cond_init(&input->changed, NULL);
    if (pthread_create(&input->thread, NULL, read_client, input) != 0) {
        fprintf(stderr, "komadori: cannot start a thread\n");
        exit(EXIT_FAILURE);
    }
}

void input_free(Input *input) {
    pthread_join(input->thread, NULL);
    file_lines_free(&input->lines);
    strbuf_free(&input->taken);
    strbuf_free(&input->waiting);
    pthread_cond_destroy(&input->changed);
    pthread_mutex_destroy(&input->lock);
}

/* Waits for lines when all earlier ones have been returned. */
static void refill(Input *input) {
    strbuf_clear(&input->taken);
    input->next = 0;
    pthread_mutex_lock(&input->lock);
    while (input->waiting.len == 0 && !input->has_ended) {
        pthread_cond_wait(&input->changed, &input->lock);
    }
    StrBuf empty = input->taken;
    input->taken = input->waiting;
    input->waiting = empty;
    pthread_cond_signal(&input->changed);
    pthread_mutex_unlock(&input->lock);
}

bool input_next(Input *input, StrView *line) {
    if (input->next == input->taken.len) {
        refill(input);
    }
    StrView rest = sv_skip(strbuf_view(&input->taken), input->next);
    if (rest.len == 0) {
        *line = rest;
        return false;
    }
    InputMark mark;
    memcpy(&mark, rest.ptr, sizeof(mark));
    input->line_ns = mark.ns;
    input->is_cut = mark.is_cut;
    rest = sv_skip(rest, sizeof(mark));
    size_t end = sv_find_byte(rest, '\n');
    *line = sv_prefix(rest, end);
    input->next += sizeof(mark) + end + 1;
    if (is_command(*line, SV("stop"))) {
        pthread_mutex_lock(&input->lock);
        count_stop(input, -1);
        pthread_mutex_unlock(&input->lock);
    }
    return true;
}
