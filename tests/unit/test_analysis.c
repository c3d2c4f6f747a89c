/* How judgements become mistakes, and how they are written into a record. Most judgements here are
 * invented. */
#include "commands/annotate.h"

#include <stdatomic.h>

#include "base/fileio.h"
#include "engine/engine.h"
#include "komadori/version.h"
#include "record/kifuio.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

static void judge(Judgement *judgement, Score score, const char *best) {
    *judgement = (Judgement){.depth = 9, .line_count = 1, .lines = {{.score = score, .pv_len = 1}}};
    judgement->lines[0].pv[0] = usimove_read(sv_from(best));
}

/* 7g7f 3c3d 6i7h?? 8b3b: by these scores, black's third move loses a rook's worth; white's last
 * move is not the best but costs nothing. */
static void make_game(Record *record, Analysis *analysis) {
    KifuForm form = {.codec = kifu_codec_by_name(SV("usi"))};
    KmdFault error;
    record_init(record);
    CHECK(kifu_read(SV("startpos moves 7g7f 3c3d 6i7h 8b3b"), &form, record, &error));
    record_set_comment(record, 1, SV("kept\n悪手 勝率 1%→0% 最善=▲２六歩"));
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
    CHECK_NEAR(analysis_percent(&analysis, 0), 50, 0.1);
    CHECK_NEAR(analysis_percent(&analysis, 600), 73.1, 0.1);
    CHECK(analysis_percent(&analysis, SCORE_MATE) > 99.9);
    /* The scale of the network determines the winning chance of a score. */
    analysis.scale = 350;
    CHECK_NEAR(analysis_percent(&analysis, 350), 73.1, 0.1);
    analysis.scale = 600;
    CHECK_INT(analysis_mover(&analysis, 1), BLACK);
    CHECK_INT(analysis_mistake(&analysis, 1), MISTAKE_NONE);
    CHECK_INT(analysis_mistake(&analysis, 3), MISTAKE_BLUNDER);
    CHECK(analysis_loss(&analysis, 3) > 44 && analysis_loss(&analysis, 3) < 46);
    CHECK(analysis_loss(&analysis, 4) == 0);
    /* A score that falls after white's move is a gain for white. */
    analysis.at[2].lines[0].score = -1500;
    analysis.at[1].lines[0].score = 60;
    CHECK_INT(analysis_mistake(&analysis, 2), MISTAKE_NONE);
    /* A move that the engine preferred is never a mistake, whatever later searches find. */
    analysis.at[2].lines[0].score = 60;
    analysis.at[2].lines[0].pv[0] = usimove_read(SV("6i7h"));
    CHECK_INT(analysis_mistake(&analysis, 3), MISTAKE_NONE);
    analysis.at[2].line_count = 0;
    analysis.at[2].lines[0].pv_len = 0;
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

#define TAIL "#エンジン=Komadori " KMD_VERSION

static void test_comments(void) {
    Record record;
    Analysis analysis;
    make_game(&record, &analysis);
    analysis.at[0].nodes = 77;
    analysis.at[0].line_count = 2;
    analysis.at[0].lines[1] = (AnalysisLine){.score = 30, .pv_len = 1};
    analysis.at[0].lines[1].pv[0] = usimove_read(SV("2g2f"));
    annotate_comments(&analysis, STYLE_SHOGIHOME, &record);
    annotate_comments(&analysis, STYLE_SHOGIHOME, &record); /* writing it again changes nothing */
    check_comment(
        &record, 0,
        "#評価値=50\n#読み筋=▲７六歩\n#深さ=9\n#ノード数=77\n#候補2=30\n#読み筋=▲２六歩\n" TAIL);
    check_comment(&record, 1, "kept\n#評価値=40\n#読み筋=△３四歩\n#深さ=9\n" TAIL);
    check_comment(
        &record, 3,
        "大悪手 勝率 52%→8% 最善=▲２六歩\n#評価値=-1500\n#読み筋=△８八角成\n#深さ=9\n" TAIL);
    annotate_comments(&analysis, STYLE_FLOODGATE, &record);
    annotate_comments(&analysis, STYLE_FLOODGATE, &record);
    check_comment(&record, 0, "komadori depth 9\n* 50 +7776FU\nkomadori line 2 30 +2726FU");
    check_comment(&record, 3, "?? 52% -> 8% best +2726FU\nkomadori depth 9\n* -1500 -2288UM");
    analysis.at[3].time_ms = 62345;
    annotate_comments(&analysis, STYLE_SHOGIGUI, &record);
    check_comment(&record, 0,
                  "komadori depth 9\n"
                  "*解析 0 ○ 候補1 時間 00:00.0 深さ 9 ノード数 77 評価値 50 読み筋 ▲７六歩(77)\n"
                  "*解析 0 候補2 時間 00:00.0 深さ 9 ノード数 77 評価値 30 読み筋 ▲２六歩(27)");
    annotate_comments(&analysis, STYLE_SHOGIGUI, &record);
    check_comment(&record, 3,
                  "大悪手 勝率 52%→8% 最善=▲２六歩\nkomadori depth 9\n"
                  "*解析 0 候補1 時間 01:02.3 深さ 9 ノード数 0 評価値 -1500 読み筋 △８八角成(22)");
    analysis.at[4].lines[0].score = -(SCORE_MATE - 5);
    annotate_comments(&analysis, STYLE_SHOGIHOME, &record);
    check_comment(&record, 4, "#詰み=後手勝ち:5手\n#読み筋=▲２二角成\n#深さ=9\n" TAIL);
    annotate_comments(&analysis, STYLE_FLOODGATE, &record);
    check_comment(&record, 4, "komadori depth 9\n* -30000 +8822UM\nkomadori mate -5");
    analysis.side = WHITE;
    annotate_comments(&analysis, STYLE_SHOGIHOME, &record);
    check_comment(&record, 3, "");
    check_comment(&record, 1, "kept");
    analysis_free(&analysis);
    record_free(&record);
}

static void threaten(Judgement *judgement, Score score, const char *first, const char *second) {
    judgement->has_threat = true;
    judgement->threat =
        (AnalysisLine){.score = score,
                       .pv_len = 2,
                       .pv = {usimove_read(sv_from(first)), usimove_read(sv_from(second))}};
}

/* What the other side threatens is a line of the comment in each style, and is read back from it.
 * The threat of black, here a mate, has a positive score. */
static void test_threats(void) {
    static const struct {
        AnnotateStyle style;
        const char *white, *black;
    } cases[] = {
        {STYLE_SHOGIHOME, "#評価値=60\n#読み筋=▲２六歩\n#深さ=9\n#狙い=-800 △８八角成▲同銀\n" TAIL,
         "kept\n#評価値=40\n#読み筋=△３四歩\n#深さ=9\n#狙い=詰めろ3手 ▲２六歩△８四歩\n" TAIL},
        {STYLE_SHOGIGUI,
         "komadori depth 9\n"
         "*解析 0 候補1 時間 00:00.0 深さ 9 ノード数 0 評価値 60 読み筋 ▲２六歩(27)\n"
         "狙い=-800 △８八角成(22) ▲同銀(79)",
         "kept\nkomadori depth 9\n"
         "*解析 0 ○ 候補1 時間 00:00.0 深さ 9 ノード数 0 評価値 40 読み筋 △３四歩(33)\n"
         "狙い=詰めろ3手 ▲２六歩(27) △８四歩(83)"},
        {STYLE_FLOODGATE, "komadori depth 9\n* 60 +2726FU\nkomadori threat -800 -2288UM +7988GI",
         "kept\nkomadori depth 9\n* 40 -3334FU\nkomadori threat mate 3 +2726FU -8384FU"},
    };
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        Record record;
        Analysis analysis, back;
        make_game(&record, &analysis);
        threaten(&analysis.at[1], SCORE_MATE - 3, "2g2f", "8c8d");
        threaten(&analysis.at[2], -800, "2b8h+", "7i8h");
        annotate_comments(&analysis, cases[i].style, &record);
        annotate_comments(&analysis, cases[i].style, &record); /* changes nothing */
        check_comment(&record, 2, cases[i].white);
        check_comment(&record, 1, cases[i].black);
        analysis_init(&back, &record);
        CHECK_INT(annotate_read(&back), 5);
        CHECK(!back.at[0].has_threat && back.at[1].has_threat && back.at[2].has_threat);
        CHECK_INT(back.at[2].threat.score, -800);
        CHECK_INT(back.at[2].threat.pv_len, 2);
        CHECK_INT(back.at[2].threat.pv[1], usimove_read(SV("7i8h")));
        CHECK_INT(back.at[2].lines[0].score, 60);
        CHECK_INT(back.at[1].threat.score, SCORE_MATE - 3);
        analysis_free(&back);
        analysis_free(&analysis);
        record_free(&record);
    }
}

/* ShogiHome and others read a line without the move before it, so the first move is written with
 * its square, even if it is a recapture. */
static void test_recapture(void) {
    static const char *const exchange = "startpos moves 7g7f 3c3d 8h2b+";
    static const AnnotateStyle styles[] = {STYLE_SHOGIHOME, STYLE_SHOGIGUI};
    static const char *const lines[] = {"#読み筋=△２二銀▲２四角△同歩\n",
                                        " 読み筋 △２二銀(31) ▲２四角 △同歩(23)"};
    KifuForm form = {.codec = kifu_codec_by_name(SV("usi"))};
    KmdFault error;
    for (size_t i = 0; i < COUNTOF(styles); i++) {
        Record record;
        Analysis analysis;
        record_init(&record);
        CHECK(kifu_read(sv_from(exchange), &form, &record, &error));
        analysis_init(&analysis, &record);
        judge(&analysis.at[3], 0, "3a2b");
        analysis.at[3].lines[0].pv_len = 3;
        analysis.at[3].lines[0].pv[1] = usimove_read(SV("B*2d"));
        analysis.at[3].lines[0].pv[2] = usimove_read(SV("2c2d"));
        annotate_comments(&analysis, styles[i], &record);
        StrView comment = record_text(&record, record.nodes[3].comment);
        CHECK(sv_find(comment, sv_from(lines[i])) < comment.len);
        analysis_free(&analysis);
        record_free(&record);
    }
}

/* A missed mate is marked, and the better line becomes a variation. */
static void test_missed_mate(void) {
    Record record;
    Analysis analysis;
    make_game(&record, &analysis);
    analysis.at[2].lines[0].score = SCORE_MATE - 3;
    analysis.at[3].lines[0].score = 3000;
    CHECK_INT(analysis_missed_mate(&analysis, 3), 3);
    CHECK_INT(analysis_missed_mate(&analysis, 4), 0);
    annotate_comments(&analysis, STYLE_SHOGIHOME, &record);
    check_comment(&record, 3,
                  "詰み逃し 3手詰 最善=▲２六歩\n#評価値=3000\n#読み筋=△８八角成\n#深さ=9\n" TAIL);
    annotate_variations(&analysis, &record);
    annotate_variations(&analysis, &record);
    CHECK_INT(record_variation_count(&record), 1);
    CHECK_INT(record.nodes[record.nodes[3].sibling].move, usimove_read(SV("2g2f")));
    analysis.at[3].lines[0].score = SCORE_MATE - 1;
    CHECK_INT(analysis_missed_mate(&analysis, 3), 0);
    /* The mating move was played, but the search after it did not see the mate. */
    analysis.at[3].lines[0].score = 3000;
    analysis.at[2].lines[0].pv[0] = usimove_read(SV("6i7h"));
    CHECK_INT(analysis_missed_mate(&analysis, 3), 0);
    /* The results of positions that this analysis left out stay. */
    annotate_comments(&analysis, STYLE_SHOGIHOME, &record);
    analysis.at[1].line_count = 0;
    annotate_comments(&analysis, STYLE_SHOGIHOME, &record);
    check_comment(&record, 1, "kept\n#評価値=40\n#読み筋=△３四歩\n#深さ=9\n" TAIL);
    analysis_free(&analysis);
    record_free(&record);
}

static bool has_same_comment(const Record *a, const Record *b, int node) {
    return sv_equal(record_text(a, a->nodes[node].comment), record_text(b, b->nodes[node].comment));
}

/* An analysis of some positions keeps the scores of the others, also those of the side that it does
 * not judge, and judges the moves at its edges by them. */
static void test_part(void) {
    static const AnnotateStyle styles[] = {STYLE_SHOGIHOME, STYLE_SHOGIGUI, STYLE_FLOODGATE};
    for (size_t i = 0; i < COUNTOF(styles); i++) {
        Record record, whole;
        Analysis analysis, again;
        make_game(&record, &analysis);
        make_game(&whole, &again);
        analysis.at[4].lines[0].score = -500;
        annotate_comments(&analysis, styles[i], &record);
        for (int k = 0; k < 5; k++) {
            analysis.at[k].lines[0].score = k == 3 ? 2000 : analysis.at[k].lines[0].score;
            again.at[k] = analysis.at[k];
            analysis.at[k].line_count = k == 3 ? 1 : 0;
        }
        analysis.side = BLACK;
        annotate_comments(&again, styles[i], &whole);
        annotate_comments(&analysis, styles[i], &record);
        CHECK(!has_same_comment(&record, &whole, 4));
        analysis.side = COLOR_NB;
        annotate_comments(&analysis, styles[i], &record);
        for (int k = 0; k < 5; k++) {
            CHECK(has_same_comment(&record, &whole, k));
        }
        analysis_free(&analysis);
        analysis_free(&again);
        record_free(&record);
        record_free(&whole);
    }
}

/* Reads a game in USI notation whose positions all have a score of 0. */
static void read_game(const char *moves, Record *record, Analysis *analysis) {
    KifuForm form = {.codec = kifu_codec_by_name(SV("usi"))};
    KmdFault error;
    record_init(record);
    CHECK(kifu_read(sv_from(moves), &form, record, &error));
    analysis_init(analysis, record);
    for (int i = 0; i < analysis->count; i++) {
        analysis->at[i] = (Judgement){.depth = 9, .line_count = 1};
    }
}

/* Black may declare before its first move and before its second one. */
#define DECLARABLE                                                                                 \
    "sfen +R8/2+NK1+R+P+P1/+P+PPS+P4/6g+b1/7p1/3g5/3+b1g+p1+p/5p3/5k+p2 b G3S3N3L7Pl 1 moves "     \
    "P*3c 3g3f"

/* A position with a declaration is no missed mate, and neither is a line that ends with one. */
static void test_declarations(void) {
    Record record, copy;
    Analysis analysis, again;
    read_game(DECLARABLE, &record, &analysis);
    judge(&analysis.at[0], 2400, "S*4c");
    judge(&analysis.at[1], SCORE_MATE - 2, "3g3f"); /* black declares next */
    judge(&analysis.at[2], -900, "S*4c");           /* as if the search did not know the rule */
    analysis_note_declarations(&analysis);
    CHECK_INT(analysis.at[0].line_count, 2);
    CHECK(analysis.at[0].lines[0].is_declared && !analysis.at[0].lines[1].is_declared);
    CHECK_INT(analysis.at[0].lines[0].score, SCORE_MATE - 1);
    CHECK_INT(analysis.at[0].lines[1].score, 2400);
    CHECK(analysis.at[1].line_count == 1 && analysis.at[1].lines[0].is_declared);
    CHECK_INT(analysis_missed_mate(&analysis, 1), 0);
    CHECK_INT(analysis_missed_mate(&analysis, 2), 0);
    analysis_note_declarations(&analysis); /* again changes nothing */
    CHECK_INT(analysis.at[0].line_count, 2);
    annotate_comments(&analysis, STYLE_SHOGIHOME, &record);
    annotate_comments(&analysis, STYLE_SHOGIHOME, &record);
    check_comment(
        &record, 0,
        "#評価値=30000\n#入玉宣言勝ち=先手\n#深さ=9\n#候補2=2400\n#読み筋=▲４三銀\n" TAIL);
    check_comment(&record, 1,
                  "#評価値=30000\n#入玉宣言勝ち=先手:2手\n#読み筋=△３六と\n#深さ=9\n" TAIL);
    /* The comments say the same when they are read back. */
    read_game(DECLARABLE, &copy, &again);
    for (int i = 0; i < 3; i++) {
        again.at[i].line_count = 0;
        record_set_comment(&copy, i, record_text(&record, record.nodes[i].comment));
    }
    CHECK_INT(annotate_read(&again), 3);
    analysis_note_declarations(&again);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(again.at[i].line_count, analysis.at[i].line_count);
        CHECK_INT(again.at[i].lines[0].score, analysis.at[i].lines[0].score);
        CHECK(again.at[i].lines[0].is_declared);
    }
    analysis_free(&again);
    record_free(&copy);
    annotate_comments(&analysis, STYLE_SHOGIGUI, &record);
    annotate_comments(&analysis, STYLE_SHOGIGUI, &record);
    check_comment(&record, 1,
                  "komadori depth 9\n入玉宣言勝ち\n*解析 0 ○ 候補1 時間 00:00.0 深さ 9 ノード数 0 "
                  "評価値 +詰 2 読み筋 △３六と(37)");
    annotate_comments(&analysis, STYLE_FLOODGATE, &record);
    annotate_comments(&analysis, STYLE_FLOODGATE, &record);
    check_comment(&record, 1, "komadori depth 9\ndeclaration\n* 30000 -3736TO\nkomadori mate 2");
    analysis_free(&analysis);
    record_free(&record);
}

/* A move that gives up a declaration is a mistake like others. Other rules have other positions. */
static void test_rules_of_declarations(void) {
    static const struct {
        KmdDeclareRule rule;
        const char *game, *comment;
    } cases[] = {
        {KMD_DECLARE_27, DECLARABLE, "大悪手 勝率 100%→30% 最善=入玉宣言勝ち"},
        {KMD_DECLARE_24, DECLARABLE, "大悪手 勝率 100%→30% 最善=入玉宣言勝ち"},
        {KMD_DECLARE_NONE, DECLARABLE, "疑問手 勝率 50%→30% 最善="},
        {KMD_DECLARE_TRY, DECLARABLE, "疑問手 勝率 50%→30% 最善="},
        /* 27 points are enough for white, but not for black */
        {KMD_DECLARE_27, "sfen 4K4/9/9/9/9/9/1ssss4/1gggg4/1k1+r+r4 w Bb4p 1 moves 8i7i",
         "大悪手 勝率 100%→30% 最善=入玉宣言勝ち"},
        {KMD_DECLARE_27, "sfen 1K1+R+R4/1GGGG4/1SSSS4/9/9/9/9/9/4k4 b B4Pb 1 moves 8a7a",
         "疑問手 勝率 50%→30% 最善="},
    };
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        Record record;
        Analysis analysis;
        read_game(cases[i].game, &record, &analysis);
        analysis.rule = cases[i].rule;
        analysis.at[1].lines[0].score = analysis_mover(&analysis, 1) == BLACK ? -500 : 500;
        analysis_note_declarations(&analysis);
        annotate_comments(&analysis, STYLE_SHOGIHOME, &record);
        StrView comment = record_text(&record, record.nodes[1].comment), line;
        CHECK(sv_next_line(&comment, &line) && sv_equal(line, sv_from(cases[i].comment)));
        analysis_free(&analysis);
        record_free(&record);
    }
}

/* Under the try rule, the winning move is a move. */
static void test_try(void) {
    Record record;
    Analysis analysis;
    read_game("sfen 9/4K4/9/9/9/9/9/9/1k7 b - 1 moves 5b6b", &record, &analysis);
    analysis.rule = KMD_DECLARE_TRY;
    judge(&analysis.at[0], SCORE_MATE - 1, "5b5a");
    analysis_note_declarations(&analysis);
    CHECK(analysis.at[0].line_count == 1 && analysis.at[0].lines[0].is_declared);
    CHECK_INT(analysis_missed_mate(&analysis, 1), 0);
    annotate_comments(&analysis, STYLE_SHOGIHOME, &record);
    check_comment(&record, 0, "#評価値=30000\n#トライ勝ち=先手\n#読み筋=▲５一玉\n#深さ=9\n" TAIL);
    analysis_free(&analysis);
    record_free(&record);
}

/* Comments in each style can be read back, even those of other programs. */
static void test_reading(void) {
    static const AnnotateStyle styles[] = {STYLE_SHOGIHOME, STYLE_SHOGIGUI, STYLE_FLOODGATE};
    for (size_t i = 0; i < COUNTOF(styles); i++) {
        Record record;
        Analysis analysis, back;
        make_game(&record, &analysis);
        analysis.at[1].line_count = 3;
        analysis.at[1].lines[1] = (AnalysisLine){.score = 70, .pv_len = 1};
        analysis.at[1].lines[1].pv[0] = usimove_read(SV("8c8d"));
        analysis.at[1].lines[2] = (AnalysisLine){.score = 90, .pv_len = 1};
        analysis.at[1].lines[2].pv[0] = usimove_read(SV("5a4b"));
        annotate_comments(&analysis, styles[i], &record);
        analysis_init(&back, &record);
        CHECK_INT(annotate_read(&back), 5);
        CHECK_INT(back.at[1].line_count, 3);
        for (int k = 1; k < 3; k++) {
            CHECK_INT(back.at[1].lines[k].score, analysis.at[1].lines[k].score);
            CHECK_INT(back.at[1].lines[k].pv_len, 1);
            CHECK_INT(back.at[1].lines[k].pv[0], analysis.at[1].lines[k].pv[0]);
        }
        for (int k = 0; k < 5; k++) {
            CHECK_INT(back.at[k].lines[0].score, analysis.at[k].lines[0].score);
            CHECK_INT(back.at[k].lines[0].pv_len, 1);
            CHECK_INT(back.at[k].lines[0].pv[0], analysis.at[k].lines[0].pv[0]);
        }
        analysis_free(&back);
        record_set_comment(&record, 0,
                           SV("*評価値=+12\n*読み筋=▲２六歩△３四歩\n#候補2=-5 ▲７六歩\n#候補9=1"));
        record_set_comment(
            &record, 1,
            SV("#詰み=後手勝ち:7手\n#深さ=8\n\n*評価値=-610\n*読み筋=△８四歩\n*深さ=1"));
        record_set_comment(&record, 2, SV("*対局 時間 1 深さ 3 評価値 -8 読み筋 ▲２六歩(27)"));
        record_set_comment(&record, 3, SV("評価値=5 in words"));
        record_set_comment(&record, 4, SV("no 評価値=5"));
        analysis_init(&back, &record);
        CHECK_INT(annotate_read(&back), 4);
        CHECK_INT(back.at[0].lines[0].score, 12);
        CHECK_INT(back.at[0].lines[0].pv_len, 2);
        CHECK_INT(back.at[0].line_count, 2);
        CHECK_INT(back.at[0].lines[1].score, -5);
        CHECK_INT(back.at[0].lines[1].pv[0], usimove_read(SV("7g7f")));
        CHECK_INT(back.at[1].lines[0].score, -(SCORE_MATE - 7)); /* not that of the game */
        CHECK_INT(back.at[1].depth, 8);
        CHECK_INT(back.at[1].lines[0].pv_len, 0);
        CHECK_INT(back.at[2].lines[0].score, -8);
        analysis_free(&back);
        analysis_free(&analysis);
        record_free(&record);
    }
}

/* Mates are read back as they were, from each style, and ShogiGUI's in all of its spellings. */
static void test_mates(void) {
    static const AnnotateStyle styles[] = {STYLE_SHOGIHOME, STYLE_SHOGIGUI, STYLE_FLOODGATE};
    static const Score scores[] = {SCORE_MATE - 13, -(SCORE_MATE - 4), SCORE_MATE, -SCORE_MATE,
                                   600};
    for (size_t i = 0; i < COUNTOF(styles); i++) {
        Record record;
        Analysis analysis, back;
        make_game(&record, &analysis);
        for (int k = 0; k < 5; k++) {
            analysis.at[k].line_count = 2;
            analysis.at[k].lines[0].score = scores[k];
            analysis.at[k].lines[1] = analysis.at[k].lines[0];
            analysis.at[k].lines[1].score = scores[4 - k];
        }
        annotate_comments(&analysis, styles[i], &record);
        StrBuf once = STRBUF_INIT;
        strbuf_add(&once, record_text(&record, record.nodes[1].comment));
        annotate_comments(&analysis, styles[i], &record); /* changes nothing */
        check_comment(&record, 1, once.ptr);
        strbuf_free(&once);
        analysis_init(&back, &record);
        CHECK_INT(annotate_read(&back), 5);
        for (int k = 0; k < 5; k++) {
            CHECK_INT(back.at[k].lines[0].score, scores[k]);
            CHECK_INT(back.at[k].lines[1].score, scores[4 - k]);
        }
        analysis_free(&back);
        analysis_free(&analysis);
        record_free(&record);
    }
    static const struct {
        const char *score;
        Score want;
    } gui[] = {{"+詰 13", SCORE_MATE - 13}, {"-詰 3", -(SCORE_MATE - 3)}, {"+詰", SCORE_MATE},
               {"-詰", -SCORE_MATE},        {"+詰13", SCORE_MATE - 13},   {"34", 34}};
    for (size_t i = 0; i < COUNTOF(gui); i++) {
        Record record;
        Analysis analysis;
        StrBuf text = STRBUF_INIT;
        make_game(&record, &analysis);
        analysis_free(&analysis);
        strbuf_addf(&text,
                    "*解析 0 ○ 候補1 時間 00:01.0 深さ 10/17 ノード数 49 評価値 %s 読み筋 "
                    "▲２六歩(27)",
                    gui[i].score);
        record_set_comment(&record, 2, strbuf_view(&text));
        analysis_init(&analysis, &record);
        CHECK_INT(annotate_read(&analysis), 1);
        CHECK_INT(analysis.at[2].lines[0].score, gui[i].want);
        CHECK_INT(analysis.at[2].lines[0].pv_len, 1);
        analysis_free(&analysis);
        record_free(&record);
        strbuf_free(&text);
    }
}

/* Comments of other programs are kept, however similar they are. */
static void test_foreign_comments(void) {
    static const char *const foreign =
        "* 30 -3334FU\n悪手 勝率 50%くらい\n? 50% of all\n評価値=高い\n"
        "#評価値=7\n#エンジン=Another\nkomadori depth of thought\n* 1 -3334FU";
    Record record;
    Analysis analysis;
    make_game(&record, &analysis);
    record_set_comment(&record, 1, sv_from(foreign));
    StrBuf want = STRBUF_INIT;
    strbuf_addf(&want, "%s\n#評価値=40\n#読み筋=△３四歩\n#深さ=9\n" TAIL, foreign);
    annotate_comments(&analysis, STYLE_SHOGIHOME, &record);
    check_comment(&record, 1, want.ptr);
    strbuf_clear(&want);
    strbuf_addf(&want, "%s\nkomadori depth 9\n* 40 -3334FU", foreign);
    annotate_comments(&analysis, STYLE_FLOODGATE, &record);
    check_comment(&record, 1, want.ptr);
    strbuf_free(&want);
    analysis_free(&analysis);
    record_free(&record);
}

/* The summary of each side: white has made one bad move of two, black a blunder and a good move. */
static void test_summary(void) {
    Record record;
    Analysis analysis;
    make_game(&record, &analysis);
    AnalysisSummary black = analysis_summary(&analysis, BLACK);
    AnalysisSummary white = analysis_summary(&analysis, WHITE);
    CHECK_INT(black.moves, 2);
    CHECK_INT(black.mistakes[MISTAKE_NONE], 1);
    CHECK_INT(black.mistakes[MISTAKE_BLUNDER], 1);
    CHECK_NEAR(black.loss, analysis_loss(&analysis, 3) / 2, 1e-9);
    /* The accuracy is 100 for the first move and 100 * exp(-44.9 / 25) for the second. */
    CHECK_NEAR(black.accuracy, (100 + 16.6) / 2, 0.1);
    CHECK_NEAR(white.accuracy, 100, 1e-9);
    CHECK_NEAR(white.loss, 0, 1e-9);
    /* A move without a score before or after it does not count. */
    analysis.at[2].line_count = 0;
    CHECK_INT(analysis_summary(&analysis, BLACK).moves, 1);
    analysis.at[0].line_count = 0;
    black = analysis_summary(&analysis, BLACK);
    CHECK_INT(black.moves, 0);
    CHECK_NEAR(black.accuracy, 0, 1e-9);
    analysis_free(&analysis);
    record_free(&record);
}

/* The first move is compared with the start position, even if that is unbalanced. A longer
 * way to the same mate is no mistake. */
static void test_start_and_mates(void) {
    Record record;
    Analysis analysis;
    make_game(&record, &analysis);
    judge(&analysis.at[0], 2000, "2g2f");
    judge(&analysis.at[1], 1900, "3c3d");
    CHECK(analysis_loss(&analysis, 1) < 1);
    judge(&analysis.at[1], 0, "3c3d");
    CHECK_INT(analysis_mistake(&analysis, 1), MISTAKE_BLUNDER);
    judge(&analysis.at[0], -2000, "2g2f");
    judge(&analysis.at[1], -2100, "3c3d");
    CHECK_INT(analysis_mistake(&analysis, 1), MISTAKE_NONE);
    judge(&analysis.at[2], SCORE_MATE - 3, "2g2f");
    judge(&analysis.at[3], SCORE_MATE - 15, "2b8h+");
    CHECK_INT(analysis_mistake(&analysis, 3), MISTAKE_NONE);
    CHECK_INT(analysis_missed_mate(&analysis, 3), 0);
    CHECK_NEAR(analysis_loss(&analysis, 3), 0, 1e-6);
    analysis_free(&analysis);
    record_free(&record);
}

static void tell(AnalysisGather *gather, int rank, int depth, Score score, const char *move) {
    Move pv = usimove_read(sv_from(move));
    analysis_gather(gather, &(SearchInfo){.rank = rank,
                                          .line_count = 2,
                                          .depth = depth,
                                          .score = score,
                                          .bound = BOUND_EXACT,
                                          .pv = &pv,
                                          .pv_len = 1});
}

/* The reports of a search that is stopped in its sixth iteration, after a new best move. */
static void test_gather(void) {
    AnalysisGather gather = {.whole_is_mixed = false};
    tell(&gather, 1, 1, 10, "7g7f");
    CHECK_INT(analysis_gathered(&gather).line_count, 1);
    tell(&gather, 2, 1, 5, "2g2f");
    tell(&gather, 1, 5, 30, "7g7f");
    tell(&gather, 2, 5, 40, "2g2f");
    tell(&gather, 1, 6, -80, "5g5f");
    tell(&gather, 2, 5, 30, "7g7f");
    tell(&gather, 1, 6, -80, "5g5f");
    Judgement found = analysis_gathered(&gather);
    CHECK_INT(found.line_count, 2);
    CHECK_INT(found.depth, 5);
    CHECK_INT(found.lines[0].score, 40);
    CHECK_INT(found.lines[0].pv[0], usimove_read(SV("2g2f")));
    CHECK_INT(found.lines[1].score, 30);
    /* If the first iteration is incomplete, its lines are used, because there are no better
     * ones. */
    gather = (AnalysisGather){.whole_is_mixed = false};
    tell(&gather, 1, 2, 10, "7g7f");
    tell(&gather, 2, 1, 50, "2g2f");
    tell(&gather, 1, 2, 10, "7g7f");
    found = analysis_gathered(&gather);
    CHECK_INT(found.line_count, 2);
    CHECK_INT(found.lines[0].score, 50);
}

static void gather_info(void *context, const SearchInfo *info) {
    analysis_gather(context, info);
}

/* Judges a position by three lines. Returns true if all lines are from one iteration, best
 * first. */
static bool lines_are_ordered(Engine *engine, StrView sfen) {
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, sfen, NULL), KMD_OK);
    static const atomic_bool never = false;
    AnalysisGather gather = {.whole_is_mixed = false};
    SearchSink sink = {.context = &gather, .on_info = gather_info};
    GoLimits limits = {.nodes = 2500};
    SearchResult result;
    engine_set_position(engine, &pos);
    engine_search(engine, &limits, &sink, &never, &result);
    Judgement found = analysis_gathered(&gather);
    bool is_good = !gather.whole_is_mixed && found.line_count == int_min(3, gen_count(&pos));
    for (int i = 1; i < found.line_count; i++) {
        is_good = is_good && found.lines[i - 1].score >= found.lines[i].score;
        is_good = is_good && found.lines[0].pv[0] != found.lines[i].pv[0];
    }
    pos_free(&pos);
    return is_good;
}

/* The positions are those of tests/data/perft-random.tsv. */
static void test_lines_of_searches(void) {
    enum { POSITIONS = 200 };
    StrBuf text = STRBUF_INIT;
    StrView line;
    CHECK_INT(file_read("tests/data/perft-random.tsv", &text), 0);
    StrView rest = strbuf_view(&text);
    Engine *engine = engine_create();
    CHECK_INT(engine_set_option(engine, SV("MultiPV"), SV("3")), OPTION_OK);
    CHECK_INT(engine_set_option(engine, SV("Threads"), SV("1")), OPTION_OK);
    CHECK_INT(engine_set_option(engine, SV("USI_Hash"), SV("16")), OPTION_OK);
    int count = 0, good = 0;
    sv_next_line(&rest, &line);
    while (count < POSITIONS && sv_next_line(&rest, &line)) {
        good += lines_are_ordered(engine, sv_field(line, '\t', 2));
        count++;
    }
    CHECK_INT(count, POSITIONS);
    CHECK_INT(good, POSITIONS);
    engine_free(engine);
    strbuf_free(&text);
}

UNIT_MAIN({"lines of a search that is cut short", test_gather},
          {"lines of 200 searches", test_lines_of_searches}, {"costs of moves", test_costs},
          {"comments", test_comments}, {"mates", test_mates}, {"threats", test_threats},
          {"recaptures", test_recapture}, {"missed mates", test_missed_mate}, {"a part", test_part},
          {"declarations", test_declarations},
          {"rules of declarations", test_rules_of_declarations}, {"tries", test_try},
          {"reading", test_reading}, {"comments of others", test_foreign_comments},
          {"summary", test_summary}, {"start and mates", test_start_and_mates})
