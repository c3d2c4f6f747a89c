/* The table of options: parsing words, and printing help. */
#include "base/cmdline.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

typedef struct Request {
    int threads;
    int64_t seed;
    uint64_t nodes;
    double share;
    int64_t time_ms;
    bool is_divided;
    bool has_leaves;
    const char *path;
    int order;
    int shard, shards;
    int depth;
    int score, movecount;
    ArgList engines;
} Request;

static bool read_shard(const char *word, void *request) {
    Request *r = request;
    StrView text = sv_from(word);
    size_t slash = sv_find_byte(text, '/');
    return slash < text.len && sv_to_int(sv_prefix(text, slash), 1, 9, &r->shard) &&
           sv_to_int(sv_skip(text, slash + 1), 1, 9, &r->shards);
}

static const char *side_word(int index) {
    static const char *const words[] = {"one", "two", NULL};
    return index <= 2 ? words[index] : NULL;
}

static const ArgOption keys[] = {
    {"score", "S", ARG_INT, offsetof(Request, score), 1, 30000, .start = 2000, .help = "lost"},
    {"movecount", "N", ARG_INT, offsetof(Request, movecount), 1, 100, .start = 3},
    {"side", NULL, ARG_CHOICE, offsetof(Request, order), .word = side_word},
    {.name = NULL},
};

static const ArgOption options[] = {
    {"--threads", "N", ARG_INT, offsetof(Request, threads), 1, 512, .start = 1, .help = "threads"},
    {"--seed", "S", ARG_I64, offsetof(Request, seed), 0, 9e18, .start = 7},
    {"--nodes", "N", ARG_U64, offsetof(Request, nodes), 1, .help = "nodes"},
    {"--share", "X", ARG_FRACTION, offsetof(Request, share), 0, 1, .start = 0.25},
    {"--time", "S", ARG_SECONDS, offsetof(Request, time_ms), 0.001, 1e6, .start = 1.5},
    {"--divide", NULL, ARG_FLAG, offsetof(Request, is_divided), .help = "a line for each move"},
    {"--no-leaves", NULL, ARG_NO, offsetof(Request, has_leaves), .help = NULL},
    {"--out", "FILE", ARG_TEXT, offsetof(Request, path), .help = NULL},
    {"--order", "up|down", ARG_CHOICE, offsetof(Request, order), .help = NULL},
    {"--shard", "I/N", ARG_OTHER, .read = read_shard},
    {"--resign", "score=S ...", ARG_KEYS, .keys = keys, .commands = 2},
    {"--engine", "cmd=X ...", ARG_LIST, offsetof(Request, engines), .commands = 2},
    {"DEPTH", NULL, ARG_INT, offsetof(Request, depth), 0, 20, .start = -1, .commands = 1},
};

static const ArgCommand command = {"count", "DEPTH [SFEN]", "counts.", ARG_OPTIONS(options),
                                   1,       false};
static const ArgCommand lister = {"match", NULL, "plays.", ARG_OPTIONS(options), 2, true};

/* Reads a line; *rest becomes the remaining words. */
static bool read_line(const ArgCommand *spec, const char *line, Request *request, StrBuf *rest,
                      StrBuf *fault) {
    Args args = cmdline_split(sv_from(line));
    Args words = args;
    strbuf_clear(rest);
    strbuf_clear(fault);
    bool is_read = cmdline_read(spec, &args, request, fault);
    cmdline_join(&args, 0, rest);
    /* Texts point into the words, so they are compared before the words are freed. */
    if (is_read && request->path != NULL) {
        CHECK_STR(request->path, "a b");
    }
    cmdline_free_words(&words);
    return is_read;
}

static void test_read(void) {
    Request r = {.shards = 1};
    StrBuf rest = STRBUF_INIT, fault = STRBUF_INIT;
    CHECK(read_line(&command, "", &r, &rest, &fault));
    CHECK(r.threads == 1 && r.seed == 7 && r.nodes == 0 && r.share == 0.25 && r.time_ms == 1500);
    CHECK(!r.is_divided && r.has_leaves && r.path == NULL && r.depth == -1 && r.shards == 1);
    CHECK(read_line(&command,
                    "--threads=4 3 --divide sfen 9/9 --out \"a b\" b - --no-leaves --order down "
                    "--nodes 18446744073709551615 --time 0.0015 --shard 2/3 -- --seed 1",
                    &r, &rest, &fault));
    CHECK(r.threads == 4 && r.depth == 3 && r.is_divided && !r.has_leaves && r.order == 1);
    CHECK(r.nodes == UINT64_MAX && r.time_ms == 2 && r.shard == 2 && r.shards == 3);
    CHECK_INT(r.seed, 7);
    CHECK_STR(rest.ptr, "sfen 9/9 b - --seed 1");
    strbuf_free(&rest);
    strbuf_free(&fault);
}

/* An error message names the word and the allowed values. */
static void test_faults(void) {
    static const struct {
        const char *line;
        const char *fault;
    } cases[] = {
        {"99", "DEPTH needs a whole number from 0 to 20, not '99'"},
        {"-1", "DEPTH needs a whole number from 0 to 20, not '-1'"},
        {"1 -1", "unknown option '-1'"},
        {"-x1", "unknown option '-x1'"},
        {"--threads 0", "--threads needs a whole number from 1 to 512, not '0'"},
        {"--threads", "--threads needs a whole number from 1 to 512"},
        {"--nodes x", "--nodes needs a whole number of at least 1, not 'x'"},
        {"--time -1", "--time needs seconds from 0.001 to 1000000, not '-1'"},
        {"--share 2", "--share needs a number from 0 to 1, not '2'"},
        {"--divide=1", "--divide takes no value: '1'"},
        {"--order left", "--order needs up|down, not 'left'"},
        {"--shard 1", "--shard needs I/N, not '1'"},
        {"--out \"\"", "--out needs FILE, not ''"},
        {"--out", "--out needs FILE"},
        {"--resign", "unknown option '--resign'"},
        {"--foo\x01", "unknown option '--foo?'"},
    };
    Request r = {.shards = 1};
    StrBuf rest = STRBUF_INIT, fault = STRBUF_INIT;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CHECK(!read_line(&command, cases[i].line, &r, &rest, &fault));
        CHECK_STR(fault.ptr, cases[i].fault);
    }
    strbuf_free(&rest);
    strbuf_free(&fault);
}

static void test_lists(void) {
    Request r = {.score = 0};
    StrBuf rest = STRBUF_INIT, fault = STRBUF_INIT;
    Args args = cmdline_split(SV("-engine cmd=a tc=1 --engine cmd=b -resign movecount=5 -divide"));
    Args words = args;
    CHECK(cmdline_read(&lister, &args, &r, &fault));
    CHECK(r.engines.count == 2 && r.engines.items[0].count == 2 && r.is_divided);
    CHECK_STR(r.engines.items[0].words[1], "tc=1");
    CHECK_STR(r.engines.items[1].words[0], "cmd=b");
    CHECK(r.score == 2000 && r.movecount == 5);
    cmdline_free_words(&words);
    free(r.engines.items);
    r.engines = (ArgList){NULL, 0, 0};
    /* Words of a file may come before those of the user, who changes some of the keys. */
    CHECK(read_line(&lister, "-resign score=500 -divide --resign movecount=7 side=two", &r, &rest,
                    &fault));
    CHECK(r.score == 500 && r.movecount == 7 && r.order == 1);
    CHECK(read_line(&lister, "-resign score=500 -resign", &r, &rest, &fault));
    CHECK(r.score == 500 && r.movecount == 3 && r.order == 0);
    CHECK(!read_line(&lister, "-resign score=0", &r, &rest, &fault));
    CHECK_STR(fault.ptr, "score needs a whole number from 1 to 30000, not '0'");
    CHECK(!read_line(&lister, "-resign points=1", &r, &rest, &fault));
    CHECK_STR(fault.ptr, "--resign: unknown key 'points=1'");
    CHECK(!read_line(&lister, "-threads 1 2", &r, &rest, &fault));
    CHECK_STR(fault.ptr, "--threads needs a whole number from 1 to 512, not '2'");
    strbuf_free(&rest);
    strbuf_free(&fault);
}

/* Options without dashes, like an engine's. */
typedef struct Settings {
    bool is_on;
    int threads;
    uint64_t nodes;
    StrBuf folder;
    ArgFile file;
} Settings;

static int three(void) {
    return 3;
}

static int fixed_number;

#define PLACE(member, type) ARG_PLACE(Settings, member, type)

static const ArgOption settings_table[] = {
    {"On", "true|false", ARG_BOOL, PLACE(is_on, bool), .start = true, .help = "a"},
    {"Threads", "N", ARG_INT, PLACE(threads, int), 1, 8, .start = 4, .most_start = three,
     .help = "b"},
    {"Nodes", "N", ARG_U64, PLACE(nodes, uint64_t), 0, 99, .start = 5, .help = "c"},
    {"Folder", "TEXT", ARG_STRING, PLACE(folder, StrBuf), .text = "here", .help = "d"},
    {"File", "FILE", ARG_FILE, PLACE(file, ArgFile), .help = "e"},
    {"Order", NULL, ARG_CHOICE, 0, .start = 1, .word = side_word, .fixed = &fixed_number,
     .help = "f"},
};

static const char *refuse_odd(void *context, const char *path) {
    (void)context;
    return strlen(path) % 2 == 1 ? "odd" : NULL;
}

/* All values of the settings, with a comma after each. */
static const char *values_of(const Settings *settings) {
    static StrBuf text;
    strbuf_clear(&text);
    for (size_t i = 0; i < COUNTOF(settings_table); i++) {
        cmdline_add_value(&settings_table[i], settings, &text);
        strbuf_add_byte(&text, ',');
    }
    return text.ptr;
}

static void test_values(void) {
    static const char *const good[] = {"FALSE", "8", "98", "", "even", "ONE"};
    static const char *const bad[] = {"on", "9", "100", NULL, "odd", "three"};
    static const char *const faults[] = {"On needs true|false, not 'on'",
                                         "Threads needs a whole number from 1 to 8, not '9'",
                                         "Nodes needs a whole number from 0 to 99, not '100'",
                                         NULL,
                                         "File: odd 'odd'",
                                         "Order needs one|two, not 'three'"};
    Settings settings = {.file.accept = refuse_odd};
    StrBuf text = STRBUF_INIT;
    cmdline_set_defaults(settings_table, COUNTOF(settings_table), &settings);
    CHECK(settings.is_on && settings.threads == 3 && fixed_number == 1);
    CHECK_STR(values_of(&settings), "true,3,5,here,,two,");
    for (size_t i = 0; i < COUNTOF(settings_table); i++) {
        cmdline_add_default(&settings_table[i], &text);
        strbuf_add_byte(&text, ',');
    }
    CHECK_STR(text.ptr, "true,3,5,here,,two,");
    for (size_t i = 0; i < COUNTOF(settings_table); i++) {
        strbuf_clear(&text);
        CHECK(cmdline_read_value(&settings_table[i], good[i], &settings, &text));
        CHECK_INT((int64_t)text.len, 0);
        if (bad[i] != NULL) {
            CHECK(!cmdline_read_value(&settings_table[i], bad[i], &settings, &text));
            CHECK_STR(text.ptr, faults[i]);
        }
    }
    CHECK_STR(values_of(&settings), "false,8,98,,even,one,");
    strbuf_clear(&text);
    for (size_t i = 0; i < COUNTOF(settings_table); i++) {
        cmdline_add_setting(&settings_table[i], &text);
    }
    CHECK_STR(text.ptr, "  On=true|false       a (default true)\n"
                        "  Threads=N           b (default 3, from 1 to 8)\n"
                        "  Nodes=N             c (default 5, from 0 to 99)\n"
                        "  Folder=TEXT         d (default here)\n"
                        "  File=FILE           e (default empty)\n"
                        "  Order=one|two       f (default two)\n");
    strbuf_clear(&text);
    for (size_t i = 0; i < COUNTOF(settings_table); i++) {
        cmdline_add_manual_row(&settings_table[i], &text);
    }
    CHECK_STR(text.ptr, "| `On` | `true` | | a |\n"
                        "| `Threads` | `up to 4` | 1 to 8 | b |\n"
                        "| `Nodes` | `5` | 0 to 99 | c |\n"
                        "| `Folder` | `here` | | d |\n"
                        "| `File` | `<empty>` | | e |\n"
                        "| `Order` | `two` | `one`, `two` | f |\n");
    cmdline_free_texts(settings_table, COUNTOF(settings_table), &settings);
    CHECK(settings.folder.ptr == NULL && settings.file.path.ptr == NULL);
    strbuf_free(&text);
}

static void test_words(void) {
    Args args = cmdline_split(SV(" a  \"b c\" \"\" d\"e \"f"));
    CHECK_INT(args.count, 5);
    CHECK_STR(args.words[1], "b c");
    CHECK_STR(args.words[2], "");
    CHECK_STR(args.words[3], "d\"e");
    CHECK_STR(args.words[4], "f");
    cmdline_free_words(&args);
    args = cmdline_split(SV(""));
    CHECK_INT(args.count, 0);
    cmdline_free_words(&args);
}

static void test_printing(void) {
    StrBuf out = STRBUF_INIT;
    cmdline_help(&command, "komadori", &out);
    CHECK(sv_starts_with(strbuf_view(&out),
                         SV("usage: komadori count [OPTION ...] DEPTH [SFEN]\ncounts.\n"
                            "  --threads N         threads (default 1, from 1 to 512)\n")));
    static const ArgOption talkative = {
        "--long", NULL, ARG_FLAG, offsetof(Request, is_divided),
        .help = "words that together are longer than a line of help may be, so that the last of "
                "them follow below"};
    const ArgCommand wordy = {
        .name = "say", .help = "says.", .options = &talkative, .option_count = 1};
    strbuf_clear(&out);
    cmdline_help(&wordy, NULL, &out);
    CHECK_STR(out.ptr,
              "usage: say [OPTION ...]\nsays.\n"
              "  --long              words that together are longer than a line of help may "
              "be, so that the last of\n"
              "                      them follow below\n");
    strbuf_clear(&out);
    const ArgCommand *const all[] = {&command, &lister, NULL};
    const char *man[] = {"--man"};
    CHECK(cmdline_answer(all, "komadori", &(Args){1, man}, &out));
    CHECK(sv_starts_with(strbuf_view(&out),
                         SV(".SS \"count DEPTH [SFEN]\"\ncounts.\n.TP\n.B \\-\\-threads \\fIN\\fR\n"
                            "threads (default 1, from 1 to 512)\n")));
    strbuf_free(&out);
}

/* The first line of the answer to a request for help; "-" if there is none. */
static void check_help(bool has_commands, const char *typed, const char *want) {
    const ArgCommand *const all[] = {&command, &lister, NULL};
    StrBuf out = STRBUF_INIT;
    Args args = cmdline_split(sv_from(typed));
    bool is_asked =
        cmdline_answer(has_commands ? all : all + 1, has_commands ? "komadori" : NULL, &args, &out);
    strbuf_addf(&out, is_asked ? "" : "-");
    StrView text = strbuf_view(&out);
    StrBuf first = STRBUF_INIT;
    strbuf_add(&first, sv_prefix(text, sv_find_byte(text, '\n')));
    CHECK_STR(first.ptr, want);
    strbuf_free(&first);
    strbuf_free(&out);
    cmdline_free_words(&args);
}

static void test_help(void) {
    static const char usage[] = "usage: komadori count [OPTION ...] DEPTH [SFEN]";
    check_help(true, "count --help", usage);
    check_help(true, "count -h", usage);
    check_help(true, "count 3 --help", usage);
    check_help(true, "count --threads 2 3 --help --nonsense", usage);
    check_help(true, "count -- --help", "-");
    check_help(true, "count help", "-");
    check_help(true, "--help", "-");
    check_help(true, "nosuch --help", "-");
    check_help(false, "-engine cmd=x --help", "usage: match [OPTION ...]");
    check_help(false, "-help", "usage: match [OPTION ...]");
    check_help(false, "-h", "usage: match [OPTION ...]");
    check_help(false, "-engine arg=--help", "-");
}

UNIT_MAIN({"values and defaults", test_read}, {"faults name the word", test_faults},
          {"options with lists", test_lists}, {"values as text", test_values},
          {"words of a line", test_words}, {"usage, help, manual", test_printing},
          {"help of every command and subcommand", test_help})
