/* cmd_data.c: one function per verb, on top of a common loop that reads all blocks of all files. */
#include "cmd/cmd_data.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "command/command.h"
#include "command/output.h"
#include "data/packed.h"
#include "data/psv.h"
#include "rules/legality.h"
#include "rules/outcome.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "selfplay/datastats.h"

enum { IMPORT_GAMES = 100, MOST_IMPORT_MOVES = 1000, PROBES = 100 };

/* The record formats of other engines, for export and import. */
typedef struct RecordFormat {
    const char *name; /* also the file name extension */
    size_t size;
    bool (*write)(const PsvRecord *record, uint8_t *out);
    bool (*read)(const uint8_t *bytes, PsvRecord *record);
} RecordFormat;

static const RecordFormat formats[] = {{"psv", PSV_SIZE, psv_write, psv_read},
                                       {"hcpe", PSV_HCPE_SIZE, psv_write_hcpe, psv_read_hcpe}};

/* Counts over one or more files. */
typedef struct Tally {
    uint64_t files, bytes, blocks, games;
    uint64_t moves;
    uint64_t positions; /* with a score */
    uint64_t results[4], damaged_bytes;
    uint64_t bad_blocks; /* intact but inconsistent */
    int64_t decode_ns;
} Tally;

/* The verbs. */
typedef enum Verb { INFO, VERIFY, STATS, SHOW, MERGE, EXPORT, IMPORT } Verb;

static const char *verb_name(int verb) {
    static const char *const names[] = {
        [INFO] = "info",   [VERIFY] = "verify", [STATS] = "stats",  [SHOW] = "show",
        [MERGE] = "merge", [EXPORT] = "export", [IMPORT] = "import"};
    return verb < (int)COUNTOF(names) ? names[verb] : NULL;
}

static const char *format_name(int format) {
    return format < (int)COUNTOF(formats) ? formats[format].name : NULL;
}

typedef struct DataRequest {
    int verb; /* a Verb; -1: not given */
    const char *out;
    const char *svg;
    int format; /* index in `formats`; -1: not given */
} DataRequest;

#define AT(kind, member) ARG_AT(DataRequest, kind, member)

static const ArgOption options[] = {
    {"VERB", NULL, AT(ARG_CHOICE, verb), .word = verb_name, .start = -1,
     .help =
         "info: summarize the files. verify: check them. stats: print statistics. show: print "
         "the games as text. merge: join files. export, import: convert to and from other formats"},
    {"--out", "FILE", AT(ARG_TEXT, out), .help = "output file of merge, export and import"},
    {"--svg", "FILE", AT(ARG_TEXT, svg), .help = "draw the statistics of stats as a picture"},
    {"--format", NULL, AT(ARG_CHOICE, format), .word = format_name, .start = -1,
     .help =
         "format that export writes and import reads; default: export uses the extension of FILE "
         "(.hcpe or any other), import examines the records, then the extension"},
};

/* The state of a running command. */
typedef struct DataRun {
    const CommandContext *context;
    Tally tally;
    DataStats *stats;
    FILE *out;                  /* for merge, export and import */
    const RecordFormat *format; /* for export, and for import if given; otherwise NULL */
    uint64_t written;
    uint64_t skipped; /* positions that the other format cannot hold */
} DataRun;

/* ---- reading --------------------------------------------------------------------------------- */

static bool count_game(void *context, const PackedGame *game) {
    DataRun *run = context;
    run->tally.games++;
    run->tally.moves += (uint64_t)game->move_count;
    run->tally.results[game->winner]++;
    for (int i = 0; i < game->move_count; i++) {
        run->tally.positions += game->moves[i].score != PACK_NO_SCORE;
    }
    return !command_is_cancelled(run->context);
}

static bool export_game(void *context, const PackedGame *game) {
    DataRun *run = context;
    Position pos;
    pos_init(&pos);
    pos_set(&pos, &game->start);
    for (int i = 0; i < game->move_count; i++) {
        const PackedMove *packed = &game->moves[i];
        PsvRecord record = {.setup = pos_get(&pos),
                            .score = packed->score,
                            .move = packed->move,
                            .result = outcome_sign(game->winner, pos.side)};
        uint8_t bytes[PSV_SIZE];
        if (packed->score != PACK_NO_SCORE) {
            bool is_known = run->format->write(&record, bytes);
            run->written += is_known && fwrite(bytes, run->format->size, 1, run->out) == 1;
            run->skipped += !is_known;
        }
        pos_do(&pos, packed->move);
    }
    pos_free(&pos);
    return count_game(context, game);
}

/* Prints a comment with the ending, the game as a USI line, and a comment with the scores. */
static bool show_game(void *context, const PackedGame *game) {
    DataRun *run = context;
    static const char *const winners[] = {[KMD_WINNER_BLACK] = "black won",
                                          [KMD_WINNER_WHITE] = "white won",
                                          [KMD_WINNER_DRAW] = "drawn",
                                          [KMD_WINNER_NONE] = "result unknown"};
    static const char *const reasons[PACK_REASON_NB] = {[PACK_MATE] = ", mate",
                                                        [PACK_ADJUDICATED] =
                                                            ", decided by the score",
                                                        [PACK_REPETITION] = ", repetition",
                                                        [PACK_DECLARATION] = ", declaration",
                                                        [PACK_MAX_MOVES] = ", limit of moves",
                                                        [PACK_UNKNOWN] = ""};
    StrBuf line = STRBUF_INIT;
    strbuf_add_str(&line, "position sfen ");
    sfen_write(&game->start, &line);
    strbuf_add_str(&line, game->move_count > 0 ? " moves" : "");
    StrBuf scores = STRBUF_INIT;
    for (int i = 0; i < game->move_count; i++) {
        strbuf_add_byte(&line, ' ');
        usimove_append(game->moves[i].move, &line);
        if (game->moves[i].score == PACK_NO_SCORE) {
            strbuf_add_str(&scores, " -");
        } else {
            strbuf_addf(&scores, " %d", game->moves[i].score);
        }
    }
    output_linef(run->context->out, "# game %llu: %s%s, %d move%s%s",
                 (unsigned long long)run->tally.games + 1, winners[game->winner],
                 reasons[game->reason], game->move_count, str_plural((uint64_t)game->move_count),
                 game->is_unlike ? ", unlike players" : "");
    output_line(run->context->out, strbuf_view(&line));
    output_linef(run->context->out, "# scores:%s", scores.len > 0 ? scores.ptr : "");
    strbuf_free(&line);
    strbuf_free(&scores);
    return count_game(context, game);
}

static void merge_block(DataRun *run, const PackBlock *block) {
    run->written += fwrite(block->whole, 1, block->whole_len, run->out);
}

/* Reports damage, with the name of the file if there are several. */
static void say_damage(const DataRun *run, const char *path, uint64_t bytes, uint64_t blocks) {
    if (bytes > 0 || blocks > 0) {
        output_linef(run->context->out, "%s: damaged: skipped %llu bytes, %llu blocks inconsistent",
                     path, (unsigned long long)bytes, (unsigned long long)blocks);
    }
}

/* Passes each block of a file to merge_block, or its games to `visit`. */
static bool read_file(DataRun *run, const char *path, PackVisit *visit) {
    FileMap map;
    int error = file_map(path, &map);
    if (error != 0) {
        return command_refuse(run->context, path, file_error_text(error));
    }
    PackReader reader;
    bool has_games = packed_read_begin(&reader, map.data, map.len);
    uint64_t bad_before = run->tally.bad_blocks;
    int64_t start = clock_ns();
    PackBlock block;
    while (has_games && !command_is_cancelled(run->context) && packed_read_block(&reader, &block)) {
        run->tally.blocks++;
        if (visit != NULL) {
            run->tally.bad_blocks += !packed_decode_block(&block, visit, run);
        } else {
            run->tally.games += block.games;
            run->tally.positions += block.positions;
            merge_block(run, &block);
        }
    }
    run->tally.decode_ns += clock_ns() - start;
    run->tally.files++;
    run->tally.bytes += map.len;
    run->tally.damaged_bytes += reader.damaged_bytes;
    if (has_games && visit != show_game) {
        output_linef(run->context->out, "%s: net %016llx, %u nodes, seed %llu, shard %u/%u%s", path,
                     (unsigned long long)reader.origin.net_id, reader.origin.nodes,
                     (unsigned long long)reader.origin.seed, reader.origin.shard + 1,
                     reader.origin.shards, reader.has_header ? "" : " (header damaged)");
    }
    say_damage(run, path, reader.damaged_bytes, run->tally.bad_blocks - bad_before);
    file_unmap(&map);
    return has_games || command_refuse(run->context, path, packed_refusal(&reader));
}

static bool read_files(DataRun *run, const Args *paths, PackVisit *visit) {
    bool is_good = true;
    for (int i = 0; i < paths->count; i++) {
        is_good = read_file(run, paths->words[i], visit) && is_good;
    }
    return is_good;
}

static void print_tally(const DataRun *run) {
    const Tally *tally = &run->tally;
    Output *out = run->context->out;
    output_linef(out, "files %llu, blocks %llu, games %llu, positions %llu",
                 (unsigned long long)tally->files, (unsigned long long)tally->blocks,
                 (unsigned long long)tally->games, (unsigned long long)tally->positions);
    if (tally->positions > 0) {
        output_linef(out, "%.3f bytes a position", (double)tally->bytes / (double)tally->positions);
    }
    if (tally->moves > 0) {
        output_linef(out, "black won %llu, white %llu, drawn %llu, unknown %llu",
                     (unsigned long long)tally->results[KMD_WINNER_BLACK],
                     (unsigned long long)tally->results[KMD_WINNER_WHITE],
                     (unsigned long long)tally->results[KMD_WINNER_DRAW],
                     (unsigned long long)tally->results[KMD_WINNER_NONE]);
        output_linef(out, "decoded %.0f positions a second",
                     (double)tally->moves * 1e9 / (double)i64_max(tally->decode_ns, 1));
    }
    if (tally->damaged_bytes > 0 || tally->bad_blocks > 0) {
        output_linef(out, "damaged: skipped %llu bytes, %llu blocks inconsistent",
                     (unsigned long long)tally->damaged_bytes,
                     (unsigned long long)tally->bad_blocks);
    }
}

/* ---- stats ----------------------------------------------------------------------------------- */

static bool add_stats(void *context, const PackedGame *game) {
    DataRun *run = context;
    datastats_add(run->stats, game);
    return count_game(context, game);
}

/* Prints the statistics of the files, and draws them if a path is given. */
static bool show_stats(DataRun *run, const char *path, const Args *paths) {
    run->stats = datastats_create();
    bool is_good = read_files(run, paths, add_stats);
    StrBuf text = STRBUF_INIT;
    datastats_print(run->stats, &text);
    output_line(run->context->out, sv_prefix(strbuf_view(&text), text.len - 1));
    strbuf_clear(&text);
    datastats_draw(run->stats, &text);
    bool is_drawn = path == NULL || command_write_file(run->context, path, &text);
    strbuf_free(&text);
    datastats_free(run->stats);
    return is_good && is_drawn;
}

/* ---- importing ------------------------------------------------------------------------------- */

/* Joins records of consecutive positions into games. */
typedef struct Importer {
    DataRun *run;
    Position pos; /* after the last move of the current game */
    bool has_game;
    int count;
    PackedGame games[IMPORT_GAMES];
} Importer;

static void flush_games(Importer *importer) {
    DataRun *run = importer->run;
    PackOrigin origin = {.shards = 1};
    StrBuf bytes = STRBUF_INIT;
    packed_write_block(importer->games, importer->count, &origin, &bytes);
    if (bytes.len > 0) {
        fwrite(bytes.ptr, 1, bytes.len, run->out); /* file_commit reports errors */
    }
    strbuf_free(&bytes);
    run->tally.blocks += importer->count > 0;
    for (int i = 0; i < importer->count; i++) {
        count_game(run, &importer->games[i]);
    }
    importer->count = 0;
}

static bool continues(const Importer *importer, const PsvRecord *record) {
    Setup now = pos_get(&importer->pos);
    const PackedGame *game = &importer->games[importer->count - 1];
    return importer->has_game && game->move_count < MOST_IMPORT_MOVES &&
           now.side == record->setup.side && (now.ply == record->setup.ply || !record->has_ply) &&
           now.hand[BLACK] == record->setup.hand[BLACK] &&
           now.hand[WHITE] == record->setup.hand[WHITE] &&
           memcmp(now.board, record->setup.board, sizeof(now.board)) == 0;
}

static void begin_import(Importer *importer, const PsvRecord *record) {
    if (importer->count == IMPORT_GAMES) {
        flush_games(importer);
    }
    PackedGame *game = &importer->games[importer->count++];
    packed_game_begin(game, &record->setup);
    pos_set(&importer->pos, &record->setup);
    Color side = record->setup.side;
    Color winner = record->result > 0 ? side : color_flip(side);
    game->winner = record->result == 0 ? KMD_WINNER_DRAW : outcome_winner(winner);
    importer->has_game = true;
}

static void import_record(Importer *importer, const RecordFormat *format, const uint8_t *bytes) {
    PsvRecord record;
    if (!format->read(bytes, &record)) {
        importer->run->skipped++;
        return;
    }
    if (importer->count == 0 || !continues(importer, &record)) {
        begin_import(importer, &record);
    }
    if (!move_is_legal(&importer->pos, record.move)) {
        importer->run->skipped++;
        importer->has_game = false;
        importer->count -= importer->games[importer->count - 1].move_count == 0;
        return;
    }
    int score = int_max(record.score, PACK_NO_SCORE + 1);
    packed_game_add(&importer->games[importer->count - 1], record.move, score);
    pos_do(&importer->pos, record.move);
    importer->run->written++;
}

/* True if more than half of the first records are positions with a legal move. */
static bool fits(const RecordFormat *format, const FileMap *map) {
    Position pos;
    pos_init(&pos);
    int tried = 0, good = 0;
    for (size_t at = 0; at + format->size <= map->len && tried < PROBES; at += format->size) {
        PsvRecord record;
        tried++;
        if (format->read(map->data + at, &record)) {
            pos_set(&pos, &record.setup);
            good += move_is_legal(&pos, record.move);
        }
    }
    pos_free(&pos);
    return good * 2 > tried;
}

/* The format by the file name extension; NULL if unknown. */
static const RecordFormat *format_by_name(const char *path) {
    for (size_t i = 0; i < COUNTOF(formats); i++) {
        size_t len = strlen(formats[i].name);
        StrView name = sv_from(path);
        if (name.len > len &&
            sv_equal_nocase(sv_skip(name, name.len - len), sv_from(formats[i].name)) &&
            path[name.len - len - 1] == '.') {
            return &formats[i];
        }
    }
    return NULL;
}

/* The format of the records, by their contents or else by the name; NULL if unknown. */
static const RecordFormat *detect_format(const char *path, const FileMap *map) {
    const RecordFormat *found = NULL;
    int count = 0;
    for (size_t i = 0; i < COUNTOF(formats); i++) {
        if (fits(&formats[i], map)) {
            found = &formats[i];
            count++;
        }
    }
    return count == 1 ? found : format_by_name(path);
}

static bool say_surplus(const DataRun *run, const char *path, size_t bytes) {
    StrBuf why = STRBUF_INIT;
    strbuf_addf(&why, "%d byte%s at the end %s no whole record", (int)bytes, str_plural(bytes),
                bytes == 1 ? "is" : "are");
    command_refuse(run->context, path, why.ptr);
    strbuf_free(&why);
    return false;
}

static void import_records(DataRun *run, const RecordFormat *format, const FileMap *map) {
    Importer importer = {.run = run};
    pos_init(&importer.pos);
    int64_t start = clock_ns();
    for (size_t at = 0; at + format->size <= map->len && !command_is_cancelled(run->context);
         at += format->size) {
        import_record(&importer, format, map->data + at);
    }
    flush_games(&importer);
    run->tally.decode_ns += clock_ns() - start;
    run->tally.files++;
    run->tally.bytes += map->len;
    for (int i = 0; i < IMPORT_GAMES; i++) {
        packed_game_free(&importer.games[i]);
    }
    pos_free(&importer.pos);
}

static bool import_file(DataRun *run, const char *path) {
    FileMap map;
    int error = file_map(path, &map);
    if (error != 0) {
        return command_refuse(run->context, path, file_error_text(error));
    }
    const RecordFormat *format = run->format != NULL ? run->format : detect_format(path, &map);
    uint64_t written_before = run->written;
    size_t surplus = 0;
    if (format != NULL) {
        import_records(run, format, &map);
        surplus = map.len % format->size;
    }
    bool is_empty = map.len == 0;
    file_unmap(&map);
    if (format == NULL && !is_empty) {
        return command_refuse(run->context, path,
                              "not clear whether this is psv or hcpe; use --format");
    }
    if (surplus > 0) {
        return say_surplus(run, path, surplus);
    }
    if (run->written == written_before) {
        return command_refuse(run->context, path, "contains no positions");
    }
    output_linef(run->context->out, "%s: %s records", path, format->name);
    return true;
}

static bool import_files(DataRun *run, const Args *paths) {
    bool is_good = true;
    for (int i = 0; i < paths->count; i++) {
        is_good = import_file(run, paths->words[i]) && is_good;
    }
    return is_good;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool write_contents(DataRun *run, Verb verb, const Args *paths) {
    if (verb != EXPORT) {
        PackOrigin origin = {.shards = 1};
        StrBuf header = STRBUF_INIT;
        packed_write_header(&origin, &header);
        fwrite(header.ptr, 1, header.len, run->out);
        strbuf_free(&header);
    }
    return verb == IMPORT ? import_files(run, paths)
                          : read_files(run, paths, verb == MERGE ? NULL : export_game);
}

/* Returns why the output must not be written there, or NULL if it may. An export or import must not
 * replace one of its inputs. If an export's `--out` comes before a file pattern, the first file it
 * matches is taken for the output. */
static const char *output_fault(Verb verb, const char *path, const Args *paths) {
    for (int i = 0; verb != MERGE && i < paths->count; i++) {
        if (file_is_same(path, paths->words[i])) {
            return "this input would be overwritten";
        }
    }
    bool loses_games = verb == EXPORT && file_begins_with(path, SV(PACK_MAGIC));
    return loses_games ? "these games would be overwritten" : NULL;
}

/* Runs merge, export and import: everything goes into one new file, which replaces an existing one
 * only if all inputs could be read completely. */
static bool write_file(DataRun *run, Verb verb, const char *path, const Args *paths) {
    const char *fault = output_fault(verb, path, paths);
    if (fault != NULL) {
        return command_refuse(run->context, path, fault);
    }
    FileWriter file;
    int error = file_begin(&file, path);
    if (error == 0) {
        run->out = file.stream;
        if (!write_contents(run, verb, paths) || command_is_cancelled(run->context)) {
            file_abandon(&file);
            return command_refuse(run->context, path, "not written");
        }
        error = file_commit(&file);
    }
    return error == 0 || command_refuse(run->context, path, file_error_text(error));
}

static int data(const CommandContext *context, Args *args) {
    DataRun run = {.context = context};
    DataRequest request;
    if (!command_read(context, args, &request, 1, -1)) {
        return COMMAND_MISUSED;
    }
    Verb verb = (Verb)request.verb;
    run.format = request.format >= 0 ? &formats[request.format] : NULL;
    if (verb == EXPORT && run.format == NULL && request.out != NULL) {
        run.format = format_by_name(request.out);
        run.format = run.format != NULL ? run.format : &formats[0];
    }
    bool writes = verb >= MERGE;
    if (writes != (request.out != NULL)) {
        return command_fail(context, COMMAND_MISUSED,
                            writes ? "--out FILE is missing"
                                   : "--out is only for merge, export and import");
    }
    const char *fault =
        verb == STATS && request.svg != NULL ? output_fault(EXPORT, request.svg, args) : NULL;
    bool is_good = fault != NULL   ? command_refuse(context, request.svg, fault)
                   : verb == STATS ? show_stats(&run, request.svg, args)
                   : writes        ? write_file(&run, verb, request.out, args)
                                   : read_files(&run, args, verb == SHOW ? show_game : count_game);
    if (verb != SHOW) {
        print_tally(&run);
    }
    if (is_good && (verb == EXPORT || verb == IMPORT)) {
        output_linef(context->out, "%llu position%s written, %llu skipped",
                     (unsigned long long)run.written, str_plural(run.written),
                     (unsigned long long)run.skipped);
    }
    bool is_whole = run.tally.damaged_bytes == 0 && run.tally.bad_blocks == 0;
    if (verb == VERIFY && is_good && is_whole && !command_is_cancelled(context)) {
        output_line(context->out, SV("whole"));
    }
    return is_good && is_whole && !command_is_cancelled(context) ? COMMAND_GOOD : COMMAND_FAILED;
}

const Command cmd_data = {{"data", "VERB FILE ...",
                           "Inspect, join and convert files of training games.",
                           ARG_OPTIONS(options)},
                          data};
