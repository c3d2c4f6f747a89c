/* kif.c: KIF has numbered moves with their times, and the variations after the main line; KI2 has
 * moves between side marks, several per line, without origins. */
#include "record/kif.h"

#include "base/utf8.h"
#include "record/kifhead.h"
#include "record/notation.h"

/* ---- KIF, reading ---------------------------------------------------------------------------- */

/* A file is a head followed by one line per move:
 *
 *      12 ３三角成(88) ( 0:16/00:01:20)+
 *
 * The line has the number, the move, its origin, the time of the move and the side's total time,
 * and a plus if the file has variations to this move. The variations come after the main line, the
 * last one first, each under a line "変化：12手". */

/* True if the text starts with the time of a move, in parentheses. Some programs write tenths of a
 * second. */
static bool starts_with_time(StrView text, int64_t *ms) {
    int64_t seconds;
    if ((!word_take(&text, SV("(")) && !word_take(&text, SV("（"))) ||
        !word_take_clock(&text, &seconds)) {
        return false;
    }
    *ms = seconds * 1000;
    int unit = word_take(&text, SV(".")) ? 100 : 0;
    for (; unit > 0 && text.len > 0 && str_is_digit(text.ptr[0]); unit /= 10) {
        *ms += unit * (text.ptr[0] - '0');
        text = sv_skip(text, 1);
    }
    return true;
}

/* The offset of the time in the text; text.len if there is none. */
static size_t find_time(StrView text) {
    size_t place = 0;
    int64_t ms;
    while (place < text.len && !starts_with_time(sv_skip(text, place), &ms)) {
        place++;
    }
    return place;
}

/* Reads the rest of a move line: the time, and a plus, which is redundant. Other text is
 * skipped with a note. */
static void read_time_and_plus(KifText *state, StrView rest) {
    int64_t ms;
    word_skip_blanks(&rest);
    if (starts_with_time(rest, &ms)) {
        reader_time(state->reader, ms);
        size_t end = sv_find_byte(rest, ')');
        rest = end < rest.len ? sv_skip(rest, end + 1) : (StrView){NULL, 0};
    }
    rest = word_trim(rest);
    while (word_take(&rest, SV("+")) || word_take(&rest, SV("\x1A"))) {
    }
    if (word_trim(rest).len > 0) {
        reader_skip(state->reader, "text after the move is ignored", rest);
    }
}

/* True if the text starts like a move: with a mark, a digit or 同. */
static bool looks_like_move(StrView text) {
    return word_take_mark(&text) != COLOR_NB || word_take_digit(&text) != 0 ||
           sv_starts_with(text, SV("同")) || sv_starts_with(text, SV("仝"));
}

/* True if the text names the origin of a move, as in "手目 ７六歩(77)": it is not an ending. */
static bool has_origin(StrView text) {
    size_t place = sv_find_byte(text, '(');
    text = sv_skip(text, place < text.len ? place : sv_find(text, SV("（")));
    return (word_take(&text, SV("(")) || word_take(&text, SV("（"))) &&
           word_take_digit(&text) != 0 && word_take_digit(&text) != 0 &&
           (word_take(&text, SV(")")) || word_take(&text, SV("）")));
}

/* The word of an ending after a number. The word ends before the time or, if there is no time,
 * before the plus. Other parentheses belong to the word, unless the text before them is a known
 * word. A word from another format loses a final plus or ^Z, because ^Z would end the text. */
static StrView word_of_ending(StrView text) {
    StrView word = word_trim(sv_prefix(text, find_time(text)));
    while (sv_ends_with(word, SV("+")) || sv_ends_with(word, SV("\x1A"))) {
        word = word_trim(sv_prefix(word, word.len - 1));
    }
    StrView start = word_trim(sv_prefix(word, sv_find_byte(word, '(')));
    return ending_read(ending_japanese, start) != KMD_END_NONE ? start : word;
}

/* The text after a number, without the dot that some programs write, without spaces, and without
 * the side mark of an ending, as in "△投了". */
static StrView after_number(StrView text) {
    word_take(&text, SV("."));
    text = word_trim(text);
    StrView word = text;
    bool has_mark = word_take_mark(&word) != COLOR_NB;
    return has_mark && ending_read(ending_japanese, word_of_ending(word)) != KMD_END_NONE ? word
                                                                                          : text;
}

/* Reads the number of a move; -1 if it is too large. */
static int take_number(StrView *text) {
    int number = word_take_wide_number(text, RECORD_MAX_NODES);
    return number >= 0 ? number : word_take_number(text, RECORD_MAX_NODES);
}

static bool is_foul(KmdEnding ending) {
    return ending == KMD_END_ILLEGAL_LOSS || ending == KMD_END_ILLEGAL_WIN;
}

/* True if the next statement is a closing line. */
static bool is_closed_next(const KifText *state) {
    StrView rest = state->rest, line;
    return kifhead_next_statement(&rest, &line) && sv_starts_with(line, SV("まで"));
}

static bool read_kif_ending(KifText *state, StrView text) {
    StrView word = word_of_ending(text);
    KmdEnding ending = ending_read(ending_japanese, word);
    /* The word does not say who gave perpetual check: not the side that is in check. */
    if (ending == KMD_END_PERPETUAL_LOSS && pos_in_check(&state->reader->cursor.pos)) {
        ending = KMD_END_PERPETUAL_WIN;
    }
    if (ending == KMD_END_NONE && word_winner(word) != COLOR_NB) { /* as 先手反則負け */
        ending = kifhead_ending_of_closing(word, state->reader->cursor.pos.side);
    }
    if (word.len == 0) { /* MyShogi leaves the word out if it has none for the ending */
        return is_closed_next(state) || reader_fail(state->reader, "a number without a move", text);
    }
    if (ending == KMD_END_NONE && has_origin(word)) {
        return reader_fail(state->reader, "not a move", text);
    }
    if (state->has_foul && is_foul(ending) && reader_at_ending(state->reader)) {
        int64_t ms;
        state->has_foul = false;
        if (starts_with_time(sv_skip(text, find_time(text)), &ms) && ms > 0) {
            reader_skip(state->reader, "a time below an illegal move is ignored", text);
        }
        return true;
    }
    if (!reader_end(state->reader, ending == KMD_END_NONE ? KMD_END_OTHER : ending, word)) {
        return false;
    }
    read_time_and_plus(state, sv_skip(text, find_time(text)));
    return true;
}

/* True if the next statement says that the move above was illegal. KIF writes an illegal move as
 * two lines, "55 ５三歩打" and "56 反則勝ち", or says so in the closing line. */
static bool kif_claims_foul(const KifText *state) {
    StrView rest = state->rest;
    StrView line;
    if (!kifhead_next_statement(&rest, &line)) {
        return false;
    }
    if (sv_starts_with(line, SV("まで"))) {
        return sv_find(line, SV("反則")) < line.len;
    }
    bool is_numbered = take_number(&line) >= 0;
    StrView word = word_of_ending(after_number(line));
    return is_numbered &&
           (is_foul(ending_read(ending_japanese, word)) || sv_find(word, SV("反則")) < word.len);
}

/* True if the text is a move without a number, which must not be skipped. A header may begin like
 * one. */
static bool is_move_without_number(StrView text) {
    if (sv_find(text, SV("：")) < text.len) {
        return false;
    }
    word_take_mark(&text);
    bool has_square =
        (word_take_digit(&text) != 0 && word_take_digit(&text) != 0) || word_take(&text, SV("同"));
    word_skip_blanks(&text);
    return has_square && word_take_piece(&text) != NO_PIECE_TYPE;
}

/* True if the text is another move, with a number or a side mark, as in "2 △３四歩". */
static bool is_another_move(StrView text) {
    bool has_number = take_number(&text) >= 0;
    text = after_number(text);
    bool has_mark = word_take_mark(&text) != COLOR_NB;
    bool is_ascii = text.len > 0 && (unsigned char)text.ptr[0] < 0x80;
    return (has_mark || (has_number && !is_ascii)) && looks_like_move(text);
}

/* True if the text may follow a move on its line. If parentheses directly after the move contain no
 * time, they are a damaged origin. */
static bool is_after_move(StrView text) {
    StrView rest = text;
    int64_t ms;
    word_skip_blanks(&rest);
    return rest.len == 0 || (rest.len < text.len && !is_another_move(rest)) ||
           sv_has_byte(SV("+\r"), text.ptr[0]) || starts_with_time(text, &ms);
}

/* The word of a pass, which a record holds only as the end of a line. */
#define PASS "パス"

/* Handles a move behind an ending. What follows a pass is left out up to the next variation;
 * otherwise such a move is an error. */
static bool read_after_end(KifText *state, StrView line) {
    RecordReader *reader = state->reader;
    const Record *record = reader->record;
    if (!sv_equal(record_text(record, record->nodes[reader->cursor.node].label), SV(PASS))) {
        return reader_fail(reader, "a move after the end of its line", line);
    }
    reader_skip(reader, "the moves after a pass are left out", line);
    return state->is_skipping = true;
}

static bool read_kif_move(KifText *state, StrView text, StrView line) {
    RecordReader *reader = state->reader;
    const char *reason;
    if (reader_at_ending(reader)) {
        return read_after_end(state, line);
    }
    word_take_mark(&text);
    StrView near = text;
    Move move = kifhead_take_move(reader, &text, &reason);
    if (move == MOVE_NONE) {
        if (!kif_claims_foul(state)) {
            return reader_fail(reader, reason, line);
        }
        size_t time = find_time(near);
        IllegalMove foul = {MOVE_NONE, NO_PIECE_TYPE};
        notation_take_illegal_ja(&reader->cursor.pos, &text, &foul);
        state->has_foul = true;
        if (!reader_foul(reader, false, foul, word_trim(sv_prefix(near, time)))) {
            return false;
        }
        read_time_and_plus(state, sv_skip(near, time));
        return true;
    }
    if (move_is_drop(move)) {
        word_take(&text, SV("(00)")); /* CSA's origin of a drop */
    }
    if (!is_after_move(text)) {
        return reader_fail(reader, "unexpected text after the move", line);
    }
    if (!reader_play(reader, move, line)) {
        return false;
    }
    read_time_and_plus(state, text);
    return true;
}

/* True if a line belongs to the head, in which dates and similar lines also start with a number. */
static bool is_stray(const KifText *state, StrView line) {
    if (state->head.has_title || state->reader->record->node_count > 1) {
        return false;
    }
    take_number(&line);
    (void)sv_take_digits(&line); /* of a number that is too large */
    line = after_number(line);
    return !looks_like_move(line) &&
           ending_read(ending_japanese, word_of_ending(line)) == KMD_END_NONE;
}

static bool read_numbered(KifText *state, StrView line) {
    RecordReader *reader = state->reader;
    StrView text = line;
    int number = take_number(&text);
    if (is_stray(state, line)) {
        kifhead_note_stray(state, line);
        return true;
    }
    if (number < 0 || !kifhead_finish(&state->head, reader)) {
        return reader_fail(reader, "the number of a move is too large", line);
    }
    /* Another game follows a handicap, or the numbers of its moves begin again. */
    int depth = reader->record->nodes[reader->cursor.node].depth;
    if (state->head.is_over || (number == state->first_number && depth - state->line_start >= 2)) {
        return reader_fail(reader, "a move of a second game", line);
    }
    if (state->first_number == 0) {
        state->first_number = int_max(number, 1);
        reader_first_number(reader, state->first_number);
    }
    int ahead = number - state->first_number - depth;
    if (ahead != state->ahead) {
        reader_note(reader, "not the next number: a move may be missing", line);
        state->ahead = ahead;
    }
    text = after_number(text);
    bool is_ending = ending_read(ending_japanese, word_of_ending(text)) != KMD_END_NONE;
    return !is_ending && looks_like_move(text) ? read_kif_move(state, text, line)
                                               : read_kif_ending(state, text);
}

static bool read_kif_line(KifText *state, StrView line) {
    int number;
    StrView text = line;
    word_skip_blanks(&text);
    StrView number_text = text;
    if ((text.ptr[0] >= '0' && text.ptr[0] <= '9') ||
        word_take_wide_number(&number_text, RECORD_MAX_NODES) >= 0) {
        return read_numbered(state, text);
    }
    if (kifhead_read_variation(text, &number)) {
        return kifhead_start_variation(state, number, line);
    }
    if (sv_starts_with(text, SV("まで"))) {
        return kifhead_read_closing(state, text);
    }
    if (sv_starts_with(text, SV("手数-"))) {
        return state->head.has_title = true;
    }
    if (sv_starts_with(text, SV("--"))) {
        return true;
    }
    if (is_move_without_number(text)) {
        return reader_fail(state->reader, "neither a move nor a header", line);
    }
    return kifhead_read_other(state, line);
}

static bool read_kif(RecordReader *reader, StrView text) {
    return kifhead_read_text(reader, text, read_kif_line);
}

/* ---- KIF, writing ---------------------------------------------------------------------------- */

static void append_time(const RecordCursor *cursor, int64_t time_ms, StrBuf *out) {
    int64_t now = time_ms / 1000;
    int64_t total = (cursor->spent_ms[cursor->pos.side] + time_ms) / 1000;
    strbuf_addf(out, "(%2d:%02d/%02d:%02d:%02d)", (int)(now / 60), (int)(now % 60),
                (int)(total / 3600), (int)(total / 60 % 60), (int)(total % 60));
}

/* Appends the word of an ending. A word from another format that would not be read as an ending is
 * replaced by 中断. */
static void append_ending_word(const Record *record, const RecordNode *node, StrBuf *out) {
    StrView label = record_text(record, node->label);
    label = word_of_ending(after_number(sv_prefix(label, sv_find(label, SV("により")))));
    KmdEnding ending = node->ending;
    if (ending == KMD_END_OTHER &&
        (label.len == 0 || looks_like_move(label) || has_origin(label))) {
        ending = KMD_END_INTERRUPT;
    }
    codec_append_one_line(ending == KMD_END_OTHER ? label : sv_from(ending_name(ending)), out);
}

/* The number of moves before the first one. A game from its usual start keeps the numbers of its
 * moves; above a diagram, a header holds the number, because other programs find variations by
 * counting from the diagram. */
static int moves_before(const Record *record) {
    bool has_moves = record->nodes[KMD_ROOT].child != KMD_NODE_NONE;
    return has_moves && kifhead_is_plain(record) ? record->start.ply - 1 : 0;
}

/* True for an ending of which only the winner is known, such as 先手の勝ち. It has no line
 * of its own. */
static bool is_only_closed(const Record *record, const RecordNode *node) {
    StrView label = record_text(record, node->label);
    return node->ending == KMD_END_OTHER && sv_find(label, SV("により")) == label.len &&
           word_winner(label) != COLOR_NB;
}

/* Writes the closing line. Below the line of an ending such as 接続切れにより先手の勝ち, it says
 * who won. */
static void write_closing(const Record *record, int node, StrBuf *out) {
    StrView label = record_text(record, record->nodes[node].label), by = SV("により");
    size_t place = sv_find(label, by);
    kifhead_append_closing(record, node, moves_before(record),
                           place < label.len ? sv_skip(label, place + by.len) : label, out);
    strbuf_add_byte(out, '\n');
}

/* Writes one node. The cursor is on its parent. */
static void write_kif_node(RecordCursor *cursor, int node, StrBuf *scratch, StrBuf *out) {
    const RecordNode *n = &cursor->record->nodes[node];
    bool has_mark = n->sibling != KMD_NODE_NONE;
    bool has_foul = n->foul.move != MOVE_NONE && n->ending == KMD_END_ILLEGAL_LOSS;
    int number = moves_before(cursor->record) + n->depth;
    strbuf_clear(scratch);
    if (is_only_closed(cursor->record, n)) {
        write_closing(cursor->record, node, out);
        kifhead_write_remarks(cursor->record, node, out);
        return;
    }
    if (has_foul) {
        notation_append_origin_ja(n->foul, SQ_NONE, scratch);
    } else if (n->ending != KMD_END_NONE) {
        append_ending_word(cursor->record, n, scratch);
    } else {
        notation_append_origin_ja((IllegalMove){n->move, pos_moved_type(&cursor->pos, n->move)},
                                  notation_last_to(&cursor->pos), scratch);
    }
    strbuf_addf(out, "%4d ", number);
    if (n->time_ms < 0 && !has_mark) {
        strbuf_add(out, strbuf_view(scratch));
    } else {
        codec_append_padded(strbuf_view(scratch), 13, out);
    }
    if (n->time_ms >= 0) {
        append_time(cursor, n->time_ms, out);
    }
    strbuf_add_str(out, has_mark ? "+\n" : "\n");
    if (has_foul) {
        strbuf_addf(out, "%4d %s\n", number + 1, ending_name(KMD_END_ILLEGAL_WIN));
    } else if (n->foul.move != MOVE_NONE) { /* KIF cannot hold a move out of turn */
        strbuf_add_byte(out, '*');
        notation_append_origin_ja(n->foul, SQ_NONE, out);
        strbuf_add_byte(out, '\n');
    }
    kifhead_write_remarks(cursor->record, node, out);
}

static void write_kif(const Record *record, StrBuf *out) {
    StrBuf scratch = STRBUF_INIT;
    RecordCursor cursor;
    int end = record_main_end(record);
    cursor_init(&cursor, record);
    kifhead_write(record, moves_before(record) > 0, out);
    strbuf_add_str(out, "手数----指手---------消費時間--\n");
    kifhead_write_remarks(record, KMD_ROOT, out);
    for (int node = record_next(record, KMD_ROOT); node != KMD_NODE_NONE;
         node = record_next(record, node)) {
        const RecordNode *n = &record->nodes[node];
        if (record_is_variation(record, node)) {
            strbuf_addf(out, "\n変化：%d手\n", moves_before(record) + n->depth);
        }
        cursor_go(&cursor, n->parent);
        write_kif_node(&cursor, node, &scratch, out);
        if (n->ending != KMD_END_NONE && node == end && !is_only_closed(record, n)) {
            write_closing(record, node, out);
        }
    }
    cursor_free(&cursor);
    strbuf_free(&scratch);
}

/* Recognises the line above the moves, and a number followed by the start of a move or an ending.
 */
static LineLook look_like_kif(StrView line) {
    StrView rest = line;
    if (sv_starts_with(line, SV("手数--")) || word_take_wide_number(&rest, RECORD_MAX_NODES) >= 0) {
        return LOOKS_TYPICAL;
    }
    (void)sv_take_digits(&rest);
    bool has_point = rest.len < line.len && word_take(&rest, SV("."));
    StrView text = rest;
    word_skip_blanks(&text);
    bool is_wide = text.len > 0 && (unsigned char)text.ptr[0] >= 0x80;
    bool is_apart = !has_point && (rest.len == 0 || text.len < rest.len);
    return rest.len < line.len && (is_wide || is_apart) ? LOOKS_TYPICAL : kifhead_look(line);
}

const Codec kif_codec = {.format = {"kif", "KIF", "kif kifu",
                                    HOLDS_TREE | KMD_HOLDS_TIMES | KMD_HOLDS_ENDINGS |
                                        KMD_HOLDS_BOOKMARKS | KMD_HOLDS_REMARKS | KMD_HOLDS_ILLEGAL,
                                    NULL},
                         .usual_encoding = TEXT_CP932,
                         .read = read_kif,
                         .write = write_kif,
                         .look = look_like_kif,
                         .endings = ending_japanese,
                         .encoding_lines = {[TEXT_UTF8] = "#KIF version=2.0 encoding=UTF-8",
                                            [TEXT_CP932] = "#KIF version=2.0 encoding=Shift_JIS"},
                         .states_encoding = {[TEXT_UTF8] = true},
                         .utf8_extension = "kifu"};

/* ---- KI2, reading ---------------------------------------------------------------------------- */

/* True if the closing words, on this line or in the next statement, say that the move before them
 * was illegal. */
static bool ki2_claims_foul(const KifText *state, StrView behind) {
    StrView rest = state->rest;
    bool is_closing = sv_starts_with(behind, SV("まで")) ||
                      (behind.len == 0 && kifhead_next_statement(&rest, &behind) &&
                       sv_starts_with(behind, SV("まで")));
    return is_closing && sv_find(behind, SV("反則")) < behind.len;
}

/* True if the text contains a side mark, which starts a move. */
static bool has_mark(StrView text) {
    for (size_t i = 0; i < text.len; i++) {
        StrView rest = sv_skip(text, i);
        if (word_take_mark(&rest) != COLOR_NB) {
            return true;
        }
    }
    return false;
}

/* Handles a move that cannot be played. Such a move is an error, unless the closing words directly
 * after it say that it was an illegal move, which ends its line. `text` is the text after the
 * move. */
static bool read_foul(KifText *state, const char *reason, StrView *text) {
    RecordReader *reader = state->reader;
    StrView near = *text;
    StrView move = near;
    bool is_mover = word_take_mark(&move) == reader->cursor.pos.side;
    size_t closing = sv_find(move, SV("まで"));
    *text = sv_skip(move, closing);
    move = word_trim(sv_prefix(move, closing));
    if (has_mark(move) || !ki2_claims_foul(state, *text)) {
        return reader_fail(reader, reason, near);
    }
    IllegalMove foul = {MOVE_NONE, NO_PIECE_TYPE};
    StrView rest = move;
    notation_take_illegal_ja(&reader->cursor.pos, &rest, &foul);
    return reader_foul(reader, !is_mover, foul, move);
}

/* Reads the word of an ending in place of a move, as in "△投了"; KMD_END_NONE if there is none. */
static KmdEnding take_ending(StrView *text) {
    size_t len = 0;
    while (len < text->len && !sv_has_byte(SV(" \t"), text->ptr[len])) {
        len++;
    }
    KmdEnding ending = ending_read(ending_japanese, word_trim(sv_prefix(*text, len)));
    *text = ending != KMD_END_NONE ? sv_skip(*text, len) : *text;
    return ending;
}

/* Reads a move or an ending with its side mark. */
static bool read_ki2_move(KifText *state, StrView *text) {
    RecordReader *reader = state->reader;
    StrView near = *text;
    Color mark = word_take_mark(text);
    if (mark == COLOR_NB) {
        return reader_fail(reader, "a move without a side mark", near);
    }
    if (reader_at_ending(reader)) {
        return read_after_end(state, near);
    }
    const char *reason = "a move of the wrong side";
    Move move = MOVE_NONE;
    if (mark == reader->cursor.pos.side) {
        word_skip_blanks(text);
        KmdEnding ending = take_ending(text);
        if (ending != KMD_END_NONE) {
            return reader_end(reader, ending, near);
        }
        if (word_take(text, SV(PASS))) {
            return reader_end(reader, KMD_END_OTHER, SV(PASS));
        }
        move = kifhead_take_move(reader, text, &reason);
    }
    if (move == MOVE_NONE) {
        *text = near;
        return read_foul(state, reason, text);
    }
    return reader_play(reader, move, near);
}

/* Reads a line of moves, with or without spaces between them. The closing words may follow the last
 * move. */
static bool read_ki2_moves(KifText *state, StrView text) {
    if (!kifhead_finish(&state->head, state->reader)) {
        return false;
    }
    if (state->head.is_over) {
        return reader_fail(state->reader, "a move of a second game", text);
    }
    word_skip_blanks(&text);
    while (text.len > 0 && !state->is_skipping) {
        if (sv_starts_with(text, SV("まで"))) {
            return kifhead_read_closing(state, text);
        }
        if (!read_ki2_move(state, &text)) {
            return false;
        }
        word_skip_blanks(&text);
    }
    return true;
}

static bool read_ki2_line(KifText *state, StrView line) {
    int number;
    StrView text = line;
    word_skip_blanks(&text);
    StrView after_mark = text;
    if (word_take_mark(&after_mark) != COLOR_NB) {
        return read_ki2_moves(state, text);
    }
    if (kifhead_read_variation(text, &number)) {
        return kifhead_start_variation(state, number, line);
    }
    if (sv_starts_with(text, SV("まで"))) {
        return kifhead_read_closing(state, text);
    }
    return kifhead_read_other(state, line);
}

static bool read_ki2(RecordReader *reader, StrView text) {
    return kifhead_read_text(reader, text, read_ki2_line);
}

/* ---- KI2, writing ---------------------------------------------------------------------------- */

/* The state of writing a line. Moves are padded to columns, except the last one of a line. A
 * comment, a bookmark or a remark ends the line. */
typedef struct Ki2Line {
    StrBuf move;
    int count;   /* number of moves on the line so far */
    int padding; /* number of spaces to write before the next move */
} Ki2Line;

static void end_ki2_line(Ki2Line *line, StrBuf *out) {
    if (line->count > 0) {
        strbuf_add_byte(out, '\n');
    }
    line->count = 0;
    line->padding = 0;
}

static void write_ki2_move(Ki2Line *line, const RecordCursor *cursor, Move move, StrBuf *out) {
    enum { MOVES_PER_LINE = 6, MOVE_COLUMNS = 12 };
    strbuf_clear(&line->move);
    strbuf_add_str(&line->move, word_mark(cursor->pos.side));
    notation_append_ja(&cursor->pos, move, JA_WIDE_SAME, &line->move);
    if (line->count == MOVES_PER_LINE) {
        end_ki2_line(line, out);
    }
    codec_append_padded((StrView){NULL, 0}, line->padding, out);
    strbuf_add(out, strbuf_view(&line->move));
    line->padding = int_max(MOVE_COLUMNS - utf8_columns(strbuf_view(&line->move)), 0);
    line->count++;
}

static void write_ki2_node(Ki2Line *line, const RecordCursor *cursor, int node, StrBuf *out) {
    const Record *record = cursor->record;
    const RecordNode *n = &record->nodes[node];
    if (n->ending != KMD_END_NONE) {
        if (n->foul.move != MOVE_NONE) {
            Color side =
                n->ending == KMD_END_ILLEGAL_LOSS ? cursor->pos.side : color_flip(cursor->pos.side);
            end_ki2_line(line, out);
            strbuf_add_str(out, word_mark(side));
            notation_append_origin_ja(n->foul, SQ_NONE, out);
            strbuf_add_byte(out, '\n');
        }
        end_ki2_line(line, out);
        kifhead_append_closing(record, node, 0, record_text(record, n->label), out);
        strbuf_add_byte(out, '\n');
    } else {
        write_ki2_move(line, cursor, n->move, out);
    }
    if (n->comment.len > 0 || n->label.len > 0 || n->remark.len > 0) {
        end_ki2_line(line, out);
        kifhead_write_remarks(record, node, out);
    }
}

static void write_ki2(const Record *record, StrBuf *out) {
    Ki2Line line = {.move = STRBUF_INIT};
    RecordCursor cursor;
    cursor_init(&cursor, record);
    kifhead_write(record, false, out);
    kifhead_write_remarks(record, KMD_ROOT, out);
    for (int node = record_next(record, KMD_ROOT); node != KMD_NODE_NONE;
         node = record_next(record, node)) {
        if (record_is_variation(record, node)) {
            end_ki2_line(&line, out);
            strbuf_addf(out, "\n変化：%d手\n", record->nodes[node].depth);
        }
        cursor_go(&cursor, record->nodes[node].parent);
        write_ki2_node(&line, &cursor, node, out);
    }
    end_ki2_line(&line, out);
    cursor_free(&cursor);
    strbuf_free(&line.move);
}

static LineLook look_like_ki2(StrView line) {
    StrView rest = line;
    return word_take_mark(&rest) != COLOR_NB ? LOOKS_TYPICAL : kifhead_look(line);
}

const Codec ki2_codec = {.format = {"ki2", "KI2", "ki2 ki2u",
                                    HOLDS_TREE | KMD_HOLDS_ENDINGS | KMD_HOLDS_BOOKMARKS |
                                        KMD_HOLDS_REMARKS | KMD_HOLDS_ILLEGAL,
                                    NULL},
                         .usual_encoding = TEXT_CP932,
                         .read = read_ki2,
                         .write = write_ki2,
                         .look = look_like_ki2,
                         .endings = ending_japanese,
                         .utf8_extension = "ki2u"};
