/* csa.h: the Computer Shogi Association's format (.csa), versions 2.2 (2008) and 3.0 (2024): one
 * line per move such as +7776FU, and another for its time. No variations. */
#ifndef KMD_KIFU_CSA_H
#define KMD_KIFU_CSA_H

#include "kifu/codec.h"

extern const Codec csa_codec;  /* writes V2.2, reads every version */
extern const Codec csa3_codec; /* writes V3.0 */

/* Appends a legal move as CSA writes it: +7776FU. */
void csa_append_move(const Position *pos, Move move, StrBuf *out);

#endif
