#include "data/psv.h"

#include <string.h>

enum { POSITION_BYTES = 32, POSITION_BITS = 256, SQUARE_BITS = 7 };

typedef struct PieceCode {
    uint8_t code;
    uint8_t bits;
} PieceCode;

/* By type, as on the board, lowest bit first. */
static const PieceCode codes[HAND_TYPE_NB] = {{0, 1}, {1, 2},  {3, 4},  {11, 4},
                                              {7, 4}, {31, 6}, {63, 6}, {15, 5}};

typedef struct BitStream {
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

/* 0 behind the end. */
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
    put_bits(stream, codes[raw].code >> in_hand, codes[raw].bits - in_hand);
    if (raw != GOLD) {
        put_bits(stream, pt_is_promoted(piece_type(piece)), 1);
    }
    put_bits(stream, piece_color(piece), 1);
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
        for (int type = PAWN; type <= GOLD; type++) {
            for (int i = hand_count(setup->hand[color], (PieceType)type); i > 0; i--) {
                put_piece(stream, piece_make((Color)color, (PieceType)type), true);
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

/* What is missing from a set. */
static void put_box(BitStream *stream, const Setup *setup) {
    for (int type = PAWN; type <= GOLD; type++) {
        PieceType promoted = pt_promote(type == GOLD ? SILVER : (PieceType)type);
        Color color = type == GOLD ? WHITE : BLACK;
        int total = pt_total((PieceType)type);
        for (int i = count_pieces(setup, (PieceType)type); i < total; i++) {
            put_piece(stream, piece_make(color, promoted), true);
        }
    }
}

static uint16_t foreign_move(Move move) {
    int drop = move_is_drop(move);
    int origin = drop ? (int)move_drop_type(move) : move_from(move);
    return (uint16_t)(move_to(move) | origin << 7 | drop << 14 | move_is_promotion(move) << 15);
}

static Move own_move(uint16_t foreign) {
    int to = foreign & 127;
    int origin = foreign >> 7 & 127;
    bool is_drop = (foreign >> 14 & 1) != 0;
    Move move = move_make(is_drop ? origin + SQ_NB : origin, to);
    return (foreign >> 15 & 1) != 0 ? (Move)(move | MOVE_PROMOTE) : move;
}

bool psv_write(const PsvRecord *record, uint8_t out[PSV_SIZE]) {
    uint8_t bytes[PSV_SIZE] = {0};
    BitStream stream = {.bytes = bytes};
    put_position(&stream, &record->setup);
    put_box(&stream, &record->setup);
    if (stream.at != POSITION_BITS || king_of(&record->setup, BLACK) == SQ_NB ||
        king_of(&record->setup, WHITE) == SQ_NB) {
        return false;
    }
    int16_t score = (int16_t)int_clamp(record->score, INT16_MIN, INT16_MAX);
    uint16_t move = foreign_move(record->move);
    uint16_t ply = (uint16_t)int_clamp(record->setup.ply, 0, UINT16_MAX);
    memcpy(bytes + POSITION_BYTES, &score, sizeof(score));
    memcpy(bytes + POSITION_BYTES + 2, &move, sizeof(move));
    memcpy(bytes + POSITION_BYTES + 4, &ply, sizeof(ply));
    bytes[POSITION_BYTES + 6] = (uint8_t)(int8_t)record->result;
    memcpy(out, bytes, sizeof(bytes));
    return true;
}

/* The next piece; NO_PIECE for an empty square and for what is no code. */
static Piece get_piece(BitStream *stream, bool in_hand) {
    int code = in_hand ? 1 : get_bits(stream, 1);
    int bits = 1;
    if (code == 0) {
        return NO_PIECE;
    }
    for (; bits < 6; bits++) {
        for (int type = PAWN; type <= GOLD; type++) {
            if (codes[type].code == code && codes[type].bits == bits) {
                bool promoted = type != GOLD && get_bits(stream, 1) != 0;
                Color color = (Color)get_bits(stream, 1);
                return piece_make(color, (PieceType)(promoted ? type | PROMOTED : type));
            }
        }
        code |= get_bits(stream, 1) << bits;
    }
    bool promoted = get_bits(stream, 1) != 0;
    Color color = (Color)get_bits(stream, 1);
    PieceType type = code == codes[ROOK].code ? ROOK : BISHOP;
    return piece_make(color, promoted ? pt_promote(type) : type);
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

bool psv_read(const uint8_t bytes[PSV_SIZE], PsvRecord *record) {
    uint8_t copy[PSV_SIZE];
    memcpy(copy, bytes, sizeof(copy));
    BitStream stream = {.bytes = copy};
    PsvRecord read = {.setup = {.ply = 1}};
    int16_t score;
    uint16_t move;
    uint16_t ply;
    memcpy(&score, copy + POSITION_BYTES, sizeof(score));
    memcpy(&move, copy + POSITION_BYTES + 2, sizeof(move));
    memcpy(&ply, copy + POSITION_BYTES + 4, sizeof(ply));
    read.score = score;
    read.move = own_move(move);
    read.result = (int8_t)copy[POSITION_BYTES + 6];
    read.setup.ply = int_max(ply, 1);
    if (!get_position(&stream, &read.setup) || setup_check(&read.setup, NULL) != KMD_OK) {
        return false;
    }
    *record = read;
    return true;
}
