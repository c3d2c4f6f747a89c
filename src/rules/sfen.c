/* sfen.c: reads the four words of an SFEN from left to right and stops at the first syntax error.
 * setup_check tests the rules that concern the whole position, such as nifu and checks. The reader
 * remembers where each square is in the text, so that faults found by setup_check also get a
 * column. */
#include "rules/sfen.h"

static const char LETTERS[KING + 1] = " PLNSBRGK";

/* The order in which pieces in hand are written. */
static const PieceType HAND_ORDER[] = {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN};

/* Larger counts are reduced to this one while they are read. No hand can contain that many
 * pieces. */
enum { COUNT_LIMIT = 100 };

enum { PLY_LIMIT = 1000000 };

typedef struct Reader {
    Setup setup;
    int seen[KING]; /* number of pieces so far, by unpromoted type, without kings */
    bool has_king[COLOR_NB];
    size_t offset[SQ_NB]; /* offset in `text` of the piece on a square */
    StrView text;         /* the whole text */
    size_t fault;         /* offset of the fault in `text` */
} Reader;

bool sfen_is_board(StrView word) {
    int slashes = 0;
    word = sv_prefix(word, sv_find_byte(word, '_'));
    for (size_t i = 0; i < word.len; i++) {
        if (!sv_has_byte(SV("123456789+/plnsgbrkPLNSGBRK"), word.ptr[i])) {
            return false;
        }
        slashes += word.ptr[i] == '/';
    }
    return slashes == RANK_NB - 1 && word.ptr[0] != '/';
}

char sfen_letter(PieceType type) {
    ASSERT(type > NO_PIECE_TYPE && type < PIECE_TYPE_NB);
    return LETTERS[pt_raw(type)];
}

PieceType sfen_type(char letter) {
    bool is_lower = letter >= 'a' && letter <= 'z';
    char upper = is_lower ? (char)(letter - 'a' + 'A') : letter;
    for (int type = PAWN; type <= KING; type++) {
        if (LETTERS[type] == upper) {
            return (PieceType)type;
        }
    }
    return NO_PIECE_TYPE;
}

static Color letter_color(char letter) {
    return letter >= 'a' ? WHITE : BLACK;
}

static KmdError fail_sfen(Reader *reader, const char *place, KmdError error) {
    reader->fault = (size_t)(place - reader->text.ptr);
    return error;
}

/* Adds `count` pieces of a type. The pieces are counted here rather than in setup_check, because a
 * Hand cannot store more pieces than a set has, and because the fault then has a place in the
 * text. */
static KmdError add_pieces(Reader *reader, Color color, PieceType type, int count) {
    PieceType raw = pt_raw(type);
    if (raw == KING) {
        bool has_two = reader->has_king[color];
        reader->has_king[color] = true;
        return has_two ? KMD_ERROR_SFEN_TWO_KINGS : KMD_OK;
    }
    reader->seen[raw] += count;
    return reader->seen[raw] <= pt_total(raw) ? KMD_OK : KMD_ERROR_SFEN_TOO_MANY;
}

/* The state while a rank is read, from file 9 to file 1. */
typedef struct RankCursor {
    const char *at;
    const char *end;
    int rank, files_left;
} RankCursor;

/* Reads the number of empty squares at cur->at. */
static KmdError read_gap(Reader *reader, RankCursor *cur, bool follows_gap) {
    int squares = *cur->at - '0';
    if (squares == 0) {
        return fail_sfen(reader, cur->at, KMD_ERROR_SFEN_PIECE);
    }
    if (follows_gap || squares > cur->files_left) {
        return fail_sfen(reader, cur->at, KMD_ERROR_SFEN_RANK);
    }
    cur->files_left -= squares;
    cur->at++;
    return KMD_OK;
}

/* Reads "P" or "+P" at cur->at and puts the piece on the next square. */
static KmdError read_sfen_piece(Reader *reader, RankCursor *cur) {
    const char *start = cur->at;
    bool is_promoted = *start == '+';
    const char *letter = start + is_promoted;
    PieceType type = letter < cur->end ? sfen_type(*letter) : NO_PIECE_TYPE;
    if (type == NO_PIECE_TYPE || (is_promoted && !pt_can_promote(type))) {
        return fail_sfen(reader, start, KMD_ERROR_SFEN_PIECE);
    }
    if (cur->files_left == 0) {
        return fail_sfen(reader, start, KMD_ERROR_SFEN_RANK);
    }
    Color color = letter_color(*letter);
    KmdError error = add_pieces(reader, color, type, 1);
    if (error != KMD_OK) {
        return fail_sfen(reader, start, error);
    }
    Square sq = sq_make(--cur->files_left, cur->rank);
    type = is_promoted ? pt_promote(type) : type;
    reader->setup.board[sq] = piece_make(color, type);
    reader->offset[sq] = (size_t)(start - reader->text.ptr);
    cur->at = letter + 1;
    return KMD_OK;
}

static KmdError read_sfen_rank(Reader *reader, StrView line, int rank) {
    RankCursor cur = {line.ptr, line.ptr + line.len, rank, FILE_NB};
    bool follows_gap = false;
    while (cur.at < cur.end) {
        bool is_gap = str_is_digit(*cur.at);
        KmdError error =
            is_gap ? read_gap(reader, &cur, follows_gap) : read_sfen_piece(reader, &cur);
        if (error != KMD_OK) {
            return error;
        }
        follows_gap = is_gap;
    }
    return cur.files_left == 0 ? KMD_OK : fail_sfen(reader, cur.end, KMD_ERROR_SFEN_RANK);
}

static KmdError read_board(Reader *reader, StrView word) {
    const char *end = word.ptr + word.len;
    StrView rest = word;
    StrView line;
    int rank = 0;
    for (; sv_next_field(&rest, '/', &line); rank++) {
        if (rank == RANK_NB) {
            return fail_sfen(reader, line.ptr - 1, KMD_ERROR_SFEN_RANK_COUNT);
        }
        KmdError error = read_sfen_rank(reader, line, rank);
        if (error != KMD_OK) {
            return error;
        }
    }
    return rank == RANK_NB ? KMD_OK : fail_sfen(reader, end, KMD_ERROR_SFEN_RANK_COUNT);
}

static KmdError read_side(Reader *reader, StrView word) {
    if (sv_equal(word, SV("b"))) {
        reader->setup.side = BLACK;
        return KMD_OK;
    }
    if (sv_equal(word, SV("w"))) {
        reader->setup.side = WHITE;
        return KMD_OK;
    }
    return fail_sfen(reader, word.ptr, KMD_ERROR_SFEN_SIDE);
}

/* Reads "P" or "18p" at *at and advances *at. A type may occur more than once. */
static KmdError read_hand_item(Reader *reader, const char **at, const char *end) {
    const char *start = *at;
    const char *letter = start;
    int count = 0;
    for (; letter < end && str_is_digit(*letter); letter++) {
        count = int_min(count * 10 + *letter - '0', COUNT_LIMIT);
    }
    PieceType type = letter < end ? sfen_type(*letter) : NO_PIECE_TYPE;
    if (type == NO_PIECE_TYPE || type == KING || (letter > start && *start == '0')) {
        return fail_sfen(reader, start, KMD_ERROR_SFEN_HAND);
    }
    count = letter == start ? 1 : count;
    Color color = letter_color(*letter);
    KmdError error = add_pieces(reader, color, type, count);
    if (error != KMD_OK) {
        return fail_sfen(reader, start, error);
    }
    reader->setup.hand[color] += (Hand)count * hand_unit(type);
    *at = letter + 1;
    return KMD_OK;
}

static KmdError read_hands(Reader *reader, StrView word) {
    /* A server writes 0 for empty hands. */
    if (sv_equal(word, SV("-")) || sv_equal(word, SV("0"))) {
        return KMD_OK;
    }
    const char *end = word.ptr + word.len;
    KmdError error = word.len > 0 ? KMD_OK : fail_sfen(reader, word.ptr, KMD_ERROR_SFEN_HAND);
    for (const char *at = word.ptr; at < end && error == KMD_OK;) {
        error = read_hand_item(reader, &at, end);
    }
    return error;
}

/* An empty word or 0 means ply 1. */
static KmdError read_ply(Reader *reader, StrView word) {
    uint64_t ply = 1;
    if (word.len > 0 && !sv_to_u64(word, 0, PLY_LIMIT, &ply)) {
        return fail_sfen(reader, word.ptr, KMD_ERROR_SFEN_PLY);
    }
    reader->setup.ply = int_max((int)ply, 1);
    return KMD_OK;
}

/* The next word, or an empty word located at the end of the text. The words of an SFEN in an
 * address of lishogi are separated by _. */
static StrView next_word(Tokenizer *tok, StrView text) {
    StrView word;
    if (!tok_next(tok, &word)) {
        return (StrView){text.ptr + text.len, 0};
    }
    size_t end = sv_find_byte(word, '_');
    if (end < word.len) {
        const char *next = word.ptr + end + 1;
        tok->rest = (StrView){next, (size_t)(text.ptr + text.len - next)};
    }
    return sv_prefix(word, end);
}

static KmdError split_sfen(Reader *reader) {
    Tokenizer tok = {reader->text};
    StrView board = next_word(&tok, reader->text);
    if (board.len == 0) {
        return fail_sfen(reader, reader->text.ptr, KMD_ERROR_SFEN_EMPTY);
    }
    KmdError error = KMD_OK;
    if (sv_equal(board, SV("startpos"))) {
        reader->setup = setup_start();
    } else {
        error = read_board(reader, board);
        error = error != KMD_OK ? error : read_side(reader, next_word(&tok, reader->text));
        error = error != KMD_OK ? error : read_hands(reader, next_word(&tok, reader->text));
        error = error != KMD_OK ? error : read_ply(reader, next_word(&tok, reader->text));
    }
    StrView more = next_word(&tok, reader->text);
    if (error == KMD_OK && more.len > 0) {
        error = fail_sfen(reader, more.ptr, KMD_ERROR_SFEN_TRAILING);
    }
    return error;
}

KmdError sfen_read_playable(StrView text, Setup *setup, int *column) {
    Reader reader = {.text = text.len > 0 ? text : SV("")};
    KmdError error = split_sfen(&reader);
    if (error == KMD_OK) {
        Square where = SQ_NONE;
        error = setup_check(&reader.setup, &where);
        reader.fault = where != SQ_NONE ? reader.offset[where] : 0;
    }
    bool is_unusual = error == KMD_ERROR_SFEN_NIFU || error == KMD_ERROR_SFEN_DEAD_PIECE;
    if (error == KMD_OK || (is_unusual && setup_is_playable(&reader.setup))) {
        *setup = reader.setup;
    }
    if (error != KMD_OK && column != NULL) {
        *column = (int)reader.fault + 1;
    }
    return error;
}

KmdError sfen_read(StrView text, Setup *setup, int *column) {
    Setup read;
    KmdError error = sfen_read_playable(text, &read, column);
    if (error == KMD_OK) {
        *setup = read;
    }
    return error;
}

static void write_rank(const Setup *setup, int rank, StrBuf *out) {
    int empty = 0;
    for (int file = FILE_NB - 1; file >= 0; file--) {
        Piece piece = setup->board[sq_make(file, rank)];
        if (piece == NO_PIECE) {
            empty++;
            continue;
        }
        if (empty > 0) {
            strbuf_add_i64(out, empty);
            empty = 0;
        }
        PieceType type = piece_type(piece);
        if (pt_is_promoted(type)) {
            strbuf_add_byte(out, '+');
        }
        char letter = sfen_letter(type);
        bool is_white = piece_color(piece) == WHITE;
        strbuf_add_byte(out, is_white ? (char)(letter - 'A' + 'a') : letter);
    }
    if (empty > 0) {
        strbuf_add_i64(out, empty);
    }
}

static void write_sfen_hand(Hand hand, Color color, StrBuf *out) {
    for (size_t i = 0; i < COUNTOF(HAND_ORDER); i++) {
        int count = hand_count(hand, HAND_ORDER[i]);
        if (count > 1) {
            strbuf_add_i64(out, count);
        }
        if (count > 0) {
            char letter = sfen_letter(HAND_ORDER[i]);
            strbuf_add_byte(out, color == WHITE ? (char)(letter - 'A' + 'a') : letter);
        }
    }
}

void sfen_write(const Setup *setup, StrBuf *out) {
    for (int rank = 0; rank < RANK_NB; rank++) {
        if (rank > 0) {
            strbuf_add_byte(out, '/');
        }
        write_rank(setup, rank, out);
    }
    strbuf_add(out, setup->side == BLACK ? SV(" b ") : SV(" w "));
    if (setup->hand[BLACK] == 0 && setup->hand[WHITE] == 0) {
        strbuf_add_byte(out, '-');
    }
    write_sfen_hand(setup->hand[BLACK], BLACK, out);
    write_sfen_hand(setup->hand[WHITE], WHITE, out);
    strbuf_add_byte(out, ' ');
    strbuf_add_i64(out, setup->ply);
}

KmdError pos_set_sfen(Position *pos, StrView text, int *column) {
    Setup setup;
    KmdError error = sfen_read(text, &setup, column);
    if (error == KMD_OK) {
        pos_set(pos, &setup);
    }
    return error;
}

void pos_get_sfen(const Position *pos, StrBuf *out) {
    Setup setup = pos_get(pos);
    sfen_write(&setup, out);
}

const char *sfen_error_text(KmdError error) {
    static const char *const text[] = {
        [KMD_OK] = "no error",
        [KMD_ERROR_SFEN_EMPTY] = "no position given",
        [KMD_ERROR_SFEN_PIECE] = "unknown piece",
        [KMD_ERROR_SFEN_RANK] =
            "a rank that does not have exactly 9 squares, or two counts in a row",
        [KMD_ERROR_SFEN_RANK_COUNT] = "not exactly 9 ranks",
        [KMD_ERROR_SFEN_SIDE] = "side to move is neither b nor w",
        [KMD_ERROR_SFEN_HAND] = "malformed pieces in hand",
        [KMD_ERROR_SFEN_PLY] = "move number is not a number from 0 to 1000000",
        [KMD_ERROR_SFEN_TRAILING] = "more words than a position has",
        [KMD_ERROR_SFEN_TOO_MANY] = "more pieces of a kind than a set has",
        [KMD_ERROR_SFEN_TWO_KINGS] = "two kings of one side",
        [KMD_ERROR_SFEN_NIFU] = "two pawns of one side on a file (nifu)",
        [KMD_ERROR_SFEN_DEAD_PIECE] = "a piece that can never move",
        [KMD_ERROR_SFEN_OPPONENT_IN_CHECK] = "the side not to move is in check",
    };
    ASSERT((size_t)error < COUNTOF(text));
    return text[error];
}
