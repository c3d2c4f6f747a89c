/* The names of the files that an analysis writes, and the files that it must not overwrite. */
#include "commands/resultfiles.h"

#include "base/fileio.h"
#include "record/kifuio.h"
#include "unit.h"

static ResultSource source_of(const char *path, const char *format) {
    return (ResultSource){
        .path = path, .game = 1, .form = {.codec = kifu_codec_by_name(sv_from(format))}};
}

static void test_derived(void) {
    ResultFiles files;
    ResultFilesOptions options = {.has_graph = true, .is_searched = true};
    ResultSource source = source_of("games/a.kif", "kif");
    resultfiles_init(&files, &options, &source);
    CHECK_STR(files.paths[RESULT_RECORD].ptr, "games/a-analysis.kif");
    CHECK_STR(files.paths[RESULT_GRAPH].ptr, "games/a-analysis.svg");
    CHECK_STR(files.paths[RESULT_JOURNAL].ptr, "games/a-analysis.kif.journal");
    CHECK_INT((int)files.paths[RESULT_PAGE].len, 0);
    CHECK_INT((int)files.paths[RESULT_JSON].len, 0);
    resultfiles_free(&files);
    source.game = 2;
    options.names[RESULT_PAGE] = "pages/";
    options.names[RESULT_JSON] = "x.json";
    options.has_graph = false;
    resultfiles_init(&files, &options, &source);
    CHECK_STR(files.paths[RESULT_RECORD].ptr, "games/a-analysis-2.kif");
    CHECK_STR(files.paths[RESULT_PAGE].ptr, "pages/a-analysis-2.html");
    CHECK_STR(files.paths[RESULT_JSON].ptr, "x.json");
    CHECK_INT((int)files.paths[RESULT_GRAPH].len, 0);
    resultfiles_free(&files);
}

/* A format without comments becomes KIF; a given name decides the format. */
static void test_formats(void) {
    ResultFiles files;
    ResultFilesOptions options = {.is_searched = true};
    ResultSource source = source_of("a.sfen", "usi");
    resultfiles_init(&files, &options, &source);
    CHECK_STR(files.form.codec->format.name, "kif");
    resultfiles_free(&files);
    source = source_of("a.kif", "kif");
    options.names[RESULT_RECORD] = "b.csa";
    resultfiles_init(&files, &options, &source);
    CHECK_STR(files.form.codec->format.name, "csa");
    CHECK_STR(files.paths[RESULT_RECORD].ptr, "b.csa");
    resultfiles_free(&files);
}

static void check_conflict(const char *record, const char *graph, bool is_part,
                           const char *expected) {
    ResultFiles files;
    ResultFilesOptions options = {.is_searched = true, .has_graph = true};
    ResultSource source = source_of("tests/unit/unit.h", "kif");
    StrBuf why = STRBUF_INIT;
    options.names[RESULT_RECORD] = record;
    options.names[RESULT_GRAPH] = graph;
    resultfiles_init(&files, &options, &source);
    bool is_good = resultfiles_may_write(&files, &source, is_part, (StrView){NULL, 0}, &why);
    CHECK(is_good == (expected[0] == '\0'));
    CHECK_STR(why.len > 0 ? why.ptr : "", expected);
    strbuf_free(&why);
    resultfiles_free(&files);
}

static void test_conflicts(void) {
    check_conflict("a.kif", "a.svg", true, "");
    check_conflict("a.kif", "a.kif", false, "a.kif: not overwritten: another output has this name");
    check_conflict("a.kif", "tests/unit/unit.h", false,
                   "tests/unit/unit.h: not overwritten: this is an input");
    check_conflict("tests/unit/unit.h", "a.svg", false, "");
    check_conflict("tests/unit/unit.h", "a.svg", true,
                   "tests/unit/unit.h: not overwritten: the output is only a part of this input");
}

/* Of two games of a run, the second must not replace the results of the first. */
static void test_written(void) {
    ResultFiles files;
    ResultFilesOptions options = {.is_searched = true, .has_graph = true};
    ResultSource source = source_of("a.kif", "kif");
    StrBuf written = STRBUF_INIT;
    StrBuf why = STRBUF_INIT;
    resultfiles_init(&files, &options, &source);
    file_identity("b-analysis.svg", &written);
    strbuf_add_byte(&written, '\n');
    CHECK(resultfiles_may_write(&files, &source, false, strbuf_view(&written), &why));
    file_identity("a-analysis.svg", &written);
    strbuf_add_byte(&written, '\n');
    CHECK(!resultfiles_may_write(&files, &source, false, strbuf_view(&written), &why));
    CHECK_STR(why.ptr,
              "a-analysis.svg: not overwritten: another game of this run was written here");
    strbuf_free(&why);
    strbuf_free(&written);
    resultfiles_free(&files);
}

static void check_refused(const ResultFilesOptions *options, const char *input, bool has_many,
                          const char *expected) {
    StrBuf why = STRBUF_INIT;
    CHECK(resultfiles_check(options, input, has_many, &why) == (expected[0] == '\0'));
    CHECK_STR(why.len > 0 ? why.ptr : "", expected);
    strbuf_free(&why);
}

static void test_checks(void) {
    check_refused(&(ResultFilesOptions){.names = {"b.csa", "b.svg"}}, "a.kif", false, "");
    check_refused(&(ResultFilesOptions){.names = {"-"}}, "a.kif", false, "-: give a file name");
    check_refused(&(ResultFilesOptions){.names = {NULL, "b.svg"}}, "a.kif", true,
                  "b.svg: one file cannot hold several games; give a folder");
    check_refused(&(ResultFilesOptions){.names = {"b.xyz"}}, "a.kif", false,
                  "b.xyz: unknown file name extension");
    check_refused(&(ResultFilesOptions){.names = {"b.XYZ"}}, "a.xyz", false, "");
    check_refused(&(ResultFilesOptions){.names = {NULL, NULL, "tests/unit/"}}, "a.kif", true, "");
    CHECK(resultfiles_has_index(&(ResultFilesOptions){.names = {NULL, NULL, "tests/unit/"}}));
    CHECK(!resultfiles_has_index(&(ResultFilesOptions){.names = {"tests/unit/", NULL, "a.html"}}));
    CHECK(!resultfiles_has_index(&(ResultFilesOptions){.has_graph = true}));
}

static void test_inputs(void) {
    CHECK(resultfiles_is_input(SV("a.kif")));
    CHECK(resultfiles_is_input(SV("analysis.csa")));
    CHECK(!resultfiles_is_input(SV("a-analysis.kif")));
    CHECK(!resultfiles_is_input(SV("a-analysis-2.kif")));
    CHECK(!resultfiles_is_input(SV("a.svg")));
}

/* The record has comments in the style of its format, and the other files follow the analysis. */
static void test_contents(void) {
    static const char *const marks[RESULT_JOURNAL] = {"'** 130\n", "<svg", "<!DOCTYPE html>",
                                                      "\"score\":130"};
    ResultFiles files;
    ResultFilesOptions options = {
        .is_searched = true, .has_graph = true, .style = RESULT_STYLE_AUTO};
    ResultSource source = source_of("a.csa", "csa");
    KifuForm form = {.codec = kifu_codec_by_name(SV("usi"))};
    KmdFault error;
    Record record;
    Analysis analysis;
    record_init(&record);
    CHECK(kifu_read(SV("startpos moves 7g7f"), &form, &record, &error));
    analysis_init(&analysis, &record);
    analysis.at[1] = (Judgement){.depth = 3, .line_count = 1, .lines = {{.score = 130}}};
    resultfiles_init(&files, &options, &source);
    resultfiles_comment(&files, &options, &analysis, &record);
    for (int i = RESULT_RECORD; i < RESULT_JOURNAL; i++) {
        StrBuf text = STRBUF_INIT;
        CHECK_INT((int)resultfiles_append(&files, i, &analysis, &text), 0);
        CHECK(sv_find(strbuf_view(&text), sv_from(marks[i])) < text.len);
        strbuf_free(&text);
    }
    resultfiles_free(&files);
    analysis_free(&analysis);
    record_free(&record);
}

UNIT_MAIN({"derived names", test_derived}, {"formats", test_formats}, {"conflicts", test_conflicts},
          {"written", test_written}, {"checks", test_checks}, {"inputs", test_inputs},
          {"contents", test_contents})
