/* kif.c: KIF has numbered moves with their times, and the variations after the main line; KI2 has
 * moves between side marks, several per line, without origins; BOD has only their head. */
#include "record/kif.h"

#include "base/utf8.h"
#include "record/diagram.h"
#include "record/handicap.h"
#include "record/notation.h"

/* The state of reading a text. All three formats have the same head: "key：value" lines, the
 * handicap, a diagram. */
typedef struct KifText {
    RecordReader *reader;
    StrView rest; /* the text after the current line */
    Diagram diagram;
    const Handicap *handicap; /* NULL if none is named */
    bool has_title;           /* the line above the moves of a KIF has been read */
    bool is_started;          /* the start position has been set */
    bool is_over;       /* a handicap has been read after that: moves below it are another game's */
    int first_number;   /* number of the first move; 0 before that move is read */
    int ahead;          /* by how much the numbers of the moves are ahead of the moves read */
    int line_start;     /* depth of the node at which the current line begins */
    bool has_variation; /* a variation has started */
    bool is_skipping;   /* the lines up to the next variation cannot be kept: the start of theirs
                           does not exist, or they follow a pass */
    bool has_foul; /* the last move was illegal, and the line that states the winner has not been
                      read yet */
    StrView stray; /* the first unknown line of the head, and its line number */
    int stray_line;
} KifText;

/* ---- closing lines --------------------------------------------------------------------------- */

static bool contains(StrView text, const char *word) {
    return sv_find(text, sv_from(word)) < text.len;
}

KmdEnding kif_ending_of_closing(StrView line, Color to_move) {
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

/* Appends the closing line for an ending, without LF. `before` is the number of moves before the
 * first one, and `words` those for KMD_END_OTHER. */
static void append_closing(const Record *record, int ending_node, int before, StrView words,
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

/* Handles lines that may occur anywhere: blank lines, # comments, * comments, & bookmarks. Returns
 * true if `line` was such a line. */
static bool read_kif_remark(RecordReader *reader, StrView line) {
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

/* Returns how typical a line is of KIF, KI2 or BOD, as part of a diagram or as a header. */
static LineLook look_like_head(StrView line) {
    static const char *const diagram[] = {"+---", "|", "先手の持", "後手の持"};
    for (size_t i = 0; i < COUNTOF(diagram); i++) {
        if (sv_starts_with(line, sv_from(diagram[i]))) {
            return LOOKS_SHARED;
        }
    }
    return line.ptr[0] == '#' || sv_find(line, SV("：")) < line.len ? LOOKS_POSSIBLE
                                                                    : LOOKS_FOREIGN;
}

/* Reads the next line of `rest` that is neither blank nor a comment, without leading spaces. */
static bool next_statement(StrView *rest, StrView *line) {
    while (sv_next_line(rest, line)) {
        word_skip_blanks(line);
        if (word_trim(*line).len > 0 && !sv_has_byte(SV("#*&"), line->ptr[0])) {
            return true;
        }
    }
    return false;
}

/* Reads the number of a line "変化：12手"; false for other lines. */
static bool read_variation_line(StrView line, int *number) {
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

/* Reads a move as notation_take_ja does. 同 in a first move means the square of the last move
 * before the start position, if a line below the diagram names it ("手数＝58 ▲７六歩(77) まで"). */
static Move take_kif_move(RecordReader *reader, StrView *text, const char **reason) {
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

/* Skips an unknown line with a note, because programs write many kinds of lines. read_kif_text may
 * still reject it. */
static void note_stray(KifText *text, StrView line) {
    reader_skip(text->reader, "an unknown line is ignored", line);
    if (text->stray_line == 0) {
        text->stray = line;
        text->stray_line = text->reader->line;
    }
}

/* A line of Kifu for Windows and ShogiGUI: the board is shown from white's side. */
#define FLIPPED SV("盤面回転")

/* Reads a line that is neither a move nor a remark: a line of the head, or an unknown line. A
 * header that follows the head does not replace an existing one, because it may belong to another
 * game. */
static bool read_head_line(KifText *text, StrView line) {
    RecordReader *reader = text->reader;
    const char *reason = NULL;
    Diagram late = DIAGRAM_INIT;
    DiagramLine kind = diagram_read_line(text->is_started ? &late : &text->diagram, line, &reason);
    if (kind != DIAGRAM_OTHER && text->is_started) {
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
    if (!split_header(line, !text->has_title && !text->is_started, &key, &value)) {
        note_stray(text, line);
        return true;
    }
    if (sv_equal(key, SV("手合割")) && text->is_started) {
        text->is_over = true;
        reader_skip(reader, "a handicap after the first move is ignored", line);
        return true;
    }
    if (sv_equal(key, SV("手合割"))) {
        text->handicap = handicap_by_name(value);
        if (text->handicap != NULL) {
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

/* Sets the start position from what has been read. Further calls do nothing. */
static bool start_kif_game(KifText *text) {
    RecordReader *reader = text->reader;
    if (text->is_started) {
        return true;
    }
    text->is_started = true;
    Setup start = text->handicap != NULL ? handicap_setup(text->handicap) : setup_start();
    if (text->diagram.rank_count > 0) {
        if (text->diagram.rank_count < RANK_NB) {
            return reader_fail(reader, "the diagram has fewer than nine ranks", (StrView){NULL, 0});
        }
        Color handicap_side = start.side;
        start = diagram_setup(&text->diagram);
        start.side = text->diagram.side_source != SIDE_UNKNOWN ? start.side : handicap_side;
        if (text->diagram.is_at_odds) {
            reader_note(reader, "the side to move and the last move contradict each other",
                        (StrView){NULL, 0});
        }
    } else if (handicap_is_other_game(record_header(reader->record, SV("手合割")))) {
        return reader_fail(reader, "another game, which is not supported",
                           record_header(reader->record, SV("手合割")));
    } else if (text->handicap == NULL &&
               names_handicap(record_header(reader->record, SV("手合割")))) {
        int line = reader->line;
        reader->line = 0; /* the line of the handicap is not known any more */
        reader_note(reader, "an unknown handicap without a diagram is read as an even game",
                    record_header(reader->record, SV("手合割")));
        reader->line = line;
    }
    return reader_start(reader, &start);
}

/* Goes to the start of the variation with that number. If it does not exist, its lines are skipped.
 */
static bool start_variation(KifText *text, int number, StrView line) {
    int first = text->first_number == 0 ? 1 : text->first_number;
    bool is_early = text->reader->record->node_count == 1;
    text->is_skipping = false;
    if (!start_kif_game(text)) {
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

/* Reads a closing line such as "まで80手で後手の勝ち", which repeats the ending or is the only line
 * that states it. A winner other than that of the ending gives a note. After a variation, it may be
 * the closing line of the main line. */
static bool read_closing(KifText *text, StrView line) {
    RecordReader *reader = text->reader;
    if (!start_kif_game(text)) {
        return false;
    }
    if (text->has_variation && closes_other_line(text, line)) {
        return true;
    }
    if (reader_at_ending(reader)) {
        check_winner(reader, line);
        return true;
    }
    KmdEnding ending = kif_ending_of_closing(line, reader->cursor.pos.side);
    if (ending != KMD_END_NONE) {
        return reader_end(reader, ending, (StrView){NULL, 0});
    }
    StrView label = closing_words(line);
    return label.len == 0 || reader_end(reader, KMD_END_OTHER, label);
}

/* Reads a whole text. Passes all lines except remarks to read_line. At the end, sets the start
 * position if no move has done so. A text without a move, a diagram or the line above the moves
 * must not contain unknown lines; otherwise it is in another format. */
static bool read_kif_text(KifText *text, bool (*read_line)(KifText *text, StrView line)) {
    RecordReader *reader = text->reader;
    StrView line;
    text->diagram = DIAGRAM_INIT;
    for (; sv_next_line(&text->rest, &line); reader->line++) {
        int number;
        StrView variation = line;
        word_skip_blanks(&variation);
        if (text->is_skipping && !read_variation_line(variation, &number)) {
            reader->record->skipped++;
        } else if (!read_kif_remark(reader, line) && !read_line(text, line)) {
            return false;
        }
    }
    if (text->stray_line > 0 && !text->has_title && text->diagram.rank_count == 0 &&
        record_main_length(reader->record) == 0) {
        reader->line = text->stray_line;
        return reader_fail(reader, "neither a move nor a header", text->stray);
    }
    reader->line = 0;
    return start_kif_game(text);
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

/* Appends the remarks of the head and the headers except the handicap and the header `without`. */
static void write_kif_headers(const Record *record, StrView without, StrBuf *out) {
    codec_append_remarks(record_text(record, record->head_remark), "#", out);
    for (int i = 0; i < record->header_count; i++) {
        StrView key = record_text(record, record->headers[i].key);
        if (!sv_equal(key, SV("手合割")) && !sv_equal(key, without)) {
            write_key_and_value(handicap_header_key(&record->start, key),
                                record_text(record, record->headers[i].value), out);
        }
    }
}

/* True if the game is written without a diagram: it starts from the usual position or from a
 * handicap that all programs know. */
static bool is_plain_start(const Record *record) {
    const Handicap *handicap = handicap_by_setup(&record->start);
    /* The name of another game is read only above a diagram. */
    return handicap != NULL && handicap->is_plain &&
           !handicap_is_other_game(record_header(record, SV("手合割")));
}

/* Appends the headers, and the handicap or the diagram. Unless the text has_numbers for its moves,
 * a header says with which number the game starts. */
static void write_head(const Record *record, bool has_numbers, StrBuf *out) {
    const Handicap *handicap = handicap_by_setup(&record->start);
    bool is_plain = is_plain_start(record);
    if (!has_numbers) {
        StrBuf number = STRBUF_INIT;
        codec_append_start_number(record, &number);
        if (number.len > 0) {
            write_key_and_value(START_NUMBER, strbuf_view(&number), out);
        }
        strbuf_free(&number);
    }
    write_kif_headers(record, (StrView){NULL, 0}, out);
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

/* Appends the comment and the bookmark of a node as lines. */
static void write_kif_remarks(const Record *record, int node, StrBuf *out) {
    const RecordNode *n = &record->nodes[node];
    codec_append_remarks(record_text(record, n->remark), "#", out);
    codec_append_prefixed_lines(record_text(record, n->comment), "*", out);
    if (n->ending != KMD_END_OTHER && n->label.len > 0) {
        strbuf_add_byte(out, '&');
        codec_append_one_line(record_text(record, n->label), out);
        strbuf_add_byte(out, '\n');
    }
}

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
    return next_statement(&rest, &line) && sv_starts_with(line, SV("まで"));
}

static bool read_kif_ending(KifText *state, StrView text) {
    StrView word = word_of_ending(text);
    KmdEnding ending = ending_read(ending_japanese, word);
    /* The word does not say who gave perpetual check: not the side that is in check. */
    if (ending == KMD_END_PERPETUAL_LOSS && pos_in_check(&state->reader->cursor.pos)) {
        ending = KMD_END_PERPETUAL_WIN;
    }
    if (ending == KMD_END_NONE && word_winner(word) != COLOR_NB) { /* as 先手反則負け */
        ending = kif_ending_of_closing(word, state->reader->cursor.pos.side);
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
    if (!next_statement(&rest, &line)) {
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
    Move move = take_kif_move(reader, &text, &reason);
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
    if (state->has_title || state->reader->record->node_count > 1) {
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
        note_stray(state, line);
        return true;
    }
    if (number < 0 || !start_kif_game(state)) {
        return reader_fail(reader, "the number of a move is too large", line);
    }
    /* Another game follows a handicap, or the numbers of its moves begin again. */
    int depth = reader->record->nodes[reader->cursor.node].depth;
    if (state->is_over || (number == state->first_number && depth - state->line_start >= 2)) {
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
    if (read_variation_line(text, &number)) {
        return start_variation(state, number, line);
    }
    if (sv_starts_with(text, SV("まで"))) {
        return read_closing(state, text);
    }
    if (sv_starts_with(text, SV("手数-"))) {
        return state->has_title = true;
    }
    if (sv_starts_with(text, SV("--"))) {
        return true;
    }
    if (is_move_without_number(text)) {
        return reader_fail(state->reader, "neither a move nor a header", line);
    }
    return read_head_line(state, line);
}

static bool read_kif(RecordReader *reader, StrView text) {
    KifText state = {.reader = reader, .rest = text};
    return read_kif_text(&state, read_kif_line);
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
    return has_moves && is_plain_start(record) ? record->start.ply - 1 : 0;
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
    append_closing(record, node, moves_before(record),
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
        write_kif_remarks(cursor->record, node, out);
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
    write_kif_remarks(cursor->record, node, out);
}

static void write_kif(const Record *record, StrBuf *out) {
    StrBuf scratch = STRBUF_INIT;
    RecordCursor cursor;
    int end = record_main_end(record);
    cursor_init(&cursor, record);
    write_head(record, moves_before(record) > 0, out);
    strbuf_add_str(out, "手数----指手---------消費時間--\n");
    write_kif_remarks(record, KMD_ROOT, out);
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
    return rest.len < line.len && (is_wide || is_apart) ? LOOKS_TYPICAL : look_like_head(line);
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
    bool is_closing =
        sv_starts_with(behind, SV("まで")) ||
        (behind.len == 0 && next_statement(&rest, &behind) && sv_starts_with(behind, SV("まで")));
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
        move = take_kif_move(reader, text, &reason);
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
    if (!start_kif_game(state)) {
        return false;
    }
    if (state->is_over) {
        return reader_fail(state->reader, "a move of a second game", text);
    }
    word_skip_blanks(&text);
    while (text.len > 0 && !state->is_skipping) {
        if (sv_starts_with(text, SV("まで"))) {
            return read_closing(state, text);
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
    if (read_variation_line(text, &number)) {
        return start_variation(state, number, line);
    }
    if (sv_starts_with(text, SV("まで"))) {
        return read_closing(state, text);
    }
    return read_head_line(state, line);
}

static bool read_ki2(RecordReader *reader, StrView text) {
    KifText state = {.reader = reader, .rest = text};
    return read_kif_text(&state, read_ki2_line);
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
        append_closing(record, node, 0, record_text(record, n->label), out);
        strbuf_add_byte(out, '\n');
    } else {
        write_ki2_move(line, cursor, n->move, out);
    }
    if (n->comment.len > 0 || n->label.len > 0 || n->remark.len > 0) {
        end_ki2_line(line, out);
        write_kif_remarks(record, node, out);
    }
}

static void write_ki2(const Record *record, StrBuf *out) {
    Ki2Line line = {.move = STRBUF_INIT};
    RecordCursor cursor;
    cursor_init(&cursor, record);
    write_head(record, false, out);
    write_kif_remarks(record, KMD_ROOT, out);
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
    return word_take_mark(&rest) != COLOR_NB ? LOOKS_TYPICAL : look_like_head(line);
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

/* ---- BOD ------------------------------------------------------------------------------------- */

static bool read_bod(RecordReader *reader, StrView text) {
    KifText state = {.reader = reader, .rest = text};
    return read_kif_text(&state, read_head_line) &&
           (state.diagram.rank_count > 0 || reader_fail(reader, "no diagram", (StrView){NULL, 0}));
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
    write_kif_headers(record, last_move(record).len > 0 ? START_NUMBER : (StrView){NULL, 0}, out);
    diagram_write(&setup, out);
    write_last_move(&cursor, end, out);
    write_kif_remarks(record, end, out);
    cursor_free(&cursor);
}

/* A rank of a diagram is typical of BOD, because other formats with diagrams also have moves. */
static LineLook look_like_bod(StrView line) {
    Diagram diagram = DIAGRAM_INIT;
    const char *reason;
    bool is_rank =
        line.ptr[0] == '|' && diagram_read_line(&diagram, line, &reason) == DIAGRAM_TAKEN;
    return is_rank ? LOOKS_TYPICAL : look_like_head(line);
}

const Codec bod_codec = {.format = {"bod", "BOD", "bod",
                                    KMD_HOLDS_HEADERS | KMD_HOLDS_COMMENTS | KMD_HOLDS_NUMBER,
                                    NULL},
                         .usual_encoding = TEXT_UTF8,
                         .read = read_bod,
                         .write = write_bod,
                         .look = look_like_bod};
