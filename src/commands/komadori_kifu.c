/* komadori_kifu.c: komadori-kifu, which converts, shows, checks, draws and counts game records. */
#include <stddef.h>
#include <stdio.h>

#include "base/base.h"
#include "base/cmdline.h"
#include "commands/kifutool.h"
#include "komadori/version.h"
#include "record/kifuio.h"
#include "rules/position.h"
#include "rules/usimove.h"

static bool read_format(const char *word, const Codec **codec) {
    *codec = kifu_codec_by_name(sv_from(word));
    return *codec != NULL;
}

static bool read_to(const char *word, void *request) {
    KifuArgs *args = request;
    args->to_word = word;
    return read_format(word, &args->to);
}

static bool read_from(const char *word, void *args) {
    return read_format(word, &((KifuArgs *)args)->from);
}

static bool read_out(const char *word, void *request) {
    KifuArgs *args = request;
    args->out = sv_equal(sv_from(word), SV("-")) ? NULL : word;
    return word[0] != '\0';
}

static bool read_encoding(const char *word, void *request) {
    KifuArgs *args = request;
    args->has_encoding = textenc_read_name(sv_from(word), &args->encoding);
    return args->has_encoding;
}

static bool read_arrow(const char *word, void *request) {
    KifuArgs *args = request;
    Move move = usimove_read(sv_from(word));
    bool is_good = args->arrow_count < MAX_ARROWS && move_is_real(move);
    if (is_good) {
        args->arrows[args->arrow_count++] = move;
    }
    return is_good;
}

#define PLACE(kind, member) ARG_AT(KifuArgs, kind, member)
#define INPUTS              ((unsigned)~KIFU_FORMATS)

static const ArgOption options[] = {
    {"--to", NULL, ARG_OTHER, .read = read_to, .word = kifu_codec_name, .commands = KIFU_CONVERT,
     .help = "format to write, or a file extension (default: the extension of -o); `komadori-kifu "
             "formats` lists the formats"},
    {"--from", NULL, ARG_OTHER, .read = read_from, .word = kifu_codec_name, .commands = INPUTS,
     .help = "format to read (default: detected)"},
    {"-o", "OUT", ARG_OTHER, .read = read_out, .commands = KIFU_CONVERT,
     .help = "output file, or FOLDER/, which is created if necessary (default: standard output)"},
    {"--svg", "OUT", ARG_OTHER, .read = read_out, .commands = KIFU_DIAGRAM,
     .help = "output file (default: standard output)"},
    {"--encoding", "utf-8|shift_jis|euc-jp", ARG_OTHER, .read = read_encoding,
     .commands = KIFU_CONVERT,
     .help = "encoding of the output (default: the usual encoding of the format)"},
    {"--arrow", "MOVE", ARG_OTHER, .read = read_arrow, .commands = KIFU_DIAGRAM,
     .help = "draw a move such as 7g7f or P*5e as an arrow; may be given up to 16 times"},
    {"--at", "MOVES", PLACE(ARG_INT, at), 0, 1000000, .start = AT_END,
     .commands = KIFU_SHOW | KIFU_DIAGRAM,
     .help = "show the position after this many moves (default: the last position; show steps "
             "through the game in a terminal)"},
    {"--game", "N", PLACE(ARG_INT, game), 1, 2000000000, .start = 1,
     .commands = KIFU_SHOW | KIFU_DIAGRAM, .help = "number of the game in the file"},
    {"--crlf", NULL, PLACE(ARG_FLAG, crlf), .commands = KIFU_CONVERT,
     .help = "end lines with CR LF"},
    {"--bom", NULL, PLACE(ARG_FLAG, bom), .commands = KIFU_CONVERT,
     .help = "start UTF-8 output with a byte-order mark"},
    {"--quiet", NULL, PLACE(ARG_FLAG, quiet), .commands = KIFU_CONVERT | KIFU_CHECK,
     .help = "print only errors"},
    {"--letters", NULL, PLACE(ARG_FLAG, letters), .commands = KIFU_SHOW | KIFU_DIAGRAM,
     .help = "use letters instead of kanji"},
    {"--plain", NULL, PLACE(ARG_FLAG, plain), .commands = KIFU_SHOW,
     .help = "use no colours, as with NO_COLOR in the environment"},
    {"--flip", NULL, PLACE(ARG_FLAG, flip), .commands = KIFU_SHOW | KIFU_DIAGRAM,
     .help = "show the board from white's side"},
};

static int kifu_formats(const KifuArgs *args) {
    (void)args;
    printf("%-6s %-26s %-11s %s\n", "name", "format", "files", "can hold besides moves");
    for (int i = 0; kifu_codec(i) != NULL; i++) {
        const KmdFormat *format = &kifu_codec(i)->format;
        printf("%-6s %-26s %-11s", format->name, format->title, format->extensions);
        for (int k = 0; k < KIFU_PARTS; k++) {
            if ((format->holds & kifutool_parts[k].bit & ~KMD_HOLDS_MOVES) != 0) {
                printf(" %s", kifutool_parts[k].word);
            }
        }
        printf("%s\n", (format->holds & KMD_HOLDS_MOVES) != 0 ? "" : " (a position, no moves)");
    }
    return 0;
}

static const struct {
    ArgCommand words;
    int (*run)(const KifuArgs *args);
} commands[] = {
    {{"convert", "FILE...", "convert games to another format", ARG_OPTIONS(options), KIFU_CONVERT,
      false},
     kifutool_convert},
    {{"show", "FILE | SFEN", "show the board in the terminal and step through the moves",
      ARG_OPTIONS(options), KIFU_SHOW, false},
     kifutool_show},
    {{"check", "FILE...", "check moves, repetition and endings; count impasse points",
      ARG_OPTIONS(options), KIFU_CHECK, false},
     kifutool_check},
    {{"diagram", "FILE | SFEN", "draw the board as an SVG picture", ARG_OPTIONS(options),
      KIFU_DIAGRAM, false},
     kifutool_diagram},
    {{"stats", "FILE...", "print statistics of many games", ARG_OPTIONS(options), KIFU_STATS,
      false},
     kifutool_stats},
    {{"formats", NULL, "list the formats and what each of them can hold", ARG_OPTIONS(options),
      KIFU_FORMATS, false},
     kifu_formats},
};

static void print_help(FILE *stream) {
    fprintf(stream,
            "komadori-kifu " KMD_VERSION ": read, convert and check shogi game records\n\n");
    for (size_t i = 0; i < COUNTOF(commands); i++) {
        const ArgCommand *words = &commands[i].words;
        fprintf(stream, "  %-8s %-11s %s\n", words->name,
                words->operands != NULL ? words->operands : "", words->help);
    }
    fprintf(stream,
            "\n`komadori-kifu COMMAND --help` lists the options. FILE \"-\" is standard input.\n"
            "Formats and encodings are detected.\n");
}

/* Returns the exit status. If output was lost, that is a failure, whatever the command returned. */
static int finish_run(int status) {
    if (fflush(stdout) == 0 && ferror(stdout) == 0) {
        return status;
    }
    fprintf(stderr, "komadori-kifu: standard output could not be written\n");
    return status != 0 ? status : 1;
}

static int run_kifu_command(size_t index, Args words) {
    const ArgCommand *command = &commands[index].words;
    KifuArgs args = {.from = NULL};
    StrBuf text = STRBUF_INIT;
    int status = 2;
    if (!cmdline_read(command, &words, &args, &text)) {
        fprintf(stderr, "komadori-kifu %s: %s\n", command->name, text.ptr);
    } else if (words.count == 0 && command->operands != NULL) {
        fprintf(stderr, "komadori-kifu %s: missing file name (- is standard input)\n",
                command->name);
    } else {
        args.inputs = words.words;
        args.input_count = words.count;
        status = finish_run(commands[index].run(&args));
    }
    strbuf_free(&text);
    return status;
}

/* Answers requests for help and manual pages. */
static bool answer_choices(const Args *args) {
    const ArgCommand *list[COUNTOF(commands) + 1] = {NULL};
    StrBuf text = STRBUF_INIT;
    for (size_t i = 0; i < COUNTOF(commands); i++) {
        list[i] = &commands[i].words;
    }
    bool is_asked = cmdline_answer(list, "komadori-kifu", args, &text);
    fwrite(text.ptr != NULL ? text.ptr : "", 1, text.len, stdout);
    strbuf_free(&text);
    return is_asked;
}

int main(int argc, char **argv) {
    pos_init_tables();
    if (answer_choices(&(Args){argc - 1, (const char **)argv + 1})) {
        return finish_run(0);
    }
    StrView word = argc < 2 ? SV("") : sv_from(argv[1]);
    if (sv_equal(word, SV("--help")) || sv_equal(word, SV("-h")) || sv_equal(word, SV("help"))) {
        print_help(stdout);
        return finish_run(0);
    }
    if (sv_equal(word, SV("--version"))) {
        printf("komadori-kifu " KMD_VERSION "\nbuild    %s\n", base_build_text());
        return finish_run(0);
    }
    int command = SV_INDEX(word, commands, words.name);
    if (command >= 0) {
        return run_kifu_command((size_t)command, (Args){argc - 2, (const char **)argv + 2});
    }
    if (argc < 2) {
        print_help(stderr);
    } else {
        fprintf(stderr, "komadori-kifu: unknown command \"%s\"; try --help\n", argv[1]);
    }
    return 2;
}
