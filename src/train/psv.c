/* psv.c: packs and unpacks the Huffman codes of both record formats piece by piece, and joins
 * records of consecutive positions into games. */
#include "train/psv.h"

#include <string.h>

#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/outcome.h"
#include "train/packed.h"

enum { POSITION_BYTES = 32, POSITION_BITS = 256, SQUARE_BITS = 7 };

typedef struct PieceCode {
    uint8_t code, bits;
} PieceCode;

/* One of the formats: its name and size, and its encoding of a position. */
typedef struct Coding {
    const char *name;
    size_t size; /* size of a record in bytes */
    bool is_hcpe;
    PieceCode codes[HAND_TYPE_NB]; /* codes of pieces on the board, by type, lowest bit first */
    PieceType hand[HAND_TYPE_NB];  /* the order of pieces in hand; ends with NO_PIECE_TYPE */
} Coding;

static const Coding codings[PSV_FORMAT_NB] = {
    [PSV_SFEN] = {.name = "psv",
                  .size = PSV_SIZE,
                  .codes = {{0, 1}, {1, 2}, {3, 4}, {11, 4}, {7, 4}, {31, 6}, {63, 6}, {15, 5}},
                  .hand = {PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK, GOLD}},
    [PSV_HCPE] = {.name = "hcpe",
                  .size = PSV_HCPE_SIZE,
                  .is_hcpe = true,
                  .codes = {{0, 1}, {1, 2}, {3, 4}, {7, 4}, {11, 4}, {31, 6}, {63, 6}, {15, 5}},
                  .hand = {PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK}}};

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

/* Reads bits. After the end, they are 0. */
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

/* Converts a move to a foreign format. In psv, drops have their own bit. In hcpe, moves are like
 * ours, except that drops start at a number lower by one. */
static uint16_t foreign_move(PsvFormat format, Move move) {
    int drop = move_is_drop(move);
    if (format == PSV_HCPE) {
        return (uint16_t)(drop ? move - (1 << 7) : move);
    }
    int origin = drop ? (int)move_drop_type(move) : move_from(move);
    return (uint16_t)(move_to(move) | origin << 7 | drop << 14 | move_is_promotion(move) << 15);
}

static Move own_move(PsvFormat format, uint16_t foreign) {
    int to = foreign & 127, origin = foreign >> 7 & 127;
    if (format == PSV_HCPE) {
        return (Move)(origin >= SQ_NB ? foreign + (1 << 7) : foreign);
    }
    bool is_drop = (foreign >> 14 & 1) != 0;
    Move move = move_make(is_drop ? origin + SQ_NB : origin, to);
    return (foreign >> 15 & 1) != 0 ? (Move)(move | MOVE_PROMOTE) : move;
}

bool psv_write(PsvFormat format, const PsvRecord *record, uint8_t *out) {
    const Setup *setup = &record->setup;
    uint8_t bytes[PSV_SIZE] = {0};
    BitStream stream = {.coding = &codings[format], .bytes = bytes};
    put_position(&stream, setup);
    put_box(&stream, setup);
    if (stream.at != POSITION_BITS || king_of(setup, BLACK) == SQ_NB ||
        king_of(setup, WHITE) == SQ_NB) {
        return false;
    }
    int16_t score = (int16_t)int_clamp(record->score, INT16_MIN, INT16_MAX);
    uint16_t move = foreign_move(format, record->move);
    memcpy(bytes + POSITION_BYTES, &score, sizeof(score));
    memcpy(bytes + POSITION_BYTES + 2, &move, sizeof(move));
    if (format == PSV_HCPE) {
        bool black_won = (record->result > 0) == (setup->side == BLACK);
        bytes[POSITION_BYTES + 4] = record->result == 0 ? 0 : black_won ? 1 : 2;
    } else {
        uint16_t ply = (uint16_t)int_clamp(setup->ply, 0, UINT16_MAX);
        memcpy(bytes + POSITION_BYTES + 4, &ply, sizeof(ply));
        bytes[POSITION_BYTES + 6] = (uint8_t)(int8_t)record->result;
    }
    memcpy(out, bytes, codings[format].size);
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
            continue; /* the piece is in the box */
        }
        if (++count[piece_color(piece)][type] > pt_total(type)) {
            return false;
        }
        setup->hand[piece_color(piece)] = hand_add(setup->hand[piece_color(piece)], type);
    }
    return stream->at == POSITION_BITS;
}

bool psv_read(PsvFormat format, const uint8_t *bytes, PsvRecord *record) {
    uint8_t copy[PSV_SIZE];
    memcpy(copy, bytes, codings[format].size);
    BitStream stream = {.coding = &codings[format], .bytes = copy};
    PsvRecord read = {.setup = {.ply = 1}, .has_ply = format == PSV_SFEN};
    int16_t score;
    uint16_t move;
    memcpy(&score, copy + POSITION_BYTES, sizeof(score));
    memcpy(&move, copy + POSITION_BYTES + 2, sizeof(move));
    int winner = copy[POSITION_BYTES + 4] & 3;
    if ((format == PSV_HCPE && winner == 3) || !get_position(&stream, &read.setup)) {
        return false;
    }
    if (format == PSV_HCPE) {
        read.result = winner == 0 ? 0 : (winner == 1) == (read.setup.side == BLACK) ? 1 : -1;
    } else {
        uint16_t ply;
        memcpy(&ply, copy + POSITION_BYTES + 4, sizeof(ply));
        read.setup.ply = int_max(ply, 1);
        read.result = (int8_t)copy[POSITION_BYTES + 6];
    }
    read.score = score;
    read.move = own_move(format, move);
    if (setup_check(&read.setup, NULL) != KMD_OK) {
        return false;
    }
    *record = read;
    return true;
}

/* ---- formats --------------------------------------------------------------------------------- */

const char *psv_format_name(int format) {
    return format < PSV_FORMAT_NB ? codings[format].name : NULL;
}

size_t psv_size(PsvFormat format) {
    return codings[format].size;
}

int psv_format_by_path(const char *path) {
    for (int i = 0; i < PSV_FORMAT_NB; i++) {
        StrView rest = sv_from(path);
        StrView name = sv_from(codings[i].name);
        rest = sv_skip(rest, rest.len > name.len ? rest.len - name.len - 1 : rest.len);
        if (sv_starts_with(rest, SV(".")) && sv_equal_nocase(sv_skip(rest, 1), name)) {
            return i;
        }
    }
    return -1;
}

/* True if more than half of the first records are positions with a legal move or none. */
static bool fits(PsvFormat format, const uint8_t *bytes, size_t len) {
    enum { PROBES = 100 };
    size_t size = codings[format].size;
    Position pos;
    pos_init(&pos);
    int tried = 0, good = 0;
    for (size_t at = 0; at + size <= len && tried < PROBES; at += size) {
        PsvRecord record;
        tried++;
        if (psv_read(format, bytes + at, &record)) {
            pos_set(&pos, &record.setup);
            good += record.move == MOVE_NONE || move_is_legal(&pos, record.move);
        }
    }
    pos_free(&pos);
    return good * 2 > tried;
}

int psv_detect(const char *path, const uint8_t *bytes, size_t len) {
    bool is_sfen = fits(PSV_SFEN, bytes, len);
    bool is_hcpe = fits(PSV_HCPE, bytes, len);
    return is_sfen == is_hcpe ? psv_format_by_path(path) : is_hcpe ? PSV_HCPE : PSV_SFEN;
}

/* ---- games ----------------------------------------------------------------------------------- */

void psv_describe_count(const PsvCount *count, StrBuf *out) {
    const struct {
        uint64_t count;
        const char *what;
    } reasons[] = {{count->unplayable, "not playable positions"},
                   {count->illegal, "with an illegal move"},
                   {count->unstorable, "without room in the format"}};
    uint64_t skipped = count->unplayable + count->illegal + count->unstorable;
    strbuf_addf(out, "%llu position%s written, %llu skipped", (unsigned long long)count->converted,
                str_plural(count->converted), (unsigned long long)skipped);
    const char *before = ": ";
    for (size_t i = 0; i < COUNTOF(reasons); i++) {
        if (reasons[i].count > 0) {
            strbuf_addf(out, "%s%llu %s", before, (unsigned long long)reasons[i].count,
                        reasons[i].what);
            before = ", ";
        }
    }
}

void psv_from_game(PsvFormat format, const PackedGame *game, PsvCount *count, StrBuf *out) {
    Position pos;
    pos_init(&pos);
    pos_set(&pos, &game->start);
    for (int i = 0; i < game->move_count; i++) {
        const PackedMove *packed = &game->moves[i];
        PsvRecord record = {.setup = pos_get(&pos),
                            .score = packed->score,
                            .move = game->reason == PACK_NO_MOVE ? MOVE_NONE : packed->move,
                            .result = outcome_sign(game->winner, pos.side)};
        uint8_t bytes[PSV_SIZE];
        if (packed->score == PACK_NO_SCORE) {
            /* Only positions with a score become records. */
        } else if (psv_write(format, &record, bytes)) {
            strbuf_add(out, (StrView){(const char *)bytes, codings[format].size});
            count->converted++;
        } else {
            count->unstorable++;
        }
        pos_do(&pos, packed->move);
    }
    pos_free(&pos);
}

void psv_games_init(PsvGames *games, PsvFormat format, const uint8_t *bytes, size_t len) {
    *games = (PsvGames){.format = format, .bytes = bytes, .len = len};
    pos_init(&games->pos);
}

void psv_games_free(PsvGames *games) {
    pos_free(&games->pos);
}

/* True if the record is of the position after the last move of the game. */
static bool continues(const PsvGames *games, const PsvRecord *record) {
    Setup now = pos_get(&games->pos);
    return now.side == record->setup.side && (now.ply == record->setup.ply || !record->has_ply) &&
           now.hand[BLACK] == record->setup.hand[BLACK] &&
           now.hand[WHITE] == record->setup.hand[WHITE] &&
           memcmp(now.board, record->setup.board, sizeof(now.board)) == 0;
}

static void begin_psv_game(PsvGames *games, const PsvRecord *record, PackedGame *game) {
    Color side = record->setup.side;
    Color winner = record->result > 0 ? side : color_flip(side);
    packed_game_begin(game, &record->setup);
    pos_set(&games->pos, &record->setup);
    game->winner = record->result == 0 ? KMD_WINNER_DRAW : outcome_winner(winner);
}

bool psv_next_game(PsvGames *games, PackedGame *game) {
    size_t size = codings[games->format].size;
    game->move_count = 0;
    for (; games->at + size <= games->len; games->at += size) {
        PsvRecord record;
        bool is_good = psv_read(games->format, games->bytes + games->at, &record);
        bool is_next = is_good && game->move_count > 0;
        if (is_next && (record.move == MOVE_NONE || game->move_count == PSV_MAX_MOVES ||
                        !continues(games, &record))) {
            return true;
        }
        if (is_good && !is_next) {
            begin_psv_game(games, &record, game);
        }
        bool has_move = is_good && record.move != MOVE_NONE;
        Move list[MAX_MOVES];
        if (is_good && !has_move && gen_moves(&games->pos, GEN_LEGAL, list) > 0) {
            record.move = list[0];
            game->reason = PACK_NO_MOVE;
        }
        bool is_legal = is_good && move_is_legal(&games->pos, record.move);
        if (is_legal) {
            packed_game_add(game, record.move, int_max(record.score, PACK_NO_SCORE + 1));
            pos_do(&games->pos, record.move);
            games->count.converted++;
        } else {
            games->count.unplayable += !has_move;
            games->count.illegal += has_move;
        }
        if (is_legal ? !has_move : is_next) {
            games->at += size;
            return true;
        }
    }
    return game->move_count > 0;
}
