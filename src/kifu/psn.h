/* psn.h: PSN, chess's PGN made over for shogi, in the dialects there are: Shogidokoro's (which is
 * written), the draft of 1997, PSN2 with moves as USI has them, and tournament files. */
#ifndef KMD_KIFU_PSN_H
#define KMD_KIFU_PSN_H

#include "kifu/codec.h"

/* Reader and writer of the codec; see Codec. */
bool psn_read(StrView text, Record *record, KmdFault *error);
void psn_write(const Record *record, TextEncoding encoding, StrBuf *out);

#endif
