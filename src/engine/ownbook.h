/* ownbook.h: the engine's opening book: which one the options ask for, and its answer.
 *
 * Everything is for the engine's thread except ownbook_open, which may run on another one while no
 * search runs and no answer is asked for. Nothing here prints. */
#ifndef KMD_ENGINE_OWNBOOK_H
#define KMD_ENGINE_OWNBOOK_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/str.h"
#include "engine/options.h"
#include "rules/position.h"
#include "search/sinfo.h"

struct BookReader;

typedef struct OwnBook {
    struct BookReader *reader; /* NULL: none is open */
    pthread_mutex_t lock;      /* guards the next three */
    StrBuf wanted;             /* BookFile */
    bool is_searched;          /* BookOnTheFly */
    bool is_stale;             /* the options name another book than the open one */
} OwnBook;

void ownbook_init(OwnBook *book);
void ownbook_free(OwnBook *book);

/* Notes what the options ask for. */
void ownbook_want(OwnBook *book, const EngineOptions *options);

/* Opens what is asked for unless it is open, which may take a second for a million positions of
 * text; *cancel (may be NULL) cuts it short. Returns NULL, or why there is no book now (static
 * storage) with the name of the file appended to *path. `<default>` names the book inside the
 * program, or none where there is none; "no_book" and the empty name none. A path that leads
 * nowhere from the working directory counts from the program's folder. */
const char *ownbook_open(OwnBook *book, const _Atomic bool *cancel, StrBuf *path);

/* If the book has moves that the options allow, passes one line for each of them to sink->on_info
 * (the move to play last, with rank 1), then the answer to sink->on_done, and returns true. Without
 * a sink it only returns whether it would. What is left to chance follows from `random`. */
bool ownbook_answer(const OwnBook *book, const EngineOptions *options, const Position *pos,
                    uint64_t random, const SearchSink *sink);

#endif
