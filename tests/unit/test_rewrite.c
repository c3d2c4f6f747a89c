/* Tests what becomes of a record that is written in its own format: which lines stay, and who wins
 * according to it. */
#include "record/codecs.h"
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
    StrView text = strbuf_view(&out), head = SV("#KIF version=2.0 encoding=UTF-8\n");
    CHECK_STR(text.ptr + (sv_starts_with(text, head) ? head.len : 0),
              wanted != NULL ? wanted : bytes);
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

UNIT_MAIN({"closing lines", test_closing_lines}, {"winners", test_winners},
          {"numbers of moves", test_numbers})
