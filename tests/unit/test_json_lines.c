/* Tests lines of JSON: written lines can be read back, and incomplete lines are rejected. */
#include "base/json.h"

#include <string.h>

#include "unit.h"

static void check_text(const char *line, const char *key, const char *value) {
    StrBuf text = STRBUF_INIT;
    strbuf_add_str(&text, "");
    CHECK(json_line_text(sv_from(line), key, &text));
    CHECK_STR(text.ptr, value);
    strbuf_free(&text);
}

static void check_no_text(const char *line, const char *key) {
    StrBuf text = STRBUF_INIT;
    CHECK(!json_line_text(sv_from(line), key, &text));
    strbuf_free(&text);
}

static void test_writing(void) {
    StrBuf out = STRBUF_INIT;
    strbuf_add_byte(&out, '{');
    json_add_text("a", SV("x{"), &out);
    json_add_i64("b", -12, &out);
    json_add_text("c", SV("q\"\\\n\t"), &out);
    strbuf_add_str(&out, "}\n");
    CHECK_STR(out.ptr, "{\"a\":\"x{\",\"b\":-12,\"c\":\"q\\\"\\\\\\n\\u0009\"}\n");
    strbuf_free(&out);
}

static void test_round_trip(void) {
    char bytes[127];
    for (int i = 0; i < 127; i++) {
        bytes[i] = (char)(i + 1);
    }
    StrBuf out = STRBUF_INIT;
    StrBuf back = STRBUF_INIT;
    strbuf_add_byte(&out, '{');
    json_add_text("first", SV("\",\"all\":\"no\""), &out);
    json_add_text("all", (StrView){bytes, sizeof(bytes)}, &out);
    json_add_i64("big", INT64_MAX, &out);
    strbuf_add_str(&out, "}\n");
    CHECK(json_line_is_object(strbuf_view(&out)));
    CHECK(json_line_text(strbuf_view(&out), "all", &back));
    CHECK(sv_equal(strbuf_view(&back), (StrView){bytes, sizeof(bytes)}));
    int64_t big = 0;
    CHECK(json_line_i64(strbuf_view(&out), "big", 0, INT64_MAX, &big));
    CHECK(big == INT64_MAX);
    /* No prefix of the line is an object. */
    for (size_t len = 0; len + 2 < out.len; len++) {
        CHECK(!json_line_is_object((StrView){out.ptr, len}));
    }
    strbuf_free(&out);
    strbuf_free(&back);
}

/* An engine may send any bytes; the file stays JSON. */
static void test_bytes(void) {
    StrBuf out = STRBUF_INIT;
    strbuf_add_byte(&out, '{');
    json_add_text("a", SV("bestmove \x83\xff 歩"), &out);
    strbuf_add_str(&out, "}\n");
    CHECK_STR(out.ptr, "{\"a\":\"bestmove \xEF\xBF\xBD\xEF\xBF\xBD 歩\"}\n");
    check_text(out.ptr, "a", "bestmove \xEF\xBF\xBD\xEF\xBF\xBD 歩");
    strbuf_free(&out);
}

static void test_reading(void) {
    const char *line = " { \"a\" : 5 , \"b\":\"x\\u0041\\u3042\\/\" , \"t\":true } ";
    int64_t number = 0;
    CHECK(json_line_is_object(sv_from(line)));
    CHECK(json_line_i64(sv_from(line), "a", 0, 9, &number));
    CHECK_INT(number, 5);
    CHECK(!json_line_i64(sv_from(line), "a", 6, 9, &number));
    CHECK(!json_line_i64(sv_from(line), "b", 0, 9, &number));
    CHECK(!json_line_i64(sv_from(line), "none", 0, 9, &number));
    check_text(line, "b", "xA\xe3\x81\x82/");
    check_no_text(line, "a");
    check_no_text(line, "c");
    CHECK(json_line_is_object(SV("{}")));
}

static void test_refusals(void) {
    static const char *const wrong[] = {
        "",         "{",           "}",          "[]",        "{\"a\"}",     "{\"a\":}",
        "{\"a\":1", "{\"a\":\"x}", "{\"a\":1,}", "{a:1}",     "{\"a\":1} x", "{\"a\":1}{\"b\":2}",
        "\"a\"",    "{\"a\":{}}",  "{,}",        "{\"a\" 1}",
    };
    for (size_t i = 0; i < COUNTOF(wrong); i++) {
        CHECK(!json_line_is_object(sv_from(wrong[i])));
    }
    check_no_text("{\"a\":\"\\x\"}", "a");
    check_no_text("{\"a\":\"\\u12g4\"}", "a");
    check_no_text("{\"a\":\"\\u12\"}", "a");
    check_text("{\"a\":\"\\ud800\"}", "a", "\xEF\xBF\xBD");
}

UNIT_MAIN({"objects are written as JSON", test_writing},
          {"every character survives a round trip", test_round_trip},
          {"bytes that are no text", test_bytes}, {"blanks, escapes and types", test_reading},
          {"what is no object", test_refusals})
