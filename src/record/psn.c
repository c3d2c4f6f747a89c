/* psn.c: reads moves, comments in braces and variations in parentheses as a sequence of items. */
#include "record/psn.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "base/xmem.h"
#include "record/codec.h"
#include "record/cursor.h"
#include "record/ending.h"
#include "record/handicap.h"
#include "record/movetext.h"
#include "record/notation_west.h"
#include "record/reader.h"
#include "record/words.h"
#include "rules/sfen.h"
#include "rules/usimove.h"

/* [Key "value"] lines, then moves with numbers, {comments}, (variations) and (times). There is no
 * escape character: a comment with a closing brace is written as lines that begin with an asterisk,
 * and a value may contain quotation marks, because it ends only at one before a bracket. In current
 * dialects, the numbers count single moves. A line such as "Variation:12", or a number that is not
 * higher than the previous one, starts a variation. In the draft of 1997, the numbers count pairs
 * of moves, with "1..." for gote. */

/* What the numbers before moves count, as far as it is known. */
typedef enum PsnNumbers { NUMBERS_UNKNOWN, NUMBERS_OF_HALVES, NUMBERS_OF_PAIRS } PsnNumbers;

#define VARIATION SV("Variation:")

enum { LONGEST_TIME = 64 }; /* bytes of "(...)" with a time */

typedef struct PsnState {
    RecordReader *reader;
    int *parents; /* for each open variation in parentheses, the node to return to */
    size_t parents_cap;
    int open_count;
    bool has_moves;
    PsnNumbers numbers;
    int first_number; /* number of the first move; 0: no number has been read */
    bool has_number;  /* the last word was a number without a move */
    bool has_sfen;    /* takes precedence over the name of a handicap */
} PsnState;

static const struct {
    const char *psn;
    const char *key;
} header_names[] = {
    {"Sente", "先手"}, {"Gote", "後手"}, {"Black", "先手"},  {"White", "後手"},
    {"Event", "棋戦"}, {"Site", "場所"}, {"Date", "対局日"},
};

/* Finds a handicap by a name such as "2 piece"; NULL if unknown. */
static const Handicap *find_handicap(StrView value) {
    static const struct {
        const char *name;
        const char *preset;
    } names[] = {
        {"Even", "HIRATE"},     {"Lance", "KY"}, {"Right lance", "KY_R"},
        {"Bishop", "KA"},       {"Rook", "HI"},  {"Rook and lance", "HIKY"},
        {"Rook-lance", "HIKY"},
    };
    for (size_t i = 0; i < COUNTOF(names); i++) {
        if (sv_equal_nocase(value, sv_from(names[i].name))) {
            return handicap_by_preset(sv_from(names[i].preset));
        }
    }
    StrView rest = value;
    if (word_take_number(&rest, 10) < 0) {
        return handicap_by_name(value);
    }
    StrView digits = sv_prefix(value, value.len - rest.len);
    word_take(&rest, SV("-"));
    word_skip_blanks(&rest);
    bool is_count = sv_equal_nocase(sv_prefix(rest, 5), SV("piece")) && rest.len <= 6;
    return is_count ? handicap_by_preset(digits) : NULL;
}

static bool read_handicap(PsnState *state, StrView value) {
    const Handicap *handicap = state->has_sfen ? NULL : find_handicap(value);
    if (handicap == NULL) {
        return true;
    }
    Setup setup = handicap_setup(handicap);
    return reader_start(state->reader, &setup);
}

/* Splits [Key "value"]. Without quotation marks, the key ends at a space. */
static void split_header(StrView line, StrView *key, StrView *value) {
    size_t quote = sv_find_byte(line, '"');
    if (quote == line.len) {
        line = sv_prefix(line, sv_find_byte(line, ']'));
        quote = sv_find_byte(line, ' ');
    }
    *key = sv_trim(sv_skip(sv_prefix(line, quote), 1));
    *value = sv_skip(line, quote + 1);
    size_t end = sv_find(*value, SV("\"]"));
    *value = sv_prefix(*value, end < value->len ? end : sv_find_byte(*value, '"'));
}

static bool read_header(PsnState *state, StrView line) {
    StrView key, value;
    split_header(line, &key, &value);
    if (state->has_moves) {
        return reader_fail(state->reader, "a header after the moves", line);
    }
    if (sv_equal(key, SV("SFEN")) || sv_equal(key, SV("FEN"))) {
        state->has_sfen = true;
        return reader_start_sfen(state->reader, value);
    }
    if (sv_equal(key, SV("Handicap")) && !read_handicap(state, value)) {
        return false;
    }
    int known = SV_INDEX(key, header_names, psn);
    key = known >= 0 ? sv_from(header_names[known].key) : key;
    bool is_empty_name = value.len == 0 && (sv_equal(key, SV("先手")) || sv_equal(key, SV("後手")));
    if (key.len > 0 && !is_empty_name) {
        reader_header(state->reader, key, value);
    }
    return true;
}

/* Reads the number "12." or "12..." from a word; 0 if there is none. */
static int take_number(StrView *word, bool *is_gote) {
    StrView rest = *word;
    int number = word_take_number(&rest, RECORD_MAX_NODES);
    int dots = 0;
    while (word_take(&rest, SV("."))) {
        dots++;
    }
    if (number < 1 || (dots == 0 && rest.len > 0)) {
        return 0;
    }
    *is_gote = dots > 1;
    *word = rest;
    return number;
}

/* Goes back to the position before the move with this number. */
static bool go_back(PsnState *state, int number, StrView near) {
    int first = state->first_number > 0 ? state->first_number : 1;
    return (number >= first && reader_go_back(state->reader, number - first)) ||
           reader_fail(state->reader, "a variation of a move that does not exist", near);
}

static bool apply_number(PsnState *state, int number, bool is_gote, StrView near) {
    int depth = state->reader->record->nodes[state->reader->cursor.node].depth;
    if (state->first_number == 0) {
        state->first_number = int_max(number - depth, 1);
    }
    if (is_gote) {
        state->numbers = NUMBERS_OF_PAIRS;
    }
    if (is_gote || state->open_count > 0) {
        return true;
    }
    int turn = number - state->first_number + 1;
    if (state->numbers == NUMBERS_UNKNOWN && turn > 1 && turn == depth + 1) {
        state->numbers = NUMBERS_OF_HALVES;
    }
    bool goes_back = turn <= depth && (state->numbers == NUMBERS_OF_HALVES || turn == 1);
    return !goes_back || go_back(state, number, near);
}

/* Reads the word "Variation:12"; `digits` is its number. */
static bool read_variation(PsnState *state, StrView digits, StrView near) {
    int number;
    bool is_number = sv_to_int(digits, 1, RECORD_MAX_NODES, &number);
    return go_back(state, is_number ? number : 0, near);
}

static bool is_result(StrView word) {
    return sv_equal(word, SV("1-0")) || sv_equal(word, SV("0-1")) ||
           sv_equal(word, SV("1/2-1/2")) || sv_equal(word, SV("*"));
}

/* Reads "1-0" (the first player, black, wins), "0-1", "1/2-1/2", or "*" for no result. It follows
 * the ending, or is the only word that states it. */
static bool read_result(RecordReader *reader, StrView word) {
    Color winner = sv_equal(word, SV("1-0")) ? BLACK : sv_equal(word, SV("0-1")) ? WHITE : COLOR_NB;
    int node = reader->cursor.node;
    if (reader_at_ending(reader)) {
        Color known = record_winner(reader->record, node);
        if (winner != COLOR_NB && known != COLOR_NB && winner != known) {
            reader_skip(reader, "a result that contradicts the ending is ignored", word);
        }
        return true;
    }
    Color to_move = reader->cursor.pos.side;
    KmdEnding ending = winner == COLOR_NB  ? KMD_END_DRAW
                       : winner == to_move ? KMD_END_ILLEGAL_WIN
                                           : KMD_END_RESIGN;
    return sv_equal(word, SV("*")) || reader_end(reader, ending, word);
}

/* The words of Shogidokoro and of PSN2, read in any case. */
static const EndingWord endings[] = {
    {"Resigns", KMD_END_RESIGN},
    {"Interrupt", KMD_END_INTERRUPT},
    {"Sennichite", KMD_END_SENNICHITE},
    {"Jishogi", KMD_END_IMPASSE},
    {"Jishogi", KMD_END_DRAW},
    {"MaxMovesDraw", KMD_END_MAX_MOVES},
    {"Mate", KMD_END_MATE},
    {"Mate", KMD_END_NO_MOVES},
    {"Timeup", KMD_END_TIMEOUT},
    {"DeclarationWin", KMD_END_DECLARATION},
    {"TryRuleWin", KMD_END_TRY},
    {"Resign", KMD_END_RESIGN},
    {"RepetitionDraw", KMD_END_SENNICHITE},
    {"RepetitionWin", KMD_END_PERPETUAL_WIN},
    {"RepetitionLose", KMD_END_PERPETUAL_LOSS},
    {.word = NULL},
};

/* Reads the word of an ending. A repetition with a winner means a perpetual check by the loser,
 * which is an illegal move. */
static KmdEnding read_ending(StrView word) {
    KmdEnding ending = ending_read_nocase(endings, word);
    return ending == KMD_END_PERPETUAL_WIN    ? KMD_END_ILLEGAL_WIN
           : ending == KMD_END_PERPETUAL_LOSS ? KMD_END_ILLEGAL_LOSS
                                              : ending;
}

/* True if the word contains the square of a move, as 7f or 76. */
static bool names_square(StrView word) {
    for (size_t i = 0; i + 1 < word.len; i++) {
        char file = word.ptr[i], rank = word.ptr[i + 1];
        if (file >= '1' && file <= '9' &&
            ((rank >= 'a' && rank <= 'i') || (rank >= '1' && rank <= '9'))) {
            return true;
        }
    }
    return false;
}

static bool read_word(PsnState *state, StrView word) {
    RecordReader *reader = state->reader;
    StrView near = word;
    bool is_gote = false;
    state->has_moves = true;
    state->has_number = false;
    if (is_result(word)) {
        return read_result(state->reader, word);
    }
    if (sv_equal_nocase(sv_prefix(word, VARIATION.len), VARIATION)) {
        return read_variation(state, sv_skip(word, VARIATION.len), near);
    }
    int number = take_number(&word, &is_gote);
    if (number > 0 && !apply_number(state, number, is_gote, near)) {
        return false;
    }
    if (is_result(word)) {
        return read_result(state->reader, word);
    }
    if (word.len == 0) {
        state->has_number = true;
        return true;
    }
    KmdEnding ending = read_ending(word);
    if (ending != KMD_END_NONE) {
        return reader_end(reader, ending, word);
    }
    if (!names_square(word)) { /* such as !? or $1 */
        reader_skip(reader, "an unknown word is ignored", near);
        return true;
    }
    const char *reason = NULL;
    Move move = usimove_read(word);
    if (!move_is_real(move)) {
        move = notation_read_west(&reader->cursor.pos, word, &reason);
    }
    return move == MOVE_NONE ? reader_fail(reader, reason, near) : reader_play(reader, move, near);
}

static bool open_variation(PsnState *state) {
    RecordReader *reader = state->reader;
    int node = reader->cursor.node;
    if (node == KMD_ROOT) {
        return reader_fail(reader, "a variation before the first move", (StrView){NULL, 0});
    }
    state->parents =
        xmem_grow(state->parents, &state->parents_cap, (size_t)state->open_count + 1, sizeof(int));
    state->parents[state->open_count++] = node;
    cursor_go(&reader->cursor, reader->record->nodes[node].parent);
    return true;
}

static bool close_variation(PsnState *state) {
    if (state->open_count == 0) {
        return reader_fail(state->reader, "a closing parenthesis without an opening one",
                           (StrView){NULL, 0});
    }
    cursor_go(&state->reader->cursor, state->parents[--state->open_count]);
    return true;
}

/* Reads text that starts with "(": either a variation, or a time such as "(00:03 / 00:00:03)",
 * which includes the total. A time after a number without a move belongs to no move. A time ends in
 * its line; the search for its end is limited, so that many open variations do not take quadratic
 * time. */
static bool read_parenthesis(PsnState *state, StrView *text) {
    int64_t seconds;
    StrView head = sv_prefix(*text, LONGEST_TIME);
    head = sv_prefix(head, sv_find_byte(head, '\n'));
    size_t end = sv_find_byte(head, ')');
    StrView inside = sv_skip(sv_prefix(head, end), 1);
    if (end < head.len && word_take_clock(&inside, &seconds)) {
        if (!state->has_number) {
            reader_time(state->reader, seconds * 1000);
        }
        *text = sv_skip(*text, end + 1);
        return true;
    }
    *text = sv_skip(*text, 1);
    return open_variation(state);
}

static int count_lines(StrView text) {
    int lines = 0;
    for (size_t i = 0; i < text.len; i++) {
        lines += text.ptr[i] == '\n';
    }
    return lines;
}

static bool read_braces(PsnState *state, StrView *text) {
    size_t end = sv_find_byte(*text, '}');
    StrView comment = sv_skip(sv_prefix(*text, end), 1);
    StrView line;
    if (end == text->len) {
        return reader_fail(state->reader, "a comment without an end", utf8_cut(*text, 40));
    }
    state->reader->line += count_lines(comment);
    word_take(&comment, SV("\r"));
    word_take(&comment, SV("\n")); /* the braces stand on lines of their own */
    while (comment.len > 0 && sv_next_line(&comment, &line)) {
        reader_comment(state->reader, line);
    }
    *text = sv_skip(*text, end + 1);
    return true;
}

/* Reads one item of the text: a header line, a comment, a bracket or a word. */
static bool read_item(PsnState *state, StrView *text, bool is_line_start) {
    StrView line;
    switch (text->ptr[0]) {
    case '\n':
        state->reader->line++;
        *text = sv_skip(*text, 1);
        return true;
    case '{':
        return read_braces(state, text);
    case '(':
        return read_parenthesis(state, text);
    case ')':
        *text = sv_skip(*text, 1);
        return close_variation(state);
    case '}':
        return reader_fail(state->reader, "a closing brace without an opening one",
                           utf8_cut(*text, 40));
    default:
        break;
    }
    if (is_line_start && (text->ptr[0] == '[' || text->ptr[0] == '*')) {
        line = sv_prefix(*text, sv_find_byte(*text, '\n'));
        *text = sv_skip(*text, line.len);
        if (line.ptr[0] == '[') {
            return read_header(state, sv_trim(line));
        }
        line = sv_ends_with(line, SV("\r")) ? sv_prefix(line, line.len - 1) : line;
        reader_comment(state->reader, sv_skip(line, 1));
        return true;
    }
    size_t len = 0;
    while (len < text->len && !sv_has_byte(SV(" \t\r\n(){}"), text->ptr[len])) {
        len++;
    }
    line = sv_prefix(*text, len);
    *text = sv_skip(*text, len);
    return read_word(state, line);
}

static bool read_record(RecordReader *reader, StrView text) {
    PsnState state = {.reader = reader};
    bool is_good = true, is_line_start = true;
    while (is_good && text.len > 0) {
        char c = text.ptr[0];
        if (c == ' ' || c == '\t' || c == '\r') {
            text = sv_skip(text, 1);
            continue;
        }
        is_good = read_item(&state, &text, is_line_start);
        is_line_start = c == '\n';
    }
    free(state.parents);
    return is_good;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Appends a header. A quotation mark that would end the value is replaced by an apostrophe. */
static void write_header(const char *key, StrView value, StrBuf *out) {
    strbuf_addf(out, "[%s \"", key);
    for (size_t i = 0; i < value.len; i++) {
        char c = value.ptr[i];
        bool is_end = sv_starts_with(sv_skip(value, i), SV("\"]"));
        strbuf_add_byte(out, is_end ? '\'' : c == '\n' || c == '\r' ? ' ' : c);
    }
    strbuf_add_str(out, "\"]\n");
}

static void write_headers(const Record *record, StrBuf *out) {
    StrBuf name = STRBUF_INIT;
    write_header("Sente", record_player(record, BLACK), out);
    write_header("Gote", record_player(record, WHITE), out);
    for (int i = 0; i < record->header_count; i++) {
        StrView key = record_text(record, record->headers[i].key);
        if (sv_equal(key, SV("先手")) || sv_equal(key, SV("後手"))) {
            continue;
        }
        strbuf_clear(&name);
        codec_append_one_line(key, &name);
        for (size_t k = 0; k < COUNTOF(header_names); k++) {
            if (sv_equal(key, sv_from(header_names[k].key))) {
                strbuf_clear(&name);
                strbuf_add_str(&name, header_names[k].psn);
            }
        }
        write_header(name.ptr, record_text(record, record->headers[i].value), out);
    }
    strbuf_clear(&name);
    sfen_write(&record->start, &name);
    write_header("SFEN", strbuf_view(&name), out);
    strbuf_free(&name);
}

/* Appends a move with its origin, as Shogidokoro always does. */
static void append_move(const Position *pos, Move move, StrBuf *out) {
    PieceType type = pos_moved_type(pos, move);
    strbuf_add_str(out, pt_is_promoted(type) ? "+" : "");
    strbuf_add_byte(out, sfen_letter(type));
    if (move_is_drop(move)) {
        strbuf_add_byte(out, '*');
    } else {
        movetext_append_square(move_from(move), true, out);
        strbuf_add_byte(out, pos_is_capture(pos, move) ? 'x' : '-');
    }
    movetext_append_square(move_to(move), true, out);
    strbuf_add_str(out, move_is_promotion(move) ? "+" : "");
}

/* Appends a comment with the braces on lines of their own, where MyShogi needs them. */
static void write_comment(StrView text, StrBuf *out) {
    if (sv_has_byte(text, '}')) {
        codec_append_prefixed_lines(text, "*", out);
    } else if (text.len > 0) {
        strbuf_add_str(out, "{\n");
        strbuf_add(out, text);
        strbuf_add_str(out, "\n}\n");
    }
}

/* Appends a time. MyShogi reads at most 59 minutes without hours. */
static void write_time(const RecordCursor *cursor, int64_t time_ms, StrBuf *out) {
    int now = (int)(time_ms / 1000);
    int total = (int)((cursor->spent_ms[cursor->pos.side] + time_ms) / 1000);
    strbuf_add_str(out, "(");
    if (now >= 3600) {
        strbuf_addf(out, "%02d:", now / 3600);
        now %= 3600;
    }
    strbuf_addf(out, "%02d:%02d / %02d:%02d:%02d)", now / 60, now % 60, total / 3600,
                total / 60 % 60, total % 60);
}

static void write_node(const RecordCursor *cursor, int node, StrBuf *scratch, StrBuf *out) {
    enum { MOVE_COLUMNS = 18 };
    const Record *record = cursor->record;
    const RecordNode *n = &record->nodes[node];
    strbuf_clear(scratch);
    strbuf_addf(scratch, "%d.", n->depth);
    if (n->ending != KMD_END_NONE) {
        const char *word = ending_word(endings, n->ending);
        strbuf_add_str(scratch, word[0] != 0 ? word : "Interrupt");
    } else {
        append_move(&cursor->pos, n->move, scratch);
    }
    if (n->time_ms < 0) {
        strbuf_add(out, strbuf_view(scratch));
    } else {
        codec_append_padded(strbuf_view(scratch), MOVE_COLUMNS, out);
        write_time(cursor, n->time_ms, out);
    }
    strbuf_add_byte(out, '\n');
    write_comment(record_text(record, n->comment), out);
}

static void write_record(const Record *record, StrBuf *out) {
    StrBuf scratch = STRBUF_INIT;
    RecordCursor cursor;
    cursor_init(&cursor, record);
    write_headers(record, out);
    strbuf_add_byte(out, '\n');
    write_comment(record_text(record, record->nodes[KMD_ROOT].comment), out);
    for (int node = record_next(record, KMD_ROOT); node != KMD_NODE_NONE;
         node = record_next(record, node)) {
        if (record_is_variation(record, node)) {
            strbuf_addf(out, "\nVariation:%d\n", record->nodes[node].depth);
        }
        cursor_go(&cursor, record->nodes[node].parent);
        write_node(&cursor, node, &scratch, out);
    }
    cursor_free(&cursor);
    strbuf_free(&scratch);
}

/* True for [Key "value"], but not for an array of JSON. */
static bool is_header(StrView line) {
    size_t quote = sv_find_byte(line, '"');
    StrView key = sv_trim(sv_skip(sv_prefix(line, quote), 1));
    return quote < line.len && sv_ends_with(line, SV("]")) && key.len > 0 &&
           !sv_has_byte(SV("[{"), key.ptr[0]);
}

/* Recognises [Key "value"] or "1.P7g-7f", but not "1. ７六歩(77)" of a KIF. */
static LineLook look(StrView line) {
    StrView rest = line;
    if (line.ptr[0] == '[') {
        return is_header(sv_trim(line)) ? LOOKS_TYPICAL : LOOKS_FOREIGN;
    }
    bool is_numbered = word_take_number(&rest, RECORD_MAX_NODES) >= 0 && word_take(&rest, SV("."));
    rest = sv_trim(rest);
    return is_numbered && (rest.len == 0 || (unsigned char)rest.ptr[0] < 0x80) ? LOOKS_TYPICAL
                                                                               : LOOKS_FOREIGN;
}

const Codec psn_codec = {.format = {"psn", "PSN", "psn psn2",
                                    HOLDS_TREE | KMD_HOLDS_TIMES | KMD_HOLDS_SOME_ENDINGS, NULL},
                         .usual_encoding = TEXT_UTF8,
                         .read = read_record,
                         .write = write_record,
                         .look = look,
                         .endings = endings};
