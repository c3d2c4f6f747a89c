/* ki2.c: reads moves between side marks, several per line, and writes moves without origins. */
#include "record/ki2.h"

#include "base/utf8.h"
#include "record/codec.h"
#include "record/cursor.h"
#include "record/ending.h"
#include "record/kifhead.h"
#include "record/notation.h"
#include "record/reader.h"
#include "record/record.h"
#include "record/words.h"

/* True if the closing words, on this line or in the next statement, say that the move before them
 * was illegal. */
static bool is_foul_claimed(const KifText *state, StrView behind) {
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
    if (has_mark(move) || !is_foul_claimed(state, *text)) {
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
static bool read_move(KifText *state, StrView *text) {
    RecordReader *reader = state->reader;
    StrView near = *text;
    Color mark = word_take_mark(text);
    if (mark == COLOR_NB) {
        return reader_fail(reader, "a move without a side mark", near);
    }
    const char *reason = "a move of the wrong side";
    Move move = MOVE_NONE;
    if (mark == reader->cursor.pos.side) {
        word_skip_blanks(text);
        KmdEnding ending = take_ending(text);
        if (ending != KMD_END_NONE) {
            return reader_end(reader, ending, near);
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
static bool read_moves(KifText *state, StrView text) {
    if (!kifhead_finish(&state->head, state->reader)) {
        return false;
    }
    if (state->head.is_over) {
        return reader_fail(state->reader, "a move of a second game", text);
    }
    word_skip_blanks(&text);
    while (text.len > 0) {
        if (sv_starts_with(text, SV("まで"))) {
            return kifhead_read_closing(state, text);
        }
        if (!read_move(state, &text)) {
            return false;
        }
        word_skip_blanks(&text);
    }
    return true;
}

static bool read_line(KifText *state, StrView line) {
    int number;
    StrView text = line;
    word_skip_blanks(&text);
    StrView after_mark = text;
    if (word_take_mark(&after_mark) != COLOR_NB) {
        return read_moves(state, text);
    }
    if (kifhead_read_variation(text, &number)) {
        return kifhead_start_variation(state, number, line);
    }
    if (sv_starts_with(text, SV("まで"))) {
        return kifhead_read_closing(state, text);
    }
    return kifhead_read_other(state, line);
}

static bool read_record(RecordReader *reader, StrView text) {
    return kifhead_read_text(reader, text, read_line);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The state of writing a line. Moves are padded to columns, except the last one of a line. A
 * comment, a bookmark or a remark ends the line. */
typedef struct Ki2Line {
    StrBuf move;
    int count;   /* number of moves on the line so far */
    int padding; /* number of spaces to write before the next move */
} Ki2Line;

static void end_line(Ki2Line *line, StrBuf *out) {
    if (line->count > 0) {
        strbuf_add_byte(out, '\n');
    }
    line->count = 0;
    line->padding = 0;
}

static void write_move(Ki2Line *line, const RecordCursor *cursor, Move move, StrBuf *out) {
    enum { MOVES_PER_LINE = 6, MOVE_COLUMNS = 12 };
    strbuf_clear(&line->move);
    strbuf_add_str(&line->move, word_mark(cursor->pos.side));
    notation_append_ja(&cursor->pos, move, JA_WIDE_SAME, &line->move);
    if (line->count == MOVES_PER_LINE) {
        end_line(line, out);
    }
    codec_append_padded((StrView){NULL, 0}, line->padding, out);
    strbuf_add(out, strbuf_view(&line->move));
    line->padding = int_max(MOVE_COLUMNS - utf8_columns(strbuf_view(&line->move)), 0);
    line->count++;
}

static void write_node(Ki2Line *line, const RecordCursor *cursor, int node, StrBuf *out) {
    const Record *record = cursor->record;
    const RecordNode *n = &record->nodes[node];
    if (n->ending != KMD_END_NONE) {
        if (n->foul.move != MOVE_NONE) {
            Color side =
                n->ending == KMD_END_ILLEGAL_LOSS ? cursor->pos.side : color_flip(cursor->pos.side);
            end_line(line, out);
            strbuf_add_str(out, word_mark(side));
            notation_append_illegal_ja(n->foul, out);
            strbuf_add_byte(out, '\n');
        }
        end_line(line, out);
        ending_append_closing(record, node, 0, record_text(record, n->label), out);
        strbuf_add_byte(out, '\n');
    } else {
        write_move(line, cursor, n->move, out);
    }
    if (n->comment.len > 0 || n->label.len > 0 || n->remark.len > 0) {
        end_line(line, out);
        kifhead_write_remarks(record, node, out);
    }
}

static void write_record(const Record *record, StrBuf *out) {
    Ki2Line line = {.move = STRBUF_INIT};
    RecordCursor cursor;
    cursor_init(&cursor, record);
    kifhead_write(record, false, out);
    kifhead_write_remarks(record, KMD_ROOT, out);
    for (int node = record_next(record, KMD_ROOT); node != KMD_NODE_NONE;
         node = record_next(record, node)) {
        if (record_is_variation(record, node)) {
            end_line(&line, out);
            strbuf_addf(out, "\n変化：%d手\n", record->nodes[node].depth);
        }
        cursor_go(&cursor, record->nodes[node].parent);
        write_node(&line, &cursor, node, out);
    }
    end_line(&line, out);
    cursor_free(&cursor);
    strbuf_free(&line.move);
}

static LineLook look(StrView line) {
    StrView rest = line;
    return word_take_mark(&rest) != COLOR_NB ? LOOKS_TYPICAL : kifhead_look(line);
}

const Codec ki2_codec = {.format = {"ki2", "KI2", "ki2 ki2u",
                                    HOLDS_TREE | KMD_HOLDS_ENDINGS | KMD_HOLDS_BOOKMARKS |
                                        KMD_HOLDS_REMARKS | KMD_HOLDS_ILLEGAL,
                                    NULL},
                         .usual_encoding = TEXT_CP932,
                         .read = read_record,
                         .write = write_record,
                         .look = look,
                         .endings = ending_japanese,
                         .utf8_extension = "ki2u"};
