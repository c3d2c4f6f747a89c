/* packed.h: games as training data, in about 1.7 bytes a position.
 *
 * A file is a header of 64 bytes and blocks. A block holds whole games and is read without any
 * other: damage costs the block it is in. All numbers are little-endian.
 *
 *   file header                            block header (48 bytes)
 *    0  8 bytes  "KMDGAMES"                 0  uint32  "KBLK"
 *    8  uint32   version, 2                 4  uint32  games
 *   12  uint32   nodes per move             8  uint32  positions with a score
 *   16  uint64   identity of the net       12  uint32  length of the content
 *   24  uint64   seed                      16  uint64  identity of the net
 *   32  uint32   shard                     24  uint64  seed
 *   36  uint32   shards                    32  uint32  nodes per move
 *   40  uint64   identity of the rules     36  uint32  0
 *   48  12 bytes 0                         40  uint32  CRC-32 of the content
 *   60  uint32   CRC-32 of the first 60    44  uint32  CRC-32 of the first 44
 *
 * The content is written by a range coder (rangecode.c) whose models start again with each block.
 * For each game: a bit for "starts from the even start position", else the position; 16 bits for
 * the number of moves; the winner; why the game ended and whether unlike players played it. For
 * each move: a bit for "has a score"; the score, quantised (packed_quantize), as the difference
 * from the other side's last one; and the number of the move in the list of all legal moves in the
 * order of their 16-bit codes, each equally likely. That order and the move codes (types.h) are
 * thereby frozen. Version 1, which is read too, has no games of unlike players and no identity of
 * rules.
 *
 * Nothing here prints. Readers and writers belong to one thread. */
#ifndef KMD_DATA_PACKED_H
#define KMD_DATA_PACKED_H

#include <stdint.h>

#include "base/str.h"
#include "rules/setup.h"

/* The score of a position that has none, as those of a random opening. */
enum { PACK_NO_SCORE = INT16_MIN, PACK_MOST_MOVES = 65535 };

/* Why a game ended. The numbers are part of the format. */
typedef enum PackReason {
    PACK_MATE,        /* no legal move */
    PACK_ADJUDICATED, /* the score said so */
    PACK_REPETITION,  /* sennichite or perpetual check */
    PACK_DECLARATION, /* impasse */
    PACK_MAX_MOVES,   /* too long: a draw */
    PACK_UNKNOWN,     /* from elsewhere */
    PACK_REASON_NB
} PackReason;

typedef struct PackedMove {
    Move move;
    int16_t score; /* of the position before it, mover's view, centipawns; or PACK_NO_SCORE */
} PackedMove;

/* A game. Zero-initialise it; free with packed_game_free. */
typedef struct PackedGame {
    Setup start;
    KmdWinner winner; /* KMD_WINNER_NONE: unknown */
    PackReason reason;
    bool is_unlike; /* the players were different, so the result says less about the positions */
    int move_count;
    PackedMove *moves;
    size_t move_cap;
} PackedGame;

void packed_game_free(PackedGame *game);

/* True for a position with a score from which no game continued: one from a search tree. */
static inline bool packed_game_is_leaf(const PackedGame *game) {
    return game->move_count == 1 && game->reason == PACK_UNKNOWN && game->is_unlike;
}

/* No moves, from this start. */
void packed_game_begin(PackedGame *game, const Setup *start);
void packed_game_add(PackedGame *game, Move move, int score);

/* The origin of the games. */
typedef struct PackOrigin {
    uint64_t net_id; /* 0: the hand-written evaluation, or unknown */
    uint64_t seed;
    uint64_t rules; /* a hash of what else decided how the games went; 0: unknown */
    uint32_t nodes; /* per move */
    uint32_t shard; /* of `shards`, from 0 */
    uint32_t shards;
} PackOrigin;

/* The first bytes of a file of games. */
#define PACK_MAGIC "KMDGAMES"

enum { PACK_HEADER_SIZE = 64, PACK_BLOCK_HEADER_SIZE = 48 };

/* The score as a small number, and the middle of what that number stands for. Steps of 8 up to
 * 1024, then ever wider. quantize(-s) is -quantize(s). */
int packed_quantize(int score);
int packed_dequantize(int level);

/* Appends a file header. */
void packed_write_header(const PackOrigin *origin, StrBuf *out);

/* Appends a block of games; all moves must be legal. Nothing is appended for no games. */
void packed_write_block(const PackedGame *games, int count, const PackOrigin *origin, StrBuf *out);

/* A block in memory whose checksums are right. */
typedef struct PackBlock {
    PackOrigin origin; /* shard and shards are 0 */
    uint32_t games;
    uint32_t positions;
    const uint8_t *content;
    size_t content_len;
    const uint8_t *whole; /* with its header */
    size_t whole_len;
} PackBlock;

typedef struct PackReader {
    const uint8_t *bytes;
    size_t len;
    size_t at;
    PackOrigin origin;      /* of the first file where several were joined */
    bool has_header;        /* the file's header is intact; blocks are found without it, too */
    bool is_other_version;  /* the header is whole, but what follows means something else */
    size_t damaged_regions; /* places where what should have been a block was none */
    size_t damaged_bytes;
} PackReader;

/* False when nothing in the file looks like games of this version. The bytes stay the caller's. */
bool packed_read_begin(PackReader *reader, const void *bytes, size_t len);

/* Why packed_read_begin was false. */
const char *packed_refusal(const PackReader *reader);

/* The next block that is whole; false at the end. What lies between is counted as damaged, but for
 * whole headers of this version: files may have been joined as they are. */
bool packed_read_block(PackReader *reader, PackBlock *block);

/* Hands over a game; false ends the reading of the block. The game is valid during the call. */
typedef bool PackVisit(void *context, const PackedGame *game);

/* Decodes the games of a block in order. False when the content is inconsistent despite its
 * checksum (a block written by a faulty program); the games before that were passed on. */
bool packed_decode_block(const PackBlock *block, PackVisit *visit, void *context) MUST_CHECK;

#endif
