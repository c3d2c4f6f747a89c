/* The index of a folder of analysed games. */
#include "commands/gameindex.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fileio.h"
#include "record/kifuio.h"
#include "unit.h"

/* The entry of a game between two players, with one score. */
static void add_game(const char *black, const char *page, StrBuf *lines) {
    KifuForm form = {.codec = kifu_codec_by_name(SV("usi"))};
    KmdFault error;
    Record record;
    Analysis analysis;
    record_init(&record);
    CHECK(kifu_read(SV("startpos moves 7g7f 3c3d resign"), &form, &record, &error));
    record_set_header(&record, SV("先手"), sv_from(black));
    analysis_init(&analysis, &record);
    analysis.at[1] = (Judgement){.depth = 1, .line_count = 1, .lines = {{.score = 600}}};
    gameindex_add(&analysis, sv_from(page), lines);
    analysis_free(&analysis);
    record_free(&record);
}

static void test_line(void) {
    StrBuf line = STRBUF_INIT;
    add_game("<b>", "a \"x\".html", &line);
    CHECK_STR(line.ptr,
              "{\"page\":\"a \\\"x\\\".html\",\"black\":\"\\u003cb>\",\"white\":\"\",\"date\":\"\","
              "\"event\":\"\",\"result\":\"white\",\"ending\":\"投了\",\"length\":2,\"players\":["
              "{\"moves\":0,\"accuracy\":0.0,\"mistakes\":0,\"blunders\":0},"
              "{\"moves\":0,\"accuracy\":0.0,\"mistakes\":0,\"blunders\":0}],"
              "\"wins\":[null,73,null]}\n");
    strbuf_free(&line);
}

static const ArgPart alone = {1, 1};

static void write_text(const char *path, const char *text) {
    CHECK_INT(file_write(path, text, sv_from(text).len), 0);
}

static int count_of(const StrBuf *text, const char *part) {
    StrView rest = strbuf_view(text), needle = sv_from(part);
    int count = 0;
    for (size_t at; (at = sv_find(rest, needle)) < rest.len; count++) {
        rest = sv_skip(rest, at + needle.len);
    }
    return count;
}

/* Games of earlier runs stay while their pages exist; a game that is analysed again replaces its
 * entry. */
static void test_merging(void) {
    char folder[] = "/tmp/komadori-index-XXXXXX";
    StrBuf first = STRBUF_INIT, second = STRBUF_INIT, text = STRBUF_INIT, out = STRBUF_INIT;
    StrBuf paths[3] = {STRBUF_INIT, STRBUF_INIT, STRBUF_INIT};
    static const char *const names[] = {GAMEINDEX_NAME, "a.html", "b.html"};
    CHECK(mkdtemp(folder) != NULL);
    for (size_t i = 0; i < COUNTOF(names); i++) {
        file_join(folder, sv_from(names[i]), &paths[i]);
    }
    const char *path = paths[0].ptr;
    write_text(paths[1].ptr, "a");
    write_text(paths[2].ptr, "b");
    CHECK_INT(gameindex_check(path), 0);
    add_game("Old A", "a.html", &first);
    add_game("Old B", "b.html", &first);
    add_game("Gone", "gone.html", &first);
    CHECK_INT(gameindex_write(folder, &alone, &first, &out), 0);
    CHECK_STR(out.ptr, path);
    CHECK_INT(gameindex_check(path), 0);
    add_game("New A", "a.html", &second);
    strbuf_clear(&out);
    CHECK_INT(gameindex_write(folder, &alone, &second, &out), 0);
    CHECK_INT(file_read(path, &text), 0);
    CHECK_INT(count_of(&text, "{\"page\":"), 2);
    CHECK_INT(count_of(&text, "New A"), 1);
    CHECK_INT(count_of(&text, "Old A"), 0);
    CHECK_INT(count_of(&text, "Old B"), 1);
    CHECK_INT(count_of(&text, "Gone"), 0);
    CHECK_INT(count_of(&text, "@DATA@"), 0);
    write_text(path, "<html>somebody else's</html>");
    CHECK_INT(gameindex_check(path), EEXIST);
    for (size_t i = 0; i < COUNTOF(names); i++) {
        CHECK_INT(remove(paths[i].ptr), 0);
        strbuf_free(&paths[i]);
    }
    CHECK_INT(rmdir(folder), 0);
    strbuf_free(&first);
    strbuf_free(&second);
    strbuf_free(&text);
    strbuf_free(&out);
}

/* Shards write the same index as one run does, in whichever order they end, also if an index that
 * lacks games is written over it. */
static void test_shards(void) {
    char folder[] = "/tmp/komadori-index-XXXXXX";
    static const char *const pages[] = {"a.html", "b.html", "c.html", "d.html"};
    enum { GAMES = COUNTOF(pages), SHARDS = 2 };
    StrBuf all = STRBUF_INIT, one = STRBUF_INIT, text = STRBUF_INIT, out = STRBUF_INIT;
    StrBuf shards[SHARDS] = {STRBUF_INIT, STRBUF_INIT};
    CHECK(mkdtemp(folder) != NULL);
    for (int i = 0; i < GAMES; i++) {
        strbuf_clear(&out);
        file_join(folder, sv_from(pages[i]), &out);
        write_text(out.ptr, "page");
        add_game(pages[i], pages[i], &all);
        add_game(pages[i], pages[i], &shards[i % SHARDS]);
    }
    strbuf_clear(&out);
    CHECK_INT(gameindex_write(folder, &alone, &all, &out), 0);
    CHECK_INT(file_read(out.ptr, &one), 0);
    for (int first = 0; first < SHARDS; first++) {
        CHECK_INT(remove(out.ptr), 0);
        for (int k = 0; k < SHARDS; k++) {
            int i = (first + k) % SHARDS;
            strbuf_clear(&out);
            CHECK_INT(gameindex_write(folder, &(ArgPart){i + 1, SHARDS}, &shards[i], &out), 0);
        }
        strbuf_clear(&text);
        CHECK_INT(file_read(out.ptr, &text), 0);
        CHECK_STR(text.ptr, one.ptr);
    }
    CHECK_INT(remove(out.ptr), 0);
    strbuf_clear(&out);
    CHECK_INT(gameindex_write(folder, &(ArgPart){2, SHARDS}, &shards[1], &out), 0);
    strbuf_clear(&text);
    CHECK_INT(file_read(out.ptr, &text), 0);
    CHECK_STR(text.ptr, one.ptr);
    strbuf_clear(&text);
    CHECK_INT(file_list(folder, &text), 0);
    StrView rest = strbuf_view(&text), name;
    while (sv_next_line(&rest, &name)) {
        strbuf_clear(&out);
        file_join(folder, name, &out);
        CHECK_INT(remove(out.ptr), 0);
    }
    CHECK_INT(rmdir(folder), 0);
    strbuf_free(&all);
    strbuf_free(&one);
    strbuf_free(&text);
    strbuf_free(&out);
    for (int i = 0; i < SHARDS; i++) {
        strbuf_free(&shards[i]);
    }
}

UNIT_MAIN({"a line", test_line}, {"merging", test_merging}, {"shards", test_shards})
