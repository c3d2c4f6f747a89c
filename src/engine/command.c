/* command.c: handles errors, positions and files for all commands, with output that suits either a
 * session or the command line. */
#include "engine/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fileio.h"
#include "base/outguard.h"
#include "base/proc.h"
#include "base/terminal.h"
#include "engine/output.h"
#include "rules/position.h"
#include "rules/usimove.h"

/* Prints the line on standard error or in the session, and frees it. */
static void print_command_message(const CommandContext *context, StrBuf *line) {
    if (context->is_program) {
        fprintf(stderr, "%s\n", line->ptr);
    } else {
        output_line(context->out, strbuf_view(line));
    }
    strbuf_free(line);
}

int command_fail(const CommandContext *context, int status, const char *format, ...) {
    StrBuf line = STRBUF_INIT;
    va_list args;
    va_start(args, format);
    strbuf_addf(&line, context->is_program ? "komadori %s: " : "info string error %s: ",
                context->command->spec.name);
    strbuf_vaddf(&line, format, args);
    va_end(args);
    print_command_message(context, &line);
    return status;
}

void command_note(const CommandContext *context, StrView text) {
    StrBuf line = STRBUF_INIT;
    if (context->is_program) {
        strbuf_addf(&line, "komadori %s: ", context->command->spec.name);
    } else {
        strbuf_add_str(&line, "info string ");
    }
    strbuf_add(&line, text);
    print_command_message(context, &line);
}

bool command_refuse(const CommandContext *context, const char *path, const char *why) {
    command_fail(context, COMMAND_FAILED, "%s: %s", path, why);
    return false;
}

EvalChoice command_eval(const CommandContext *context, const char *path) {
    return path != NULL ? evalfile_choice(path) : context->eval;
}

bool command_load_net(const CommandContext *context, const char *path, struct NnueNet **net) {
    EvalChoice choice = command_eval(context, path);
    const char *why;
    if (evalfile_load(&choice, net, &why)) {
        StrBuf note = STRBUF_INIT;
        if (path != NULL && evalfile_append_doubt(&choice, *net, &note)) {
            command_note(context, strbuf_view(&note));
        }
        strbuf_free(&note);
        return true;
    }
    StrView name = evalfile_name(&choice);
    command_fail(context, COMMAND_FAILED, "%.*s: %s", (int)name.len, name.ptr, why);
    return false;
}

int command_misuse(const CommandContext *context) {
    StrBuf text = STRBUF_INIT;
    cmdline_usage(&context->command->spec, "komadori", &text);
    command_fail(context, COMMAND_MISUSED, "%s", text.ptr);
    strbuf_free(&text);
    return COMMAND_MISUSED;
}

bool command_read(const CommandContext *context, Args *args, void *request, int min_left,
                  int max_left) {
    const ArgCommand *spec = &context->command->spec;
    StrBuf text = STRBUF_INIT;
    bool is_read = cmdline_read(spec, args, request, &text);
    bool is_good = is_read && args->count >= min_left && (max_left < 0 || args->count <= max_left);
    if (is_read && !is_good) {
        if (args->count > 0 && args->count > max_left) {
            cmdline_quote(sv_from(args->words[max_left < 0 ? 0 : max_left]), &text);
            strbuf_add_str(&text, " is one argument too many; ");
        }
        cmdline_usage(spec, "komadori", &text);
    }
    if (!is_good) {
        command_fail(context, COMMAND_MISUSED, "%s", text.ptr);
    }
    strbuf_free(&text);
    return is_good;
}

void command_append_place(const UsiFault *fault, StrBuf *out) {
    if (fault->word.len > 0) {
        strbuf_addf(out, ", move %d ", fault->place);
        cmdline_quote(fault->word, out);
    } else if (fault->place > 0) {
        strbuf_addf(out, ", column %d", fault->place);
    }
}

bool command_position(const CommandContext *context, const Args *args, Position *pos,
                      UsiFault *note) {
    if (args->count == 0) {
        pos_copy(pos, context->pos);
        return true;
    }
    StrBuf text = STRBUF_INIT;
    UsiFault fault;
    cmdline_join(args, 0, &text);
    bool is_good = note != NULL ? usimove_position_playable(strbuf_view(&text), pos, note, &fault)
                                : usimove_position(strbuf_view(&text), pos, &fault);
    if (!is_good) {
        StrBuf place = STRBUF_INIT;
        command_append_place(&fault, &place);
        command_fail(context, COMMAND_MISUSED, "%s%s", fault.text, place.len > 0 ? place.ptr : "");
        strbuf_free(&place);
    }
    strbuf_free(&text);
    return is_good;
}

bool command_read_file(const CommandContext *context, const char *path, StrBuf *text) {
    bool is_stdin = strcmp(path, "-") == 0;
    if (is_stdin && !context->is_program) {
        return command_refuse(context, path, "give a file name");
    }
    int error = is_stdin ? file_read_stdin(text) : file_read(path, text);
    return error == 0 || command_refuse(context, path, file_error_text(error));
}

bool command_write_file(const CommandContext *context, const char *path, const StrBuf *bytes) {
    int error = file_write(path, bytes->ptr, bytes->len);
    return error == 0 || command_refuse(context, path, outguard_error_text(path, error));
}

bool command_spares(const CommandContext *context, const char *out, const char *input) {
    StrBuf why = STRBUF_INIT;
    bool is_good = !outguard_is_clash(out, input) || outguard_keep(out, OUTGUARD_INPUT, &why);
    if (!is_good) {
        command_fail(context, COMMAND_FAILED, "%s", why.ptr);
    }
    strbuf_free(&why);
    return is_good;
}

bool command_is_cancelled(const CommandContext *context) {
    return atomic_load_explicit(context->cancel, memory_order_relaxed);
}

/* Set when the program receives a signal to end. */
static _Atomic bool is_interrupted;

static void interrupt(int number) {
    (void)number;
    atomic_store(&is_interrupted, true);
}

const _Atomic bool *command_catch_end(const CommandContext *context) {
    if (!context->is_program) {
        return context->cancel;
    }
    proc_catch_end(interrupt);
    return &is_interrupted;
}

void command_begin_progress(const CommandContext *context, Progress *progress, int after_ms,
                            int every_ms, bool has_lines) {
    bool is_terminal = terminal_has_codes(STDERR_FILENO, getenv("TERM"));
    bool is_shown = context->is_program && (is_terminal || has_lines);
    progress_begin(progress, is_shown ? stderr : NULL, is_terminal, after_ms, every_ms);
}
