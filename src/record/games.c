/* games.c: reads a game ahead if the caller asks what follows, and puts errors into words. */
#include "record/games.h"

static void tell_fault(const Games *games, const KmdFault *fault, bool is_note) {
    StrBuf text = STRBUF_INIT;
    kifu_append_fault(games->path, fault, &text);
    games->tell(games->context, text.ptr, is_note);
    strbuf_free(&text);
}

static void init(Games *games, const char *path, GamesTell *tell, const void *context) {
    *games = (Games){.path = path, .tell = tell, .context = context};
    record_init(&games->record);
    record_init(&games->ahead.record);
}

void games_open(Games *games, const char *path, const Codec *codec, GamesTell *tell,
                const void *context) {
    init(games, path, tell, context);
    int error = kifu_stream_open(&games->stream, path, codec);
    games->is_open = error == 0;
    if (error != 0) {
        games->faults++;
        KmdFault fault = {.reason = file_error_text(error)};
        tell_fault(games, &fault, false);
    }
}

void games_open_bytes(Games *games, const char *path, StrView bytes, GamesTell *tell,
                      const void *context) {
    init(games, path, tell, context);
    kifu_stream_open_bytes(&games->stream, bytes);
    games->is_open = true;
}

static void close_stream(Games *games) {
    if (games->is_open) {
        kifu_stream_free(&games->stream);
        games->is_open = false;
    }
}

void games_close(Games *games) {
    close_stream(games);
    record_free(&games->record);
    record_free(&games->ahead.record);
}

static void read_ahead(Games *games) {
    GameRead *ahead = &games->ahead;
    ahead->fault = (KmdFault){.reason = NULL};
    ahead->state = kifu_stream_next(&games->stream, &ahead->record, &ahead->fault);
    ahead->form = games->stream.form;
    if (ahead->state == KMD_NEXT_FAILED) {
        ahead->fault.reason = file_error_text(games->stream.file_error);
    }
    if (ahead->state >= KMD_NEXT_END) {
        close_stream(games);
    }
    games->has_ahead = true;
}

bool games_has_more(Games *games) {
    if (games->is_open && !games->has_ahead) {
        read_ahead(games);
    }
    return games->has_ahead && games->ahead.state < KMD_NEXT_END;
}

/* Makes the game that was read ahead the last one, and the other way round. */
static void take_ahead(Games *games) {
    Record last = games->record;
    games->record = games->ahead.record;
    games->ahead.record = last;
    games->form = games->ahead.form;
    games->is_broken = games->ahead.state == KMD_NEXT_BROKEN;
    games->count++;
}

bool games_next(Games *games) {
    KmdFault *fault = &games->ahead.fault;
    bool is_there = games_has_more(games);
    if (is_there) {
        take_ahead(games);
    } else if (games->has_ahead && games->count == 0 && fault->reason == NULL) {
        fault->reason = "contains no game";
    }
    for (int i = 0; is_there && i < games->record.note_count; i++) {
        tell_fault(games, &games->record.notes[i], true);
    }
    if (games->has_ahead && fault->reason != NULL && (!is_there || games->is_broken)) {
        games->faults++;
        tell_fault(games, fault, false);
    }
    games->has_ahead = false;
    return is_there;
}
