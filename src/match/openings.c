/* openings.c: reads every kind of file into lines of USI, then orders and counts them. */
#include "match/openings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/fileio.h"
#include "base/rng.h"
#include "base/tally.h"
#include "base/utf8.h"
#include "base/xmem.h"
#include "record/codec.h"
#include "record/kifuio.h"
#include "record/record.h"
#include "rules/outcome.h"
#include "rules/sfen.h"
#include "rules/usimove.h"

/* Returns a line in the form that follows "position", with single spaces between words and at most
 * `plies` moves (-1: all). Returns NULL if the line is empty. */
static char *normalise_opening(StrView line, int plies) {
    StrBuf out = STRBUF_INIT;
    Tokenizer tok = {line};
    StrView word = tok_peek(&tok);
    bool has_moves = false;
    int count = 0;
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
        has_moves = has_moves || sv_equal(word, SV("moves"));
        bool has_no_moves =
            has_moves && (plies == 0 || tok_peek(&tok).len == 0) && sv_equal(word, SV("moves"));
        bool is_cut = has_moves && !sv_equal(word, SV("moves")) && plies >= 0 && count++ >= plies;
        if (!has_no_moves && !is_cut && !usimove_is_ending(word)) {
            strbuf_add_str(&out, out.len > 0 ? " " : "");
            strbuf_add(&out, word);
        }
    }
    return out.ptr;
}

/* Adds all lines of text. Returns NULL, or an error message about line *number. */
static const char *add_openings(Openings *openings, StrView text, int plies,
                                const OutcomeRules *rules, int *number) {
    Position pos;
    StrView line;
    const char *fault = NULL;
    pos_init(&pos);
    while (fault == NULL && sv_next_line(&text, &line)) {
        ++*number;
        char *opening = normalise_opening(line, plies);
        if (opening == NULL) {
            continue;
        }
        openings->lines = xmem_grow(openings->lines, &openings->cap, (size_t)openings->count + 1,
                                    sizeof(openings->lines[0]));
        openings->lines[openings->count++] = opening;
        UsiFault wrong;
        fault = usimove_position(sv_from(opening), &pos, &wrong) ? NULL : wrong.text;
        if (fault == NULL && pos_has_passed(&pos)) {
            fault = "a side passes";
        }
        if (fault == NULL && outcome_of(&pos, rules).kind != KMD_END_NONE) {
            fault = "the game is over in this position";
        }
    }
    pos_free(&pos);
    return fault;
}

bool openings_read(StrView text, int plies, const OutcomeRules *rules, Openings *openings,
                   StrBuf *error) {
    int number = 0;
    *openings = (Openings){0};
    const char *fault = add_openings(openings, utf8_without_mark(text), plies, rules, &number);
    if (fault != NULL) {
        strbuf_addf(error, ", line %d: %s", number, fault);
    } else if (openings->count == 0) {
        strbuf_add_str(error, ": no openings in the file");
    }
    if (fault != NULL || openings->count == 0) {
        openings_free(openings);
        return false;
    }

    /* Remove openings that equal an earlier one. The even start position has two spellings. */
    const StrView name = SV("startpos"), sfen = SV("sfen " SFEN_START);
    TallyTable seen = {0};
    int kept = 0;
    for (int i = 0; i < openings->count; i++) {
        char *line = openings->lines[i];
        StrView words = sv_from(line);
        words = sv_skip(words, sv_starts_with(words, name)   ? name.len
                               : sv_starts_with(words, sfen) ? sfen.len
                                                             : 0);
        if (tally_count(&seen, words)->count == 1) {
            openings->lines[kept++] = line;
        } else {
            free(line);
        }
    }
    openings->count = kept;
    tally_free(&seen);
    return true;
}

/* ---- Records, as lines. ---- */

/* Appends the line that leads to the position, without the moves that end the game. */
static void add_record_opening(Position *pos, const OutcomeRules *rules, StrBuf *lines) {
    while (pos_moves_done(pos) > 0 && outcome_of(pos, rules).kind != KMD_END_NONE) {
        pos_undo(pos);
    }
    int count = pos_moves_done(pos);
    Move moves[1000];
    for (int i = count; i > 0; i--) {
        moves[i - 1] = pos->now->move;
        pos_undo(pos);
    }
    strbuf_add_str(lines, "sfen ");
    pos_get_sfen(pos, lines);
    strbuf_add_str(lines, count > 0 ? " moves" : "");
    usimove_append_line(moves, count, lines);
    strbuf_add_byte(lines, '\n');
}

/* Adds the first moves of all games in a file of records. */
static bool read_record_openings(const char *path, int plies, const OutcomeRules *rules,
                                 StrBuf *lines, StrBuf *error) {
    KifuStream games;
    Record record;
    KmdFault fault;
    Position pos;
    KmdNext next = KMD_NEXT_FAILED;
    int failure = kifu_stream_open(&games, path, NULL);
    if (failure != 0) {
        strbuf_addf(error, ": %s", file_error_text(failure));
        return false;
    }
    pos_init(&pos);
    record_init(&record);
    while ((next = kifu_stream_next(&games, &record, &fault)) == KMD_NEXT_GAME) {
        pos_set(&pos, &record.start);
        int node = record.nodes[KMD_ROOT].child;
        while (node >= 0 && record.nodes[node].move != MOVE_NONE && pos_moves_done(&pos) < plies) {
            pos_do(&pos, record.nodes[node].move);
            node = record.nodes[node].child;
        }
        add_record_opening(&pos, rules, lines);
    }
    if (next == KMD_NEXT_BROKEN && fault.line > 0) {
        strbuf_addf(error, ", line %d: %s", fault.line, fault.reason);
    } else if (next == KMD_NEXT_BROKEN) {
        strbuf_addf(error, ": %s", fault.reason);
    } else if (next == KMD_NEXT_FAILED) {
        strbuf_addf(error, ": %s", file_error_text(games.file_error));
    }
    kifu_stream_free(&games);
    record_free(&record);
    pos_free(&pos);
    return next == KMD_NEXT_END;
}

static bool is_of_records(const Codec *codec) {
    if (codec == NULL || (codec->format.holds & KMD_HOLDS_MOVES) == 0) {
        return false;
    }
    const char *separator = codec->format.separator;
    return separator == NULL || separator[0] != '\0';
}

bool openings_load(const OpeningsOptions *from, const OutcomeRules *rules, Openings *openings,
                   StrBuf *error) {
    StrBuf text = STRBUF_INIT, lines = STRBUF_INIT, why = STRBUF_INIT;
    if (from->path == NULL) {
        return openings_read(SV("startpos"), -1, rules, openings, error);
    }
    strbuf_add_str(error, from->path);
    int failure = file_read(from->path, &text);
    StrView path = sv_from(from->path);
    const Codec *codec = kifu_guess(path, strbuf_view(&text));
    const char *form = is_of_records(codec) ? codec->format.name : "positions";
    bool is_known = kifu_codec_by_path(path) != NULL || (codec != NULL && !is_of_records(codec));
    bool is_good = failure == 0;
    if (failure != 0) {
        strbuf_addf(&why, ": %s", file_error_text(failure));
    } else if (is_of_records(codec)) {
        int plies = from->plies < 0 ? RECORD_PLIES : from->plies;
        is_good = read_record_openings(from->path, plies, rules, &lines, &why) &&
                  openings_read(strbuf_view(&lines), -1, rules, openings, &why);
    } else {
        is_good = openings_read(strbuf_view(&text), from->plies, rules, openings, &why);
    }
    if (is_good) {
        strbuf_clear(error);
    } else if (is_known || lines.len > 0 || !sv_starts_with(strbuf_view(&why), SV(", line "))) {
        strbuf_add(error, strbuf_view(&why));
    } else {
        /* Neither the file's name nor a known line identifies the format. */
        strbuf_addf(error, ": neither positions nor game records (as %s: %s)", form,
                    why.ptr + strlen(", "));
    }
    strbuf_free(&text);
    strbuf_free(&lines);
    strbuf_free(&why);
    return is_good;
}

void openings_free(Openings *openings) {
    for (int i = 0; i < openings->count; i++) {
        free(openings->lines[i]);
    }
    free(openings->lines);
    *openings = (Openings){0};
}

/* Uses the Fisher-Yates shuffle. */
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
    UsiFault fault;
    bool is_good = usimove_position(sv_from(line), pos, &fault);
    ASSERT(is_good);
    (void)is_good;
    return line;
}
