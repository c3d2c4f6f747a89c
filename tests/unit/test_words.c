/* Tests names, numbers, handicaps and endings. */
#include "record/words.h"

#include "record/codec.h"
#include "record/csa.h"
#include "record/handicap.h"
#include "record/kif.h"
#include "record/kifuio.h"
#include "record/usirec.h"
#include "rules/sfen.h"
#include "unit.h"

static PieceType piece_of(const char *text) {
    StrView view = sv_from(text);
    PieceType type = word_take_piece(&view);
    return view.len == 0 ? type : NO_PIECE_TYPE;
}

static void test_pieces(void) {
    for (int type = PAWN; type < PIECE_TYPE_NB; type++) {
        CHECK_INT(piece_of(word_piece((PieceType)type)), type);
        CHECK_INT(piece_of(word_board_piece((PieceType)type)), type);
        CHECK_INT(csa_read_piece(sv_from(csa_piece((PieceType)type))), type);
    }
    CHECK_INT(piece_of("王"), KING);
    CHECK_INT(piece_of("竜"), DRAGON);
    CHECK_INT(piece_of("成"), NO_PIECE_TYPE);
    CHECK_INT(csa_read_piece(SV("fu")), NO_PIECE_TYPE);
    CHECK_INT(csa_read_piece(SV("")), NO_PIECE_TYPE);
}

static int count_of(const char *text) {
    StrView view = sv_from(text);
    int count = word_take_count(&view);
    return view.len == 0 ? count : -1;
}

static void test_counts(void) {
    StrBuf text = STRBUF_INIT;
    for (int count = 1; count < 100; count++) {
        strbuf_clear(&text);
        word_append_count(count, &text);
        CHECK_INT(count_of(text.ptr), count);
    }
    CHECK_INT(count_of("18"), 18);
    CHECK_INT(count_of("１０"), -1);
    CHECK_INT(count_of("10"), 10);
    CHECK_INT(count_of("一八"), 18);
    CHECK_INT(count_of(""), 0);
    CHECK(sv_equal(word_trim(SV(" 　平手　 ")), SV("平手")));
    strbuf_free(&text);
}

static void check_handicap(const char *name, const char *sfen) {
    const Handicap *handicap = handicap_by_name(sv_from(name));
    StrBuf text = STRBUF_INIT;
    if (CHECK(handicap != NULL)) {
        Setup setup = handicap_setup(handicap);
        sfen_write(&setup, &text);
        CHECK(sv_starts_with(strbuf_view(&text), sv_from(sfen)));
        CHECK_STR(handicap_by_setup(&setup)->board, handicap->board);
    }
    strbuf_free(&text);
}

/* The first ranks of handicaps must be as in the table that describes the formats. */
static void test_handicaps(void) {
    check_handicap("平手", SFEN_START);
    check_handicap("香落ち", "lnsgkgsn1/1r5b1/");
    check_handicap("右香落ち", "1nsgkgsnl/1r5b1/");
    check_handicap("角落ち", "lnsgkgsnl/1r7/");
    check_handicap("飛車落ち", "lnsgkgsnl/7b1/");
    check_handicap("飛香落ち", "lnsgkgsn1/7b1/");
    check_handicap("二枚落ち", "lnsgkgsnl/9/");
    check_handicap("三枚落ち", "lnsgkgsn1/9/");
    check_handicap("四枚落ち", "1nsgkgsn1/9/");
    check_handicap("五枚落ち", "2sgkgsn1/9/");
    check_handicap("左五枚落ち", "1nsgkgs2/9/");
    check_handicap("六枚落ち", "2sgkgs2/9/");
    check_handicap("左七枚落ち", "2sgkg3/9/");
    check_handicap("右七枚落ち", "3gkgs2/9/");
    check_handicap("八枚落ち", "3gkg3/9/");
    check_handicap("十枚落ち", "4k4/9/");
    check_handicap("2枚落ち", "lnsgkgsnl/9/");
    check_handicap("１０枚落", "4k4/9/");
    check_handicap("7枚落ち", "3gkgs2/9/");
    check_handicap("飛落ち", "lnsgkgsnl/7b1/");
    check_handicap("左香落ち", "lnsgkgsn1/1r5b1/");
    check_handicap("飛角落ち", "lnsgkgsnl/9/");
    CHECK(handicap_by_name(SV("1枚落ち")) == NULL);
    check_handicap("9枚落ち", "4kg3/9/");
    check_handicap("両桂落ち", "l1sgkgs1l/1r5b1/");
    check_handicap("トンボ", "4k4/1r5b1/");
    check_handicap("裸玉", "4k4/9/9/");
    check_handicap("歩三兵", "4k4/9/9/");
    CHECK(handicap_by_preset(SV("")) == NULL);
    CHECK(handicap_by_preset(SV("7_R")) == handicap_by_name(SV("右七枚落ち")));
}

static KmdEnding ending_of(const char *format, const char *text) {
    KifuForm form = {.codec = kifu_codec_by_name(sv_from(format))};
    Record record;
    KmdFault fault;
    record_init(&record);
    CHECK(kifu_read(sv_from(text), &form, &record, &fault));
    KmdEnding ending = record.nodes[record_main_end(&record)].ending;
    record_free(&record);
    return ending;
}

static void test_endings(void) {
    const EndingWord *usi = usirec_usi_codec.endings;
    CHECK_INT(ending_read(ending_japanese, SV("投了")), KMD_END_RESIGN);
    CHECK_INT(ending_read(ending_japanese, SV("持将棋")), KMD_END_IMPASSE);
    CHECK_INT(ending_read(ending_japanese, SV("詰")), KMD_END_MATE);
    CHECK_INT(ending_read(ending_japanese, SV("封じ手")), KMD_END_NONE);
    CHECK_INT(csa_read_ending(SV("HIKIWAKE"), BLACK), KMD_END_DRAW);
    CHECK_INT(csa_read_ending(SV(""), BLACK), KMD_END_NONE);
    CHECK_INT(ending_read(usi, SV("win")), KMD_END_DECLARATION);
    CHECK_INT(ending_read(usi, SV("rep_win")), KMD_END_ILLEGAL_WIN);
    CHECK_INT(ending_read(usi, SV("rep_lose")), KMD_END_ILLEGAL_LOSS);
    CHECK_INT(ending_of("usen", "~0.7ku.i"), KMD_END_ILLEGAL_LOSS);
    CHECK_INT(ending_of("jkf", "{\"moves\":[{},{\"special\":\"+ILLEGAL_ACTION\"}]}"),
              KMD_END_ILLEGAL_LOSS);
    CHECK_INT(kif_ending_of_closing(SV("まで80手で後手の勝ち"), BLACK), KMD_END_RESIGN);
    CHECK_INT(kif_ending_of_closing(SV("まで81手で下手の勝ち"), WHITE), KMD_END_RESIGN);
    CHECK_INT(kif_ending_of_closing(SV("まで80手で時間切れにより後手の勝ち"), BLACK),
              KMD_END_TIMEOUT);
    CHECK_INT(kif_ending_of_closing(SV("まで80手で先手の反則負け"), BLACK), KMD_END_ILLEGAL_LOSS);
    CHECK_INT(kif_ending_of_closing(SV("まで80手で後手の反則負け"), BLACK), KMD_END_ILLEGAL_WIN);
    CHECK_INT(kif_ending_of_closing(SV("まで80手で先手の反則勝ち"), BLACK), KMD_END_ILLEGAL_WIN);
    CHECK_INT(kif_ending_of_closing(SV("まで80手で先手の入玉勝ち"), BLACK), KMD_END_DECLARATION);
    CHECK_INT(kif_ending_of_closing(SV("まで7手で詰"), BLACK), KMD_END_MATE);
    CHECK_INT(kif_ending_of_closing(SV("まで80手で投了"), BLACK), KMD_END_RESIGN);
    CHECK_INT(kif_ending_of_closing(SV("まで80手にて先手投了"), BLACK), KMD_END_RESIGN);
    CHECK_INT(kif_ending_of_closing(SV("まで80手で後手の切れ勝ち"), BLACK), KMD_END_TIMEOUT);
    CHECK_INT(kif_ending_of_closing(SV("まで80手で後手勝"), BLACK), KMD_END_RESIGN);
    CHECK_INT(kif_ending_of_closing(SV("まで80手で反則勝ち"), BLACK), KMD_END_ILLEGAL_WIN);
    CHECK_INT(kif_ending_of_closing(SV("まで80手で反則負け"), BLACK), KMD_END_ILLEGAL_LOSS);
    CHECK_INT(kif_ending_of_closing(SV("まで7手で打ち歩詰め"), BLACK), KMD_END_ILLEGAL_WIN);
    CHECK_INT(kif_ending_of_closing(SV("まで7手で何か"), BLACK), KMD_END_NONE);
}

UNIT_MAIN({"pieces", test_pieces}, {"counts", test_counts}, {"handicaps", test_handicaps},
          {"endings", test_endings})
