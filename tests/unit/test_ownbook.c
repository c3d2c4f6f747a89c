/* Tests of the engine's answers from a book. */

#include <string.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "engine/engine.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

/* What the sink received. */
typedef struct Heard {
    int infos, lines, answers;
    Move best;
    Move last_line; /* first move of the last line */
    int ranks;      /* sum of all ranks */
    const char *remark;
} Heard;

static void on_info(void *context, const SearchInfo *info) {
    Heard *heard = context;
    heard->infos++;
    heard->lines = info->line_count;
    heard->ranks += info->rank;
    heard->last_line = info->pv[0];
    heard->remark = info->remark;
}

static void on_done(void *context, const SearchResult *result) {
    Heard *heard = context;
    heard->answers++;
    heard->best = result->best;
}

static void set(Engine *engine, const char *name, const char *value) {
    CHECK_INT(engine_set_option(engine, sv_from(name), sv_from(value)), OPTION_OK);
}

static StrBuf notes; /* what the engine has noted since the last call of `noted` */

static void on_note(void *context, StrView note) {
    (void)context;
    strbuf_add(&notes, note);
}

/* Gives the engine a host that plays from books. */
static void use_book(Engine *engine) {
    engine_set_host(engine, &(EngineHost){.on_note = on_note, .has_book = true});
}

static Engine *start(const char *file, const char *seed) {
    Engine *engine = engine_create();
    set(engine, "USI_Hash", "1");
    set(engine, "Threads", "1");
    set(engine, "Seed", seed);
    set(engine, "BookFile", file);
    use_book(engine);
    return engine;
}

static Heard go(Engine *engine, const GoLimits *limits) {
    Heard heard = {0};
    SearchSink sink = {.context = &heard, .on_info = on_info, .on_done = on_done};
    engine_go(engine, limits, &(EngineSink){.search = sink}, clock_ns());
    engine_stop(engine);
    engine_wait(engine);
    CHECK_INT(heard.answers, 1);
    return heard;
}

static void test_lines(void) {
    Engine *engine = start("tests/data/book.db", "1");
    GoLimits limits = {.depth = 1};
    Heard heard = go(engine, &limits);
    CHECK(heard.infos == 3 && heard.lines == 3 && heard.ranks == 6);
    CHECK(heard.last_line == heard.best);
    CHECK_STR(heard.remark, "book");
    limits.is_infinite = true;
    CHECK(go(engine, &limits).remark == NULL);
    engine_free(engine);
}

/* The same seed gives the same moves; another seed, or no seed, gives other moves. */
static void test_seeds(void) {
    static const char *const seeds[] = {"1", "2", "3", "4",  "5",  "6",
                                        "7", "8", "9", "10", "11", "12"};
    GoLimits limits = {.depth = 1};
    bool is_drawn[1 << 14] = {false};
    int different = 0;
    for (size_t i = 0; i < COUNTOF(seeds); i++) {
        Engine *engine = start("tests/data/book.db", seeds[i]);
        Engine *other = start("tests/data/book.db", seeds[i]);
        Move move = go(engine, &limits).best;
        CHECK_INT(go(engine, &limits).best, move);
        CHECK_INT(go(other, &limits).best, move);
        different += !is_drawn[move];
        is_drawn[move] = true;
        engine_free(engine);
        engine_free(other);
    }
    CHECK(different >= 2);
    Engine *engine = start("tests/data/book.db", "0");
    memset(is_drawn, 0, sizeof(is_drawn));
    different = 0;
    for (int i = 0; i < 50; i++) {
        Move move = go(engine, &limits).best;
        different += !is_drawn[move];
        is_drawn[move] = true;
    }
    CHECK(different >= 2);
    engine_free(engine);
}

/* A book that was not opened is not used; a broken book is reported once. */
static void test_opening(void) {
    Engine *engine = engine_create();
    GoLimits limits = {.depth = 1};
    set(engine, "USI_Hash", "1");
    set(engine, "BookFile", "tests/data/book.db");
    CHECK(go(engine, &limits).remark == NULL);
    use_book(engine);
    CHECK(go(engine, &limits).remark != NULL);
    /* The file is looked up in BookDir unless its path is absolute. */
    set(engine, "BookFile", "book.db");
    set(engine, "BookDir", "tests/data");
    CHECK(go(engine, &limits).remark != NULL);
    CHECK_INT(notes.len, 0);
    set(engine, "BookFile", "/nowhere/book.db");
    CHECK(go(engine, &limits).remark == NULL);
    CHECK(sv_starts_with(strbuf_view(&notes), SV("error BookFile: ")));
    CHECK(sv_ends_with(strbuf_view(&notes), SV(" '/nowhere/book.db'")));
    strbuf_clear(&notes);
    set(engine, "BookFile", "<default>");
    (void)go(engine, &limits);
    CHECK_INT(notes.len, 0);
    set(engine, "BookDir", "");
    set(engine, "BookFile", "tests/data");
    CHECK(go(engine, &limits).remark == NULL);
    CHECK(notes.len > 0);
    strbuf_clear(&notes);
    CHECK(go(engine, &limits).remark == NULL);
    set(engine, "BookFile", "");
    CHECK(go(engine, &limits).remark == NULL);
    CHECK_INT(notes.len, 0);
    strbuf_free(&notes);
    engine_free(engine);
}

/* A file that appears or changes while the engine runs is opened, without a new name. */
static void test_changed_files(void) {
    static const char path[] = "build/test_ownbook.db";
    static const char *const texts[] = {"7g7f none 0 9 1\n", "not a book", "2g2f none 0 9 1\n"};
    Engine *engine = start(path, "1");
    GoLimits limits = {.depth = 1};
    remove(path);
    CHECK(go(engine, &limits).remark == NULL);
    CHECK(notes.len > 0);
    for (int i = 0; i < 3; i++) {
        StrBuf text = STRBUF_INIT;
        strbuf_addf(&text, i == 1 ? "%s" : "#YANEURAOU-DB2016 1.00\nsfen " SFEN_START "\n%s",
                    texts[i]);
        strbuf_clear(&notes);
        remove(path);
        CHECK_INT(file_write(path, text.ptr, text.len), 0);
        Heard heard = go(engine, &limits);
        CHECK_INT(heard.remark != NULL, i != 1);
        CHECK_INT(notes.len > 0, i == 1);
        CHECK(i == 1 || heard.best == usimove_read(sv_from(i == 0 ? "7g7f" : "2g2f")));
        strbuf_clear(&notes);
        CHECK_INT(go(engine, &limits).remark != NULL, i != 1);
        CHECK_INT(notes.len, 0); /* the fault is told once */
        strbuf_free(&text);
    }
    remove(path);
    CHECK(go(engine, &limits).remark != NULL); /* a deleted file stays open */
    CHECK_INT(notes.len, 0);
    strbuf_free(&notes);
    engine_free(engine);
}

UNIT_MAIN({"a line for each candidate", test_lines}, {"seeds", test_seeds},
          {"opening", test_opening}, {"changed files", test_changed_files})
