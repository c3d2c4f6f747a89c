/* gameindex.c: writes one line of JSON per game, keeps the lines of an existing index, and fills in
 * the template. */
#include "commands/gameindex.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fileio.h"
#include "base/json.h"
#include "base/xmem.h"
#include "record/codec.h"
#include "record/handicap.h"
#include "web/page.h"

/* Identifies an index written by us. */
#define MARK "<meta name=\"generator\" content=\"Komadori\">"
#define HEAD "{\"page\":" /* the start of the line of a game */

/* ---- A game as a line. ---- */

static void add_numbers(const Analysis *analysis, StrBuf *out) {
    strbuf_add_str(out, ",\"players\":[");
    for (int side = BLACK; side <= WHITE; side++) {
        AnalysisSummary sum = analysis_summary(analysis, (Color)side);
        strbuf_addf(out, "%s{\"moves\":%d,\"accuracy\":%.1f,\"mistakes\":%d,\"blunders\":%d}",
                    side == BLACK ? "" : ",", sum.moves, sum.accuracy, sum.mistakes[MISTAKE_BAD],
                    sum.mistakes[MISTAKE_BLUNDER]);
    }
    strbuf_add_str(out, "],\"wins\":[");
    for (int i = 0; i < analysis->count; i++) {
        const AnalysisLine *line = analysis_line(analysis, i);
        strbuf_add_str(out, i > 0 ? "," : "");
        if (line != NULL) {
            strbuf_addf(out, "%.0f", round(analysis_percent(analysis, line->score)));
        } else {
            strbuf_add_str(out, "null");
        }
    }
    strbuf_add_byte(out, ']');
}

void gameindex_add(const Analysis *analysis, StrView page, StrBuf *lines) {
    static const char *const results[] = {[KMD_WINNER_NONE] = "",
                                          [KMD_WINNER_BLACK] = "black",
                                          [KMD_WINNER_WHITE] = "white",
                                          [KMD_WINNER_DRAW] = "draw"};
    const Record *record = analysis->record;
    const Handicap *handicap = handicap_by_setup(&record->start);
    KmdEnding ending = record->nodes[record_main_end(record)].ending;
    StrBuf line = STRBUF_INIT;
    strbuf_add_str(&line, HEAD);
    json_append_string(page, &line);
    json_add_text("black", record_player(record, BLACK), &line);
    json_add_text("white", record_player(record, WHITE), &line);
    json_add_text("date", record_header(record, SV("開始日時")), &line);
    json_add_text("event", record_header(record, SV("棋戦")), &line);
    if (handicap_is_given(&record->start)) {
        json_add_text("handicap", sv_from(handicap->name), &line);
    }
    json_add_text("result", sv_from(results[record_result(record)]), &line);
    if (ending != KMD_END_NONE) {
        json_add_text("ending", sv_from(ending_name(ending)), &line);
    }
    json_add_i64("length", analysis->count - 1, &line);
    add_numbers(analysis, &line);
    strbuf_add_str(&line, "}");
    page_append_json(strbuf_view(&line), lines);
    strbuf_add_byte(lines, '\n');
    strbuf_free(&line);
}

/* ---- The index. ---- */

int gameindex_check(const char *path) {
    StrBuf text = STRBUF_INIT;
    int fault = file_read(path, &text);
    bool is_ours = sv_find(strbuf_view(&text), SV(MARK)) < text.len;
    strbuf_free(&text);
    return fault == ENOENT ? 0 : fault != 0 ? fault : is_ours ? 0 : EEXIST;
}

/* The part of a line up to the name of its page. */
static StrView page_part(StrView line) {
    return sv_prefix(line, sv_find(line, SV("\",\"")));
}

/* Reads the value of "page", which is the first key. */
static bool take_page(JsonReader *json, StrView key, void *to) {
    StrView text;
    if (!sv_equal(key, SV("page"))) {
        return json_skip(json);
    }
    if (!json_string(json, &text)) {
        return false;
    }
    strbuf_add(to, text);
    return true;
}

/* True if the line is complete and its page is in the folder. */
static bool has_file(const char *folder, StrView line) {
    JsonReader json;
    StrBuf name = STRBUF_INIT, path = STRBUF_INIT;
    FileMap map;
    json_init(&json, line);
    bool is_there = json_object(&json, take_page, &name) && json_at_end(&json) && name.len > 0;
    if (is_there) {
        file_join(folder, strbuf_view(&name), &path);
        is_there = file_map(path.ptr, &map) == 0;
        if (is_there) {
            file_unmap(&map);
        }
    }
    json_free(&json);
    strbuf_free(&name);
    strbuf_free(&path);
    return is_there;
}

/* Appends the lines of games in a file, which is an index or the list of a shard. */
static void read_games(const char *path, StrBuf *out) {
    StrBuf text = STRBUF_INIT;
    StrView line;
    StrView rest = {NULL, 0};
    if (file_read(path, &text) == 0) {
        rest = strbuf_view(&text);
    }
    while (sv_next_line(&rest, &line)) {
        /* In an index, all lines except the last end with a comma. */
        line = sv_ends_with(line, SV(",")) ? sv_prefix(line, line.len - 1) : line;
        if (sv_starts_with(line, SV(HEAD))) {
            strbuf_add(out, line);
            strbuf_add_byte(out, '\n');
        }
    }
    strbuf_free(&text);
}

/* Orders lines by the names of their pages, and lines of the same page by their places, which are
 * those of one text. */
static int compare_lines(const void *a, const void *b) {
    const StrView *first = a, *second = b;
    StrView a_page = page_part(*first), b_page = page_part(*second);
    int order = memcmp(a_page.ptr, b_page.ptr, a_page.len < b_page.len ? a_page.len : b_page.len);
    order = order != 0 ? order : (a_page.len > b_page.len) - (a_page.len < b_page.len);
    return order != 0 ? order : (first->ptr > second->ptr) - (first->ptr < second->ptr);
}

/* Appends the page with the games of `lines` whose pages are in the folder, sorted by the names of
 * these. Of two lines with the same page, the later one counts. */
static void append_index(const char *folder, StrView lines, StrBuf *out) {
    StrBuf data = STRBUF_INIT;
    StrView *games = NULL;
    size_t count = 0, cap = 0;
    StrView line;
    while (sv_next_line(&lines, &line)) {
        games = xmem_grow(games, &cap, count + 1, sizeof(*games));
        games[count++] = line;
    }
    if (count > 0) {
        qsort(games, count, sizeof(*games), compare_lines);
    }
    strbuf_add_byte(&data, '[');
    for (size_t i = 0; i < count; i++) {
        bool is_last = i + 1 == count || !sv_equal(page_part(games[i]), page_part(games[i + 1]));
        if (is_last && has_file(folder, games[i])) {
            strbuf_add_str(&data, data.len > 1 ? ",\n" : "\n");
            strbuf_add(&data, games[i]);
        }
    }
    strbuf_add_str(&data, "\n]");
    page_write(PAGE_INDEX, strbuf_view(&data), (StrView){NULL, 0}, out);
    free(games);
    strbuf_free(&data);
}

/* Appends the path of the list of a shard's games. */
static void append_list_path(const char *folder, int number, const ArgPart *shard, StrBuf *out) {
    StrBuf name = STRBUF_INIT;
    strbuf_addf(&name, "index-%d-of-%d.jsonl", number, shard->count);
    strbuf_clear(out);
    file_join(folder, strbuf_view(&name), out);
    strbuf_free(&name);
}

int gameindex_write(const char *folder, const ArgPart *shard, const StrBuf *lines, StrBuf *path) {
    StrBuf list = STRBUF_INIT, games = STRBUF_INIT, page = STRBUF_INIT, old = STRBUF_INIT;
    bool is_one_of_many = shard->count > 1;
    int fault = 0;
    file_join(folder, SV(GAMEINDEX_NAME), path);
    if (is_one_of_many) {
        append_list_path(folder, shard->number, shard, &list);
        fault = file_write(list.ptr, lines->ptr, lines->len);
    }
    /* Another shard may write its list and the index after this shard has read the lists. So repeat
     * until the index contains all lists: then the last index that is written does, too. */
    for (bool is_whole = false; fault == 0 && !is_whole;) {
        strbuf_clear(&games);
        read_games(path->ptr, &games);
        strbuf_add(&games, strbuf_view(lines));
        for (int i = 1; is_one_of_many && i <= shard->count; i++) {
            append_list_path(folder, i, shard, &list);
            read_games(list.ptr, &games);
        }
        strbuf_clear(&page);
        append_index(folder, strbuf_view(&games), &page);
        strbuf_clear(&old);
        is_whole =
            file_read(path->ptr, &old) == 0 && sv_equal(strbuf_view(&old), strbuf_view(&page));
        fault = is_whole ? 0 : file_write(path->ptr, page.ptr, page.len);
    }
    strbuf_free(&list);
    strbuf_free(&games);
    strbuf_free(&page);
    strbuf_free(&old);
    return fault;
}
