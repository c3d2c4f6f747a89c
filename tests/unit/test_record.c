/* The record tree, the order of its lines, and the cursor. */
#include "record/record.h"

#include "record/notation.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

static int add(Record *record, int parent, const char *move) {
    return record_add_move(record, parent, usimove_read(sv_from(move)));
}

/* Makes the tree 1 7g7f 2 3c3d 3 2g2f 4 resigns, with two variations at move 3, one at move 4 of
 * the first of them, and one at move 1. */
static void make_tree(Record *record, int node[9]) {
    node[0] = add(record, KMD_ROOT, "7g7f");
    node[1] = add(record, node[0], "3c3d");
    node[2] = add(record, node[1], "2g2f");
    node[3] = record_add_ending(record, node[2], KMD_END_RESIGN);
    node[4] = add(record, node[1], "6g6f");
    node[5] = add(record, node[4], "8c8d");
    node[6] = add(record, node[4], "5c5d");
    node[7] = add(record, node[1], "1g1f");
    node[8] = add(record, KMD_ROOT, "2g2f");
}

static void test_tree(void) {
    Record record;
    int node[9];
    record_init(&record);
    CHECK_INT(record_main_length(&record), 0);
    CHECK_INT(record_next(&record, KMD_ROOT), KMD_NODE_NONE);
    make_tree(&record, node);
    CHECK_INT(record_main_length(&record), 3);
    CHECK_INT(record_main_end(&record), node[3]);
    CHECK_INT(record_variation_count(&record), 4);
    CHECK(record_is_variation(&record, node[7]) && !record_is_variation(&record, node[5]));
    CHECK_INT(record.nodes[node[3]].depth, 4);
    CHECK_INT(record_side(&record, node[2]), WHITE);
    CHECK_INT(record_side(&record, node[3]), WHITE);
    CHECK_INT(record_winner(&record, node[3]), BLACK);
    /* The nodes follow in KIF's order. */
    int at = KMD_ROOT;
    for (int i = 0; i < 9; i++) {
        at = record_next(&record, at);
        CHECK_INT(at, node[i]);
    }
    CHECK_INT(record_next(&record, at), KMD_NODE_NONE);
    record_clear(&record);
    CHECK_INT(record.node_count, 1);
    CHECK_INT(record.nodes[KMD_ROOT].child, KMD_NODE_NONE);
    record_free(&record);
}

static void check_at(RecordCursor *cursor, int node, const char *sfen, int64_t black_ms) {
    StrBuf text = STRBUF_INIT;
    cursor_go(cursor, node);
    pos_get_sfen(&cursor->pos, &text);
    CHECK_STR(text.ptr, sfen);
    CHECK_INT(cursor->spent_ms[BLACK], black_ms);
    strbuf_free(&text);
}

static void test_cursor(void) {
    Record record;
    RecordCursor cursor;
    int node[9];
    record_init(&record);
    make_tree(&record, node);
    for (int i = 0; i < 9; i++) {
        record.nodes[node[i]].time_ms = 1000 << i;
    }
    cursor_init(&cursor, &record);
    CHECK_INT(notation_last_to(&cursor.pos), SQ_NONE);
    check_at(&cursor, node[3],
             "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL w - 4", 5000);
    check_at(&cursor, node[6],
             "lnsgkgsnl/1r5b1/pppp1p1pp/4p1p2/9/2PP5/PP2PPPPP/1B5R1/LNSGKGSNL b - 5", 17000);
    CHECK_INT(notation_last_to(&cursor.pos), SQ(5, 4));
    check_at(&cursor, node[8], "lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 2",
             256000);
    check_at(&cursor, KMD_ROOT, SFEN_START, 0);
    cursor_free(&cursor);
    record_free(&record);
}

static void test_texts(void) {
    Record record;
    record_init(&record);
    int first = add(&record, KMD_ROOT, "7g7f");
    record_add_comment(&record, first, SV("one"));
    record_add_comment(&record, KMD_ROOT, SV("start"));
    record_add_comment(&record, first, SV("two"));
    record_add_comment(&record, first, SV(""));
    CHECK(sv_equal(record_text(&record, record.nodes[first].comment), SV("one\ntwo\n")));
    CHECK(sv_equal(record_text(&record, record.nodes[KMD_ROOT].comment), SV("start")));
    record_set_header(&record, SV("棋戦"), SV("a"));
    record_set_header(&record, SV("下手"), SV("b"));
    record_set_header(&record, SV("棋戦"), SV("c"));
    CHECK_INT(record.header_count, 2);
    CHECK(sv_equal(record_header(&record, SV("棋戦")), SV("c")));
    CHECK(sv_equal(record_header(&record, SV("先手")), SV("b")));
    CHECK(sv_equal(record_player(&record, BLACK), SV("b")));
    CHECK_INT((int64_t)record_player(&record, WHITE).len, 0);
    record_free(&record);
}

/* If comments, remarks and a header are set alternately, the size of the text buffer stays
 * proportional to its contents. */
static void test_long_comments(void) {
    enum { LINES = 2000 };
    Record record;
    record_init(&record);
    int first = add(&record, KMD_ROOT, "7g7f");
    StrBuf want = STRBUF_INIT;
    for (int i = 0; i < LINES; i++) {
        StrBuf line = STRBUF_INIT;
        strbuf_addf(&line, "%d", i % 10);
        record_add_comment(&record, first, strbuf_view(&line));
        record_set_header(&record, SV("k"), strbuf_view(&line));
        record_add_comment(&record, KMD_ROOT, SV("x"));
        record_add_remark(&record, KMD_ROOT, SV("y"));
        record_add_remark(&record, KMD_NODE_NONE, SV("y"));
        strbuf_addf(&want, i > 0 ? "\n%d" : "%d", i % 10);
        strbuf_free(&line);
    }
    CHECK(sv_equal(record_text(&record, record.nodes[first].comment), strbuf_view(&want)));
    CHECK_INT(record.nodes[KMD_ROOT].comment.len, 2 * LINES - 1);
    CHECK_INT(record.nodes[KMD_ROOT].remark.len, 2 * LINES);
    CHECK(record.text.len < 30 * LINES);
    strbuf_free(&want);
    record_free(&record);
}

UNIT_MAIN({"tree", test_tree}, {"cursor", test_cursor}, {"texts", test_texts},
          {"long comments", test_long_comments})
