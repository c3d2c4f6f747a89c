/* cmd_gendata.c: prepares a run of self-play, starts it, and prints the results. */
#include "commands/cmd_gendata.h"

#include <errno.h>
#include <stdlib.h>

#include "base/checksum.h"
#include "base/clock.h"
#include "base/fileio.h"
#include "base/journal.h"
#include "base/outguard.h"
#include "base/xmem.h"
#include "book/bookread.h"
#include "engine/command.h"
#include "engine/output.h"
#include "eval/arch.h"
#include "eval/net.h"
#include "rules/movegen.h"
#include "rules/sfen.h"
#include "train/gamerun.h"

enum {
    MAX_GAMES = 100000000,
    MAX_NODES = 100000000,
    MAX_THREADS = 512,
    PROGRESS_MS = 5000,
    USUAL_WINDOW = 400,
    USUAL_SCALE = 1400, /* scale of the hand-written evaluation */
    DEEPER = 30,        /* nodes of a deep search, as a multiple of those of an ordinary search */
};

typedef struct GendataArgs {
    const char *path;
    const char *net; /* named as in the option EvalFile; NULL: the built-in network */
    const char *opponents[SELFPLAY_MAX_OPPONENTS];
    int opponent_count;
    int games; /* number of games in this shard */
    int threads;
    int64_t seed;
    ArgPart shard;
    const char *starts;
    const char *book;
    SelfplayOptions play; /* a scale of 0 means that of the network; ranges are 0 if not given */
} GendataArgs;

typedef struct GenRun {
    const CommandContext *context;
    GendataArgs args;
    PackOrigin origin;
    BookReader *book;
    Setup *starts;
    NnueNet *nets[1 + SELFPLAY_MAX_OPPONENTS]; /* NULL: the hand-written evaluation */
} GenRun;

/* ---- arguments ------------------------------------------------------------------------------- */

static bool read_opponent(const char *word, void *args) {
    GendataArgs *gen = args;
    if (word[0] == '\0' || gen->opponent_count == SELFPLAY_MAX_OPPONENTS) {
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
    if (!sv_to_int(sv_prefix(text, colon), 1, MAX_NODES, &least)) {
        return false;
    }
    most = least;
    if (colon < text.len && !sv_to_int(sv_skip(text, colon + 1), least, MAX_NODES, &most)) {
        return false;
    }
    *range = (NodeRange){(uint64_t)least, (uint64_t)most};
    return true;
}

static bool read_deep_nodes(const char *word, void *args) {
    return read_range(word, &((GendataArgs *)args)->play.deep_nodes);
}

static bool read_label_nodes(const char *word, void *args) {
    return read_range(word, &((GendataArgs *)args)->play.label_nodes);
}

#define AT(kind, member) ARG_AT(GendataArgs, kind, member)

static const ArgOption options[] = {
    {"--out", "FILE", AT(ARG_TEXT, path), .help = "output file for the games"},
    {"--games", "N", AT(ARG_INT, games), 1, MAX_GAMES, .start = 1000,
     .help = "number of games to play; with --shard, the number for this shard"},
    {"--nodes", "N", AT(ARG_U64, play.nodes), 1, MAX_NODES, .start = 1000,
     .help = "nodes per move"},
    {"--threads", "N", AT(ARG_INT, threads), 1, MAX_THREADS, .start = 1,
     .help = "number of games at once"},
    {"--seed", "S", AT(ARG_I64, seed), 0, 9223372036854774784.0, .start = 1,
     .help = "random seed; different seeds give different games"},
    {"--shard", "I/N", AT(ARG_PART, shard), .start = 1,
     .help = "play shard I of N; the games of shard I do not depend on N"},
    {"--net", "FILE", AT(ARG_TEXT, net),
     .help = "network to play with, or <handwritten> (default: the built-in one or, in a session, "
             "the one that the options name); FILE@24 sets its FV_SCALE"},
    {"--opponent", "FILE", ARG_OTHER, .read = read_opponent,
     .help = "another network to play against, like --net; may be repeated"},
    {"--sparring", "PERCENT", AT(ARG_INT, play.sparring), 0, 100,
     .help =
         "percentage of games against a network given by --opponent in the same search with the "
         "same nodes; the results of these games count"},
    {"--asymmetric", "PERCENT", AT(ARG_INT, play.asymmetric), 0, 100, .start = 33,
     .help = "percentage of the other games that are against a different player"},
    {"--off-policy", "PLIES", AT(ARG_INT, play.off_policy), 0, 200,
     .help = "start half of the games without handicap with up to this many unlabelled plies "
             "chosen by other players or at random"},
    {"--adjudicate", "PERCENT", AT(ARG_INT, play.adjudicate), 51, 100, .start = 97,
     .help = "end most games when the winning chance of one side reaches this; 100 means play "
             "every game to the end"},
    {"--scale", "N", AT(ARG_INT, play.scale), 1, NNUE_MAX_SCALE,
     .help = "centipawns per unit of the sigmoid (default: the network's)"},
    {"--deep", "N", AT(ARG_INT, play.deep), 0, MAX_GAMES, .start = 20,
     .help = "search every Nth position more deeply; 0 means none"},
    {"--deep-nodes", "N[:M]", ARG_OTHER, .read = read_deep_nodes,
     .help = "nodes per deep search, or a range of nodes (default: 30 times --nodes)"},
    {"--leaves", "N", AT(ARG_INT, play.leaves), 0, SELFPLAY_MAX_LEAVES,
     .help = "label up to N positions from the tree of each deep search"},
    {"--label-nodes", "N[:M]", ARG_OTHER, .read = read_label_nodes,
     .help = "nodes per search that labels a position of --leaves, or a range of nodes (default: "
             "--nodes)"},
    {"--focus", "PERCENT", AT(ARG_INT, play.focus), 0, 100, .start = 50,
     .help = "percentage of the positions of --leaves that are drawn near the principal variation "
             "and where the evaluation changes; the others are drawn uniformly"},
    {"--starts", "FILE", AT(ARG_TEXT, starts),
     .help = "start half of the games without handicap from the positions of this file, one SFEN "
             "per line"},
    {"--book", "FILE", AT(ARG_TEXT, book), .help = "opening book for games without handicap"},
    {"--plies", "N", AT(ARG_INT, play.book_plies), 1, 200, .start = 16,
     .help = "maximum number of moves to play from the book of --book"},
    {"--window", "CP", AT(ARG_INT, play.window), 1, 10000, .start = USUAL_WINDOW,
     .help = "in games without handicap, reject openings whose score is further from 0 than this"},
};

static bool spares_inputs(const GenRun *gen) {
    const GendataArgs *args = &gen->args;
    const char *path = args->path;
    bool is_good = command_spares(gen->context, path, args->net) &&
                   command_spares(gen->context, path, args->starts) &&
                   command_spares(gen->context, path, args->book);
    for (int i = 0; i < args->opponent_count && is_good; i++) {
        is_good = command_spares(gen->context, path, args->opponents[i]);
    }
    return is_good;
}

/* ---- preparing ------------------------------------------------------------------------------- */

/* Loads the networks and adds them to *hash. Returns the exit status. */
static int load_nets(GenRun *gen, uint64_t *hash) {
    const GendataArgs *args = &gen->args;
    for (int i = 0; i <= args->opponent_count; i++) {
        const char *path = i == 0 ? args->net : args->opponents[i - 1];
        if (!command_load_net(gen->context, path, &gen->nets[i])) {
            return COMMAND_FAILED;
        }
        const NnueNet *net = gen->nets[i];
        uint64_t id = net != NULL ? net->id : 0;
        id += net != NULL && net->layers != NULL ? (uint64_t)net->fv.scale : 0;
        *hash = checksum_fnv(*hash, &id, sizeof(id));
    }
    return COMMAND_GOOD;
}

static int load_book(GenRun *gen, uint64_t *hash) {
    const GendataArgs *args = &gen->args;
    if (args->book == NULL) {
        return COMMAND_GOOD;
    }
    const char *why;
    gen->book = bookread_open(args->book, false, gen->context->cancel, &why);
    if (gen->book == NULL) {
        return command_fail(gen->context, COMMAND_FAILED, "%s: %s", args->book,
                            why != NULL ? why : "stopped");
    }
    gen->args.play.book = gen->book;
    uint64_t id = bookread_id(gen->book) + (uint64_t)args->play.book_plies;
    *hash = checksum_fnv(*hash, &id, sizeof(id));
    return COMMAND_GOOD;
}

/* Reads the start positions of --starts: lines whose first column is an SFEN in which the side to
 * move has a legal move. Other lines are ignored. */
static int load_starts(GenRun *gen, uint64_t *hash) {
    const char *path = gen->args.starts;
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
    gen->args.play.starts = gen->starts;
    gen->args.play.start_count = (int)count;
    return count > 0 ? COMMAND_GOOD
                     : command_fail(gen->context, COMMAND_FAILED,
                                    "%s: no line starts with a position", path);
}

static void use_unless_given(NodeRange *range, uint64_t nodes) {
    if (range->least == 0) {
        *range = (NodeRange){nodes, nodes};
    }
}

/* Fills in what is not given, and the networks. */
static void complete_options(GenRun *gen) {
    SelfplayOptions *play = &gen->args.play;
    const NnueNet *net = gen->nets[0];
    if (play->scale == 0) {
        play->scale = net != NULL ? net->scale : USUAL_SCALE;
    }
    use_unless_given(&play->deep_nodes, play->nodes * DEEPER);
    use_unless_given(&play->label_nodes, play->nodes);
    play->net = net;
    play->opponent_count = gen->args.opponent_count;
    for (int i = 0; i < play->opponent_count; i++) {
        play->opponents[i] = gen->nets[i + 1];
    }
}

/* Loads everything the run needs and completes the options. Returns the exit status. */
static int prepare(GenRun *gen) {
    const GendataArgs *args = &gen->args;
    uint64_t hash = CHECKSUM_FNV_START;
    int status = load_nets(gen, &hash);
    if (status != COMMAND_GOOD) {
        return status;
    }
    complete_options(gen);
    status = load_book(gen, &hash);
    status = status == COMMAND_GOOD ? load_starts(gen, &hash) : status;
    const NnueNet *net = gen->nets[0];
    gen->origin = (PackOrigin){.net_id = net != NULL ? net->id : 0,
                               .seed = (uint64_t)args->seed,
                               .rules = selfplay_hash(&gen->args.play, hash),
                               .nodes = (uint32_t)args->play.nodes,
                               .shard = (uint32_t)args->shard.number - 1,
                               .shards = (uint32_t)args->shard.count};
    return status;
}

/* ---- playing --------------------------------------------------------------------------------- */

static void print_summary(Output *out, const GameRun *run, int64_t time_ms, int64_t cpu_ns) {
    double seconds = (double)(time_ms + 1) / 1000;
    output_linef(out,
                 "%d game%s (black %d, white %d, drawn %d), %llu position%s, %.1f s, "
                 "%.0f per second",
                 run->games, str_plural((uint64_t)run->games), run->results[KMD_WINNER_BLACK],
                 run->results[KMD_WINNER_WHITE], run->results[KMD_WINNER_DRAW],
                 (unsigned long long)run->positions, str_plural(run->positions), seconds,
                 (double)run->positions / seconds);
    output_linef(out, "%llu nodes, %.0f per second of processor time",
                 (unsigned long long)run->nodes, (double)run->nodes / ((double)(cpu_ns + 1) / 1e9));
    if (run->branches + run->leaves > 0) {
        output_linef(out,
                     "%llu more game%s started by deep searches, %llu position%s of their trees",
                     (unsigned long long)run->branches, str_plural(run->branches),
                     (unsigned long long)run->leaves, str_plural(run->leaves));
    }
}

/* Reports why the file is not complete. */
static void report_failure(const GenRun *gen, const GameRun *run) {
    if (run->error == EEXIST || run->error == EBUSY) {
        command_fail(gen->context, COMMAND_FAILED, "%s: %s", run->part.ptr,
                     run->has_surplus ? "contains more games than --games; run the command that "
                                        "wrote it again, or move it away"
                                      : journal_error_text(run->error));
        return;
    }
    const char *why = run->error == EINVAL ? "not a regular file"
                      : run->error != 0    ? outguard_error_text(gen->args.path, run->error)
                      : run->end != SELFPLAY_STOPPED ? "this network rates a thousand openings in "
                                                       "a row as unbalanced"
                      : run->games > 0               ? "stopped"
                                                     : "stopped before the first game ended";
    StrBuf saved = STRBUF_INIT;
    if (run->games > 0) {
        strbuf_addf(&saved, "; %d of %d games are in %s; run the same command again to continue",
                    run->games, gen->args.games, run->part.ptr);
    }
    command_fail(gen->context, COMMAND_FAILED, "%s: %s%s", gen->args.path, why,
                 saved.len > 0 ? saved.ptr : "");
    strbuf_free(&saved);
}

static int play(GenRun *gen) {
    Progress progress;
    GameRunOptions run_options = {.path = gen->args.path,
                                  .play = &gen->args.play,
                                  .origin = gen->origin,
                                  .games = gen->args.games,
                                  .threads = gen->args.threads,
                                  .cancel = command_catch_end(gen->context),
                                  .progress = &progress};
    GameRun run;
    int64_t start_ms = clock_ms(), start_cpu_ns = clock_cpu_ns();
    command_begin_progress(gen->context, &progress, PROGRESS_MS, PROGRESS_MS, true);
    bool is_complete = gamerun_play(&run_options, &run);
    if (is_complete) {
        print_summary(gen->context->out, &run, clock_ms() - start_ms,
                      clock_cpu_ns() - start_cpu_ns);
    } else {
        report_failure(gen, &run);
    }
    strbuf_free(&run.part);
    return is_complete ? COMMAND_GOOD : COMMAND_FAILED;
}

static int gendata(const CommandContext *context, Args *args) {
    GenRun gen = {.context = context};
    const GendataArgs *parsed = &gen.args;
    if (!command_read(context, args, &gen.args, 0, 0)) {
        return COMMAND_MISUSED;
    }
    if (parsed->path == NULL) {
        return command_fail(context, COMMAND_MISUSED, "--out FILE is missing");
    }
    if (parsed->play.sparring > 0 && parsed->opponent_count == 0) {
        return command_fail(context, COMMAND_MISUSED, "--sparring needs --opponent FILE");
    }
    if (!spares_inputs(&gen)) {
        return COMMAND_MISUSED;
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
                              "Let the engine play against itself and write the games as training "
                              "data.\nEach game is saved in FILE.part when it ends. To continue an "
                              "interrupted run, run the same command again.",
                              ARG_OPTIONS(options)},
                             gendata};
