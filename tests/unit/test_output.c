/* Tests the lines sent to a client: they are complete, logged on request, and do not block input
 * while nobody reads them. */
#include "engine/output.h"

#include <poll.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/clock.h"
#include "unit.h"

/* More bytes than a pipe can hold. */
#define LONG_LINE ((size_t)4 << 20)

typedef struct Talk {
    Output out;
    int from; /* descriptor from which the client would read */
    _Atomic bool has_noted;
} Talk;

static bool talk_init(Talk *talk) {
    int ends[2];
    if (!CHECK(pipe(ends) == 0)) {
        return false;
    }
    talk->from = ends[0];
    atomic_init(&talk->has_noted, false);
    output_init(&talk->out, ends[1]);
    return true;
}

static void talk_free(Talk *talk) {
    close(talk->from);
    close(talk->out.fd);
    output_free(&talk->out);
}

static void *say_much(void *arg) {
    Talk *talk = arg;
    StrBuf text = STRBUF_INIT;
    strbuf_reserve(&text, LONG_LINE);
    for (size_t i = 0; i < LONG_LINE; i++) {
        strbuf_add_byte(&text, 'a');
    }
    output_line(&talk->out, strbuf_view(&text));
    strbuf_free(&text);
    return NULL;
}

static void *note_line(void *arg) {
    Talk *talk = arg;
    output_note_input(&talk->out, SV("stop"));
    atomic_store(&talk->has_noted, true);
    return NULL;
}

/* Reads up to a line end. Returns the number of bytes. */
static size_t read_line(int from) {
    static char text[65536];
    size_t len = 0;
    for (;;) {
        ssize_t count = read(from, text, sizeof(text));
        if (count <= 0) {
            return len;
        }
        len += (size_t)count;
        if (text[count - 1] == '\n') {
            return len;
        }
    }
}

static void a_client_that_does_not_read(void) {
    Talk talk;
    pthread_t writer;
    pthread_t reader;
    if (!talk_init(&talk)) {
        return;
    }
    CHECK_INT(pthread_create(&writer, NULL, say_much, &talk), 0);
    struct pollfd has_begun = {.fd = talk.from, .events = POLLIN};
    CHECK_INT(poll(&has_begun, 1, 10000), 1);
    CHECK_INT(pthread_create(&reader, NULL, note_line, &talk), 0);
    int64_t deadline = clock_ms() + unit_patience_ms(10000);
    while (!atomic_load(&talk.has_noted) && clock_ms() < deadline) {
        clock_sleep_ms(1);
    }
    CHECK(atomic_load(&talk.has_noted));
    CHECK_INT((int64_t)read_line(talk.from), (int64_t)LONG_LINE + 1);
    pthread_join(reader, NULL);
    pthread_join(writer, NULL);
    talk_free(&talk);
}

UNIT_MAIN({"a client that does not read", a_client_that_does_not_read})
