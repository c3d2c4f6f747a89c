#include "cmd/cmd_gendata.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "base/xmem.h"
#include "cmd/cmdargs.h"
#include "cmd/selfplay.h"
#include "engine/evalfile.h"
#include "eval/netfile.h"
#include "usi/output.h"

enum {
    BLOCK_GAMES = 100,
    MOST_GAMES = 100000000,
    MOST_NODES = 100000000,
    MOST_SHARDS = 1000000,
    MOST_THREADS = 512,
    PROGRESS_MS = 5000,
};

#define CLEAR_LINE "\r\033[K"

typedef struct GenRequest {
    StrView path;
    StrView net; /* as the option EvalFile */
    int games;   /* of this shard */
    int nodes;
    int threads;
    int64_t seed;
    int shard; /* from 1 */
    int shards;
} GenRequest;

/* A block from its first game on until it has its bytes. A game's place belongs to the thread that
 * plays it, and when all are done the whole to the one that finished the last. Games are given out
 * in order, so at most one block more is open than there are threads. */
typedef struct OpenBlock {
    PackedGame games[BLOCK_GAMES];
    bool is_done[BLOCK_GAMES]; /* guarded by the generator's lock, as the next */
    int done;
} OpenBlock;

/* One run. Games are played by any thread and blocks of them written in order. */
typedef struct Generator {
    const CommandContext *context;
    GenRequest request;
    PackOrigin origin;
    NnueNet *net; /* NULL: the hand-written evaluation */
    FileWriter file;
    int block_count;
    int64_t start_ms;

    _Atomic bool is_over; /* no game is to be begun any more */

    pthread_mutex_t lock; /* guards the rest */
    int next_game;        /* to be played */
    int next_written;
    OpenBlock **open; /* by number; NULL where there is none */
    StrBuf *blocks;   /* played and not yet written; by number */
    bool *is_played;
    bool has_blocks;   /* some are in the file */
    bool has_progress; /* a line of it stands on the terminal */
    int error;         /* of the file, an errno value */
    SelfplayEnd end;   /* of the first game that was not played out */
    int games_done;
    uint64_t positions;
    int64_t next_report_ms;
    int results[4]; /* by Winner */
} Generator;

/* ---- arguments ------------------------------------------------------------------------------- */

/* Reads "i/n". */
static bool read_shard(StrView word, GenRequest *request) {
    size_t slash = sv_find_byte(word, '/');
    return slash < word.len &&
           sv_to_int(sv_skip(word, slash + 1), 1, MOST_SHARDS, &request->shards) &&
           sv_to_int(sv_take(word, slash), 1, request->shards, &request->shard);
}

static bool read_option(StrView name, StrView value, GenRequest *request) {
    if (sv_equal(name, SV("--out"))) {
        request->path = value;
        return value.len > 0;
    }
    if (sv_equal(name, SV("--net"))) {
        request->net = value;
        return true;
    }
    if (sv_equal(name, SV("--games"))) {
        return sv_to_int(value, 1, MOST_GAMES, &request->games);
    }
    if (sv_equal(name, SV("--nodes"))) {
        return sv_to_int(value, 1, MOST_NODES, &request->nodes);
    }
    if (sv_equal(name, SV("--threads"))) {
        return sv_to_int(value, 1, MOST_THREADS, &request->threads);
    }
    if (sv_equal(name, SV("--seed"))) {
        return sv_to_i64(value, 0, INT64_MAX, &request->seed);
    }
    if (sv_equal(name, SV("--shard"))) {
        return read_shard(value, request);
    }
    return false;
}

static bool read_request(StrView args, GenRequest *request) {
    *request = (GenRequest){
        .games = 1000, .nodes = 1000, .threads = 1, .seed = 1, .shard = 1, .shards = 1};
    Tokenizer tok = {args};
    StrView name;
    while (tok_next(&tok, &name)) {
        StrView value;
        if (!cmdargs_next(&tok, &value) || !read_option(name, value, request)) {
            return false;
        }
    }
    return request->path.len > 0;
}

/* True when the games would be written over the network that plays them. */
static bool replaces_net(const GenRequest *request) {
    StrBuf path = STRBUF_INIT, net = STRBUF_INIT;
    strbuf_add(&path, request->path);
    strbuf_add(&net, request->net);
    bool is_one = net.len > 0 && file_is_same(path.ptr, net.ptr);
    strbuf_free(&path);
    strbuf_free(&net);
    return is_one;
}

/* ---- playing --------------------------------------------------------------------------------- */

/* Each game's seed follows from the run's seed, the shard and the game's number. */
static uint64_t game_seed(const Generator *gen, int game) {
    uint64_t state = (uint64_t)gen->request.seed;
    state = rng_splitmix(&state) ^ (uint64_t)gen->request.shard << 32 ^ (uint64_t)game;
    return rng_splitmix(&state);
}

static int block_games(const Generator *gen, int block) {
    return int_min(BLOCK_GAMES, gen->request.games - block * BLOCK_GAMES);
}

static void report_progress(Generator *gen) {
    int64_t now = clock_ms();
    if (!gen->context->is_program || now < gen->next_report_ms) {
        return;
    }
    gen->next_report_ms = now + PROGRESS_MS;
    double seconds = (double)(now - gen->start_ms + 1) / 1000;
    double left = seconds * (gen->request.games - gen->games_done) / int_max(gen->games_done, 1);
    gen->has_progress = isatty(STDERR_FILENO) != 0;
    fprintf(stderr, "%s%d of %d games, %llu positions, %.0f per second, %.0f s left%s",
            gen->has_progress ? CLEAR_LINE : "", gen->games_done, gen->request.games,
            (unsigned long long)gen->positions, (double)gen->positions / seconds, left,
            gen->has_progress ? "" : "\n");
}

/* Counts a game that was played out. True when it is the last of its block. */
static bool note_game(Generator *gen, OpenBlock *block, int number) {
    const PackedGame *game = &block->games[number % BLOCK_GAMES];
    int scored = 0;
    for (int i = 0; i < game->move_count; i++) {
        scored += game->moves[i].score != PACK_NO_SCORE;
    }
    pthread_mutex_lock(&gen->lock);
    gen->games_done++;
    gen->positions += (uint64_t)scored;
    gen->results[game->winner]++;
    block->is_done[number % BLOCK_GAMES] = true;
    block->done++;
    bool is_last = block->done == block_games(gen, number / BLOCK_GAMES);
    report_progress(gen);
    pthread_mutex_unlock(&gen->lock);
    return is_last;
}

/* Ends the run early; only the first reason counts. */
static void note_end(Generator *gen, SelfplayEnd end) {
    pthread_mutex_lock(&gen->lock);
    gen->end = gen->end == SELFPLAY_DONE ? end : gen->end;
    pthread_mutex_unlock(&gen->lock);
    atomic_store(&gen->is_over, true);
}

/* What is written is in the file at once: it is not lost when the run is killed. False when it
 * cannot be written, which ends the run. */
static bool write_bytes(Generator *gen, const StrBuf *bytes) {
    errno = 0;
    bool is_written = fwrite(bytes->ptr, 1, bytes->len, gen->file.stream) == bytes->len &&
                      fflush(gen->file.stream) == 0;
    if (!is_written) {
        gen->error = errno != 0 ? errno : EIO;
        atomic_store(&gen->is_over, true);
    }
    return is_written;
}

/* Takes a block's bytes over and writes all that are next in order. */
static void deliver_block(Generator *gen, int block, StrBuf bytes) {
    gen->blocks[block] = bytes;
    gen->is_played[block] = true;
    while (gen->next_written < gen->block_count && gen->is_played[gen->next_written]) {
        StrBuf *next = &gen->blocks[gen->next_written++];
        if (next->len > 0 && gen->error == 0) {
            bool is_written = write_bytes(gen, next);
            gen->has_blocks = gen->has_blocks || is_written;
        }
        strbuf_free(next);
    }
}

/* Makes bytes of the first `count` games of a block that nobody plays in any more, and frees it. */
static void close_block(Generator *gen, int number, OpenBlock *block, int count) {
    StrBuf bytes = STRBUF_INIT;
    pack_write_block(block->games, count, &gen->origin, &bytes);
    for (int i = 0; i < BLOCK_GAMES; i++) {
        pack_game_free(&block->games[i]);
    }
    free(block);
    pthread_mutex_lock(&gen->lock);
    gen->open[number] = NULL;
    deliver_block(gen, number, bytes);
    pthread_mutex_unlock(&gen->lock);
}

/* Gives out the next game: its number, and the block it belongs to. NULL when no game is to be
 * begun any more. */
static OpenBlock *take_game(Generator *gen, int *number) {
    OpenBlock *block = NULL;
    pthread_mutex_lock(&gen->lock);
    if (gen->next_game < gen->request.games && !atomic_load(&gen->is_over)) {
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
    Player *player = selfplay_create((uint64_t)gen->request.nodes, gen->net);
    OpenBlock *block;
    int number;
    while ((block = take_game(gen, &number)) != NULL) {
        PackedGame *game = &block->games[number % BLOCK_GAMES];
        uint64_t seed = game_seed(gen, number);
        SelfplayEnd end = selfplay_game(player, seed, gen->context->cancel, game);
        if (end != SELFPLAY_DONE) {
            note_end(gen, end);
        } else if (note_game(gen, block, number)) {
            int place = number / BLOCK_GAMES;
            close_block(gen, place, block, block_games(gen, place));
        }
    }
    selfplay_free(player);
}

/* Moves the games that were played out to the front; returns how many there are. */
static int gather_games(OpenBlock *block) {
    int count = 0;
    for (int i = 0; i < BLOCK_GAMES; i++) {
        if (block->is_done[i]) {
            PackedGame swap = block->games[count];
            block->games[count++] = block->games[i];
            block->games[i] = swap;
        }
    }
    return count;
}

/* Where a run ended early some blocks have games that were not played out. The others are kept
 * unless the run was stopped or nothing can be written. */
static void close_rest(Generator *gen) {
    bool is_kept = gen->end == SELFPLAY_NO_OPENING && gen->error == 0;
    for (int i = 0; i < gen->block_count; i++) {
        OpenBlock *block = gen->open[i];
        if (block != NULL) {
            close_block(gen, i, block, is_kept ? gather_games(block) : 0);
        }
    }
}

static void print_summary(Generator *gen) {
    double seconds = (double)(clock_ms() - gen->start_ms + 1) / 1000;
    output_linef(gen->context->out,
                 "%d games (black %d, white %d, drawn %d), %llu positions, %.1f s, %.0f per second",
                 gen->games_done, gen->results[WINNER_BLACK], gen->results[WINNER_WHITE],
                 gen->results[WINNER_DRAW], (unsigned long long)gen->positions, seconds,
                 (double)gen->positions / seconds);
}

/* The file is there only when all games are in it. Where the run failed, the games that were
 * written stay beside it, and *part is where. */
static void end_file(Generator *gen, StrBuf *part) {
    if (gen->error == 0 && gen->end == SELFPLAY_DONE) {
        gen->error = file_commit(&gen->file);
    } else if (gen->has_blocks && (gen->error != 0 || gen->end != SELFPLAY_STOPPED)) {
        file_leave_aside(&gen->file, part);
    } else {
        file_abandon(&gen->file);
    }
}

static void run_generator(Generator *gen) {
    StrBuf header = STRBUF_INIT;
    pack_write_header(&gen->origin, &header);
    write_bytes(gen, &header);
    strbuf_free(&header);
    gen->block_count = (gen->request.games + BLOCK_GAMES - 1) / BLOCK_GAMES;
    gen->open = xmem_calloc((size_t)gen->block_count, sizeof(OpenBlock *));
    gen->blocks = xmem_calloc((size_t)gen->block_count, sizeof(StrBuf));
    gen->is_played = xmem_calloc((size_t)gen->block_count, sizeof(bool));
    pthread_mutex_init(&gen->lock, NULL);
    gen->start_ms = clock_ms();
    gen->next_report_ms = gen->start_ms + PROGRESS_MS;
    parallel_run(gen->request.threads, generate, gen);
    close_rest(gen);
    pthread_mutex_destroy(&gen->lock);
    for (int i = 0; i < gen->block_count; i++) {
        strbuf_free(&gen->blocks[i]);
    }
    free(gen->open);
    free(gen->blocks);
    free(gen->is_played);
    if (gen->has_progress) {
        fputs(CLEAR_LINE, stderr);
    }
}

/* Why there is no file; NULL when there is. */
static const char *failure_of(const Generator *gen) {
    if (gen->error != 0) {
        return file_error_text(gen->error);
    }
    switch (gen->end) {
    case SELFPLAY_STOPPED:
        return "stopped, not written";
    case SELFPLAY_NO_OPENING:
        return "a thousand openings in a row are worth too much to one side by this network";
    default:
        return NULL;
    }
}

/* Returns the exit status. */
static int report_end(Generator *gen, const char *path, const StrBuf *part) {
    const char *failure = failure_of(gen);
    if (failure == NULL) {
        print_summary(gen);
        return 0;
    }
    bool has_part = part->len > 0;
    output_linef(gen->context->out, "info string error gendata: %s: %s%s%s", path, failure,
                 has_part ? "; the games so far are in " : "", has_part ? part->ptr : "");
    return 1;
}

int cmd_gendata(const CommandContext *context, StrView args) {
    Generator gen = {.context = context};
    if (!read_request(args, &gen.request)) {
        output_line(context->out, SV("info string error gendata: usage: gendata --out FILE "
                                     "[--games N] [--nodes N] [--threads N] [--seed S] "
                                     "[--shard I/N] [--net FILE]"));
        return 2;
    }
    if (replaces_net(&gen.request)) {
        output_line(context->out, SV("info string error gendata: --out is the network itself"));
        return 2;
    }
    const char *why;
    if (!evalfile_load(gen.request.net, &gen.net, &why)) {
        output_linef(context->out, "info string error gendata: %.*s: %s", (int)gen.request.net.len,
                     gen.request.net.ptr, why);
        return 1;
    }
    gen.origin = (PackOrigin){.net_id = gen.net != NULL ? gen.net->id : 0,
                              .seed = (uint64_t)gen.request.seed,
                              .nodes = (uint32_t)gen.request.nodes,
                              .shard = (uint32_t)gen.request.shard - 1,
                              .shards = (uint32_t)gen.request.shards};
    StrBuf path = STRBUF_INIT, part = STRBUF_INIT;
    strbuf_add(&path, gen.request.path);
    gen.error = file_begin(&gen.file, path.ptr);
    if (gen.error == 0) {
        run_generator(&gen);
        end_file(&gen, &part);
    }
    int status = report_end(&gen, path.ptr, &part);
    strbuf_free(&path);
    strbuf_free(&part);
    net_free(gen.net);
    return status;
}
