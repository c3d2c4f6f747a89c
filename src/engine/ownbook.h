/* ownbook.h: the engine's opening book: opens the book that the options select, and plays moves
 * from it. Which of a position's moves is played, bookread.h decides.
 *
 * All functions must be called on the engine's thread. Nothing here prints. */
#ifndef KMD_ENGINE_OWNBOOK_H
#define KMD_ENGINE_OWNBOOK_H

#include <stdatomic.h>

#include "base/cmdline.h"
#include "book/bookread.h"
#include "rules/position.h"
#include "search/search.h"

/* The options of the book. */
typedef struct OwnBookOptions {
    bool usi_own_book;
    ArgFile book_file; /* <default>, no_book or a path */
    StrBuf book_dir;   /* the folder of book_file, unless that is an absolute path; may be empty */
    int book_ignore_rate;
    int book_pv_moves;
    BookPickOptions options;
} OwnBookOptions;

/* Zero-initialise it: no book is open. */
typedef struct OwnBook {
    struct BookReader *reader; /* NULL: no book is open */
    StrBuf path;               /* what the options selected when it was opened */
    uint64_t stamp;            /* file_stamp of that file then, even if it could not be opened */
} OwnBook;

void ownbook_free(OwnBook *book);

/* Opens the book that the options select, unless it is already open and its file has not changed.
 * Opening may take a second for a text file with a million positions; the watch (may be NULL) can
 * end it early. Returns NULL on success. Otherwise returns the reason why there is no book (static
 * storage), once until the file changes, and book->path is the file. `<default>` is the built-in
 * book, if there is one; "no_book" or an empty name means no book. A path not found in the working
 * directory is looked up in the program's folder. */
const char *ownbook_open(OwnBook *book, const OwnBookOptions *options, const Watch *watch);

/* If the book has moves that the options allow, returns true after passing a line for each move to
 * sink->on_info (the move to play comes last, with rank 1) and the answer to sink->on_done. If sink
 * is NULL, only returns whether there is an answer. `random` is a random number that selects the
 * move. */
bool ownbook_answer(const OwnBook *book, const OwnBookOptions *options, const Position *pos,
                    uint64_t random, const SearchSink *sink);

#endif
