/* csa.h: the formats of the Computer Shogi Association, versions 2.2 (2008) and 3.0 (2024). The
 * codec is a constant: safe from every thread. */
#ifndef KMD_RECORD_CSA_H
#define KMD_RECORD_CSA_H

#include "base/str.h"
#include "record/codec.h"
#include "rules/types.h"

struct Position;

extern const Codec csa_codec, csa_v3_codec;

/* CSA's words for endings, and its piece codes "FU" to "OU" and "TO" to "RY". JKF uses both too.
 * csa_read_piece returns NO_PIECE_TYPE for any other text. */
extern const EndingWord csa_endings[];
const char *csa_piece(PieceType type);
PieceType csa_read_piece(StrView code);

/* csa_read_ending reads the word for an ending with `side` to move; the word for an illegal action
 * may begin with the sign (+ or -) of the side that made the action. csa_read_ending returns
 * KMD_END_NONE if the word is unknown. csa_append_ending appends the word for a node's ending, with
 * that sign, or nothing if CSA has no word. */
KmdEnding csa_read_ending(StrView word, Color side);
void csa_append_ending(const Record *record, int node, StrBuf *out);

/* Appends a legal move in CSA notation, such as +7776FU. */
void csa_append_move(const struct Position *pos, Move move, StrBuf *out);

/* The legal move with this text; MOVE_NONE if there is none. */
Move csa_find_move(const struct Position *pos, StrView text);

#endif
