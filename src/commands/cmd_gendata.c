/* cmd_gendata.c: prepares a run of self-play, starts it, and prints the results. */
#include "commands/commands.h"

#include <errno.h>

#include "base/checksum.h"
#include "base/clock.h"
#include "base/journal.h"
#include "base/outguard.h"
#include "engine/command.h"
#include "engine/output.h"
#include "eval/net.h"
#include "train/gamerun.h"

enum { MAX_GAMES = 100000000, MAX_NODES = 100000000, MAX_THREADS = 512, PROGRESS_MS = 5000 };

typedef struct GendataArgs {
    const char *path;
    const char *net; /* named as in the option EvalFile; NULL: the built-in network */
    const char *opponents[SELFPLAY_MAX_OPPONENTS];
    int games;
    int threads;
    int64_t seed;
    SelfplayOptions play; /* the networks are not set here, but the number of opponents is */
} GendataArgs;

typedef struct GenRun {
    const CommandContext *context;
    GendataArgs args;
    PackOrigin origin;
    NnueNet *nets[1 + SELFPLAY_MAX_OPPONENTS]; /* NULL: the hand-written evaluation */
} GenRun;

/* ---- arguments ------------------------------------------------------------------------------- */

static bool read_opponent(const char *word, void *args) {
    GendataArgs *gen = args;
    if (word[0] == '\0' || gen->play.opponent_count == SELFPLAY_MAX_OPPONENTS) {
        return false;
    }
    gen->opponents[gen->play.opponent_count++] = word;
    return true;
}

#define AT(kind, member) ARG_AT(GendataArgs, kind, member)

static const ArgOption options[] = {
    {"--out", "FILE", AT(ARG_TEXT, path), .help = "output file for the games"},
    {"--games", "N", AT(ARG_INT, games), 1, MAX_GAMES, .start = 1000,
     .help = "number of games to play"},
    {"--nodes", "N", AT(ARG_U64, play.nodes), 1, MAX_NODES, .start = 1000,
     .help = "nodes per move"},
    {"--threads", "N", AT(ARG_INT, threads), 1, MAX_THREADS, .start = 1,
     .help = "number of games at once"},
    {"--seed", "S", AT(ARG_I64, seed), 0, 9223372036854774784.0, .start = 1,
     .help = "random seed; different seeds give different games"},
    {"--net", "FILE", AT(ARG_TEXT, net),
     .help = "network to play with, or <handwritten> (default: the built-in network); FILE@24 sets "
             "its FV_SCALE"},
    {"--opponent", "FILE", ARG_OTHER, .read = read_opponent,
     .help = "another network to play against, like --net; may be repeated"},
    {"--opponent-share", "PERCENT", AT(ARG_INT, play.opponent_share), 0, 100, .start = 80,
     .help = "percentage of games against a network of --opponent; the network of --net gives the "
             "scores of both sides"},
    {"--off-policy", "PLIES", AT(ARG_INT, play.off_policy), 0, 200,
     .help = "after the random opening, half of the games without handicap go on with up to this "
             "many plies that are random or from short searches, and have no scores"},
};

/* ---- preparing ------------------------------------------------------------------------------- */

/* Loads the networks and completes the options and the origin of the games. Returns the exit
 * status. */
static int prepare_run(GenRun *gen) {
    GendataArgs *args = &gen->args;
    uint64_t hash = CHECKSUM_FNV_START;
    for (int i = 0; i <= args->play.opponent_count; i++) {
        const char *path = i == 0 ? args->net : args->opponents[i - 1];
        if (!command_spares(gen->context, args->path, path)) {
            return COMMAND_FAILED;
        }
        if (!command_load_net(gen->context, path, &gen->nets[i])) {
            return COMMAND_FAILED;
        }
        const NnueNet *net = gen->nets[i];
        uint64_t id = net != NULL ? net->id : 0;
        id += net != NULL && net->layers != NULL ? (uint64_t)net->fv.scale : 0;
        hash = checksum_fnv(hash, &id, sizeof(id));
        if (i > 0) {
            args->play.opponents[i - 1] = net;
        }
    }
    args->play.net = gen->nets[0];
    gen->origin = (PackOrigin){.net_id = gen->nets[0] != NULL ? gen->nets[0]->id : 0,
                               .seed = (uint64_t)args->seed,
                               .rules = selfplay_hash(&args->play, hash),
                               .nodes = (uint32_t)args->play.nodes,
                               .shards = 1};
    return COMMAND_GOOD;
}

/* ---- playing --------------------------------------------------------------------------------- */

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

static int play_run(GenRun *gen) {
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
        double seconds = (double)(clock_ms() - start_ms + 1) / 1000;
        double cpu_seconds = (double)(clock_cpu_ns() - start_cpu_ns + 1) / 1e9;
        output_linef(gen->context->out,
                     "%d game%s (black %d, white %d, drawn %d), %llu position%s, %.1f s, "
                     "%.0f per second",
                     run.games, str_plural((uint64_t)run.games), run.results[KMD_WINNER_BLACK],
                     run.results[KMD_WINNER_WHITE], run.results[KMD_WINNER_DRAW],
                     (unsigned long long)run.positions, str_plural(run.positions), seconds,
                     (double)run.positions / seconds);
        output_linef(gen->context->out, "%llu nodes, %.0f per second of processor time",
                     (unsigned long long)run.nodes, (double)run.nodes / cpu_seconds);
    } else {
        report_failure(gen, &run);
    }
    strbuf_free(&run.part);
    return is_complete ? COMMAND_GOOD : COMMAND_FAILED;
}

/* The file has games already. Those of the same command need not be played again, so that a list of
 * commands can be run again after some of them failed; others are not replaced. */
static int keep_games(const GenRun *gen) {
    StrBuf header = STRBUF_INIT;
    packed_write_header(&gen->origin, &header);
    bool is_same = file_begins_with(gen->args.path, strbuf_view(&header));
    strbuf_free(&header);
    if (!is_same) {
        return command_fail(gen->context, COMMAND_FAILED,
                            "%s: not overwritten: it has other games; name another file",
                            gen->args.path);
    }
    output_linef(gen->context->out, "%s: has the games of this seed already; more need another",
                 gen->args.path);
    return COMMAND_GOOD;
}

static int gendata(const CommandContext *context, Args *args) {
    GenRun gen = {.context = context};
    if (!command_read(context, args, &gen.args, 0, 0)) {
        return COMMAND_MISUSED;
    }
    if (gen.args.path == NULL) {
        return command_fail(context, COMMAND_MISUSED, "--out FILE is missing");
    }
    int status = prepare_run(&gen);
    if (status == COMMAND_GOOD && file_begins_with(gen.args.path, SV(PACK_MAGIC))) {
        status = keep_games(&gen);
    } else if (status == COMMAND_GOOD) {
        status = play_run(&gen);
    }
    for (size_t i = 0; i < COUNTOF(gen.nets); i++) {
        net_free(gen.nets[i]);
    }
    return status;
}

const Command cmd_gendata = {{"gendata", "--out FILE",
                              "Let the engine play against itself and write the games as training "
                              "data.\nEach game is saved in FILE.part when it ends. To continue an "
                              "interrupted run, run the same command again.",
                              ARG_OPTIONS(options)},
                             gendata};
