/* codec.c: plays the moves of a text on a position, adds them to the record, and stores the first
 * error and the first note; looks up words for endings; writes prefixed lines and padded text. */
#include "record/codec.h"

#include <string.h>

#include "base/utf8.h"
#include "rules/legality.h"
#include "rules/sfen.h"

void reader_init(RecordReader *reader, Record *record, KmdFault *error) {
    *error = (KmdFault){.reason = NULL};
    *reader = (RecordReader){.record = record, .error = error, .line = 1};
    cursor_init(&reader->cursor, record);
}

void reader_free(RecordReader *reader) {
    if (reader->error->reason == NULL && reader->record->note_count > 0) {
        *reader->error = reader->record->notes[0];
    }
    cursor_free(&reader->cursor);
}

/* Fills in an error or a note, unless there is one already. */
static void fill(const RecordReader *reader, const char *reason, StrView near, KmdFault *fault) {
    if (fault->reason != NULL) {
        return;
    }
    *fault = (KmdFault){.reason = reason, .line = reader->line};
    if (reader->record->node_count > 1) {
        fault->ply = reader->record->nodes[reader->cursor.node].depth + 1;
    }
    near = sv_trim(near); /* a message is one line */
    near = utf8_cut(sv_prefix(near, sv_find_byte(near, '\n')), sizeof(fault->near_text) - 1);
    if (near.len > 0) {
        memcpy(fault->near_text, near.ptr, near.len);
    }
}

bool reader_fail(RecordReader *reader, const char *reason, StrView near) {
    fill(reader, reason, near, reader->error);
    return false;
}

void reader_note(RecordReader *reader, const char *what, StrView near) {
    Record *record = reader->record;
    if (record->note_count < RECORD_MAX_NOTES) {
        KmdFault *note = &record->notes[record->note_count++];
        *note = (KmdFault){.reason = NULL};
        fill(reader, what, near, note);
    }
}

void reader_skip(RecordReader *reader, const char *what, StrView near) {
    reader->record->skipped++;
    reader_note(reader, what, near);
}

void reader_first_number(RecordReader *reader, int number) {
    enum { NUMBER_LIMIT = 1000000 }; /* of an SFEN */
    if (reader->record->start.ply == 1 && reader->record->node_count == 1 &&
        number <= NUMBER_LIMIT) {
        reader->record->start.ply = number;
        cursor_restart(&reader->cursor);
    }
}

bool reader_start_number(RecordReader *reader, StrView key, StrView value) {
    Setup *start = &reader->record->start;
    bool names_move;
    int number = sv_equal(key, START_NUMBER) ? codec_start_number(value, &names_move) : -1;
    if (number < 0) {
        return false;
    }
    reader_first_number(reader, 1 + number);
    return start->ply == 1 + number && !names_move;
}

void reader_header(RecordReader *reader, StrView key, StrView value) {
    if (reader_start_number(reader, key, value)) {
        return;
    }
    StrView old = record_header(reader->record, key);
    if (old.len == 0) {
        record_set_header(reader->record, key, value);
    } else if (value.len > 0 && !sv_equal(old, value)) {
        reader_skip(reader, "a second value of a header is ignored", value);
    }
}

bool reader_start(RecordReader *reader, const Setup *setup) {
    KmdError fault = setup_check(setup, NULL);
    if (fault != KMD_OK && !setup_is_playable(setup)) {
        return reader_fail(reader, sfen_error_text(fault), SV("start position"));
    }
    if (fault != KMD_OK) {
        reader_note(reader, sfen_error_text(fault), SV("start position"));
    }
    ASSERT(reader->record->node_count == 1);
    int number = reader->record->start.ply; /* other than 1 if a header has set it */
    reader->record->start = *setup;
    reader->record->start.ply = setup->ply > 1 ? setup->ply : number;
    cursor_restart(&reader->cursor);
    return true;
}

bool reader_start_sfen(RecordReader *reader, StrView text) {
    Setup setup = {.ply = 0};
    KmdError error = sfen_read_playable(text, &setup, NULL);
    return setup.ply > 0 ? reader_start(reader, &setup)
                         : reader_fail(reader, sfen_error_text(error), text);
}

bool reader_at_ending(const RecordReader *reader) {
    return reader->record->nodes[reader->cursor.node].ending != KMD_END_NONE;
}

bool reader_play(RecordReader *reader, Move move, StrView near) {
    if (reader_at_ending(reader)) {
        return reader_fail(reader, "a move after the end of its line", near);
    }
    KmdLegality legality = legality_of(&reader->cursor.pos, move);
    if (legality != KMD_LEGAL) {
        reader_fail(reader, legality_text(legality), near);
        reader->error->ply = reader->record->nodes[reader->cursor.node].depth + 1;
        return false;
    }
    int node = record_add_move(reader->record, reader->cursor.node, move);
    if (node == KMD_NODE_NONE) {
        return reader_fail(reader, "too many moves", near);
    }
    cursor_go(&reader->cursor, node);
    return true;
}

bool reader_pass(RecordReader *reader, StrView near) {
    Position *pos = &reader->cursor.pos;
    if (reader_at_ending(reader)) {
        return reader_fail(reader, "a move after the end of its line", near);
    }
    if (pos_in_check(pos)) {
        return reader_fail(reader, "a side in check cannot pass", near);
    }
    reader_skip(reader, "a pass: the game begins after it, and the moves before it are left out",
                near);
    pos_do_null(pos);
    Setup setup = pos_get(pos);
    record_restart(reader->record, &setup);
    cursor_restart(&reader->cursor);
    return true;
}

bool reader_end(RecordReader *reader, KmdEnding ending, StrView label) {
    if (reader_at_ending(reader)) {
        if (reader->record->nodes[reader->cursor.node].ending == ending) {
            reader_note(reader, "the ending is given twice", label);
            return true;
        }
        reader_skip(reader, "a second ending of the same line is ignored", label);
        return true;
    }
    int node = record_add_ending(reader->record, reader->cursor.node, ending);
    if (node == KMD_NODE_NONE) {
        return reader_fail(reader, "too many moves", label);
    }
    if (ending == KMD_END_OTHER) {
        record_set_label(reader->record, node, label);
    }
    cursor_go(&reader->cursor, node);
    return true;
}

bool reader_foul(RecordReader *reader, bool is_early, IllegalMove foul, StrView text) {
    KmdEnding ending = is_early ? KMD_END_ILLEGAL_WIN : KMD_END_ILLEGAL_LOSS;
    if (foul.move != MOVE_NONE) {
        KmdLegality legality = legality_of(&reader->cursor.pos, foul.move);
        reader_note(reader,
                    is_early ? "illegal move: the other side is to move" : legality_text(legality),
                    text);
    }
    bool is_good = reader_end(reader, ending, (StrView){NULL, 0});
    if (is_good && foul.move != MOVE_NONE) {
        reader->record->nodes[reader->cursor.node].foul = foul;
    } else if (is_good) {
        reader_comment(reader, text);
    }
    return is_good;
}

bool reader_go_back(RecordReader *reader, int depth) {
    const RecordNode *nodes = reader->record->nodes;
    int node = reader->cursor.node;
    if (nodes[node].ending != KMD_END_NONE) {
        node = nodes[node].parent;
    }
    if (nodes[node].depth < depth) {
        node = reader->record->node_count - 1;
        while (node > KMD_ROOT &&
               (nodes[node].depth != depth || nodes[node].ending != KMD_END_NONE)) {
            node--;
        }
    }
    while (node != KMD_ROOT && nodes[node].depth > depth) {
        node = nodes[node].parent;
    }
    if (nodes[node].depth != depth) {
        return false;
    }
    cursor_go(&reader->cursor, node);
    return true;
}

void reader_comment(RecordReader *reader, StrView line) {
    record_add_comment(reader->record, reader->cursor.node, line);
}

void reader_remark(RecordReader *reader, StrView line) {
    record_add_remark(reader->record, reader->cursor.node, line);
}

void reader_label(RecordReader *reader, StrView label) {
    int node = reader->cursor.node;
    if (reader->record->nodes[node].label.len == 0) {
        record_set_label(reader->record, node, label);
    } else {
        reader_skip(reader, "a second bookmark is ignored", label);
    }
}

void reader_time(RecordReader *reader, int64_t time_ms) {
    if (time_ms / 1000 > RECORD_MAX_TIME_S) {
        reader_skip(reader, "a time that is too long is ignored", (StrView){NULL, 0});
    } else if (reader->cursor.node != KMD_ROOT) {
        record_set_time(reader->record, reader->cursor.node, time_ms);
    } else {
        reader_skip(reader, "a time without a move is ignored", (StrView){NULL, 0});
    }
}

StrView reader_take_line(RecordReader *reader, StrView *text) {
    StrView line;
    for (; sv_next_line(text, &line); reader->line++) {
        if (!sv_is_remark(line)) {
            return line;
        }
    }
    return (StrView){NULL, 0};
}

bool reader_take_end(RecordReader *reader, StrView text) {
    reader->line++;
    StrView line = reader_take_line(reader, &text);
    return line.len == 0 || reader_fail(reader, "a second line", line);
}

/* ---- words for endings ----------------------------------------------------------------------- */

const EndingWord ending_japanese[] = {
    {"投了", KMD_END_RESIGN},
    {"中断", KMD_END_INTERRUPT},
    {"千日手", KMD_END_SENNICHITE},
    {"持将棋", KMD_END_IMPASSE},
    {"持将棋", KMD_END_DRAW},
    {"持将棋", KMD_END_MAX_MOVES},
    {"詰み", KMD_END_MATE},
    {"詰み", KMD_END_NO_MOVES},
    {"不詰", KMD_END_NO_MATE},
    {"切れ負け", KMD_END_TIMEOUT},
    {"反則負け", KMD_END_ILLEGAL_LOSS},
    {"反則負け", KMD_END_PERPETUAL_LOSS},
    {"反則勝ち", KMD_END_ILLEGAL_WIN},
    {"反則勝ち", KMD_END_PERPETUAL_WIN},
    {"入玉勝ち", KMD_END_DECLARATION},
    {"不戦勝", KMD_END_FORFEIT_WIN},
    {"不戦敗", KMD_END_FORFEIT_LOSS},
    {"トライ", KMD_END_TRY},
    {"待った", KMD_END_TAKE_BACK},
    {"エラー", KMD_END_ERROR},
    /* Other spellings, and the words used in closing lines. */
    {"詰", KMD_END_MATE},
    {"最大手数", KMD_END_MAX_MOVES},
    {"最大手数超過", KMD_END_MAX_MOVES},
    {"引き分け", KMD_END_DRAW},
    {"引分け", KMD_END_DRAW},
    {"時間切れ", KMD_END_TIMEOUT},
    {"入玉宣言", KMD_END_DECLARATION},
    {"宣言勝ち", KMD_END_DECLARATION},
    {"入玉宣言勝ち", KMD_END_DECLARATION},
    {"勝ち宣言", KMD_END_DECLARATION},
    {"宣言勝", KMD_END_DECLARATION},
    {"27点宣言勝ち", KMD_END_DECLARATION},
    {"引分", KMD_END_DRAW},
    {"時間切れ負け", KMD_END_TIMEOUT},
    {"時間切れ負", KMD_END_TIMEOUT},
    {"切れ負", KMD_END_TIMEOUT},
    {"Time-up", KMD_END_TIMEOUT},
    {"トライ!", KMD_END_TRY},
    {"反則", KMD_END_ILLEGAL_LOSS},
    {"反則手", KMD_END_ILLEGAL_LOSS},
    {"連続王手の千日手", KMD_END_PERPETUAL_LOSS},
    {"王手連続千日手", KMD_END_PERPETUAL_LOSS},
    {"反則負", KMD_END_ILLEGAL_LOSS},
    {"反則勝", KMD_END_ILLEGAL_WIN},
    {"不戦勝ち", KMD_END_FORFEIT_WIN},
    {"不戦敗け", KMD_END_FORFEIT_LOSS},
    {.word = NULL},
};

const char *ending_word(const EndingWord *words, KmdEnding ending) {
    for (; words->word != NULL; words++) {
        if (words->ending == ending) {
            return words->word;
        }
    }
    return "";
}

KmdEnding ending_read(const EndingWord *words, StrView word) {
    while (words->word != NULL && !sv_equal(word, sv_from(words->word))) {
        words++;
    }
    return words->word != NULL ? words->ending : KMD_END_NONE;
}

const char *ending_name(KmdEnding ending) {
    return ending_word(ending_japanese, ending);
}

/* ---- writing --------------------------------------------------------------------------------- */

GameLine codec_divide_by_line(StrView line) {
    return sv_is_remark(line) ? GAME_BREAK : GAME_WHOLE;
}

void codec_append_prefixed_lines(StrView text, const char *prefix, StrBuf *out) {
    StrView line;
    bool has_lines = text.len > 0; /* the last line may be empty */
    while (has_lines && sv_next_field(&text, '\n', &line)) {
        strbuf_add_str(out, prefix);
        strbuf_add(out, line);
        strbuf_add_byte(out, '\n');
    }
}

void codec_append_remarks(StrView remarks, const char *prefix, StrBuf *out) {
    StrView line;
    while (sv_next_line(&remarks, &line)) {
        strbuf_add_str(out, prefix);
        strbuf_add(out, line);
        strbuf_add_byte(out, '\n');
    }
}

void codec_append_one_line(StrView text, StrBuf *out) {
    for (size_t i = 0; i < text.len; i++) {
        bool is_break = text.ptr[i] == '\n' || text.ptr[i] == '\r';
        strbuf_add_byte(out, is_break ? ' ' : text.ptr[i]);
    }
}

void codec_append_padded(StrView text, int columns, StrBuf *out) {
    strbuf_add(out, text);
    for (int i = utf8_columns(text); i < columns; i++) {
        strbuf_add_byte(out, ' ');
    }
}

int codec_start_number(StrView value, bool *names_move) {
    value = word_trim(value);
    int number = word_take_any_number(&value, 999999);
    value = word_trim(value);
    *names_move = word_take_mark(&value) != COLOR_NB && sv_ends_with(value, SV("まで"));
    return *names_move || sv_equal(value, SV("まで")) ? number : -1;
}

void codec_append_start_number(const Record *record, StrBuf *out) {
    bool names_move;
    int said = codec_start_number(record_header(record, START_NUMBER), &names_move);
    if (record->start.ply > 1 && said != record->start.ply - 1) {
        strbuf_addf(out, "%d  まで", record->start.ply - 1);
    }
}
