/* usiline.c: reads the parts of info, bestmove and option lines. */
#include "play/usiline.h"

#include "base/base.h"

/* Reads the words after "score". */
static bool read_score(Tokenizer *tok, UsiInfo *line) {
    StrView kind, value;
    if (!tok_next(tok, &kind) || !tok_next(tok, &value)) {
        return false;
    }
    if (sv_equal(kind, SV("mate"))) {
        /* "mate N", and the old forms "mate +" and "mate -0", in which only the sign shows which
         * side mates. */
        int plies = 0;
        bool is_lost = value.ptr[0] == '-';
        line->has_score = sv_equal(value, SV("+")) || sv_equal(value, SV("-")) ||
                          sv_to_int(value, -10000, 10000, &plies);
        int distance = plies < 0 ? -plies : plies;
        line->score = is_lost ? distance - 2 * USI_SCORE_MATE : 2 * USI_SCORE_MATE - distance;
    } else if (sv_equal(kind, SV("cp"))) {
        /* Some engines report mates as cp scores far beyond all others. Such scores are limited to
         * the largest score that is not a mate. */
        int64_t score = 0;
        line->has_score = sv_to_i64(value, INT64_MIN, INT64_MAX, &score);
        line->score = (int)i64_clamp(score, -USI_SCORE_MATE, USI_SCORE_MATE);
    }
    return line->has_score;
}

/* Reads one key of the line with its value. Returns false if no further key can be useful. */
static bool read_info_key(StrView key, Tokenizer *tok, UsiInfo *line) {
    StrView value;
    int number;
    if (sv_equal(key, SV("pv")) || sv_equal(key, SV("string"))) {
        return false;
    }
    if (sv_equal(key, SV("score"))) {
        return read_score(tok, line);
    }
    if (sv_equal(key, SV("lowerbound")) || sv_equal(key, SV("upperbound"))) {
        line->is_bound = true;
    } else if (sv_equal(key, SV("depth"))) {
        return tok_next(tok, &value) && sv_to_int(value, 0, 1000000, &line->depth);
    } else if (sv_equal(key, SV("nodes"))) {
        bool is_number = tok_next(tok, &value) && sv_to_u64(value, 0, UINT64_MAX, &line->nodes);
        line->nodes = line->nodes > INT64_MAX ? INT64_MAX : line->nodes;
        return is_number;
    } else if (sv_equal(key, SV("multipv"))) {
        bool is_first = tok_next(tok, &value) && sv_to_int(value, 1, 1, &number);
        line->has_score = line->has_score && is_first;
        return is_first;
    }
    return true;
}

/* The moves of a line: all words before "string", after which there is free text. */
static StrView read_info_pv(StrView rest) {
    Tokenizer tok = {rest};
    StrView word;
    while (tok_next(&tok, &word)) {
        if (sv_equal(word, SV("string"))) {
            return sv_trim(sv_prefix(rest, (size_t)(word.ptr - rest.ptr)));
        }
    }
    return sv_trim(rest);
}

bool usiline_read_info(StrView text, UsiInfo *info, StrView *pv) {
    UsiInfo line = {0};
    Tokenizer tok = {text};
    StrView key = {NULL, 0};
    while (tok_next(&tok, &key) && read_info_key(key, &tok, &line)) {
    }
    *pv = sv_equal(key, SV("pv")) ? read_info_pv(tok_rest(&tok)) : (StrView){NULL, 0};
    if (line.nodes > 0) {
        info->nodes = line.nodes;
    }
    bool is_new_depth = line.depth > info->depth;
    bool is_taken =
        line.has_score && (!line.is_bound || !info->has_score || info->is_bound || is_new_depth);
    if (is_taken) {
        info->has_score = true;
        info->is_bound = line.is_bound;
        info->score = line.score;
    }
    if (line.depth > 0) {
        info->depth = line.depth;
    }
    return is_taken && pv->len > 0;
}

void usiline_read_bestmove(StrView text, StrView *move, StrView *ponder) {
    Tokenizer tok = {text};
    StrView word;
    *move = *ponder = (StrView){NULL, 0};
    if (tok_next(&tok, move) && tok_next(&tok, &word) && sv_equal(word, SV("ponder"))) {
        (void)tok_next(&tok, ponder);
    }
}

/* True for a word that begins with "error". */
static bool has_error_word(StrView text) {
    const StrView error = SV("error");
    for (size_t i = 0; i + error.len <= text.len; i++) {
        char before = i > 0 ? text.ptr[i - 1] : ' ';
        bool is_start = !((before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z'));
        if (is_start && sv_equal_nocase(sv_prefix(sv_skip(text, i), error.len), error)) {
            return true;
        }
    }
    return false;
}

bool usiline_is_complaint(StrView line) {
    Tokenizer tok = {line};
    StrView word;
    return tok_next(&tok, &word) && sv_equal(word, SV("info")) && tok_next(&tok, &word) &&
           sv_equal(word, SV("string")) && has_error_word(tok_rest(&tok));
}

StrView usiline_option_name(StrView text) {
    Tokenizer tok = {text};
    StrView word, type;
    if (!tok_next(&tok, &word) || !sv_equal(word, SV("name"))) {
        return (StrView){NULL, 0};
    }
    StrView name = tok_peek(&tok);
    const char *end = name.ptr;
    while (tok_next(&tok, &type) && !sv_equal(type, SV("type"))) {
        end = type.ptr + type.len;
    }
    return name.len > 0 ? (StrView){name.ptr, (size_t)(end - name.ptr)} : name;
}
