#include "tools/kifu/convert.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tools/kifu/tally.h"

/* Games go to one file or to standard output where the format allows several in one, else each to a
 * file of its own in a folder. A file is written under another name first and renamed when it is
 * whole and holds a game: until then, what was there stays. */

typedef struct Output {
    FILE *stream; /* NULL while no file is open */
    char *path, *aside;
    int games;
} Output;

typedef struct Convert {
    const KifuArgs *args;
    KmdForm form;
    bool has_folder; /* one output file or more per input */
    Output output;
    TallyTable paths; /* written in a folder */
    int files_done;
    long games, broken, moves, lacking;
    bool shows_progress;
    double started, last_shown;
} Convert;

static double now_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static char *join(const char *a, const char *b, const char *c) {
    size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = malloc(size);
    if (text == NULL) {
        fprintf(stderr, "komadori-kifu: out of memory\n");
        exit(2);
    }
    snprintf(text, size, "%s%s%s", a, b, c);
    return text;
}

static bool complain(const char *path) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return false;
}

static bool open_output(Output *output, const char *path) {
    *output = (Output){.path = join(path, "", ""), .aside = join(path, ".part", "")};
    output->stream = fopen(output->aside, "wb");
    return output->stream != NULL || complain(output->aside);
}

/* Windows renames over no file that is there, so that is removed first when it comes to it. */
static bool rename_over(const char *from, const char *to) {
    return rename(from, to) == 0 || (remove(to) == 0 && rename(from, to) == 0);
}

/* Puts the file in its place, or removes it when it is not wanted or holds no game. */
static bool close_output(Output *output, bool is_wanted) {
    bool is_good = true;
    if (output->stream != NULL && output->path != NULL) {
        bool is_kept = is_wanted && output->games > 0;
        bool is_written = fflush(output->stream) == 0 && ferror(output->stream) == 0;
        is_written &= fclose(output->stream) == 0;
        is_good = !is_kept || (is_written && rename_over(output->aside, output->path));
        if (!is_good) {
            complain(output->path);
        }
        if (!is_kept || !is_good) {
            remove(output->aside);
        }
    } else if (output->stream != NULL) {
        is_good = fflush(output->stream) == 0;
    }
    free(output->path);
    free(output->aside);
    *output = (Output){.stream = NULL};
    return is_good;
}

/* "FOLDER/game.kif", or "FOLDER/game-2.kif" by a number above 1. */
static char *numbered_path(const Convert *convert, const char *input, int number) {
    const char *name = strrchr(input, '/');
    name = name != NULL ? name + 1 : strcmp(input, "-") == 0 ? "stdin" : input;
    const char *dot = strrchr(name, '.');
    size_t stem = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    const char *extension = convert->form.format->extensions;
    char tail[64], *base = join(name, "", "");
    base[stem] = '\0';
    int letters = (int)strcspn(extension, " ");
    if (number > 1) {
        snprintf(tail, sizeof(tail), "-%d.%.*s", number, letters, extension);
    } else {
        snprintf(tail, sizeof(tail), ".%.*s", letters, extension);
    }
    char *folder = join(convert->args->out, "/", base);
    char *path = join(folder, tail, "");
    free(folder);
    free(base);
    return path;
}

/* True the first time a path comes by. There are systems on which a.kif and A.kif are one file. */
static bool is_new_path(Convert *convert, const char *path) {
    char *folded = join(path, "", "");
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

static bool write_game(Convert *convert, const KmdRecord *record, const char *input, int number) {
    Output *output = &convert->output;
    const char *separator = convert->form.format->separator;
    if (convert->has_folder && (output->stream == NULL || separator == NULL)) {
        char *path = output_path(convert, input, number);
        bool is_open = close_output(output, true) && open_output(output, path);
        free(path);
        if (!is_open) {
            return false;
        }
    }
    if (output->games > 0 && separator == NULL) {
        fprintf(stderr, "komadori-kifu: %s holds one game a file; give a folder with -o FOLDER/\n",
                convert->form.format->title);
        return false;
    }
    if (output->games > 0) {
        fputs(separator, output->stream);
    }
    KmdBytes bytes = kmd_record_write(record, &convert->form);
    bool is_good = fwrite(bytes.data, 1, bytes.len, output->stream) == bytes.len;
    convert->lacking += (long)bytes.lacking;
    kmd_bytes_free(&bytes);
    output->games++;
    return is_good || complain(output->path != NULL ? output->path : "standard output");
}

/* Every game of one input; false when going on makes no sense. */
static bool convert_file(Convert *convert, const char *input, KmdRecord *record) {
    KmdRecordStream *stream = kmd_stream_open(input, convert->args->from);
    if (stream == NULL) {
        convert->broken++;
        complain(input);
        return true;
    }
    KmdFault fault;
    KmdNext next;
    bool is_good = true;
    int number = 0;
    long found_before = convert->games + convert->broken;
    while (is_good && ((next = kmd_stream_next(stream, record, &fault)) == KMD_NEXT_GAME ||
                       next == KMD_NEXT_BROKEN)) {
        if (next == KMD_NEXT_BROKEN) {
            convert->broken++;
            kifuargs_report(input, &fault);
        }
        if (next == KMD_NEXT_GAME || kmd_node_child(record, KMD_ROOT) != KMD_NODE_NONE) {
            is_good = write_game(convert, record, input, ++number);
            convert->games++;
            convert->moves += kmd_main_length(record);
        }
        show_progress(convert, false);
    }
    if (is_good && next == KMD_NEXT_FAILED) {
        convert->broken++;
        complain(input);
    } else if (is_good && convert->games + convert->broken == found_before) {
        convert->broken++;
        fprintf(stderr, "%s: no game there\n", input);
    }
    kmd_stream_close(stream);
    return is_good && (!convert->has_folder || close_output(&convert->output, true));
}

static bool is_folder(const char *path) {
    struct stat info;
    size_t length = strlen(path);
    return (length > 0 && path[length - 1] == '/') ||
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
    return true;
}

static bool open_outputs(Convert *convert) {
    const char *out = convert->args->out;
    convert->has_folder = out != NULL && is_folder(out);
    if (convert->has_folder) {
        return true;
    }
    if (out != NULL) {
        return open_output(&convert->output, out);
    }
    convert->output = (Output){.stream = stdout};
    return true;
}

int convert_run(const KifuArgs *args) {
    Convert convert = {.args = args, .started = now_seconds()};
    convert.shows_progress = !args->quiet && isatty(STDERR_FILENO);
    if (args->input_count == 0) {
        fprintf(stderr, "komadori-kifu: convert what?\n");
        return 2;
    }
    if (!choose_form(&convert) || !open_outputs(&convert)) {
        return 2;
    }
    KmdRecord *record = kmd_record_new();
    bool is_good = true;
    for (int i = 0; is_good && i < args->input_count; i++) {
        is_good = convert_file(&convert, args->inputs[i], record);
        convert.files_done++;
    }
    is_good = close_output(&convert.output, is_good) && is_good;
    kmd_record_free(record);
    tally_free(&convert.paths);
    show_progress(&convert, true);
    if (convert.lacking > 0) {
        fprintf(stderr,
                "%ld characters are not in the encoding and became 〓; try --encoding utf-8\n",
                convert.lacking);
    }
    if (!args->quiet && !convert.shows_progress && args->out != NULL) {
        fprintf(stderr, "%ld games, %ld moves, %ld with faults\n", convert.games, convert.moves,
                convert.broken);
    }
    return !is_good || convert.broken > 0;
}
