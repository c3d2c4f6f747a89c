#include "tools/kifu/convert.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tools/kifu/outfile.h"
#include "tools/kifu/tally.h"

/* Games go to one file or to standard output where the format allows several in one, else each to a
 * file of its own in a folder. A file takes the place of another only when it holds a game, and of
 * an input only when it holds all games of that to their ends, with all their characters. */

/* What a game may have, and a format may not hold. */
static const struct {
    int bit;
    const char *word;
} parts[] = {
    {KMD_HOLDS_MOVES, "moves"},         {KMD_HOLDS_HEADERS, "headers"},
    {KMD_HOLDS_TIMES, "times"},         {KMD_HOLDS_COMMENTS, "comments"},
    {KMD_HOLDS_BOOKMARKS, "bookmarks"}, {KMD_HOLDS_VARIATIONS, "variations"},
    {KMD_HOLDS_ENDINGS, "endings"},
};

enum { PART_COUNT = (int)(sizeof(parts) / sizeof(parts[0])) };

typedef struct Convert {
    const KifuArgs *args;
    KmdForm form;
    bool has_folder; /* one output file or more per input */
    OutFile output;
    long games_in, moves_in; /* the output that is open */
    TallyTable inputs;       /* their identities; for a folder only */
    TallyTable paths;        /* written in a folder */
    int files_done;
    bool is_cut;     /* the format holds no moves, and a game of the input had some */
    bool is_refused; /* an input would have been replaced by less than it holds */
    long games, broken, moves, lacking, unreadable;
    long left_out[PART_COUNT]; /* games with a part that the format does not hold */
    bool shows_progress;
    double started, last_shown;
} Convert;

static bool complain(const char *path) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return false;
}

static double now_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* "FOLDER/game.kif", or "FOLDER/game-2.kif" by a number above 1. */
static char *numbered_path(const Convert *convert, const char *input, int number) {
    const char *name = strcmp(input, "-") == 0 ? "stdin" : outfile_name(input);
    const char *dot = strrchr(name, '.');
    size_t stem = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    const char *extension = convert->form.format->extensions;
    char tail[64], *base = outfile_join(name, "", "");
    base[stem] = '\0';
    int letters = (int)strcspn(extension, " ");
    if (number > 1) {
        snprintf(tail, sizeof(tail), "-%d.%.*s", number, letters, extension);
    } else {
        snprintf(tail, sizeof(tail), ".%.*s", letters, extension);
    }
    char *folder = outfile_join(convert->args->out, "/", base);
    char *path = outfile_join(folder, tail, "");
    free(folder);
    free(base);
    return path;
}

/* True the first time a path comes by. There are systems on which a.kif and A.kif are one file. */
static bool is_new_path(Convert *convert, const char *path) {
    char *folded = outfile_join(path, "", "");
    for (char *c = folded; *c != '\0'; c++) {
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    }
    bool is_new = tally_count(&convert->paths, folded, strlen(folded))->count == 1;
    free(folded);
    return is_new;
}

/* A path for game `number` of an input, or for a later one when this run has written that. */
static char *output_path(Convert *convert, const char *input, int number) {
    char *path = numbered_path(convert, input, number);
    while (!is_new_path(convert, path)) {
        free(path);
        path = numbered_path(convert, input, ++number);
    }
    return path;
}

static void show_progress(Convert *convert, bool is_last) {
    double now = now_seconds();
    if (!convert->shows_progress || (!is_last && now - convert->last_shown < 0.1)) {
        return;
    }
    convert->last_shown = now;
    double seconds = now - convert->started;
    fprintf(stderr, "\r%d/%d files  %ld games  %ld moves  %.0f moves/s ", convert->files_done,
            convert->args->input_count, convert->games, convert->moves,
            seconds > 0 ? (double)convert->moves / seconds : 0.0);
    if (is_last) {
        fprintf(stderr, "\n");
    }
}

/* False, with a message, when the open file of a folder would take the place of an input: of
 * another than the one read, or of this one where it is not whole. */
static bool spares_inputs(Convert *convert, const char *input, bool is_whole) {
    const char *path = convert->output.path;
    bool is_spared = is_whole;
    if (!outfile_is_same(path, input)) {
        char *identity = outfile_identity(path);
        is_spared = tally_count(&convert->inputs, identity, strlen(identity))->count == 1;
        free(identity);
    }
    if (!is_spared) {
        fprintf(stderr, "%s: an input, not replaced by less than it holds\n", path);
        convert->is_refused = true;
    }
    return is_spared;
}

/* Ends the open output. Games that are not kept do not count. */
static bool close_games(Convert *convert, bool is_wanted) {
    bool is_kept = is_wanted && convert->games_in > 0, is_file = convert->output.path != NULL;
    bool is_good = outfile_close(&convert->output, is_kept);
    if (is_file && (!is_kept || !is_good)) {
        convert->games -= convert->games_in;
        convert->moves -= convert->moves_in;
    }
    convert->games_in = convert->moves_in = 0;
    return is_good;
}

/* Ends the open file of a folder; is_whole: all games of the input are in it. */
static bool close_in_folder(Convert *convert, const char *input, bool is_whole) {
    return convert->output.stream == NULL ||
           close_games(convert, spares_inputs(convert, input, is_whole));
}

/* The node behind this one in an order that goes through the whole tree. */
static int next_node(const KmdRecord *record, int node) {
    int child = kmd_node_child(record, node);
    if (child != KMD_NODE_NONE) {
        return child;
    }
    while (node != KMD_NODE_NONE && kmd_node_sibling(record, node) == KMD_NODE_NONE) {
        node = kmd_node_parent(record, node);
    }
    return node == KMD_NODE_NONE ? KMD_NODE_NONE : kmd_node_sibling(record, node);
}

/* What a game has, as KMD_HOLDS_... */
static int parts_of(const KmdRecord *record) {
    int found = kmd_header_count(record) > 0 ? KMD_HOLDS_HEADERS : 0;
    found |= kmd_variation_count(record) > 0 ? KMD_HOLDS_VARIATIONS : 0;
    for (int node = KMD_ROOT; node != KMD_NODE_NONE; node = next_node(record, node)) {
        bool is_ending = kmd_node_ending(record, node) != KMD_END_NONE;
        bool has_bookmark = !is_ending && kmd_node_label(record, node).len > 0;
        found |= is_ending ? KMD_HOLDS_ENDINGS : node != KMD_ROOT ? KMD_HOLDS_MOVES : 0;
        found |= kmd_node_time(record, node) >= 0 ? KMD_HOLDS_TIMES : 0;
        found |= kmd_node_comment(record, node).len > 0 ? KMD_HOLDS_COMMENTS : 0;
        found |= has_bookmark ? KMD_HOLDS_BOOKMARKS : 0;
    }
    return found;
}

/* Counts what the game has and the format does not hold. Formats with words for some endings have
 * another for the rest. */
static void count_left_out(Convert *convert, const KmdRecord *record) {
    int holds = convert->form.format->holds;
    holds |= (holds & KMD_HOLDS_SOME_ENDINGS) != 0 ? KMD_HOLDS_ENDINGS : 0;
    int left_out = parts_of(record) & ~holds;
    for (int i = 0; i < PART_COUNT; i++) {
        convert->left_out[i] += (left_out & parts[i].bit) != 0;
    }
    convert->is_cut |= (left_out & KMD_HOLDS_MOVES) != 0;
}

/* What parts two games of a file, with the line ends that are wanted. */
static void write_separator(const Convert *convert) {
    FILE *stream = convert->output.stream;
    for (const char *c = convert->form.format->separator; *c != '\0'; c++) {
        if (*c == '\n' && convert->form.crlf) {
            fputc('\r', stream);
        }
        fputc(*c, stream);
    }
}

static bool write_game(Convert *convert, const KmdRecord *record, const char *input, int number) {
    OutFile *output = &convert->output;
    const char *separator = convert->form.format->separator;
    if (convert->has_folder && (output->stream == NULL || separator == NULL)) {
        char *path = output_path(convert, input, number);
        bool is_open = close_in_folder(convert, input, false) && outfile_open(output, path);
        free(path);
        if (!is_open) {
            return false;
        }
    }
    if (convert->games_in > 0 && separator == NULL) {
        fprintf(stderr, "komadori-kifu: %s holds one game a file; give a folder with -o FOLDER/\n",
                convert->form.format->title);
        return false;
    }
    if (convert->games_in > 0) {
        write_separator(convert);
    }
    KmdForm form = convert->form;
    form.bom = form.bom && convert->games_in == 0; /* in front of the file */
    KmdBytes bytes = kmd_record_write(record, &form);
    bool is_good = fwrite(bytes.data, 1, bytes.len, output->stream) == bytes.len;
    convert->lacking += (long)bytes.lacking;
    kmd_bytes_free(&bytes);
    if (is_good) {
        count_left_out(convert, record);
        convert->games++;
        convert->games_in++;
        convert->moves += kmd_main_length(record);
        convert->moves_in += kmd_main_length(record);
    }
    return is_good || (output->path != NULL && complain(output->path));
}

/* Every game of one open input; false when going on makes no sense. */
static bool convert_games(Convert *convert, const char *input, KmdRecordStream *stream,
                          KmdRecord *record) {
    KmdFault fault;
    KmdNext next;
    bool is_good = true;
    int number = 0;
    long broken_before = convert->broken;
    while (is_good && ((next = kmd_stream_next(stream, record, &fault)) == KMD_NEXT_GAME ||
                       next == KMD_NEXT_BROKEN)) {
        if (next == KMD_NEXT_BROKEN) {
            convert->broken++;
            kifuargs_report(input, &fault);
        }
        if (next == KMD_NEXT_GAME || kmd_node_child(record, KMD_ROOT) != KMD_NODE_NONE) {
            is_good = write_game(convert, record, input, ++number);
            convert->unreadable += (long)kmd_stream_unreadable(stream);
        }
        show_progress(convert, false);
    }
    if (is_good && next == KMD_NEXT_FAILED) {
        convert->broken++;
        complain(input);
    } else if (is_good && number == 0 && convert->broken == broken_before) {
        convert->broken++;
        fprintf(stderr, "%s: no game there\n", input);
    }
    return is_good;
}

/* Games with a fault and characters that the output has otherwise, so far. */
static long losses_of(const Convert *convert) {
    return convert->broken + convert->lacking + convert->unreadable;
}

static bool convert_file(Convert *convert, const char *input, KmdRecord *record) {
    long losses_before = losses_of(convert);
    KmdRecordStream *stream = kmd_stream_open(input, convert->args->from);
    if (stream == NULL) {
        convert->broken++;
        complain(input);
        return true;
    }
    convert->is_cut = false;
    bool is_good = convert_games(convert, input, stream, record);
    bool is_whole = losses_of(convert) == losses_before && !convert->is_cut;
    kmd_stream_close(stream);
    if (is_good && convert->has_folder) {
        is_good = close_in_folder(convert, input, is_whole);
    } else if (!is_whole && convert->output.path != NULL &&
               outfile_is_same(convert->output.path, input)) {
        fprintf(stderr, "%s: not replaced by less than it holds\n", input);
        convert->is_refused = true;
    }
    return is_good;
}

static bool is_folder(const char *path) {
    struct stat info;
    return (path[0] != '\0' && outfile_name(path)[0] == '\0') ||
           (stat(path, &info) == 0 && S_ISDIR(info.st_mode));
}

/* The wanted form: named, or by the ending of the output. */
static bool choose_form(Convert *convert) {
    const KifuArgs *args = convert->args;
    const KmdFormat *format = args->to;
    if (format == NULL && args->out != NULL) {
        format = kmd_format_by_path(args->out);
    }
    if (format == NULL) {
        fprintf(stderr, "komadori-kifu: say which format with --to; see komadori-kifu formats\n");
        return false;
    }
    convert->form = args->out != NULL ? kmd_form_by_path(format, args->out) : kmd_form(format);
    convert->form.crlf = args->crlf;
    convert->form.bom = args->bom;
    if (args->has_encoding) {
        convert->form.encoding = args->encoding;
    }
    bool is_known = strcmp(format->name, "csa3") != 0 || convert->form.encoding != KMD_EUC_JP;
    if (!is_known) {
        fprintf(stderr, "komadori-kifu: %s is in UTF-8 or Shift_JIS\n", format->title);
    }
    return is_known;
}

static bool open_outputs(Convert *convert) {
    const KifuArgs *args = convert->args;
    convert->has_folder = args->out != NULL && is_folder(args->out);
    for (int i = 0; convert->has_folder && i < args->input_count; i++) {
        char *identity = outfile_identity(args->inputs[i]);
        tally_count(&convert->inputs, identity, strlen(identity));
        free(identity);
    }
    return convert->has_folder || outfile_open(&convert->output, args->out);
}

/* One line: "left out, which BOD cannot hold: moves (2 games), headers (1 games)". */
static void tell_left_out(const Convert *convert) {
    bool is_first = true;
    for (int i = 0; i < PART_COUNT; i++) {
        if (convert->left_out[i] > 0 && is_first) {
            fprintf(stderr, "left out, which %s cannot hold:", convert->form.format->title);
        }
        if (convert->left_out[i] > 0) {
            fprintf(stderr, "%s %s (%ld games)", is_first ? "" : ",", parts[i].word,
                    convert->left_out[i]);
            is_first = false;
        }
    }
    fprintf(stderr, "%s", is_first ? "" : "\n");
}

/* What is said at the end, besides the faults. */
static void tell_counts(Convert *convert) {
    show_progress(convert, true);
    if (convert->unreadable > 0) {
        fprintf(stderr, "%ld places of the input are no text in its encoding and became U+FFFD\n",
                convert->unreadable);
    }
    if (convert->lacking > 0) {
        fprintf(stderr,
                "%ld characters are not in the encoding and became 〓; try --encoding utf-8\n",
                convert->lacking);
    }
    if (!convert->args->quiet) {
        tell_left_out(convert);
    }
    if (!convert->args->quiet && !convert->shows_progress && convert->args->out != NULL) {
        fprintf(stderr, "%ld games, %ld moves, %ld with faults\n", convert->games, convert->moves,
                convert->broken);
    }
}

int convert_run(const KifuArgs *args) {
    Convert convert = {.args = args, .started = now_seconds()};
    convert.shows_progress = !args->quiet && isatty(STDERR_FILENO);
    if (args->input_count == 0) {
        fprintf(stderr, "komadori-kifu: convert what?\n");
        return 2;
    }
    if (!choose_form(&convert)) {
        return 2;
    }
    if (!open_outputs(&convert)) {
        return 1;
    }
    KmdRecord *record = kmd_record_new();
    bool is_good = true;
    for (int i = 0; is_good && i < args->input_count; i++) {
        is_good = convert_file(&convert, args->inputs[i], record);
        convert.files_done++;
    }
    is_good =
        close_games(&convert, is_good && (convert.has_folder || !convert.is_refused)) && is_good;
    kmd_record_free(record);
    tally_free(&convert.paths);
    tally_free(&convert.inputs);
    tell_counts(&convert);
    return !is_good || convert.is_refused || convert.broken > 0;
}
