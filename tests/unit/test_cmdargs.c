#include "cmd/cmdargs.h"

#include "unit.h"

static void test_words(void) {
    Tokenizer tok = {SV(" a \"b c\" \"\" d\"e \"f\"g \"h ")};
    static const char *const words[] = {"a", "b c", "", "d\"e", "f", "g", "h "};
    StrView word;
    for (size_t i = 0; i < COUNTOF(words); i++) {
        CHECK(cmdargs_next(&tok, &word) && sv_equal(word, sv_from(words[i])));
    }
    CHECK(!cmdargs_next(&tok, &word) && word.len == 0);
}

static void check_rest(const char *text, const char *want) {
    Tokenizer tok = {sv_from(text)};
    CHECK(sv_equal(cmdargs_rest(&tok), sv_from(want)));
}

static void test_rest(void) {
    check_rest(" \"a b\"\t", "a b");
    check_rest(" a b\" ", "a b\"");
    check_rest("\"", "\"");
    check_rest("\"\"", "");
    check_rest("", "");
}

static void test_sfen(void) {
    static const char *const forms[] = {"sfen A b - 1", "A b - 1", " \"sfen A b - 1\"",
                                        "\"A b - 1\" ", "sfen \"A b - 1\""};
    for (size_t i = 0; i < COUNTOF(forms); i++) {
        CHECK(sv_equal(cmdargs_sfen(sv_from(forms[i])), SV("A b - 1")));
    }
    CHECK(cmdargs_sfen(sv_from("")).len == 0 && cmdargs_sfen(SV(" sfen ")).len == 0);
}

UNIT_MAIN({"quotes hold words together", test_words}, {"the rest is one text", test_rest},
          {"a position in all its forms", test_sfen})
