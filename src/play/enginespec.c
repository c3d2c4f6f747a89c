/* enginespec.c: the table of an engine's keys, and the functions that read their values. */
#include "play/enginespec.h"

#include <stdlib.h>

#include "base/xmem.h"

static bool read_cmd(const char *word, void *request) {
    EngineSpec *engine = request;
    if (engine->argc == 0) {
        engine->argv = xmem_calloc(2, sizeof(char *));
        engine->argc = 1;
    }
    free(engine->argv[0]);
    engine->argv[0] = sv_copy(sv_from(word));
    return word[0] != '\0';
}

static bool read_arg(const char *word, void *request) {
    EngineSpec *engine = request;
    bool has_cmd = engine->argc > 0 || read_cmd(" ", engine);
    engine->argv = xmem_realloc(engine->argv, (size_t)engine->argc + 2, sizeof(char *));
    engine->argv[engine->argc++] = sv_copy(sv_from(word));
    engine->argv[engine->argc] = NULL;
    return has_cmd;
}

static bool read_argument_words(const char *word, void *request) {
    Tokenizer tok = {sv_from(word)};
    StrView text;
    while (tok_next(&tok, &text)) {
        char *copy = sv_copy(text);
        (void)read_arg(copy, request);
        free(copy);
    }
    return true;
}

static bool read_tc(const char *word, void *request) {
    return timecontrol_read_clock(sv_from(word), &((EngineSpec *)request)->tc);
}

static bool read_byoyomi(const char *word, void *request) {
    TimeControl *tc = &((EngineSpec *)request)->tc;
    tc->has_clock = true;
    return timecontrol_read_seconds(sv_from(word), &tc->byoyomi_ms);
}

/* Accepts any value: enginespec_read reads options itself. */
static bool read_nothing(const char *word, void *request) {
    (void)word;
    (void)request;
    return true;
}

#define IN_ENGINE(kind, member) ARG_AT(EngineSpec, kind, member)
const ArgOption enginespec_keys[] = {
    {"cmd", "FILE", ARG_OTHER, .read = read_cmd,
     .help = "program to run; a name with a slash is relative to the current directory"},
    {"name", "TEXT", IN_ENGINE(ARG_TEXT, given_name),
     .help = "name in tables (default: the program's file name)"},
    {"arg", "TEXT", ARG_OTHER, .read = read_arg,
     .help = "one argument of the program; may be repeated"},
    {"args", "TEXT", ARG_OTHER, .read = read_argument_words,
     .help = "arguments of the program, separated by spaces"},
    {"dir", "DIR", IN_ENGINE(ARG_TEXT, dir), .help = "working directory of the program"},
    {"stderr", "FILE", IN_ENGINE(ARG_TEXT, stderr_path),
     .help = "append the program's stderr to this file; by default it is discarded"},
    {"tc", "[MIN:]SEC[+INC]", ARG_OTHER, .read = read_tc, .commands = ENGINE_OF_MATCH,
     .help = "time control with Fischer increment; inf means no time limit"},
    {"byoyomi", "SEC", ARG_OTHER, .read = read_byoyomi, .commands = ENGINE_OF_MATCH,
     .help = "time per move after the main time"},
    {"st", "SEC", IN_ENGINE(ARG_SECONDS, tc.movetime_ms), 0.001, 1e6,
     .help = "fixed time per move (go movetime)"},
    {"nodes", "N", IN_ENGINE(ARG_U64, tc.nodes), 1, .help = "nodes per move"},
    {"depth", "N", IN_ENGINE(ARG_INT, tc.depth), 1, 1000, .help = "search each move to this depth"},
    {"margin", "MS", IN_ENGINE(ARG_I64, tc.margin_ms), 0, 1e6, .commands = ENGINE_OF_MATCH,
     .help = "how late a move may arrive without losing"},
    {"ponder", "on", IN_ENGINE(ARG_FLAG, ponders), .help = "think on the opponent's time"},
    {"earlyponder", "on", IN_ENGINE(ARG_FLAG, ponders_early), .commands = ENGINE_OF_CSA,
     .help = "ponder before the server has answered; ponderhit then has the times"},
    {"restart", "on", IN_ENGINE(ARG_FLAG, restarts), .help = "start a new process for each game"},
    {"option.NAME", "VALUE", ARG_OTHER, .read = read_nothing, .help = "a USI option"},
    {.name = NULL},
};

void enginespec_set_option(EngineSpec *engine, StrView name, StrView value) {
    for (int i = 0; i < engine->option_count; i++) {
        if (sv_equal_nocase(sv_from(engine->options[i].name), name)) {
            free(engine->options[i].value);
            engine->options[i].value = sv_copy(value);
            return;
        }
    }
    engine->options =
        xmem_realloc(engine->options, (size_t)engine->option_count + 1, sizeof(engine->options[0]));
    engine->options[engine->option_count++] = (EngineOption){sv_copy(name), sv_copy(value)};
}

bool enginespec_read(EngineSpec *engine, unsigned program, const Args *words, StrBuf *error) {
    const ArgOption option = {"-engine", "a key listed by -help", ARG_KEYS, .keys = enginespec_keys,
                              .commands = program};
    for (int i = 0; i < words->count; i++) {
        StrView word = sv_from(words->words[i]);
        size_t equals = sv_find_byte(word, '=');
        if (sv_starts_with(word, SV("option.")) && equals > 7) {
            enginespec_set_option(engine, sv_skip(sv_prefix(word, equals), 7),
                                  sv_skip(word, equals + 1));
        } else if (!cmdline_read_value(&option, words->words[i], engine, error)) {
            return false;
        }
    }
    return true;
}

bool enginespec_has_control(StrView name) {
    for (size_t i = 0; i < name.len; i++) {
        if ((unsigned char)name.ptr[i] < ' ' || name.ptr[i] == 0x7f) {
            return true;
        }
    }
    return false;
}

void enginespec_free(EngineSpec *engine) {
    for (int i = 0; i < engine->argc; i++) {
        free(engine->argv[i]);
    }
    for (int i = 0; i < engine->option_count; i++) {
        free(engine->options[i].name);
        free(engine->options[i].value);
    }
    free(engine->argv);
    free(engine->options);
    free(engine->name);
    free(engine->time_text);
}
