/* Tests of jsonl.h: what is written is read back, what is torn is refused. */
#include "tools/match/jsonl.h"

#include <string.h>

#include "unit.h"

static void check_text(const char *line, const char *key, const char *value) {
    StrBuf text = STRBUF_INIT;
    strbuf_add_str(&text, "");
    CHECK(json_get_text(sv_from(line), key, &text));
    CHECK_STR(text.ptr, value);
    strbuf_free(&text);
}

static void check_no_text(const char *line, const char *key) {
    StrBuf text = STRBUF_INIT;
    CHECK(!json_get_text(sv_from(line), key, &text));
    strbuf_free(&text);
}

static void test_writing(void) {
    StrBuf out = STRBUF_INIT;
    json_begin(&out);
    json_add_text(&out, "a", SV("x{"));
    json_add_i64(&out, "b", -12);
    json_add_text(&out, "c", SV("q\"\\\n\t"));
    json_end(&out);
    CHECK_STR(out.ptr, "{\"a\":\"x{\",\"b\":-12,\"c\":\"q\\\"\\\\\\u000a\\u0009\"}\n");
    strbuf_free(&out);
}

static void test_round_trip(void) {
    char bytes[255];
    for (int i = 0; i < 255; i++) {
        bytes[i] = (char)(i + 1);
    }
    StrBuf out = STRBUF_INIT;
    StrBuf back = STRBUF_INIT;
    json_begin(&out);
    json_add_text(&out, "first", SV("\",\"all\":\"no\""));
    json_add_text(&out, "all", (StrView){bytes, sizeof(bytes)});
    json_add_i64(&out, "big", INT64_MAX);
    json_end(&out);
    CHECK(json_is_object(strbuf_view(&out)));
    CHECK(json_get_text(strbuf_view(&out), "all", &back));
    CHECK(sv_equal(strbuf_view(&back), (StrView){bytes, sizeof(bytes)}));
    int64_t big = 0;
    CHECK(json_get_i64(strbuf_view(&out), "big", 0, INT64_MAX, &big));
    CHECK(big == INT64_MAX);
    /* No shorter piece of it is an object. */
    for (size_t len = 0; len + 2 < out.len; len++) {
        CHECK(!json_is_object((StrView){out.ptr, len}));
    }
    strbuf_free(&out);
    strbuf_free(&back);
}

static void test_reading(void) {
    const char *line = " { \"a\" : 5 , \"b\":\"x\\u0041\\u3042\\/\" , \"t\":true } ";
    int64_t number = 0;
    CHECK(json_is_object(sv_from(line)));
    CHECK(json_get_i64(sv_from(line), "a", 0, 9, &number));
    CHECK_INT(number, 5);
    CHECK(!json_get_i64(sv_from(line), "a", 6, 9, &number));
    CHECK(!json_get_i64(sv_from(line), "b", 0, 9, &number));
    CHECK(!json_get_i64(sv_from(line), "none", 0, 9, &number));
    check_text(line, "b", "xA\xe3\x81\x82/");
    check_no_text(line, "a");
    check_no_text(line, "c");
    CHECK(json_is_object(SV("{}")));
}

static void test_refusals(void) {
    static const char *const wrong[] = {
        "",         "{",           "}",          "[]",        "{\"a\"}",     "{\"a\":}",
        "{\"a\":1", "{\"a\":\"x}", "{\"a\":1,}", "{a:1}",     "{\"a\":1} x", "{\"a\":1}{\"b\":2}",
        "\"a\"",    "{\"a\":{}}",  "{,}",        "{\"a\" 1}",
    };
    for (size_t i = 0; i < COUNTOF(wrong); i++) {
        CHECK(!json_is_object(sv_from(wrong[i])));
    }
    check_no_text("{\"a\":\"\\x\"}", "a");
    check_no_text("{\"a\":\"\\u12g4\"}", "a");
    check_no_text("{\"a\":\"\\u12\"}", "a");
    check_no_text("{\"a\":\"\\ud800\"}", "a");
}

UNIT_MAIN({"objects are written as JSON", test_writing},
          {"every byte survives a round trip", test_round_trip},
          {"blanks, escapes and types", test_reading}, {"what is no object", test_refusals})
