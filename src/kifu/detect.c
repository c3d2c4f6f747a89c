/* What a text looks like: its format by typical lines, its encoding, its line ends. */
#include "kifu/detect.h"

#include "base/textenc.h"
#include "base/utf8.h"
#include "kifu/bod.h"
#include "kifu/codec.h"
#include "kifu/codecs.h"
#include "kifu/csa.h"
#include "kifu/jkf.h"
#include "kifu/ki2.h"
#include "kifu/kif.h"
#include "kifu/psn.h"
#include "kifu/usen.h"
#include "kifu/usirec.h"
#include "kifu/words.h"
#include "rules/usimove.h"

/* What the lines of a text look like: how many are typical of each of these formats. */
typedef struct LineCounts {
    int kif, ki2, csa, psn, usi, usen, diagram;
    int header; /* of KIF, KI2 and BOD alike */
    bool is_json;
    const Codec *first; /* what the first line that is no remark is a game of, or NULL */
} LineCounts;

static bool starts_with_any(StrView line, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (sv_starts_with(line, sv_from(words[i]))) {
            return true;
        }
    }
    return false;
}

/* The start, "~", and moves from a number on. A word with other characters is of another text. */
static bool looks_like_usen(StrView word) {
    size_t tilde = sv_find_byte(word, '~');
    StrView rest = sv_skip(word, tilde + 1);
    bool is_usen = tilde < word.len && rest.len > 1 && rest.ptr[0] >= '0' && rest.ptr[0] <= '9';
    for (size_t i = 0; i < word.len && is_usen; i++) {
        char c = word.ptr[i];
        char letter = (char)(c | 0x20);
        is_usen = (letter >= 'a' && letter <= 'z') || (c >= '0' && c <= '9') ||
                  sv_has_byte(SV("_.-~"), c);
    }
    return is_usen;
}

/* A line of USI, an SFEN, or moves: by its first word. */
static const Codec *detect_line(StrView line) {
    static const char *const words[] = {"position", "startpos", "sfen", "moves"};
    Tokenizer tok = {line};
    StrView word;
    if (!tok_next(&tok, &word)) {
        return NULL;
    }
    if (SV_INDEX_OF(word, words) >= 0 || move_is_real(usimove_read(word))) {
        return &usirec_usi_codec;
    }
    int slashes = 0;
    for (size_t i = 0; i < word.len; i++) {
        slashes += word.ptr[i] == '/';
    }
    if (slashes == 8) {
        return sv_has_byte(line, ';') ? &usirec_epd_codec : &usirec_usi_codec;
    }
    return looks_like_usen(word) ? &usen_codec : NULL;
}

/* "1.P7g-7f", as against "1. ７六歩(77)". */
static bool looks_like_psn(StrView line) {
    size_t dot = sv_find_byte(sv_prefix(line, 8), '.');
    StrView move = sv_trim(sv_skip(line, dot + 1));
    return dot < 8 && dot < line.len && (move.len == 0 || (unsigned char)move.ptr[0] < 0x80);
}

/* One line that is not blank, without blanks in front. */
static void count_line(StrView line, LineCounts *counts) {
    static const char *const csa[] = {"V2", "V3", "N+", "N-", "PI", "P1",
                                      "P+", "P-", "$",  "'",  "%"};
    static const char *const diagram[] = {"+---", "|", "先手の持", "後手の持"};
    const Codec *line_codec = detect_line(line);
    StrView text = line;
    if (starts_with_any(line, diagram, COUNTOF(diagram))) {
        counts->diagram++;
    } else if (line_codec != NULL) {
        counts->usi += line_codec == &usirec_usi_codec || line_codec == &usirec_epd_codec;
        counts->usen += line_codec == &usen_codec;
    } else if (line.ptr[0] == '[') {
        counts->psn += sv_ends_with(sv_trim(line), SV("]"));
    } else if (word_take_mark(&text) != COLOR_NB) {
        counts->ki2++;
    } else if (word_take_wide_number(&text) >= 0) {
        counts->kif++;
    } else if (starts_with_any(line, csa, COUNTOF(csa)) || line.ptr[0] == '+' ||
               line.ptr[0] == '-') {
        counts->csa++;
    } else if (line.ptr[0] >= '0' && line.ptr[0] <= '9') {
        bool is_psn = looks_like_psn(line);
        counts->psn += is_psn;
        counts->kif += !is_psn;
    } else if (line.ptr[0] == '#' || sv_find(line, SV("：")) < line.len) {
        counts->header++;
    }
}

static LineCounts count_lines(StrView text) {
    LineCounts counts = {.is_json = sv_starts_with(sv_trim(text), SV("{"))};
    StrView line;
    bool has_game = false;
    while (sv_next_line(&text, &line)) {
        word_skip_blanks(&line);
        if (!has_game && !sv_is_remark(line)) {
            has_game = true;
            counts.first = detect_line(line);
        }
        if (line.len > 0 && line.ptr[0] != '*') {
            count_line(line, &counts);
        }
    }
    return counts;
}

static const Codec *detect(const LineCounts *counts) {
    if (counts->is_json) {
        return &jkf_codec;
    }
    if (counts->first != NULL) {
        return counts->first;
    }
    if (counts->diagram >= 9 && counts->kif + counts->ki2 + counts->csa + counts->psn == 0) {
        return &bod_codec;
    }
    if (counts->ki2 > int_max(counts->kif, int_max(counts->csa, counts->psn))) {
        return &ki2_codec;
    }
    int japanese = counts->kif + counts->header;
    int best = int_max(japanese, int_max(counts->csa, counts->psn));
    return best == 0             ? NULL
           : best == japanese    ? &kif_codec
           : best == counts->csa ? &csa_codec
                                 : &psn_codec;
}

/* How many lines are typical of a format and cannot be of another, diagrams excepted. */
static int lines_of(const LineCounts *counts, const Codec *codec) {
    return codec == &kif_codec                             ? counts->kif + counts->diagram
           : codec == &ki2_codec                           ? counts->ki2 + counts->diagram
           : codec == &bod_codec                           ? counts->diagram
           : codec == &csa_codec || codec == &csa_v3_codec ? counts->csa
           : codec == &psn_codec                           ? counts->psn
           : codec == &jkf_codec                           ? counts->is_json
           : codec == &usen_codec                          ? counts->usen
                                                           : counts->usi;
}

const Codec *kifu_detect(StrView text) {
    LineCounts counts = count_lines(text);
    return detect(&counts);
}

/* What the first line states: "#KIF version=2.0 encoding=Shift_JIS", "'CSA encoding=SHIFT_JIS". */
static bool read_stated_encoding(StrView bytes, TextEncoding *encoding) {
    StrView line = sv_prefix(bytes, sv_find_byte(bytes, '\n'));
    line = sv_prefix(line, sv_find_byte(line, '\r'));
    size_t place = sv_find(line, SV("encoding="));
    StrView name = sv_trim(sv_skip(line, place + SV("encoding=").len));
    return place < line.len && textenc_read_name(name, encoding);
}

/* A statement decides what the bytes leave open; it may be older than the file's encoding. */
TextEncoding kifu_detect_encoding(StrView bytes) {
    TextEncoding found = textenc_detect(bytes);
    TextEncoding stated;
    if (!read_stated_encoding(bytes, &stated)) {
        return found;
    }
    if (stated == TEXT_CP932) {
        return found == TEXT_EUC_JP ? stated : found;
    }
    Utf8Counts counts = utf8_count(bytes);
    return stated == TEXT_UTF8 && counts.sequences > counts.faults ? stated : found;
}

/* Old Macintoshes ended lines in CR alone. A CR within a text of other line ends stays. */
void kifu_end_lines_in_lf(StrBuf *text) {
    StrView body = sv_trim(strbuf_view(text));
    if (sv_has_byte(body, '\n') || !sv_has_byte(body, '\r')) {
        return;
    }
    for (size_t i = 0; i < text->len; i++) {
        text->ptr[i] = (char)(text->ptr[i] == '\r' ? '\n' : text->ptr[i]);
    }
}

/* The bytes before the ^Z that ends the texts of old systems, or zeros that fill up a block. */
StrView kifu_without_padding(StrView bytes) {
    size_t len = bytes.len, end = bytes.len;
    while (len > 0 && sv_has_byte(SV("\0\x1A \t\r\n"), bytes.ptr[len - 1])) {
        len--;
        end = bytes.ptr[len] == '\0' || bytes.ptr[len] == '\x1A' ? len : end;
    }
    return sv_prefix(bytes, end);
}

const Codec *kifu_guess(StrView path, StrView bytes) {
    const Codec *named = kifu_codec_by_path(path);
    StrBuf text = STRBUF_INIT;
    textenc_decode(kifu_detect_encoding(bytes), bytes, &text);
    kifu_end_lines_in_lf(&text);
    LineCounts counts = count_lines(strbuf_view(&text));
    const Codec *seen = detect(&counts);
    strbuf_free(&text);
    bool is_misnamed = named != NULL && seen != NULL && lines_of(&counts, named) == 0 &&
                       lines_of(&counts, seen) > 0;
    return named == NULL || is_misnamed ? seen : named;
}
