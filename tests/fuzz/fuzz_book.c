/* fuzz_book.c: reads any bytes as books of all formats, and in our own format also with corrected
 * checksums. Every move found must be legal, and a book that was loaded must be the same after
 * being written and read back. */
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "book/bookdb.h"
#include "book/bookfile.h"
#include "book/bookread.h"
#include "rules/legality.h"
#include "rules/position.h"
#include "rules/sfen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) {
        abort();
    }
}

/* Moves have padding, which must not be compared. */
static bool is_same_move(const BookMove *a, const BookMove *b) {
    return a->move == b->move && a->reply == b->reply && a->score == b->score &&
           a->depth == b->depth && a->wins == b->wins && a->draws == b->draws &&
           a->losses == b->losses && a->others == b->others;
}

static bool is_same(const Book *a, const Book *b) {
    bool is_equal = a->count == b->count;
    for (size_t i = 0; i < a->count && is_equal; i++) {
        const BookNode *left = &a->nodes[i], *right = book_find(b, left->key);
        is_equal = right != NULL && left->count == right->count;
        for (int k = 0; k < left->count && is_equal; k++) {
            is_equal = is_same_move(&left->moves[k], &right->moves[k]);
        }
    }
    return is_equal;
}

/* Looks up a few positions by all rules. */
static void look(const BookReader *reader) {
    static const char *const sfens[] = {
        SFEN_START, "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2",
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"};
    BookPickOptions options = {.book_moves = 30,
                               .book_eval_diff = 100,
                               .book_eval_limit = {-BOOK_MAX_SCORE, -BOOK_MAX_SCORE},
                               .find = {.flipped_book = true}};
    BookEntry entry;
    Position pos;
    Move line[20];
    pos_init(&pos);
    for (size_t i = 0; i < COUNTOF(sfens); i++) {
        Rng rng = rng_init(i);
        require(pos_set_sfen(&pos, sv_from(sfens[i]), NULL) == KMD_OK);
        for (int ignores = 0; ignores < 2; ignores++) {
            options.find.ignore_book_ply = ignores;
            if (bookread_find(reader, &pos, &options.find, &entry)) {
                for (int j = 0; j < entry.count; j++) {
                    require(move_is_legal(&pos, entry.moves[j].move));
                    (void)bookread_line(reader, &pos, &entry.moves[j], &options.find, line, 20);
                }
            }
        }
        while (bookread_candidates(reader, &pos, &options, &entry)) {
            pos_do(&pos, entry.moves[bookread_choose(&entry, &options, &rng)].move);
        }
    }
    pos_free(&pos);
}

/* Checks that a book that was loaded is the same after being written in our own format. */
static void keep(Book *book) {
    StrBuf bytes = STRBUF_INIT;
    const char *why;
    require(bookfile_write(book, &bytes));
    BookReader *reader = bookread_open_bytes(strbuf_view(&bytes), &why);
    Book back = {0};
    require(reader != NULL);
    size_t missing = bookread_load(reader, NULL, &back);
    for (size_t i = 0; i < book->count; i++) {
        missing -= book->nodes[i].count == 0; /* a position without moves cannot be found */
    }
    bool has_empty = back.count < book->count;
    require(has_empty || (missing == 0 && is_same(book, &back)));
    look(reader);
    bookread_close(reader);
    book_free(&back);
    strbuf_free(&bytes);
}

static void read_bytes(StrView bytes) {
    const char *why = NULL;
    BookReader *reader = bookread_open_bytes(bytes, &why);
    require((reader == NULL) == (why != NULL));
    if (reader != NULL) {
        Book book = {0};
        look(reader);
        (void)bookread_load(reader, NULL, &book);
        keep(&book);
        book_free(&book);
        bookread_close(reader);
    }
}

/* Corrects the checksums of our own format, because any change would make a reader reject it. */
static void read_own(const uint8_t *data, size_t size) {
    StrBuf bytes = STRBUF_INIT;
    strbuf_add_bytes(&bytes, data, size);
    if (size >= BOOKFILE_HEADER_SIZE) {
        Setup start = setup_start();
        uint64_t key = book_key(&start);
        uint32_t version = BOOKFILE_VERSION;
        uint64_t len = size - BOOKFILE_HEADER_SIZE;
        uint32_t sum = checksum_crc32(bytes.ptr + BOOKFILE_HEADER_SIZE, (size_t)len);
        memcpy(bytes.ptr, BOOKFILE_MAGIC, 8);
        memcpy(bytes.ptr + 8, &version, 4);
        memcpy(bytes.ptr + 16, &key, 8);
        memcpy(bytes.ptr + 52, &sum, 4);
        sum = checksum_crc32(bytes.ptr, 60);
        memcpy(bytes.ptr + 60, &sum, 4);
    }
    read_bytes(strbuf_view(&bytes));
    strbuf_free(&bytes);
}

/* Reads the bytes as the journal of a search. */
static void read_journal(StrView text) {
    Book book = {0};
    while (bookdb_load_record(&text, &book)) {
    }
    book_free(&book);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    pos_init_tables();
    StrView bytes = {(const char *)data, size};
    read_bytes(bytes);
    read_own(data, size);
    read_journal(bytes);
    return 0;
}
