/* csa.h: the Computer Shogi Association's format (.csa), versions 2.2 (2008) and 3.0 (2024): one
 * line per move such as +7776FU, and another for its time. No variations. */
#ifndef KMD_KIFU_CSA_H
#define KMD_KIFU_CSA_H

#include "kifu/codec.h"

/* The reader takes every version; csa_write writes V2.2, csa3_write V3.0. See Codec. */
bool csa_read(StrView text, Record *record, KmdFault *error);
void csa_write(const Record *record, TextEncoding encoding, StrBuf *out);
void csa3_write(const Record *record, TextEncoding encoding, StrBuf *out);

/* Appends a legal move as CSA writes it: +7776FU. */
void csa_append_move(const Position *pos, Move move, StrBuf *out);

#endif
