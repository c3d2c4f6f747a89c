/* csa.h: the formats of the Computer Shogi Association, versions 2.2 (2008) and 3.0 (2024). A
 * constant: safe from every thread. */
#ifndef KMD_KIFU_CSA_H
#define KMD_KIFU_CSA_H

#include "base/str.h"
#include "kifu/codec.h"
#include "rules/types.h"

struct Position;

extern const Codec csa_codec, csa_v3_codec;

/* Appends a legal move as CSA writes it: +7776FU. */
void csa_append_move(const struct Position *pos, Move move, StrBuf *out);

#endif
