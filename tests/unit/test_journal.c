/* Tests what a run takes from the journal of an earlier run, and the state after errors. */
#include "base/journal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/fileio.h"
#include "unit.h"

/* The journal of the running test, made by begin and removed by end. */
static char path[64];

/* Results are lines. Appends them, without an incomplete last line, to a StrBuf. */
static size_t take_lines(void *context, StrView results) {
    size_t whole = journal_whole_lines(results);
    strbuf_add(context, sv_prefix(results, whole));
    return whole;
}

/* Opens the journal, checks the results of earlier runs, and adds one. Returns the error. */
static int run(const char *head, const char *known, const char *result) {
    StrBuf taken = STRBUF_INIT;
    JournalFormat format = {sv_from(head), take_lines, &taken};
    Journal journal;
    strbuf_add_str(&taken, "");
    int error = journal_open(&journal, path, &format);
    CHECK(sv_equal(strbuf_view(&taken), sv_from(known)));
    if (error == 0) {
        CHECK(journal_add(&journal, sv_from(result)));
        CHECK_INT(journal.error, 0);
    }
    CHECK(journal_close(&journal));
    CHECK(journal.stream == NULL);
    strbuf_free(&taken);
    return error;
}

static void check_file(const char *want) {
    StrBuf text = STRBUF_INIT;
    CHECK_INT(file_read(path, &text), 0);
    CHECK(sv_equal(strbuf_view(&text), sv_from(want)));
    strbuf_free(&text);
}

static void begin(void) {
    memcpy(path, "/tmp/komadori-journal-XXXXXX", sizeof("/tmp/komadori-journal-XXXXXX"));
    int file = mkstemp(path);
    CHECK(file >= 0 && close(file) == 0);
}

static void end(void) {
    CHECK_INT(remove(path), 0);
}

static void make_file(const char *text) {
    CHECK_INT(file_write(path, text, sv_from(text).len), 0);
}

static void test_continuing(void) {
    begin();
    CHECK_INT(remove(path), 0);
    CHECK_INT(run("head\n", "", "one\n"), 0);
    CHECK_INT(run("head\n", "one\n", "two\n"), 0);
    CHECK_INT(run("head\n", "one\ntwo\n", "three\n"), 0);
    check_file("head\none\ntwo\nthree\n");
    end();
}

/* An incomplete result is dropped, and the next one replaces it. */
static void test_cut(void) {
    begin();
    make_file("head\none\ntw");
    CHECK_INT(run("head\n", "one\n", "2\n"), 0);
    check_file("head\none\n2\n");
    make_file("head\nlong");
    CHECK_INT(run("head\n", "", "1\n"), 0);
    check_file("head\n1\n");
    make_file("hea");
    CHECK_INT(run("head\n", "", "1\n"), 0);
    check_file("head\n1\n");
    make_file("");
    CHECK_INT(run("head\n", "", "1\n"), 0);
    check_file("head\n1\n");
    end();
}

static void test_other_runs(void) {
    static const char *const others[] = {"heat\none\n", "heads\none\n", "x"};
    begin();
    for (size_t i = 0; i < COUNTOF(others); i++) {
        make_file(others[i]);
        CHECK_INT(run("head\n", "", "1\n"), EEXIST);
        check_file(others[i]);
    }
    end();
}

/* Of two simultaneous runs the second is rejected. */
static void test_two_at_once(void) {
    StrBuf taken = STRBUF_INIT;
    JournalFormat format = {SV("head\n"), take_lines, &taken};
    Journal first;
    begin();
    CHECK_INT(journal_open(&first, path, &format), 0);
    CHECK_INT(run("head\n", "", "2\n"), EBUSY);
    CHECK(journal_add(&first, SV("1\n")));
    CHECK(journal_close(&first));
    CHECK_INT(run("head\n", "1\n", "2\n"), 0);
    end();
    strbuf_free(&taken);
}

/* Nothing is added after an error, and the next run cuts off the incomplete result of the failed
 * one. */
static void test_full_disk(void) {
    StrBuf taken = STRBUF_INIT;
    JournalFormat format = {SV("head\n"), take_lines, &taken};
    Journal journal;
    struct rlimit limit;
    begin();
    CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR && getrlimit(RLIMIT_FSIZE, &limit) == 0);
    struct rlimit small = {.rlim_cur = 12, .rlim_max = limit.rlim_max};
    CHECK_INT(journal_open(&journal, path, &format), 0);
    CHECK(journal_add(&journal, SV("one\n")));
    CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
    CHECK(!journal_add(&journal, SV("longer\n")));
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    CHECK_INT(journal.error, EFBIG);
    CHECK(!journal_add(&journal, SV("2\n")));
    CHECK_INT(journal.error, EFBIG);
    CHECK(journal_close(&journal));
    CHECK_INT(run("head\n", "one\n", "two\n"), 0);
    check_file("head\none\ntwo\n");
    end();
    strbuf_free(&taken);
}

/* A device has no earlier run. */
static void test_device(void) {
    JournalFormat format = {SV("head\n"), take_lines, NULL};
    Journal journal;
    CHECK_INT(journal_open(&journal, "/dev/null", &format), 0);
    CHECK(journal_add(&journal, SV("1\n")) && journal_close(&journal));
    if (access("/dev/full", W_OK) != 0) {
        unit_skip("there is no /dev/full");
        return;
    }
    CHECK_INT(journal_open(&journal, "/dev/full", &format), ENOSPC);
}

static void test_errors(void) {
    JournalFormat format = {SV("head\n"), take_lines, NULL};
    Journal journal;
    CHECK_INT(journal_open(&journal, "/tmp/komadori/is/not/there", &format), ENOENT);
    CHECK(journal.stream == NULL);
    CHECK_STR(journal_error_text(EEXIST), "belongs to another run; move it away to start again");
    CHECK_STR(journal_error_text(EBUSY), "another process is writing to it");
    CHECK_STR(journal_error_text(ENOENT), file_error_text(ENOENT));
}

UNIT_MAIN({"continuing", test_continuing}, {"cut", test_cut}, {"other runs", test_other_runs},
          {"two at once", test_two_at_once}, {"full disk", test_full_disk}, {"device", test_device},
          {"errors", test_errors})
