/* Tests of inbox.c. */
#include "base/proc.h"

#include <string.h>

#include "unit.h"

static void put(Inbox *inbox, const char *text) {
    size_t len = strlen(text);
    memcpy(inbox_room(inbox, len, 8), text, len);
    inbox_filled(inbox, len);
}

static void check_line(Inbox *inbox, const char *want) {
    StrView line = {NULL, 0};
    CHECK(inbox_next_line(inbox, &line) && sv_equal(line, sv_from(want)));
}

static void test_pieces(void) {
    Inbox inbox = {0};
    StrView line;
    CHECK(!inbox_has_line(&inbox));
    put(&inbox, "on");
    CHECK(!inbox_next_line(&inbox, &line));
    put(&inbox, "e\r\ntwo\n\nth");
    check_line(&inbox, "one");
    check_line(&inbox, "two");
    check_line(&inbox, "");
    CHECK(!inbox_has_line(&inbox));
    put(&inbox, "ree\n");
    check_line(&inbox, "three");
    CHECK(!inbox_next_line(&inbox, &line));
    inbox_free(&inbox);
}

static void test_overlong(void) {
    Inbox inbox = {0};
    put(&inbox, "123456789");
    put(&inbox, "abc\nnext\n");
    check_line(&inbox, "next");
    CHECK(!inbox_has_line(&inbox));
    inbox_free(&inbox);
}

int main(int argc, char **argv) {
    static const UnitTest tests[] = {{"pieces", test_pieces}, {"overlong", test_overlong}};
    return unit_run(tests, (int)COUNTOF(tests), argc, argv);
}
