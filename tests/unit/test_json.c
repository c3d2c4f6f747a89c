/* The JSON reader that JKF uses. */
#include "base/json.h"

#include "unit.h"

static void test_walk(void) {
    JsonReader json;
    StrView key, text;
    bool first = true, first_item = true, flag = false;
    int number = 0;
    json_init(&json, SV(" {\"a\" : [1, -2 ,3],\n\"b\":\"x\\u3042\\n\\ud83d\\ude00\\\"\", "
                        "\"c\":true,\"d\":{\"e\":[null,{}]}} "));
    CHECK_INT(json_peek(&json), JSON_OBJECT);
    CHECK(json_enter(&json, JSON_OBJECT));
    CHECK(json_next_key(&json, &first, &key) && sv_equal(key, SV("a")));
    CHECK(json_enter(&json, JSON_ARRAY));
    int sum = 0;
    while (json_next_item(&json, &first_item) && json_int(&json, -9, 9, &number)) {
        sum += number;
    }
    CHECK_INT(sum, 2);
    CHECK(json_next_key(&json, &first, &key) && sv_equal(key, SV("b")));
    CHECK(json_string(&json, &text) && sv_equal(text, SV("xあ\n😀\"")));
    CHECK(json_next_key(&json, &first, &key) && json_bool(&json, &flag) && flag);
    CHECK(json_next_key(&json, &first, &key) && json_skip(&json));
    CHECK(!json_next_key(&json, &first, &key));
    CHECK(json.fault == NULL);
    CHECK_INT(json_peek(&json), JSON_END);
    CHECK_INT(json.line, 2);
    json_free(&json);
}

static void check_fault(const char *text) {
    JsonReader json;
    json_init(&json, sv_from(text));
    CHECK(!json_skip(&json));
    CHECK(json.fault != NULL);
    json_free(&json);
}

static void test_faults(void) {
    static const char *const texts[] = {"",      "{",        "[1",      "[1 2]",     "{\"a\"}",
                                        "{1:2}", "\"abc",    "\"\\x\"", "\"\\u12\"", "tru",
                                        "[1,]x", "{\"a\":}", "nul",     "1e",        "--1"};
    for (size_t i = 0; i < COUNTOF(texts); i++) {
        check_fault(texts[i]);
    }
    StrBuf deep = STRBUF_INIT;
    for (int i = 0; i < 100000; i++) {
        strbuf_add_byte(&deep, '[');
    }
    check_fault(deep.ptr);
    strbuf_free(&deep);
}

static void test_strings(void) {
    StrBuf out = STRBUF_INIT;
    JsonReader json;
    StrView text;
    StrView raw = SV("a\"\\\n\t\x01あ");
    json_append_string(raw, &out);
    CHECK_STR(out.ptr, "\"a\\\"\\\\\\n\\u0009\\u0001あ\"");
    json_init(&json, strbuf_view(&out));
    CHECK(json_string(&json, &text) && sv_equal(text, raw));
    json_free(&json);
    json_init(&json, SV("\"\\ufeffx\""));
    CHECK(json_string(&json, &text) && sv_equal(text, SV("x")));
    json_free(&json);
    strbuf_free(&out);
}

/* Adds numbers; the key must stay valid while other values are read. */
static bool take_number(JsonReader *json, StrView key, void *to) {
    int *sum = to, number;
    if (json_peek(json) == JSON_ARRAY) {
        return json_array(json, take_number, to) && (key.len == 0 || sv_equal(key, SV("list")));
    }
    if (!json_int(json, 0, 99, &number)) {
        return false;
    }
    *sum += number;
    return number != 13;
}

static void check_take(const char *text, bool skips_null, bool is_good, int sum) {
    JsonReader json;
    int found = 0;
    json_init(&json, sv_from(text));
    json.skips_null = skips_null;
    CHECK(json_object(&json, take_number, &found) == is_good);
    CHECK_INT(found, sum);
    json_free(&json);
}

static void test_takers(void) {
    check_take("{\"a\":1,\"list\":[2,[3],4],\"b\":5}", false, true, 15);
    check_take("{}", false, true, 0);
    check_take("{\"a\":1,\"n\":null,\"b\":2}", true, true, 3);
    check_take("{\"a\":1,\"n\":null,\"b\":2}", false, false, 1);
    check_take("{\"a\":1,\"b\":13,\"c\":2}", false, false, 14);
    check_take("{\"a\":1,\"b\":[2", false, false, 3);
    check_take("[1]", false, false, 0);
}

UNIT_MAIN({"walk", test_walk}, {"takers", test_takers}, {"faults", test_faults},
          {"strings", test_strings})
