/* kifuio.c: the table of formats; decodes bytes, chooses the codec, and encodes the output; reads a
 * file game by game. */
#include "record/kifuio.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/system.h"
#include "base/utf8.h"
#include "record/csa.h"
#include "record/jkf.h"
#include "record/kif.h"
#include "record/usen.h"
#include "record/usirec.h"

/* ---- formats --------------------------------------------------------------------------------- */

/* The formats, in the order for lists and detection. If two formats share an extension, it selects
 * the first one. */
static const Codec *const codecs[] = {
    &kif_codec,         &ki2_codec,        &csa_codec, &csa_v3_codec, &usirec_usi_codec,
    &usirec_sfen_codec, &usirec_epd_codec, &jkf_codec, &usen_codec,   &bod_codec};

const Codec *kifu_codec(int index) {
    return index >= 0 && index < (int)COUNTOF(codecs) ? codecs[index] : NULL;
}

const char *kifu_codec_name(int index) {
    const Codec *codec = kifu_codec(index);
    return codec != NULL ? codec->format.name : NULL;
}

StrView kifu_path_extension(StrView path) {
    size_t dot = path.len;
    while (dot > 0 && !sv_has_byte(SV("./\\"), path.ptr[dot - 1])) {
        dot--;
    }
    return sv_skip(path, dot > 0 && path.ptr[dot - 1] == '.' ? dot : path.len);
}

bool kifu_is_sibling(const char *out, const char *input) {
    StrView a = sv_from(out), b = sv_from(input), extension = kifu_path_extension(a);
    return extension.len > 0 && sv_equal_nocase(extension, kifu_path_extension(b)) &&
           sv_equal(file_folder(a), file_folder(b)) && file_stamp(out) != 0 &&
           !file_is_same(out, input);
}

const Codec *kifu_codec_by_name(StrView name) {
    for (size_t i = 0; i < COUNTOF(codecs); i++) {
        if (sv_equal_nocase(name, sv_from(codecs[i]->format.name))) {
            return codecs[i];
        }
    }
    for (size_t i = 0; i < COUNTOF(codecs); i++) {
        if (sv_equal_nocase(name, kifu_extension(codecs[i], name))) {
            return codecs[i];
        }
    }
    return NULL;
}

const Codec *kifu_codec_by_path(StrView path) {
    return kifu_codec_by_name(kifu_path_extension(path));
}

const Codec *kifu_codec_for_path(StrView path, const Codec *source) {
    StrView extension = kifu_path_extension(path);
    bool is_of_source = sv_equal_nocase(extension, kifu_extension(source, extension));
    return is_of_source ? source : kifu_codec_by_name(extension);
}

/* ---- detection ------------------------------------------------------------------------------- */

/* The numbers of lines that look like lines of a format. */
typedef struct LineCounts {
    int possible, shared, typical;
    bool is_certain; /* the first line that is not a comment decides the format */
} LineCounts;

/* Counts the lines of each format. Lines that start with * are comments in several formats and are
 * not counted. */
static void count_lines(StrView text, LineCounts counts[COUNTOF(codecs)]) {
    StrView line;
    bool has_game = false;
    memset(counts, 0, COUNTOF(codecs) * sizeof(*counts));
    while (sv_next_line(&text, &line)) {
        word_skip_blanks(&line);
        bool is_first = !has_game && !sv_is_remark(line);
        has_game |= is_first;
        if (line.len > 0 && line.ptr[0] != '*') {
            for (int i = 0; kifu_codec(i) != NULL; i++) {
                LineLook look = kifu_codec(i)->look(line);
                counts[i].possible += look == LOOKS_POSSIBLE;
                counts[i].shared += look == LOOKS_SHARED;
                counts[i].typical += look >= LOOKS_TYPICAL;
                counts[i].is_certain |= is_first && look == LOOKS_CERTAIN;
            }
        }
    }
}

/* Returns the format that the first line identifies. Otherwise, the format with the most matching
 * lines, or the earlier of two with equally many. If any formats have typical lines, only those are
 * considered, and merely possible lines do not count. */
static const Codec *detect(const LineCounts counts[COUNTOF(codecs)]) {
    int best = -1;
    bool has_typical = false;
    for (int i = 0; kifu_codec(i) != NULL; i++) {
        if (counts[i].is_certain) {
            return kifu_codec(i);
        }
        has_typical |= counts[i].typical > 0;
    }
    for (int i = 0, most = 0; kifu_codec(i) != NULL; i++) {
        int lines = counts[i].typical + counts[i].shared;
        lines = !has_typical ? lines + counts[i].possible : counts[i].typical > 0 ? lines : 0;
        best = lines > most ? i : best;
        most = int_max(most, lines);
    }
    return kifu_codec(best);
}

const Codec *kifu_detect(StrView text) {
    LineCounts counts[COUNTOF(codecs)];
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

/* True if the first line is one of KIF or CSA that states the encoding. */
static bool states_encoding(StrView bytes) {
    TextEncoding stated;
    bool is_statement = sv_starts_with(bytes, SV("#KIF ")) || sv_starts_with(bytes, SV("'CSA "));
    return is_statement && read_stated_encoding(bytes, &stated);
}

/* Detects the encoding of a file. The one stated in the first line is used only if the bytes are
 * ambiguous, because it may be out of date. */
static TextEncoding detect_encoding(StrView bytes) {
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
static void end_lines_in_lf(StrBuf *text) {
    StrView body = sv_trim(strbuf_view(text));
    if (sv_has_byte(body, '\n') || !sv_has_byte(body, '\r')) {
        return;
    }
    for (size_t i = 0; i < text->len; i++) {
        text->ptr[i] = (char)(text->ptr[i] == '\r' ? '\n' : text->ptr[i]);
    }
}

/* The bytes before the ^Z that ends texts on old systems, or before zeros that fill a block. */
static StrView text_before_padding(StrView bytes) {
    size_t len = bytes.len, end = bytes.len;
    while (len > 0 && sv_has_byte(SV("\0\x1A \t\r\n"), bytes.ptr[len - 1])) {
        len--;
        end = bytes.ptr[len] == '\0' || bytes.ptr[len] == '\x1A' ? len : end;
    }
    return sv_prefix(bytes, end);
}

/* True if some line is typical of the format. */
static bool has_lines_of(const LineCounts counts[COUNTOF(codecs)], const Codec *codec) {
    int i = 0;
    while (kifu_codec(i) != codec) {
        i++;
    }
    return counts[i].shared + counts[i].typical > 0;
}

const Codec *kifu_guess(StrView path, StrView bytes) {
    const Codec *named = kifu_codec_by_path(path);
    StrBuf text = STRBUF_INIT;
    textenc_decode(detect_encoding(bytes), bytes, &text);
    end_lines_in_lf(&text);
    LineCounts counts[COUNTOF(codecs)];
    count_lines(strbuf_view(&text), counts);
    const Codec *seen = detect(counts);
    strbuf_free(&text);
    bool is_misnamed =
        named != NULL && seen != NULL && !has_lines_of(counts, named) && has_lines_of(counts, seen);
    return named == NULL || is_misnamed ? seen : named;
}

/* ---- one game -------------------------------------------------------------------------------- */

KifuForm kifu_form(const Codec *codec) {
    return (KifuForm){.codec = codec, .encoding = codec->usual_encoding};
}

StrView kifu_extension(const Codec *codec, StrView wanted) {
    StrView word;
    StrView first = {NULL, 0};
    Tokenizer words = {sv_from(codec->format.extensions)};
    while (tok_next(&words, &word)) {
        first = first.ptr == NULL ? word : first;
        if (sv_equal_nocase(word, wanted)) {
            return word;
        }
    }
    return first;
}

KifuForm kifu_form_by_path(const Codec *codec, StrView path) {
    KifuForm form = kifu_form(codec);
    StrView extension = kifu_path_extension(path);
    if (codec->utf8_extension != NULL &&
        sv_equal_nocase(extension, sv_from(codec->utf8_extension))) {
        form.encoding = TEXT_UTF8;
    }
    return form;
}

bool kifu_has_encoding(const Codec *codec, TextEncoding encoding) {
    return !codec->must_state_encoding || codec->encoding_lines[encoding] != NULL;
}

bool kifu_read(StrView bytes, KifuForm *form, Record *record, KmdFault *error) {
    StrBuf text = STRBUF_INIT;
    *error = (KmdFault){.reason = NULL};
    record_clear(record);
    bytes = text_before_padding(bytes);
    form->encoding = detect_encoding(bytes);
    form->has_bom = sv_starts_with(bytes, SV(UTF8_MARK));
    form->has_crlf = sv_find(bytes, SV("\r\n")) < bytes.len;
    form->unreadable = textenc_decode(form->encoding, bytes, &text);
    form->is_of_file = true;
    form->states_encoding = states_encoding(utf8_without_mark(bytes));
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
        error->reason = "not a text file: it contains a zero byte";
    } else if (form->codec == NULL) {
        error->reason = "unknown format";
    } else {
        RecordReader reader;
        reader_init(&reader, record, error);
        const Codec *stated =
            form->codec->version != NULL ? form->codec->version(strbuf_view(&text)) : NULL;
        form->codec = stated != NULL ? stated : form->codec;
        is_good = form->codec->read(&reader, strbuf_view(&text));
        reader_free(&reader);
    }
    strbuf_free(&text);
    return is_good;
}

/* True if a file in this form has a line that says so. Version 3 of CSA is in Shift_JIS without it.
 */
static bool needs_encoding_line(const KifuForm *form, TextEncoding encoding) {
    const Codec *codec = form->codec;
    if (form->is_of_file && (!codec->must_state_encoding || encoding == TEXT_CP932)) {
        return form->states_encoding;
    }
    return codec->must_state_encoding || codec->states_encoding[encoding];
}

size_t kifu_write(const Record *record, const KifuForm *form, StrBuf *out) {
    StrBuf text = STRBUF_INIT;
    TextEncoding encoding = form->encoding;
    if (!kifu_has_encoding(form->codec, encoding)) {
        encoding = TEXT_UTF8;
    }
    const char *encoding_line = form->codec->encoding_lines[encoding];
    if (encoding_line != NULL && needs_encoding_line(form, encoding)) {
        strbuf_addf(&text, "%s\n", encoding_line);
    }
    form->codec->write(record, &text);
    if (form->has_crlf) {
        StrBuf lines = STRBUF_INIT;
        StrView rest = strbuf_view(&text);
        StrView line;
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

/* ---- files ----------------------------------------------------------------------------------- */

int kifu_stream_open(KifuStream *stream, const char *path, const Codec *codec) {
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : system_open(path, O_RDONLY);
    if (fd < 0) {
        return errno;
    }
    *stream = (KifuStream){.fd = fd, .codec = codec};
    strbuf_add_str(&stream->path, is_stdin ? "" : path);
    file_lines_init(&stream->lines, fd);
    return 0;
}

void kifu_stream_free(KifuStream *stream) {
    file_lines_free(&stream->lines);
    strbuf_free(&stream->path);
    strbuf_free(&stream->sample);
    strbuf_free(&stream->game);
    strbuf_free(&stream->held);
    if (stream->fd >= 0 && stream->fd != STDIN_FILENO) {
        close(stream->fd);
    }
}

/* Reads lines ahead to detect the format and the line ends. A hundred lines suffice. */
static void take_sample(KifuStream *stream) {
    enum { SAMPLE_LINES = 100, SAMPLE_BYTES = 1 << 20 };
    StrView line;
    stream->is_sampled = true;
    for (int i = 0; i < SAMPLE_LINES && stream->sample.len < SAMPLE_BYTES &&
                    file_lines_next(&stream->lines, &line);
         i++) {
        stream->has_crlf = i == 0 ? stream->lines.buf.had_crlf : stream->has_crlf;
        strbuf_add(&stream->sample, line);
        strbuf_add_byte(&stream->sample, '\n');
    }
    end_lines_in_lf(&stream->sample);
    if (stream->codec == NULL) {
        stream->codec = kifu_guess(strbuf_view(&stream->path), strbuf_view(&stream->sample));
    }
}

static bool next_stream_line(KifuStream *stream, StrView *line) {
    StrView rest = sv_skip(strbuf_view(&stream->sample), stream->sample_next);
    size_t before = rest.len;
    bool is_there = true;
    if (stream->is_held) {
        stream->is_held = false;
        *line = strbuf_view(&stream->held);
    } else if (sv_next_line(&rest, line)) {
        stream->sample_next += before - rest.len;
    } else {
        is_there = file_lines_next(&stream->lines, line);
    }
    stream->lines_read += is_there;
    return is_there;
}

/* Makes next_line return this line again. */
static void put_back(KifuStream *stream, StrView line) {
    strbuf_clear(&stream->held);
    strbuf_add(&stream->held, line);
    stream->is_held = true;
    stream->lines_read--;
}

static GameLine line_kind(const KifuStream *stream, StrView line) {
    const Codec *codec = stream->codec;
    StrView text = sv_trim(utf8_without_mark(text_before_padding(line)));
    return codec != NULL && codec->divide != NULL ? codec->divide(text)
           : text.len > 0                         ? GAME_TEXT
                                                  : GAME_REMARK;
}

static bool is_comment(StrView line) {
    line = sv_trim(line);
    return line.len > 0 && sv_has_byte(SV("#'*"), line.ptr[0]);
}

static int count_comments(StrView text) {
    StrView line;
    int count = 0;
    while (sv_next_line(&text, &line)) {
        count += is_comment(line);
    }
    return count;
}

/* Collects the bytes of the next game. Returns false at the end of the file, that is, if at most
 * comments or the first line of a game are left. */
static bool gather(KifuStream *stream) {
    StrView line;
    bool has_text = false, has_moves = false;
    strbuf_clear(&stream->game);
    stream->first_line = stream->lines_read + 1;
    while (next_stream_line(stream, &line)) {
        GameLine kind = line_kind(stream, line);
        if (kind == GAME_BREAK) {
            if (has_text) {
                stream->dropped += is_comment(line);
                return true;
            }
            stream->first_line = stream->lines_read + 1;
            stream->dropped += count_comments(strbuf_view(&stream->game)) + is_comment(line);
            strbuf_clear(&stream->game);
            continue;
        }
        if (kind == GAME_START && has_moves) {
            put_back(stream, line);
            return true;
        }
        has_text |= kind != GAME_REMARK && kind != GAME_START;
        has_moves |= kind == GAME_MOVE;
        if (stream->game.len <= KIFU_MAX_GAME) {
            strbuf_add(&stream->game, line);
            strbuf_add_byte(&stream->game, '\n');
        }
        if (kind == GAME_WHOLE) {
            return true;
        }
    }
    stream->is_at_end = true;
    stream->dropped += has_text ? 0 : count_comments(strbuf_view(&stream->game));
    stream->file_error = stream->lines.error;
    return has_text && stream->file_error == 0;
}

/* Collects the next game unless that has been done. Returns false if there is none. */
static bool has_next_game(KifuStream *stream) {
    if (!stream->is_sampled) {
        take_sample(stream);
    }
    stream->is_gathered = stream->is_gathered || (!stream->is_at_end && gather(stream));
    return stream->is_gathered;
}

KmdNext kifu_stream_next(KifuStream *stream, Record *record, KmdFault *error) {
    if (!has_next_game(stream)) {
        return stream->file_error != 0 ? KMD_NEXT_FAILED : KMD_NEXT_END;
    }
    stream->is_gathered = false;
    /* Otherwise the codec of the game before is kept, because a game without a version has that of
     * the game before it. */
    if (stream->form.codec == NULL || stream->codec == NULL) {
        stream->form.codec = stream->codec;
    }
    bool is_good = kifu_read(strbuf_view(&stream->game), &stream->form, record, error);
    stream->form.has_crlf = stream->has_crlf;
    if (error->line > 0) {
        error->line += stream->first_line - 1;
    }
    for (int i = 0; i < record->note_count; i++) {
        int *line = &record->notes[i].line;
        *line += *line > 0 ? stream->first_line - 1 : 0;
    }
    return is_good ? KMD_NEXT_GAME : KMD_NEXT_BROKEN;
}

/* ---- files, with messages -------------------------------------------------------------------- */

/* Reports a fault such as "game.kif:12: move 8: two pawns on the file (nifu): ８三歩打". */
static void tell_game_fault(const Games *games, const KmdFault *fault, bool is_note) {
    StrBuf text = STRBUF_INIT;
    strbuf_add_str(&text, games->path);
    if (fault->line > 0) {
        strbuf_addf(&text, ":%d", fault->line);
    }
    if (fault->ply > 0) {
        strbuf_addf(&text, ": move %d", fault->ply);
    }
    strbuf_addf(&text, ": %s", fault->reason);
    if (fault->near_text[0] != '\0') {
        strbuf_addf(&text, ": %s", fault->near_text);
    }
    games->tell(games->context, text.ptr, is_note);
    strbuf_free(&text);
}

static void init_games(Games *games, const char *path, GamesTell *tell, const void *context) {
    *games = (Games){.path = path, .tell = tell, .context = context};
    record_init(&games->record);
}

void games_open(Games *games, const char *path, const Codec *codec, GamesTell *tell,
                const void *context) {
    init_games(games, path, tell, context);
    int error = kifu_stream_open(&games->stream, path, codec);
    games->is_open = error == 0;
    if (error != 0) {
        games->faults++;
        KmdFault fault = {.reason = file_error_text(error)};
        tell_game_fault(games, &fault, false);
    }
}

void games_open_bytes(Games *games, const char *path, StrView bytes, GamesTell *tell,
                      const void *context) {
    init_games(games, path, tell, context);
    games->stream = (KifuStream){.fd = -1};
    file_lines_init_bytes(&games->stream.lines, bytes);
    games->is_open = true;
}

static void close_stream(Games *games) {
    if (games->is_open) {
        kifu_stream_free(&games->stream);
        games->is_open = false;
    }
}

void games_close(Games *games) {
    close_stream(games);
    record_free(&games->record);
}

bool games_has_more(Games *games) {
    return games->is_open && has_next_game(&games->stream);
}

bool games_next(Games *games) {
    KmdFault fault = {.reason = NULL};
    if (!games->is_open) {
        return false;
    }
    KmdNext state = kifu_stream_next(&games->stream, &games->record, &fault);
    bool is_there = state == KMD_NEXT_GAME || state == KMD_NEXT_BROKEN;
    if (is_there) {
        games->form = games->stream.form;
        games->is_broken = state == KMD_NEXT_BROKEN;
        games->count++;
        for (int i = 0; i < games->record.note_count; i++) {
            tell_game_fault(games, &games->record.notes[i], true);
        }
    } else {
        close_stream(games);
        fault.reason = state == KMD_NEXT_FAILED ? file_error_text(games->stream.file_error)
                       : games->count == 0      ? "contains no game"
                                                : NULL;
    }
    if (state != KMD_NEXT_GAME && fault.reason != NULL) {
        games->faults++;
        tell_game_fault(games, &fault, false);
    }
    return is_there;
}
