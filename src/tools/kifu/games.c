/* games.c: opens the files one by one, and prints errors with file, line and move. */
#include "tools/kifu/games.h"

#include "tools/kifu/kifutool.h"

#include <stdio.h>

const KifuPart games_parts[KIFU_PARTS] = {
    {KMD_HOLDS_MOVES, "moves"},         {KMD_HOLDS_HEADERS, "headers"},
    {KMD_HOLDS_TIMES, "times"},         {KMD_HOLDS_COMMENTS, "comments"},
    {KMD_HOLDS_BOOKMARKS, "bookmarks"}, {KMD_HOLDS_VARIATIONS, "variations"},
    {KMD_HOLDS_ENDINGS, "endings"},     {KMD_HOLDS_SOME_ENDINGS, "some endings"},
};

bool games_complain(const char *path, int error) {
    fprintf(stderr, "%s: %s\n", path, file_error_text(error));
    return false;
}

static void report(const char *path, const KmdFault *fault) {
    StrBuf text = STRBUF_INIT;
    kifu_append_fault(path, fault, &text);
    fprintf(stderr, "%s\n", text.ptr);
    strbuf_free(&text);
}

void games_open(Games *games, const KifuArgs *args, const char *path) {
    *games = (Games){.path = path};
    record_init(&games->record);
    int error = kifu_stream_open(&games->stream, path, args->from);
    games->is_open = error == 0;
    if (error != 0) {
        games->faults++;
        games_complain(path, error);
    }
}

bool games_next(Games *games, const KifuArgs *args) {
    KmdFault fault = {.reason = NULL};
    KmdNext next = KMD_NEXT_END;
    if (!games->is_open) {
        return false;
    }
    next = kifu_stream_next(&games->stream, &games->record, &fault);
    if (next == KMD_NEXT_FAILED) {
        games->faults++;
        games_complain(games->path, games->stream.file_error);
    } else if (next == KMD_NEXT_END && games->count == 0) {
        games->faults++;
        fprintf(stderr, "%s: contains no game\n", games->path);
    }
    games->is_broken = next == KMD_NEXT_BROKEN;
    games->faults += games->is_broken;
    games->count += next < KMD_NEXT_END;
    if (next < KMD_NEXT_END && fault.reason != NULL && (games->is_broken || !args->quiet)) {
        report(games->path, &fault);
    }
    return next < KMD_NEXT_END;
}

void games_close(Games *games) {
    if (games->is_open) {
        kifu_stream_free(&games->stream);
    }
    record_free(&games->record);
}
