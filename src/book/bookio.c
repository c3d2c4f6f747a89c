/* bookio.c: reads books and lists into a book, and writes a book as a list or as a tree of
 * variations. */
#include "book/bookio.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fileio.h"
#include "base/utf8.h"
#include "base/xmem.h"
#include "book/bookdb.h"
#include "book/bookfile.h"
#include "book/bookgraph.h"
#include "book/bookpick.h"
#include "record/codecs.h"
#include "record/kifuio.h"
#include "rules/legality.h"
#include "rules/outcome.h"
#include "rules/sfen.h"
#include "rules/usimove.h"

/* Returns true if `error` is 0; otherwise false, with the text of the error in *why. */
static bool succeeds(int error, StrBuf *why) {
    strbuf_add_str(why, error != 0 ? file_error_text(error) : "");
    return error == 0;
}

/* Returns true if the work is cancelled, which is then the reason in *why. */
static bool is_stopped(const _Atomic bool *cancel, StrBuf *why) {
    bool is_over = book_is_cancelled(cancel);
    strbuf_add_str(why, is_over ? "stopped" : "");
    return is_over;
}

/* ---- books and lists ------------------------------------------------------------------------- */

BookReader *bookio_open(const char *path, const _Atomic bool *cancel, StrBuf *why) {
    const char *reason = "this program has no built-in book";
    bool is_embedded = sv_equal(sv_from(path), SV(BOOKIO_EMBEDDED));
    BookReader *reader =
        is_embedded ? bookread_embedded() : bookread_open(path, true, cancel, &reason);
    if (reader == NULL) {
        strbuf_add_str(why, reason != NULL ? reason : "stopped");
    }
    return reader;
}

bool bookio_load(const char *path, const _Atomic bool *cancel, Book *book, size_t *missing,
                 StrBuf *why) {
    BookReader *reader = bookio_open(path, cancel, why);
    size_t left_out = reader != NULL ? bookread_load(reader, cancel, book) : 0;
    bool is_whole = reader != NULL && !is_stopped(cancel, why);
    *missing = is_whole ? left_out : 0;
    bookread_close(reader);
    return is_whole;
}

static bool add_line(StrView line, Position *pos, Book *book) {
    Tokenizer tok = {line};
    StrView word;
    UsiFault fault;
    if (sv_equal(tok_peek(&tok), SV("position"))) {
        (void)tok_next(&tok, &word);
    }
    if (!usimove_position(tok_rest(&tok), pos, &fault)) {
        return false;
    }
    Setup setup = pos_get(pos);
    (void)book_add(book, &setup);
    return true;
}

bool bookio_load_list(const char *path, Book *book, StrBuf *why) {
    StrBuf text = STRBUF_INIT;
    bool is_good = succeeds(file_read(path, &text), why);
    StrView rest = utf8_without_mark(strbuf_view(&text));
    StrView line;
    Position pos;
    int number = 0;
    pos_init(&pos);
    while (is_good && sv_next_row(&rest, &line, &number)) {
        is_good = add_line(line, &pos, book);
        if (!is_good) {
            strbuf_addf(why, "line %d is not a position", number);
        }
    }
    pos_free(&pos);
    strbuf_free(&text);
    return is_good;
}

bool bookio_is_book(const char *path) {
    return sv_equal(sv_from(path), SV(BOOKIO_EMBEDDED)) ||
           file_begins_with(path, SV(BOOKFILE_MAGIC)) ||
           file_begins_with(path, SV("#YANEURAOU-DB")) ||
           file_begins_with(path, SV("\xEF\xBB\xBF#YANEURAOU-DB"));
}

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct Tree {
    const Book *book;
    Record record;
    Position pos;
    bool *is_seen;
    size_t positions; /* number of positions in the tree */
} Tree;

/* Adds the moves of the position after `parent` recursively, but follows each position only
 * once. */
static void add_tree(Tree *tree, int parent) {
    const BookNode *node = book_find(tree->book, pos_key(&tree->pos));
    if (node == NULL || tree->is_seen[node - tree->book->nodes]) {
        return;
    }
    tree->is_seen[node - tree->book->nodes] = true;
    tree->positions++;
    for (int i = 0; i < node->count; i++) {
        const BookMove *move = &node->moves[i];
        int place = move_is_legal(&tree->pos, move->move)
                        ? record_add_move(&tree->record, parent, move->move)
                        : KMD_NODE_NONE;
        if (place == KMD_NODE_NONE) {
            continue;
        }
        StrBuf text = STRBUF_INIT;
        if (move->score != BOOK_NO_SCORE) {
            /* The score is written from black's point of view, in the words that ShogiHome and
             * other programs read. */
            strbuf_addf(&text, "#評価値=%d\n#深さ=%d\n",
                        tree->pos.side == BLACK ? move->score : -move->score, move->depth);
        }
        strbuf_addf(&text, "games %llu", (unsigned long long)book_games(move));
        record_set_comment(&tree->record, place, strbuf_view(&text));
        strbuf_free(&text);
        pos_do(&tree->pos, move->move);
        add_tree(tree, place);
        pos_undo(&tree->pos);
    }
}

/* Returns the number of positions written. */
static size_t write_tree(const Book *book, const char *path, FILE *stream) {
    Tree tree = {.book = book, .is_seen = xmem_calloc(book->count + 1, sizeof(bool))};
    StrBuf text = STRBUF_INIT;
    KifuForm form = kifu_form_by_path(kifu_codec_by_path(sv_from(path)), sv_from(path));
    record_init(&tree.record);
    pos_init(&tree.pos);
    pos_set(&tree.pos, &tree.record.start);
    add_tree(&tree, KMD_ROOT);
    (void)kifu_write(&tree.record, &form, &text);
    (void)fwrite(text.ptr, 1, text.len, stream);
    pos_free(&tree.pos);
    record_free(&tree.record);
    strbuf_free(&text);
    free(tree.is_seen);
    return tree.positions;
}

static void write_list(const Book *book, FILE *stream) {
    for (size_t i = 0; i < book->count; i++) {
        StrBuf line = STRBUF_INIT;
        Setup setup = book->nodes[i].setup;
        setup.ply = int_max(setup.ply, 1);
        sfen_write(&setup, &line);
        (void)fprintf(stream, "sfen %s\n", line.ptr);
        strbuf_free(&line);
    }
}

static bool write_own(Book *book, FILE *stream) {
    StrBuf bytes = STRBUF_INIT;
    bool is_good = bookfile_write(book, &bytes);
    if (is_good) {
        (void)fwrite(bytes.ptr, 1, bytes.len, stream);
    }
    strbuf_free(&bytes);
    return is_good;
}

bool bookio_can_write(const char *path) {
    const Codec *codec = kifu_codec_by_path(sv_from(path));
    return codec == NULL || sv_ends_with(sv_from(path), SV(".sfen")) ||
           (codec->format.holds & KMD_HOLDS_VARIATIONS) != 0;
}

bool bookio_write(Book *book, const char *path, size_t *written, StrBuf *why) {
    StrView name = sv_from(path);
    FileWriter writer;
    bool fits = true;
    book_sort(book);
    *written = book->count;
    if (!succeeds(file_begin(&writer, path), why)) {
        return false;
    }
    if (sv_ends_with(name, SV(".db"))) {
        bookdb_write(book, writer.stream);
    } else if (sv_ends_with(name, SV(".sfen"))) {
        write_list(book, writer.stream);
    } else if (kifu_codec_by_path(name) != NULL) {
        *written = write_tree(book, path, writer.stream);
    } else {
        fits = write_own(book, writer.stream);
    }
    if (!fits) {
        file_abandon(&writer);
        strbuf_add_str(why, "the book has more moves than the format can hold");
        return false;
    }
    return succeeds(file_commit(&writer), why);
}

/* ---- verifying ------------------------------------------------------------------------------- */

static bool verify_own(StrView bytes, const Book *book, StrBuf *why) {
    BookFile file;
    uint64_t moves = 0;
    for (size_t i = 0; i < book->count; i++) {
        moves += (uint64_t)book->nodes[i].count;
    }
    const char *reason = bookfile_open(bytes.ptr, bytes.len, &file);
    if (reason == NULL && (moves != file.moves || book->count != file.positions)) {
        reason = "not all of its moves can be played";
    }
    strbuf_add_str(why, reason != NULL ? reason : "");
    return reason == NULL;
}

static bool verify_text(StrView text, const _Atomic bool *cancel, StrBuf *counts, StrBuf *why) {
    Book book = {0};
    BookDbLoad load = bookdb_load(text, cancel, &book);
    book_free(&book);
    if (is_stopped(cancel, why)) {
        return false;
    }
    strbuf_addf(counts, "%llu position%s, %llu of them wrong, %llu illegal move%s, %s",
                (unsigned long long)load.positions, str_plural(load.positions),
                (unsigned long long)load.refused, (unsigned long long)load.illegal,
                str_plural(load.illegal),
                load.is_sorted ? "sorted" : "not sorted: BookOnTheFly cannot search it");
    bool is_good = load.refused == 0 && load.illegal == 0;
    strbuf_add_str(why, is_good ? "" : "has wrong positions or illegal moves");
    return is_good;
}

/* A key does not show whether its position exists, so only entries that the start position leads to
 * can be checked. */
static bool verify_apery(const BookReader *reader, const _Atomic bool *cancel, const Book *book,
                         StrBuf *counts, StrBuf *why) {
    BookCheck check = bookread_check(reader, cancel, book);
    if (is_stopped(cancel, why)) {
        return false;
    }
    const char *fault = !check.is_sorted     ? "its keys are not in order"
                        : check.has_illegal  ? "it has illegal moves"
                        : check.reached == 0 ? "the start position leads to none of its moves, so "
                                               "nothing can be verified"
                                             : NULL;
    if (fault == NULL) {
        strbuf_addf(
            counts, "%llu move%s, %llu of them verified%s", (unsigned long long)check.entries,
            str_plural(check.entries), (unsigned long long)check.reached,
            check.reached < check.entries ? "; the start position does not lead to the others"
                                          : "");
    }
    strbuf_add_str(why, fault != NULL ? fault : "");
    return fault == NULL && check.reached == check.entries;
}

BookState bookio_verify(const char *path, const _Atomic bool *cancel, const Book *book,
                        StrBuf *counts, StrBuf *why) {
    BookReader *reader = bookio_open(path, cancel, why);
    if (reader == NULL) {
        return BOOK_DAMAGED;
    }
    StrView bytes = bookread_bytes_of(reader);
    BookFormat format = bookread_format(reader);
    bool is_whole = is_stopped(cancel, why) ? false
                    : format == BOOK_OWN    ? verify_own(bytes, book, why)
                    : format == BOOK_DB     ? verify_text(bytes, cancel, counts, why)
                                            : verify_apery(reader, cancel, book, counts, why);
    bookread_close(reader);
    return is_whole ? BOOK_WHOLE : why->len > 0 ? BOOK_DAMAGED : BOOK_UNKNOWN;
}

/* ---- in words -------------------------------------------------------------------------------- */

void bookio_summarize(const char *path, Book *book, StrBuf *out) {
    FileMap map;
    BookCount count = bookgraph_count(book);
    double moves = (double)(count.moves > 0 ? count.moves : 1);
    if (!sv_equal(sv_from(path), SV(BOOKIO_EMBEDDED)) && file_map(path, &map) == 0) {
        strbuf_addf(out, "%s: %llu bytes, %.1f per move\n", path, (unsigned long long)map.len,
                    (double)map.len / moves);
        file_unmap(&map);
    }
    strbuf_addf(out, "positions %llu, %u of them starts, the last of ply %d\n",
                (unsigned long long)book->count, count.starts, count.last_ply);
    strbuf_addf(out, "moves %llu, %llu with a score, mean depth %.1f, games %llu\n",
                (unsigned long long)count.moves, (unsigned long long)count.scored,
                (double)count.depths / moves, (unsigned long long)count.games);
}

static const BookFind anywhere = {.ignore_book_ply = true, .flipped_book = true};

static void append_move(const BookReader *reader, const Position *pos, const BookMove *move,
                        StrBuf *out) {
    Move line[16];
    if (move->score != BOOK_NO_SCORE) {
        strbuf_addf(out, "%6d  depth %3d", move->score, move->depth);
    } else {
        strbuf_add_str(out, "     -           ");
    }
    strbuf_addf(out, "  games %llu (+%u =%u -%u) ", (unsigned long long)book_games(move),
                move->wins, move->draws, move->losses);
    int len = bookpick_line(reader, pos, move, &anywhere, line, (int)COUNTOF(line));
    usimove_append_line(line, len, out);
    strbuf_add_byte(out, '\n');
}

void bookio_describe(const BookReader *reader, const Position *pos, StrBuf *out) {
    BookEntry entry;
    if (!bookread_find(reader, pos, &anywhere, &entry)) {
        strbuf_add_str(out, "not in the book\n");
        return;
    }
    for (int i = 0; i < entry.count; i++) {
        append_move(reader, pos, &entry.moves[i], out);
    }
}
