#include "usi/command.h"

#include <stdio.h>

#include "rules/legality.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "usi/output.h"

int command_fail(const CommandContext *context, int status, const char *format, ...) {
    StrBuf line = STRBUF_INIT;
    va_list args;
    va_start(args, format);
    strbuf_addf(&line, context->is_program ? "komadori %s: " : "info string error %s: ",
                context->command->spec.name);
    strbuf_vaddf(&line, format, args);
    va_end(args);
    if (context->is_program) {
        fprintf(stderr, "%s\n", line.ptr);
    } else {
        output_line(context->out, strbuf_view(&line));
    }
    strbuf_free(&line);
    return status;
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
            cmdline_quote(args->words[max_left < 0 ? 0 : max_left], &text);
            strbuf_add_str(&text, " is too much; ");
        }
        cmdline_usage(spec, "komadori", &text);
    }
    if (!is_good) {
        command_fail(context, COMMAND_MISUSED, "%s", text.ptr);
    }
    strbuf_free(&text);
    return is_good;
}

StrView command_sfen(StrView text) {
    Tokenizer tok = {text};
    StrView word;
    return tok_next(&tok, &word) && sv_equal(word, SV("sfen")) ? tok_rest(&tok) : sv_trim(text);
}

/* The part of a position's text before the word "moves"; *moves is what stands behind it. */
static StrView before_moves(StrView text, Tokenizer *moves) {
    Tokenizer tok = {text};
    StrView word;
    while (tok_next(&tok, &word)) {
        if (sv_equal(word, SV("moves"))) {
            *moves = tok;
            return sv_take(text, (size_t)(word.ptr - text.ptr));
        }
    }
    return text;
}

static bool play_moves(const CommandContext *context, Tokenizer *moves, Position *pos) {
    StrView word;
    while (tok_next(moves, &word)) {
        Move move = usimove_read(word);
        if (!move_is_legal(pos, move)) {
            command_fail(context, COMMAND_MISUSED, "no legal move there: %.*s", (int)word.len,
                         word.ptr);
            return false;
        }
        pos_do(pos, move);
    }
    return true;
}

bool command_position(const CommandContext *context, const Args *args, Position *pos) {
    if (args->count == 0) {
        pos_copy(pos, context->pos);
        return true;
    }
    StrBuf text = STRBUF_INIT;
    Tokenizer moves = {{NULL, 0}};
    int column = 0;
    cmdline_join(args, 0, &text);
    StrView start = before_moves(strbuf_view(&text), &moves);
    KmdError error = pos_set_sfen(pos, command_sfen(start), &column);
    if (error != KMD_OK) {
        command_fail(context, COMMAND_MISUSED, "%s, column %d", sfen_error_text(error), column);
    }
    bool is_good = error == KMD_OK && play_moves(context, &moves, pos);
    strbuf_free(&text);
    return is_good;
}

bool command_is_cancelled(const CommandContext *context) {
    return atomic_load_explicit(context->cancel, memory_order_relaxed);
}

void command_begin_progress(const CommandContext *context, Progress *progress, int after_ms,
                            int every_ms, bool has_lines) {
    progress_begin(progress, context->is_program ? stderr : NULL, after_ms, every_ms, has_lines);
}
