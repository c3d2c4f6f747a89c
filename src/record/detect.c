/* detect.c: detects the format of a text from typical lines, its encoding, and its line ends. */
#include "record/detect.h"

#include <string.h>

#include "base/textenc.h"
#include "base/utf8.h"
#include "record/codecs.h"
#include "record/words.h"

/* The numbers of lines that look like lines of a format. */
typedef struct LineCounts {
    int possible, shared, typical;
    bool is_certain; /* the first line that is not a comment decides the format */
} LineCounts;

static void count_line(StrView line, bool is_first, LineCounts *counts) {
    for (int i = 0; kifu_codec(i) != NULL; i++) {
        LineLook look = kifu_codec(i)->look(line);
        counts[i].possible += look == LOOKS_POSSIBLE;
        counts[i].shared += look == LOOKS_SHARED;
        counts[i].typical += look >= LOOKS_TYPICAL;
        counts[i].is_certain |= is_first && look == LOOKS_CERTAIN;
    }
}

/* Counts the lines of each format. Lines that start with * are comments in several formats and are
 * not counted. */
static void count_lines(StrView text, LineCounts counts[KIFU_MAX_CODECS]) {
    StrView line;
    bool has_game = false;
    memset(counts, 0, KIFU_MAX_CODECS * sizeof(*counts));
    while (sv_next_line(&text, &line)) {
        word_skip_blanks(&line);
        bool is_first = !has_game && !sv_is_remark(line);
        has_game |= is_first;
        if (line.len > 0 && line.ptr[0] != '*') {
            count_line(line, is_first, counts);
        }
    }
}

/* The number of lines that count for a format. Merely possible lines count only if no format has
 * typical ones. */
static int weight(const LineCounts *counts, bool has_typical) {
    int looks_like_it = counts->typical + counts->shared;
    return !has_typical          ? looks_like_it + counts->possible
           : counts->typical > 0 ? looks_like_it
                                 : 0;
}

/* Returns the format that the first line identifies. Otherwise, the format with the most matching
 * lines, or the earlier of two with equally many. If any formats have typical lines, only those are
 * considered. */
static const Codec *detect(const LineCounts counts[KIFU_MAX_CODECS]) {
    int best = -1;
    bool has_typical = false;
    for (int i = 0; kifu_codec(i) != NULL; i++) {
        if (counts[i].is_certain) {
            return kifu_codec(i);
        }
        has_typical |= counts[i].typical > 0;
    }
    for (int i = 0, most = 0; kifu_codec(i) != NULL; i++) {
        int lines = weight(&counts[i], has_typical);
        best = lines > most ? i : best;
        most = int_max(most, lines);
    }
    return kifu_codec(best);
}

const Codec *kifu_detect(StrView text) {
    LineCounts counts[KIFU_MAX_CODECS];
    count_lines(text, counts);
    return detect(counts);
}

/* Reads the encoding stated in the first line: "#KIF version=2.0 encoding=Shift_JIS", "'CSA
 * encoding=SHIFT_JIS". */
static bool read_stated_encoding(StrView bytes, TextEncoding *encoding) {
    StrView line = sv_prefix(bytes, sv_find_byte(bytes, '\n'));
    line = sv_prefix(line, sv_find_byte(line, '\r'));
    size_t place = sv_find(line, SV("encoding="));
    StrView name = sv_trim(sv_skip(line, place + SV("encoding=").len));
    return place < line.len && textenc_read_name(name, encoding);
}

bool kifu_states_encoding(StrView bytes) {
    TextEncoding stated;
    bool is_statement = sv_starts_with(bytes, SV("#KIF ")) || sv_starts_with(bytes, SV("'CSA "));
    return is_statement && read_stated_encoding(bytes, &stated);
}

/* The stated encoding is used only if the bytes are ambiguous, because it may be out of date. */
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

/* Converts a text whose lines end in CR alone, as on old Macintoshes, to LF. If the text has other
 * line ends, its CRs are kept. */
void kifu_end_lines_in_lf(StrBuf *text) {
    StrView body = sv_trim(strbuf_view(text));
    if (sv_has_byte(body, '\n') || !sv_has_byte(body, '\r')) {
        return;
    }
    for (size_t i = 0; i < text->len; i++) {
        text->ptr[i] = (char)(text->ptr[i] == '\r' ? '\n' : text->ptr[i]);
    }
}

/* The bytes before the ^Z that ends texts on old systems, or before zeros that fill a block. */
StrView kifu_without_padding(StrView bytes) {
    size_t len = bytes.len, end = bytes.len;
    while (len > 0 && sv_has_byte(SV("\0\x1A \t\r\n"), bytes.ptr[len - 1])) {
        len--;
        end = bytes.ptr[len] == '\0' || bytes.ptr[len] == '\x1A' ? len : end;
    }
    return sv_prefix(bytes, end);
}

/* True if some line is typical of the format. */
static bool has_lines_of(const LineCounts counts[KIFU_MAX_CODECS], const Codec *codec) {
    int i = 0;
    while (kifu_codec(i) != codec) {
        i++;
    }
    return counts[i].shared + counts[i].typical > 0;
}

const Codec *kifu_guess(StrView path, StrView bytes) {
    const Codec *named = kifu_codec_by_path(path);
    StrBuf text = STRBUF_INIT;
    textenc_decode(kifu_detect_encoding(bytes), bytes, &text);
    kifu_end_lines_in_lf(&text);
    LineCounts counts[KIFU_MAX_CODECS];
    count_lines(strbuf_view(&text), counts);
    const Codec *seen = detect(counts);
    strbuf_free(&text);
    bool is_misnamed =
        named != NULL && seen != NULL && !has_lines_of(counts, named) && has_lines_of(counts, seen);
    return named == NULL || is_misnamed ? seen : named;
}
