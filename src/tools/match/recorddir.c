#include "tools/match/recorddir.h"

#include <dirent.h>
#include <errno.h>
#include <unistd.h>

#include "base/fileio.h"
#include "tools/match/gamerecord.h"

#define FILE_START "game-"

/* So many digits at least, so that the files sort as the games. */
enum { FILE_DIGITS = 6 };

/* Without the dot. */
static StrView file_extension(const MatchSettings *settings) {
    StrView extensions = sv_from(settings->record_codec->format.extensions);
    return sv_take(extensions, sv_find_byte(extensions, ' '));
}

/* True for the names that recorddir_write gives to games 1..total. */
static bool is_game_file(const MatchSettings *settings, StrView name, int total) {
    int number;
    if (!sv_starts_with(name, SV(FILE_START))) {
        return false;
    }
    name = sv_skip(name, SV(FILE_START).len);
    size_t dot = sv_find_byte(name, '.');
    return dot >= FILE_DIGITS && sv_to_int(sv_take(name, dot), 1, total, &number) &&
           sv_equal(sv_skip(name, dot + 1), file_extension(settings));
}

bool recorddir_check(const MatchSettings *settings, int total, StrBuf *error) {
    const char *path = settings->records_dir;
    if (path == NULL) {
        return true;
    }
    DIR *dir = opendir(path);
    if (dir == NULL || access(path, W_OK) != 0) {
        strbuf_addf(error, "-records: %s: %s", path, file_error_text(errno));
    }
    bool looks = dir != NULL && error->len == 0 && !settings->resumes;
    const struct dirent *entry;
    while (looks && (entry = readdir(dir)) != NULL) {
        if (is_game_file(settings, sv_from(entry->d_name), total)) {
            strbuf_addf(error, "-records: %s/%s exists; name another folder", path, entry->d_name);
            looks = false;
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    return error->len == 0;
}

bool recorddir_write(const MatchSettings *settings, const ScheduledGame *game, const Position *pos,
                     const GameResult *result) {
    KifuForm form = kifu_form(settings->record_codec);
    const char *first = settings->engines[game->first].name;
    const char *second = settings->engines[game->second].name;
    GameSheet sheet = {.black = game->is_first_black ? first : second,
                       .white = game->is_first_black ? second : first,
                       .event = settings->event,
                       .site = settings->site,
                       .pos = pos,
                       .result = result};
    StrBuf path = STRBUF_INIT;
    StrBuf text = STRBUF_INIT;
    strbuf_addf(&path, "%s/" FILE_START "%0*d.", settings->records_dir, FILE_DIGITS,
                game->index + 1);
    strbuf_add(&path, file_extension(settings));
    gamerecord_write(&sheet, &form, &text);
    int error = file_write(path.ptr, text.ptr, text.len);
    strbuf_free(&path);
    strbuf_free(&text);
    errno = error;
    return error == 0;
}
