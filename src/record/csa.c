/* csa.c: reads a game statement by statement and writes versions 2.2 and 3.0. */
#include "record/csa.h"

#include "record/codec.h"
#include "record/handicap.h"
#include "record/notation.h"
#include "record/record.h"
#include "record/words.h"
#include "rules/movegen.h"

/* The state of reading a game. A line that begins with `'` is a comment for people and is kept as a
 * remark; one that begins with `'*` is for programs and belongs to the move before it. */
typedef struct CsaState {
    RecordReader *reader;
    Setup setup;
    bool has_position; /* a line of the start position has been read (none: even game) */
    bool is_started;   /* the line with the side to move has been read */
    bool is_over;      /* a line "/" or the version line of another game has been read */
    bool is_v3;        /* according to the version line */
    bool has_foul;     /* the last move was illegal; the statement about it has not been read */
    StrView behind;    /* the text after the current statement, and the lines below */
    StrView rest;
} CsaState;

static const char *const csa_codes[PIECE_TYPE_NB] = {"",   "FU", "KY", "KE", "GI", "KA", "HI", "KI",
                                                     "OU", "TO", "NY", "NK", "NG", "UM", "RY"};

const char *csa_piece(PieceType type) {
    return csa_codes[type];
}

PieceType csa_read_piece(StrView code) {
    for (int type = PAWN; type < PIECE_TYPE_NB; type++) {
        if (sv_equal(code, sv_from(csa_codes[type]))) {
            return (PieceType)type;
        }
    }
    return NO_PIECE_TYPE;
}

/* CSA's words for endings. A win by perpetual check is written as an illegal action of the other
 * side. */
const EndingWord csa_endings[] = {
    {"TORYO", KMD_END_RESIGN},
    {"CHUDAN", KMD_END_INTERRUPT},
    {"SENNICHITE", KMD_END_SENNICHITE},
    {"JISHOGI", KMD_END_IMPASSE},
    {"HIKIWAKE", KMD_END_DRAW},
    {"MAX_MOVES", KMD_END_MAX_MOVES},
    {"TSUMI", KMD_END_MATE},
    {"TSUMI", KMD_END_NO_MOVES},
    {"FUZUMI", KMD_END_NO_MATE},
    {"TIME_UP", KMD_END_TIMEOUT},
    {"ILLEGAL_MOVE", KMD_END_ILLEGAL_LOSS},
    {"ILLEGAL_MOVE", KMD_END_PERPETUAL_LOSS},
    {"ILLEGAL_ACTION", KMD_END_ILLEGAL_WIN},
    {"ILLEGAL_ACTION", KMD_END_PERPETUAL_WIN},
    {"KACHI", KMD_END_DECLARATION},
    {"MATTA", KMD_END_TAKE_BACK},
    {"ERROR", KMD_END_ERROR},
    {.word = NULL},
};

KmdEnding csa_read_ending(StrView word, Color side) {
    KmdEnding ending = ending_read(csa_endings, word);
    if (ending == KMD_END_NONE && sv_ends_with(word, SV("ILLEGAL_ACTION"))) {
        bool is_own = (word.ptr[0] == '+') == (side == BLACK);
        ending = is_own ? KMD_END_ILLEGAL_LOSS : KMD_END_ILLEGAL_WIN;
    }
    return ending;
}

void csa_append_ending(const Record *record, int node, StrBuf *out) {
    KmdEnding ending = record->nodes[node].ending;
    if (ending == KMD_END_ILLEGAL_WIN || ending == KMD_END_PERPETUAL_WIN) {
        strbuf_add_byte(out, record_side(record, node) == BLACK ? '-' : '+');
    }
    strbuf_add_str(out, ending_word(csa_endings, ending));
}

static const struct {
    const char *csa;
    const char *key;
} header_names[] = {
    {"EVENT", "棋戦"},        {"SITE", "場所"},    {"START_TIME", "開始日時"},
    {"END_TIME", "終了日時"}, {"OPENING", "戦型"}, {"TIME_LIMIT", "持ち時間"},
    {"NOTE", "備考"},
};

/* ---- the start position ---------------------------------------------------------------------- */

/* Reads a square from two digits; SQ_NONE for 00, -1 if there are no digits. */
static int take_csa_square(StrView *text) {
    if (text->len < 2) {
        return -1;
    }
    int file = text->ptr[0] - '0', rank = text->ptr[1] - '0';
    *text = sv_skip(*text, 2);
    if (file == 0 && rank == 0) {
        return SQ_NONE;
    }
    return file >= 1 && file <= 9 && rank >= 1 && rank <= 9 ? SQ(file, rank) : -1;
}

static PieceType take_type(StrView *text) {
    PieceType type = csa_read_piece(sv_prefix(*text, 2));
    *text = sv_skip(*text, 2);
    return type;
}

/* Reads PI82HI22KA: the even position without the named pieces. */
static bool read_removals(CsaState *state, StrView text, StrView line) {
    state->setup = setup_start();
    while (text.len > 0) {
        int sq = take_csa_square(&text);
        PieceType type = take_type(&text);
        if (sq < 0 || sq == SQ_NONE || type == NO_PIECE_TYPE ||
            piece_type(state->setup.board[sq]) != type) {
            return reader_fail(state->reader, "PI removes a piece that is not there", line);
        }
        state->setup.board[sq] = NO_PIECE;
    }
    return true;
}

/* Reads P1-KY-KE * ... without relying on the spaces between cells, because some files have too
 * few. */
static bool read_csa_rank(CsaState *state, int rank, StrView text, StrView line) {
    for (int file = FILE_NB - 1; file >= 0; file--) {
        Piece *cell = &state->setup.board[sq_make(file, rank)];
        *cell = NO_PIECE;
        word_skip_blanks(&text);
        if (word_take(&text, SV("*"))) {
            continue;
        }
        Color color = text.len > 0 && text.ptr[0] == '-' ? WHITE : BLACK;
        if (!word_take(&text, SV("+")) && !word_take(&text, SV("-"))) {
            return reader_fail(state->reader, "a rank of the board has fewer than nine cells",
                               line);
        }
        PieceType type = take_type(&text);
        if (type == NO_PIECE_TYPE) {
            return reader_fail(state->reader, "unknown piece", line);
        }
        *cell = piece_make(color, type);
    }
    return word_trim(text).len == 0 ||
           reader_fail(state->reader, "a rank of the board has more than nine cells", line);
}

static int hand_room(const Setup *setup, PieceType type) {
    return pt_total(type) - hand_count(setup->hand[BLACK], type) -
           hand_count(setup->hand[WHITE], type);
}

/* Reads P+00FU55KA: single pieces, where 00 is the hand, and 00AL is all that is nowhere else. */
static bool read_pieces(CsaState *state, Color color, StrView text, StrView line) {
    while (text.len > 0) {
        int sq = take_csa_square(&text);
        if (sq == SQ_NONE && word_take(&text, SV("AL"))) {
            setup_add_missing(&state->setup, color);
            continue;
        }
        PieceType type = take_type(&text);
        if (sq < 0 || type == NO_PIECE_TYPE || (sq == SQ_NONE && type > GOLD)) {
            return reader_fail(state->reader, "unknown piece or square", line);
        }
        if (sq != SQ_NONE) {
            state->setup.board[sq] = piece_make(color, type);
        } else if (hand_room(&state->setup, type) > 0) {
            state->setup.hand[color] = hand_add(state->setup.hand[color], type);
        } else {
            return reader_fail(state->reader, "more pieces of a kind than a set has", line);
        }
    }
    return true;
}

static bool read_position(CsaState *state, StrView line) {
    StrView text = sv_trim(sv_skip(line, 2));
    char kind = line.len > 1 ? line.ptr[1] : ' ';
    if (state->is_started) {
        return reader_fail(state->reader, "a start position after the first move", line);
    }
    state->has_position = true;
    if (kind == 'I') {
        return read_removals(state, text, line);
    }
    if (kind >= '1' && kind <= '9') {
        return read_csa_rank(state, kind - '1', text, line);
    }
    if (kind == '+' || kind == '-') {
        return read_pieces(state, kind == '+' ? BLACK : WHITE, text, line);
    }
    return reader_fail(state->reader, "unknown line of the start position", line);
}

static bool start_game(CsaState *state, Color side) {
    state->is_started = true;
    if (!state->has_position) {
        state->setup = setup_start();
    }
    state->setup.side = side;
    return reader_start(state->reader, &state->setup);
}

/* ---- moves and the rest ---------------------------------------------------------------------- */

/* True if the next statement, apart from times, says that this side has just made an illegal
 * move. */
static bool csa_claims_foul(const CsaState *state, Color side) {
    StrView text = state->rest, line = state->behind;
    do {
        line = sv_trim(line);
        while (line.len > 0 && line.ptr[0] != '\'') {
            size_t end = sv_find_byte(line, ',');
            StrView statement = sv_trim(sv_prefix(line, end));
            line = sv_trim(sv_skip(line, end + 1));
            if (statement.len > 0 && statement.ptr[0] != 'T') {
                return statement.ptr[0] == '%' &&
                       csa_read_ending(sv_skip(statement, 1), side) == KMD_END_ILLEGAL_LOSS;
            }
        }
    } while (sv_next_line(&text, &line));
    return false;
}

/* Reads a move such as 7776FU, which names the piece as it is after the move. It need not be legal;
 * the move is MOVE_NONE if the text does not name squares and a piece. */
static IllegalMove read_illegal(const Position *pos, StrView text) {
    IllegalMove illegal = {MOVE_NONE, NO_PIECE_TYPE};
    int from = take_csa_square(&text), to = take_csa_square(&text);
    PieceType type = take_type(&text);
    if (from < 0 || to < 0 || to == SQ_NONE || type == NO_PIECE_TYPE || text.len > 0 ||
        from == to || (from == SQ_NONE && type > GOLD)) {
        return illegal;
    }
    PieceType moved = from == SQ_NONE ? NO_PIECE_TYPE : piece_type(pos_piece(pos, from));
    bool is_promotion =
        moved != NO_PIECE_TYPE && pt_can_promote(moved) && pt_promote(moved) == type;
    illegal.piece = is_promotion ? moved : type;
    illegal.move = from == SQ_NONE ? move_make_drop(type, to)
                   : is_promotion  ? move_make_promotion(from, to)
                                   : move_make(from, to);
    return illegal;
}

static bool read_csa_move(CsaState *state, StrView line) {
    RecordReader *reader = state->reader;
    Color side = line.ptr[0] == '+' ? BLACK : WHITE;
    if (line.len == 1) {
        if (!state->is_started) {
            return start_game(state, side);
        }
        reader_skip(reader, "a second line of the side to move is ignored", line);
        return true;
    }
    if (!state->is_started && !start_game(state, side)) {
        return false;
    }
    const Position *pos = &reader->cursor.pos;
    IllegalMove named = read_illegal(pos, sv_skip(line, 1));
    bool is_move = named.move != MOVE_NONE;
    PieceType moved = is_move ? pos_moved_type(pos, named.move) : NO_PIECE_TYPE;
    const char *reason = pos->side != side ? "a move of the wrong side"
                         : !is_move        ? "not a move"
                         : moved != NO_PIECE_TYPE && moved != named.piece
                             ? "another piece is on the origin"
                             : NULL;
    if (reason == NULL ? reader_play(reader, named.move, line)
                       : reader_fail(reader, reason, line)) {
        return true;
    }
    if (reader_at_ending(reader) || !csa_claims_foul(state, side)) {
        return false;
    }
    *reader->error = (KmdFault){.reason = NULL};
    state->has_foul = true;
    return reader_foul(reader, side != pos->side, named, line);
}

static bool read_csa_ending(CsaState *state, StrView line) {
    StrView word = sv_skip(line, 1);
    if (state->has_foul) {
        state->has_foul = false;
        return true;
    }
    if (!state->is_started && !start_game(state, BLACK)) {
        return false;
    }
    KmdEnding ending = csa_read_ending(word, state->reader->cursor.pos.side);
    return reader_end(state->reader, ending == KMD_END_NONE ? KMD_END_OTHER : ending, word);
}

static bool read_csa_time(CsaState *state, StrView line) {
    double seconds;
    if (!sv_to_double(sv_skip(line, 1), 0, RECORD_MAX_TIME_S + 0.9999, &seconds)) {
        reader_skip(state->reader, "not a time: the line is ignored", line);
        return true;
    }
    reader_time(state->reader, (int64_t)(seconds * 1000 + 0.5));
    return true;
}

/* Converts $TIME:3600+60+0 of version 3 to 01:00+60 if that means the same. */
static bool read_time_control(CsaState *state, StrView value) {
    StrView main, byoyomi, increment;
    int main_s, byoyomi_s, increment_s;
    if (!sv_next_field(&value, '+', &main) || !sv_next_field(&value, '+', &byoyomi) ||
        !sv_next_field(&value, '+', &increment) || !sv_to_int(main, 0, 360000, &main_s) ||
        !sv_to_int(byoyomi, 0, 3600, &byoyomi_s) || !sv_to_int(increment, 0, 0, &increment_s) ||
        main_s % 60 != 0) {
        return false;
    }
    StrBuf text = STRBUF_INIT;
    strbuf_addf(&text, "%02d:%02d+%02d", main_s / 3600, main_s / 60 % 60, byoyomi_s);
    reader_header(state->reader, SV("持ち時間"), strbuf_view(&text));
    strbuf_free(&text);
    return true;
}

/* Reads a note of version 3, in which a line break is written as "\n" and a backslash as "\\". */
static void read_note(CsaState *state, StrView text) {
    StrBuf note = STRBUF_INIT;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        char next = i + 1 < text.len ? text.ptr[i + 1] : 0;
        if (c == '\\' && (next == 'n' || next == '\\')) {
            c = next == 'n' ? '\n' : '\\';
            i++;
        }
        strbuf_add_byte(&note, c);
    }
    reader_header(state->reader, SV("備考"), strbuf_view(&note));
    strbuf_free(&note);
}

static bool read_csa_header(CsaState *state, StrView line) {
    size_t colon = sv_find_byte(line, ':');
    StrView name = sv_prefix(line, colon), value = sv_trim(sv_skip(line, colon + 1));
    if (sv_equal(name, SV("$TIME")) && read_time_control(state, value)) {
        return true;
    }
    if (state->is_v3 && sv_equal(name, SV("$NOTE"))) {
        read_note(state, value);
        return true;
    }
    int known = SV_INDEX(sv_skip(name, 1), header_names, csa);
    reader_header(state->reader, known >= 0 ? sv_from(header_names[known].key) : name, value);
    return true;
}

static bool read_statement(CsaState *state, StrView line) {
    switch (line.ptr[0]) {
    case '+':
    case '-':
        return read_csa_move(state, line);
    case '%':
        return read_csa_ending(state, line);
    case 'T':
        return read_csa_time(state, line);
    case 'P':
        return read_position(state, line);
    case 'V':
        state->is_over = state->is_started;
        state->is_v3 = sv_starts_with(line, SV("V3"));
        return true;
    case '$':
        return read_csa_header(state, line);
    case '/':
        state->is_over = true;
        return true;
    default:
        break;
    }
    if (sv_starts_with(line, SV("N+")) || sv_starts_with(line, SV("N-"))) {
        reader_header(state->reader, line.ptr[1] == '+' ? SV("先手") : SV("後手"),
                      sv_trim(sv_skip(line, 2)));
        return true;
    }
    reader_skip(state->reader, "an unknown line is ignored", line);
    return true;
}

/* Reads shogi-server's summary of a game, "summary:time up:NAME lose:NAME win" with black first. It
 * writes no statement for the endings that it judges itself, and %KACHI also for a declaration that
 * it rejects. */
static bool read_summary(CsaState *state, StrView text) {
    static const EndingWord words[] = {
        {"toryo", KMD_END_RESIGN},
        {"time up", KMD_END_TIMEOUT},
        {"sennichite", KMD_END_SENNICHITE},
        {"max_moves", KMD_END_MAX_MOVES},
        {"kachi", KMD_END_DECLARATION},
        {"oute_sennichite", KMD_END_PERPETUAL_LOSS},
        {"illegal move", KMD_END_ILLEGAL_LOSS},
        {"illegal kachi", KMD_END_ILLEGAL_LOSS},
        {"uchifuzume", KMD_END_ILLEGAL_LOSS},
        {"oute_kaihimore", KMD_END_ILLEGAL_LOSS},
        {"abnormal", KMD_END_INTERRUPT},
        {.word = NULL},
    };
    RecordReader *reader = state->reader;
    RecordNode *node = &reader->record->nodes[reader->cursor.node];
    StrView how, black;
    (void)sv_next_field(&text, ':', &how);
    (void)sv_next_field(&text, ':', &black);
    KmdEnding ending = ending_read(words, how);
    if (node->ending == KMD_END_DECLARATION && sv_equal(how, SV("illegal kachi"))) {
        node->ending = ending;
    }
    Color to_move = reader->cursor.pos.side;
    Color winner = sv_ends_with(black, SV(" win"))    ? BLACK
                   : sv_ends_with(black, SV(" lose")) ? WHITE
                                                      : COLOR_NB;
    if (winner == to_move) {
        ending = ending == KMD_END_ILLEGAL_LOSS     ? KMD_END_ILLEGAL_WIN
                 : ending == KMD_END_PERPETUAL_LOSS ? KMD_END_PERPETUAL_WIN
                                                    : ending;
    }
    bool is_true = ending == KMD_END_INTERRUPT || record_winner_by(ending, to_move) == winner;
    if (ending == KMD_END_NONE || node->ending != KMD_END_NONE || !is_true) {
        return true; /* the line is kept as a remark */
    }
    return reader_end(reader, ending, (StrView){NULL, 0});
}

/* Reads a comment. The writer keeps headers for which CSA has no statement as 'KEY：VALUE above the
 * start position; such a line replaces the statement that says nearly the same. */
static bool read_comment(CsaState *state, StrView line) {
    StrView text = sv_skip(line, 1);
    size_t colon = sv_find(text, SV("："));
    StrView key = sv_prefix(text, colon);
    bool is_good = true;
    if (sv_starts_with(text, SV("*"))) {
        reader_comment(state->reader, sv_skip(text, 1));
    } else if (sv_starts_with(text, SV("CSA encoding="))) {
        return true;                                     /* not part of the record */
    } else if (sv_starts_with(text, SV("$END_TIME:"))) { /* shogi-server's */
        return read_csa_header(state, text);
    } else if (state->is_started) {
        if (sv_starts_with(text, SV("summary:"))) {
            is_good = read_summary(state, sv_skip(text, SV("summary:").len));
        }
        reader_remark(state->reader, text);
    } else if (colon < text.len && key.len > 0 && !sv_has_byte(key, ' ')) {
        StrView value = sv_skip(sv_trim(text), colon + SV("：").len);
        if (!reader_start_number(state->reader, key, value)) {
            record_set_header(state->reader->record, key, value);
        }
    } else {
        record_add_remark(state->reader->record, KMD_NODE_NONE, text);
    }
    return is_good;
}

/* Reads a line. Commas separate statements, except in comments, names and headers. A comment on a
 * line of its own keeps the spaces at its end. */
static bool read_csa_line(CsaState *state, StrView line) {
    StrView whole = line;
    line = sv_trim(line);
    if (sv_starts_with(line, SV("'"))) {
        while (sv_ends_with(whole, SV("\r"))) {
            whole = sv_prefix(whole, whole.len - 1);
        }
        return read_comment(state, sv_skip(whole, (size_t)(line.ptr - whole.ptr)));
    }
    bool is_list = line.len > 0 && sv_has_byte(SV("+-%TP"), line.ptr[0]);
    while (line.len > 0) {
        if (line.ptr[0] == '\'') {
            return read_comment(state, line);
        }
        size_t end = is_list ? sv_find_byte(line, ',') : line.len;
        StrView statement = sv_trim(sv_prefix(line, end));
        line = state->behind = sv_trim(sv_skip(line, end + 1));
        if (statement.len > 0 && !read_statement(state, statement)) {
            return false;
        }
    }
    return true;
}

static bool read_csa(RecordReader *reader, StrView text) {
    CsaState state = {.reader = reader, .setup = {.side = BLACK, .ply = 1}, .rest = text};
    StrView line;
    bool is_good = true;
    for (; is_good && !state.is_over && sv_next_line(&state.rest, &line); state.reader->line++) {
        is_good = read_csa_line(&state, line);
    }
    state.reader->line = 0;
    if (is_good && !state.is_started) {
        is_good = reader_fail(state.reader, "no line with the side to move", (StrView){NULL, 0});
    }
    return is_good;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Reads a time limit such as 15:00+60 in seconds. Returns false if the text has another form. */
static bool parse_time_limit(StrView text, int *main_s, int *byoyomi_s) {
    StrView hours, minutes;
    int h, m;
    if (!sv_next_field(&text, ':', &hours) || !sv_next_field(&text, '+', &minutes) ||
        !sv_to_int(hours, 0, 100, &h) || !sv_to_int(minutes, 0, 59, &m) ||
        !sv_to_int(text, 0, 3600, byoyomi_s)) {
        return false;
    }
    *main_s = (h * 60 + m) * 60;
    return true;
}

/* Writes a note; the reverse of read_note. */
static void write_note(StrView text, StrBuf *out) {
    strbuf_add_str(out, "$NOTE:");
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '\n' || c == '\\') {
            strbuf_add_str(out, c == '\n' ? "\\n" : "\\\\");
        } else {
            strbuf_add_byte(out, c == '\r' ? ' ' : c);
        }
    }
    strbuf_add_byte(out, '\n');
}

/* Reads a date and a time in the forms that occur in KIF, such as 2023/1/5(木) 9:00, and appends
 * it as CSA's 2023/01/05 09:00:00 (or without the time). Returns false for other texts. */
static bool append_date(StrView text, StrBuf *out) {
    int year = word_take_number(&text, 9999);
    bool has_slash =
        word_take(&text, SV("/")) || word_take(&text, SV("-")) || word_take(&text, SV("年"));
    int month = has_slash ? word_take_number(&text, 12) : -1;
    has_slash =
        word_take(&text, SV("/")) || word_take(&text, SV("-")) || word_take(&text, SV("月"));
    int day = has_slash ? word_take_number(&text, 31) : -1;
    if (year < 1000 || month < 1 || day < 1) {
        return false;
    }
    word_take(&text, SV("日"));
    if (sv_starts_with(text, SV("(")) || sv_starts_with(text, SV("（"))) { /* the weekday */
        size_t end = sv_find_byte(text, ')');
        size_t wide_end = sv_find(text, SV("）"));
        text = end < text.len ? sv_skip(text, end + 1) : sv_skip(text, wide_end + SV("）").len);
    }
    word_skip_blanks(&text);
    word_take(&text, SV("T"));
    strbuf_addf(out, "%04d/%02d/%02d", year, month, day);
    int hour = word_take_number(&text, 23);
    int minute = hour >= 0 && word_take(&text, SV(":")) ? word_take_number(&text, 59) : -1;
    int second = minute >= 0 && word_take(&text, SV(":")) ? word_take_number(&text, 59) : 0;
    if (minute >= 0 && second >= 0) {
        strbuf_addf(out, " %02d:%02d:%02d", hour, minute, second);
    }
    return true;
}

/* Reads 1時間30分, 60分 or 30秒 in seconds, from the start of *text; -1 if it is no such time. */
static int take_span(StrView *text) {
    static const struct {
        const char *word;
        int seconds;
    } units[] = {{"時間", 3600}, {"分", 60}, {"秒", 1}};
    int total = -1;
    for (size_t i = 0; i < COUNTOF(units); i++) {
        StrView rest = *text;
        word_take(&rest, SV("各"));
        word_skip_blanks(&rest);
        int number = word_take_any_number(&rest, 9999);
        if (number >= 0 && word_take(&rest, sv_from(units[i].word))) {
            total = (total < 0 ? 0 : total) + number * units[i].seconds;
            *text = rest;
        }
    }
    return total;
}

/* Removes blanks and words that say nothing about the length of a time from the start of the text.
 */
static void skip_time_words(StrView *text) {
    static const char *const words[] = {"各",
                                        "チェスクロック方式",
                                        "ストップウォッチ方式",
                                        "、",
                                        "+",
                                        "＋",
                                        "切れたら",
                                        "秒読み",
                                        "1手",
                                        "１手"};
    bool is_found = true;
    while (is_found) {
        word_skip_blanks(text);
        is_found = false;
        for (size_t i = 0; i < COUNTOF(words) && !is_found; i++) {
            is_found = word_take(text, sv_from(words[i]));
        }
    }
}

/* Reads the time limit of a game from its headers 持ち時間 and 秒読み; false if they are not
 * understood. The first header may contain both times, as in 1時間、切れたら1手30秒. */
static bool find_time_limit(const Record *record, int *main_s, int *byoyomi_s) {
    StrView main = word_trim(record_header(record, SV("持ち時間")));
    StrView byoyomi = word_trim(record_header(record, SV("秒読み")));
    *main_s = *byoyomi_s = 0;
    if (main.len > 0 && parse_time_limit(main, main_s, byoyomi_s)) {
        skip_time_words(&byoyomi);
        return byoyomi.len == 0 ||
               (take_span(&byoyomi) == *byoyomi_s && word_trim(byoyomi).len == 0);
    }
    if (main.len > 0) {
        skip_time_words(&main);
        *main_s = take_span(&main);
        bool has_none = word_take(&main, SV("切れ負け")) || word_take(&main, SV("（切れ負け）"));
        main = word_trim(main);
        if (has_none + (main.len > 0) + (byoyomi.len > 0) > 1) {
            return false;
        }
        byoyomi = main.len > 0 ? main : byoyomi;
    }
    if (byoyomi.len > 0) {
        skip_time_words(&byoyomi);
        *byoyomi_s = take_span(&byoyomi);
    }
    return *main_s >= 0 && *byoyomi_s >= 0 && word_trim(byoyomi).len == 0 &&
           *main_s + *byoyomi_s > 0 && *main_s % 60 == 0;
}

/* Writes the time limit as a statement. Returns false if the header must also be written as a
 * comment, because the statement does not contain all of its text. */
static bool write_time_limit(const Record *record, bool is_v3, StrBuf *out) {
    int main_s, byoyomi_s;
    if (!find_time_limit(record, &main_s, &byoyomi_s)) {
        return false;
    }
    if (is_v3) {
        strbuf_addf(out, "$TIME:%d+%d+0\n", main_s, byoyomi_s);
    } else {
        strbuf_addf(out, "$TIME_LIMIT:%02d:%02d+%02d\n", main_s / 3600, main_s / 60 % 60,
                    byoyomi_s);
    }
    return parse_time_limit(record_header(record, SV("持ち時間")), &main_s, &byoyomi_s);
}

static void write_comment_header(StrView key, StrView value, StrBuf *out) {
    strbuf_add_byte(out, '\'');
    codec_append_one_line(key, out);
    strbuf_add_str(out, "：");
    codec_append_one_line(value, out);
    strbuf_add_byte(out, '\n');
}

/* True for text without Japanese, as CSA files have it. */
static bool is_ascii_text(StrView text) {
    size_t i = 0;
    while (i < text.len && (unsigned char)text.ptr[i] < 0x80) {
        i++;
    }
    return i == text.len;
}

/* Writes a date as a statement. Text in ASCII that is no date, such as a time alone, was read from
 * a CSA file, so it is written unchanged. Returns false if the statement does not hold the whole
 * value; the caller then adds a comment. */
static bool write_date(StrView key, StrView value, StrBuf *out) {
    int known = SV_INDEX(key, header_names, key);
    StrBuf date = STRBUF_INIT;
    bool is_date = append_date(value, &date);
    if (!is_date && is_ascii_text(value)) {
        is_date = true;
        codec_append_one_line(value, &date);
    }
    if (is_date) {
        strbuf_addf(out, "$%s:%s\n", header_names[known].csa, date.len > 0 ? date.ptr : "");
    }
    bool is_same = is_date && sv_equal(strbuf_view(&date), value);
    strbuf_free(&date);
    return is_same;
}

static void write_csa_header(StrView key, StrView value, bool is_v3, StrBuf *out) {
    bool is_date = sv_equal(key, SV("開始日時")) || sv_equal(key, SV("終了日時"));
    if (is_v3 && sv_equal(key, SV("備考"))) {
        write_note(value, out);
        return;
    }
    if (is_date) {
        if (!write_date(key, value, out)) {
            write_comment_header(key, value, out);
        }
        return;
    }
    int known = SV_INDEX(key, header_names, key);
    bool is_other_limit = sv_equal(key, SV("持ち時間")) && (is_v3 || !is_ascii_text(value));
    known = sv_equal(key, SV("備考")) || is_other_limit ? -1 : known;
    if (sv_equal(key, SV("先手")) || sv_equal(key, SV("後手"))) {
        strbuf_add_str(out, sv_equal(key, SV("先手")) ? "N+" : "N-");
    } else if (known >= 0) {
        strbuf_addf(out, "$%s:", header_names[known].csa);
    } else if (sv_starts_with(key, SV("$"))) {
        codec_append_one_line(key, out);
        strbuf_add_byte(out, ':');
    } else {
        write_comment_header(key, value, out);
        return;
    }
    codec_append_one_line(value, out);
    strbuf_add_byte(out, '\n');
}

/* Writes the players first, whatever keys the record has for them. */
static void write_csa_headers(const Record *record, bool is_v3, StrBuf *out) {
    for (Color color = BLACK; color <= WHITE; color++) {
        StrView name = record_player(record, color);
        if (name.len > 0) {
            write_csa_header(color == BLACK ? SV("先手") : SV("後手"), name, is_v3, out);
        }
    }
    StrBuf number = STRBUF_INIT;
    codec_append_start_number(record, &number);
    if (number.len > 0) {
        write_comment_header(START_NUMBER, strbuf_view(&number), out);
    }
    strbuf_free(&number);
    StrView limit_key =
        record_header(record, SV("持ち時間")).len > 0 ? SV("持ち時間") : SV("秒読み");
    for (int i = 0; i < record->header_count; i++) {
        StrView key = record_text(record, record->headers[i].key);
        bool is_written = sv_equal(key, SV("先手")) || sv_equal(key, SV("後手")) ||
                          (sv_equal(key, limit_key) && write_time_limit(record, is_v3, out));
        if (!is_written) {
            write_csa_header(key, record_text(record, record->headers[i].value), is_v3, out);
        }
    }
}

static void write_csa_hand(const Setup *setup, Color color, StrBuf *out) {
    strbuf_add_str(out, color == BLACK ? "P+" : "P-");
    for (int type = GOLD; type >= PAWN; type--) {
        for (int i = hand_count(setup->hand[color], (PieceType)type); i > 0; i--) {
            strbuf_addf(out, "00%s", csa_piece((PieceType)type));
        }
    }
    strbuf_add_byte(out, '\n');
}

static void write_setup(const Setup *setup, StrBuf *out) {
    const Handicap *handicap = handicap_by_setup(setup);
    if (handicap != NULL && handicap->is_plain) {
        strbuf_addf(out, "PI%s\n", handicap->removed);
    } else {
        for (int rank = 0; rank < RANK_NB; rank++) {
            strbuf_addf(out, "P%d", rank + 1);
            for (int file = FILE_NB - 1; file >= 0; file--) {
                Piece piece = setup->board[sq_make(file, rank)];
                char sign = piece_color(piece) == BLACK ? '+' : '-';
                strbuf_addf(out, "%c%s", piece == NO_PIECE ? ' ' : sign,
                            piece == NO_PIECE ? "* " : csa_piece(piece_type(piece)));
            }
            strbuf_add_byte(out, '\n');
        }
        write_csa_hand(setup, BLACK, out);
        write_csa_hand(setup, WHITE, out);
    }
    strbuf_add_str(out, setup->side == BLACK ? "+\n" : "-\n");
}

/* Appends a move that need not be legal. */
static void append_csa_move(IllegalMove move, Color side, StrBuf *out) {
    bool is_promotion = move_is_promotion(move.move) && pt_can_promote(move.piece);
    strbuf_add_byte(out, side == BLACK ? '+' : '-');
    if (move_is_drop(move.move)) {
        strbuf_add_str(out, "00");
    } else {
        notation_append_square(move_from(move.move), out);
    }
    notation_append_square(move_to(move.move), out);
    strbuf_add_str(out, csa_piece(is_promotion ? pt_promote(move.piece) : move.piece));
}

void csa_append_move(const Position *pos, Move move, StrBuf *out) {
    append_csa_move((IllegalMove){move, pos_moved_type(pos, move)}, pos->side, out);
}

Move csa_find_move(const Position *pos, StrView text) {
    Move list[MAX_MOVES], found = MOVE_NONE;
    int count = gen_moves(pos, GEN_LEGAL, list);
    StrBuf csa = STRBUF_INIT;
    for (int i = 0; i < count && found == MOVE_NONE; i++) {
        strbuf_clear(&csa);
        csa_append_move(pos, list[i], &csa);
        found = sv_equal(text, strbuf_view(&csa)) ? list[i] : MOVE_NONE;
    }
    strbuf_free(&csa);
    return found;
}

static bool is_csa_word(StrView label) {
    for (size_t i = 0; i < label.len; i++) {
        if ((label.ptr[i] < 'A' || label.ptr[i] > 'Z') && label.ptr[i] != '_') {
            return false;
        }
    }
    return label.len > 0;
}

/* The Japanese word of an ending for which CSA has no word; empty if CSA has one. */
static StrView lacking_word(const Record *record, const RecordNode *node) {
    StrView none = {NULL, 0};
    StrView label = record_text(record, node->label);
    const char *word = ending_word(csa_endings, node->ending);
    if (node->ending == KMD_END_OTHER) {
        return is_csa_word(label) ? none : label;
    }
    return word[0] != 0 ? none : sv_from(ending_name(node->ending));
}

/* Writes an ending. If CSA has no word for it, writes that the game was interrupted, with the
 * ending's word in a comment. */
static void write_ending(const Record *record, int node, StrBuf *out) {
    KmdEnding ending = record->nodes[node].ending;
    StrView label = record_text(record, record->nodes[node].label);
    strbuf_add_byte(out, '%');
    if (record->nodes[node].foul.move != MOVE_NONE) {
        strbuf_add_str(out, "ILLEGAL_MOVE");
    } else if (ending == KMD_END_OTHER && is_csa_word(label)) {
        strbuf_add(out, label);
    } else if (ending_word(csa_endings, ending)[0] == 0) {
        strbuf_add_str(out, "CHUDAN");
    } else {
        csa_append_ending(record, node, out);
    }
    strbuf_add_byte(out, '\n');
}

/* Writes a time in whole seconds or, in version 3, with a fraction without trailing zeros. */
static void write_csa_time(int64_t time_ms, bool is_v3, StrBuf *out) {
    int fraction = (int)(time_ms % 1000);
    strbuf_add_byte(out, 'T');
    strbuf_add_i64(out, time_ms / 1000);
    if (is_v3 && fraction != 0) {
        strbuf_addf(out, ".%03d", fraction);
        while (out->ptr[out->len - 1] == '0') {
            out->ptr[--out->len] = 0;
        }
    }
    strbuf_add_byte(out, '\n');
}

static void write_csa(const Record *record, bool is_v3, StrBuf *out) {
    write_csa_headers(record, is_v3, out);
    codec_append_remarks(record_text(record, record->head_remark), "'", out);
    write_setup(&record->start, out);
    codec_append_prefixed_lines(record_text(record, record->nodes[KMD_ROOT].comment), "'*", out);
    codec_append_remarks(record_text(record, record->nodes[KMD_ROOT].remark), "'", out);
    RecordCursor cursor;
    cursor_init(&cursor, record);
    int node = record->nodes[KMD_ROOT].child;
    for (; node != KMD_NODE_NONE; node = record->nodes[node].child) {
        const RecordNode *n = &record->nodes[node];
        if (n->foul.move != MOVE_NONE) {
            Color side = cursor.pos.side;
            append_csa_move(n->foul, n->ending == KMD_END_ILLEGAL_LOSS ? side : color_flip(side),
                            out);
            strbuf_add_byte(out, '\n');
        }
        if (n->ending != KMD_END_NONE) {
            write_ending(record, node, out);
        } else {
            csa_append_move(&cursor.pos, n->move, out);
            strbuf_add_byte(out, '\n');
        }
        if (n->time_ms >= 0) {
            write_csa_time(n->time_ms, is_v3, out);
        }
        codec_append_prefixed_lines(lacking_word(record, n), "'*", out);
        codec_append_prefixed_lines(record_text(record, n->comment), "'*", out);
        codec_append_remarks(record_text(record, n->remark), "'", out);
        cursor_go(&cursor, node);
    }
    cursor_free(&cursor);
}

static void write_v2(const Record *record, StrBuf *out) {
    strbuf_add_str(out, "V2.2\n");
    write_csa(record, false, out);
}

static void write_v3(const Record *record, StrBuf *out) {
    strbuf_add_str(out, "V3.0\n");
    write_csa(record, true, out);
}

/* True for "$NAME:value" with a colon in ASCII. Files of other formats that keep a CSA header have
 * a wide colon in it and do not match. */
static bool is_header(StrView line) {
    size_t at = 1;
    while (at < line.len && (unsigned char)line.ptr[at] < 0x80 && line.ptr[at] != ':') {
        at++;
    }
    return line.len > 0 && line.ptr[0] == '$' && at < line.len && line.ptr[at] == ':';
}

static LineLook look_like_csa(StrView line) {
    static const char *const starts[] = {"V2", "V3", "N+", "N-", "PI", "P1",
                                         "P+", "P-", "'",  "%",  "+",  "-"};
    bool is_csa = is_header(line);
    for (size_t i = 0; i < COUNTOF(starts) && !is_csa; i++) {
        is_csa = sv_starts_with(line, sv_from(starts[i]));
    }
    return is_csa && !sv_starts_with(line, SV("+---")) ? LOOKS_TYPICAL : LOOKS_FOREIGN;
}

/* Divides a file into games. Some programs join files without a "/" between the games. */
static GameLine divide(StrView line) {
    if (line.len == 0) {
        return GAME_REMARK;
    }
    if (sv_equal(line, SV("/"))) {
        return GAME_BREAK;
    }
    if (sv_starts_with(line, SV("V2")) || sv_starts_with(line, SV("V3")) ||
        sv_starts_with(line, SV("'CSA encoding="))) {
        return GAME_START;
    }
    return sv_has_byte(SV("+-%"), line.ptr[0]) ? GAME_MOVE
           : line.ptr[0] == '\''               ? GAME_REMARK
                                               : GAME_TEXT;
}

static const Codec *version(StrView text) {
    StrView line;
    while (sv_next_line(&text, &line)) {
        if (sv_starts_with(line, SV("V"))) {
            return sv_starts_with(line, SV("V3")) ? &csa_v3_codec : &csa_codec;
        }
    }
    return NULL;
}

enum {
    CSA_HOLDS = HOLDS_GAME | KMD_HOLDS_TIMES | KMD_HOLDS_SOME_ENDINGS | KMD_HOLDS_REMARKS |
                KMD_HOLDS_ILLEGAL
};

#define ENCODING_LINES                                                                             \
    { [TEXT_UTF8] = "'CSA encoding=UTF-8", [TEXT_CP932] = "'CSA encoding=SHIFT_JIS" }

/* Both versions use the same reader. */
const Codec csa_codec = {.format = {"csa", "CSA V2.2", "csa", CSA_HOLDS, "/\n"},
                         .usual_encoding = TEXT_UTF8,
                         .read = read_csa,
                         .write = write_v2,
                         .look = look_like_csa,
                         .divide = divide,
                         .version = version,
                         .endings = csa_endings,
                         .encoding_lines = ENCODING_LINES,
                         .has_floodgate_comments = true};
const Codec csa_v3_codec = {
    .format = {"csa3", "CSA V3.0", "csa3 csa", CSA_HOLDS | KMD_HOLDS_FRACTIONS, "/\n"},
    .usual_encoding = TEXT_UTF8,
    .read = read_csa,
    .write = write_v3,
    .look = look_like_csa,
    .divide = divide,
    .version = version,
    .endings = csa_endings,
    .encoding_lines = ENCODING_LINES,
    .must_state_encoding = true,
    .has_floodgate_comments = true};
