/* kif.h: KIF, the format of Kakinoki's programs and of most shogi software (.kif, .kifu): one
 * numbered move per line with its origin and time. */
#ifndef KMD_KIFU_KIF_H
#define KMD_KIFU_KIF_H

#include "kifu/codec.h"

/* Reader and writer of the codec; see Codec. */
bool kif_read(StrView text, Record *record, KmdFault *error);
void kif_write(const Record *record, TextEncoding encoding, StrBuf *out);

#endif
