/* An analysed game as JSON and as a page; the judgements are invented. tests/clients/run_page.sh
 * tests the page in a browser. */
#include "commands/gamepage.h"

#include "base/json.h"
#include "record/handicap.h"
#include "record/kifuio.h"
#include "rules/usimove.h"
#include "unit.h"

static void judge(Judgement *judgement, Score score, const char *best) {
    *judgement = (Judgement){.depth = 9, .line_count = 1, .lines = {{.score = score, .pv_len = 1}}};
    judgement->lines[0].pv[0] = usimove_read(sv_from(best));
}

/* A game with the moves 7g7f 3c3d 6i7h?? 8b3b, of which the third is a blunder. */
static void make_game(Record *record, Analysis *analysis) {
    KifuForm form = {.codec = kifu_codec_by_name(SV("usi"))};
    KmdFault error;
    record_init(record);
    CHECK(kifu_read(SV("startpos moves 7g7f 3c3d 6i7h 8b3b"), &form, record, &error));
    analysis_init(analysis, record);
    judge(&analysis->at[0], 50, "7g7f");
    judge(&analysis->at[1], 40, "3c3d");
    judge(&analysis->at[2], 60, "2g2f");
    judge(&analysis->at[3], -1500, "2b8h+");
    judge(&analysis->at[4], -1500, "8h2b+");
}

static bool has_text(const StrBuf *text, const char *part) {
    return sv_find(strbuf_view(text), sv_from(part)) < text->len;
}

static void test_json(void) {
    Record record;
    Analysis analysis;
    StrBuf json = STRBUF_INIT, page = STRBUF_INIT;
    make_game(&record, &analysis);
    record_set_comment(&record, 0, SV("</script>"));
    analysis.at[0].line_count = 2;
    analysis.at[0].lines[1] =
        (AnalysisLine){.score = -30, .pv_len = 1, .pv = {usimove_read(SV("2g2f"))}};
    analysis.at[2].has_threat = true;
    analysis.at[2].threat =
        (AnalysisLine){.score = -800, .pv_len = 1, .pv = {usimove_read(SV("2b8h+"))}};
    int last = record_add_ending(&record, 4, KMD_END_OTHER);
    record_set_label(&record, last, SV("封じ手"));
    gamepage_write_json(&analysis, &json);
    JsonReader reader;
    json_init(&reader, strbuf_view(&json));
    CHECK(json_skip(&reader) && reader.fault == NULL);
    json_free(&reader);
    CHECK(sv_find(strbuf_view(&json),
                  SV("\"players\":[{\"moves\":2,\"accuracy\":58.3,\"dubious\":0,\"mistakes\":0,"
                     "\"blunders\":1,\"missed\":0,\"loss\":22.46},{")) < json.len);
    CHECK(sv_find(strbuf_view(&json), SV("\"mistake\":3,\"cost\":44.9")) < json.len);
    CHECK(sv_find(strbuf_view(&json),
                  SV("\"others\":[{\"score\":-30,\"win\":48.8,\"line\":\"▲２六歩\","
                     "\"pv\":[\"2g2f\"]}]")) < json.len);
    CHECK(sv_find(strbuf_view(&json), SV("\"move\":\"封じ手\",\"english\":\"封じ手\"")) < json.len);
    CHECK(sv_find(strbuf_view(&json),
                  SV("\"threat\":{\"score\":-800,\"win\":20.9,\"line\":\"△８八角成\"")) < json.len);
    gamepage_write_html(&analysis, &page);
    CHECK(sv_find(strbuf_view(&page), SV("\\u003c/script>")) < page.len);
    /* For readers without JavaScript, the page has the record with its comment, escaped. */
    CHECK(sv_find(strbuf_view(&page), SV("\n*&#60;/script&#62;\n")) < page.len);
    strbuf_free(&json);
    strbuf_free(&page);
    analysis_free(&analysis);
    record_free(&record);
}

/* The JSON has the names of handicaps, and only the comments that are not from an analysis. */
static void test_start_and_comments(void) {
    Record record;
    Analysis analysis;
    StrBuf json = STRBUF_INIT;
    make_game(&record, &analysis);
    record_set_comment(&record, 1, SV("kept\n#評価値=1\n#エンジン=Komadori 0.1"));
    record_set_comment(&record, 2, SV("#評価値=1\n#エンジン=Komadori 0.1"));
    gamepage_write_json(&analysis, &json);
    CHECK(has_text(&json, "\"handicap\":false,\"engine\""));
    CHECK(has_text(&json, "\"comment\":\"kept\""));
    CHECK(!has_text(&json, "評価値=1"));
    analysis_free(&analysis);
    record_clear(&record);
    record.start = handicap_setup(handicap_by_name(SV("香落ち")));
    analysis_init(&analysis, &record);
    strbuf_clear(&json);
    gamepage_write_json(&analysis, &json);
    CHECK(has_text(&json, "\"handicap\":true,\"handicapName\":\"香落ち\",\"engine\""));
    strbuf_free(&json);
    analysis_free(&analysis);
    record_free(&record);
}

/* Only the third move is a mistake, and without scores around it, no side has a move to judge. */
static void test_text(void) {
    Record record;
    Analysis analysis;
    StrBuf text = STRBUF_INIT;
    make_game(&record, &analysis);
    gamepage_write_text(&analysis, &text);
    CHECK(has_text(&text, "black: 0 dubious moves, 0 mistakes, 1 blunder, 0 missed mates; "));
    CHECK(has_text(&text, "\nwhite: 0 dubious moves, 0 mistakes, 0 blunders, 0 missed mates; "));
    strbuf_clear(&text);
    analysis.side = WHITE;
    analysis.at[3].line_count = 0;
    analysis.at[1].line_count = 0;
    gamepage_write_text(&analysis, &text);
    CHECK_STR(text.ptr, "white: no move has a score both before and after it\n");
    strbuf_free(&text);
    analysis_free(&analysis);
    record_free(&record);
}

/* With only white's moves to judge, black's blunder is not counted. */
static void test_one_side(void) {
    Record record;
    Analysis analysis;
    StrBuf json = STRBUF_INIT;
    make_game(&record, &analysis);
    analysis.side = WHITE;
    gamepage_write_json(&analysis, &json);
    CHECK(has_text(&json, "\"players\":[{\"moves\":0,\"accuracy\":0.0,\"dubious\":0,\"mistakes\":0,"
                          "\"blunders\":0,\"missed\":0,\"loss\":0.00},{\"moves\":2,"));
    CHECK(!has_text(&json, "\"mistake\":3"));
    strbuf_free(&json);
    analysis_free(&analysis);
    record_free(&record);
}

UNIT_MAIN({"text", test_text}, {"JSON and HTML", test_json},
          {"start and comments", test_start_and_comments}, {"one side", test_one_side})
