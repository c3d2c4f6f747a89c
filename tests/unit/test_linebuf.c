/* Tests of linebuf.c. */

#include <string.h>

#include "base/linebuf.h"
#include "unit.h"

static void put(LineBuf *buf, const char *text) {
    size_t len = strlen(text);
    memcpy(linebuf_room(buf, len), text, len);
    linebuf_filled(buf, len);
}

static void check_line(LineBuf *buf, const char *want) {
    StrView line = {NULL, 0};
    CHECK(linebuf_next(buf, &line) && sv_equal(line, sv_from(want)));
}

static void test_pieces(void) {
    LineBuf buf = {.most = 8};
    StrView line;
    CHECK(!linebuf_has_line(&buf));
    put(&buf, "on");
    CHECK(!linebuf_next(&buf, &line));
    put(&buf, "e\r\ntwo\n\nth");
    check_line(&buf, "one");
    check_line(&buf, "two");
    check_line(&buf, "");
    CHECK(!linebuf_has_line(&buf));
    put(&buf, "ree\n");
    check_line(&buf, "three");
    CHECK(!linebuf_next(&buf, &line));
    linebuf_free(&buf);
}

/* A line that is too long is cut as soon as it exceeds the limit, and only once. Memory use stays
 * bounded. */
static void test_overlong(void) {
    LineBuf buf = {.most = 8};
    put(&buf, "123456789");
    CHECK(linebuf_has_line(&buf));
    check_line(&buf, "12345678");
    CHECK(buf.is_cut && !linebuf_has_line(&buf));
    for (int i = 0; i < 100; i++) {
        put(&buf, "and so on");
        CHECK(!linebuf_has_line(&buf) && buf.bytes.len <= 9);
    }
    put(&buf, "abc\nnext\nand a longer one\r\nlast");
    check_line(&buf, "next");
    CHECK(!buf.is_cut);
    check_line(&buf, "and a lo");
    CHECK(buf.is_cut && !linebuf_has_line(&buf));
    StrView line;
    CHECK(linebuf_last(&buf, &line) && sv_equal(line, SV("last")));
    CHECK(!linebuf_last(&buf, &line));
    linebuf_free(&buf);
}

/* CR LF is one line end, whether it arrives in one piece or in two, even after a line that was
 * cut. */
static void test_carriage_returns(void) {
    LineBuf buf = {.most = 8, .ends_at_cr = true};
    put(&buf, "a\rb\r");
    check_line(&buf, "a");
    check_line(&buf, "b");
    put(&buf, "\nc\r\n123456789\r\nd\n");
    check_line(&buf, "c");
    check_line(&buf, "12345678");
    check_line(&buf, "d");
    CHECK(!linebuf_has_line(&buf));
    linebuf_free(&buf);
}

UNIT_MAIN({"lines that come in pieces", test_pieces}, {"lines that are too long", test_overlong},
          {"ends of lines", test_carriage_returns})
