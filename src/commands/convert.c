/* convert.c: reads games one by one and writes each to the output that the options select, without
 * overwriting an input that would be lost. */
#include "commands/kifutool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/outguard.h"
#include "base/progress.h"
#include "base/tally.h"
#include "base/terminal.h"
#include "base/utf8.h"
#include "record/kifuio.h"

/* If the format allows several games in a file, all games go to one file or to standard output;
 * otherwise each game goes to its own file in a folder. An existing file is replaced only if the
 * new file contains a game. An input is replaced only if the new file contains all of its games,
 * complete, with all their parts and characters. Progress is shown every PROGRESS_MS. */

enum { PROGRESS_MS = 100 };

typedef struct Convert {
    const KifuArgs *args;
    KifuForm form;
    bool has_folder;         /* the output is a folder, with one or more files per input */
    FILE *output;            /* NULL if none is open */
    FileWriter file;         /* writes `output`, unless that is standard output */
    StrBuf path;             /* path as the user named it; empty for standard output */
    long games_in, moves_in; /* numbers of games and moves written to the open output */
    TallyTable inputs;       /* identities of the inputs; used only for a folder */
    TallyTable paths;        /* paths written in a folder */
    int files_done;
    long rewritten, added; /* lines of an input whose format stays */
    int first_rewritten;   /* number of the first rewritten line; 0: none */
    StrBuf first_text;     /* and its text */
    bool is_cut;           /* the format cannot hold all parts of a game of the input */
    bool is_refused; /* an output was rejected because it would replace an input but contain less */
    long games, broken, moves, lacking, unreadable;
    long skipped;              /* number of lines of the inputs that no game contains */
    long left_out[KIFU_PARTS]; /* number of games with each part that the format cannot hold */
    Progress progress;
} Convert;

/* Appends "FOLDER/game.kif", or "FOLDER/game-2.kif" for a number above 1. */
static void append_numbered_path(const Convert *convert, const char *input, int number,
                                 StrBuf *out) {
    StrView name = strcmp(input, "-") == 0 ? SV("stdin") : file_name(sv_from(input));
    StrView extension = kifu_path_extension(name);
    size_t stem = extension.len > 0 ? name.len - extension.len - 1 : name.len;
    file_join(convert->args->out, stem > 0 ? sv_prefix(name, stem) : name, out);
    if (number > 1) {
        strbuf_addf(out, "-%d", number);
    }
    StrView wanted = kifu_extension(convert->form.codec, sv_from(convert->args->to_word));
    strbuf_addf(out, ".%.*s", (int)wanted.len, wanted.ptr);
}

/* True the first time it is called for a path, ignoring case, because on some systems a.kif and
 * A.kif are the same file. */
static bool is_new_path(Convert *convert, const StrBuf *path) {
    StrBuf folded = STRBUF_INIT;
    strbuf_add(&folded, strbuf_view(path));
    for (size_t i = 0; i < folded.len; i++) {
        char c = folded.ptr[i];
        folded.ptr[i] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    bool is_new = tally_count(&convert->paths, strbuf_view(&folded))->count == 1;
    strbuf_free(&folded);
    return is_new;
}

static void show_converted(Convert *convert) {
    double spent_ms = (double)progress_elapsed_ms(&convert->progress);
    progress_show(&convert->progress, "%d/%d files  %ld games  %ld moves  %.0f moves/s ",
                  convert->files_done, convert->args->input_count, convert->games, convert->moves,
                  spent_ms > 0 ? (double)convert->moves * 1000 / spent_ms : 0.0);
}

static void tell_kept(Convert *convert, const char *path) {
    StrBuf why = STRBUF_INIT;
    convert->is_refused = !outguard_keep(path, "this input holds more than the output", &why);
    fprintf(stderr, "%s\n", why.ptr);
    strbuf_free(&why);
}

/* Checks that the open file of a folder may be renamed to its final name. Returns false, with a
 * message, if it would replace another input than the current one, or would replace the current
 * input but is incomplete. */
static bool may_replace(Convert *convert, const char *input, bool is_whole) {
    bool is_allowed = is_whole;
    if (!file_is_same(convert->path.ptr, input)) {
        StrBuf identity = STRBUF_INIT;
        file_identity(convert->path.ptr, &identity);
        /* The first count of this identity means that the file is none of the inputs. */
        is_allowed = tally_count(&convert->inputs, strbuf_view(&identity))->count == 1;
        strbuf_free(&identity);
    }
    if (!is_allowed) {
        tell_kept(convert, convert->path.ptr);
    }
    return is_allowed;
}

/* Opens convert->path, or standard output if that is empty. */
static bool open_output(Convert *convert) {
    if (convert->path.len == 0) {
        convert->output = stdout;
        return true;
    }
    int error = file_begin(&convert->file, convert->path.ptr);
    convert->output = error == 0 ? convert->file.stream : NULL;
    return error == 0 || kifutool_complain(convert->path.ptr, error);
}

/* Closes the open output. If the file is wanted and contains a game, it replaces the existing file;
 * otherwise its games are discarded and not counted. main reports errors of standard output. */
static bool close_games(Convert *convert, bool is_wanted) {
    bool is_kept = is_wanted && convert->games_in > 0;
    bool is_good = true;
    if (convert->output == stdout) {
        is_good = fflush(stdout) == 0;
    } else if (convert->output != NULL && is_kept) {
        int error = file_commit(&convert->file);
        is_good = error == 0 || kifutool_complain(convert->path.ptr, error);
    } else if (convert->output != NULL) {
        file_abandon(&convert->file);
    }
    if (convert->output != stdout && (!is_kept || !is_good)) {
        convert->games -= convert->games_in;
        convert->moves -= convert->moves_in;
    }
    convert->output = NULL;
    convert->games_in = convert->moves_in = 0;
    return is_good;
}

/* Closes the open file of a folder. is_whole is true if it contains all games of the input. */
static bool close_in_folder(Convert *convert, const char *input, bool is_whole) {
    return convert->output == NULL || close_games(convert, may_replace(convert, input, is_whole));
}

/* Closes the open file of the folder and opens one for game `number` of an input, or with a higher
 * number if this run has already written a file with that name. */
static bool open_in_folder(Convert *convert, const char *input, int number) {
    if (!close_in_folder(convert, input, false)) {
        return false;
    }
    do {
        strbuf_clear(&convert->path);
        append_numbered_path(convert, input, number++, &convert->path);
    } while (!is_new_path(convert, &convert->path));
    return open_output(convert);
}

/* The parts of a node that can be lost, apart from its move and its ending. */
static int parts_of_node(const RecordNode *node) {
    bool is_ending = node->ending != KMD_END_NONE;
    return (node->time_ms >= 0 ? KMD_HOLDS_TIMES : 0) |
           (node->time_ms > 0 && node->time_ms % 1000 != 0 ? KMD_HOLDS_FRACTIONS : 0) |
           (node->comment.len > 0 ? KMD_HOLDS_COMMENTS : 0) |
           (node->remark.len > 0 ? KMD_HOLDS_REMARKS : 0) |
           (node->label.len > 0 && !is_ending ? KMD_HOLDS_BOOKMARKS : 0) |
           (node->foul.move != MOVE_NONE ? KMD_HOLDS_ILLEGAL : 0) |
           (node->move != MOVE_NONE ? KMD_HOLDS_MOVES : 0);
}

/* The parts of a game that a format cannot hold. If it cannot hold variations, only
 * the nodes of the main line are examined. */
static int lacking_parts(const Codec *codec, const Record *record) {
    int holds = codec->format.holds, parts = 0;
    bool has_tree = (holds & KMD_HOLDS_VARIATIONS) != 0;
    for (int node = KMD_ROOT; node != KMD_NODE_NONE;
         node = has_tree ? record_next(record, node) : record->nodes[node].child) {
        const RecordNode *n = &record->nodes[node];
        bool has_word =
            (holds & KMD_HOLDS_ENDINGS) != 0 || ((holds & KMD_HOLDS_SOME_ENDINGS) != 0 &&
                                                 ending_word(codec->endings, n->ending)[0] != '\0');
        parts |= parts_of_node(n);
        parts |= n->ending != KMD_END_NONE && !has_word ? KMD_HOLDS_ENDINGS : 0;
    }
    parts |= !has_tree && record_variation_count(record) > 0 ? KMD_HOLDS_VARIATIONS : 0;
    parts |= record->head_remark.len > 0 ? KMD_HOLDS_REMARKS : 0;
    parts |= record->start.ply > 1 ? KMD_HOLDS_NUMBER : 0;
    for (int i = 0; i < record->header_count; i++) {
        StrView key = record_text(record, record->headers[i].key);
        StrView value = record_text(record, record->headers[i].value);
        bool is_held = codec->holds_header == NULL || codec->holds_header(key, value);
        bool is_handicap = sv_equal(key, SV("手合割")); /* the start position says it */
        parts |= is_handicap ? 0 : KMD_HOLDS_HEADERS;
        holds &= is_held || is_handicap ? holds : ~KMD_HOLDS_HEADERS;
    }
    int lacking = parts & ~(holds & ~KMD_HOLDS_ENDINGS);
    if ((lacking & KMD_HOLDS_MOVES) != 0) { /* comments of the last position at most */
        lacking |= parts & KMD_HOLDS_COMMENTS;
    }
    return (lacking & KMD_HOLDS_TIMES) != 0 ? lacking & ~KMD_HOLDS_FRACTIONS : lacking;
}

static StrView without_cr(StrView line) {
    return line.len > 0 && line.ptr[line.len - 1] == '\r' ? sv_prefix(line, line.len - 1) : line;
}

/* For a game that keeps its format: counts the lines of the input that are not in `written`, such
 * as totals that were computed again, and the lines that were added. A last line without a line end
 * gets one, so it counts as well. */
static void count_changed_lines(Convert *convert, const Games *games, const KifuForm *form,
                                StrView written) {
    enum { SHOWN_BYTES = 80 };
    bool lacks_end = games->stream.is_at_end && games->stream.lines.buf.lacks_end;
    TallyTable lines = {0}; /* how often each written line is not yet found in the input */
    StrBuf old_text = STRBUF_INIT, new_text = STRBUF_INIT;
    textenc_decode(games->form.encoding, strbuf_view(&games->stream.game), &old_text);
    textenc_decode(form->encoding, written, &new_text);
    StrView line, rest = strbuf_view(&new_text);
    while (sv_next_line(&rest, &line)) {
        tally_count(&lines, without_cr(line));
        convert->added++;
    }
    rest = strbuf_view(&old_text);
    for (int number = games->stream.first_line; sv_next_line(&rest, &line); number++) {
        Tally *found = tally_count(&lines, without_cr(line));
        bool is_there = found->count > 1, is_kept = is_there && (rest.len > 0 || !lacks_end);
        found->count -= is_there ? 2 : 1; /* one of them is this call's */
        convert->added--;
        convert->rewritten += !is_kept;
        if (!is_kept && convert->first_rewritten == 0) {
            convert->first_rewritten = number;
            utf8_append_printable(&convert->first_text, utf8_cut(line, SHOWN_BYTES));
        }
    }
    tally_free(&lines);
    strbuf_free(&old_text);
    strbuf_free(&new_text);
}

/* Prints what count_changed_lines found in a file. */
static void tell_changed_lines(Convert *convert, const char *input) {
    if (convert->rewritten > 0) {
        fprintf(stderr, "%s: %ld line%s written differently, the first is line %d: %s\n", input,
                convert->rewritten, convert->rewritten == 1 ? " is" : "s are",
                convert->first_rewritten, convert->first_text.ptr);
    }
    if (convert->added > 0) {
        fprintf(stderr, "%s: %ld line%s added\n", input, convert->added,
                convert->added == 1 ? " is" : "s are");
    }
    convert->rewritten = convert->added = 0;
    convert->first_rewritten = 0;
    strbuf_clear(&convert->first_text);
}

/* Writes the separator between two games of a file, with the requested line ends. */
static void write_separator(const Convert *convert) {
    FILE *stream = convert->output;
    for (const char *c = convert->form.codec->format.separator; *c != '\0'; c++) {
        if (*c == '\n' && convert->form.has_crlf) {
            fputc('\r', stream);
        }
        fputc(*c, stream);
    }
}

/* The format for a game that was read in another one. If no format was requested, a .csa file keeps
 * the version of the game. */
static const Codec *codec_for(const Convert *convert, const Codec *source, TextEncoding encoding) {
    const KifuArgs *args = convert->args;
    const Codec *codec = args->to != NULL || source == NULL
                             ? convert->form.codec
                             : kifu_codec_for_path(sv_from(args->out), source);
    return kifu_has_encoding(codec, encoding) ? codec : convert->form.codec;
}

/* The form of a game. A file that is written in place keeps its encoding, its byte-order mark and
 * its line ends, unless options name others. */
static KifuForm form_for(const Convert *convert, const Games *games) {
    const KifuArgs *args = convert->args;
    KifuForm form = convert->form;
    if (convert->path.len > 0 && file_is_same(convert->path.ptr, games->path)) {
        form = games->form;
        form.encoding = args->has_encoding ? args->encoding : form.encoding;
        form.has_bom |= args->bom;
        form.has_crlf |= args->crlf;
    }
    form.codec = codec_for(convert, games->form.codec, form.encoding);
    return form;
}

static bool convert_game(Convert *convert, const Games *games, int number) {
    const Record *record = &games->record;
    const char *separator = convert->form.codec->format.separator;
    if (convert->has_folder && (convert->output == NULL || separator == NULL) &&
        !open_in_folder(convert, games->path, number)) {
        return false;
    }
    if (convert->games_in > 0 && separator == NULL) {
        fprintf(stderr,
                "komadori-kifu: %s holds one game per file; give a folder with -o FOLDER/\n",
                convert->form.codec->format.title);
        return false;
    }
    if (convert->games_in > 0) {
        write_separator(convert);
    }
    KifuForm form = form_for(convert, games);
    StrBuf bytes = STRBUF_INIT;
    form.has_bom = form.has_bom && convert->games_in == 0; /* only at the start of the file */
    size_t lacking = kifu_write(record, &form, &bytes);
    bool is_good = fwrite(bytes.ptr, 1, bytes.len, convert->output) == bytes.len;
    int error = errno;
    convert->lacking += (long)lacking;
    if (form.codec == games->form.codec && !convert->args->quiet) {
        count_changed_lines(convert, games, &form, strbuf_view(&bytes));
    }
    if (is_good) {
        int left_out = lacking_parts(form.codec, record);
        for (int i = 0; i < KIFU_PARTS; i++) {
            convert->left_out[i] += (left_out & kifutool_parts[i].bit) != 0;
        }
        convert->skipped += record->skipped;
        convert->is_cut |= left_out != 0 || record->skipped > 0;
        convert->games++;
        convert->games_in++;
        convert->moves += record_main_length(record);
        convert->moves_in += record_main_length(record);
    }
    strbuf_free(&bytes);
    return is_good || (convert->path.len > 0 && kifutool_complain(convert->path.ptr, error));
}

/* Converts all games of an open input. Returns false if the command cannot continue. */
static bool convert_games(Convert *convert, Games *games) {
    bool is_good = true;
    int number = 0;
    while (is_good && games_next(games)) {
        if (!games->is_broken || games->record.node_count > 1) {
            is_good = convert_game(convert, games, ++number);
            convert->unreadable += (long)games->form.unreadable;
        }
        if (progress_is_due(&convert->progress)) {
            show_converted(convert);
        }
    }
    convert->broken += games->faults;
    convert->skipped += games->stream.dropped;
    convert->is_cut |= games->stream.dropped > 0;
    return is_good;
}

/* The number of losses so far: games with an error, plus characters replaced in the output. */
static long losses_of(const Convert *convert) {
    return convert->broken + convert->lacking + convert->unreadable;
}

static bool convert_file(Convert *convert, const char *input) {
    long losses_before = losses_of(convert);
    Games games;
    kifutool_open(convert->args, input, &games);
    convert->is_cut = false;
    bool is_good = convert_games(convert, &games);
    bool is_whole = losses_of(convert) == losses_before && !convert->is_cut;
    games_close(&games);
    tell_changed_lines(convert, input);
    if (is_good && convert->has_folder) {
        is_good = close_in_folder(convert, input, is_whole);
    } else if (!is_whole && convert->path.len > 0 && file_is_same(convert->path.ptr, input)) {
        tell_kept(convert, input);
    }
    return is_good;
}

/* Prints a message if --to names a UTF-8 format but the file's extension requires another encoding.
 * The extension decides, because other programs rely on it. */
static void tell_encoding(const Convert *convert, const char *wanted) {
    const KifuArgs *args = convert->args;
    StrBuf name = STRBUF_INIT;
    strbuf_addf(&name, "game.%s", wanted);
    KifuForm form = kifu_form_by_path(convert->form.codec, strbuf_view(&name));
    if (!args->quiet && form.encoding == TEXT_UTF8 && convert->form.encoding == TEXT_CP932) {
        fprintf(
            stderr,
            "%s is written in Shift_JIS, as its extension implies; name it .%s or add --encoding "
            "utf-8 for UTF-8\n",
            args->out, wanted);
    }
    strbuf_free(&name);
}

/* Selects the output format: by name, or by the extension of the output. A terminal gets UTF-8. */
static bool choose_output_form(Convert *convert) {
    const KifuArgs *args = convert->args;
    const Codec *codec = args->to;
    if (codec == NULL && args->out != NULL) {
        codec = kifu_codec_by_path(sv_from(args->out));
    }
    if (codec == NULL) {
        fprintf(stderr, "komadori-kifu: give the format with --to; see komadori-kifu formats\n");
        return false;
    }
    bool has_own_extension = kifu_codec_by_path(sv_from(args->out)) == codec;
    StrBuf name = STRBUF_INIT;
    StrView extension = kifu_extension(codec, sv_from(args->to_word));
    strbuf_addf(&name, "game.%.*s", (int)extension.len, extension.ptr);
    convert->form =
        kifu_form_by_path(codec, has_own_extension ? sv_from(args->out) : strbuf_view(&name));
    strbuf_free(&name);
    convert->form.has_crlf = args->crlf;
    convert->form.has_bom = args->bom;
    if (args->has_encoding) {
        convert->form.encoding = args->encoding;
    } else if (args->out == NULL && isatty(STDOUT_FILENO)) {
        convert->form.encoding = TEXT_UTF8;
    } else if (has_own_extension && args->to_word != NULL) {
        tell_encoding(convert, args->to_word);
    }
    bool is_known = kifu_has_encoding(codec, convert->form.encoding);
    if (!is_known) {
        fprintf(stderr, "komadori-kifu: %s must be UTF-8 or Shift_JIS\n", codec->format.title);
    }
    return is_known;
}

/* Checks that the output replaces no record that only looks like an output, because the name of the
 * output is missing before a file pattern: one whose extension does not fit --to. Returns false,
 * with a message, if it does. */
static bool may_write_output(const KifuArgs *args) {
    StrView path = sv_from(args->out);
    const Codec *named = kifu_codec_by_path(path);
    bool is_odd = args->to != NULL && named != NULL && file_stamp(args->out) != 0 &&
                  kifu_codec_for_path(path, args->to) != args->to;
    bool is_input = false;
    for (int i = 0; i < args->input_count && args->out != NULL; i++) {
        is_input |= file_is_same(args->out, args->inputs[i]);
    }
    bool is_good = !is_odd || is_input;
    if (!is_good) {
        StrBuf why = STRBUF_INIT;
        (void)outguard_keep_old(args->out, "name another file", &why);
        fprintf(stderr, "%s\n", why.ptr);
        strbuf_free(&why);
    }
    return is_good;
}

/* Opens the output. The output is a folder if it is an existing folder, or a name with a trailing
 * slash, for which a folder is created. */
static bool open_outputs(Convert *convert) {
    const KifuArgs *args = convert->args;
    convert->has_folder = args->out != NULL && file_names_folder(args->out);
    if (!convert->has_folder) {
        strbuf_add_str(&convert->path, args->out != NULL ? args->out : "");
        return may_write_output(args) && open_output(convert);
    }
    for (int i = 0; i < args->input_count; i++) {
        StrBuf identity = STRBUF_INIT;
        file_identity(args->inputs[i], &identity);
        tally_count(&convert->inputs, strbuf_view(&identity));
        strbuf_free(&identity);
    }
    int error = file_make_folder(args->out);
    return error == 0 || kifutool_complain(args->out, error);
}

/* Prints one line: "left out, because the format bod cannot hold it: moves (2 games), headers (1
 * game)". */
static void tell_left_out(const Convert *convert) {
    bool is_first = true;
    for (int i = 0; i < KIFU_PARTS; i++) {
        long count = convert->left_out[i];
        if (count > 0 && is_first) {
            fprintf(stderr, "left out, because the format %s cannot hold it:",
                    convert->form.codec->format.name);
        }
        if (count > 0) {
            fprintf(stderr, "%s %s (%ld game%s)", is_first ? "" : ",", kifutool_parts[i].word,
                    count, str_plural((uint64_t)count));
            is_first = false;
        }
    }
    fprintf(stderr, "%s", is_first ? "" : "\n");
}

/* Prints the summary at the end. */
static void tell_counts(Convert *convert) {
    long unreadable = convert->unreadable, lacking = convert->lacking;
    show_converted(convert);
    progress_keep(&convert->progress);
    if (unreadable > 0) {
        fprintf(stderr, "%ld place%s of the input %s invalid in its encoding and became U+FFFD\n",
                unreadable, str_plural((uint64_t)unreadable), unreadable == 1 ? "is" : "are");
    }
    if (lacking > 0) {
        fprintf(stderr,
                "%ld character%s %s not in the encoding and became 〓; try --encoding utf-8\n",
                lacking, str_plural((uint64_t)lacking), lacking == 1 ? "is" : "are");
    }
    if (convert->skipped > 0) {
        fprintf(stderr, "%ld line%s of the input %s left out\n", convert->skipped,
                str_plural((uint64_t)convert->skipped), convert->skipped == 1 ? "was" : "were");
    }
    if (!convert->args->quiet) {
        tell_left_out(convert);
    }
    if (!convert->args->quiet && convert->progress.file == NULL && convert->args->out != NULL) {
        fprintf(stderr, "%ld game%s, %ld move%s, %ld with errors\n", convert->games,
                str_plural((uint64_t)convert->games), convert->moves,
                str_plural((uint64_t)convert->moves), convert->broken);
    }
}

int kifutool_convert(const KifuArgs *args) {
    Convert convert = {.args = args};
    bool is_terminal = terminal_has_codes(STDERR_FILENO, getenv("TERM"));
    progress_begin(&convert.progress, is_terminal && !args->quiet ? stderr : NULL, is_terminal, 0,
                   PROGRESS_MS);
    if (!choose_output_form(&convert)) {
        return 2;
    }
    if (!open_outputs(&convert)) {
        strbuf_free(&convert.path);
        tally_free(&convert.inputs);
        return 1;
    }
    bool is_good = true;
    for (int i = 0; is_good && i < args->input_count; i++) {
        is_good = convert_file(&convert, args->inputs[i]);
        convert.files_done++;
    }
    is_good =
        close_games(&convert, is_good && (convert.has_folder || !convert.is_refused)) && is_good;
    strbuf_free(&convert.path);
    strbuf_free(&convert.first_text);
    tally_free(&convert.paths);
    tally_free(&convert.inputs);
    tell_counts(&convert);
    return !is_good || convert.is_refused || convert.broken > 0;
}
