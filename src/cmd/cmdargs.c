#include "cmd/cmdargs.h"

bool cmdargs_next(Tokenizer *tok, StrView *word) {
    if (!sv_starts_with(tok_peek(tok), SV("\""))) {
        return tok_next(tok, word);
    }
    StrView inside = sv_skip(tok->rest, sv_find_byte(tok->rest, '"') + 1);
    *word = sv_take(inside, sv_find_byte(inside, '"'));
    tok->rest = sv_skip(inside, word->len + 1);
    return true;
}

StrView cmdargs_rest(const Tokenizer *tok) {
    StrView text = tok_rest(tok);
    bool is_quoted = text.len >= 2 && text.ptr[0] == '"' && text.ptr[text.len - 1] == '"';
    return is_quoted ? sv_take(sv_skip(text, 1), text.len - 2) : text;
}

StrView cmdargs_sfen(StrView args) {
    Tokenizer tok = {args};
    StrView word;
    tok.rest = cmdargs_rest(&tok);
    if (sv_equal(tok_peek(&tok), SV("sfen"))) {
        tok_next(&tok, &word);
    }
    return cmdargs_rest(&tok);
}
