/* psv.h: the training records of other shogi engines, which can be converted to games and back:
 * YaneuraOu's PackedSfenValue (psv) of 40 bytes, and Apery's HuffmanCodedPosAndEval (hcpe) of 38.
 *
 * PackedSfenValue:
 *
 *    0  32 bytes  the position in 256 bits, low bits first, see below
 *   32  int16     score, from the mover's point of view
 *   34  uint16    move: to (7 bits), from or type of the drop (7), drop (1), promotion (1)
 *   36  uint16    ply
 *   38  int8      result, from the mover's point of view: 1 won, 0 drawn, -1 lost
 *   39  uint8     0
 *
 * The position has the side to move (1 bit), the squares of black's and white's king (7 bits each),
 * all other squares in the order 1a, 1b to 9i, and the hands. An empty square is a 0 bit. A piece
 * is the code of its type, a promotion bit (not for gold), and a bit that is 1 for white. In hand,
 * the code lacks its lowest bit, and the promotion bit is 0:
 *
 *   pawn 01   lance 0011   knight 1011   silver 0111   gold 01111   bishop 011111   rook 111111
 *
 * Pieces missing from the set, as in handicap games, are "in the box". Pieces in the box follow the
 * hands and are written as black's pieces with the promotion bit 1. Golds have no such bit, so they
 * are written as promoted silvers of white. A reader treats every promoted piece after the board as
 * one in the box. The 40 pieces of a set therefore always fill the 256 bits. Positions that lack a
 * king, or have more pieces than a set, cannot be written.
 *
 * hcpe:
 *
 *    0  32 bytes  the position
 *   32  int16     score, from the mover's point of view
 *   34  uint16    move: to (7 bits), from or 80 + type of the drop (7), promotion (1)
 *   36  uint8     result: 0 drawn, 1 black won, 2 white won; the higher bits give the reason
 *   37  uint8     0
 *
 * Its position differs as follows. Knight is 0111 and silver 1011. On the board, the bit for white
 * comes before the promotion bit. In hand, a bishop or rook is 1111, then a bit that is 0 if it is
 * in the box, a bit that is 1 for a rook, and the bit for white. Golds in hand come before bishops.
 * There is no ply.
 *
 * Nothing here prints. A PsvGames belongs to one thread; the rest is stateless. Sources: the
 * formats as published by YaneuraOu (2016) and Apery (2016). */
#ifndef KMD_TRAIN_PSV_H
#define KMD_TRAIN_PSV_H

#include "base/str.h"
#include "rules/position.h"

struct PackedGame;

typedef enum PsvFormat { PSV_SFEN, PSV_HCPE, PSV_FORMAT_NB } PsvFormat;

/* Sizes of a record in bytes. */
enum { PSV_SIZE = 40, PSV_HCPE_SIZE = 38 };

typedef struct PsvRecord {
    Setup setup;
    bool has_ply; /* set by psv_read; if false, setup.ply is 1 */
    int score;
    Move move;  /* MOVE_NONE: the record has no move */
    int result; /* result for the mover: 1 won, 0 drawn, -1 lost */
} PsvRecord;

/* Writes a record of psv_size(format) bytes. Returns false and leaves `out` unchanged if a king is
 * missing or there are more pieces than in a set. */
bool psv_write(PsvFormat format, const PsvRecord *record, uint8_t *out) MUST_CHECK;

/* Reads psv_size(format) bytes. Returns false if they are not a playable position, or if the result
 * is invalid in hcpe. The move is not checked. */
bool psv_read(PsvFormat format, const uint8_t *bytes, PsvRecord *record) MUST_CHECK;

/* "psv" or "hcpe", which is also the extension of file names; NULL for other numbers, as
 * ArgOption.word requires. */
const char *psv_format_name(int format);

size_t psv_size(PsvFormat format);

/* Determines the format by the extension of a file name; -1 if unknown. */
int psv_format_by_path(const char *path);

/* Determines the format of the records in a file by its contents or, if they are inconclusive, by
 * the file name; -1 if unknown. */
int psv_detect(const char *path, const uint8_t *bytes, size_t len);

/* The number of positions that were converted, and why the others were not. */
typedef struct PsvCount {
    uint64_t converted;
    uint64_t unplayable; /* not a playable position */
    uint64_t illegal;    /* the move is illegal there */
    uint64_t unstorable; /* the format of the records cannot hold the position */
} PsvCount;

/* Appends "N positions written, N skipped", with the reasons. */
void psv_describe_count(const PsvCount *count, StrBuf *out);

/* Appends a record for each position of the game that has a score, and adds them to *count. */
void psv_from_game(PsvFormat format, const struct PackedGame *game, PsvCount *count, StrBuf *out);

/* No game read from records has more moves. */
enum { PSV_MAX_MOVES = 1000 };

/* Joins records of consecutive positions into games. A record without a move becomes a game of its
 * own (PACK_NO_MOVE): it has everything that a trainer reads. */
typedef struct PsvGames {
    PsvFormat format;
    const uint8_t *bytes; /* the records; the caller owns them */
    size_t len, at;
    Position pos;   /* position after the last move of the game */
    PsvCount count; /* of the records so far */
} PsvGames;

void psv_games_init(PsvGames *games, PsvFormat format, const uint8_t *bytes, size_t len);
void psv_games_free(PsvGames *games);

/* Reads the next game into *game, which is zero-initialised or from an earlier call. Returns false
 * at the end. Ignores an incomplete last record. */
bool psv_next_game(PsvGames *games, struct PackedGame *game) MUST_CHECK;

#endif
