/* usen.c: reads and writes USEN, in which each move is three base-36 digits and a variation starts
 * with the number of the move that it replaces. */
#include "record/usen.h"

#include "record/codec.h"
#include "record/handicap.h"
#include "rules/legality.h"
#include "rules/sfen.h"

/* START ~ OFFSET . MOVES . SPECIAL [~ OFFSET . MOVES . SPECIAL]...
 *
 * START is empty for the even game, otherwise an SFEN without its ply, with '_' for '/', '.' for a
 * space and 'z' for '+'. A move is three digits of base 36: (from * 81 + to) * 2 + promotion, with
 * squares numbered along the ranks from 1a; the origin of a drop is 81 plus a code for the piece.
 * OFFSET is the number of plies before the line's first move. The OFFSET of the first line is the
 * number of plies before the start position. */

enum { BASE = 36, DIGITS = 3 };

/* The codes of drops, by piece type: PAWN 10, LANCE 11, KNIGHT 12, SILVER 13, GOLD 9, BISHOP 14,
 * ROOK 15. */
static const int drop_codes[HAND_TYPE_NB] = {
    [PAWN] = 10,   [LANCE] = 11, [KNIGHT] = 12, [SILVER] = 13,
    [BISHOP] = 14, [ROOK] = 15,  [GOLD] = 9};

static int usen_square(Square sq) {
    return sq_rank(sq) * 9 + sq_file(sq);
}

static bool read_usen_start(RecordReader *reader, StrView text) {
    if (text.len == 0) {
        return true;
    }
    StrBuf sfen = STRBUF_INIT;
    for (size_t i = 0; i < text.len; i++) {
        char byte = text.ptr[i];
        strbuf_add_byte(&sfen, byte == '_' ? '/' : byte == '.' ? ' ' : byte == 'z' ? '+' : byte);
    }
    bool is_good = reader_start_sfen(reader, strbuf_view(&sfen));
    strbuf_free(&sfen);
    return is_good;
}

static Move decode_move(StrView digits) {
    int value = 0;
    for (size_t i = 0; i < digits.len; i++) {
        char c = digits.ptr[i];
        bool is_digit = str_is_digit(c), is_letter = c >= 'a' && c <= 'z';
        if (!is_digit && !is_letter) {
            return MOVE_NONE;
        }
        value = value * BASE + (is_digit ? c - '0' : c - 'a' + 10);
    }
    int from = value / 2 / SQ_NB, to_code = value / 2 % SQ_NB;
    Square to = sq_make(to_code % 9, to_code / 9);
    if (from < SQ_NB) {
        Square origin = sq_make(from % 9, from / 9);
        return value % 2 != 0 ? move_make_promotion(origin, to) : move_make(origin, to);
    }
    for (int type = PAWN; type <= GOLD && value % 2 == 0; type++) {
        if (drop_codes[type] == from - SQ_NB) {
            return move_make_drop((PieceType)type, to);
        }
    }
    return MOVE_NONE;
}

static bool read_usen_moves(RecordReader *reader, StrView text) {
    while (text.len > 0) {
        StrView digits = sv_prefix(text, DIGITS);
        Move move = digits.len == DIGITS ? decode_move(digits) : MOVE_NONE;
        if (move == MOVE_NONE || !move_is_real(move)) {
            return reader_fail(reader, "not a move", digits);
        }
        if (!reader_play(reader, move, digits)) {
            return false;
        }
        text = sv_skip(text, DIGITS);
    }
    return true;
}

static const EndingWord endings[] = {
    {"r", KMD_END_RESIGN},    {"t", KMD_END_TIMEOUT},   {"j", KMD_END_IMPASSE}, {"j", KMD_END_DRAW},
    {"j", KMD_END_MAX_MOVES}, {"p", KMD_END_INTERRUPT}, /* written for all other endings */
    {.word = NULL},
};

/* Reads the ending of a line: a letter, or i with an illegal move. */
static bool read_special(RecordReader *reader, StrView text) {
    if (text.len == 0) {
        return true;
    }
    bool is_foul = text.ptr[0] == 'i';
    const Position *pos = &reader->cursor.pos;
    IllegalMove foul = {MOVE_NONE, PAWN};
    if (is_foul && text.len == 1 + DIGITS) {
        foul.move = decode_move(sv_skip(text, 1));
    }
    if (move_is_real(foul.move)) {
        if (legality_of(pos, foul.move) == KMD_LEGAL) { /* perpetual check, for example */
            return reader_play(reader, foul.move, text) &&
                   reader_end(reader, KMD_END_ILLEGAL_WIN, text);
        }
        if (move_is_drop(foul.move) || pos_piece(pos, move_from(foul.move)) != NO_PIECE) {
            foul.piece = pos_moved_type(pos, foul.move);
        }
        return reader_foul(reader, false, foul, text);
    }
    KmdEnding ending = is_foul ? KMD_END_ILLEGAL_LOSS : ending_read(endings, text);
    return reader_end(reader, ending != KMD_END_NONE ? ending : KMD_END_OTHER, text);
}

/* Reads OFFSET.MOVES.SPECIAL; `base` is the offset of the first line. */
static bool read_usen_line(RecordReader *reader, StrView text, int *base) {
    StrView offset_text;
    StrView moves = {NULL, 0};
    StrView special = {NULL, 0};
    int offset = 0;
    if (!sv_next_field(&text, '.', &offset_text) ||
        !sv_to_int(offset_text, 0, RECORD_MAX_NODES, &offset)) {
        return reader_fail(reader, "no number at the start of a line of moves", text);
    }
    *base = *base < 0 ? offset : *base;
    if (!reader_go_back(reader, offset - *base)) {
        return reader_fail(reader, "a variation of a move that does not exist", offset_text);
    }
    return (!sv_next_field(&text, '.', &moves) || read_usen_moves(reader, moves)) &&
           (!sv_next_field(&text, '.', &special) || read_special(reader, special));
}

static bool read_usen_game(RecordReader *reader, StrView game) {
    StrView part;
    int base = -1;
    if (!sv_next_field(&game, '~', &part)) {
        return reader_fail(reader, "an empty game", game);
    }
    if (!read_usen_start(reader, part)) {
        return false;
    }
    if (game.len == 0) {
        return reader_fail(reader, "no moves after the start", game);
    }
    while (sv_next_field(&game, '~', &part)) {
        if (!read_usen_line(reader, part, &base)) {
            return false;
        }
    }
    return true;
}

static bool read_usen(RecordReader *reader, StrView text) {
    return read_usen_game(reader, sv_trim(reader_take_line(reader, &text))) &&
           reader_take_end(reader, text);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_usen_start(const Setup *start, StrBuf *out) {
    StrBuf sfen = STRBUF_INIT;
    const Handicap *handicap = handicap_by_setup(start);
    if (handicap != NULL && sv_equal(sv_from(handicap->preset), SV("HIRATE"))) {
        return;
    }
    sfen_write(start, &sfen);
    while (sfen.len > 0 && sfen.ptr[sfen.len - 1] != ' ') {
        sfen.len--;
    }
    for (size_t i = 0; i + 1 < sfen.len; i++) {
        char c = sfen.ptr[i];
        strbuf_add_byte(out, c == '/' ? '_' : c == ' ' ? '.' : c == '+' ? 'z' : c);
    }
    strbuf_free(&sfen);
}

static void write_usen_move(Move move, StrBuf *out) {
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    int from = move_is_drop(move) ? SQ_NB + drop_codes[move_drop_type(move)]
                                  : usen_square(move_from(move));
    int value = (from * SQ_NB + usen_square(move_to(move))) * 2 + move_is_promotion(move);
    strbuf_add_byte(out, digits[value / (BASE * BASE)]);
    strbuf_add_byte(out, digits[value / BASE % BASE]);
    strbuf_add_byte(out, digits[value % BASE]);
}

static void write_usen(const Record *record, StrBuf *out) {
    write_usen_start(&record->start, out);
    int node = record_next(record, KMD_ROOT);
    if (node == KMD_NODE_NONE) {
        strbuf_add_str(out, "~0.");
    }
    for (; node != KMD_NODE_NONE; node = record_next(record, node)) {
        const RecordNode *n = &record->nodes[node];
        if (n->parent == KMD_ROOT || record_is_variation(record, node)) {
            strbuf_addf(out, "~%d.", n->depth - 1);
        }
        if (n->ending == KMD_END_NONE) {
            write_usen_move(n->move, out);
        }
        if (n->child == KMD_NODE_NONE) {
            const char *word = ending_word(endings, n->ending);
            strbuf_add_byte(out, '.');
            strbuf_add_str(out, word[0] == 0 && n->ending != KMD_END_NONE ? "p" : word);
        }
    }
    strbuf_add_byte(out, '\n');
}

/* Recognises a start position, "~", and moves after an offset. A word with other characters is not
 * USEN. */
static LineLook look_like_usen(StrView line) {
    Tokenizer words = {line};
    StrView word;
    bool is_usen = tok_next(&words, &word);
    StrView rest = sv_skip(word, sv_find_byte(word, '~') + 1);
    is_usen = is_usen && rest.len > 1 && str_is_digit(rest.ptr[0]);
    for (size_t i = 0; i < word.len && is_usen; i++) {
        char c = word.ptr[i];
        char letter = (char)(c | 0x20);
        is_usen = (letter >= 'a' && letter <= 'z') || str_is_digit(c) || sv_has_byte(SV("_.-~"), c);
    }
    return is_usen ? LOOKS_CERTAIN : LOOKS_FOREIGN;
}

const Codec usen_codec = {
    .format = {"usen", "USEN", "usen",
               KMD_HOLDS_VARIATIONS | KMD_HOLDS_SOME_ENDINGS | KMD_HOLDS_MOVES, ""},
    .usual_encoding = TEXT_UTF8,
    .read = read_usen,
    .write = write_usen,
    .look = look_like_usen,
    .divide = codec_divide_by_line,
    .endings = endings};
