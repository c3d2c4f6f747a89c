#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/checksum.h"
#include "base/clock.h"
#include "base/fileio.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "base/xmem.h"
#include "book/bookread.h"
#include "cmd/commands.h"
#include "cmd/selfplay.h"
#include "engine/ownbook.h"
#include "eval/arch.h"
#include "eval/netfile.h"
#include "usi/output.h"

enum {
    BLOCK_GAMES = 100,
    MOST_GAMES = 100000000,
    MOST_NODES = 100000000,
    MOST_THREADS = 512,
    PROGRESS_MS = 5000,
    USUAL_WINDOW = 400,
};

typedef struct GenRequest {
    const char *path;
    const char *net; /* as the option EvalFile; NULL: the program's own */
    const char *rivals[SELFPLAY_MOST_RIVALS];
    int rival_count;
    int games; /* of this shard */
    int nodes, threads;
    int64_t seed;
    int shard, shards;  /* an ARG_PART */
    int unlike, wander; /* these six as in SelfplayRules, the scale 0 for the network's own */
    int decided, scale, deep, leaves;
    const char *book;
    int book_plies, window;
} GenRequest;

/* A block from its first game on until it has its bytes. A game's place belongs to the thread that
 * plays it, and when all are done the whole to the one that finished the last. Games are given out
 * in order, so at most one block more is open than there are threads. */
typedef struct OpenBlock {
    SelfplayGames games[BLOCK_GAMES];
    int done; /* guarded by the generator's lock */
} OpenBlock;

/* One run. Games are played by any thread and blocks of them written in order. */
typedef struct Generator {
    const CommandContext *context;
    GenRequest request;
    PackOrigin origin;
    SelfplayRules rules;
    BookReader *book;
    NnueNet *nets[1 + SELFPLAY_MOST_RIVALS]; /* NULL: the hand-written evaluation */
    FileWriter file;
    int block_count;
    int64_t start_ms;

    _Atomic bool is_over; /* no more games are to be started */

    pthread_mutex_t lock; /* guards the rest */
    int next_game;        /* to be played */
    int next_written;
    OpenBlock **open; /* by number; NULL where there is none */
    StrBuf *blocks;   /* played and not yet written; by number */
    bool *is_played;
    bool has_blocks; /* some are in the file */
    Progress progress;
    int error;       /* of the file, an errno value */
    SelfplayEnd end; /* of the first game that was not played out */
    int games_done;
    uint64_t positions;
    uint64_t leaves, branches; /* what deep searches led to */
    int results[4];            /* by KmdWinner */
} Generator;

/* ---- arguments ------------------------------------------------------------------------------- */

static bool read_rival(const char *word, void *request) {
    GenRequest *gen = request;
    if (word[0] == '\0' || gen->rival_count == SELFPLAY_MOST_RIVALS) {
        return false;
    }
    gen->rivals[gen->rival_count++] = word;
    return true;
}

#define AT(member) offsetof(GenRequest, member)

static const ArgOption options[] = {
    {"--out", "FILE", ARG_TEXT, AT(path), .help = "where the games go"},
    {"--games", "N", ARG_INT, AT(games), 1, MOST_GAMES, .start = 1000,
     .help = "games; with shards, in each of them"},
    {"--nodes", "N", ARG_INT, AT(nodes), 1, MOST_NODES, .start = 1000,
     .help = "nodes for each move"},
    {"--threads", "N", ARG_INT, AT(threads), 1, MOST_THREADS, .start = 1, .help = "games at once"},
    {"--seed", "S", ARG_I64, AT(seed), 0, 9223372036854774784.0, .start = 1,
     .help = "other games for another seed"},
    {"--shard", "I/N", ARG_PART, AT(shard), .start = 1,
     .help = "the Ith of N parts; which games it has does not depend on N"},
    {"--net", "FILE", ARG_TEXT, AT(net),
     .help = "the network that plays, or <handwritten>; else the program's own"},
    {"--rival", "FILE", ARG_OTHER, .read = read_rival,
     .help = "another network to play against; may be given several times"},
    {"--unlike", "PERCENT", ARG_INT, AT(unlike), 0, 100, .start = 33,
     .help = "games against another kind of player"},
    {"--wander", "PLIES", ARG_INT, AT(wander), 0, 200,
     .help = "let half of the games go astray for so many plies at most before they count"},
    {"--decided", "PERCENT", ARG_INT, AT(decided), 51, 100, .start = 97,
     .help = "a chance to win that decides a game; 100: all are played out"},
    {"--scale", "N", ARG_INT, AT(scale), 1, NNUE_MOST_SCALE,
     .help = "centipawns per unit of the sigmoid, else the network's"},
    {"--deep", "N", ARG_INT, AT(deep), 0, MOST_GAMES, .start = 20,
     .help = "search one position in N with 30 times the nodes; 0: none"},
    {"--leaves", "N", ARG_INT, AT(leaves), 0, SELFPLAY_MOST_LEAVES,
     .help = "of each of these searches give so many of the positions that it evaluates a score"},
    {"--book", "FILE", ARG_TEXT, AT(book), .help = "a book that even games begin with"},
    {"--plies", "N", ARG_INT, AT(book_plies), 1, 200, .start = 16,
     .help = "moves from the book, at most"},
    {"--window", "CP", ARG_INT, AT(window), 1, 10000, .start = USUAL_WINDOW,
     .help = "no even opening that is worth more to one side"},
};

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
    if (!progress_is_due(&gen->progress)) {
        return;
    }
    double seconds = (double)(progress_elapsed_ms(&gen->progress) + 1) / 1000;
    double left = seconds * (gen->request.games - gen->games_done) / int_max(gen->games_done, 1);
    progress_show(&gen->progress, "%d of %d games, %llu positions, %.0f per second, %.0f s left",
                  gen->games_done, gen->request.games, (unsigned long long)gen->positions,
                  (double)gen->positions / seconds, left);
}

/* Counts a game that was played out. True when it is the last of its block. */
static bool note_game(Generator *gen, OpenBlock *block, int number) {
    const SelfplayGames *led = &block->games[number % BLOCK_GAMES];
    const PackedGame *games = led->games;
    int scored = 0, leaves = 0;
    for (int k = 0; k < led->count; k++) {
        leaves += packed_game_is_leaf(&games[k]);
        for (int i = 0; i < games[k].move_count; i++) {
            scored += games[k].moves[i].score != PACK_NO_SCORE;
        }
    }
    pthread_mutex_lock(&gen->lock);
    gen->games_done++;
    gen->positions += (uint64_t)scored;
    gen->leaves += (uint64_t)leaves;
    gen->branches += (uint64_t)(led->count - 1 - leaves);
    gen->results[games[0].winner]++;
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

/* Makes bytes of the games of a block, when they are to be kept, and frees it. Nobody plays in it
 * any more. */
static void close_block(Generator *gen, int number, OpenBlock *block, bool is_kept) {
    StrBuf bytes = STRBUF_INIT;
    PackedGame *games = NULL; /* of all, one after another; their moves stay the block's */
    size_t count = 0, cap = 0;
    for (int i = 0; i < BLOCK_GAMES && is_kept; i++) {
        const SelfplayGames *led = &block->games[i];
        games = xmem_grow(games, &cap, count + (size_t)led->count, sizeof(PackedGame));
        for (int k = 0; k < led->count; k++) {
            games[count] = led->games[k];
            count += led->games[k].move_count > 0;
        }
    }
    if (count > 0) {
        packed_write_block(games, (int)count, &gen->origin, &bytes);
    }
    free(games);
    for (int i = 0; i < BLOCK_GAMES; i++) {
        selfplay_games_free(&block->games[i]);
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
    Selfplay *play = selfplay_create(&gen->rules);
    OpenBlock *block;
    int number;
    while ((block = take_game(gen, &number)) != NULL) {
        uint64_t seed = game_seed(gen, number);
        SelfplayEnd end =
            selfplay_game(play, seed, gen->context->cancel, &block->games[number % BLOCK_GAMES]);
        if (end != SELFPLAY_DONE) {
            note_end(gen, end);
        } else if (note_game(gen, block, number)) {
            close_block(gen, number / BLOCK_GAMES, block, true);
        }
    }
    selfplay_free(play);
}

/* Where a run ended early some blocks have games that were not played out: the same command plays
 * them again. */
static void close_rest(Generator *gen) {
    for (int i = 0; i < gen->block_count; i++) {
        if (gen->open[i] != NULL) {
            close_block(gen, i, gen->open[i], false);
        }
    }
}

/* What the file has besides the games that were asked for. */
static void print_deep(const Generator *gen) {
    if (gen->branches + gen->leaves > 0) {
        output_linef(gen->context->out,
                     "%llu game%s more that deep searches began, %llu position%s of their trees",
                     (unsigned long long)gen->branches, str_plural(gen->branches),
                     (unsigned long long)gen->leaves, str_plural(gen->leaves));
    }
}

static void print_summary(Generator *gen) {
    double seconds = (double)(clock_ms() - gen->start_ms + 1) / 1000;
    output_linef(
        gen->context->out,
        "%d game%s (black %d, white %d, drawn %d), %llu position%s, %.1f s, %.0f per second",
        gen->games_done, str_plural((uint64_t)gen->games_done), gen->results[KMD_WINNER_BLACK],
        gen->results[KMD_WINNER_WHITE], gen->results[KMD_WINNER_DRAW],
        (unsigned long long)gen->positions, str_plural(gen->positions), seconds,
        (double)gen->positions / seconds);
}

/* The file is there only when all games are in it. Where the run failed, the games that were
 * written stay beside it, and *part is where. */
static void end_file(Generator *gen, StrBuf *part) {
    if (gen->error == 0 && gen->end == SELFPLAY_DONE) {
        gen->error = file_commit(&gen->file);
    } else if (gen->has_blocks) {
        file_leave_aside(&gen->file, part);
    } else {
        file_abandon(&gen->file);
    }
}

static void run_generator(Generator *gen) {
    if (!gen->has_blocks) {
        StrBuf header = STRBUF_INIT;
        packed_write_header(&gen->origin, &header);
        write_bytes(gen, &header);
        strbuf_free(&header);
    }
    gen->block_count = (gen->request.games + BLOCK_GAMES - 1) / BLOCK_GAMES;
    gen->open = xmem_calloc((size_t)gen->block_count, sizeof(OpenBlock *));
    gen->blocks = xmem_calloc((size_t)gen->block_count, sizeof(StrBuf));
    gen->is_played = xmem_calloc((size_t)gen->block_count, sizeof(bool));
    pthread_mutex_init(&gen->lock, NULL);
    gen->start_ms = clock_ms();
    command_begin_progress(gen->context, &gen->progress, PROGRESS_MS, PROGRESS_MS, true);
    parallel_run(gen->request.threads, generate, gen);
    close_rest(gen);
    pthread_mutex_destroy(&gen->lock);
    for (int i = 0; i < gen->block_count; i++) {
        strbuf_free(&gen->blocks[i]);
    }
    free(gen->open);
    free(gen->blocks);
    free(gen->is_played);
    progress_clear(&gen->progress);
}

/* Why there is no file; NULL when there is. */
static const char *failure_of(const Generator *gen) {
    if (gen->error != 0) {
        return file_error_text(gen->error);
    }
    switch (gen->end) {
    case SELFPLAY_STOPPED:
        return "stopped, not whole";
    case SELFPLAY_NO_OPENING:
        return "a thousand openings in a row are worth too much to one side by this network";
    default:
        return NULL;
    }
}

/* Returns the exit status. */
static int report_end(Generator *gen, const StrBuf *part) {
    const char *failure = failure_of(gen);
    if (failure == NULL) {
        print_summary(gen);
        print_deep(gen);
        return COMMAND_GOOD;
    }
    bool has_part = part->len > 0;
    return command_fail(gen->context, COMMAND_FAILED, "%s: %s%s%s", gen->request.path, failure,
                        has_part ? "; the same command goes on with " : "",
                        has_part ? part->ptr : "");
}

/* Part of what a run's rules are known by: another number where games come about in another way. */
enum { RULES_VERSION = 3 };

/* Loads the networks and fills in the rules. Returns the exit status. */
static int prepare(Generator *gen) {
    const GenRequest *request = &gen->request;
    uint64_t hash = CHECKSUM_FNV_START;
    for (int i = 0; i <= request->rival_count; i++) {
        const char *path = i == 0 ? request->net : request->rivals[i - 1];
        const char *why;
        if (!evalfile_load(sv_from(path), &gen->nets[i], &why)) {
            return command_fail(gen->context, COMMAND_FAILED, "%s: %s", path, why);
        }
        uint64_t id = gen->nets[i] != NULL ? gen->nets[i]->id : 0;
        hash = checksum_fnv(hash, &id, sizeof(id));
    }
    const NnueNet *net = gen->nets[0];
    int scale = request->scale > 0 ? request->scale : net != NULL ? net->scale : 1400;
    gen->rules = (SelfplayRules){.nodes = (uint64_t)request->nodes,
                                 .scale = scale,
                                 .decided = request->decided,
                                 .unlike = request->unlike,
                                 .wander = request->wander,
                                 .deep = request->deep,
                                 .leaves = request->leaves,
                                 .net = net,
                                 .rival_count = request->rival_count,
                                 .book_plies = request->book_plies,
                                 .window = request->window};
    for (int i = 0; i < request->rival_count; i++) {
        gen->rules.rivals[i] = gen->nets[i + 1];
    }
    if (request->book != NULL) {
        const char *why;
        gen->book = bookread_open(request->book, false, gen->context->cancel, &why);
        if (gen->book == NULL) {
            return command_fail(gen->context, COMMAND_FAILED, "%s: %s", request->book,
                                why != NULL ? why : "stopped");
        }
        gen->rules.book = gen->book;
        uint64_t id = bookread_id(gen->book) + (uint64_t)request->book_plies;
        hash = checksum_fnv(hash, &id, sizeof(id));
    }
    if (request->window != USUAL_WINDOW) {
        hash = checksum_fnv(hash, &request->window, sizeof(request->window));
    }
    if (request->wander != 0) {
        hash = checksum_fnv(hash, &request->wander, sizeof(request->wander));
    }
    if (request->leaves != 0) {
        hash = checksum_fnv(hash, &request->leaves, sizeof(request->leaves));
    }
    int parts[] = {RULES_VERSION, scale, request->decided, request->unlike, request->deep};
    gen->origin = (PackOrigin){.net_id = net != NULL ? net->id : 0,
                               .seed = (uint64_t)request->seed,
                               .rules = checksum_fnv(hash, parts, sizeof(parts)),
                               .nodes = (uint32_t)request->nodes,
                               .shard = (uint32_t)request->shard - 1,
                               .shards = (uint32_t)request->shards};
    return 0;
}

static bool is_same_run(const PackOrigin *a, const PackOrigin *b) {
    return a->net_id == b->net_id && a->seed == b->seed && a->rules == b->rules &&
           a->nodes == b->nodes && a->shard == b->shard && a->shards == b->shards;
}

/* Takes up the whole blocks of full length that an earlier run left aside: as many bytes are to be
 * kept. False when what is there is of another run. */
static bool take_up(Generator *gen, size_t *keep) {
    StrBuf aside = STRBUF_INIT;
    strbuf_addf(&aside, "%s.part", gen->request.path);
    FileMap map;
    bool is_there = file_map(aside.ptr, &map) == 0;
    strbuf_free(&aside);
    *keep = 0;
    if (!is_there) {
        return true;
    }
    PackReader reader;
    PackBlock block;
    bool has_header = packed_read_begin(&reader, map.data, map.len) && reader.has_header;
    bool is_ours =
        map.len < PACK_HEADER_SIZE || (has_header && is_same_run(&reader.origin, &gen->origin));
    while (is_ours && has_header && packed_read_block(&reader, &block) &&
           reader.damaged_bytes == 0 && gen->next_game + BLOCK_GAMES <= gen->request.games) {
        gen->next_game += BLOCK_GAMES;
        gen->games_done += BLOCK_GAMES;
        gen->positions += block.positions;
        gen->next_written++;
        *keep = reader.at;
    }
    gen->has_blocks = *keep > 0;
    file_unmap(&map);
    return is_ours;
}

static int play(Generator *gen) {
    size_t keep;
    if (!take_up(gen, &keep)) {
        return command_fail(gen->context, COMMAND_FAILED,
                            "%s.part: games of another run; move them away", gen->request.path);
    }
    StrBuf part = STRBUF_INIT;
    gen->error = file_begin_behind(&gen->file, gen->request.path, keep);
    if (gen->error == 0) {
        run_generator(gen);
        end_file(gen, &part);
    }
    int status = report_end(gen, &part);
    strbuf_free(&part);
    return status;
}

static int gendata(const CommandContext *context, Args *args) {
    Generator gen = {.context = context};
    const GenRequest *request = &gen.request;
    if (!command_read(context, args, &gen.request, 0, 0)) {
        return COMMAND_MISUSED;
    }
    if (request->path == NULL) {
        return command_fail(context, COMMAND_MISUSED, "--out FILE is missing");
    }
    if (request->net != NULL && file_is_same(request->path, request->net)) {
        return command_fail(context, COMMAND_MISUSED, "--out is the network itself");
    }
    int status = prepare(&gen);
    if (status == COMMAND_GOOD) {
        status = play(&gen);
    }
    for (size_t i = 0; i < COUNTOF(gen.nets); i++) {
        net_free(gen.nets[i]);
    }
    bookread_close(gen.book);
    return status;
}

const Command cmd_gendata = {{"gendata", "--out FILE",
                              "Play games against itself and write them down as training data.\n"
                              "A run that was killed goes on when the same command is given again.",
                              ARG_OPTIONS(options)},
                             gendata};
