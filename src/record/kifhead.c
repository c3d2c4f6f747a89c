/* kifhead.c: reads the lines before and between moves that are not moves themselves, and writes
 * headers; and BOD, which has no other lines. */
#include "record/kifhead.h"

#include "record/notation.h"

/* ---- closing lines --------------------------------------------------------------------------- */

static bool contains(StrView text, const char *word) {
    return sv_find(text, sv_from(word)) < text.len;
}

KmdEnding kifhead_ending_of_closing(StrView line, Color to_move) {
    static const EndingWord words[] = {
        {"時間切れ", KMD_END_TIMEOUT},
        {"切れ負け", KMD_END_TIMEOUT},
        {"切れ勝ち", KMD_END_TIMEOUT},
        {"入玉", KMD_END_DECLARATION},
        {"宣言", KMD_END_DECLARATION},
        {"千日手", KMD_END_SENNICHITE},
        {"持将棋", KMD_END_IMPASSE},
        {"最大手数", KMD_END_MAX_MOVES},
        {"中断", KMD_END_INTERRUPT},
        {"不詰", KMD_END_NO_MATE},
        {"歩詰", KMD_END_ILLEGAL_WIN}, /* 打ち歩詰め */
        {"詰", KMD_END_MATE},
        {"不戦勝", KMD_END_FORFEIT_WIN},
        {"不戦敗", KMD_END_FORFEIT_LOSS},
        {"トライ", KMD_END_TRY},
        {"引き分け", KMD_END_DRAW},
        {"引分", KMD_END_DRAW},
        {"待った", KMD_END_TAKE_BACK},
        {"エラー", KMD_END_ERROR},
        {"投了", KMD_END_RESIGN},
        {"反則勝", KMD_END_ILLEGAL_WIN},
        {"反則負", KMD_END_ILLEGAL_LOSS},
    };
    Color winner = word_winner(line);
    if (winner != COLOR_NB && (contains(line, "反則") || contains(line, "連続王手"))) {
        return winner == to_move ? KMD_END_ILLEGAL_WIN : KMD_END_ILLEGAL_LOSS;
    }
    for (size_t i = 0; i < COUNTOF(words); i++) {
        if (contains(line, words[i].word)) {
            bool is_so = winner == COLOR_NB || winner == record_winner_by(words[i].ending, to_move);
            return is_so ? words[i].ending : KMD_END_NONE;
        }
    }
    bool has_cause = contains(line, "により") || contains(line, "切") || contains(line, "判定");
    return winner == color_flip(to_move) && !has_cause ? KMD_END_RESIGN : KMD_END_NONE;
}

void kifhead_append_closing(const Record *record, int ending_node, int before, StrView words,
                            StrBuf *out) {
    const RecordNode *node = &record->nodes[ending_node];
    Color to_move = record_side(record, ending_node);
    const Setup *start = &record->start;
    const char *mover = handicap_side(start, to_move);
    const char *other = handicap_side(start, color_flip(to_move));
    bool has_foul = node->foul.move != MOVE_NONE && node->ending == KMD_END_ILLEGAL_LOSS;
    strbuf_addf(out, "まで%d手で", before + node->depth - !has_foul);
    switch (node->ending) {
    case KMD_END_RESIGN:
        strbuf_addf(out, "%sの勝ち", other);
        break;
    case KMD_END_TIMEOUT:
        strbuf_addf(out, "時間切れにより%sの勝ち", other);
        break;
    case KMD_END_ILLEGAL_LOSS:
    case KMD_END_PERPETUAL_LOSS:
        strbuf_addf(out, "%sの%s", has_foul ? other : mover,
                    ending_name(has_foul ? KMD_END_ILLEGAL_WIN : node->ending));
        break;
    case KMD_END_ILLEGAL_WIN:
    case KMD_END_PERPETUAL_WIN:
    case KMD_END_DECLARATION:
        strbuf_addf(out, "%sの%s", mover, ending_name(node->ending));
        break;
    case KMD_END_OTHER:
        strbuf_add(out, words);
        break;
    default:
        strbuf_add_str(out, ending_name(node->ending));
    }
}

/* ---- heads and texts ------------------------------------------------------------------------- */

bool kifhead_read_remark(RecordReader *reader, StrView line) {
    if (word_trim(line).len == 0 || sv_starts_with(line, SV("#KIF"))) {
        return true; /* the encoding is not part of the record */
    }
    if (line.ptr[0] == '#') {
        bool is_head = reader->record->node_count == 1;
        record_add_remark(reader->record, is_head ? KMD_NODE_NONE : reader->cursor.node,
                          sv_skip(line, 1));
        return true;
    }
    if (line.ptr[0] == '*') {
        reader_comment(reader, sv_skip(line, 1));
        return true;
    }
    if (line.ptr[0] == '&') {
        reader_label(reader, sv_skip(line, 1));
        return true;
    }
    return false;
}

LineLook kifhead_look(StrView line) {
    static const char *const diagram[] = {"+---", "|", "先手の持", "後手の持"};
    for (size_t i = 0; i < COUNTOF(diagram); i++) {
        if (sv_starts_with(line, sv_from(diagram[i]))) {
            return LOOKS_SHARED;
        }
    }
    return line.ptr[0] == '#' || sv_find(line, SV("：")) < line.len ? LOOKS_POSSIBLE
                                                                    : LOOKS_FOREIGN;
}

bool kifhead_next_statement(StrView *rest, StrView *line) {
    while (sv_next_line(rest, line)) {
        word_skip_blanks(line);
        if (word_trim(*line).len > 0 && !sv_has_byte(SV("#*&"), line->ptr[0])) {
            return true;
        }
    }
    return false;
}

bool kifhead_read_variation(StrView line, int *number) {
    if (!word_take(&line, SV("変化")) ||
        (!word_take(&line, SV("：")) && !word_take(&line, SV(":")))) {
        return false;
    }
    line = word_trim(line);
    *number = word_take_any_number(&line, RECORD_MAX_NODES);
    return *number >= 1;
}

/* True if no byte of the text is ASCII. */
static bool is_all_wide(StrView text) {
    for (size_t i = 0; i < text.len; i++) {
        if ((unsigned char)text.ptr[i] < 0x80) {
            return false;
        }
    }
    return true;
}

/* Splits "key：value". In the head, an ASCII colon counts only after Japanese text, because values
 * and stray lines often contain one. Below the head, it counts only if the key contains no ASCII at
 * all, because the times of moves contain colons. */
static bool split_header(StrView line, bool is_in_head, StrView *key, StrView *value) {
    size_t wide = sv_find(line, SV("：")), narrow = sv_find_byte(line, ':');
    if (wide < line.len && wide < narrow) {
        *key = word_trim(sv_prefix(line, wide));
        *value = word_trim(sv_skip(line, wide + SV("：").len));
        return key->len > 0;
    }
    *key = word_trim(sv_prefix(line, narrow));
    if (narrow == line.len || narrow == 0 || (unsigned char)line.ptr[0] < 0x80 ||
        (!is_in_head && !is_all_wide(*key))) {
        return false;
    }
    *value = word_trim(sv_skip(line, narrow + 1));
    return key->len > 0;
}

/* Keeps the text of "手数＝58  ▲７六歩(77)  まで" below a diagram, if there is more than a number.
 */
static void keep_last_move(RecordReader *reader, StrView line) {
    if (word_take(&line, SV("手数＝"))) {
        line = word_trim(line);
        StrView rest = line;
        word_take_any_number(&rest, 999999);
        if (rest.len > 0) {
            reader_header(reader, START_NUMBER, line);
        }
    }
}

/* The square of that move, as text; empty if no move was named. */
static StrView last_square(const Record *record) {
    StrView line = record_header(record, START_NUMBER);
    word_take_any_number(&line, 999999);
    line = word_trim(line);
    word_take_mark(&line);
    StrView rest = line;
    bool is_square = word_take_digit(&rest) != 0 && word_take_digit(&rest) != 0;
    return sv_prefix(line, is_square ? line.len - rest.len : 0);
}

Move kifhead_take_move(RecordReader *reader, StrView *text, const char **reason) {
    Move move = notation_take_ja(&reader->cursor.pos, text, reason);
    bool is_same = sv_starts_with(*text, SV("同")) || sv_starts_with(*text, SV("仝"));
    if (move != MOVE_NONE || !is_same || reader->cursor.node != KMD_ROOT) {
        return move;
    }
    StrView square = last_square(reader->record);
    if (square.len > 0) {
        StrBuf whole = STRBUF_INIT; /* both, as newspapers write it: ２四同歩 */
        strbuf_add(&whole, square);
        strbuf_add(&whole, *text);
        StrView rest = strbuf_view(&whole);
        move = notation_take_ja(&reader->cursor.pos, &rest, reason);
        *text = move != MOVE_NONE ? sv_skip(*text, text->len - rest.len) : *text;
        strbuf_free(&whole);
    }
    return move;
}

/* A line of Kifu for Windows and ShogiGUI: the board is shown from white's side. */
#define FLIPPED SV("盤面回転")

bool kifhead_read_line(KifHead *head, RecordReader *reader, StrView line, bool *taken) {
    const char *reason = NULL;
    Diagram late = DIAGRAM_INIT;
    DiagramLine kind = diagram_read_line(head->is_done ? &late : &head->diagram, line, &reason);
    *taken = true;
    if (kind != DIAGRAM_OTHER && head->is_done) {
        reader_skip(reader, "a diagram after the first move is ignored", line);
        return true;
    }
    if (kind == DIAGRAM_BAD) {
        return reader_fail(reader, reason, line);
    }
    if (kind == DIAGRAM_TAKEN) {
        keep_last_move(reader, line);
        return true;
    }
    StrView key, value;
    if (sv_equal(word_trim(line), FLIPPED)) {
        record_set_header(reader->record, FLIPPED, (StrView){NULL, 0});
        return true;
    }
    *taken = split_header(line, !head->has_title && !head->is_done, &key, &value);
    if (!*taken) {
        return true;
    }
    if (sv_equal(key, SV("手合割")) && head->is_done) {
        head->is_over = true;
        reader_skip(reader, "a handicap after the first move is ignored", line);
        return true;
    }
    if (sv_equal(key, SV("手合割"))) {
        head->handicap = handicap_by_name(value);
        if (head->handicap != NULL) {
            return true;
        }
    }
    if (record_header(reader->record, key).len == 0 && value.len == 0) {
        record_set_header(reader->record, key, value);
    }
    reader_header(reader, key, value);
    return true;
}

/* True for a handicap of which only the name is known. Read without a diagram, it starts from the
 * even position. */
static bool names_handicap(StrView name) {
    return name.len > 0 && handicap_by_name(name) == NULL;
}

bool kifhead_finish(KifHead *head, RecordReader *reader) {
    if (head->is_done) {
        return true;
    }
    head->is_done = true;
    Setup start = head->handicap != NULL ? handicap_setup(head->handicap) : setup_start();
    if (head->diagram.rank_count > 0) {
        if (head->diagram.rank_count < RANK_NB) {
            return reader_fail(reader, "the diagram has fewer than nine ranks", (StrView){NULL, 0});
        }
        Color handicap_side = start.side;
        start = diagram_setup(&head->diagram);
        start.side = head->diagram.side_source != SIDE_UNKNOWN ? start.side : handicap_side;
        if (head->diagram.is_at_odds) {
            reader_note(reader, "the side to move and the last move contradict each other",
                        (StrView){NULL, 0});
        }
    } else if (handicap_is_other_game(record_header(reader->record, SV("手合割")))) {
        return reader_fail(reader, "another game, which is not supported",
                           record_header(reader->record, SV("手合割")));
    } else if (head->handicap == NULL &&
               names_handicap(record_header(reader->record, SV("手合割")))) {
        int line = reader->line;
        reader->line = 0; /* the line of the handicap is not known any more */
        reader_note(reader, "an unknown handicap without a diagram is read as an even game",
                    record_header(reader->record, SV("手合割")));
        reader->line = line;
    }
    return reader_start(reader, &start);
}

void kifhead_note_stray(KifText *text, StrView line) {
    reader_skip(text->reader, "an unknown line is ignored", line);
    if (text->stray_line == 0) {
        text->stray = line;
        text->stray_line = text->reader->line;
    }
}

bool kifhead_start_variation(KifText *text, int number, StrView line) {
    int first = text->first_number == 0 ? 1 : text->first_number;
    bool is_early = text->reader->record->node_count == 1;
    text->is_skipping = false;
    if (!kifhead_finish(&text->head, text->reader)) {
        return false;
    }
    if (is_early) { /* some programs write such a line above the main line */
        reader_skip(text->reader, "a variation before the first move is read as the main line",
                    line);
        return true;
    }
    text->has_variation = true;
    if (!reader_go_back(text->reader, number - first)) {
        reader_skip(text->reader, "a variation of a move that does not exist is ignored", line);
        text->is_skipping = true;
    }
    text->line_start = text->reader->record->nodes[text->reader->cursor.node].depth;
    return true;
}

/* What a closing line says: the text after "まで12手で". */
static StrView closing_words(StrView line) {
    StrView words = sv_skip(line, sv_find(line, SV("手で")) + SV("手で").len);
    return word_trim(words.len > 0 ? words : sv_skip(line, SV("まで").len));
}

/* True if the words are no more than the winner: "先手の勝ち". */
static bool is_only_winner(StrView words) {
    return (word_take(&words, SV("先手")) || word_take(&words, SV("後手")) ||
            word_take(&words, SV("下手")) || word_take(&words, SV("上手"))) &&
           sv_equal(words, SV("の勝ち"));
}

/* Compares the winner that a closing line names with that of the ending above it. If the ending
 * does not say who won, as 中断 or 接続切れ, or which side made the illegal move, the line does. */
static void check_winner(RecordReader *reader, StrView line) {
    RecordNode *end = &reader->record->nodes[reader->cursor.node];
    StrView words = closing_words(line), label = record_text(reader->record, end->label);
    Color named = word_winner(words), to_move = reader->cursor.pos.side;
    Color winner = record_winner(reader->record, reader->cursor.node);
    bool is_foul = end->ending == KMD_END_ILLEGAL_LOSS || end->ending == KMD_END_ILLEGAL_WIN;
    if (named == COLOR_NB || (named == winner && end->ending != KMD_END_OTHER) ||
        sv_equal(words, label)) {
        return;
    }
    if (is_foul && end->foul.move == MOVE_NONE) {
        end->ending = named == to_move ? KMD_END_ILLEGAL_WIN : KMD_END_ILLEGAL_LOSS;
    } else if (winner != COLOR_NB && winner != named) {
        reader_skip(reader, "the closing line names another winner and is ignored", line);
    } else if (is_only_winner(words) && sv_find(label, SV("により")) == label.len) {
        StrBuf text = STRBUF_INIT;
        strbuf_add(&text, end->ending == KMD_END_OTHER ? label : sv_from(ending_name(end->ending)));
        strbuf_add_str(&text, "により");
        strbuf_add(&text, words);
        end->ending = KMD_END_OTHER;
        record_set_label(reader->record, reader->cursor.node, strbuf_view(&text));
        strbuf_free(&text);
    } else if (winner == COLOR_NB) {
        end->ending = KMD_END_OTHER;
        record_set_label(reader->record, reader->cursor.node, words);
    }
}

/* True if a closing line belongs to another line than the current one, because of its number of
 * moves. Some programs write that of the main line at the end of the file. */
static bool closes_other_line(KifText *text, StrView line) {
    RecordReader *reader = text->reader;
    const Record *record = reader->record;
    const RecordNode *node = &record->nodes[reader->cursor.node];
    bool is_main_ended = record->nodes[record_main_end(record)].ending != KMD_END_NONE;
    word_take(&line, SV("まで"));
    int moves =
        word_take_any_number(&line, RECORD_MAX_NODES) - (int_max(text->first_number, 1) - 1);
    if (moves < 0 || moves == node->depth - (node->ending != KMD_END_NONE)) {
        return false;
    }
    if (is_main_ended && moves == record_main_length(record)) {
        return true;
    }
    if (node->ending == KMD_END_NONE) {
        reader_skip(reader, "a closing line of another line is ignored", line);
    }
    return node->ending == KMD_END_NONE;
}

bool kifhead_read_closing(KifText *text, StrView line) {
    RecordReader *reader = text->reader;
    if (!kifhead_finish(&text->head, reader)) {
        return false;
    }
    if (text->has_variation && closes_other_line(text, line)) {
        return true;
    }
    if (reader_at_ending(reader)) {
        check_winner(reader, line);
        return true;
    }
    KmdEnding ending = kifhead_ending_of_closing(line, reader->cursor.pos.side);
    if (ending != KMD_END_NONE) {
        return reader_end(reader, ending, (StrView){NULL, 0});
    }
    StrView label = closing_words(line);
    return label.len == 0 || reader_end(reader, KMD_END_OTHER, label);
}

bool kifhead_read_other(KifText *text, StrView line) {
    bool is_head;
    if (!kifhead_read_line(&text->head, text->reader, line, &is_head)) {
        return false;
    }
    if (!is_head) {
        kifhead_note_stray(text, line);
    }
    return true;
}

bool kifhead_read_text(RecordReader *reader, StrView text,
                       bool (*read_line)(KifText *state, StrView line)) {
    KifText state = {.reader = reader, .head = KIFHEAD_INIT, .rest = text};
    StrView line;
    bool is_good = true;
    for (; is_good && sv_next_line(&state.rest, &line); state.reader->line++) {
        int number;
        StrView variation = line;
        word_skip_blanks(&variation);
        if (state.is_skipping && !kifhead_read_variation(variation, &number)) {
            state.reader->record->skipped++;
            continue;
        }
        is_good = kifhead_read_remark(state.reader, line) || read_line(&state, line);
    }
    /* A text with unknown lines alone is not in this format. */
    if (is_good && state.stray_line > 0 && !state.head.has_title &&
        state.head.diagram.rank_count == 0 && record_main_length(reader->record) == 0) {
        reader->line = state.stray_line;
        is_good = reader_fail(reader, "neither a move nor a header", state.stray);
    }
    state.reader->line = 0;
    is_good = is_good && kifhead_finish(&state.head, state.reader);
    return is_good;
}

/* True if a header with this key would be read as a header again. Keys from other formats may look
 * like a move, a comment or a part of the diagram, or contain a colon. */
static bool is_readable_key(StrView key) {
    static const char *const others[] = {"#", "*", "&", "-", "まで", "変化", "手数-"};
    Diagram diagram = DIAGRAM_INIT;
    const char *reason;
    StrBuf line = STRBUF_INIT;
    key = word_trim(key);
    codec_append_one_line(key, &line);
    strbuf_add_str(&line, "：");
    StrView text = strbuf_view(&line);
    StrView rest = text, key_read, value;
    bool is_other = !split_header(text, true, &key_read, &value) || str_is_digit(text.ptr[0]) ||
                    word_take_wide_number(&rest, RECORD_MAX_NODES) >= 0 ||
                    word_take_mark(&rest) != COLOR_NB ||
                    diagram_read_line(&diagram, text, &reason) != DIAGRAM_OTHER;
    for (size_t i = 0; i < COUNTOF(others); i++) {
        is_other |= sv_starts_with(text, sv_from(others[i]));
    }
    strbuf_free(&line);
    return !is_other;
}

/* Writes a header. If it would be read as something else, writes it as a comment for human readers
 * instead. */
static void write_key_and_value(StrView key, StrView value, StrBuf *out) {
    if (sv_equal(key, FLIPPED) && value.len == 0) {
        strbuf_add(out, key);
        strbuf_add_byte(out, '\n');
        return;
    }
    strbuf_add_str(out, is_readable_key(key) ? "" : "#");
    codec_append_one_line(word_trim(key), out);
    strbuf_add_str(out, "：");
    codec_append_one_line(value, out);
    strbuf_add_byte(out, '\n');
}

void kifhead_write_headers(const Record *record, StrView without, StrBuf *out) {
    codec_append_remarks(record_text(record, record->head_remark), "#", out);
    for (int i = 0; i < record->header_count; i++) {
        StrView key = record_text(record, record->headers[i].key);
        if (!sv_equal(key, SV("手合割")) && !sv_equal(key, without)) {
            write_key_and_value(handicap_header_key(&record->start, key),
                                record_text(record, record->headers[i].value), out);
        }
    }
}

bool kifhead_is_plain(const Record *record) {
    const Handicap *handicap = handicap_by_setup(&record->start);
    /* The name of another game is read only above a diagram. */
    return handicap != NULL && handicap->is_plain &&
           !handicap_is_other_game(record_header(record, SV("手合割")));
}

void kifhead_write(const Record *record, bool has_numbers, StrBuf *out) {
    const Handicap *handicap = handicap_by_setup(&record->start);
    bool is_plain = kifhead_is_plain(record);
    if (!has_numbers) {
        StrBuf number = STRBUF_INIT;
        codec_append_start_number(record, &number);
        if (number.len > 0) {
            write_key_and_value(START_NUMBER, strbuf_view(&number), out);
        }
        strbuf_free(&number);
    }
    kifhead_write_headers(record, (StrView){NULL, 0}, out);
    StrView name = record_header(record, SV("手合割"));
    if (is_plain && record->start.side == BLACK && names_handicap(name) &&
        !sv_equal(name, SV("その他"))) { /* その他 stands above any diagram */
        write_key_and_value(SV("手合割"), name, out);
        return;
    }
    if (is_plain) {
        strbuf_addf(out, "手合割：%s\n", handicap->name);
        return;
    }
    if (name.len > 0) {
        write_key_and_value(SV("手合割"), name, out);
    }
    diagram_write(&record->start, out);
}

void kifhead_write_remarks(const Record *record, int node, StrBuf *out) {
    const RecordNode *n = &record->nodes[node];
    codec_append_remarks(record_text(record, n->remark), "#", out);
    codec_append_prefixed_lines(record_text(record, n->comment), "*", out);
    if (n->ending != KMD_END_OTHER && n->label.len > 0) {
        strbuf_add_byte(out, '&');
        codec_append_one_line(record_text(record, n->label), out);
        strbuf_add_byte(out, '\n');
    }
}

/* ---- BOD ------------------------------------------------------------------------------------- */

static bool read_bod(RecordReader *reader, StrView text) {
    KifHead head = KIFHEAD_INIT;
    StrView line;
    bool is_good = true;
    for (; is_good && sv_next_line(&text, &line); reader->line++) {
        bool is_head = true;
        is_good =
            kifhead_read_remark(reader, line) || kifhead_read_line(&head, reader, line, &is_head);
        if (is_good && !is_head) {
            reader_skip(reader, "an unknown line is ignored", line);
        }
    }
    reader->line = 0;
    if (is_good && head.diagram.rank_count == 0) {
        is_good = reader_fail(reader, "no diagram", (StrView){NULL, 0});
    }
    is_good = is_good && kifhead_finish(&head, reader);
    return is_good;
}

/* The header in which the line below the diagram is kept; empty if that key has another meaning. */
static StrView last_move(const Record *record) {
    StrView value = record_header(record, START_NUMBER);
    bool names_move;
    return codec_start_number(value, &names_move) == record->start.ply - 1 ? value
                                                                           : (StrView){NULL, 0};
}

/* Writes the line below the diagram: the number of moves and the last move. */
static void write_last_move(RecordCursor *cursor, int node, StrBuf *out) {
    const Record *record = cursor->record;
    int moves = record_main_length(record);
    StrView kept = last_move(record);
    if (moves == 0 && kept.len > 0) {
        strbuf_add_str(out, "手数＝");
        strbuf_add(out, kept);
        strbuf_add_byte(out, '\n');
        return;
    }
    strbuf_addf(out, "手数＝%d  ", record->start.ply - 1 + moves);
    if (moves > 0) {
        int last = record->nodes[node].ending != KMD_END_NONE ? record->nodes[node].parent : node;
        cursor_go(cursor, record->nodes[last].parent);
        strbuf_add_str(out, word_mark(cursor->pos.side));
        notation_append_ja(&cursor->pos, record->nodes[last].move, JA_WIDE_SAME, out);
    }
    strbuf_add_str(out, "  まで\n");
}

static void write_bod(const Record *record, StrBuf *out) {
    RecordCursor cursor;
    cursor_init(&cursor, record);
    int end = record_main_end(record);
    cursor_go(&cursor, end);
    Setup setup = pos_get(&cursor.pos);
    kifhead_write_headers(record, last_move(record).len > 0 ? START_NUMBER : (StrView){NULL, 0},
                          out);
    diagram_write(&setup, out);
    write_last_move(&cursor, end, out);
    kifhead_write_remarks(record, end, out);
    cursor_free(&cursor);
}

/* A rank of a diagram is typical of BOD, because other formats with diagrams also have moves. */
static LineLook look_like_bod(StrView line) {
    Diagram diagram = DIAGRAM_INIT;
    const char *reason;
    bool is_rank =
        line.ptr[0] == '|' && diagram_read_line(&diagram, line, &reason) == DIAGRAM_TAKEN;
    return is_rank ? LOOKS_TYPICAL : kifhead_look(line);
}

const Codec bod_codec = {.format = {"bod", "BOD", "bod",
                                    KMD_HOLDS_HEADERS | KMD_HOLDS_COMMENTS | KMD_HOLDS_NUMBER,
                                    NULL},
                         .usual_encoding = TEXT_UTF8,
                         .read = read_bod,
                         .write = write_bod,
                         .look = look_like_bod};
