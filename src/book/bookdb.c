/* bookdb.c: finds a position of the text through a sorted index of keys, and parses its moves on
 * request. */
#include "book/bookdb.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xmem.h"
#include "rules/legality.h"
#include "rules/sfen.h"
#include "rules/usimove.h"

enum { LINES_PER_LOOK = 4096, WRITE_BYTES = 1 << 20 };

/* Offset of a position's line. */
typedef struct DbKey {
    uint64_t key;
    size_t at;
} DbKey;

struct BookDb {
    StrView text;
    DbKey *keys; /* sorted */
    size_t count, cap;
};

/* ---- lines ----------------------------------------------------------------------------------- */

static StrView line_at(StrView text, size_t at) {
    StrView line = sv_skip(text, at);
    return sv_prefix(line, sv_find_byte(line, '\n'));
}

static bool is_position_line(StrView line) {
    return sv_starts_with(line, SV("sfen "));
}

/* The first position line at or after `at`, which need not be the start of a line; the length of
 * the text if there is none. */
static size_t next_position(StrView text, size_t at) {
    if (at > 0) {
        at += sv_find_byte(sv_skip(text, at - 1), '\n');
    }
    while (at < text.len && !is_position_line(sv_skip(text, at))) {
        at += sv_find_byte(sv_skip(text, at), '\n') + 1;
    }
    return at < text.len ? at : text.len;
}

/* The board, side and hands of a position line. *ply becomes its move number, or 0. */
static StrView board_text(StrView line, int *ply) {
    StrView text = sv_trim(sv_skip(line, 5));
    size_t at = 0;
    for (int blanks = 0; at < text.len; at++) {
        if (text.ptr[at] == ' ' && ++blanks == 3) {
            break;
        }
    }
    *ply = 0;
    if (!sv_to_int(sv_trim(sv_skip(text, at)), 1, BOOK_MAX_PLY, ply)) {
        *ply = 0;
    }
    return sv_prefix(text, at);
}

static int64_t number_or(StrView word, int64_t low, int64_t high, int64_t otherwise) {
    int64_t value;
    return sv_to_i64(word, INT64_MIN, INT64_MAX, &value) ? i64_clamp(value, low, high) : otherwise;
}

/* Reads "move reply score depth count". Returns false for other lines. A score of 0 at depth 0
 * means that the move was never searched; a computed score of 0 has the depth "none". */
static bool read_db_move(StrView line, BookMove *move) {
    Tokenizer tok = {line};
    StrView word;
    *move = (BookMove){.score = BOOK_NO_SCORE};
    if (!tok_next(&tok, &word)) {
        return false;
    }
    move->move = usimove_read(word);
    if (!move_is_real(move->move)) {
        return false;
    }
    (void)tok_next(&tok, &word);
    move->reply = usimove_read(word);
    if (!move_is_real(move->reply)) {
        move->reply = MOVE_NONE;
    }
    (void)tok_next(&tok, &word);
    move->score = (int16_t)number_or(word, -BOOK_MAX_SCORE, BOOK_MAX_SCORE, BOOK_NO_SCORE);
    (void)tok_next(&tok, &word);
    bool has_depth = !sv_equal(word, SV("none"));
    move->depth = (uint8_t)number_or(word, 0, BOOK_MAX_DEPTH, 0);
    if (move->score == 0 && move->depth == 0 && has_depth) {
        move->score = BOOK_NO_SCORE;
    }
    (void)tok_next(&tok, &word);
    move->others = (uint32_t)number_or(word, 0, UINT32_MAX, 0);
    return true;
}

/* Reads the lines after a position line up to the next position, and advances *at. */
static void read_db_moves(StrView text, size_t *at, BookEntry *entry) {
    while (*at < text.len && !is_position_line(sv_skip(text, *at))) {
        StrView line = line_at(text, *at);
        BookMove move;
        if (entry->count < BOOK_MAX_MOVES && read_db_move(line, &move)) {
            entry->moves[entry->count++] = move;
        }
        *at += line.len + 1;
    }
}

/* ---- finding --------------------------------------------------------------------------------- */

static int compare_db_keys(const void *a, const void *b) {
    const DbKey *left = a, *right = b;
    return left->key != right->key ? (left->key < right->key ? -1 : 1)
                                   : (left->at > right->at) - (left->at < right->at);
}

/* Builds the index. Returns false if cancelled. */
static bool make_index(BookDb *db, const Watch *watch) {
    db->keys = xmem_grow(NULL, &db->cap, 64, sizeof(DbKey));
    size_t lines = 0;
    for (size_t at = next_position(db->text, 0); at < db->text.len;) {
        StrView line = line_at(db->text, at);
        Setup setup;
        int ply;
        if (is_position_line(line) && sfen_read(board_text(line, &ply), &setup, NULL) == KMD_OK) {
            db->keys = xmem_grow(db->keys, &db->cap, db->count + 1, sizeof(DbKey));
            db->keys[db->count++] = (DbKey){book_key(&setup), at};
        }
        if (++lines % LINES_PER_LOOK == 0 && watch_tick(watch)) {
            return false;
        }
        at += line.len + 1;
    }
    qsort(db->keys, db->count, sizeof(DbKey), compare_db_keys);
    return true;
}

BookDb *bookdb_open(StrView text, const Watch *watch) {
    BookDb *db = xmem_calloc(1, sizeof(BookDb));
    db->text = utf8_without_mark(text);
    if (!make_index(db, watch)) {
        bookdb_free(db);
        return NULL;
    }
    return db;
}

void bookdb_free(BookDb *db) {
    if (db != NULL) {
        free(db->keys);
        free(db);
    }
}

bool bookdb_is_empty(const BookDb *db) {
    return db->count == 0;
}

bool bookdb_find(const BookDb *db, const Setup *setup, bool ignores_ply, BookEntry *entry) {
    int ply = ignores_ply ? 0 : setup->ply;
    uint64_t key = book_key(setup);
    size_t low = 0, high = db->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (db->keys[middle].key < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < db->count && db->keys[low].key == key; low++) {
        size_t at = db->keys[low].at;
        StrView line = line_at(db->text, at);
        *entry = (BookEntry){0};
        (void)board_text(line, &entry->ply);
        if (ply > 0 && entry->ply > 0 && entry->ply != ply) {
            continue;
        }
        at += line.len + 1;
        read_db_moves(db->text, &at, entry);
        if (entry->count > 0) {
            return true;
        }
    }
    return false;
}

/* ---- loading and writing --------------------------------------------------------------------- */

/* Adds the position at *at, and advances *at beyond its moves. */
static void load_position(StrView text, size_t *at, Position *pos, Book *book, BookDbLoad *load) {
    StrView line = line_at(text, *at);
    BookEntry entry = {0};
    Setup setup;
    StrView board = board_text(line, &entry.ply);
    *at += line.len + 1;
    read_db_moves(text, at, &entry);
    load->positions++;
    if (sfen_read(board, &setup, NULL) != KMD_OK) {
        load->refused++;
        return;
    }
    pos_set(pos, &setup);
    setup.ply = entry.ply;
    BookNode *node = book_add(book, &setup);
    for (int i = 0; i < entry.count; i++) {
        bool is_legal = move_is_legal(pos, entry.moves[i].move);
        BookMove *move = is_legal ? book_node_move(node, entry.moves[i].move) : NULL;
        load->illegal += !is_legal;
        if (move != NULL) {
            pos_do(pos, move->move);
            bool has_reply = move_is_legal(pos, entry.moves[i].reply);
            entry.moves[i].reply = has_reply ? entry.moves[i].reply : MOVE_NONE;
            pos_undo(pos);
            book_join_move(move, &entry.moves[i]);
        }
    }
}

BookDbLoad bookdb_load(StrView text, const _Atomic bool *cancel, Book *book) {
    BookDbLoad load = {0};
    Position pos;
    pos_init(&pos);
    text = utf8_without_mark(text);
    for (size_t at = next_position(text, 0); at < text.len && !book_is_cancelled(cancel);) {
        load_position(text, &at, &pos, book, &load);
    }
    pos_free(&pos);
    return load;
}

bool bookdb_load_record(StrView *text, Book *book) {
    size_t end = sv_find(*text, SV("\n\n"));
    if (end == text->len || !is_position_line(*text)) {
        return false;
    }
    BookDbLoad load = {0};
    Position pos;
    size_t at = 0;
    pos_init(&pos);
    load_position(sv_prefix(*text, end), &at, &pos, book, &load);
    pos_free(&pos);
    *text = sv_skip(*text, end + 2);
    return load.refused == 0;
}

void bookdb_write_node(const BookNode *node, StrBuf *out) {
    strbuf_add_str(out, "sfen ");
    sfen_write(&node->setup, out);
    if (node->setup.ply == 0) {
        out->len -= 2; /* removes " 0" */
    }
    strbuf_add_byte(out, '\n');
    for (int i = 0; i < node->count; i++) {
        const BookMove *move = &node->moves[i];
        usimove_append(move->move, out);
        strbuf_add_byte(out, ' ');
        usimove_append(move->reply, out);
        if (move->score == BOOK_NO_SCORE) {
            strbuf_add_str(out, " none none ");
        } else if (move->score == 0 && move->depth == 0) {
            strbuf_add_str(out, " 0 none ");
        } else {
            strbuf_addf(out, " %d %d ", move->score, move->depth);
        }
        strbuf_add_u64(out, book_games(move));
        strbuf_add_byte(out, '\n');
    }
}

/* For finding a position by its text. */
typedef struct DbLine {
    char *text;
    const BookNode *node;
} DbLine;

static int compare_db_lines(const void *a, const void *b) {
    return strcmp(((const DbLine *)a)->text, ((const DbLine *)b)->text);
}

void bookdb_write(const Book *book, FILE *stream) {
    DbLine *lines = xmem_calloc(book->count + 1, sizeof(DbLine));
    StrBuf out = STRBUF_INIT;
    for (size_t i = 0; i < book->count; i++) {
        StrBuf text = STRBUF_INIT;
        sfen_write(&book->nodes[i].setup, &text);
        lines[i] = (DbLine){text.ptr, &book->nodes[i]};
    }
    qsort(lines, book->count, sizeof(DbLine), compare_db_lines);
    strbuf_add_str(&out, BOOKDB_HEADER "\n");
    for (size_t i = 0; i < book->count; i++) {
        bookdb_write_node(lines[i].node, &out);
        free(lines[i].text);
        if (out.len > WRITE_BYTES) {
            (void)fwrite(out.ptr, 1, out.len, stream);
            strbuf_clear(&out);
        }
    }
    (void)fwrite(out.ptr, 1, out.len, stream);
    strbuf_free(&out);
    free(lines);
}
