/* Character encodings. The expected bytes are those of iconv's CP932 and EUC-JP. */
#include "base/textenc.h"

#include "base/utf8.h"
#include "unit.h"

static void check_both_ways(TextEncoding encoding, const char *bytes, const char *text) {
    StrBuf decoded = STRBUF_INIT, encoded = STRBUF_INIT;
    CHECK_INT((int64_t)textenc_decode(encoding, sv_from(bytes), &decoded), 0);
    CHECK_STR(decoded.ptr, text);
    CHECK_INT((int64_t)textenc_encode(encoding, sv_from(text), &encoded), 0);
    CHECK_STR(encoded.ptr, bytes);
    strbuf_free(&decoded);
    strbuf_free(&encoded);
}

static void test_cp932(void) {
    check_both_ways(TEXT_CP932, "abc\\", "abc\\");
    /* Characters whose second byte equals a backslash or a vertical bar. */
    check_both_ways(TEXT_CP932, "\x95\x5C\x83\x5C\x94\x5C\x8F\x5C\x83\x7C", "表ソ能十ポ");
    check_both_ways(TEXT_CP932, "\x82\x56\x98\x5A\x95\xE0", "７六歩");
    check_both_ways(TEXT_CP932, "\xFB\xFC\xFA\xB1", "髙﨑");
    check_both_ways(TEXT_CP932, "\x81\x60\x81\x7C\x81\xCA\x81\xE6\x81\xE0", "～－￢∵≒");
    check_both_ways(TEXT_CP932, "\x87\x40\x87\x54", "①Ⅰ");
    check_both_ways(TEXT_CP932, "\xBA\xCF\xC4\xDE\xD8", "ｺﾏﾄﾞﾘ");
    check_both_ways(TEXT_CP932, "\xF0\x40\xF9\xFC", "\xEE\x80\x80\xEE\x9D\x97");
    check_both_ways(TEXT_CP932, "\xEA\xA4\x88\x9F", "熙亜");
}

static void test_euc(void) {
    check_both_ways(TEXT_EUC_JP, "\xA3\xB7\xCF\xBB\xCA\xE2", "７六歩");
    check_both_ways(TEXT_EUC_JP, "\x8E\xBA\x8E\xCF", "ｺﾏ");
    check_both_ways(TEXT_EUC_JP, "\xAD\xA1\xF4\xA6", "①熙");
}

static void test_missing_characters(void) {
    StrBuf out = STRBUF_INIT;
    CHECK_INT((int64_t)textenc_encode(TEXT_CP932, SV("♘７🐦"), &out), 2);
    CHECK_STR(out.ptr, "\x81\xAC\x82\x56\x81\xAC");
    strbuf_clear(&out);
    CHECK_INT((int64_t)textenc_encode(TEXT_CP932, SV("〜−"), &out), 0);
    CHECK_STR(out.ptr, "\x81\x60\x81\x7C");
    strbuf_clear(&out);
    /* Only one byte of an invalid pair is taken, so the line feed after it is kept. */
    CHECK_INT((int64_t)textenc_decode(TEXT_CP932, SV("\x82\n\x82"), &out), 2);
    CHECK_STR(out.ptr, "\xEF\xBF\xBD\n\xEF\xBF\xBD");
    strbuf_clear(&out);
    CHECK_INT((int64_t)textenc_decode(TEXT_UTF8,
                                      SV("\xEF\xBB\xBF"
                                         "a\xC0\x80\xED\xA0\x80"),
                                      &out),
              5);
    CHECK(sv_starts_with(strbuf_view(&out), SV("a\xEF\xBF\xBD")));
    strbuf_clear(&out);
    /* Characters of EUC-JP's third set have three bytes, like U+FFFD in UTF-8. */
    CHECK_INT((int64_t)textenc_decode(TEXT_EUC_JP,
                                      SV("\x8F\xB0\xA1"
                                         "a"),
                                      &out),
              1);
    CHECK_STR(out.ptr, "\xEF\xBF\xBD"
                       "a");
    strbuf_free(&out);
}

static void test_detect(void) {
    CHECK_INT(textenc_detect(SV("")), TEXT_UTF8);
    CHECK_INT(textenc_detect(SV("PI\n+\n")), TEXT_UTF8);
    CHECK_INT(textenc_detect(SV("先手：")), TEXT_UTF8);
    CHECK_INT(textenc_detect(SV("\x90\xE6\x8E\xE8\x81\x46")), TEXT_CP932);
    CHECK_INT(textenc_detect(SV("\xC0\xE8\xBC\xEA\xA1\xA7")), TEXT_EUC_JP);
    CHECK_INT(textenc_detect(SV("\xFF\xFF")), TEXT_CP932);
    CHECK_INT(textenc_detect(SV("先手：後\x82")), TEXT_UTF8);
    CHECK_INT(textenc_detect(SV("先手：\x82")), TEXT_CP932);
    TextEncoding encoding = TEXT_UTF8;
    CHECK(textenc_read_name(SV("SHIFT_JIS"), &encoding) && encoding == TEXT_CP932);
    CHECK(textenc_read_name(SV("euc-jp"), &encoding) && encoding == TEXT_EUC_JP);
    CHECK(!textenc_read_name(SV("latin1"), &encoding));
}

static void test_utf8(void) {
    StrView text = SV("a歩🐦\xFF");
    CHECK_INT(utf8_take(&text), 'a');
    CHECK_INT(utf8_take(&text), 0x6B69);
    CHECK_INT(utf8_take(&text), 0x1F426);
    CHECK_INT(utf8_take(&text), UTF8_REPLACEMENT);
    CHECK_INT((int64_t)text.len, 0);
    CHECK_INT(utf8_columns(SV("７六歩(77)")), 10);
    CHECK_INT(utf8_columns(SV("▲☗|ｱ")), 6);
    CHECK_INT((int64_t)utf8_cut(SV("歩歩"), 5).len, 3);
    CHECK(utf8_count(SV("\xE6\xAD")).faults > 0);
    CHECK(utf8_count(SV("\xF4\x90\x80\x80")).faults > 0);
    StrBuf out = STRBUF_INIT;
    utf8_append(&out, 0xD800);
    CHECK_STR(out.ptr, "\xEF\xBF\xBD");
    strbuf_free(&out);
}

static void test_marks(void) {
    StrBuf out = STRBUF_INIT;
    CHECK_INT((int64_t)textenc_decode(TEXT_UTF8, SV("\xEF\xBB\xBFone\n\xEF\xBB\xBFtwo"), &out), 0);
    CHECK_STR(out.ptr, "one\ntwo");
    strbuf_free(&out);
}

/* Every character of the table can be written and read back, in both encodings that have it. */
static void test_round_trip(void) {
    StrBuf text = STRBUF_INIT, bytes = STRBUF_INIT, back = STRBUF_INIT;
    int in_cp932 = 0;
    for (uint32_t c = 1; c < 0x10000; c++) {
        strbuf_clear(&text);
        utf8_append(&text, c);
        for (TextEncoding e = TEXT_CP932; e <= TEXT_EUC_JP; e++) {
            strbuf_clear(&bytes);
            if (textenc_encode(e, strbuf_view(&text), &bytes) == 0) {
                in_cp932 += e == TEXT_CP932;
                strbuf_clear(&back);
                textenc_decode(e, strbuf_view(&bytes), &back);
                bool is_twin = c == 0x301C || c == 0x2212 || c == 0x2016 || c == 0xA2 ||
                               c == 0xA3 || c == 0xAC || c == 0x2014 || c == 0x2616 || c == 0x2617;
                CHECK(is_twin || sv_equal(strbuf_view(&back), strbuf_view(&text)));
            }
        }
    }
    /* 127 ASCII characters, 63 kana, 1880 user-defined characters, 7326 characters of the table
     * (without its 398 duplicates), and 9 twins. */
    CHECK_INT(in_cp932, 127 + 63 + 1880 + 7326 + 9);
    strbuf_free(&text);
    strbuf_free(&bytes);
    strbuf_free(&back);
}

UNIT_MAIN({"cp932", test_cp932}, {"euc-jp", test_euc},
          {"characters that are missing", test_missing_characters}, {"detection", test_detect},
          {"byte-order marks, of joined files too", test_marks}, {"utf-8", test_utf8},
          {"every character there and back", test_round_trip})
