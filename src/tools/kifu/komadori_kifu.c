/* komadori-kifu: game records: convert, show, check, draw, count. Uses nothing but the public API
 * in include/komadori. */
#include <stdio.h>
#include <string.h>

#include "komadori/version.h"
#include "tools/kifu/checkgame.h"
#include "tools/kifu/convert.h"
#include "tools/kifu/gamestats.h"
#include "tools/kifu/kifuargs.h"
#include "tools/kifu/show.h"
#include "tools/kifu/svgdiagram.h"

static int formats_run(const KifuArgs *args) {
    (void)args;
    printf("%-6s %-26s %-11s %s\n", "name", "format", "files", "holds besides the moves");
    for (int i = 0; kmd_format(i) != NULL; i++) {
        const KmdFormat *format = kmd_format(i);
        printf("%-6s %-26s %-11s", format->name, format->title, format->extensions);
        static const struct {
            int bit;
            const char *word;
        } words[] = {{KMD_HOLDS_HEADERS, "headers"},          {KMD_HOLDS_TIMES, "times"},
                     {KMD_HOLDS_COMMENTS, "comments"},        {KMD_HOLDS_BOOKMARKS, "bookmarks"},
                     {KMD_HOLDS_VARIATIONS, "variations"},    {KMD_HOLDS_ENDINGS, "endings"},
                     {KMD_HOLDS_SOME_ENDINGS, "some endings"}};
        for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++) {
            if ((format->holds & words[k].bit) != 0) {
                printf(" %s", words[k].word);
            }
        }
        printf("%s\n", (format->holds & KMD_HOLDS_MOVES) != 0 ? "" : " (a position, no moves)");
    }
    return 0;
}

static const struct {
    const char *name;
    int bit;
    int (*run)(const KifuArgs *args);
    const char *help;
} commands[] = {
    {"convert", KIFU_CONVERT, convert_run,
     "IN... --to FORMAT [-o OUT]   convert games; OUT is a file or FOLDER/, else standard output\n"
     "      --from FORMAT  --encoding utf-8|shift_jis|euc-jp  --crlf  --bom  --quiet"},
    {"show", KIFU_SHOW, show_run,
     "FILE [--at MOVES]   the board in the terminal; with a terminal to step through the moves\n"
     "      --letters  --notation NAME  --game N  --flip  --plain (no colours)  --step\n"
     "      --from FORMAT"},
    {"check", KIFU_CHECK, checkgame_run,
     "FILE...   rules, repetition, endings and impasse points; faults with line and reason\n"
     "      --quiet (faults only)  --from FORMAT"},
    {"diagram", KIFU_DIAGRAM, svgdiagram_run,
     "FILE [--svg OUT]   the board as a picture; also draws a bare SFEN from a file or \"-\"\n"
     "      --at MOVES  --arrow MOVE  --letters  --game N  --flip  --from FORMAT"},
    {"stats", KIFU_STATS, gamestats_run, "FILE... [--from FORMAT]   counts over many games"},
    {"formats", KIFU_FORMATS, formats_run, "   the formats and what each can hold"},
};

static void print_usage(FILE *stream, size_t command) {
    fprintf(stream, "  %s %s\n", commands[command].name, commands[command].help);
}

static void print_help(FILE *stream) {
    fprintf(stream, "komadori-kifu %s: game records of shogi\n\n", kmd_version());
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        print_usage(stream, i);
    }
    fprintf(stream, "\nFILE \"-\" is standard input. Formats and encodings are recognised.\n");
}

/* Lost output is a failure, whatever the command says of the rest. */
static int finish(int status) {
    if (fflush(stdout) == 0 && ferror(stdout) == 0) {
        return status;
    }
    fprintf(stderr, "komadori-kifu: standard output could not be written\n");
    return status != 0 ? status : 1;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return finish(0);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("komadori-kifu %s\nbuild    %s\n", kmd_version(), kmd_build());
        return finish(0);
    }
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        KifuArgs args;
        if (strcmp(argv[1], commands[i].name) == 0) {
            if (argc == 3 && strcmp(argv[2], "--help") == 0) {
                print_usage(stdout, i);
                return finish(0);
            }
            return kifuargs_read(argc - 1, argv + 1, commands[i].bit, &args)
                       ? finish(commands[i].run(&args))
                       : 2;
        }
    }
    fprintf(stderr, "komadori-kifu: there is no command \"%s\"; try --help\n", argv[1]);
    return 2;
}
