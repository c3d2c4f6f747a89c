/* packed.c: models for the range coding of scores, start positions and moves, blocks that contain
 * the coded games, and a reader that finds the next block after damage. */
#include "train/packed.h"

#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/xmem.h"
#include "rules/movegen.h"
#include "rules/position.h"

enum { PACK_VERSION = 3, BLOCK_MAGIC = 0x4B4C424B };

typedef struct FileHeader {
    char magic[8];
    uint32_t version, nodes;
    uint64_t net_id, seed;
    uint32_t shard, shards;
    uint64_t rules;
    uint8_t reserved[12];
    uint32_t crc;
} FileHeader;

typedef struct BlockHeader {
    uint32_t magic, games, positions, content_len;
    uint64_t net_id, seed;
    uint32_t nodes, has_evaluations, content_crc, crc;
} BlockHeader;

_Static_assert(sizeof(FileHeader) == PACK_HEADER_SIZE, "part of the format");
_Static_assert(sizeof(BlockHeader) == PACK_BLOCK_HEADER_SIZE, "part of the format");
_Static_assert(sizeof(PACK_MAGIC) == 8 + 1, "the header has no place for its NUL");

void packed_game_free(PackedGame *game) {
    free(game->moves);
    *game = (PackedGame){.move_count = 0};
}

void packed_game_begin(PackedGame *game, const Setup *start) {
    game->start = *start;
    game->winner = KMD_WINNER_NONE;
    game->reason = PACK_UNKNOWN;
    game->is_unequal = false;
    game->evaluation[BLACK] = game->evaluation[WHITE] = PACK_UNKNOWN_EVALUATION;
    game->move_count = 0;
}

void packed_game_add(PackedGame *game, Move move, int score) {
    ASSERT(game->move_count < PACK_MOVES_MAX);
    game->moves =
        xmem_grow(game->moves, &game->move_cap, (size_t)game->move_count + 1, sizeof(PackedMove));
    game->moves[game->move_count++] = (PackedMove){move, (int16_t)score};
}

/* ---- scores ---------------------------------------------------------------------------------- */

/* A range of scores, from `from` on, whose levels are `step` centipawns wide and numbered from
 * `level`. */
typedef struct ScoreBand {
    int from, step, level;
} ScoreBand;

static const ScoreBand bands[] = {
    {0, 8, 0}, {1024, 32, 128}, {2048, 64, 160}, {4096, 128, 192}, {8192, 1024, 224},
};

enum { MAX_SCORE = 32767, MAX_LEVEL = 224 + (MAX_SCORE - 8192 + 512) / 1024 };

int packed_quantize(int score) {
    int size = int_min(abs(score), MAX_SCORE);
    size_t i = COUNTOF(bands) - 1;
    while (bands[i].from > size) {
        i--;
    }
    int level = bands[i].level + (size - bands[i].from + bands[i].step / 2) / bands[i].step;
    return score < 0 ? -level : level;
}

int packed_dequantize(int level) {
    int size = int_min(abs(level), MAX_LEVEL);
    size_t i = COUNTOF(bands) - 1;
    while (bands[i].level > size) {
        i--;
    }
    int score = bands[i].from + (size - bands[i].level) * bands[i].step;
    return int_min(score, MAX_SCORE) * (level < 0 ? -1 : 1);
}

/* ---- the range coder ------------------------------------------------------------------------- */

/* An adaptive range coder stores numbers in nearly as few bits as their probabilities allow.
 * Encoder and decoder must make the same calls in the same order. The decoder accepts any bytes: it
 * always returns numbers within their ranges and never reads past the end. Source: range coding
 * (Martin 1979), with adaptive bits as in LZMA (Pavlov 1998). */

typedef struct RangeEncoder {
    StrBuf *out; /* output is appended here */
    uint64_t low;
    uint32_t range;
    uint8_t cache;
    uint64_t pending; /* number of bytes waiting for a possible carry, including the cached one */
} RangeEncoder;

typedef struct RangeDecoder {
    const uint8_t *at;
    const uint8_t *end;
    uint32_t range;
    uint32_t code;
} RangeDecoder;

/* The probability, out of 2^16, that a bit is 0, adapted to the bits coded so far. */
typedef struct AdaptiveBit {
    uint16_t zero;
} AdaptiveBit;

enum { RANGE_TREE_BITS = 6 };

/* A model for numbers of RANGE_TREE_BITS bits, in which the probability of each bit depends on the
 * higher bits. */
typedef struct AdaptiveTree {
    AdaptiveBit bit[1 << RANGE_TREE_BITS];
} AdaptiveTree;

/* The range stays above this, so that dividing it by 2^16 never gives 0. */
#define RANGE_MIN ((uint32_t)1 << 24)

/* How fast probabilities adapt: with each bit they move 1/32 of the way towards it. */
enum { ADAPT_SHIFT = 5, BIT_PRECISION = 16, BIT_EVEN = 1 << (BIT_PRECISION - 1) };

static void rangecode_bit_init(AdaptiveBit *bit) {
    bit->zero = BIT_EVEN;
}

static void rangecode_tree_init(AdaptiveTree *tree) {
    for (size_t i = 0; i < COUNTOF(tree->bit); i++) {
        rangecode_bit_init(&tree->bit[i]);
    }
}

/* Adapts the probability to a bit. It never reaches 0 or 2^16 but stays 31 away from both. */
static void bit_learn(AdaptiveBit *model, int bit) {
    if (bit == 0) {
        model->zero =
            (uint16_t)(model->zero + ((((1 << BIT_PRECISION) - model->zero)) >> ADAPT_SHIFT));
    } else {
        model->zero = (uint16_t)(model->zero - (model->zero >> ADAPT_SHIFT));
    }
}

static void rangecode_encode_init(RangeEncoder *encoder, StrBuf *out) {
    *encoder = (RangeEncoder){.out = out, .range = UINT32_MAX, .pending = 1};
}

/* Writes the top byte of `low` as soon as no carry can change it. */
static void shift_low(RangeEncoder *encoder) {
    uint32_t low = (uint32_t)encoder->low;
    int carry = (int)(encoder->low >> 32);
    if (low < 0xFF000000 || carry != 0) {
        uint8_t byte = encoder->cache;
        for (; encoder->pending > 0; encoder->pending--) {
            strbuf_add_byte(encoder->out, (char)(uint8_t)(byte + carry));
            byte = 0xFF;
        }
        encoder->cache = (uint8_t)(low >> 24);
    }
    encoder->pending++;
    encoder->low = (uint64_t)(low << 8);
}

/* Appends the remaining bytes. */
static void rangecode_encode_end(RangeEncoder *encoder) {
    for (int i = 0; i < 5; i++) {
        shift_low(encoder);
    }
}

static void encoder_normalize(RangeEncoder *encoder) {
    while (encoder->range < RANGE_MIN) {
        encoder->range <<= 8;
        shift_low(encoder);
    }
}

/* Encodes a number below `total` (1 to 65536). All such numbers are equally likely. */
static void rangecode_encode_uniform(RangeEncoder *encoder, uint32_t number, uint32_t total) {
    ASSERT(number < total && total <= 1 << 16);
    uint32_t part = encoder->range / total;
    encoder->low += (uint64_t)part * number;
    encoder->range = part;
    encoder_normalize(encoder);
}

static void rangecode_encode_bit(RangeEncoder *encoder, AdaptiveBit *model, int bit) {
    uint32_t bound = (encoder->range >> BIT_PRECISION) * model->zero;
    if (bit == 0) {
        encoder->range = bound;
    } else {
        encoder->low += bound;
        encoder->range -= bound;
    }
    bit_learn(model, bit);
    encoder_normalize(encoder);
}

static void rangecode_encode_tree(RangeEncoder *encoder, AdaptiveTree *model, uint32_t number) {
    ASSERT(number < 1 << RANGE_TREE_BITS);
    uint32_t node = 1;
    for (int i = RANGE_TREE_BITS - 1; i >= 0; i--) {
        int bit = (int)(number >> i & 1);
        rangecode_encode_bit(encoder, &model->bit[node], bit);
        node = node << 1 | (uint32_t)bit;
    }
}

static uint32_t next_byte(RangeDecoder *decoder) {
    return decoder->at < decoder->end ? *decoder->at++ : 0;
}

static void rangecode_decode_init(RangeDecoder *decoder, const void *bytes, size_t len) {
    *decoder = (RangeDecoder){.at = bytes, .range = UINT32_MAX};
    decoder->end = decoder->at + len;
    for (int i = 0; i < 5; i++) {
        decoder->code = decoder->code << 8 | next_byte(decoder);
    }
}

static void decoder_normalize(RangeDecoder *decoder) {
    while (decoder->range < RANGE_MIN) {
        decoder->range <<= 8;
        decoder->code = decoder->code << 8 | next_byte(decoder);
    }
}

static uint32_t rangecode_decode_uniform(RangeDecoder *decoder, uint32_t total) {
    ASSERT(total >= 1 && total <= 1 << 16);
    uint32_t part = decoder->range / total;
    uint32_t number = decoder->code / part;
    /* Values beyond the last part are never written, but damaged bytes may contain them. */
    number = number < total ? number : total - 1;
    decoder->code -= part * number;
    decoder->range = part;
    decoder_normalize(decoder);
    return number;
}

static int rangecode_decode_bit(RangeDecoder *decoder, AdaptiveBit *model) {
    uint32_t bound = (decoder->range >> BIT_PRECISION) * model->zero;
    int bit = decoder->code >= bound;
    if (bit == 0) {
        decoder->range = bound;
    } else {
        decoder->code -= bound;
        decoder->range -= bound;
    }
    bit_learn(model, bit);
    decoder_normalize(decoder);
    return bit;
}

static uint32_t rangecode_decode_tree(RangeDecoder *decoder, AdaptiveTree *model) {
    uint32_t node = 1;
    for (int i = 0; i < RANGE_TREE_BITS; i++) {
        node = node << 1 | (uint32_t)rangecode_decode_bit(decoder, &model->bit[node]);
    }
    return node - (1 << RANGE_TREE_BITS);
}

/* ---- models of the content ------------------------------------------------------------------- */

enum {
    DELTA_CONTEXTS = 4,
    DELTA_ESCAPE = 63,  /* an escape code; the difference follows as a full number */
    DELTA_TOTAL = 1024, /* differences are within -512 .. 511 */
};

_Static_assert(MAX_LEVEL * 2 < DELTA_TOTAL / 2, "every difference has a number");

typedef struct Models {
    AdaptiveBit is_start, has_score[2];
    AdaptiveTree delta[DELTA_CONTEXTS];
    AdaptiveTree square[2]; /* chosen by whether the previous square is empty */
} Models;

static void models_init(Models *models) {
    rangecode_bit_init(&models->is_start);
    for (int i = 0; i < 2; i++) {
        rangecode_bit_init(&models->has_score[i]);
        rangecode_tree_init(&models->square[i]);
    }
    for (int i = 0; i < DELTA_CONTEXTS; i++) {
        rangecode_tree_init(&models->delta[i]);
    }
}

/* The context for coding a score: the other side's last score, and how unexpected it was. */
typedef struct ScoreContext {
    int level; /* the expected level */
    int last_delta, had_score;
} ScoreContext;

static AdaptiveTree *delta_model(Models *models, const ScoreContext *scores) {
    int surprise = abs(scores->last_delta);
    return &models->delta[surprise <= 1 ? 0 : surprise <= 4 ? 1 : surprise <= 12 ? 2 : 3];
}

static void note_score(ScoreContext *scores, int level) {
    scores->last_delta = level - scores->level;
    scores->level = -level;
}

/* Maps 0, -1, 1, -2, 2 ... to 0, 1, 2, 3, 4 ... */
static uint32_t fold(int number) {
    return number < 0 ? (uint32_t)(-number) * 2 - 1 : (uint32_t)number * 2;
}

static int unfold(uint32_t number) {
    return number & 1 ? -(int)(number / 2) - 1 : (int)(number / 2);
}

/* ---- evaluations ----------------------------------------------------------------------------- */

enum { EVALUATION_MAX = 255, EVALUATION_PARTS = 4 };

/* The evaluations of a block. The first is always PACK_UNKNOWN_EVALUATION. */
typedef struct Evaluations {
    uint32_t count;
    uint64_t ids[EVALUATION_MAX];
} Evaluations;

/* The number of an evaluation in the list, to which it is added if there is room. */
static uint32_t number_of(Evaluations *evaluations, uint64_t id) {
    uint32_t i = 0;
    while (i < evaluations->count && evaluations->ids[i] != id) {
        i++;
    }
    if (i == evaluations->count && i < EVALUATION_MAX) {
        evaluations->ids[evaluations->count++] = id;
    }
    return i < evaluations->count ? i : 0;
}

static void encode_evaluations(RangeEncoder *encoder, const Evaluations *evaluations) {
    rangecode_encode_uniform(encoder, evaluations->count, EVALUATION_MAX + 1);
    for (uint32_t i = 0; i < evaluations->count; i++) {
        for (int part = 0; part < EVALUATION_PARTS; part++) {
            rangecode_encode_uniform(encoder, evaluations->ids[i] >> 16 * part & 0xFFFF, 1 << 16);
        }
    }
}

/* Returns false if there are none. */
static bool decode_evaluations(RangeDecoder *decoder, Evaluations *evaluations) {
    evaluations->count = rangecode_decode_uniform(decoder, EVALUATION_MAX + 1);
    for (uint32_t i = 0; i < evaluations->count; i++) {
        evaluations->ids[i] = 0;
        for (int part = 0; part < EVALUATION_PARTS; part++) {
            uint64_t bits = rangecode_decode_uniform(decoder, 1 << 16);
            evaluations->ids[i] |= bits << 16 * part;
        }
    }
    return evaluations->count > 0;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void encode_score(RangeEncoder *encoder, Models *models, ScoreContext *scores, int score) {
    int level = packed_quantize(score);
    int delta = level - scores->level;
    AdaptiveTree *model = delta_model(models, scores);
    if (fold(delta) < DELTA_ESCAPE) {
        rangecode_encode_tree(encoder, model, fold(delta));
    } else {
        rangecode_encode_tree(encoder, model, DELTA_ESCAPE);
        rangecode_encode_uniform(encoder, (uint32_t)(delta + DELTA_TOTAL / 2), DELTA_TOTAL);
    }
    note_score(scores, level);
}

static void encode_start(RangeEncoder *encoder, Models *models, const Setup *start) {
    int before = 0;
    for (Square sq = 0; sq < SQ_NB; sq++) {
        rangecode_encode_tree(encoder, &models->square[before], start->board[sq]);
        before = start->board[sq] != NO_PIECE;
    }
    for (int color = BLACK; color <= WHITE; color++) {
        rangecode_encode_uniform(encoder, start->hand[color] >> 16, 1 << 16);
        rangecode_encode_uniform(encoder, start->hand[color] & 0xFFFF, 1 << 16);
    }
    rangecode_encode_uniform(encoder, (uint32_t)start->side, 2);
    rangecode_encode_uniform(encoder, (uint32_t)int_clamp(start->ply, 1, 0xFFFF), 1 << 16);
}

static bool is_start_position(const Setup *setup) {
    Setup start = setup_start();
    return memcmp(setup->board, start.board, sizeof(start.board)) == 0 && setup->hand[BLACK] == 0 &&
           setup->hand[WHITE] == 0 && setup->side == BLACK && setup->ply == 1;
}

/* The number of legal moves with a smaller code than `move`; *total is the number of all legal
 * moves. */
static uint32_t rank_of(const Position *pos, Move move, uint32_t *total) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    uint32_t rank = 0;
    for (int i = 0; i < count; i++) {
        rank += list[i] < move;
    }
    *total = (uint32_t)count;
    return rank;
}

/* Encodes a game. Returns the number of scores written. */
static uint32_t encode_game(RangeEncoder *encoder, Models *models, Evaluations *evaluations,
                            Position *pos, const PackedGame *game) {
    bool is_start = is_start_position(&game->start);
    rangecode_encode_bit(encoder, &models->is_start, is_start);
    if (!is_start) {
        encode_start(encoder, models, &game->start);
    }
    rangecode_encode_uniform(encoder, (uint32_t)game->move_count, 1 << 16);
    rangecode_encode_uniform(encoder, (uint32_t)game->winner, 4);
    rangecode_encode_uniform(encoder, (uint32_t)game->reason | (uint32_t)game->is_unequal << 3, 16);
    for (int color = BLACK; color <= WHITE; color++) {
        rangecode_encode_uniform(encoder, number_of(evaluations, game->evaluation[color]),
                                 evaluations->count);
    }
    pos_set(pos, &game->start);
    ScoreContext scores = {0};
    uint32_t scored = 0;
    for (int i = 0; i < game->move_count; i++) {
        const PackedMove *packed = &game->moves[i];
        int has_score = packed->score != PACK_NO_SCORE;
        rangecode_encode_bit(encoder, &models->has_score[scores.had_score], has_score);
        scores.had_score = has_score;
        if (has_score) {
            encode_score(encoder, models, &scores, packed->score);
            scored++;
        }
        uint32_t total;
        uint32_t rank = rank_of(pos, packed->move, &total);
        rangecode_encode_uniform(encoder, rank, total);
        pos_do(pos, packed->move);
    }
    return scored;
}

void packed_write_header(const PackOrigin *origin, StrBuf *out) {
    FileHeader header = {.version = PACK_VERSION,
                         .nodes = origin->nodes,
                         .net_id = origin->net_id,
                         .seed = origin->seed,
                         .rules = origin->rules,
                         .shard = origin->shard,
                         .shards = origin->shards};
    memcpy(header.magic, PACK_MAGIC, sizeof(header.magic));
    header.crc = checksum_crc32(&header, offsetof(FileHeader, crc));
    strbuf_add_bytes(out, &header, sizeof(header));
}

void packed_write_block(const PackedGame *games, int count, const PackOrigin *origin, StrBuf *out) {
    if (count == 0) {
        return;
    }
    BlockHeader header = {.magic = BLOCK_MAGIC,
                          .games = (uint32_t)count,
                          .net_id = origin->net_id,
                          .seed = origin->seed,
                          .nodes = origin->nodes,
                          .has_evaluations = 1};
    Evaluations evaluations = {.count = 1, .ids = {PACK_UNKNOWN_EVALUATION}};
    for (int i = 0; i < count; i++) {
        number_of(&evaluations, games[i].evaluation[BLACK]);
        number_of(&evaluations, games[i].evaluation[WHITE]);
    }
    size_t start = out->len;
    strbuf_add_bytes(out, &header, sizeof(header));
    RangeEncoder encoder;
    rangecode_encode_init(&encoder, out);
    encode_evaluations(&encoder, &evaluations);
    Models models;
    models_init(&models);
    Position pos;
    pos_init(&pos);
    for (int i = 0; i < count; i++) {
        header.positions += encode_game(&encoder, &models, &evaluations, &pos, &games[i]);
    }
    pos_free(&pos);
    rangecode_encode_end(&encoder);
    const char *content = out->ptr + start + sizeof(header);
    header.content_len = (uint32_t)(out->len - start - sizeof(header));
    header.content_crc = checksum_crc32(content, header.content_len);
    header.crc = checksum_crc32(&header, offsetof(BlockHeader, crc));
    memcpy(out->ptr + start, &header, sizeof(header));
}

/* ---- finding blocks -------------------------------------------------------------------------- */

/* True if there is a block with correct checksums at `at`. */
static bool block_at(const PackReader *reader, size_t at, PackBlock *block) {
    BlockHeader header;
    if (reader->len - at < sizeof(header)) {
        return false;
    }
    memcpy(&header, reader->bytes + at, sizeof(header));
    if (header.magic != BLOCK_MAGIC ||
        header.crc != checksum_crc32(&header, offsetof(BlockHeader, crc)) ||
        header.has_evaluations > 1 || header.content_len > reader->len - at - sizeof(header)) {
        return false;
    }
    const uint8_t *content = reader->bytes + at + sizeof(header);
    if (header.content_crc != checksum_crc32(content, header.content_len)) {
        return false;
    }
    block->origin =
        (PackOrigin){.net_id = header.net_id, .seed = header.seed, .nodes = header.nodes};
    block->games = header.games;
    block->positions = header.positions;
    block->has_evaluations = header.has_evaluations == 1;
    block->content = content;
    block->content_len = header.content_len;
    block->whole = reader->bytes + at;
    block->whole_len = sizeof(header) + header.content_len;
    return true;
}

/* True if there is a file header of any version at `at`. */
static bool header_at(const PackReader *reader, size_t at, FileHeader *header) {
    if (reader->len - at < sizeof(*header)) {
        return false;
    }
    memcpy(header, reader->bytes + at, sizeof(*header));
    return memcmp(header->magic, PACK_MAGIC, sizeof(header->magic)) == 0 &&
           header->crc == checksum_crc32(header, offsetof(FileHeader, crc));
}

static bool version_is_known(const FileHeader *header) {
    return header->version >= 1 && header->version <= PACK_VERSION;
}

static bool read_file_header(PackReader *reader) {
    FileHeader header;
    if (!header_at(reader, 0, &header)) {
        return false;
    }
    if (!version_is_known(&header)) {
        reader->is_other_version = true;
        return false;
    }
    reader->origin = (PackOrigin){.net_id = header.net_id,
                                  .seed = header.seed,
                                  .rules = header.rules,
                                  .nodes = header.nodes,
                                  .shard = header.shard,
                                  .shards = header.shards};
    reader->at = sizeof(header);
    return true;
}

bool packed_read_begin(PackReader *reader, const void *bytes, size_t len) {
    *reader = (PackReader){.bytes = bytes, .len = len};
    reader->has_header = read_file_header(reader);
    if (reader->has_header || reader->is_other_version) {
        return reader->has_header;
    }
    PackReader trial = *reader;
    PackBlock block;
    return packed_read_block(&trial, &block);
}

const char *packed_refusal(const PackReader *reader) {
    return reader->is_other_version ? "another version of the format" : "contains no games";
}

/* Counts the bytes from `start` to the current place as damage, because they are neither a block
 * nor a header. */
static void note_damage(PackReader *reader, size_t start) {
    if (reader->at > start) {
        reader->damaged_regions++;
        reader->damaged_bytes += reader->at - start;
    }
}

/* Blocks do not depend on the file header, so headers between blocks are skipped; they occur where
 * files were joined. Blocks and headers start with the same letter. */
bool packed_read_block(PackReader *reader, PackBlock *block) {
    FileHeader header;
    size_t start = reader->at;
    while (reader->at < reader->len && !block_at(reader, reader->at, block)) {
        if (header_at(reader, reader->at, &header) && version_is_known(&header)) {
            note_damage(reader, start);
            reader->at += sizeof(header);
            start = reader->at;
            continue;
        }
        reader->at++;
        const uint8_t *next =
            memchr(reader->bytes + reader->at, BLOCK_MAGIC & 0xFF, reader->len - reader->at);
        reader->at = next != NULL ? (size_t)(next - reader->bytes) : reader->len;
    }
    note_damage(reader, start);
    if (reader->at >= reader->len) {
        return false;
    }
    reader->at += block->whole_len;
    return true;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int decode_score(RangeDecoder *decoder, Models *models, ScoreContext *scores) {
    uint32_t folded = rangecode_decode_tree(decoder, delta_model(models, scores));
    int delta = folded < DELTA_ESCAPE
                    ? unfold(folded)
                    : (int)rangecode_decode_uniform(decoder, DELTA_TOTAL) - DELTA_TOTAL / 2;
    int level = int_clamp(scores->level + delta, -MAX_LEVEL, MAX_LEVEL);
    note_score(scores, level);
    return packed_dequantize(level);
}

/* Decodes a start position. Returns false if it is not playable. */
static bool decode_start(RangeDecoder *decoder, Models *models, Setup *start) {
    bool is_valid = true;
    int before = 0;
    for (Square sq = 0; sq < SQ_NB; sq++) {
        uint32_t piece = rangecode_decode_tree(decoder, &models->square[before]);
        is_valid = is_valid && (piece == NO_PIECE || (piece < PIECE_NB && piece % 16 != 0 &&
                                                      piece % 16 < PIECE_TYPE_NB));
        start->board[sq] = (Piece)piece;
        before = piece != NO_PIECE;
    }
    Hand counts = 0; /* the bits that a hand may use */
    for (int type = PAWN; type <= GOLD; type++) {
        counts |= hand_mask((PieceType)type) << hand_shift((PieceType)type);
    }
    for (int color = BLACK; color <= WHITE; color++) {
        Hand high = rangecode_decode_uniform(decoder, 1 << 16);
        start->hand[color] = high << 16 | rangecode_decode_uniform(decoder, 1 << 16);
        is_valid = is_valid && (start->hand[color] & ~counts) == 0;
    }
    start->side = (Color)rangecode_decode_uniform(decoder, 2);
    start->ply = (int)rangecode_decode_uniform(decoder, 1 << 16);
    return is_valid && start->ply >= 1 && setup_check(start, NULL) == KMD_OK;
}

/* Selects the element that would be at `rank` if the list were sorted. Reorders the list. */
static Move select_move(Move *list, int count, int rank) {
    int low = 0, high = count - 1;
    while (low < high) {
        Move pivot = list[(low + high) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (list[i] < pivot) {
                i++;
            }
            while (list[j] > pivot) {
                j--;
            }
            if (i <= j) {
                Move swap = list[i];
                list[i++] = list[j];
                list[j--] = swap;
            }
        }
        if (rank <= j) {
            high = j;
        } else if (rank >= i) {
            low = i;
        } else {
            break;
        }
    }
    return list[rank];
}

static bool decode_moves(RangeDecoder *decoder, Models *models, Position *pos, PackedGame *game,
                         int count) {
    ScoreContext scores = {0};
    pos_set(pos, &game->start);
    for (int i = 0; i < count; i++) {
        int score = PACK_NO_SCORE;
        scores.had_score = rangecode_decode_bit(decoder, &models->has_score[scores.had_score]);
        if (scores.had_score) {
            score = decode_score(decoder, models, &scores);
        }
        Move list[MAX_MOVES];
        int total = gen_moves(pos, GEN_LEGAL, list);
        if (total == 0) {
            return false;
        }
        int rank = (int)rangecode_decode_uniform(decoder, (uint32_t)total);
        Move move = select_move(list, total, rank);
        packed_game_add(game, move, score);
        pos_do(pos, move);
    }
    return true;
}

/* Reads the evaluations of a game. Older blocks name only the network that gave the scores. */
static void decode_players(RangeDecoder *decoder, const Evaluations *evaluations,
                           PackedGame *game) {
    for (int color = BLACK; color <= WHITE; color++) {
        if (evaluations->count > 0) {
            uint32_t number = rangecode_decode_uniform(decoder, evaluations->count);
            game->evaluation[color] = evaluations->ids[number];
        } else {
            game->evaluation[color] = PACK_UNKNOWN_EVALUATION;
        }
    }
}

static bool decode_game(RangeDecoder *decoder, Models *models, const Evaluations *evaluations,
                        Position *pos, PackedGame *game) {
    Setup start = setup_start();
    if (!rangecode_decode_bit(decoder, &models->is_start) &&
        !decode_start(decoder, models, &start)) {
        return false;
    }
    packed_game_begin(game, &start);
    int count = (int)rangecode_decode_uniform(decoder, 1 << 16);
    game->winner = (KmdWinner)rangecode_decode_uniform(decoder, 4);
    uint32_t reason = rangecode_decode_uniform(decoder, 16);
    game->reason = (PackReason)(reason & 7);
    game->is_unequal = reason >> 3 != 0;
    decode_players(decoder, evaluations, game);
    return game->reason < PACK_REASON_NB && decode_moves(decoder, models, pos, game, count);
}

bool packed_decode_block(const PackBlock *block, PackVisit *visit, void *context) {
    RangeDecoder decoder;
    rangecode_decode_init(&decoder, block->content, block->content_len);
    Models models;
    models_init(&models);
    Position pos;
    pos_init(&pos);
    PackedGame game = {.move_count = 0};
    Evaluations evaluations = {.count = 0};
    bool is_valid = !block->has_evaluations || decode_evaluations(&decoder, &evaluations);
    bool goes_on = true;
    for (uint32_t i = 0; i < block->games && is_valid && goes_on; i++) {
        is_valid = decode_game(&decoder, &models, &evaluations, &pos, &game);
        goes_on = is_valid && visit(context, &game);
    }
    packed_game_free(&game);
    pos_free(&pos);
    return is_valid;
}
