#include "tools/match/openings.h"

#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/fileio.h"
#include "base/rng.h"
#include "base/textenc.h"
#include "base/xmem.h"
#include "rules/legality.h"
#include "rules/outcome.h"
#include "rules/sfen.h"
#include "rules/usimove.h"

/* Takes the position off the front of *text: all words up to "moves". */
static StrView take_position(StrView *text) {
    Tokenizer tok = {*text};
    StrView word;
    const char *end = text->ptr + text->len;
    while (tok_next(&tok, &word)) {
        if (sv_equal(word, SV("moves"))) {
            end = word.ptr;
            break;
        }
    }
    StrView position = sv_trim((StrView){text->ptr, (size_t)(end - text->ptr)});
    *text = tok_rest(&tok);
    return position;
}

/* Sets up one opening. Returns NULL or what is wrong with it. */
static const char *apply_line(StrView text, Position *pos) {
    StrView position = take_position(&text);
    if (sv_starts_with(position, SV("sfen "))) {
        position = sv_trim(sv_skip(position, 5));
    }
    KmdError error = pos_set_sfen(pos, position, NULL);
    if (error != KMD_OK) {
        return sfen_error_text(error);
    }
    Tokenizer tok = {text};
    StrView word;
    while (tok_next(&tok, &word)) {
        Move move = usimove_read(word);
        KmdLegality legality = legality_of(pos, move);
        if (legality != KMD_LEGAL) {
            return legality_text(legality);
        }
        pos_do(pos, move);
    }
    return NULL;
}

/* A line as it goes behind "position", with one blank between words; NULL when nothing is on it. */
static char *normalise(StrView line) {
    StrBuf out = STRBUF_INIT;
    Tokenizer tok = {line};
    StrView word = tok_peek(&tok);
    if (sv_is_remark(line)) {
        return NULL;
    }
    if (sv_equal(word, SV("position"))) {
        (void)tok_next(&tok, &word);
        word = tok_peek(&tok);
    }
    if (!sv_equal(word, SV("startpos")) && !sv_equal(word, SV("sfen"))) {
        strbuf_add_str(&out, "sfen");
    }
    while (tok_next(&tok, &word)) {
        bool has_no_moves = sv_equal(word, SV("moves")) && tok_peek(&tok).len == 0;
        if (!has_no_moves) {
            strbuf_add_str(&out, out.len > 0 ? " " : "");
            strbuf_add(&out, word);
        }
    }
    return out.ptr;
}

static void add_line(Openings *openings, char *line) {
    openings->lines = xmem_grow(openings->lines, &openings->cap, (size_t)openings->count + 1,
                                sizeof(openings->lines[0]));
    openings->lines[openings->count++] = line;
}

/* Adds all lines of text. Returns NULL or what is wrong in line *number. */
static const char *add_text(Openings *openings, StrView text, const OutcomeRules *rules,
                            Position *pos, int *number) {
    StrView line;
    while (sv_next_line(&text, &line)) {
        ++*number;
        char *opening = normalise(line);
        if (opening == NULL) {
            continue;
        }
        add_line(openings, opening);
        const char *fault = apply_line(sv_from(opening), pos);
        if (fault == NULL && outcome_of(pos, rules).kind != KMD_END_NONE) {
            fault = "the game is over in this position";
        }
        if (fault != NULL) {
            return fault;
        }
    }
    return openings->count > 0 ? NULL : "no openings in the file";
}

bool openings_read(StrView text, const OutcomeRules *rules, Openings *openings,
                   OpeningsError *error) {
    Position pos;
    *openings = (Openings){0};
    *error = (OpeningsError){0, NULL};
    pos_init(&pos);
    error->text = add_text(openings, utf8_without_mark(text), rules, &pos, &error->line);
    pos_free(&pos);
    if (error->text != NULL) {
        openings_free(openings);
    }
    return error->text == NULL;
}

bool openings_load(const char *path, const OutcomeRules *rules, Openings *openings,
                   OpeningsError *error) {
    StrBuf text = STRBUF_INIT;
    int file_error = file_read(path, &text);
    bool is_good = false;
    if (file_error != 0) {
        *openings = (Openings){0};
        *error = (OpeningsError){0, file_error_text(file_error)};
    } else {
        is_good = openings_read(strbuf_view(&text), rules, openings, error);
    }
    strbuf_free(&text);
    return is_good;
}

void openings_start(Openings *openings) {
    *openings = (Openings){0};
    add_line(openings, normalise(SV("startpos")));
}

void openings_free(Openings *openings) {
    for (int i = 0; i < openings->count; i++) {
        free(openings->lines[i]);
    }
    free(openings->lines);
    *openings = (Openings){0};
}

/* Fisher and Yates' shuffle. */
void openings_shuffle(Openings *openings, uint64_t seed) {
    Rng rng = rng_init(seed);
    for (int i = openings->count - 1; i > 0; i--) {
        int j = (int)rng_below(&rng, (uint64_t)i + 1);
        char *line = openings->lines[i];
        openings->lines[i] = openings->lines[j];
        openings->lines[j] = line;
    }
}

void openings_begin_at(Openings *openings, int index) {
    size_t count = (size_t)openings->count;
    char **lines = xmem_alloc(count, sizeof(lines[0]));
    for (size_t i = 0; i < count; i++) {
        lines[i] = openings->lines[((size_t)index + i) % count];
    }
    free(openings->lines);
    openings->lines = lines;
    openings->cap = count;
}

uint64_t openings_hash(const Openings *openings) {
    uint64_t hash = CHECKSUM_FNV_START;
    for (int i = 0; i < openings->count; i++) {
        hash = checksum_fnv(hash, openings->lines[i], strlen(openings->lines[i]) + 1);
    }
    return hash;
}

const char *openings_set(const Openings *openings, int number, Position *pos) {
    const char *line = openings->lines[number % openings->count];
    const char *fault = apply_line(sv_from(line), pos);
    ASSERT(fault == NULL);
    (void)fault;
    return line;
}
