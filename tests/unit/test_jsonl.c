/* Tests of jsonl.h: what is written is read back, what is torn is refused. */
#include "tools/match/jsonl.h"

#include <string.h>

#include "unit.h"

static void check_text(const char *line, const char *key, const char *value) {
    StrBuf text = STRBUF_INIT;
    strbuf_add_str(&text, "");
    CHECK(jsonl_get_text(sv_from(line), key, &text));
    CHECK_STR(text.ptr, value);
    strbuf_free(&text);
}

static void check_no_text(const char *line, const char *key) {
    StrBuf text = STRBUF_INIT;
    CHECK(!jsonl_get_text(sv_from(line), key, &text));
    strbuf_free(&text);
}

static void test_writing(void) {
    StrBuf out = STRBUF_INIT;
    jsonl_begin(&out);
    jsonl_add_text(&out, "a", SV("x{"));
    jsonl_add_i64(&out, "b", -12);
    jsonl_add_text(&out, "c", SV("q\"\\\n\t"));
    jsonl_end(&out);
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
    jsonl_begin(&out);
    jsonl_add_text(&out, "first", SV("\",\"all\":\"no\""));
    jsonl_add_text(&out, "all", (StrView){bytes, sizeof(bytes)});
    jsonl_add_i64(&out, "big", INT64_MAX);
    jsonl_end(&out);
    CHECK(jsonl_is_object(strbuf_view(&out)));
    CHECK(jsonl_get_text(strbuf_view(&out), "all", &back));
    CHECK(sv_equal(strbuf_view(&back), (StrView){bytes, sizeof(bytes)}));
    int64_t big = 0;
    CHECK(jsonl_get_i64(strbuf_view(&out), "big", 0, INT64_MAX, &big));
    CHECK(big == INT64_MAX);
    /* No shorter piece of it is an object. */
    for (size_t len = 0; len + 2 < out.len; len++) {
        CHECK(!jsonl_is_object((StrView){out.ptr, len}));
    }
    strbuf_free(&out);
    strbuf_free(&back);
}

/* An engine may send any bytes; the file stays JSON. */
static void test_bytes(void) {
    StrBuf out = STRBUF_INIT;
    jsonl_begin(&out);
    jsonl_add_text(&out, "a", SV("bestmove \x83\xff 歩"));
    jsonl_end(&out);
    CHECK_STR(out.ptr, "{\"a\":\"bestmove \xEF\xBF\xBD\xEF\xBF\xBD 歩\"}\n");
    check_text(out.ptr, "a", "bestmove \xEF\xBF\xBD\xEF\xBF\xBD 歩");
    strbuf_free(&out);
}

static void test_reading(void) {
    const char *line = " { \"a\" : 5 , \"b\":\"x\\u0041\\u3042\\/\" , \"t\":true } ";
    int64_t number = 0;
    CHECK(jsonl_is_object(sv_from(line)));
    CHECK(jsonl_get_i64(sv_from(line), "a", 0, 9, &number));
    CHECK_INT(number, 5);
    CHECK(!jsonl_get_i64(sv_from(line), "a", 6, 9, &number));
    CHECK(!jsonl_get_i64(sv_from(line), "b", 0, 9, &number));
    CHECK(!jsonl_get_i64(sv_from(line), "none", 0, 9, &number));
    check_text(line, "b", "xA\xe3\x81\x82/");
    check_no_text(line, "a");
    check_no_text(line, "c");
    CHECK(jsonl_is_object(SV("{}")));
}

static void test_refusals(void) {
    static const char *const wrong[] = {
        "",         "{",           "}",          "[]",        "{\"a\"}",     "{\"a\":}",
        "{\"a\":1", "{\"a\":\"x}", "{\"a\":1,}", "{a:1}",     "{\"a\":1} x", "{\"a\":1}{\"b\":2}",
        "\"a\"",    "{\"a\":{}}",  "{,}",        "{\"a\" 1}",
    };
    for (size_t i = 0; i < COUNTOF(wrong); i++) {
        CHECK(!jsonl_is_object(sv_from(wrong[i])));
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
