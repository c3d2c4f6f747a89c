/* records.c: tests the public API for records as a user sees it. The file uses only include/ and
 * compiles as C and as C++. */
#include <stdio.h>
#include <string.h>

#include "komadori/kifu.h"

static int passed;
static int failed;

static void check(bool condition, const char *text, int line) {
    if (condition) {
        passed++;
    } else {
        failed++;
        printf("  tests/api/records.c:%d: does not hold: %s\n", line, text);
    }
}

#define CHECK(condition) check((condition), #condition, __LINE__)

static bool is_text(KmdText text, const char *want) {
    return text.len == strlen(want) && memcmp(text.ptr, want, text.len) == 0;
}

static void check_formats(void) {
    int count = 0;
    while (kmd_format(count) != NULL) {
        CHECK(kmd_format_by_name(kmd_format(count)->name) == kmd_format(count));
        count++;
    }
    CHECK(count == 10);
    CHECK(kmd_format_by_path("a.b/game.KIFU") == kmd_format_by_name("kif"));
    CHECK(kmd_format_by_path("kif") == NULL);
    CHECK(kmd_format_by_name("exe") == NULL);
    CHECK(kmd_form(kmd_format_by_name("kif")).encoding == KMD_SHIFT_JIS);
    CHECK(kmd_form_by_path(kmd_format_by_name("kif"), "a.kif").encoding == KMD_SHIFT_JIS);
    CHECK(kmd_form_by_path(kmd_format_by_name("kif"), "a.KIFU").encoding == KMD_UTF8);
    CHECK(kmd_form_by_path(kmd_format_by_name("kif"), "emu").encoding == KMD_SHIFT_JIS);
    KmdEncoding encoding = KMD_UTF8;
    CHECK(kmd_encoding_read("euc-jp", &encoding) && encoding == KMD_EUC_JP);
    CHECK(!kmd_encoding_read("ebcdic", &encoding));
    CHECK(kmd_text_columns("\xE6\xAD\xA9"
                           "a",
                           4) == 3);
}

/* Makes a game with a variation move by move. */
static void make_game(KmdRecord *record) {
    kmd_record_set_header(record, "\xE5\x85\x88\xE6\x89\x8B", "Robin");
    int first = kmd_record_add_move(record, KMD_ROOT, kmd_move_read("7g7f"));
    int second = kmd_record_add_move(record, first, kmd_move_read("3c3d"));
    int other = kmd_record_add_move(record, first, kmd_move_read("8c8d"));
    kmd_record_set_time(record, first, 1500);
    kmd_record_set_comment(record, other, "quieter");
    CHECK(kmd_record_add_move(record, second, kmd_move_read("7g7f")) == KMD_NODE_NONE);
    int third = kmd_record_add_move(record, second, kmd_move_read("8h2b+"));
    int end = kmd_record_add_ending(record, third, KMD_END_RESIGN);
    CHECK(kmd_record_add_move(record, end, kmd_move_read("3a2b")) == KMD_NODE_NONE);
}

static void check_game(const KmdRecord *record) {
    CHECK(kmd_main_length(record) == 3);
    CHECK(kmd_variation_count(record) == 1);
    CHECK(is_text(kmd_player(record, KMD_BLACK), "Robin"));
    CHECK(is_text(kmd_player(record, KMD_WHITE), ""));
    int header = 0;
    while (header < kmd_header_count(record) &&
           !is_text(kmd_header_key(record, header), "\xE5\x85\x88\xE6\x89\x8B")) {
        header++;
    }
    CHECK(header < kmd_header_count(record));
    CHECK(is_text(kmd_header_value(record, header), "Robin"));
    CHECK(is_text(kmd_header(record, "\xE5\x85\x88\xE6\x89\x8B"), "Robin"));
    CHECK(is_text(kmd_header(record, "none"), ""));
    CHECK(kmd_record_winner(record) == KMD_WINNER_BLACK);
    CHECK(strcmp(kmd_handicap(record), "\xE5\xB9\xB3\xE6\x89\x8B") == 0);
    int first = kmd_node_child(record, KMD_ROOT);
    int second = kmd_node_child(record, first);
    int other = kmd_node_sibling(record, second);
    CHECK(kmd_node_move(record, second) == kmd_move_read("3c3d"));
    CHECK(kmd_node_move(record, other) == kmd_move_read("8c8d"));
    CHECK(kmd_node_parent(record, other) == first);
    CHECK(kmd_node_depth(record, other) == 2);
    CHECK(is_text(kmd_node_comment(record, other), "quieter"));
    CHECK(kmd_node_ending(record, kmd_main_end(record)) == KMD_END_RESIGN);
    CHECK(kmd_node_depth(record, kmd_main_end(record)) == 3);
    KmdPosition *pos = kmd_position_new();
    kmd_record_position(record, kmd_main_end(record), pos);
    CHECK(kmd_moves_played(pos) == 3);
    CHECK(kmd_hand_count(pos, KMD_BLACK, KMD_BISHOP) == 1);
    kmd_position_free(pos);
}

static void check_records(void) {
    KmdRecord *record = kmd_record_new(), *back = kmd_record_new();
    KmdFault fault;
    make_game(record);
    check_game(record);
    KmdForm form = kmd_form(kmd_format_by_name("kif")), found = {NULL, KMD_UTF8, false, false};
    form.crlf = true;
    KmdBytes bytes = kmd_record_write(record, &form);
    CHECK(bytes.lacking == 0);
    CHECK(kmd_record_read(back, bytes.data, bytes.len, &found, &fault));
    CHECK(found.format == form.format && found.encoding == KMD_SHIFT_JIS && found.crlf);
    check_game(back);
    CHECK(kmd_node_time(back, kmd_node_child(back, KMD_ROOT)) == 1000);
    kmd_bytes_free(&bytes);

    found.format = kmd_format_by_name("csa");
    CHECK(!kmd_record_read(back, "PI\n+\n+7776FU\n+7675FU\n", 21, &found, &fault));
    CHECK(fault.line == 4 && fault.ply == 2 && strcmp(fault.near_text, "+7675FU") == 0);
    CHECK(kmd_main_length(back) == 1);
    const char *odd = "PI\n+\n+7776FU\nhello\nfoo\n-9999OU\n%ILLEGAL_MOVE\n";
    CHECK(kmd_record_read(back, odd, strlen(odd), &found, &fault) && fault.line == 4);
    CHECK(kmd_record_skipped(back) == 2);
    CHECK(kmd_stream_open("no/such/file.csa", NULL) == NULL);
    kmd_record_free(record);
    kmd_record_free(back);
    kmd_record_free(NULL);
    kmd_stream_close(NULL);
}

/* Checks that the word of an unknown ending, and a bookmark, survive being written to KIF and read
 * back. */
static void check_labels(void) {
    KmdRecord *record = kmd_record_new(), *back = kmd_record_new();
    KmdFault fault;
    int move = kmd_record_add_move(record, KMD_ROOT, kmd_move_read("7g7f"));
    int ending = kmd_record_add_ending(record, move, KMD_END_OTHER);
    kmd_record_set_label(record, move, "first\nmove");
    kmd_record_set_label(record, ending, "adjourned");
    CHECK(is_text(kmd_node_label(record, move), "first move"));
    kmd_record_set_comment(record, move, "of\r\nan edit box\r\n");
    CHECK(is_text(kmd_node_comment(record, move), "of\nan edit box\n"));
    KmdForm form = kmd_form(kmd_format_by_name("kif"));
    KmdBytes bytes = kmd_record_write(record, &form);
    CHECK(kmd_record_read(back, bytes.data, bytes.len, &form, &fault));
    CHECK(is_text(kmd_node_label(back, kmd_node_child(back, KMD_ROOT)), "first move"));
    CHECK(kmd_node_ending(back, kmd_main_end(back)) == KMD_END_OTHER);
    CHECK(is_text(kmd_node_label(back, kmd_main_end(back)), "adjourned"));
    kmd_bytes_free(&bytes);
    kmd_record_free(record);
    kmd_record_free(back);
}

/* Checks that setting a time at the start of a game has no effect, and that the record can still be
 * written and read. */
static void check_start_time(void) {
    KmdRecord *record = kmd_record_new(), *back = kmd_record_new();
    KmdFault fault;
    int move = kmd_record_add_move(record, KMD_ROOT, kmd_move_read("7g7f"));
    kmd_record_set_time(record, KMD_ROOT, 1000);
    kmd_record_set_time(record, move, 2000);
    CHECK(kmd_node_time(record, KMD_ROOT) == -1);
    KmdForm form = kmd_form(kmd_format_by_name("jkf"));
    KmdBytes bytes = kmd_record_write(record, &form);
    CHECK(kmd_record_read(back, bytes.data, bytes.len, &form, &fault));
    CHECK(kmd_node_time(back, kmd_node_child(back, KMD_ROOT)) == 2000);
    kmd_bytes_free(&bytes);
    kmd_record_free(record);
    kmd_record_free(back);
}

static void check_notations(void) {
    KmdPosition *pos = kmd_position_new();
    char text[KMD_NOTATION_SIZE];
    const char *reason = NULL;
    KmdMove move = kmd_move_read("7g7f");
    for (int notation = 0; notation < KMD_NOTATION_COUNT; notation++) {
        CHECK(strlen(kmd_notation_name(notation)) > 2);
        kmd_notation_write(pos, move, (KmdNotation)notation, text);
        CHECK(kmd_notation_read(pos, text, (KmdNotation)notation, NULL) == move);
        CHECK(kmd_notation_read(pos, "?", (KmdNotation)notation, &reason) == KMD_MOVE_NONE);
        CHECK(reason != NULL);
    }
    CHECK(strcmp(kmd_notation_write(pos, move, KMD_NOTATION_WESTERN, text), "P-7f") == 0);
    CHECK(kmd_notation_read(pos, " ☗7六歩 ", KMD_NOTATION_JAPANESE, NULL) == move);
    CHECK(kmd_notation_read(pos, "7g7f\n", KMD_NOTATION_USI, NULL) == move);
    CHECK(strcmp(kmd_notation_write(pos, KMD_MOVE_NONE, KMD_NOTATION_USI, text), "none") == 0);
    CHECK(kmd_notation_name(KMD_NOTATION_COUNT) == NULL);
    kmd_position_free(pos);
}

/* Checks that removing and reordering nodes does not change the numbers of the other nodes. */
static void check_tree(void) {
    KmdRecord *record = kmd_record_new();
    int first = kmd_record_add_move(record, KMD_ROOT, kmd_move_read("7g7f"));
    int reply = kmd_record_add_move(record, first, kmd_move_read("3c3d"));
    int second = kmd_record_add_move(record, KMD_ROOT, kmd_move_read("2g2f"));
    int third = kmd_record_add_move(record, KMD_ROOT, kmd_move_read("5g5f"));
    int answer = kmd_record_add_move(record, third, kmd_move_read("8c8d"));
    kmd_record_set_order(record, third, 0);
    CHECK(kmd_node_child(record, KMD_ROOT) == third && kmd_node_sibling(record, third) == first);
    CHECK(kmd_main_length(record) == 2 && kmd_main_end(record) == answer);
    kmd_record_set_order(record, third, 99);
    CHECK(kmd_node_child(record, KMD_ROOT) == first && kmd_node_sibling(record, second) == third);
    CHECK(kmd_node_sibling(record, third) == KMD_NODE_NONE && kmd_variation_count(record) == 2);
    kmd_record_remove(record, first);
    CHECK(kmd_node_child(record, KMD_ROOT) == second && kmd_variation_count(record) == 1);
    CHECK(kmd_node_parent(record, answer) == third &&
          kmd_node_parent(record, reply) == KMD_NODE_NONE);
    CHECK(kmd_record_add_move(record, reply, kmd_move_read("2g2f")) == KMD_NODE_NONE);
    CHECK(kmd_record_add_ending(record, reply, KMD_END_RESIGN) == KMD_NODE_NONE);
    kmd_record_remove(record, third);
    CHECK(kmd_variation_count(record) == 0 && kmd_main_end(record) == second);
    CHECK(kmd_record_add_move(record, KMD_ROOT, kmd_move_read("1g1f")) != KMD_NODE_NONE);
    CHECK(kmd_variation_count(record) == 1);
    kmd_record_remove(record, KMD_ROOT);
    CHECK(kmd_main_length(record) == 1);
    kmd_record_free(record);
}

static void check_diagrams(void) {
    KmdPosition *pos = kmd_position_new();
    KmdMove arrows[2] = {kmd_move_read("3c3d"), kmd_move_read("P*5e")};
    KmdDiagramLook look = {false, false, {"A<B", NULL}, NULL, arrows, 2};
    kmd_do(pos, kmd_move_read("7g7f"));
    KmdBytes text = kmd_diagram_text(pos), svg = kmd_diagram_svg(pos, &look);
    CHECK(strstr(text.data, "|v香v桂v銀v金v玉v金v銀v桂v香|一\n") != NULL);
    CHECK(strstr(svg.data, "後手番") != NULL && strstr(svg.data, "A&#60;B") != NULL);
    CHECK(strstr(svg.data, "marker-end") != NULL && strstr(svg.data, "r=\"20\"") == NULL);
    kmd_bytes_free(&text);
    kmd_bytes_free(&svg);
    svg = kmd_diagram_svg(pos, NULL);
    CHECK(strstr(svg.data, "marker-end") == NULL && strstr(svg.data, "</svg>") != NULL);
    kmd_bytes_free(&svg);
    kmd_position_free(pos);
}

int main(void) {
    check_tree();
    check_diagrams();
    check_formats();
    check_records();
    check_labels();
    check_start_time();
    check_notations();
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
