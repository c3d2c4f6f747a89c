/* Tests that no line of a record is lost without a word: records with the headers and comments that
 * programs and servers write are written in their own format, and each of their lines must be in
 * the result or be counted as skipped. */
#include <string.h>

#include "record/codecs.h"
#include "record/kifuio.h"
#include "record/recorddiff.h"
#include "unit.h"

typedef struct Kept {
    Record record, back;
    StrBuf bytes;
    KmdFault fault;
    int lost; /* parts that the written text lacks */
    bool is_good;
} Kept;

static void keep_as(const char *from, const char *to, const char *text, Kept *kept) {
    *kept = (Kept){.lost = -1, .bytes = STRBUF_INIT};
    KifuForm form = {.codec = kifu_codec_by_name(sv_from(from))};
    record_init(&kept->record);
    record_init(&kept->back);
    kept->is_good = kifu_read(sv_from(text), &form, &kept->record, &kept->fault);
    form = kifu_form(strcmp(from, to) == 0 ? form.codec : kifu_codec_by_name(sv_from(to)));
    form.encoding = TEXT_UTF8;
    kifu_write(&kept->record, &form, &kept->bytes);
    KmdFault fault;
    if (CHECK(kifu_read(strbuf_view(&kept->bytes), &form, &kept->back, &fault))) {
        kept->lost = recorddiff_lost(&kept->record, &kept->back);
    } else {
        CHECK_STR(fault.reason, kept->bytes.ptr);
    }
}

static void keep_free(Kept *kept) {
    record_free(&kept->record);
    record_free(&kept->back);
    strbuf_free(&kept->bytes);
}

static bool has_line(StrView text, StrView wanted) {
    StrView line;
    while (sv_next_line(&text, &line)) {
        if (sv_equal(sv_trim(line), sv_trim(wanted))) {
            return true;
        }
    }
    return false;
}

/* Every line of `lines` must be a line of the written text. */
static void check_lines(const Kept *kept, const char *lines) {
    StrView rest = sv_from(lines), line;
    while (sv_next_line(&rest, &line)) {
        if (sv_trim(line).len > 0 && !CHECK(has_line(strbuf_view(&kept->bytes), line))) {
            StrBuf text = STRBUF_INIT;
            strbuf_add(&text, line);
            CHECK_STR(kept->bytes.ptr, text.ptr);
            strbuf_free(&text);
        }
    }
}

/* Checks that a text is written onto itself line by line. */
static void check_itself(const char *format, const char *text) {
    Kept kept;
    keep_as(format, format, text, &kept);
    CHECK(kept.is_good);
    CHECK_INT(kept.record.skipped, 0);
    CHECK_INT(kept.lost, 0);
    check_lines(&kept, text);
    keep_free(&kept);
}

/* Headers as they occur in files of servers, programs and newspapers. */
static const char *const kif_heads[] = {
    "# ---- Kifu for Windows V7 V7.52 棋譜ファイル ----\n開始日時：2003/05/03 "
    "10:30:00\n終了日時：2003/05/03 17:28:00\n"
    "表題：第61期名人戦\n棋戦：名人戦七番勝負\n場所：東京「椿山荘」\n持ち時間：各9時間\n",
    "#KIF version=2.0 encoding=UTF-8\n# "
    "KIF形式棋譜ファイル\n開始日時：2020/06/08\n秒読み：60秒\n消費時間：96▲239△239\n"
    "対局ID：1234\n昼食休憩：12:00\n",
    "作品番号：117\n作品名：夏の夜\n作者：詰将棋太郎\n発表誌：詰将棋パラダイス\n発表年月：1999年7月"
    "\n完全性：検討済\n分類：短編\n",
    "備考：封じ手は△５四銀\n振り駒：先手番\n先手省略名：佐藤\n後手省略名：鈴木\n記録係：山田 "
    "三段\n",
    "盤面回転\n棋戦詳細：準決勝　第２局\n戦型：相矢倉\n図：投了図\n",
    "対局日：1999/07/15(木) 19:07:12\n持ち時間：15分+60秒\nopening：yagura\nrating：1520:1499\n",
    "場所：81Dojo\n持ち時間：15分+60秒\n先手：foo@bar (R1500)\n後手：baz|qux\n",
    "場所：https://lishogi.org/abcdefgh\n持ち時間：5分＋30秒(1)\n先手：a & b\n後手：＊星\n",
    "棋戦：\n場所：\n備考：\n手合割：平手\n",
    "#評価値はすべて先手から見た値\n# 二つ目の注釈\n#\n棋譜番号：00:17\n"};

static void test_kif(void) {
    for (size_t i = 0; i < COUNTOF(kif_heads); i++) {
        StrBuf text = STRBUF_INIT;
        strbuf_add_str(&text, kif_heads[i]);
        strbuf_add_str(
            &text, "手数----指手---------消費時間--\n*\n*開始のコメント\n"
                   "   1 ７六歩(77)   ( 0:16/00:00:16)+\n#注釈\n*\n*一行空けたコメント\n&しおり\n"
                   "   2 ３四歩(33)   ( 0:00/00:00:00)\n   3 投了\nまで2手で後手の勝ち\n"
                   "\n変化：1手\n   1 ２六歩(27)\n*変化のコメント\n");
        if (i == 1) { /* the encoding is not part of the record */
            StrView rest = strbuf_view(&text), line;
            sv_next_line(&rest, &line);
            Kept kept;
            keep_as("kif", "kif", text.ptr, &kept);
            CHECK_INT(kept.lost + kept.record.skipped, 0);
            check_lines(&kept, rest.ptr);
            keep_free(&kept);
        } else {
            check_itself("kif", text.ptr);
        }
        strbuf_clear(&text);
        strbuf_add_str(&text, kif_heads[i]);
        strbuf_add_str(
            &text, "\n*開始\n▲７六歩    △３四歩\n*\n*コメント\n&しおり\n▲２六歩\nまで3手で中断\n");
        if (i != 1) {
            check_itself("ki2", text.ptr);
        }
        strbuf_free(&text);
    }
}

static const char *const csa_heads[] = {
    "N+foo\nN-bar\n$EVENT:wdoor+floodgate-300-10F+foo+bar+20230101000000\n$START_TIME:2023/01/01 "
    "00:00:02\n"
    "'Max_Moves:1024\n'Least_Time_Per_Move:0\n'Increment:10Turn\n",
    "'----------棋譜ファイルの例"
    "----------\nN+NAKAHARA\nN-YONENAGA\n$EVENT:13th World Computer Shogi "
    "Championship\n$SITE:KAZUSA ARC\n"
    "$START_TIME:2003/05/03 10:30:00\n$END_TIME:2003/05/03 "
    "11:11:05\n$TIME_LIMIT:00:25+00\n$OPENING:YAGURA\n",
    "$X-SERVER:shogi-server\n$START_TIME:2020/05/01\n",
    "'バージョン\n'\n'  空白で始まる\nN+名人\n",
    "N+a\nN-b\n$EVENT:x'y,z\n$SITE:東京,千駄ヶ谷\n",
    "'表題：第61期名人戦\n'秒読み：夜戦から\n'対局ID：17\n'作者：x：y\n",
    "'No:001\n'EX:standard problem\n",
    "$TIME_LIMIT:01:00+60\n'持ち時間：各1時間\n'秒読み：60秒\n",
    "$START_TIME:2023/01/05 09:00:00\n'開始日時：2023/1/5(木) 9:00\n",
    "'summary:abnormal:foo lose:bar win\n'$END_TIME:2023/01/01 00:20:02\n"};

static void test_csa(void) {
    static const char *const versions[] = {"V2.2\n", "V3.0\n"};
    for (size_t i = 0; i < COUNTOF(csa_heads) * COUNTOF(versions); i++) {
        StrBuf text = STRBUF_INIT;
        bool is_v3 = i % 2 == 1;
        strbuf_add_str(&text, versions[i % 2]);
        strbuf_add_str(&text, csa_heads[i / 2]);
        strbuf_add_str(
            &text,
            "PI\n+\n'*\n'*開始\n'rating:foo+1:2800.5:bar+2:2900.1\n'black_rate:foo+1:2800.5\n"
            "+7776FU\nT1\n'** 30 -3334FU\n'注釈\n-3334FU\nT0\n%TORYO\n"
            "'summary:toryo:foo win:bar lose\n'$END_TIME:2023/01/01 00:20:02\n");
        if (is_v3 && sv_find(strbuf_view(&text), SV("$TIME_LIMIT")) < text.len) {
            strbuf_free(&text); /* V3 has another statement for it */
            continue;
        }
        check_itself(is_v3 ? "csa3" : "csa", text.ptr);
        strbuf_free(&text);
    }
}

/* Headers that CSA has no statement for are comments there and come back in the other formats. */
static void test_headers_through_csa(void) {
    for (size_t i = 0; i < COUNTOF(kif_heads); i++) {
        StrBuf text = STRBUF_INIT;
        strbuf_add_str(&text, kif_heads[i]);
        strbuf_add_str(&text, "手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 中断\n");
        static const char *const formats[] = {"csa", "csa3", "jkf", "kif", "ki2"};
        for (size_t k = 0; k < COUNTOF(formats); k++) {
            Kept kept;
            keep_as("kif", formats[k], text.ptr, &kept);
            CHECK_INT(kept.lost & ~KMD_HOLDS_REMARKS, 0);
            CHECK(k == 2 || kept.lost == 0);
            keep_free(&kept);
        }
        strbuf_free(&text);
    }
}

/* Headers of the formats that are not written line by line. */
static void test_other_formats(void) {
#define JKF_MOVES                                                                                  \
    "\"initial\":{\"preset\":\"HIRATE\"},\"moves\":[{\"comments\":[\"開始\",\"*二行目\"]},{"  \
    "\"move\":{"                                                                                   \
    "\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},\"color\":0,\"piece\":\"FU\"},\"time\":{" \
    "\"now\":{"                                                                                    \
    "\"m\":0,\"s\":16},\"total\":{\"h\":0,\"m\":0,\"s\":16}}},{\"special\":\"TORYO\"}]}"
#define PSN_MOVES                                                                                  \
    "[SFEN \"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\"]\n\n"               \
    "1.P7g-7f (0:16/0:0:16)\n{a comment}\n2.P3c-3d\n3.Resigns\n"
    static const struct {
        const char *format, *text;
    } rows[] = {
        {"jkf", "{\"header\":{\"開始日時\":\"2005/10/31 (月) "
                "21:14:06\",\"手合割\":\"平手\",\"先手\":\"oz\","
                "\"後手\":\"sg\",\"棋戦\":\"オールスター\"}," JKF_MOVES},
        {"jkf",
         "{\"header\":{\"表題\":\"詰将棋\",\"作者\":\"看寿\",\"消費時間\":\"3▲1△2\"}," JKF_MOVES},
        {"jkf",
         "{\"header\":{\"event\":\"x\",\"備考\":\"一行目\\n二行目\",\"先手\":\"\\\"\"}," JKF_MOVES},
        {"psn",
         "[Name \"shogi problem\"]\n[Email \"a@b.c\"]\n[Country \"Japan\"]\n[Sente \"Habu\"]\n"
         "[Gote \"Tanigawa\"]\n[Date \"1997/10/23\"]\n[Proam \"Pro\"]\n" PSN_MOVES},
        {"psn", "[Sente \"a\"]\n[Gote \"b\"]\n[Black_grade \"5 dan\"]\n[Result \"Gote win\"]\n"
                "[Source \"Shogi World\"]\n[Event \"NHK\"]\n" PSN_MOVES},
        {"epd",
         "4k4/9/4P4/9/9/9/9/9/4K4 b G 1 bm G*5b; id \"x 1\"; c0 \"comment; with a mark\";\n"},
        {"usi", "position startpos moves 7g7f 3c3d\n"},
        {"sfen", "4k4/9/4P4/9/9/9/9/9/4K4 b G 17\n"},
        {"usen", "~0.83m20o93i1iu.r\n"},
    };
    for (size_t i = 0; i < COUNTOF(rows); i++) {
        Kept kept;
        keep_as(rows[i].format, rows[i].format, rows[i].text, &kept);
        bool is_kept = kept.is_good && kept.lost == 0 && kept.record.skipped == 0;
        if (!CHECK(is_kept)) {
            CHECK_STR(kept.bytes.ptr, rows[i].text);
        }
        keep_free(&kept);
    }
#undef JKF_MOVES
#undef PSN_MOVES
}

static void check_lost(const char *from, const char *to, const char *text, int lost, int skipped) {
    Kept kept;
    keep_as(from, to, text, &kept);
    CHECK(kept.is_good);
    CHECK_INT(kept.lost, lost);
    CHECK_INT(kept.record.skipped, skipped);
    keep_free(&kept);
}

/* What a format cannot hold is named. */
static void test_losses(void) {
    const char *sealed = "1 ７六歩(77)\n2 封じ手\n";
    check_lost("kif", "kif", sealed, 0, 0);
    check_lost("kif", "csa", sealed, KMD_HOLDS_ENDINGS, 0);
    check_lost("kif", "psn", sealed, KMD_HOLDS_ENDINGS, 0);
    check_lost("kif", "usen", sealed, KMD_HOLDS_ENDINGS, 0);
    check_lost("kif", "jkf", sealed, 0, 0);
    check_lost("csa", "psn", "'rating:x\nPI\n+\n+7776FU\n", KMD_HOLDS_REMARKS, 0);
    check_lost("csa", "jkf", "PI\n+\n+7776FU\n'x\n", KMD_HOLDS_REMARKS, 0);
    check_lost("csa3", "csa", "V3.0\n$NOTE:a\\nb\nPI\n+\n+7776FU\n", KMD_HOLDS_HEADERS, 0);
    check_lost("jkf", "jkf", "{\"header\":{},\"moves\":[{}],\"proprietary\":{\"x\":1}}", 0, 1);
    check_lost("jkf", "jkf", "{\"header\":{\"a\":1},\"moves\":[{\"x\":[1,2]}]}", 0, 2);
    check_lost("kif", "kif", "先手：a\n先手：b\n1 ７六歩(77)\n", 0, 1);
    check_lost("kif", "kif", "1 ７六歩(77)\n&a\n&b\n", 0, 1);
    check_lost("kif", "kif", "1 ７六歩(77) ( 0:01/00:00:01) 好手\n", 0, 1);
    check_lost("csa", "csa", "PI\n+\nT5\n+7776FU\n", 0, 1);
}

/* A part that a format writes in its own place or way is not lost. */
static void test_kept_elsewhere(void) {
    static const char *const formats[] = {"kif", "ki2", "csa", "csa3", "psn", "jkf", "bod"};
    static const char *const starts[][2] = {{"平手", "HIRATE"}, {"二枚落ち", "2"}, {"５枚落", "5"}};
    for (size_t i = 0; i < COUNTOF(formats); i++) {
        const char *format = formats[i];
        for (size_t k = 0; k < COUNTOF(starts); k++) {
            StrBuf text = STRBUF_INIT;
            strbuf_addf(&text, "{\"header\":{\"手合割\":\"%s　\"},\"initial\":{\"preset\":\"%s\"}}",
                        starts[k][0], starts[k][1]);
            check_lost("jkf", format, text.ptr, 0, 0);
            strbuf_free(&text);
        }
        if (i < 4) { /* the formats that hold remarks */
            check_lost("csa", format, "PI\n+\n'after the start\n+7776FU\n", 0, 0);
            check_lost("csa", format, "'above\nPI\n+\n'after\n+7776FU\n'x\n%TORYO\n'y\n", 0, 0);
            check_lost("kif", format, "1 ７六歩(77)\n#only a remark\n2 ３四歩(33)\n3 投了\n#end\n",
                       0, 0);
            check_lost("kif", format, "1 ７六歩(77)\n* a comment \n#a remark\t \n", 0, 0);
        }
    }
    static const char *const presets[] = {"HIRATE"};
    for (size_t i = 0; i < COUNTOF(presets); i++) {
        StrBuf text = STRBUF_INIT;
        strbuf_addf(&text, "{\"header\":{\"手合割\":\"詰将棋\"},\"initial\":{\"preset\":\"%s\"}}",
                    presets[i]);
        check_lost("jkf", "kif", text.ptr, 0, 0);
        check_lost("jkf", "ki2", text.ptr, 0, 0);
        strbuf_free(&text);
    }
    check_lost("jkf", "kif", "{\"header\":{\"手合割\":\"二枚落ち\"},\"moves\":[{}]}",
               KMD_HOLDS_HEADERS, 0);
}

static void test_bod(void) {
    check_itself("bod", "先手：甲\n後手：乙\n後手の持駒：なし\n  ９ ８ ７ ６ ５ ４ ３ ２ "
                        "１\n+---------------------------+\n"
                        "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ "
                        "・ ・ 歩 ・ ・ ・ ・|三\n"
                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ "
                        "・ ・ ・ ・ ・ ・ ・|六\n"
                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ "
                        "・ ・ 玉 ・ ・ ・ ・|九\n"
                        "+---------------------------+\n先手の持駒：金　\n後手番\n手数＝171  "
                        "▲５三歩成  まで\n*コメント\n");
}

/* An illegal last move stays in the record, with the winner that the record states. */
static void check_illegal(const char *format, const char *text, const char *note, const char *lines,
                          Color winner) {
    Kept kept;
    keep_as(format, format, text, &kept);
    CHECK(kept.is_good);
    CHECK_INT(kept.lost, 0);
    CHECK_STR(kept.fault.reason, note);
    CHECK_INT(record_winner(&kept.record, record_main_end(&kept.record)), winner);
    check_lines(&kept, lines);
    keep_free(&kept);
}

static void test_illegal_moves(void) {
    const char *start = "1 ７六歩(77)\n2 ３四歩(33)\n";
    static const struct {
        const char *moves, *note, *lines;
    } rows[] = {
        {"3 ２二角成(88)\n4 同　銀(31)\n5 ５五歩打\n6 反則勝ち\n", "the piece is not in hand",
         "   5 ５五歩打\n   6 反則勝ち\nまで5手で後手の反則勝ち\n"},
        {"3 ３三角成(88)\n4 ５二金左(61)\n5 反則勝ち\n", "the king would be in check", NULL},
        {"3 ８四歩(83)\n4 反則勝ち\n", "the piece belongs to the opponent",
         "   3 ８四歩(83)\n   4 反則勝ち\nまで3手で後手の反則勝ち\n"},
        {"3 ７四歩(76)\nまで3手で後手の反則勝ち\n", "not how the piece moves",
         "   3 ７四歩(76)\n   4 反則勝ち\n"},
        {"3 ２二角成(88)\n4 同　銀(31)\n5 ４五角打\n6 ７四歩(73)\n7 ６三角打\n8 二歩\n",
         "the piece is not in hand", "   7 ６三角打\n   8 反則勝ち\n*二歩\n"},
    };
    for (size_t i = 0; i < COUNTOF(rows); i++) {
        StrBuf text = STRBUF_INIT;
        strbuf_addf(&text, "%s%s", start, rows[i].moves);
        if (rows[i].lines != NULL) {
            check_illegal("kif", text.ptr, rows[i].note, rows[i].lines, WHITE);
        }
        Kept kept;
        static const char *const formats[] = {"csa", "csa3", "jkf", "ki2"};
        for (size_t k = 0; k < COUNTOF(formats) && rows[i].lines != NULL; k++) {
            keep_as("kif", formats[k], text.ptr, &kept);
            CHECK_INT(kept.lost, 0);
            keep_free(&kept);
        }
        keep_as("kif", "psn", text.ptr, &kept);
        CHECK(rows[i].lines == NULL || (kept.lost & KMD_HOLDS_ILLEGAL) != 0);
        keep_free(&kept);
        strbuf_free(&text);
    }
    check_illegal("csa", "PI\n+\n+7776FU\n+2726FU\nT3\n%ILLEGAL_MOVE\n",
                  "illegal move: the other side is to move", "+2726FU\nT3\n%ILLEGAL_MOVE\n", WHITE);
    check_illegal("csa", "PI\n+\n+7776FU\n-8384FU\n+8822UM\n%+ILLEGAL_ACTION\n",
                  "not how the piece moves", "+8822UM\n%ILLEGAL_MOVE\n", WHITE);
    check_illegal("ki2", "▲７六歩 △３四歩 ▲５五歩打\nまで3手で後手の反則勝ち\n",
                  "the piece is not in hand", "▲５五歩打\nまで3手で後手の反則勝ち\n", WHITE);
    check_illegal(
        "jkf",
        "{\"header\":{},\"moves\":[{},{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":"
        "5},"
        "\"piece\":\"FU\"},\"time\":{\"now\":{\"m\":0,\"s\":5}}},{\"special\":\"ILLEGAL_MOVE\"}]}",
        "not how the piece moves", "", WHITE);
}

/* One odd line costs no more than itself. */
static void check_skips(const char *format, const char *text, int moves, int variations,
                        int skipped) {
    Kept kept;
    keep_as(format, format, text, &kept);
    if (!CHECK(kept.is_good)) {
        CHECK_STR(kept.fault.reason, text);
    }
    CHECK_INT(record_main_length(&kept.record), moves);
    CHECK_INT(record_variation_count(&kept.record), variations);
    CHECK_INT(kept.record.skipped, skipped);
    CHECK(skipped == 0 || kept.record.note_count > 0);
    keep_free(&kept);
}

static void test_odd_lines(void) {
    check_skips("kif", "手数----指手--\n変化：3手\n1 ７六歩(77)\n2 ３四歩(33)\n", 2, 0, 1);
    check_skips("kif", "手数----指手--\n1 ７六歩(77)\nなにか\n2 ３四歩(33)\n3 投了\n", 2, 0, 1);
    check_skips(
        "kif", "1 ７六歩(77)\n2 ３四歩(33)\n変化：9手\n9 ２六歩(27)\n*x\n変化：2手\n2 ８四歩(83)\n",
        2, 1, 3);
    check_skips("kif", "1 ７六歩(77)\n<<<<<<< HEAD\n2 ３四歩(33)\n=======\n", 2, 0, 2);
    check_skips("ki2", "▲７六歩\n---\n△３四歩\n", 2, 0, 1);
    check_skips("ki2", "変化：2手\n▲７六歩 △３四歩\n", 2, 0, 1);
    check_skips("kif", "1 ７六歩(77)\n2 ３四歩(33)\n手合割：平手\n", 2, 0, 1);
    check_skips("kif", "1 ７六歩(77)\n1 ３四歩(33)\n2 ２六歩(27)\n2 ８四歩(83)\n", 4, 0, 0);
    check_skips("kif",
                "1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n変化：2手\n1 ８四歩(83)\n2 ２六歩(27)\n",
                3, 1, 0);
    static const char diagram[] =
        "後手の持駒：なし\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n"
        "|v香v桂v銀v金v玉v金v銀v桂v香|一\n先手番\n手数＝1  ▲７六歩  まで\n";
    static const char *const games[][3] = {{"kif", "1 ７六歩(77)\n", "2 ３四歩(33)\n"},
                                           {"ki2", "▲７六歩\n", "△３四歩\n"}};
    for (size_t i = 0; i < COUNTOF(games); i++) {
        StrBuf text = STRBUF_INIT;
        strbuf_addf(&text, "%s%s%s", games[i][1], diagram, games[i][2]);
        check_skips(games[i][0], text.ptr, 2, 0, 6);
        strbuf_free(&text);
    }
    check_skips("csa", "PI\n+\n+7776FU\nhello\n-3334FU\nT1x\n", 2, 0, 2);
    check_skips("csa", "PI\n+\n+7776FU\n+\n-3334FU\n", 2, 0, 1);
    check_skips("kif", "1 ７六歩(77) (100000:00/)\n2 ３四歩(33) (0:01)\n", 2, 0, 1);
    check_skips("ki2", "▲７六歩（１分）△３四歩(3分) ▲２六歩!?　△４四歩（図１）\n", 4, 0, 4);
    check_skips("psn", "1.P7g-7f !?\n2.P3c-3d $3\n", 2, 0, 2);
}

static void check_ending(const char *format, const char *text, KmdEnding ending, int skipped) {
    Kept kept;
    keep_as(format, format, text, &kept);
    if (!CHECK(kept.is_good)) {
        CHECK_STR(kept.fault.reason, text);
    }
    CHECK_INT(kept.record.nodes[record_main_end(&kept.record)].ending, ending);
    CHECK_INT(kept.record.skipped, skipped);
    keep_free(&kept);
}

static void test_endings(void) {
    check_ending("kif", "1 ７六歩(77)\n2 投了\n3 中断\n", KMD_END_RESIGN, 1);
    check_ending("csa", "PI\n+\n+7776FU\n%TORYO\n%CHUDAN\n", KMD_END_RESIGN, 1);
    check_ending("kif", "1 ７六歩(77)\n2 反則\n", KMD_END_ILLEGAL_LOSS, 0);
    check_ending("kif", "1 ７六歩(77)\n2 引分\n", KMD_END_DRAW, 0);
    check_ending("kif", "1 ７六歩(77)\n2 時間切れ負け\n", KMD_END_TIMEOUT, 0);
    check_ending("kif", "1 ７六歩(77)\n2 勝ち宣言\n", KMD_END_DECLARATION, 0);
    check_ending("kif", "1 ７六歩(77)\n2 二歩\n", KMD_END_ILLEGAL_LOSS, 0);
    check_ending("kif", "1 ▲７六歩(77)\n2 △投了\n", KMD_END_RESIGN, 0);
    check_ending("kif", "1. ▲７六歩(77)\n2.☖ 中断 ( 0:05/00:00:05)\n", KMD_END_INTERRUPT, 0);
    check_ending("kif", "1 ▲７六歩(77)\n2 △３四歩(33)\n3 ▲７五歩打\n4 △反則勝ち\n",
                 KMD_END_ILLEGAL_LOSS, 0);
    check_ending("ki2", "▲７六歩 △３四歩 ▲２六歩\nまで3手で▲甲の勝ち\n", KMD_END_RESIGN, 0);
    check_ending("ki2", "▲７六歩 △３四歩\nまで2手で△乙の勝ち\n", KMD_END_RESIGN, 0);
    check_ending("ki2", "▲７六歩 △３四歩\nまで2手で☗甲の勝ち\n", KMD_END_OTHER, 0);
    static const struct {
        const char *closing;
        KmdEnding ending;
    } closings[] = {
        {"まで3手で後手の反則により先手の勝ち", KMD_END_ILLEGAL_LOSS},
        {"まで3手で先手の反則により後手の勝ち", KMD_END_ILLEGAL_WIN},
        {"まで3手で反則により先手の勝ち", KMD_END_ILLEGAL_LOSS},
        {"まで3手で先手の反則", KMD_END_ILLEGAL_WIN},
        {"まで3手で後手の反則負けにより先手の勝ち", KMD_END_ILLEGAL_LOSS},
        {"まで3手で先手の反則負けにより後手の勝ち", KMD_END_ILLEGAL_WIN},
        {"まで3手で後手の反則勝ち（先手の二歩）", KMD_END_ILLEGAL_WIN},
        {"まで3手で連続王手の千日手により後手の勝ち", KMD_END_ILLEGAL_WIN},
        {"まで3手で連続王手の千日手", KMD_END_SENNICHITE},
        {"まで3手で後手の投了により先手の勝ち", KMD_END_RESIGN},
        {"まで3手で後手の投了", KMD_END_RESIGN},
        {"まで3手で先手の勝ち（投了）", KMD_END_RESIGN},
        {"まで3手で先手の投了", KMD_END_OTHER},
        {"まで3手で後手投了、▲甲の勝ち", KMD_END_RESIGN},
        {"まで3手で後手の時間切れにより先手の勝ち", KMD_END_TIMEOUT},
        {"まで3手で時間切れにより後手の負け", KMD_END_TIMEOUT},
        {"まで3手で後手の負け", KMD_END_RESIGN},
        {"まで3手で先手の負け", KMD_END_OTHER},
        {"まで3手で後手の入玉勝ち", KMD_END_DECLARATION},
        {"まで3手で何か", KMD_END_OTHER},
    };
    for (size_t i = 0; i < COUNTOF(closings); i++) {
        StrBuf text = STRBUF_INIT;
        strbuf_addf(&text, "▲７六歩 △３四歩 ▲２六歩\n%s\n", closings[i].closing);
        check_ending("ki2", text.ptr, closings[i].ending, 0);
        strbuf_clear(&text);
        strbuf_addf(&text, "1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n%s\n", closings[i].closing);
        check_ending("kif", text.ptr, closings[i].ending, 0);
        strbuf_free(&text);
    }
    /* The closing line names another winner than the ending, above it or in the line itself. */
    check_ending("kif", "1 ７六歩(77)\n2 投了\nまで1手で後手の勝ち\n", KMD_END_RESIGN, 1);
    check_ending("kif", "1 ７六歩(77)\n2 時間切れ\nまで1手で後手の勝ち\n", KMD_END_TIMEOUT, 1);
    check_ending("kif", "1 ７六歩(77)\nまで1手で先手の時間切れにより後手の勝ち\n", KMD_END_OTHER,
                 0);
    check_ending("ki2", "▲７六歩\nまで1手で先手の入玉勝ち\n", KMD_END_OTHER, 0);
    check_ending("ki2", "▲７六歩 △投了\nまで1手で後手の勝ち\n", KMD_END_RESIGN, 1);
    check_ending("kif", "1 ７六歩(77)\n2 投了\nまで1手で先手の勝ち\n", KMD_END_RESIGN, 0);
    /* An ending without a winner gets that of the line. */
    check_ending("kif", "1 ７六歩(77)\n2 切断\nまで1手で後手の切断により先手の勝ち\n",
                 KMD_END_OTHER, 0);
    check_itself("kif", "手合割：平手\n   1 ７六歩(77)\n   2 後手の切断\nまで1手で先手の勝ち\n");
    /* After a variation, the line belongs to it if the number of moves does. */
    check_ending(
        "kif", "1 ７六歩(77)\n2 投了\n変化：1手\n1 ２六歩(27)\n2 ３四歩(33)\nまで2手で後手の勝ち\n",
        KMD_END_RESIGN, 0);
    check_itself(
        "kif", "   1 ７六歩(77)   +\n   2 投了\nまで1手で先手の勝ち\n\n変化：1手\n   1 ２六歩(27)\n"
               "   2 ３四歩(33)\n   3 投了\n");
    check_ending("kif", "1 ７六歩(77)\n2 投了\n変化：1手\n1 ２六歩(27)\nまで1手で先手の勝ち\n",
                 KMD_END_RESIGN, 0);
    check_ending("kif",
                 "1 ７六歩(77)\n変化：1手\n1 ２六歩(27)\n2 ３四歩(33)\nまで1手で先手の勝ち\n",
                 KMD_END_NONE, 1);
    check_ending("ki2", "▲７六歩 △投了\n変化：1手\n▲２六歩\nまで9手で中断\n", KMD_END_RESIGN, 1);
    check_ending("ki2", "▲７六歩 △投了\n変化：1手\n▲２六歩 △３四歩\nまで中断\n", KMD_END_RESIGN, 0);
    check_ending("psn", "1.P7g-7f\n2.P3c-3d\n3.P2g-2f\n1-0\n", KMD_END_RESIGN, 0);
    check_ending("psn", "1.P7g-7f\n2.P3c-3d\n0-1\n", KMD_END_RESIGN, 0);
    check_ending("psn", "1.P7g-7f\n2.P3c-3d\n1-0\n", KMD_END_ILLEGAL_WIN, 0);
    check_ending("psn", "1.P7g-7f\n2.P3c-3d\n1/2-1/2\n", KMD_END_DRAW, 0);
    check_ending("psn", "1.P7g-7f\n2.P3c-3d\n*\n", KMD_END_NONE, 0);
    check_ending("psn", "1.P7g-7f\n2.Resigns\n1-0\n", KMD_END_RESIGN, 0);
    check_ending("psn", "1.P7g-7f\n2.Resigns\n0-1\n", KMD_END_RESIGN, 1);
    check_ending("usi", "startpos moves 7g7f rep_inf\n", KMD_END_OTHER, 0);
    check_ending("usi", "startpos moves 7g7f rep_sup\n", KMD_END_OTHER, 0);
}

/* A record holds no passes: it begins after the last one, and says what is left out. */
static void check_pass(const char *text, const char *written, int skipped) {
    Kept kept;
    keep_as("usi", "usi", text, &kept);
    CHECK(kept.is_good);
    CHECK_STR(kept.bytes.ptr, written);
    CHECK_INT(kept.record.skipped, skipped);
    keep_free(&kept);
}

static void test_passes(void) {
    check_pass("startpos moves 7g7f pass 2g2f\n",
               "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3 "
               "moves 2g2f\n",
               1);
    check_pass("position startpos moves null\n",
               "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2\n",
               1);
    check_pass("position startpos moves 7g7f 0000 pass 3c3d\n",
               "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 4 "
               "moves 3c3d\n",
               2);
    check_pass("startpos moves 7g7f\n", "position startpos moves 7g7f\n", 0);
    Kept kept;
    keep_as("usi", "usi", "sfen 4k4/9/9/9/9/9/9/9/R3K4 w - 1 moves 5a5b 9i9b pass\n", &kept);
    CHECK(!kept.is_good);
    CHECK_STR(kept.fault.reason, "a side in check cannot pass");
    keep_free(&kept);
}

static void check_closing(const char *text, const char *line) {
    Kept kept;
    keep_as("kif", "kif", text, &kept);
    check_lines(&kept, line);
    CHECK_INT(kept.lost, 0);
    keep_free(&kept);
}

static void test_handicaps(void) {
    check_closing("手合割：二枚落ち\n1 ３四歩(33)\n2 ７六歩(77)\n3 投了\n", "まで2手で下手の勝ち");
    check_closing("手合割：香落ち\n1 ３四歩(33)\n2 投了\n", "まで1手で上手の勝ち");
    check_closing("手合割：六枚落ち\n1 ３四歩(33)\n2 切れ負け\n",
                  "まで1手で時間切れにより上手の勝ち");
    check_closing("手合割：平手\n1 ７六歩(77)\n2 投了\n", "まで1手で先手の勝ち");
    static const struct {
        const char *text, *reason, *note;
    } rows[] = {
        {"手合割：目隠し\n1 ３四歩(33)\n", "no such piece can go there", "an unknown handicap"},
        {"手合割：5五将棋\n1 ３四歩(33)\n", "another game", ""},
        {"手合割：京都将棋\n1 ７六歩(77)\n", "another game", ""},
    };
    for (size_t i = 0; i < COUNTOF(rows); i++) {
        Record record;
        KmdFault fault;
        KifuForm form = {.codec = kifu_codec_by_name(SV("kif"))};
        record_init(&record);
        CHECK(!kifu_read(sv_from(rows[i].text), &form, &record, &fault));
        CHECK(sv_starts_with(sv_from(fault.reason), sv_from(rows[i].reason)));
        CHECK(rows[i].note[0] == '\0' ||
              (record.note_count == 1 &&
               sv_starts_with(sv_from(record.notes[0].reason), sv_from(rows[i].note))));
        record_free(&record);
    }
    check_ending("kif", "手合割：歩三兵\n1 ５二玉(51)\n2 投了\n", KMD_END_RESIGN, 0);
    check_ending("kif", "手合割：トンボ\n1 ３四歩(33)\n2 投了\n", KMD_END_RESIGN, 0);
    check_ending("kif", "手合割：九枚落ち\n1 ３四歩(33)\n2 投了\n", KMD_END_RESIGN, 0);
    check_ending("kif", "手合割：両桂落ち\n1 ３四歩(33)\n2 投了\n", KMD_END_RESIGN, 0);
}

static void check_csa_header(const char *headers, const char *lines) {
    StrBuf text = STRBUF_INIT;
    Kept kept;
    strbuf_addf(&text, "%s1 ７六歩(77)\n", headers);
    keep_as("kif", "csa", text.ptr, &kept);
    CHECK_INT(kept.lost, 0);
    check_lines(&kept, lines);
    keep_free(&kept);
    strbuf_free(&text);
}

static void test_csa_headers(void) {
    check_csa_header("開始日時：2023/1/5 9:00\n",
                     "$START_TIME:2023/01/05 09:00:00\n'開始日時：2023/1/5 9:00\n");
    check_csa_header("終了日時：2023/01/05(木) 19:07:12\n", "$END_TIME:2023/01/05 19:07:12\n");
    check_csa_header("開始日時：2023年1月5日\n", "$START_TIME:2023/01/05\n");
    check_csa_header("開始日時：元日の朝\n", "'開始日時：元日の朝\n");
    check_csa_header("持ち時間：10分\n秒読み：30秒\n", "$TIME_LIMIT:00:10+30\n'秒読み：30秒\n");
    check_csa_header("持ち時間：各9時間\n", "$TIME_LIMIT:09:00+00\n'持ち時間：各9時間\n");
    check_csa_header("持ち時間：1時間30分\n", "$TIME_LIMIT:01:30+00\n");
    check_csa_header("持ち時間：15分切れ負け\n", "$TIME_LIMIT:00:15+00\n'持ち時間：15分切れ負け\n");
    check_csa_header("持ち時間：各２時間（切れ負け）\n", "$TIME_LIMIT:02:00+00\n");
    check_csa_header("持ち時間：各1時間、切れたら1手30秒\n", "$TIME_LIMIT:01:00+30\n");
    check_csa_header("持ち時間：10分 秒読み1分\n", "$TIME_LIMIT:00:10+60\n");
    check_csa_header("持ち時間：チェスクロック方式3時間\n", "$TIME_LIMIT:03:00+00\n");
    check_csa_header("持ち時間：10分切れ負け\n秒読み：30秒\n", "'持ち時間：10分切れ負け\n");
    check_csa_header("持ち時間：チェスクロック\n", "'持ち時間：チェスクロック\n");
    check_csa_header("備考：x\n", "'備考：x\n");
    check_csa_header("秒読み：30秒\n", "$TIME_LIMIT:00:00+30\n'秒読み：30秒\n");
    check_csa_header("持ち時間：00:10+30\n秒読み：1手30秒\n", "$TIME_LIMIT:00:10+30\n");
    check_csa_header("持ち時間：00:10+30\n秒読み：60秒\n", "$TIME_LIMIT:00:10+30\n'秒読み：60秒\n");
    check_csa_header("持ち時間：10分+30秒\n", "$TIME_LIMIT:00:10+30\n'持ち時間：10分+30秒\n");
    check_itself("csa", "V2.2\n$TIME_LIMIT:00:00+30\n'秒読み：30秒\nPI\n+\n+7776FU\n");
    check_itself("csa3", "V3.0\n$TIME:0+30+0\n'秒読み：30秒\nPI\n+\n+7776FU\n");
}

/* A hand with all pieces that are nowhere else, as diagrams of mate problems write it. */
static void check_rest(const char *white, const char *black, const char *sfen) {
    StrBuf text = STRBUF_INIT;
    strbuf_addf(&text, "後手の持駒：%s\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|\n", white);
    for (int i = 1; i < 9; i++) {
        strbuf_add_str(&text, "| ・ ・ ・ ・ ・ ・ ・ ・ と|\n");
    }
    strbuf_addf(&text, "先手の持駒：%s\n先手番\n", black);
    Kept kept;
    keep_as("bod", "sfen", text.ptr, &kept);
    CHECK(kept.is_good);
    CHECK(has_line(strbuf_view(&kept.bytes), sv_from(sfen)));
    keep_free(&kept);
    strbuf_free(&text);
}

static void test_rest_in_hand(void) {
    static const char sfen[] = "4k4/8+P/8+P/8+P/8+P/8+P/8+P/8+P/8+P b G2r2b3g4s4n4l10p 1";
    check_rest("残り全部", "金", sfen);
    check_rest("残り", "金　", sfen);
    check_rest("　残り駒全部", "金", sfen);
    check_rest("飛二　角二　金三　銀四　桂四　香四　歩十　", "残り", sfen);
    check_rest("なし", "残り", "4k4/8+P/8+P/8+P/8+P/8+P/8+P/8+P/8+P b 2R2B4G4S4N4L10P 1");
}

UNIT_MAIN({"KIF and KI2", test_kif}, {"CSA", test_csa}, {"BOD", test_bod},
          {"headers through other formats", test_headers_through_csa},
          {"other formats", test_other_formats}, {"losses", test_losses},
          {"parts kept elsewhere", test_kept_elsewhere}, {"illegal moves", test_illegal_moves},
          {"odd lines", test_odd_lines}, {"the rest in hand", test_rest_in_hand},
          {"endings", test_endings}, {"passes", test_passes}, {"handicaps", test_handicaps},
          {"headers of CSA", test_csa_headers})
