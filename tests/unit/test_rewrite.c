/* Tests what becomes of a record that is written in its own format: which lines stay, and who wins
 * according to it. */
#include "record/kifuio.h"
#include "unit.h"

#define KIF_TITLE "手数----指手---------消費時間--\n"
#define KIF_HEAD  "手合割：平手\n" KIF_TITLE

/* Reads bytes and writes them as `wanted`; NULL: as they are. */
static void check_rewrite(const char *format, const char *bytes, const char *wanted,
                          KmdWinner winner) {
    KifuForm form = {.codec = kifu_codec_by_name(sv_from(format))};
    KmdFault fault;
    Record record;
    StrBuf out = STRBUF_INIT;
    record_init(&record);
    if (!CHECK(kifu_read(sv_from(bytes), &form, &record, &fault))) {
        CHECK_STR(fault.reason, bytes);
    }
    CHECK_INT(record_result(&record), winner);
    CHECK_INT(record.skipped, 0);
    kifu_write(&record, &form, &out);
    CHECK_STR(out.ptr, wanted != NULL ? wanted : bytes);
    record_free(&record);
    strbuf_free(&out);
}

/* A closing line belongs to the line above it if that has as many moves. */
static void test_closing_lines(void) {
    check_rewrite(
        "kif",
        KIF_HEAD "   1 ７六歩(77)   +\n   2 ３四歩(33)\n   3 投了\nまで2手で後手の勝ち\n\n"
                 "変化：1手\n   1 ２六歩(27)\n   2 ８四歩(83)\nまで2手で千日手\n",
        KIF_HEAD "   1 ７六歩(77)   +\n   2 ３四歩(33)\n   3 投了\nまで2手で後手の勝ち\n\n"
                 "変化：1手\n   1 ２六歩(27)\n   2 ８四歩(83)\n   3 千日手\n",
        KMD_WINNER_WHITE);
    check_rewrite("ki2",
                  "先手：a\n後手：b\n手合割：平手\n▲７六歩    △３四歩\nまで2手で後手の勝ち\n*main "
                  "end\n\n変化：1手\n▲２六歩    △８四歩\nまで2手で中断\n*var end\n",
                  NULL, KMD_WINNER_WHITE);
    /* a variation that is only an ending */
    check_rewrite(
        "ki2",
        "手合割：平手\n▲７六歩    △３四歩\nまで2手で後手の勝ち\n\n変化：3手\nまで2手で中断\n", NULL,
        KMD_WINNER_WHITE);
    /* that of the main line, at the end of the file */
    check_rewrite("kif",
                  KIF_HEAD "   1 ７六歩(77)   +\n   2 投了\n\n変化：1手\n   1 ２六歩(27)\n"
                           "   2 ８四歩(83)\nまで1手で先手の勝ち\n",
                  KIF_HEAD "   1 ７六歩(77)   +\n   2 投了\nまで1手で先手の勝ち\n\n変化：1手\n"
                           "   1 ２六歩(27)\n   2 ８四歩(83)\n",
                  KMD_WINNER_BLACK);
}

/* If the ending does not say who won, the closing line does. */
static void test_winners(void) {
#define MOVES KIF_HEAD "   1 ７六歩(77)\n   2 ３四歩(33)\n"
    check_rewrite("kif", MOVES "   3 先手反則負け\n",
                  MOVES "   3 反則負け\nまで2手で先手の反則負け\n", KMD_WINNER_WHITE);
    check_rewrite("kif", MOVES "   3 後手反則負け\nまで2手で先手の勝ち\n",
                  MOVES "   3 反則勝ち\nまで2手で先手の反則勝ち\n", KMD_WINNER_BLACK);
    check_rewrite("kif", MOVES "   3 反則\nまで2手で先手の勝ち\n",
                  MOVES "   3 反則勝ち\nまで2手で先手の反則勝ち\n", KMD_WINNER_BLACK);
    check_rewrite("kif", MOVES "   3 反則\nまで2手で後手の勝ち\n",
                  MOVES "   3 反則負け\nまで2手で先手の反則負け\n", KMD_WINNER_WHITE);
    static const char *const words[] = {"タイムアップ", "接続切れ", "判定", "中断", "封じ手"};
    for (size_t i = 0; i < COUNTOF(words); i++) {
        for (KmdWinner winner = KMD_WINNER_BLACK; winner <= KMD_WINNER_WHITE; winner++) {
            StrBuf text = STRBUF_INIT;
            const char *side = winner == KMD_WINNER_BLACK ? "先手" : "後手";
            strbuf_addf(&text, MOVES "   3 %s\nまで2手で%sの勝ち\n", words[i], side);
            check_rewrite("kif", text.ptr, NULL, winner);
            strbuf_clear(&text);
            strbuf_addf(&text, "手合割：平手\n▲７六歩    △３四歩\nまで2手で%sにより%sの勝ち\n",
                        words[i], side);
            check_rewrite("ki2", text.ptr, NULL, winner);
            strbuf_free(&text);
        }
    }
    /* The side to move wins for an unknown reason. */
    check_rewrite("kif", MOVES "まで2手で先手の勝ち\n", NULL, KMD_WINNER_BLACK);
    check_rewrite("ki2", "手合割：平手\n▲７六歩    △３四歩\nまで2手で先手の勝ち\n", NULL,
                  KMD_WINNER_BLACK);
    check_rewrite("kif", MOVES "まで2手で後手の時間切れにより先手の勝ち\n",
                  MOVES "   3 後手の時間切れ\nまで2手で先手の勝ち\n", KMD_WINNER_BLACK);
#undef MOVES
}

/* A game from its usual start keeps the numbers of its moves. */
static void test_numbers(void) {
    check_rewrite("kif",
                  "先手：a\n" KIF_HEAD "  41 ２六歩(27)   +\n  42 ８四歩(83)   +\n  43 投了\n"
                  "まで42手で後手の勝ち\n\n変化：42手\n  42 ３四歩(33)\n\n変化：41手\n"
                  "  41 ７六歩(77)\n  42 ８四歩(83)\n  43 中断\n",
                  NULL, KMD_WINNER_WHITE);
    check_rewrite("kif", "手合割：二枚落ち\n" KIF_TITLE "   5 ３四歩(33)\n   6 ７六歩(77)\n", NULL,
                  KMD_WINNER_NONE);
    check_rewrite("ki2", "手数：40  まで\n手合割：平手\n▲７六歩\n", NULL, KMD_WINNER_NONE);
    check_rewrite("csa", "V2.2\n'手数：40  まで\nPI\n+\n+7776FU\n", NULL, KMD_WINNER_NONE);
}

/* The encoding stays, with the line that states it, and so do line ends and byte-order marks. */
static void test_forms(void) {
    static const char *const rows[][2] = {
        {"csa", "'CSA encoding=UTF-8\nV2.2\nN+先手\nN-b\nPI\n+\n+7776FU\n"},
        {"csa", "'CSA encoding=SHIFT_JIS\r\nV2.2\r\nN+\x95\x5C\r\nPI\r\n+\r\n"},
        {"csa", "V2.2\nN+\x95\x5C\nPI\n+\n"},
        {"csa", "V2.2\nN+\x95\x5C\n'encoding=SHIFT_JIS\nPI\n+\n"},
        {"csa", "V3.0\r\nN+\x95\x5C\r\nPI\r\n+\r\n"},
        {"csa", "'CSA encoding=UTF-8\nV3.0\nN+先手\nPI\n+\n"},
        {"csa", "\xEF\xBB\xBFV2.2\nN+\xE5\x85\x88\nPI\n+\n"},
        {"kif", KIF_HEAD "   1 ７六歩(77)\n"},
        {"kif", "#KIF version=2.0 encoding=UTF-8\n" KIF_HEAD "   1 ７六歩(77)\n"},
        {"kif",
         "#KIF version=2.0 encoding=Shift_JIS\n"
         "\x8E\xE8\x8D\x87\x8A\x84\x81\x46\x95\xBD\x8E\xE8\n"
         "\x8E\xE8\x90\x94----\x8E\x77\x8E\xE8---------\x8F\xC1\x94\xEF\x8E\x9E\x8A\xD4--\n"},
        {"ki2", "\x8E\xE8\x8D\x87\x8A\x84\x81\x46\x95\xBD\x8E\xE8\r\n"},
    };
    for (size_t i = 0; i < COUNTOF(rows); i++) {
        check_rewrite(rows[i][0], rows[i][1], NULL, KMD_WINNER_NONE);
    }
}

/* The marks of lishogi are written with those of Shift_JIS. */
static void test_marks(void) {
    Record record;
    KmdFault fault;
    KifuForm form = {.codec = NULL};
    StrBuf out = STRBUF_INIT;
    record_init(&record);
    CHECK(kifu_read(SV(KIF_HEAD "   1 ☗７六歩(77)\n*#読み筋=☗７六歩☖３四歩\n"), &form, &record,
                    &fault));
    form.encoding = TEXT_CP932;
    CHECK_INT((int64_t)kifu_write(&record, &form, &out), 0);
    CHECK(kifu_read(strbuf_view(&out), &form, &record, &fault));
    CHECK(sv_equal(record_text(&record, record.nodes[1].comment), SV("#読み筋=▲７六歩△３四歩")));
    record_free(&record);
    strbuf_free(&out);
}

/* Statements of CSA stay statements, also with values that other formats write in another way. */
static void test_csa_headers(void) {
    check_rewrite("csa",
                  "V2.2\nN+a\nN-b\n$EVENT:x\n$START_TIME:13:28:35\n$END_TIME:2023-01-05\n"
                  "$TIME_LIMIT:15min\nPI\n+\n+7776FU\nT1\n%TORYO\n",
                  "V2.2\nN+a\nN-b\n$EVENT:x\n$START_TIME:13:28:35\n$END_TIME:2023/01/05\n"
                  "'終了日時：2023-01-05\n$TIME_LIMIT:15min\nPI\n+\n+7776FU\nT1\n%TORYO\n",
                  KMD_WINNER_BLACK);
}

UNIT_MAIN({"marks of moves", test_marks}, {"encodings and line ends", test_forms},
          {"statements of CSA", test_csa_headers}, {"closing lines", test_closing_lines},
          {"winners", test_winners}, {"numbers of moves", test_numbers})
