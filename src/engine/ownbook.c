/* ownbook.c: finds and opens the book selected by the options, and reports its candidates as search
 * output. */
#include "engine/ownbook.h"

#include <errno.h>
#include <stdlib.h>

#include "base/fileio.h"
#include "book/bookread.h"

void ownbook_free(OwnBook *book) {
    bookread_close(book->reader);
    strbuf_free(&book->path);
}

/* Appends the path of the book that the options select. It is in the folder BookDir unless it is
 * absolute. */
static void append_book_path(const OwnBookOptions *options, StrBuf *out) {
    StrView file = strbuf_view(&options->book_file.path);
    bool is_word =
        file.len == 0 || sv_equal(file, SV("no_book")) || sv_equal(file, SV("<default>"));
    bool is_whole = is_word || file.ptr[0] == '/' || file.ptr[0] == '\\' ||
                    (file.len > 1 && file.ptr[1] == ':');
    if (is_whole || options->book_dir.len == 0) {
        strbuf_add(out, file);
    } else {
        file_join(options->book_dir.ptr, file, out);
    }
}

/* Opens the book in a file. Other files than regular ones are not opened, because they might block
 * or never end. */
static const char *open_file(OwnBook *book, const char *path, const Watch *watch) {
    const char *why = NULL;
    int error = file_check_regular(path);
    if (error != 0) {
        return error == EINVAL ? "not a regular file" : file_error_text(error);
    }
    book->reader = bookread_open(path, watch, &why);
    return book->reader == NULL ? why : NULL;
}

const char *ownbook_open(OwnBook *book, const OwnBookOptions *options, const Watch *watch) {
    StrBuf path = STRBUF_INIT, found = STRBUF_INIT;
    const char *why = NULL;
    if (options->usi_own_book) {
        append_book_path(options, &path);
    }
    StrView name = strbuf_view(&path);
    bool is_file =
        name.len > 0 && !sv_equal(name, SV("<default>")) && !sv_equal(name, SV("no_book"));
    if (is_file) {
        file_look_up(name, false, &found);
    }
    uint64_t stamp = is_file ? file_stamp(found.ptr) : 0;
    /* An open book stays if its file is deleted. */
    bool is_current = stamp == book->stamp || (stamp == 0 && book->reader != NULL);
    if (sv_equal(name, strbuf_view(&book->path)) && is_current) {
        strbuf_free(&path);
    } else {
        bookread_close(book->reader);
        book->reader = sv_equal(name, SV("<default>")) ? bookread_embedded() : NULL;
        why = is_file ? open_file(book, found.ptr, watch) : NULL;
        strbuf_free(&book->path);
        book->path = path;
        book->stamp = stamp;
    }
    strbuf_free(&found);
    return why;
}

/* Limits a score to the range that a search can report. */
static Score book_move_score(const BookMove *move) {
    return move->score != BOOK_NO_SCORE ? int_clamp(move->score, 1 - SCORE_MATE, SCORE_MATE - 1)
                                        : SCORE_NONE;
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
    SearchInfo info = {.rank = entry.count,
                       .line_count = entry.count,
                       .bound = BOUND_EXACT,
                       .pv = line,
                       .remark = "book"};
    for (int i = entry.count; i >= 0; i--) {
        /* The worst move comes first, the chosen move last. */
        const BookMove *move = &entry.moves[i > 0 ? i - 1 : chosen];
        if (i == 0 || i - 1 != chosen) {
            info.pv_len =
                bookread_line(book->reader, pos, move, &rules->find, line, options->book_pv_moves);
            info.depth = move->depth;
            info.score = book_move_score(move);
            if (sink->on_info != NULL) {
                sink->on_info(sink->context, &info);
            }
            info.rank--;
        }
    }
    const BookMove *move = &entry.moves[chosen];
    SearchResult result = {.best = move->move,
                           .ponder = info.pv_len > 1 ? line[1] : move->reply,
                           .score = book_move_score(move),
                           .depth = move->depth};
    if (sink->on_done != NULL) {
        sink->on_done(sink->context, &result);
    }
    return true;
}
