/* usimove.c: reads and writes moves, and plays the moves of a position command one by one,
 * reporting the first error. */
#include "rules/usimove.h"

#include "rules/legality.h"
#include "rules/sfen.h"

/* The square at text[0..1], or SQ_NONE. */
static Square read_usi_square(const char *text) {
    int file = text[0] - '1', rank = text[1] - 'a';
    bool is_square = file >= 0 && file < FILE_NB && rank >= 0 && rank < RANK_NB;
    return is_square ? sq_make(file, rank) : SQ_NONE;
}

Move usimove_read(StrView text) {
    if (sv_equal(text, SV("resign"))) {
        return MOVE_RESIGN;
    }
    if (sv_equal(text, SV("win"))) {
        return MOVE_WIN;
    }
    if (sv_equal(text, SV("pass")) || sv_equal(text, SV("null")) || sv_equal(text, SV("0000"))) {
        return MOVE_NULL;
    }
    if (text.len < 4 || text.len > 5) {
        return MOVE_NONE;
    }
    Square from = read_usi_square(text.ptr), to = read_usi_square(text.ptr + 2);
    if (text.ptr[1] == '*') { /* "P*5e": a piece that can be in hand, as an upper-case letter */
        bool is_upper = text.ptr[0] >= 'A' && text.ptr[0] <= 'Z';
        PieceType type = is_upper ? sfen_type(text.ptr[0]) : NO_PIECE_TYPE;
        bool is_drop = type != NO_PIECE_TYPE && type != KING && to != SQ_NONE && text.len == 4;
        return is_drop ? move_make_drop(type, to) : MOVE_NONE;
    }
    /* "8h2b" or "8h2b+". Equal squares are rejected, because they would look like a special move.
     */
    if (from == SQ_NONE || to == SQ_NONE || from == to || (text.len == 5 && text.ptr[4] != '+')) {
        return MOVE_NONE;
    }
    return text.len == 5 ? move_make_promotion(from, to) : move_make(from, to);
}

static char *write_usi_square(Square sq, char *out) {
    *out++ = (char)('1' + sq_file(sq));
    *out++ = (char)('a' + sq_rank(sq));
    return out;
}

const char *usimove_write(Move move, char out[USI_MOVE_SIZE]) {
    char *end = out;
    if (!move_is_real(move)) {
        const char *word = move == MOVE_RESIGN ? "resign"
                           : move == MOVE_WIN  ? "win"
                           : move == MOVE_NULL ? "pass"
                                               : "none";
        while (*word != '\0') {
            *end++ = *word++;
        }
    } else if (move_is_drop(move)) {
        *end++ = sfen_letter(move_drop_type(move));
        *end++ = '*';
        end = write_usi_square(move_to(move), end);
    } else {
        end = write_usi_square(move_from(move), end);
        end = write_usi_square(move_to(move), end);
        if (move_is_promotion(move)) {
            *end++ = '+';
        }
    }
    *end = '\0';
    return out;
}

void usimove_append(Move move, StrBuf *out) {
    char text[USI_MOVE_SIZE];
    strbuf_add_str(out, usimove_write(move, text));
}

void usimove_append_line(const Move *line, int len, StrBuf *out) {
    for (int i = 0; i < len; i++) {
        strbuf_add_byte(out, ' ');
        usimove_append(line[i], out);
    }
}

/* ---- positions ------------------------------------------------------------------------------- */

static bool fail_move(UsiFault *fault, const char *text, KmdError error, StrView word, int number) {
    *fault = (UsiFault){text, error, word, number, false};
    return false;
}

/* Splits the text at the word "moves". Without this word, `before` becomes the whole text. */
static void split_at_moves(StrView text, StrView *before, StrView *after) {
    Tokenizer tok = {text};
    StrView word;
    *before = text;
    *after = (StrView){NULL, 0};
    while (tok_next(&tok, &word)) {
        if (sv_equal(word, SV("moves"))) {
            *before = sv_prefix(text, (size_t)(word.ptr - text.ptr));
            *after = tok_rest(&tok);
            return;
        }
    }
}

bool usimove_is_ending(StrView word) {
    static const char *const endings[] = {"resign",   "win",     "draw",    "rep_draw", "rep_win",
                                          "rep_lose", "rep_sup", "rep_inf", "timeout",  "break"};
    return SV_INDEX_OF(word, endings) >= 0;
}

static bool play_moves(StrView moves, Position *pos, UsiFault *fault) {
    Tokenizer tok = {moves};
    StrView word;
    for (int number = 1; tok_next(&tok, &word); number++) {
        if (usimove_is_ending(word) && tok_peek(&tok).len == 0) {
            return true; /* a whole game, as ShogiGUI copies it */
        }
        Move move = usimove_read(word);
        if (move == MOVE_NULL && pos_in_check(pos)) {
            return fail_move(fault, "a side in check cannot pass", KMD_ERROR_ILLEGAL_MOVE, word,
                             number);
        }
        if (move == MOVE_NULL) {
            pos_do_null(pos);
            continue;
        }
        if (!move_is_real(move)) {
            return fail_move(fault, "not a move", KMD_ERROR_MOVE_TEXT, word, number);
        }
        KmdLegality legality = legality_of(pos, move);
        if (legality != KMD_LEGAL) {
            return fail_move(fault, legality_text(legality), KMD_ERROR_ILLEGAL_MOVE, word, number);
        }
        pos_do(pos, move);
    }
    return true;
}

bool usimove_position_playable(StrView text, Position *pos, UsiFault *note, UsiFault *fault) {
    StrView start, moves;
    Setup setup = {.ply = 0};
    split_at_moves(text, &start, &moves);
    Tokenizer tok = {start};
    StrView word;
    if (sv_equal(tok_peek(&tok), SV("position"))) {
        tok_next(&tok, &word);
    }
    if (sv_equal(tok_peek(&tok), SV("sfen"))) {
        tok_next(&tok, &word);
    }
    int column = 0;
    start = sv_trim(tok_rest(&tok));
    KmdError error = sfen_read_playable(start, &setup, &column);
    *note = *fault = (UsiFault){.text = NULL};
    if (error != KMD_OK) {
        UsiFault *what = setup.ply == 0 ? fault : note;
        *what = (UsiFault){sfen_error_text(error), error, sv_prefix(start, 0), column, false};
    }
    if (setup.ply == 0) {
        return false;
    }
    pos_set(pos, &setup);
    return play_moves(moves, pos, fault);
}

bool usimove_position(StrView text, Position *pos, UsiFault *fault) {
    UsiFault note;
    bool is_good = usimove_position_playable(text, pos, &note, fault);
    if (note.text != NULL) {
        *fault = note;
    }
    return is_good && note.text == NULL;
}

bool usimove_is_position(StrView text) {
    static const char *const starts[] = {"position", "startpos", "sfen"};
    Tokenizer tok = {text};
    StrView first, second;
    (void)tok_next(&tok, &first);
    (void)tok_next(&tok, &second);
    return SV_INDEX_OF(first, starts) >= 0 || sfen_is_board(first) || sv_equal(second, SV("b")) ||
           sv_equal(second, SV("w"));
}
