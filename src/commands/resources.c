/* resources.c: sets the options, and reports resources that could not be allocated. */
#include "commands/resources.h"

/* Passes on which foreign network is used, or why the network cannot be used. */
static void say_network(void *context, StrView note) {
    StrView error = sv_skip(note, sizeof("error ") - 1);
    if (sv_starts_with(note, SV("network"))) {
        command_note(context, note);
    } else if (sv_starts_with(error, SV("Eval"))) {
        command_fail(context, COMMAND_FAILED, "%.*s", (int)sv_find_byte(error, ';'), error.ptr);
    }
}

static void set_path(Engine *engine, StrView name, StrView path) {
    OptionStatus status = engine_set_option(engine, name, path);
    ASSERT(status == OPTION_OK); /* every path is accepted, and used later */
    (void)status;
}

void resources_set_net(const CommandContext *context, Engine *engine, const char *path) {
    EvalChoice choice = command_eval(context, path);
    engine_set_host(engine, &(EngineHost){(void *)context, .on_note = say_network});
    engine_set_number(engine, SV("FV_SCALE"), choice.fv_scale);
    set_path(engine, SV("EvalFile"), choice.file);
    set_path(engine, SV("EvalDir"), choice.folder);
}

bool resources_prepare(const CommandContext *context, Engine *engine, EngineResources wanted) {
    engine_set_number(engine, SV("Threads"), wanted.threads);
    engine_set_number(engine, SV("USI_Hash"), wanted.hash_mb);
    EngineResources got = engine_prepare(engine, wanted, NULL);
    if (!engine_has_wanted_net(engine)) {
        return false;
    }
    if (got.hash_mb == wanted.hash_mb && got.threads == wanted.threads) {
        return true;
    }
    command_fail(context, COMMAND_FAILED,
                 "only %d MB and %d thread%s could be allocated, not %d and %d", got.hash_mb,
                 got.threads, str_plural((uint64_t)got.threads), wanted.hash_mb, wanted.threads);
    return false;
}
