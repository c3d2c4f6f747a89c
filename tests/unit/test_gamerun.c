/* Tests files of training games: they are the same with any number of threads, and an interrupted
 * run can be continued. */
#include "train/gamerun.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fileio.h"
#include "unit.h"

static const SelfplayOptions options = {.nodes = 1};

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
        CHECK(run.games == 5 && run.error == 0 && run.end == SELFPLAY_DONE);
        CHECK(access(run.part.ptr, F_OK) != 0);
        CHECK(run.positions > 0 && run.nodes >= run.positions);
        CHECK_INT(run.results[KMD_WINNER_BLACK] + run.results[KMD_WINNER_WHITE] +
                      run.results[KMD_WINNER_DRAW],
                  5);
        CHECK_INT(file_read(path.ptr, threads == 1 ? &one : &two), 0);
        CHECK_INT(remove(path.ptr), 0);
        strbuf_free(&run.part);
    }
    CHECK(one.len > PACK_HEADER_SIZE && sv_equal(strbuf_view(&one), strbuf_view(&two)));
    strbuf_free(&one);
    strbuf_free(&two);
    strbuf_free(&path);
}

/* If a run is cancelled before its first game ends, it leaves no part of a file. */
static void test_cancelled(void) {
    StrBuf path = STRBUF_INIT;
    GameRun run;
    CHECK(!play('c', 5, 1, true, &path, &run));
    CHECK(run.end == SELFPLAY_STOPPED && run.error == 0 && run.games == 0);
    CHECK(access(path.ptr, F_OK) != 0 && access(run.part.ptr, F_OK) != 0);
    strbuf_free(&path);
    strbuf_free(&run.part);
}

static bool copy_block(void *context, const PackedGame *game) {
    StrBuf *blocks = context;
    PackOrigin origin = {.nodes = 1};
    while (blocks[origin.seed].len > 0) {
        origin.seed++;
    }
    packed_write_block(game, 1, &origin, &blocks[origin.seed]);
    return true;
}

/* Writes what a run leaves that is killed after the games `from` to `to`, which ended in the
 * opposite order. `whole` is the file that it would have written. */
static void leave_games(StrView whole, int from, int to, StrBuf *out) {
    StrBuf blocks[120] = {STRBUF_INIT};
    PackReader reader;
    PackBlock block;
    CHECK(packed_read_begin(&reader, whole.ptr, whole.len));
    while (packed_read_block(&reader, &block)) {
        CHECK(packed_decode_block(&block, copy_block, blocks));
    }
    strbuf_clear(out);
    strbuf_add(out, sv_prefix(whole, PACK_HEADER_SIZE));
    for (int i = 119; i >= 0; i--) {
        strbuf_add(out, i >= from && i <= to ? strbuf_view(&blocks[i]) : SV(""));
        strbuf_free(&blocks[i]);
    }
}

/* The games that an earlier run saved, in any order, are not played again. */
static void test_continued(void) {
    StrBuf whole = STRBUF_INIT, again = STRBUF_INIT, path = STRBUF_INIT;
    StrBuf saved = STRBUF_INIT, part = STRBUF_INIT;
    GameRun run;
    CHECK(play('d', 110, 2, false, &path, &run));
    uint64_t nodes = run.nodes;
    int black = run.results[KMD_WINNER_BLACK];
    CHECK_INT(file_read(path.ptr, &whole), 0);
    strbuf_add(&part, strbuf_view(&run.part));
    strbuf_free(&run.part);
    leave_games(strbuf_view(&whole), 7, 95, &saved);
    /* The last game, number 7, is incomplete. */
    CHECK_INT(file_write(part.ptr, saved.ptr, saved.len - 7), 0);
    CHECK(play('d', 110, 1, false, &path, &run));
    CHECK(run.games == 110 && run.results[KMD_WINNER_BLACK] == black);
    CHECK(run.nodes > 0 && run.nodes < nodes / 2);
    CHECK_INT(file_read(path.ptr, &again), 0);
    CHECK(sv_equal(strbuf_view(&whole), strbuf_view(&again)));
    CHECK(access(part.ptr, F_OK) != 0);
    strbuf_free(&run.part);
    /* If a byte of the header is changed, the file belongs to another run. */
    saved.ptr[16] ^= 1;
    CHECK_INT(file_write(part.ptr, saved.ptr, saved.len), 0);
    CHECK(!play('d', 110, 1, false, &path, &run));
    CHECK(run.error == EEXIST && !run.has_surplus);
    strbuf_free(&run.part);
    /* A run of fewer games leaves the games of a longer one alone. */
    saved.ptr[16] ^= 1;
    CHECK_INT(file_write(part.ptr, saved.ptr, saved.len), 0);
    CHECK(!play('d', 95, 1, false, &path, &run));
    CHECK(run.error == EEXIST && run.has_surplus);
    strbuf_free(&run.part);
    CHECK(play('d', 96, 1, false, &path, &run));
    CHECK_INT(run.games, 96);
    CHECK(remove(path.ptr) == 0);
    strbuf_free(&run.part);
    strbuf_free(&whole);
    strbuf_free(&again);
    strbuf_free(&path);
    strbuf_free(&saved);
    strbuf_free(&part);
}

UNIT_MAIN({"threads", test_threads}, {"cancelled", test_cancelled}, {"continued", test_continued})
