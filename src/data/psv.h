/* psv.h: the training records that other shogi engines use: PackedSfenValue of 40 bytes, and
 * Apery's HuffmanCodedPosAndEval (hcpe) of 38, which is described below it.
 *
 *    0  32 bytes  the position in 256 bits, low bits first, see below
 *   32  int16     score, the mover's view
 *   34  uint16    move: to (7 bits), from or type of the drop (7), drop (1), promotion (1)
 *   36  uint16    ply
 *   38  int8      result, the mover's view: 1 won, 0 drawn, -1 lost
 *   39  uint8     0
 *
 * The position: side to move (1 bit), squares of black's and white's king (7 each), every other
 * square from 1a, 1b ... to 9i, then the hands.
 * A square is 0 when empty; else a code for the type, a bit for promoted (not for gold), a bit for
 * white. In hand the code lacks its lowest bit and the promotion bit is 0:
 *
 *   pawn 01   lance 0011   knight 1011   silver 0111   gold 01111   bishop 011111   rook 111111
 *
 * A piece that a handicap has taken away lies in the box: it follows the hands, as one of
 * black's with the promotion bit 1; gold, which has no such bit, as a promoted silver of white's. A
 * reader takes every promoted piece among the hands for one in the box.
 * So the 40 pieces of a set always fill the 256 bits; only positions without both kings, or with
 * more than a set, have no such record.
 *
 * hcpe:
 *
 *    0  32 bytes  the position
 *   32  int16     score, the mover's view
 *   34  uint16    move: to (7 bits), from or 80 + type of the drop (7), promotion (1)
 *   36  uint8     result: 0 drawn, 1 black won, 2 white won; bits above these two say why
 *   37  uint8     0
 *
 * Its position differs in this: knight is 0111 and silver 1011; the bit for white stands before the
 * one for promoted on the board; in hand bishop and rook are 1111, a bit that is 0 in the box, a
 * bit for rook, the bit for white; and golds in hand stand before the bishops. It has no ply.
 *
 * Values only; safe from every thread. Sources: the formats as YaneuraOu (2016) and Apery (2016)
 * published them. */
#ifndef KMD_DATA_PSV_H
#define KMD_DATA_PSV_H

#include "rules/setup.h"

enum { PSV_SIZE = 40, PSV_HCPE_SIZE = 38 };

typedef struct PsvRecord {
    Setup setup;
    bool has_ply; /* filled by the readers; else setup.ply is 1 */
    int score;
    Move move;
    int result; /* the mover's view: 1 won, 0 drawn, -1 lost */
} PsvRecord;

/* False, with out left alone, when a king is missing or there is more than a set of pieces. */
bool psv_write(const PsvRecord *record, uint8_t out[PSV_SIZE]) MUST_CHECK;
bool psv_write_hcpe(const PsvRecord *record, uint8_t out[PSV_HCPE_SIZE]) MUST_CHECK;

/* False when the bytes are no position that can be played from, and for a result that hcpe does not
 * have. The move is not checked. */
bool psv_read(const uint8_t bytes[PSV_SIZE], PsvRecord *record) MUST_CHECK;
bool psv_read_hcpe(const uint8_t bytes[PSV_HCPE_SIZE], PsvRecord *record) MUST_CHECK;

#endif
