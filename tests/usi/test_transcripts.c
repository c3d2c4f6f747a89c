/* Plays the conversations in tests/usi/ (*.txt) against the engine program. Each file is one test.
 * A file has these kinds of lines:
 *
 *   # text            a comment
 *   > TEXT            send a line. In it, {N TEXT} means TEXT repeated N times with spaces between,
 *                     \r, \t and \xHH mean bytes, and \ at the end means that no line end is sent
 *   < PATTERN         a line that matches PATTERN (* matches anything) must come. Lines before it
 *                     are skipped if they are empty, id, option, or info without "error";
 *                     any other line is an unexpected answer and a failure
 *   <MS PATTERN       the same, but within MS milliseconds instead of 10 seconds
 *   <MIN-MAX PATTERN  the same, but not earlier than MIN. According to the last info line, a go
 *                     must have taken at most MAX by the engine's own clock
 *   silence MS        for MS milliseconds, no line may come except those that are skipped
 *   wait MS           wait, whatever lines come
 *   eof               close the engine's input
 *   exit MS           the engine must end with status 0 within MS milliseconds
 *
 * Each conversation begins without an opening book, even if one is built in, and with USI_Hash set
 * to 16, because a test must not depend on how quickly the system provides memory. Times are
 * measured from the last line sent. Sanitizer builds get ten times as long. On a busy machine, MS
 * is multiplied by a factor. MAX is increased by the time that the engine and this test waited for
 * a processor, plus a small amount. At the end, quit is sent to the engine unless it has already
 * ended. The engine must not have written anything to stderr. If a conversation fails, it is played
 * a second time to show whether it always fails, but it counts as failed.
 * Needs: komadori */
#include <dirent.h>
#include <fnmatch.h>

#include "base/fileio.h"
#include "child.h"

#define ANSWER_MS 10000
#define QUIT_MS   200

/* Each further program that competes for the processor may delay the end of a thread by this much.
 * No counter includes this delay. */
#define TURNS_MS 60

typedef struct Play {
    Child child;
    const char *name;
    int line_number;
    int64_t sent_ms;
    bool is_go;        /* the last line sent has started a timed search */
    int64_t told_ms;   /* the time in the last info line */
    int64_t waited_ms; /* value of waited_ms() when the last line was sent */
    bool has_ended;
} Play;

static bool fail(const Play *play, const char *what, StrView text) {
    printf("  %s:%d: %s: %.*s\n", play->name, play->line_number, what, (int)text.len, text.ptr);
    return false;
}

static int hex_digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void add_escaped(StrView text, StrBuf *out) {
    for (size_t i = 0; i < text.len; i++) {
        bool is_escape = text.ptr[i] == '\\' && i + 1 < text.len;
        char code = is_escape ? text.ptr[i + 1] : '\0';
        if (is_escape && (code == 'r' || code == 't')) {
            strbuf_add_byte(out, code == 'r' ? '\r' : '\t');
            i++;
        } else if (is_escape && code == 'x' && i + 3 < text.len) {
            strbuf_add_byte(out,
                            (char)(hex_digit(text.ptr[i + 2]) * 16 + hex_digit(text.ptr[i + 3])));
            i += 3;
        } else {
            strbuf_add_byte(out, text.ptr[i]);
        }
    }
}

static void add_repeated(StrView text, StrBuf *out) {
    Tokenizer tok = {text};
    StrView word;
    int count = 0;
    if (tok_next(&tok, &word) && sv_to_int(word, 1, 1000000, &count)) {
        for (int i = 0; i < count; i++) {
            strbuf_add_str(out, i > 0 ? " " : "");
            strbuf_add(out, tok_rest(&tok));
        }
    }
}

/* How long the threads in the folder /proc/PID/task were ready to run but did not run, in ns; 0 if
 * unknown. */
static int64_t threads_waited_ns(const char *folder) {
    int64_t sum = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        char path[400];
        StrBuf text = STRBUF_INIT;
        snprintf(path, sizeof(path), "%s/%s/schedstat", folder, entry->d_name);
        if (entry->d_name[0] != '.' && file_read(path, &text) == 0) {
            /* The numbers are the time on a processor, the time waiting for one, and so on. */
            Tokenizer tok = {strbuf_view(&text)};
            StrView word;
            int64_t ns;
            bool is_read = tok_next(&tok, &word) && tok_next(&tok, &word) &&
                           sv_to_i64(word, 0, INT64_MAX, &ns);
            sum += is_read ? ns : 0;
        }
        strbuf_free(&text);
    }
    if (dir != NULL) {
        closedir(dir);
    }
    return sum;
}

/* The waiting time of the engine and this test together; -1 if unknown. */
static int64_t waited_ms(const Play *play) {
    char folder[64];
    snprintf(folder, sizeof(folder), "/proc/%d/task", (int)play->child.pid);
    return access("/proc/self/schedstat", R_OK) != 0
               ? -1
               : (threads_waited_ns(folder) + threads_waited_ns("/proc/self/task")) / 1000000;
}

static void send_line(Play *play, StrView text) {
    StrBuf line = STRBUF_INIT;
    bool has_end = !sv_ends_with(text, SV("\\"));
    play->is_go = sv_starts_with(text, SV("go ")) && !sv_starts_with(text, SV("go ponder")) &&
                  !sv_starts_with(text, SV("go mate"));
    play->told_ms = 0;
    text = has_end ? text : sv_prefix(text, text.len - 1);
    for (size_t brace; (brace = sv_find_byte(text, '{')) < text.len;) {
        add_escaped(sv_prefix(text, brace), &line);
        text = sv_skip(text, brace + 1);
        size_t end = sv_find_byte(text, '}');
        add_repeated(sv_prefix(text, end), &line);
        text = sv_skip(text, end + 1);
    }
    add_escaped(text, &line);
    if (has_end) {
        strbuf_add_byte(&line, '\n');
    }
    play->waited_ms = waited_ms(play);
    play->sent_ms = clock_ms();
    child_send(&play->child, strbuf_view(&line));
    strbuf_free(&line);
}

static bool may_be_skipped(StrView line) {
    return line.len == 0 || sv_starts_with(line, SV("id ")) ||
           sv_starts_with(line, SV("option ")) ||
           (sv_starts_with(line, SV("info ")) && !sv_starts_with(line, SV("info string error")));
}

static bool matches(StrView pattern, StrView line) {
    StrBuf a = STRBUF_INIT;
    StrBuf b = STRBUF_INIT;
    strbuf_add(&a, pattern);
    strbuf_add(&b, line);
    strbuf_add_str(&a, "");
    bool is_match = fnmatch(a.ptr != NULL ? a.ptr : "", b.ptr != NULL ? b.ptr : "", 0) == 0;
    strbuf_free(&a);
    strbuf_free(&b);
    return is_match;
}

static void note_time(Play *play, StrView line) {
    StrView label = SV(" time ");
    Tokenizer tok = {sv_skip(line, sv_find(line, label) + label.len)};
    StrView word;
    int64_t ms;
    if (sv_starts_with(line, SV("info ")) && tok_next(&tok, &word) &&
        sv_to_i64(word, 0, INT64_MAX, &ms)) {
        play->told_ms = ms;
    }
}

/* The time at which a line is due, and how it is checked. */
typedef struct Due {
    int least;
    int most;
    bool is_range; /* `least` was given: the engine's own clock counts */
} Due;

/* True if a line came in time. If the engine must keep a time by its own clock, that time is not
 * multiplied by a factor: a line may be late only by the time that the engine or this test waited
 * for a processor. By the engine's own clock, no other delay is allowed. */
static bool is_in_time(const Play *play, const Due *due, StrView line) {
    int64_t took = clock_ms() - play->sent_ms;
    int64_t now = waited_ms(play);
    if (!due->is_range || !unit_is_timed() || !child_is_quick() || now < 0) {
        return true;
    }
    int64_t latest = due->most + i64_max(now - play->waited_ms, 0);
    int64_t turns = TURNS_MS * (child_share() - 1);
    return (took <= latest + turns || fail(play, "came too late", line)) &&
           (!play->is_go || play->told_ms <= latest ||
            fail(play, "came too late by the engine's own clock", line));
}

static bool expect(Play *play, const Due *due, StrView pattern) {
    StrView line;
    int64_t deadline = play->sent_ms + (int64_t)due->most * child_slowness();
    while (child_next_line(&play->child, deadline, &line)) {
        note_time(play, line);
        if (matches(pattern, line)) {
            return clock_ms() - play->sent_ms < due->least ? fail(play, "came too early", line)
                                                           : is_in_time(play, due, line);
        }
        if (!may_be_skipped(line)) {
            return fail(play, "another line than expected", line);
        }
    }
    return fail(play, "did not come in time", pattern);
}

/* Executes a line "<" followed by "PATTERN", "MS PATTERN" or "MIN-MAX PATTERN". */
static bool do_expect(Play *play, StrView text) {
    Due due = {.most = ANSWER_MS};
    if (text.len > 0 && text.ptr[0] != ' ') {
        size_t blank = sv_find_byte(text, ' ');
        StrView range = sv_prefix(text, blank);
        size_t dash = sv_find_byte(range, '-');
        due.is_range = dash < range.len;
        if ((due.is_range && !sv_to_int(sv_prefix(range, dash), 0, 100000, &due.least)) ||
            !sv_to_int(due.is_range ? sv_skip(range, dash + 1) : range, 0, 100000, &due.most)) {
            return fail(play, "no time", range);
        }
        text = sv_skip(text, blank);
    }
    return expect(play, &due, sv_skip(text, 1));
}

static bool do_silence(Play *play, int ms, bool is_strict) {
    StrView line;
    int64_t deadline = clock_ms() + ms;
    while (child_next_line(&play->child, deadline, &line)) {
        if (is_strict && !may_be_skipped(line)) {
            return fail(play, "nobody asked for", line);
        }
    }
    return true;
}

/* Waits for the engine to end. Lines that come after the end may answer one interrupted search. */
static bool do_exit(Play *play, int ms) {
    int64_t allowed = (int64_t)ms * child_slowness();
    int status = child_wait(&play->child, allowed);
    play->has_ended = status >= 0;
    int answers = 0;
    StrView line;
    while (child_next_line(&play->child, clock_ms(), &line)) {
        answers += sv_starts_with(line, SV("bestmove ")) || sv_starts_with(line, SV("checkmate "));
        if (answers > 1) {
            return fail(play, "nobody asked for", line);
        }
    }
    return status == 0 || fail(play, "did not end well in time", SV("exit"));
}

static bool do_line(Play *play, StrView line) {
    Tokenizer tok = {line};
    StrView word;
    int ms = 0;
    if (!tok_next(&tok, &word) || line.ptr[0] == '#') {
        return true;
    }
    if (line.ptr[0] == '>') {
        send_line(play, sv_skip(line, 2));
        return true;
    }
    if (line.ptr[0] == '<') {
        return do_expect(play, sv_skip(line, 1));
    }
    if (sv_equal(word, SV("eof"))) {
        child_close_input(&play->child);
        play->sent_ms = clock_ms();
        return true;
    }
    StrView number;
    if (!tok_next(&tok, &number) || !sv_to_int(number, 0, 100000, &ms)) {
        return fail(play, "cannot be read", line);
    }
    if (sv_equal(word, SV("exit"))) {
        return do_exit(play, ms);
    }
    bool is_silence = sv_equal(word, SV("silence"));
    return (is_silence || sv_equal(word, SV("wait")) || fail(play, "cannot be read", line)) &&
           do_silence(play, ms, is_silence);
}

static bool play_text(Play *play, StrView text) {
    StrView line;
    send_line(play, SV("setoption name USI_OwnBook value false"));
    send_line(play, SV("setoption name USI_Hash value 16"));
    send_line(play, SV("setoption name Threads value 1"));
    for (play->line_number = 1; sv_next_line(&text, &line); play->line_number++) {
        if (!do_line(play, line)) {
            return false;
        }
    }
    if (!play->has_ended) {
        send_line(play, SV("quit"));
        return do_exit(play, QUIT_MS);
    }
    return true;
}

static bool play_file(const char *folder, const char *name) {
    StrBuf path = STRBUF_INIT;
    StrBuf text = STRBUF_INIT;
    Play play = {.name = name};
    strbuf_addf(&path, "%s/%s", folder, name);
    bool is_good = file_read(path.ptr, &text) == 0 && child_start(&play.child) &&
                   play_text(&play, strbuf_view(&text)) && child_was_silent(&play.child);
    printf("%s  %s\n", is_good ? "ok  " : "FAIL", name);
    child_free(&play.child);
    strbuf_free(&path);
    strbuf_free(&text);
    return is_good;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv) {
    const char *folder = "tests/usi";
    const char *filter = argc > 1 ? argv[1] : "";
    char *names[512];
    int count = 0;
    int passed = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        StrView name = sv_from(entry->d_name);
        if (sv_ends_with(name, SV(".txt")) && strstr(entry->d_name, filter) != NULL &&
            count < (int)COUNTOF(names)) {
            names[count++] = strdup(entry->d_name);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    qsort(names, (size_t)count, sizeof(names[0]), compare_names);
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < count; i++) {
        bool is_good = play_file(folder, names[i]);
        passed += is_good;
        if (!is_good && play_file(folder, names[i])) {
            printf("      %s fails now and then\n", names[i]);
        }
        free(names[i]);
    }
    if (!unit_is_timed()) {
        printf("skip  how late answers may be: times count in make test TIMING=1 only\n");
    }
    printf("%d passed, %d failed, %d skipped\n", passed, count - passed, unit_is_timed() ? 0 : 1);
    return passed == count && count > 0 ? 0 : 1;
}
