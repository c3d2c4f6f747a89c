#include "kifu/kifuio.h"

#include "base/textenc.h"
#include "kifu/bod.h"
#include "kifu/csa.h"
#include "kifu/jkfread.h"
#include "kifu/jkfwrite.h"
#include "kifu/ki2.h"
#include "kifu/kif.h"
#include "kifu/psn.h"
#include "kifu/usen.h"
#include "kifu/usirec.h"
#include "kifu/words.h"
#include "rules/usimove.h"

enum { KIF, KI2, CSA, CSA3, USI, SFEN, EPD, PSN, JKF, USEN, BOD };

enum {
    GAME = KMD_HOLDS_HEADERS | KMD_HOLDS_COMMENTS | KMD_HOLDS_MOVES,
    TREE = GAME | KMD_HOLDS_VARIATIONS
};

static const Codec codecs[] = {
    [KIF] = {"kif", "KIF", "kif kifu",
             TREE | KMD_HOLDS_TIMES | KMD_HOLDS_ENDINGS | KMD_HOLDS_BOOKMARKS, UNIT_FILE,
             TEXT_CP932, kif_read, kif_write},
    [KI2] = {"ki2", "KI2", "ki2 ki2u", TREE | KMD_HOLDS_ENDINGS | KMD_HOLDS_BOOKMARKS, UNIT_FILE,
             TEXT_CP932, ki2_read, ki2_write},
    [CSA] = {"csa", "CSA V2.2", "csa", GAME | KMD_HOLDS_TIMES | KMD_HOLDS_SOME_ENDINGS, UNIT_SLASH,
             TEXT_UTF8, csa_read, csa_write},
    [CSA3] = {"csa3", "CSA V3.0", "csa3 csa", GAME | KMD_HOLDS_TIMES | KMD_HOLDS_SOME_ENDINGS,
              UNIT_SLASH, TEXT_UTF8, csa_read, csa3_write},
    [USI] = {"usi", "USI position line", "usi", KMD_HOLDS_MOVES, UNIT_LINE, TEXT_UTF8, usi_read,
             usi_write},
    [SFEN] = {"sfen", "SFEN, with moves as USI", "sfen sfens", KMD_HOLDS_MOVES, UNIT_LINE,
              TEXT_UTF8, usi_read, sfen_codec_write},
    [EPD] = {"epd", "SFEN with EPD operations", "epd", KMD_HOLDS_HEADERS, UNIT_LINE, TEXT_UTF8,
             usi_read, epd_write},
    [PSN] = {"psn", "PSN", "psn psn2", TREE | KMD_HOLDS_TIMES | KMD_HOLDS_SOME_ENDINGS, UNIT_FILE,
             TEXT_UTF8, psn_read, psn_write},
    [JKF] = {"jkf", "JKF", "jkf json", TREE | KMD_HOLDS_TIMES | KMD_HOLDS_ENDINGS, UNIT_FILE,
             TEXT_UTF8, jkf_read, jkf_write},
    [USEN] = {"usen", "USEN", "usen",
              KMD_HOLDS_VARIATIONS | KMD_HOLDS_SOME_ENDINGS | KMD_HOLDS_MOVES, UNIT_LINE, TEXT_UTF8,
              usen_read, usen_write},
    [BOD] = {"bod", "BOD", "bod", 0, UNIT_FILE, TEXT_UTF8, bod_read, bod_write},
};

const Codec *kifu_codec(int index) {
    return index >= 0 && index < (int)COUNTOF(codecs) ? &codecs[index] : NULL;
}

const Codec *kifu_codec_by_name(StrView name) {
    for (size_t i = 0; i < COUNTOF(codecs); i++) {
        if (sv_equal_nocase(name, sv_from(codecs[i].name))) {
            return &codecs[i];
        }
    }
    return NULL;
}

StrView kifu_path_ending(StrView path) {
    size_t dot = path.len;
    while (dot > 0 && !sv_has_byte(SV("./\\"), path.ptr[dot - 1])) {
        dot--;
    }
    return sv_skip(path, dot > 0 && path.ptr[dot - 1] == '.' ? dot : path.len);
}

const Codec *kifu_codec_by_path(StrView path) {
    StrView ending = kifu_path_ending(path), word;
    for (size_t i = 0; i < COUNTOF(codecs); i++) {
        Tokenizer words = {sv_from(codecs[i].extensions)};
        while (tok_next(&words, &word)) {
            if (sv_equal_nocase(ending, word)) {
                return &codecs[i];
            }
        }
    }
    return NULL;
}

/* ---- recognising ----------------------------------------------------------------------------- */

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
        char c = word.ptr[i], letter = (char)(c | 0x20);
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
    for (size_t i = 0; i < COUNTOF(words); i++) {
        if (sv_equal(word, sv_from(words[i]))) {
            return &codecs[USI];
        }
    }
    if (move_is_real(usimove_read(word))) {
        return &codecs[USI];
    }
    int slashes = 0;
    for (size_t i = 0; i < word.len; i++) {
        slashes += word.ptr[i] == '/';
    }
    if (slashes == 8) {
        return sv_has_byte(line, ';') ? &codecs[EPD] : &codecs[USI];
    }
    return looks_like_usen(word) ? &codecs[USEN] : NULL;
}

/* "1.P7g-7f", as against "1. ７六歩(77)". */
static bool looks_like_psn(StrView line) {
    size_t dot = sv_find_byte(sv_take(line, 8), '.');
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
        counts->usi += line_codec->read == usi_read;
        counts->usen += line_codec->read == usen_read;
    } else if (line.ptr[0] == '[') {
        counts->psn += sv_ends_with(sv_trim(line), SV("]"));
    } else if (word_take_mark(&text) != COLOR_NB) {
        counts->ki2++;
    } else if (word_take_wide_number(&text, RECORD_MAX_NODES) >= 0) {
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
        return &codecs[JKF];
    }
    if (counts->first != NULL) {
        return counts->first;
    }
    if (counts->diagram >= 9 && counts->kif + counts->ki2 + counts->csa + counts->psn == 0) {
        return &codecs[BOD];
    }
    if (counts->ki2 > int_max(counts->kif, int_max(counts->csa, counts->psn))) {
        return &codecs[KI2];
    }
    int japanese = counts->kif + counts->header;
    int best = int_max(japanese, int_max(counts->csa, counts->psn));
    return best == 0             ? NULL
           : best == japanese    ? &codecs[KIF]
           : best == counts->csa ? &codecs[CSA]
                                 : &codecs[PSN];
}

/* How many lines are typical of a format and cannot be of another, diagrams excepted. */
static int lines_of(const LineCounts *counts, const Codec *codec) {
    switch (codec - codecs) {
    case KIF:
        return counts->kif + counts->diagram;
    case KI2:
        return counts->ki2 + counts->diagram;
    case BOD:
        return counts->diagram;
    case CSA:
    case CSA3:
        return counts->csa;
    case PSN:
        return counts->psn;
    case JKF:
        return counts->is_json;
    case USEN:
        return counts->usen;
    default:
        return counts->usi;
    }
}

const Codec *kifu_detect(StrView text) {
    LineCounts counts = count_lines(text);
    return detect(&counts);
}

/* ---- one game -------------------------------------------------------------------------------- */

KifuForm kifu_form(const Codec *codec) {
    return (KifuForm){.codec = codec, .encoding = codec->usual_encoding};
}

KifuForm kifu_form_by_path(const Codec *codec, StrView path) {
    KifuForm form = kifu_form(codec);
    StrView ending = kifu_path_ending(path);
    if (sv_equal_nocase(ending, SV("kifu")) || sv_equal_nocase(ending, SV("ki2u"))) {
        form.encoding = TEXT_UTF8;
    }
    return form;
}

/* What the first line states: "#KIF version=2.0 encoding=Shift_JIS", "'CSA encoding=SHIFT_JIS". */
static bool read_stated_encoding(StrView bytes, TextEncoding *encoding) {
    StrView line = sv_take(bytes, sv_find_byte(bytes, '\n'));
    line = sv_take(line, sv_find_byte(line, '\r'));
    size_t place = sv_find(line, SV("encoding="));
    StrView name = sv_trim(sv_skip(line, place + SV("encoding=").len));
    return place < line.len && textenc_read_name(name, encoding);
}

/* A statement decides what the bytes leave open; it may be older than the file's encoding. */
static TextEncoding detect_encoding(StrView bytes) {
    TextEncoding found = textenc_detect(bytes), stated;
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
static void end_lines_in_lf(StrBuf *text) {
    StrView body = sv_trim(strbuf_view(text));
    if (sv_has_byte(body, '\n') || !sv_has_byte(body, '\r')) {
        return;
    }
    for (size_t i = 0; i < text->len; i++) {
        text->ptr[i] = (char)(text->ptr[i] == '\r' ? '\n' : text->ptr[i]);
    }
}

/* The bytes before the ^Z that ends the texts of old systems, or zeros that fill up a block. */
static StrView without_padding(StrView bytes) {
    size_t len = bytes.len, end = bytes.len;
    while (len > 0 && sv_has_byte(SV("\0\x1A \t\r\n"), bytes.ptr[len - 1])) {
        len--;
        end = bytes.ptr[len] == '\0' || bytes.ptr[len] == '\x1A' ? len : end;
    }
    return sv_take(bytes, end);
}

const Codec *kifu_guess(StrView path, StrView bytes) {
    const Codec *named = kifu_codec_by_path(path);
    StrBuf text = STRBUF_INIT;
    textenc_decode(detect_encoding(bytes), bytes, &text);
    end_lines_in_lf(&text);
    LineCounts counts = count_lines(strbuf_view(&text));
    const Codec *seen = detect(&counts);
    strbuf_free(&text);
    bool is_misnamed = named != NULL && seen != NULL && lines_of(&counts, named) == 0 &&
                       lines_of(&counts, seen) > 0;
    return named == NULL || is_misnamed ? seen : named;
}

bool kifu_read(StrView bytes, KifuForm *form, Record *record, KmdFault *error) {
    StrBuf text = STRBUF_INIT;
    *error = (KmdFault){.reason = NULL};
    record_clear(record);
    bytes = without_padding(bytes);
    form->encoding = detect_encoding(bytes);
    form->has_bom = sv_starts_with(bytes, SV(UTF8_MARK));
    form->has_crlf = sv_find(bytes, SV("\r\n")) < bytes.len;
    form->unreadable = textenc_decode(form->encoding, bytes, &text);
    end_lines_in_lf(&text);
    if (form->codec == NULL) {
        form->codec = kifu_detect(strbuf_view(&text));
    }
    bool is_good = false;
    if (bytes.len > KIFU_MAX_GAME) {
        error->reason = "the game is too long";
    } else if (sv_starts_with(bytes, SV("\xFF\xFE")) || sv_starts_with(bytes, SV("\xFE\xFF"))) {
        error->reason = "in UTF-16: save it as UTF-8";
    } else if (sv_has_byte(bytes, 0)) {
        error->reason = "not a text: a byte of zero";
    } else if (form->codec == NULL) {
        error->reason = "not a format known here";
    } else {
        is_good = form->codec->read(strbuf_view(&text), record, error);
    }
    strbuf_free(&text);
    return is_good;
}

size_t kifu_write(const Record *record, const KifuForm *form, StrBuf *out) {
    StrBuf text = STRBUF_INIT;
    TextEncoding encoding = form->encoding;
    if (form->codec == &codecs[CSA3] && encoding == TEXT_EUC_JP) {
        encoding = TEXT_UTF8; /* its first line has no word for EUC-JP */
    }
    form->codec->write(record, encoding, &text);
    if (form->has_crlf) {
        StrBuf lines = STRBUF_INIT;
        StrView rest = strbuf_view(&text), line;
        while (sv_next_line(&rest, &line)) {
            strbuf_add(&lines, line);
            strbuf_add_str(&lines, "\r\n");
        }
        strbuf_free(&text);
        text = lines;
    }
    if (form->has_bom && encoding == TEXT_UTF8) {
        strbuf_add_str(out, UTF8_MARK);
    }
    size_t lacking = textenc_encode(encoding, strbuf_view(&text), out);
    strbuf_free(&text);
    return lacking;
}

/* ---- streams --------------------------------------------------------------------------------- */

void kifu_stream_init(KifuStream *stream, int fd, StrView path, const Codec *codec) {
    *stream = (KifuStream){
        .codec = codec, .path = STRBUF_INIT, .sample = STRBUF_INIT, .game = STRBUF_INIT};
    strbuf_add(&stream->path, path);
    lines_init(&stream->lines, fd);
}

void kifu_stream_free(KifuStream *stream) {
    lines_free(&stream->lines);
    strbuf_free(&stream->path);
    strbuf_free(&stream->sample);
    strbuf_free(&stream->game);
    strbuf_free(&stream->held);
}

/* Reads lines ahead until the format and the line ends show; a hundred are plenty. */
static void take_sample(KifuStream *stream) {
    enum { SAMPLE_LINES = 100, SAMPLE_BYTES = 1 << 20 };
    StrView line;
    stream->is_sampled = true;
    for (int i = 0;
         i < SAMPLE_LINES && stream->sample.len < SAMPLE_BYTES && lines_next(&stream->lines, &line);
         i++) {
        strbuf_add(&stream->sample, line);
        strbuf_add_byte(&stream->sample, '\n');
    }
    end_lines_in_lf(&stream->sample);
    if (stream->codec == NULL) {
        stream->codec = kifu_guess(strbuf_view(&stream->path), strbuf_view(&stream->sample));
    }
}

static bool next_line(KifuStream *stream, StrView *line) {
    StrView rest = sv_skip(strbuf_view(&stream->sample), stream->sample_next);
    size_t before = rest.len;
    bool is_there = true;
    if (stream->is_held) {
        stream->is_held = false;
        *line = strbuf_view(&stream->held);
    } else if (sv_next_line(&rest, line)) {
        stream->sample_next += before - rest.len;
    } else {
        is_there = lines_next(&stream->lines, line);
    }
    stream->lines_read += is_there;
    return is_there;
}

/* Lets next_line give the latest line once more. */
static void put_back(KifuStream *stream, StrView line) {
    strbuf_clear(&stream->held);
    strbuf_add(&stream->held, line);
    stream->is_held = true;
    stream->lines_read--;
}

/* A line with which a game in CSA begins. Behind moves it is the next game's: some join files
 * without a "/" between them. */
static bool begins_csa(StrView word) {
    static const char *const heads[] = {"V2", "V3", "'CSA encoding="};
    return starts_with_any(word, heads, COUNTOF(heads));
}

/* Gathers the bytes of the next game. False at the end of the file when nothing was left but blank
 * lines and, in CSA, remarks. */
static bool gather(KifuStream *stream) {
    CodecUnit unit = stream->codec != NULL ? stream->codec->unit : UNIT_FILE;
    StrView line;
    bool has_text = false, has_moves = false;
    strbuf_clear(&stream->game);
    stream->first_line = stream->lines_read + 1;
    while (next_line(stream, &line)) {
        StrView word = sv_trim(utf8_without_mark(without_padding(line)));
        if (unit == UNIT_SLASH && sv_equal(word, SV("/"))) {
            if (has_text) {
                return true;
            }
            stream->first_line = stream->lines_read + 1;
            strbuf_clear(&stream->game);
            continue;
        }
        if (unit == UNIT_SLASH && has_moves && begins_csa(word)) {
            put_back(stream, line);
            return true;
        }
        if (unit == UNIT_LINE && sv_is_remark(word)) {
            stream->first_line = stream->lines_read + 1;
            continue;
        }
        has_text |= word.len > 0 && (unit != UNIT_SLASH || word.ptr[0] != '\'');
        has_moves |= word.len > 0 && sv_has_byte(SV("+-%"), word.ptr[0]);
        if (stream->game.len <= KIFU_MAX_GAME) {
            strbuf_add(&stream->game, line);
            strbuf_add_byte(&stream->game, '\n');
        }
        if (unit == UNIT_LINE) {
            return true;
        }
    }
    stream->is_at_end = true;
    stream->file_error = stream->lines.error;
    return has_text && stream->file_error == 0;
}

KmdNext kifu_stream_next(KifuStream *stream, Record *record, KmdFault *error) {
    if (!stream->is_sampled) {
        take_sample(stream);
    }
    if (stream->is_at_end || !gather(stream)) {
        return stream->file_error != 0 ? KMD_NEXT_FAILED : KMD_NEXT_END;
    }
    stream->form.codec = stream->codec;
    bool is_good = kifu_read(strbuf_view(&stream->game), &stream->form, record, error);
    if (!is_good && error->line > 0) {
        error->line += stream->first_line - 1;
    }
    return is_good ? KMD_NEXT_GAME : KMD_NEXT_BROKEN;
}
