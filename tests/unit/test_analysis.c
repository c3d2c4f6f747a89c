/* What the engine's judgements say of moves, and how they are written into a record. The judgements
 * here are made up; no search runs. */
#include "cmd/analysis.h"

#include "cmd/evalgraph.h"
#include "kifu/kifuio.h"
#include "rules/rules.h"
#include "rules/usimove.h"
#include "unit.h"

static void judge(Judgement *judgement, Score score, const char *best) {
    *judgement = (Judgement){.is_known = true, .score = score, .depth = 9, .pv_len = 1};
    judgement->pv[0] = usimove_read(sv_from(best));
}

/* 7g7f 3c3d 6i7h?? 8b3b: white's bishop takes a rook's worth, say the numbers; white's last move is
 * not the best but costs nothing. */
static void make_game(Record *record, Analysis *analysis) {
    KifuForm form = {.codec = kifu_codec_by_name(SV("usi"))};
    KmdFault error;
    rules_init();
    record_init(record);
    CHECK(kifu_read(SV("startpos moves 7g7f 3c3d 6i7h 8b3b"), &form, record, &error));
    record_set_comment(record, 1, SV("kept\n評価値=1 深さ=1\n悪手 勝率 1%→0% 最善=▲２六歩"));
    analysis_init(analysis, record);
    CHECK_INT(analysis->count, 5);
    judge(&analysis->at[0], 50, "7g7f");
    judge(&analysis->at[1], 40, "3c3d");
    judge(&analysis->at[2], 60, "2g2f");
    judge(&analysis->at[3], -1500, "2b8h+");
    judge(&analysis->at[4], -1500, "8h2b+");
}

static void test_costs(void) {
    Record record;
    Analysis analysis;
    make_game(&record, &analysis);
    CHECK(analysis_percent(0) > 49.9 && analysis_percent(0) < 50.1);
    CHECK(analysis_percent(600) > 73 && analysis_percent(600) < 74);
    CHECK(analysis_percent(SCORE_MATE) > 99.9);
    CHECK_INT(analysis_mover(&analysis, 1), BLACK);
    CHECK_INT(analysis_mistake(&analysis, 1), MISTAKE_NONE);
    CHECK_INT(analysis_mistake(&analysis, 3), MISTAKE_BLUNDER);
    CHECK(analysis_cost(&analysis, 3) > 44 && analysis_cost(&analysis, 3) < 46);
    CHECK(analysis_cost(&analysis, 4) == 0);
    /* From white's side the same change is a gain. */
    analysis.at[2].score = -1500;
    analysis.at[1].score = 60;
    CHECK_INT(analysis_mistake(&analysis, 2), MISTAKE_NONE);
    /* A move that the engine wanted is never a mistake, whatever deeper searches say. */
    analysis.at[2].score = 60;
    analysis.at[2].pv[0] = usimove_read(SV("6i7h"));
    CHECK_INT(analysis_mistake(&analysis, 3), MISTAKE_NONE);
    analysis.at[2].is_known = false;
    analysis.at[2].pv_len = 0;
    CHECK_INT(analysis_mistake(&analysis, 3), MISTAKE_NONE);
    analysis_free(&analysis);
    record_free(&record);
}

static void check_comment(const Record *record, int node, const char *want) {
    StrBuf text = STRBUF_INIT;
    strbuf_add(&text, record_text(record, record->nodes[node].comment));
    CHECK_STR(text.ptr, want);
    strbuf_free(&text);
}

static void test_comments(void) {
    Record record;
    Analysis analysis;
    make_game(&record, &analysis);
    analysis_comment(&analysis, false, &record);
    analysis_comment(&analysis, false, &record); /* a second time changes nothing */
    check_comment(&record, 0, "評価値=50 深さ=9 読み筋=▲７六歩");
    check_comment(&record, 1, "kept\n評価値=40 深さ=9 読み筋=△３四歩");
    check_comment(&record, 3,
                  "大悪手 勝率 52%→8% 最善=▲２六歩\n評価値=-1500 深さ=9 読み筋=△８八角成");
    analysis_comment(&analysis, true, &record);
    check_comment(&record, 3, "?? 52% -> 8% best +2726FU\nkomadori depth 9\n* -1500 -2288UM");
    analysis_comment(&analysis, true, &record);
    check_comment(&record, 3, "?? 52% -> 8% best +2726FU\nkomadori depth 9\n* -1500 -2288UM");
    analysis.at[4].score = -(SCORE_MATE - 5);
    analysis_comment(&analysis, false, &record);
    check_comment(&record, 4, "評価値=-31995 (後手の5手詰) 深さ=9 読み筋=▲２二角成");
    analysis_free(&analysis);
    record_free(&record);
}

/* What others write stays, however alike it looks. */
static void test_foreign_comments(void) {
    static const char *const foreign =
        "* 30 -3334FU\n悪手 勝率 50%くらい\n? 50% of all\n評価値=高い\n"
        "komadori depth of thought\n* 1 -3334FU";
    Record record;
    Analysis analysis;
    make_game(&record, &analysis);
    record_set_comment(&record, 1, sv_from(foreign));
    StrBuf want = STRBUF_INIT;
    strbuf_addf(&want, "%s\n評価値=40 深さ=9 読み筋=△３四歩", foreign);
    analysis_comment(&analysis, false, &record);
    check_comment(&record, 1, want.ptr);
    strbuf_clear(&want);
    strbuf_addf(&want, "%s\nkomadori depth 9\n* 40 -3334FU", foreign);
    analysis_comment(&analysis, true, &record);
    check_comment(&record, 1, want.ptr);
    strbuf_free(&want);
    analysis_free(&analysis);
    record_free(&record);
}

static int count_of(StrView text, StrView needle) {
    int count = 0;
    for (size_t at; (at = sv_find(text, needle)) < text.len; count++) {
        text = sv_skip(text, at + needle.len);
    }
    return count;
}

static void test_graph(void) {
    Record record;
    Analysis analysis;
    StrBuf svg = STRBUF_INIT;
    make_game(&record, &analysis);
    record_set_header(&record, SV("先手"), SV("<a&b>"));
    analysis.at[0].is_known = false;
    evalgraph_write(&analysis, &svg);
    StrView text = strbuf_view(&svg);
    CHECK(sv_starts_with(text, SV("<svg ")) && sv_ends_with(text, SV("</svg>\n")));
    CHECK(sv_find(text, SV("&lt;a&amp;b&gt;")) < text.len);
    CHECK(sv_find(text, SV("nan")) == text.len);
    /* Three of the legend and one on the blunder. */
    CHECK_INT(count_of(text, SV("<circle ")), 4);
    strbuf_free(&svg);
    analysis_free(&analysis);
    record_free(&record);
}

UNIT_MAIN({"costs of moves", test_costs}, {"comments", test_comments},
          {"comments of others", test_foreign_comments}, {"graph", test_graph})
