/* gamerun.c: assigns the games to threads, saves each game when it ends, and writes the file once
 * all games are saved. */
#include "train/gamerun.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/fileio.h"
#include "base/journal.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "base/xmem.h"

enum { BLOCK_GAMES = 100 };

/* One run. Any thread may play any game. */
typedef struct GameRunner {
    const GameRunOptions *options;
    _Atomic bool is_over; /* start no more games */

    pthread_mutex_t lock; /* guards the members below */
    int next_game;        /* no game below this number is left to start */
    bool *is_saved;       /* by the number of the game */
    int saved_before;     /* number of games that an earlier run saved */
    Journal journal;      /* a block for each game, in the order in which the games ended */
    GameRun *run;
} GameRunner;

/* The seed of a game depends on the run's seed, the shard and the number of the game. */
static uint64_t game_seed(const GameRunner *gen, int game) {
    uint64_t state = gen->options->origin.seed;
    state =
        rng_splitmix(&state) ^ (uint64_t)(gen->options->origin.shard + 1) << 32 ^ (uint64_t)game;
    return rng_splitmix(&state);
}

/* ---- playing --------------------------------------------------------------------------------- */

static void show_game_progress(GameRunner *gen) {
    const GameRun *run = gen->run;
    double seconds = (double)(progress_elapsed_ms(gen->options->progress) + 1) / 1000;
    int played = run->games - gen->saved_before;
    if (played == 0) {
        progress_show(gen->options->progress, "%d of %d games", run->games, gen->options->games);
        return;
    }
    progress_show(gen->options->progress, "%d of %d games, %llu positions, %.0f s left", run->games,
                  gen->options->games, (unsigned long long)run->positions,
                  seconds * (gen->options->games - run->games) / played);
}

/* Saves a game that has ended. Its block states the number of the game in place of the seed. */
static void save_game(GameRunner *gen, int number, const PackedGame *game, uint64_t nodes) {
    PackOrigin origin = gen->options->origin;
    StrBuf block = STRBUF_INIT;
    int scored = 0;
    origin.seed = (uint64_t)number;
    packed_write_block(game, 1, &origin, &block);
    for (int i = 0; i < game->move_count; i++) {
        scored += game->moves[i].score != PACK_NO_SCORE;
    }
    pthread_mutex_lock(&gen->lock);
    if (journal_add(&gen->journal, strbuf_view(&block))) {
        gen->is_saved[number] = true;
        gen->run->games++;
        gen->run->positions += (uint64_t)scored;
        gen->run->nodes += nodes;
    } else {
        atomic_store(&gen->is_over, true);
    }
    if (progress_is_due(gen->options->progress)) {
        show_game_progress(gen);
    }
    pthread_mutex_unlock(&gen->lock);
    strbuf_free(&block);
}

/* The number of the next game to play; -1 if no more games should be started. */
static int take_game_number(GameRunner *gen) {
    int games = gen->options->games;
    pthread_mutex_lock(&gen->lock);
    while (gen->next_game < games && gen->is_saved[gen->next_game]) {
        gen->next_game++;
    }
    int number = gen->next_game < games && !atomic_load(&gen->is_over) ? gen->next_game++ : -1;
    pthread_mutex_unlock(&gen->lock);
    return number;
}

static void play_games(void *arg, int index) {
    (void)index;
    GameRunner *gen = arg;
    Selfplay *play = selfplay_create(gen->options->play);
    PackedGame game = {.move_count = 0};
    int number;
    while ((number = take_game_number(gen)) >= 0) {
        uint64_t nodes = selfplay_nodes(play);
        SelfplayEnd end = selfplay_game(play, game_seed(gen, number), gen->options->cancel, &game);
        if (end == SELFPLAY_DONE) {
            save_game(gen, number, &game, selfplay_nodes(play) - nodes);
            continue;
        }
        pthread_mutex_lock(&gen->lock); /* only the first reason is kept */
        gen->run->end = gen->run->end == SELFPLAY_DONE ? end : gen->run->end;
        pthread_mutex_unlock(&gen->lock);
        atomic_store(&gen->is_over, true);
    }
    packed_game_free(&game);
    selfplay_free(play);
}

/* ---- saved games ----------------------------------------------------------------------------- */

/* Takes the games of an earlier run from its journal. */
static size_t take_saved_games(void *context, StrView blocks) {
    GameRunner *gen = context;
    PackReader reader;
    PackBlock block;
    size_t keep = 0;
    bool is_good = packed_read_begin(&reader, blocks.ptr, blocks.len);
    while (is_good && packed_read_block(&reader, &block) && reader.damaged_bytes == 0) {
        if (block.origin.seed >= (uint64_t)gen->options->games) {
            gen->run->has_surplus = true;
            return JOURNAL_FOREIGN;
        }
        gen->is_saved[block.origin.seed] = true;
        gen->run->games++;
        gen->run->positions += block.positions;
        keep = reader.at;
    }
    gen->saved_before = gen->run->games;
    return keep;
}

static bool copy_game(void *context, const PackedGame *game) {
    PackedGame *copy = context;
    packed_game_begin(copy, &game->start);
    copy->winner = game->winner;
    copy->reason = game->reason;
    copy->is_unequal = game->is_unequal;
    copy->evaluation[BLACK] = game->evaluation[BLACK];
    copy->evaluation[WHITE] = game->evaluation[WHITE];
    for (int i = 0; i < game->move_count; i++) {
        packed_game_add(copy, game->moves[i].move, game->moves[i].score);
    }
    return true;
}

/* Writes the saved games in their order, in blocks of BLOCK_GAMES. Returns 0 or an errno value. */
static int write_games(const GameRunner *gen, const FileMap *saved, FILE *stream) {
    int count = gen->options->games;
    const PackOrigin *origin = &gen->options->origin;
    PackBlock *blocks = xmem_calloc((size_t)count, sizeof(PackBlock));
    PackedGame games[BLOCK_GAMES] = {{.move_count = 0}};
    PackReader reader;
    PackBlock block;
    StrBuf out = STRBUF_INIT;
    bool is_good = packed_read_begin(&reader, saved->data, saved->len);
    while (is_good && packed_read_block(&reader, &block)) {
        blocks[block.origin.seed] = block;
    }
    packed_write_header(origin, &out);
    for (int i = 0; i < count && is_good; i++) {
        PackedGame *game = &games[i % BLOCK_GAMES];
        is_good = blocks[i].games > 0 && packed_decode_block(&blocks[i], copy_game, game);
        gen->run->results[game->winner]++;
        if ((i + 1) % BLOCK_GAMES == 0 || i + 1 == count) {
            packed_write_block(games, i % BLOCK_GAMES + 1, origin, &out);
            (void)fwrite(out.ptr, 1, out.len, stream); /* file_commit reports errors */
            strbuf_clear(&out);
        }
    }
    strbuf_free(&out);
    for (int i = 0; i < BLOCK_GAMES; i++) {
        packed_game_free(&games[i]);
    }
    free(blocks);
    return is_good ? 0 : EIO;
}

static int write_game_file(const GameRunner *gen, const char *part) {
    FileMap saved;
    FileWriter file;
    int error = file_map(part, &saved);
    if (error != 0) {
        return error;
    }
    error = file_begin(&file, gen->options->path);
    if (error == 0) {
        error = write_games(gen, &saved, file.stream);
        if (error == 0) {
            error = file_commit(&file);
        } else {
            file_abandon(&file);
        }
    }
    file_unmap(&saved);
    return error;
}

/* ---- the run --------------------------------------------------------------------------------- */

bool gamerun_play(const GameRunOptions *options, GameRun *run) {
    GameRunner gen = {.options = options, .run = run};
    StrBuf header = STRBUF_INIT;
    *run = (GameRun){.end = SELFPLAY_DONE};
    run->error = file_check_regular(options->path);
    run->error = run->error == 0 ? file_check_write(options->path) : run->error;
    if (run->error != 0) {
        return false;
    }
    strbuf_addf(&run->part, "%s.part", options->path);
    gen.is_saved = xmem_calloc((size_t)options->games, sizeof(bool));
    packed_write_header(&options->origin, &header);
    JournalFormat format = {strbuf_view(&header), take_saved_games, &gen};
    run->error = journal_open(&gen.journal, run->part.ptr, &format);
    bool is_open = run->error == 0;
    if (is_open) {
        show_game_progress(&gen);
        pthread_mutex_init(&gen.lock, NULL);
        parallel_run(options->threads, play_games, &gen);
        pthread_mutex_destroy(&gen.lock);
        run->error = gen.journal.error;
    }
    bool is_complete = run->error == 0 && run->end == SELFPLAY_DONE;
    if (is_complete) {
        run->error = write_game_file(&gen, run->part.ptr);
        is_complete = run->error == 0;
    }
    progress_clear(options->progress);
    if (is_open) {
        (void)journal_close(&gen.journal);
        if (is_complete || run->games == 0) {
            (void)remove(run->part.ptr);
        }
    }
    strbuf_free(&header);
    free(gen.is_saved);
    return is_complete;
}
