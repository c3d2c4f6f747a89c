/* Tests books and lists that are written to files and read back, and inputs that are rejected. */
#include "book/bookio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fileio.h"
#include "rules/usimove.h"
#include "unit.h"

static const atomic_bool cancel;
static StrBuf path, why;
static size_t written;

/* The name of a file for this process in the folder for temporary files. */
static const char *file_of(const char *extension) {
    strbuf_clear(&path);
    strbuf_addf(&path, "/tmp/komadori-bookio-%ld.%s", (long)getpid(), extension);
    return path.ptr;
}

static void add_moves(Book *book, const char *moves) {
    Tokenizer tok = {sv_from(moves)};
    StrView word;
    Position pos;
    Setup start = setup_start();
    pos_init(&pos);
    pos_set(&pos, &start);
    while (tok_next(&tok, &word)) {
        Setup setup = pos_get(&pos);
        BookMove *move = book_node_move(book_add(book, &setup), usimove_read(word));
        move->score = (int16_t)(10 * book->count);
        move->depth = 7;
        move->wins = 3;
        pos_do(&pos, usimove_read(word));
    }
    pos_free(&pos);
}

/* Four positions in two lines. */
static void fill(Book *book) {
    add_moves(book, "7g7f 3c3d 2g2f");
    add_moves(book, "2g2f 8c8d");
}

static void test_books(void) {
    static const char *const extensions[] = {"book", "db"};
    for (size_t i = 0; i < COUNTOF(extensions); i++) {
        Book book = {0}, back = {0};
        StrBuf counts = STRBUF_INIT;
        size_t missing = 1;
        fill(&book);
        CHECK(bookio_write(&book, file_of(extensions[i]), &written, &why));
        CHECK(bookio_is_book(path.ptr));
        CHECK(bookio_load(path.ptr, &cancel, &back, &missing, &why));
        CHECK_INT(missing, 0);
        CHECK(back.count == 4 && back.count == book.count);
        for (size_t k = 0; k < book.count; k++) {
            const BookNode *node = book_find(&back, book.nodes[k].key);
            CHECK(node != NULL && node->count == book.nodes[k].count);
            CHECK(node != NULL && node->moves[0].score == book.nodes[k].moves[0].score);
        }
        CHECK_INT(bookio_verify(path.ptr, &cancel, &back, &counts, &why), BOOK_WHOLE);
        CHECK((counts.len > 0) == (i == 1));
        CHECK_INT(why.len, 0);
        CHECK_INT(remove(path.ptr), 0);
        strbuf_free(&counts);
        book_free(&book);
        book_free(&back);
    }
}

/* Whatever its format, a book is not read to its end once the work is cancelled. */
static void test_cancelled(void) {
    static const unsigned char apery[16] = {[8] = 1};
    static const atomic_bool is_cancelled = true;
    static const char *const extensions[] = {"book", "db", "bin"};
    for (size_t i = 0; i < COUNTOF(extensions); i++) {
        Book book = {0}, back = {0};
        StrBuf counts = STRBUF_INIT;
        size_t missing = 1;
        fill(&book);
        CHECK(bookio_write(&book, file_of(extensions[i]), &written, &why));
        if (i == 2) {
            CHECK_INT(file_write(path.ptr, apery, sizeof(apery)), 0);
        }
        CHECK(!bookio_load(path.ptr, &is_cancelled, &back, &missing, &why));
        CHECK_STR(why.ptr, "stopped");
        CHECK_INT(missing, 0);
        CHECK_INT(back.count, 0);
        strbuf_clear(&why);
        CHECK_INT(bookio_verify(path.ptr, &is_cancelled, &book, &counts, &why), BOOK_DAMAGED);
        CHECK_STR(why.ptr, "stopped");
        CHECK_INT(counts.len, 0);
        strbuf_clear(&why);
        CHECK_INT(remove(path.ptr), 0);
        strbuf_free(&counts);
        book_free(&book);
        book_free(&back);
    }
}

static void test_damage(void) {
    Book book = {0};
    StrBuf bytes = STRBUF_INIT, counts = STRBUF_INIT;
    size_t missing;
    fill(&book);
    CHECK(bookio_write(&book, file_of("book"), &written, &why));
    CHECK_INT(file_read(path.ptr, &bytes), 0);
    bytes.ptr[bytes.len - 1] ^= 1;
    CHECK_INT(file_write(path.ptr, bytes.ptr, bytes.len), 0);
    CHECK(!bookio_load(path.ptr, &cancel, &book, &missing, &why));
    CHECK(why.len > 0);
    strbuf_clear(&why);
    CHECK_INT(bookio_verify(path.ptr, &cancel, &book, &counts, &why), BOOK_DAMAGED);
    CHECK(why.len > 0);
    strbuf_clear(&why);
    static const char wrong[] = "#YANEURAOU-DB2016 1.00\nsfen nonsense\n7g7f none 0 0 0\n";
    CHECK_INT(file_write(path.ptr, wrong, strlen(wrong)), 0);
    CHECK_INT(bookio_verify(path.ptr, &cancel, &book, &counts, &why), BOOK_DAMAGED);
    CHECK_STR(why.ptr, "has wrong positions or illegal moves");
    strbuf_clear(&why);
    CHECK_INT(remove(path.ptr), 0);
    CHECK(bookio_open(path.ptr, &cancel, &why) == NULL);
    CHECK(why.len > 0);
    strbuf_clear(&why);
    book_free(&book);
    strbuf_free(&bytes);
    strbuf_free(&counts);
}

static void test_lists(void) {
    Book book = {0}, back = {0};
    fill(&book);
    CHECK(bookio_write(&book, file_of("sfen"), &written, &why));
    CHECK(!bookio_is_book(path.ptr));
    CHECK(bookio_load_list(path.ptr, &back, &why));
    CHECK_INT(back.count, 4);
    for (size_t k = 0; k < book.count; k++) {
        CHECK(book_find(&back, book.nodes[k].key) != NULL);
    }
    static const char lines[] =
        "\xEF\xBB\xBFstartpos moves 7g7f\n\n# a comment\nposition startpos\n"
        "startpos moves 7g7e\n";
    CHECK_INT(file_write(path.ptr, lines, strlen(lines)), 0);
    book_free(&back);
    CHECK(!bookio_load_list(path.ptr, &back, &why));
    CHECK_STR(why.ptr, "line 5 is not a position");
    CHECK_INT(back.count, 2);
    strbuf_clear(&why);
    CHECK_INT(remove(path.ptr), 0);
    book_free(&book);
    book_free(&back);
}

static void test_words(void) {
    Book book = {0};
    StrBuf text = STRBUF_INIT;
    Position pos;
    Setup start = setup_start();
    fill(&book);
    CHECK(bookio_write(&book, file_of("book"), &written, &why));
    BookReader *reader = bookio_open(path.ptr, &cancel, &why);
    pos_init(&pos);
    pos_set(&pos, &start);
    bookio_describe(reader, &pos, &text);
    CHECK_STR(text.ptr, "    10  depth   7  games 3 (+3 =0 -0)  7g7f 3c3d 2g2f\n"
                        "    30  depth   7  games 3 (+3 =0 -0)  2g2f 8c8d\n");
    pos_do(&pos, usimove_read(SV("9g9f")));
    strbuf_clear(&text);
    bookio_describe(reader, &pos, &text);
    CHECK_STR(text.ptr, "not in the book\n");
    pos_free(&pos);
    bookread_close(reader);
    strbuf_clear(&text);
    bookio_summarize(path.ptr, &book, &text);
    StrView lines = strbuf_view(&text), first;
    CHECK(sv_next_line(&lines, &first) && sv_starts_with(first, strbuf_view(&path)));
    CHECK(sv_equal(lines, SV("positions 4, 1 of them starts, the last of ply 3\n"
                             "moves 5, 5 with a score, mean depth 7.0, games 15\n")));
    CHECK_INT(remove(path.ptr), 0);
    strbuf_free(&text);
    book_free(&book);
}

/* The tree follows each position only once: it has four moves, and one that leads to a known
 * position. A position to which the start position does not lead is left out. */
static void test_trees(void) {
    Book book = {0};
    StrBuf text = STRBUF_INIT;
    fill(&book);
    Setup elsewhere = setup_start();
    elsewhere.side = WHITE;
    (void)book_add(&book, &elsewhere);
    CHECK(bookio_write(&book, file_of("kifu"), &written, &why));
    CHECK_INT(written, 4);
    CHECK_INT(book.count, 5);
    CHECK_INT(file_read(path.ptr, &text), 0);
    CHECK(sv_find(strbuf_view(&text), SV("#評価値=")) < text.len);
    CHECK(sv_find(strbuf_view(&text), SV("games 3")) < text.len);
    CHECK(bookio_can_write("a.kif") && bookio_can_write("a.sfen") && bookio_can_write("a.book"));
    CHECK(!bookio_can_write("a.csa") && !bookio_can_write("a.usi") && !bookio_can_write("a.bod"));
    CHECK_INT(remove(path.ptr), 0);
    book_free(&book);
    strbuf_free(&text);
    strbuf_free(&path);
    strbuf_free(&why);
}

UNIT_MAIN({"books", test_books}, {"cancelled", test_cancelled}, {"damage", test_damage},
          {"lists", test_lists}, {"words", test_words}, {"trees", test_trees})
