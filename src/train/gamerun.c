/* gamerun.c: assigns the games to threads, and encodes and writes each block when all its games are
 * done. */
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

/* A block from the start of its first game until it is encoded. Each game's entry belongs to the
 * thread that plays it. When all games are done, the whole block belongs to the thread that
 * finished last. Games are assigned in order, so the number of open blocks is at most the number of
 * threads plus one. */
typedef struct OpenBlock {
    PackedGames games[BLOCK_GAMES];
    int done; /* guarded by the generator's lock */
} OpenBlock;

/* One run. Any thread may play any game; blocks are written in order. */
typedef struct Generator {
    const GameRunOptions *options;
    FileWriter file;
    int block_count;

    _Atomic bool is_over; /* start no more games */

    pthread_mutex_t lock; /* guards the members below */
    int next_game;        /* next game to play */
    int next_written;
    OpenBlock **open; /* indexed by block number; NULL if not open */
    StrBuf *blocks;   /* blocks that were played but not yet written, by number */
    bool *is_played;
    Journal journal;
    bool has_blocks; /* the file contains some blocks */
    GameRun *run;
} Generator;

/* The seed of a game depends on the run's seed, the shard and the number of the game. */
static uint64_t game_seed(const Generator *gen, int game) {
    uint64_t state = gen->options->origin.seed;
    state =
        rng_splitmix(&state) ^ (uint64_t)(gen->options->origin.shard + 1) << 32 ^ (uint64_t)game;
    return rng_splitmix(&state);
}

static int block_games(const Generator *gen, int block) {
    return int_min(BLOCK_GAMES, gen->options->games - block * BLOCK_GAMES);
}

static void report_progress(Generator *gen) {
    if (!progress_is_due(gen->options->progress)) {
        return;
    }
    double seconds = (double)(progress_elapsed_ms(gen->options->progress) + 1) / 1000;
    double left = seconds * (gen->options->games - gen->run->games) / int_max(gen->run->games, 1);
    progress_show(gen->options->progress,
                  "%d of %d games, %llu positions, %.0f per second, %.0f s left", gen->run->games,
                  gen->options->games, (unsigned long long)gen->run->positions,
                  (double)gen->run->positions / seconds, left);
}

/* Counts a completed game and the nodes of its searches. Returns true if it is the last game of its
 * block to be completed. */
static bool note_game(Generator *gen, OpenBlock *block, int number, uint64_t nodes) {
    const PackedGames *played = &block->games[number % BLOCK_GAMES];
    const PackedGame *games = played->games;
    int scored = 0, leaves = 0;
    for (int k = 0; k < played->count; k++) {
        leaves += packed_game_is_leaf(&games[k]);
        for (int i = 0; i < games[k].move_count; i++) {
            scored += games[k].moves[i].score != PACK_NO_SCORE;
        }
    }
    pthread_mutex_lock(&gen->lock);
    gen->run->games++;
    gen->run->positions += (uint64_t)scored;
    gen->run->nodes += nodes;
    gen->run->leaves += (uint64_t)leaves;
    gen->run->branches += (uint64_t)(played->count - 1 - leaves);
    gen->run->results[games[0].winner]++;
    block->done++;
    bool is_last = block->done == block_games(gen, number / BLOCK_GAMES);
    report_progress(gen);
    pthread_mutex_unlock(&gen->lock);
    return is_last;
}

/* Ends the run early; only the first reason is kept. */
static void note_end(Generator *gen, SelfplayEnd end) {
    pthread_mutex_lock(&gen->lock);
    gen->run->end = gen->run->end == SELFPLAY_DONE ? end : gen->run->end;
    pthread_mutex_unlock(&gen->lock);
    atomic_store(&gen->is_over, true);
}

/* Takes ownership of a block's bytes, and writes all blocks whose turn has come. */
static void deliver_block(Generator *gen, int block, StrBuf bytes) {
    gen->blocks[block] = bytes;
    gen->is_played[block] = true;
    while (gen->next_written < gen->block_count && gen->is_played[gen->next_written]) {
        StrBuf *next = &gen->blocks[gen->next_written++];
        if (next->len > 0 && journal_add(&gen->journal, strbuf_view(next))) {
            gen->has_blocks = true;
        }
        strbuf_free(next);
    }
    if (gen->journal.error != 0) {
        atomic_store(&gen->is_over, true);
    }
}

/* Encodes the games of a block if they should be kept, and frees the block. No thread may be
 * playing a game of the block any more. */
static void close_block(Generator *gen, int number, OpenBlock *block, bool is_kept) {
    StrBuf bytes = STRBUF_INIT;
    PackedGame *games =
        NULL; /* all games of the block in one array; the block still owns their moves */
    size_t count = 0, cap = 0;
    for (int i = 0; i < BLOCK_GAMES && is_kept; i++) {
        const PackedGames *played = &block->games[i];
        games = xmem_grow(games, &cap, count + (size_t)played->count, sizeof(PackedGame));
        for (int k = 0; k < played->count; k++) {
            games[count] = played->games[k];
            count += played->games[k].move_count > 0;
        }
    }
    if (count > 0) {
        packed_write_block(games, (int)count, &gen->options->origin, &bytes);
    }
    free(games);
    for (int i = 0; i < BLOCK_GAMES; i++) {
        packed_games_free(&block->games[i]);
    }
    free(block);
    pthread_mutex_lock(&gen->lock);
    gen->open[number] = NULL;
    deliver_block(gen, number, bytes);
    pthread_mutex_unlock(&gen->lock);
}

/* Returns the next game: its number, and the block it belongs to. NULL if no more games should be
 * started. */
static OpenBlock *take_game(Generator *gen, int *number) {
    OpenBlock *block = NULL;
    pthread_mutex_lock(&gen->lock);
    if (gen->next_game < gen->options->games && !atomic_load(&gen->is_over)) {
        *number = gen->next_game++;
        if (*number % BLOCK_GAMES == 0) {
            gen->open[*number / BLOCK_GAMES] = xmem_calloc(1, sizeof(OpenBlock));
        }
        block = gen->open[*number / BLOCK_GAMES];
    }
    pthread_mutex_unlock(&gen->lock);
    return block;
}

static void generate(void *arg, int index) {
    (void)index;
    Generator *gen = arg;
    Selfplay *play = selfplay_create(gen->options->play);
    OpenBlock *block;
    int number;
    while ((block = take_game(gen, &number)) != NULL) {
        uint64_t seed = game_seed(gen, number);
        uint64_t nodes = selfplay_nodes(play);
        SelfplayEnd end =
            selfplay_game(play, seed, gen->options->cancel, &block->games[number % BLOCK_GAMES]);
        if (end != SELFPLAY_DONE) {
            note_end(gen, end);
        } else if (note_game(gen, block, number, selfplay_nodes(play) - nodes)) {
            close_block(gen, number / BLOCK_GAMES, block, true);
        }
    }
    selfplay_free(play);
}

/* Frees the blocks that were left incomplete when a run ended early. The same command plays their
 * games again. */
static void close_rest(Generator *gen) {
    for (int i = 0; i < gen->block_count; i++) {
        if (gen->open[i] != NULL) {
            close_block(gen, i, gen->open[i], false);
        }
    }
}

/* Returns true if games would be lost by dropping the rest of the file. They are not if the rest is
 * a single block that may be the small last block of this plan: the run was then killed just before
 * the file was renamed. */
static bool has_surplus(const Generator *gen, PackReader *reader) {
    PackBlock block;
    int count = 0;
    bool is_full = gen->next_game == gen->options->games;
    while (packed_read_block(reader, &block) && reader->damaged_bytes == 0) {
        count++;
        is_full = is_full || block.games >= BLOCK_GAMES;
    }
    return count > 1 || (count == 1 && is_full);
}

/* Counts the full-size blocks of an earlier run. The journal's head is the file's header. */
static size_t take_blocks(void *context, StrView blocks) {
    Generator *gen = context;
    PackReader reader;
    PackBlock block;
    size_t keep = 0;
    bool is_good = packed_read_begin(&reader, blocks.ptr, blocks.len);
    while (is_good && gen->next_game + BLOCK_GAMES <= gen->options->games &&
           packed_read_block(&reader, &block) && reader.damaged_bytes == 0) {
        gen->next_game += BLOCK_GAMES;
        gen->run->games += BLOCK_GAMES;
        gen->run->positions += block.positions;
        gen->next_written++;
        keep = reader.at;
    }
    gen->has_blocks = keep > 0;
    gen->run->has_surplus =
        is_good && gen->next_game + BLOCK_GAMES > gen->options->games && has_surplus(gen, &reader);
    return gen->run->has_surplus ? JOURNAL_FOREIGN : keep;
}

/* Continues from the file that an earlier run left, or starts a new file. Returns 0 or an error of
 * the journal. */
static int open_journal(Generator *gen) {
    StrBuf header = STRBUF_INIT;
    packed_write_header(&gen->options->origin, &header);
    JournalFormat format = {strbuf_view(&header), take_blocks, gen};
    int error = journal_begin(&gen->journal, gen->file.stream, gen->file.aside.ptr, &format);
    strbuf_free(&header);
    return error;
}

/* Renames the file if it is complete. If the run failed, keeps the games written so far in a file
 * next to it and sets run->part to its name. */
static void end_file(Generator *gen) {
    GameRun *run = gen->run;
    if (run->error == 0 && run->end == SELFPLAY_DONE) {
        run->error = file_commit(&gen->file);
    } else if (gen->has_blocks) {
        file_leave_aside(&gen->file, &run->part);
    } else {
        file_abandon(&gen->file);
    }
}

static void run_generator(Generator *gen) {
    gen->block_count = (gen->options->games + BLOCK_GAMES - 1) / BLOCK_GAMES;
    gen->open = xmem_calloc((size_t)gen->block_count, sizeof(OpenBlock *));
    gen->blocks = xmem_calloc((size_t)gen->block_count, sizeof(StrBuf));
    gen->is_played = xmem_calloc((size_t)gen->block_count, sizeof(bool));
    pthread_mutex_init(&gen->lock, NULL);
    parallel_run(gen->options->threads, generate, gen);
    close_rest(gen);
    gen->run->error = gen->journal.error;
    pthread_mutex_destroy(&gen->lock);
    for (int i = 0; i < gen->block_count; i++) {
        strbuf_free(&gen->blocks[i]);
    }
    free(gen->open);
    free(gen->blocks);
    free(gen->is_played);
    progress_clear(gen->options->progress);
}

bool gamerun_play(const GameRunOptions *options, GameRun *run) {
    Generator gen = {.options = options, .run = run};
    *run = (GameRun){.end = SELFPLAY_DONE};
    run->error = file_begin_after(&gen.file, options->path);
    if (run->error != 0) {
        return false;
    }
    run->error = open_journal(&gen);
    if (run->error == EEXIST || run->error == EBUSY) {
        file_leave_aside(&gen.file, &run->part);
        return false;
    }
    if (run->error == 0) {
        run_generator(&gen);
    }
    end_file(&gen);
    return run->error == 0 && run->end == SELFPLAY_DONE;
}
