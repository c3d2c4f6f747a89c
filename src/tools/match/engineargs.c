#include "tools/match/engineargs.h"

#include "base/xmem.h"
#include "tools/match/args.h"

static void add_argument(EngineSpec *engine, StrView text) {
    engine->argv = xmem_realloc(engine->argv, (size_t)engine->argc + 2, sizeof(char *));
    engine->argv[engine->argc++] = args_copy_text(text);
    engine->argv[engine->argc] = NULL;
}

static bool key_cmd(EngineSpec *engine, StrView value) {
    if (engine->argc == 0) {
        add_argument(engine, value);
    } else {
        args_set_text(&engine->argv[0], value);
    }
    return value.len > 0;
}

static bool key_arg(EngineSpec *engine, StrView value) {
    if (engine->argc == 0) {
        add_argument(engine, SV(""));
    }
    add_argument(engine, value);
    return true;
}

static bool key_args(EngineSpec *engine, StrView value) {
    Tokenizer tok = {value};
    StrView word;
    while (tok_next(&tok, &word)) {
        (void)key_arg(engine, word);
    }
    return true;
}

static bool key_name(EngineSpec *engine, StrView value) {
    args_set_text(&engine->name, value);
    return value.len > 0;
}

static bool key_dir(EngineSpec *engine, StrView value) {
    args_set_text(&engine->dir, value);
    return value.len > 0;
}

static bool key_stderr(EngineSpec *engine, StrView value) {
    args_set_text(&engine->stderr_path, value);
    return value.len > 0;
}

static bool key_tc(EngineSpec *engine, StrView value) {
    return tc_read_clock(value, &engine->tc);
}

static bool key_byoyomi(EngineSpec *engine, StrView value) {
    engine->tc.has_clock = true;
    return tc_read_seconds(value, &engine->tc.byoyomi_ms);
}

static bool key_st(EngineSpec *engine, StrView value) {
    return tc_read_seconds(value, &engine->tc.movetime_ms);
}

static bool key_nodes(EngineSpec *engine, StrView value) {
    return sv_to_u64(value, 1, INT64_MAX, &engine->tc.nodes);
}

static bool key_depth(EngineSpec *engine, StrView value) {
    return sv_to_int(value, 1, 1000, &engine->tc.depth);
}

static bool key_margin(EngineSpec *engine, StrView value) {
    return sv_to_i64(value, 0, 1000000, &engine->tc.margin_ms);
}

static bool key_proto(EngineSpec *engine, StrView value) {
    (void)engine;
    return sv_equal(value, SV("usi"));
}

static bool key_ponder(EngineSpec *engine, StrView value) {
    return args_read_switch(value, &engine->ponders);
}

static bool key_restart(EngineSpec *engine, StrView value) {
    return args_read_switch(value, &engine->restarts);
}

typedef struct EngineKey {
    const char *name;
    bool (*read)(EngineSpec *engine, StrView value);
    const char *help;
} EngineKey;

static const EngineKey engine_keys[] = {
    {"cmd", key_cmd, "program to run; with a slash relative to the current directory"},
    {"name", key_name, "name in tables (default: the program's)"},
    {"arg", key_arg, "one argument for the program; may be given several times"},
    {"args", key_args, "arguments separated by blanks"},
    {"dir", key_dir, "working directory of the program"},
    {"stderr", key_stderr, "file that the program's stderr is appended to (default: none)"},
    {"tc", key_tc, "clock as [MIN:]SEC[+INC], Fischer increments; or inf"},
    {"byoyomi", key_byoyomi, "seconds for every move once the main time is used"},
    {"st", key_st, "fixed seconds for every move (go movetime)"},
    {"nodes", key_nodes, "fixed nodes for every move"},
    {"depth", key_depth, "fixed depth for every move"},
    {"margin", key_margin, "milliseconds that an answer may come late (default 0)"},
    {"timemargin", key_margin, "the same"},
    {"ponder", key_ponder, "think on the opponent's time"},
    {"restart", key_restart, "a new process for each game"},
    {"proto", key_proto, "only usi"},
};

void engineargs_set_option(EngineSpec *engine, StrView name, StrView value) {
    for (int i = 0; i < engine->option_count; i++) {
        if (sv_equal_nocase(sv_from(engine->options[i].name), name)) {
            args_set_text(&engine->options[i].value, value);
            return;
        }
    }
    engine->options =
        xmem_realloc(engine->options, (size_t)engine->option_count + 1, sizeof(engine->options[0]));
    engine->options[engine->option_count++] =
        (EngineOption){args_copy_text(name), args_copy_text(value)};
}

bool engineargs_read(EngineSpec *engine, StrView word) {
    StrView value;
    StrView key = args_split_key(word, &value);
    if (sv_starts_with(key, SV("option.")) && key.len > 7) {
        engineargs_set_option(engine, sv_skip(key, 7), value);
        return true;
    }
    for (size_t i = 0; i < COUNTOF(engine_keys); i++) {
        if (sv_equal(key, sv_from(engine_keys[i].name))) {
            return engine_keys[i].read(engine, value);
        }
    }
    return false;
}

void engineargs_write_help(StrBuf *out) {
    for (size_t i = 0; i < COUNTOF(engine_keys); i++) {
        strbuf_addf(out, "  %-11s %s\n", engine_keys[i].name, engine_keys[i].help);
    }
    strbuf_addf(out, "  %-11s %s\n", "option.NAME", "a USI option of the engine");
}
