/* bookread.c: opens a book of any format, and returns its moves after checking that they are
 * legal. */
#include "book/bookread.h"

#include <stdlib.h>

#include "base/checksum.h"
#include "base/fileio.h"
#include "base/utf8.h"
#include "base/xmem.h"
#include "book/bookapery.h"
#include "book/bookdb.h"
#include "book/bookfile.h"
#include "rules/legality.h"
#include "rules/sfen.h"

/* The built-in book, possibly empty. The Makefile recompiles this file when the book changes. */
EMBED_FILE(bookread_bytes, "eval/komadori.book");

struct BookReader {
    FileMap map; /* empty for the built-in book */
    StrView text;
    BookFormat format;
    BookFile file;
    BookDb *db;
    AperyBook *apery;
};

/* Detects the format of the bytes and opens them. Returns NULL, or a description of the fault. */
static const char *open_bytes(BookReader *reader, bool is_searched, const _Atomic bool *cancel) {
    StrView text = reader->text;
    if (sv_starts_with(text, SV(BOOKFILE_MAGIC))) {
        reader->format = BOOK_OWN;
        return bookfile_open(text.ptr, text.len, &reader->file);
    }
    StrView front = utf8_without_mark(text);
    if (sv_starts_with(front, SV("#YANEURAOU-DB")) || sv_starts_with(front, SV("sfen "))) {
        reader->format = BOOK_DB;
        reader->db = bookdb_open(text, is_searched, cancel);
        return reader->db != NULL && bookdb_is_empty(reader->db) ? "contains no positions" : NULL;
    }
    reader->format = BOOK_APERY;
    reader->apery = bookapery_open(text.ptr, text.len);
    return reader->apery != NULL ? NULL : "not a book in a known format";
}

static BookReader *open_reader(BookReader *reader, bool is_searched, const _Atomic bool *cancel,
                               const char **why) {
    *why = open_bytes(reader, is_searched, cancel);
    bool is_cut = reader->format == BOOK_DB && reader->db == NULL;
    if (*why != NULL || is_cut) {
        bookread_close(reader);
        return NULL;
    }
    return reader;
}

BookReader *bookread_open(const char *path, bool is_searched, const _Atomic bool *cancel,
                          const char **why) {
    BookReader *reader = xmem_calloc(1, sizeof(BookReader));
    int error = file_map(path, &reader->map);
    if (error != 0) {
        *why = file_error_text(error);
        free(reader);
        return NULL;
    }
    reader->text = (StrView){(const char *)reader->map.data, reader->map.len};
    return open_reader(reader, is_searched, cancel, why);
}

BookReader *bookread_open_bytes(StrView bytes, bool is_searched, const char **why) {
    BookReader *reader = xmem_calloc(1, sizeof(BookReader));
    reader->text = bytes;
    return open_reader(reader, is_searched, NULL, why);
}

BookReader *bookread_embedded(void) {
    const char *why;
    StrView bytes = {(const char *)bookread_bytes, (size_t)(bookread_bytes_end - bookread_bytes)};
    return bytes.len > 0 ? bookread_open_bytes(bytes, false, &why) : NULL;
}

void bookread_close(BookReader *reader) {
    if (reader != NULL) {
        bookdb_free(reader->db);
        bookapery_free(reader->apery);
        file_unmap(&reader->map);
        free(reader);
    }
}

BookFormat bookread_format(const BookReader *reader) {
    return reader->format;
}

StrView bookread_bytes_of(const BookReader *reader) {
    return reader->text;
}

uint64_t bookread_id(const BookReader *reader) {
    return checksum_fnv(CHECKSUM_FNV_START, reader->text.ptr, reader->text.len);
}

static bool find_raw(const BookReader *reader, const Setup *setup, bool ignores_ply,
                     BookEntry *entry) {
    switch (reader->format) {
    case BOOK_OWN:
        return bookfile_find(&reader->file, book_key(setup), entry);
    case BOOK_DB:
        return bookdb_find(reader->db, setup, ignores_ply, entry);
    default:
        return bookapery_find(reader->apery, setup, entry);
    }
}

/* Removes illegal moves, repeated moves and illegal replies. */
static void keep_legal(const Position *pos, BookEntry *entry) {
    Position after;
    Setup setup = pos_get(pos); /* copied without the moves that led there, because there may be
                                   many of them */
    int kept = 0;
    pos_init(&after);
    pos_set(&after, &setup);
    for (int i = 0; i < entry->count; i++) {
        BookMove move = entry->moves[i];
        bool is_new = move_is_legal(pos, move.move);
        for (int j = 0; j < kept && is_new; j++) {
            is_new = entry->moves[j].move != move.move;
        }
        if (is_new) {
            pos_do(&after, move.move);
            move.reply = move_is_legal(&after, move.reply) ? move.reply : MOVE_NONE;
            pos_undo(&after);
            entry->moves[kept++] = move;
        }
    }
    entry->count = kept;
    pos_free(&after);
}

bool bookread_find(const BookReader *reader, const Position *pos, const BookFind *how,
                   BookEntry *entry) {
    Setup setup = pos_get(pos);
    bool is_found = find_raw(reader, &setup, how->ignore_book_ply, entry);
    if (!is_found && how->flipped_book) {
        Setup flipped = book_flip_setup(&setup);
        is_found = find_raw(reader, &flipped, true, entry);
        for (int i = 0; is_found && i < entry->count; i++) {
            entry->moves[i].move = book_flip_move(entry->moves[i].move);
            entry->moves[i].reply = book_flip_move(entry->moves[i].reply);
        }
    }
    if (is_found) {
        keep_legal(pos, entry);
    }
    return is_found && entry->count > 0;
}

/* A depth-first walk through a book that contains only keys. The walk stores the next move to
 * follow for each position on the current path. */
typedef struct Walk {
    const BookReader *reader;
    const _Atomic bool *cancel;
    Book *book;
    Position pos;
    int *next;
    size_t depth, cap;
} Walk;

/* Adds the position and enters it. Returns false if it is already known or not in the book. */
static bool enter(Walk *walk) {
    const BookFind how = {.ignore_book_ply = true};
    BookEntry entry;
    if (book_find(walk->book, pos_key(&walk->pos)) != NULL ||
        !bookread_find(walk->reader, &walk->pos, &how, &entry)) {
        return false;
    }
    Setup setup = pos_get(&walk->pos);
    setup.ply = entry.ply;
    BookNode *node = book_add(walk->book, &setup);
    for (int i = 0; i < entry.count; i++) {
        *book_node_move(node, entry.moves[i].move) = entry.moves[i];
    }
    walk->next = xmem_grow(walk->next, &walk->cap, walk->depth + 1, sizeof(int));
    walk->next[walk->depth++] = 0;
    return true;
}

static void walk_from_here(Walk *walk) {
    (void)enter(walk);
    while (walk->depth > 0 && !book_is_cancelled(walk->cancel)) {
        int *next = &walk->next[walk->depth - 1];
        const BookNode *node = book_find(walk->book, pos_key(&walk->pos));
        if (*next < node->count) {
            pos_do(&walk->pos, node->moves[(*next)++].move);
            if (!enter(walk)) {
                pos_undo(&walk->pos);
            }
        } else if (--walk->depth > 0) {
            pos_undo(&walk->pos);
        }
    }
}

/* Walks from each of the SFENs. */
static void load_by_walk(const BookReader *reader, StrView starts, const _Atomic bool *cancel,
                         Book *book) {
    Walk walk = {.reader = reader, .cancel = cancel, .book = book};
    StrView line;
    pos_init(&walk.pos);
    while (!book_is_cancelled(cancel) && sv_next_line(&starts, &line)) {
        if (pos_set_sfen(&walk.pos, line, NULL) == KMD_OK) {
            walk_from_here(&walk);
        }
    }
    pos_free(&walk.pos);
    free(walk.next);
}

size_t bookread_load(const BookReader *reader, const _Atomic bool *cancel, Book *book) {
    Book whole = {0};
    size_t missing = 0;
    if (reader->format == BOOK_DB) {
        BookDbLoad load = bookdb_load(reader->text, cancel, book);
        return load.refused + load.illegal;
    }
    if (reader->format == BOOK_OWN) {
        load_by_walk(reader, reader->file.starts, cancel, &whole);
        missing = reader->file.positions - whole.count;
    } else {
        load_by_walk(reader, SV("startpos"), cancel, &whole);
        size_t entries = bookapery_count(reader->apery);
        for (size_t i = 0; i < whole.count; i++) {
            entries -= (size_t)whole.nodes[i].count;
        }
        missing = entries;
    }
    if (book->count == 0) {
        book_free(book);
        *book = whole;
    } else {
        book_join(book, &whole);
        book_free(&whole);
    }
    return missing;
}

/* Counts the entries of the position. Returns false if one of them is illegal. */
static bool check_entries(const BookReader *reader, const Position *pos, size_t *count) {
    Setup setup = pos_get(pos);
    BookEntry entry;
    bool is_good = true;
    (void)find_raw(reader, &setup, true, &entry);
    for (int i = 0; i < entry.count && is_good; i++) {
        is_good = move_is_legal(pos, entry.moves[i].move);
    }
    *count = (size_t)entry.count;
    return is_good;
}

/* A position with illegal moves only was not loaded, so the positions after each move are looked up
 * as well. */
BookCheck bookread_check(const BookReader *reader, const _Atomic bool *cancel, const Book *book) {
    BookCheck check = {.is_sorted = bookapery_is_sorted(reader->apery),
                       .entries = bookapery_count(reader->apery)};
    Setup start = setup_start();
    Position pos;
    size_t count;
    pos_init(&pos);
    pos_set(&pos, &start);
    bool is_good = check_entries(reader, &pos, &count);
    for (size_t i = 0; i < book->count && is_good && !book_is_cancelled(cancel); i++) {
        const BookNode *node = &book->nodes[i];
        book_set(&pos, &node->setup);
        is_good = check_entries(reader, &pos, &count);
        check.reached += count;
        for (int k = 0; k < node->count && is_good; k++) {
            pos_do(&pos, node->moves[k].move);
            is_good = check_entries(reader, &pos, &count);
            pos_undo(&pos);
        }
    }
    check.has_illegal = !is_good;
    pos_free(&pos);
    return check;
}
