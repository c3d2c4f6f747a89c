/* cmd_data.c: a function for each verb, and the loop that reads all files for them. */
#include "commands/cmd_data.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "base/outguard.h"
#include "engine/command.h"
#include "engine/output.h"
#include "eval/net.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "train/datastats.h"
#include "train/lineends.h"
#include "train/packed.h"
#include "train/psv.h"

enum { IMPORT_GAMES = 100 }; /* number of games in a block */

/* What `lines` does unless options say otherwise. */
enum { LINES_NODES = 1500, LINES_NODES_MAX = 100000000, LINES_THREADS_MAX = 512 };
#define LINES_LOOKAHEAD 0.9
#define LINES_SCALE     400 /* of the hand-written evaluation */

/* The verbs; those from MERGE on write a file. */
typedef enum Verb { INFO, VERIFY, STATS, SHOW, MERGE, EXPORT, IMPORT, LINES } Verb;

static const char *verb_name(int verb) {
    static const char *const names[] = {
        [INFO] = "info",   [VERIFY] = "verify", [STATS] = "stats",   [SHOW] = "show",
        [MERGE] = "merge", [EXPORT] = "export", [IMPORT] = "import", [LINES] = "lines"};
    return verb < (int)COUNTOF(names) ? names[verb] : NULL;
}

typedef struct DataArgs {
    int verb; /* a Verb; -1: not given */
    const char *out;
    int format; /* a PsvFormat; -1: not given */
    /* For lines. */
    const char *net; /* NULL: not given */
    uint64_t nodes;
    double lookahead;
    int threads;
} DataArgs;

#define AT(kind, member) ARG_AT(DataArgs, kind, member)

static const ArgOption options[] = {
    {"VERB", NULL, AT(ARG_CHOICE, verb), .word = verb_name, .start = -1,
     .help = "info: summarize the files. verify: check whether they are damaged. stats: print "
             "statistics. show: print the games as text. merge: join files. export: convert to "
             "another format. import: convert from another format. lines: search the positions of "
             "games and write those at the ends of the principal variations"},
    {"--out", "FILE", AT(ARG_TEXT, out), .help = "merge, export, import, lines: output file"},
    {"--format", NULL, AT(ARG_CHOICE, format), .word = psv_format_name, .start = -1,
     .help = "export: format to write; the default is hcpe if FILE ends in .hcpe, otherwise psv. "
             "import: format to read; by default, the records decide, or else the extension"},
    {"--net", "FILE", AT(ARG_TEXT, net),
     .help = "lines: network to search with, or <handwritten> (default: the built-in one or, in a "
             "session, the one that the options name); FILE@24 sets its FV_SCALE"},
    {"--nodes", "N", AT(ARG_U64, nodes), 1, LINES_NODES_MAX, .start = LINES_NODES,
     .help = "lines: nodes per search"},
    {"--lookahead", "X", AT(ARG_FRACTION, lookahead), 0, 1, .start = LINES_LOOKAHEAD,
     .help = "lines: share of the next position's score that is mixed into a position's label, "
             "recursively"},
    {"--threads", "N", AT(ARG_INT, threads), 1, LINES_THREADS_MAX, .start = 1,
     .help = "lines: number of searches at once"},
};

/* The state of a running command. */
typedef struct DataRun {
    const CommandContext *context;
    DataArgs args;
    DataTally tally;
    DataStats *stats;
    int64_t read_ns;
    FILE *out;      /* output of merge, export, import and lines */
    PsvCount count; /* counts of export and import */
    LineEnds *lines;
    Progress progress; /* of lines */
} DataRun;

static void put_bytes(DataRun *run, const void *bytes, size_t len) {
    if (len > 0) {
        fwrite(bytes, 1, len, run->out); /* file_commit reports errors */
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool count_game(void *context, const PackedGame *game) {
    DataRun *run = context;
    datastats_count(&run->tally, game);
    return !command_is_cancelled(run->context);
}

static bool export_game(void *context, const PackedGame *game) {
    DataRun *run = context;
    StrBuf records = STRBUF_INIT;
    psv_from_game((PsvFormat)run->args.format, game, &run->count, &records);
    put_bytes(run, records.ptr, records.len);
    strbuf_free(&records);
    return count_game(context, game);
}

static bool show_game(void *context, const PackedGame *game) {
    DataRun *run = context;
    StrBuf text = STRBUF_INIT;
    datastats_show_game(game, run->tally.games + 1, &text);
    output_lines(run->context->out, strbuf_view(&text));
    strbuf_free(&text);
    return count_game(context, game);
}

static bool add_stats(void *context, const PackedGame *game) {
    DataRun *run = context;
    datastats_add(run->stats, game);
    return count_game(context, game);
}

/* Searches the positions of a block and writes the ends of the lines. */
static void write_lines(DataRun *run, const PackBlock *block) {
    StrBuf ends = STRBUF_INIT;
    run->tally.bad_blocks += !lineends_add_block(run->lines, block, run->context->cancel, &ends);
    put_bytes(run, ends.ptr, ends.len);
    strbuf_free(&ends);
    if (progress_is_due(&run->progress)) {
        LineEndCount count = lineends_count(run->lines);
        progress_show(
            &run->progress, "%llu searches, %.0f per second", (unsigned long long)count.searches,
            (double)count.searches * 1000 / (double)(progress_elapsed_ms(&run->progress) + 1));
    }
}

/* For each verb, the function called for each game. The others take whole blocks instead. */
static PackVisit *const visits[] = {
    [INFO] = count_game, [VERIFY] = count_game,  [STATS] = add_stats, [SHOW] = show_game,
    [MERGE] = NULL,      [EXPORT] = export_game, [LINES] = NULL};

static void take_block(DataRun *run, const PackBlock *block) {
    PackVisit *visit = visits[run->args.verb];
    run->tally.blocks++;
    if (visit != NULL) {
        run->tally.bad_blocks += !packed_decode_block(block, visit, run);
        return;
    }
    run->tally.games += block->games;
    run->tally.positions += block->positions;
    if (run->args.verb == LINES) {
        write_lines(run, block);
    } else {
        put_bytes(run, block->whole, block->whole_len);
    }
}

/* Reports what was skipped of a file: in the summary, or as an error if the output is games. */
static void report_damage(const DataRun *run, const char *path, uint64_t bytes, uint64_t blocks) {
    StrBuf text = STRBUF_INIT;
    strbuf_addf(&text, "damaged: skipped %llu bytes and %llu inconsistent blocks",
                (unsigned long long)bytes, (unsigned long long)blocks);
    if (run->args.verb == SHOW) {
        command_refuse(run->context, path, text.ptr);
    } else {
        output_linef(run->context->out, "%s: %s", path, text.ptr);
    }
    strbuf_free(&text);
}

/* Reads the blocks of a file. */
static bool read_blocks(DataRun *run, const char *path, const FileMap *map) {
    PackReader reader;
    PackBlock block;
    uint64_t bad_blocks = run->tally.bad_blocks;
    if (!packed_read_begin(&reader, map->data, map->len)) {
        return command_refuse(run->context, path, packed_refusal(&reader));
    }
    while (!command_is_cancelled(run->context) && packed_read_block(&reader, &block)) {
        take_block(run, &block);
    }
    bad_blocks = run->tally.bad_blocks - bad_blocks;
    run->tally.damaged_bytes += reader.damaged_bytes;
    if (run->args.verb != SHOW) {
        output_linef(run->context->out, "%s: net %016llx, %u node%s, seed %llu, shard %u/%u%s",
                     path, (unsigned long long)reader.origin.net_id, reader.origin.nodes,
                     str_plural(reader.origin.nodes), (unsigned long long)reader.origin.seed,
                     reader.origin.shard + 1, reader.origin.shards,
                     reader.has_header ? "" : " (header damaged)");
    }
    if (reader.damaged_bytes > 0 || bad_blocks > 0) {
        report_damage(run, path, reader.damaged_bytes, bad_blocks);
    }
    return true;
}

/* Writes all games of a file of psv or hcpe records in blocks. */
static void import_games(DataRun *run, PsvGames *records) {
    PackedGame games[IMPORT_GAMES] = {{.move_count = 0}};
    PackOrigin origin = {.shards = 1};
    int count = IMPORT_GAMES;
    while (count == IMPORT_GAMES && !command_is_cancelled(run->context)) {
        StrBuf block = STRBUF_INIT;
        count = 0;
        while (count < IMPORT_GAMES && psv_next_game(records, &games[count])) {
            count_game(run, &games[count++]);
        }
        packed_write_block(games, count, &origin, &block);
        put_bytes(run, block.ptr, block.len);
        run->tally.blocks += count > 0;
        strbuf_free(&block);
    }
    for (int i = 0; i < IMPORT_GAMES; i++) {
        packed_game_free(&games[i]);
    }
}

static bool say_surplus(const DataRun *run, const char *path, size_t bytes) {
    StrBuf why = STRBUF_INIT;
    strbuf_addf(&why, "%d byte%s at the end %s no whole record", (int)bytes, str_plural(bytes),
                bytes == 1 ? "is" : "are");
    command_refuse(run->context, path, why.ptr);
    strbuf_free(&why);
    return false;
}

static bool import_records(DataRun *run, const char *path, const FileMap *map) {
    int asked = run->args.format;
    int format = asked >= 0 ? asked : psv_detect(path, map->data, map->len);
    if (format < 0) {
        return command_refuse(run->context, path,
                              map->len > 0 ? "not clear whether this is psv or hcpe; use --format"
                                           : "contains no positions");
    }
    PsvGames records;
    psv_games_init(&records, (PsvFormat)format, map->data, map->len);
    import_games(run, &records);
    psv_games_free(&records);
    run->count.converted += records.count.converted;
    run->count.unplayable += records.count.unplayable;
    run->count.illegal += records.count.illegal;
    size_t surplus = map->len % psv_size((PsvFormat)format);
    if (surplus > 0) {
        return say_surplus(run, path, surplus);
    }
    if (records.count.converted == 0) {
        StrBuf why = STRBUF_INIT;
        strbuf_add_str(&why, "contains no positions: ");
        psv_describe_count(&records.count, &why);
        command_refuse(run->context, path, why.ptr);
        strbuf_free(&why);
        return false;
    }
    output_linef(run->context->out, "%s: %s records", path, psv_format_name(format));
    return true;
}

static bool read_file(DataRun *run, const char *path) {
    FileMap map;
    int error = file_map(path, &map);
    if (error != 0) {
        return command_refuse(run->context, path, file_error_text(error));
    }
    int64_t start = clock_ns();
    bool is_good =
        run->args.verb == IMPORT ? import_records(run, path, &map) : read_blocks(run, path, &map);
    run->read_ns += clock_ns() - start;
    run->tally.files++;
    run->tally.bytes += map.len;
    file_unmap(&map);
    return is_good;
}

static bool read_files(DataRun *run, const Args *paths) {
    bool is_good = true;
    for (int i = 0; i < paths->count; i++) {
        is_good = read_file(run, paths->words[i]) && is_good;
    }
    return is_good;
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool show_stats(DataRun *run, const Args *paths) {
    run->stats = datastats_create();
    bool is_good = read_files(run, paths);
    StrBuf text = STRBUF_INIT;
    datastats_print(run->stats, &text);
    output_lines(run->context->out, strbuf_view(&text));
    strbuf_free(&text);
    datastats_free(run->stats);
    return is_good;
}

static bool write_contents(DataRun *run, const Args *paths) {
    if (run->args.verb != EXPORT) {
        PackOrigin origin = {.shards = 1};
        StrBuf header = STRBUF_INIT;
        packed_write_header(&origin, &header);
        put_bytes(run, header.ptr, header.len);
        strbuf_free(&header);
    }
    return read_files(run, paths);
}

/* Returns false, with a message, if the output must not be written there. Only a merger may replace
 * one of its inputs. If an export's `--out` comes before a file pattern, the first file it matches
 * is taken for the output. */
static bool may_write(const DataRun *run, const char *path, const Args *paths) {
    Verb verb = (Verb)run->args.verb;
    bool is_games = verb == EXPORT && file_begins_with(path, SV(PACK_MAGIC));
    OutFile out = {path, NULL, is_games ? "name another file" : NULL, false};
    StrBuf why = STRBUF_INIT;
    bool is_good = outguard_check(&out, 1, verb == MERGE ? NULL : paths, &why);
    if (!is_good) {
        command_fail(run->context, COMMAND_FAILED, "%s", why.ptr);
    }
    strbuf_free(&why);
    return is_good;
}

/* Runs merge, export, import and lines. All output goes to one new file, which replaces an existing
 * file only if all inputs could be read completely. */
static bool write_file(DataRun *run, const Args *paths) {
    const char *path = run->args.out;
    if (!may_write(run, path, paths)) {
        return false;
    }
    FileWriter file;
    int error = file_begin(&file, path);
    if (error == 0) {
        run->out = file.stream;
        if (!write_contents(run, paths) || command_is_cancelled(run->context)) {
            file_abandon(&file);
            return command_refuse(run->context, path, "not written");
        }
        error = file_commit(&file);
    }
    return error == 0 || command_refuse(run->context, path, file_error_text(error));
}

/* Runs lines, with the network that the options name. */
static bool search_lines(DataRun *run, const Args *paths) {
    enum { PROGRESS_MS = 2000 };
    const DataArgs *args = &run->args;
    NnueNet *net;
    if (!command_load_net(run->context, args->net, &net)) {
        return false;
    }
    LineEndOptions search = {.net = net,
                             .nodes = args->nodes,
                             .lookahead = args->lookahead,
                             .scale = net != NULL ? net->scale : LINES_SCALE,
                             .threads = args->threads};
    run->lines = lineends_create(&search);
    command_begin_progress(run->context, &run->progress, PROGRESS_MS, PROGRESS_MS, false);
    bool is_good = write_file(run, paths);
    progress_clear(&run->progress);
    LineEndCount count = lineends_count(run->lines);
    run->count.converted = count.kept;
    lineends_free(run->lines);
    net_free(net);
    return is_good;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool run_verb(DataRun *run, const Args *paths) {
    const DataArgs *args = &run->args;
    if (args->verb == LINES) {
        return search_lines(run, paths);
    }
    if (args->verb >= MERGE) {
        return write_file(run, paths);
    }
    return args->verb == STATS ? show_stats(run, paths) : read_files(run, paths);
}

/* True if all files were read completely and nothing is damaged. */
static bool is_whole(const DataRun *run) {
    return run->tally.damaged_bytes == 0 && run->tally.bad_blocks == 0 &&
           !command_is_cancelled(run->context);
}

static void print_results(const DataRun *run, bool is_good) {
    Verb verb = (Verb)run->args.verb;
    StrBuf text = STRBUF_INIT;
    if (verb != SHOW) {
        datastats_print_tally(&run->tally, run->read_ns, &text);
    }
    if (is_good && verb > MERGE) {
        psv_describe_count(&run->count, &text);
        strbuf_add_byte(&text, '\n');
    }
    if (is_good && verb == VERIFY && is_whole(run)) {
        strbuf_add_str(&text, "whole\n");
    }
    output_lines(run->context->out, strbuf_view(&text));
    strbuf_free(&text);
}

static int data(const CommandContext *context, Args *args) {
    DataRun run = {.context = context};
    DataArgs *parsed = &run.args;
    if (!command_read(context, args, parsed, 1, -1)) {
        return COMMAND_MISUSED;
    }
    ASSERT(parsed->verb >= 0); /* the first word is the verb */
    bool writes = parsed->verb >= MERGE;
    if (writes != (parsed->out != NULL)) {
        return command_fail(context, COMMAND_MISUSED,
                            writes ? "--out FILE is missing"
                                   : "--out is only for merge, export, import and lines");
    }
    bool has_search = parsed->net != NULL || parsed->nodes != LINES_NODES ||
                      parsed->lookahead != LINES_LOOKAHEAD || parsed->threads != 1;
    if (has_search && parsed->verb != LINES) {
        return command_fail(context, COMMAND_MISUSED,
                            "--net, --nodes, --lookahead and --threads are only for lines");
    }
    if (parsed->verb == EXPORT && parsed->format < 0) {
        parsed->format = int_max(psv_format_by_path(parsed->out), PSV_SFEN);
    }
    bool is_good = run_verb(&run, args);
    print_results(&run, is_good);
    return is_good && is_whole(&run) ? COMMAND_GOOD : COMMAND_FAILED;
}

const Command cmd_data = {{"data", "VERB FILE ...",
                           "Inspect, join and convert files of training games.",
                           ARG_OPTIONS(options)},
                          data};
