/* Details of the formats that the files of tests/data/kifu do not cover. Each case has a text, the
 * same game as a USI line, and the facts to check. */
#include "record/kifuio.h"
#include "unit.h"

static bool read_text(const char *format, const char *text, Record *record) {
    KifuForm form = {.codec = kifu_codec_by_name(sv_from(format))};
    KmdFault error;
    record_init(record);
    bool is_good = kifu_read(sv_from(text), &form, record, &error);
    if (!CHECK(is_good)) {
        CHECK_STR(error.reason, text);
    }
    return is_good;
}

static void check_text(const Record *record, const char *format, const char *want) {
    KifuForm form = kifu_form(kifu_codec_by_name(sv_from(format)));
    StrBuf out = STRBUF_INIT;
    form.encoding = TEXT_UTF8;
    kifu_write(record, &form, &out);
    StrView head = SV("#KIF version=2.0 encoding=UTF-8\n"); /* for KIF in UTF-8 */
    bool has_head = sv_starts_with(strbuf_view(&out), head);
    CHECK_INT(has_head, sv_equal(sv_from(format), SV("kif")));
    CHECK_STR(out.ptr + (has_head ? head.len : 0), want);
    strbuf_free(&out);
}

/* Reads a text and compares its main line with a line of USI. */
static void check_usi(const char *format, const char *text, const char *usi) {
    Record record;
    if (read_text(format, text, &record)) {
        check_text(&record, "usi", usi);
    }
    record_free(&record);
}

/* In handicap games, KIF and JKF use other names for the players' headers. */
static void test_handicap_names(void) {
    Record record;
    if (read_text("kif", "手合割：香落ち\n先手：a\n上手：b\n", &record)) {
        check_text(&record, "jkf",
                   "{\"header\":{\"下手\":\"a\",\"上手\":\"b\"},"
                   "\"initial\":{\"preset\":\"KY\"},\"moves\":[{}]}\n");
        check_text(&record, "kif",
                   "下手：a\n上手：b\n手合割：香落ち\n手数----指手---------消費時間--\n");
    }
    record_free(&record);
}

static void test_kif(void) {
    Record record;
    if (read_text("kif",
                  "# remark\n手合割：平手　　\n先手: a\n*start\n"
                  "   1 ７六歩(77)   ( 1:06/00:01:06)+\n*one\n*two\n&mark\n"
                  " 2 3四歩(33) (12:34:56/12:34:56)\n3 ２二角成(88)\n4 同　銀(31)\n"
                  "5 ４五角打 \n   6 封じ手   ( 0:01/00:00:01)\n\n変化:3手\n3 ▲２六歩(27)\n",
                  &record)) {
        const RecordNode *first = &record.nodes[1], *last = &record.nodes[record_main_end(&record)];
        check_text(&record, "usi", "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e\n");
        CHECK_INT(first->time_ms, 66000);
        CHECK(sv_equal(record_text(&record, first->comment), SV("one\ntwo")));
        CHECK(sv_equal(record_text(&record, first->label), SV("mark")));
        CHECK_INT(record.nodes[2].time_ms, 45296000);
        CHECK_INT(last->ending, KMD_END_OTHER);
        CHECK(sv_equal(record_text(&record, last->label), SV("封じ手")));
        CHECK_INT(last->time_ms, 1000);
        CHECK_INT(record_variation_count(&record), 1);
        CHECK(sv_equal(record_header(&record, SV("先手")), SV("a")));
    }
    record_free(&record);
    /* The moves of a problem may start at any number; the closing line gives the ending. */
    check_usi(
        "kif", "31 ７六歩(77)\n32 ３四歩(33)\n変化：32手\n32 ８四歩(83)\n",
        "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 31 moves "
        "7g7f 3c3d\n");
    check_usi("kif", "2000000 ７六歩(77)\n", "position startpos moves 7g7f\n"); /* no SFEN has it */
    check_usi("kif", "手合割：三枚落ち\n1 ８四歩(83)\n",
              "position sfen lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves "
              "8c8d\n");
    check_usi("kif", "手合割：目隠し\r\n1 ７六歩(77)", "position startpos moves 7g7f\n");
    check_usi("kif", "手合割：飛香得\n1 ３四歩(33)\n2 ５五香打\n",
              "position sfen lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RL 1 moves "
              "3c3d L*5e\n");
    if (read_text("kif", "1 ７六歩(77)\nまで1手で先手の勝ち\n", &record)) {
        CHECK_INT(record.nodes[record_main_end(&record)].ending, KMD_END_RESIGN);
        check_text(&record, "kif",
                   "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 投了\n"
                   "まで1手で先手の勝ち\n");
    }
    record_free(&record);
}

/* An ending that has variations keeps its kind, even with the mark and without a time. */
static void test_kif_marks(void) {
    Record record;
    static const char *const kif = "手合割：平手\n手数----指手---------消費時間--\n"
                                   "   1 ７六歩(77)\n   2 投了         +\n"
                                   "まで1手で先手の勝ち\n\n変化：2手\n   2 ３四歩(33)\n";
    if (read_text("ki2", "▲７六歩\nまで1手で先手の勝ち\n\n変化：2手\n△３四歩\n", &record)) {
        check_text(&record, "kif", kif);
    }
    record_free(&record);
    if (read_text("kif", kif, &record)) {
        CHECK_INT(record.nodes[record_main_end(&record)].ending, KMD_END_RESIGN);
    }
    record_free(&record);
}

/* A variation starts after a move, not at an ending of the same depth. */
static void test_kif_variations(void) {
    check_usi("kif",
              "1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n4 ８四歩(83)\n"
              "変化：2手\n2 ８四歩(83)\n3 投了\n変化：4手\n4 ４四歩(43)\n",
              "position startpos moves 7g7f 3c3d 2g2f 8c8d\n");
}

/* Tests numbers in full-width digits, a head whose lines begin with digits, and the end of a game
 * that another game follows. */
static void test_kif_lines(void) {
    Record record;
    check_usi("kif",
              "手数----指手---------消費時間--\n１ ７六歩(77)   ( 0:00/00:00:00)\n"
              "　２　３四歩(33)\n３ ２二角(88)成 ( 0:00/00:00:00)\n",
              "position startpos moves 7g7f 3c3d 8h2b+\n");
    check_usi("kif", "９ ８六歩(87)\n",
              "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 9 moves "
              "8g8f\n");
    check_usi("kif",
              "2024年1月1日 第5局\n20240101123456 記録\n10分切れ負け\n手合割：平手\n"
              "1 ７六歩(77)\n2 ３四歩(33)\n",
              "position startpos moves 7g7f 3c3d\n");
    check_usi("kif", "手合割：二枚落\n1 ３四歩(33)\n",
              "position sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves "
              "3c3d\n");
    if (read_text("kif", "先手：a\n1 ７六歩(77)\n2 投了\n先手：b\n備考：c\n", &record)) {
        CHECK(sv_equal(record_header(&record, SV("先手")), SV("a")));
        CHECK(sv_equal(record_header(&record, SV("備考")), SV("c")));
    }
    record_free(&record);
    if (read_text("kif", "手数----指手--\n1 ７六歩(77)\n2 投了\n終了日時: 2026/01/02\n", &record)) {
        CHECK(sv_equal(record_header(&record, SV("終了日時")), SV("2026/01/02")));
    }
    record_free(&record);
}

/* A drop may state the origin 00. */
static void test_kif_drops(void) {
    check_usi("kif",
              "1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n4 同　銀(31)\n"
              "5 ５五角打(00) ( 0:05/00:00:05)\n6 ３三角打   ( 0:05/00:00:05)\n",
              "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e B*3c\n");
}

/* Times occur in several forms. Text that is not a time belongs to an ending's word, or is
 * ignored. */
static void test_kif_times(void) {
    static const int times[] = {7000, 8000, 9000, 10000, -1, -1, -1};
    Record record;
    if (read_text("kif",
                  "1 ７六歩(77) ( 0:07/)\n2 ３四歩(33) (00:08 / 00:00:08)\n"
                  "3 ２六歩(27)( 0:09/00:00:16)\n4 ８四歩(83)（0:10/00:00:18）\n"
                  "5 ２五歩(26) (10)\n6 ８五歩(84) (--:--/--:--:--)+\n7 封じ手(2日目)\n"
                  "変化：6手\n6 ３二金(41)\n7 封じ手(2日目) ( 0:11/00:00:27)+\n"
                  "変化：7手\n7 中断(2日目)\n",
                  &record)) {
        int node = record.nodes[KMD_ROOT].child, end = record_main_end(&record);
        for (size_t i = 0; i < COUNTOF(times); i++, node = record.nodes[node].child) {
            CHECK_INT(record.nodes[node].time_ms, times[i]);
        }
        CHECK(sv_equal(record_text(&record, record.nodes[end].label), SV("封じ手(2日目)")));
        int other = record_next(&record, end);
        other = record.nodes[other].child;
        CHECK(sv_equal(record_text(&record, record.nodes[other].label), SV("封じ手(2日目)")));
        CHECK_INT(record.nodes[other].time_ms, 11000);
        other = record.nodes[other].sibling;
        CHECK_INT(record.nodes[other].ending, KMD_END_INTERRUPT);
    }
    record_free(&record);
    check_usi("kif",
              "1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n4 同　銀(31)\n"
              "5 ５五角打(12:05/00:12:05)\n",
              "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e\n");
}

static void check_foul(const char *format, const char *text, const char *comment, int time_ms,
                       Color winner) {
    Record record;
    if (read_text(format, text, &record)) {
        int end = record_main_end(&record);
        CHECK_INT(record_main_length(&record), 2);
        CHECK(sv_equal(record_text(&record, record.nodes[end].comment), sv_from(comment)));
        CHECK_INT(record.nodes[end].time_ms, time_ms);
        CHECK_INT(record_winner(&record, end), winner);
    }
    record_free(&record);
}

/* An illegal move ends the game if the next statement says so. */
static void test_fouls(void) {
    check_foul("kif",
               "1 ７六歩(77)\n2 ３四歩(33)\n3 ５五歩打   ( 0:10/00:00:10)\n*二歩\n4 反則勝ち\n"
               "まで3手で後手の反則勝ち\n",
               "二歩", 10000, WHITE);
    check_foul("kif",
               "1 ７六歩(77)\n2 ３四歩(33)\n3 ８七歩(77) ( 0:10/00:00:10)\n"
               "まで3手で後手の反則勝ち\n\n変化：2手\n2 ８四歩(83)\n",
               "", 10000, WHITE);
    check_foul("ki2", "▲７六歩 △３四歩 ▲５五歩打\n*二歩\nまで3手で後手の反則勝ち\n", "二歩", -1,
               WHITE);
    check_foul("ki2", "▲７六歩△３四歩△８四歩 まで3手で先手の反則勝ち\n", "", -1, BLACK);
    check_foul("csa", "PI\n+\n+7776FU\n-3334FU\n+0055FU\nT10\n%+ILLEGAL_ACTION\n", "", 10000,
               WHITE);
    check_foul("csa", "PI\n+\n+7776FU\n-3334FU\n+0055FU,T10,%ILLEGAL_MOVE\n", "", 10000, WHITE);
    /* Two moves in a row by the same side are an error. */
    check_foul("csa", "PI\n+\n+7776FU\n-3334FU\n-8384FU\n'\nT10\n%-ILLEGAL_ACTION\n", "", 10000,
               BLACK);
    /* Shogi Playground writes the illegal move into the ending. */
    check_foul("usen", "~0.7ku2jm.i3kl", "", -1, WHITE);
    check_foul("usen", "~0.7ku.i2jm", "", -1, BLACK); /* a move that is legal after all */
    check_foul("usen", "~0.7ku2jm.i000", "", -1, WHITE);
}

static void test_ki2(void) {
    check_usi("ki2", "▲７六歩△３四歩▲２二角成 △同銀▲45角△５二金右\n",
              "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e 6a5b\n");
    check_usi("ki2", "☗７六歩 ☖３四歩 ☗２六歩 ▽４四歩",
              "position startpos moves 7g7f 3c3d 2g2f "
              "4c4d\n");
    check_usi("ki2", "▲７六歩(77) △３四歩(33)", "position startpos moves 7g7f 3c3d\n");
    Record record;
    if (read_text("ki2", "▲７六歩 △３四歩 まで2手で後手の勝ち\n", &record)) {
        CHECK_INT(record.nodes[record_main_end(&record)].ending, KMD_END_RESIGN);
    }
    record_free(&record);
    if (read_text("ki2", "▲７六歩 △３四歩\n変化：１手\n▲２六歩 △投了\n", &record)) {
        CHECK_INT(record_variation_count(&record), 1);
        CHECK_INT(record_main_length(&record), 2);
        CHECK_INT(record.nodes[record.node_count - 1].ending, KMD_END_RESIGN);
    }
    record_free(&record);
}

static void test_csa(void) {
    Record record;
    check_usi("csa", "V2.2\nN+a\n+\n+7776FU\n-3334FU\n", "position startpos moves 7g7f 3c3d\n");
    check_usi("csa", "+7776FU\n", "position startpos moves 7g7f\n");
    check_usi("csa", "'remark\nV2\nPI\n+\n+7776FU,T12\n-3334FU\nT1\n+8822UM\n",
              "position startpos moves 7g7f 3c3d 8h2b+\n");
    if (read_text("csa",
                  "V3.0\n$TIME:3600+60+0\n$MAX_MOVES:256\nPI82HI22KA\n-\n'*a\n'b\n-5142OU\n"
                  "T1.25\n%CHUDAN\n$END_TIME:x\n",
                  &record)) {
        CHECK(sv_equal(record_header(&record, SV("持ち時間")), SV("01:00+60")));
        CHECK(sv_equal(record_header(&record, SV("$MAX_MOVES")), SV("256")));
        CHECK(sv_equal(record_header(&record, SV("終了日時")), SV("x")));
        CHECK(sv_equal(record_text(&record, record.nodes[0].comment), SV("a")));
        CHECK_INT(record.nodes[1].time_ms, 1250);
        CHECK_INT(record.nodes[2].ending, KMD_END_INTERRUPT);
        check_text(&record, "csa3",
                   "'CSA encoding=UTF-8\nV3.0\n$TIME:3600+60+0\n$MAX_MOVES:256\n$END_TIME:x\n"
                   "PI82HI22KA\n-\n'*a\n'b\n-5142OU\nT1.25\n%CHUDAN\n");
        check_text(&record, "csa",
                   "V2.2\n$TIME_LIMIT:01:00+60\n$MAX_MOVES:256\n$END_TIME:x\n"
                   "PI82HI22KA\n-\n'*a\n'b\n-5142OU\nT1\n%CHUDAN\n");
    }
    record_free(&record);
}

/* "AL" puts all pieces that are not on the board, except kings, into a hand; the sign before an
 * illegal action says who made it. */
static void test_csa_details(void) {
    Record record;
    if (read_text("csa", "P-11OU\nP+59OU54KA00FU\nP-00AL\n-\n-0052HI\n%-ILLEGAL_ACTION\n",
                  &record)) {
        check_text(&record, "epd", "8k/4r4/9/4B4/9/9/9/9/4K4 b Prb4g4s4n4l17p 2\n");
        CHECK_INT(record.nodes[record_main_end(&record)].ending, KMD_END_ILLEGAL_WIN);
    }
    record_free(&record);
    if (read_text("csa", "PI\n+\n+7776FU\n%-ILLEGAL_ACTION\n", &record)) {
        CHECK_INT(record.nodes[record_main_end(&record)].ending, KMD_END_ILLEGAL_LOSS);
    }
    record_free(&record);
}

/* Tests commas between all kinds of statements, comments after statements, and the remarks of
 * version 3. */
static void test_csa_lines(void) {
    Record record;
    if (read_text("csa", "V2.2\nPI,+\n+7776FU,T1,'*a, b\n-3334FU,'dropped,T9\n", &record)) {
        check_text(&record, "csa", "V2.2\nPI\n+\n+7776FU\nT1\n'*a, b\n-3334FU\n'dropped,T9\n");
    }
    record_free(&record);
    if (read_text("csa", "V3.0\n$NOTE:a\\nb\\\\c\nPI\n+\n", &record)) {
        CHECK(sv_equal(record_header(&record, SV("備考")), SV("a\nb\\c")));
        check_text(&record, "csa3", "'CSA encoding=UTF-8\nV3.0\n$NOTE:a\\nb\\\\c\nPI\n+\n");
        check_text(&record, "csa", "V2.2\n'備考：a b\\c\nPI\n+\n");
    }
    record_free(&record);
}

/* Text after the moves belongs to the next game. Only the first game is read, with its headers. */
static void test_csa_joined(void) {
    Record record;
    static const char *const texts[] = {
        "V2.2\nN+a\nPI\n+\n+7776FU\n%TORYO\n$END_TIME:x\nV3.0\nN+b\nPI\n+\n+2726FU\n",
        "N+a\n$NOTE:c\nPI\n+\n+7776FU\n%TORYO\nN+b\n$NOTE:d\n$END_TIME:x\n"};
    for (size_t i = 0; i < COUNTOF(texts); i++) {
        if (read_text("csa", texts[i], &record)) {
            check_text(&record, "usi", "position startpos moves 7g7f\n");
            CHECK(sv_equal(record_header(&record, SV("先手")), SV("a")));
            CHECK(sv_equal(record_header(&record, SV("備考")), i == 0 ? SV("") : SV("c")));
            CHECK(sv_equal(record_header(&record, SV("終了日時")), SV("x")));
        }
        record_free(&record);
    }
}

/* An ending for which CSA has no word is written as a comment; an unknown word is kept. */
static void test_csa_endings(void) {
    Record record;
    if (read_text("csa", "PI\n+\n+7776FU\n%FOO_BAR\n", &record)) {
        check_text(&record, "csa", "V2.2\nPI\n+\n+7776FU\n%FOO_BAR\n");
    }
    record_free(&record);
    if (read_text("csa", "PI\n+\n+7776FU\n%手目３四歩(33)\n", &record)) {
        check_text(&record, "kif", /* in which the word would be a move */
                   "手合割：平手\n手数----指手---------消費時間--\n"
                   "   1 ７六歩(77)\n   2 中断\nまで1手で手目３四歩(33)\n");
    }
    record_free(&record);
    if (read_text("kif", "1 ７六歩(77)\n2 不戦勝\n", &record)) {
        check_text(&record, "csa", "V2.2\nPI\n+\n+7776FU\n%CHUDAN\n'*不戦勝\n");
    }
    record_free(&record);
    if (read_text("kif", "1 ７六歩(77)\n2 封じ手 ( 0:05/00:00:05)\n", &record)) {
        check_text(&record, "csa", "V2.2\nPI\n+\n+7776FU\n%CHUDAN\nT5\n'*封じ手\n");
    }
    record_free(&record);
    /* Perpetual check names its side. */
    if (read_text("csa", "+7776FU\n-3334FU\n'summary:oute_sennichite:a win:b lose\n", &record)) {
        record.nodes[record_main_end(&record)].remark.len = 0;
        check_text(&record, "csa", "V2.2\nPI\n+\n+7776FU\n-3334FU\n%-ILLEGAL_ACTION\n");
        check_text(&record, "ki2", "手合割：平手\n▲７六歩    △３四歩\nまで2手で先手の反則勝ち\n");
        record.nodes[record_main_end(&record)].ending = KMD_END_PERPETUAL_LOSS;
        check_text(&record, "ki2", "手合割：平手\n▲７六歩    △３四歩\nまで2手で先手の反則負け\n");
    }
    record_free(&record);
}

/* How programs write endings, and what may follow them. */
static void test_written_endings(void) {
    static const struct {
        const char *format;
        const char *text;
        KmdEnding ending; /* of the main line */
        Color winner;
        int moves, nodes;
    } cases[] = {
        /* shogi-server, which writes statements only for resignations and declarations */
        {"csa", "+7776FU\nT2\n'summary:time up:a win:b lose\n'$END_TIME:x\n", KMD_END_TIMEOUT,
         BLACK, 1, 3},
        {"csa", "+7776FU\n-3334FU\n'summary:illegal move:a win:b lose\n", KMD_END_ILLEGAL_WIN,
         BLACK, 2, 4},
        {"csa", "+7776FU\n'summary:uchifuzume:a win:b lose\n", KMD_END_ILLEGAL_LOSS, BLACK, 1, 3},
        {"csa", "+7776FU\n'summary:oute_sennichite:a lose:b win\n", KMD_END_PERPETUAL_WIN, WHITE, 1,
         3},
        {"csa", "+7776FU\n'summary:sennichite:a draw:b draw\n", KMD_END_SENNICHITE, COLOR_NB, 1, 3},
        {"csa", "+7776FU\n'summary:max_moves:a draw:b draw\n", KMD_END_MAX_MOVES, COLOR_NB, 1, 3},
        {"csa", "+7776FU\n%TORYO\n'summary:toryo:a win:b lose\n", KMD_END_RESIGN, BLACK, 1, 3},
        {"csa", "+7776FU\n%KACHI\nT5\n'summary:illegal kachi:a win:b lose\n", KMD_END_ILLEGAL_LOSS,
         BLACK, 1, 3},
        {"csa", "+7776FU\n%KACHI\n'summary:kachi:a lose:b win\n", KMD_END_DECLARATION, WHITE, 1, 3},
        {"csa", "+7776FU\n'summary:time up:a lose:b win\n", KMD_END_NONE, COLOR_NB, 1, 2},
        {"csa", "+7776FU\n'summary:of the opening\n", KMD_END_NONE, COLOR_NB, 1, 2},
        /* ShogiLib's pass, behind which nothing can be kept */
        {"kif",
         "1 ７六歩(77)\n2 ３四歩(33)\n変化：2手\n2 パス (0:00/0:00)\n3 ２六歩(27)\n*x\n\n"
         "変化：1手\n1 ２六歩(27)\n",
         KMD_END_NONE, COLOR_NB, 2, 5},
        {"ki2", "▲７六歩 △３四歩\n変化：2手\n△パス ▲２六歩\n△８四歩\n変化：1手\n▲２六歩\n",
         KMD_END_NONE, COLOR_NB, 2, 5},
        /* 81Dojo */
        {"kif", "1 ７六歩(77)\n2 27点宣言勝ち   ( 0:5/)\n変化：1手\n1 ２六歩(27)\n",
         KMD_END_DECLARATION, WHITE, 1, 4},
        {"kif", "1 ７六歩(77)\n2 反則手   ( 0:5/)\n", KMD_END_ILLEGAL_LOSS, BLACK, 1, 3},
        {"kif", "1 ７六歩(77)\n2  Time-up   ( 0:5/)\n", KMD_END_TIMEOUT, BLACK, 1, 3},
        {"kif", "1 ７六歩(77)\n2 トライ!   ( 0:5/)\n", KMD_END_TRY, BLACK, 1, 3},
        {"kif", "1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n4 同　銀(31)\n5 連続王手の千日手\n",
         KMD_END_PERPETUAL_LOSS, WHITE, 4, 6},
        {"kif", "1 ７六歩(77)\n2 ３四歩(33)\n3 ３三角成(88)\n4 連続王手の千日手\n",
         KMD_END_PERPETUAL_WIN, WHITE, 3, 5},
        /* MyShogi, without a word for an illegal move */
        {"kif", "1 ７六歩(77)\n2               ( 0:00/00:00:01)\nまで1手で後手の反則負け\n",
         KMD_END_ILLEGAL_LOSS, BLACK, 1, 3},
        {"kif", "1 ７六歩(77)\n2 最大手数超過  ( 0:00/00:00:01)\nまで1手で持将棋\n",
         KMD_END_MAX_MOVES, COLOR_NB, 1, 3},
        {"kif", "1 ７六歩(77)\n2 ３四歩(33)\n3 ３三角成(88)\n4 王手連続千日手\n",
         KMD_END_PERPETUAL_WIN, WHITE, 3, 5},
    };
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        Record record;
        if (read_text(cases[i].format, cases[i].text, &record)) {
            int end = record_main_end(&record);
            bool is_right = CHECK_INT(record.nodes[end].ending, cases[i].ending);
            is_right &= CHECK_INT(record_winner(&record, end), cases[i].winner);
            is_right &= CHECK_INT(record_main_length(&record), cases[i].moves);
            is_right &= CHECK_INT(record.node_count, cases[i].nodes);
            CHECK_STR(is_right ? "" : cases[i].text, "");
        }
        record_free(&record);
    }
    Record record;
    if (read_text("csa", "+7776FU\n'$END_TIME:x\n", &record)) {
        CHECK(sv_equal(record_header(&record, SV("終了日時")), SV("x")));
    }
    record_free(&record);
}

/* If no line of a diagram names the side to move, the mark of the last move does. It is also more
 * reliable than 下手番. */
static void test_last_move(void) {
    static const struct {
        const char *lines;
        const char *want;
    } cases[] = {
        {"手数＝58  ▲７六歩(77)  まで\n", "w - 59"},
        {"手数＝57  △３四歩  まで\n", "b - 58"},
        {"先手番\n手数＝58  ▲７六歩  まで\n", "b - 59"},
        {"手数＝58  ▲７六歩  まで\n先手番\n", "b - 59"},
        {"手数＝58  まで\n", "b - 59"},
        {"下手番\n手数＝58  ▲７六歩(77) まで\n", "w - 59"},
        {"手数＝58  ▲７六歩(77) まで\n下手番\n", "w - 59"},
        {"上手番\n手数＝58  まで\n", "w - 59"},
    };
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        StrBuf text = STRBUF_INIT, want = STRBUF_INIT;
        strbuf_add_str(&text, "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n");
        for (int rank = 2; rank < 9; rank++) {
            strbuf_add_str(&text, "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n");
        }
        strbuf_addf(&text, "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n%s", cases[i].lines);
        strbuf_addf(&want, "position sfen 4k4/9/9/9/9/9/9/9/4K4 %s\n", cases[i].want);
        check_usi("bod", text.ptr, want.ptr);
        check_usi("kif", text.ptr, want.ptr);
        strbuf_free(&text);
        strbuf_free(&want);
    }
}

/* Times with tenths of a second keep them where the format can hold them. */
static void test_tenths(void) {
    Record record;
    if (read_text("kif",
                  "手数----指手--\n1 ７六歩(77) ( 0:01.25/00:00:01)\n2 ３四歩(33) (0:03.5)\n"
                  "3 ２六歩(27) (1:00/)\n",
                  &record)) {
        check_text(
            &record, "csa3",
            "'CSA encoding=UTF-8\nV3.0\nPI\n+\n+7776FU\nT1.25\n-3334FU\nT3.5\n+2726FU\nT60\n");
    }
    record_free(&record);
}

/* The number of the first move survives every format that holds it, also from a position that is
 * not written as a diagram. A header 手数 that gives the length of the game is only a header. */
static void test_first_number(void) {
    static const char *const starts[] = {
        "position sfen lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 37",
        "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2",
        "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 101",
        "position sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 3"};
    static const char *const formats[] = {"kif", "ki2", "csa", "csa3", "jkf", "bod", "epd"};
    for (size_t i = 0; i < COUNTOF(starts) * COUNTOF(formats); i++) {
        const char *start = starts[i / COUNTOF(formats)], *format = formats[i % COUNTOF(formats)];
        Record record;
        StrBuf want = STRBUF_INIT, text = STRBUF_INIT;
        strbuf_addf(&want, "%s\n", start);
        KifuForm form = kifu_form(kifu_codec_by_name(sv_from(format)));
        form.encoding = TEXT_UTF8;
        if (read_text("usi", want.ptr, &record)) {
            kifu_write(&record, &form, &text);
            check_usi(format, text.ptr, want.ptr);
        }
        record_free(&record);
        strbuf_free(&text);
        strbuf_free(&want);
    }
    /* Below a diagram, the first move may say it. */
    static const char *const numbers[] = {"", "手数：120\n", "手数：36  まで\n", "手数：120手\n"};
    for (size_t i = 0; i < COUNTOF(numbers); i++) {
        StrBuf text = STRBUF_INIT;
        Record record;
        strbuf_addf(&text, "%s| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n", numbers[i]);
        for (int rank = 2; rank < 9; rank++) {
            strbuf_add_str(&text, "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n");
        }
        strbuf_add_str(&text, "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n先手番\n");
        strbuf_addf(&text, "手数----指手--\n  37 ５八玉(59)\n  38 ５二玉(51)\n");
        if (read_text("kif", text.ptr, &record)) {
            const char *want = "position sfen 4k4/9/9/9/9/9/9/9/4K4 b - 37 moves 5i5h 5a5b\n";
            CHECK_INT(record.note_count, 0);
            check_text(&record, "usi", want);
            KifuForm form = {.codec = kifu_codec_by_name(SV("kif"))};
            strbuf_clear(&text);
            kifu_write(&record, &form, &text);
            check_usi("kif", text.ptr, want); /* also beside the length of the game */
        }
        record_free(&record);
        strbuf_free(&text);
    }
    static const char *const others[] = {"手数：37", "手数：37手", "手数：37手まで"};
    for (size_t i = 0; i < COUNTOF(others); i++) {
        StrBuf text = STRBUF_INIT;
        strbuf_addf(&text, "%s\n手合割：平手\n手数----指手--\n   1 ７六歩(77)\n", others[i]);
        check_usi("kif", text.ptr, "position startpos moves 7g7f\n");
        strbuf_free(&text);
    }
}

/* A number that is not the next one gives a note, once for each gap. */
static void test_missing_numbers(void) {
    static const struct {
        const char *text;
        int notes;
    } cases[] = {
        {"1 ７六歩(77)\n2 ３四歩(33)\n5 ２六歩(27)\n6 ４四歩(43)\n7 投了\n", 1},
        {"1 ７六歩(77)\n2 ３四歩(33)\n5 ２六歩(27)\n6 ４四歩(43)\n9 投了\n", 2},
        {"1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n変化：2手\n2 ８四歩(83)\n3 ２六歩(27)\n", 0},
        {"1 ７六歩(77)\n2 ３四歩(33)\n変化：2手\n2 ８四歩(83)\n4 ２六歩(27)\n", 1},
        {"31 ７六歩(77)\n32 ３四歩(33)\n", 0},
        /* a time below an illegal move, which has a note itself */
        {"1 ７六歩(77)\n2 ５五歩打\n3 反則勝ち ( 0:00/00:00:00)\n", 1},
        {"1 ７六歩(77)\n2 ５五歩打\n3 反則勝ち ( 0:01/00:00:01)\n", 2},
    };
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        Record record;
        if (read_text("kif", cases[i].text, &record) &&
            !CHECK_INT(record.note_count, cases[i].notes)) {
            CHECK_STR("notes", cases[i].text);
        }
        record_free(&record);
    }
}

static void check_rejected(const char *format, const char *text) {
    KifuForm form = {.codec = kifu_codec_by_name(sv_from(format))};
    Record record;
    KmdFault error;
    record_init(&record);
    if (!CHECK(!kifu_read(sv_from(text), &form, &record, &error))) {
        CHECK_STR("read", text);
    }
    record_free(&record);
}

/* 同 in the first move means the square of the last move before the diagram. */
static void test_same_square(void) {
    static const struct {
        const char *last, *first, *moves; /* NULL: not a move */
    } cases[] = {
        {"手数＝4  △２四歩(23)  まで\n", "同　歩(25)", "2e2d"},
        {"手数＝4  △２四歩打  まで\n", "仝歩", "2e2d"},
        {"手数＝４ △24歩 まで\n", "同歩", "2e2d"},
        {"先手番\n手数＝4  まで\n", "同　歩(25)", NULL},
        {"手数＝4  △同　歩(23)  まで\n", "同　歩(25)", NULL},
        {"手数＝4  △３四歩(33)  まで\n", "同　歩(25)", NULL},
        {"", "同　歩(25)", NULL},
    };
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        StrBuf text = STRBUF_INIT, kif = STRBUF_INIT, ki2 = STRBUF_INIT, want = STRBUF_INIT;
        strbuf_addf(&text,
                    "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n"
                    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・v歩 ・|四\n"
                    "| ・ ・ ・ ・ ・ ・ ・ 歩 ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n"
                    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n"
                    "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n%s",
                    cases[i].last);
        strbuf_addf(&kif, "%s手数----指手--\n5 %s ( 0:01/00:00:01)\n6 ５二玉(51)\n", text.ptr,
                    cases[i].first);
        strbuf_addf(&ki2, "%s▲%s△５二玉\n", text.ptr, cases[i].first);
        if (cases[i].moves != NULL) {
            strbuf_addf(&want, "position sfen 4k4/9/9/7p1/7P1/9/9/9/4K4 b - 5 moves %s 5a5b\n",
                        cases[i].moves);
            check_usi("kif", kif.ptr, want.ptr);
            check_usi("ki2", ki2.ptr, want.ptr);
        } else {
            check_rejected("kif", kif.ptr);
            check_rejected("ki2", ki2.ptr);
        }
        strbuf_free(&text);
        strbuf_free(&kif);
        strbuf_free(&ki2);
        strbuf_free(&want);
    }
}

static void test_jkf(void) {
    Record record;
    if (read_text("jkf",
                  "{\"moves\":[{},{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6}},"
                  "\"forks\":[[{\"move\":{\"from\":{\"x\":2,\"y\":7},\"to\":{\"x\":2,\"y\":6}}}]]},"
                  "{\"special\":\"CHUDAN\",\"comments\":[\"a\",\"b\"]}],\"header\":{\"k\":\"v\"}}",
                  &record)) {
        CHECK_INT(record_main_length(&record), 1);
        CHECK_INT(record_variation_count(&record), 1);
        const RecordNode *end = &record.nodes[record_main_end(&record)];
        CHECK_INT(end->ending, KMD_END_INTERRUPT);
        CHECK(sv_equal(record_text(&record, end->comment), SV("a\nb")));
        CHECK(sv_equal(record_header(&record, SV("k")), SV("v")));
        check_text(&record, "jkf",
                   "{\"header\":{\"k\":\"v\"},\"initial\":{\"preset\":\"HIRATE\"},\"moves\":[{},"
                   "{\"move\":{\"color\":0,\"piece\":\"FU\",\"to\":{\"x\":7,\"y\":6},\"from\":{"
                   "\"x\":7,\"y\":7}},\"forks\":[[{\"move\":{\"color\":0,\"piece\":\"FU\",\"to\":{"
                   "\"x\":2,\"y\":6},\"from\":{\"x\":2,\"y\":7}}}]]},"
                   "{\"special\":\"CHUDAN\",\"comments\":[\"a\",\"b\"]}]}\n");
    }
    record_free(&record);
    check_rejected("jkf", "{\"moves\":[],\"initial\":{\"preset\":\"2\"}}");
}

/* A key with the value null is ignored, and seconds may have a fraction. */
static void test_jkf_nulls(void) {
    Record record;
    if (read_text("jkf",
                  "{\"header\":null,\"initial\":null,\"moves\":[{\"comments\":null},"
                  "{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},"
                  "\"promote\":null},"
                  "\"time\":{\"now\":{\"h\":null,\"m\":1,\"s\":1.5},\"total\":null},"
                  "\"forks\":null},"
                  "{\"move\":{\"from\":{\"x\":3,\"y\":3},\"to\":{\"x\":3,\"y\":4}},\"time\":null},"
                  "{\"move\":{\"from\":{\"x\":8,\"y\":8},\"to\":{\"x\":2,\"y\":2},"
                  "\"promote\":true}},"
                  "{\"move\":{\"from\":{\"x\":3,\"y\":1},\"to\":null,\"same\":true}},"
                  "{\"move\":{\"from\":null,\"to\":{\"x\":4,\"y\":5},\"piece\":\"KA\"}},"
                  "{\"special\":null}]}",
                  &record)) {
        check_text(&record, "usi", "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e\n");
        CHECK_INT(record.nodes[1].time_ms, 61500);
        CHECK_INT(record.nodes[2].time_ms, -1);
    }
    record_free(&record);
    check_usi("jkf",
              "{\"initial\":{\"preset\":null,\"data\":{\"color\":null,\"board\":"
              "[[{},{},{},{},{},{},{},{},{\"kind\":\"OU\"}]],"
              "\"hands\":[{\"FU\":null,\"KI\":1},{}]}}}",
              "position sfen 9/9/9/9/9/9/9/9/8K b G 1\n");
}

static void test_lines(void) {
    Record record;
    check_usi("usi", "startpos moves 7g7f 3c3d resign\n", "position startpos moves 7g7f 3c3d\n");
    check_usi("usi", "7g7f 3c3d", "position startpos moves 7g7f 3c3d\n");
    check_usi("usi", "4k4/9/9/9/9/9/9/9/4K4_b_G2p_7 moves G*5b",
              "position sfen 4k4/9/9/9/9/9/9/9/4K4 b G2p 7 moves G*5b\n");
    check_usi("usi", "moves 7g7f", "position startpos moves 7g7f\n");
    check_usi("sfen", "4k4/9/9/9/9/9/9/9/4K4 w G2p 7",
              "position sfen 4k4/9/9/9/9/9/9/9/4K4 w G2p 7\n");
    check_usi("usi", "sfen 4k4/9/9/9/9/9/9/9/4K4 b G moves G*5b",
              "position sfen 4k4/9/9/9/9/9/9/9/4K4 b G 1 moves G*5b\n");
    if (read_text("epd", "4k4/9/9/9/9/9/9/9/4K4 b G bm G*5c; id \"a;b\"; acd 3;", &record)) {
        CHECK(sv_equal(record_header(&record, SV("bm")), SV("G*5c")));
        CHECK(sv_equal(record_header(&record, SV("id")), SV("a;b")));
        check_text(&record, "epd", "4k4/9/9/9/9/9/9/9/4K4 b G 1 bm G*5c; id \"a;b\"; acd 3;\n");
    }
    record_free(&record);
    if (read_text("usi", "startpos moves 7g7f", &record)) {
        check_text(&record, "sfen", "position startpos moves 7g7f\n");
        check_text(&record, "epd",
                   "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n");
    }
    record_free(&record);
    if (read_text("usi", "sfen 4k4/9/9/9/9/9/9/9/4K4 b G", &record)) {
        check_text(&record, "sfen", "4k4/9/9/9/9/9/9/9/4K4 b G 1\n");
    }
    record_free(&record);
    check_usi("usi", "# a\n\nstartpos moves 7g7f\n# b\n", "position startpos moves 7g7f\n");
    check_usi("usen", "# a\n~0.7ku2jm.r\n#b", "position startpos moves 7g7f 3c3d\n");
    check_usi("usen", "~0.7ku2jm.r", "position startpos moves 7g7f 3c3d\n");
}

/* Reads a text, writes it in another format, and reads that back to a line of USI. */
static void check_through(const char *from, const char *text, const char *through,
                          const char *usi) {
    Record record;
    if (read_text(from, text, &record)) {
        StrBuf out = STRBUF_INIT;
        KifuForm form = kifu_form(kifu_codec_by_name(sv_from(through)));
        form.encoding = TEXT_UTF8;
        kifu_write(&record, &form, &out);
        check_usi(through, out.ptr, usi);
        strbuf_free(&out);
    }
    record_free(&record);
}

/* The longest time is the same in every format, to the second; a longer time becomes unknown. */
static void test_long_times(void) {
    static const char *const formats[] = {"kif", "csa", "csa3", "jkf"};
    /* The last time is five seconds more than 60 times 2^32; the one before it is a multiple of
     * 2^64. */
    static const char *const times[] = {
        "99999:59", "100000:00", "0:05100:00:05",
        "1:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:5"};
    StrBuf text = STRBUF_INIT, out = STRBUF_INIT;
    Record record;
    for (size_t t = 0; t < COUNTOF(times); t++) {
        strbuf_clear(&text);
        strbuf_addf(&text, "1 ７六歩(77) (%s/)\n2 ３四歩(33)\n", times[t]);
        for (size_t f = 0; f < COUNTOF(formats); f++) {
            if (read_text("kif", text.ptr, &record)) {
                KifuForm form = kifu_form(kifu_codec_by_name(sv_from(formats[f])));
                strbuf_clear(&out);
                kifu_write(&record, &form, &out);
            }
            record_free(&record);
            if (read_text(formats[f], out.ptr, &record)) {
                CHECK_INT(record.nodes[1].time_ms, t == 0 ? 5999999000 : -1);
                CHECK_INT(record_main_length(&record), 2);
            }
            record_free(&record);
        }
    }
    strbuf_free(&text);
    strbuf_free(&out);
}

/* Blank lines in a comment and at its end are kept in formats whose comments consist of lines. */
static void test_blank_comments(void) {
    static const char *const formats[] = {"kif", "ki2", "csa", "csa3", "jkf"};
    Record record, back;
    StrBuf out = STRBUF_INIT;
    if (read_text("kif", "1 ７六歩(77)\n*a\n*\n*b\n*\n*\n", &record)) {
        for (size_t f = 0; f < COUNTOF(formats); f++) {
            KifuForm form = kifu_form(kifu_codec_by_name(sv_from(formats[f])));
            form.encoding = TEXT_UTF8;
            strbuf_clear(&out);
            kifu_write(&record, &form, &out);
            if (read_text(formats[f], out.ptr, &back)) {
                CHECK(sv_equal(record_text(&back, back.nodes[1].comment), SV("a\n\nb\n\n")));
            }
            record_free(&back);
        }
    }
    record_free(&record);
    strbuf_free(&out);
}

/* Checks that unusual input is read to its end and gives a note. */
static void check_note(const char *format, const char *text, const char *note, int moves) {
    Record record;
    KifuForm form = {.codec = kifu_codec_by_name(sv_from(format))};
    KmdFault fault;
    record_init(&record);
    CHECK(kifu_read(sv_from(text), &form, &record, &fault));
    CHECK_STR(fault.reason, note);
    CHECK_INT(record_main_length(&record), moves);
    record_free(&record);
}

static void test_notes(void) {
    check_note("kif", "手合割：目隠し\n1 ７六歩(77)",
               "an unknown handicap without a diagram is read as an even game", 1);
    check_note("csa", "PI\n+\n+7776FU\n%KACHI\n%KACHI\n", "the ending is given twice", 1);
    check_note("csa",
               "P1 *  *  *  * -OU *  *  *  * \nP2 *  *  *  *  *  *  *  *  * \nP+59OU58FU54FU\n+\n"
               "+5453FU\n-5141OU\n",
               "two pawns of one side on a file (nifu)", 2);
    check_note("usi", "position sfen P3k4/9/9/9/9/9/9/9/4K4 b - 1 moves 5i5h 5a5b",
               "a piece that can never move", 2);
    check_note("usen", "P3k4_9_9_9_9_9_9_9_4K4.b.-~0..r", "a piece that can never move", 0);
    Record record;
    KifuForm form = {.codec = NULL};
    KmdFault fault;
    record_init(&record);
    CHECK(!kifu_read(SV("position sfen 4k4/4P4/9/9/9/9/4P4/9/4K4 b - 1 moves 5g5f"), &form, &record,
                     &fault));
    CHECK_STR(fault.reason, "two pawns of one side on a file (nifu)");
    CHECK(!kifu_read(SV("PI\n+\n+7776FU\n%KACHI\n%TORYO\n"), &form, &record, &fault));
    record_free(&record);
}

/* Tests words and keys that are valid in one format but would be read as something else in another
 * format. */
static void test_strange_words(void) {
    static const char *const endings[] = {"% ７六歩", "%", "%(", "%.３四歩", "%　▲", "%+ +"};
    static const char *const keys[] = {"1 ９六歩(97)", " 12", "▲３四歩", "まで1手で中断",
                                       "変化：1手",    "|",   "先手番",  "先手の持駒",
                                       "#x",           "*x",  "&x",      "手数----指手"};
    static const char *const formats[] = {"kif", "ki2"};
    StrBuf text = STRBUF_INIT;
    for (size_t f = 0; f < COUNTOF(formats); f++) {
        for (size_t i = 0; i < COUNTOF(endings); i++) {
            strbuf_clear(&text);
            strbuf_addf(&text, "PI\n+\n+7776FU\n%s\n", endings[i]);
            check_through("csa", text.ptr, formats[f], "position startpos moves 7g7f\n");
        }
        for (size_t i = 0; i < COUNTOF(keys); i++) {
            strbuf_clear(&text);
            strbuf_addf(&text,
                        "{\"header\":{\"%s\":\"x\"},\"moves\":[{},{\"move\":{\"from\":{"
                        "\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6}}}]}",
                        keys[i]);
            check_through("jkf", text.ptr, formats[f], "position startpos moves 7g7f\n");
        }
    }
    strbuf_free(&text);
    check_through("jkf",
                  "{\"moves\":[{},{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6}},"
                  "\"forks\":[[{\"special\":\"\\u001a\"}]]}]}",
                  "kif", "position startpos moves 7g7f\n");
    check_through("kif", "1 ７六歩(77)\n2 \r３四歩(33)\n", "kif",
                  "position startpos moves 7g7f 3c3d\n");
}

UNIT_MAIN({"notes on what is unusual", test_notes}, {"KIF", test_kif},
          {"KIF: endings with a mark", test_kif_marks},
          {"KIF: variations behind an ending", test_kif_variations},
          {"KIF: numbers and heads", test_kif_lines}, {"KIF: drops", test_kif_drops},
          {"KIF: times", test_kif_times}, {"names in handicap games", test_handicap_names},
          {"fouls", test_fouls}, {"KI2", test_ki2}, {"CSA", test_csa},
          {"CSA in detail", test_csa_details}, {"CSA: commas and notes", test_csa_lines},
          {"CSA: joined files", test_csa_joined}, {"CSA: endings", test_csa_endings},
          {"endings as programs write them", test_written_endings},
          {"last moves of diagrams", test_last_move}, {"numbers of first moves", test_first_number},
          {"missing numbers", test_missing_numbers}, {"tenths of seconds", test_tenths},
          {"the same square as before the diagram", test_same_square}, {"JKF", test_jkf},
          {"JKF: nulls", test_jkf_nulls}, {"USI, EPD, USEN", test_lines},
          {"long times", test_long_times}, {"blank lines in comments", test_blank_comments},
          {"strange words", test_strange_words})
