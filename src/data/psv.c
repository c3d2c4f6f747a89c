/* psv.c: packs and unpacks the Huffman codes of both record formats, piece by piece. */
#include "data/psv.h"

#include <string.h>

enum { POSITION_BYTES = 32, POSITION_BITS = 256, SQUARE_BITS = 7 };

typedef struct PieceCode {
    uint8_t code, bits;
} PieceCode;

/* One of the two encodings of a position. */
typedef struct Coding {
    bool is_hcpe;
    PieceCode codes[HAND_TYPE_NB]; /* by type, for pieces on the board, lowest bit first */
    PieceType hand[HAND_TYPE_NB];  /* the order of pieces in hand; ends with NO_PIECE_TYPE */
} Coding;

static const Coding psv_coding = {
    .codes = {{0, 1}, {1, 2}, {3, 4}, {11, 4}, {7, 4}, {31, 6}, {63, 6}, {15, 5}},
    .hand = {PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK, GOLD}};
static const Coding hcpe_coding = {
    .is_hcpe = true,
    .codes = {{0, 1}, {1, 2}, {3, 4}, {7, 4}, {11, 4}, {31, 6}, {63, 6}, {15, 5}},
    .hand = {PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK}};

typedef struct BitStream {
    const Coding *coding;
    uint8_t *bytes;
    int at;
} BitStream;

static void put_bits(BitStream *stream, int value, int count) {
    for (int i = 0; i < count; i++) {
        int at = stream->at++;
        if (at < POSITION_BITS) {
            stream->bytes[at / 8] |= (uint8_t)((value >> i & 1) << at % 8);
        }
    }
}

/* Returns 0 bits after the end. */
static int get_bits(BitStream *stream, int count) {
    int value = 0;
    for (int i = 0; i < count; i++) {
        int at = stream->at++;
        if (at < POSITION_BITS) {
            value |= (stream->bytes[at / 8] >> at % 8 & 1) << i;
        }
    }
    return value;
}

static Square king_of(const Setup *setup, Color color) {
    Square sq = 0;
    while (sq < SQ_NB && setup->board[sq] != piece_make(color, KING)) {
        sq++;
    }
    return sq;
}

static void put_piece(BitStream *stream, Piece piece, bool in_hand) {
    PieceType raw = pt_raw(piece_type(piece));
    PieceCode code = stream->coding->codes[raw];
    int promoted = pt_is_promoted(piece_type(piece));
    if (in_hand && stream->coding->is_hcpe && (raw == BISHOP || raw == ROOK)) {
        put_bits(stream, 15 | !promoted << 4 | (raw == ROOK) << 5 | piece_color(piece) << 6, 7);
        return;
    }
    put_bits(stream, code.code >> in_hand, code.bits - in_hand);
    if (raw == GOLD) {
        put_bits(stream, piece_color(piece), 1);
    } else if (stream->coding->is_hcpe && !in_hand) {
        put_bits(stream, piece_color(piece) | promoted << 1, 2);
    } else {
        put_bits(stream, promoted | piece_color(piece) << 1, 2);
    }
}

static void put_position(BitStream *stream, const Setup *setup) {
    put_bits(stream, setup->side, 1);
    put_bits(stream, king_of(setup, BLACK), SQUARE_BITS);
    put_bits(stream, king_of(setup, WHITE), SQUARE_BITS);
    for (Square sq = 0; sq < SQ_NB; sq++) {
        Piece piece = setup->board[sq];
        if (piece == NO_PIECE) {
            put_bits(stream, 0, 1);
        } else if (piece_type(piece) != KING) {
            put_piece(stream, piece, false);
        }
    }
    for (int color = BLACK; color <= WHITE; color++) {
        for (const PieceType *type = stream->coding->hand; *type != NO_PIECE_TYPE; type++) {
            for (int i = hand_count(setup->hand[color], *type); i > 0; i--) {
                put_piece(stream, piece_make((Color)color, *type), true);
            }
        }
    }
}

static int count_pieces(const Setup *setup, PieceType raw) {
    int count = hand_count(setup->hand[BLACK], raw) + hand_count(setup->hand[WHITE], raw);
    for (Square sq = 0; sq < SQ_NB; sq++) {
        Piece piece = setup->board[sq];
        count += piece != NO_PIECE && pt_raw(piece_type(piece)) == raw;
    }
    return count;
}

/* Writes the pieces missing from a set. */
static void put_box(BitStream *stream, const Setup *setup) {
    for (const PieceType *type = stream->coding->hand; *type != NO_PIECE_TYPE; type++) {
        PieceType promoted = pt_promote(*type == GOLD ? SILVER : *type);
        Color color = *type == GOLD ? WHITE : BLACK;
        for (int i = count_pieces(setup, *type); i < pt_total(*type); i++) {
            put_piece(stream, piece_make(color, promoted), true);
        }
    }
}

static uint16_t psv_move(Move move) {
    int drop = move_is_drop(move);
    int origin = drop ? (int)move_drop_type(move) : move_from(move);
    return (uint16_t)(move_to(move) | origin << 7 | drop << 14 | move_is_promotion(move) << 15);
}

static Move own_psv_move(uint16_t foreign) {
    int to = foreign & 127, origin = foreign >> 7 & 127;
    bool is_drop = (foreign >> 14 & 1) != 0;
    Move move = move_make(is_drop ? origin + SQ_NB : origin, to);
    return (foreign >> 15 & 1) != 0 ? (Move)(move | MOVE_PROMOTE) : move;
}

/* The same as our encoding, except that drops start one lower. */
static uint16_t hcpe_move(Move move) {
    return (uint16_t)(move_is_drop(move) ? move - (1 << 7) : move);
}

static Move own_hcpe_move(uint16_t foreign) {
    return (Move)((foreign >> 7 & 127) >= SQ_NB ? foreign + (1 << 7) : foreign);
}

static bool write_position(const Coding *coding, const Setup *setup, uint8_t *bytes) {
    BitStream stream = {.coding = coding, .bytes = bytes};
    put_position(&stream, setup);
    put_box(&stream, setup);
    return stream.at == POSITION_BITS && king_of(setup, BLACK) != SQ_NB &&
           king_of(setup, WHITE) != SQ_NB;
}

bool psv_write(const PsvRecord *record, uint8_t out[PSV_SIZE]) {
    uint8_t bytes[PSV_SIZE] = {0};
    if (!write_position(&psv_coding, &record->setup, bytes)) {
        return false;
    }
    int16_t score = (int16_t)int_clamp(record->score, INT16_MIN, INT16_MAX);
    uint16_t move = psv_move(record->move);
    uint16_t ply = (uint16_t)int_clamp(record->setup.ply, 0, UINT16_MAX);
    memcpy(bytes + POSITION_BYTES, &score, sizeof(score));
    memcpy(bytes + POSITION_BYTES + 2, &move, sizeof(move));
    memcpy(bytes + POSITION_BYTES + 4, &ply, sizeof(ply));
    bytes[POSITION_BYTES + 6] = (uint8_t)(int8_t)record->result;
    memcpy(out, bytes, sizeof(bytes));
    return true;
}

bool psv_write_hcpe(const PsvRecord *record, uint8_t out[PSV_HCPE_SIZE]) {
    uint8_t bytes[PSV_HCPE_SIZE] = {0};
    if (!write_position(&hcpe_coding, &record->setup, bytes)) {
        return false;
    }
    int16_t score = (int16_t)int_clamp(record->score, INT16_MIN, INT16_MAX);
    uint16_t move = hcpe_move(record->move);
    bool black_won = (record->result > 0) == (record->setup.side == BLACK);
    memcpy(bytes + POSITION_BYTES, &score, sizeof(score));
    memcpy(bytes + POSITION_BYTES + 2, &move, sizeof(move));
    bytes[POSITION_BYTES + 4] = record->result == 0 ? 0 : black_won ? 1 : 2;
    memcpy(out, bytes, sizeof(bytes));
    return true;
}

/* Reads the bits after the code of a type: whether it is promoted (in hand: in the box) and its
 * colour. */
static Piece get_marks(BitStream *stream, PieceType type, bool in_hand) {
    bool has_promotion = type != GOLD;
    bool is_swapped = stream->coding->is_hcpe && !in_hand && has_promotion;
    int first = has_promotion ? get_bits(stream, 1) : 0;
    int second = get_bits(stream, 1);
    bool promoted = (is_swapped ? second : first) != 0;
    return piece_make((Color)(is_swapped ? first : second), promoted ? pt_promote(type) : type);
}

/* Reads the next piece; NO_PIECE for an empty square. */
static Piece get_piece(BitStream *stream, bool in_hand) {
    const PieceCode *codes = stream->coding->codes;
    int code = in_hand ? 1 : get_bits(stream, 1);
    int bits = 1;
    if (code == 0) {
        return NO_PIECE;
    }
    for (; bits < 6; bits++) {
        for (int type = PAWN; type <= GOLD; type++) {
            if (codes[type].code == code && codes[type].bits == bits) {
                return get_marks(stream, (PieceType)type, in_hand);
            }
        }
        code |= get_bits(stream, 1) << bits;
    }
    bool last = code == codes[ROOK].code;
    if (in_hand && stream->coding->is_hcpe) {
        PieceType type = get_bits(stream, 1) != 0 ? ROOK : BISHOP;
        Color color = (Color)get_bits(stream, 1);
        return piece_make(color, last ? type : pt_promote(type));
    }
    return get_marks(stream, last ? ROOK : BISHOP, in_hand);
}

static bool get_position(BitStream *stream, Setup *setup) {
    setup->side = (Color)get_bits(stream, 1);
    Square black = get_bits(stream, SQUARE_BITS);
    Square white = get_bits(stream, SQUARE_BITS);
    if (black >= SQ_NB || white >= SQ_NB || black == white) {
        return false;
    }
    setup->board[black] = piece_make(BLACK, KING);
    setup->board[white] = piece_make(WHITE, KING);
    for (Square sq = 0; sq < SQ_NB; sq++) {
        if (sq != black && sq != white) {
            setup->board[sq] = get_piece(stream, false);
        }
    }
    int count[COLOR_NB][HAND_TYPE_NB] = {{0}};
    while (stream->at < POSITION_BITS) {
        Piece piece = get_piece(stream, true);
        PieceType type = piece_type(piece);
        if (pt_is_promoted(type)) {
            continue; /* in the box */
        }
        if (++count[piece_color(piece)][type] > pt_total(type)) {
            return false;
        }
        setup->hand[piece_color(piece)] = hand_add(setup->hand[piece_color(piece)], type);
    }
    return stream->at == POSITION_BITS;
}

static bool read_position(const Coding *coding, uint8_t *bytes, Setup *setup) {
    BitStream stream = {.coding = coding, .bytes = bytes};
    return get_position(&stream, setup) && setup_check(setup, NULL) == KMD_OK;
}

bool psv_read(const uint8_t bytes[PSV_SIZE], PsvRecord *record) {
    uint8_t copy[PSV_SIZE];
    memcpy(copy, bytes, sizeof(copy));
    PsvRecord read = {.setup = {.ply = 1}, .has_ply = true};
    int16_t score;
    uint16_t move, ply;
    memcpy(&score, copy + POSITION_BYTES, sizeof(score));
    memcpy(&move, copy + POSITION_BYTES + 2, sizeof(move));
    memcpy(&ply, copy + POSITION_BYTES + 4, sizeof(ply));
    read.score = score;
    read.move = own_psv_move(move);
    read.result = (int8_t)copy[POSITION_BYTES + 6];
    read.setup.ply = int_max(ply, 1);
    if (!read_position(&psv_coding, copy, &read.setup)) {
        return false;
    }
    *record = read;
    return true;
}

bool psv_read_hcpe(const uint8_t bytes[PSV_HCPE_SIZE], PsvRecord *record) {
    uint8_t copy[PSV_HCPE_SIZE];
    memcpy(copy, bytes, sizeof(copy));
    PsvRecord read = {.setup = {.ply = 1}};
    int16_t score;
    uint16_t move;
    memcpy(&score, copy + POSITION_BYTES, sizeof(score));
    memcpy(&move, copy + POSITION_BYTES + 2, sizeof(move));
    int winner = copy[POSITION_BYTES + 4] & 3;
    read.score = score;
    read.move = own_hcpe_move(move);
    if (winner == 3 || !read_position(&hcpe_coding, copy, &read.setup)) {
        return false;
    }
    read.result = winner == 0 ? 0 : (winner == 1) == (read.setup.side == BLACK) ? 1 : -1;
    *record = read;
    return true;
}
