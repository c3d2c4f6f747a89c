/* usirec.c: reads and writes games as one line each: a position, moves and an optional ending. EPD
 * operations become headers. */
#include "record/usirec.h"

#include "record/codec.h"
#include "record/record.h"
#include "rules/sfen.h"
#include "rules/usimove.h"

/* The text from the start of `first` to the end of `last`. */
static StrView span(StrView first, StrView last) {
    return (StrView){first.ptr, (size_t)(last.ptr + last.len - first.ptr)};
}

static bool is_number(StrView word) {
    int number;
    return sv_to_int(word, 0, 1000000, &number);
}

/* Reads an SFEN of three or four fields, of which the first has already been read. */
static bool read_sfen_fields(RecordReader *reader, Tokenizer *words, StrView board) {
    StrView word;
    StrView last = board;
    bool is_whole = sv_has_byte(board, '_'); /* see sfen.c */
    for (int i = 0; i < 2 && !is_whole && tok_next(words, &word); i++) {
        last = word;
    }
    if (!is_whole && is_number(tok_peek(words)) && tok_next(words, &word)) {
        last = word;
    }
    return reader_start_sfen(reader, span(board, last));
}

/* The words for endings, which are read but not written. A win by repetition means a perpetual
 * check by the other side, that is, an illegal move. */
static const EndingWord endings[] = {
    {"resign", KMD_END_RESIGN},
    {"win", KMD_END_DECLARATION},
    {"rep_draw", KMD_END_SENNICHITE},
    {"draw", KMD_END_DRAW},
    {"rep_win", KMD_END_ILLEGAL_WIN},
    {"rep_lose", KMD_END_ILLEGAL_LOSS},
    {"rep_sup", KMD_END_OTHER},
    {"rep_inf", KMD_END_OTHER},
    {"timeout", KMD_END_TIMEOUT},
    {"break", KMD_END_INTERRUPT},
    {.word = NULL},
};

static bool read_usi_moves(RecordReader *reader, Tokenizer *words) {
    StrView word;
    while (tok_next(words, &word)) {
        Move move = usimove_read(word);
        KmdEnding ending = ending_read(endings, word);
        if (ending != KMD_END_NONE) {
            if (!reader_end(reader, ending, word)) {
                return false;
            }
        } else if (move == MOVE_NULL) {
            if (!reader_pass(reader, word)) {
                return false;
            }
        } else if (!move_is_real(move)) {
            return reader_fail(reader, "not a move", word);
        } else if (!reader_play(reader, move, word)) {
            return false;
        }
    }
    return true;
}

/* Converts operations such as "bm 7g7f; id "a;b";" to headers with the same names. */
static void read_operations(RecordReader *reader, StrView text) {
    text = sv_trim(text);
    while (text.len > 0) {
        size_t end = 0;
        bool is_quoted = false;
        for (; end < text.len && (is_quoted || text.ptr[end] != ';'); end++) {
            is_quoted ^= text.ptr[end] == '"';
        }
        StrView operation = sv_trim(sv_prefix(text, end));
        size_t blank = sv_find_byte(operation, ' ');
        StrView value = sv_trim(sv_skip(operation, blank));
        if (value.len >= 2 && value.ptr[0] == '"' && sv_ends_with(value, SV("\""))) {
            value = sv_prefix(sv_skip(value, 1), value.len - 2);
        }
        if (operation.len > 0) {
            reader_header(reader, sv_prefix(operation, blank), value);
        }
        text = sv_trim(sv_skip(text, end + 1));
    }
}

static bool read_usi_line(RecordReader *reader, StrView line) {
    Tokenizer words = {line};
    StrView word;
    if (!tok_next(&words, &word)) {
        return reader_fail(reader, "an empty line", line);
    }
    if (sv_equal(word, SV("position")) && !tok_next(&words, &word)) {
        return reader_fail(reader, "no position after \"position\"", line);
    }
    if (sv_equal(word, SV("moves")) || move_is_real(usimove_read(word))) {
        words.rest = sv_equal(word, SV("moves")) ? words.rest : line;
        return read_usi_moves(reader, &words);
    }
    if (sv_equal(word, SV("sfen")) && !tok_next(&words, &word)) {
        return reader_fail(reader, "no position after \"sfen\"", line);
    }
    if (!sv_equal(word, SV("startpos")) && !read_sfen_fields(reader, &words, word)) {
        return false;
    }
    if (sv_equal(tok_peek(&words), SV("moves"))) {
        tok_next(&words, &word);
        return read_usi_moves(reader, &words);
    }
    StrView rest = tok_rest(&words);
    if (sv_has_byte(rest, ';')) {
        read_operations(reader, rest);
        return true;
    }
    return rest.len == 0 || reader_fail(reader, "unknown word after the position", rest);
}

static bool read_usi(RecordReader *reader, StrView text) {
    return read_usi_line(reader, reader_take_line(reader, &text)) && reader_take_end(reader, text);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_usi_start(const Setup *start, StrBuf *out) {
    StrBuf sfen = STRBUF_INIT;
    sfen_write(start, &sfen);
    if (sv_equal(strbuf_view(&sfen), SV(SFEN_START))) {
        strbuf_add_str(out, "startpos");
    } else {
        strbuf_addf(out, "sfen %s", sfen.ptr);
    }
    strbuf_free(&sfen);
}

static void write_usi(const Record *record, StrBuf *out) {
    strbuf_add_str(out, "position ");
    write_usi_start(&record->start, out);
    strbuf_add_str(out, record_main_length(record) > 0 ? " moves" : "");
    int node = record->nodes[KMD_ROOT].child;
    for (; node != KMD_NODE_NONE; node = record->nodes[node].child) {
        if (record->nodes[node].ending == KMD_END_NONE) {
            strbuf_add_byte(out, ' ');
            usimove_append(record->nodes[node].move, out);
        }
    }
    strbuf_add_byte(out, '\n');
}

static void write_sfen(const Record *record, StrBuf *out) {
    if (record_main_length(record) > 0) {
        write_usi(record, out);
        return;
    }
    sfen_write(&record->start, out);
    strbuf_add_byte(out, '\n');
}

/* True if an operation can hold a header. */
static bool epd_holds(StrView key, StrView value) {
    return (unsigned char)key.ptr[0] < 0x80 && !sv_has_byte(value, '"');
}

/* Writes the last position. Headers become operations, in which numbers and moves are not quoted.
 */
static void write_epd(const Record *record, StrBuf *out) {
    RecordCursor cursor;
    cursor_init(&cursor, record);
    cursor_go(&cursor, record_main_end(record));
    pos_get_sfen(&cursor.pos, out);
    cursor_free(&cursor);
    for (int i = 0; i < record->header_count; i++) {
        StrView key = record_text(record, record->headers[i].key);
        StrView value = record_text(record, record->headers[i].value);
        if (!epd_holds(key, value)) {
            continue;
        }
        size_t word = sv_find_byte(value, ' ');
        bool is_plain = is_number(value) || usimove_read(sv_prefix(value, word)) != MOVE_NONE;
        strbuf_add_byte(out, ' ');
        codec_append_one_line(key, out);
        strbuf_add_str(out, is_plain ? " " : " \"");
        codec_append_one_line(value, out);
        strbuf_add_str(out, is_plain ? ";" : "\";");
    }
    strbuf_add_byte(out, '\n');
}

/* The kind of a line, according to its first word. */
typedef enum UsiLine { NO_USI_LINE, USI_LINE, EPD_LINE } UsiLine;

static UsiLine kind_of_line(StrView line) {
    static const char *const words[] = {"position", "startpos", "sfen", "moves"};
    Tokenizer tok = {line};
    StrView word;
    if (!tok_next(&tok, &word)) {
        return NO_USI_LINE;
    }
    if (SV_INDEX_OF(word, words) >= 0 || move_is_real(usimove_read(word))) {
        return USI_LINE;
    }
    int slashes = 0;
    for (size_t i = 0; i < word.len; i++) {
        slashes += word.ptr[i] == '/';
    }
    return slashes != RANK_NB - 1 ? NO_USI_LINE : sv_has_byte(line, ';') ? EPD_LINE : USI_LINE;
}

/* Recognises a line of the format `own`. Each of the three formats can be read as either of the
 * other two. */
static LineLook look_as(StrView line, UsiLine own) {
    UsiLine kind = kind_of_line(line);
    return kind == NO_USI_LINE ? LOOKS_FOREIGN : kind == own ? LOOKS_CERTAIN : LOOKS_SHARED;
}

static LineLook look_usi(StrView line) {
    return look_as(line, USI_LINE);
}

static LineLook look_epd(StrView line) {
    return look_as(line, EPD_LINE);
}

/* Never finds a line typical of SFEN, because a file is recognised as USI or EPD by its lines. */
static LineLook look_sfen(StrView line) {
    return look_as(line, NO_USI_LINE);
}

/* All three formats use the same reader. An .sfen file contains USI lines if there are moves, as
 * GUIs write it. EPD contains the position at the end of the main line, with operations. */
const Codec usirec_usi_codec = {
    .format = {"usi", "USI position line", "usi", KMD_HOLDS_MOVES | KMD_HOLDS_NUMBER, ""},
    .usual_encoding = TEXT_UTF8,
    .read = read_usi,
    .write = write_usi,
    .look = look_usi,
    .divide = codec_divide_by_line,
    .endings = endings};
const Codec usirec_sfen_codec = {.format = {"sfen", "SFEN, with moves as USI", "sfen sfens",
                                            KMD_HOLDS_MOVES | KMD_HOLDS_NUMBER, ""},
                                 .usual_encoding = TEXT_UTF8,
                                 .read = read_usi,
                                 .write = write_sfen,
                                 .look = look_sfen,
                                 .divide = codec_divide_by_line,
                                 .endings = endings};
const Codec usirec_epd_codec = {
    .format = {"epd", "SFEN with EPD operations", "epd", KMD_HOLDS_HEADERS | KMD_HOLDS_NUMBER, ""},
    .usual_encoding = TEXT_UTF8,
    .read = read_usi,
    .write = write_epd,
    .holds_header = epd_holds,
    .look = look_epd,
    .divide = codec_divide_by_line,
    .endings = endings};
