/* cmd_gendata.c: plays blocks of games on several threads and writes them in order, so that the
 * file does not depend on the number of threads. */
#include "cmd/cmd_gendata.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/checksum.h"
#include "base/clock.h"
#include "base/fileio.h"
#include "base/journal.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "base/xmem.h"
#include "book/bookread.h"
#include "command/command.h"
#include "command/output.h"
#include "engine/evalfile.h"
#include "eval/arch.h"
#include "eval/net.h"
#include "rules/movegen.h"
#include "rules/sfen.h"
#include "selfplay/selfplay.h"

enum {
    BLOCK_GAMES = 100,
    MOST_GAMES = 100000000,
    MOST_NODES = 100000000,
    MOST_THREADS = 512,
    PROGRESS_MS = 5000,
    USUAL_WINDOW = 400,
    USUAL_SCALE = 1400, /* of the hand-written evaluation */
    DEEPER = 30,        /* nodes of a deep search in multiples of an ordinary one */
};

typedef struct GenRequest {
    const char *path;
    const char *net; /* as in the option EvalFile; NULL: the built-in network */
    const char *opponents[SELFPLAY_MOST_OPPONENTS];
    int opponent_count;
    int games; /* in this shard */
    int nodes, threads;
    int64_t seed;
    int shard, shards; /* an ARG_PART */
    /* As in SelfplayRules; scale 0 means the network's own; ranges are 0 if not given. */
    int asymmetric, off_policy, adjudicate, scale, deep, leaves, focus;
    NodeRange deep_nodes, label_nodes;
    const char *starts;
    const char *book;
    int book_plies, window;
} GenRequest;

/* A block from the start of its first game until it is encoded. Each game's entry belongs to the
 * thread that plays it. When all games are done, the whole block belongs to the thread that
 * finished last. Games are assigned in order, so at most one more block is open than there are
 * threads. */
typedef struct OpenBlock {
    SelfplayGames games[BLOCK_GAMES];
    int done; /* guarded by the generator's lock */
} OpenBlock;

/* One run. Any thread may play any game; blocks are written in order. */
typedef struct Generator {
    const CommandContext *context;
    GenRequest request;
    PackOrigin origin;
    SelfplayRules rules;
    BookReader *book;
    Setup *starts;
    NnueNet *nets[1 + SELFPLAY_MOST_OPPONENTS]; /* NULL: the hand-written evaluation */
    FileWriter file;
    int error; /* of the file, an errno value */
    int block_count;
    int64_t start_ms, start_cpu_ns;

    _Atomic bool is_over; /* start no more games */

    pthread_mutex_t lock; /* guards the members below */
    int next_game;        /* next game to play */
    int next_written;
    OpenBlock **open; /* by block number; NULL if not open */
    StrBuf *blocks;   /* played but not yet written, by block number */
    bool *is_played;
    Journal journal;
    bool has_blocks; /* the file contains some blocks */
    Progress progress;
    SelfplayEnd end; /* result of the first game that was not completed */
    int games_done;
    uint64_t positions;
    uint64_t nodes;            /* of all searches in this run */
    uint64_t leaves, branches; /* positions and games added by deep searches */
    int results[4];            /* indexed by KmdWinner */
} Generator;

/* ---- arguments ------------------------------------------------------------------------------- */

static bool read_opponent(const char *word, void *request) {
    GenRequest *gen = request;
    if (word[0] == '\0' || gen->opponent_count == SELFPLAY_MOST_OPPONENTS) {
        return false;
    }
    gen->opponents[gen->opponent_count++] = word;
    return true;
}

/* Reads "N" or "N:M". */
static bool read_range(const char *word, NodeRange *range) {
    StrView text = sv_from(word);
    size_t colon = sv_find_byte(text, ':');
    int least, most;
    if (!sv_to_int(sv_prefix(text, colon), 1, MOST_NODES, &least)) {
        return false;
    }
    most = least;
    if (colon < text.len && !sv_to_int(sv_skip(text, colon + 1), least, MOST_NODES, &most)) {
        return false;
    }
    *range = (NodeRange){(uint64_t)least, (uint64_t)most};
    return true;
}

static bool read_deep_nodes(const char *word, void *request) {
    return read_range(word, &((GenRequest *)request)->deep_nodes);
}

static bool read_label_nodes(const char *word, void *request) {
    return read_range(word, &((GenRequest *)request)->label_nodes);
}

#define AT(member) offsetof(GenRequest, member)

static const ArgOption options[] = {
    {"--out", "FILE", ARG_TEXT, AT(path), .help = "output file for the games"},
    {"--games", "N", ARG_INT, AT(games), 1, MOST_GAMES, .start = 1000,
     .help = "number of games; with --shard, per shard"},
    {"--nodes", "N", ARG_INT, AT(nodes), 1, MOST_NODES, .start = 1000, .help = "nodes per move"},
    {"--threads", "N", ARG_INT, AT(threads), 1, MOST_THREADS, .start = 1,
     .help = "number of games at once"},
    {"--seed", "S", ARG_I64, AT(seed), 0, 9223372036854774784.0, .start = 1,
     .help = "random seed; another seed gives other games"},
    {"--shard", "I/N", ARG_PART, AT(shard), .start = 1,
     .help = "play shard I of N; the games of shard I do not depend on N"},
    {"--net", "FILE", ARG_TEXT, AT(net),
     .help = "network that plays, or <handwritten> (default: the built-in one)"},
    {"--opponent", "FILE", ARG_OTHER, .read = read_opponent,
     .help = "another network to play against; may be repeated"},
    {"--asymmetric", "PERCENT", ARG_INT, AT(asymmetric), 0, 100, .start = 33,
     .help = "percentage of games against a different player"},
    {"--off-policy", "PLIES", ARG_INT, AT(off_policy), 0, 200,
     .help = "in half of the games without handicap, first play up to this many unlabelled plies "
             "chosen by other players or at random"},
    {"--adjudicate", "PERCENT", ARG_INT, AT(adjudicate), 51, 100, .start = 97,
     .help = "end a game at this winning chance; 100: play every game to the end"},
    {"--scale", "N", ARG_INT, AT(scale), 1, NNUE_MOST_SCALE,
     .help = "centipawns per unit of the sigmoid (default: the network's)"},
    {"--deep", "N", ARG_INT, AT(deep), 0, MOST_GAMES, .start = 20,
     .help = "search every Nth position more deeply; 0: none"},
    {"--deep-nodes", "N[:M]", ARG_OTHER, .read = read_deep_nodes,
     .help = "nodes of the deep searches, or a range (default: 30 times --nodes)"},
    {"--leaves", "N", ARG_INT, AT(leaves), 0, SELFPLAY_MOST_LEAVES,
     .help = "label up to N positions from the tree of each deep search"},
    {"--label-nodes", "N[:M]", ARG_OTHER, .read = read_label_nodes,
     .help = "nodes of the searches that label these positions, or a range (default: --nodes)"},
    {"--focus", "PERCENT", ARG_INT, AT(focus), 0, 100, .start = 50,
     .help = "percentage of these positions taken near the principal variation and where the "
             "evaluation changes, instead of uniformly"},
    {"--starts", "FILE", ARG_TEXT, AT(starts),
     .help = "start half of the games without handicap from the positions of this file, one SFEN "
             "per line"},
    {"--book", "FILE", ARG_TEXT, AT(book), .help = "opening book for games without handicap"},
    {"--plies", "N", ARG_INT, AT(book_plies), 1, 200, .start = 16,
     .help = "maximum number of moves to play from the book"},
    {"--window", "CP", ARG_INT, AT(window), 1, 10000, .start = USUAL_WINDOW,
     .help = "reject openings without handicap whose score is further from 0"},
};

/* ---- playing --------------------------------------------------------------------------------- */

/* The seed of a game depends on the run's seed, the shard and the number of the game. */
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

/* Counts a completed game, with the nodes of its searches. Returns true if it is the last of its
 * block. */
static bool note_game(Generator *gen, OpenBlock *block, int number, uint64_t nodes) {
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
    gen->nodes += nodes;
    gen->leaves += (uint64_t)leaves;
    gen->branches += (uint64_t)(led->count - 1 - leaves);
    gen->results[games[0].winner]++;
    block->done++;
    bool is_last = block->done == block_games(gen, number / BLOCK_GAMES);
    report_progress(gen);
    pthread_mutex_unlock(&gen->lock);
    return is_last;
}

/* Ends the run early; only the first reason is kept. */
static void note_end(Generator *gen, SelfplayEnd end) {
    pthread_mutex_lock(&gen->lock);
    gen->end = gen->end == SELFPLAY_DONE ? end : gen->end;
    pthread_mutex_unlock(&gen->lock);
    atomic_store(&gen->is_over, true);
}

/* Takes over a block's bytes, and writes all blocks that are next in order. */
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

/* Encodes the games of a block if they should be kept, and frees the block. No thread may still be
 * playing in it. */
static void close_block(Generator *gen, int number, OpenBlock *block, bool is_kept) {
    StrBuf bytes = STRBUF_INIT;
    PackedGame *games =
        NULL; /* all games of the block in one array; their moves still belong to the block */
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

/* Returns the next game: its number, and the block it belongs to. NULL if no more games should be
 * started. */
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
        uint64_t nodes = selfplay_nodes(play);
        SelfplayEnd end =
            selfplay_game(play, seed, gen->context->cancel, &block->games[number % BLOCK_GAMES]);
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

/* Reports the games started by deep searches, and the positions from their trees. */
static void print_deep(const Generator *gen) {
    if (gen->branches + gen->leaves > 0) {
        output_linef(gen->context->out,
                     "%llu more game%s started by deep searches, %llu position%s of their trees",
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
    double cpu_seconds = (double)(clock_cpu_ns() - gen->start_cpu_ns + 1) / 1e9;
    output_linef(gen->context->out, "%llu nodes, %.0f per second of processor time",
                 (unsigned long long)gen->nodes, (double)gen->nodes / cpu_seconds);
}

/* Renames the file if it is complete. If the run failed, keeps the games written so far in a file
 * next to it and sets *part to its name. */
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
    gen->block_count = (gen->request.games + BLOCK_GAMES - 1) / BLOCK_GAMES;
    gen->open = xmem_calloc((size_t)gen->block_count, sizeof(OpenBlock *));
    gen->blocks = xmem_calloc((size_t)gen->block_count, sizeof(StrBuf));
    gen->is_played = xmem_calloc((size_t)gen->block_count, sizeof(bool));
    pthread_mutex_init(&gen->lock, NULL);
    gen->start_ms = clock_ms();
    gen->start_cpu_ns = clock_cpu_ns();
    command_begin_progress(gen->context, &gen->progress, PROGRESS_MS, PROGRESS_MS, true);
    parallel_run(gen->request.threads, generate, gen);
    close_rest(gen);
    gen->error = gen->journal.error;
    pthread_mutex_destroy(&gen->lock);
    for (int i = 0; i < gen->block_count; i++) {
        strbuf_free(&gen->blocks[i]);
    }
    free(gen->open);
    free(gen->blocks);
    free(gen->is_played);
    progress_clear(&gen->progress);
}

/* The reason why there is no file; NULL if there is one. */
static const char *failure_of(const Generator *gen) {
    if (gen->error != 0) {
        return file_error_text(gen->error);
    }
    switch (gen->end) {
    case SELFPLAY_STOPPED:
        return "stopped before the end";
    case SELFPLAY_NO_OPENING:
        return "this network rates a thousand openings in a row as unbalanced";
    default:
        return NULL;
    }
}

/* Reports the result and returns the exit status. */
static int report_end(Generator *gen, const StrBuf *part) {
    const char *failure = failure_of(gen);
    if (failure == NULL) {
        print_summary(gen);
        print_deep(gen);
        return COMMAND_GOOD;
    }
    bool has_part = part->len > 0;
    return command_fail(gen->context, COMMAND_FAILED, "%s: %s%s%s", gen->request.path, failure,
                        has_part ? "; run the same command again to continue " : "",
                        has_part ? part->ptr : "");
}

/* Part of the hash of a run's rules. Increase it whenever games are played differently. */
enum { RULES_VERSION = 4 };

/* Loads the networks and adds them to *hash. Returns the exit status. */
static int load_nets(Generator *gen, uint64_t *hash) {
    const GenRequest *request = &gen->request;
    for (int i = 0; i <= request->opponent_count; i++) {
        const char *path = i == 0 ? request->net : request->opponents[i - 1];
        const char *why;
        if (!evalfile_load(sv_from(path), &gen->nets[i], &why)) {
            return command_fail(gen->context, COMMAND_FAILED, "%s: %s", path, why);
        }
        uint64_t id = gen->nets[i] != NULL ? gen->nets[i]->id : 0;
        *hash = checksum_fnv(*hash, &id, sizeof(id));
    }
    return COMMAND_GOOD;
}

static int load_book(Generator *gen, uint64_t *hash) {
    const GenRequest *request = &gen->request;
    if (request->book == NULL) {
        return COMMAND_GOOD;
    }
    const char *why;
    gen->book = bookread_open(request->book, false, gen->context->cancel, &why);
    if (gen->book == NULL) {
        return command_fail(gen->context, COMMAND_FAILED, "%s: %s", request->book,
                            why != NULL ? why : "stopped");
    }
    gen->rules.book = gen->book;
    uint64_t id = bookread_id(gen->book) + (uint64_t)request->book_plies;
    *hash = checksum_fnv(*hash, &id, sizeof(id));
    return COMMAND_GOOD;
}

/* Reads the start positions of --starts: lines whose first column is an SFEN in which the side to
 * move has a legal move. Other lines are ignored. */
static int load_starts(Generator *gen, uint64_t *hash) {
    const char *path = gen->request.starts;
    if (path == NULL) {
        return COMMAND_GOOD;
    }
    StrBuf text = STRBUF_INIT;
    if (!command_read_file(gen->context, path, &text)) {
        strbuf_free(&text);
        return COMMAND_FAILED;
    }
    *hash = checksum_fnv(*hash, text.ptr, text.len);
    Position pos;
    pos_init(&pos);
    size_t cap = 0, count = 0;
    StrView rest = strbuf_view(&text);
    StrView line;
    while (sv_next_line(&rest, &line)) {
        if (pos_set_sfen(&pos, sv_field(line, '\t', 0), NULL) == KMD_OK && gen_has_move(&pos)) {
            gen->starts = xmem_grow(gen->starts, &cap, count + 1, sizeof(Setup));
            gen->starts[count++] = pos_get(&pos);
        }
    }
    pos_free(&pos);
    strbuf_free(&text);
    gen->rules.starts = gen->starts;
    gen->rules.start_count = (int)count;
    return count > 0 ? COMMAND_GOOD
                     : command_fail(gen->context, COMMAND_FAILED,
                                    "%s: no line starts with a position", path);
}

static NodeRange range_or(const NodeRange *given, uint64_t nodes) {
    return given->least > 0 ? *given : (NodeRange){nodes, nodes};
}

/* Fills in the rules, except what is read from files. */
static void fill_rules(Generator *gen) {
    const GenRequest *request = &gen->request;
    const NnueNet *net = gen->nets[0];
    uint64_t nodes = (uint64_t)request->nodes;
    gen->rules = (SelfplayRules){.nodes = nodes,
                                 .scale = request->scale > 0 ? request->scale
                                          : net != NULL      ? net->scale
                                                             : USUAL_SCALE,
                                 .adjudicate = request->adjudicate,
                                 .asymmetric = request->asymmetric,
                                 .off_policy = request->off_policy,
                                 .deep = request->deep,
                                 .deep_nodes = range_or(&request->deep_nodes, nodes * DEEPER),
                                 .leaves = request->leaves,
                                 .focus = request->focus,
                                 .label_nodes = range_or(&request->label_nodes, nodes),
                                 .net = net,
                                 .opponent_count = request->opponent_count,
                                 .book_plies = request->book_plies,
                                 .window = request->window};
    for (int i = 0; i < request->opponent_count; i++) {
        gen->rules.opponents[i] = gen->nets[i + 1];
    }
}

static uint64_t hash_rules(const SelfplayRules *rules, uint64_t hash) {
    uint64_t parts[] = {RULES_VERSION,
                        (uint64_t)rules->scale,
                        (uint64_t)rules->adjudicate,
                        (uint64_t)rules->asymmetric,
                        (uint64_t)rules->off_policy,
                        (uint64_t)rules->deep,
                        rules->deep_nodes.least,
                        rules->deep_nodes.most,
                        (uint64_t)rules->leaves,
                        (uint64_t)rules->focus,
                        rules->label_nodes.least,
                        rules->label_nodes.most,
                        (uint64_t)rules->window};
    return checksum_fnv(hash, parts, sizeof(parts));
}

/* Loads everything the run needs and fills in the rules. Returns the exit status. */
static int prepare(Generator *gen) {
    const GenRequest *request = &gen->request;
    uint64_t hash = CHECKSUM_FNV_START;
    int status = load_nets(gen, &hash);
    if (status != COMMAND_GOOD) {
        return status;
    }
    fill_rules(gen);
    status = load_book(gen, &hash);
    status = status == COMMAND_GOOD ? load_starts(gen, &hash) : status;
    const NnueNet *net = gen->nets[0];
    gen->origin = (PackOrigin){.net_id = net != NULL ? net->id : 0,
                               .seed = (uint64_t)request->seed,
                               .rules = hash_rules(&gen->rules, hash),
                               .nodes = (uint32_t)request->nodes,
                               .shard = (uint32_t)request->shard - 1,
                               .shards = (uint32_t)request->shards};
    return status;
}

/* Counts the full-size blocks of an earlier run. The journal's head is the file's header. */
static size_t take_blocks(void *context, StrView blocks) {
    Generator *gen = context;
    PackReader reader;
    PackBlock block;
    size_t keep = 0;
    bool is_good = packed_read_begin(&reader, blocks.ptr, blocks.len);
    while (is_good && packed_read_block(&reader, &block) && reader.damaged_bytes == 0 &&
           gen->next_game + BLOCK_GAMES <= gen->request.games) {
        gen->next_game += BLOCK_GAMES;
        gen->games_done += BLOCK_GAMES;
        gen->positions += block.positions;
        gen->next_written++;
        keep = reader.at;
    }
    gen->has_blocks = keep > 0;
    return keep;
}

/* Continues from the file that an earlier run left, or starts a new one. Returns 0 or an error of
 * the journal. */
static int open_journal(Generator *gen) {
    StrBuf header = STRBUF_INIT;
    packed_write_header(&gen->origin, &header);
    JournalPlan plan = {strbuf_view(&header), take_blocks, gen};
    int error = journal_begin(&gen->journal, gen->file.stream, gen->file.aside.ptr, &plan);
    strbuf_free(&header);
    return error;
}

static int play(Generator *gen) {
    StrBuf part = STRBUF_INIT;
    int error = file_begin_after(&gen->file, gen->request.path);
    if (error != 0) {
        command_refuse(gen->context, gen->request.path, file_error_text(error));
        return COMMAND_FAILED;
    }
    gen->error = open_journal(gen);
    if (gen->error == EEXIST || gen->error == EBUSY) {
        file_leave_aside(&gen->file, &part);
        command_refuse(gen->context, part.ptr, journal_error_text(gen->error));
        strbuf_free(&part);
        return COMMAND_FAILED;
    }
    if (gen->error == 0) {
        run_generator(gen);
    }
    end_file(gen, &part);
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
        return command_fail(context, COMMAND_MISUSED, "--out would overwrite the network");
    }
    int status = prepare(&gen);
    if (status == COMMAND_GOOD) {
        status = play(&gen);
    }
    for (size_t i = 0; i < COUNTOF(gen.nets); i++) {
        net_free(gen.nets[i]);
    }
    bookread_close(gen.book);
    free(gen.starts);
    return status;
}

const Command cmd_gendata = {{"gendata", "--out FILE",
                              "Play games against itself and write them as training data.\n"
                              "An interrupted run continues when the same command is run again.",
                              ARG_OPTIONS(options)},
                             gendata};
