/* bookfile.c: reads the layout shown in bookfile.h in place, checking every offset before use, and
 * writes it. */
#include "book/bookfile.h"

#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/xmem.h"
#include "rules/sfen.h"

enum {
    BLOCK = 16, /* number of positions per offset */
    HAS_SCORE = 1,
    HAS_REPLY = 2,
    RESULTS_SHIFT = 2,
    OTHERS_SHIFT = 4,
    KNOWN_TAGS = 63,
    POSITION_BYTES = 2,
    MOVE_BYTES = 4
};

static const uint8_t WIDTH[4] = {0, 1, 2, 4};

/* Numbers are copied unchanged, because big-endian machines are not supported (base/base.h). */
static uint64_t get(const uint8_t *bytes, size_t size) {
    uint64_t value = 0;
    memcpy(&value, bytes, size);
    return value;
}

static void put(StrBuf *out, uint64_t value, size_t size) {
    strbuf_add_bytes(out, &value, size);
}

static uint64_t start_key(void) {
    Setup start = setup_start();
    return book_key(&start);
}

/* ---- reading --------------------------------------------------------------------------------- */

static uint64_t key_at(const BookFile *file, uint32_t index) {
    return get(file->keys + (size_t)index * 8, 8);
}

const char *bookfile_open(const void *bytes, size_t len, BookFile *file) {
    const uint8_t *header = bytes;
    *file = (BookFile){0};
    if (len < 8 || memcmp(header, BOOKFILE_MAGIC, 8) != 0) {
        return "not a book of Komadori";
    }
    if (len < BOOKFILE_HEADER_SIZE || get(header + 60, 4) != checksum_crc32(header, 60)) {
        return "the header of the book is damaged";
    }
    if (get(header + 8, 4) != BOOKFILE_VERSION || get(header + 16, 8) != start_key()) {
        return "a book of another version";
    }
    const uint8_t *rest = header + BOOKFILE_HEADER_SIZE;
    /* The parts described by the header must fill the file exactly. */
    uint64_t positions = get(header + 12, 4), blocks = (positions + BLOCK - 1) / BLOCK;
    uint64_t content = get(header + 32, 8), starts = get(header + 40, 8);
    uint64_t left = len - BOOKFILE_HEADER_SIZE, index = positions * 8 + blocks * 4;
    if (index > left || content > left - index || starts != left - index - content ||
        get(header + 52, 4) != checksum_crc32(rest, len - BOOKFILE_HEADER_SIZE)) {
        return "the book is damaged or cut short";
    }
    file->positions = (uint32_t)positions;
    file->keys = rest;
    file->offsets = rest + (size_t)file->positions * 8;
    file->content = file->offsets + (size_t)blocks * 4;
    file->content_len = (size_t)content;
    file->starts = (StrView){(const char *)file->content + file->content_len, (size_t)starts};
    for (uint32_t i = 1; i < file->positions; i++) {
        if (key_at(file, i - 1) >= key_at(file, i)) {
            *file = (BookFile){0};
            return "the positions of the book are not in order";
        }
    }
    return NULL;
}

/* Reads a number of `size` bytes at *at and advances *at. */
static uint32_t take_field(const BookFile *file, size_t *at, size_t size) {
    uint32_t value = 0;
    if (*at <= file->content_len && size <= file->content_len - *at) {
        value = (uint32_t)get(file->content + *at, size);
        *at += size;
    } else {
        *at = file->content_len + 1; /* a mark that the content ended too early */
    }
    return value;
}

static bool is_past(const BookFile *file, size_t at) {
    return at > file->content_len;
}

/* Reads the move at *at and advances *at. Returns false if the content ends too early. */
static bool read_file_move(const BookFile *file, size_t *at, BookMove *move) {
    if (file->content_len - *at < MOVE_BYTES) {
        return false;
    }
    const uint8_t *bytes = file->content + *at;
    int tags = bytes[2];
    size_t results = WIDTH[tags >> RESULTS_SHIFT & 3];
    size_t others = WIDTH[tags >> OTHERS_SHIFT & 3];
    size_t rest =
        ((tags & HAS_SCORE) != 0) * 2u + ((tags & HAS_REPLY) != 0) * 2u + 3 * results + others;
    if (tags > KNOWN_TAGS || file->content_len - *at - MOVE_BYTES < rest) {
        return false;
    }
    *move = (BookMove){.move = (Move)get(bytes, 2), .depth = bytes[3], .score = BOOK_NO_SCORE};
    *at += MOVE_BYTES;
    if ((tags & HAS_SCORE) != 0) {
        int score = (int16_t)take_field(file, at, 2);
        move->score = (int16_t)int_clamp(score, -BOOK_MAX_SCORE, BOOK_MAX_SCORE);
    }
    if ((tags & HAS_REPLY) != 0) {
        move->reply = (Move)take_field(file, at, 2);
    }
    move->wins = take_field(file, at, results);
    move->draws = take_field(file, at, results);
    move->losses = take_field(file, at, results);
    move->others = take_field(file, at, others);
    return !is_past(file, *at);
}

/* Reads the position at *at, or skips it if entry is NULL. */
static bool read_entry(const BookFile *file, size_t *at, BookEntry *entry) {
    int count = (int)take_field(file, at, 1);
    int ply = (int)take_field(file, at, 1);
    if (is_past(file, *at)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        BookMove move;
        if (!read_file_move(file, at, &move)) {
            return false;
        }
        if (entry != NULL) {
            entry->moves[i] = move;
        }
    }
    if (entry != NULL) {
        entry->count = count;
        entry->ply = ply;
    }
    return true;
}

bool bookfile_find(const BookFile *file, uint64_t key, BookEntry *entry) {
    uint32_t low = 0, high = file->positions;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (key_at(file, middle) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low >= file->positions || key_at(file, low) != key) {
        return false;
    }
    size_t at = (size_t)get(file->offsets + (size_t)(low / BLOCK) * 4, 4);
    bool is_good = at <= file->content_len;
    for (uint32_t i = low / BLOCK * BLOCK; i < low && is_good; i++) {
        is_good = read_entry(file, &at, NULL);
    }
    return is_good && read_entry(file, &at, entry);
}

/* ---- writing --------------------------------------------------------------------------------- */

static int width_code(uint32_t most) {
    return most == 0 ? 0 : most < 1 << 8 ? 1 : most < 1 << 16 ? 2 : 3;
}

static void write_file_move(const BookMove *move, StrBuf *out) {
    uint32_t most = move->wins | move->draws | move->losses;
    int results = width_code(most), others = width_code(move->others);
    int tags = (move->score != BOOK_NO_SCORE ? HAS_SCORE : 0) |
               (move->reply != MOVE_NONE ? HAS_REPLY : 0) | results << RESULTS_SHIFT |
               others << OTHERS_SHIFT;
    put(out, move->move, 2);
    put(out, (uint64_t)tags, 1);
    put(out, move->depth, 1);
    put(out, (uint16_t)move->score, (tags & HAS_SCORE) != 0 ? 2 : 0);
    put(out, move->reply, (tags & HAS_REPLY) != 0 ? 2 : 0);
    put(out, move->wins, WIDTH[results]);
    put(out, move->draws, WIDTH[results]);
    put(out, move->losses, WIDTH[results]);
    put(out, move->others, WIDTH[others]);
}

/* Appends the positions with their moves, and their offsets to *offsets. Returns the number of
 * moves. */
static uint64_t write_content(const Book *book, StrBuf *offsets, StrBuf *out) {
    uint64_t moves = 0;
    for (size_t i = 0; i < book->count; i++) {
        const BookNode *node = &book->nodes[i];
        put(offsets, out->len, i % BLOCK == 0 ? 4 : 0);
        put(out, (uint64_t)node->count, 1);
        put(out, (uint64_t)node->setup.ply, 1);
        for (int j = 0; j < node->count; j++) {
            write_file_move(&node->moves[j], out);
        }
        moves += (uint64_t)node->count;
    }
    return moves;
}

/* Appends the SFENs of the start positions without move numbers; returns their number. */
static uint32_t write_starts(const Book *book, const BookGraph *graph, StrBuf *out) {
    uint32_t *list = xmem_calloc(book->count + 1, sizeof(uint32_t));
    uint32_t count = book_graph_starts(graph, list);
    for (uint32_t i = 0; i < count; i++) {
        sfen_write(&book->nodes[list[i]].setup, out);
        while (out->ptr[out->len - 1] != ' ') {
            out->len--;
        }
        out->ptr[out->len - 1] = '\n';
    }
    free(list);
    return count;
}

bool bookfile_write(Book *book, StrBuf *out) {
    StrBuf offsets = STRBUF_INIT, content = STRBUF_INIT, starts = STRBUF_INIT;
    BookGraph graph;
    book_sort(book);
    book_graph_build(book, &graph);
    uint64_t moves = write_content(book, &offsets, &content);
    uint32_t start_count = write_starts(book, &graph, &starts);
    book_graph_free(&graph);
    bool fits = content.len <= UINT32_MAX;
    if (fits) {
        StrBuf body = STRBUF_INIT;
        for (size_t i = 0; i < book->count; i++) {
            put(&body, book->nodes[i].key, 8);
        }
        strbuf_add(&body, strbuf_view(&offsets));
        strbuf_add(&body, strbuf_view(&content));
        strbuf_add(&body, strbuf_view(&starts));
        size_t header = out->len;
        strbuf_add_str(out, BOOKFILE_MAGIC);
        put(out, BOOKFILE_VERSION, 4);
        put(out, book->count, 4);
        put(out, start_key(), 8);
        put(out, moves, 8);
        put(out, content.len, 8);
        put(out, starts.len, 8);
        put(out, start_count, 4);
        put(out, checksum_crc32(body.ptr, body.len), 4);
        put(out, 0, 4);
        put(out, checksum_crc32(out->ptr + header, 60), 4);
        strbuf_add(out, strbuf_view(&body));
        strbuf_free(&body);
    }
    strbuf_free(&offsets);
    strbuf_free(&content);
    strbuf_free(&starts);
    return fits;
}
