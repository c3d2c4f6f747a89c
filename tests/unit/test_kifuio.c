/* Tests the detection of formats and encodings, and files with many games. */
#include "record/kifuio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

static void check_detect(const char *text, const char *name) {
    const Codec *codec = kifu_detect(sv_from(text));
    CHECK_STR(codec != NULL ? codec->format.name : "none", name);
}

static void test_detect(void) {
    check_detect("", "none");
    check_detect("hello", "none");
    check_detect("Text\n\n| a | b |\n|---|---|\n| one | two |\n",
                 "kif"); /* read as a damaged KIF */
    check_detect("position startpos moves 7g7f", "usi");
    check_detect("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "usi");
    check_detect("4k4/9/9/9/9/9/9/9/4K4 b - 1 bm 5i5h;", "epd");
    check_detect("7g7f 3c3d", "usi");
    check_detect("~0.7ku.r", "usen");
    check_detect("lnsgkgsn1_1r5b1_ppppppppp_9_9_9_PPPPPPPPP_1B5R1_LNSGKGSNL.w.-~0.g9m.r", "usen");
    check_detect("棋戦：第1局~2局\n手合割：平手\n   1 ７六歩(77)\n", "kif");
    check_detect(" {\"moves\":[]}", "jkf");
    check_detect("{\n  \"header\": {\"棋戦\": \"棋戦：第1局\"}\n}", "jkf");
    check_detect("[{\"header\":{},\"moves\":[{}]}]", "none");
    check_detect("[\n{\"header\":{},\"moves\":[{}]}\n]", "jkf");
    check_detect("[\"7g7f\", \"3c3d\"]", "none");
    check_detect("[1, 2]", "none");
    check_detect("[section]\nkey=value\n", "none");
    check_detect("V2.2\nPI\n+\n+7776FU\n", "csa");
    check_detect("PI\n+\n+7776FU\nT1\n%TORYO\n", "csa");
    check_detect("手合割：平手\n   1 ７六歩(77)\n", "kif");
    check_detect("先手：a\n後手：b\n▲７六歩 △３四歩\n", "ki2");
    check_detect("開始日時：2020/01/01\n手合割：平手\n先手：a\n後手：b\n\n▲７六歩\n", "ki2");
    check_detect("後手の持駒：なし\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n"
                 "|v玉 ・ ・ ・ ・ ・ ・ ・ ・|一\n"
                 "| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|三\n"
                 "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n"
                 "| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n"
                 "| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| 玉 ・ ・ ・ ・ ・ ・ ・ ・|九\n",
                 "bod");
    check_detect("1. ７六歩(77)\n2. ３四歩(33)\n", "kif");
    check_detect("# game 1: a - b, draw: repetition\nposition startpos moves 7g7f\n", "usi");
    CHECK(kifu_codec_by_path(SV("x/y.CSA")) == kifu_codec_by_name(SV("csa")));
    CHECK(kifu_codec_by_path(SV("x.kif/y")) == NULL);
    CHECK(kifu_path_extension(SV("x.kif\\y")).len == 0);
    CHECK(sv_equal(kifu_path_extension(SV("x.v2\\y.kif")), SV("kif")));
    CHECK(kifu_codec_by_path(SV("kif")) == NULL);
}

/* The output of each codec is detected as its own format, unless another codec uses the same
 * reader. */
static void test_detect_own(void) {
    KifuForm form = {.codec = kifu_codec_by_name(SV("usi"))};
    Record record;
    KmdFault error;
    record_init(&record);
    CHECK(kifu_read(SV("position startpos moves 7g7f 3c3d 8h2b+"), &form, &record, &error));
    for (int i = 0; kifu_codec(i) != NULL; i++) {
        const Codec *codec = kifu_codec(i);
        StrBuf text = STRBUF_INIT;
        codec->write(&record, &text);
        const Codec *found = kifu_detect(strbuf_view(&text));
        CHECK(found != NULL);
        if (found != NULL && found != codec) {
            CHECK(found->read == codec->read);
        }
        strbuf_free(&text);
    }
    record_free(&record);
}

/* Opens a file with this text and a name that ends in `name`. The file is deleted at once. */
static void open_text(KifuStream *stream, const char *text, const char *name) {
    char folder[] = "/tmp/komadori-kifuio-XXXXXX";
    StrBuf path = STRBUF_INIT;
    CHECK(mkdtemp(folder) != NULL);
    strbuf_addf(&path, "%s/%s", folder, name[0] != '\0' ? name : "game");
    CHECK_INT(file_write(path.ptr, text, strlen(text)), 0);
    CHECK_INT(kifu_stream_open(stream, path.ptr, NULL), 0);
    unlink(path.ptr);
    rmdir(folder);
    strbuf_free(&path);
}

typedef struct Want {
    KmdNext next;
    int moves, line;
} Want;

static void check_stream(const char *text, const char *path, const Want *wants) {
    KifuStream stream;
    Record record;
    KmdFault error;
    record_init(&record);
    open_text(&stream, text, path);
    for (int i = 0;; i++) {
        KmdNext next = kifu_stream_next(&stream, &record, &error);
        CHECK_INT(next, wants[i].next);
        if (next == KMD_NEXT_BROKEN && wants[i].next != KMD_NEXT_BROKEN) {
            CHECK_STR(error.reason, text);
        }
        if (next == KMD_NEXT_END || next == KMD_NEXT_FAILED || next != wants[i].next) {
            break;
        }
        CHECK_INT(record_main_length(&record), wants[i].moves);
        CHECK_INT(next == KMD_NEXT_BROKEN ? error.line : 0, wants[i].line);
    }
    kifu_stream_free(&stream);
    record_free(&record);
}

static void test_streams(void) {
    static const Want two[] = {{KMD_NEXT_GAME, 1, 0}, {KMD_NEXT_GAME, 2, 0}, {KMD_NEXT_END, 0, 0}};
    static const Want broken[] = {{KMD_NEXT_GAME, 1, 0},
                                  {KMD_NEXT_BROKEN, 1, 8},
                                  {KMD_NEXT_GAME, 0, 0},
                                  {KMD_NEXT_END, 0, 0}};
    static const Want one[] = {{KMD_NEXT_GAME, 2, 0}, {KMD_NEXT_END, 0, 0}};
    static const Want kept[] = {{KMD_NEXT_GAME, 0, 0}, {KMD_NEXT_END, 0, 0}};
    static const Want second[] = {{KMD_NEXT_BROKEN, 1, 3}, {KMD_NEXT_END, 0, 0}};
    static const Want stray[] = {{KMD_NEXT_BROKEN, 0, 2}, {KMD_NEXT_END, 0, 0}};
    static const Want unknown[] = {{KMD_NEXT_BROKEN, 0, 0}, {KMD_NEXT_END, 0, 0}};
    static const Want nothing[] = {{KMD_NEXT_END, 0, 0}};
    check_stream("/\nPI\n+\n+7776FU\n/\n/\r\nPI\n+\n+7776FU\n-3334FU\n/\n\n", "", two);
    check_stream("PI\n+\n+7776FU\n/\nPI\n+\n+7776FU\n+2726FU\n/\nPI\n+\n", "x.csa", broken);
    check_stream("startpos moves 7g7f\n\nstartpos moves 7g7f 3c3d", "", two);
    check_stream("~0.7ku.r\n~0.7ku2jm.r\n", "a.usen", two);
    check_stream("手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n", "", one);
    check_stream("# game 1: a - b\nposition startpos moves 7g7f\n# game 2: b - a\n"
                 "position startpos moves 7g7f 3c3d\n# the end\n",
                 "x.usi", two);
    check_stream("# two\n~0.7ku.r\n# more\n~0.7ku2jm.r\n", "", two);
    /* The contents count more than the name if no line is of the named format. */
    check_stream("/\nPI\n+\n+7776FU\n/\nPI\n+\n+7776FU\n-3334FU\n", "x.kif", two);
    check_stream("先手：a\n▲７六歩 △３四歩\n", "x.kif", one);
    check_stream("手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n", "x.ki2", one);
    check_stream("手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n", "x.usi", one);
    check_stream("startpos moves 7g7f\nstartpos moves 7g7f 3c3d\n", "x.kifu", two);
    check_stream(
        "{\"moves\":[{},{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},"
        "\"piece\":\"FU\"}},{\"move\":{\"from\":{\"x\":3,\"y\":3},\"to\":{\"x\":3,\"y\":4},"
        "\"piece\":\"FU\"}}]}",
        "x.csa", one);
    check_stream("1. ７六歩(77)\n2. ３四歩(33)\n", "x.kif", one);
    check_stream("an odd line\n先手：a\n手数----指手---------消費時間--\n", "x.kif", kept);
    check_stream("先手：a\nan odd line\n", "x.kif", stray);
    check_stream("先手：a\nan odd line\n", "x.ki2", stray);
    /* Files with the line ends of old Macintoshes, or with the padding that old systems put at the
     * end of a text, can be read. */
    check_stream("手合割：平手\r1 ７六歩(77)\r2 ３四歩(33)\r", "x.kif", one);
    check_stream("手合割：平手\r1 ７六歩(77)\r2 ７六歩(77)\r", "x.kif", second);
    check_stream("V2.2\rPI\r+\r+7776FU\r/\rPI\r+\r+7776FU\r-3334FU\r", "", two);
    check_stream("startpos moves 7g7f\rstartpos moves 7g7f 3c3d", "x.usi", two);
    check_stream("手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n\x1A", "x.kif", one);
    check_stream("startpos moves 7g7f\nstartpos moves 7g7f 3c3d\n\x1A\n", "x.usi", two);
    check_stream("PI\n+\n+7776FU\n/\nPI\n+\n+7776FU\n-3334FU\n/\n\x1A", "x.csa", two);
    /* CSA files that were joined without "/" can be read; comments alone are not a game. */
    check_stream("V2.2\nPI\n+\n+7776FU\n%TORYO\nV2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n", "", two);
    check_stream("'CSA encoding=UTF-8\nV3.0\nPI\n+\n+7776FU\n%TORYO\n"
                 "\xEF\xBB\xBF'CSA encoding=UTF-8\nV3.0\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n",
                 "x.csa", two);
    check_stream("V2\nPI\n+7776FU\nV2\nPI\n+\n+7776FU\n+2726FU\nV2\nPI\n+\n", "x.csa", broken);
    check_stream("'a\n/\nPI\n+\n+7776FU\n'b\n/\nPI\n+\n+7776FU\n-3334FU\n/\n'c\n", "x.csa", two);
    check_stream("\xEF\xBB\xBF\n", "x.csa", nothing);
    check_stream("hello\n", "", unknown);
    check_stream("\n\n", "x.csa", nothing);
    check_stream("", "", nothing);
}

/* A game in CSA has the version that it states, or else that of the game before it. */
static void test_versions(void) {
    static const char *const text =
        "PI\n+\n+7776FU\n/\nV3.0\nPI\n+\n+7776FU\n/\nPI\n+\n+7776FU\n/\n"
        "V2.2\nPI\n+\n+7776FU\n";
    static const char *const names[] = {"csa", "csa3", "csa3", "csa"};
    static const char *const paths[] = {"x.csa", ""};
    for (size_t i = 0; i < COUNTOF(paths); i++) {
        KifuStream stream;
        Record record;
        KmdFault error;
        record_init(&record);
        open_text(&stream, text, paths[i]);
        for (size_t k = 0; k < COUNTOF(names); k++) {
            CHECK_INT(kifu_stream_next(&stream, &record, &error), KMD_NEXT_GAME);
            CHECK_STR(stream.form.codec->format.name, names[k]);
        }
        kifu_stream_free(&stream);
        record_free(&record);
    }
    const Codec *csa3 = kifu_codec_by_name(SV("csa3")), *csa = kifu_codec_by_name(SV("csa"));
    CHECK(kifu_codec_for_path(SV("a.CSA"), csa3) == csa3);
    CHECK(kifu_codec_for_path(SV("a.csa"), csa) == csa);
    CHECK(kifu_codec_for_path(SV("a.csa3"), csa) == csa3);
    CHECK(kifu_codec_for_path(SV("a.csa"), kifu_codec_by_name(SV("kif"))) == csa);
    CHECK(kifu_codec_for_path(SV("csa"), csa3) == NULL);
}

/* The line ends are those of the first line. */
static void test_line_ends(void) {
    static const char *const texts[] = {"position startpos moves 7g7f\n7g7f\r\n",
                                        "position startpos moves 7g7f\r\n7g7f\n"};
    for (int i = 0; i < 2; i++) {
        KifuStream stream;
        Record record;
        KmdFault error;
        record_init(&record);
        open_text(&stream, texts[i], "");
        CHECK_INT(kifu_stream_next(&stream, &record, &error), KMD_NEXT_GAME);
        CHECK_INT(stream.form.has_crlf, i);
        kifu_stream_free(&stream);
        record_free(&record);
    }
}

/* The file has more games than are read ahead for detection, but the buffer stays as small as for
 * one game. */
static void test_long_stream(void) {
    StrBuf text = STRBUF_INIT;
    enum { GAMES = 500 };
    for (int i = 0; i < GAMES; i++) {
        strbuf_addf(&text, "V2.2\nN+player %d\nPI\n+\n+7776FU\n-3334FU\n%%TORYO\n/\n", i);
    }
    KifuStream stream;
    Record record;
    KmdFault error;
    int games = 0;
    record_init(&record);
    open_text(&stream, text.ptr, "");
    while (kifu_stream_next(&stream, &record, &error) == KMD_NEXT_GAME) {
        StrBuf name = STRBUF_INIT;
        strbuf_addf(&name, "player %d", games++);
        CHECK(sv_equal(record_player(&record, BLACK), strbuf_view(&name)));
        strbuf_free(&name);
    }
    CHECK_INT(games, GAMES);
    CHECK(stream.game.cap < 4096);
    kifu_stream_free(&stream);
    record_free(&record);
    strbuf_free(&text);
}

static void check_encoding(const char *bytes, TextEncoding encoding, const char *name) {
    Record record;
    KmdFault error;
    KifuForm form = {.codec = NULL};
    record_init(&record);
    CHECK(kifu_read(sv_from(bytes), &form, &record, &error));
    CHECK_INT(form.encoding, encoding);
    CHECK(sv_equal(record_player(&record, BLACK), sv_from(name)));
    record_free(&record);
}

static void test_encodings(void) {
    check_encoding("N+\x95\x5C\x83\x5C\nPI\n+\n", TEXT_CP932, "表ソ");
    check_encoding("N+\xC9\xBD\xA5\xBD\nPI\n+\n", TEXT_EUC_JP, "表ソ");
    check_encoding("\xEF\xBB\xBFN+表ソ\nPI\n+\n", TEXT_UTF8, "表ソ");
    /* One invalid byte does not change the encoding of the rest. */
    check_encoding("N+表ソ能十\nN-表ソ能十\xE8\xA1\nPI\n+\n", TEXT_UTF8, "表ソ能十");
    check_encoding("'CSA encoding=UTF-8\nN+表ソ\nN-表\xE8\xA1\nPI\n+\n", TEXT_UTF8, "表ソ");
    /* The encoding stated in the first line may be wrong. */
    check_encoding("'CSA encoding=UTF-8\nN+\x95\x5C\x83\x5C\nPI\n+\n", TEXT_CP932, "表ソ");
    check_encoding("'CSA encoding=SHIFT_JIS\nN+表ソ\nPI\n+\n", TEXT_UTF8, "表ソ");
    /* Pairs of half-width kana look like EUC-JP; the first line says otherwise. */
    check_encoding("'CSA encoding=SHIFT_JIS\nN+\xBA\xCF\nPI\n+\n", TEXT_CP932, "ｺﾏ");
    check_encoding("'CSA encoding=SHIFT_JIS\rN+\xBA\xCF\rPI\r+\r", TEXT_CP932, "ｺﾏ");
}

/* Invalid byte sequences are counted; zeros at the end are not. */
static void test_faulty_bytes(void) {
    Record record;
    KmdFault error;
    KifuForm form = {.codec = NULL};
    record_init(&record);
    CHECK(kifu_read(SV("N+表ソ能十\nN-表ソ能十\xE8\xA1\nPI\n+\n"), &form, &record, &error));
    CHECK_INT((int64_t)form.unreadable, 2);
    CHECK(kifu_read(SV("PI\n+\n+7776FU\n\0\0\0"), &form, &record, &error));
    CHECK_INT((int64_t)form.unreadable, 0);
    CHECK_INT(record_main_length(&record), 1);
    CHECK(!kifu_read(SV("PI\n+\n\0+7776FU\n"), &form, &record, &error));
    record_free(&record);
}

UNIT_MAIN({"detection", test_detect}, {"detection of what is written", test_detect_own},
          {"files of many games", test_streams}, {"versions", test_versions},
          {"line ends", test_line_ends}, {"a long file", test_long_stream},
          {"encodings", test_encodings}, {"faulty bytes", test_faulty_bytes})
