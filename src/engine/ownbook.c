/* ownbook.c: finds and opens the book selected by the options, and reports its candidates as search
 * output. */
#include "engine/ownbook.h"

#include <errno.h>
#include <stdlib.h>

#include "base/fileio.h"
#include "book/bookread.h"

void ownbook_init(OwnBook *book) {
    *book = (OwnBook){.is_stale = true};
    pthread_mutex_init(&book->lock, NULL);
}

void ownbook_free(OwnBook *book) {
    bookread_close(book->reader);
    strbuf_free(&book->wanted);
    pthread_mutex_destroy(&book->lock);
}

static bool is_special(StrView name) {
    return name.len == 0 || sv_equal(name, SV("no_book")) || sv_equal(name, SV("<default>"));
}

/* Appends the path of BookFile, which is in the folder BookDir unless it is absolute. */
static void append_path(const OwnBookOptions *options, StrBuf *out) {
    StrView file = strbuf_view(&options->book_file.path);
    bool is_whole = is_special(file) || file.ptr[0] == '/' || file.ptr[0] == '\\' ||
                    (file.len > 1 && file.ptr[1] == ':');
    if (is_whole || options->book_dir.len == 0) {
        strbuf_add(out, file);
    } else {
        file_join(options->book_dir.ptr, file, out);
    }
}

void ownbook_want(OwnBook *book, const OwnBookOptions *options) {
    StrBuf whole = STRBUF_INIT;
    if (options->usi_own_book) {
        append_path(options, &whole);
    }
    StrView path = strbuf_view(&whole);
    pthread_mutex_lock(&book->lock);
    if (!sv_equal(path, strbuf_view(&book->wanted))) {
        strbuf_clear(&book->wanted);
        strbuf_add(&book->wanted, path);
        book->is_stale = true;
    }
    pthread_mutex_unlock(&book->lock);
    strbuf_free(&whole);
}

/* Opens a regular file as a book. Other files are not opened, because they might block or never
 * end. */
static struct BookReader *open_regular(const char *path, const _Atomic bool *cancel,
                                       const char **why) {
    int error = file_check_regular(path);
    if (error != 0) {
        *why = error == EINVAL ? "not a regular file" : file_error_text(error);
        return NULL;
    }
    return bookread_open(path, cancel, why);
}

/* Returns the reader of the file, or NULL with the reason in *why. *why is NULL too if the options
 * select no book. */
static struct BookReader *open_file(StrView name, const _Atomic bool *cancel, const char **why) {
    *why = NULL;
    if (name.len == 0 || sv_equal(name, SV("no_book"))) {
        return NULL;
    }
    if (sv_equal(name, SV("<default>"))) {
        return bookread_embedded();
    }
    StrBuf path = STRBUF_INIT;
    file_look_up(name, false, &path);
    struct BookReader *reader = open_regular(path.ptr, cancel, why);
    strbuf_free(&path);
    return reader;
}

const char *ownbook_open(OwnBook *book, const _Atomic bool *cancel, StrBuf *path) {
    StrBuf name = STRBUF_INIT;
    pthread_mutex_lock(&book->lock);
    bool is_stale = book->is_stale;
    strbuf_add(&name, strbuf_view(&book->wanted));
    book->is_stale = false;
    pthread_mutex_unlock(&book->lock);
    const char *why = NULL;
    if (is_stale) {
        bookread_close(book->reader);
        book->reader = open_file(strbuf_view(&name), cancel, &why);
        why = book->reader == NULL ? why : NULL;
        strbuf_add(path, strbuf_view(&name));
    }
    strbuf_free(&name);
    return why;
}

/* Limits a score to the range that a search can report. */
static Score score_of(const BookMove *move) {
    return bookread_has_score(move) ? int_clamp(move->score, 1 - SCORE_MATE, SCORE_MATE - 1)
                                    : SCORE_NONE;
}

/* Fills in the report of a candidate, except its line, and sends it. */
static void tell(const BookMove *move, SearchInfo *info, const SearchSink *sink) {
    info->depth = move->depth;
    info->score = score_of(move);
    info->bound = BOUND_EXACT;
    info->remark = "book";
    if (sink->on_info != NULL) {
        sink->on_info(sink->context, info);
    }
}

bool ownbook_answer(const OwnBook *book, const OwnBookOptions *options, const Position *pos,
                    uint64_t random, const SearchSink *sink) {
    Rng rng = rng_init(random);
    const BookPickOptions *rules = &options->options;
    BookEntry entry;
    bool is_ignored = (int)rng_below(&rng, 100) < options->book_ignore_rate;
    if (book->reader == NULL || is_ignored ||
        !bookread_candidates(book->reader, pos, rules, &entry)) {
        return false;
    }
    if (sink == NULL) {
        return true;
    }
    int chosen = bookread_choose(&entry, rules, &rng);
    Move line[MAX_PLY];
    SearchInfo info = {.rank = entry.count, .line_count = entry.count, .pv = line};
    for (int i = entry.count; i >= 0; i--) {
        /* The worst move comes first, the chosen move last. */
        const BookMove *move = &entry.moves[i > 0 ? i - 1 : chosen];
        if (i == 0 || i - 1 != chosen) {
            info.pv_len =
                bookread_line(book->reader, pos, move, &rules->find, line, options->book_pv_moves);
            tell(move, &info, sink);
            info.rank--;
        }
    }
    const BookMove *move = &entry.moves[chosen];
    SearchResult result = {.best = move->move,
                           .ponder = info.pv_len > 1 ? line[1] : move->reply,
                           .score = score_of(move),
                           .depth = move->depth};
    if (sink->on_done != NULL) {
        sink->on_done(sink->context, &result);
    }
    return true;
}
