/* fuzz_str.c: passes any bytes to every function of str.h that reads text, and checks that these
 * functions agree with each other. */
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) {
        abort();
    }
}

/* Checks that a number is the same after being written and read back. */
static void check_numbers(StrView word) {
    StrBuf text = STRBUF_INIT;
    int64_t number;
    int64_t number_again;
    if (sv_to_i64(word, INT64_MIN, INT64_MAX, &number)) {
        strbuf_add_i64(&text, number);
        require(sv_to_i64(strbuf_view(&text), number, number, &number_again));
        int small;
        require(sv_to_int(word, -100, 100, &small) == (number >= -100 && number <= 100));
    }
    uint64_t bits;
    uint64_t bits_again;
    if (sv_to_u64(word, 0, UINT64_MAX, &bits)) {
        strbuf_clear(&text);
        strbuf_add_u64(&text, bits);
        require(sv_to_u64(strbuf_view(&text), bits, bits, &bits_again));
    }
    double fraction;
    double fraction_again;
    if (sv_to_double(word, -1e308, 1e308, &fraction)) {
        strbuf_clear(&text);
        strbuf_addf(&text, "%.17g", fraction);
        require(sv_to_double(strbuf_view(&text), fraction, fraction, &fraction_again));
    }
    strbuf_free(&text);
}

static void check_words(StrView line) {
    Tokenizer tok = {line};
    StrView word;
    size_t total = 0;
    for (;;) {
        StrView peeked = tok_peek(&tok);
        if (!tok_next(&tok, &word)) {
            require(peeked.len == 0 && word.len == 0);
            break;
        }
        require(word.len > 0 && sv_equal(peeked, word));
        require(sv_find_byte(word, ' ') == word.len && sv_find_byte(word, '\t') == word.len);
        total += word.len;
        check_numbers(word);
    }
    require(total <= line.len && tok_rest(&tok).len == 0);
    require(sv_trim(line).len <= line.len && sv_find(line, sv_trim(line)) <= line.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    StrView whole = {(const char *)data, size};
    StrView text = whole;
    StrView line;
    size_t lines = 0;
    while (sv_next_line(&text, &line)) {
        require(sv_find_byte(line, '\n') == line.len);
        check_words(line);
        lines++;
    }
    StrView field;
    size_t fields = 0;
    text = whole;
    while (sv_next_field(&text, '\n', &field)) {
        fields++;
    }
    /* The empty field after the last LF is not a line. */
    bool has_tail = size > 0 && data[size - 1] != '\n';
    require(size == 0 ? lines == 0 : fields == lines + !has_tail);
    return 0;
}
