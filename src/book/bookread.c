/* bookread.c: opens a book of any format, returns its moves after checking that they are legal, and
 * chooses one of those that the rules allow at random by weight. */
#include "book/bookread.h"

#include <math.h>
#include <stdlib.h>

#include "base/fileio.h"
#include "base/utf8.h"
#include "base/xmem.h"
#include "book/bookdb.h"
#include "book/bookfile.h"
#include "eval/features.h"
#include "rules/legality.h"
#include "rules/repetition.h"
#include "rules/sfen.h"

/* The built-in book, possibly empty. The Makefile recompiles this file when the book changes. */
EMBED_FILE(bookread_bytes, "eval/komadori.book");

struct BookReader {
    FileMap map; /* empty for the built-in book */
    StrView text;
    BookFile file;
    BookDb *db; /* NULL: Komadori's own format */
};

/* Detects the format of the bytes and opens them. Returns the reader; or frees it and returns NULL,
 * with a description of the fault or NULL in *why. */
static BookReader *open_bytes(BookReader *reader, const Watch *watch, const char **why) {
    StrView text = reader->text;
    StrView front = utf8_without_mark(text);
    bool is_good = false;
    *why = "not a book in a known format";
    if (sv_starts_with(text, SV(BOOKFILE_MAGIC))) {
        *why = bookfile_open(text.ptr, text.len, &reader->file);
        is_good = *why == NULL;
    } else if (sv_starts_with(front, SV("#YANEURAOU-DB")) || sv_starts_with(front, SV("sfen "))) {
        reader->db = bookdb_open(text, watch);
        is_good = reader->db != NULL && !bookdb_is_empty(reader->db);
        *why = reader->db == NULL || is_good ? NULL : "contains no positions";
    }
    if (!is_good) {
        bookread_close(reader);
    }
    return is_good ? reader : NULL;
}

BookReader *bookread_open(const char *path, const Watch *watch, const char **why) {
    BookReader *reader = xmem_calloc(1, sizeof(BookReader));
    int error = file_map(path, &reader->map);
    if (error != 0) {
        *why = file_error_text(error);
        free(reader);
        return NULL;
    }
    reader->text = (StrView){(const char *)reader->map.data, reader->map.len};
    return open_bytes(reader, watch, why);
}

BookReader *bookread_open_bytes(StrView bytes, const char **why) {
    BookReader *reader = xmem_calloc(1, sizeof(BookReader));
    reader->text = bytes;
    return open_bytes(reader, NULL, why);
}

BookReader *bookread_embedded(void) {
    const char *why;
    StrView bytes = {(const char *)bookread_bytes, (size_t)(bookread_bytes_end - bookread_bytes)};
    return bytes.len > 0 ? bookread_open_bytes(bytes, &why) : NULL;
}

void bookread_close(BookReader *reader) {
    if (reader != NULL) {
        bookdb_free(reader->db);
        file_unmap(&reader->map);
        free(reader);
    }
}

static bool find_raw(const BookReader *reader, const Setup *setup, bool ignores_ply,
                     BookEntry *entry) {
    return reader->db != NULL ? bookdb_find(reader->db, setup, ignores_ply, entry)
                              : bookfile_find(&reader->file, book_key(setup), entry);
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

/* A depth-first walk through a book of Komadori's own format, which contains only keys. The walk
 * stores the next move to follow for each position on the current path. */
typedef struct Walk {
    const BookReader *reader;
    const _Atomic bool *cancel;
    Book *book;
    Position pos;
    int *next;
    size_t depth, cap;
} Walk;

/* Adds the position and enters it. Returns false if it is already known or not in the book. */
static bool enter_position(Walk *walk) {
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
    (void)enter_position(walk);
    while (walk->depth > 0 && !book_is_cancelled(walk->cancel)) {
        int *next = &walk->next[walk->depth - 1];
        const BookNode *node = book_find(walk->book, pos_key(&walk->pos));
        if (*next < node->count) {
            pos_do(&walk->pos, node->moves[(*next)++].move);
            if (!enter_position(walk)) {
                pos_undo(&walk->pos);
            }
        } else if (--walk->depth > 0) {
            pos_undo(&walk->pos);
        }
    }
}

size_t bookread_load(const BookReader *reader, const _Atomic bool *cancel, Book *book) {
    if (reader->db != NULL) {
        BookDbLoad load = bookdb_load(reader->text, cancel, book);
        return load.refused + load.illegal;
    }
    Book whole = {0};
    Walk walk = {.reader = reader, .cancel = cancel, .book = &whole};
    StrView starts = reader->file.starts;
    StrView line;
    pos_init(&walk.pos);
    while (!book_is_cancelled(cancel) && sv_next_line(&starts, &line)) {
        if (pos_set_sfen(&walk.pos, line, NULL) == KMD_OK) {
            walk_from_here(&walk);
        }
    }
    pos_free(&walk.pos);
    free(walk.next);
    size_t missing = reader->file.positions - whole.count;
    book_join(book, &whole);
    book_free(&whole);
    return missing;
}

/* ---- choosing a move ------------------------------------------------------------------------- */

/* In centipawns: a move that is worse than the best by this much has a weight of 1 / e, about a
 * third. */
enum { MAX_SCALE = 25 };

/* NarrowBook: a move is used only if it was played in at least one of this many games of the
 * position. */
enum { NARROW_SHARE = 10 };

/* Sorts the best move to the front. */
static void order_entry(BookEntry *entry) {
    BookNode node = {.moves = entry->moves, .count = entry->count};
    book_order_moves(&node);
}

bool bookread_candidates(const BookReader *reader, const Position *pos,
                         const BookPickOptions *options, BookEntry *entry) {
    if (pos->ply > options->book_moves || !bookread_find(reader, pos, &options->find, entry)) {
        return false;
    }
    bool has_scores = false;
    int best = -BOOK_MAX_SCORE;
    uint64_t games = 0;
    for (int i = 0; i < entry->count; i++) {
        const BookMove *move = &entry->moves[i];
        games += book_games(move);
        if (move->score != BOOK_NO_SCORE) {
            has_scores = true;
            best = int_max(best, move->score);
        }
    }
    int least = best - options->book_eval_diff;
    if (features_missing(pos) == 0) { /* no handicap game */
        least = int_max(least, options->book_eval_limit[pos->side]);
    }
    Position scratch;
    int kept = 0;
    pos_init_copy(&scratch, pos);
    for (int i = 0; i < entry->count; i++) {
        BookMove move = entry->moves[i];
        bool is_shallow = options->book_depth_limit > 0 && move.depth < options->book_depth_limit;
        bool is_rare = options->narrow_book && book_games(&move) * NARROW_SHARE < games;
        bool is_bad = has_scores && (move.score == BOOK_NO_SCORE || move.score < least);
        pos_do(&scratch, move.move);
        bool repeats = repetition_count(&scratch) > 1;
        pos_undo(&scratch);
        if (!is_shallow && !is_rare && !is_bad && !repeats) {
            entry->moves[kept++] = move;
        }
    }
    pos_free(&scratch);
    entry->count = kept;
    order_entry(entry);
    return kept > 0;
}

static double move_weight(const BookMove *move, const BookMove *best,
                          const BookPickOptions *options) {
    double games = (double)book_games(move) + 1;
    if (move->score == BOOK_NO_SCORE) {
        return games;
    }
    int scale = int_clamp(options->book_eval_diff / 2, 1, MAX_SCALE);
    double weight = exp((double)(move->score - best->score) / scale);
    return options->consider_book_move_count ? weight * games : weight;
}

int bookread_choose(const BookEntry *entry, const BookPickOptions *options, Rng *rng) {
    double sum = 0;
    for (int i = 0; i < entry->count; i++) {
        sum += move_weight(&entry->moves[i], &entry->moves[0], options);
    }
    double place = rng_unit(rng) * sum;
    int chosen = 0;
    for (; chosen < entry->count - 1; chosen++) {
        place -= move_weight(&entry->moves[chosen], &entry->moves[0], options);
        if (place < 0) {
            break;
        }
    }
    return chosen;
}

int bookread_line(const BookReader *reader, const Position *pos, const BookMove *move,
                  const BookFind *how, Move *line, int most) {
    Position walk;
    BookEntry entry;
    int len = 0;
    Move next = move->move, reply = move->reply;
    pos_init_copy(&walk, pos);
    while (len < most && move_is_legal(&walk, next)) {
        line[len++] = next;
        pos_do(&walk, next);
        if (repetition_count(&walk) > 1) {
            break;
        }
        next = reply;
        reply = MOVE_NONE;
        if (bookread_find(reader, &walk, how, &entry)) {
            order_entry(&entry);
            int choice = 0;
            for (int i = 0; i < entry.count; i++) {
                choice = entry.moves[i].move == next ? i : choice;
            }
            next = entry.moves[choice].move;
            reply = entry.moves[choice].reply;
        }
    }
    pos_free(&walk);
    return len;
}
