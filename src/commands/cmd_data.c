/* cmd_data.c: a function for each verb, and the loop that reads all files for them. */
#include "commands/commands.h"

#include <stdio.h>

#include "base/fileio.h"
#include "base/outguard.h"
#include "engine/command.h"
#include "engine/output.h"
#include "rules/outcome.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "train/packed.h"
#include "train/psv.h"

enum { IMPORT_GAMES = 100 }; /* number of games in a block */

/* The verbs, in the order of the option; those from MERGE on write a file. */
typedef enum Verb { VERIFY, SHOW, MERGE, EXPORT, IMPORT } Verb;

typedef struct DataArgs {
    int verb; /* a Verb; -1: not given */
    const char *out;
    int format; /* a PsvFormat; -1: not given */
} DataArgs;

#define AT(kind, member) ARG_AT(DataArgs, kind, member)

static const ArgOption options[] = {
    {"VERB", "verify|show|merge|export|import", AT(ARG_CHOICE, verb), .start = -1,
     .help = "verify: check whether the files are damaged, and print how games ended and who won. "
             "show: print the games as text. merge: join files. export: convert to "
             "another format. import: convert from another format"},
    {"--out", "FILE", AT(ARG_TEXT, out), .help = "merge, export, import: output file"},
    {"--format", NULL, AT(ARG_CHOICE, format), .word = psv_format_name, .start = -1,
     .help = "export: format to write; the default is hcpe if FILE ends in .hcpe, otherwise psv. "
             "import: format to read; by default, the records decide, or else the extension"},
};

/* Counts over all files. */
typedef struct DataTally {
    uint64_t files, bytes, blocks, games;
    uint64_t moves;
    uint64_t positions;  /* number of positions with a score */
    uint64_t results[4]; /* number of games, indexed by KmdWinner */
    uint64_t reasons[PACK_REASON_NB];
    uint64_t unequal; /* games between different players */
    uint64_t damaged_bytes;
    uint64_t bad_blocks; /* intact but inconsistent */
} DataTally;

/* The state of a running command. */
typedef struct DataRun {
    const CommandContext *context;
    DataArgs args;
    DataTally tally;
    FILE *out;      /* output of merge, export and import */
    PsvCount count; /* counts of export and import */
} DataRun;

static void put_bytes(DataRun *run, const void *bytes, size_t len) {
    if (len > 0) {
        fwrite(bytes, 1, len, run->out); /* file_commit reports errors */
    }
}

/* ---- in words -------------------------------------------------------------------------------- */

static const char *const reason_names[PACK_REASON_NB] = {[PACK_MATE] = "mate",
                                                         [PACK_ADJUDICATED] = "adjudicated",
                                                         [PACK_REPETITION] = "repetition",
                                                         [PACK_DECLARATION] = "declaration",
                                                         [PACK_MAX_MOVES] = "move limit",
                                                         [PACK_UNKNOWN] = "unknown",
                                                         [PACK_NO_MOVE] = "no move known"};

/* Appends the name of an evaluation. */
static void add_evaluation(uint64_t id, StrBuf *out) {
    if (id == PACK_HANDWRITTEN) {
        strbuf_add_str(out, "<handwritten>");
    } else {
        strbuf_addf(out, "%016llx", (unsigned long long)id);
    }
}

/* The ending as the word that may end a USI line, so that records can be read back with it; ""
 * where no word says who won. */
static const char *ending_word(const PackedGame *game) {
    Color mover = game->move_count % 2 == 0 ? game->start.side : color_flip(game->start.side);
    bool has_won = game->winner == outcome_winner(mover);
    if (game->winner == KMD_WINNER_NONE || game->winner == KMD_WINNER_DRAW) {
        return game->winner == KMD_WINNER_DRAW ? " draw" : "";
    }
    if (game->reason == PACK_REPETITION) {
        return has_won ? " rep_win" : " rep_lose";
    }
    return !has_won ? " resign" : game->reason == PACK_DECLARATION ? " win" : "";
}

/* Appends the game with this number: a comment with the ending, the game as a USI line, and a
 * comment with the scores. */
static void append_game_text(const PackedGame *game, uint64_t number, StrBuf *out) {
    static const char *const winners[] = {[KMD_WINNER_BLACK] = "black won",
                                          [KMD_WINNER_WHITE] = "white won",
                                          [KMD_WINNER_DRAW] = "drawn",
                                          [KMD_WINNER_NONE] = "result unknown"};
    bool has_reason = game->reason != PACK_UNKNOWN;
    strbuf_addf(out, "# game %llu: %s%s%s, %d move%s%s", (unsigned long long)number,
                winners[game->winner], has_reason ? ", " : "",
                has_reason ? reason_names[game->reason] : "", game->move_count,
                str_plural((uint64_t)game->move_count),
                packed_game_is_unequal(game) ? ", different players" : "");
    if (game->evaluation[BLACK] != PACK_UNKNOWN_EVALUATION &&
        game->evaluation[WHITE] != PACK_UNKNOWN_EVALUATION) {
        strbuf_add_str(out, ", black ");
        add_evaluation(game->evaluation[BLACK], out);
        strbuf_add_str(out, ", white ");
        add_evaluation(game->evaluation[WHITE], out);
    }
    strbuf_add_str(out, "\nposition sfen ");
    sfen_write(&game->start, out);
    strbuf_add_str(out, game->move_count > 0 ? " moves" : "");
    for (int i = 0; i < game->move_count; i++) {
        strbuf_add_byte(out, ' ');
        usimove_append(game->moves[i].move, out);
    }
    strbuf_add_str(out, ending_word(game));
    strbuf_add_str(out, "\n# scores:");
    for (int i = 0; i < game->move_count; i++) {
        if (game->moves[i].score == PACK_NO_SCORE) {
            strbuf_add_str(out, " -");
        } else {
            strbuf_addf(out, " %d", game->moves[i].score);
        }
    }
    strbuf_add_byte(out, '\n');
}

static double share_percent(uint64_t part, uint64_t whole) {
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* Appends the totals and, if the games were decoded, their results. */
static void describe_tally(const DataTally *tally, StrBuf *out) {
    strbuf_addf(out, "files %llu, blocks %llu, games %llu, positions %llu\n",
                (unsigned long long)tally->files, (unsigned long long)tally->blocks,
                (unsigned long long)tally->games, (unsigned long long)tally->positions);
    if (tally->positions > 0) {
        strbuf_addf(out, "%.3f bytes a position\n",
                    (double)tally->bytes / (double)tally->positions);
    }
    if (tally->moves > 0) {
        strbuf_addf(out, "black won %llu, white %llu, drawn %llu, unknown %llu\n",
                    (unsigned long long)tally->results[KMD_WINNER_BLACK],
                    (unsigned long long)tally->results[KMD_WINNER_WHITE],
                    (unsigned long long)tally->results[KMD_WINNER_DRAW],
                    (unsigned long long)tally->results[KMD_WINNER_NONE]);
        strbuf_addf(out, "mean length %.1f plies, %.1f%% between different players\nends:",
                    (double)tally->moves / (double)tally->games,
                    share_percent(tally->unequal, tally->games));
        for (int i = 0; i < PACK_REASON_NB; i++) {
            strbuf_addf(out, " %s %.1f%%", reason_names[i],
                        share_percent(tally->reasons[i], tally->games));
        }
        strbuf_add_byte(out, '\n');
    }
    if (tally->damaged_bytes > 0 || tally->bad_blocks > 0) {
        strbuf_addf(out, "damaged: skipped %llu bytes and %llu inconsistent blocks\n",
                    (unsigned long long)tally->damaged_bytes,
                    (unsigned long long)tally->bad_blocks);
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool tally_game(void *context, const PackedGame *game) {
    DataRun *run = context;
    DataTally *tally = &run->tally;
    tally->games++;
    tally->moves += (uint64_t)game->move_count;
    tally->results[game->winner]++;
    tally->reasons[game->reason]++;
    tally->unequal += packed_game_is_unequal(game);
    for (int i = 0; i < game->move_count; i++) {
        tally->positions += game->moves[i].score != PACK_NO_SCORE;
    }
    return !command_is_cancelled(run->context);
}

static bool export_game(void *context, const PackedGame *game) {
    DataRun *run = context;
    StrBuf records = STRBUF_INIT;
    psv_from_game((PsvFormat)run->args.format, game, &run->count, &records);
    put_bytes(run, records.ptr, records.len);
    strbuf_free(&records);
    return tally_game(context, game);
}

static bool show_game(void *context, const PackedGame *game) {
    DataRun *run = context;
    StrBuf text = STRBUF_INIT;
    append_game_text(game, run->tally.games + 1, &text);
    output_lines(run->context->out, strbuf_view(&text));
    strbuf_free(&text);
    return tally_game(context, game);
}

/* For each verb, the function called for each game. The others take whole blocks instead. */
static PackVisit *const visits[] = {
    [VERIFY] = tally_game, [SHOW] = show_game, [MERGE] = NULL, [EXPORT] = export_game};

/* Reads the blocks of a file. */
static bool read_data_blocks(DataRun *run, const char *path, const FileMap *map) {
    PackReader reader;
    PackBlock block;
    PackVisit *visit = visits[run->args.verb];
    uint64_t bad_blocks = run->tally.bad_blocks;
    if (!packed_read_begin(&reader, map->data, map->len)) {
        return command_refuse(run->context, path, packed_refusal(&reader));
    }
    while (!command_is_cancelled(run->context) && packed_read_block(&reader, &block)) {
        run->tally.blocks++;
        if (visit != NULL) {
            run->tally.bad_blocks += !packed_decode_block(&block, visit, run);
        } else {
            run->tally.games += block.games;
            run->tally.positions += block.positions;
            put_bytes(run, block.whole, block.whole_len);
        }
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
    /* What was skipped is part of the summary, or an error if the output is games. */
    if (reader.damaged_bytes > 0 || bad_blocks > 0) {
        StrBuf text = STRBUF_INIT;
        strbuf_addf(&text, "damaged: skipped %llu bytes and %llu inconsistent blocks",
                    (unsigned long long)reader.damaged_bytes, (unsigned long long)bad_blocks);
        if (run->args.verb == SHOW) {
            command_refuse(run->context, path, text.ptr);
        } else {
            output_linef(run->context->out, "%s: %s", path, text.ptr);
        }
        strbuf_free(&text);
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
            tally_game(run, &games[count++]);
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
    StrBuf why = STRBUF_INIT;
    if (surplus > 0) {
        strbuf_addf(&why, "%d byte%s at the end %s no whole record", (int)surplus,
                    str_plural(surplus), surplus == 1 ? "is" : "are");
    } else if (records.count.converted == 0) {
        strbuf_add_str(&why, "contains no positions: ");
        psv_describe_count(&records.count, &why);
    } else {
        output_linef(run->context->out, "%s: %s records", path, psv_format_name(format));
        return true;
    }
    command_refuse(run->context, path, why.ptr);
    strbuf_free(&why);
    return false;
}

static bool read_files(DataRun *run, const Args *paths) {
    bool is_good = true;
    for (int i = 0; i < paths->count; i++) {
        const char *path = paths->words[i];
        FileMap map;
        int error = file_map(path, &map);
        if (error != 0) {
            is_good = command_refuse(run->context, path, file_error_text(error));
            continue;
        }
        is_good = (run->args.verb == IMPORT ? import_records : read_data_blocks)(run, path, &map) &&
                  is_good;
        run->tally.files++;
        run->tally.bytes += map.len;
        file_unmap(&map);
    }
    return is_good;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Runs merge, export and import. All output goes to one new file, which replaces an existing
 * file only if all inputs could be read completely. */
static bool write_output(DataRun *run, const Args *paths) {
    const char *path = run->args.out;
    Verb verb = (Verb)run->args.verb;
    /* Only a merger may replace one of its inputs. If `--out` comes before a file pattern, the
     * first file that it matches is taken for the output. */
    bool is_games = file_begins_with(path, SV(PACK_MAGIC)) ||
                    (verb == IMPORT && file_stamp(path) != 0 && psv_format_by_path(path) >= 0);
    bool is_own = false;
    for (int i = 0; i < paths->count && verb == MERGE; i++) {
        is_own |= outguard_is_clash(path, paths->words[i]);
    }
    OutFile out = {path, NULL, is_games && !is_own ? "name another file" : NULL, false};
    StrBuf why = STRBUF_INIT;
    bool is_good = outguard_check(&out, 1, is_own ? NULL : paths, &why);
    if (!is_good) {
        command_fail(run->context, COMMAND_FAILED, "%s", why.ptr);
    }
    strbuf_free(&why);
    if (!is_good) {
        return false;
    }
    FileWriter file;
    int error = file_begin(&file, path);
    if (error == 0) {
        run->out = file.stream;
        if (verb != EXPORT) {
            PackOrigin origin = {.shards = 1};
            StrBuf header = STRBUF_INIT;
            packed_write_header(&origin, &header);
            put_bytes(run, header.ptr, header.len);
            strbuf_free(&header);
        }
        if (!read_files(run, paths) || command_is_cancelled(run->context)) {
            file_abandon(&file);
            return command_refuse(run->context, path, "not written");
        }
        error = file_commit(&file);
    }
    return error == 0 || command_refuse(run->context, path, file_error_text(error));
}

/* ---- the command ----------------------------------------------------------------------------- */

/* True if all files were read completely and nothing is damaged. */
static bool is_whole(const DataRun *run) {
    return run->tally.damaged_bytes == 0 && run->tally.bad_blocks == 0 &&
           !command_is_cancelled(run->context);
}

static void print_results(const DataRun *run, bool is_good) {
    Verb verb = (Verb)run->args.verb;
    StrBuf text = STRBUF_INIT;
    if (verb != SHOW) {
        describe_tally(&run->tally, &text);
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
                                   : "--out is only for merge, export and import");
    }
    if (parsed->verb == EXPORT && parsed->format < 0) {
        parsed->format = int_max(psv_format_by_path(parsed->out), PSV_SFEN);
    }
    bool is_good = writes ? write_output(&run, args) : read_files(&run, args);
    print_results(&run, is_good);
    return is_good && is_whole(&run) ? COMMAND_GOOD : COMMAND_FAILED;
}

const Command cmd_data = {{"data", "VERB FILE ...",
                           "Inspect, join and convert files of training games.",
                           ARG_OPTIONS(options)},
                          data};
