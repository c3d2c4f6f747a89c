/* resources.c: sets the options, and reports resources that could not be allocated. */
#include "commands/resources.h"

/* Passes on which network of another program is used, and with which scale. */
static void say_network(void *context, StrView note) {
    if (sv_starts_with(note, SV("network"))) {
        command_note(context, note);
    }
}

bool resources_set_net(const CommandContext *context, Engine *engine, const char *path) {
    EvalChoice choice = command_eval(context, path);
    engine_set_number(engine, SV("FV_SCALE"), choice.fv_scale);
    if (path != NULL) {
        engine_set_host(engine, &(EngineHost){(void *)context, .on_note = say_network});
    }
    /* A folder does not count, and need not exist, if there is a file. */
    if (engine_set_option(engine, SV("EvalFile"), choice.file) == OPTION_OK &&
        (choice.file.len > 0 ||
         engine_set_option(engine, SV("EvalDir"), choice.folder) == OPTION_OK)) {
        return true;
    }
    command_fail(context, COMMAND_FAILED, "%s", engine_option_fault(engine));
    return false;
}

bool resources_prepare(const CommandContext *context, Engine *engine, EngineResources wanted) {
    engine_set_number(engine, SV("Threads"), wanted.threads);
    engine_set_number(engine, SV("USI_Hash"), wanted.hash_mb);
    EngineResources got = engine_prepare(engine, wanted, NULL);
    if (got.hash_mb == wanted.hash_mb && got.threads == wanted.threads) {
        return true;
    }
    command_fail(context, COMMAND_FAILED,
                 "only %d MB and %d thread%s could be allocated, not %d and %d", got.hash_mb,
                 got.threads, str_plural((uint64_t)got.threads), wanted.hash_mb, wanted.threads);
    return false;
}
