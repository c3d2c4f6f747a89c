#include "base/str.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

static void test_compare(void) {
    CHECK(sv_equal(SV("abc"), sv_from("abc")));
    CHECK(!sv_equal(SV("abc"), SV("abd")));
    CHECK(!sv_equal(SV("abc"), SV("ab")));
    CHECK(sv_equal(SV(""), sv_from(NULL)));
    CHECK(sv_equal_nocase(SV("UsI"), SV("uSi")));
    CHECK(!sv_equal_nocase(SV("usi"), SV("us")));
    CHECK(!sv_equal_nocase(SV("["), SV("{")));
    CHECK(sv_starts_with(SV("position"), SV("pos")));
    CHECK(!sv_starts_with(SV("pos"), SV("position")));
    CHECK(sv_ends_with(SV("game.kif"), SV(".kif")));
    CHECK(!sv_ends_with(SV("kif"), SV(".kif")));
    CHECK(sv_ends_with(SV("kif"), SV("")));
}

static void test_find(void) {
    CHECK_INT(sv_find_byte(SV("a=b=c"), '='), 1);
    CHECK_INT(sv_find_byte(SV("abc"), '='), 3);
    CHECK_INT(sv_find_byte(sv_from(NULL), '='), 0);
    CHECK(sv_has_byte(SV("a=b"), 'b') && !sv_has_byte(SV("a=b"), 'c'));
    CHECK_INT(sv_find(SV("aabaac"), SV("aac")), 3);
    CHECK_INT(sv_find(SV("aab"), SV("aac")), 3);
    CHECK_INT(sv_find(SV("aab"), SV("")), 0);
    CHECK_INT(sv_find(SV("a"), SV("long needle")), 1);
}

static void test_cut(void) {
    CHECK(sv_equal(sv_skip(SV("abc"), 1), SV("bc")));
    CHECK(sv_equal(sv_skip(SV("abc"), 9), SV("")));
    CHECK(sv_equal(sv_prefix(SV("abc"), 2), SV("ab")));
    CHECK(sv_equal(sv_prefix(SV("abc"), 9), SV("abc")));
    CHECK(sv_equal(sv_trim(SV(" \t a b\r\n")), SV("a b")));
    CHECK_INT(sv_trim(SV(" \n ")).len, 0);
    CHECK(sv_is_remark(SV("")) && sv_is_remark(SV(" \t\r")) && sv_is_remark(SV(" # said")));
    CHECK(!sv_is_remark(SV("said # by the way")));
}

typedef struct NumberCase {
    const char *text;
    bool is_good;
    int64_t value;
} NumberCase;

static void test_i64(void) {
    static const NumberCase cases[] = {
        {"0", true, 0},
        {"-0", true, 0},
        {"+7", true, 7},
        {"0042", true, 42},
        {"9223372036854775807", true, INT64_MAX},
        {"-9223372036854775808", true, INT64_MIN},
        {"9223372036854775808", false, 0},
        {"-9223372036854775809", false, 0},
        {"99999999999999999999999", false, 0},
        {"", false, 0},
        {"-", false, 0},
        {"+-1", false, 0},
        {"1 ", false, 0},
        {" 1", false, 0},
        {"1.0", false, 0},
        {"0x10", false, 0},
        {"1e3", false, 0},
    };
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        int64_t value = 12345;
        bool is_good = sv_to_i64(sv_from(cases[i].text), INT64_MIN, INT64_MAX, &value);
        CHECK_INT(is_good, cases[i].is_good);
        CHECK_INT(value, is_good ? cases[i].value : 12345);
    }
}

static void test_ranges(void) {
    int value = 5;
    CHECK(sv_to_int(SV("-3"), -3, 3, &value) && value == -3);
    CHECK(!sv_to_int(SV("4"), -3, 3, &value) && value == -3);
    CHECK(!sv_to_int(SV("-4"), -3, 3, &value) && value == -3);
    CHECK(!sv_to_int(SV("4294967297"), INT_MIN, INT_MAX, &value) && value == -3);
    uint64_t big = 1;
    CHECK(sv_to_u64(SV("18446744073709551615"), 0, UINT64_MAX, &big) && big == UINT64_MAX);
    CHECK(!sv_to_u64(SV("18446744073709551616"), 0, UINT64_MAX, &big) && big == UINT64_MAX);
    CHECK(!sv_to_u64(SV("-1"), 0, UINT64_MAX, &big));
    CHECK(!sv_to_u64(SV("+1"), 0, UINT64_MAX, &big));
    CHECK(!sv_to_u64(SV("9"), 10, 20, &big));
}

static void test_doubles_like_strtod(void) {
    static const char *const good[] = {"0",
                                       "1.5",
                                       "-2.25",
                                       ".5",
                                       "5.",
                                       "1e3",
                                       "1E-3",
                                       "+0.1",
                                       "1e-400",
                                       "1e-99999999999999999999",
                                       "0.30000000000000004",
                                       "123456789012345678901234567890",
                                       "4.9406564584124654e-324"};
    for (size_t i = 0; i < COUNTOF(good); i++) {
        double value = -1;
        CHECK(sv_to_double(sv_from(good[i]), -1e300, 1e300, &value));
        CHECK(value == strtod(good[i], NULL));
    }
}

static void test_bad_doubles(void) {
    static const char *const bad[] = {"",
                                      ".",
                                      "-",
                                      "e5",
                                      "1e",
                                      "1e+",
                                      "1.2.3",
                                      "nan",
                                      "inf",
                                      "1e400",
                                      "0x1p3",
                                      "1,5",
                                      " 1",
                                      "1 ",
                                      "1e5x",
                                      "--1",
                                      "1e99999999999999999999"};
    double value = 2.5;
    for (size_t i = 0; i < COUNTOF(bad); i++) {
        CHECK(!sv_to_double(sv_from(bad[i]), -1e308, 1e308, &value));
    }
    CHECK(!sv_to_double(SV("3.1"), 0, 3, &value));
    CHECK(!sv_to_double(SV("-0.1"), 0, 3, &value));
    CHECK(value == 2.5);
}

static void test_tokenizer(void) {
    Tokenizer tok = {SV("  go \t btime  100\r")};
    StrView word;
    CHECK(sv_equal(tok_peek(&tok), SV("go")));
    CHECK(tok_next(&tok, &word) && sv_equal(word, SV("go")));
    CHECK(sv_equal(tok_rest(&tok), SV("btime  100")));
    CHECK(tok_next(&tok, &word) && sv_equal(word, SV("btime")));
    CHECK(tok_next(&tok, &word) && sv_equal(word, SV("100")));
    CHECK(!tok_next(&tok, &word) && word.len == 0);
    CHECK(!tok_next(&tok, &word));
    CHECK_INT(tok_peek(&tok).len, 0);
    Tokenizer nothing = {{NULL, 0}};
    CHECK(!tok_next(&nothing, &word));
    CHECK_INT(tok_rest(&nothing).len, 0);
}

static void test_lines(void) {
    StrView text = SV("one\r\n\nthree\r\r\nlast");
    StrView line;
    CHECK(sv_next_line(&text, &line) && sv_equal(line, SV("one")));
    CHECK(sv_next_line(&text, &line) && sv_equal(line, SV("")));
    CHECK(sv_next_line(&text, &line) && sv_equal(line, SV("three\r")));
    CHECK(sv_next_line(&text, &line) && sv_equal(line, SV("last")));
    CHECK(!sv_next_line(&text, &line) && line.len == 0);
    text = SV("ends\n");
    CHECK(sv_next_line(&text, &line) && sv_equal(line, SV("ends")));
    CHECK(!sv_next_line(&text, &line));
}

static void test_fields(void) {
    StrView text = SV("a\t\tb\t");
    StrView field;
    CHECK(sv_next_field(&text, '\t', &field) && sv_equal(field, SV("a")));
    CHECK(sv_next_field(&text, '\t', &field) && field.len == 0);
    CHECK(sv_next_field(&text, '\t', &field) && sv_equal(field, SV("b")));
    CHECK(sv_next_field(&text, '\t', &field) && field.len == 0);
    CHECK(!sv_next_field(&text, '\t', &field));
    CHECK(text.ptr == NULL && text.len == 0);
    text = SV("");
    CHECK(sv_next_field(&text, '\t', &field) && field.len == 0);
    CHECK(!sv_next_field(&text, '\t', &field));
}

static void test_rows(void) {
    StrView text = SV("# a remark\n\nfirst\r\n  \nsecond"), row;
    int number = 0;
    CHECK(sv_next_row(&text, &row, &number) && sv_equal(row, SV("first")));
    CHECK_INT(number, 3);
    CHECK(sv_next_row(&text, &row, &number) && sv_equal(row, SV("second")));
    CHECK_INT(number, 5);
    CHECK(!sv_next_row(&text, &row, &number));
}

static void test_index(void) {
    static const struct {
        int value;
        const char *name;
    } table[] = {{1, "one"}, {2, NULL}, {3, "three"}};
    static const char *const words[] = {"x", "Y"};
    CHECK_INT(SV_INDEX(SV("three"), table, name), 2);
    CHECK_INT(SV_INDEX(SV("thre"), table, name), -1);
    CHECK_INT(SV_INDEX_OF(SV("x"), words), 0);
    CHECK_INT(SV_INDEX_OF(SV("y"), words), -1);
    CHECK_INT(sv_index(SV("y"), words, 2, sizeof(words[0]), sv_equal_nocase), 1);
    CHECK_STR(str_plural(1), "");
    CHECK_STR(str_plural(0), "s");
}

static void test_buffer_numbers(void) {
    StrBuf buf = STRBUF_INIT;
    strbuf_add_i64(&buf, INT64_MIN);
    strbuf_add_byte(&buf, ' ');
    strbuf_add_u64(&buf, UINT64_MAX);
    strbuf_add_str(&buf, " ");
    strbuf_add_i64(&buf, 0);
    strbuf_addf(&buf, " %d %s", -7, "x");
    CHECK_STR(buf.ptr, "-9223372036854775808 18446744073709551615 0 -7 x");
    CHECK_INT(buf.len, strlen(buf.ptr));
    strbuf_clear(&buf);
    CHECK_STR(buf.ptr, "");
    strbuf_free(&buf);
    CHECK(buf.ptr == NULL && buf.len == 0 && buf.cap == 0);
}

static void test_buffer_grows(void) {
    StrBuf buf = STRBUF_INIT;
    CHECK_INT(strbuf_view(&buf).len, 0);
    strbuf_add(&buf, sv_from(NULL));
    CHECK_STR(buf.ptr, "");
    for (int i = 0; i < 1000; i++) {
        strbuf_addf(&buf, "%d%s", i % 10, i % 2 ? "" : "abcdefghijklmnopqrstuvwxyz");
    }
    CHECK_INT(buf.len, 1000 + 500 * 26);
    CHECK_INT(strlen(buf.ptr), buf.len);
    CHECK(sv_ends_with(strbuf_view(&buf), SV("8abcdefghijklmnopqrstuvwxyz9")));
    strbuf_add_bytes(&buf, "a\0b", 3);
    CHECK_INT(buf.len, 1000 + 500 * 26 + 3);
    strbuf_free(&buf);
}

UNIT_MAIN({"views compare", test_compare}, {"views are searched", test_find},
          {"views are cut", test_cut}, {"whole numbers and what is none", test_i64},
          {"ranges hold", test_ranges},
          {"fractions are read as strtod does", test_doubles_like_strtod},
          {"what is no fraction is refused", test_bad_doubles},
          {"words are split at blanks", test_tokenizer}, {"lines end in LF or CR LF", test_lines},
          {"n separators make n + 1 fields", test_fields},
          {"rows are lines without remarks", test_rows}, {"words are found in tables", test_index},
          {"numbers are appended", test_buffer_numbers}, {"the buffer grows", test_buffer_grows})
