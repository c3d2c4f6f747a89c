/* gamefiles.c: names and writes the files of records, and appends games as USI lines. */
#include "match/gamefiles.h"

#include <errno.h>
#include <unistd.h>

#include "base/fileio.h"
#include "base/outguard.h"
#include "play/newfile.h"

#define FILE_START "game-"

/* The number in a file name has at least this many digits, so that the names sort in the order of
 * the games. */
enum { FILE_DIGITS = 6 };

/* True for the names of the records of games 1..total; *number is the number of the game. */
static bool is_game_file(const GameRecordOptions *options, StrView name, int total, int *number) {
    if (!sv_starts_with(name, SV(FILE_START))) {
        return false;
    }
    name = sv_skip(name, SV(FILE_START).len);
    size_t dot = sv_find_byte(name, '.');
    return dot >= FILE_DIGITS && sv_to_int(sv_prefix(name, dot), 1, total, number) &&
           sv_equal(sv_skip(name, dot + 1), options->extension);
}

bool gamefiles_check(const GameRecordOptions *options, int total,
                     bool (*is_played)(const void *context, int index), const void *context,
                     StrBuf *error) {
    const char *path = options->dir;
    int number = 0;
    StrBuf names = STRBUF_INIT;
    if (path == NULL) {
        return true;
    }
    int failure = file_list(path, &names);
    failure = failure == ENOENT ? file_make_folder(path) : failure;
    if (failure == 0 && access(path, W_OK) != 0) {
        failure = errno;
    }
    if (failure != 0) {
        strbuf_addf(error, "-records: %s: %s", path, file_error_text(failure));
    }
    StrView rest = strbuf_view(&names);
    StrView name;
    while (error->len == 0 && !options->may_replace && sv_next_line(&rest, &name)) {
        if (is_game_file(options, name, total, &number) && is_played(context, number - 1)) {
            StrBuf file = STRBUF_INIT;
            file_join(path, name, &file);
            (void)outguard_keep_old(file.ptr, "name another folder", error);
            strbuf_free(&file);
        }
    }
    strbuf_free(&names);
    return error->len == 0;
}

bool gamefiles_hear_records(void *self, const MatchEvent *event) {
    const GameRecordOptions *options = self;
    if (options->dir == NULL || event->kind != EVENT_END) {
        return true;
    }
    StrBuf path = STRBUF_INIT, text = STRBUF_INIT;
    strbuf_addf(&path, "%s/" FILE_START "%0*d.", options->dir, FILE_DIGITS, event->game->index + 1);
    strbuf_add(&path, options->extension);
    const Contest *contest = event->contest;
    const EngineSpec *black = &contest->engines[schedule_black(event->game)];
    const EngineSpec *white = &contest->engines[schedule_white(event->game)];
    const PlayedGame game = {.event = contest->event,
                             .site = contest->site,
                             .name = {black->name, white->name},
                             .tc = {&black->tc, &white->tc},
                             .has_furigoma = contest->schedule.has_furigoma,
                             .pos = event->pos,
                             .result = event->result};
    gamerecord_append(options, &game, &text);
    int error = file_write(path.ptr, text.ptr, text.len);
    strbuf_free(&path);
    strbuf_free(&text);
    errno = error;
    return error == 0;
}

/* ---- All games in one file of USI lines. ---- */

bool gamefiles_open_usi(UsiGamesFile *file, const char *path, bool resumes, StrBuf *error) {
    file->stream = path != NULL ? newfile_open(path, resumes, "name another file", error) : NULL;
    if (file->stream == NULL || newfile_is_empty(file->stream)) {
        return path == NULL || file->stream != NULL;
    }
    StrBuf text = STRBUF_INIT;
    bool is_good =
        newfile_read(path, &text, error) && newfile_cut(file->stream, path, text.len, error);
    strbuf_free(&text);
    return is_good;
}

bool gamefiles_hear_usi(void *self, const MatchEvent *event) {
    FILE *stream = ((UsiGamesFile *)self)->stream;
    if (stream == NULL || event->kind != EVENT_END) {
        return true;
    }
    const GameResult *result = event->result;
    const EngineSpec *engines = event->contest->engines;
    const char *start = result->start.ptr;
    bool has_moves = sv_find(sv_from(start), SV(" moves ")) < result->start.len;
    fprintf(stream, "# game %d: %s - %s, %s: %s\n", event->game->index + 1,
            engines[schedule_black(event->game)].name, engines[schedule_white(event->game)].name,
            result->winner == KMD_WINNER_DRAW ? "draw" : gameresult_winner_name(result->winner),
            gameresult_end_name(result->reason));
    fprintf(stream, "position %s%s%s\n", start,
            result->plies == 0 ? ""
            : has_moves        ? " "
                               : " moves ",
            result->plies == 0 ? "" : result->moves.ptr);
    return fflush(stream) == 0;
}

bool gamefiles_close_usi(UsiGamesFile *file) {
    return file->stream == NULL || fclose(file->stream) == 0;
}
