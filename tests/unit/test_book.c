/* Tests of src/book except values: formats, lookup, choice of moves. */
#include "book/book.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fileio.h"
#include "base/xmem.h"
#include "book/bookdb.h"
#include "book/bookfile.h"
#include "book/bookread.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

#define AFTER_76  "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"
#define TWO_PIECE "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"

static Setup setup_of(const char *sfen) {
    Setup setup = setup_start();
    CHECK(sfen_read(sv_from(sfen), &setup, NULL) == KMD_OK);
    return setup;
}

static Move move_of(const char *usi) {
    return usimove_read(sv_from(usi));
}

/* A book from random games: `games` games of `plies` moves from the start and from a handicap, with
 * a score for each move. */
static void make_book(Book *book, uint64_t seed, int games, int plies) {
    Rng rng = rng_init(seed);
    Position pos;
    Move list[MAX_MOVES];
    pos_init(&pos);
    for (int game = 0; game < games; game++) {
        Setup start = setup_of(game % 8 == 7 ? TWO_PIECE : SFEN_START);
        pos_set(&pos, &start);
        for (int ply = 0; ply < plies; ply++) {
            int count = gen_moves(&pos, GEN_LEGAL, list);
            if (count == 0) {
                break;
            }
            Move move = list[rng_below(&rng, (uint64_t)int_min(count, 4))];
            Setup setup = pos_get(&pos);
            BookMove *place = book_node_move(book_add(book, &setup), move);
            place->score = (int16_t)((int)rng_below(&rng, 400) - 200);
            place->depth = (uint8_t)rng_below(&rng, 30);
            place->others += (uint32_t)rng_below(&rng, 400);
            pos_do(&pos, move);
        }
    }
    pos_free(&pos);
}

/* Setups and moves have padding, which must not be compared. */
static bool is_same_setup(const Setup *a, const Setup *b) {
    return memcmp(a->board, b->board, sizeof(a->board)) == 0 && a->hand[BLACK] == b->hand[BLACK] &&
           a->hand[WHITE] == b->hand[WHITE] && a->side == b->side && a->ply == b->ply;
}

static bool is_same_move(const BookMove *a, const BookMove *b) {
    return a->move == b->move && a->reply == b->reply && a->score == b->score &&
           a->depth == b->depth && a->wins == b->wins && a->draws == b->draws &&
           a->losses == b->losses && a->others == b->others;
}

static bool is_same_book(const Book *a, const Book *b) {
    bool is_same = a->count == b->count;
    for (size_t i = 0; i < a->count && is_same; i++) {
        const BookNode *left = &a->nodes[i], *right = book_find(b, left->key);
        is_same = right != NULL && left->count == right->count &&
                  is_same_setup(&left->setup, &right->setup);
        for (int j = 0; j < left->count && is_same; j++) {
            is_same = is_same_move(&left->moves[j], &right->moves[j]);
        }
    }
    return is_same;
}

/* Writes bytes to a file and opens it as a book. */
static BookReader *open_text(StrView bytes) {
    const char *path = unit_temp_path("test_book.tmp"), *why = NULL;
    CHECK_INT(file_write(path, bytes.ptr, bytes.len), 0);
    BookReader *reader = bookread_open(path, NULL, &why);
    remove(path);
    return reader;
}

static StrBuf db_text(const Book *book) {
    StrBuf text = STRBUF_INIT;
    const char *path = unit_temp_path("test_book_db.tmp");
    FileWriter writer;
    CHECK_INT(file_begin(&writer, path), 0);
    bookdb_write(book, writer.stream);
    CHECK_INT(file_commit(&writer), 0);
    CHECK_INT(file_read(path, &text), 0);
    remove(path);
    return text;
}

static void test_key(void) {
    static const char *const sfens[] = {
        SFEN_START, AFTER_76, TWO_PIECE,
        ("8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/"
         "LN2+p3L w Sbgn3p 124")};
    Position pos;
    pos_init(&pos);
    for (size_t i = 0; i < COUNTOF(sfens); i++) {
        Setup setup = setup_of(sfens[i]);
        pos_set(&pos, &setup);
        CHECK(book_key(&setup) == pos_key(&pos));
        Setup turned = book_flip_setup(&setup), back = book_flip_setup(&turned);
        CHECK(is_same_setup(&setup, &back) && setup.side != turned.side);
    }
    CHECK(book_flip_move(move_of("7g7f")) == move_of("3c3d"));
    CHECK(book_flip_move(move_of("P*5e")) == move_of("P*5e"));
    CHECK(book_flip_move(move_of("8h2b+")) == move_of("2b8h+"));
    CHECK(book_flip_move((Move)0x7FFF) == MOVE_NONE);
    pos_free(&pos);
}

/* A book is the same after being written and read in either format, and after a conversion to the
 * other format and back. */
static void test_round_trips(void) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Book book = {0}, own = {0}, db = {0};
        make_book(&book, seed, 40, 12);
        StrBuf bytes = STRBUF_INIT, again = STRBUF_INIT;
        CHECK(bookfile_write(&book, &bytes));
        BookReader *reader = open_text(strbuf_view(&bytes));
        CHECK(reader != NULL);
        CHECK_INT(bookread_load(reader, NULL, &own), 0);
        CHECK(is_same_book(&book, &own));
        StrBuf text = db_text(&own);
        BookDbLoad load = bookdb_load(strbuf_view(&text), NULL, &db);
        CHECK(load.refused == 0 && load.illegal == 0);
        CHECK(is_same_book(&book, &db));
        CHECK(bookfile_write(&db, &again));
        CHECK(sv_equal(strbuf_view(&bytes), strbuf_view(&again)));
        CHECK(bytes.len * 4 < text.len);
        bookread_close(reader);
        strbuf_free(&bytes);
        strbuf_free(&again);
        strbuf_free(&text);
        book_free(&book);
        book_free(&own);
        book_free(&db);
    }
}

/* All kinds of lookup find each position of a book and no others. */
static void test_finding(void) {
    Book book = {0};
    make_book(&book, 7, 200, 20);
    StrBuf bytes = STRBUF_INIT;
    CHECK(bookfile_write(&book, &bytes));
    StrBuf text = db_text(&book);
    BookReader *readers[] = {open_text(strbuf_view(&bytes)), open_text(strbuf_view(&text))};
    const BookFind how = {.ignore_book_ply = false};
    Position pos;
    pos_init(&pos);
    int wrong = 0, invented = 0;
    for (size_t i = 0; i < book.count; i++) {
        const BookNode *node = &book.nodes[i];
        BookEntry entry;
        pos_set(&pos, &node->setup);
        for (size_t r = 0; r < COUNTOF(readers); r++) {
            bool is_right = bookread_find(readers[r], &pos, &how, &entry) &&
                            entry.count == node->count &&
                            entry.moves[0].move == node->moves[0].move &&
                            entry.moves[0].score == node->moves[0].score &&
                            entry.moves[0].others == node->moves[0].others;
            wrong += !is_right;
        }
        pos_do(&pos, node->moves[0].move);
        bool is_known = book_find(&book, pos_key(&pos)) != NULL;
        for (size_t r = 0; r < COUNTOF(readers); r++) {
            invented += !is_known && bookread_find(readers[r], &pos, &how, &entry);
        }
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(invented, 0);
    for (size_t r = 0; r < COUNTOF(readers); r++) {
        bookread_close(readers[r]);
    }
    pos_free(&pos);
    book_free(&book);
    strbuf_free(&bytes);
    strbuf_free(&text);
}

/* Variants of the text format that other programs write can be read. */
static void test_db_forms(void) {
    static const char text[] =
        "\xEF\xBB\xBF#YANEURAOU-DB2016 1.00\r\n"
        "# a remark\r\n"
        "sfen " SFEN_START "\r\n"
        "7g7f 3c3d 50 12 7\r\n"
        "2g2f none none none \r\n"
        "5g5f none\r\n"
        "1a1b none 0 0 1\r\n"
        "#what it is\r\n"
        "//another\r\n"
        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w -\r\n"
        "3c3d 2g2f 99999 999 99999999999\r\n"
        "sfen not a position\n"
        "7g7f none 0 0 0\n"
        "sfen " TWO_PIECE "\n"
        "7a6b none -700 20 1";
    Book book = {0};
    BookDbLoad load = bookdb_load(SV(text), NULL, &book);
    CHECK(load.positions == 4 && load.refused == 1 && load.illegal == 1);
    CHECK_INT(book.count, 3);
    Setup start = setup_of(SFEN_START), after = setup_of(AFTER_76);
    const BookNode *node = book_find(&book, book_key(&start));
    CHECK(node != NULL && node->count == 3 && node->setup.ply == 1);
    CHECK(node->moves[0].score == 50 && node->moves[0].others == 7 &&
          node->moves[0].reply == move_of("3c3d"));
    CHECK(node->moves[1].score == BOOK_NO_SCORE && node->moves[2].score == BOOK_NO_SCORE);
    node = book_find(&book, book_key(&after));
    CHECK(node != NULL && node->setup.ply == 0 && node->moves[0].score == BOOK_MAX_SCORE &&
          node->moves[0].depth == BOOK_MAX_DEPTH && node->moves[0].others == UINT32_MAX);
    BookReader *reader = open_text(SV(text));
    Position pos;
    BookEntry entry;
    pos_init(&pos);
    CHECK(reader != NULL && pos_set_sfen(&pos, SV(SFEN_START), NULL) == KMD_OK);
    BookFind how = {0};
    CHECK_INT(bookread_load(reader, NULL, &book), 2); /* a position and a move are wrong */
    CHECK(bookread_find(reader, &pos, &how, &entry) && entry.count == 3);
    pos.ply = 3;
    CHECK(!bookread_find(reader, &pos, &how, &entry));
    how.ignore_book_ply = true;
    CHECK(bookread_find(reader, &pos, &how, &entry) && entry.count == 3);
    /* If the book does not give a move number, the position may have any. */
    CHECK(pos_set_sfen(&pos, SV(AFTER_76), NULL) == KMD_OK);
    how.ignore_book_ply = false;
    CHECK(bookread_find(reader, &pos, &how, &entry) && entry.count == 1);
    /* The position seen from the other side is found too. */
    Setup flipped = book_flip_setup(&after);
    pos_set(&pos, &flipped);
    CHECK(!bookread_find(reader, &pos, &how, &entry));
    how.flipped_book = true;
    CHECK(bookread_find(reader, &pos, &how, &entry) && entry.moves[0].move == move_of("7g7f") &&
          entry.moves[0].reply == move_of("8c8d"));
    pos_free(&pos);
    bookread_close(reader);
    book_free(&book);
}

/* Positions in an unsorted file are found too. */
static void test_unsorted(void) {
    Book book = {0}, other = {0};
    make_book(&book, 3, 60, 10);
    StrBuf text = STRBUF_INIT;
    strbuf_add_str(&text, BOOKDB_HEADER "\n");
    for (size_t i = 0; i < book.count; i++) {
        bookdb_write_node(&book.nodes[i], &text);
    }
    BookReader *reader = open_text(strbuf_view(&text));
    Position pos;
    pos_init(&pos);
    int found = 0;
    for (size_t i = 0; i < book.count; i++) {
        BookEntry entry;
        const BookFind how = {0};
        pos_set(&pos, &book.nodes[i].setup);
        found += bookread_find(reader, &pos, &how, &entry);
    }
    CHECK_INT(found, (int64_t)book.count);
    (void)bookdb_load(strbuf_view(&text), NULL, &other);
    CHECK(is_same_book(&book, &other));
    pos_free(&pos);
    bookread_close(reader);
    strbuf_free(&text);
    book_free(&book);
    book_free(&other);
}

/* Any change in a file of our format is detected, and reading never goes out of bounds. */
static void test_damage(void) {
    Book book = {0};
    make_book(&book, 5, 10, 6);
    StrBuf bytes = STRBUF_INIT;
    CHECK(bookfile_write(&book, &bytes));
    BookFile file;
    CHECK(bookfile_open(bytes.ptr, bytes.len, &file) == NULL);
    int passed = 0;
    for (size_t i = 0; i < bytes.len; i++) {
        bytes.ptr[i] ^= 0x10;
        passed += bookfile_open(bytes.ptr, bytes.len, &file) == NULL;
        bytes.ptr[i] ^= 0x10;
        passed += bookfile_open(bytes.ptr, i, &file) == NULL;
    }
    CHECK_INT(passed, 0);
    strbuf_free(&bytes);
    book_free(&book);
}

/* A key that belongs to another position gives no illegal move. */
static void test_collision(void) {
    Book book = {0};
    Setup start = setup_of(SFEN_START), after = setup_of(AFTER_76);
    BookNode *node = book_add(&book, &after);
    book_node_move(node, move_of("3c3d"))->score = 0;
    node->key = book_key(&start); /* as if both positions had the same key */
    node->setup = start;
    book_node_move(node, move_of("2g2f"))->reply = move_of("7g7f");
    StrBuf bytes = STRBUF_INIT;
    strbuf_add_str(&bytes,
                   BOOKDB_HEADER "\nsfen " SFEN_START "\n3c3d none 900 9 9\n2g2f 7g7f 5 9 9\n");
    BookReader *reader = open_text(strbuf_view(&bytes));
    BookEntry entry;
    Position pos;
    const BookFind how = {0};
    pos_init(&pos);
    CHECK(pos_set_sfen(&pos, SV(SFEN_START), NULL) == KMD_OK);
    CHECK(bookread_find(reader, &pos, &how, &entry) && entry.count == 1);
    CHECK(entry.moves[0].move == move_of("2g2f") && entry.moves[0].reply == MOVE_NONE);
    bookread_close(reader);
    pos_free(&pos);
    strbuf_free(&bytes);
    book_free(&book);
}

static void test_join(void) {
    BookMove a = {.move = 1, .score = 10, .depth = 5, .wins = 1, .others = UINT32_MAX};
    BookMove b = {.move = 1, .score = 20, .depth = 4, .draws = 2, .others = 1, .reply = 9};
    book_join_move(&a, &b);
    CHECK(a.score == 10 && a.depth == 5 && a.wins == 1 && a.draws == 2 && a.others == UINT32_MAX &&
          a.reply == 9);
    b.depth = 5;
    book_join_move(&a, &b);
    CHECK_INT(a.score, 20);
    b.score = BOOK_NO_SCORE;
    b.depth = 9;
    book_join_move(&a, &b);
    CHECK(a.score == 20 && a.depth == 5);
}

static const char choices[] =
    BOOKDB_HEADER "\nsfen " SFEN_START "\n"
                  "7g7f 3c3d 50 12 70\n2g2f 8c8d 45 20 20\n5g5f 3c3d 25 30 9\n9g9f none -10 30 1\n"
                  "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n"
                  "3c3d 2g2f -40 10 1\n8c8d none -60 10 5\n"
                  "sfen " TWO_PIECE "\n3a2b none -1980 17\n7a7b none -2400 17\n";

/* Without limits except the difference to the best move. */
static const BookPickOptions lenient = {.book_moves = INT32_MAX,
                                        .book_eval_diff = 30,
                                        .book_eval_limit = {-BOOK_MAX_SCORE, -BOOK_MAX_SCORE},
                                        .find = {.ignore_book_ply = true, .flipped_book = true}};

static int candidates(const BookReader *reader, const BookPickOptions *options, const char *sfen) {
    Position pos;
    BookEntry entry;
    pos_init(&pos);
    CHECK(pos_set_sfen(&pos, sv_from(sfen), NULL) == KMD_OK);
    bool is_found = bookread_candidates(reader, &pos, options, &entry);
    pos_free(&pos);
    return is_found ? entry.count : 0;
}

static void test_limits(void) {
    BookReader *reader = open_text(SV(choices));
    BookPickOptions options = lenient;
    CHECK_INT(candidates(reader, &options, SFEN_START), 3);
    options.book_eval_diff = 0;
    CHECK_INT(candidates(reader, &options, SFEN_START), 1);
    options.book_eval_diff = 1000;
    CHECK_INT(candidates(reader, &options, SFEN_START), 4);
    options.narrow_book = true;
    CHECK_INT(candidates(reader, &options, SFEN_START), 2);
    options = lenient;
    options.book_depth_limit = 20;
    CHECK_INT(candidates(reader, &options, SFEN_START), 2);
    options = lenient;
    options.book_eval_limit[BLACK] = 46;
    CHECK_INT(candidates(reader, &options, SFEN_START), 1);
    CHECK_INT(candidates(reader, &options, AFTER_76), 2);
    options.book_eval_limit[WHITE] = -50;
    CHECK_INT(candidates(reader, &options, AFTER_76), 1);
    /* Who gives a handicap starts far below any limit, but still plays only the good moves. */
    CHECK_INT(candidates(reader, &options, TWO_PIECE), 1);
    options = lenient;
    options.book_moves = 1;
    CHECK_INT(candidates(reader, &options, SFEN_START), 3);
    CHECK_INT(candidates(reader, &options, AFTER_76), 0);
    bookread_close(reader);
}

/* A score of 0 at depth 0 means in a text that the move was never searched; a computed score of 0
 * has no depth. */
static void test_zero_scores(void) {
    static const char *const texts[] = {"7g7f none 0 0 9\n2g2f none -50 8 1\n",
                                        "7g7f none 0 none 9\n2g2f none -50 8 1\n"};
    static const char *const best[] = {"2g2f", "7g7f"};
    for (size_t i = 0; i < COUNTOF(texts); i++) {
        StrBuf text = STRBUF_INIT;
        strbuf_addf(&text, BOOKDB_HEADER "\nsfen " SFEN_START "\n%s", texts[i]);
        BookReader *reader = open_text(strbuf_view(&text));
        Position pos;
        BookEntry entry;
        pos_init(&pos);
        CHECK(reader != NULL && pos_set_sfen(&pos, SV(SFEN_START), NULL) == KMD_OK);
        CHECK(bookread_candidates(reader, &pos, &lenient, &entry) && entry.count == 1);
        CHECK(entry.moves[0].move == move_of(best[i]));
        pos_free(&pos);
        bookread_close(reader);
        strbuf_free(&text);
    }
}

static void test_choice(void) {
    BookReader *reader = open_text(SV(choices));
    BookPickOptions options = lenient;
    Position pos;
    BookEntry entry;
    pos_init(&pos);
    CHECK(pos_set_sfen(&pos, SV(SFEN_START), NULL) == KMD_OK);
    CHECK(bookread_candidates(reader, &pos, &options, &entry) && entry.count == 3);
    for (int counts = 0; counts < 2; counts++) {
        int drawn[3] = {0};
        options.consider_book_move_count = counts;
        Rng rng = rng_init(4), same = rng_init(4);
        for (int i = 0; i < 10000; i++) {
            int choice = bookread_choose(&entry, &options, &rng);
            CHECK_INT(bookread_choose(&entry, &options, &same), choice);
            drawn[choice]++;
        }
        /* the weights are exp(0), exp(-1/3) and exp(-5/3); with games they are multiplied by 71, 21
         * and 10 */
        CHECK_NEAR(drawn[0] / 1e4, counts ? 0.805 : 0.525, 0.02);
        CHECK_NEAR(drawn[1] / 1e4, counts ? 0.171 : 0.376, 0.02);
    }
    Move line[8];
    CHECK_INT(bookread_line(reader, &pos, &entry.moves[0], &options.find, line, 8), 3);
    CHECK(line[0] == move_of("7g7f") && line[1] == move_of("3c3d") && line[2] == move_of("2g2f"));
    CHECK_INT(bookread_line(reader, &pos, &entry.moves[0], &options.find, line, 1), 1);
    pos_free(&pos);
    bookread_close(reader);
}

/* All positions can be reached from the start positions, even those of a cycle into which no move
 * leads. */
static void test_starts(void) {
    int32_t child[] = {1, 2, 1, BOOK_LEAF, 5, 4, 1};
    uint32_t first[] = {0, 1, 2, 3, 4, 5, 7};
    BookGraph graph = {6, first, child};
    uint32_t list[6];
    CHECK_INT(book_graph_starts(&graph, list), 3);
    CHECK(list[0] == 0 && list[1] == 3 && list[2] == 4);
}

/* Moves of few games go, and the positions that are left without a move. */
static void test_rare(void) {
    Book book = {0};
    Setup start = setup_start(), after = setup_of(AFTER_76);
    book_node_move(book_add(&book, &start), move_of("7g7f"))->wins = 2;
    book_node_move(book_add(&book, &start), move_of("2g2f"))->draws = 1;
    book_node_move(book_add(&book, &after), move_of("3c3d"))->others = 1;
    book_drop_rare(&book, 2);
    CHECK(book.count == 1 && book.nodes[0].count == 1);
    CHECK(book_find(&book, book_key(&after)) == NULL);
    CHECK(book_find(&book, book_key(&start)) == &book.nodes[0]);
    book_free(&book);
}

UNIT_MAIN({"keys and the view from the other side", test_key},
          {"formats give back what was written", test_round_trips},
          {"every position is found in every format", test_finding},
          {"forms of the text format", test_db_forms}, {"a text that is not sorted", test_unsorted},
          {"damage is found out", test_damage}, {"no illegal move", test_collision},
          {"joining moves", test_join}, {"limits of the choice", test_limits},
          {"scores of 0", test_zero_scores}, {"weights of the choice", test_choice},
          {"starts of a graph", test_starts}, {"rare moves", test_rare})
