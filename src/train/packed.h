/* packed.h: games as training data, about 1.7 bytes per position.
 *
 * A file is a header of 64 bytes followed by blocks. Each block contains whole games and can be
 * read by itself, so damage to one block does not affect the others. All numbers are little-endian.
 *
 *   file header                            block header (48 bytes)
 *    0  8 bytes  "KMDGAMES"                 0  uint32  "KBLK"
 *    8  uint32   version, 3                 4  uint32  games
 *   12  uint32   nodes per move             8  uint32  positions with a score
 *   16  uint64   identity of the net       12  uint32  length of the content
 *   24  uint64   seed                      16  uint64  identity of the net
 *   32  uint32   shard                     24  uint64  seed
 *   36  uint32   shards                    32  uint32  nodes per move
 *   40  uint64   identity of the rules     36  uint32  1: the content names the evaluations
 *   48  12 bytes 0                         40  uint32  CRC-32 of the content
 *   60  uint32   CRC-32 of the first 60    44  uint32  CRC-32 of the first 44
 *
 * The content is range coded (packed.c); the adaptive models are reset at the start of each
 * block. The content begins with the evaluations that chose moves in the block: their number in 8
 * bits, and the identity of each in 64 bits. Each game has:
 *
 *   - a bit that says whether the game starts from the even start position; if not, the position
 *   - 16 bits for the number of moves
 *   - the winner, why the game ended, and whether the players were unequal
 *   - the numbers of the evaluations that played black and white
 *   - for each move: a bit that says whether it has a score; the score, quantised (packed_quantize)
 *     and stored as the difference from the other side's last score; and the rank of the move among
 *     all legal moves in the order of their 16-bit codes, with all ranks equally likely
 *
 * The legal moves and their codes (types.h) must therefore never change. Versions 1 and 2 can be
 * read too: their blocks do not name the evaluations and have 0 at offset 36. Version 1 has no flag
 * for unequal players and no identity of the rules either.
 *
 * Nothing here prints. Readers and writers belong to one thread. */
#ifndef KMD_TRAIN_PACKED_H
#define KMD_TRAIN_PACKED_H

#include <stdint.h>

#include "base/str.h"
#include "rules/setup.h"

/* The score of a position without one, for example in a random opening. */
enum { PACK_NO_SCORE = INT16_MIN, PACK_MOVES_MAX = 65535 };

/* Identities of evaluations that are no networks. */
enum { PACK_UNKNOWN_EVALUATION = 0, PACK_HANDWRITTEN = 1 };

/* Why a game ended. The numbers are part of the format. */
typedef enum PackReason {
    PACK_MATE,        /* no legal move */
    PACK_ADJUDICATED, /* decided by the score */
    PACK_REPETITION,  /* sennichite or perpetual check */
    PACK_DECLARATION, /* impasse */
    PACK_MAX_MOVES,   /* drawn by the move limit */
    PACK_UNKNOWN,     /* the source of the game does not say */
    PACK_NO_MOVE, /* not a game: a position of which no move is known; its move is any legal one */
    PACK_REASON_NB
} PackReason;

typedef struct PackedMove {
    Move move;
    int16_t score; /* score of the position before the move, in centipawns, from the mover's point
                      of view; or PACK_NO_SCORE */
} PackedMove;

/* A game. Zero-initialise it; free with packed_game_free. */
typedef struct PackedGame {
    Setup start;
    KmdWinner winner; /* KMD_WINNER_NONE: unknown */
    PackReason reason;
    bool is_unequal; /* the players were different; read packed_game_is_unequal */
    /* The evaluation that chose each side's moves: the identity of a network or one of the above. A
     * block has at most 254 different ones; others are written as unknown. */
    uint64_t evaluation[COLOR_NB];
    int move_count;
    PackedMove *moves;
    size_t move_cap;
} PackedGame;

void packed_game_free(PackedGame *game);

/* True if one player was stronger, as far as the file knows: players with different evaluations are
 * hardly ever equal. The result then says less about the positions. */
static inline bool packed_game_is_unequal(const PackedGame *game) {
    return game->is_unequal || game->evaluation[BLACK] != game->evaluation[WHITE];
}

/* True if the game is a single position with a score that was not played on: it is from a search
 * tree, or no move is known. */
static inline bool packed_game_is_leaf(const PackedGame *game) {
    return game->reason == PACK_NO_MOVE ||
           (game->move_count == 1 && game->reason == PACK_UNKNOWN && game->is_unequal);
}

/* Starts a game without moves from this position. */
void packed_game_begin(PackedGame *game, const Setup *start);
void packed_game_add(PackedGame *game, Move move, int score);

/* Where the games come from. */
typedef struct PackOrigin {
    uint64_t net_id; /* 0: the hand-written evaluation, or unknown */
    uint64_t seed;
    uint64_t rules; /* a hash of everything else that influenced the games; 0: unknown */
    uint32_t nodes; /* nodes searched per move */
    uint32_t shard; /* number of the shard, from 0 */
    uint32_t shards;
} PackOrigin;

/* The first bytes of a game file. */
#define PACK_MAGIC "KMDGAMES"

enum { PACK_HEADER_SIZE = 64, PACK_BLOCK_HEADER_SIZE = 48 };

/* Convert a score to a small number, its level, and a level to the middle of the scores that have
 * it. Levels are 8 centipawns wide up to 1024, then increasingly wide. quantize(-s) is
 * -quantize(s). */
int packed_quantize(int score);
int packed_dequantize(int level);

/* Appends a file header. */
void packed_write_header(const PackOrigin *origin, StrBuf *out);

/* Appends a block of games; all moves must be legal. Appends nothing if there are no games. */
void packed_write_block(const PackedGame *games, int count, const PackOrigin *origin, StrBuf *out);

/* A block in memory with correct checksums. */
typedef struct PackBlock {
    PackOrigin origin; /* shard and shards are 0 */
    uint32_t games;
    uint32_t positions;
    bool has_evaluations; /* the content names the evaluations */
    const uint8_t *content;
    size_t content_len;
    const uint8_t *whole; /* the block's bytes, including its header */
    size_t whole_len;
} PackBlock;

typedef struct PackReader {
    const uint8_t *bytes;
    size_t len;
    size_t at;
    PackOrigin origin;      /* origin of the first file, if several were joined */
    bool has_header;        /* the file header is intact; blocks are found even without it */
    bool is_other_version;  /* the header is intact, but belongs to an unknown version */
    size_t damaged_regions; /* number of places where a valid block should be but is not */
    size_t damaged_bytes;
} PackReader;

/* Starts reading. The caller keeps the bytes. Returns false if nothing in them looks like games of
 * a known version. */
bool packed_read_begin(PackReader *reader, const void *bytes, size_t len);

/* Why packed_read_begin returned false. */
const char *packed_refusal(const PackReader *reader);

/* Finds the next intact block; false at the end. Everything between blocks is counted as damaged,
 * except intact headers of a known version, which occur where files were concatenated. */
bool packed_read_block(PackReader *reader, PackBlock *block);

/* Receives a game, which is valid during the call. Return false to stop reading the block. */
typedef bool PackVisit(void *context, const PackedGame *game);

/* Decodes the games of a block in order. Returns false if the content is inconsistent although its
 * checksum is correct, as after a bug in the program that wrote it. The games before the fault have
 * been passed to `visit`. */
bool packed_decode_block(const PackBlock *block, PackVisit *visit, void *context) MUST_CHECK;

#endif
