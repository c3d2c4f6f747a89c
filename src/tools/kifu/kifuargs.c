#include "tools/kifu/kifuargs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef bool OptionReader(const char *value, KifuArgs *args);

static bool read_format(const char *value, const KmdFormat **format) {
    *format = kmd_format_by_name(value);
    if (*format == NULL) {
        fprintf(stderr, "komadori-kifu: no format is called \"%s\"; see komadori-kifu formats\n",
                value);
    }
    return *format != NULL;
}

static bool read_to(const char *value, KifuArgs *args) {
    return read_format(value, &args->to);
}

static bool read_from(const char *value, KifuArgs *args) {
    return read_format(value, &args->from);
}

static bool read_out(const char *value, KifuArgs *args) {
    args->out = strcmp(value, "-") == 0 ? NULL : value;
    return true;
}

static bool read_encoding(const char *value, KifuArgs *args) {
    args->has_encoding = kmd_encoding_read(value, &args->encoding);
    if (!args->has_encoding) {
        fprintf(stderr, "komadori-kifu: the encodings are utf-8, shift_jis and euc-jp\n");
    }
    return args->has_encoding;
}

static bool read_notation(const char *value, KifuArgs *args) {
    for (int i = 0; i < KMD_NOTATION_COUNT; i++) {
        if (strcmp(value, kmd_notation_name(i)) == 0) {
            args->notation = (KmdNotation)i;
            return true;
        }
    }
    fprintf(stderr, "komadori-kifu: the notations are");
    for (int i = 0; i < KMD_NOTATION_COUNT; i++) {
        fprintf(stderr, " %s", kmd_notation_name(i));
    }
    fprintf(stderr, "\n");
    return false;
}

static bool read_arrow(const char *value, KifuArgs *args) {
    bool is_good = args->arrow_count < MAX_ARROWS && kmd_move_read(value) != KMD_MOVE_NONE;
    if (is_good) {
        args->arrows[args->arrow_count++] = value;
    } else {
        fprintf(stderr, "komadori-kifu: an arrow is a move such as 7g7f or P*5e, at most %d\n",
                MAX_ARROWS);
    }
    return is_good;
}

bool kifuargs_number(const char *text, int high, int *number) {
    int value = 0;
    if (*text == '\0') {
        return false;
    }
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9' || value > (high - (*text - '0')) / 10) {
            return false;
        }
        value = value * 10 + (*text - '0');
    }
    *number = value;
    return true;
}

static bool read_at(const char *value, KifuArgs *args) {
    bool is_good = kifuargs_number(value, 1000000, &args->at);
    if (!is_good) {
        fprintf(stderr, "komadori-kifu: --at wants a number of moves\n");
    }
    return is_good;
}

static bool read_game(const char *value, KifuArgs *args) {
    bool is_good = kifuargs_number(value, 2000000000, &args->game) && args->game > 0;
    if (!is_good) {
        fprintf(stderr, "komadori-kifu: --game wants a number from 1\n");
    }
    return is_good;
}

static bool set_crlf(const char *value, KifuArgs *args) {
    (void)value;
    return args->crlf = true;
}

static bool set_bom(const char *value, KifuArgs *args) {
    (void)value;
    return args->bom = true;
}

static bool set_quiet(const char *value, KifuArgs *args) {
    (void)value;
    return args->quiet = true;
}

static bool set_letters(const char *value, KifuArgs *args) {
    (void)value;
    return args->letters = true;
}

static bool set_plain(const char *value, KifuArgs *args) {
    (void)value;
    return args->plain = true;
}

static bool set_step(const char *value, KifuArgs *args) {
    (void)value;
    return args->step = true;
}

static bool set_flip(const char *value, KifuArgs *args) {
    (void)value;
    return args->flip = true;
}

static const struct {
    const char *name;
    int commands; /* that look at it */
    bool has_value;
    OptionReader *read;
} options[] = {
    {"--to", KIFU_CONVERT, true, read_to},
    {"--from", ~KIFU_FORMATS, true, read_from},
    {"-o", KIFU_CONVERT | KIFU_DIAGRAM, true, read_out},
    {"--svg", KIFU_DIAGRAM, true, read_out},
    {"--encoding", KIFU_CONVERT, true, read_encoding},
    {"--notation", KIFU_SHOW, true, read_notation},
    {"--arrow", KIFU_DIAGRAM, true, read_arrow},
    {"--at", KIFU_SHOW | KIFU_DIAGRAM, true, read_at},
    {"--game", KIFU_SHOW | KIFU_DIAGRAM, true, read_game},
    {"--crlf", KIFU_CONVERT, false, set_crlf},
    {"--bom", KIFU_CONVERT, false, set_bom},
    {"--quiet", KIFU_CONVERT | KIFU_CHECK, false, set_quiet},
    {"--letters", KIFU_SHOW | KIFU_DIAGRAM, false, set_letters},
    {"--plain", KIFU_SHOW, false, set_plain},
    {"--step", KIFU_SHOW, false, set_step},
    {"--flip", KIFU_SHOW | KIFU_DIAGRAM, false, set_flip},
};

static bool read_option(int argc, char **argv, int command, int *index, KifuArgs *args) {
    const char *name = argv[*index];
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        if (strcmp(name, options[i].name) != 0) {
            continue;
        }
        if ((options[i].commands & command) == 0) {
            fprintf(stderr, "komadori-kifu: %s has no option %s\n", argv[0], name);
            return false;
        }
        if (options[i].has_value && *index + 1 == argc) {
            fprintf(stderr, "komadori-kifu: %s wants a value\n", name);
            return false;
        }
        *index += options[i].has_value;
        return options[i].read(argv[*index], args);
    }
    fprintf(stderr, "komadori-kifu: there is no option %s\n", name);
    return false;
}

bool kifuargs_read(int argc, char **argv, int command, KifuArgs *args) {
    bool options_end = false;
    *args = (KifuArgs){.inputs = (const char **)(argv + 1),
                       .notation = KMD_NOTATION_JAPANESE,
                       .at = AT_END,
                       .game = 1};
    for (int i = 1; i < argc; i++) {
        bool is_option = !options_end && argv[i][0] == '-' && argv[i][1] != '\0';
        if (is_option && strcmp(argv[i], "--") == 0) {
            options_end = true;
        } else if (is_option) {
            if (!read_option(argc, argv, command, &i, args)) {
                return false;
            }
        } else {
            args->inputs[args->input_count++] = argv[i];
        }
    }
    return true;
}

void kifuargs_report(const char *path, const KmdFault *fault) {
    fprintf(stderr, "%s", path);
    if (fault->line > 0) {
        fprintf(stderr, ":%d", fault->line);
    }
    if (fault->ply > 0) {
        fprintf(stderr, ": move %d", fault->ply);
    }
    fprintf(stderr, ": %s", fault->reason);
    if (fault->near_text[0] != '\0') {
        fprintf(stderr, ": %s", fault->near_text);
    }
    fprintf(stderr, "\n");
}

bool kifuargs_has_one(const KifuArgs *args) {
    if (args->input_count != 1) {
        fprintf(stderr, "komadori-kifu: one file, please (- for standard input)\n");
    }
    return args->input_count == 1;
}

bool kifuargs_load(const KifuArgs *args, KmdRecord *record) {
    const char *path = args->inputs[0];
    KmdRecordStream *stream = kmd_stream_open(path, args->from);
    if (stream == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    KmdFault fault = {.reason = ""};
    KmdNext next = KMD_NEXT_END;
    for (int i = 0; i < args->game; i++) {
        next = kmd_stream_next(stream, record, &fault);
        if (next == KMD_NEXT_END || next == KMD_NEXT_FAILED) {
            break;
        }
    }
    if (next == KMD_NEXT_BROKEN) {
        kifuargs_report(path, &fault);
    } else if (next == KMD_NEXT_FAILED) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
    } else if (next == KMD_NEXT_END) {
        fprintf(stderr, "%s: there is no game %d\n", path, args->game);
    }
    bool is_known = next != KMD_NEXT_BROKEN || kmd_stream_form(stream).format != NULL;
    kmd_stream_close(stream);
    return is_known && (next == KMD_NEXT_GAME || next == KMD_NEXT_BROKEN);
}

int kifuargs_node(const KifuArgs *args, const KmdRecord *record) {
    int node = KMD_ROOT;
    for (int moves = 0; args->at == AT_END || moves < args->at; moves++) {
        int next = kmd_node_child(record, node);
        if (next == KMD_NODE_NONE || kmd_node_ending(record, next) != KMD_END_NONE) {
            break;
        }
        node = next;
    }
    return node;
}
