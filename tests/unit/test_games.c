/* The games of a file with the messages about them, and what is known before the next one is read.
 */
#include "record/kifuio.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

/* Collects messages, each on a line that begins with "note" or "error". A path is left out. */
static StrBuf told;

static void tell(const void *context, const char *message, bool is_note) {
    StrView text = sv_from(message);
    text = sv_skip(text, sv_from(context).len);
    strbuf_addf(&told, "%s%.*s\n", is_note ? "note" : "error", (int)text.len, text.ptr);
}

/* Opens a file with this text. The caller removes it. */
static void open_text(Games *games, const char *text, char *path) {
    int file = mkstemp(path);
    CHECK(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    CHECK(close(file) == 0);
    strbuf_clear(&told);
    games_open(games, path, NULL, tell, path);
}

static void close_file(Games *games, const char *path) {
    games_close(games);
    CHECK(unlink(path) == 0);
    strbuf_free(&told);
}

static void test_several(void) {
    char path[] = "/tmp/komadori-games-XXXXXX";
    Games games;
    open_text(&games, "PI\n+\n+7776FU\n/\nPI\n+\n+7776FU\n+2726FU\n/\nPI\n+\n", path);
    CHECK(games_has_more(&games));
    CHECK_INT(games.count, 0);
    CHECK(games_next(&games));
    CHECK_INT(games.count, 1);
    CHECK_INT(record_main_length(&games.record), 1);
    CHECK(games_has_more(&games));
    CHECK_INT(record_main_length(&games.record), 1);
    CHECK(told.len == 0);
    CHECK(games_next(&games));
    CHECK(games.is_broken);
    CHECK_STR(told.ptr, "error:8: move 2: a move of the wrong side: +2726FU\n");
    CHECK(games_next(&games));
    CHECK(!games.is_broken);
    CHECK_INT(record_main_length(&games.record), 0);
    CHECK_STR(games.form.codec->format.name, "csa");
    CHECK(!games_has_more(&games));
    CHECK(!games_next(&games) && !games_next(&games));
    CHECK_INT(games.count, 3);
    CHECK_INT((int)games.faults, 1);
    close_file(&games, path);
}

static void test_none(void) {
    char path[] = "/tmp/komadori-games-XXXXXX";
    Games games;
    open_text(&games, "", path);
    CHECK(!games_has_more(&games));
    CHECK(!games_next(&games) && !games_next(&games));
    CHECK_STR(told.ptr, "error: contains no game\n");
    CHECK_INT((int)games.faults, 1);
    close_file(&games, path);
    games_open(&games, "/nowhere/a.kif", NULL, tell, "/nowhere/a.kif");
    CHECK_STR(told.ptr, "error: No such file or directory\n");
    CHECK(!games_has_more(&games) && !games_next(&games));
    CHECK_INT((int)games.faults, 1);
    games_close(&games);
    strbuf_free(&told);
}

/* Bytes in memory are read like a file. */
static void test_bytes(void) {
    Games games;
    strbuf_clear(&told);
    games_open_bytes(&games, "-", SV("PI\n+\n+7776FU\n/\nPI\n+\n+7776FU\n+2726FU"), tell, "-");
    CHECK(games_next(&games) && !games.is_broken);
    CHECK_STR(games.form.codec->format.name, "csa");
    CHECK(games_next(&games) && games.is_broken);
    CHECK_STR(told.ptr, "error:8: move 2: a move of the wrong side: +2726FU\n");
    CHECK(!games_next(&games));
    games_close(&games);
    strbuf_clear(&told);
    games_open_bytes(&games, "-", (StrView){NULL, 0}, tell, "-");
    CHECK(!games_next(&games));
    CHECK_STR(told.ptr, "error: contains no game\n");
    games_close(&games);
    strbuf_free(&told);
}

UNIT_MAIN({"several games", test_several}, {"no game", test_none}, {"bytes", test_bytes})
