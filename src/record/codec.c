/* codec.c: helper functions for writing prefixed lines, text on one line, padded text and the
 * number of the first move. */
#include "record/codec.h"

#include "base/utf8.h"
#include "record/words.h"

GameLine codec_divide_by_line(StrView line) {
    return sv_is_remark(line) ? GAME_BREAK : GAME_WHOLE;
}

void codec_append_prefixed_lines(StrView text, const char *prefix, StrBuf *out) {
    StrView line;
    bool has_lines = text.len > 0; /* the last line may be empty */
    while (has_lines && sv_next_field(&text, '\n', &line)) {
        strbuf_add_str(out, prefix);
        strbuf_add(out, line);
        strbuf_add_byte(out, '\n');
    }
}

void codec_append_remarks(StrView remarks, const char *prefix, StrBuf *out) {
    StrView line;
    while (sv_next_line(&remarks, &line)) {
        strbuf_add_str(out, prefix);
        strbuf_add(out, line);
        strbuf_add_byte(out, '\n');
    }
}

void codec_append_one_line(StrView text, StrBuf *out) {
    for (size_t i = 0; i < text.len; i++) {
        bool is_break = text.ptr[i] == '\n' || text.ptr[i] == '\r';
        strbuf_add_byte(out, is_break ? ' ' : text.ptr[i]);
    }
}

void codec_append_padded(StrView text, int columns, StrBuf *out) {
    strbuf_add(out, text);
    for (int i = utf8_columns(text); i < columns; i++) {
        strbuf_add_byte(out, ' ');
    }
}

int codec_start_number(StrView value, bool *names_move) {
    value = word_trim(value);
    int number = word_take_any_number(&value, 999999);
    value = word_trim(value);
    *names_move = word_take_mark(&value) != COLOR_NB && sv_ends_with(value, SV("まで"));
    return *names_move || sv_equal(value, SV("まで")) ? number : -1;
}

void codec_append_start_number(const Record *record, StrBuf *out) {
    bool names_move;
    int said = codec_start_number(record_header(record, START_NUMBER), &names_move);
    if (record->start.ply > 1 && said != record->start.ply - 1) {
        strbuf_addf(out, "%d  まで", record->start.ply - 1);
    }
}
