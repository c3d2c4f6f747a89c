/* From games to samples: whose view, and which positions count. */
#include "tools/train/samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fileio.h"
#include "random_net.h"
#include "rules/usimove.h"

static const int score = 160;

/* Black can take a pawn for nothing. */
static const char *const pawn_to_take = "k8/9/9/4p4/4R4/9/9/9/8K b - 1";

/* Adds a file of one game of one move, whose position has `score`. */
static void add_game(SampleData *data, const char *sfen, const char *move, KmdWinner winner,
                     const LoadOptions *options) {
    char path[] = "build/test_samples.XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
    Position pos = position_at(sfen);
    Setup start = pos_get(&pos);
    PackedGame game = {.move_count = 0};
    pack_game_begin(&game, &start);
    pack_game_add(&game, usimove_read(sv_from(move)), score);
    game.winner = winner;
    game.reason = PACK_ADJUDICATED;
    PackOrigin origin = {.nodes = 1};
    StrBuf bytes = STRBUF_INIT;
    pack_write_header(&origin, &bytes);
    pack_write_block(&game, 1, &origin, &bytes);
    CHECK_INT(file_write(path, bytes.ptr, bytes.len), 0);
    const char *why;
    samples_init();
    CHECK(samples_load(data, path, options, &why));
    remove(path);
    strbuf_free(&bytes);
    pack_game_free(&game);
    pos_free(&pos);
}

/* The game as samples. */
static SampleData load_game(const char *sfen, const char *move, KmdWinner winner,
                            const LoadOptions *options) {
    SampleData data = {.games = 0};
    add_game(&data, sfen, move, winner, options);
    CHECK_INT((int64_t)data.games, 1);
    return data;
}

static size_t count_samples(const char *sfen, const char *move, KmdWinner winner,
                            const LoadOptions *options) {
    SampleData data = load_game(sfen, move, winner, options);
    size_t count = data.train.count;
    samples_free(&data);
    return count;
}

static void labels_are_the_movers(void) {
    LoadOptions options = {.threads = 1};
    int stored = pack_dequantize(pack_quantize(score));
    SampleData data = load_game(pawn_to_take, "5e5f", KMD_WINNER_BLACK, &options);
    CHECK_INT((int64_t)data.train.count, 1);
    CHECK_INT(data.train.samples[0].side, BLACK);
    CHECK_INT(data.train.samples[0].score, stored);
    CHECK_INT(data.train.samples[0].result, 1);
    samples_free(&data);
    /* At the end of the captures the other side moves. */
    options.has_leaves = true;
    data = load_game(pawn_to_take, "5e5d", KMD_WINNER_BLACK, &options);
    CHECK_INT((int64_t)data.train.count, 1);
    CHECK_INT(data.train.samples[0].side, WHITE);
    CHECK_INT(data.train.samples[0].score, -stored);
    CHECK_INT(data.train.samples[0].result, -1);
    samples_free(&data);
    data = load_game(pawn_to_take, "5e5d", KMD_WINNER_DRAW, &options);
    CHECK_INT(data.train.samples[0].result, 0);
    samples_free(&data);
}

static void some_positions_do_not_count(void) {
    LoadOptions options = {.threads = 1, .has_leaves = true};
    const char *in_check = "4k4/9/9/9/9/9/9/4r4/4K4 b - 1";
    CHECK_INT((int64_t)count_samples(pawn_to_take, "5e5d", KMD_WINNER_BLACK, &options), 1);
    CHECK_INT((int64_t)count_samples(pawn_to_take, "5e5f", KMD_WINNER_BLACK, &options), 0);
    CHECK_INT((int64_t)count_samples(in_check, "5i5h", KMD_WINNER_BLACK, &options), 0);
    CHECK_INT((int64_t)count_samples(pawn_to_take, "5e5d", KMD_WINNER_NONE, &options), 0);
    options.held_out = 1;
    SampleData data = load_game(pawn_to_take, "5e5d", KMD_WINNER_BLACK, &options);
    CHECK_INT((int64_t)data.train.count, 0);
    CHECK_INT((int64_t)data.held_out.count, 1);
    samples_free(&data);
}

/* Many small files hold out as much as one that is large. */
static void games_are_held_out_of_all_files_together(void) {
    enum { FILES = 6, SHARE = 3 };
    LoadOptions options = {.threads = 1, .held_out = SHARE};
    SampleData data = {.games = 0};
    for (int i = 0; i < FILES; i++) {
        add_game(&data, pawn_to_take, "5e5f", KMD_WINNER_BLACK, &options);
    }
    CHECK_INT((int64_t)data.held_out.count, FILES / SHARE);
    CHECK_INT((int64_t)data.train.count, FILES - FILES / SHARE);
    samples_free(&data);
}

UNIT_MAIN({"labels are the mover's", labels_are_the_movers},
          {"some positions do not count", some_positions_do_not_count},
          {"games are held out of all files together", games_are_held_out_of_all_files_together})
