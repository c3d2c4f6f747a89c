/* Tests files of training games: they are the same with any number of threads, and an interrupted
 * run can be continued. */
#include "train/gamerun.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fileio.h"
#include "unit.h"

static const SelfplayOptions options = {.nodes = 1, .scale = 1400, .adjudicate = 60, .window = 400};

/* Plays games without a network and writes them to a file that is named after this process and the
 * letter. */
static bool play(char letter, int games, int threads, bool is_cancelled, StrBuf *path,
                 GameRun *run) {
    Progress progress;
    const atomic_bool cancel = is_cancelled;
    strbuf_clear(path);
    strbuf_addf(path, "/tmp/komadori-gamerun-%ld%c", (long)getpid(), letter);
    progress_begin(&progress, NULL, false, 0, 0);
    GameRunOptions plan = {.path = path->ptr,
                           .play = &options,
                           .origin = {.seed = 5, .nodes = 1, .shards = 1},
                           .games = games,
                           .threads = threads,
                           .cancel = &cancel,
                           .progress = &progress};
    return gamerun_play(&plan, run);
}

static void test_threads(void) {
    StrBuf one = STRBUF_INIT, two = STRBUF_INIT, path = STRBUF_INIT;
    GameRun run;
    for (int threads = 1; threads <= 2; threads++) {
        CHECK(play('t', 5, threads, false, &path, &run));
        CHECK(run.games == 5 && run.error == 0 && run.end == SELFPLAY_DONE && run.part.len == 0);
        CHECK(run.positions > 0 && run.nodes >= run.positions);
        CHECK_INT(run.results[KMD_WINNER_BLACK] + run.results[KMD_WINNER_WHITE] +
                      run.results[KMD_WINNER_DRAW],
                  5);
        CHECK_INT(file_read(path.ptr, threads == 1 ? &one : &two), 0);
        CHECK_INT(remove(path.ptr), 0);
    }
    CHECK(one.len > PACK_HEADER_SIZE && sv_equal(strbuf_view(&one), strbuf_view(&two)));
    strbuf_free(&one);
    strbuf_free(&two);
    strbuf_free(&path);
}

/* If a run is cancelled before its first block, it leaves no part of a file and does not change an
 * existing file of that name. */
static void test_cancelled(void) {
    StrBuf path = STRBUF_INIT;
    GameRun run;
    CHECK(!play('c', 5, 1, true, &path, &run));
    CHECK(run.end == SELFPLAY_STOPPED && run.error == 0 && run.part.len == 0);
    CHECK(access(path.ptr, F_OK) != 0);
    strbuf_add_str(&path, ".part");
    CHECK(access(path.ptr, F_OK) != 0);
    strbuf_free(&path);
}

/* The file of an earlier run with the same header is continued after its last complete block. */
static void test_continued(void) {
    StrBuf whole = STRBUF_INIT, again = STRBUF_INIT, path = STRBUF_INIT, part = STRBUF_INIT;
    GameRun run;
    CHECK(play('d', 110, 2, false, &path, &run));
    uint64_t nodes = run.nodes;
    strbuf_addf(&part, "%s.part", path.ptr);
    CHECK_INT(file_read(path.ptr, &whole), 0);
    CHECK_INT(rename(path.ptr, part.ptr), 0);
    CHECK_INT(file_write(part.ptr, whole.ptr, whole.len - 7), 0);
    CHECK(play('d', 110, 1, false, &path, &run));
    CHECK_INT(run.games, 110);
    CHECK(run.nodes < nodes / 2);
    CHECK_INT(file_read(path.ptr, &again), 0);
    CHECK(sv_equal(strbuf_view(&whole), strbuf_view(&again)));
    /* If a byte of the header is changed, the file belongs to another run. */
    again.ptr[16] ^= 1;
    CHECK_INT(file_write(part.ptr, again.ptr, again.len), 0);
    CHECK(!play('d', 110, 1, false, &path, &run));
    CHECK_INT(run.error, EEXIST);
    CHECK_STR(run.part.ptr, part.ptr);
    CHECK(remove(path.ptr) == 0 && remove(part.ptr) == 0);
    strbuf_free(&run.part);
    strbuf_free(&whole);
    strbuf_free(&again);
    strbuf_free(&path);
    strbuf_free(&part);
}

/* A run of fewer games does not cut off the blocks of a longer one. */
static void test_surplus(void) {
    static const struct {
        int games;   /* number of games in the file of the earlier run */
        int planned; /* number of games to play now */
        bool is_refused;
    } cases[] = {{300, 150, true}, {200, 150, true},  {200, 99, true},
                 {110, 100, true}, {200, 200, false}, {110, 110, false}};
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        StrBuf before = STRBUF_INIT, after = STRBUF_INIT, path = STRBUF_INIT, part = STRBUF_INIT;
        GameRun run;
        CHECK(play('s', cases[i].games, 2, false, &path, &run));
        strbuf_addf(&part, "%s.part", path.ptr);
        CHECK_INT(file_read(path.ptr, &before), 0);
        CHECK_INT(rename(path.ptr, part.ptr), 0);
        CHECK_INT(play('s', cases[i].planned, 1, false, &path, &run), !cases[i].is_refused);
        CHECK_INT(run.error, cases[i].is_refused ? EEXIST : 0);
        CHECK_INT(run.has_surplus, cases[i].is_refused);
        const char *written = cases[i].is_refused ? part.ptr : path.ptr;
        CHECK_INT(file_read(written, &after), 0);
        CHECK(sv_equal(strbuf_view(&before), strbuf_view(&after)));
        (void)remove(path.ptr);
        (void)remove(part.ptr);
        strbuf_free(&run.part);
        strbuf_free(&before);
        strbuf_free(&after);
        strbuf_free(&path);
        strbuf_free(&part);
    }
}

UNIT_MAIN({"threads", test_threads}, {"cancelled", test_cancelled}, {"continued", test_continued},
          {"surplus", test_surplus})
