/* Malformed records (tests/data/kifu/bad): each file is rejected with the line and the reason given
 * in faults.tsv, and the contents before the error are kept. */
#include "base/fileio.h"
#include "record/kifuio.h"
#include "unit.h"

static void check_row(StrView row) {
    StrView file, line_text, moves_text, reason;
    StrBuf path = STRBUF_INIT, bytes = STRBUF_INIT;
    int line = -1, moves = -1;
    if (!CHECK(sv_next_field(&row, '\t', &file) && sv_next_field(&row, '\t', &line_text) &&
               sv_next_field(&row, '\t', &moves_text) && sv_next_field(&row, '\t', &reason) &&
               sv_to_int(line_text, 0, 99, &line) && sv_to_int(moves_text, 0, 99, &moves))) {
        return;
    }
    strbuf_addf(&path, "tests/data/kifu/bad/%.*s", (int)file.len, file.ptr);
    Record record;
    KmdFault error;
    KifuForm form = {.codec = kifu_codec_by_path(file)};
    record_init(&record);
    CHECK_INT(file_read(path.ptr, &bytes), 0);
    bool is_right =
        !kifu_read(strbuf_view(&bytes), &form, &record, &error) && error.line == line &&
        record_main_length(&record) == moves &&
        sv_find(sv_from(error.reason), reason) + reason.len <= sv_from(error.reason).len;
    if (!CHECK(is_right)) {
        CHECK_STR(path.ptr, "");
        CHECK_STR(error.reason, "the reason");
        CHECK_INT(error.line, line);
        CHECK_INT(record_main_length(&record), moves);
    }
    record_free(&record);
    strbuf_free(&path);
    strbuf_free(&bytes);
}

static void test_faults(void) {
    StrBuf table = STRBUF_INIT;
    if (CHECK_INT(file_read("tests/data/kifu/bad/faults.tsv", &table), 0)) {
        StrView rest = strbuf_view(&table), row;
        sv_next_line(&rest, &row);
        while (sv_next_line(&rest, &row)) {
            check_row(row);
        }
    }
    strbuf_free(&table);
}

/* Every file, cut at any length, gives some result, and never more moves than the complete file. */
static void test_cut_short(void) {
    static const char *const files[] = {"g001.kif", "g001.ki2",  "g041.csa",
                                        "g041.jkf", "g041.kifu", "g001.usen"};
    for (size_t i = 0; i < COUNTOF(files); i++) {
        StrBuf path = STRBUF_INIT, bytes = STRBUF_INIT;
        Record record;
        KmdFault error;
        KifuForm form = {.codec = kifu_codec_by_path(sv_from(files[i]))};
        record_init(&record);
        strbuf_addf(&path, "tests/data/kifu/%s", files[i]);
        CHECK_INT(file_read(path.ptr, &bytes), 0);
        CHECK(kifu_read(strbuf_view(&bytes), &form, &record, &error));
        int whole = record_main_length(&record);
        for (size_t len = 0; len < bytes.len; len += 1 + len / 16) {
            kifu_read(sv_prefix(strbuf_view(&bytes), len), &form, &record, &error);
            CHECK(record_main_length(&record) <= whole);
        }
        record_free(&record);
        strbuf_free(&path);
        strbuf_free(&bytes);
    }
}

/* The text that a message quotes is at most one line. */
static void test_one_line(void) {
    static const struct {
        const char *format, *text, *near_text;
    } rows[] = {
        {"jkf", "{\"moves\":[{},{\"move\":{\"to\":{\"x\":7,\n\"y\":16},\n\"piece\":\"FU\"}}]}",
         "},"},
        {"jkf", "{\"initial\":{\"preset\":\"X\"\n},\n\"moves\":[{}]\n}", "},"},
    };
    for (size_t i = 0; i < COUNTOF(rows); i++) {
        Record record;
        KmdFault error;
        KifuForm form = {.codec = kifu_codec_by_name(sv_from(rows[i].format))};
        record_init(&record);
        CHECK(!kifu_read(sv_from(rows[i].text), &form, &record, &error));
        CHECK_STR(error.near_text, rows[i].near_text);
        record_free(&record);
    }
}

UNIT_MAIN({"faults are named", test_faults}, {"files cut short", test_cut_short},
          {"quotes are one line", test_one_line})
